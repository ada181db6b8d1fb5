"""How a search moves numbers: one along a line, or several at once.

**Line search** moves one number in one direction, with longer steps while it helps and shorter ones after. On smooth
problems it finds in a few dozen tests what takes random steps thousands.

In a diagonal valley, no step along a single number improves. The **evolution strategy** (1+1) of Igel,
Suttorp and Hansen (2006) draws steps from a normal distribution and learns from those that paid off: how long
they should be, and in which directions (their covariance). It starts from the best value found.

Both are tried less and less often as long as they do not pay off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Any

from everycase.choices.neighbor.edits import places, without_fresh
from everycase.choices.neighbor.rules import WIDE_RANGE, of_width
from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome, Space
from everycase.explore.targeted.base import Base, Gains
from everycase.gen.kinds import Float, Int

Path = tuple[int, ...]

#: The shortest step along a line of floats, as a share of the number itself.
FINEST = 2.0**-40

#: A step that changes nothing is made this many times as long, and that this many times: some numbers do not matter.
#: It is done less often while it does not pay.
STRIDE, STRIDES, LEAST_STRIDE = 16, 4, 0.1

#: How likely a step is a line search: at first, at least, at most.
CHANCE, LEAST_CHANCE, MOST_CHANCE = 0.25, 0.01, 0.5


class LineSearch:
    """Line searches within one search. ``chance`` is how likely the next step should be one."""

    def __init__(self) -> None:
        self.chance = CHANCE
        self.gains = Gains()
        #: how likely a step that changes nothing is made longer
        self._stride = 1.0
        self._tests = 0
        #: whether a test asked for a restart
        self.reset_requested = False

    def follow(self, space: Space, base: Base, label: str) -> Generator[Case, Outcome, Base]:
        """Move some number of the base for the better; returns the best found, or the base itself."""
        wide = wide_numbers(base.trace)
        if not wide:
            self.chance = min(self.chance, 0.002)
            return base
        path = wide[int(space.random.random() * len(wide))]
        self._tests = 0
        better = yield from self._along(space, base, label, path)
        paid = better is not base
        self.gains.learn(better.utilities[label] - base.utilities[label], self._tests)
        self.chance = min(MOST_CHANCE, self.chance * 2) if paid else max(LEAST_CHANCE, self.chance * 0.8)
        return better

    def _along(self, space: Space, base: Base, label: str, path: Path) -> Generator[Case, Outcome, Base]:
        """Double the step while it helps, then halve it; first upwards, then downwards if that never helped.

        A step that changes nothing is too short: a number that is rounded has to move far to make a difference.
        """
        for sign in (1, -1):
            started = base
            strode = False
            node: Any = base.trace.at(path)
            step, finest, halve = _steps(node)
            growing, strides = True, STRIDES if space.random.random() < self._stride else 0
            while step >= finest:
                node = base.trace.at(path)
                goal = of_width(node.gen, node.choice + sign * step)
                if goal != node.choice and node.gen.fits(goal):
                    moved = base.trace.replace(path, node.with_choice(goal))
                    partial = without_fresh(moved) if has_fresh_parts(base.trace) else moved
                    case = space.enact(partial, how="one number moved along a line")
                    outcome = yield case
                    self._tests += 1
                    if outcome.reset_requested:
                        self.reset_requested = True
                        return base
                    utility = outcome.utilities.get(label)
                    if utility is not None and case.trace is not None and utility > base.utilities[label]:
                        base = Base(case.trace, outcome)
                        step = step * 2 if growing else step
                        if base.trace.at(path) is None:
                            return base  # the number also decides its own position
                        continue
                    if growing and strides and utility == base.utilities[label]:
                        strides -= 1
                        step *= STRIDE
                        strode = True
                        continue
                growing = False
                step = halve(step)
            if strode:
                self._stride = 1.0 if base is not started else max(LEAST_STRIDE, self._stride * 0.6)
            if base is not started:
                break
        return base


def wide_numbers(trace: Trace[Any]) -> list[Path]:
    """The places of all numbers that have enough values for distances between them to mean something.

    Parts with hand-written moves, or parts that are always redrawn, are left alone.
    """
    found: list[Path] = []
    pending: list[tuple[Path, Trace[Any]]] = [((), trace)]
    while pending:
        path, node = pending.pop()
        if node.gen is not None and node.gen.remark is not None:
            continue
        if _is_wide(node):
            found.append(path)
        children = enumerate(node.children)
        pending += reversed([((*path, i), child) for i, child in children if child is not None])
    return found


def _is_wide(node: Trace[Any]) -> bool:
    gen = node.gen
    if isinstance(gen, Int):
        return gen.lo is None or gen.hi is None or gen.hi - gen.lo > WIDE_RANGE
    # A float that is no number, or infinite, has no direction.
    return isinstance(gen, Float) and isinstance(node.choice, float) and abs(node.choice) < float("inf")


def has_fresh_parts(trace: Trace[Any]) -> bool:
    places(trace)  # marks them
    return trace._fresh


def _steps(node: Trace[Any]) -> tuple[Any, Any, Callable[[Any], Any]]:
    """The first step, the shortest one, and how to shorten it."""
    if isinstance(node.gen, Int):
        return 1, 1, lambda step: step // 2
    scale = abs(node.choice or 0.0) + 1.0
    return scale * 2.0**-10, scale * FINEST, lambda step: step / 4


# --- several numbers at once ----------------------------------------------------------------------------

#: How many numbers are moved together: for fewer, a line search will do; for more, the covariance takes too
#: long to learn.
FEWEST, MOST = 2, 24

#: The share of steps that should pay off, the share above which the covariance is left alone, and how fast
#: the share is learned.
PAYS, OFTEN, MEMORY = 2 / 11, 0.44, 1 / 12

#: The step length (as a share of a number's scale) below which the strategy starts again.
FINEST_LENGTH = 1e-13


class Evolution:
    """Evolution of the numbers of one search. ``chance`` is how likely the next step should be some of its steps."""

    def __init__(self) -> None:
        self.chance = 0.1
        self.gains = Gains()
        #: whether the last value had as many numbers as can be moved together
        self.applies = True
        #: whether a test asked for a restart
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
        if paths != self._paths or self._steps is None or self._steps.length < FINEST_LENGTH:
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
            case = space.enact(partial, how="several numbers moved together")
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
                    break  # the numbers also decide their own positions
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
        goal = of_width(gen, node.choice + share * length * scale)
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
    """The normal distribution of the steps, and what it learns from each step."""

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
    """The lower triangle whose product with its own transpose is the matrix; None if rounding errors prevent
    it."""
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
