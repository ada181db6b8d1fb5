"""Sequence covering arrays: few orders of some events in which any t of them occur in every order.

The t events need not be neighbours: ``a b c`` holds a before b, a before c and b before c. Rows are made one at a time,
each as good as a greedy choice followed by moving single events can make it, and its reverse is taken as well while
that is worth as much (D. R. Kuhn and others, "Combinatorial Methods for Event Sequence Testing", 2012).
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from everycase.errors import ContradictoryConstraints, InvalidArgument
from everycase.gen.validate import as_sequence, require_count, require_int, require_seed

#: Rows that are tried for each row that is kept, and whole arrays of which the smallest is kept.
TRIES = 30
ARRAYS = 4

#: Events of rows that are made better by moving single events.
MOST_IMPROVED = 24

#: Maximum number of prefixes to examine to find out whether an order is possible at all.
SEARCH = 20_000

Row = tuple[int, ...]


class SequenceCoveringArray(Sequence[tuple[Any, ...]]):
    """The rows, and what they cover.

    There are ``total`` orders of ``strength`` events; ``covered`` of them occur in a row. ``infeasible`` are
    those that the constraints exclude, and ``not_reached`` those of which neither is known.
    """

    def __init__(
        self,
        events: tuple[Any, ...],
        strength: int,
        rows: list[tuple[Any, ...]],
        infeasible: list[tuple[Any, ...]],
        not_reached: list[tuple[Any, ...]],
    ) -> None:
        self.events = events
        self.strength = strength
        self.rows = rows
        self.infeasible = infeasible
        self.not_reached = not_reached
        total = 1
        for i in range(strength):
            total *= len(events) - i
        self.total = total

    @property
    def covered(self) -> int:
        return self.total - len(self.infeasible) - len(self.not_reached)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.rows)

    def __str__(self) -> str:
        words = f"{len(self.rows)} sequences cover {self.covered:,} of {self.total:,} orders of {self.strength} events"
        if self.infeasible:
            words += f"; {len(self.infeasible):,} are infeasible"
        if self.not_reached:
            words += f"; {len(self.not_reached):,} were not reached"
        return words

    def __repr__(self) -> str:
        return f"<SequenceCoveringArray: {self}>"


def sequence_covering_array(
    events: Iterable[Hashable],
    strength: int = 3,
    *,
    constraints: Iterable[Any] = (),
    seed: int = 0,
    effort: float = 1,
) -> SequenceCoveringArray:
    """Orders of the events in which any ``strength`` of them occur in every order.

    A constraint is a pair ``(a, b)``, which says that a always comes before b, or a function
    ``allowed(before, event)``, which says whether an event can come next after the tuple of those before it.

    >>> array = sequence_covering_array("abcd", 2)
    >>> len(array), array.covered
    (2, 12)
    >>> print(sequence_covering_array("abcd", 2, constraints=[("a", "b")]))
    2 sequences cover 11 of 12 orders of 2 events; 1 are infeasible
    """
    names = as_sequence("events", events)
    constraints = as_sequence("constraints", constraints)
    _check(names, strength, effort)
    require_seed(seed)
    rules = _Rules(names, constraints)
    random = stdlib_random.Random(f"everycase orders {seed}")
    best: _Builder | None = None
    # More events make each row dearer, and good ones easier to find.
    size = len(names) ** (strength - 1)
    for _ in range(max(1, round(min(ARRAYS, 600 / size) * effort))):
        builder = _Builder(
            len(names), strength, rules, random, max(1, round(min(TRIES, 3 + 1500 / size) * effort))
        )
        builder.build()
        if best is None or builder.rank() < best.rank():
            best = builder
    assert best is not None

    def named(order: Row) -> tuple[Any, ...]:
        return tuple(names[i] for i in order)

    excluded = best.complete()
    return SequenceCoveringArray(
        names,
        strength,
        [named(row) for row in best.rows],
        [named(order) for order in sorted(excluded)],
        [named(order) for order in sorted(best.missing)],
    )


def orders_in(row: Sequence[Hashable], strength: int) -> Iterator[tuple[Any, ...]]:
    """The orders of ``strength`` events in one sequence, each event by its first occurrence.

    >>> list(orders_in("abac", 2))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    require_count("strength", strength)
    events = dict.fromkeys(row)
    return combinations(events, min(strength, len(events) + 1))


def _check(names: tuple[Any, ...], strength: int, effort: float) -> None:
    require_int("strength", strength)
    try:
        distinct = len(set(names))
    except TypeError:
        raise InvalidArgument(f"events must be hashable, such as strings, not {list(names)!r}") from None
    if distinct != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InvalidArgument(f"the event {twice!r} is given twice")
    if not 1 <= strength <= len(names):
        raise InvalidArgument(f"strength={strength} must be between 1 and the number of events, {len(names)}")
    if isinstance(effort, bool) or not isinstance(effort, int | float) or not effort > 0:
        raise InvalidArgument(f"effort must be a positive number, not {effort!r}")


class _Rules:
    """What may come when."""

    def __init__(self, names: tuple[Any, ...], constraints: Iterable[Any]) -> None:
        self.names = names
        self.before: list[int] = [0] * len(names)  # by event, those that must come before it, as bits
        self.functions: list[Callable[[tuple[Any, ...], Any], object]] = []
        places = {name: i for i, name in enumerate(names)}
        for constraint in constraints:
            if callable(constraint):
                self.functions.append(constraint)
                continue
            try:
                first, second = constraint
                a, b = places[first], places[second]
            except (TypeError, ValueError, KeyError):
                raise InvalidArgument(
                    f"a constraint is a pair of events (the first comes before the second) or a function "
                    f"allowed(before, event), not {constraint!r}"
                ) from None
            self.before[b] |= 1 << a
        self._close()

    def _close(self) -> None:
        """Makes the order transitive: whatever must come before a predecessor of an event must come before
        the event, too."""
        for middle in range(len(self.names)):
            for event in range(len(self.names)):
                if self.before[event] >> middle & 1:
                    self.before[event] |= self.before[middle]
        for event, before in enumerate(self.before):
            if before >> event & 1:
                others = [
                    self.names[i]
                    for i in range(len(self.names))
                    if before >> i & 1 and self.before[i] >> event & 1
                ]
                raise ContradictoryConstraints(
                    [f"{a!r} before {b!r}" for a, b in zip(others, others[1:] + others[:1])]
                )

    def any(self) -> bool:
        return bool(self.functions) or any(self.before)

    def allow(self, prefix: Sequence[int], done: int, event: int) -> bool:
        """Whether an event can come next. ``done`` are those of the prefix, as bits."""
        if self.before[event] & ~done:
            return False
        if not self.functions:
            return True
        names = tuple(self.names[i] for i in prefix)
        return all(allowed(names, self.names[event]) for allowed in self.functions)

    def excludes(self, order: Row) -> bool:
        """Whether it is certain that no row has this order."""
        return any(self.before[a] >> b & 1 for a, b in combinations(order, 2))

    def row_with(self, order: Row) -> tuple[Row | None, bool]:
        """A row with this order; if none was found, also whether all were looked at."""
        looked = 0
        pending: list[Row] = [()]
        while pending:
            prefix = pending.pop()
            if len(prefix) == len(self.names):
                return prefix, True
            looked += 1
            if looked > SEARCH:
                return None, False
            done = sum(1 << i for i in prefix)
            waiting = [event for event in order if not done >> event & 1]
            for event in range(len(self.names)):
                if done >> event & 1 or (event in waiting and event != waiting[0]):
                    continue
                if self.allow(prefix, done, event):
                    pending.append((*prefix, event))
        return None, True


class _Builder:
    """Makes one array."""

    def __init__(
        self, count: int, strength: int, rules: _Rules, random: stdlib_random.Random, tries: int
    ) -> None:
        self.count = count
        self.strength = strength
        self.rules = rules
        self.random = random
        self.tries = tries
        self.missing = {order for order in permutations(range(count), strength) if not rules.excludes(order)}
        self.excluded = {order for order in permutations(range(count), strength) if rules.excludes(order)}
        #: by all but the last two events of an order and the last, the missing ones between them, as bits
        self.between: dict[tuple[Row, int], int] = {}
        for order in self.missing:
            if strength > 1:
                key = order[:-2], order[-1]
                self.between[key] = self.between.get(key, 0) | 1 << order[-2]
        self.rows: list[Row] = []

    def rank(self) -> tuple[int, int]:
        return len(self.missing), len(self.rows)

    def build(self) -> None:
        reverses = not self.rules.any() and self.strength > 1
        fruitless = 0
        while self.missing and fruitless < 3:
            row = self._best_row()
            if row is None or not self._gain(row):
                fruitless += 1
                continue
            fruitless = 0
            gained = self._take(row)
            if reverses and self.missing:
                # The reverse holds just the orders that the row does not, so it is worth about as much.
                reverse = row[::-1]
                worth = self._gain(reverse)
                other = self._best_row()
                if other is not None and self._gain(other) > worth:
                    reverse, worth = other, self._gain(other)
                if worth and (worth >= gained // 2):
                    self._take(reverse)

    def complete(self) -> set[Row]:
        """Look for the orders that are still missing one by one; those that no row can have."""
        for order in sorted(self.missing):
            if order in self.missing:
                row, certain = self.rules.row_with(order)
                if row is not None:
                    self._take(row)
                elif certain:
                    self.missing.discard(order)
                    self.excluded.add(order)
        return self.excluded

    def _take(self, row: Row) -> int:
        covered = self.missing.intersection(combinations(row, self.strength))
        self.missing -= covered
        self.rows.append(row)
        for order in covered:
            if self.strength > 1:
                self.between[order[:-2], order[-1]] &= ~(1 << order[-2])
        return len(covered)

    def _gain(self, row: Row) -> int:
        missing = self.missing
        return sum(order in missing for order in combinations(row, self.strength))

    def _best_row(self) -> Row | None:
        best: Row | None = None
        gain = -1
        for _ in range(self.tries):
            row = self._greedy()
            if row is None:
                continue
            found = self._gain(row)
            if found > gain:
                best, gain = row, found
        if best is None or self.count > MOST_IMPROVED:
            return best
        return self._improved(best, gain)

    def _greedy(self) -> Row | None:
        """A row made from the left: the event that completes the most missing orders comes next.

        One missing order is held from the beginning, so that every row is worth something.
        """
        random, count = self.random, self.count
        wanted = list(self._any_missing())
        prefix: list[int] = []
        done = 0
        while len(prefix) < count:
            best: list[int] = []
            most = -1
            for event in range(count):
                if done >> event & 1 or (event in wanted and event != wanted[0]):
                    continue
                if not self.rules.allow(prefix, done, event):
                    continue
                worth = self._completed(prefix, event)
                if worth > most:
                    best, most = [event], worth
                elif worth == most:
                    best.append(event)
            if not best:
                return None
            event = best[int(random.random() * len(best))]
            if wanted and event == wanted[0]:
                wanted.pop(0)
            prefix.append(event)
            done |= 1 << event
        return tuple(prefix)

    def _any_missing(self) -> Row:
        # The order of a set of tuples of integers is the same in every process.
        skip = int(self.random.random() * min(len(self.missing), 50))
        for order in self.missing:
            if not skip:
                return order
            skip -= 1
        raise AssertionError

    def _completed(self, prefix: list[int], event: int) -> int:
        """How many missing orders end with this event, after this prefix."""
        t = self.strength
        if t == 1:
            return int((event,) in self.missing)
        if len(prefix) < t - 1:
            return 0
        total = 0
        after = [0] * (len(prefix) + 1)  # by place, the events from there on, as bits
        for place in range(len(prefix) - 1, -1, -1):
            after[place] = after[place + 1] | 1 << prefix[place]
        for places in combinations(range(len(prefix) - 1), t - 2):
            key = tuple([prefix[place] for place in places]), event
            start = places[-1] + 1 if places else 0
            total += (self.between.get(key, 0) & after[start]).bit_count()
        return total

    def _improved(self, row: Row, gain: int) -> Row:
        """The row after moving single events as long as that covers more."""
        better = True
        while better:
            better = False
            for source in range(self.count):
                for place in range(self.count):
                    if place == source:
                        continue
                    events = list(row)
                    events.insert(place, events.pop(source))
                    moved = tuple(events)
                    found = self._gain(moved)
                    if found > gain and self._allowed(moved):
                        row, gain, better = moved, found, True
        return row

    def _allowed(self, row: Row) -> bool:
        done = 0
        for i, event in enumerate(row):
            if not self.rules.allow(row[:i], done, event):
                return False
            done |= 1 << event
        return True
