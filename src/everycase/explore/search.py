"""Targeted search: the inputs climb towards what the property reports with ``maximize`` and ``minimize``.

One loop serves all strategies. It keeps a **base** (for several labels, one base per label), proposes a neighbour of
it, and asks the strategy whether to move there. Three things hold for every strategy, because they made the
difference wherever they were measured:

- a neighbour differs by few edits, and one that is just as good is accepted, so the search drifts over plateaus;
- a search that stalls starts again from a fresh value, with more patience each time;
- numbers with a wide range are also moved by line search: the same step doubled while it helps, then halved.

The first value is tested and searching starts with it. A test that is discarded still teaches, if it reported a
utility before. Nothing depends on the scale of the utilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Any

from everycase.choices.trace import Trace
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.gen.kinds import Int

Steps = Generator[Case, Outcome, None]

#: The size budget of the first value of a search: large enough to have something to change, small enough to change it.
START_SIZE = 64

#: Integers with more values than this are also moved by line search.
WIDE_RANGE = 1000

#: How many values that are no worse than another in every label are kept when there are several labels.
PARETO_SIZE = 32


class Base:
    """A value that the search may move from, and what it was worth."""

    __slots__ = ("trace", "utilities")

    def __init__(self, trace: Trace[Any], utilities: dict[str, float]) -> None:
        self.trace = trace
        self.utilities = utilities


class Search(Explorer):
    """What Climb and Anneal share. A strategy of your own overrides :meth:`begin` and :meth:`accept`."""

    def __init__(self, *, restart: int = 1000, ties: bool = True, line_search: bool = True) -> None:
        self.restart = restart
        self.ties = ties
        self.line_search = line_search

    # --- what a strategy decides ------------------------------------------------------------------------

    def begin(self, space: Space) -> Any:
        """The strategy's own state for one run."""
        return None

    def temperature(self, state: Any) -> float:
        """How far neighbours may be away, from 0 to 1."""
        return 1.0

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        """Whether to move from a base worth ``before`` to a neighbour worth ``now``."""
        raise NotImplementedError

    # --- the loop ---------------------------------------------------------------------------------------

    def explore(self, space: Space) -> Steps:
        state = self.begin(space)
        patience = self.restart
        first: Base | None = None
        while True:
            if first is None:
                first = yield from self._first(space)
            yield from self._life(space, state, first, patience)
            first = None
            patience += patience // 2

    def continue_from(self, space: Space, case: Case, outcome: Outcome) -> Steps:
        """Search from a case that something else proposed."""
        state = self.begin(space)
        if case.trace is not None:
            yield from self._life(space, state, Base(case.trace, outcome.utilities), self.restart)
        yield from self.explore(space)

    def _first(self, space: Space) -> Generator[Case, Outcome, Base]:
        """The first value that reports a utility; until one does, this is random testing."""
        case = space.enact(None, size=START_SIZE)
        while True:
            outcome = yield case
            if outcome.utilities and case.trace is not None:
                return Base(case.trace, outcome.utilities)
            case = space.sample()

    def _life(self, space: Space, state: Any, first: Base, patience: int) -> Steps:
        """Search from one value until it stalls."""
        random = space.random.random
        bases = dict.fromkeys(first.utilities, first)
        archive = [first]
        stalled = turn = 0
        while stalled < patience:
            labels = list(bases)
            label = labels[turn % len(labels)]
            turn += 1
            base = bases[label]
            if len(labels) > 1 and random() < 0.25:
                base = archive[int(random() * len(archive))]
            if (
                self.line_search
                and (place := _wide_number(base.trace, random)) is not None
                and random() < 0.1
            ):
                better = yield from self._line(space, base, label, place)
                stalled = (
                    0
                    if better is not base and better.utilities[label] > bases[label].utilities[label]
                    else stalled
                )
                if better.utilities[label] >= bases[label].utilities[label]:
                    bases[label] = better
                continue
            case = space.neighbor(base.trace, self.temperature(state))
            outcome = yield case
            stalled += 1
            if outcome.reset_requested:
                return
            trace = case.trace
            if not outcome.utilities or trace is None:
                continue
            found = Base(trace, outcome.utilities)
            for other, utility in outcome.utilities.items():
                known = bases.get(other)
                if known is None or utility > known.utilities[other]:
                    bases[other] = found
                    stalled = 0
            now = outcome.utilities.get(label)
            before = base.utilities.get(label)
            if now is None or before is None:
                continue
            if self.accept(state, before, now, random):
                bases[label] = found
            if len(labels) > 1:
                archive = _pareto(archive, found)

    def _line(
        self, space: Space, base: Base, label: str, path: tuple[int, ...]
    ) -> Generator[Case, Outcome, Base]:
        """Move one number: double the step while it helps, then halve it. Returns the best found."""
        for sign in (1, -1):
            step, growing = 1, True
            while step:
                node = base.trace.at(path)
                if node is None or not isinstance(node.gen, Int) or not isinstance(node.choice, int):
                    return base
                goal = node.choice + sign * step
                if node.gen.fits(goal):
                    case = space.enact(base.trace.replace(path, node.with_choice(goal)))
                    outcome = yield case
                    utility = outcome.utilities.get(label)
                    if utility is not None and case.trace is not None and utility > base.utilities[label]:
                        base = Base(case.trace, outcome.utilities)
                        step = step * 2 if growing else step
                        continue
                growing = False
                step //= 2
        return base


class Climb(Search):
    """Hill climbing: move to a neighbour that is at least as good."""

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        return now >= before if self.ties else now > before


def _wide_number(trace: Trace[Any], random: Callable[[], float]) -> tuple[int, ...] | None:
    wide = [
        path
        for path, node in trace.walk()
        if isinstance(node.gen, Int)
        and (node.gen.lo is None or node.gen.hi is None or node.gen.hi - node.gen.lo > WIDE_RANGE)
    ]
    return wide[int(random() * len(wide))] if wide else None


def _pareto(archive: list[Base], new: Base) -> list[Base]:
    """The archive with a new member, without those that another one beats in every label."""

    def dominates(a: Base, b: Base) -> bool:
        return all(a.utilities.get(label, -math.inf) >= worth for label, worth in b.utilities.items())

    if any(dominates(old, new) for old in archive):
        return archive
    return [*[old for old in archive if not dominates(new, old)][-(PARETO_SIZE - 1) :], new]
