"""Whether inputs depend only on their choices, which the claim "every value was tested" relies on.

A generator that uses ``random``, a filter that alternates, or a precondition that reads a clock leaves out
different values each time. So a sample of the tested inputs is made again, and predicates are evaluated
again.
"""

from __future__ import annotations

import math
import random as stdlib_random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from everycase.choices.assumptions import making_values
from everycase.choices.enact import REFUSALS, enact, replay
from everycase.choices.time_limit import OutOfTime, look, until
from everycase.choices.trace import Trace, sizes
from everycase.enumeration.rank import rank
from everycase.enumeration.sequence import has_filters
from everycase.enumeration.walk import walk_choices
from everycase.errors import Discarded, NoSuchValue
from everycase.explore.protocol import Case
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Filter
from everycase.narrow.seen import Repeats
from everycase.run.outside import functions_of, outside_of

#: How many cases are made again, how often, and the time limit for all of them.
CASES = 32
REPEATS = 128
SECONDS = 0.5
#: How often the values are counted again.
COUNTS = 2
#: On how many values each predicate is evaluated, and how often on each.
VALUES = 16
QUESTIONS = 4

SCALARS = (int, float, complex, str, bytes, bytearray, type(None), Enum, range)

OTHER_VALUE = "a generator did not make the same value again from the same choices: it depends on something besides its draws"
OTHER_ANSWER = "a filter or precondition gave a different answer the second time: it depends on something besides its argument"

OTHER_COUNT = "another number of values was found the second time: a generator, filter or precondition depends on something besides its choices"
OTHER_ASSUMPTION = "assume gave a different answer the second time: it depends on something besides the arguments of the test"

Preconditions = Sequence[tuple[Callable[..., object], tuple[int, ...]]]


class Claim(NamedTuple):
    """What a report is about to say: that these were all inputs, up to a size if there is one."""

    #: the number of inputs that the test ran on, and of those that were discarded
    tests: int
    discarded: int
    max_size: int | None = None


def doubt(
    gen: Gen[Any],
    preconditions: Preconditions,
    cases: Sequence[Case],
    guarded: bool = True,
    max_seconds: float | None = None,
    claim: Claim | None = None,
    seconds: float = SECONDS,
) -> str | None:
    """A reason to doubt that inputs depend only on their choices, in words; None if none was found.

    ``cases`` were tested; ``guarded`` means that they therefore satisfied the preconditions. With a ``claim``
    the inputs are counted again. ``seconds`` limits the time for all of this.
    """
    functions = [*(check for check, _ in preconditions), *functions_of(gen)]
    if not functions:
        return None
    outside = outside_of(functions)
    if outside is not None:
        return f"{outside}: it depends on something besides its arguments and what it draws"
    seconds = min(seconds, 0.1 * (max_seconds or math.inf))
    step = max(1, len(cases) // CASES)
    tested = cases[::step][:CASES]
    ways: list[tuple[str, Callable[[], bool]]] = [
        (OTHER_ANSWER, lambda: _answers_repeat(gen, preconditions)),
        (OTHER_VALUE, lambda: _values_repeat(gen, tested)),
        (OTHER_ANSWER, lambda: _all_are_counted(gen)),
    ]
    if claim is not None:
        ways.append((OTHER_COUNT, lambda: _counts_repeat(gen, preconditions, claim)))
    if guarded and preconditions:
        ways.append((OTHER_ANSWER, lambda: _still_satisfy(gen, preconditions, tested)))
    for reason, repeats in ways:
        # Each gets a share of the time, so that slow predicates do not keep values from being made again.
        with making_values(), suppress(OutOfTime), until(time.perf_counter() + seconds / len(ways)):
            if not repeats():
                return reason
    return None


def _traces(cases: Sequence[Case]) -> Iterator[Trace[Any]]:
    """The choices of cases, as far as they are known."""
    for case in cases:
        trace: Trace[Any] | None = None
        with suppress(*REFUSALS):
            trace = case.trace
        if trace is not None and not trace.is_opaque:
            yield trace


def _random_traces(gen: Gen[Any]) -> Iterator[Trace[Any]]:
    random = stdlib_random.Random("everycase repeatability").random
    for _ in range(VALUES):
        trace: Trace[Any] | None = None
        with suppress(*REFUSALS):
            trace = enact(gen, None, random, 10)
        if trace is not None:
            yield trace


def _values_repeat(gen: Gen[Any], cases: Sequence[Case]) -> bool:
    """Whether recorded choices make the same values each time."""
    kept = []
    for trace in chain(_traces(cases), _random_traces(gen)):
        if not trace.is_small:
            continue  # it would take longer than there is time
        try:
            # As if read from storage: cached values must not be used.
            stored = Trace.from_json(trace.to_json())
        except RecursionError:
            continue
        kept.append((trace.value, stored))
        if not _comes_again(gen, *kept[-1]):
            return False
    return all(_comes_again(gen, *each) for each in kept for _ in range(max(1, REPEATS // len(kept) - 1)))


def _all_are_counted(gen: Gen[Any]) -> bool:
    """Whether values made at random are among those that were counted: a filter may have rejected them then."""
    counted = gen._space
    if counted is None or counted.count == math.inf or not has_filters(gen):
        return True
    for trace in _random_traces(gen):
        look()
        try:
            rank(counted, trace)
        except NoSuchValue:
            return False
        except REFUSALS:
            continue
    return True


def _counts_repeat(gen: Gen[Any], preconditions: Preconditions, claim: Claim) -> bool:
    """Whether walking through all choices once more, without what is known from before, finds as many inputs
    as were tested. Whatever was rejected the first time is made and judged again."""
    # The walk also makes values that the run had no reason to make: on those, user code may raise, or they may be too deep.
    with suppress(Exception):
        return all(_counted_again(gen, preconditions, claim) for _ in range(COUNTS))
    return True


def _counted_again(gen: Gen[Any], preconditions: Preconditions, claim: Claim) -> bool:
    doubts: list[str] = []
    seen = Repeats([gen])
    most = claim.tests + claim.discarded
    distinct = every = 0
    sets = Fraction(0)  # with all orders of the elements of a set counted as one
    for trace in walk_choices(gen, doubts=doubts):
        look()
        if claim.max_size is not None and sizes(trace)[id(trace)] > claim.max_size + 1:
            continue
        if not all(_satisfies(check, places, trace.value) for check, places in preconditions):
            continue
        every += 1
        sets += Fraction(1, _orders(trace))
        distinct += seen.is_new(trace.value)
        if doubts or (distinct > most and sets > most):
            return False
    return not doubts and (every >= claim.tests or not seen.complete)


def _orders(trace: Trace[Any]) -> int:
    """How many traces make the same value because of the order in which the elements of sets were chosen."""
    return math.prod(
        math.factorial(len(node.children)) for node in trace.nodes() if getattr(node.gen, "unordered", False)
    )


def _comes_again(gen: Gen[Any], value: Any, stored: Trace[Any]) -> bool:
    look()
    before = _copied(value)  # the generator may give away one object again and again, and change it
    try:
        return not differ(before, replay(gen, stored).value)
    except RecursionError:
        return True
    except REFUSALS:
        return False


def _copied(value: Any) -> Any:
    """A copy of built-in collections; everything else in them stays the same object."""
    kind = type(value)
    if kind is dict:
        return {key: _copied(item) for key, item in value.items()}
    return kind(map(_copied, value)) if kind in (list, tuple, set, frozenset) else value


def _still_satisfy(gen: Gen[Any], preconditions: Preconditions, cases: Sequence[Case]) -> bool:
    """Whether the tested inputs, which satisfied the preconditions, still satisfy them."""
    for trace in _traces(cases):
        look()
        try:
            args = replay(gen, trace).value
            if not all(_satisfies(check, places, args) for check, places in preconditions):
                return False
        except REFUSALS:
            continue
    return True


def _answers_repeat(gen: Gen[Any], preconditions: Preconditions) -> bool:
    """Whether filters and preconditions always give the same answer for the same value."""
    questions = [
        (ask, source, stdlib_random.Random("everycase repeatability").random)
        for ask, source in _questions(gen, preconditions)
    ]
    for _ in range(VALUES):
        for ask, source, random in questions:
            look()
            with suppress(*REFUSALS):  # values that cannot be made, or raise, are noticed in the run itself
                value = enact(source, None, random, 10).value
                if len({bool(ask(value)) for _ in range(QUESTIONS)}) > 1:
                    return False
    return True


def _questions(
    gen: Gen[Any], preconditions: Preconditions
) -> Iterator[tuple[Callable[[Any], object], Gen[Any]]]:
    """The predicates that are known before any choice is made, each with a generator of its arguments."""
    for check, places in preconditions:
        yield partial(_satisfies, check, places), gen
    for node in islice(nodes(gen), 1000):
        if isinstance(node, Filter):
            yield node.predicate, node.source


def _satisfies(check: Callable[..., object], places: tuple[int, ...], args: Any) -> object:
    try:
        return check(*[args[place] for place in places])
    except Discarded:
        return False


def differ(one: Any, two: Any) -> bool:
    """Whether two values certainly differ. Objects that reveal nothing about themselves are taken to be the
    same.

    >>> differ([1, {"a": (2.0, None)}], [1, {"a": (2.0, None)}]), differ([1, {"a": 2}], [1, {"a": 3}])
    (False, True)
    """
    pending = [(one, two)]
    seen: set[tuple[int, int]] = set()
    while pending and len(seen) < 10_000:
        a, b = pending.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        seen.add((id(a), id(b)))
        if type(a) is not type(b):
            return True
        if isinstance(a, SCALARS):
            if a != b and not (isinstance(a, float) and math.isnan(a) and math.isnan(b)):
                return True
        elif isinstance(a, list | tuple):
            if len(a) != len(b):
                return True
            pending += zip(a, b)
        elif isinstance(a, dict):
            if len(a) != len(b):
                return True
            pending += zip(a, b)
            pending += zip(a.values(), b.values())
        elif isinstance(a, set | frozenset):
            if len(a) != len(b) or (all(isinstance(each, SCALARS) for each in (*a, *b)) and a != b):
                return True
        elif not isinstance(a, type) and not callable(a):
            pending += zip(_state(a), _state(b))
    return False


def _state(value: Any) -> Iterator[Any]:
    """The attributes of an object, as far as they can be read without running its code."""
    with suppress(Exception):
        yield object.__getattribute__(value, "__dict__")
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            with suppress(*REFUSALS):
                yield object.__getattribute__(value, name)
