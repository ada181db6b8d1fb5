"""Whether inputs depend only on their choices, which the claim "every value was tested" relies on.

A generator that uses ``random``, a filter that alternates, or a precondition that reads a clock leaves out
different values each time. So a sample of the tested inputs is made again, and predicates are evaluated
again.
"""

from __future__ import annotations

import json
import math
import random as stdlib_random
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from types import MethodType
from typing import Any, NamedTuple

from everycase.choices.assumptions import making_values
from everycase.choices.enact import REFUSALS, enact, replay
from everycase.choices.time_limit import OutOfTime, look, until
from everycase.choices.trace import Trace, sizes
from everycase.enumeration.rank import rank
from everycase.enumeration.sequence import has_filters
from everycase.enumeration.walk import walk_choices
from everycase.errors import Discarded, EverycaseError, NoSuchValue
from everycase.explore.protocol import Case, Outcome
from everycase.explore.sequences import OTHER_STEPS
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Filter
from everycase.gen.outside import codes, functions_of, instructions, outside_of
from everycase.narrow.seen import Repeats

#: How many cases are made again, how often, and the time limit for all of them.
CASES = 32
REPEATS = 128
SECONDS = 0.5
#: How often a check is made again that other processes on the machine left no time for.
ATTEMPTS = 3
#: How often the values are counted again.
COUNTS = 2
#: On how many values each predicate is evaluated, and how often on each.
VALUES = 16
QUESTIONS = 4

SCALARS = (int, float, complex, str, bytes, bytearray, type(None), Enum, range)

#: Of these, equal ones are the same.
PLAIN = (int, float, complex, str, bytes, bool, type(None), range)
CONTAINERS: tuple[Any, ...] = (list, tuple, deque, dict, set, frozenset)

Fingerprint = tuple[object, ...]

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
    changed: str | None = None,
    leading: Preconditions = (),
) -> str | None:
    """A reason to doubt that inputs depend only on their choices, in words; None if none was found.

    ``cases`` were tested; ``guarded`` means that they therefore satisfied the preconditions. With a ``claim``
    the inputs are counted again; those that do not satisfy the conditions ``leading`` into the test do not count. ``seconds`` limits the time for all of this. ``changed`` is something that
    the functions read and that changed during the run.
    """
    functions = [*(check for check, _ in preconditions), *functions_of(gen)]
    outside = outside_of(functions)
    if outside is not None:
        return f"{outside}: it depends on something besides its arguments and what it draws"
    if changed is not None:
        return f"{changed}, which changed during the run"
    if not functions:
        return None
    seconds = min(seconds, 0.1 * (max_seconds or math.inf))
    step = max(1, len(cases) // CASES)
    tested = cases[::step][:CASES]
    asked = _Preconditions(preconditions)
    ways: list[tuple[str, Callable[[], bool]]] = [
        (OTHER_ANSWER, lambda: _answers_repeat(gen, asked)),
        (OTHER_VALUE, lambda: _values_repeat(gen, tested)),
        (OTHER_ANSWER, lambda: _all_are_counted(gen)),
    ]
    if claim is not None:
        every = _Preconditions([*preconditions, *leading]) if leading else asked
        ways.append((OTHER_COUNT, lambda: _counts_repeat(gen, every, claim)))
    if guarded and preconditions:
        ways.append((OTHER_ANSWER, lambda: _still_satisfy(gen, asked, tested)))
    for reason, repeats in ways:
        # Each gets a share of the time, so that slow predicates do not keep values from being made again.
        with making_values():
            if not _holds_for(repeats, seconds / len(ways), 1 if max_seconds else ATTEMPTS):
                return reason
        if asked.contradicted:
            return OTHER_ANSWER
    return None


def _holds_for(repeats: Callable[[], bool], seconds: float, attempts: int) -> bool:
    """Whether a check finds nothing until its time is up. If other processes took most of that time, it is made again."""
    for _ in range(attempts):
        began = time.thread_time()
        with suppress(OutOfTime), until(time.perf_counter() + seconds):
            return repeats()
        if time.thread_time() - began > 0.5 * seconds:
            break
    return True


def functions_of_steps(steps: Any) -> Iterator[Callable[..., Any]]:
    """What decides which steps there are: preconditions, the functions of argument generators, and rules that draw."""
    for rule in steps.plan.options:
        yield from rule.preconditions
        for part in rule.parts:
            yield from functions_of(part.gen)
        if steps.plan.draws:
            yield rule.function


def functions_of_results(steps: Any) -> Iterator[Callable[..., Any]]:
    """What decides about later steps by what it returns, rejects, or leaves in the machine, as methods of its class."""
    plan = steps.plan
    machine = plan.definition.machine
    checks = [check for rule in plan.options for check in rule.preconditions]
    yield from (MethodType(check, machine) for check in checks)
    read = {name for check in checks for name in _attributes_used(check, "LOAD_ATTR")}
    if read:
        yield machine
    for rule, rejected in zip(plan.options, plan.rejected):
        if rejected or rule.targets or read & _attributes_used(rule.function, "STORE_ATTR"):
            yield MethodType(rule.function, machine)


def _attributes_used(function: Any, operation: str) -> set[str]:
    """The names of attributes that a function reads, or sets."""
    code = getattr(function, "__code__", None)
    every = () if code is None else chain.from_iterable(map(instructions, codes(code)))
    return {step.argval for step in every if step.opname == operation}


def doubt_steps(
    steps: Any,
    again: Callable[[], Generator[Case, Outcome, None]],
    execute: Callable[[Case], Outcome],
    changed: str | None,
    seconds: float,
) -> str | None:
    """A reason to doubt that every sequence was taken, in words; None if none was found. ``again`` proposes some of
    them once more, and ``execute`` tests a case. ``changed`` is something that changed during the run."""
    outside = outside_of([*functions_of_steps(steps), *functions_of_results(steps)])
    if outside is not None:
        return f"{outside}: it depends on something besides the steps"
    if changed is not None:
        return f"{changed}, which changed during the run"
    parts = [part for rule in steps.plan.options for part in rule.parts if part.bundle is None]
    for part in parts:
        known = steps.values_of(part)
        claim = None if known is None else Claim(known, 0)
        with suppress(EverycaseError):  # it may draw from bundles, of which there are none now
            reason = doubt(part.gen, (), (), claim=claim, seconds=0.5 * seconds / len(parts))
            if reason is not None:
                return reason
    with _uncounted(steps.plan):
        same = _come_again(again(), execute, time.perf_counter() + 0.5 * seconds)
    return None if same else OTHER_STEPS


@contextmanager
def _uncounted(plan: Any) -> Iterator[None]:
    """Steps taken inside do not count among those that the report is about."""
    totals = plan.runs, plan.stuck
    tallies = plan.ran, plan.refused, plan.empty, plan.barren, plan.rejected
    before = [list(each) for each in tallies]
    try:
        yield
    finally:
        plan.runs, plan.stuck = totals
        for tally, counts in zip(tallies, before):
            tally[:] = counts


def _come_again(
    cases: Generator[Case, Outcome, None], execute: Callable[[Case], Outcome], end: float
) -> bool:
    """Whether the sequences could be taken again in the same way, until the time is up."""
    outcome: Any = None
    for _ in range(REPEATS):
        try:
            case = cases.send(outcome)
        except StopIteration:
            return False
        outcome = execute(case)
        if outcome.status == "failed":
            return False
        if time.perf_counter() > end:
            break
    return True


def _traces(cases: Sequence[Case]) -> Iterator[tuple[Trace[Any], Fingerprint | None]]:
    """The choices of cases, as far as they are known, with what the test was given, as it was then."""
    for case in cases:
        trace: Trace[Any] | None = None
        with suppress(*REFUSALS):
            trace = case.trace
        if trace is not None and not trace.is_opaque:
            yield trace, case.given


def _random_traces(gen: Gen[Any]) -> Iterator[tuple[Trace[Any], None]]:
    random = stdlib_random.Random("everycase repeatability").random
    for _ in range(VALUES):
        trace: Trace[Any] | None = None
        with suppress(*REFUSALS):
            trace = enact(gen, None, random, 10)
        if trace is not None:
            yield trace, None


def _values_repeat(gen: Gen[Any], cases: Sequence[Case]) -> bool:
    """Whether recorded choices make the same values each time."""
    kept = []
    for trace, given in chain(_traces(cases), _random_traces(gen)):
        if not trace.is_small:
            continue  # it would take longer than there is time
        try:
            # As if read from storage: cached values must not be used.
            stored = Trace.from_json(trace.to_json())
        except RecursionError:
            continue
        # The value itself may have been changed since, by the test or by the generator that gave it away.
        kept.append((fingerprint(trace.value) if given is None else given, stored))
        if not _comes_again(gen, *kept[-1]):
            return False
    return all(_comes_again(gen, *each) for each in kept for _ in range(max(1, REPEATS // len(kept) - 1)))


def _all_are_counted(gen: Gen[Any]) -> bool:
    """Whether values made at random are among those that were counted: a filter may have rejected them then."""
    counted = gen._space
    if counted is None or counted.count == math.inf or not has_filters(gen):
        return True
    for trace, _ in _random_traces(gen):
        look()
        try:
            rank(counted, trace)
        except NoSuchValue:
            return False
        except REFUSALS:
            continue
    return True


def _counts_repeat(gen: Gen[Any], asked: _Preconditions, claim: Claim) -> bool:
    """Whether walking through all choices once more, without what is known from before, finds as many inputs
    as were tested. Whatever was rejected the first time is made and judged again."""
    # The walk also makes values that the run had no reason to make: on those, user code may raise, or they may be too deep.
    with suppress(Exception):
        return all(_counted_again(gen, asked, claim) for _ in range(COUNTS))
    return True


def _counted_again(gen: Gen[Any], asked: _Preconditions, claim: Claim) -> bool:
    doubts: list[str] = []
    seen = Repeats([gen])
    most = claim.tests + claim.discarded
    distinct = every = 0
    sets = Fraction(0)  # with all orders of the elements of a set counted as one
    for trace in walk_choices(gen, doubts=doubts):
        look()
        if claim.max_size is not None and sizes(trace)[id(trace)] > claim.max_size + 1:
            continue
        if not asked.hold(trace, trace.value):
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


def _comes_again(gen: Gen[Any], value: Fingerprint, stored: Trace[Any]) -> bool:
    look()
    try:
        return fingerprint(replay(gen, stored).value) == value
    except RecursionError:
        return True
    except REFUSALS:
        return False


def _still_satisfy(gen: Gen[Any], asked: _Preconditions, cases: Sequence[Case]) -> bool:
    """Whether the tested inputs, which satisfied the preconditions, still satisfy them."""
    for trace, _ in _traces(cases):
        look()
        try:
            if not asked.hold(trace, replay(gen, trace).value):
                return False
        except REFUSALS:
            continue
    return True


def _answers_repeat(gen: Gen[Any], asked: _Preconditions) -> bool:
    """Whether filters and preconditions always give the same answer for the same value."""
    questions = [
        (ask, source, stdlib_random.Random("everycase repeatability").random)
        for ask, source in _questions(gen, asked)
    ]
    for _ in range(VALUES):
        for ask, source, random in questions:
            look()
            with suppress(*REFUSALS):  # values that cannot be made, or raise, are noticed in the run itself
                trace = enact(source, None, random, 10)
                if len({bool(ask(trace)) for _ in range(QUESTIONS)}) > 1:
                    return False
    return True


def _questions(
    gen: Gen[Any], asked: _Preconditions
) -> Iterator[tuple[Callable[[Trace[Any]], object], Gen[Any]]]:
    """The predicates that are known before any choice is made, each with a generator of its arguments."""
    for place in range(len(asked.checks)):
        yield partial(asked.holds, place), gen
    for node in islice(nodes(gen), 1000):
        if isinstance(node, Filter):
            yield lambda trace, predicate=node.predicate: predicate(trace.value), node.source  # type: ignore[misc]


class _Preconditions:
    """Preconditions, with what they have answered. An answer may depend on where they are asked from, or on how much
    was done before, and be the same if they are asked twice in a row."""

    def __init__(self, checks: Preconditions) -> None:
        self.checks = checks
        #: whether one of them has answered differently for the same choices
        self.contradicted = False
        self._answers: dict[tuple[int, str], bool] = {}

    def hold(self, trace: Trace[Any], args: Any) -> bool:
        """Whether the arguments that these choices make satisfy all of them."""
        return all(self.holds(place, trace, args) for place in range(len(self.checks)))

    def holds(self, number: int, trace: Trace[Any], args: Any = None) -> bool:
        """Whether they satisfy one of them."""
        args = trace.value if args is None else args
        check, places = self.checks[number]
        check = getattr(check, "on_real", check)
        try:
            answer = bool(check(*[args[place] for place in places]))
        except Discarded:
            answer = False
        if trace.is_small:
            before = self._answers.setdefault((number, json.dumps(trace.to_json())), answer)
            self.contradicted = self.contradicted or before is not answer
        return answer


def differ(one: Any, two: Any) -> bool:
    """Whether two values certainly differ. Objects that reveal nothing about themselves are taken to be the
    same.

    >>> differ([1, {"a": (2.0, None)}], [1, {"a": (2.0, None)}]), differ([1, {"a": 2}], [1, {"a": 3}])
    (False, True)
    """
    return fingerprint(one) != fingerprint(two)


def fingerprint(value: Any, most: int = 10_000) -> Fingerprint:
    """What is known of a value without running its code: of two that certainly differ it differs. It stays as it is
    when the value is changed.

    >>> fingerprint([1, 2]) == fingerprint([1, 2]), fingerprint([1, 2]) == fingerprint([1, True])
    (True, False)
    """
    parts: list[object] = []
    pending = [value]
    # Objects may refuse to be looked at, so only their types are.
    while pending and len(parts) < most:  # which also ends values that contain themselves
        each = pending.pop()
        kind = type(each)
        parts.append(kind)
        base = next((base for base in CONTAINERS if issubclass(kind, base)), None)
        if issubclass(kind, SCALARS):
            parts.append(_scalar(each, kind))
        elif base is not None:
            # By the methods of the built-in class: those of the user's may do anything.
            parts.append(base.__len__(each))
            if base is dict:
                pending += chain.from_iterable(islice(dict.items(each), most))
            elif base not in (set, frozenset):
                pending += islice(base.__iter__(each), most)
            elif base.__len__(each) <= most and all(
                type(element) in PLAIN for element in base.__iter__(each)
            ):
                parts.append(frozenset(base.__iter__(each)))
        elif not issubclass(kind, type | Gen) and not callable(each):
            pending += _state(each)
    return tuple(parts)


def _scalar(value: Any, kind: type) -> object:
    if kind is float and math.isnan(value):
        return "nan"
    if kind in PLAIN or issubclass(kind, Enum):
        return value
    base: Any = next(base for base in SCALARS if issubclass(kind, base))
    return base.__repr__(value)  # subclasses, which may compare in another way, and bytearrays, which change


def _state(value: Any) -> Iterator[Any]:
    """The attributes of an object, as far as they can be read without running its code."""
    with suppress(Exception):
        yield object.__getattribute__(value, "__dict__")
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            with suppress(*REFUSALS):
                yield object.__getattribute__(value, name)
