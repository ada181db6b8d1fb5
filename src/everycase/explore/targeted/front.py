"""The front of several goals: members that no other beats in every goal, thinned out evenly if there are too
many."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

#: Maximum number of members.
MOST = 512


class Member(Generic[T]):
    """Something with its utilities, where larger is better. ``visits`` is for choosing among the members."""

    __slots__ = ("item", "utilities", "visits", "worth")

    def __init__(self, item: T, utilities: Mapping[str, float], worth: tuple[float, ...]) -> None:
        self.item = item
        self.utilities = utilities
        self.worth = worth
        self.visits = 0


class Front(Generic[T]):
    """The members that no other one dominates: none is as good in every label and better in one.

    A label that a test did not report counts as worse than any number. A new member that is as good as
    another in every label takes its place, so that a search drifts.

    >>> front = Front()
    >>> for item, a, b in (("x", 1, 5), ("y", 5, 1), ("z", 0, 4), ("w", 3, 3)):
    ...     _ = front.add(item, {"a": a, "b": b})
    >>> sorted(member.item for member in front)
    ['w', 'x', 'y']
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self.members: list[Member[T]] = []
        self._labels: list[str] = []

    def __iter__(self) -> Iterator[Member[T]]:
        return iter(self.members)

    def __len__(self) -> int:
        return len(self.members)

    def add(self, item: T, utilities: Mapping[str, float]) -> bool:
        """Offer a new member; whether it was taken."""
        for label in utilities:
            if label not in self._labels:
                self._labels.append(label)
                for member in self.members:
                    member.worth = (*member.worth, -math.inf)
        worth = tuple([utilities.get(label, -math.inf) for label in self._labels])
        members = self.members
        beaten = False
        for place, member in enumerate(members):
            other = member.worth
            if _at_least(other, worth):
                if other != worth:
                    return False
                fresh = Member(item, utilities, worth)
                fresh.visits = member.visits
                members[place] = fresh
                return True
            beaten = beaten or _at_least(worth, other)
        if beaten:
            members = self.members = [member for member in members if not _at_least(worth, member.worth)]
        members.append(Member(item, utilities, worth))
        if len(members) > self.most:
            del members[_most_crowded([member.worth for member in members])]
        return True

    def choose(self, random: Callable[[], float]) -> Member[T]:
        """One of the members; of two, the one that was chosen less often."""
        members = self.members
        one, two = members[int(random() * len(members))], members[int(random() * len(members))]
        chosen = one if one.visits <= two.visits else two
        chosen.visits += 1
        return chosen


def _at_least(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a >= b for a, b in zip(one, other))


def _most_crowded(worths: list[tuple[float, ...]]) -> int:
    """The index of the member whose neighbours are nearest, as in NSGA-II; never one that is the best in some
    label."""
    room = [0.0] * len(worths)
    for label in range(len(worths[0])):
        order = sorted(range(len(worths)), key=lambda i: worths[i][label])
        lowest, highest = worths[order[0]][label], worths[order[-1]][label]
        span = highest - lowest
        room[order[0]] = room[order[-1]] = math.inf
        if not (0 < span < math.inf):
            continue
        for before, place, after in zip(order, order[1:], order[2:]):
            room[place] += (worths[after][label] - worths[before][label]) / span
    return min(range(len(worths)), key=room.__getitem__)
