"""Patterns: spread the search over the constructors at the top of a value.

A pattern is a list of constructors from the root of a value downwards (a value is in it if some path from its root has
them). The patterns of a run are the rows of a covering array: whichever ``strength`` levels one looks at, every
combination of constructors occurs in some pattern. Each pattern is searched for a share of the budget, so that no run
spends its life in one corner of the space.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from everycase.errors import InvalidArgument
from everycase.explore.base import SEARCHING, Case, Explorer, Outcome, Space
from everycase.explore.constructors import Constructor, Path, constructors_of, is_member
from everycase.gen.validate import require_count
from everycase.narrow import Found, Narrowing, Untrusted
from everycase.narrow.repeats import Repeats

#: Types with more constructors than this are split into binary digits, of which the strength then counts.
SPLIT_ABOVE = 4
#: After so many evaluations without a value the run is asked whether to go on.
BEAT = 2000
#: So many evaluations are spent on a pattern for each test in its share, unless ``budget`` says otherwise.
EVALUATIONS_PER_TEST = 2000
#: The size up to which patterns are searched when none is given.
USUAL_SIZE = 16

#: The three configurations of the paper: levels, strength in digits, and evaluations for each pattern (its 50, 75 and
#: 10 seconds at 100,000 a second).
PRESETS: dict[str, dict[str, int]] = {
    "shallow": {"fineness": 1, "strength": 1, "budget": 5_000_000},
    "deep": {"fineness": 5, "strength": 5, "budget": 7_500_000},
    "dense": {"fineness": 3, "strength": 7, "budget": 1_000_000},
}


class Patterns(Explorer):
    """Search the constructor patterns that cover every combination of ``strength`` levels among the first ``fineness``.

    If a type has more than four constructors each level is split into binary digits, and ``strength`` counts digits: it
    may then exceed ``fineness``. (A strength beyond what there is means all combinations.) ``budget`` is how many
    evaluations and values each pattern gets in its turn; by default the tests of the run are shared out. Patterns that are not
    exhausted get another turn when all have had theirs. ``max_size`` bounds the inputs, ``order`` is "smallest" or
    "depth" as in ``Narrow``. With a precondition only inputs that satisfy it are tested.

    ``race`` runs several configurations in turns: names of presets ("shallow", "deep", "dense": the paper's three) or
    ``Patterns`` objects.

    >>> from everycase import check, gen
    >>> trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
    >>> report = check(lambda tree: True, trees, explore=Patterns(fineness=2, strength=2, max_size=3))
    >>> print(report.covered)
    3 of 3 patterns (2 levels, strength 2), all of them up to size 3
    """

    def __init__(
        self,
        fineness: int = 3,
        strength: int = 2,
        *,
        budget: int | None = None,
        max_size: int = USUAL_SIZE,
        order: str = "smallest",
        race: Sequence[str | Patterns] | None = None,
    ) -> None:
        for name, number in (("fineness", fineness), ("strength", strength), ("budget", budget)):
            if number is not None:
                require_count(name, number)
                if number < 1:
                    raise InvalidArgument(f"{name} is {number}; write a number from 1")
        require_count("max_size", max_size)
        if order not in ("smallest", "depth"):
            raise InvalidArgument(f"order must be 'smallest' or 'depth', not {order!r}")
        self.fineness = fineness
        self.strength = strength
        self.budget = budget
        self.max_size = max_size
        self.order = order
        self.race = None if race is None else _racers(race, max_size, order)

    @classmethod
    def preset(cls, name: str, **options: Any) -> Patterns:
        """One of the paper's configurations: "shallow", "deep" or "dense".

        >>> Patterns.preset("deep", max_size=13)
        Patterns(fineness=5, strength=5, budget=7500000, max_size=13)
        """
        if name not in PRESETS:
            raise InvalidArgument(f"there is no preset {name!r}; write one of {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **options})

    def __repr__(self) -> str:
        usual = {"max_size": USUAL_SIZE, "order": "smallest"}
        given = {name: value for name, value in vars(self).items() if value is not None}
        if self.race:
            given = {"race": self.race}
        shown = [f"{name}={value!r}" for name, value in given.items() if usual.get(name) != value]
        return f"Patterns({', '.join(shown)})"

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        rounds = [Round(options, space) for options in self.race or [self]]
        space.covered = lambda: "; ".join(one.covered() for one in rounds)
        space.figures = lambda: {"patterns": [row for one in rounds for row in one.rows()]}
        # A value belongs to every pattern that one of its paths has.
        seen = Repeats(space.gen.parts)  # type: ignore[attr-defined]
        yield SEARCHING  # the time that the arrays took is not the time that making inputs takes
        running = [(one, one.turns()) for one in rounds]
        while running:
            # Whoever has worked least goes on.
            one, turns = min(running, key=lambda pair: pair[0].work)
            found = next(turns, _END)
            if found is _END:
                running.remove((one, turns))
            elif found is None or not seen.is_new(found.args):
                yield SEARCHING
            else:
                yield Case(found.args, found.trace)


_END: Any = object()


def _racers(race: Any, max_size: int, order: str) -> tuple[Patterns, ...]:
    if isinstance(race, str) or not isinstance(race, Sequence) or not race:
        raise InvalidArgument(
            f"race must be a list of presets or Patterns, not {race!r}; for example race=['shallow', 'deep', 'dense']"
        )
    made = []
    for one in race:
        if isinstance(one, str):
            made.append(Patterns.preset(one, max_size=max_size, order=order))
        elif isinstance(one, Patterns) and one.race is None:
            made.append(one)
        else:
            raise InvalidArgument(
                f"race holds {one!r}; write the name of a preset ({', '.join(PRESETS)}) or Patterns(...)"
            )
    return tuple(made)


# --- which patterns -------------------------------------------------------------------------------------


def pattern_rows(
    types: Sequence[list[Constructor]], fineness: int, strength: int, seed: int
) -> list[tuple[Path, ...]]:
    """One path for each type in each row; cut at terminals, each row once."""
    from everycase.arrays import Constraint, Model, covering_array

    columns: dict[str, range] = {}
    levels: list[list[str]] = []
    constraints = []
    for number, constructors in enumerate(types):
        count = len(constructors)
        digits = max(1, (count - 1).bit_length()) if count > SPLIT_ABOVE else 1
        for level in range(fineness):
            names = [f"type {number + 1} level {level + 1} digit {digit + 1}" for digit in range(digits)]
            columns.update((name, range(2 if count > SPLIT_ABOVE else count)) for name in names)
            levels.append(names)
            if count > SPLIT_ABOVE and count < 2**digits:
                constraints.append(Constraint(_below(count), names, "a constructor there is"))
    # The digits of one level interact fully, so that every constructor occurs on every level.
    strengths = {tuple(names): len(names) for names in levels if len(names) > 1}
    model = Model(columns, constraints=constraints, strengths=strengths)
    array = covering_array(model, min(strength, len(columns)), seed=seed, effort=0)
    position = {name: place for place, name in enumerate(columns)}
    rows: dict[tuple[Path, ...], None] = {}
    for values in array.levels:
        numbers = [_number([values[position[name]] for name in names]) for names in levels]
        row = tuple(
            _cut([constructors[n] for n in numbers[i * fineness : (i + 1) * fineness]])
            for i, constructors in enumerate(types)
        )
        rows[row] = None  # by the constructors themselves: two classes may have one name
    return list(rows)


def _below(count: int) -> Callable[..., bool]:
    return lambda **digits: _number(list(digits.values())) < count


def _number(digits: Sequence[int]) -> int:
    return digits[0] if len(digits) == 1 else sum(digit << place for place, digit in enumerate(digits))


def _cut(path: Sequence[Constructor]) -> Path:
    """Whatever follows a terminal constructor says nothing."""
    for length, one in enumerate(path, 1):
        if one.is_terminal:
            return tuple(path[:length])
    return tuple(path)


# --- the search -----------------------------------------------------------------------------------------


class Pattern:
    """One row and its search, which can be left and taken up again."""

    def __init__(
        self, row: tuple[Path, ...], places: tuple[int, ...], options: Patterns, space: Space
    ) -> None:
        self.row = row
        self.places = places
        self.options = options
        self.space = space
        self.lazy = True
        self.found = 0
        self.exhausted = False
        self.started = False
        self.search: Narrowing | None = None

    @property
    def name(self) -> str:
        return ", ".join(" > ".join(one.name for one in path) for path in self.row)

    @property
    def work(self) -> int:
        """Evaluations and values made: where nothing is rejected, one evaluation can yield many values."""
        return 0 if self.search is None else self.search.statistics.evaluations + self.found

    def contains(self, *args: Any) -> bool:
        return all(is_member(path, args[place]) for path, place in zip(self.row, self.places))

    def steps(self) -> Iterator[Found | None]:
        self.started = True
        gens: Any = self.space.gen
        self.search = Narrowing(gens.parts, self.space.preconditions, seed=self.space.seed)
        last = self.options.max_size
        sizes = [last] if self.options.order == "depth" else range(last + 1)
        for size in sizes:
            yield from self._of(size, exactly=self.options.order == "smallest")
        self.exhausted = True

    def _of(self, size: int, *, exactly: bool) -> Iterator[Found | None]:
        assert self.search is not None
        while True:
            try:
                for found in self.search.steps(
                    size, self.contains, exactly=exactly, lazy=self.lazy, beat=BEAT
                ):
                    self.found += found is not None
                    yield found
                return
            except Untrusted as problem:
                self.lazy = False
                warning = (
                    f"the precondition cannot be used for pruning, so the run went on by filtering: {problem}"
                )
                if warning not in self.space.warnings:
                    self.space.warnings.append(warning)


class Round:
    """One configuration in one run: its patterns, taken in turns."""

    def __init__(self, options: Patterns, space: Space) -> None:
        self.options = options
        gens: Any = space.gen
        chosen = [(place, constructors_of(part)) for place, part in enumerate(gens.parts)]
        chosen = [(place, constructors) for place, constructors in chosen if len(constructors) > 1]
        if not chosen:
            raise InvalidArgument(
                "Patterns needs an argument whose values have several constructors, for example a union of classes; "
                "use Narrow for others"
            )
        places = tuple(place for place, _ in chosen)
        types = [constructors for _, constructors in chosen]
        rows = pattern_rows(types, options.fineness, options.strength, space.random.getrandbits(32))
        self.patterns = [Pattern(row, places, options, space) for row in rows]
        tests = max(1, space.budget // len(rows))
        self.tests = math.inf if options.budget else tests
        self.budget = options.budget or EVALUATIONS_PER_TEST * tests

    @property
    def work(self) -> int:
        return sum(pattern.work for pattern in self.patterns)

    def turns(self) -> Iterator[Found | None]:
        left = [(pattern, pattern.steps()) for pattern in self.patterns]
        while left:
            for pattern, steps in left:
                tests, limit = 0, pattern.work + self.budget
                for found in steps:
                    yield found
                    tests += found is not None
                    if tests >= self.tests or pattern.work >= limit:
                        break
            left = [(pattern, steps) for pattern, steps in left if not pattern.exhausted]

    def covered(self) -> str:
        """Which patterns were searched, and how far."""
        options, patterns = self.options, self.patterns
        started = [pattern for pattern in patterns if pattern.started]
        complete = sum(pattern.exhausted for pattern in started)
        empty = sum(pattern.exhausted and not pattern.found for pattern in started)
        said = (
            f"{len(started):,} of {len(patterns):,} patterns ({options.fineness} "
            f"level{'s' * (options.fineness > 1)}, strength {options.strength})"
        )
        if complete == len(patterns):
            said += f", all of them up to size {options.max_size}"
        else:
            said += f", {complete:,} of them completely up to size {options.max_size}"
        if empty:
            said += f" ({empty:,} hold no valid value)"
        return said

    def rows(self) -> list[dict[str, Any]]:
        """For tools: each pattern with what was found in it."""
        return [
            {
                "pattern": pattern.name,
                "values": pattern.found,
                "work": pattern.work,
                "complete": pattern.exhausted,
            }
            for pattern in self.patterns
        ]
