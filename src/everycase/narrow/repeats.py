"""Which values were tested before, where a search may come to the same value again.

A value is known by a number worked out from its class, fields and elements (not by its own ``==`` and ``hash``, which may
say less than everything). The numbers are kept, not the values; there are 2**61 of them, so that two values hardly ever
share one.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Build
from everycase.narrow.reader import nodes_of

#: So many values are remembered; later ones may come twice.
MOST_REMEMBERED = 1_000_000
#: The numbers of so many objects are kept: values share parts, and one that comes next differs in few of them.
MOST_NUMBERED = 10_000


class Unknown(Exception):
    """A value of a class whose parts are not known."""


class Repeats:
    """The values seen so far.

    >>> seen = Repeats([])
    >>> seen.is_new(([1, 2],)), seen.is_new(([1], 2)), seen.is_new(([1, 2],)), seen.is_new((1,)), seen.is_new((True,))
    (True, True, False, True, True)
    """

    def __init__(self, gens: Iterable[Gen[Any]]) -> None:
        """``gens`` make the values, which says by which attributes they are told apart."""
        self._numbers: set[int] = set()
        #: objects by their id, which stays theirs while they are here, with their numbers
        self._numbered: dict[int, tuple[Any, int]] = {}
        self._number_of: dict[type, Callable[[Any], int]] = dict(_BASIC)
        for cls in (tuple, list):
            self._number_of[cls] = self._items(cls)
        for gen in nodes_of(gens):
            if isinstance(gen, Build) and gen.constructs not in (None, tuple):
                self._number_of[gen.constructs] = self._attributes(
                    gen.constructs, gen.fields, shared=facts(gen).shareable
                )
        #: how many values in a row were seen before
        self.in_a_row = 0
        #: no value was taken for new that may have been seen before
        self.complete = True

    def is_new(self, args: tuple[Any, ...]) -> bool:
        """Whether these arguments were not seen before. (Those that cannot be told apart count as new.)"""
        try:
            number = self._of(args)
        except (Unknown, RecursionError):
            self.complete = False
            return True
        known = self._numbers
        if number in known:
            self.in_a_row += 1
            return False
        self.in_a_row = 0
        if len(known) < MOST_REMEMBERED:
            known.add(number)
        else:
            self.complete = False
        return True

    def _of(self, value: Any) -> int:
        find = self._number_of.get(type(value))
        if find is not None:
            return find(value)
        if isinstance(value, enum.Enum):
            self._number_of[type(value)] = id  # each member is there once, as long as its class is
            return id(value)
        raise Unknown(type(value))

    # Classes are told apart by themselves: two that were made in the same function have the same name.

    def _items(self, cls: type) -> Callable[[Any], int]:
        of, kind = self._of, id(cls)
        return lambda value: hash((kind, *map(of, value)))

    def _attributes(self, cls: type, names: tuple[str, ...], *, shared: bool) -> Callable[[Any], int]:
        of, kind, numbered = self._of, id(cls), self._numbered
        if not names:
            return lambda value: kind

        def number(value: Any) -> int:
            return hash((kind, *[of(getattr(value, name)) for name in names]))

        def number_once(value: Any) -> int:
            known = numbered.get(id(value))
            if known is not None:
                return known[1]
            found = number(value)
            if len(numbered) >= MOST_NUMBERED:
                numbered.clear()
            numbered[id(value)] = value, found
            return found

        # What a test may change has no number that stays.
        return number_once if shared else number


def _tagged(kind: str) -> Callable[[Any], int]:
    return lambda value: hash((kind, value))


def _of_int(value: int) -> int:
    # hash(-1) is hash(-2), and numbers from 2**61 on share theirs with smaller ones.
    return hash(("int", 2 * value + 1 if -(2**59) < value < 2**59 else hex(value)))


_BASIC: dict[type, Callable[[Any], int]] = {
    int: _of_int,
    bool: _tagged("bool"),
    str: _tagged("str"),
    bytes: _tagged("bytes"),
    # By text: 0.0 and -0.0 are equal, and nan is not even equal to itself.
    float: lambda value: hash(("float", repr(value))),
    type(None): lambda value: hash("None"),
}
