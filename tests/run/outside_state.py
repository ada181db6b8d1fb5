"""State of another module, and objects that notice when somebody looks at them, for :mod:`test_conditions`."""

from __future__ import annotations

import itertools
from collections import defaultdict

limit = 2
allowed = [2]


def is_within(xs):
    return len(xs) > limit


def are_allowed(xs):
    return all(x <= allowed[0] for x in xs)


def raise_limit():
    global limit
    limit = (limit + 1) % 4


def allow_more():
    allowed[0] += 1


class Looked:
    """How often somebody looked."""

    def __init__(self):
        self.times = 0

    def look(self, answer):
        self.times += 1
        return answer


class Compared(Looked):
    def __eq__(self, other):
        return self.look(True)

    __hash__ = None


class Ordered(Looked):
    def __gt__(self, other):
        return self.look(True)


class Holding(Looked):
    def __contains__(self, thing):
        return self.look(True)


class Sized(Looked):
    def __len__(self):
        return self.look(2)


class Iterated(Looked):
    def __iter__(self):
        return self.look(iter([1]))


class Indexed(Looked):
    def __getitem__(self, place):
        return self.look(2)


class Added(Looked):
    def __radd__(self, other):
        return self.look(other)


class Truth(Looked):
    def __bool__(self):
        return self.look(True)


class Shown(Looked):
    def __str__(self):
        return self.look("")


class Hashed(Looked):
    def __hash__(self):
        return self.look(1)


class Computed(Looked):
    @property
    def size(self):
        return self.look(2)


class Lazy(Looked):
    def __getattr__(self, name):
        return self.look(2)


class Harmless:
    def __init__(self):
        self.values = [0, 1, 2]

    def __contains__(self, thing):
        return thing in self.values

    def __len__(self):
        return len(self.values)

    @property
    def least(self):
        return min(self.values)


compared, ordered, holding, sized = Compared(), Ordered(), Holding(), Sized()
iterated, indexed, added, truth = Iterated(), Indexed(), Added(), Truth()
shown, hashed, computed, lazy, harmless = Shown(), Hashed(), Computed(), Lazy(), Harmless()
turns = itertools.cycle([True, False])
kept = {"turns": [turns]}
groups: defaultdict[int, list[int]] = defaultdict(list)
