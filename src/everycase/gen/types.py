"""Generators made from types: ``from_type`` and its registry of other types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NewType, TypeVar, get_origin, overload

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.validate import as_gen

T = TypeVar("T")


@overload
def from_type(thing: type[T]) -> Gen[T]: ...
@overload
def from_type(thing: Any) -> Gen[Any]: ...
def from_type(thing: Any) -> Gen[Any]:
    """The values of a type: dataclasses, attrs classes, NamedTuples, TypedDicts, enums, unions, containers, ...

    Classes are built from the type hints of their fields, including generic and recursive ones; an abstract
    class stands for all its subclasses. A generator inside ``Annotated`` is used as it is, and bounds like
    those of the annotated-types package are respected. Use :func:`register_type` for types that do not
    describe themselves.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> from everycase.gen import integers
    >>> @dataclass
    ... class User:
    ...     name: str
    ...     admin: bool = False
    >>> all(type(user.name) is str and type(user.admin) is bool for user in from_type(User).sample(50, seed=0))
    True
    >>> from_type(list[Annotated[int, integers(0, 9)]])
    lists(integers(0, 9))
    >>> set(from_type(bool | None).sample(50, seed=0)) == {None, False, True}
    True
    """
    if isinstance(thing, Gen):
        raise InvalidArgument(f"thing must be a type, but {thing!r} is already a generator; use it directly")
    return REGISTRY.generator(thing)


def register_type(tp: type[T], how: Gen[T] | Callable[[Any], Gen[T]]) -> None:
    """Tell :func:`from_type` how to make values of a type: a generator, or a function of the requested type.

    The registration holds for the whole process. Generic types need a function: it is called with
    ``Box[int]``, for example.

    >>> from everycase.gen import integers
    >>> class Even: ...
    >>> register_type(Even, integers(0, 4).map(lambda n: 2 * n))
    >>> set(from_type(list[Even]).example(seed=1)) <= {0, 2, 4, 6, 8}
    True
    """
    if not isinstance(tp, type | NewType) and get_origin(tp) is None:
        raise InvalidArgument(f"tp must be a type, not {tp!r}")
    if not isinstance(how, Gen) and (isinstance(how, type) or not callable(how)):
        raise InvalidArgument(
            f"how must be a generator or a function that returns one, not {how!r}; "
            f"for example gen.register_type({name_of(tp)}, gen.builds({name_of(tp)}, ...))"
        )
    REGISTRY.register(tp, how)


class Registry:
    """The registrations of ``from_type``, and the generators made so far."""

    def __init__(self) -> None:
        self._told: dict[Any, Gen[Any] | Callable[[Any], Gen[Any]]] = {}
        self._known: dict[Any, Gen[Any]] = {}

    def register(self, tp: Any, how: Gen[Any] | Callable[[Any], Gen[Any]]) -> None:
        self._told[tp] = how
        self._known.clear()

    def generator(self, tp: Any) -> Gen[Any]:
        try:
            known = self._known.get(tp)
        except TypeError:  # Annotated with something unhashable
            return self._resolve(tp)
        if known is None:
            known = self._resolve(tp)
            self._known[tp] = known
        return known

    def _resolve(self, tp: Any) -> Gen[Any]:
        # Reading type hints needs modules that hand-written generators do not.
        from everycase.gen.resolve import Resolver

        return Resolver(self).resolve(tp)

    def told(self, tp: Any) -> Gen[Any] | None:
        """The registration for a type, if there is one."""
        try:
            how = self._told.get(tp)
            if how is None:
                how = self._told.get(get_origin(tp))
        except TypeError:
            return None
        if how is None or isinstance(how, Gen):
            return how
        result = how(tp)
        return as_gen(f"what the function registered for {name_of(tp)} returned", result)

    def told_subclasses(self, cls: type) -> list[type]:
        return [tp for tp in self._told if isinstance(tp, type) and tp is not cls and issubclass(tp, cls)]


def name_of(tp: Any) -> str:
    """A type as a user would write it."""
    return str(getattr(tp, "__name__", tp))


#: The registry: types belong to the process, and so do the registrations.
REGISTRY = Registry()
