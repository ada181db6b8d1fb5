"""Narrow: only inputs that satisfy the precondition, found by pruning."""

from __future__ import annotations

import math
import random as stdlib_random
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from typing import Any

from everycase.choices.dice import draw_size
from everycase.choices.sampler import sampler
from everycase.enumeration.count import tier_of
from everycase.errors import GeneratorError, InvalidArgument, Untrusted
from everycase.explore.base import SEARCHING, Case, Explorer, Outcome, Space
from everycase.gen.collections import tuples
from everycase.gen.validate import require_count, require_int
from everycase.narrow import Found, Narrowing, Order, Shuffled
from everycase.narrow.arguments import names_of
from everycase.narrow.costs import greatest
from everycase.narrow.orders import luby
from everycase.narrow.reader import classes_in, draws_while_testing
from everycase.narrow.repeats import Repeats
from everycase.narrow.selection import Scattered, Selection
from everycase.narrow.statistics import MANY_PER_VALUE

#: After so many evaluations without a value the run is asked whether to go on.
BEAT = 2000
#: The same while a random order is tried, and how many evaluations without a value are the least that ends it.
SHORT_BEAT = 64
PATIENCE = 128
#: So many evaluations are spent for each test that the run may take, unless ``max_evaluations`` says otherwise.
EVALUATIONS_PER_TEST = 2000
#: The size up to which random searches go when none is given.
USUAL_SIZE = 16

#: How many evaluations a selection of constructors gets: between these, small budgets as often as large ones.
LEAST_SELECTED, MOST_SELECTED = 2000, 64_000
#: How many random orders are tried with one selection.
STARTS_OF_SELECTION = 20
#: A type with fewer constructors is not worth selecting from.
FEW_CONSTRUCTORS = 4

#: A random order ends when so many values in a row (or as many as there are tests) were known already.
MANY_REPEATS = 1000

#: Orders that come to each value once, and the others.
IN_ORDER = ("smallest", "depth")
ORDERS = (*IN_ORDER, "random", "selected", "scattered", "mixed")

#: The work of a value that was found (it is made, checked again, and tested) in evaluations, and how much of the work each
#: part of the mixed order gets. What the smallest have not found soon they find late: the next size always takes several
#: times as long as the last.
WORK_OF_VALUE = 3
SMALLEST_SHARE, SELECTED_SHARE, SCATTERED_SHARE, RANDOM_SHARE = 1, 2, 4, 3

Cases = Iterator[Found | None]


class Narrow(Explorer):
    """Inputs that satisfy the precondition (``g.filter(p)``, ``given(...).where(p)``), and no others.

    The predicate is run on values that are decided only where it looks; what it rejects half decided is never
    completed. ``max_size`` bounds the size of all arguments together.

    ``order`` says which come first: "smallest" (all values of size 0, then 1, and so on; the default if ``max_size`` is
    given), "depth" (depth first at ``max_size``), "random" (random order, started again after ``restart`` values or
    a little later, up to a size that is drawn between ``from_size`` and ``max_size`` each time), "selected" (few
    constructors at a time, drawn anew again and again, smallest first), "scattered" (few constructors at a time, in
    random orders), "mixed" (smallest, selected and scattered in turns; smallest and random where there are few
    constructors or ``weights``; the default otherwise). ``weights={Cls: 4, ...}`` makes classes come first more often in random orders.
    ``max_evaluations`` ends the search.

    >>> from everycase import check, gen
    >>> def is_sorted(xs):
    ...     return all(a <= b for a, b in zip(xs, xs[1:]))
    >>> report = check(lambda xs: True, gen.lists(gen.integers(0, 9)).filter(is_sorted), explore=Narrow(max_size=3))
    >>> report.examples, report.covered
    (286, 'all 286 values up to size 3 that satisfy is_sorted')
    """

    def __init__(
        self,
        *,
        max_size: int | None = None,
        order: str | Order | None = None,
        weights: Mapping[Any, float] | None = None,
        from_size: int | None = None,
        restart: int = 5,
        max_evaluations: int | None = None,
    ) -> None:
        for name, size in (("max_size", max_size), ("from_size", from_size)):
            if size is not None:
                require_count(name, size)
        if max_size is not None and from_size is not None and from_size > max_size:
            raise InvalidArgument(f"from_size={from_size} is greater than max_size={max_size}; swap them")
        if order is None:
            order = "smallest" if max_size is not None and weights is None and from_size is None else "mixed"
        if not isinstance(order, Order) and order not in ORDERS:
            raise InvalidArgument(
                f"order must be one of {', '.join(ORDERS)}, or an everycase.narrow.Order, not {order!r}"
            )
        if order == "depth" and max_size is None:
            raise InvalidArgument("order='depth' needs a max_size; without one it would never come back")
        if weights is not None and order in ("smallest", "depth"):
            raise InvalidArgument(
                f"weights have no effect on order={order!r}; write order='random' or 'mixed'"
            )
        if from_size is not None and order in ("smallest", "depth"):
            raise InvalidArgument(
                f"from_size has no effect on order={order!r}; write order='random' or 'mixed'"
            )
        require_int("restart", restart)
        if restart < 1:
            raise InvalidArgument(f"restart={restart} must be at least 1")
        if max_evaluations is not None:
            require_count("max_evaluations", max_evaluations)
        Shuffled(lambda: 0.0, weights)  # checks the weights
        self.max_size = max_size
        self.order = order
        self.weights = weights
        self.from_size = from_size
        self.restart = restart
        self.max_evaluations = max_evaluations

    def __repr__(self) -> str:
        usual = {"order": "mixed" if self.max_size is None else "smallest", "restart": 5}
        shown = [
            f"{name}={value!r}"
            for name, value in vars(self).items()
            if value is not None and usual.get(name) != value
        ]
        return f"Narrow({', '.join(shown)})"

    @staticmethod
    def can_prune(space: Space) -> bool:
        """Whether there is a precondition, on inputs that can stand half decided."""
        gens: Any = space.gen
        return not draws_while_testing(gens.parts) and Narrowing(gens.parts, space.preconditions).prunes

    @staticmethod
    def few_pass(space: Space) -> bool:
        """Whether hardly any random value passes the filters around the arguments: fewer than one in twenty."""
        gens: Any = space.gen
        arguments = Narrowing(gens.parts).arguments
        random = stdlib_random.Random(f"everycase filters {space.seed}").random
        roll = sampler(tuples(*arguments.cores))
        passed = 0
        for _ in range(200):
            with suppress(Exception):  # what a predicate raises shows when it is run for good
                passed += arguments.satisfy(arguments.conditions, roll(random, draw_size(random)))
        return passed < 10

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        hunt = Hunt(self, space)
        space.covered = hunt.covered
        space.figures = hunt.figures
        yield from hunt.cases()


class Hunt:
    """One run of :class:`Narrow`: its searches, and what they have found."""

    def __init__(self, options: Narrow, space: Space) -> None:
        self.options = options
        self.space = space
        self.gens = list(space.gen.parts)  # type: ignore[attr-defined]
        self.random = space.random.random
        limit = options.max_evaluations
        self.limit = EVALUATIONS_PER_TEST * space.budget if limit is None else limit
        self.searches: list[Narrowing] = []
        #: how many values were tested; one that was found after the last test does not count
        self.accepted = 0
        #: all values up to this size were found
        self.done: int | None = None
        #: the evaluations that this took
        self.spent = 0
        #: no value of any size satisfies
        self.nothing = False
        self.lazy = True
        #: the values tested, where the order may come to one again
        self.seen = self._repeats()
        self.first = self.narrowing()
        self.largest = sum(greatest(gen) for gen in self.gens)

    def narrowing(self) -> Narrowing:
        made = Narrowing(self.gens, self.space.preconditions, seed=self.space.seed)
        self.searches.append(made)
        return made

    def _repeats(self) -> Repeats | None:
        return None if self.options.order in IN_ORDER else Repeats(self.gens)

    def _only_repeats(self) -> bool:
        """Whether as many values were found in a row that are known as there are tests, so that it is time to end."""
        return self.seen is not None and self.seen.in_a_row > max(MANY_REPEATS, self.space.budget)

    # --- cases ------------------------------------------------------------------------------------------

    def cases(self) -> Generator[Case, Outcome, None]:
        space = self.space
        while True:
            try:
                for found in self.found():
                    if found is None or (self.seen is not None and not self.seen.is_new(found.args)):
                        yield SEARCHING
                    else:
                        yield Case(found.args, found.trace)
                        self.accepted += 1
                    if self.evaluations > self.limit or self._only_repeats():
                        return
            except Untrusted as problem:
                self.lazy = False
                self.accepted = 0  # they come again
                self.seen = self._repeats()
                self.nothing = False
                self.done = None
                space.warnings.append(
                    f"{self.predicate} cannot be used for pruning, so the run went on by filtering: {problem}"
                )
                continue
            break
        if self.nothing or (self.done is not None and self.done >= self.largest):
            space.exhausted = True

    def found(self) -> Cases:
        order, size = self.options.order, self.options.max_size
        if order == "smallest":
            return self.smallest(self.first)
        if order == "depth":
            assert size is not None
            return self.depth(self.first, size)
        if order == "selected":
            return self.varied(self.first, self.selections)
        if order == "scattered":
            return self.varied(self.first, self.scattered)
        if order != "mixed":
            return self.restarts(self.first)
        parts: list[tuple[int, Callable[[Narrowing], Cases]]]
        if self.can_select:
            parts = [(SELECTED_SHARE, self.selections), (SCATTERED_SHARE, self.scattered)]
        else:
            parts = [(RANDOM_SHARE, self.restarts)]
        streams = [(SMALLEST_SHARE, self.first, self.smallest(self.first))]
        for share, cases in parts:
            search = self.narrowing()
            streams.append((share, search, cases(search)))
        return self._in_turns(streams)

    def smallest(self, search: Narrowing) -> Cases:
        last = self.options.max_size
        size = 0
        while size <= (math.inf if last is None else last):
            yield from search.steps(size, exactly=True, lazy=self.lazy, beat=BEAT)
            self._all_up_to(size)
            if search.rejects_unseen:
                self._all_up_to(last or 0)
                self.nothing = True
                return
            if size >= self.largest:
                self._all_up_to(last or 0)
                return
            size += 1

    def depth(self, search: Narrowing, size: int) -> Cases:
        yield from search.steps(size, lazy=self.lazy, beat=BEAT)
        self._all_up_to(size)

    def restarts(self, search: Narrowing, *, selecting: bool = False) -> Cases:
        """Random orders, each followed for a while only; with few constructors at a time if ``selecting``."""
        options = self.options
        most = USUAL_SIZE if options.max_size is None else options.max_size
        fewest = min(most, most // 2 if options.from_size is None else options.from_size)
        order = options.order if isinstance(options.order, Order) else Shuffled(self.random, options.weights)
        tries = 0
        while True:
            if selecting and tries % STARTS_OF_SELECTION == 0:
                order = Scattered(self.random)
            tries += 1
            size = fewest + int(self.random() * (most - fewest + 1))
            start = since = search.statistics.evaluations
            taken = first = 0
            for found in search.steps(size, arrange=order.arrange, lazy=self.lazy, beat=SHORT_BEAT):
                yield found
                now = search.statistics.evaluations
                if found is not None and self.seen is not None and self.seen.in_a_row:
                    since = now  # known already, so go on
                elif found is not None:
                    order.learn(found)
                    since = now
                    taken += 1
                    first = first or now - start
                    # As much is spent near a value as it cost to get there.
                    if taken >= options.restart and taken + now - start >= 2 * first:
                        break
                elif now - since >= PATIENCE * luby(tries):
                    break
            else:
                if size == most and not selecting:
                    self._all_up_to(size)
                    return
            if selecting:
                if self.done is not None and self.done >= most:
                    return
                yield None

    def scattered(self, search: Narrowing) -> Cases:
        """Random orders, with few constructors at a time."""
        return self.restarts(search, selecting=True)

    @property
    def can_select(self) -> bool:
        """Whether there are constructors to select from, and no weights that say which are wanted."""
        return (
            self.options.weights is None and len(classes_in(self.first.arguments.cores)) >= FEW_CONSTRUCTORS
        )

    def varied(self, search: Narrowing, cases: Callable[[Narrowing], Cases]) -> Cases:
        """Selections of constructors; random orders where there is little to select."""
        if self.can_select:
            yield from cases(search)
        yield from self.restarts(search)

    def selections(self, search: Narrowing) -> Cases:
        """Few constructors at a time, smallest values first, each selection for a while only."""
        options, statistics = self.options, search.statistics
        most = USUAL_SIZE if options.max_size is None else options.max_size
        while True:
            order = Selection(self.random)
            limit = (
                statistics.evaluations + LEAST_SELECTED * (MOST_SELECTED / LEAST_SELECTED) ** self.random()
            )
            # All smaller ones are known from elsewhere.
            size = max(options.from_size or 0, 0 if self.done is None else self.done + 1)
            while size <= most and statistics.evaluations < limit:
                for found in search.steps(
                    size, exactly=True, arrange=order.arrange, lazy=self.lazy, beat=SHORT_BEAT
                ):
                    yield found
                    if statistics.evaluations >= limit:
                        break
                size += 1
            if len(order.used) < FEW_CONSTRUCTORS or (self.done is not None and self.done >= most):
                return
            yield None

    def _in_turns(self, streams: list[tuple[int, Narrowing, Cases]]) -> Cases:
        """Several searches, each with its share of the work, until the first one ends, which leaves nothing to find."""

        def done(stream: tuple[int, Narrowing, Cases]) -> float:
            share, search, _ = stream
            return (search.statistics.evaluations + WORK_OF_VALUE * search.statistics.accepted) / share

        left = list(streams)
        while left:
            stream = min(left, key=done)
            for found in stream[2]:
                yield found
                break
            else:
                if stream is streams[0]:
                    return
                left.remove(stream)

    def _all_up_to(self, size: int) -> None:
        if self.done is None or size > self.done:
            self.done = size
            self.spent = self.first.statistics.evaluations

    # --- what to say ------------------------------------------------------------------------------------

    @property
    def evaluations(self) -> int:
        return sum(search.statistics.evaluations for search in self.searches)

    @property
    def predicate(self) -> str:
        return names_of(self.first.conditions)

    def covered(self) -> str:
        """What was found, in words."""
        satisfying = (
            f"that satisfy {self.predicate}" if self.first.conditions else "(there is no precondition)"
        )
        once = self.seen is None or self.seen.complete
        if self.done is not None and self.done == self.options.max_size and once:
            text = f"all {self.accepted:,} values up to size {self.done} {satisfying}"
        else:
            text = f"{self.accepted:,} values {satisfying}"
            if not once:
                text += ", some perhaps repeated"
            if self.done is not None:
                text += f", among them all up to size {self.done}"
        # Those that were found again count: coming to them again is no fault of the predicate.
        found = max(self.accepted, sum(search.statistics.accepted for search in self.searches))
        if self.evaluations > MANY_PER_VALUE * max(1, found):
            spent = f"{self.evaluations / max(1, found):,.0f} evaluations"
            spent += " for each" if found else ""
            text += (
                f"; {spent}: reject early, by testing what is known of a part before looking at the next one"
            )
        if not self.lazy:
            text += "; by filtering"
        return text

    def figures(self) -> dict[str, Any]:
        """What was counted."""
        statistics = self.first.statistics
        values = self._values()
        return {
            "evaluations": self.evaluations,
            "accepted": self.accepted,
            "per_value": self.evaluations / max(1, self.accepted),
            "audited": sum(search.statistics.audited for search in self.searches),
            "raised": sum(search.statistics.raised for search in self.searches),
            "looked_at": statistics.looked_at(),
            "complete_to_size": self.done,
            "values_up_to_size": values,
            "pruned": None if not values else max(0.0, 1 - self.spent / values),
            "by_filtering": not self.lazy,
        }

    def _values(self) -> int | None:
        """How many values there are up to the size that was searched, whether they satisfy or not."""
        if self.done is None:
            return None
        try:
            # The tuple of arguments has a size of its own.
            gen = tuples(*self.first.arguments.cores)
            return int(sum(tier_of(gen, size).count for size in range(self.done + 2)))
        except GeneratorError:
            return None
