"""Running properties without pytest: ``check``, ``find``, ``exists``, ``not_exists``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from everycase.errors import GaveUp, InvalidArgument, NoSuchExample, WitnessFound
from everycase.gen.base import Gen
from everycase.gen.validate import as_gen, is_description, require_callable, require_predicate
from everycase.run.frames import callers_line
from everycase.run.property import MAKE_PROPERTY, PROPERTY, SPEC, Property, Spec, assign_generators
from everycase.run.report import Report
from everycase.run.runner import run
from everycase.run.settings import settings

T = TypeVar("T")


def check(test: Callable[..., Any], *gens: Gen[Any], **named: Any) -> Report:
    """Run a property and return the report, without raising and without pytest.

    ``test`` is a test under ``@given``, or any function together with generators for its arguments (by position or
    by name; from its type annotations if none are given). The other keywords are settings. A coroutine function is
    run with asyncio.

    >>> from everycase import gen
    >>> report = check(lambda xs: sorted(xs) == xs, gen.lists(gen.integers()), seed=0)
    >>> report.status, report.counterexample
    ('failed', ([0, -1],))
    """
    require_callable("test", test, "check(lambda n: n * 2 % 2 == 0, gen.integers())")
    options = {name: value for name, value in named.items() if not is_description(value)}
    by_name = {name: as_gen(name, value) for name, value in named.items() if is_description(value)}
    prop = property_of(test, gens, by_name)
    chosen = settings.combine(prop.spec.settings, settings.from_keywords(options))
    if not inspect.iscoroutinefunction(prop.function):
        return run(prop, prop.caller({}), chosen)
    from everycase.run.asynchronous import own_loop

    with own_loop(prop.caller({})) as call:
        return run(prop, call, chosen)


def property_of(
    test: Callable[..., Any], gens: tuple[Gen[Any], ...] = (), by_name: dict[str, Gen[Any]] | None = None
) -> Property:
    """The property behind a decorated test, or one made of a function and generators."""
    by_name = by_name or {}
    gens = tuple(as_gen(f"generator {i + 1} given to check", part) for i, part in enumerate(gens))
    decorated: Property | None = getattr(test, PROPERTY, None)
    make = getattr(test, MAKE_PROPERTY, None)
    if make is not None:
        decorated = make()
    if decorated is not None:
        if gens or by_name:
            reason = "a state machine" if make is not None else "under @given already"
            raise InvalidArgument(f"this test is {reason}, so check needs no generators for it")
        return decorated
    spec: Spec = getattr(test, SPEC, None) or Spec()
    try:
        signature = inspect.signature(test)
    except (TypeError, ValueError):
        # The parameters of some builtins cannot be read; they take whatever they are given.
        return Property(test, {f"argument_{i + 1}": part for i, part in enumerate(gens)}, spec=spec)
    parameters = signature.parameters.values()
    variadic = [p for p in parameters if p.kind is p.VAR_POSITIONAL]
    if variadic and not by_name:
        return Property(test, {f"{variadic[0].name}_{i + 1}": part for i, part in enumerate(gens)}, spec=spec)
    chosen = assign_generators(test, gens, by_name, infer=not gens and not by_name, signature=signature)
    missing = [
        p.name
        for p in parameters
        if p.name not in chosen and p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if missing:
        raise InvalidArgument(f"check needs a generator for {', '.join(missing)} as well")
    return Property(test, chosen, spec=spec, signature=signature)


def find(gen: Gen[T], predicate: Callable[[T], object], **options: Any) -> T:
    """A smallest value that satisfies the predicate; :class:`~everycase.errors.NoSuchExample` if none is found.

    It is the first value that was found, shrunk as far as possible. Explorers that go from the smallest value
    on (``Exhaustive()``, ``Narrow(max_size=...)``) find one of the least size; others may leave a larger one.

    >>> from everycase import gen
    >>> find(gen.lists(gen.integers(0, 99)), lambda xs: sum(xs) >= 10, seed=0)
    [10]
    """
    report = _search("find", gen, predicate, options)
    if report.counterexample is not None:
        return report.counterexample[0]  # type: ignore[no-any-return]
    certain = report.exhaustive or report.empty
    scope = "none exists" if certain else f"none among {report.examples:,} tried"
    if "evaluations" in report.figures and not certain:
        done = report.figures.get("complete_to_size")
        scope = f"none found in {report.figures['evaluations']:,} evaluations"
        scope += "" if done is None else f", which tried all up to size {done}"
    raise NoSuchExample(f"no value of {gen!r} satisfies the predicate: {scope}")


def exists(gen: Gen[T], predicate: Callable[[T], object], **options: Any) -> T:
    """Assert, inside a property or anywhere, that some value satisfies the predicate; returns a smallest one."""
    return find(gen, predicate, **options)


def not_exists(gen: Gen[T], predicate: Callable[[T], object], **options: Any) -> None:
    """Assert, inside a property or anywhere, that no value satisfies the predicate, as far as the search goes."""
    report = _search("not_exists", gen, predicate, options)
    if report.counterexample is not None:
        raise WitnessFound(f"a value satisfies the predicate: {report.counterexample[0]!r}")


def _search(
    caller: str, gen: Gen[Any], predicate: Callable[[Any], object], options: dict[str, Any]
) -> Report:
    gen = as_gen(f"the first argument of {caller}", gen)
    require_predicate("predicate", predicate, f"{caller}(gen.integers(), lambda n: n > 100)", 1)

    def unless(value: Any) -> None:
        if predicate(value):
            raise _Witness

    unless.__qualname__ = f"{caller}({gen!r})"
    chosen = settings.combine(settings(database=None), _options(options))

    def wanted(value: Any) -> object:
        return predicate(value)

    wanted.__name__ = getattr(predicate, "__name__", type(predicate).__name__)
    # Also as a precondition, because an explorer that prunes needs to know the predicate.
    prop = Property(unless, {"value": gen}, (wanted,))
    prop.guarded = False
    report = run(prop, unless, chosen)
    if report.warnings:
        from everycase.run.raising import warn

        warn(report, *callers_line())
    # A search that prunes and finds nothing has nothing to test. Here that is an answer.
    nothing = report.figures and isinstance(report.error, GaveUp)
    if report.error is not None and not isinstance(report.error, _Witness) and not nothing:
        for note in report.failures[0].notes if report.failures else ():
            with suppress(Exception):  # an exception class may raise here
                report.error.add_note(note)
        raise report.error
    return report


def _options(given: dict[str, Any]) -> settings:
    """Settings as keywords, including those of Hypothesis' ``find``: ``settings=``, ``random=`` and
    ``database_key=``."""
    options = {
        name: value for name, value in given.items() if name not in ("settings", "random", "database_key")
    }
    layers = [settings.from_keywords(options)]
    if given.get("random") is not None:
        layers.insert(0, settings(seed=given["random"].getrandbits(32)))
    if given.get("settings") is not None:
        layers.insert(0, settings(given["settings"]))
    return settings.combine(*layers)


class _Witness(Exception):
    """Raised to tell the runner that a value was found."""
