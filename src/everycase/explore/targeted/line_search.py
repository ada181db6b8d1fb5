"""Line search: move one number in one direction, with longer steps while it helps and shorter ones after.

On smooth problems this finds in a few dozen tests what random steps need thousands for. On others it is a waste, so it
is tried less and less often as long as it does not pay.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from everycase.choices.neighbor.edits import places, without_fresh
from everycase.choices.neighbor.rules import WIDE_RANGE
from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome, Space
from everycase.explore.targeted.base import Base, Gains
from everycase.gen.kinds import Float, Int

#: The shortest step along a line of floats, as a share of the number itself.
FINEST = 2.0**-40


#: How likely a step is a line search: at first, at least, at most.
CHANCE, LEAST_CHANCE, MOST_CHANCE = 0.25, 0.01, 0.5


class Lines:
    """Line searches within one search. ``chance`` is how likely the next step should be one."""

    def __init__(self) -> None:
        self.chance = CHANCE
        self.gains = Gains()
        self._tests = 0
        #: whether a test asked for a new beginning
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

    def _along(
        self, space: Space, base: Base, label: str, path: tuple[int, ...]
    ) -> Generator[Case, Outcome, Base]:
        """Double the step while it helps, then halve it; first upwards, then downwards if that never helped."""
        for sign in (1, -1):
            started = base
            node: Any = base.trace.at(path)
            step, finest, halve = _steps(node)
            growing = True
            while step >= finest:
                node = base.trace.at(path)
                goal = node.choice + sign * step
                if node.gen.fits(goal):
                    moved = base.trace.replace(path, node.with_choice(goal))
                    partial = without_fresh(moved) if has_fresh_parts(base.trace) else moved
                    case = space.enact(partial, how="further along a step that paid")
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
                            return base  # the number decides about its own place, too
                        continue
                growing = False
                step = halve(step)
            if base is not started:
                break
        return base


def wide_numbers(trace: Trace[Any]) -> list[tuple[int, ...]]:
    """The places of all numbers that have enough values for distances between them to mean something.

    What a person has described the moves of, or wants to be drawn afresh, is left alone.
    """
    found: list[tuple[int, ...]] = []
    pending: list[tuple[tuple[int, ...], Trace[Any]]] = [((), trace)]
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
