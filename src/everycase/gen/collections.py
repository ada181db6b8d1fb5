"""Lists, tuples, sets, dictionaries and permutations."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar, overload

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.intern import interned
from everycase.gen.kinds import Build, Const, Int, List, Map, Union
from everycase.gen.scalars import place_of
from everycase.gen.show import described
from everycase.gen.validate import (
    as_gen,
    as_sequence,
    require_bool,
    require_callable,
    require_count,
    require_instance,
    require_sizes,
)

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")

Key = Callable[[Any], Hashable]


def lists(
    elements: Gen[T],
    *,
    min_size: int = 0,
    max_size: int | None = None,
    unique: bool = False,
    unique_by: Callable[[T], Hashable] | tuple[Callable[[T], Hashable], ...] | None = None,
) -> Gen[list[T]]:
    """Lists of independent elements.

    ``unique`` makes all elements different; ``unique_by`` makes the results of the given function different
    for all elements, or those of each of several functions. The empty list is the simplest, then shorter
    lists.

    >>> from everycase.gen import integers, just
    >>> all(len(xs) <= 3 for xs in lists(just(0), max_size=3).sample(50, seed=0))
    True
    >>> all(len(xs) == len(set(xs)) for xs in lists(integers(0, 9), unique=True).sample(50, seed=0))
    True
    """
    return _lists(elements, min_size, max_size, unique, unique_by)


@interned
def _lists(
    elements: Gen[T],
    min_size: int,
    max_size: int | None,
    unique: bool,
    unique_by: Callable[[T], Hashable] | tuple[Callable[[T], Hashable], ...] | None,
) -> Gen[list[T]]:
    elements = as_gen("elements", elements)
    require_sizes(min_size, max_size)
    require_bool("unique", unique)
    key: Key | tuple[Key, ...] | None = itself if unique else None
    if unique_by is not None:
        if unique:
            raise InvalidArgument("unique=True and unique_by= cannot be combined; give only one of them")
        functions = unique_by if isinstance(unique_by, tuple) else (unique_by,)
        if not functions:
            raise InvalidArgument(
                "unique_by must hold at least one function; leave it out to allow repetitions"
            )
        for function in functions:
            require_callable("unique_by", function, "unique_by=lambda pair: pair[0]", 1)
        key = functions if len(functions) > 1 else functions[0]
    node = List(elements, min_size, max_size, key)
    return described(
        node,
        "lists",
        elements,
        min_size=min_size or None,
        max_size=max_size,
        unique=unique or None,
        unique_by=unique_by,
    )


@overload
def tuples() -> Gen[tuple[()]]: ...
@overload
def tuples(a: Gen[A], /) -> Gen[tuple[A]]: ...
@overload
def tuples(a: Gen[A], b: Gen[B], /) -> Gen[tuple[A, B]]: ...
@overload
def tuples(a: Gen[A], b: Gen[B], c: Gen[C], /) -> Gen[tuple[A, B, C]]: ...
@overload
def tuples(a: Gen[A], b: Gen[B], c: Gen[C], d: Gen[D], /) -> Gen[tuple[A, B, C, D]]: ...
@overload
def tuples(a: Gen[A], b: Gen[B], c: Gen[C], d: Gen[D], e: Gen[E], /) -> Gen[tuple[A, B, C, D, E]]: ...
@overload
def tuples(*parts: Gen[T]) -> Gen[tuple[T, ...]]: ...
def tuples(*parts: Gen[Any]) -> Gen[Any]:
    """Tuples with one part from each generator.

    >>> from everycase.gen import integers, just
    >>> tuples(integers(0, 9), just("x")).sample(2, seed=0)
    [(7, 'x'), (2, 'x')]
    """
    return _tuples(*parts)


@interned
def _tuples(*parts: Gen[Any]) -> Gen[Any]:
    parts = tuple(as_gen(f"argument {i + 1} of tuples", part) for i, part in enumerate(parts))
    return Build(_as_tuple, parts, constructs=tuple, share=True)


def sets(elements: Gen[K], *, min_size: int = 0, max_size: int | None = None) -> Gen[set[K]]:
    """Sets. The empty set is the simplest.

    >>> from everycase.gen import integers
    >>> all(s <= {1, 2, 3} for s in sets(integers(1, 3)).sample(50, seed=0))
    True
    """
    node = Map(_distinct(elements, min_size, max_size, itself), set, in_stable_order)
    return described(node, "sets", elements, min_size=min_size or None, max_size=max_size)


def frozensets(elements: Gen[K], *, min_size: int = 0, max_size: int | None = None) -> Gen[frozenset[K]]:
    """Frozensets. The empty frozenset is the simplest.

    >>> from everycase.gen import integers
    >>> {len(s) for s in frozensets(integers(), min_size=1, max_size=2).sample(50, seed=0)}
    {1, 2}
    """
    # Hashable elements are assumed to be immutable, as in any frozenset.
    node = Map(_distinct(elements, min_size, max_size, itself), frozenset, in_stable_order, share=True)
    return described(node, "frozensets", elements, min_size=min_size or None, max_size=max_size)


@interned
def _distinct(
    elements: Gen[T], min_size: int, max_size: int | None, key: Callable[[Any], Any]
) -> Gen[list[T]]:
    """Lists whose order does not matter."""
    elements = as_gen("elements", elements)
    require_sizes(min_size, max_size)
    return List(elements, min_size, max_size, key, unordered=True)


def dictionaries(
    keys: Gen[K],
    values: Gen[V],
    *,
    dict_class: type = dict,
    min_size: int = 0,
    max_size: int | None = None,
) -> Gen[dict[K, V]]:
    """Dictionaries of independent items with different keys. The empty dictionary is the simplest.

    ``dict_class`` is called with the items to make another kind of mapping.

    >>> from everycase.gen import integers, just
    >>> all(d[k] is None for d in dictionaries(integers(), just(None)).sample(50, seed=0) for k in d)
    True
    """
    keys, values = as_gen("keys", keys), as_gen("values", values)
    items = _distinct(_tuples(keys, values), min_size, max_size, first)
    require_callable("dict_class", dict_class, "dict_class=collections.OrderedDict")
    node: Gen[dict[K, V]] = Map(items, dict_class, _items)
    return described(
        node,
        "dictionaries",
        keys,
        values,
        dict_class=None if dict_class is dict else dict_class,
        min_size=min_size or None,
        max_size=max_size,
    )


def fixed_dictionaries(
    mapping: Mapping[K, Gen[V]], *, optional: Mapping[K, Gen[V]] | None = None
) -> Gen[dict[K, V]]:
    """Dictionaries with these keys, each with a value from its generator; ``optional`` keys may be absent.

    >>> from everycase.gen import integers, just
    >>> fixed_dictionaries({"id": integers(0, 9)}, optional={"tag": just("x")}).sample(2, seed=1)
    [{'id': 8, 'tag': 'x'}, {'id': 4}]
    """
    require_instance("mapping", mapping, Mapping, "a dictionary from keys to generators")
    mapping = {key: as_gen(f"mapping[{key!r}]", part) for key, part in mapping.items()}
    if optional is not None:
        require_instance("optional", optional, Mapping, "a dictionary from keys to generators")
        optional = {key: as_gen(f"optional[{key!r}]", part) for key, part in optional.items()}
        for key in optional:
            if key in mapping:
                raise InvalidArgument(
                    f"optional and mapping both have the key {key!r}; remove it from one of them"
                )
    extra = optional or {}
    keys = (*mapping, *extra)
    parts = (*mapping.values(), *(Union((_ABSENT_GEN, part)) for part in extra.values()))

    def those_present(values: tuple[Any, ...]) -> dict[K, V]:
        return {key: value for key, value in zip(keys, values) if value is not ABSENT}

    make: Any = those_present
    if not extra:
        make, of_parts = _dict_displays(len(keys))(*keys)
        #: the same function of the values one by one, for those who go through many
        make._of_parts = of_parts
    #: so that pruning can look at one key after the other
    make.fixed_keys = keys

    def parts_of(value: dict[K, V]) -> tuple[Any, ...]:
        if not all(key in keys for key in value):
            raise LookupError(value)
        return tuple(value[key] if key in mapping else value.get(key, ABSENT) for key in keys)

    node: Gen[dict[K, V]] = Map(_tuples(*parts), make, parts_of)
    return described(node, "fixed_dictionaries", dict(mapping), optional=dict(optional) if optional else None)


@lru_cache(maxsize=256)
def _dict_displays(length: int) -> Callable[..., tuple[Callable[..., Any], Callable[..., Any]]]:
    """A function of keys that gives two functions to a dictionary: of a tuple of values, and of the values themselves."""
    # A display that is written out is three times as fast as one that goes through pairs.
    keys, values = [f"k{i}" for i in range(length)], [f"v{i}" for i in range(length)]
    of_tuple = ", ".join(f"{key}: values[{i}]" for i, key in enumerate(keys))
    of_values = ", ".join(map("{}: {}".format, keys, values))
    made: Callable[..., Any] = eval(
        f"lambda {', '.join(keys)}: (lambda values: {{{of_tuple}}}, lambda {', '.join(values)}: {{{of_values}}})"
    )
    return made


def permutations(values: Sequence[T]) -> Gen[list[T]]:
    """The given values in any order; the given order is the simplest.

    >>> sorted(permutations("abc").example(seed=0))
    ['a', 'b', 'c']
    """
    given = as_sequence("values", values)
    # A permutation of n values is n independent choices: which of the remaining values comes next. So the
    # number of choices is the number of permutations, and all zeros is the given order.
    choices = [Int(0, left - 1, 0) for left in range(len(given), 1, -1)]

    def arrange(picks: tuple[int, ...]) -> list[T]:
        left = list(given)
        return [left.pop(pick) for pick in picks] + left

    def picks_of(arranged: list[T]) -> tuple[int, ...]:
        left = list(given)
        picks = []
        for value in arranged:
            place = place_of(value, left)
            picks.append(place)
            del left[place]
        if left:
            raise LookupError(arranged)
        return tuple(picks[: len(choices)])

    return described(Map(_tuples(*choices), arrange, picks_of), "permutations", values)


class OneShot(Generic[T]):
    """An iterable that is not a sequence: it can be iterated over only once."""

    def __init__(self, values: Iterable[T]) -> None:
        self._values = list(values)
        self._left = iter(self._values)

    def __iter__(self) -> Iterator[T]:
        return self._left

    def __next__(self) -> T:
        return next(self._left)

    def __repr__(self) -> str:
        return f"iter({self._values!r})"


def iterables(
    elements: Gen[T],
    *,
    min_size: int = 0,
    max_size: int | None = None,
    unique: bool = False,
    unique_by: Callable[[T], Hashable] | tuple[Callable[[T], Hashable], ...] | None = None,
) -> Gen[Iterable[T]]:
    """Iterables without a length or an index, which can be iterated over only once.

    The options are those of :func:`lists`.

    >>> from everycase.gen import booleans
    >>> iterables(booleans(), min_size=2, max_size=2)[1]
    iter([False, True])
    """
    source = _lists(elements, min_size, max_size, unique, unique_by)
    node: Gen[Iterable[T]] = Map(source, OneShot)
    _name, args, options = source._text or ("lists", (elements,), {})
    return described(node, "iterables", *args, **options)


def slices(size: int) -> Gen[slice]:
    """Slices of a sequence of this length: any start, stop and step, also those that select nothing.

    >>> all(len(range(9)[part]) <= 9 for part in slices(9).sample(50, seed=0))
    True
    """
    require_count("size", size)
    return _slices(size)


@interned
def _slices(size: int) -> Gen[slice]:
    absent: Gen[Any] = Const(None)
    places = Int(-size, size - 1, 0) if size else None
    bound = absent if places is None else Union((absent, places))
    most = max(size, 1)
    step = Union((absent, Int(1, most, 1), Int(-most, -1, -1)))
    node: Gen[slice] = Map(_tuples(bound, bound, step), _slice, _parts_of_slice, share=True)
    return described(node, "slices", size)


def _slice(parts: tuple[Any, Any, Any]) -> slice:
    return slice(*parts)


def _parts_of_slice(value: slice) -> tuple[Any, Any, Any]:
    return value.start, value.stop, value.step


class Absent:
    """Stands for an optional key that is not there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
_ABSENT_GEN: Gen[Any] = Const(ABSENT)


def itself(value: T) -> T:
    """The key of ``unique=True``."""
    return value


def first(item: tuple[T, Any]) -> T:
    """The key of a dictionary's items."""
    return item[0]


def in_stable_order(values: Iterable[T]) -> list[T]:
    """The elements of a set in an order that does not depend on hashes."""
    try:
        return sorted(values)  # type: ignore[type-var]
    except TypeError:
        return sorted(values, key=repr)


def _items(value: dict[K, V]) -> list[tuple[K, V]]:
    return list(value.items())


def _as_tuple(*parts: Any) -> tuple[Any, ...]:
    return parts
