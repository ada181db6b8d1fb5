"""Types with conditions: ``Annotated[int, Ge(0)]``, ``Annotated[str, MinLen(1)]`` and a generator in ``Annotated``.

The conditions are those of the annotated-types package. They are recognised by their attributes, so any class
with the same attributes works, and the package need not be installed.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Callable
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.floating import floats
from everycase.gen.kinds import List, Map
from everycase.gen.scalars import integers
from everycase.gen.strings import binary, text


def constrained(plain: Callable[[], Gen[Any]], tp: Any, metadata: tuple[Any, ...]) -> Gen[Any]:
    """The values of ``tp`` (whose generator ``plain()`` makes) that satisfy the conditions in
    ``Annotated``."""
    for note in metadata:
        if isinstance(note, Gen):
            return note
    low, high = _Bound(), _Bound()
    least, most = 0, None
    predicates = []
    for note in _unpacked(metadata):
        for name, bound, sign, opened in (
            ("ge", low, 1, False),
            ("gt", low, 1, True),
            ("le", high, -1, False),
            ("lt", high, -1, True),
        ):
            value = getattr(note, name, None)
            if value is not None:
                bound.tighten(value, sign, opened)
        min_length = getattr(note, "min_length", None)
        if min_length:
            least = max(least, min_length)
        max_length = getattr(note, "max_length", None)
        if max_length is not None:
            most = max_length if most is None else min(most, max_length)
        multiple = getattr(note, "multiple_of", None)
        if multiple is not None:
            predicates.append(_is_multiple(multiple))
        func = getattr(note, "func", None)
        if callable(func):
            predicates.append(func)
    node = _bounded(plain, tp, low, high)
    if least or most is not None:
        node = _sized(node, tp, least, most)
    for predicate in predicates:
        node = node.filter(predicate)
    return node


class _Bound:
    """A bound, inclusive or exclusive; None if there is none."""

    def __init__(self) -> None:
        self.value: Any = None
        self.opened = False

    def tighten(self, value: Any, sign: int, opened: bool) -> None:
        if self.value is None or (value > self.value if sign > 0 else value < self.value):
            self.value, self.opened = value, opened
        elif value == self.value:
            self.opened = self.opened or opened

    def allows(self, value: Any, sign: int) -> bool:
        if self.value is None:
            return True
        if value == self.value:
            return not self.opened
        return bool(value > self.value if sign > 0 else value < self.value)


def _unpacked(metadata: tuple[Any, ...]) -> list[Any]:
    """Conditions that contain several others, such as Interval and Len, taken apart if possible."""
    notes: list[Any] = []
    for note in metadata:
        known = ("ge", "gt", "le", "lt", "min_length", "max_length")
        if (
            not isinstance(note, type)
            and isinstance(note, collections.abc.Iterable)
            and not isinstance(note, str)
        ):
            if any(hasattr(note, name) for name in known):
                notes.append(note)
            else:
                notes.extend(note)
        else:
            notes.append(note)
    return notes


def _bounded(plain: Callable[[], Gen[Any]], tp: Any, low: _Bound, high: _Bound) -> Gen[Any]:
    if low.value is None and high.value is None:
        return plain()
    if tp is int:
        import math

        least = most = None
        if low.value is not None:
            least = math.floor(low.value) + 1 if low.opened else math.ceil(low.value)
        if high.value is not None:
            most = math.ceil(high.value) - 1 if high.opened else math.floor(high.value)
        return integers(least, most)
    if tp is float:
        return floats(low.value, high.value, exclude_min=low.opened, exclude_max=high.opened)
    name = f"{getattr(tp, '__module__', '')}.{getattr(tp, '__qualname__', '')}"
    ranged = _RANGED.get(name)
    node: Gen[Any] = plain()
    if ranged is not None:
        import everycase.gen

        make: Callable[..., Gen[Any]] = getattr(everycase.gen, ranged)
        node = make(low.value, high.value)
        if not low.opened and not high.opened:
            return node
    return node.filter(lambda value: low.allows(value, 1) and high.allows(value, -1))


_RANGED = {
    "datetime.date": "dates",
    "datetime.time": "times",
    "datetime.datetime": "datetimes",
    "datetime.timedelta": "timedeltas",
    "decimal.Decimal": "decimals",
    "fractions.Fraction": "fractions",
}


def _sized(node: Gen[Any], tp: Any, least: int, most: int | None) -> Gen[Any]:
    """The values of a collection type with a length between two bounds."""
    if tp is str:
        return text(min_size=least, max_size=most)
    if tp is bytes:
        return binary(min_size=least, max_size=most)
    if isinstance(node, List):
        return List(node.element, least, most, node.unique_by, unordered=node.unordered)
    if isinstance(node, Map) and isinstance(node.source, List):
        inner = node.source
        sized = List(inner.element, least, most, inner.unique_by, unordered=inner.unordered)
        return Map(sized, node.f, node.inverse, share=node.share)
    return node.filter(lambda value: least <= len(value) and (most is None or len(value) <= most))


def _is_multiple(step: Any) -> Callable[[Any], bool]:
    return lambda value: value % step == 0
