"""Constants, booleans, integers and choices among given values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Any, TypeVar

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.intern import interned
from everycase.gen.kinds import Const, Int, Map, Union
from everycase.gen.show import described
from everycase.gen.validate import as_sequence, require_instance, require_int, require_ordered

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


def just(value: T) -> Gen[T]:
    """Always the same object.

    >>> just("x").sample(2, seed=0)
    ['x', 'x']
    """
    # Interned if equality is reliable, so that a flatmap on ``just(n)`` makes no new node each time.
    return _scalar(value) if type(value) in (int, str, bool, type(None)) else Const(value)


_scalar = interned(Const)

#: The traces of the integers of a range up to this width are kept.
FEW = 100


def none() -> Gen[None]:
    """Always None."""
    return _NONE


def nothing() -> Gen[Any]:
    """No value at all: the neutral element of ``|``.

    >>> (nothing() | just(1)).sample(2, seed=0)
    [1, 1]
    """
    return _NOTHING


def integers(min_value: int | None = None, max_value: int | None = None) -> Gen[int]:
    """Integers, from ``min_value`` to ``max_value`` if given, both included.

    Zero (or the bound nearest to it) is the simplest. Random values include the ends of the range, 0, 1 and
    -1, and the neighbourhoods of powers of two more often than by pure chance.

    >>> all(0 <= n <= 99 for n in integers(0, 99).sample(100, seed=0))
    True
    """
    return _integers(min_value, max_value)


@interned
def _integers(min_value: int | None, max_value: int | None) -> Gen[int]:
    if min_value is not None:
        require_int("min_value", min_value)
    if max_value is not None:
        require_int("max_value", max_value)
    require_ordered("min_value", min_value, "max_value", max_value)
    towards = 0
    if min_value is not None and min_value > 0:
        towards = min_value
    elif max_value is not None and max_value < 0:
        towards = max_value
    node = Int(min_value, max_value, towards, edges(min_value, max_value, towards))
    if min_value is not None and max_value is not None and max_value - min_value < FEW:
        # Only here: a node that keeps its traces is kept alive by them, and this one stays anyway.
        node._nodes = {}
    return node


def edges(lo: int | None, hi: int | None, towards: int) -> tuple[int, ...]:
    """The integers of a range worth trying more often, the simplest one first."""
    if lo is not None and hi is not None and hi - lo < 16:
        return ()  # so few that chance shows all of them
    candidates = [towards]
    if lo is not None:
        candidates += [lo, lo, lo + 1]
    if hi is not None:
        candidates += [hi, hi, hi - 1]
    candidates += [0, 1, -1, 0, 1, -1, 2, -2, 10]
    for bits in (3, 4, 5, 6, 7, 8, 10, 15, 16, 31, 32, 53, 63, 64):
        power = 1 << bits
        candidates += [power - 1, power, power + 1, -power, -power - 1]
    return tuple(n for n in candidates if (lo is None or lo <= n) and (hi is None or n <= hi))


def booleans() -> Gen[bool]:
    """False and True; False is the simpler one.

    >>> list(booleans())
    [False, True]
    """
    return _BOOLEANS


def sampled_from(values: Sequence[T] | Iterable[T] | type[T]) -> Gen[T]:
    """One of the given values, each equally likely; earlier ones are simpler. Also takes an Enum class.

    >>> list(sampled_from(["red", "green"]))
    ['red', 'green']
    """
    if isinstance(values, type):
        require_instance("values", values, type(Enum), "a collection of values or an Enum class")
        return enums(values)  # type: ignore[type-var]
    if isinstance(values, range) and values:
        return of_range(values, "sampled_from")  # type: ignore[return-value] # it may be huge
    options = as_sequence("values", values)
    if not options:
        raise InvalidArgument(
            "values must not be empty: there is nothing to sample from; if that is intended, write gen.nothing()"
        )
    types = tuple(map(type, options))
    if all(kind in _PLAIN for kind in types):
        return _sampled_from(options, types)
    return pick(options, "sampled_from", list(options))


_PLAIN = frozenset({str, int, bool, bytes, type(None)})


@interned
def _sampled_from(options: tuple[Any, ...], types: tuple[type, ...]) -> Gen[Any]:
    return pick(options, "sampled_from", list(options))


def enums(cls: type[E]) -> Gen[E]:
    """The members of an Enum, in order of definition (of a Flag: its single members).

    >>> from enum import Enum
    >>> Color = Enum("Color", "RED GREEN")
    >>> list(enums(Color))
    [<Color.RED: 1>, <Color.GREEN: 2>]
    """
    require_instance("cls", cls, type(Enum), "an Enum class")
    members = tuple(cls)
    if not members:
        raise InvalidArgument(f"cls must have members, but {cls.__name__} has none")
    return pick(members, "enums", cls)


def of_range(values: range, name: str) -> Gen[int]:
    """The numbers of a range of any length (``len`` refuses some)."""
    count = max(0, -((values.start - values.stop) // values.step))
    if not count:
        return nothing()
    start, step = values.start, values.step

    def position(value: int) -> int:
        if type(value) is not int or value not in values:
            raise LookupError(value)
        return (value - start) // step

    node: Gen[int] = Map(Int(0, count - 1, 0), lambda i: start + i * step, position, share=True)
    return described(node, name, values)


def place_of(value: Any, options: Iterable[Any]) -> int:
    """Where a value is among others: the first one that is equal and looks the same (-0.0 does not look like 0.0), or else
    the first one of its type that is equal; LookupError if there is none.

    >>> place_of(-0.0, [0, 0.0, -0.0])
    2
    """
    equal = None
    for i, option in enumerate(options):
        if option is value:
            return i
        if type(option) is type(value) and option == value:
            with suppress(Exception):  # a user's repr may raise
                if repr(option) == repr(value):
                    return i
            equal = i if equal is None else equal
    if equal is None:
        raise LookupError(value)
    return equal


def pick(options: tuple[T, ...], name: str, shown: object) -> Gen[T]:
    index = Int(0, len(options) - 1, 0)
    return described(
        Map(index, options.__getitem__, lambda value: place_of(value, options), share=True), name, shown
    )


_NONE: Gen[None] = described(Const(None), "none")
_NOTHING: Gen[Any] = described(Union(()), "nothing")
_BOOLEANS: Gen[bool] = described(Map(Int(0, 1, 0), bool, int, share=True), "booleans")
