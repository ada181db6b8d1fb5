"""Bundles: the results of earlier steps of a machine, as a source of arguments for later steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, Generic, Protocol, TypeVar, cast

from everycase.errors import InvalidArgument, OutsideRun
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
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
from everycase.gen.reading import total
from everycase.gen.scalars import nothing
from everycase.gen.show import described

T = TypeVar("T")


class Thing:
    """A value in a bundle. ``maker`` and ``rank`` say which step made it, and whether it was its first,
    second, ... result."""

    __slots__ = ("bundle", "maker", "number", "rank", "value")

    def __init__(self, value: Any, bundle: str, number: int, maker: object, rank: int) -> None:
        self.value = value
        self.bundle = bundle
        self.number = number
        self.maker = maker
        self.rank = rank


class Holder(Protocol):
    """The running machine, as a bundle sees it."""

    machine: Any

    def pick(self, draw: Callable[..., Any], bundle: str, consume: bool) -> Any:
        """One of the things in a bundle."""


#: The machine run that is currently active.
running: ContextVar[Holder | None] = ContextVar("everycase_running_machine", default=None)


def _pick(draw: Callable[..., Any], name: str, consume: bool) -> Any:
    return _holder(f"the bundle {name!r} was drawn from").pick(draw, name, consume)


def _holder(what: str) -> Holder:
    holder = running.get()
    if holder is None:
        raise OutsideRun(f"{what} while no state machine was running; give it to a @rule(...)")
    return holder


class _AnyBundle(type):
    """Bundles are composites, so that they can be combined like any generator; this class distinguishes
    them."""

    def __instancecheck__(cls, thing: object) -> bool:
        return type(thing) is Composite and thing.function is _pick


class Bundle(Gen[T], Generic[T], metaclass=_AnyBundle):
    """A named collection of results of earlier steps. Give it to rules as a ``target`` and as an argument.

    It is a generator like any other: ``Bundle("keys").filter(...)``, ``gen.lists(keys)``, ``keys |
    gen.none()``. With ``consume=True`` each drawn value is removed, as with :func:`consumes`.

    >>> Bundle("keys")
    Bundle('keys')
    """

    def __new__(cls, name: str, *, consume: bool = False) -> Bundle[T]:
        if not isinstance(name, str):
            raise InvalidArgument(f"the name of a bundle is a string, not {name!r}")
        if not isinstance(consume, bool):
            raise InvalidArgument(f"consume must be True or False, not {consume!r}")
        made = described(Composite(_pick, (name, consume), {}), "Bundle", name, consume=consume or None)
        return cast("Bundle[T]", made)


def consumes(bundle: Gen[T]) -> Gen[T]:
    """A bundle as an argument of a rule: each drawn value is removed from it.

    >>> consumes(Bundle("keys"))
    Bundle('keys', consume=True)
    """
    found = single(bundle)
    if found is None:
        raise InvalidArgument(f"consumes takes a bundle, such as consumes(Bundle('keys')), not {bundle!r}")
    return _consuming(bundle)


def _consuming(bundle: Gen[Any]) -> Gen[Any]:
    if isinstance(bundle, Filter):
        return _consuming(bundle.source).filter(bundle.predicate)
    if isinstance(bundle, Map):
        return _consuming(bundle.source).map(bundle.f)
    return Bundle(name_of(bundle)[0], consume=True)


class MultipleResults(Generic[T]):
    """The result of :func:`multiple`."""

    def __init__(self, values: tuple[T, ...]) -> None:
        self.values = values

    def __iter__(self) -> Iterator[T]:
        return iter(self.values)

    def __repr__(self) -> str:
        return f"multiple({', '.join(map(repr, self.values))})"


def multiple(*values: T) -> MultipleResults[T]:
    """Returned by a rule with a target: each of the values goes into the bundle (possibly none).

    >>> list(multiple(1, 2))
    [1, 2]
    """
    return MultipleResults(values)


def name_of(bundle: Gen[Any]) -> tuple[str, bool]:
    """The name of a bundle, and whether drawn values are removed from it."""
    assert isinstance(bundle, Composite)
    name, consume = bundle.args
    return name, consume


def single(source: Gen[Any]) -> Gen[Any] | None:
    """The bundle that an argument is taken from, as it is, filtered or mapped."""
    while isinstance(source, Filter | Map):
        source = source.source
    return source if isinstance(source, Bundle) else None


def with_contents(source: Gen[Any], things: Callable[[str], list[Thing]]) -> Gen[Any]:
    """The generator with the current contents in place of every bundle, so that it ends when these are used
    up.

    Its traces are also traces of ``source``.
    """
    if isinstance(source, Bundle):
        there = [thing.value for thing in things(name_of(source)[0])]
        return Build(there.__getitem__, (Int(0, len(there) - 1, 0),)) if there else nothing()
    if not any(isinstance(node, Bundle) for node in nodes(source)):
        return source
    return FILLED[type(source)](source, lambda part: with_contents(part, things))


Fill = Callable[[Gen[Any]], Gen[Any]]


def _filled_list(source: List[Any], fill: Fill) -> Gen[Any]:
    element = fill(source.element)
    return List(element, source.min_size, source.max_size, source.unique_by, unordered=source.unordered)


def _as_it_is(source: Gen[Any], fill: Fill) -> Gen[Any]:
    return source


FILLED: dict[type[Any], Callable[[Any, Fill], Gen[Any]]] = total(
    "a generator with the contents of bundles",
    {
        Filter: lambda source, fill: Filter(fill(source.source), source.predicate),
        Map: lambda source, fill: Map(fill(source.source), source.f),
        Bind: lambda source, fill: Bind(fill(source.source), lambda value: fill(source.inner(value))),
        List: _filled_list,
        Build: lambda source, fill: Build(source.make, tuple(map(fill, source.parts)), source.names),
        Union: lambda source, fill: Union(tuple(map(fill, source.options))),
        Const: _as_it_is,
        Int: _as_it_is,
        Float: _as_it_is,
        Defer: _as_it_is,
        Composite: _as_it_is,
        Live: _as_it_is,
    },
)


def refers_to(source: Gen[Any]) -> list[str]:
    """The names of the bundles in the generator of an argument."""
    return [name_of(node)[0] for node in nodes(source) if isinstance(node, Bundle)]
