"""Complete traces in which each choice is a number: the one builder behind walking, pruning and inverting.

:class:`Builder` runs a generator and asks for each choice by number. The source of the numbers differs: a
walk counts them up like an odometer, a pruning search takes them from its trail of decisions. The numbers are
in the order of :mod:`everycase.sizes`: simplest first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.choices.time_limit import look, watched
from everycase.choices.trace import Trace
from everycase.errors import Discarded, NotCountable
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.predicate_errors import naming
from everycase.gen.reading import total
from everycase.gen.sharing import begin_input, own_input
from everycase.gen.validate import as_gen
from everycase.sizes.floats import float_order
from everycase.sizes.numbers import IntOrder


class Builder:
    """Makes the trace of a whole value. A subclass decides numbers, options and lists."""

    __slots__ = ()

    def make(self, gen: Gen[Any]) -> Trace[Any]:
        """The trace of the current choices; :class:`Discarded` if they make no value."""
        return BUILD[type(gen)](self, gen)

    def number(self, gen: Int | Float) -> Trace[Any]:
        raise NotImplementedError

    def option(self, gen: Union[Any]) -> int:
        raise NotImplementedError

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        raise NotImplementedError

    def enter(self, gen: Gen[Any]) -> None:
        """Called before a generator that is known only now: the inner one of a flatmap, or one that is drawn
        from."""

    def rejected(self, why: str) -> BaseException:
        """The exception to raise when these choices make no value."""
        return Discarded(why)


def _const(builder: Builder, gen: Const[Any]) -> Trace[Any]:
    return Trace(None, (), gen, gen.value)


def _number(builder: Builder, gen: Int | Float) -> Trace[Any]:
    return builder.number(gen)


def _union(builder: Builder, gen: Union[Any]) -> Trace[Any]:
    option = builder.option(gen)
    below = builder.make(gen.options[option])
    return Trace(option, (below,), gen, below.value)


def _build(builder: Builder, gen: Build[Any]) -> Trace[Any]:
    parts = [builder.make(part) for part in gen.parts]
    look()
    return Trace(None, parts, gen, gen.construct([part.value for part in parts]))


def _list(builder: Builder, gen: List[Any]) -> Trace[Any]:
    elements = builder.elements(gen)
    return Trace(None, elements, gen, [element.value for element in elements])


def _map(builder: Builder, gen: Map[Any]) -> Trace[Any]:
    source = builder.make(gen.source)
    look()
    return Trace(None, (source,), gen, gen.f(source.value))


def _filter(builder: Builder, gen: Filter[Any]) -> Trace[Any]:
    source = builder.make(gen.source)
    look()
    try:
        passed = gen.predicate(source.value)
    except Exception as problem:
        raise naming(problem, gen.predicate, source.value)  # noqa: B904 (it is the same one)
    if not passed:
        raise builder.rejected("rejected by a filter")
    return Trace(None, (source,), gen, source.value)


def _bind(builder: Builder, gen: Bind[Any]) -> Trace[Any]:
    outer = builder.make(gen.source)
    look()
    inner_gen = gen.inner(outer.value)
    builder.enter(inner_gen)
    inner = builder.make(inner_gen)
    return Trace(None, (outer, inner), gen, inner.value, memory=(outer, inner_gen))


def _defer(builder: Builder, gen: Defer[Any]) -> Trace[Any]:
    return builder.make(gen.target)


def _composite(builder: Builder, gen: Composite[Any]) -> Trace[Any]:
    drawn: list[Any] = []

    def draw(source: Gen[Any], label: str | None = None) -> Any:
        if not isinstance(source, Gen):
            source = as_gen("draw", source)
        look()
        place = len(drawn)
        drawn.append(None)  # reserves the place, because a draw may happen inside a draw
        builder.enter(source)
        drawn[place] = trace = builder.make(source)
        return trace.value

    return Trace(None, drawn, gen, gen.function(draw, *gen.args, **gen.kwargs))


def _live(builder: Builder, gen: Live[Any]) -> Trace[Any]:
    what = repr(gen) if gen.steps is None else "a state machine"
    raise NotCountable(f"{what} draws while the test runs, so its values are not known beforehand")


BUILD: dict[type[Any], Callable[[Any, Any], Trace[Any]]] = total(
    "whole traces by number",
    {
        Const: _const,
        Int: _number,
        Float: _number,
        Union: _union,
        Build: _build,
        List: _list,
        Map: _map,
        Filter: _filter,
        Bind: _bind,
        Defer: _defer,
        Composite: _composite,
        Live: _live,
    },
)


class Odometer(Builder):
    """Numbers that count up like the digits of an odometer, the last choice first, each from its simplest value."""

    __slots__ = ("contradicted", "digits", "place")

    def __init__(self) -> None:
        #: for each choice its number and out of how many
        self.digits: list[tuple[int, float]] = []
        self.place = 0
        #: the same choices as before led to different possibilities at some place
        self.contradicted = False

    def choose(self, radix: float) -> int:
        """The number of this choice in the current combination."""
        if not radix:
            raise Discarded("nothing to choose from")
        place = self.place
        if place == len(self.digits):
            self.digits.append((0, radix))
        self.place = place + 1
        number, known = self.digits[place]
        if known != radix:
            self.contradicted = True
            if number >= radix:
                raise Discarded("a choice that is not offered any more")
        return number

    def advance(self) -> bool:
        """Go to the next combination; False if there is none."""
        while self.digits:
            number, radix = self.digits.pop()
            if number + 1 < radix:
                self.digits.append((number + 1, radix))
                return True
        return False

    def trace(self, gen: Gen[Any]) -> Trace[Any]:
        """The trace of the current combination; choices after its last digit start at the simplest."""
        if gen.begins_input:
            begin_input()
        self.place = 0
        decided = len(self.digits)
        try:
            with making_values(), own_input(gen):
                return self.make(gen)
        finally:
            self.contradicted |= self.place < decided
            del self.digits[self.place :]  # another combination may have needed more

    def number(self, gen: Int | Float) -> Trace[Any]:
        if isinstance(gen, Int):
            order = IntOrder(gen)
            value: Any = order.value(self.choose(order.up + order.down))
        else:
            floats = float_order(gen)
            value = floats.value(self.choose(floats.count))
        return Trace(value, (), gen, value)

    def option(self, gen: Union[Any]) -> int:
        return self.choose(len(gen.options))

    def elements(self, gen: List[Any]) -> list[Trace[Any]]:
        longest = math.inf if gen.max_size is None else gen.max_size
        length = gen.min_size + self.choose(longest - gen.min_size + 1)
        look()
        elements = [self.make(gen.element) for _ in watched(range(length))]
        if gen.unique_by is not None:
            keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
            if any(len({key(element.value) for element in watched(elements)}) < length for key in keys):
                raise Discarded("an element is repeated")
        return elements


class TooMany(Exception):
    """There are more values than the caller wants to try."""


def all_traces(gen: Gen[Any], most: int) -> Iterator[Trace[Any]]:
    """The traces of all values in order; raises :class:`TooMany` if there are more than ``most``.

    >>> from everycase import gen
    >>> [trace.value for trace in all_traces(gen.integers(0, 3).filter(lambda n: n % 2), 10)]
    [1, 3]
    """
    if facts(gen).recursive:
        raise TooMany
    odometer = Odometer()
    tried = 0
    while True:
        trace: Trace[Any] | None
        try:
            trace = odometer.trace(gen)
        except Discarded:
            trace = None
        tried += 1
        if tried > most or any(radix > most for _, radix in odometer.digits):
            raise TooMany
        if trace is not None:
            yield trace
        if not odometer.advance():
            return
