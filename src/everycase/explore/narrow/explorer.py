"""Narrow: only inputs that satisfy the precondition, found by pruning."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any

from everycase.choices.time_limit import OutOfTime, until
from everycase.enumeration.counting import tier_of
from everycase.enumeration.sequence import has_filters
from everycase.enumeration.walk import NOT_DECIDED
from everycase.errors import GeneratorError, InvalidArgument, Untrusted
from everycase.explore.narrow.turns import IN_ORDER, Options, Searches, refuse_shared
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space, Stopped
from everycase.explore.valid import Beside, RandomValid
from everycase.gen.collections import tuples
from everycase.gen.validate import require_count, require_int
from everycase.narrow import Narrowing, Order, Shuffled
from everycase.narrow.arguments import names_of
from everycase.narrow.planner import draws_while_testing
from everycase.narrow.seen import Repeats
from everycase.narrow.statistics import MANY_PER_VALUE, looked_at

#: Maximum number of evaluations for each test that the run may take, unless ``max_evaluations`` is given.
EVALUATIONS_PER_TEST = 2000
#: A random order ends after this many values in a row (or as many as there are tests) that were already
#: known.
MANY_REPEATS = 1000
#: Maximum size for which the values are counted; for thousands of sizes that takes longer than the search.
MOST_COUNTED = 100

#: Seconds to count the values up to a size when the time limit of a run is reached.
COUNTING_SECONDS = 0.2

#: Minimum number of values for which a random order is followed.
RESTART = 5

ORDERS = (*IN_ORDER, "random", "selected", "scattered", "mixed")


class Narrow(Explorer):
    """Inputs that satisfy the precondition (``g.filter(p)``, ``given(...).where(p)``), and no others.

    The predicate runs on half-decided values, whose parts are chosen only when it looks at them. If it
    rejects such a value, all values with these parts are skipped. ``max_size`` bounds the size of all
    arguments together. Without a bound, an eighth of the work goes to random inputs; the valid ones among
    them are tested too, because pruning alone rarely finds a large input.

    ``order`` says which inputs come first: "smallest" (all values of size 0, then 1, and so on; the default
    if ``max_size`` is given), "depth" (depth first at ``max_size``), "random" (random order, restarted after
    ``restart`` values or a little later, up to a size that is drawn between ``from_size`` and ``max_size``
    each time; by default between 8 and 16, or more if the inputs are larger), "selected" (few constructors at
    a time, redrawn again and again, smallest first), "scattered" (only some constructors at a time, in random
    orders), "mixed" (smallest, selected and scattered in turns; smallest and random if there are few
    constructors or ``weights``; the default otherwise).
    ``weights={Cls: 4, ...}`` makes classes come first more often in random orders. ``max_evaluations`` ends the search.

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
        restart: int | None = None,
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
            raise InvalidArgument("order='depth' needs a max_size; without one it would never end")
        # Options that would be ignored are errors.
        for name, given, without in (
            ("weights have", weights, (*IN_ORDER, "selected", "scattered")),
            ("from_size has", from_size, IN_ORDER),
            ("restart has", restart, IN_ORDER),
        ):
            if given is not None and order in without:
                raise InvalidArgument(f"{name} no effect on order={order!r}; write order='random' or 'mixed'")
        if weights is not None and isinstance(order, Order):
            raise InvalidArgument("weights have no effect on an order of your own; let its arrange use them")
        restart = RESTART if restart is None else restart
        require_int("restart", restart)
        if restart < 1:
            raise InvalidArgument(f"restart={restart} must be at least 1")
        if max_evaluations is not None:
            require_count("max_evaluations", max_evaluations)
        Shuffled(lambda: 0.0, weights)  # checks the weights
        self.max_size = max_size
        self.order: str | Order = order
        self.weights = weights
        self.from_size = from_size
        self.restart = restart
        self.max_evaluations = max_evaluations

    def __repr__(self) -> str:
        usual = {"order": "mixed" if self.max_size is None else "smallest", "restart": RESTART}
        shown = [
            f"{name}={value!r}"
            for name, value in vars(self).items()
            if value is not None and usual.get(name) != value
        ]
        return f"Narrow({', '.join(shown)})"

    @staticmethod
    def can_prune(space: Space) -> bool:
        """Whether there is a precondition, on inputs that can be half decided."""
        gens: Any = space.gen
        # A shared value belongs to several arguments at once, but pruning decides them one by one.
        return (
            not gens.begins_input
            and not draws_while_testing(gens.parts)
            and Narrowing(gens.parts, space.guards).prunes
        )

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        refuse_shared(self, space)
        if not self.takes_random:
            yield from self.begin(space).cases()
            return
        seen = Repeats(space.gen.parts)  # type: ignore[attr-defined]
        hunt = self.begin(space, seen)
        if not hunt.first.conditions:
            yield from hunt.cases()
            return
        yield from Beside(space, hunt, RandomValid(space, seen)).cases()

    @property
    def takes_random(self) -> bool:
        """Whether the run also tests random valid inputs: neither sizes nor an order of the inputs were
        given."""
        return self.max_size is None and self.from_size is None and not isinstance(self.order, Order)

    def begin(self, space: Space, seen: Repeats | None = None) -> PruningRun:
        """A run that has not proposed anything yet; ``seen`` contains the inputs that are tested
        elsewhere."""
        hunt = PruningRun(self, space, seen)
        found = space.findings
        found.covered, found.caveat, found.figures = hunt.covered, hunt.caveat, hunt.figures
        found.complete_to = lambda: hunt.done
        return hunt


class PruningRun(Searches):
    """One run of :class:`Narrow`: its tests, and its report."""

    def __init__(self, options: Options, space: Space, seen: Repeats | None = None) -> None:
        super().__init__(options, space, seen)
        limit = options.max_evaluations
        self.limit = EVALUATIONS_PER_TEST * space.budget if limit is None else limit
        #: every input that satisfies the conditions was found
        self.complete = False
        #: the size of the largest input that was tested
        self.largest_tested = 0
        #: how many of the found values were already known
        self.repeats = 0
        #: the last tested input was already counted, by whoever ran it
        self.counted = False

    @property
    def tries(self) -> int:
        """The effort of the searches so far, in evaluations."""
        return sum(search.statistics.tries for search in self.searches)

    def _only_repeats(self) -> bool:
        """Whether the last values found were all known, as many as there are tests, so that it is time to
        end."""
        return self.seen is not None and self.seen.in_a_row > max(MANY_REPEATS, self.space.budget)

    # --- cases ------------------------------------------------------------------------------------------

    def cases(self) -> Generator[Case, Outcome, None]:
        space = self.space
        while True:
            try:
                for found in self.found():
                    if found is None:
                        yield SEARCHING
                    elif self.seen is not None and not self.seen.is_new(found.args):
                        self.repeats += 1
                        yield SEARCHING
                    else:
                        size = found.size
                        outcome = yield Case(found.args, found.trace, "pruned")
                        self.accepted += not self.counted
                        self.counted = False
                        self.largest_tested = max(self.largest_tested, size)
                        if outcome is not None and outcome.status == "discarded":
                            self._check_again(found.args)
                    if self.tries > self.limit:
                        space.findings.stopped(Stopped.evaluations, **self._spent())
                        return
                    if self._only_repeats():
                        space.findings.stopped(Stopped.only_repeats)
                        return
            except Untrusted as problem:
                self.lazy = False
                if self.seen is None:
                    self.accepted = 0  # they come again
                self.nothing = False
                self.done = None
                space.findings.warnings.append(
                    f"{self.predicate} cannot be used for pruning, so the run went on by filtering: {problem}"
                )
                continue
            break
        if any(search.state.contradicted for search in self.searches):
            space.findings.doubts.append(NOT_DECIDED)
        self.complete = self.nothing or (self.done is not None and self.done >= self.largest)
        if self.complete and space.leading:
            # It was read from the test's source: good enough for a search, but not for a proof.
            space.findings.stopped(Stopped.no_others, predicate=self.predicate)
        elif self.complete:
            space.findings.exhausted = True

    def _check_again(self, args: tuple[Any, ...]) -> None:
        """The run discarded an input that the search found valid: either the test itself did, or the
        precondition does not always give the same answer."""
        for check, places in self.space.preconditions:
            with suppress(Exception):
                if not check(*[args[place] for place in places]):
                    self.space.findings.doubts.append(
                        f"{self.predicate} accepted a value in the search but rejected it in the test: it depends on "
                        "something besides its argument"
                    )

    # --- what to say ------------------------------------------------------------------------------------

    @property
    def evaluations(self) -> int:
        return sum(search.statistics.evaluations for search in self.searches)

    def _spent(self) -> dict[str, Any]:
        """The effort of the search."""
        return {
            "evaluations": self.evaluations,
            "predicate": self.predicate,
            "dead_ends": sum(search.statistics.dead_ends for search in self.searches),
            "too_small": sum(search.statistics.too_small for search in self.searches),
        }

    @property
    def predicate(self) -> str:
        return names_of(self.first.conditions)

    def covered(self, sampled: int = 0) -> str:
        """What was tested, in words; ``sampled`` inputs were found by sampling."""
        tested = self.accepted + sampled
        single = tested == 1
        satisfying = (
            f"that {'satisfies' if single else 'satisfy'} {self.predicate}"
            if self.first.conditions
            else "(there is no precondition)"
        )
        once = self.seen is None or self.seen.complete
        if self.done is not None and self.done == self.options.max_size and once:
            everything = "the only value" if single else f"all {tested:,} values"
            text = f"{everything} up to size {self.done} {satisfying}"
        else:
            text = f"{tested:,} {'value' if single else 'values'} {satisfying}"
            if sampled:
                text += (
                    f" ({sampled:,} of them by sampling)" if self.accepted else ", all of them by sampling"
                )
            if not once:
                text += ", some perhaps repeated"
            if self.done is not None:
                text += f", among them all up to size {self.done}"
        if not self.lazy:
            return f"{text}; by filtering"
        if self.first.conditions and not self.first.prunes:
            return f"{text}; these inputs are made whole, so nothing was pruned"
        # Values that were found again count: finding them again is not the predicate's fault.
        found = max(self.accepted, sum(search.statistics.accepted for search in self.searches))
        if self.evaluations > MANY_PER_VALUE * max(1, found):
            spent = f"{self.evaluations / max(1, found):,.0f} evaluations"
            spent += " for each" if found else ""
            text += f"; {spent}: reject early: test each part before looking at the next one"
        return text

    def caveat(self) -> str:
        """The caveat if only pruning has found inputs."""
        only = self.accepted and self.first.conditions and not self.complete
        return f"only inputs of size {self.largest_tested:,} or less" if only else ""

    def figures(self) -> dict[str, Any]:
        """What was counted."""
        values = self._values()
        return {
            "evaluations": self.evaluations,
            "accepted": self.accepted,
            "per_value": self.evaluations / max(1, self.accepted),
            "audited": sum(search.statistics.audited for search in self.searches),
            "raised": sum(search.statistics.raised for search in self.searches),
            "looked_at": looked_at(search.statistics for search in self.searches),
            "complete_to_size": self.done,
            "values_up_to_size": values,
            "pruned": None if not values else max(0.0, 1 - self.spent / values),
            "by_filtering": not self.lazy,
            "jumped": sum(search.statistics.jumped for search in self.searches),
            "conditions": self._by_condition(),
        }

    def _by_condition(self) -> dict[int, int]:
        """How often each condition, known by its id, was evaluated on partial values, and on what was made of them."""
        counts = dict.fromkeys([id(check) for check, _ in self.first.conditions], 0)
        for search in self.searches:
            for check, times in search.arguments.asked_whole.items():
                counts[check] = counts.get(check, 0) + times
            parts = search.asked.parts
            if len(parts) == 1:
                counts[id(parts[0].of)] += search.statistics.evaluations - search.statistics.on_whole
                continue
            for predicate in {id(part.of): part.of for part in parts}.values():
                # For the parts of one predicate, the one that was evaluated most often: it was the first one
                # each time.
                counts[id(predicate)] += max(part.evaluations for part in parts if part.of is predicate)
        return counts

    def _values(self) -> int | None:
        """How many values there are up to the searched size, valid or not."""
        if self.done is None or self.done > MOST_COUNTED:
            return None
        try:
            # The tuple of arguments has a size of its own.
            gen = tuples(*self.first.arguments.cores)
            if has_filters(gen):
                return None  # counting the values that pass the inner filters would take as long as another search
            # This is one figure of the report, asked for when a run with a time limit may be at its end.
            end = max(self.space.end, time.perf_counter() + COUNTING_SECONDS)
            with until(min(end, self.space.last)):
                return int(sum(tier_of(gen, size).count for size in range(self.done + 2)))
        except (GeneratorError, OutOfTime):
            return None
