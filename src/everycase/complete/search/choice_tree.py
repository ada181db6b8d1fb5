"""Generators outside the subset: run them with every combination of small choices and compare.

Nothing can be proved this way, but a value is certainly missing if *all* choices were tried and none made it.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.source import innermost
from everycase.complete.language.annotations import (
    NotKnownHere,
    evaluated,
    is_data,
    made_by,
    says_too_little,
    shown_annotation,
)
from everycase.complete.language.types import INT, DataType, Type, Types, UnknownType, Value
from everycase.complete.language.values import from_python, size_of, to_python
from everycase.complete.search.inference import result_of
from everycase.complete.search.native_values import coarse_key, native_key, native_values
from everycase.complete.search.promise import ask
from everycase.complete.search.running import Runs, explore
from everycase.complete.search.small_choices import Pools
from everycase.complete.search.worlds import World, neighbours
from everycase.complete.specification import PredicateFailed, Specification, specification_of
from everycase.complete.verdict import Verdict
from everycase.errors import EverycaseError, InvalidArgument
from everycase.gen.outside import outside_of

CHOICES = 3_000  # combinations of choices per argument list
ARGUMENTS = 40
INTEGERS = (0, 1, -1, 2)
NUMBERS = 16  # including the constants of the program
TEXTS = 8
LONGEST = 12  # maximum length of a string that is tried
FUNCTIONS = 30  # maximum number of functions whose constants are read
STEADY = 40  # runs that show whether objects of unknown classes differ from run to run
WHOLE = 200  # maximum length of a range that is tried completely, if there are few choices in total
CAP = 500  # values of the type that is made
LEAVES = 2_000  # values without inner constructors


def explore_gaps(
    generator: Callable[..., Any], reason: str, clock: Clock, specification: Specification | None = None
) -> Verdict:
    """Compare what the generator makes, choice by choice, with the valid values of a small world."""
    verdict = Verdict(getattr(generator, "__name__", "generator"), "no gap found", unsupported=reason)
    specification = specification or specification_of(generator)
    if specification is None:
        raise InvalidArgument(f"{verdict.name} has no specification; put @covers(...) above @gen.composite")
    outside = outside_of([innermost(generator)], constructors=False)
    if outside is not None:
        verdict.notes.append(f"{outside}, so its values depend on more than its draws")
        verdict.checked = False
        return verdict
    try:
        asked = _Question(generator, specification, clock)
    except (UnknownType, EverycaseError, NameError) as error:
        verdict.notes.append(f"its parameters are not known: {error}")
        verdict.checked = False
        return verdict
    verdict.notes.append("no proof is possible, so it was run with all small choices instead")
    verdict.notes += asked.notes
    _compare(asked, verdict, clock)
    return verdict


def _compare(asked: _Question, verdict: Verdict, clock: Clock) -> None:
    """Run the generator for each argument list, and look for every valid value among its results."""
    missing: list[tuple[dict[str, Any], Any]] = []
    looked_at = seen = 0
    for arguments in asked.arguments():
        runs, problem = _made(asked, arguments, clock)
        if problem is not None:
            verdict.notes.append(problem)
            verdict.checked, verdict.unsound = False, None
            return
        if clock.left() <= 0 and not runs.values:
            break
        if runs.raised is not None and looked_at == seen == 0:
            kind = type(runs.raised).__name__
            verdict.notes.append(
                f"it raised {kind}: {runs.raised}{_with(arguments)}; such choices make no value"
            )
        looked_at += 1
        seen += len(runs.values)
        verdict.validated = verdict.validated or bool(runs.values)
        verdict.unsound = verdict.unsound or _first_invalid(asked, runs.values, arguments)
        small = asked.values or ()
        # what is near to a value that was made only matters if it can be said to be missing
        near = asked.near(runs.values) if runs.all_tried and runs.raised is None else ()
        for key, native in asked.valid(itertools.chain(small, near), arguments, verdict.notes):
            verdict.valid += 1
            if asked.is_among(key, native, runs.values):
                continue
            if runs.all_tried and runs.raised is None:
                missing.append((arguments, native))
            else:
                verdict.suspected = verdict.suspected or (arguments, native)
        if asked.changed is not None:
            verdict.notes.append(asked.changed)
            verdict.checked, verdict.unsound, verdict.suspected = False, None, None
            return
    verdict.bounds = asked.bounds(seen)
    verdict.only_made = asked.values is None
    if clock.left() <= 0:
        verdict.notes.append("the time limit was reached before all choices were tried")
    verdict.checked = looked_at > 0 and (seen > 0 or bool(missing))
    if not verdict.checked and clock.left() > 0:
        verdict.notes.append("nothing was made with small choices, so there is nothing to compare")
    if missing:
        verdict.status, verdict.missing, verdict.suspected = "missing", len(missing), None
        verdict.arguments, verdict.value = missing[0]


class _Question:
    """The possible arguments of a generator, and the small values that it should make."""

    def __init__(self, generator: Callable[..., Any], specification: Specification, clock: Clock) -> None:
        self.generator, self.specification, self.clock = generator, specification, clock
        self.notes: list[str] = []
        self.predicate_raised = False
        self.changed: str | None = None
        """A note, if the predicate changes the values that it is asked about."""
        numbers, texts = constants_of(generator, specification)
        self.world = World(tuple(numbers), ("a", "b", *texts), CAP)
        self.pools = Pools(tuple(numbers), ("", "a", "b", *texts))
        self.key: Callable[[Any], Any] = native_key
        self.equal = True  # may values that differ by their keys be equal?
        self._types = Types(strict=False)
        self._kind: Type | None = None  # of what is made, if it is understood
        plain = innermost(generator)
        self._scope = {**vars(builtins), **plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
        self._hints: dict[str, Any] = dict(plain.__annotations__)
        self._parameters = list(inspect.signature(plain).parameters.values())[1:]
        self._arguments = {p.name: self._choices(p) for p in self._parameters}
        self.values = self._values(clock)

    # --- arguments --------------------------------------------------------------------------------------

    def _choices(self, p: inspect.Parameter) -> list[Any]:
        """Small values of a parameter; one whose type is not known keeps its default."""
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            return []
        default = [p.default] if p.default is not p.empty else []
        annotation = self._hints.get(p.name, type(p.default) if default else int)
        if p.name not in self._hints and default and annotation not in (int, bool, str):
            return default
        try:
            kind = self._types.resolve(annotation, self._scope)
        except UnknownType:
            if default:
                return default
            return native_values(self._evaluated(annotation), self.pools)[:12]
        if p.name not in self._hints and not default:
            self.notes.append(f"the parameter {p.name} has no annotation; it was called with small numbers")
        numbers = list(dict.fromkeys([*range(-1, 4), *self.world.integers]))
        pool = numbers if kind is INT else self.world.values(kind, 1, cap=12)
        return [*default, *(v for v in (to_python(kind, value) for value in pool) if v not in default)]

    def arguments(self) -> Iterator[dict[str, Any]]:
        """The smallest argument lists that ``requires`` allows."""
        requires, count = self.specification.requires, 0
        names = [n for n in self._arguments if self._arguments[n]]
        places = [list(enumerate(self._arguments[n])) for n in names]
        combinations = itertools.islice(itertools.product(*places), 5_000)
        for combination in sorted(combinations, key=lambda c: sum(place for place, _ in c)):
            if self.clock.left() <= 0:
                return
            arguments = {n: value for n, (_, value) in zip(names, combination)}
            if requires is None or ask(requires, (), arguments):
                yield arguments
                count += 1
                if count == ARGUMENTS:
                    return

    # --- values -----------------------------------------------------------------------------------------

    def _values(self, clock: Clock) -> list[tuple[Any, Any]] | None:
        """Keys and small values of the type that is made; None if these are not known."""
        try:
            annotation, inferred = self._result(clock)
            annotation = self._evaluated(annotation)
        except (UnknownType, EverycaseError, NameError) as error:
            self.notes.append(f"{error}, so only the values that it makes were checked")
            return None
        try:
            kind = self._types.resolve(annotation, self._scope)
        except UnknownType:
            pass
        else:
            self.key, self.equal = (
                partial(from_python, kind),
                isinstance(kind, DataType) and kind.own_equality is not None,
            )
            self._kind = kind
            return list(_values(kind, self.world.values(kind, 2)).items())
        try:
            if inferred and not is_data(annotation):
                raise UnknownType(shown_annotation(annotation))
            return [(native_key(v), v) for v in native_values(annotation, self.pools)]
        except UnknownType as error:
            self.notes.append(
                f"the other values of {error} are not known, so only those that it makes were checked"
            )
            return None

    def _result(self, clock: Clock) -> tuple[Any, bool]:
        """The annotation of the result, or what the generator makes if there is none that says enough."""
        written = self._hints.get("return")
        with contextlib.suppress(NotKnownHere):
            written = made_by(evaluated(written, self._scope))
        if "return" in self._hints and not says_too_little(written, self._scope):
            return written, False
        try:
            return result_of(self.generator, clock), True
        except UnknownType:
            if "return" not in self._hints:
                raise
            return written, False

    def _evaluated(self, annotation: Any) -> Any:
        return eval(annotation, self._scope) if isinstance(annotation, str) else annotation

    def near(self, made: dict[Any, Any]) -> Iterator[tuple[Any, Any]]:
        """Keys and values that differ in one place from some that were made."""
        if self._kind is not None:
            found = _values(self._kind, neighbours(self._kind, made, self.world))
            known = {key for key, _ in self.values or ()}
            yield from ((key, native) for key, native in found.items() if key not in known)

    def valid(
        self, values: Iterable[tuple[Any, Any]], arguments: dict[str, Any], notes: list[str]
    ) -> Iterator[tuple[Any, Any]]:
        """Those that must be made. One for which the predicate has no answer counts as not valid."""
        for key, native in values:
            if self.clock.left() <= 0:
                return
            try:
                holds = ask(self.specification.predicate, (native,), arguments)
                if not self.is_unchanged(key, native) or not holds:
                    continue
            except Exception as error:
                if not self.predicate_raised:  # one note is enough
                    self.predicate_raised = True
                    name = type(error).__name__
                    notes.append(
                        f"the predicate raises {name} for {native!r}, so such values count as invalid"
                    )
                continue
            yield key, native

    def is_unchanged(self, key: Any, native: Any) -> bool:
        """Has the value still this key, after the predicate was asked about it?"""
        if self.changed is None and self._key_of(native) != key:
            self.changed = (
                f"the predicate changes the values that it is asked about (one of them became {native!r}), so nothing "
                "can be said of them; let it work on a copy, such as sorted(v) instead of v.sort()"
            )
        return self.changed is None

    def _key_of(self, native: Any) -> Any:
        try:
            return self.key(native)
        except ValueError:
            return None

    def is_among(self, key: Any, value: Any, made: dict[Hashable, Any]) -> bool:
        """Was this value, or an equal one, made?"""
        return key in made or (self.equal and any(_equal(value, other) for other in made.values()))

    def bounds(self, seen: int) -> str:
        """A description of what was compared."""
        if self.values is None:
            return f"the {seen} values that it made" if seen != 1 else "the only value that it made"
        return (
            f"{len(self.values)} values, {ARGUMENTS} argument lists, {CHOICES} combinations of choices each"
        )


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def _with(arguments: dict[str, Any]) -> str:
    return f" with {arguments!r}" if arguments else ""


def constants_of(generator: Callable[..., Any], specification: Specification) -> tuple[list[int], list[str]]:
    """Numbers and strings in the source of the generator, its promise and the functions that they call."""
    numbers: dict[int, None] = dict.fromkeys(INTEGERS)
    texts: dict[str, None] = {}
    functions: list[Any] = [innermost(generator), specification.predicate, specification.requires]
    waiting: list[Any] = [(f.__code__, f.__globals__) for f in functions if hasattr(f, "__code__")]
    known: set[Any] = set()
    while waiting and len(known) < FUNCTIONS:
        code, scope = waiting.pop(0)
        if code in known:
            continue
        known.add(code)
        for constant in code.co_consts:
            if hasattr(constant, "co_consts"):
                waiting.append((constant, scope))
            _note_constant(constant, numbers, texts)
        for name in code.co_names:
            found = scope.get(name)
            inside = getattr(inspect.unwrap(found) if callable(found) else found, "__code__", None)
            if inside is not None and getattr(found, "__module__", None) == scope.get("__name__"):
                waiting.append((inside, scope))
            _note_constant(found, numbers, texts)
    return list(numbers)[:NUMBERS], list(texts)[:TEXTS]


def _note_constant(constant: Any, numbers: dict[int, None], texts: dict[str, None]) -> None:
    if type(constant) is int:
        numbers.update(dict.fromkeys((constant, constant - 1, constant + 1)))
    elif type(constant) is str and len(constant) <= LONGEST:
        texts[constant] = None
    elif isinstance(constant, tuple | list | set | frozenset | dict) and len(constant) <= 20:
        for item in constant:
            _note_constant(item, numbers, texts)


def _values(result: Type, values: Iterable[Value]) -> dict[Value, Any]:
    """The native values, smallest first; classes may refuse some, or change them as they are made."""
    found: dict[Value, Any] = {}
    for value in sorted(values, key=lambda v: size_of(result, v)):
        with contextlib.suppress(Exception):
            native = to_python(result, value)
            found.setdefault(from_python(result, native), native)
    return found


def _made(asked: _Question, arguments: dict[str, Any], clock: Clock) -> tuple[Runs, str | None]:
    """The results of running it, and what went wrong if something did."""
    try:
        described = asked.generator(**arguments)
    except Exception as error:
        return Runs(), f"it raised {type(error).__name__}: {error} with {arguments!r}"
    if (
        asked.values is None
        and explore(described, native_key, asked.pools, most=STEADY, clock=clock).unsteady
    ):
        asked.key = coarse_key  # objects that differ from run to run: it does not matter which ones are made
    # Long ranges completely if there are few of them, so that all choices can be tried; else only their ends.
    runs = explore(described, asked.key, replace(asked.pools, whole=WHOLE), most=CHOICES, clock=clock)
    if not runs.all_tried and not (runs.misfits or runs.unsteady or runs.unknown):
        few = explore(described, asked.key, asked.pools, most=CHOICES, clock=clock)
        runs = replace(few, values={**few.values, **runs.values}, raised=few.raised or runs.raised)
    if runs.unknown is not None:
        return runs, f"it cannot be run choice by choice: {runs.unknown}"
    if runs.misfits:
        return runs, f"it made {runs.misfit!r}, which does not have the annotated type"
    if runs.unsteady is not None:
        first, second = runs.unsteady
        return (
            runs,
            f"the same draws gave {first!r} and then {second!r}: it depends on more than its draws",
        )
    return runs, None


def _first_invalid(
    asked: _Question, values: dict[Hashable, Any], arguments: dict[str, Any]
) -> tuple[dict[str, Any], Any] | None:
    predicate = asked.specification.predicate
    for key, value in values.items():
        if asked.clock.left() <= 0:
            return None
        holds = _valid(predicate, value, arguments)
        if not asked.is_unchanged(key, value):
            return None
        if not holds:
            return arguments, value
    return None


def _valid(predicate: Callable[..., Any], value: Any, arguments: dict[str, Any]) -> bool:
    try:
        return bool(ask(predicate, (value,), arguments))
    except Exception as error:
        raise PredicateFailed(
            f"the predicate raises {type(error).__name__}: {error} for the value {value!r} with {arguments!r}"
        ) from error
