"""Covering: test every combination of any t parameters, in few tests."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument
from everycase.explore.base import Case, Explorer, Outcome, Space
from everycase.explore.covering_columns import Column, assemble, columns_of

TRIES = 20
"""How often a row is made anew when a filter rejects what its open choices drew."""


class Covering(Explorer):
    """Run the property on the rows of a covering array of its parameters.

    ``strength`` is the t of "every combination of any t parameters" (capped at their number). ``radix`` says how
    parameters with many values are split into digits ("auto", a base, or None to combine all their values);
    ``boundaries`` mixes in the ends of their ranges. ``seed`` decides the array; by default the run's dice do.

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
        effort: float = 1,
    ) -> None:
        if not isinstance(strength, int) or isinstance(strength, bool) or strength < 1:
            raise InvalidArgument(f"strength is {strength!r}; write a number from 1")
        if boundaries and radix is None:
            raise InvalidArgument(
                "boundaries=True is for ranges that are split; write radix='auto', or leave it out"
            )
        self.strength = strength
        self.radix = radix
        self.boundaries = boundaries
        self.seed = seed
        self.effort = effort

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        columns = list(columns_of(space.gen))
        if not columns:
            yield space.simplest()
            return
        array = self._array(columns, space)
        tested: list[int] = []
        refused: list[int] = []
        arguments = len({column.path[:1] for column in columns})
        space.covered = lambda: _said(array, arguments, len(columns), tested, refused)
        for number, levels in enumerate(array.levels):
            case = self._case(space, columns, levels)
            if case is None:
                refused.append(number)
                continue
            outcome = yield case
            if outcome.status != "discarded":
                tested.append(number)
        exact = all(column.exact for column in columns)
        space.exhausted = exact and array.strength == len(columns) and len(tested) == array.model.cardinality

    def _array(self, columns: list[Column], space: Space) -> Any:
        from everycase.arrays import Model, Radix, covering_array

        names = [f"choice {i + 1}" for i in range(len(columns))]
        radix = self.radix
        if radix is not None and not isinstance(radix, Radix):
            # Classes are few and have no order that digits could use: only single values are split.
            exact = [name for name, column in zip(names, columns) if column.exact]
            radix = Radix(base=radix, boundaries=self.boundaries, parameters=exact)
        model = Model({name: range(column.levels) for name, column in zip(names, columns)})
        seed = self.seed if self.seed is not None else space.random.getrandbits(32)
        strength = min(self.strength, len(columns))
        return covering_array(model, strength, seed=seed, radix=radix, effort=self.effort)

    def _case(self, space: Space, columns: list[Column], levels: tuple[int, ...]) -> Case | None:
        """A case with the row's choices; None if filters leave no way to keep them all."""
        for _ in range(TRIES):
            forced = [(column, column.force(level, space.random)) for column, level in zip(columns, levels)]
            case = space.enact(assemble([(column.path, trace) for column, trace in forced]))
            made: Trace[Any] | None = case.trace
            if made is not None and all(column.kept(trace, made) for column, trace in forced):
                return case
        return None


def _said(array: Any, arguments: int, columns: int, tested: list[int], refused: list[int]) -> str:
    """Exactly what was covered: everything, or how much of it, and why not the rest."""
    what = f"{array.strength}-way combinations of {arguments} parameter{'s' * (arguments > 1)}"
    if columns > arguments:
        what += f" ({columns} choices)"
    split = array.split_names
    if split:
        what += f", {len(split)} of them by digits"
    if len(tested) == len(array):
        return f"all {what}: {len(tested):,} tests"
    covered = array.covered_by(tested)
    said = f"{covered:,} of {array.combinations:,} {what}: {len(tested):,} of {len(array):,} tests"
    if refused:
        said += f"; filters left no way to build {len(refused):,} of them"
    return said
