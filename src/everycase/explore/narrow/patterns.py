"""Patterns: spread the search over the constructors at the top of a value.

A pattern is a list of constructors from the root of a value downwards (a value matches if some path from its
root has them). The patterns of a run are the rows of a covering array: for any ``strength`` levels, every
combination of constructors occurs in some row. (Rows are cut after a constructor that nothing can follow.)
Each pattern is searched for a share of the budget, so that no run spends all its time in one corner of the
space.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from everycase.errors import InvalidArgument
from everycase.explore.narrow.constructors import Constructor, Path, constructors_of, is_member
from everycase.explore.narrow.explorer import EVALUATIONS_PER_TEST
from everycase.explore.narrow.turns import BEAT, refuse_shared
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space, Stopped
from everycase.explore.valid import Beside, RandomValid
from everycase.gen.validate import require_count
from everycase.narrow import Found, Narrowing, Untrusted
from everycase.narrow.arguments import names_of
from everycase.narrow.seen import Repeats
from everycase.narrow.statistics import SearchStatistics, looked_at
from everycase.sizes.least import least, usual_size

#: Types with more constructors than this are split into binary digits; the strength then counts digits.
SPLIT_ABOVE = 4

#: The default options.
USUAL = {"fineness": 3, "strength": 2, "budget": None, "max_size": None, "order": "smallest"}

#: The three configurations of the paper: levels, strength in digits, and evaluations for each pattern (its 50, 75 and
#: 10 seconds at 100,000 a second).
PRESETS: dict[str, dict[str, int]] = {
    "shallow": {"fineness": 1, "strength": 1, "budget": 5_000_000},
    "deep": {"fineness": 5, "strength": 5, "budget": 7_500_000},
    "dense": {"fineness": 3, "strength": 7, "budget": 1_000_000},
}


class Patterns(Explorer):
    """Search the constructor patterns that cover every combination of ``strength`` levels among the first ``fineness``.

    If a type has more than four constructors, each level is split into binary digits, and ``strength`` counts
    digits, so it may exceed ``fineness``. (A strength larger than the number of digits means all
    combinations.) ``budget`` is the number of evaluations and values per turn of a pattern; by default the
    tests of the run are divided among them. Patterns that are not exhausted get another turn when all have
    had theirs, until none finds anything. ``max_size`` bounds the inputs (by default 16, or twice the size of
    the smallest input if that is more), ``order`` is "smallest" or "depth" as in ``Narrow``. With a
    precondition only inputs that satisfy it are tested.

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
        max_size: int | None = None,
        order: str = "smallest",
        race: Sequence[str | Patterns] | None = None,
    ) -> None:
        for name, number in (("fineness", fineness), ("strength", strength), ("budget", budget)):
            if number is not None:
                require_count(name, number)
                if number < 1:
                    raise InvalidArgument(f"{name} is {number}; write a number from 1")
        if max_size is not None:
            require_count("max_size", max_size)
        if order not in ("smallest", "depth"):
            raise InvalidArgument(f"order must be 'smallest' or 'depth', not {order!r}")
        self.fineness = fineness
        self.strength = strength
        self.budget = budget
        self.max_size = max_size
        self.order = order
        self.race = None if race is None else _racers(race, max_size, order)
        if self.race is not None:
            self._refuse_what_a_race_ignores(race)

    def _refuse_what_a_race_ignores(self, race: Any) -> None:
        for name, usual in USUAL.items():
            given = getattr(self, name)
            for_presets = name in ("max_size", "order") and any(isinstance(one, str) for one in race)
            if given != usual and not for_presets:
                raise InvalidArgument(
                    f"{name}={given!r} has no effect on a race; write it in the Patterns(...) that race"
                )

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
        given = {name: value for name, value in vars(self).items() if value is not None}
        if self.race:
            given = {"race": self.race}
        shown = [f"{name}={value!r}" for name, value in given.items() if value != "smallest"]
        return f"Patterns({', '.join(shown)})"

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        refuse_shared(self, space)
        hunt = PatternHunt(self, space)
        found = space.findings
        found.covered, found.caveat, found.figures = hunt.covered, hunt.caveat, hunt.figures
        if hunt.predicate and all(one.max_size is None for one in self.race or [self]):
            # No size of the inputs was given.
            yield from Beside(space, hunt, RandomValid(space, hunt.seen)).cases()
        else:
            yield from hunt.cases()


class PatternHunt:
    """One run of :class:`Patterns`: its tests, and its report."""

    #: patterns leave out values larger than their sizes
    complete = False

    def __init__(self, options: Patterns, space: Space) -> None:
        self.space = space
        self.rounds = [Round(one, space) for one in options.race or [options]]
        #: a value belongs to every pattern that one of its paths matches
        self.seen = Repeats(space.gen.parts)  # type: ignore[attr-defined]
        self.accepted = 0
        self.counted = False
        self.largest_tested = 0
        self.repeats = 0
        self.filtering = False
        gens: Any = space.gen
        self.conditions = Narrowing(gens.parts, space.guards).conditions
        self.predicate = names_of(self.conditions)

    def cases(self) -> Generator[Case, Outcome, None]:
        yield SEARCHING  # the time for the arrays does not count as time for making inputs
        while True:
            try:
                for found in _in_turns(self.rounds):
                    if found is None or not self.seen.is_new(found.args):
                        yield SEARCHING
                    else:
                        self.largest_tested = max(self.largest_tested, found.size)
                        yield Case(found.args, found.trace, "pruned, by pattern")
                        self.accepted += not self.counted
                        self.counted = False
                break
            except Untrusted as problem:
                # The searches so far may have missed something.
                self.filtering = True
                for one in self.rounds:
                    one.begin(lazy=False)
                self.space.findings.warnings.append(
                    f"{self.predicate} cannot be used for pruning, so the run went on by filtering: {problem}"
                )
        if any(one.gave_up for one in self.rounds):
            self.space.findings.stopped(Stopped.empty_patterns)

    @property
    def _statistics(self) -> list[SearchStatistics]:
        return [made.statistics for one in self.rounds for made in one.searches()]

    @property
    def tries(self) -> int:
        return sum(one.tries for one in self._statistics)

    @property
    def evaluations(self) -> int:
        return sum(one.evaluations for one in self._statistics)

    def covered(self, sampled: int = 0) -> str:
        """Which patterns were searched; ``sampled`` inputs were found by sampling."""
        said = [one.covered() for one in self.rounds]
        said += ["some values perhaps repeated"] * (not self.seen.complete)
        said += ["by filtering"] * self.filtering
        return "; ".join(said + [f"{sampled:,} more inputs by sampling"] * bool(sampled))

    def caveat(self) -> str:
        """The caveat if only pruning has found inputs."""
        only = self.predicate and self.accepted
        return f"only inputs of size {self.largest_tested:,} or less" if only else ""

    def figures(self) -> dict[str, Any]:
        """What was counted."""
        return {
            "evaluations": self.evaluations,
            "accepted": self.accepted,
            "per_value": self.evaluations / max(1, self.accepted),
            "looked_at": looked_at(self._statistics),
            "by_filtering": self.filtering,
            # They are evaluated together, one after the other, so this is the maximum for each.
            "conditions": {id(check): self.evaluations for check, _ in self.conditions},
            "patterns": [row for one in self.rounds for row in one.rows()],
        }


def _in_turns(rounds: Sequence[Round]) -> Iterator[Found | None]:
    """The inputs that the configurations find; the one that has worked least continues."""
    running = [(one, one.turns()) for one in rounds]
    while running:
        one, turns = min(running, key=lambda pair: pair[0].work)
        found = next(turns, _END)
        if found is _END:
            running.remove((one, turns))
        else:
            yield found


_END: Any = object()


def _racers(race: Any, max_size: int | None, order: str) -> tuple[Patterns, ...]:
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
    # The digits of one level interact fully, so every constructor occurs on every level.
    strengths = {tuple(names): len(names) for names in levels if len(names) > 1}
    model = Model(columns, constraints=constraints, strengths=strengths)
    array = covering_array(model, min(strength, len(columns)), seed=seed, effort=0)
    position = {name: place for place, name in enumerate(columns)}
    rows = []
    for values in array.levels:
        numbers = [_number([values[position[name]] for name in names]) for names in levels]
        rows.append(
            tuple(
                _cut([constructors[n] for n in numbers[i * fineness : (i + 1) * fineness]])
                for i, constructors in enumerate(types)
            )
        )
    # By the constructors themselves, because two classes may have the same name.
    return list(dict.fromkeys(rows))


def _below(count: int) -> Callable[..., bool]:
    return lambda **digits: _number(list(digits.values())) < count


def _number(digits: Sequence[int]) -> int:
    return digits[0] if len(digits) == 1 else sum(digit << place for place, digit in enumerate(digits))


def _cut(path: Sequence[Constructor]) -> Path:
    """Cut everything that follows a terminal constructor, because it has no meaning."""
    for length, one in enumerate(path, 1):
        if one.is_terminal:
            return tuple(path[:length])
    return tuple(path)


# --- the search -----------------------------------------------------------------------------------------


class Pattern:
    """One row and its search, which can be paused and resumed."""

    def __init__(self, row: tuple[Path, ...], belongs_to: Round, lazy: bool) -> None:
        self.row = row
        self.belongs_to = belongs_to
        self.lazy = lazy
        self.found = 0
        #: whether its search came to an end
        self.over = False
        #: created at its first turn
        self.search: Narrowing | None = None

    @property
    def name(self) -> str:
        return ", ".join(" > ".join(one.name for one in path) for path in self.row)

    @property
    def work(self) -> int:
        """The effort of the search, plus the values made: if nothing is rejected, one evaluation can yield
        many values."""
        return 0 if self.search is None else self.search.statistics.tries + self.found

    @property
    def exhausted(self) -> bool:
        """Whether all of its values were found."""
        return self.over and self.search is not None and not self.search.incomplete

    def contains(self, *args: Any) -> bool:
        return all(is_member(path, args[place]) for path, place in zip(self.row, self.belongs_to.places))

    def steps(self) -> Iterator[Found | None]:
        space, last = self.belongs_to.space, self.belongs_to.max_size
        gens: Any = space.gen
        self.search = Narrowing(gens.parts, space.guards, seed=space.seed)
        exactly = self.belongs_to.options.order == "smallest"
        for size in range(last + 1) if exactly else [last]:
            for found in self.search.steps(size, self.contains, exactly=exactly, lazy=self.lazy, beat=BEAT):
                self.found += found is not None
                yield found
        self.over = True


class Round:
    """One configuration in one run: its patterns, taken in turns."""

    def __init__(self, options: Patterns, space: Space) -> None:
        self.options = options
        self.space = space
        gens: Any = space.gen
        chosen = [(place, constructors_of(part)) for place, part in enumerate(gens.parts)]
        chosen = [(place, constructors) for place, constructors in chosen if len(constructors) > 1]
        if not chosen:
            raise InvalidArgument(
                "Patterns needs an argument whose values have several constructors, for example a union of classes; "
                "use Narrow for others"
            )
        self.places = tuple(place for place, _ in chosen)
        fewest = sum(least(part) for part in gens.parts)
        self.max_size = usual_size(fewest) if options.max_size is None else options.max_size
        types = [constructors for _, constructors in chosen]
        self.all_rows = pattern_rows(types, options.fineness, options.strength, space.random.getrandbits(32))
        tests = max(1, space.budget // len(self.all_rows))
        self.tests = math.inf if options.budget else tests
        self.budget = options.budget or EVALUATIONS_PER_TEST * tests
        self.begin(lazy=True)

    def begin(self, *, lazy: bool) -> None:
        """Nothing was searched."""
        self.patterns = [Pattern(row, self, lazy) for row in self.all_rows]
        #: the turns ended although there may be more to find
        self.gave_up = False

    def searches(self) -> list[Narrowing]:
        """Of the patterns that have had a turn."""
        return [pattern.search for pattern in self.patterns if pattern.search is not None]

    @property
    def work(self) -> int:
        return sum(pattern.work for pattern in self.patterns)

    def turns(self) -> Iterator[Found | None]:
        left = [(pattern, pattern.steps()) for pattern in self.patterns]
        worked = 0
        while left:
            found_any = False
            for pattern, steps in left:
                tests, limit = 0, pattern.work + self.budget
                for found in steps:
                    yield found
                    tests += found is not None
                    if tests >= self.tests or pattern.work >= limit:
                        break
                found_any = found_any or tests > 0
            left = [(pattern, steps) for pattern, steps in left if not pattern.over]
            # In some patterns values come late, but there must be a limit.
            if found_any:
                worked = self.work
            elif self.work - worked >= EVALUATIONS_PER_TEST * self.space.budget:
                self.gave_up = bool(left)
                return

    def covered(self) -> str:
        """Which patterns were searched, and how far."""
        options, patterns = self.options, self.patterns
        complete = sum(pattern.exhausted for pattern in patterns)
        empty = sum(pattern.exhausted and not pattern.found for pattern in patterns)
        said = (
            f"{len(self.searches()):,} of {len(patterns):,} patterns ({options.fineness} "
            f"level{'s' * (options.fineness > 1)}, strength {options.strength})"
        )
        if complete == len(patterns):
            said += f", all of them up to size {self.max_size}"
        else:
            said += f", {complete:,} of them completely up to size {self.max_size}"
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
