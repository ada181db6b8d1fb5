"""Merging intervals: two properties that say what "merged" means, and the bug that most first versions have.

Run it with ``python examples/interval_merge.py``, or its tests with ``pytest examples/interval_merge.py``.
"""

from __future__ import annotations

from itertools import pairwise

from everycase import check, gen, given

Interval = tuple[int, int]


def merge(intervals: list[Interval]) -> list[Interval]:
    """Join intervals that overlap or touch; both ends belong to an interval."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def merge_without_max(intervals: list[Interval]) -> list[Interval]:
    """The same with a bug: an interval inside another one makes the outer one shorter."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def points(intervals: list[Interval]) -> set[int]:
    return {point for start, end in intervals for point in range(start, end + 1)}


numbers = gen.integers(0, 100)
intervals = gen.tuples(numbers, numbers).map(lambda pair: (min(pair), max(pair)))


@given(gen.lists(intervals))
def test_merging_keeps_the_points(some: list[Interval]) -> None:
    assert points(merge(some)) == points(some)


@given(gen.lists(intervals))
def test_merged_intervals_are_apart(some: list[Interval]) -> None:
    result = merge(some)
    assert all(left[1] + 1 < right[0] for left, right in pairwise(result))


def keeps_the_points_without_max(some: list[Interval]) -> None:
    assert points(merge_without_max(some)) == points(some)


if __name__ == "__main__":
    test_merging_keeps_the_points()
    test_merged_intervals_are_apart()
    print("merge: both properties hold")
    print(check(keeps_the_points_without_max, gen.lists(intervals), seed=0, database=None))
