"""The search: run the predicate on a partial value, prune what it rejects, complete what it accepts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from everycase.choices.enact import replay
from everycase.choices.invert import trace_of
from everycase.choices.trace import Trace
from everycase.errors import Discarded, EverycaseError
from everycase.gen.base import Gen
from everycase.gen.validate import require_count
from everycase.narrow.arguments import Arguments, Condition, Guard
from everycase.narrow.lazy.objects import set_class
from everycase.narrow.parallel import Asked
from everycase.narrow.statistics import Statistics
from everycase.narrow.trail import Again, Arrange, Dead, Decisions, Place
from everycase.narrow.trust.audit import CHECKED_FIRST, CHECKED_LATER, Auditor, contradiction

#: So many completions may fail for each value that is wanted of a class.
MISSES_OF_CLASS = 8


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
            arguments = self._search.arguments
            if self._search.current is self:
                self._trace = replay(arguments.whole, arguments.choices())
            else:
                self._trace = trace_of(arguments.whole, self.args)
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
    arguments they take; filters around the generators are conditions by themselves.
    """

    def __init__(self, gens: Sequence[Gen[Any]], guards: Sequence[Guard] = (), seed: int = 0) -> None:
        self.state = Decisions()
        self.arguments = Arguments(gens, self.state)
        self.conditions: list[Condition] = [
            *self.arguments.conditions,
            *[self.arguments.condition(guard) for guard in guards],
        ]
        self.statistics = Statistics(self.arguments.reader.places)
        #: the predicate has said no without a look, so that there is nothing to find at any size
        self.rejects_unseen = False
        #: the value that the search has stopped at
        self.current: Found | None = None
        #: the conditions, taken apart, as they are asked about partial values
        self.asked = Asked(self.arguments, self.conditions, self.state)
        self._auditor = Auditor(self.arguments, self.state, self.statistics, seed)

    @property
    def prunes(self) -> bool:
        """Whether there is a predicate on a part that can stand half decided; else this is filtering."""
        return self.arguments.can_prune(self.conditions)

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
        Raises :class:`~everycase.narrow.Untrusted` when the answers on partial values turn out to be wrong.
        """
        require_count("max_size", max_size)
        steps = self.steps(max_size, predicate, exactly=exactly, arrange=arrange, lazy=lazy)
        return filter(None, steps)

    def steps(
        self,
        max_size: int,
        predicate: Callable[..., object] | None = None,
        *,
        exactly: bool = False,
        arrange: Arrange | None = None,
        lazy: bool = True,
        beat: float = math.inf,
        each: int | None = None,
        completing: Arrange | None = None,
    ) -> Iterator[Found | None]:
        """As :meth:`search`, but yields None whenever ``beat`` evaluations have passed, or as many values were completed
        in vain or could not be, so that others have a turn.

        What was accepted half decided is a class of values: ``each`` takes so many of every class only, and
        ``completing`` arranges what is decided to complete them.
        """
        arguments, auditor = self.arguments, self._auditor
        conditions, asked = list(self.conditions), self.asked
        if predicate is not None:
            # First: it is what this search is about, and often cheap (the membership of a pattern).
            conditions.insert(0, arguments.condition((predicate, tuple(range(len(arguments.plans))))))
            asked = Asked(arguments, conditions, self.state)
        if lazy:
            auditor.read_code(conditions)
        state, trail, statistics = self.state, self.state.trail, self.statistics
        self._begin(max_size, arrange)
        if arguments.least > max_size:
            return
        only, held = arguments.only_check(conditions), arguments.held
        asked.begin(only is not None)
        # One predicate about one argument, as mostly, is asked without a detour.
        plain = only if len(asked.parts) == 1 and asked.parts[0].check is only else None
        ask = asked.ask
        # The predicate has said yes to the first ``mark`` decisions; those after it complete the value.
        mark = None if lazy else 0
        # Nothing is undecided, so that the real value is asked at once.
        whole = False
        # Neither of them, so that the partial value is asked.
        asking = lazy
        evaluations = statistics.evaluations
        # At how many evaluations the next answer is checked, the next turn of others comes, and either of them.
        next_audit, next_beat, next_check = evaluations, evaluations + beat, 0.0
        # How many values were completed, and dead ends met, since the last value that was found; how often it went back.
        in_vain = jumps = 0
        # How many values of the present class were found, and how many completions were none.
        taken = missed = 0
        # Objects that the first so many decisions are about have the class that they are to have; those after them were
        # decided in the middle of a look at their class, and have another one so far (see Becoming).
        settled = 0
        while True:
            if asking:
                evaluations += 1
                answer: bool | None = False
                try:
                    # Whether the answer is true may be a look at the value as well, so it is asked here.
                    if ask() if plain is None else plain(held[0]):
                        answer = True
                except (Dead, Again, Discarded):
                    pass
                except Exception:
                    answer = None
                if answer is None:  # not above, where what a real value raises would have a context
                    answer = self._raised(conditions)
                if state.dead or state.again:
                    again = not state.dead
                    state.dead = state.again = False
                    auditor.check_refusal()
                    if evaluations >= next_beat:  # an audit that is due waits for an answer
                        statistics.evaluations = evaluations
                        next_beat = evaluations + beat
                        yield None
                    if again:
                        continue
                else:
                    if evaluations >= next_check:
                        statistics.evaluations = evaluations
                        if evaluations >= next_audit:
                            next_audit = evaluations + auditor.next_turn()
                            auditor.check(ask, conditions, answer, in_order=asked.in_order)
                            self.rejects_unseen = not answer and not trail
                        if evaluations >= next_beat:
                            next_beat = evaluations + beat
                            yield None
                        next_check = min(next_audit, next_beat)
                    if answer:
                        mark = len(trail)
                        asking = False
                        taken = missed = 0
                    elif asked.rejecting is not None:
                        gone = asked.go_back()
                        if gone:
                            jumps += 1
                            statistics.jumped += gone
                            if jumps <= CHECKED_FIRST or jumps % CHECKED_LATER == 0:
                                auditor.check_jump(conditions)
                            if not trail:
                                break
            if not asking:
                evaluations += whole or not lazy
                if completing is not None:
                    state.arrange = completing
                found = self._complete(conditions, only, lazy and not whole, exactly)
                state.arrange = arrange
                whole = whole or (found is not None and len(trail) == mark)
                if found is not None:
                    statistics.evaluations = evaluations
                    statistics.accepted += 1
                    in_vain = 0
                    self.current = found
                    yield found
                    if self.current is not found:
                        raise EverycaseError("another search has begun, which abandoned this one")
                    self.current = None
                    taken += 1
                else:
                    missed += 1
                    in_vain += 1
                    if in_vain >= beat:
                        statistics.evaluations = evaluations
                        in_vain = 0
                        yield None
                if each is not None and mark and (taken >= each or missed >= MISSES_OF_CLASS * each):
                    statistics.left_out += len(trail) > mark
                    state.undo(mark)
            # The last decision that has another alternative takes it. Taking one may lead to further decisions at once,
            # and those to a dead end. (All this is written here, since it happens once for every evaluation.)
            length = last = lowest = len(trail)
            while settled < length - 1:
                target, alternatives, _, _, _ = trail[settled]
                if type(target) is tuple:
                    set_class(target[0], alternatives[0].kind)
                settled += 1
            while last:
                entry = trail[last - 1]
                target, alternatives, number, slack, _ = entry
                number += 1
                if number < len(alternatives):
                    entry[2] = number
                    alternative = alternatives[number]
                    state.slack = slack - alternative.extra
                    if type(target) is tuple:  # an object: see Becoming
                        hole, own = target
                        if own:
                            own.clear()
                        set_class(hole, alternative.kind)
                        fill = alternative.fill
                        if fill is not None:
                            fill(own)
                        break
                    place = alternative.place
                    place(target)
                    if not state.dead:
                        break
                    state.dead = False
                    last = len(trail)
                    # There may be no end of them.
                    statistics.dead_ends += 1
                    in_vain += 1
                    if in_vain >= beat:
                        statistics.evaluations = evaluations
                        in_vain = 0
                        yield None
                else:
                    if type(target) is tuple:
                        hole, own = target
                        if own:
                            own.clear()
                        set_class(hole, alternatives[0].undecided)
                    else:
                        release = alternatives[0].release
                        release(target)
                    state.slack = slack
                    trail.pop()
                    last -= 1
                    if last < lowest:
                        lowest = last
            else:
                break
            settled = last
            if not asking and lazy:
                # The value stays whole if only the last decision was changed, to something without undecided parts.
                whole = whole and lowest == length and alternative.ends
                if mark is not None and lowest <= mark:
                    mark = None
                asking = mark is None and not whole
        statistics.evaluations = evaluations

    def _begin(self, max_size: int, arrange: Arrange | None) -> None:
        state, least = self.state, self.arguments.least
        state.undo(0)
        state.forget_signals()
        state.bound = max_size
        state.slack = 0 if least == math.inf else int(max_size - least)
        state.arrange = arrange
        self.current = None
        self.rejects_unseen = False
        self.arguments.begin()

    def _complete(
        self, conditions: Sequence[Condition], only: Callable[[Any], object] | None, lazy: bool, exactly: bool
    ) -> Found | None:
        """Decide all that is undecided, and make the real value. None if there is none, or if it does not satisfy."""
        state, arguments = self.state, self.arguments
        try:
            real = arguments.decide_all() if only is None else arguments.decide_only()
        except Dead:
            state.dead = False
            self.statistics.dead_ends += 1
            return None
        slack = state.slack
        if exactly and slack:
            self.statistics.too_small += 1
            return None
        try:
            satisfied = arguments.satisfy(conditions, real)
        except Discarded:
            satisfied = False
        if not satisfied:
            if lazy:
                raise contradiction(real, partial=True)
            return None
        if arguments.has_maps:
            real = arguments.finished(real)
        return Found(real, state.bound - slack, self)

    # --- exceptions -------------------------------------------------------------------------------------

    def _raised(self, conditions: Sequence[Condition]) -> bool:
        """The predicate raised something. On a partial value that may be the fault of what stands for it, so one more
        place is decided and the predicate run again; on a whole value the real one is asked."""
        self.statistics.raised += 1
        if self._decide_one():
            self.state.again = True
            return False
        if self.state.dead:
            return False
        try:
            return self.arguments.satisfy(conditions, self.arguments.decide_all())
        except Discarded:
            return False

    def _decide_one(self) -> bool:
        """Decide the first place that is undecided; False if there is none."""
        state = self.state
        length, arrange = len(state.trail), state.arrange

        def stop(place: Place, alternatives: Sequence[Any]) -> Sequence[Any]:
            # A part that is made whole is one place, however many choices that takes.
            if len(state.trail) > length and not state.making:
                raise _Enough
            return alternatives if arrange is None else arrange(place, alternatives)

        state.arrange = stop
        try:
            self.arguments.decide_all()
        except (_Enough, Dead):
            pass
        finally:
            state.arrange = arrange
        return len(state.trail) > length


class _Enough(BaseException):
    """A place has been decided."""
