"""Targeted search: the inputs climb towards what the property reports with ``maximize`` and ``minimize``.

One loop serves all strategies. It keeps a **base** (for several labels, one base per label), proposes a neighbour of
it, and asks the strategy whether to move there. Four things hold for every strategy, because they made the
difference wherever they were measured:

- a neighbour differs by few edits (how many is learned: :mod:`everycase.explore.pace`), and one that is just as good
  is accepted, so the search drifts over plateaus;
- at first every other test is a fresh value, until that no longer pays: what is near a poor value is poor, too;
- a search that slows down goes on beside one from a fresh value (:mod:`everycase.explore.lives`);
- numbers with a wide range are also moved by line search: the same step doubled while it helps, then halved.

The first value is tested and searching starts with it. A test that is discarded still teaches, if it reported a
utility before. Nothing depends on the scale of the utilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from typing import Any

from everycase.choices.neighbor import places
from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.lines import Lines
from everycase.explore.lives import Life, Running, in_turn
from everycase.explore.pace import Pace
from everycase.gen.validate import require_bool, require_int

Steps = Generator[Case, Outcome, None]

#: The size budget of the first value of a search: large enough to have something to change, small enough to change it.
START_SIZE = 48

#: A neighbour that is just as good may be so many times as large as the last value that was better than all before it:
#: values must not grow for ever while nothing is gained.
ROOM = 3

#: How many values that are no worse than another in every label are kept when there are several labels.
PARETO_SIZE = 32


class Base:
    """A value that the search may move from, and what it was worth."""

    __slots__ = ("trace", "utilities", "valid")

    def __init__(self, trace: Trace[Any], outcome: Outcome) -> None:
        self.trace = trace
        self.utilities = outcome.utilities
        #: whether the test ran to its end; what is near a discarded value is often discarded, too
        self.valid = outcome.status != "discarded"


class Search(Explorer):
    """What Climb and Anneal share. A strategy of your own overrides :meth:`begin` and :meth:`accept`.

    ``restart`` is the number of tests without improvement after which another search is begun beside this one (more of
    them the longer it took to get there). ``ties`` says whether a neighbour that is just as good is accepted,
    ``line_search`` whether wide numbers are also moved along a line, ``fresh`` whether fresh values are tried between
    the first neighbours.
    """

    def __init__(
        self, *, restart: int = 100, ties: bool = True, line_search: bool = True, fresh: bool = True
    ) -> None:
        require_int("restart", restart)
        if restart < 1:
            raise InvalidArgument(f"restart={restart} must be at least 1")
        require_bool("ties", ties)
        require_bool("line_search", line_search)
        require_bool("fresh", fresh)
        self.restart = restart
        self.ties = ties
        self.line_search = line_search
        self.fresh = fresh

    # --- what a strategy decides ------------------------------------------------------------------------

    def begin(self, space: Space) -> Any:
        """The strategy's own state for one run."""
        return None

    def temperature(self, state: Any) -> float:
        """How far neighbours may be away, from 0 to 1."""
        return 1.0

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        """Whether to move from a base worth ``before`` to a neighbour worth ``now``.

        Not asked about fresh values: the search goes on from one that is better, and from no other.
        """
        raise NotImplementedError

    # --- the loop ---------------------------------------------------------------------------------------

    def explore(self, space: Space) -> Steps:
        return self._search(space, None)

    def continue_from(self, space: Space, case: Case, outcome: Outcome) -> Steps:
        """Search from a case that something else proposed, or from a fresh one if that is better."""
        known = case.trace is not None and not outcome.reset_requested
        return self._search(space, Base(case.trace, outcome) if known else None)  # type: ignore[arg-type]

    def _search(self, space: Space, known: Base | None) -> Steps:
        state = self.begin(space)

        def begin() -> Generator[Case, Outcome, Running]:
            nonlocal known
            first, reset = yield from self._first(space)
            if known is not None and not reset and not _better(first, known):
                first = known
            known = None
            life = Life(first.utilities, self.restart)
            return Running(life, self._steps(space, state, first, life), alone=reset)

        yield from in_turn(begin)

    def _first(self, space: Space) -> Generator[Case, Outcome, tuple[Base, bool]]:
        """The first value that reports a utility; until one does, this is random testing.

        Also whether a test before it asked for a new beginning.
        """
        case = space.enact(None, size=START_SIZE)
        reset = False
        while True:
            outcome = yield case
            if outcome.reset_requested:
                reset = True
            elif outcome.utilities and case.trace is not None:
                return Base(case.trace, outcome), reset
            case = space.sample()

    def _steps(self, space: Space, state: Any, first: Base, life: Life) -> Steps:
        """Search from one value, for ever or until a test asks for a new beginning."""
        random = space.random.random
        bases = dict.fromkeys(first.utilities, first)
        archive = [first]
        lines = Lines() if self.line_search else None
        turn = 0
        pace = Pace(self.fresh)
        room = ROOM * places(first.trace)
        labels = list(bases)
        while True:
            if len(labels) != len(bases):
                labels = list(bases)
            label = labels[turn % len(labels)]
            turn += 1
            base = elite = bases[label]
            if lines is not None and random() < lines.chance:
                better = yield from lines.follow(space, base, label)
                if lines.reset_requested:
                    return
                if better is not base:
                    bases[label] = better
                    life.reached(label, better.utilities[label])
                continue
            if len(labels) > 1 and random() < 0.25:
                base = archive[int(random() * len(archive))]
            fresh = random() < pace.fresh
            manner = pace.step(random)
            if fresh:
                case = space.enact(None, size=START_SIZE)
                if case.trace is not None and case.trace.same_choices(first.trace):
                    # As where a search that is written by hand always begins: that is known by now.
                    pace.learn_fresh(False)
                    fresh = False
            if not fresh:
                case = space.neighbor(base.trace, self.temperature(state), manner)
            outcome = yield case
            life.grow_older()
            if outcome.reset_requested:
                return
            trace = case.trace
            if not outcome.utilities or trace is None:
                if fresh:
                    pace.learn_fresh(False)
                continue
            found = Base(trace, outcome)
            ahead = False
            for other, utility in outcome.utilities.items():
                known = bases.get(other)
                if known is None or utility > known.utilities[other]:
                    bases[other] = found
                    # A base may be worse than what was there before; to be better than that is nothing new.
                    if life.reached(other, utility):
                        ahead = True
            if ahead:
                room = ROOM * places(trace)
            if fresh:
                pace.learn_fresh(ahead)
                if len(bases) > 1:
                    archive = _pareto(archive, found)
                continue
            now, before = outcome.utilities.get(label), base.utilities.get(label)
            if now is None or before is None:
                continue
            pace.learn(manner, now - before, base.trace, found.trace)
            if now == before and (manner.long or (base.valid and not found.valid)):
                # Just as good, but it would fill up with what does no harm, or what is near it is mostly discarded.
                continue
            if now == before and places(base.trace) < places(trace) > room:
                continue
            if self.accept(state, elite.utilities[label], now, random):
                bases[label] = found
            if len(labels) > 1:
                archive = _pareto(archive, found)


class Climb(Search):
    """Hill climbing: move to a neighbour that is at least as good."""

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        return now >= before if self.ties else now > before


def _better(one: Base, other: Base) -> bool:
    """Whether there is a label in which it is better."""
    return any(worth > other.utilities.get(label, -math.inf) for label, worth in one.utilities.items())


def _pareto(archive: list[Base], new: Base) -> list[Base]:
    """The archive with a new member, without those that another one beats in every label."""

    def dominates(a: Base, b: Base) -> bool:
        return all(a.utilities.get(label, -math.inf) >= worth for label, worth in b.utilities.items())

    if any(dominates(old, new) for old in archive):
        return archive
    return [*[old for old in archive if not dominates(new, old)][-(PARETO_SIZE - 1) :], new]
