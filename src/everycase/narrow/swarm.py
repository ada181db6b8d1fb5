"""Not all constructors at a time: which of them a search uses is drawn anew for every search.

A mistake mostly needs some constructors, put together in the right way. Among all values of its size those are rare; among
the values made of these constructors alone they are not. Since nobody knows which constructors it takes, they are drawn.
Values made of few constructors are also few, so that all of them can be tried up to sizes that a search of everything
never reaches; or values of more constructors are tried in random orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.gen.facts import facts
from everycase.narrow.lazy.unions import Becoming
from everycase.narrow.orders import Order, Shuffled
from everycase.narrow.trail import Alternative, Place

#: How likely a constructor with parts is to be used.
KEEP = 0.6
#: Random orders can do with more of them. They leave out only those with so many recursive parts, of which it is drawn
#: how likely they are to be used, mostly not very: in values with them there is less room for others, and most mistakes
#: need those with one or two, if there are such.
MANY_PARTS = 3
#: How likely it is that of those without parts only one is used for each type: they differ least, but some mistakes need
#: two of them. In random orders it is more likely, since they come to more selections.
ONE_WITHOUT_PARTS, ONE_SCATTERED = 0.7, 0.9
#: How likely a constructor without parts is to come first in a random order, compared with the others: a value that ends
#: at once is soon known.
WITHOUT_PARTS = 0.3
#: How many random orders there are of the constructors at one place.
ORDERS_OF_PLACE = 8


class Selection(Order):
    """Leaves out some constructors everywhere, cheapest first among the others.

    Where all that is left out is all there is, it is not left out.
    """

    def __init__(self, random: Callable[[], float], one_without_parts: float | None = None) -> None:
        self.random = random
        chance = ONE_WITHOUT_PARTS if one_without_parts is None else one_without_parts
        self.one_without_parts = random() < chance
        #: every constructor seen, and whether it is used
        self.used: dict[Any, bool] = {}
        #: alternatives, kept so that their id stays theirs, and those that are used
        self._known: dict[int, tuple[Sequence[Alternative], Sequence[Alternative]]] = {}

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        known = self._known.get(id(alternatives))
        if known is not None:
            return known[1]
        if not isinstance(alternatives[0], Becoming):
            return alternatives
        chosen = self._chosen(alternatives)
        self._known[id(alternatives)] = (alternatives, chosen)
        return chosen

    def _chosen(self, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        used, random = self.used, self.random
        atoms = []
        parts = [_recursive_parts(one) for one in alternatives]
        has_small = any(0 < some < MANY_PARTS for some in parts)
        for one, some in zip(alternatives, parts):
            if one.label in used:
                continue
            if one.ends:
                atoms.append(one.label)
            else:
                used[one.label] = random() < self.chance(has_small and some >= MANY_PARTS)
        if atoms:
            kept = atoms[int(random() * len(atoms))]
            used.update((label, label is kept or not self.one_without_parts) for label in atoms)
        chosen = [one for one in alternatives if used[one.label]]
        if 0 < len(chosen) < len(alternatives):
            self.leaves_out = True
        return chosen or alternatives

    def chance(self, is_large: bool) -> float:
        """How likely a constructor with parts is to be used. A large one has many recursive parts, and others have few."""
        return KEEP


def _recursive_parts(alternative: Alternative) -> int:
    assert isinstance(alternative, Becoming)
    return sum(facts(part).recursive for part in alternative.shape.build.parts)


class WithoutLarge(Selection):
    """Leaves out some large constructors, or all of them, or none."""

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random, ONE_SCATTERED)
        self.keep = random() ** 2

    def chance(self, is_large: bool) -> float:
        return self.keep if is_large else 1.0


class Scattered(Shuffled):
    """Random orders of the constructors that a selection uses; those without parts come first less often.

    There are a few orders for each place, and one of them is taken for each decision: this is faster, and makes each
    selection prefer some constructors in some places, as many mistakes do.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random)
        self.selection = WithoutLarge(random)
        #: alternatives (kept, so that their id stays theirs), those that are used, and the orders drawn so far
        self._orders: dict[
            int, tuple[Sequence[Alternative], Sequence[Alternative], list[Sequence[Alternative]]]
        ] = {}

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        known = self._orders.get(id(alternatives))
        if known is None:
            if not isinstance(alternatives[0], Becoming):
                if len(alternatives) == 2:  # as mostly: the two sides of a comparison
                    return alternatives if self.random() < 0.5 else alternatives[::-1]
                return super().arrange(place, alternatives)
            known = alternatives, self.selection.arrange(place, alternatives), []
            self._orders[id(alternatives)] = known
        _, chosen, orders = known
        if len(chosen) == 1:
            return chosen
        number = int(self.random() * ORDERS_OF_PLACE)
        if number < len(orders):
            return orders[number]
        # Orders are drawn when they are needed. Which of those that are not drawn yet this is makes no difference.
        order = super().arrange(place, chosen)
        orders.append(order)
        return order

    @property
    def leaves_out(self) -> bool:  # type: ignore[override]
        return self.selection.leaves_out

    def weight(self, place: Place, alternative: Alternative) -> float:
        parts = not isinstance(alternative, Becoming) or alternative.shape.layout.names
        return 1.0 if parts else WITHOUT_PARTS
