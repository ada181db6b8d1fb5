"""Families of generators that depend on parameters, and ordinary collections as generators.

``dependent`` is for describing structures with invariants: the values of a search tree depend on which keys
may occur in it, those of its left half on fewer keys, and so on. Every member of a family is made once and
cached, so that a family may refer to itself, and counting it takes one step per member.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import update_wrapper
from inspect import CO_VARARGS
from threading import RLock
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, overload

from everycase.errors import InvalidArgument, NotInvertible
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Const, Defer, List, Map
from everycase.gen.scalars import enums, nothing, of_range, place_of, sampled_from
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_callable

T = TypeVar("T")
U = TypeVar("U")

#: Maximum number of values of an endless iterator to search for a value.
MOST_COMPARED = 10_000
P = ParamSpec("P")


class Family(Generic[P, T]):
    """A family made by ``dependent``: call it with parameters to get the generator for them."""

    def __init__(self, function: Callable[P, Gen[T]], key: Callable[..., Any] | None = None) -> None:
        update_wrapper(self, function)
        self.function = function
        self.key = key
        self._members: dict[Any, Gen[T]] = {}
        self._required = _required_parameters(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Gen[T]:
        if kwargs:
            return self.member(inspect.signature(self.function).bind(*args, **kwargs).args)
        return self.member(self.spread(args[0]) if len(args) == 1 else args)

    def spread(self, param: Any) -> tuple[Any, ...]:
        """The parameters from one value, which is all that flatmap and chain have."""
        return param if self._required > 1 and isinstance(param, tuple) else (param,)

    def member(self, params: tuple[Any, ...]) -> Gen[T]:
        """The generator for these parameters."""
        key = tuple([_typed(param) for param in params]) if self.key is None else self.key(*params)
        try:
            member = self._members.get(key)
        except TypeError:
            raise InvalidArgument(
                f"the parameters {params!r} of {self!r} cannot be cached, because they are not hashable; say what "
                "identifies them: @gen.dependent(key=lambda ...: ...)"
            ) from None
        if member is None:
            # Made when its first value is needed, not now: the definition may need this member, or a thousand
            # others, each of which needs the next.
            node: Gen[T] = Defer(lambda: self._define(params))
            described(node, getattr(self.function, "__name__", "family"), *params)
            member = self._members.setdefault(key, node)
        return member

    def _define(self, params: tuple[Any, ...]) -> Gen[T]:
        result = self.function(*params)  # type: ignore[call-arg]  # the parameters were taken apart by position
        return result if isinstance(result, Gen) else as_gen(f"what {self!r} returned for {params!r}", result)

    def __or__(self, other: Callable[..., Gen[U]]) -> Family[..., T | U]:
        """The union of two families, parameter by parameter."""
        family = _as_family(other)
        return CombinedFamily(lambda params: self.member(params) | family.member(params), (self, family))

    def __mul__(self, other: Callable[..., Gen[U]]) -> Family[..., tuple[T, U]]:
        """The pairs of two families, parameter by parameter."""
        family = _as_family(other)
        result: CombinedFamily[..., tuple[T, U]] = CombinedFamily(
            lambda params: _pairs(self.member(params), family.member(params)), (self, family)
        )
        result.factors = (self, family)
        return result

    def inmap(self, change: Callable[..., Any]) -> Family[..., T]:
        """The family with its parameters changed first: ``family.inmap(f)(p)`` is ``family(f(p))``.

        >>> from everycase import gen
        >>> digits = gen.dependent(lambda n: gen.integers(0, n - 1))
        >>> list(digits.inmap(lambda text: len(text))("abc"))
        [0, 1, 2]
        """
        require_callable("change", change, "family.inmap(lambda size: size - 1)")
        result: CombinedFamily[..., T] = CombinedFamily(
            lambda params: self.member(self.spread(change(*params))), ()
        )
        result._required = _required_parameters(change)
        return result

    def __repr__(self) -> str:
        return f"<family {getattr(self.function, '__name__', 'of generators')}>"


class CombinedFamily(Family[P, T]):
    """A family made of others. It caches nothing itself: the members of the others are cached, and made
    later."""

    def __init__(
        self, combined: Callable[[tuple[Any, ...]], Gen[T]], families: tuple[Family[..., Any], ...]
    ) -> None:
        self._combined = combined
        self._required = max((family._required for family in families), default=1)
        #: the two families of which it makes pairs
        self.factors: tuple[Family[..., Any], ...] = ()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Gen[T]:
        if kwargs:
            raise InvalidArgument("a family made of others takes its parameters by position")
        return self._combined(self.spread(args[0]) if len(args) == 1 else args)

    def member(self, params: tuple[Any, ...]) -> Gen[T]:
        return self._combined(params)

    def __repr__(self) -> str:
        return "<family made of others>"


@overload
def dependent(function: Callable[P, Gen[T]], /) -> Family[P, T]: ...
@overload
def dependent(*, key: Callable[..., Any] | None = None) -> Callable[[Callable[P, Gen[T]]], Family[P, T]]: ...
def dependent(function: Any = None, /, *, key: Callable[..., Any] | None = None) -> Any:
    """Turn a function of parameters that returns a generator into a family that caches its members.

    The function may call its own family, or others that call it, for other parameters. ``key`` identifies the
    parameters if they are not hashable.

    >>> from everycase import gen
    >>> @gen.dependent
    ... def trees(low, high):
    ...     if low > high:
    ...         return gen.none()
    ...     return gen.one_of([gen.tuples(trees(low, root - 1), gen.just(root), trees(root + 1, high))
    ...                        for root in range(low, high + 1)])
    >>> trees(1, 10).cardinality
    16796
    >>> trees(1, 3)[2]
    ((None, 1, None), 2, (None, 3, None))
    """
    if key is not None:
        require_callable("key", key, "@gen.dependent(key=lambda items: tuple(items))")
    if function is None:
        return lambda real: dependent(real) if key is None else Family(real, key)
    require_callable("function", function, "@gen.dependent above def trees(low, high): ...")
    return Family(function, key)


def _as_family(other: Callable[..., Gen[U]]) -> Family[..., U]:
    if isinstance(other, Family):
        return other
    if isinstance(other, Gen) or not callable(other):
        raise InvalidArgument(
            f"a family can only be combined with another family, not with {other!r}; "
            "write gen.dependent(lambda *params: ...)"
        )
    return Family(other)


def _required_parameters(function: Callable[..., Any]) -> int:
    """How many parameters a function needs; a function that takes any number is taken to want several."""
    if isinstance(function, FunctionType) and not hasattr(function, "__wrapped__"):
        # Families are made from thousands of functions, and signatures are slow.
        code = function.__code__
        return 2 if code.co_flags & CO_VARARGS else code.co_argcount - len(function.__defaults__ or ())
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 2
    return sum(
        parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        for parameter in parameters
    )


def _typed(param: Any) -> Any:
    """The key of a parameter, including its type, since 1 == 1.0 == True, and all empty ranges are equal."""
    kind = type(param)
    if kind is int:
        return param  # every other type is named, so an integer need not be
    if kind is tuple:
        return (tuple, *[_typed(part) for part in param])
    if kind is frozenset:
        return (frozenset, frozenset(_typed(part) for part in param))
    if kind is range:
        return (range, param.start, param.stop, param.step)
    if kind is float:
        return (float, param.hex())
    return (kind, param)


# --- chaining -------------------------------------------------------------------------------------------


class ChainStep:
    """The dependence of ``chain``: from a parameter to the pairs of it and a value. The pair contains the
    parameter, so it can be inverted."""

    __slots__ = ("family",)

    def __init__(self, family: Callable[[Any], Gen[Any]]) -> None:
        self.family = family

    def __call__(self, param: Any) -> Gen[Any]:
        inner = self.family(param)
        if not isinstance(inner, Gen):
            inner = as_gen(f"what the family given to chain returned for {param!r}", inner)
        return _pairs(Const(param), inner)

    def parts(self, param: Any) -> list[Any]:
        """The generators whose combinations are the values for a parameter: enough to count them."""
        family = self.family
        if isinstance(family, CombinedFamily) and family.factors:
            params = family.spread(param)
            return [factor.member(params) for factor in family.factors]
        return [family(param)]


def _pairs(first: Gen[Any], second: Gen[Any]) -> Gen[Any]:
    return Build(_pair, (first, second), constructs=tuple, share=True)


def _pair(*parts: Any) -> Any:
    return parts


def _parameter(pair: tuple[Any, Any]) -> Any:
    parameter, _ = pair
    return parameter


def chained(source: Gen[T], family: Callable[[Any], Gen[U]]) -> Gen[tuple[T, U]]:
    """Implements ``source.chain(family)``."""
    require_callable("the family given to chain", family, "params.chain(trees)", 1)
    return described(Bind(source, ChainStep(family), _parameter), ".chain", source, family)


# --- collections ----------------------------------------------------------------------------------------


class Stream:
    """An endless iterator as a lookup table: its values are kept."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self._iterator = iterator
        self._given: list[Any] = []
        self._lock = RLock()

    def __getitem__(self, i: int) -> Any:
        given = self._given
        if i >= len(given):
            with self._lock:
                while i >= len(given):
                    try:
                        given.append(next(self._iterator))
                    except StopIteration:
                        raise InvalidArgument(
                            f"the iterator given to from_iterable ended after {len(given)} values; only an "
                            "endless iterator "
                            "can be used as it is, so write from_iterable(list(...))"
                        ) from None
        return given[i]

    def __call__(self, unary: list[None]) -> Any:
        return self[len(unary)]

    def unary(self, value: Any) -> list[None]:
        """The inverse: searches the first values."""
        with suppress(LookupError):
            return [None] * place_of(value, (self[i] for i in range(MOST_COMPARED)))
        raise NotInvertible(
            f"it is unknown whether the endless iterator gives {value!r}: it is not among the first "
            f"{MOST_COMPARED:,} values"
        )


def from_iterable(values: Iterable[T]) -> Gen[T]:
    """The values of an ordinary collection, in its order, simplest first.

    Takes lists, tuples, ranges of any length, dictionaries (their keys), Enum classes, sets (sorted, because
    their own order varies from run to run), generators as they are, and endless iterators.

    >>> from itertools import count
    >>> list(from_iterable({"b", "a"}))
    ['a', 'b']
    >>> from_iterable(count(2014))[10]
    2024
    >>> from_iterable(range(0, 10**30, 3)).cardinality == (10**30 + 2) // 3
    True
    """
    if isinstance(values, Gen):
        return values
    if isinstance(values, type) and issubclass(values, Enum):
        return enums(values)  # type: ignore[return-value]
    if isinstance(values, range):
        return of_range(values, "from_iterable")  # type: ignore[return-value]
    if isinstance(values, set | frozenset):
        try:
            values = sorted(values)  # type: ignore[type-var, unused-ignore]
        except TypeError:
            raise InvalidArgument(
                "values is a set whose members cannot be sorted; give a list in the order you want"
            ) from None
    if isinstance(values, Iterator):
        stream = Stream(values)
        # The length distribution of sampled lists is a sensible measure for how far to go into a stream.
        return described(Map(List(Const(None), 0, None), stream, stream.unary), "from_iterable", values)
    if not isinstance(values, Iterable):
        raise InvalidArgument(f"values must be a collection or an iterator, not {values!r}")
    options = tuple(values) if not isinstance(values, Mapping) else tuple(values.keys())
    return sampled_from(options) if options else nothing()
