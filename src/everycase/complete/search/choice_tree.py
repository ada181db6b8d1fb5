"""Generators outside the subset: run them with every combination of small choices and compare.

Nothing can be proved this way, but a value is certainly missing if *all* choices were tried and none made it.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.source import innermost
from everycase.complete.language.types import INT, DataType, Type, Types, UnknownType, Value
from everycase.complete.language.values import from_python, size_of, to_python
from everycase.complete.search.inference import infer
from everycase.complete.search.native_values import native_key, native_values
from everycase.complete.search.promise import ask
from everycase.complete.search.running import Runs, explore
from everycase.complete.search.small_choices import Pools
from everycase.complete.search.worlds import World
from everycase.complete.specification import PredicateFailed, Specification, specification_of
from everycase.complete.verdict import Verdict
from everycase.errors import EverycaseError, InvalidArgument

CHOICES = 3_000  # combinations of choices per argument list
ARGUMENTS = 40
INTEGERS = (0, 1, -1, 2)
LEAVES = 2_000  # values without inner constructors


def explore_gaps(
    generator: Callable[..., Any], reason: str, clock: Clock, specification: Specification | None = None
) -> Verdict:
    """Compare what the generator makes, choice by choice, with the valid values of a small world."""
    verdict = Verdict(getattr(generator, "__name__", "generator"), "no gap found", unsupported=reason)
    specification = specification or specification_of(generator)
    if specification is None:
        raise InvalidArgument(f"{verdict.name} has no specification; put @covers(...) above @gen.composite")
    try:
        params, result = _types(generator, clock)
    except (UnknownType, EverycaseError, NameError) as error:
        verdict.notes.append(f"its types are not known: {error}")
        verdict.checked = False
        return verdict
    outside = looks_outside(generator)
    if outside is not None:
        verdict.notes.append(f"it uses {outside}, so its values depend on more than what it draws")
        verdict.checked = False
        return verdict
    verdict.notes.append("it cannot be reasoned about, so it was run with all small choices instead")
    world = World(INTEGERS, ("a", "b"), 200)
    key: Callable[[Any], Any] = native_key
    if isinstance(result, Type):
        while world.count(result, 0) > LEAVES and len(world.integers) > 1:
            world = World(world.integers[:-1], world.texts, world.cap)
        values, key = _values(result, world), partial(from_python, result)
    else:
        values = {native_key(v): v for v in result}
    verdict.bounds = (
        f"{len(values)} values, {ARGUMENTS} argument lists, {CHOICES} combinations of choices each"
    )
    missing: list[tuple[dict[str, Any], Any]] = []
    looked_at = 0
    for arguments in _arguments(params, world, specification.requires):
        runs, problem = _made(generator, arguments, key, clock)
        if problem is not None:
            verdict.notes.append(problem)
            verdict.checked, verdict.unsound = False, None
            return verdict
        if clock.left() <= 0:
            break
        looked_at += 1
        made, verdict.validated = runs.values, True
        verdict.unsound = verdict.unsound or _first_invalid(specification.predicate, made.values(), arguments)
        strange = isinstance(result, DataType) and result.own_equality is not None
        for value, native in values.items():
            if not _valid(specification.predicate, native, arguments):
                continue
            verdict.valid += 1
            if value in made or (strange and native in made.values()):
                continue
            if runs.all_tried:
                missing.append((arguments, native))
            else:
                verdict.suspected = verdict.suspected or (arguments, native)
    if clock.left() <= 0:
        verdict.notes.append("the time limit was reached before all choices were tried")
        verdict.checked = looked_at > 0
    if missing:
        verdict.status, verdict.missing, verdict.suspected = "missing", len(missing), None
        verdict.arguments, verdict.value = missing[0]
    return verdict


#: what these modules give differs from run to run
_OUTSIDE = ("random", "time", "secrets", "uuid", "os", "_random", "_uuid")


def looks_outside(generator: Callable[..., Any]) -> str | None:
    """The name by which the generator's own code reaches for chance, the clock or the system; None if it does not."""
    plain = innermost(generator)
    for name in plain.__code__.co_names:
        found = plain.__globals__.get(name)
        if found is None:
            continue
        home = found.__name__ if inspect.ismodule(found) else getattr(found, "__module__", None)
        if isinstance(home, str) and home.split(".")[0] in _OUTSIDE:
            return name
    return None


def _values(result: Type, world: World) -> dict[Value, Any]:
    """The values of the world, smallest first; classes may refuse some, or change them as they are made."""
    found: dict[Value, Any] = {}
    for value in sorted(world.values(result, 2), key=lambda v: size_of(result, v)):
        with contextlib.suppress(Exception):
            native = to_python(result, value)
            found.setdefault(from_python(result, native), native)
    return found


def _types(generator: Callable[..., Any], clock: Clock) -> tuple[dict[str, Type], Type | list[Any]]:
    """The types of the parameters, and of the result (or small values of it, for one that has no place in proofs)."""
    types = Types(strict=False)
    plain = innermost(generator)
    scope = {**vars(builtins), **plain.__globals__, **inspect.getclosurevars(plain).nonlocals}
    hints = {**infer(generator, clock).hints, **plain.__annotations__}
    names = list(inspect.signature(plain).parameters)[1:]
    found = {name: types.resolve(hints[name], scope) for name in names}
    try:
        return found, types.resolve(hints["return"], scope)
    except UnknownType:
        annotation = hints["return"]
        values = native_values(eval(annotation, scope) if isinstance(annotation, str) else annotation)
        if any(one == other and type(one) is not type(other) for one in values for other in values):
            raise  # which of two equal values is missing cannot be said
        return found, values


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
    generator: Callable[..., Any], arguments: dict[str, Any], key: Callable[[Any], Any], clock: Clock
) -> tuple[Runs, str | None]:
    """What running it showed, and what went wrong if something did."""
    try:
        described = generator(**arguments)
    except Exception as error:
        return Runs(), f"it raised {type(error).__name__}: {error} with {arguments!r}"
    pools = Pools(INTEGERS, ("", "a", "b"))
    runs = explore(described, key, pools, most=CHOICES, clock=clock)
    if runs.unknown is not None:
        return runs, f"it cannot be run choice by choice: {runs.unknown}"
    if runs.misfits:
        return runs, f"it made {runs.misfit!r}, which is not of the type that it is annotated with"
    if runs.unsteady is not None:
        first, second = runs.unsteady
        return (
            runs,
            f"the same draws gave {first!r} and then {second!r}: it depends on more than what it draws",
        )
    if runs.raised is not None:
        return runs, f"it raised {type(runs.raised).__name__}: {runs.raised} with {arguments!r}"
    return runs, None


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
