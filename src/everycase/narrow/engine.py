"""The search: run the predicate on a partial value, prune what it rejects, complete what it accepts."""

from __future__ import annotations

import math
import random as stdlib_random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.trace import Trace
from everycase.errors import Discarded, EverycaseError
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.narrow.costs import least
from everycase.narrow.decisions import Again, Arrange, Dead, Decisions, Place
from everycase.narrow.guards import Guard, conjunction, without_filters
from everycase.narrow.plans import Opaque, Plan, Reader, decided_by
from everycase.narrow.sequences import Pending
from everycase.narrow.statistics import Statistics
from everycase.narrow.suspicion import suspicion

#: So many of the first answers are checked, and one in so many afterwards.
CHECKED_FIRST = 20
CHECKED_LATER = 64


class Untrusted(EverycaseError):
    """The predicate gives other answers on partial values than on real ones; the message says what was seen."""


class Found:
    """A value that satisfies the predicate. ``args`` are real objects; the trace is made when asked for."""

    __slots__ = ("_search", "_trace", "args", "size")

    def __init__(self, args: tuple[Any, ...], size: int, search: Narrowing) -> None:
        self.args = args
        self.size = size
        self._search: Narrowing | None = search
        self._trace: Trace[Any] | None = None

    @property
    def value(self) -> Any:
        """The value, of a search with one argument."""
        return self.args[0]

    def trace(self) -> Trace[tuple[Any, ...]]:
        """The choices of all arguments. Cheap to ask for before the search goes on; by inverting the value later."""
        if self._trace is None:
            assert self._search is not None
            if self._search.current is self:
                self._trace = replay(self._search.whole, self._search.choices())
            else:
                from everycase.enumeration import trace_of

                self._trace = trace_of(self._search.whole, self.args)
            self._search = None
        return self._trace

    def __repr__(self) -> str:
        return f"<Found {self.args!r} of size {self.size}>"


class Narrowing:
    """Generators read for narrowing: one for each argument, with predicates on them.

    >>> from everycase import gen
    >>> pairs = Narrowing([gen.integers(0, 99), gen.integers(0, 99)], [(lambda a, b: a + 98 <= b, (0, 1))])
    >>> [found.args for found in pairs.search(0)]
    [(0, 98), (0, 99), (1, 99)]

    One search at a time: starting another abandons the one before. ``guards`` are predicates with the places of the
    arguments they take; filters around the generators are guards by themselves.
    """

    def __init__(self, gens: Sequence[Gen[Any]], guards: Sequence[Guard] = (), seed: int = 0) -> None:
        #: makes the tuples of arguments, filters included
        self.whole: Gen[tuple[Any, ...]] = tuples(*gens)
        self.filters = 0
        own: list[Guard] = []
        cores: list[Gen[Any]] = []
        self._depths: list[int] = []
        for i, gen in enumerate(gens):
            core, predicates = without_filters(gen)
            cores.append(core)
            own += [(predicate, (i,)) for predicate in predicates]
            self._depths.append(len(predicates))
        self.guards: list[Guard] = [*own, *guards]
        self.state = Decisions()
        self.reader = Reader(self.state)
        names = ["value"] if len(gens) == 1 else [f"argument {i + 1}" for i in range(len(gens))]
        self.plans: list[Plan] = [
            self.reader.plan(core, self.reader.place("", name)) for core, name in zip(cores, names)
        ]
        self.least = sum(least(core) for core in cores)
        self.arguments: list[Any] = []
        self.statistics = Statistics()
        self.current: Found | None = None
        #: the predicates whose code was read
        self._read: list[Callable[..., object]] = []
        self._random = stdlib_random.Random(f"everycase narrowing {seed}")

    @property
    def prunes(self) -> bool:
        """Whether there is a predicate on a part that can stand half decided; else this is filtering."""
        return any(not isinstance(self.plans[i], Opaque) for _, places in self.guards for i in places)

    # --- the search -------------------------------------------------------------------------------------

    def search(
        self,
        max_size: int,
        predicate: Callable[..., object] | None = None,
        *,
        exactly: bool = False,
        arrange: Arrange | None = None,
        lazy: bool = True,
    ) -> Iterator[Found]:
        """All values up to a size that satisfy the guards (and ``predicate``, a function of all arguments), each once.

        ``exactly`` leaves out those of smaller sizes. ``arrange`` puts the alternatives of every decision in order; the
        default is the cheapest first. ``lazy=False`` runs the predicate on whole values only, which is filtering.
        Raises :class:`Untrusted` when the answers on partial values turn out to be wrong.
        """
        steps = self.steps(max_size, predicate, exactly=exactly, arrange=arrange, lazy=lazy)
        return (found for found in steps if found is not None)

    def steps(
        self,
        max_size: int,
        predicate: Callable[..., object] | None = None,
        *,
        exactly: bool = False,
        arrange: Arrange | None = None,
        lazy: bool = True,
        beat: float = math.inf,
    ) -> Iterator[Found | None]:
        """As :meth:`search`, but yields None whenever ``beat`` evaluations have passed, so that others have a turn."""
        guards = list(self.guards)
        if predicate is not None:
            # First: it is what this search is about, and often cheap (the membership of a pattern).
            guards.insert(0, (predicate, tuple(range(len(self.plans)))))
        check = conjunction(guards, len(self.plans))
        if lazy:
            self._check_code([guard for guard, _ in guards])
        state, trail, statistics = self.state, self.state.trail, self.statistics
        self._begin(max_size, arrange)
        if self.least > max_size:
            return
        mark = None if lazy else 0
        single = self.arguments if len(self.plans) == 1 else None
        undecided_root = single is not None and type(single[0]) is not Pending
        evaluations = next_check = 0
        next_beat = statistics.evaluations + beat
        while True:
            if mark is None:
                evaluations += 1
                try:
                    if undecided_root:
                        answer = check(single[0])  # type: ignore[index]
                    else:
                        answer = check(*self._arguments())
                except Dead:
                    answer = False
                except Again:
                    answer = None
                except Discarded:
                    answer = False
                except Exception as problem:
                    answer = self._raised(problem, check)
                if state.dead:
                    state.dead = False
                    answer = False
                elif state.again or state.refused is not None:
                    self._check_refusal()
                    continue
                elif answer is None:
                    continue
                if evaluations >= next_check:
                    statistics.evaluations += evaluations
                    next_check = self._next_check(statistics.evaluations)
                    evaluations = 0
                    self._audit(check, bool(answer))
                    if statistics.evaluations >= next_beat:
                        next_beat = statistics.evaluations + beat
                        yield None
                if answer:
                    mark = len(trail)
            if mark is not None:
                if not lazy:
                    evaluations += 1
                found = self._complete(check, lazy)
                if found is not None and not (exactly and state.slack):
                    statistics.evaluations += evaluations
                    next_check -= evaluations
                    evaluations = 0
                    statistics.accepted += 1
                    self.current = found
                    yield found
                    self.current = None
                elif not lazy and evaluations >= beat:
                    statistics.evaluations += evaluations
                    evaluations = 0
                    yield None
            changed = state.backtrack()
            if not changed:
                break
            if lazy and mark is not None and changed <= mark:
                mark = None
        statistics.evaluations += evaluations
        statistics.exhausted = max_size

    def _begin(self, max_size: int, arrange: Arrange | None) -> None:
        state = self.state
        state.undo(0)
        state.forget_signals()
        state.bound = max_size
        state.slack = 0 if self.least == math.inf else int(max_size - self.least)
        state.arrange = arrange
        self.current = None
        self.arguments[:] = [None] * len(self.plans)
        for i, plan in enumerate(self.plans):
            self.arguments[i] = plan.fresh(self.arguments, i)

    def _arguments(self) -> list[Any]:
        """The arguments as the predicate gets them; those that cannot stand undecided are decided."""
        arguments = self.arguments
        return [
            value.plan.settle(arguments, i, value) if type(value) is Pending else value
            for i, value in enumerate(arguments)
        ]

    def _complete(self, check: Callable[..., object], lazy: bool) -> Found | None:
        """Decide all that is undecided, and make the real value. None if there is none, or if it does not satisfy."""
        state, statistics = self.state, self.statistics
        try:
            args = self._real()
        except Dead:
            state.dead = False
            return None
        statistics.completed += 1
        try:
            satisfied = check(*args)
        except Discarded:
            satisfied = False
        if not satisfied:
            if lazy:
                raise self._untrusted(args, partial=True)
            return None
        size = state.bound - state.slack
        if not self.reader.holds_mutable and lazy:
            return Found(args, size, self)
        # The predicate may have changed what it was given.
        return Found(self._real(), size, self)

    def _real(self) -> tuple[Any, ...]:
        """The real arguments; whatever is undecided is decided."""
        real = self.reader.real
        if self.reader.holds_mutable:
            for value in self._arguments():
                real(value)
            return replay(self.whole_without_filters, self.choices(filters=False)).value
        return tuple([real(value) for value in self._arguments()])

    # --- choices ----------------------------------------------------------------------------------------

    @property
    def whole_without_filters(self) -> Gen[tuple[Any, ...]]:
        parts = self.whole.parts  # type: ignore[attr-defined]
        return tuples(*[without_filters(part)[0] for part in parts])

    def choices(self, *, filters: bool = True) -> Trace[Any]:
        """The choices behind the value that was completed last, as a trace to replay; it holds no values."""
        decided = decided_by(self.state.trail)
        children = []
        for i, plan in enumerate(self.plans):
            child = plan.choices(self.arguments, i, decided)
            for _ in range(self._depths[i] if filters else 0):
                child = Trace(None, (child,))
            children.append(child)
        return Trace(None, children)

    # --- trust ------------------------------------------------------------------------------------------

    def _check_code(self, predicates: list[Callable[..., object]]) -> None:
        """Refuse what the code of the predicates says will go wrong."""
        unread = [one for one in predicates if not any(one is known for known in self._read)]
        if unread:
            found = suspicion(unread, dict.fromkeys(self.reader.classes()))
            if found is not None:
                raise Untrusted(found)
            self._read = predicates

    def _next_check(self, evaluations: int) -> int:
        """In how many evaluations the next answer is checked."""
        if evaluations < CHECKED_FIRST:
            return 1
        return 1 + int(self._random.random() * 2 * CHECKED_LATER)

    def _audit(self, check: Callable[..., object], answer: bool) -> None:
        """Whether an answer can be trusted: the same again, and, if it is no, also on a real completion."""
        state, trail = self.state, self.state.trail
        length = len(trail)
        self.statistics.look(trail)
        again: object
        try:
            again = check(*self._arguments())
        except (Dead, Again, Discarded):
            again = False
        except Exception:
            return  # such answers come from real values
        if not self.reader.reaches(self.arguments, trail):
            raise Untrusted(
                "it looks at parts of values from earlier calls, which it (or something it calls) keeps; let it keep "
                "nothing"
            )
        if bool(again) != answer or len(trail) != length:
            raise Untrusted(
                "it does not always look at the same parts of a value or give the same answer: it depends on "
                "something besides its argument"
            )
        if answer:
            return
        slack, arrange = state.slack, state.arrange
        state.arrange = self._at_random
        try:
            args = self._real()
        except Dead:
            args = None
        finally:
            state.arrange = arrange
        state.dead = False
        state.undo(length)
        state.slack = slack
        if args is None:
            return
        self.statistics.audited += 1
        try:
            satisfied = check(*args)
        except Discarded:
            satisfied = False
        if satisfied:
            raise self._untrusted(args, partial=False)

    def _at_random(self, place: Place, alternatives: Sequence[Any]) -> Sequence[Any]:
        return [alternatives[int(self._random.random() * min(len(alternatives), 1 << 20))]]

    def _untrusted(self, args: tuple[Any, ...], *, partial: bool) -> Untrusted:
        shown = ", ".join(map(repr, args))
        return Untrusted(
            f"it said {partial} of a value that was only partly decided, and {not partial} of {shown}, which is one of "
            "its completions. Write isinstance(x, C) or match instead of type(x), == instead of `is`, and let it depend "
            "on nothing but its argument"
        )

    def _check_refusal(self) -> None:
        state = self.state
        state.again = False
        if state.refused is not None:
            what, state.refused = state.refused, None
            raise Untrusted(f"{what}. Let it change nothing: work on a copy, as in sorted(xs) or list(xs)")

    def _raised(self, problem: Exception, check: Callable[..., object]) -> object:
        """The predicate raised something. On a partial value that may be the fault of what stands for it, so one more
        place is decided and the predicate run again (None); on a whole value the real one is asked."""
        self.statistics.raised += 1
        if self._decide_one():
            return None
        return check(*self._real())

    def _decide_one(self) -> bool:
        """Decide the first place that is undecided; False if there is none."""
        length = len(self.state.trail)

        class Enough(BaseException):
            """A place has been decided."""

        def stop(place: Place, alternatives: Sequence[Any]) -> Sequence[Any]:
            if len(self.state.trail) > length:
                raise Enough
            return alternatives if arrange is None else arrange(place, alternatives)

        arrange = self.state.arrange
        self.state.arrange = stop
        try:
            for value in self._arguments():
                self.reader.real(value)
        except (Enough, Dead):
            pass
        finally:
            self.state.arrange = arrange
        return len(self.state.trail) > length
