"""Targeted search: inputs climb towards better utilities, which the property reports with ``maximize`` and
``minimize``.

All strategies share one loop. It keeps a **base** (for several labels, one base per label), proposes a
neighbour of it, and asks the strategy whether to move there. Five things hold for every strategy, because
measurements showed that they make the difference:

- a neighbour differs by few edits (how many is learned: :mod:`everycase.explore.targeted.step_size`), and one that is just as good
  is accepted, so the search drifts over plateaus;
- at first every other test is a fresh value, until that no longer pays off: the neighbours of a poor value
  are poor, too;
- a search that slows down continues beside one from a fresh value
  (:mod:`everycase.explore.targeted.restarts`);
- numbers with a wide range are also moved by line search: the same step doubled while it helps, then halved;
- what was tested before is not tested again, since its outcome is known.

The search starts with the first tested value. A discarded test still teaches something, if it reported a
utility before. Nothing depends on the scale of the utilities.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Generator, Iterable
from hashlib import blake2b as _digest
from typing import Any

from everycase.choices.trace import Opaque, Trace
from everycase.errors import InvalidArgument
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space
from everycase.explore.targeted.base import Base, better, fresh_case
from everycase.explore.targeted.restarts import Running, SearchHistory, in_turn
from everycase.explore.targeted.usual import UsualTests
from everycase.explore.targeted.walk import Elites, Walk, ask
from everycase.gen.kinds import Live
from everycase.gen.validate import require_bool, require_int

Steps = Generator[Case, Outcome, None]

#: A search that continues from the best value of a slow search gets at least this share of the other's tests.
PATIENCE = 8

#: After this many tests with the same utility the report has a warning.
CONSTANT = 50


#: Maximum number of known outcomes in a row; then the input is tested once more. Around some inputs there is
#: nothing new, and making neighbours takes time.
KNOWN_IN_A_ROW = 32

#: Maximum number of inputs that are known: a long search forgets all and begins anew.
MOST_KNOWN = 50_000

#: The options that a report need not mention.
USUAL = {"restart": 100, "ties": True, "line_search": True, "fresh": True, "schedule": "adaptive"}


class TargetedSearch(Explorer):
    """What Climb and Anneal share. A strategy of your own overrides :meth:`begin` and :meth:`accept`.

    ``restart`` is the number of steps without improvement after which another search starts beside this one
    (more of them the longer it took to get there). A step is a test, unless the outcome is already known. ``ties`` says whether an equally good neighbour is
    accepted, ``line_search`` whether wide numbers are also moved along a line, ``fresh`` whether fresh values
    are tried between the first neighbours.
    """

    def __init__(
        self,
        *values: Any,
        restart: int = 100,
        ties: bool = True,
        line_search: bool = True,
        fresh: bool = True,
        **unknown: Any,
    ) -> None:
        if values:
            name = type(self).__name__
            raise InvalidArgument(f"{name} takes its options by name, as in {name}(restart={values[0]!r})")
        for name in unknown:
            raise InvalidArgument(
                f"{type(self).__name__} has no option {name!r}; its options are {self.options}"
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

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in vars(self).items() if USUAL.get(name) != value]
        return f"{type(self).__name__}({', '.join(given)})"

    goes_on = True

    # For subclasses whose ``__init__`` does not call this one.
    restart, ties, line_search, fresh = 100, True, True, True

    #: the names of the options, for messages
    options = "restart, ties, line_search and fresh"

    #: Whether the search returns to its best value after a long time without improvement.
    returns = False

    # --- what a strategy decides ------------------------------------------------------------------------

    def begin(self, space: Space) -> Any:
        """The strategy's own state for one run."""
        return None

    def tested(self, state: Any) -> None:
        """Called after every test of the search, whatever its purpose."""

    def temperature(self, state: Any) -> float:
        """How far away neighbours may be, from 0 to 1."""
        return 1.0

    def accept(self, state: Any, before: float, now: float, random: Callable[[], float]) -> bool:
        """Whether to move from a base worth ``before`` to a neighbour worth ``now``.

        It is not asked about fresh values: the search continues only from a better one.
        """
        raise NotImplementedError

    # --- the loop ---------------------------------------------------------------------------------------

    def explore(self, space: Space) -> Steps:
        return self._search(space, _remembered(space), asked_for=True)

    def continue_from(
        self, space: Space, case: Case, outcome: Outcome, usual: UsualTests | None = None
    ) -> Steps:
        """Search from a case that something else proposed, or from a fresh one if that is better. Some tests
        are ``usual`` ones."""
        return self._search(space, [*_bases([(case, outcome)]), *_remembered(space)], usual)

    def _search(
        self, space: Space, known: list[Base], usual: UsualTests | None = None, *, asked_for: bool = False
    ) -> Steps:
        islands = self.islands()
        states, elites = [ask(island, "begin", space) for island in islands], Elites()
        #: the searches that each island has started beside another
        histories: list[list[SearchHistory]] = [[] for _ in islands]

        def forget() -> None:
            nonlocal known, states, elites, histories
            states, elites = [ask(island, "begin", space) for island in islands], Elites()
            histories = [[] for _ in islands]
            known = []

        def begin(reset: bool, incumbent: Running | None) -> Generator[Case, Outcome, Running]:
            nonlocal known
            turn = 0 if incumbent is None else _least_used(histories, incumbent.history)
            first, again = None, False
            if reset:
                forget()
            if incumbent is not None and islands[turn].returns:
                first = incumbent.best()
            if first is None:
                first, again = yield from self._first(space, forget)
            if again:
                turn = 0
            elif known and not better(first, known[0]):
                first = known[0]
            patience = self.restart
            if incumbent is not None and islands[turn].returns:
                patience = max(patience, incumbent.history.tests // PATIENCE)
            history = SearchHistory(first.utilities, patience)
            histories[turn].append(history)
            walk = Walk(islands[turn], space, states[turn], first, history, elites)
            for base in known:
                walk.welcome(base)
            known = []
            return Running(history, walk.steps(), alone=reset or again, best=walk.best_base, see=walk.see)

        #: the islands that count tests, because calling those that do not takes its time
        counting = [
            i
            for i, island in enumerate(islands)
            if getattr(island.tested, "__func__", None) is not TargetedSearch.tested
        ]
        steps = in_turn(begin, usual)
        seen, tested = UtilityCheck(self, asked_for), SeenInputs()
        try:
            case = next(steps)
            while True:
                if case is SEARCHING:
                    case = steps.send((yield case))
                    continue
                is_usual = usual is not None and case is usual.case
                outcome = None if is_usual else tested.outcome(case)
                if outcome is not None:
                    case = steps.send(outcome)
                    continue
                outcome = yield case
                if not is_usual:
                    tested.learn(outcome)
                elif outcome.reset_requested:
                    tested.forget()
                if usual is not None:
                    usual.tests += 1
                if outcome.utilities:
                    seen.utilities(outcome.utilities)
                elif outcome.status == "passed":
                    seen.passed = True
                for i in counting:
                    ask(islands[i], "tested", states[i])
                case = steps.send(outcome)
        finally:
            seen.warn(space)

    def islands(self) -> list[TargetedSearch]:
        """The strategies that take turns, this one first."""
        return [self]

    def _first(self, space: Space, forget: Callable[[], None]) -> Generator[Case, Outcome, tuple[Base, bool]]:
        """The first value that reports a utility; until one does, this is random testing.

        Also returns whether a test before it asked for a restart; ``forget`` is called for each that did.
        """
        case = fresh_case(space)
        reset = False
        while True:
            outcome = yield case
            if outcome.reset_requested:
                reset = True
                forget()
            elif outcome.utilities and case.trace is not None:
                return Base(case.trace, outcome), reset
            case = space.sample()


def _remembered(space: Space) -> list[Base]:
    """The best inputs of an earlier run, if this run has tried them."""
    return _bases(space.remembered)


def _bases(tested: Iterable[tuple[Case, Outcome]]) -> list[Base]:
    """A tested value, as a base to continue from, if possible."""
    return [
        Base(case.trace, outcome)
        for case, outcome in tested
        if case.trace is not None and outcome.utilities and not outcome.reset_requested
    ]


def _least_used(histories: list[list[SearchHistory]], incumbent: SearchHistory) -> int:
    """The island that has had the fewest tests beside the search that continues."""
    used = [sum(history.tests for history in some if history is not incumbent) for some in histories]
    return used.index(min(used))


class UtilityCheck:
    """A warning about the utilities of a search, if there is a reason."""

    def __init__(self, search: TargetedSearch, asked_for: bool) -> None:
        self.name = type(search).__name__
        self.asked_for = asked_for
        self.count = 0
        #: whether a test ran to its end: one that fails at once may have had no time to report
        self.passed = False
        self.first: dict[str, float] = {}
        self.differ = False

    def utilities(self, reported: dict[str, float]) -> None:
        self.count += 1
        if self.count == 1:
            self.first = dict(reported)
        elif not self.differ:
            self.differ = reported != self.first  # also if the labels are others

    def warn(self, space: Space) -> None:
        if not self.count and self.asked_for and self.passed:
            space.findings.warnings.append(
                f"{self.name}() needs a test that calls maximize or minimize, but no test reported "
                "anything, so the inputs were random"
            )
        elif self.count >= CONSTANT and not self.differ:
            space.findings.warnings.append(
                "every test reported the same utility, so there was nothing to guide the search: "
                + ", ".join(f"{label or 'utility'}={abs(utility):g}" for label, utility in self.first.items())
            )


class SeenInputs:
    """The outcomes of the inputs that a search has tested, by their choices.

    Neighbours of one input repeat, most of all those of small inputs, and of inputs with few valid neighbours.
    The search goes on as if such an input had been tested, and the test is saved for a new one.
    """

    def __init__(self) -> None:
        self._outcomes: dict[bytes, Outcome] = {}
        self._in_a_row = 0
        #: how many of them there may be: fewer where nothing new was found the last time
        self._patience = KNOWN_IN_A_ROW
        #: the input that is being tested
        self._key: bytes | None = None

    def outcome(self, case: Case) -> Outcome | None:
        """The outcome of a case if it was tested before; None if it has to be tested."""
        trace = case.trace
        key = self._key = None if trace is None else _key(trace)
        known = None if key is None else self._outcomes.get(key)
        if known is None or self._in_a_row >= self._patience:
            if known is not None:
                self._patience //= 2
            elif self._patience < KNOWN_IN_A_ROW:
                self._patience = min(KNOWN_IN_A_ROW, 2 * self._patience + 1)
            self._in_a_row = 0
            return None
        self._in_a_row += 1
        return known

    def forget(self) -> None:
        """A test asked for a restart."""
        self._outcomes.clear()

    def learn(self, outcome: Outcome) -> None:
        """The outcome of the case that was asked about last."""
        if outcome.reset_requested:
            self.forget()
        if self._key is None or outcome.reset_requested:
            return
        if len(self._outcomes) == MOST_KNOWN:
            self._outcomes.clear()
        if outcome.error is not None or outcome.notes or outcome.events or outcome.labels:
            # Without its exception, which would keep the frames of the test alive, and what only takes memory.
            outcome = Outcome(outcome.status, None, outcome.utilities, guessed=outcome.guessed)
        self._outcomes[self._key] = outcome


def _key(trace: Trace[Any]) -> bytes | None:
    """The arguments as bytes if they are plain data, which is fast; else all choices; None if some are open or not known."""
    # Version 2 writes equal numbers alike, and tells -0.0 from 0.0 and 1 from 1.0.
    try:
        data = marshal.dumps(trace.value, 2)
    except ValueError:
        choices = _choices(trace)
        if choices is None:
            return None
        data = marshal.dumps(choices, 2)
    return _digest(data, digest_size=16).digest()


def _choices(trace: Trace[Any]) -> list[Any] | None:
    """The choices and the numbers of parts, level by level; None if some are open or not known."""
    found: list[Any] = []
    level: list[Any] = [trace]
    while level:
        if None in level or any(type(node.memory) is Opaque or type(node.gen) is Live for node in level):
            return None
        found.append([node.choice for node in level])
        found.append([len(node.children) for node in level])
        level = [child for node in level for child in node.children]
    return found
