"""How a search steps: with how many edits, towards longer or shorter values, when by a long slice, and when not at all.

All of it is learned during the search, only from whether a neighbour was better, equally good, or worse:

- **Reach**, the mean number of edits. If each edit leaves the utility as it is with probability s, then k edits that do
  no harm bring the most that is new when s to the k is about a third. So the number of edits grows while more
  neighbours than that are no worse, and shrinks while fewer are. If much of a value does not matter, steps
  become large automatically.
- **Growth**, how often an edit that makes a list longer or shorter makes it longer.
- **Long steps**, which repeat a slice of a list of any length, and change nothing else. They are tried less
  and less often as long as they do not pay off, and accepted only if the utility rises, so that values do not
  fill up with copies.
- **Moves** that rearrange or combine (:mod:`everycase.choices.neighbor.moves`): each is tried more often when
  it pays off and less often when it does not, but never given up.
- **Fresh values** instead of a step. The first value of a search is poor, and the next random value is more
  often better than one of its neighbours. So at first half of all tests are fresh values, and fewer each time
  that one of them does not beat the best of the search in any label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.neighbor.edits import places
from everycase.choices.neighbor.moves import MOVES
from everycase.choices.neighbor.rules import Manner
from everycase.choices.trace import Trace

#: The share of neighbours that should be no worse.
NO_WORSE = 0.3

#: How much a neighbour that is no worse increases the reach, how much a worse one decreases it, and its
#: limits. The first value is poor, so there is little to lose by a large step from it.
QUICKENING = 1.1
SLOWING = QUICKENING ** (-NO_WORSE / (1 - NO_WORSE))
LEAST_REACH, FIRST_REACH, MOST_REACH = 1.5, 4.0, 50.0

#: How much an improvement by a longer or shorter value shifts the share of lengthening edits, and its limits.
LEARNING = 0.03
MOST_GROWTH = 0.8

#: How much of this is forgotten with every step that changed nothing: what pays off early in a search (more
#: links, for example) would make values too large later.
FORGETTING = 0.03

#: How often a step is a long one: at first, at least, at most.
LONG, LEAST_LONG, MOST_LONG = 0.05, 0.02, 0.5

#: How often a step is a certain move: at first, at least, at most, and if nothing in the value fits the move.
#: After a gain it is tried ``MOVE_PAYS`` times as often, otherwise (also after a tie, which teaches nothing)
#: ``MOVE_FADES`` times.
MOVE, LEAST_MOVE, MOST_MOVE, NO_MOVE = 0.04, 0.01, 0.3, 0.002
MOVE_PAYS, MOVE_FADES = 1.6, 0.97

#: Maximum share of steps that are moves.
MOST_MOVES = 0.4

#: More than the rounding error of a sum of chances.
ROUNDING = 1e-9

#: How often a fresh value replaces a step: at first and at most, and the factor after each that did not pay
#: off.
FRESH, FRESH_FADES = 0.5, 0.8


class StepSize:
    """What one search has learned about its own steps."""

    __slots__ = ("_all_moves", "fresh", "growth", "long", "moves", "reach")

    def __init__(self, fresh: bool = True) -> None:
        self.growth = 0.5
        self.reach = FIRST_REACH
        self.long = LONG
        self.fresh = FRESH if fresh else 0.0
        self.moves = dict.fromkeys(MOVES, MOVE)
        #: the sum of these; None after a change
        self._all_moves: float | None = None

    def step(self, random: Callable[[], float], others: Sequence[Trace[Any]] = ()) -> Manner:
        """How to make the next step. ``others`` are the values it may be combined with."""
        r = random()
        if r < self.long:
            return Manner(self.growth, self.reach, True)
        r -= self.long
        total = self._all_moves
        if total is None:
            total = self._all_moves = sum(self.moves.values())
        if r > min(total, MOST_MOVES) + ROUNDING:
            return Manner(self.growth, self.reach)  # most steps
        scale = MOST_MOVES / total if total > MOST_MOVES else 1.0
        for name, chance in self.moves.items():
            r -= chance * scale
            if r < 0:
                return Manner(self.growth, self.reach, False, name, others)
        return Manner(self.growth, self.reach)

    def not_applicable(self, move: str) -> None:
        """A value had nothing that the move applies to."""
        self.moves[move] = max(NO_MOVE, self.moves[move] * 0.7)
        self._all_moves = None

    def learn(self, manner: Manner, change: float, before: Trace[Any], now: Trace[Any]) -> None:
        """A step changed the utility by this much; positive is better."""
        if manner.long:
            self.long = min(MOST_LONG, self.long * 2) if change > 0 else max(LEAST_LONG, self.long * 0.9)
            return
        if manner.move:
            chance = self.moves[manner.move]
            self._all_moves = None
            if change > 0:
                self.moves[manner.move] = min(MOST_MOVE, max(chance, LEAST_MOVE) * MOVE_PAYS)
            else:
                self.moves[manner.move] = max(LEAST_MOVE, chance * MOVE_FADES)
            return
        if change >= 0:
            reach = self.reach * QUICKENING
            self.reach = reach if reach < MOST_REACH else MOST_REACH
        else:
            reach = self.reach * SLOWING
            self.reach = reach if reach > LEAST_REACH else LEAST_REACH
        if change > 0 and places(before) != places(now):
            growth = self.growth + (LEARNING if places(now) > places(before) else -LEARNING)
            self.growth = min(MOST_GROWTH, max(1 - MOST_GROWTH, growth))
        elif change == 0:
            self.growth += (0.5 - self.growth) * FORGETTING

    def learn_fresh(self, better: bool) -> None:
        """Record whether a fresh value was better than everything that the search had found."""
        self.fresh = min(FRESH, self.fresh * 2) if better else self.fresh * FRESH_FADES
