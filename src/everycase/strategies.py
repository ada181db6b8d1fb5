"""The names and signatures of ``hypothesis.strategies``, for files that come from there.

``from everycase import strategies as st`` is all that changes in such a file. Each name is the generator of
that name in :mod:`everycase.gen`; if Hypothesis spells an argument differently, a function here translates
it.

>>> from everycase import strategies as st
>>> st.lists(st.integers(0, 9), max_size=3)
lists(integers(0, 9), max_size=3)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import Enum
from types import EllipsisType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from everycase import gen
from everycase.errors import InvalidArgument
from everycase.gen import Draw as DrawFn
from everycase.gen import Gen as SearchStrategy
from everycase.gen import (
    binary,
    booleans,
    builds,
    complex_numbers,
    composite,
    data,
    dates,
    decimals,
    deferred,
    dictionaries,
    emails,
    fixed_dictionaries,
    floats,
    fractions,
    from_regex,
    from_type,
    frozensets,
    integers,
    ip_addresses,
    iterables,
    just,
    lists,
    none,
    nothing,
    one_of,
    permutations,
    random_module,
    randoms,
    sets,
    shared,
    slices,
    text,
    timedeltas,
    times,
    timezone_keys,
    timezones,
    tuples,
    uuids,
)
from everycase.gen.dates_and_times import is_imaginary
from everycase.gen.drawing import Data as DataObject
from everycase.gen.instance import runner
from everycase.gen.kinds import Composite, Filter, Map
from everycase.gen.validate import as_gen, require_bool, require_callable, require_count

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

T = TypeVar("T")
U = TypeVar("U")

__all__ = [
    "DataObject",
    "DrawFn",
    "SearchStrategy",
    "binary",
    "booleans",
    "builds",
    "characters",
    "complex_numbers",
    "composite",
    "data",
    "dates",
    "datetimes",
    "decimals",
    "deferred",
    "dictionaries",
    "emails",
    "fixed_dictionaries",
    "floats",
    "fractions",
    "from_regex",
    "from_type",
    "frozensets",
    "functions",
    "integers",
    "ip_addresses",
    "iterables",
    "just",
    "lists",
    "none",
    "nothing",
    "one_of",
    "permutations",
    "random_module",
    "randoms",
    "recursive",
    "register_type_strategy",
    "runner",
    "sampled_from",
    "sets",
    "shared",
    "slices",
    "text",
    "timedeltas",
    "times",
    "timezone_keys",
    "timezones",
    "tuples",
    "uuids",
]


def characters(
    *,
    codec: str | None = None,
    min_codepoint: int | None = None,
    max_codepoint: int | None = None,
    categories: Collection[str] | None = None,
    exclude_categories: Collection[str] | None = None,
    exclude_characters: Collection[str] | None = None,
    include_characters: Collection[str] | None = None,
    whitelist_categories: Collection[str] | None = None,
    blacklist_categories: Collection[str] | None = None,
    blacklist_characters: Collection[str] | None = None,
    whitelist_characters: Collection[str] | None = None,
) -> SearchStrategy[str]:
    """:func:`everycase.gen.characters`, with the older names of its arguments as well.

    >>> characters(whitelist_categories=["Nd"], blacklist_characters="0").example(seed=0) in "0"
    False
    """
    categories = _either("categories", categories, "whitelist_categories", whitelist_categories)
    include = _either("include_characters", include_characters, "whitelist_characters", whitelist_characters)
    exclude = _either("exclude_characters", exclude_characters, "blacklist_characters", blacklist_characters)
    left_out = _either("exclude_categories", exclude_categories, "blacklist_categories", blacklist_categories)
    return gen.characters(
        codec=codec,
        min_codepoint=min_codepoint,
        max_codepoint=max_codepoint,
        categories=categories,
        exclude_categories=left_out,
        exclude_characters=exclude,
        include_characters=include,
    )


def _either(name: str, value: T | None, old_name: str, old: T | None) -> T | None:
    if value is not None and old is not None:
        raise InvalidArgument(f"{old_name} is the older name of {name}; give only one of them")
    return old if value is None else value


def datetimes(
    min_value: datetime | None = None,
    max_value: datetime | None = None,
    *,
    timezones: SearchStrategy[tzinfo | None] | None = None,
    allow_imaginary: bool = True,
) -> SearchStrategy[datetime]:
    """:func:`everycase.gen.dates_and_times`. ``allow_imaginary=False`` leaves out datetimes that no clock
    shows, because the clocks skip them."""
    require_bool("allow_imaginary", allow_imaginary)
    moments = gen.datetimes(min_value, max_value, timezones=timezones)
    return moments if allow_imaginary else moments.filter(lambda moment: not is_imaginary(moment))


def functions(
    *,
    like: Callable[..., Any] | None = None,
    returns: SearchStrategy[Any] | EllipsisType = ...,
    pure: bool = False,
) -> SearchStrategy[Callable[..., Any]]:
    """:func:`everycase.gen.functions`; ``returns=...`` takes the results from the annotation of ``like``."""
    options: dict[str, Any] = {} if like is None else {"like": like}
    if returns is not ...:
        options["returns"] = returns
    return gen.functions(**options, pure=pure)


def recursive(
    base: SearchStrategy[T],
    extend: Callable[[SearchStrategy[Any]], SearchStrategy[U]],
    *,
    min_leaves: int | None = None,
    max_leaves: int = 100,
) -> SearchStrategy[T | U]:
    """:func:`everycase.gen.recursive`; ``min_leaves`` asks for at least this number of values of ``base``.

    >>> pairs = recursive(booleans(), lambda inner: tuples(inner, inner), min_leaves=3)
    >>> all(str(pair).count("e") >= 3 for pair in pairs.sample(20, seed=0))
    True
    """
    if min_leaves is None:
        return gen.recursive(base, extend, max_leaves=max_leaves)
    require_count("min_leaves", min_leaves)
    if min_leaves > max_leaves:
        raise InvalidArgument(f"min_leaves={min_leaves} is greater than max_leaves={max_leaves}")
    base = as_gen("base", base)
    require_callable("extend", extend, "st.recursive(st.integers(), lambda inner: st.lists(inner))", 1)

    def counted(draw: DrawFn) -> tuple[int, Any]:
        leaves = 0

        def count(value: T) -> T:
            nonlocal leaves
            leaves += 1
            return value

        value = draw(gen.recursive(base.map(count), extend, max_leaves=max_leaves))
        return leaves, value

    pairs: SearchStrategy[tuple[int, Any]] = Composite(counted, (), {})
    return Map(Filter(pairs, lambda pair: pair[0] >= min_leaves), lambda pair: pair[1])


def register_type_strategy(
    custom_type: Any,
    strategy: SearchStrategy[Any] | Callable[[Any], SearchStrategy[Any]],
) -> None:
    """:func:`everycase.gen.register_type`.

    >>> class Port(int): ...
    >>> register_type_strategy(Port, integers(1, 65535).map(Port))
    >>> 0 < from_type(Port).example(seed=0) < 65536
    True
    """
    gen.register_type(custom_type, strategy)


@overload
def sampled_from(elements: Sequence[T]) -> SearchStrategy[T]: ...
@overload
def sampled_from(elements: type[Enum]) -> SearchStrategy[Any]: ...
def sampled_from(elements: Any) -> SearchStrategy[Any]:
    """:func:`everycase.gen.sampled_from`; of a ``Flag`` also combinations of its members.

    >>> sampled_from(elements="ab")
    sampled_from(['a', 'b'])
    """
    from enum import Flag

    if isinstance(elements, type) and issubclass(elements, Flag):
        return _flags(elements)
    return gen.sampled_from(elements)


def _flags(cls: Any) -> SearchStrategy[Any]:
    single = gen.sampled_from(cls)

    def combined(members: set[Any]) -> Any:
        whole = cls(0)
        for member in members:
            whole |= member
        return whole

    return single | gen.sets(single).map(combined)


_HYPOTHESIS_ONLY: dict[str, str] = {
    "from_lark": "from everycase.extra.lark import from_lark",
    "urls": "from everycase.provisional import urls",
    "domains": "from everycase.provisional import domains",
}


def __getattr__(name: str) -> Any:
    from difflib import get_close_matches

    if name in _HYPOTHESIS_ONLY:
        raise AttributeError(
            f"module 'everycase.strategies' has no attribute {name!r}; write {_HYPOTHESIS_ONLY[name]}"
        )
    close = get_close_matches(name, __all__, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise AttributeError(f"module 'everycase.strategies' has no attribute {name!r}{hint}")
