"""All conditions together: which is evaluated first, and how far back a rejection reaches.

The parts of a conjunction are evaluated one after the other, in an order that may be learned. A part that is
evaluated early may rely on one that comes before it in the source, so an exception there means "not known
yet", and it is evaluated again in its turn.

If a part rejects that was not the first to look, most decisions may have nothing to do with it: the parts
before it caused them. So decisions are undone, the last one first, as long as this part alone still rejects
without looking at anything undecided. Every completion of the rest would be rejected, and the search
continues from there. (Lazy SmallCheck's parallel conjunction evaluates all parts before each decision; this
evaluates only the one that has rejected, and reaches the same place.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.narrow.arguments import Arguments, Condition
from everycase.narrow.conjuncts import compared, taken_apart
from everycase.narrow.lazy.whole import Digit
from everycase.narrow.trail import Again, Dead, Decisions, Place

#: How often a part may look back without success before it does so only now and then (once in this many
#: rejections).
PATIENCE = 16
RARELY = 16


class ConjunctionPart:
    """One condition of the conjunction."""

    __slots__ = ("check", "credit", "early", "evaluations", "number", "of", "reads")

    def __init__(
        self, number: int, of: Any, check: Callable[..., object], reads: tuple[tuple[int, int], ...]
    ) -> None:
        #: its position in the source
        self.number = number
        #: the predicate that it is a part of
        self.of = of
        self.check = check
        self.reads = reads
        #: it is evaluated before one that comes earlier in the source
        self.early = False
        self.evaluations = 0
        self.credit = PATIENCE


class Conjunction:
    """The conditions of one search as they are evaluated on partial values."""

    def __init__(self, arguments: Arguments, conditions: Sequence[Condition], state: Decisions) -> None:
        self.arguments = arguments
        self.state = state
        self.parts: list[ConjunctionPart] = []
        #: whether parts may be evaluated in another order
        self.can_reorder = True
        for predicate, reads in conditions:
            apart, free = taken_apart(predicate, len(reads), arguments.classes)
            self.can_reorder = self.can_reorder and free
            for check, places in apart:
                if getattr(check, "__code__", None) is None:
                    self.can_reorder = False
                self.parts.append(
                    ConjunctionPart(
                        len(self.parts), predicate, check, tuple(reads[place] for place in places)
                    )
                )
        self.can_reorder = self.can_reorder and len(self.parts) > 1
        #: the order in which parts are asked unless another one was learned
        self._usual = self._bounds_first() if self.can_reorder else list(self.parts)
        self.sequence: list[ConjunctionPart] = list(self._usual)
        #: they are asked in the order in which they are written
        self.in_order = True
        self.first(None)
        #: the part that has rejected, if it was not the first to look
        self.rejecting: ConjunctionPart | None = None
        self._single = False

    def first(self, number: int | None) -> None:
        """Ask this part first, and the others in their usual order; None for all in their usual order."""
        lead = [] if number is None else [self.parts[number]]
        self.sequence = [*lead, *[part for part in self._usual if part.number != number]]
        least = len(self.parts)
        for part in reversed(self.sequence):
            part.early = part.number > least
            least = min(least, part.number)
        self.in_order = not any(part.early for part in self.parts)

    def _bounds_first(self) -> list[ConjunctionPart]:
        """As written, but a comparison of several undecided parts comes after those that bound one of them alone: bounds
        cost no decision, and where there are none, one of the parts has to be decided by trying numbers."""
        found = [compared(part.check, len(part.reads)) for part in self.parts]
        places = [
            {(part.reads[number], text) for number, text in some}
            for part, (some, _) in zip(self.parts, found)
        ]
        order: list[ConjunctionPart] = []
        for part in self.parts:
            if part in order:
                continue
            if len(places[part.number]) > 1:
                later = range(part.number + 1, len(self.parts))
                order += [
                    self.parts[one]
                    for one in later
                    if found[one][1] and places[one] <= places[part.number] and self.parts[one] not in order
                ]
            order.append(part)
        return order

    def begin(self, single: bool) -> None:
        """A search begins; ``single`` means that there is one argument, which can be undecided."""
        self._single = single
        self.rejecting = None

    def ask(self) -> bool:
        """Whether the partial value satisfies all conditions."""
        held, partial = self.arguments.held, self.arguments.partial
        later: list[ConjunctionPart] | None = None
        lead = self.sequence[0]
        for part in self.sequence:
            part.evaluations += 1
            if part.early:
                try:
                    satisfied = self._one(part)
                except Exception:
                    later = [*(later or ()), part]
                    continue
            elif self._single:
                satisfied = part.check(held[0])
            else:
                satisfied = part.check(*[partial(i, level) for i, level in part.reads])
            if not satisfied:
                self.rejecting = None if part is lead else part
                return False
        for part in later or ():
            if not self._one(part):
                self.rejecting = part
                return False
        return True

    def _one(self, part: ConjunctionPart) -> object:
        if self._single:
            return part.check(self.arguments.held[0])
        partial = self.arguments.partial
        return part.check(*[partial(i, level) for i, level in part.reads])

    # --- going back -------------------------------------------------------------------------------------

    def go_back(self) -> int:
        """Undo the decisions that the rejecting part does not need; returns how many.

        The last decision that it needs stays on the trail (its target is undecided), to take its next alternative.
        """
        part, self.rejecting = self.rejecting, None
        state = self.state
        trail = state.trail
        if part is None or not trail:
            return 0
        if part.credit <= 0:
            part.credit -= 1
            if part.credit > -RARELY:
                return 0
            part.credit = 1
        gone = 0
        while trail:
            # A part that is made whole is either undecided as a whole, or not at all.
            taken = [trail[-1]]
            state.undo(len(trail) - 1)
            made = taken[0][0].part if type(taken[0][0]) is Digit else None
            while made is not None and trail and type(trail[-1][0]) is Digit and trail[-1][0].part is made:
                taken.append(trail[-1])
                state.undo(len(trail) - 1)
            if not self._still_rejects(part):
                for entry in reversed(taken):
                    if made is not None:
                        made.digits.append(entry[0])
                    trail.append(entry)
                break
            gone += len(taken)
        part.credit = min(PATIENCE, part.credit + gone) if gone else part.credit - 1
        return gone

    def _still_rejects(self, part: ConjunctionPart) -> bool:
        """Whether a part rejects without looking at anything undecided."""
        state = self.state
        length, slack, arrange = len(state.trail), state.slack, state.arrange
        looked = False

        def stop(place: Place, alternatives: Sequence[Any]) -> Sequence[Any]:
            nonlocal looked
            looked = True
            raise Looked

        state.arrange = stop
        part.evaluations += 1
        try:
            rejects = not self._one(part)
        except (Looked, Dead, Again, Exception):
            rejects = False
        finally:
            state.arrange = arrange
            unsure = state.dead or state.again
            state.dead = state.again = False
            state.refused = None
            if len(state.trail) > length:
                state.undo(length)
            state.slack = slack
        return rejects and not looked and not unsure


class Looked(BaseException):
    """Something undecided was looked at."""
