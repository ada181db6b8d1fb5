"""Ways to combine generators: choice, construction, dependence, recursion, and functions that draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Composite, Defer, Filter, Map, Union
from everycase.gen.validate import require_callable, require_gen

T = TypeVar("T")
U = TypeVar("U")
P = ParamSpec("P")


def mapped(source: Gen[T], f: Callable[[T], U], inverse: Callable[[U], Any] | None = None) -> Gen[U]:
    require_callable("the function given to map", f, "g.map(lambda n: n * 2)")
    if inverse is not None:
        require_callable("inverse", inverse, "g.map(lambda n: n * 2, inverse=lambda n: n // 2)")
    return Map(source, f, inverse)


def filtered(source: Gen[T], predicate: Callable[[T], object]) -> Gen[T]:
    require_callable("the predicate given to filter", predicate, "g.filter(lambda n: n > 0)")
    return Filter(source, predicate)


def bound(source: Gen[T], f: Callable[[T], Gen[U]]) -> Gen[U]:
    require_callable(
        "the function given to flatmap", f, "g.flatmap(lambda n: gen.lists(gen.booleans(), max_size=n))"
    )
    return Bind(source, f)


def one_of(*options: Gen[Any]) -> Gen[Any]:
    """A value of one of the generators, each equally likely; earlier ones are simpler."""
    flat: list[Gen[Any]] = []
    for i, option in enumerate(options):
        require_gen(f"argument {i + 1} of one_of", option)
        # Unions without weights are flattened: ``a | b | c`` is one choice among three.
        flat.extend(option.options if isinstance(option, Union) and option.weights is None else (option,))
    return flat[0] if len(flat) == 1 else Union(tuple(flat))


def deferred(definition: Callable[[], Gen[T]]) -> Gen[T]:
    """A generator that is defined later, so that it can refer to itself."""
    require_callable("definition", definition, "gen.deferred(lambda: leaves | nodes)")
    return Defer(definition)


def builds(target: Callable[..., T], *parts: Gen[Any], **named: Gen[Any]) -> Gen[T]:
    require_callable("target", target, "gen.builds(Point, gen.integers(), gen.integers())")
    for i, part in enumerate(parts):
        require_gen(f"argument {i + 1} of builds", part)
    for name, part in named.items():
        require_gen(name, part)
    return Build(target, (*parts, *named.values()), tuple(named))


class Draw(Protocol):
    """The function that a composite draws with."""

    def __call__(self, source: Gen[T], label: str | None = None) -> T: ...


class CompositeFunction(Generic[P, T]):
    """What ``composite`` makes of a function: call it with the remaining arguments to get a generator."""

    def __init__(self, function: Callable[Concatenate[Draw, P], T]) -> None:
        update_wrapper(self, function)
        self.function = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Gen[T]:
        return Composite(self.function, args, kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """As a method: ``self`` is passed on after ``draw``."""
        if instance is None:
            return self
        return partial(self, instance)  # type: ignore[arg-type]  # the instance is the first of P.args


def composite(function: Callable[Concatenate[Draw, P], T]) -> CompositeFunction[P, T]:
    """Write a generator as a function that draws.

    >>> from everycase import gen
    >>> @gen.composite
    ... def intervals(draw, limit):
    ...     low = draw(gen.integers(0, limit))
    ...     return low, draw(gen.integers(low, limit))
    >>> all(low <= high for low, high in intervals(9).sample(50, seed=0))
    True
    """
    require_callable("function", function, "@gen.composite above def pairs(draw): ...")
    return CompositeFunction(function)
