"""Parts that cannot be half decided: made whole when they are looked at, choice by choice.

A function of a value, a composite, a flatmap, a filter, a list of distinct elements, a class with code in its
constructor: all of them are made by running them. Each choice is a decision on the trail. When one of them
changes, the part is made again with the choices before it kept.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.choices.by_number import Builder
from everycase.choices.dice import novelty
from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.kinds import (
    Float,
    Int,
    List,
    Union,
)
from everycase.gen.sources import OURS
from everycase.narrow.trail import Alternative, Dead, Decisions, Many, Place
from everycase.sizes.floats import float_order
from everycase.sizes.least import least
from everycase.sizes.numbers import SMALL_RANGE, IntOrder, is_small

#: A part that makes more choices than this for one value is assumed to be endless.
MOST_CHOICES = 10_000
#: How much more likely another element is than the end, in random orders. (It does not depend on how much
#: room there is: if valid values are rare, a long list that is made whole is almost never valid.)
MORE_LIKELY = 4


#: A function that has called itself this many times when the stack ends has no end of its own.
ENDLESS = 100


def _is_endless(problem: RecursionError) -> bool:
    """Whether user code calls itself without an end, rather than a value being nested too deeply for our own."""
    calls: deque[Any] = deque(maxlen=ENDLESS)
    frame = problem.__traceback__
    while frame is not None:
        calls.append(frame.tb_frame.f_code)
        frame = frame.tb_next
    return (
        len(calls) == ENDLESS
        and all(code.co_filename == calls[0].co_filename for code in calls)
        and (not calls[0].co_filename.startswith(OURS))
    )


class Digit:
    """One choice of a part: the target on the trail."""

    __slots__ = ("number", "part", "place", "radix")

    def __init__(self, part: WholePart, place: int, radix: float) -> None:
        self.part = part
        self.place = place
        #: out of how many, whether they can be afforded or not
        self.radix = radix
        self.number = 0


class NumberedChoice(Alternative):
    """Take the choice with this number."""

    __slots__ = ("number", "weight")

    weight: float

    def __init__(self, number: int, extra: int, label: Any = None, weight: float = 1.0) -> None:
        self.number = number
        self.extra = extra
        self.label = number if label is None else label
        self.weight = weight

    def place(self, target: Digit) -> None:
        target.number = self.number
        target.part.make_again()

    def release(self, target: Digit) -> None:
        target.part.digits.pop()
        if target.place == 0:
            target.part.forget()


class Numbers(Many):
    """The first ``total`` numbers as alternatives; ``price`` gives the cost of each."""

    def __init__(self, total: int, price: Callable[[int], int] | None) -> None:
        super().__init__(total)
        self.price = price

    def at(self, number: int) -> NumberedChoice:
        return NumberedChoice(number, self.price(number) if self.price is not None else 0)


class WholePart(Builder):
    """One opaque part of the partial value: its place, and the choices that make it."""

    __slots__ = ("at", "container", "digits", "empty", "gen", "key", "place", "state", "trace")

    def __init__(
        self, gen: Gen[Any], container: Any, key: Any, empty: Any, place: Place, state: Decisions
    ) -> None:
        self.gen = gen
        self.container = container
        self.key = key
        #: the content of the container while this is undecided; None if there is none
        self.empty = empty
        self.place = place
        self.state = state
        self.digits: list[Digit] = []
        self.at = 0
        self.trace: Trace[Any] | None = None

    def decide(self) -> Any:
        """Decide the part by its first choices. Raises :class:`Dead` if they make no value."""
        self.at = 0
        self.state.making += 1
        try:
            with making_values():
                trace = self.make(self.gen)
        except Discarded:
            self.state.dead = True
            raise Dead from None
        except Dead:
            self.state.dead = True
            raise
        except RecursionError as problem:
            if _is_endless(problem):
                raise
            self.state.dead = self.state.cut = True
            raise Dead from None
        finally:
            self.state.making -= 1
        self.trace = trace
        self.container[self.key] = trace.value
        return trace.value

    def make_again(self) -> None:
        """Make the part after one of its choices has changed; if that fails, undoing decisions continues."""
        try:
            self.decide()
        except Dead:
            self.state.dead = True

    def forget(self) -> None:
        self.trace = None
        if self.empty is None:
            self.container.pop(self.key, None)
        else:
            self.container[self.key] = self.empty

    # --- choosing ---------------------------------------------------------------------------------------

    def choose(self, alternatives: Sequence[Any], radix: float = 0) -> int:
        """The number of this choice: as decided before, or the first affordable one."""
        at = self.at
        self.at = at + 1
        if at < len(self.digits):
            if self.digits[at].radix != radix:
                self.state.contradicted = True
            return self.digits[at].number
        if not alternatives:
            raise Dead
        if at > MOST_CHOICES:
            self.state.cut = True
            raise Dead
        state = self.state
        if state.arrange is not None and len(alternatives) > 1:
            state.target = None
            alternatives = state.arrange(self.place, alternatives)
        digit = Digit(self, at, radix)
        first: Any = alternatives[0]
        digit.number = first.number
        self.digits.append(digit)
        state.trail.append([digit, alternatives, 0, state.slack, self.place])
        state.slack -= first.extra
        return digit.number

    def charge(self, price: float) -> None:
        """Pay for something that was not known before; a decision without alternatives, so that it is
        refunded when undone."""
        if price:
            self.choose([NumberedChoice(0, int(price))] if self._can_pay(price) else [])

    def _can_pay(self, price: float) -> bool:
        return self.at < len(self.digits) or price <= self.state.slack

    # --- making -----------------------------------------------------------------------------------------

    def enter(self, gen: Gen[Any]) -> None:
        self.charge(least(gen))

    def rejected(self, why: str) -> BaseException:
        return Dead()

    def number(self, gen: Int | Float) -> Trace[Any]:
        return self._int(gen) if isinstance(gen, Int) else self._float(gen)

    def _int(self, gen: Int) -> Trace[Any]:
        order = IntOrder(gen)
        # Whether there is a choice must not depend on the slack, which differs when the part is made again.
        radix = order.up + order.down
        number = 0
        if radix > 1:
            decided = self.at < len(self.digits)  # then nothing is chosen from
            number = self.choose(() if decided else self._affordable(gen, order), radix)
        value = order.value(number)
        return Trace(value, (), gen, value)

    def _affordable(self, gen: Int, order: IntOrder) -> Numbers:
        if is_small(gen):
            return Numbers(order.up + order.down, None)
        return Numbers(
            order.nearer(1 << self.state.slack),
            lambda number: order.distance(order.value(number)).bit_length(),
        )

    def _float(self, gen: Float) -> Trace[Any]:
        order = float_order(gen)
        small = order.count <= SMALL_RANGE
        count = order.count if small else min(order.count, 1 << self.state.slack)
        price = None if small else int.bit_length
        number = self.choose(Numbers(count, price), order.count) if order.count > 1 else 0
        value = order.value(number)
        return Trace(value, (), gen, value)

    def option(self, gen: Union[Any]) -> int:
        base, slack = least(gen), self.state.slack
        extras = [(least(option) - base, i) for i, option in enumerate(gen.options)]
        open_to = sorted((extra, i) for extra, i in extras if extra <= slack)
        return self.choose([NumberedChoice(i, int(extra)) for extra, i in open_to], len(gen.options))

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        is_new = novelty(gen) if gen.unique_by is not None else None
        seen: set[Any] = set()
        parts: list[Trace[Any]] = []
        price = 1 + least(gen.element)
        before: tuple[int, ...] = ()
        while True:
            if len(parts) >= gen.min_size:
                if len(parts) == gen.max_size:
                    break
                room = self.state.slack // price
                if gen.max_size is not None:
                    room = min(room, gen.max_size - len(parts))
                weight = min(room, MORE_LIKELY)
                more = [NumberedChoice(1, int(price), "more", weight)] if room else []
                if not self.choose([NumberedChoice(0, 0, "end"), *more]):
                    break
            start = self.at
            part = self.make(gen.element)
            if is_new is not None and not is_new(part.value, seen):
                raise Dead
            if gen.unordered:
                # Each set once: its elements come in the order of their choices.
                choices = tuple(digit.number for digit in self.digits[start : self.at])
                if parts and choices < before:
                    raise Dead
                before = choices
            parts.append(part)
        return parts
