"""The search: run the predicate on a partial value, prune what it rejects, complete what it accepts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from everycase.choices.time_limit import look
from everycase.errors import Discarded, EverycaseError
from everycase.gen.base import Gen
from everycase.gen.validate import require_count
from everycase.narrow.arguments import Arguments, Condition, Guard
from everycase.narrow.found import Found
from everycase.narrow.lazy.objects import set_class
from everycase.narrow.parallel import Conjunction
from everycase.narrow.statistics import SearchStatistics
from everycase.narrow.trail import Again, Alternative, Arrange, Dead, Decisions, Place
from everycase.narrow.trust.audit import CHECKED_FIRST, CHECKED_LATER, Auditor, contradiction

#: Maximum number of failed completions for each requested value of a class.
MISSES_OF_CLASS = 8


class Narrowing:
    """Generators read for narrowing: one for each argument, with predicates on them.

    >>> from everycase import gen
    >>> pairs = Narrowing([gen.integers(0, 99), gen.integers(0, 99)], [(lambda a, b: a + 98 <= b, (0, 1))])
    >>> [found.args for found in pairs.search(0)]
    [(0, 98), (0, 99), (1, 99)]

    Only one search at a time: starting another abandons the one before. ``guards`` are predicates with the
    positions of the arguments they take; filters around the generators are separate conditions.
    """

    def __init__(self, gens: Sequence[Gen[Any]], guards: Sequence[Guard] = (), seed: int = 0) -> None:
        self.state = Decisions()
        self.arguments = Arguments(gens, self.state)
        self.conditions: list[Condition] = [
            *self.arguments.conditions,
            *[self.arguments.condition(guard) for guard in guards],
        ]
        self.statistics = SearchStatistics(self.arguments.planner.places)
        #: the predicate has rejected without a look, so there is nothing to find at any size
        self.rejects_unseen = False
        #: the conditions, split, as they are evaluated on partial values
        self.asked = Conjunction(self.arguments, self.conditions, self.state)
        self.auditor = Auditor(self.arguments, self.state, self.statistics, seed)

    @property
    def prunes(self) -> bool:
        """Whether there is a predicate on a part that can be half decided; otherwise this is filtering."""
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
        Raises :class:`~everycase.narrow.Untrusted` if the answers on partial values turn out to be wrong.
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
        """Like :meth:`search`, but yields None after every ``beat`` evaluations, or after as many failed
        completions, so that others get a turn.

        A half-decided value that was accepted is a class of values: ``each`` takes only this many of every
        class, and ``completing`` arranges the decisions that complete them.
        """
        conditions, asked = list(self.conditions), self.asked
        if predicate is not None:
            # It comes first: it is what this search is about, and often cheap (the membership of a pattern).
            arguments = self.arguments
            conditions.insert(0, arguments.condition((predicate, tuple(range(len(arguments.plans))))))
            asked = Conjunction(arguments, conditions, self.state)
        if lazy:
            self.auditor.read_code(conditions)
        look()
        self._begin(max_size, arrange)
        if self.arguments.least <= max_size:
            search = Search(self, conditions, asked, exactly=exactly, lazy=lazy, beat=beat)
            search.each, search.completing = each, completing
            yield from search.steps()

    @property
    def incomplete(self) -> bool:
        """Whether values may have been passed over: parts that are nested too deeply, or take too many choices."""
        return self.state.cut

    def _begin(self, max_size: int, arrange: Arrange | None) -> None:
        state, least = self.state, self.arguments.least
        state.undo(0)
        state.forget_signals()
        state.bound = max_size
        state.slack = 0 if least == math.inf else int(max_size - least)
        state.arrange = arrange
        self.arguments.current = None
        self.rejects_unseen = False
        self.arguments.begin()


#: How many evaluations of a predicate, which may be slow, come between two looks at the clock.
LOOK = 16

#: Taking the next alternative led to a dead end.
DEAD_END = object()


class Search:
    """One search of a :class:`Narrowing`."""

    def __init__(
        self,
        narrowing: Narrowing,
        conditions: list[Condition],
        asked: Conjunction,
        *,
        exactly: bool,
        lazy: bool,
        beat: float,
    ) -> None:
        self.narrowing = narrowing
        self.arguments, self.auditor = narrowing.arguments, narrowing.auditor
        self.state, self.statistics = narrowing.state, narrowing.statistics
        self.conditions, self.asked = conditions, asked
        self.exactly, self.lazy, self.beat = exactly, lazy, beat
        self.each: int | None = None
        self.completing: Arrange | None = None
        self.arrange = self.state.arrange
        self.only = self.arguments.only_check(conditions)
        asked.begin(self.only is not None)
        evaluations = self.statistics.evaluations
        #: at how many evaluations the next answer is checked, and the next turn of others comes
        self.next_audit, self.next_beat = evaluations, evaluations + beat
        #: the predicate has accepted after this many decisions; those after them complete the value
        self.mark = None if lazy else 0
        #: nothing is undecided, so the real value is checked at once
        self.whole = False
        #: failed completions and dead ends since the last value was found; how often it went back
        self.in_vain = self.jumps = 0
        #: values of the current class that were found, and failed completions
        self.taken = self.missed = 0
        #: The objects of this many decisions have their final class; those after them were decided while
        #: their class was being looked at, and have another one until then (see Becoming).
        self.final = 0
        #: the length to which the trail was undone
        self.lowest = 0

    def steps(self) -> Iterator[Found | None]:
        """The values that are found, and None whenever others get a turn."""
        state, trail, asked, statistics = self.state, self.state.trail, self.asked, self.statistics
        held, lazy = self.arguments.held, self.lazy
        # The usual case, one predicate on one argument, is called directly.
        plain = self.only if len(asked.parts) == 1 and asked.parts[0].check is self.only else None
        ask, advance = asked.ask, self._advance
        asking = lazy
        evaluations, next_check = statistics.evaluations, 0.0
        while True:
            if asking:
                evaluations += 1
                answer: bool | None = False
                try:
                    # Whether the answer is true may also look at the value, so it is evaluated here.
                    if ask() if plain is None else plain(held[0]):
                        answer = True
                except (Dead, Again, Discarded):
                    pass
                except Exception:
                    answer = None
                if answer is None:  # not above, where an exception on a real value would have a context
                    answer = self._raised()
                if state.dead or state.again:
                    again = not state.dead
                    state.dead = state.again = False
                    self.auditor.check_refusal()
                    if evaluations >= self.next_beat:  # an audit that is due waits for an answer
                        statistics.evaluations = evaluations
                        self.next_beat = evaluations + self.beat
                        yield None
                    if again:
                        continue
                else:
                    if evaluations >= next_check:
                        statistics.evaluations = evaluations
                        if self._check(answer):
                            yield None
                        next_check = min(self.next_audit, self.next_beat, evaluations + LOOK)
                    if answer:
                        asking = False
                        self.mark = len(trail)
                        self.taken = self.missed = 0
                    elif asked.rejecting is not None:
                        self._go_back()
            if not asking:
                if self.whole or not lazy:
                    evaluations += 1
                    statistics.on_whole += 1
                found = self._next_of_class()
                if found is not None:
                    statistics.evaluations = evaluations
                    yield found
                    self._still_at(found)
                elif self._nothing_for_long():
                    statistics.evaluations = evaluations
                    yield None
                if self.each is not None:
                    self._leave_class(self.each)
            length = self.lowest = len(trail)
            while (alternative := advance()) is DEAD_END:
                if self._nothing_for_long():
                    statistics.evaluations = evaluations
                    yield None
            if alternative is None:
                break
            if lazy and not asking:
                asking = self._is_undecided(length, alternative)
        statistics.evaluations = evaluations

    def _advance(self) -> Any:
        """The last decision that has another alternative takes it. Returns that alternative, None if no
        decision has one, or :data:`DEAD_END`. Taking one may lead to further decisions at once, and those to
        a dead end. (This happens once for every evaluation, so the alternatives of objects are inlined
        here.)"""
        state = self.state
        trail = state.trail
        last, final = len(trail), self.final
        while final < last - 1:
            target, alternatives, _, _, _ = trail[final]
            if type(target) is tuple:
                set_class(target[0], alternatives[0].kind)
            final += 1
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
                else:
                    place = alternative.place
                    place(target)
                    if state.dead:
                        state.dead = False
                        self.final = len(trail)
                        self.statistics.dead_ends += 1
                        return DEAD_END
                self.final = last
                return alternative
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
            if last < self.lowest:
                self.lowest = last
        return None

    def _check(self, answer: bool) -> bool:
        """Audit an answer if that is due; returns whether others get a turn."""
        look()
        evaluations = self.statistics.evaluations
        if evaluations >= self.next_audit:
            self.next_audit = evaluations + self.auditor.next_turn()
            self.auditor.check(self.asked.ask, self.conditions, answer, in_order=self.asked.in_order)
            self.narrowing.rejects_unseen = not answer and not self.state.trail
        if evaluations < self.next_beat:
            return False
        self.next_beat = evaluations + self.beat
        return True

    def _go_back(self) -> None:
        """A condition has rejected that was not the first to look."""
        gone = self.asked.go_back()
        if gone:
            self.jumps += 1
            self.statistics.jumped += gone
            if self.jumps <= CHECKED_FIRST or self.jumps % CHECKED_LATER == 0:
                self.auditor.check_jump(self.conditions)

    def _nothing_for_long(self) -> bool:
        """One more attempt failed; returns whether others get a turn."""
        self.in_vain += 1
        if not self.in_vain % LOOK:
            look()
        if self.in_vain < self.beat:
            return False
        self.in_vain = 0
        return True

    def _is_undecided(self, length: int, alternative: Alternative) -> bool:
        """Whether the predicate should be evaluated on a partial value next, after a whole one of ``length``
        decisions."""
        # The value stays whole if only the last decision was changed, to something without undecided parts.
        self.whole = self.whole and self.lowest == length and alternative.ends
        if self.mark is not None and self.lowest <= self.mark:
            self.mark = None
        return self.mark is None and not self.whole

    # --- completing -------------------------------------------------------------------------------------

    def _next_of_class(self) -> Found | None:
        """Complete a value that was accepted: it stands for a class of values."""
        state = self.state
        if self.completing is not None:
            state.arrange = self.completing
        found = self._complete()
        state.arrange = self.arrange
        if found is None:
            self.missed += 1
            return None
        self.whole = self.whole or len(state.trail) == self.mark
        self.statistics.accepted += 1
        self.in_vain = 0
        self.taken += 1
        self.arguments.current = found
        return found

    def _still_at(self, found: Found) -> None:
        if self.arguments.current is not found:
            raise EverycaseError("this search was abandoned because another one has begun")
        self.arguments.current = None

    def _leave_class(self, each: int) -> None:
        """Continue with the next class of values after this many of one."""
        if self.mark and (self.taken >= each or self.missed >= MISSES_OF_CLASS * each):
            self.statistics.left_out += len(self.state.trail) > self.mark
            self.state.undo(self.mark)

    def _complete(self) -> Found | None:
        """Decide everything undecided, and make the real value. None if there is none, or if it does not
        satisfy."""
        state, arguments = self.state, self.arguments
        partial = self.lazy and not self.whole
        try:
            real = arguments.decide_all() if self.only is None else arguments.decide_only()
        except (Dead, Discarded):
            state.dead = False
            self.statistics.dead_ends += 1
            return None
        slack = state.slack
        if self.exactly and slack:
            self.statistics.too_small += 1
            return None
        try:
            satisfied = arguments.satisfy(self.conditions, real)
        except Discarded:
            satisfied = False
        if not satisfied:
            if partial:
                raise contradiction(real, partial=True)
            return None
        if arguments.has_maps:
            real = arguments.finished(real)
        return Found(real, state.bound - slack, arguments)

    # --- exceptions -------------------------------------------------------------------------------------

    def _raised(self) -> bool:
        """The predicate raised something. On a partial value the stand-ins may be the reason, so one more
        place is decided and the predicate is run again; on a whole value the real one is checked."""
        self.statistics.raised += 1
        if self._decide_one():
            self.state.again = True
            return False
        if self.state.dead:
            return False
        try:
            return self.arguments.satisfy(self.conditions, self.arguments.decide_all())
        except Discarded:
            return False

    def _decide_one(self) -> bool:
        """Decide the first undecided place; False if there is none."""
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
        except (_Enough, Dead, Discarded):
            pass
        finally:
            state.arrange = arrange
        return len(state.trail) > length


class _Enough(BaseException):
    """A place has been decided."""
