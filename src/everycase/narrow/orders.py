"""The order in which the alternatives of a decision are tried.

Without an order a search goes depth first, the cheapest alternative first. An :class:`Order` is asked at
every decision, and is told about every value that was found, so that it can learn.

Only some constructors at a time (:class:`ConstructorSelection`, :class:`Scattered`): a bug usually needs some
constructors, combined in the right way. Such values are rare among all values of their size, but not among
the values of only these constructors. It is not known which constructors are needed, so they are redrawn for
every search. There are few values of few constructors, so all of them can be tried up to sizes that a
complete search never reaches; or values of more constructors are tried in random orders.

Random shapes of a given size (:class:`Sized`): in a random order that only knows how much is left, the part
that is looked at first takes nearly everything, and balanced values never come up. Here the size is divided
among the recursive parts before any of them is looked at, and only the rest (colours, numbers) is searched.
Every division is about equally likely, or, in every other shape, all shares are about equal, because balanced
shapes are rare among all shapes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from everycase.choices.dice import below, split
from everycase.errors import InvalidArgument
from everycase.gen.facts import facts
from everycase.narrow.found import Found
from everycase.narrow.lazy.intervals import EveryInt
from everycase.narrow.lazy.lists import More
from everycase.narrow.lazy.objects import Lazy, dict_of
from everycase.narrow.lazy.slots import Slot, Subplan
from everycase.narrow.lazy.unions import Becoming, ObjectPlan
from everycase.narrow.trail import Alternative, Decisions, Many, Place

#: The average distance of numbers from the end that they lean to.
LEAN = 2
#: More alternatives than this (the values of an integer) are not weighed, but taken from a random position
#: on.
MOST_WEIGHED = 64
#: How likely a constructor with parts is to be used.
KEEP = 0.6
#: Random orders can handle more of them. They only leave out those with at least this many recursive parts.
#: How likely these are to be used is drawn, mostly low: in values with them there is less room for others,
#: and most bugs need those with one or two, if there are such.
MANY_PARTS = 3
#: How likely it is that only one constructor without parts is used for each type: they differ least, but some
#: bugs need two of them. In random orders it is more likely, because they try more selections.
ONE_WITHOUT_PARTS, ONE_SCATTERED = 0.7, 0.9
#: How likely a constructor without parts is to come first in a random order, compared with the others: a
#: value that ends at once is soon known.
WITHOUT_PARTS = 0.3
#: How many random orders there are of the constructors at one place.
ORDERS_OF_PLACE = 8
#: How likely it is that the parts of a shape are about equally large.
EVEN = 0.5


class Order:
    """Decides which alternative is tried first. Subclass it and write :meth:`arrange`; :meth:`learn` is
    optional."""

    #: something was left out, so a search that has ended has not found everything
    leaves_out = False

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        """The alternatives of one decision (all of them affordable) in the order in which to try them.

        ``place.owner`` is the class whose field is decided and ``place.name`` the field; an alternative's
        ``label`` is the class that an object becomes, or the value. Values of alternatives that are left out
        are not searched.
        """
        return alternatives

    def learn(self, found: Found) -> None:
        """A value was found."""


class Checked(Order):
    """Checks a user-defined order: whether it is valid, and whether it leaves something out."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.learn = order.learn  # type: ignore[method-assign]

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        chosen = self.order.arrange(place, alternatives)
        if not isinstance(chosen, Sequence) or not chosen:
            raise InvalidArgument(
                f"{type(self.order).__name__}.arrange must return a list of at least one of the alternatives that it "
                f"gets, not {chosen!r} (at {place})"
            )
        if len(chosen) < len(alternatives):
            self.leaves_out = True
        return chosen


class Shuffled(Order):
    """A random order. ``weights`` says how likely the alternatives with some labels (classes, values) are to
    come first, compared with 1 for all others. Another element of a list is ``longer`` times as likely as it
    would be if all lengths were equally likely."""

    def __init__(
        self,
        random: Callable[[], float],
        weights: Mapping[Any, float] | None = None,
        *,
        longer: float = 1.0,
    ) -> None:
        self.random = random
        self.longer = longer
        if weights is not None and not isinstance(weights, Mapping):
            raise InvalidArgument(
                f"weights must map classes to numbers, as in {{Node: 4, Leaf: 1}}, not {weights!r}"
            )
        self.weights: dict[Any, float] = dict(weights or {})
        for label, weight in self.weights.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
                raise InvalidArgument(
                    f"weights[{label!r}] must be a positive number, not {weight!r}; leave a class out of the generator "
                    "instead of giving it weight 0"
                )

    def weight(self, place: Place, alternative: Alternative) -> float:
        """How likely an alternative is to come first."""
        if type(alternative) is More:
            return alternative.weight * self.longer
        try:
            return self.weights.get(alternative.label, alternative.weight)
        except TypeError:  # a value that cannot be hashed
            return alternative.weight

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        if len(alternatives) > MOST_WEIGHED:
            return Permuted(alternatives, self.random)
        random, weight = self.random, self.weight
        # The one whose clock rings first comes first; the weights are the speeds of the clocks.
        keyed = [
            (math.log(1.0 - random()) / weight(place, one), i, one) for i, one in enumerate(alternatives)
        ]
        keyed.sort(reverse=True)
        return [one for _, _, one in keyed]


class Leaning(Shuffled):
    """A random order in which numbers are near the beginning of their range, or near its end.

    If each number must be greater (or less) than the one before, arbitrary numbers soon leave no room for
    others.
    """

    def __init__(
        self,
        random: Callable[[], float],
        weights: Mapping[Any, float] | None,
        *,
        to_end: bool,
        longer: float = 1.0,
    ) -> None:
        super().__init__(random, weights, longer=longer)
        self.to_end = to_end

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        if not isinstance(alternatives, EveryInt):
            return super().arrange(place, alternatives)
        step = min(alternatives.total - 1, int(-math.log(1.0 - self.random()) * LEAN))
        return FromOneEnd(alternatives, step, to_end=self.to_end)


class FromOneEnd(Many):
    """All of many alternatives, starting this many steps from one end."""

    def __init__(self, source: Many, step: int, *, to_end: bool) -> None:
        super().__init__(source.total)
        self.source = source
        self.step = step
        self.to_end = to_end

    def at(self, number: int) -> Alternative:
        place = (self.step + number) % self.total
        return self.source.at(self.total - 1 - place if self.to_end else place)


class Permuted(Many):
    """All of many alternatives in another order, without making them."""

    def __init__(self, source: Sequence[Alternative], random: Callable[[], float]) -> None:
        # len() cannot return more than sys.maxsize.
        super().__init__(source.total if isinstance(source, Many) else len(source))
        self.source = source
        self.step = 1 + below(self.total - 1, random)
        while math.gcd(self.step, self.total) != 1:
            self.step = self.step % (self.total - 1) + 1
        self.start = below(self.total, random)

    def at(self, number: int) -> Alternative:
        return self.source[(self.start + number * self.step) % self.total]


# --- not all constructors at a time ---------------------------------------------------------------------------


class ConstructorSelection(Order):
    """Leaves out some constructors everywhere; the others come cheapest first.

    If this would leave out all constructors at a place, none is left out.
    """

    def __init__(self, random: Callable[[], float], one_without_parts: float | None = None) -> None:
        self.random = random
        chance = ONE_WITHOUT_PARTS if one_without_parts is None else one_without_parts
        self.one_without_parts = random() < chance
        #: every constructor seen, and whether it is used
        self.used: dict[Any, bool] = {}
        #: alternatives, kept so that their ids stay unique, and those that are used
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
        """How likely a constructor with parts is to be used. A large one has many recursive parts, others
        have few."""
        return KEEP


def _recursive_parts(alternative: Alternative) -> int:
    assert isinstance(alternative, Becoming)
    return sum(facts(part).recursive for part in alternative.constructor.build.parts)


class WithoutLarge(ConstructorSelection):
    """Leaves out some large constructors, or all of them, or none."""

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random, ONE_SCATTERED)
        self.keep = random() ** 2

    def chance(self, is_large: bool) -> float:
        return self.keep if is_large else 1.0


class Scattered(Shuffled):
    """Random orders of the constructors that a selection uses; those without parts come first less often.

    There are a few orders for each place, and one of them is taken for each decision: this is faster, and
    makes each selection prefer some constructors in some places, as many bugs need.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        super().__init__(random)
        self.selection = WithoutLarge(random)
        #: alternatives (kept so that their ids stay unique), those that are used, and the orders drawn so far
        self._orders: dict[
            int, tuple[Sequence[Alternative], Sequence[Alternative], list[Sequence[Alternative]]]
        ] = {}

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        known = self._orders.get(id(alternatives))
        if known is None:
            if not isinstance(alternatives[0], Becoming):
                if len(alternatives) == 2:  # usually: the two sides of a comparison
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
        # Orders are drawn on demand. It makes no difference which of the undrawn orders this is.
        order = super().arrange(place, chosen)
        orders.append(order)
        return order

    @property
    def leaves_out(self) -> bool:  # type: ignore[override]
        return self.selection.leaves_out

    def weight(self, place: Place, alternative: Alternative) -> float:
        parts = not isinstance(alternative, Becoming) or alternative.constructor.layout.names
        return 1.0 if parts else WITHOUT_PARTS


# --- random shapes of a size ----------------------------------------------------------------------------------


class Sized(Shuffled):
    """An order that makes one random shape of a size, and leaves out all others."""

    leaves_out = True

    def __init__(self, random: Callable[[], float], size: int, held: list[Any], state: Decisions) -> None:
        super().__init__(random)
        self.size = size
        #: all shares are about equal
        self.even = random() < EVEN
        self.held = held
        self.state = state
        #: by the id of a container (kept so that it stays unique), the shares of its parts
        self._shares: dict[int, tuple[Any, dict[Any, int]]] = {}
        #: containers and keys whose objects did not exist yet when their shares were decided
        self._pending: list[tuple[Any, Any, dict[Any, int]]] = []

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        target = self.state.target
        if type(target) is not Slot:
            return super().arrange(place, alternatives)
        goes = [one for one in alternatives if _recursive_fields(one)]
        if not goes:
            return super().arrange(place, alternatives)
        share = self._share(target.container, target.key)
        goes = [one for one in goes if one.extra <= share]
        if not goes:
            stops = [one for one in alternatives if not _recursive_fields(one)]
            return super().arrange(place, stops or alternatives)
        chosen = goes[int(self.random() * len(goes))]
        names = _recursive_fields(chosen)
        cut = self._cut(share - chosen.extra, len(names))
        self._pending.append((target.container, target.key, dict(zip(names, cut))))
        return [chosen]

    def _cut(self, room: int, parts: int) -> list[int]:
        """Shares of the parts."""
        if not self.even:
            return split(room, parts, self.random)
        first, more = int(self.random() * parts), room % parts
        return [room // parts + ((place - first) % parts < more) for place in range(parts)]

    def _share(self, container: Any, key: Any) -> int:
        if container is self.held:
            return self.size
        known = self._shares.get(id(container))
        if known is None:
            self._resolve()
            known = self._shares.get(id(container))
        return 0 if known is None else known[1].get(key, 0)

    def _resolve(self) -> None:
        for container, key, cut in self._pending:
            try:
                made = container[key]
            except (KeyError, IndexError):
                continue
            if issubclass(type(made), Lazy):
                own = dict_of(made)
                self._shares[id(own)] = own, cut
        self._pending.clear()


def _recursive_fields(alternative: Alternative) -> list[str]:
    """The fields of an alternative that may contain more of the same; none if it is not an object."""
    if not isinstance(alternative, Subplan) or not isinstance(alternative.plan, ObjectPlan):
        return []
    constructor = alternative.plan.constructor
    return [
        name for name, part in zip(constructor.layout.names, constructor.build.parts) if facts(part).recursive
    ]


def luby(turn: int) -> int:
    """1, 1, 2, 1, 1, 2, 4, 1, ...: how patient to be in each turn if it is unknown how long a turn should
    take.

    >>> [luby(turn) for turn in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    while turn + 1 & turn:
        turn -= (1 << turn.bit_length() - 1) - 1
    return turn + 1 >> 1
