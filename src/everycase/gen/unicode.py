"""Sets of code points as sorted ranges, and the order of characters from simple to complex."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

#: Half-open ranges of code points, ascending and apart.
Ranges = tuple[tuple[int, int], ...]

#: All characters; surrogates are code points but not characters.
EVERYTHING: Ranges = ((0, 0xD800), (0xE000, sys.maxunicode + 1))
SURROGATES: Ranges = ((0xD800, 0xE000),)

#: What people read and type, the simplest first.
READABLE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz _-.,:;!?()[]{}<>'\"`/\\|+*=%&@#$^~"

#: Characters that programs often get wrong: controls and odd spaces, letters whose case changes their number,
#: combining marks, right-to-left and invisible ones, digits that are not ASCII, and the ends of the planes.
TRICKY = (
    "\n\t\r\x00\x0b\x1b\x7f\x85\xa0\xad\u2028\u2029\u200b\u3000\ufeff"
    "éÅßİıſǅµÿΣςﬁŉⅧ"
    "\u0300\u0301\u0308\u0323\u0345\u20e3"
    "אع\u202e\u200f\u061c"
    "中あ한ﾊกक\u094d"
    "²½٣１๓"
    "\u200d\ufe0f\ufffd\uffff\ufffe\ud7ff\ue000"
    "\U0001f600\U0001f3fd\U0001f1e9\U0001d49c\U00010400\U0001d7d8\U00020000\U000e0001\U00010000\U0010ffff"
)

_GROUPS = {"L": "ultmo", "M": "nce", "N": "dlo", "P": "cdseifo", "S": "mcko", "Z": "slp", "C": "cfson"}
CATEGORIES = tuple(group + kind for group, kinds in _GROUPS.items() for kind in kinds)


def ranges_of(points: Iterable[int]) -> Ranges:
    """The given code points as ranges.

    >>> ranges_of([7, 3, 4, 5])
    ((3, 6), (7, 8))
    """
    ranges: list[tuple[int, int]] = []
    for point in sorted(set(points)):
        if ranges and ranges[-1][1] == point:
            ranges[-1] = (ranges[-1][0], point + 1)
        else:
            ranges.append((point, point + 1))
    return tuple(ranges)


def union(a: Ranges, b: Ranges) -> Ranges:
    """The code points of either.

    >>> union(((0, 5), (9, 12)), ((3, 8), (12, 13)))
    ((0, 8), (9, 13))
    """
    merged: list[tuple[int, int]] = []
    for start, stop in sorted((*a, *b)):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return tuple(merged)


def minus(a: Ranges, b: Ranges) -> Ranges:
    """The code points of ``a`` that are not in ``b``.

    >>> minus(((0, 10),), ((2, 3), (8, 20)))
    ((0, 2), (3, 8))
    """
    kept: list[tuple[int, int]] = []
    for low, high in a:
        start, stop = low, high
        for cut_start, cut_stop in b:
            if cut_stop <= start or cut_start >= stop:
                continue
            if cut_start > start:
                kept.append((start, cut_start))
            start = cut_stop
        if start < stop:
            kept.append((start, stop))
    return tuple(kept)


def within(a: Ranges, b: Ranges) -> Ranges:
    """The code points of both."""
    return minus(a, minus(((0, sys.maxunicode + 1),), b))


@lru_cache(maxsize=1)
def _by_category() -> dict[str, Ranges]:
    """The code points of each category. This takes a tenth of a second, so it is done on demand."""
    from unicodedata import category

    ranges: dict[str, list[tuple[int, int]]] = {name: [] for name in CATEGORIES}
    start, current = 0, category("\0")
    for point in range(1, sys.maxunicode + 1):
        name = category(chr(point))
        if name != current:
            ranges[current].append((start, point))
            start, current = point, name
    ranges[current].append((start, sys.maxunicode + 1))
    return {name: tuple(found) for name, found in ranges.items()}


def of_categories(names: Iterable[str]) -> Ranges:
    """The code points of some general categories, given by two letters (``"Lu"``) or one (``"L"``)."""
    table = _by_category()
    found: Ranges = ()
    for name in names:
        for category in CATEGORIES:
            if category.startswith(name):
                found = union(found, table[category])
    return found


@lru_cache(maxsize=32)
def of_codec(codec: str) -> Ranges:
    """The characters that a codec can encode."""
    if codec.startswith("utf-"):
        return EVERYTHING
    if codec in ("ascii", "iso8859-1"):
        return ((0, 128 if codec == "ascii" else 256),)

    def encodes(character: str) -> bool:
        try:
            character.encode(codec)
        except UnicodeError:
            return False
        return True

    found: list[int] = []
    for start in range(0, sys.maxunicode + 1, 256):
        block = "".join(map(chr, range(start, start + 256)))
        # Most blocks are empty in most codecs, which a single call shows.
        if block.encode(codec, "ignore"):
            found.extend(ord(c) for c in block if encodes(c))
    return ranges_of(found)


class Alphabet:
    """Indexed characters: the readable ones first, then the others by code point."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        present = [c for c in READABLE if self.holds(c)]
        self.readable = "".join(present)
        self._rest = minus(ranges, ranges_of(map(ord, present)))
        # For each range, the number of characters up to its end.
        self._ends = list(accumulate((stop - start for start, stop in self._rest), initial=len(present)))[1:]
        self._places = {c: i for i, c in enumerate(present)}
        self._starts = [start for start, _ in self._rest]
        self.count = self._ends[-1] if self._ends else len(present)

    def character(self, number: int) -> str:
        """The character with an index."""
        if number < len(self.readable):
            return self.readable[number]
        place = bisect_right(self._ends, number)
        return chr(self._rest[place][1] - (self._ends[place] - number))

    def holds(self, character: str) -> bool:
        """Whether a character is one of these."""
        return any(start <= ord(character) < stop for start, stop in self.ranges)

    def number(self, character: str) -> int:
        """The index of a character; LookupError if it is not one of these."""
        known = self._places.get(character)
        if known is not None:
            return known
        point = ord(character)
        place = bisect_right(self._starts, point) - 1
        if place < 0 or point >= self._rest[place][1]:
            raise LookupError(character)
        return self._ends[place] - (self._rest[place][1] - point)
