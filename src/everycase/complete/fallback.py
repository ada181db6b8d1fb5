"""Generators outside the subset: run them with every combination of small choices and compare.

Nothing can be proved this way, but a value is certainly missing if *all* choices were tried and none made it.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

from everycase.complete.check import ask
from everycase.complete.source import innermost
from everycase.complete.specification import PredicateFailed, specification_of
from everycase.complete.types import INT, DataType, Type, Types, UnknownType, Value
from everycase.complete.universe import World
from everycase.complete.values import from_python, size_of, to_python
from everycase.complete.verdict import Verdict
from everycase.errors import Discarded, EverycaseError, InvalidArgument

CHOICES = 3_000  # combinations of choices per argument list
ARGUMENTS = 40
INTEGERS = (0, 1, -1, 2)


def explore_gaps(generator: Callable[..., Any], reason: str, seconds: float) -> Verdict:
    """Compare what the generator makes, choice by choice, with the valid values of a small world."""
    verdict = Verdict(getattr(generator, "__name__", "generator"), "no gap found", unsupported=reason)
    specification = specification_of(generator)
    if specification is None:
        raise InvalidArgument(f"{verdict.name} has no specification; put @covers(...) above @gen.composite")
    try:
        params, result = _types(generator)
    except (UnknownType, EverycaseError) as error:
        verdict.notes.append(f"its types are not known: {error}")
        verdict.checked = False
        return verdict
    verdict.notes.append("it cannot be reasoned about, so it was run with all small choices instead")
    world = World(INTEGERS, ("a", "b"), 200)
    values = _values(result, world)
    verdict.bounds = (
        f"{len(values)} values, {ARGUMENTS} argument lists, {CHOICES} combinations of choices each"
    )
    deadline = time.monotonic() + seconds
    missing: list[tuple[dict[str, Any], Any]] = []
    for arguments in _arguments(params, world, specification.requires):
        if time.monotonic() > deadline:
            break  # the note below was given for the arguments before
        made, all_tried, problem = _made(generator, arguments, result, deadline)
        if time.monotonic() > deadline:
            verdict.notes.append("the time limit was reached before all choices were tried")
        if problem:
            verdict.notes.append(problem)
            verdict.checked = False
            return verdict
        verdict.unsound = verdict.unsound or _first_invalid(specification.predicate, made.values(), arguments)
        strange = isinstance(result, DataType) and result.own_equality is not None
        for value, native in values.items():
            if not _valid(specification.predicate, native, arguments):
                continue
            verdict.valid += 1
            if value in made or (strange and native in made.values()):
                continue
            if all_tried:
                missing.append((arguments, native))
            else:
                verdict.suspected = verdict.suspected or (arguments, native)
    if missing:
        verdict.status, verdict.missing, verdict.suspected = "missing", len(missing), None
        verdict.arguments, verdict.value = missing[0]
    return verdict


def _values(result: Type, world: World) -> dict[Value, Any]:
    """The values of the world, smallest first; classes may refuse some, or change them as they are made."""
    found: dict[Value, Any] = {}
    for value in sorted(world.values(result, 2), key=lambda v: size_of(result, v)):
        with contextlib.suppress(Exception):
            native = to_python(result, value)
            found.setdefault(from_python(result, native), native)
    return found


def _types(generator: Callable[..., Any]) -> tuple[dict[str, Type], Type]:
    types = Types(strict=False)
    plain = innermost(generator)
    scope = {**vars(builtins), **plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    hints = plain.__annotations__
    names = list(inspect.signature(plain).parameters)[1:]
    if "return" not in hints:
        raise UnknownType("the return annotation is missing")
    found = {}
    for name in names:
        if name not in hints:
            raise UnknownType(f"the parameter {name} has no annotation")
        found[name] = types.resolve(hints[name], scope)
    return found, types.resolve(hints["return"], scope)


def _arguments(
    params: dict[str, Type], world: World, requires: Callable[..., bool] | None
) -> Iterator[dict[str, Any]]:
    pools = [list(range(-1, 4)) if t is INT else world.values(t, 1, cap=12) for t in params.values()]
    count = 0
    combinations = itertools.islice(itertools.product(*pools), 5_000)
    kinds = list(params.values())
    for combination in sorted(combinations, key=lambda c: sum(size_of(t, v) for t, v in zip(kinds, c))):
        arguments = {n: to_python(t, v) for (n, t), v in zip(params.items(), combination)}
        if requires is None or ask(requires, (), arguments):
            yield arguments
            count += 1
            if count == ARGUMENTS:
                return


def _made(
    generator: Callable[..., Any], arguments: dict[str, Any], result: Type, deadline: float
) -> tuple[dict[Value, Any], bool, str | None]:
    """Values made, whether all choices were tried, and what went wrong if something did."""
    from everycase.enumeration.walk import walk
    from everycase.gen import Gen

    described = generator(**arguments)
    if not isinstance(described, Gen):
        return {}, False, "only generators of everycase can be run choice by choice"
    found: dict[Value, Any] = {}
    try:
        for count, trace in enumerate(walk(described)):
            if count == CHOICES or time.monotonic() > deadline:
                return found, False, None
            try:
                found[from_python(result, trace.value)] = trace.value
            except ValueError:
                return (
                    found,
                    False,
                    f"it made {trace.value!r}, which is not of the type that it is annotated with",
                )
    except Discarded:
        return found, False, None
    except EverycaseError:  # hardly any choices pass its filters
        return found, False, None
    except RecursionError:
        return found, False, None
    except Exception as error:
        return found, False, f"it raised {type(error).__name__}: {error} with {arguments!r}"
    return found, True, None


def _first_invalid(
    predicate: Callable[..., Any], values: Any, arguments: dict[str, Any]
) -> tuple[dict[str, Any], Any] | None:
    return next(((arguments, v) for v in values if not _valid(predicate, v, arguments)), None)


def _valid(predicate: Callable[..., Any], value: Any, arguments: dict[str, Any]) -> bool:
    try:
        return bool(ask(predicate, (value,), arguments))
    except Exception as error:
        raise PredicateFailed(
            f"the predicate raises {type(error).__name__}: {error} for the value {value!r} with {arguments!r}"
        ) from error
