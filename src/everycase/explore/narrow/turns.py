"""The searches of one run of :class:`~everycase.explore.narrow.explorer.Narrow`, and how they take turns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from everycase.errors import InvalidArgument
from everycase.explore.protocol import Explorer, Space, Stopped
from everycase.gen.facts import facts
from everycase.gen.sharing import is_shared
from everycase.narrow import Found, Narrowing, Order, Shuffled
from everycase.narrow.orders import Checked, ConstructorSelection, Leaning, Scattered, Sized, luby
from everycase.narrow.planner import classes_in, is_label
from everycase.narrow.seen import Repeats
from everycase.sizes.least import greatest, usual_size

#: After this many evaluations without a value the run can end, and other searches have a turn.
BEAT = 256
#: The same while a random order is tried, and the minimum number of evaluations without a value that ends it.
#: With a selection of constructors the limit is drawn for each selection, up to this factor: much patience
#: finds values that are hard to reach, but few of them.
SHORT_BEAT = 64
PATIENCE = 128
MORE_PATIENCE = 16

#: Number of evaluations for a selection of constructors: between these, small budgets as often as large ones.
LEAST_SELECTED, MOST_SELECTED = 2000, 64_000
#: Number of random orders per selection. Other selections teach more than other orders of the same one.
STARTS_OF_SELECTION = 3
#: How much more likely another element of a list is in two of three random orders: with all lengths equally likely, few
#: lists are as long as their size allows.
LONGER = 8.0
#: Number of starts in a row whose numbers lean to the same end.
STARTS_OF_LEAN = 2
#: A random order is followed for this many times the evaluations that led to its first value. With a
#: selection of constructors it is followed further: there a restart costs more than the variation is worth.
NEAR = 2
FURTHER = 8
#: How much larger than the usual limit values may become, if large values are easy to find.
FURTHEST = 24
#: A type with fewer constructors is not worth selecting from.
FEW_CONSTRUCTORS = 4

#: After this many sizes in a row without a value (integers have one size per bit), others get a turn, and the
#: search ends.
FEW_EMPTY, MANY_EMPTY = 64, 10_000
#: The same if the sizes after the last one with a value took more work than this, and so many times the work before them:
#: where a part is made whole, each size goes through all smaller values again.
MOST_IN_VAIN, TIMES_IN_VAIN = 40_000, 16

#: Orders that visit each value once.
IN_ORDER = ("smallest", "depth")

#: The work for a found value (it is made, checked again, and tested) in evaluations, and the share of the
#: work for each part of the mixed order. If the "smallest" order has not found something soon, it will find
#: it late: each size takes several times as long as the last.
WORK_OF_VALUE = 8
SMALLEST_SHARE, SELECTED_SHARE, SCATTERED_SHARE, RANDOM_SHARE, CLASSES_SHARE = 1, 1, 8, 8, 1
#: Random shapes, and random orders beside them. Shapes are there for larger values: beside selections that find values as
#: large they have a small share. Nothing is concluded from fewer values than these.
SIZED_SHARE, SIZED_SHARE_SELECTING, BESIDE_SIZED = 16, 8, 3
SIZED_SHARE_IDLE, FEW_FOUND = 1, 100
#: Random shapes begin at this size; the minimum number of evaluations and the maximum number of values per
#: shape.
FIRST_REACH = 4
#: After this many shapes in a row without a value, the next larger size is also tried.
BARREN_SHAPES = 4
SIZED_BEAT = 16
SIZED_PATIENCE = 48
OF_EACH_SHAPE = 4
MOST_OF_SHAPE = 16

#: The share of a search that has done more work than this since its last value is divided by this factor.
MUCH_IN_VAIN = 4000
#: The next search begins when those before it have done this much work each, on average.
NEXT_BEGINS = 150
BARREN = 4

#: Number of values to take from a class that the predicate does not distinguish, before the next class.
OF_EACH_CLASS = 2
#: The minimum work for a size before the order of the conditions is learned from it, and the factor until it
#: is learned again.
LEAST_TO_LEARN = 64
LEARN_AGAIN = 16

Cases = Iterator[Found | None]


class Turn:
    """One of several searches that take turns."""

    def __init__(self, share: int, search: Narrowing, cases: Cases) -> None:
        #: how much of the work it gets
        self.share = share
        self.search = search
        self.cases = cases
        #: the work at its last new value
        self.fruitful = 0
        #: how many new values were found, and their sizes together
        self.found = 0
        self.sizes = 0

    def learn(self, found: Found) -> None:
        """It has found a new value."""
        self.fruitful = _work(self.search)
        self.found += 1
        self.sizes += found.size

    def due(self) -> float:
        """How much of its share it has had. One that has found nothing for long has a smaller one."""
        work = _work(self.search)
        return work / self.share * (BARREN if work - self.fruitful > MUCH_IN_VAIN else 1)

    @property
    def size(self) -> float:
        """The size of the values found, on average; 0 while they are few."""
        return self.sizes / self.found if self.found >= FEW_FOUND else 0


class Options(Protocol):
    """Where and in which order to search; see :class:`~everycase.explore.narrow.explorer.Narrow`."""

    max_size: int | None
    order: str | Order
    weights: Mapping[Any, float] | None
    from_size: int | None
    restart: int
    max_evaluations: int | None

    @property
    def takes_random(self) -> bool: ...


def refuse_shared(explorer: Explorer, space: Space) -> None:
    """An error if the arguments share values: pruning decides them one by one."""
    if any(is_shared(gen) for gen in space.gen.parts):  # type: ignore[attr-defined]
        raise InvalidArgument(
            f"{explorer!r} decides the parts of an input one by one, so it cannot be used with gen.shared. Use the default "
            "explorer or Random(), or draw the value once: gen.integers(1, 5).flatmap(lambda n: ...)"
        )


class Searches:
    """The searches of one run, and their progress."""

    def __init__(self, options: Options, space: Space, seen: Repeats | None = None) -> None:
        self.options = options
        self.space = space
        self.gens = list(space.gen.parts)  # type: ignore[attr-defined]
        self.random = space.random.random
        self.searches: list[Narrowing] = []
        #: how many values were tested; a value found after the last test does not count
        self.accepted = 0
        #: all values up to this size were found
        self.done: int | None = None
        #: the evaluations this took
        self.spent = 0
        #: no value of any size is valid
        self.nothing = False
        self.lazy = True
        #: which condition is evaluated first, and how much work the search had done when that was learned
        self.lead: int | None = None
        self.learned_at = 0
        #: the tested values, if the order may repeat one, or some are tested elsewhere
        self.seen = Repeats(self.gens) if seen is None and options.order not in IN_ORDER else seen
        self.first = self.narrowing()
        self.largest = sum(greatest(gen) for gen in self.gens)
        #: how far random searches go
        fewest = max(self.first.arguments.least, options.from_size or 0)
        self.most = usual_size(fewest) if options.max_size is None else options.max_size
        self._check_weights()

    def _check_weights(self) -> None:
        cores = self.first.arguments.cores
        unknown = [label for label in self.options.weights or () if not is_label(label, cores)]
        if unknown:
            names = ", ".join(sorted({cls.__name__ for cls in classes_in(cores)})) or "no classes"
            raise InvalidArgument(
                f"weights name {', '.join(map(_name, unknown))}, which the inputs do not contain; they contain {names}"
            )

    def narrowing(self) -> Narrowing:
        made = Narrowing(self.gens, self.space.guards, seed=self.space.seed)
        self.searches.append(made)
        return made

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
        by_shape = self.options.max_size is None and any(facts(gen).recursive for gen in self.gens)
        if self.can_select:
            parts = [(SELECTED_SHARE, self.selections), (SCATTERED_SHARE, self.scattered)]
        else:
            parts = [(BESIDE_SIZED if by_shape else RANDOM_SHARE, self.restarts)]
        if self.options.max_size is None:
            parts.append((CLASSES_SHARE, self.classes))
        if by_shape:
            parts.append((SIZED_SHARE_SELECTING if self.can_select else SIZED_SHARE, self.sized))
        return self._in_turns(Turn(SMALLEST_SHARE, self.first, self.smallest(self.first)), parts)

    def classes(self, search: Narrowing) -> Cases:
        """A few values of every class that the predicate does not distinguish, smallest first. Larger values
        come sooner this way than if all values of a size came before the next size."""
        order = Shuffled(self.random)
        for size in range(self.most + 1):
            search.asked.first(self.lead)
            before = search.statistics.evaluations
            yield from search.steps(
                size, exactly=True, lazy=self.lazy, beat=BEAT, each=OF_EACH_CLASS, completing=order.arrange
            )
            yield from self._learn_order(search, size, search.statistics.evaluations - before)
            if self._is_nothing(search) or size >= self.largest:
                return

    def _learn_order(self, search: Narrowing, size: int, spent: int) -> Cases:
        """Which condition is best evaluated first: the one for which a search of the same values takes the
        least work."""
        asked = search.asked
        if not (asked.can_reorder and self.lazy) or spent < max(
            LEAST_TO_LEARN, LEARN_AGAIN * self.learned_at
        ):
            return
        self.learned_at = spent
        best, lead = spent, self.lead
        for number in range(len(asked.parts)):
            if number == lead:
                continue
            asked.first(number)
            start = search.statistics.evaluations
            for _ in search.steps(size, exactly=True, beat=SHORT_BEAT, each=1):
                if search.statistics.evaluations - start >= best:
                    break
            if search.statistics.evaluations - start < best:
                best, self.lead = search.statistics.evaluations - start, number
            yield None

    def smallest(self, search: Narrowing) -> Cases:
        last = self.options.max_size
        size = empty = fruitful = 0
        while size <= (math.inf if last is None else last):
            accepted = search.statistics.accepted
            search.asked.first(self.lead)
            yield from search.steps(size, exactly=True, lazy=self.lazy, beat=BEAT)
            self._all_up_to(size, search)
            if search.statistics.accepted > accepted:
                empty, fruitful = 0, _work(search)
            else:
                empty += 1
            if empty and empty % FEW_EMPTY == 0:
                yield None
            in_vain = fruitful and _work(search) - fruitful > max(MOST_IN_VAIN, TIMES_IN_VAIN * fruitful)
            if last is None and (empty == MANY_EMPTY or (in_vain and empty >= FEW_EMPTY)):
                self.space.findings.stopped(Stopped.empty_sizes, sizes=empty, up_to=size)
                return
            if self._is_nothing(search):
                return
            if size >= self.largest:
                self._all_up_to(last or 0, search)
                return
            size += 1

    def depth(self, search: Narrowing, size: int) -> Cases:
        yield from search.steps(size, lazy=self.lazy, beat=BEAT)
        if not self._is_nothing(search):
            self._all_up_to(size, search)

    def restarts(self, search: Narrowing, *, selecting: bool = False) -> Cases:
        """Random orders, each followed only for a while; with only some constructors at a time if
        ``selecting``."""
        options, most = self.options, self.most
        usual = min(most, most // 2 if options.from_size is None else options.from_size)
        order: Order
        if isinstance(options.order, Order):
            order = Checked(options.order)
        else:
            order = Shuffled(self.random, options.weights)
        # If values of the maximum size are easy to find, larger ones are allowed, up to a limit.
        grows = self.options.takes_random and not selecting
        enough, near, patience = options.restart, NEAR, float(PATIENCE)
        if selecting:
            enough, near = enough * FURTHER, FURTHER
        tries = 0
        planner = search.arguments.planner
        #: everything of the allowed size was found, so that only numbers that are too large for it are left
        only_wide = False
        while True:
            if selecting and tries % STARTS_OF_SELECTION == 0:
                order = Scattered(self.random)
                patience = PATIENCE * MORE_PATIENCE ** self.random()
            elif grows and tries % STARTS_OF_LEAN == 0:
                order = self._leaning(tries // STARTS_OF_LEAN)
            tries += 1
            search.asked.first(self.lead)
            planner.widen(only_wide or tries % 2 == 0)
            # There is nothing new up to a completed size.
            fewest = usual if self.done is None else min(most, max(usual, self.done + 1))
            size = fewest + int(self._upper(grows) * (most - fewest + 1))
            start = since = search.statistics.tries
            taken = known = first = 0
            for found in search.steps(size, arrange=order.arrange, lazy=self.lazy, beat=SHORT_BEAT):
                yield found
                now = search.statistics.tries
                if found is not None and self.seen is not None and self.seen.in_a_row:
                    since = now  # already known, so continue, unless there are other selections to try
                    known += 1
                    if selecting and known >= enough:
                        break
                elif found is not None:
                    order.learn(found)
                    since = now
                    taken += 1
                    first = first or now - start
                    if grows and found.size >= most - 1 and most < self.most + FURTHEST:
                        most += 1
                        usual = most // 2
                    if taken >= enough and taken + now - start >= near * first:
                        break
                elif now - since >= patience * luby(tries):
                    break
            else:
                if self._is_nothing(search):
                    return
                if size == most and not order.leaves_out:
                    self._all_up_to(size, search)
                    if planner.wide or options.max_size is not None or not planner.has_large_numbers:
                        return
                    only_wide = True
                elif size == most and not selecting:
                    self.space.findings.stopped(Stopped.left_out)
                    return
            if selecting:
                if self.done is not None and self.done >= most:
                    return
                yield None

    def _upper(self, large: bool) -> float:
        """A number between 0 and 1; nearer to 1 if large values are preferred."""
        return max(self.random(), self.random()) if large else self.random()

    def _leaning(self, turn: int) -> Order:
        """Random orders of numbers, or orders that lean to one end or the other."""
        weights = self.options.weights
        longer = 1.0 if turn % 3 == 0 else LONGER
        if turn % 2 == 0:
            return Shuffled(self.random, weights, longer=longer)
        return Leaning(self.random, weights, to_end=turn % 4 == 3, longer=longer)

    def sized(self, search: Narrowing) -> Cases:
        """Random shapes of sizes up to a little more than the largest size at which a value was found."""
        fewest = max(search.arguments.least, self.options.from_size or 0, 1)
        fewest = self.most if fewest > self.most else int(fewest)
        reach, tries, barren = min(self.most, max(FIRST_REACH, fewest + 1)), 0, 0
        planner = search.arguments.planner
        while True:
            tries += 1
            least = min(reach, fewest if self.done is None else max(fewest, self.done + 1))
            size = least + int(self.random() * (reach - least + 1))
            search.asked.first(self.lead)
            # In every other shape large numbers cost nothing: a tree of ten unbounded keys has no room for its keys.
            planner.widen(tries % 2 == 0)
            order = Sized(self.random, size, search.arguments.held, search.state)
            start, found_here, first = search.statistics.tries, 0, 0
            for found in search.steps(
                size, arrange=order.arrange, lazy=self.lazy, beat=SIZED_BEAT, each=OF_EACH_CLASS
            ):
                yield found
                if found is not None:
                    found_here += 1
                    if size == reach:
                        reach = min(self.most, reach + 1)
                    now = search.statistics.tries - start
                    first = first or now
                    # A shape whose value took long to find is followed equally long.
                    if found_here >= OF_EACH_SHAPE and (now >= NEAR * first or found_here >= MOST_OF_SHAPE):
                        break
                elif search.statistics.tries - start >= SIZED_PATIENCE * luby(tries):
                    break
            if self._is_nothing(search) or (self.done is not None and self.done >= self.most):
                return
            # Small values may all be invalid: after a while without any, larger ones are also tried.
            barren = 0 if found_here else barren + 1
            if barren == BARREN_SHAPES:
                reach, barren = min(self.most, reach + 1), 0
            yield None

    def scattered(self, search: Narrowing) -> Cases:
        """Random orders, with only some constructors at a time."""
        return self.restarts(search, selecting=True)

    @property
    def can_select(self) -> bool:
        """Whether there are constructors to select from, and no weights that prefer some."""
        return (
            self.options.weights is None and len(classes_in(self.first.arguments.cores)) >= FEW_CONSTRUCTORS
        )

    def varied(self, search: Narrowing, cases: Callable[[Narrowing], Cases]) -> Cases:
        """Selections of constructors; random orders if there is little to select."""
        if self.can_select:
            yield from cases(search)
        yield from self.restarts(search)

    def selections(self, search: Narrowing) -> Cases:
        """Few constructors at a time, smallest values first, each selection only for a while."""
        most = self.most
        while True:
            order = ConstructorSelection(self.random)
            limit = _work(search) + LEAST_SELECTED * (MOST_SELECTED / LEAST_SELECTED) ** self.random()
            # All smaller values are known, unless the first size to search is not the next one.
            known = -1 if self.done is None else self.done
            size = max(self.options.from_size or 0, known + 1)
            while size <= most and _work(search) < limit:
                exactly = known == size - 1
                for found in search.steps(
                    size, exactly=exactly, arrange=order.arrange, lazy=self.lazy, beat=SHORT_BEAT
                ):
                    yield found
                    if _work(search) >= limit:
                        break
                else:
                    if self._is_nothing(search):
                        return
                    if not order.leaves_out:
                        self._all_up_to(size, search)
                known = size
                size += 1
            if self.done is not None and self.done >= most:
                return
            yield None

    def _in_turns(self, first: Turn, others: Sequence[tuple[int, Callable[[Narrowing], Cases]]]) -> Cases:
        """Several searches, each with its share of the work, until the first one ends, because then nothing
        is left to find.

        Starting a search takes time: the one with the largest share starts at once, the others later.
        """
        waiting = sorted(others, key=lambda other: -other[0])
        streams = [first]
        begun: dict[Callable[[Narrowing], Cases], Turn] = {}

        def begin() -> None:
            if waiting:
                share, cases = waiting.pop(0)
                search = self.narrowing()
                begun[cases] = Turn(share, search, cases(search))
                streams.append(begun[cases])

        begin()
        while streams:
            if waiting and sum(_work(one.search) for one in streams) >= NEXT_BEGINS * len(streams):
                begin()
            stream = min(streams, key=Turn.due)
            for found in stream.cases:
                yield found
                if found is not None and not (self.seen is not None and self.seen.in_a_row):
                    stream.learn(found)
                    if stream.found % FEW_FOUND == 0:
                        self._share(begun)
                break
            else:
                if stream is first:
                    return
                streams.remove(stream)
                begin()

    def _share(self, begun: Mapping[Callable[[Narrowing], Cases], Turn]) -> None:
        """Random shapes have their share as long as they lead to larger values than selections do."""
        shapes, selected = begun.get(self.sized), begun.get(self.scattered)
        if shapes is not None and selected is not None:
            idle = 0 < shapes.size <= selected.size
            shapes.share = SIZED_SHARE_IDLE if idle else SIZED_SHARE_SELECTING

    def _all_up_to(self, size: int, search: Narrowing) -> None:
        if not search.incomplete and (self.done is None or size > self.done):
            self.done = size
            self.spent = search.statistics.evaluations

    def _is_nothing(self, search: Narrowing) -> bool:
        """Whether there is nothing to find at any size."""
        if search.rejects_unseen:
            self._all_up_to(self.options.max_size or 0, search)
            self.nothing = True
        return self.nothing


def _work(search: Narrowing) -> int:
    return search.statistics.tries + WORK_OF_VALUE * search.statistics.accepted


def _name(label: Any) -> str:
    return label.__name__ if isinstance(label, type) else repr(label)
