"""One search from one first value: which neighbour it tries next, and how it moves."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import Any, Protocol

from everycase.choices.neighbor.edits import places
from everycase.choices.neighbor.rules import Manner
from everycase.choices.trace import Trace
from everycase.errors import Discarded, EverycaseError, InvalidArgument
from everycase.explore.protocol import Case, Outcome, Space
from everycase.explore.targeted.base import Base, fresh_case
from everycase.explore.targeted.front import Front
from everycase.explore.targeted.numbers import Evolution, LineSearch
from everycase.explore.targeted.restarts import SearchHistory
from everycase.explore.targeted.step_size import StepSize

#: A neighbour that is equally good may be at most this many times as large as the last value that was better
#: than all before it: values must not keep growing while nothing is gained.
ROOM = 3

#: With several labels, the share of steps that start from a value on the front. The others start from the
#: best value of one label, which is an end of the front: conflicts are decided between the ends.
ARCHIVE_SHARE = 0.9

#: Maximum number of elites.
ELITES = 16

#: A search that accepts losses returns to its best value after this share of its tests without improvement.
RETURN = 0.2

#: Line searches and joint moves each get at least this share of the steps that move numbers.
LEAST_SHARE = 0.2

Steps = Generator[Case, Outcome, None]


class Strategy(Protocol):
    """What a walk needs from its strategy."""

    restart: int
    returns: bool
    line_search: bool
    fresh: bool

    def temperature(self, state: Any) -> float: ...

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool: ...


def ask(search: Strategy, method: str, *arguments: Any) -> Any:
    """The answer of a method that a user may have written, or an error that names the method."""
    try:
        return getattr(search, method)(*arguments)
    except Exception as problem:
        if isinstance(problem, EverycaseError) and not isinstance(problem, Discarded):
            raise
        raise InvalidArgument(
            f"{method} of {type(search).__name__} raised {type(problem).__name__}: {problem}"
        ) from problem


class Elites:
    """Values that were the best of a search at some time, for the moves that combine."""

    def __init__(self) -> None:
        self.traces: list[Trace[Any]] = []

    def keep(self, trace: Trace[Any], random: Callable[[], float]) -> None:
        if len(self.traces) < ELITES:
            self.traces.append(trace)
        else:
            self.traces[int(random() * ELITES)] = trace


class Walk:
    """One search from one first value: its base by label, and what it has learned about its steps."""

    def __init__(
        self, search: Strategy, space: Space, state: Any, first: Base, history: SearchHistory, elites: Elites
    ) -> None:
        self.search, self.space, self.state, self.first, self.history = search, space, state, first, history
        self.bases = dict.fromkeys(first.utilities, first)
        #: the best so far by label, and after how many tests it was found
        self.best = dict.fromkeys(first.utilities, (first, 0))
        self.front: Front[Base] = Front()
        self.front.add(first, first.utilities)
        self.elites = elites
        self.lines = LineSearch() if search.line_search else None
        self.joint = Evolution() if search.line_search else None
        self.step_size = StepSize(search.fresh)
        self.room = ROOM * places(first.trace)

    def welcome(self, other: Base) -> None:
        """Another value to start from: it becomes the base for the labels in which it is the best."""
        for label, utility in other.utilities.items():
            stood = self.bases.get(label)
            if stood is None or utility > stood.utilities[label]:
                self._stand(label, other)
        self.front.add(other, other.utilities)

    def see(self, case: Case, outcome: Outcome) -> None:
        """A test that this search did not propose. Its choices are recorded only if it is the best so far."""
        best = self.history.best
        if any(utility > best.get(label, -math.inf) for label, utility in outcome.utilities.items()):
            trace = case.trace
            if trace is not None:
                self.welcome(Base(trace, outcome))

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
                if better is not base and self.bases[label].utilities[label] <= better.utilities[label]:
                    self._stand(label, better)
                    if len(labels) > 1:
                        self.front.add(better, better.utilities)
                continue
            base = self.bases[label]
            if len(labels) > 1 and random() < ARCHIVE_SHARE:
                base = self.front.choose(random).item
            if random() < self.step_size.fresh:
                case = self._fresh()
                manner = None
            else:
                case = None
            if case is None:
                manner = self.step_size.step(random, self._others(labels))
                wanted = manner.move
                case = self.space.neighbor(base.trace, self._temperature(), manner)
                if wanted and not manner.move:
                    self.step_size.not_applicable(wanted)
            outcome = yield case
            self.history.count_test()
            if outcome.reset_requested:
                return
            self._learn(base, label, case, outcome, manner)

    def _sweep(self) -> LineSearch | Evolution | None:
        """Whether the next tests move numbers: one along a line, or several at once, whichever gained more
        per test.

        In a diagonal valley a line search also pays off, a little each time.
        """
        lines, joint = self.lines, self.joint
        if lines is None or joint is None:
            return None
        random = self.space.random.random
        if random() >= max(lines.chance, joint.chance):
            return None
        if not joint.applies:
            return lines
        both = lines.gains.rate + joint.gains.rate
        share = joint.gains.rate / both if both else 0.5
        return joint if random() < min(max(share, LEAST_SHARE), 1 - LEAST_SHARE) else lines

    def _others(self, labels: list[str]) -> Sequence[Trace[Any]]:
        """What a step may be combined with."""
        if len(labels) > 1:
            return [self.front.choose(self.space.random.random).item.trace for _ in range(2)]
        return self.elites.traces

    def _fresh(self) -> Case | None:
        """A fresh value, unless it is already known: a hand-written search always starts at the same
        value."""
        case = fresh_case(self.space)
        if case.trace is not None and case.trace.same_choices(self.first.trace):
            self.step_size.learn_fresh(False)
            return None
        return case

    def _learn(self, base: Base, label: str, case: Case, outcome: Outcome, manner: Manner | None) -> None:
        """Learn from a test where to stand and how to step; ``manner`` is None for a fresh value."""
        trace = case.trace
        if not outcome.utilities or trace is None:
            if manner is None:
                self.step_size.learn_fresh(False)
            return
        found = Base(trace, outcome)
        stood = self.bases[label]
        ahead = False
        for other, utility in outcome.utilities.items():
            known = self.bases.get(other)
            if known is None or utility > known.utilities[other]:
                # A base may be worse than an earlier one; to beat it is then nothing new.
                ahead = self._stand(other, found) or ahead
        if len(self.bases) > 1:
            self.front.add(found, found.utilities)
        if ahead:
            self.room = ROOM * places(trace)
        if manner is None:
            self.step_size.learn_fresh(ahead)
            return
        now, before = outcome.utilities.get(label), base.utilities.get(label)
        if now is None or before is None:
            return
        self.step_size.learn(manner, now - before, base.trace, found.trace)
        if now == before and (manner.long or manner.move == "runs" or (base.valid and not found.valid)):
            # Equally good, but values would fill up with harmless copies, or its neighbours are mostly
            # discarded.
            return
        if now == before and places(base.trace) < places(trace) > self.room:
            return
        if self._accepts(stood.utilities[label], now):
            self.bases[label] = found
        elif self.search.returns:
            best, when = self.best[label]
            if self.history.tests - when > max(self.search.restart, RETURN * self.history.tests):
                self.bases[label], self.best[label] = best, (best, self.history.tests)

    def _accepts(self, before: float, now: float) -> bool:
        answer = ask(self.search, "accept", self.state, before, now, self.space.random.random)
        if answer is True or answer is False:
            return answer
        if type(answer).__name__ not in ("bool", "bool_"):  # the second one is numpy's
            raise InvalidArgument(
                f"accept of {type(self.search).__name__} returned {answer!r}; it must return True or False"
            )
        return bool(answer)

    def _temperature(self) -> float:
        """How far away neighbours may be, according to the strategy."""
        answer = ask(self.search, "temperature", self.state)
        if type(answer) is float and 0 <= answer <= 1:
            return answer
        number = isinstance(answer, int | float) and not isinstance(answer, bool)
        if not (number and 0 <= answer <= 1):
            raise InvalidArgument(
                f"temperature of {type(self.search).__name__} returned {answer!r}; it must be a number between 0 and 1"
            )
        return float(answer)

    def best_base(self) -> Base:
        """The best value of the label that is searched first."""
        return next(iter(self.best.values()))[0]

    def _stand(self, label: str, found: Base) -> bool:
        """Move to a value that is better than the current one; returns whether it is the best so far."""
        self.bases[label] = found
        if not self.history.reached(label, found.utilities[label]):
            return False
        self.best[label] = found, self.history.tests
        self.elites.keep(found.trace, self.space.random.random)
        return True
