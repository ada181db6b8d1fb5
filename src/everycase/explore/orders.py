"""Testing every order: any t rules of a state machine, in every possible order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import combinations, permutations
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument, MissingExtra
from everycase.explore.protocol import Case, Explorer, Outcome, Space
from everycase.explore.sequences import Digits, StepOdometer, by_number, steps_of
from everycase.gen.validate import require_int

#: After this many sequences in a row that cover nothing new, the remaining orders are searched one by one.
FRUITLESS = 12
#: How often each of those is tried.
AIMS = 3
#: Maximum number of steps from states of the model to find out which orders are possible.
MOST_STEPS = 5000
#: For more rules than this, sequences are planned with less effort.
FEW_RULES = 12
#: The search for one order gives up after this many rules that were run before.
PATIENCE = 4

Order = tuple[int, ...]
#: a state, the number of a rule, and a state that it leads to
Edge = tuple[Any, int, Any]


class Orders(Explorer):
    """Every ``strength`` rules of a state machine in every order, in few sequences.

    In a sequence each rule runs once, and again only if that is needed to make the precondition of another
    rule true. An order is covered if the rules run for the first time in that order; they need not be
    adjacent. Arguments are random. An order that no sequence has shown is "not reached". With a declared
    model (an attribute ``model``, or a method ``__model__``) whose states can all be visited, it is known
    which orders are infeasible.

    >>> from everycase import check
    >>> from everycase.stateful import RuleBasedStateMachine, precondition, rule
    >>> class Door(RuleBasedStateMachine):
    ...     is_open = False
    ...     @rule()
    ...     def open(self):
    ...         self.is_open = True
    ...     @precondition(lambda self: self.is_open)
    ...     @rule()
    ...     def walk(self):
    ...         pass
    ...     @rule()
    ...     def ring(self):
    ...         pass
    >>> check(Door, explore=Orders(strength=2), seed=0).covered
    '5 of 6 orders of 2 rules covered in 2 sequences; 0 infeasible, 1 not reached'
    """

    def __init__(self, *, strength: int = 2) -> None:
        require_int("strength", strength)
        if strength < 1:
            raise InvalidArgument(f"strength={strength} must be at least 1")
        self.strength = strength

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        if space.steps is None:
            if steps_of(space) is not None:
                raise InvalidArgument("Orders runs rules one after the other; give it the machine itself")
            raise InvalidArgument("Orders is for state machines: it runs their rules in every order")
        names: list[str] = space.steps.rule_names
        if self.strength > len(names):
            raise InvalidArgument(
                f"Orders(strength={self.strength}) needs at least {self.strength} rules, but the machine has "
                f"{len(names)}"
            )
        hunt = OrderSearch(space, self.strength, names)
        space.findings.covered = hunt.words
        space.findings.figures = hunt.figures
        if not space.limited:
            space.budget = max(space.budget, len(hunt.missing) * AIMS + MOST_STEPS)
        yield from hunt.cases()


class OrderSearch:
    """The orders that are still missing, and the search for them."""

    def __init__(self, space: Space, strength: int, names: list[str]) -> None:
        self.space = space
        self.strength = strength
        self.names = names
        self.missing: set[Order] = set(permutations(range(len(names)), strength))
        self.total = len(self.missing)
        self.infeasible: set[Order] = set()
        #: sequences that covered something new
        self.rows = 0
        self.live: Any = space.gen.parts[0]  # type: ignore[attr-defined]

    def cases(self) -> Generator[Case, Outcome, None]:
        for row in self._planned():
            if not self.missing.isdisjoint(combinations(row, self.strength)):
                yield from self._run(Planned(row, self.space.random.random))
        fruitless = 0
        while self.missing and fruitless < FRUITLESS:
            gained = yield from self._run(Guide(self, None))
            fruitless = 0 if gained else fruitless + 1
        for _ in range(AIMS):
            for order in sorted(self.missing):
                if order in self.missing:
                    yield from self._run(Guide(self, order))
        if self.missing:
            graph = Graph(self.space)
            yield from graph.grow()
            if graph.is_whole:
                for order in sorted(self.missing):
                    if order not in self.missing:
                        continue
                    way = graph.way(order)
                    if way is None:
                        self.infeasible.add(order)
                        self.missing.discard(order)
                    else:
                        yield from self._follow(graph.decisions(way), len(way))

    def _planned(self) -> Iterator[Order]:
        """The rows of a sequence covering array, which are few; preconditions may prevent some of them."""
        try:
            from everycase.arrays.sequences import sequence_covering_array
        except MissingExtra:
            return  # then the sequences are found greedily
        count = len(self.names)
        yield from sequence_covering_array(
            range(count), self.strength, seed=self.space.seed, effort=1 if count <= FEW_RULES else 0.1
        )

    def _run(self, guide: Guide | Planned) -> Generator[Case, Outcome, int]:
        space = self.space
        trace = space.steps.guided(self.live, guide.choose, space.random.random)
        yield self._case(trace)
        return self._learn(trace.value.numbers)

    def _follow(self, path: Digits, length: int) -> Generator[Case, Outcome, None]:
        case, program = by_number(self.space, StepOdometer(path), length, "an order of rules")
        yield case
        self._learn(program.numbers)

    def _case(self, trace: Trace[Any]) -> Case:
        return Case(
            (trace.value,), Trace(None, (trace,), self.space.gen, (trace.value,)), "an order of rules"
        )

    def _learn(self, numbers: list[int]) -> int:
        before = len(self.missing)
        self.missing.difference_update(combinations(dict.fromkeys(numbers), self.strength))
        gained = before - len(self.missing)
        self.rows += bool(gained)
        return gained

    def words(self) -> str:
        covered = self.total - len(self.missing) - len(self.infeasible)
        return (
            f"{covered:,} of {self.total:,} orders of {self.strength} rule{'s' * (self.strength > 1)} covered in "
            f"{self.rows:,} sequence{'s' * (self.rows != 1)}; {len(self.infeasible):,} infeasible, "
            f"{len(self.missing):,} not reached"
        )

    def figures(self) -> dict[str, Any]:
        def named(orders: set[Order]) -> list[list[str]]:
            return [[self.names[i] for i in order] for order in sorted(orders)]

        return {
            "orders": self.total,
            "orders_covered": self.total - len(self.missing) - len(self.infeasible),
            "orders_infeasible": named(self.infeasible),
            "orders_not_reached": named(self.missing),
        }


class Planned:
    """Chooses the rules of one sequence in a given order, as far as they can run when it is their turn."""

    def __init__(self, row: Order, random: Callable[[], float]) -> None:
        self.left = list(row)
        self.random = random
        self.again = PATIENCE * len(row)

    def choose(self, able: list[int]) -> int | None:
        """The number of the next rule; None to end the sequence."""
        for number in self.left:
            if number in able:
                self.left.remove(number)
                return number
        if not self.left or not self.again:
            return None
        self.again -= 1  # a rule that ran before may make another one possible
        return able[int(self.random() * len(able))]


class Guide:
    """Chooses the rules of one sequence: of those that can run, the one that completes the most missing
    orders."""

    def __init__(self, hunt: OrderSearch, aim: Order | None) -> None:
        self.hunt = hunt
        self.random = hunt.space.random.random
        self.first: list[int] = []
        missing = sorted(hunt.missing)
        #: rules that must run for the first time in this order
        self.aim = list(aim if aim is not None else missing[int(self.random() * len(missing))])
        self.aims_at_one = aim is not None
        self.again = 0

    def choose(self, able: list[int]) -> int | None:
        """The number of the next rule; None to end the sequence."""
        seen = set(self.first)
        new = [number for number in able if number not in seen]
        held = [number for number in new if number in self.aim[1:]]
        free = [number for number in new if number not in held]
        if self.aims_at_one and self.aim and self.aim[0] in free:
            free = [self.aim[0]]
        if not free:
            if len(seen) == len(self.hunt.names):
                return None
            # A rule that ran before may make another one possible. As a last resort the fixed order is given
            # up.
            self.again += 1
            old = [number for number in able if number in seen]
            if old and self.again <= PATIENCE * len(self.hunt.names):
                return old[int(self.random() * len(old))]
            if not held:
                return None
            free = held
        chosen = self._best(free)
        if self.aim and chosen == self.aim[0]:
            self.aim.pop(0)
        self.first.append(chosen)
        return chosen

    def _best(self, numbers: list[int]) -> int:
        best: list[int] = []
        most = -1
        missing, others = self.hunt.missing, self.hunt.strength - 1
        for number in numbers:
            worth = sum((*before, number) in missing for before in combinations(self.first, others))
            if worth > most:
                best, most = [number], worth
            elif worth == most:
                best.append(number)
        return best[int(self.random() * len(best))]


class Graph:
    """The states of a declared model, and the steps between them."""

    def __init__(self, space: Space) -> None:
        self.space = space
        #: by state: the number of the rule, the state that it leads to, and the decisions that lead there
        self.steps: dict[Any, list[tuple[int, Any]]] = {}
        self.reached: dict[Any, Digits] = {}
        self.starts: list[Any] = []
        self.last: dict[Edge, Digits] = {}
        self.is_whole = False

    def grow(self) -> Generator[Case, Outcome, None]:
        """Take every step from every state; the graph is complete if there are not too many."""
        frontier = deque([((), 0, None)])
        taken = 0
        while frontier:
            prefix, depth, source = frontier.popleft()
            odometer = StepOdometer(prefix)
            while True:
                case, program = by_number(self.space, odometer, depth, "an order of rules")
                outcome = yield case
                taken += 1
                if outcome.status == "failed" or program.some or odometer.differs or taken > MOST_STEPS:
                    return
                if program.length == depth and outcome.status == "passed":
                    if program.state is None:
                        return  # no model
                    self._add(program, source, odometer.decided(), depth, frontier)
                if not odometer.advance():
                    break
        self.is_whole = True

    def _add(self, program: Any, source: Any, decided: Digits, depth: int, frontier: Any) -> None:
        state = program.state
        if depth == 0:
            self.starts.append(state)
        else:
            self.steps.setdefault(source, []).append((program.numbers[-1], state))
            self.last[source, program.numbers[-1], state] = decided
        if state not in self.reached:
            self.reached[state] = decided
            frontier.append((decided, depth + 1, state))

    def way(self, order: Order) -> tuple[Edge, ...] | None:
        """Steps that run the rules of an order for the first time in that order; None if there are none."""
        wanted = set(order)
        seen = {(state, 0) for state in self.starts}
        pending: deque[tuple[Any, int, tuple[Edge, ...]]] = deque((state, 0, ()) for state in self.starts)
        while pending:
            state, done, way = pending.popleft()
            if done == len(order):
                return way
            for number, after in self.steps.get(state, ()):
                further = done
                if number in wanted and number not in order[:done]:
                    if number != order[done]:
                        continue
                    further = done + 1
                if (after, further) not in seen:
                    seen.add((after, further))
                    pending.append((after, further, (*way, (state, number, after))))
        return None

    def decisions(self, way: tuple[Edge, ...]) -> Digits:
        """The decisions behind some steps: the meaning of each depends only on the state of the model."""
        digits: Digits = self.reached[way[0][0]]
        for state, number, after in way:
            digits += self.last[state, number, after][len(self.reached[state]) :]
        return digits
