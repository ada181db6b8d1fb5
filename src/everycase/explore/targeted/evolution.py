"""Several numbers at once: an evolution strategy that learns the directions in which a utility rises.

Where a valley lies askew, no step along one number leads down it. The (1+1) strategy of Igel, Suttorp and Hansen (2006)
draws steps from a normal distribution and learns from those that paid: how long they should be, and in which directions
(their covariance). It starts from the best value found, and is tried less and less often as long as it does not pay.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from everycase.choices.neighbor.edits import without_fresh
from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome, Space
from everycase.explore.targeted.base import Base, Gains
from everycase.explore.targeted.line_search import has_fresh_parts, wide_numbers
from everycase.gen.kinds import Int

Path = tuple[int, ...]

#: How many numbers are moved together: with fewer a line will do, with more the covariance takes too long to learn.
FEWEST, MOST = 2, 24

#: The share of steps that should pay, the share above which the covariance is left alone, and how fast the share is learned.
PAYS, OFTEN, MEMORY = 2 / 11, 0.44, 1 / 12

#: A step length (as a share of a number's scale) below which the strategy begins again.
FINEST = 1e-13


class Joint:
    """Evolution of the numbers of one search. ``chance`` is how likely the next step should be some of its steps."""

    def __init__(self) -> None:
        self.chance = 0.1
        self.gains = Gains()
        #: whether the last value had as many numbers as can be moved together
        self.applies = True
        #: whether a test asked for a new beginning
        self.reset_requested = False
        self._paths: list[Path] = []
        self._steps: Covariance | None = None

    def follow(self, space: Space, base: Base, label: str) -> Generator[Case, Outcome, Base]:
        """Some steps from the base; returns the best found, or the base itself."""
        paths = wide_numbers(base.trace)
        self.applies = FEWEST <= len(paths) <= MOST
        if not self.applies:
            self.chance = min(self.chance, 0.002)
            return base
        if paths != self._paths or self._steps is None or self._steps.length < FINEST:
            self._paths = paths
            self._steps = Covariance(len(paths))
        started, tests = base, 0
        left = 8 + len(paths)
        while left > 0:
            left -= 1
            direction = self._steps.draw(space.random.gauss)
            moved = _moved(base.trace, paths, direction, self._steps.length)
            if moved is None:
                self._steps.learn(direction, False)
                continue
            partial = without_fresh(moved) if has_fresh_parts(base.trace) else moved
            case = space.enact(partial, how="crossed with another good input")
            outcome = yield case
            tests += 1
            if outcome.reset_requested:
                self.reset_requested = True
                return base
            utility = outcome.utilities.get(label)
            better = utility is not None and case.trace is not None and utility > base.utilities[label]
            self._steps.learn(direction, better)
            if better:
                assert case.trace is not None
                base = Base(case.trace, outcome)
                left += 4
                if wide_numbers(base.trace) != paths:
                    break  # the numbers decide about their own places, too
        self.gains.learn(base.utilities[label] - started.utilities[label], tests)
        self.chance = min(0.5, self.chance * 1.5) if base is not started else max(0.01, self.chance * 0.8)
        return base


def _moved(trace: Trace[Any], paths: list[Path], direction: list[float], length: float) -> Trace[Any] | None:
    """All numbers moved in a direction; None if that changes nothing."""
    result, changed = trace, False
    for path, share in zip(paths, direction):
        node: Any = trace.at(path)
        gen = node.gen
        bounded = gen.lo is not None and gen.hi is not None and gen.hi - gen.lo < 1e9
        scale = (gen.hi - gen.lo) / 10 if bounded else abs(node.choice) + 1
        goal = node.choice + share * length * scale
        if isinstance(gen, Int):
            goal = round(goal) if abs(goal) < 2**62 else node.choice
        if gen.lo is not None:
            goal = max(goal, gen.lo)
        if gen.hi is not None:
            goal = min(goal, gen.hi)
        if goal != node.choice and gen.fits(goal):
            result = result.replace(path, node.with_choice(goal))
            changed = True
    return result if changed else None


class Covariance:
    """The normal distribution that steps are drawn from, and what it learns from each."""

    def __init__(self, count: int) -> None:
        self.count = count
        #: the length of a step
        self.length = 1.0
        self._pays = PAYS
        self._path = [0.0] * count
        self._matrix = [[float(i == j) for j in range(count)] for i in range(count)]
        self._root = [row[: i + 1] for i, row in enumerate(self._matrix)]

    def draw(self, gauss: Any) -> list[float]:
        """A direction."""
        normal = [gauss(0.0, 1.0) for _ in range(self.count)]
        return [sum(a * z for a, z in zip(row, normal)) for row in self._root]

    def learn(self, direction: list[float], better: bool) -> None:
        """A step in a direction paid, or did not."""
        count = self.count
        self._pays += MEMORY * (better - self._pays)
        self.length *= math.exp((self._pays - PAYS) / (1 - PAYS) / (1 + count / 2))
        if not better:
            return
        fading, share = 2 / (count + 2), 2 / (count * count + 6)
        path = self._path = [(1 - fading) * p for p in self._path]
        kept = 1 - share
        if self._pays < OFTEN:
            gain = math.sqrt(fading * (2 - fading))
            for i, d in enumerate(direction):
                path[i] += gain * d
        else:
            kept += share * fading * (2 - fading)
        for i, row in enumerate(self._matrix):
            for j in range(count):
                row[j] = kept * row[j] + share * path[i] * path[j]
        self._root = _cholesky(self._matrix) or self._root


def _cholesky(matrix: list[list[float]]) -> list[list[float]] | None:
    """The lower triangle whose product with its own transpose is the matrix; None if rounding has spoilt it."""
    root: list[list[float]] = []
    for i, row in enumerate(matrix):
        line: list[float] = []
        for j in range(i + 1):
            rest = row[j] - sum(a * b for a, b in zip(line, root[j] if j < i else line))
            if j < i:
                line.append(rest / root[j][j])
            elif rest <= 0:
                return None
            else:
                line.append(math.sqrt(rest))
        root.append(line)
    return root
