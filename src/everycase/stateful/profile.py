"""Which rules a random run prefers.

A run that takes every rule equally often hardly ever fills a queue or raises a counter, because one rule
undoes what another did. So each run prefers some rules and leaves others out (swarm testing), sometimes
repeats a rule many times, and reuses earlier arguments. Profiles that lead to new sequences are kept, and
later runs vary them. Rules that rarely get a chance are taken more often when they do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise

#: Maximum number of profiles that led to something new to keep.
KEPT = 8


class Profile:
    """How one run rolls its dice."""

    __slots__ = ("cumulated", "repeat", "reuse", "total", "weights")

    def __init__(self, weights: Sequence[float], repeat: float = 0.0, reuse: float = 0.2) -> None:
        self.weights = weights
        self.cumulated = list(accumulate(weights))
        self.total = self.cumulated[-1]
        #: how often a step takes the same rule as the one before
        self.repeat = repeat
        #: how often an argument is one that was given before
        self.reuse = reuse

    def pick(self, random: Callable[[], float]) -> int:
        """The number of a rule."""
        return bisect_right(self.cumulated, random() * self.total)

    def among(self, numbers: Sequence[int], random: Callable[[], float]) -> int:
        """One of some numbers; one that this run leaves out only if there is no other."""
        sums = list(accumulate(self.weights[number] for number in numbers))
        if sums[-1] <= 0:
            return numbers[int(random() * len(numbers))]
        return numbers[bisect_right(sums, random() * sums[-1])]


class Basis:
    """What is known when a run begins. It does not change, so that the same run can be repeated."""

    __slots__ = ("known", "rarity")

    def __init__(self, rarity: tuple[float, ...], known: tuple[Profile, ...]) -> None:
        self.rarity = rarity
        self.known = known

    def profile(self, random: Callable[[], float]) -> Profile:
        """The profile of one run."""
        count = len(self.rarity)
        r = random()
        if r < 0.15 or count == 1:
            return Profile(self.rarity, 0.0, 0.15)
        if r < 0.4 and self.known:
            old = self.known[int(random() * len(self.known))]
            weights = list(old.weights)
            place = int(random() * count)
            weights[place] = 0.0 if random() < 0.4 else self.rarity[place] * 4 ** (2 * random() - 1)
            if not any(weights):
                weights[place] = 1.0
            return Profile(weights, old.repeat, old.reuse)
        # The number of rules that are left out also differs from run to run.
        left_out = 0.6 * random()
        weights = [0.0 if random() < left_out else rarity * 4 ** (2 * random() - 1) for rarity in self.rarity]
        if not any(weights):
            weights[int(random() * count)] = 1.0
        repeat = 0.4 + 0.5 * random() if random() < 0.2 else 0.0
        return Profile(weights, repeat, (0.05, 0.3, 0.7)[int(3 * random())])


class Learning:
    """What the runs of one property have shown so far."""

    def __init__(self, count: int) -> None:
        self.taken = [1.0] * count
        self._seen: set[int] = set()
        self._known: list[Profile] = []
        self.basis = Basis((1.0,) * count, ())

    def learn(self, profile: Profile, numbers: Sequence[int]) -> None:
        """Record the rules that a run took, in order."""
        taken, count = self.taken, len(self.taken)
        for number in numbers:
            taken[number] += 1
        # Two rules in a row, by how often they occurred: rare enough to be counted, frequent enough to
        # matter.
        pairs: dict[int, int] = {}
        for one, other in pairwise(numbers):
            pair = one * count + other
            pairs[pair] = pairs.get(pair, 0) + 1
        features = {pair * 8 + times.bit_length() for pair, times in pairs.items()}
        new = features - self._seen
        if new:
            self._seen |= new
            self._known = [*self._known[-(KEPT - 1) :], profile]
        mean = sum(taken) / count
        self.basis = Basis(
            tuple(min(4.0, max(0.5, (mean / each) ** 0.5)) for each in taken), tuple(self._known)
        )
