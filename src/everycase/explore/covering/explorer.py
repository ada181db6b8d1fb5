"""Covering: test every combination of any t parameters, in few tests."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from everycase.choices.enact import enact
from everycase.choices.time_limit import watched
from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument
from everycase.explore.covering.columns import Above, Column, agrees, assemble, columns_of, place_of
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space
from everycase.gen.kinds import Build
from everycase.gen.validate import require_bool, require_count

#: Pairs are listed for at most this many columns.
MOST_COLUMNS = 24

TRIES = 20
"""How often a row is redrawn when a filter rejects its open choices."""


MOST_CALLS = 200_000
"""Preconditions over more combinations than this are not evaluated in advance: about a second of calls."""

Levels = tuple[int, ...]


class Covering(Explorer):
    """Run the property on the rows of a covering array of its parameters.

    ``strength`` is the t of "every combination of any t parameters" (capped at their number). ``radix`` says
    how parameters with many values are split into digits ("auto", a base, a ``Radix``, or None to combine all
    their values); ``boundaries`` adds the ends of their ranges. ``seed`` decides the array; by default it
    depends on the run's seed. All rows are tested, however many there are, unless ``max_examples`` is set.

    >>> from everycase import check, gen
    >>> report = check(lambda a, b, c: True, gen.booleans(), gen.integers(0, 2), gen.sampled_from("xyz"),
    ...                explore=Covering(strength=2))
    >>> report.covered
    'all 2-way combinations of 3 parameters: 9 tests'
    """

    def __init__(
        self,
        strength: int = 2,
        radix: Any = "auto",
        boundaries: bool = False,
        seed: int | None = None,
        effort: float | str = "quick",
    ) -> None:
        if not isinstance(strength, int) or isinstance(strength, bool) or strength < 1:
            raise InvalidArgument(f"strength is {strength!r}; write a number from 1")
        require_bool("boundaries", boundaries)
        if boundaries and radix is None:
            raise InvalidArgument(
                "boundaries=True is for ranges that are split; write radix='auto', or leave it out"
            )
        if seed is not None:
            require_count("seed", seed)
        if effort != "quick":
            from everycase.arrays.effort import Effort

            Effort.of(effort)
        _radix(radix, boundaries, [])
        self.strength = strength
        self.radix = radix
        self.boundaries = boundaries
        self.seed = seed
        self.effort = effort

    def __repr__(self) -> str:
        usual = {"radix": "auto", "boundaries": False, "seed": None, "effort": "quick"}
        unusual = [
            f"{name}={getattr(self, name)!r}" for name, value in usual.items() if getattr(self, name) != value
        ]
        return f"Covering({', '.join([f'strength={self.strength}', *unusual])})"

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        every = list(columns_of(space.gen, above=Above((), space.counting)))
        columns = [column for column in every if column.levels > 1]
        if not columns:
            yield from self._without_columns(space, every)
            return
        array = self._array(every, space)
        if not space.limited:
            space.budget = max(space.budget, len(array))
        yield SEARCHING  # the time for the array does not count as time for making inputs
        tested: list[int] = []
        refused: list[int] = []
        space.findings.figures = lambda: {"pairs": _pairs(space.gen, array, columns, tested)}
        space.findings.covered = lambda: _said(array, every, tested, refused)
        for number, levels in enumerate(array.levels):
            case = self._case(space, columns, levels)
            if case is None:
                refused.append(number)
                continue
            case.how = f"row {number + 1} of a covering array"
            outcome = yield case
            if outcome.status != "discarded":
                tested.append(number)
        exact = all(column.exact for column in every)
        total = array.model.cardinality if array.split_names else array.combinations
        space.findings.exhausted = exact and array.strength == len(columns) and len(tested) == total

    def _without_columns(self, space: Space, every: list[Column]) -> Generator[Case, Outcome, None]:
        if not all(column.exact for column in every):
            raise InvalidArgument(
                "Covering has nothing to combine here: all choices depend on others (composite, data()) or "
                "have only one "
                "value. Use Random(), or build the arguments from independent parts"
            )
        yield space.simplest()
        space.findings.exhausted = True

    def _array(self, every: list[Column], space: Space) -> Any:
        from everycase.arrays import Model, covering_array

        columns = [column for column in every if column.levels > 1]
        names = [f"choice {i + 1}" for i in watched(range(len(columns)))]
        # Classes are few and have no order that digits could use, so only single values are split.
        exact = [name for name, column in zip(names, columns) if column.exact]
        radix = _radix(self.radix, self.boundaries, exact)
        levels = {name: range(column.levels) for name, column in watched(list(zip(names, columns)))}
        model = Model(levels, constraints_of(space, every, names))
        seed = self.seed if self.seed is not None else space.random.getrandbits(32)
        strength = min(self.strength, len(columns))
        return covering_array(
            model,
            strength,
            seed=seed,
            radix=radix,
            effort=self.effort,
            progress=lambda *_: space.check_clock(),
        )

    def _case(self, space: Space, columns: list[Column], levels: tuple[int, ...]) -> Case | None:
        """A case with the row's choices; None if filters make it impossible to keep them all."""
        for _ in range(TRIES):
            forced = [(column, column.force(level, space.random)) for column, level in zip(columns, levels)]
            case = space.enact(assemble([(column.path, trace) for column, trace in forced]))
            made: Trace[Any] | None = case.trace
            if made is not None and all(column.kept(trace, made) for column, trace in forced):
                return case
        return None


def _radix(given: Any, boundaries: bool, parameters: list[str]) -> Any:
    """The options of both arguments as one, for the parameters that can be split."""
    from everycase.arrays import Radix

    if given is None:
        return None
    options = given if isinstance(given, Radix) else Radix(base=given)
    if options.parameters is not None or not isinstance(options.boundaries, bool):
        raise InvalidArgument(
            "Radix(...) cannot name the arguments of a test; leave out its parameters, and write "
            "boundaries=True"
        )
    return replace(options, boundaries=boundaries or options.boundaries, parameters=parameters)


def _said(array: Any, every: list[Column], tested: list[int], refused: list[int]) -> str:
    """What exactly was covered: everything, or how much and why not the rest, and which choices were
    random."""
    columns = [column for column in every if column.levels > 1]
    covered = {column.path[:1] for column in columns}
    what = f"{array.strength}-way combinations of {_parameters(len(covered))}"
    if len(columns) > len(covered):
        what += f" ({len(columns)} choices)"
    by = {"digits": len(array.split_names), "class": sum(not column.exact for column in columns)}
    what += "".join(f", {count} of them by {how}" for how, count in by.items() if count)
    if array.infeasible:
        what += ", as far as preconditions allow"
    if len(tested) == len(array):
        said = f"all {what}: {len(tested):,} tests"
    else:
        said = f"{array.covered_by(tested):,} of {array.combinations:,} {what}: {len(tested):,} of {len(array):,} tests"
    if refused:
        said += f"; filters left no way to build {len(refused):,} of them"
    drawn = {column.path[:1] for column in every if column.levels == 1 and not column.exact}
    if drawn - covered:
        said += f"; {_parameters(len(drawn - covered))} drawn at random"
    if drawn & covered:
        said += f"; the rest of {_parameters(len(drawn & covered))} drawn at random"
    return said


def _pairs(gen: Any, array: Any, columns: list[Column], tested: list[int]) -> dict[str, Any]:
    """How many combinations of each pair of columns were tested: (one, other, tested, possible, infeasible).

    An array of strength two or more contains every possible pair, so pairs that it lacks are infeasible. The
    exception is columns that are covered by their digits: there every pair is possible.
    """
    shown = columns[:MOST_COLUMNS]
    split = bool(array.split_names)
    cells = []
    for i, one in enumerate(shown):
        for j in range(i + 1, len(shown)):
            every = one.levels * shown[j].levels
            done = len({(array.levels[row][i], array.levels[row][j]) for row in tested})
            possible = (
                every if split or array.strength < 2 else len({(row[i], row[j]) for row in array.levels})
            )
            cells.append((i, j, done, possible, every - possible))
    return {
        "columns": [_column(gen, column.path) for column in shown],
        "cells": cells,
        "left_out": len(columns) - len(shown),
    }


def _column(gen: Any, path: tuple[int, ...]) -> tuple[int, str]:
    """The number of the argument that a column belongs to, and its position inside it."""
    return (path[0], place_of(gen.parts[path[0]], path[1:])) if path else (0, "")


def _parameters(count: int) -> str:
    return f"{count} parameter{'s' * (count > 1)}"


# --- preconditions as constraints -----------------------------------------------------------------------

# Rows that the test would discard are not put into the array in the first place. With a discarded row, all
# combinations that only it contained would be lost, even those that the precondition allows. So preconditions
# over arguments that are decided by their columns are evaluated in advance, on every combination of these
# arguments. The others are left to the run, which discards inputs that violate them.


def constraints_of(space: Space, every: Sequence[Column], names: Sequence[str]) -> Iterator[Any]:
    """A constraint for each precondition that can become one; ``names`` are the names of the columns worth
    combining."""
    from everycase.arrays import Constraint

    columns = [column for column in every if column.levels > 1]
    for predicate, places in space.preconditions:
        of_place = [[i for i, c in enumerate(columns) if c.path[0] == place] for place in places]
        read = [i for part in of_place for i in part]
        decided = all(column.exact for column in every if column.path[0] in places)
        if not read or not decided or prod(columns[i].levels for i in read) > MOST_CALLS:
            continue
        values = [_values(space, place, [columns[i] for i in part]) for place, part in zip(places, of_place)]
        holds = _over_levels(predicate, values, [[names[i] for i in part] for part in of_place])
        called = getattr(predicate, "__name__", "")
        name = f"the precondition {called}" if called.isidentifier() else "the precondition"
        yield Constraint(holds, [names[i] for i in read], name)


def _values(space: Space, place: int, columns: Sequence[Column]) -> dict[Levels, list[Any]]:
    """The value of an argument for all levels of its columns, in a list; no value where a filter rejects
    it."""
    assert isinstance(space.gen, Build)  # a tuple of the arguments
    gen = space.gen.parts[place]
    found: dict[Levels, list[Any]] = {}
    for levels in product(*(range(column.levels) for column in columns)):
        forced = [(c.path[1:], c.force(level, space.random)) for c, level in zip(columns, levels)]
        try:
            trace = enact(gen, assemble(forced), space.random.random)
        except Discarded:
            found[levels] = []
            continue
        made = [(wanted, trace.at(path)) for path, wanted in forced]
        kept = all(node is not None and agrees(wanted, node) for wanted, node in made)
        found[levels] = [trace.value] if kept else []
    return found


def _over_levels(
    predicate: Callable[..., object], values: list[dict[Levels, list[Any]]], names: list[list[str]]
) -> Callable[..., bool]:
    def holds(**row: int) -> bool:
        chosen = [table[tuple(row[n] for n in part)] for table, part in zip(values, names)]
        if not all(chosen):
            return False
        try:
            return bool(predicate(*(one for (one,) in chosen)))
        except Exception:
            return True  # the run will report it, with the input

    return holds
