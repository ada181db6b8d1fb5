"""The values of one parameter, seen as a numbered list.

A parameter may be given as any sequence, ``bool``, an ``Enum`` class, or anything that counts and indexes its
values: an object with ``cardinality`` and ``__getitem__``, which is what a finite everycase generator is. This
is the only place that knows the difference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from contextlib import suppress
from enum import Enum
from inspect import getattr_static
from typing import Any

from everycase.errors import EverycaseError, InvalidArgument

MANY = 1_000_000
"""The values of a parameter with more values than this are not searched one by one."""


def counts_and_indexes(values: Any) -> bool:
    """Whether it is a finite generator or something like it: has a count, and values by index.

    Only the attributes are looked up: the count of some generators is costly, or an error that explains more.
    """
    missing = object()
    return all(
        getattr_static(values, name, missing) is not missing for name in ("cardinality", "__getitem__")
    )


class Domain:
    """The valid values of a parameter, by level number, followed by its invalid ones.

    >>> os = Domain("os", ["linux", "mac"], invalid=["amiga"])
    >>> os.size, os.valid, os.at(2), os.level("mac")
    (3, 2, 'amiga', 1)
    """

    def __init__(self, name: str, values: Any, invalid: Iterable[Any] = ()) -> None:
        self.name = name
        self._values, self.valid = _values_of(name, values)
        self._invalid = _listed(invalid, f"invalid[{name!r}]")
        self.size = self.valid + len(self._invalid)
        self._numbers: dict[Any, int] | None = None
        self._texts: dict[str, int] | None = None
        self._refuse_repeats()

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.size} values)"

    def at(self, level: int) -> Any:
        """The value with that number."""
        if level >= self.valid:
            return self._invalid[level - self.valid]
        return self._values[level]

    def is_invalid(self, level: int) -> bool:
        return level >= self.valid

    def values(self) -> Iterable[Any]:
        return (self.at(level) for level in range(self.size))

    def level(self, value: Any) -> int:
        """The number of a value; an error that names the parameter if it is not one of its values."""
        if self._numbers is None:
            self._numbers = {}
            if self.size <= 100_000:
                for level, known in enumerate(self.values()):
                    key = _key(known)
                    if key is not None:
                        self._numbers.setdefault(key, level)
        key = _key(value)
        if key is not None and key in self._numbers:
            return self._numbers[key]
        found = self._search(value)
        if found is None:
            raise InvalidArgument(
                f"{value!r} is not a value of parameter {self.name!r}; its values are {self.describe()}"
            )
        return found

    def level_of_text(self, text: str) -> int:
        """The number of the value that prints like ``text``, for rows read from a file."""
        if self.size > MANY:  # too many to list, but numbers can be read back
            with suppress(ValueError):
                return self.level(int(text))
        elif self._texts is None:
            self._texts = {}
            for write in (str, repr):
                for level, value in enumerate(self.values()):
                    self._texts.setdefault(write(value), level)
        if self._texts is not None and text in self._texts:
            return self._texts[text]
        raise InvalidArgument(
            f"parameter {self.name!r} has no value {text!r}; its values are {self.describe()}"
        )

    def has_text(self, text: str) -> bool:
        """Whether some value prints like that."""
        try:
            self.level_of_text(text)
        except InvalidArgument:
            return False
        return True

    def describe(self, most: int = 8) -> str:
        shown = [repr(self.at(level)) for level in range(min(self.size, most))]
        return ", ".join(shown) + (f", ... ({self.size} in all)" if self.size > most else "")

    def _search(self, value: Any) -> int | None:
        if not isinstance(self._values, list) and hasattr(self._values, "index"):
            try:
                return int(self._values.index(value))
            except Exception:
                pass  # no inverse, or not one of its values: search them
        if self.size > MANY:
            return None
        return next((level for level, known in enumerate(self.values()) if _equal(known, value)), None)

    def _refuse_repeats(self) -> None:
        """Lists may repeat a value by accident; a range or a generator cannot, but it may contain one of its
        invalid values."""
        listed = isinstance(self._values, list)
        seen: set[Any] = set()
        without_hash: list[Any] = []
        for value in self.values() if listed else self._invalid:
            key = _key(value)
            if key is None:
                repeated = any(_equal(value, other) for other in without_hash)
                without_hash.append(value)
            else:
                repeated = key in seen
                seen.add(key)
            if repeated or (not listed and self._is_valid(value)):
                raise InvalidArgument(f"parameter {self.name!r} lists {value!r} twice; keep one of them")

    def _is_valid(self, value: Any) -> bool:
        level = self._search(value)
        return level is not None and level < self.valid and type(self.at(level)) is type(value)


def _values_of(name: str, values: Any) -> tuple[Any, int]:
    if values is bool:
        values = [False, True]
    elif isinstance(values, type) and issubclass(values, Enum):
        values = list(values)
    if counts_and_indexes(values):
        try:
            count = values.cardinality
        except EverycaseError as error:
            raise InvalidArgument(
                f"the values of parameter {name!r} cannot be counted ({error}); give it a list of values to combine"
            ) from error
        if count == math.inf:
            raise InvalidArgument(
                f"parameter {name!r} has infinitely many values; give it bounds, or a list of values to combine"
            )
        if not isinstance(count, int) or count < 1:
            raise InvalidArgument(f"parameter {name!r} has no values (cardinality {count!r})")
        return values, count
    if not isinstance(values, range):
        values = _listed(values, f"parameter {name!r}", ", bool, an Enum class or a finite generator")
    if not values:
        raise InvalidArgument(f"parameter {name!r} has no values; give it at least one")
    if isinstance(values, range):
        # len() gives up on ranges beyond a machine word
        return values, abs(values[-1] - values[0]) // abs(values.step) + 1
    return values, len(values)


def _listed(values: Any, what: str, or_else: str = "") -> list[Any]:
    """The values as a list, if they are several in a certain order."""
    if isinstance(values, (str, bytes)):
        raise InvalidArgument(
            f"the values of {what} are one {type(values).__name__}, {values!r}; "
            f"write [{values!r}] for one value or list({values!r}) for its characters"
        )
    if isinstance(values, Set):
        raise InvalidArgument(
            f"the values of {what} are a set, which has no order and so no reproducible rows; "
            "write a list, for example sorted(values)"
        )
    try:
        return list(values)
    except TypeError:
        raise InvalidArgument(
            f"the values of {what} are {values!r}; write a list of values{or_else}"
        ) from None


def _key(value: Any) -> Any:
    """A dictionary key that tells 1 from True and 1.0; None when the value cannot be hashed."""
    try:
        hash(value)
    except TypeError:
        return None
    return (type(value), value)


def _equal(left: Any, right: Any) -> bool:
    try:
        return bool(left == right)
    except Exception:
        return left is right
