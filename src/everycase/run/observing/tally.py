"""Figures of a run, counted during the run: sizes, depths, distinct inputs, slow ones, discards by reason.

A run feeds it one test at a time, and so does the reader of a file of lines. Its memory does not grow with their number,
except for one hash per distinct input.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from heapq import heappush, heapreplace
from typing import Any

#: Tests that pass are counted in batches of this number.
MANY = 500

#: How many of the slowest inputs are kept, and to how many characters each is cut.
SLOWEST = 8
LONGEST = 2_000

#: Approximate number of points on the curve of distinct inputs.
POINTS = 120

#: How many classes, and how many reasons to discard, are told apart.
MOST_CLASSES, MOST_REASONS = 60, 40

#: Maximum number of distinct inputs that are counted.
MOST_DISTINCT = 2_000_000

#: A number between spaces.
_NUMBER = re.compile(r"(?<!\S)#?([\d,]+|0x[0-9a-f]+)(?!\S)")


class Tally:
    """The figures of the tests of one run, without those made for shrinking."""

    def __init__(self) -> None:
        self.tests = 0
        self.statuses: Counter[str] = Counter()
        self.ways: Counter[str] = Counter()
        self.sizes: Counter[int] = Counter()
        self.depths: Counter[int] = Counter()
        self.classes: Counter[str] = Counter()
        #: why tests were discarded, with the place in the code
        self.reasons: Counter[str] = Counter()
        self.seconds = 0.0
        self._seen: set[int] = set()
        self._curve: list[tuple[int, int]] = []
        self._next_point = 1
        self._slowest: list[tuple[float, int, str]] = []
        self._slow = 0.0
        #: tests that passed but are not counted yet, and how all of them were made
        self._passed: list[tuple[str, int, int, Mapping[str, int] | None, float]] = []
        self._how = ""
        #: the same without its number
        self._way = ""

    def add(
        self,
        status: str,
        how: str,
        text: str,
        size: int,
        depth: int,
        classes: Mapping[str, int] | None,
        seconds: float,
        reason: str = "",
    ) -> None:
        """One test."""
        self._fold()
        self.tests += 1
        self.statuses[status] += 1
        self.ways[way_of(how)] += 1
        if reason:
            self.reasons[reason] += 1
        if not text:
            return
        self.sizes[size] += 1
        self.depths[depth] += 1
        if classes:
            self.classes.update(classes)
        self.seconds += seconds
        seen = self._seen
        if len(seen) < MOST_DISTINCT:
            seen.add(hash(text))
        if self.tests >= self._next_point:
            self._curve.append((self.tests, len(seen)))
            self._next_point = self.tests + 1 + self.tests // 24
        if seconds > self._slow:
            self._note_slow(seconds, text)

    def passed(
        self, how: str, text: str, size: int, depth: int, classes: Mapping[str, int] | None, seconds: float
    ) -> None:
        """One test that passed. Most do, so they are collected and counted in batches."""
        if how != self._how:
            self._how, way = how, way_of(how)
            if way != self._way:
                self._fold()
                self._way = way
        self._passed.append((text, size, depth, classes, seconds))
        if len(self._passed) >= MANY:
            self._fold()

    def _fold(self) -> None:
        """Count the tests that passed."""
        if not self._passed:
            return
        passed, self._passed = self._passed, []
        texts, sizes, depths, classes, seconds = zip(*passed)
        self.statuses["passed"] += len(passed)
        self.ways[self._way] += len(passed)
        self.sizes.update(sizes)
        self.depths.update(depths)
        for counts in filter(None, classes):
            self.classes.update(counts)
        self.seconds += sum(seconds)
        if max(seconds) > self._slow:
            first, tests = self.tests, self.tests
            for place, each in enumerate(seconds):
                if each > self._slow:
                    self.tests = first + place + 1
                    self._note_slow(each, texts[place])
            self.tests = tests
        start = 0
        while start < len(texts):  # up to each point of the curve
            end = min(len(texts), start + self._next_point - self.tests)
            if len(self._seen) < MOST_DISTINCT:
                self._seen.update(map(hash, texts[start:end]))
            self.tests += end - start
            start = end
            if self.tests >= self._next_point:
                self._curve.append((self.tests, len(self._seen)))
                self._next_point = self.tests + 1 + self.tests // 24

    def _note_slow(self, seconds: float, text: str) -> None:
        entry = (seconds, -self.tests, text[:LONGEST])
        if len(self._slowest) < SLOWEST:
            heappush(self._slowest, entry)
        else:
            heapreplace(self._slowest, entry)
        self._slow = self._slowest[0][0] if len(self._slowest) == SLOWEST else 0.0

    def as_data(self) -> dict[str, Any]:
        """The figures as plain data."""
        self._fold()
        return {
            "tests": self.tests,
            "statuses": dict(self.statuses),
            "ways": dict(self.ways),
            "sizes": {str(size): count for size, count in sorted(self.sizes.items())},
            "depths": {str(depth): count for depth, count in sorted(self.depths.items())},
            "classes": _most_common(self.classes, MOST_CLASSES),
            "discards": _most_common(self.reasons, MOST_REASONS),
            "distinct": len(self._seen),
            "distinct_over_tests": _thinned([*self._curve, (self.tests, len(self._seen))]),
            "seconds": self.seconds,
            "slowest": [
                {"seconds": seconds, "test": -number, "input": text}
                for seconds, number, text in sorted(self._slowest, reverse=True)
            ],
        }


def way_of(how: str) -> str:
    """How an input was made, without numbers.

    >>> way_of("row 1,234 of a covering array"), way_of("exhaustive #17")
    ('row … of a covering array', 'exhaustive …')
    """
    return _NUMBER.sub("…", how)


def _most_common(counts: Counter[str], most: int) -> dict[str, int]:
    """The most frequent ones, and all others together."""
    found = dict(counts.most_common(most))
    rest = counts.total() - sum(found.values())
    return {**found, "others": found.get("others", 0) + rest} if rest else found


def _thinned(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """At most about :data:`POINTS` of many points, including the first and the last."""
    step = max(1, len(points) // POINTS)
    return [*points[:-1:step], points[-1]] if points else []
