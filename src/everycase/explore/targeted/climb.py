"""Targeted search: the inputs climb towards what the property reports with ``maximize`` and ``minimize``.

One loop serves all strategies. It keeps a **base** (for several labels, one base per label), proposes a neighbour of
it, and asks the strategy whether to move there. Four things hold for every strategy, because they made the
difference wherever they were measured:

- a neighbour differs by few edits (how many is learned: :mod:`everycase.explore.targeted.step_size`), and one that is just as good
  is accepted, so the search drifts over plateaus;
- at first every other test is a fresh value, until that no longer pays: what is near a poor value is poor, too;
- a search that slows down goes on beside one from a fresh value (:mod:`everycase.explore.targeted.restarts`);
- numbers with a wide range are also moved by line search: the same step doubled while it helps, then halved.

The first value is tested and searching starts with it. A test that is discarded still teaches, if it reported a
utility before. Nothing depends on the scale of the utilities.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import Any

from everycase.choices.neighbor.edits import places
from everycase.choices.neighbor.rules import Manner
from everycase.choices.trace import Trace
from everycase.errors import EverycaseError, InvalidArgument
from everycase.explore.protocol import Case, Explorer, Outcome, Space
from everycase.explore.targeted.evolution import Joint
from everycase.explore.targeted.front import Front
from everycase.explore.targeted.line_search import Lines
from everycase.explore.targeted.restarts import Life, Running, in_turn
from everycase.explore.targeted.step_size import Pace
from everycase.gen.validate import require_bool, require_int

Steps = Generator[Case, Outcome, None]

#: The size budget of the first value of a search: large enough to have something to change, small enough to change it.
START_SIZE = 48

#: A neighbour that is just as good may be so many times as large as the last value that was better than all before it:
#: values must not grow for ever while nothing is gained.
ROOM = 3

#: With several labels, the share of steps that begin at a value which no other beats in every label. The others begin at
#: the best value of one label, which is an end of that front: what conflicts is decided between the ends.
ARCHIVE_SHARE = 0.9

#: How many of the values that were the best at some time are kept, to be combined with others.
KEPT = 16

#: A search that goes on from the best value of one that has slowed down is given this part of the other's tests, at least.
PATIENCE = 8

#: After so many tests with one and the same utility, that is worth a warning.
CONSTANT = 50

#: A search that may move to what is worse goes back to its best after so large a part of its life without a better one.
RETURN = 0.2


class Base:
    """A value that the search may move from, and what it was worth."""

    __slots__ = ("trace", "utilities", "valid")

    def __init__(self, trace: Trace[Any], outcome: Outcome) -> None:
        self.trace = trace
        self.utilities = outcome.utilities
        #: whether the test ran to its end; what is near a discarded value is often discarded, too
        self.valid = outcome.status != "discarded"


class Kept:
    """Values that were the best of a search at some time, for the moves that combine."""

    def __init__(self) -> None:
        self.traces: list[Trace[Any]] = []

    def keep(self, trace: Trace[Any], random: Callable[[], float]) -> None:
        if len(self.traces) < KEPT:
            self.traces.append(trace)
        else:
            self.traces[int(random() * KEPT)] = trace


class Search(Explorer):
    """What Climb and Anneal share. A strategy of your own overrides :meth:`begin` and :meth:`accept`.

    ``restart`` is the number of tests without improvement after which another search is begun beside this one (more of
    them the longer it took to get there). ``ties`` says whether a neighbour that is just as good is accepted,
    ``line_search`` whether wide numbers are also moved along a line, ``fresh`` whether fresh values are tried between
    the first neighbours.
    """

    def __init__(
        self,
        *,
        restart: int = 100,
        ties: bool = True,
        line_search: bool = True,
        fresh: bool = True,
        **unknown: Any,
    ) -> None:
        for name in unknown:
            raise InvalidArgument(
                f"{type(self).__name__} has no option {name!r}; there are restart, ties, line_search and fresh"
            )
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

    #: Whether the search goes back to its best when it has not found a better one for long.
    returns = False

    # --- what a strategy decides ------------------------------------------------------------------------

    def begin(self, space: Space) -> Any:
        """The strategy's own state for one run."""
        return None

    def tested(self, state: Any) -> None:
        """Called after every test of the search, whatever it was made for."""

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
        return self._search(space, None, asked_for=True)

    def continue_from(self, space: Space, case: Case, outcome: Outcome) -> Steps:
        """Search from a case that something else proposed, or from a fresh one if that is better."""
        known = case.trace is not None and not outcome.reset_requested
        return self._search(space, Base(case.trace, outcome) if known else None)  # type: ignore[arg-type]

    def _search(self, space: Space, known: Base | None, *, asked_for: bool = False) -> Steps:
        islands = self.islands()
        states, kept = [island.begin(space) for island in islands], Kept()
        begun = 0

        def begin(reset: bool, elder: Running | None) -> Generator[Case, Outcome, Running]:
            nonlocal known, states, kept, begun
            turn = begun % len(islands)
            begun += 1
            first, again = None, False
            if elder is not None and not reset and islands[turn].returns:
                first = elder.best()
            if first is None:
                first, again = yield from self._first(space)
            if reset or again:
                states, kept, begun, turn = [island.begin(space) for island in islands], Kept(), 1, 0
            elif known is not None and not _better(first, known):
                first = known
            known = None
            patience = self.restart
            if elder is not None and islands[turn].returns:
                patience = max(patience, elder.life.age // PATIENCE)
            life = Life(first.utilities, patience)
            walk = Walk(islands[turn], space, states[turn], first, life, kept)
            return Running(life, walk.steps(), alone=reset or again, best=walk.best_base)

        steps = in_turn(begin)
        seen = Seen(self, asked_for)
        try:
            case = next(steps)
            while True:
                outcome = yield case
                if outcome.utilities:
                    seen.utilities(outcome.utilities)
                for island, state in zip(islands, states):
                    island.tested(state)
                case = steps.send(outcome)
        finally:
            seen.warn(space)

    def islands(self) -> list[Search]:
        """The strategies that take turns, this one first."""
        return [self]

    def _first(self, space: Space) -> Generator[Case, Outcome, tuple[Base, bool]]:
        """The first value that reports a utility; until one does, this is random testing.

        Also whether a test before it asked for a new beginning.
        """
        case = space.enact(None, size=START_SIZE, how="start of a search")
        reset = False
        while True:
            outcome = yield case
            if outcome.reset_requested:
                reset = True
            elif outcome.utilities and case.trace is not None:
                return Base(case.trace, outcome), reset
            case = space.sample()


class Seen:
    """What the utilities of a search were, as far as there is something to say of them."""

    def __init__(self, search: Search, asked_for: bool) -> None:
        self.name = type(search).__name__
        self.asked_for = asked_for
        self.count = 0
        self.first: dict[str, float] = {}
        self.differ = False

    def utilities(self, reported: dict[str, float]) -> None:
        self.count += 1
        if not self.differ:
            for label, utility in reported.items():
                if self.first.setdefault(label, utility) != utility:
                    self.differ = True

    def warn(self, space: Space) -> None:
        if not self.count and self.asked_for:
            space.findings.warnings.append(
                f"{self.name}() searches for what a test reports with maximize or minimize, and no test reported "
                "anything: the inputs were random"
            )
        elif self.count >= CONSTANT and not self.differ:
            space.findings.warnings.append(
                "every test reported the same utility, so that there was nothing to search by: "
                + ", ".join(f"{label or 'utility'}={abs(utility):g}" for label, utility in self.first.items())
            )


class Walk:
    """One search from one first value: where it stands, by label, and what it has learned about its own steps."""

    def __init__(self, search: Search, space: Space, state: Any, first: Base, life: Life, kept: Kept) -> None:
        self.search, self.space, self.state, self.first, self.life = search, space, state, first, life
        self.bases = dict.fromkeys(first.utilities, first)
        #: the best so far by label, and the age at which it was found
        self.best = dict.fromkeys(first.utilities, (first, 0))
        self.front: Front[Base] = Front()
        self.front.add(first, first.utilities)
        self.kept = kept
        self.lines = Lines() if search.line_search else None
        self.joint = Joint() if search.line_search else None
        self.pace = Pace(search.fresh)
        self.room = ROOM * places(first.trace)

    def steps(self) -> Steps:
        random = self.space.random.random
        turn = 0
        while True:
            labels = list(self.bases)
            label = labels[turn % len(labels)]
            turn += 1
            sweep = self._sweep()
            if sweep is not None:
                base = self.bases[label]
                better = yield from sweep.follow(self.space, base, label)
                if sweep.reset_requested:
                    return
                if better is not base:
                    self._stand(label, better)
                    if len(labels) > 1:
                        self.front.add(better, better.utilities)
                continue
            base = self.bases[label]
            if len(labels) > 1 and random() < ARCHIVE_SHARE:
                base = self.front.choose(random).item
            if random() < self.pace.fresh:
                case = self._fresh()
                manner = None
            else:
                case = None
            if case is None:
                manner = self.pace.step(random, self._others(labels))
                wanted = manner.move
                case = self.space.neighbor(base.trace, self.search.temperature(self.state), manner)
                if wanted and not manner.move:
                    self.pace.not_applicable(wanted)
            outcome = yield case
            self.life.grow_older()
            if outcome.reset_requested:
                return
            self._learn(base, label, case, outcome, manner)

    def _sweep(self) -> Lines | Joint | None:
        """Whether the next tests move numbers: one along a line, or several at once.

        Lines are cheaper where they pay. They also pay, but little each time, in a valley that lies askew.
        """
        if self.lines is None or self.joint is None:
            return None
        random = self.space.random.random
        if random() < self.lines.chance:
            return self.lines
        return self.joint if random() < self.joint.chance * max(0.3, 1 - self.lines.share) else None

    def _others(self, labels: list[str]) -> Sequence[Trace[Any]]:
        """What a step may be combined with."""
        if len(labels) > 1:
            return [self.front.choose(self.space.random.random).item.trace for _ in range(2)]
        return self.kept.traces

    def _fresh(self) -> Case | None:
        """A fresh value, unless it is known by now: as where a search that is written by hand always begins."""
        case = self.space.enact(None, size=START_SIZE, how="start of a search")
        if case.trace is not None and case.trace.same_choices(self.first.trace):
            self.pace.learn_fresh(False)
            return None
        return case

    def _learn(self, base: Base, label: str, case: Case, outcome: Outcome, manner: Manner | None) -> None:
        """What a test says about where to stand and how to step; ``manner`` is None for a fresh value."""
        trace = case.trace
        if not outcome.utilities or trace is None:
            if manner is None:
                self.pace.learn_fresh(False)
            return
        found = Base(trace, outcome)
        stood = self.bases[label]
        ahead = False
        for other, utility in outcome.utilities.items():
            known = self.bases.get(other)
            if known is None or utility > known.utilities[other]:
                # A base may be worse than what was there before; to be better than that is nothing new.
                ahead = self._stand(other, found) or ahead
        if len(self.bases) > 1:
            self.front.add(found, found.utilities)
        if ahead:
            self.room = ROOM * places(trace)
        if manner is None:
            self.pace.learn_fresh(ahead)
            return
        now, before = outcome.utilities.get(label), base.utilities.get(label)
        if now is None or before is None:
            return
        self.pace.learn(manner, now - before, base.trace, found.trace)
        if now == before and (manner.long or manner.move == "runs" or (base.valid and not found.valid)):
            # Just as good, but it would fill up with what does no harm, or what is near it is mostly discarded.
            return
        if now == before and places(base.trace) < places(trace) > self.room:
            return
        if self._accepts(stood.utilities[label], now):
            self.bases[label] = found
        elif self.search.returns:
            best, when = self.best[label]
            if self.life.age - when > max(self.search.restart, RETURN * self.life.age):
                self.bases[label], self.best[label] = best, (best, self.life.age)

    def _accepts(self, before: float, now: float) -> bool:
        try:
            return self.search.accept(self.state, before, now, self.space.random.random)
        except EverycaseError:
            raise
        except Exception as problem:
            raise InvalidArgument(
                f"accept of {type(self.search).__name__} raised {type(problem).__name__}: {problem}"
            ) from problem

    def best_base(self) -> Base:
        """The best value of the label that is searched first."""
        return next(iter(self.best.values()))[0]

    def _stand(self, label: str, found: Base) -> bool:
        """Stand on a value that is better than the present one; whether it is the best so far."""
        self.bases[label] = found
        if not self.life.reached(label, found.utilities[label]):
            return False
        self.best[label] = found, self.life.age
        self.kept.keep(found.trace, self.space.random.random)
        return True


class Climb(Search):
    """Hill climbing: move to a neighbour that is at least as good."""

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        return now >= before if self.ties else now > before


def _better(one: Base, other: Base) -> bool:
    """Whether there is a label in which it is better."""
    return any(worth > other.utilities.get(label, -math.inf) for label, worth in one.utilities.items())
