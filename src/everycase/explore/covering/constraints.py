"""Preconditions as constraints: rows that the test would discard are not put into the array in the first place.

A discarded row takes with it all the combinations that only it held, also those that the precondition allows. So
preconditions over arguments that their columns decide are asked before, on every combination of these arguments. The
others are left to the run, which discards what does not meet them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from everycase.choices.enact import enact
from everycase.errors import Discarded
from everycase.explore.covering.columns import Column, agrees, assemble
from everycase.explore.protocol import Space
from everycase.gen.kinds import Build

MOST_CALLS = 200_000
"""Preconditions over more combinations than this are not asked before: about a second of calls."""

Levels = tuple[int, ...]


def constraints_of(space: Space, every: Sequence[Column], names: Sequence[str]) -> Iterator[Any]:
    """A constraint for each precondition that can be one; ``names`` are those of the columns worth combining."""
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
    """The value of an argument for all levels of its columns, in a list; no value where a filter refuses it."""
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
            return True  # for the run to report, with the input that it happened on

    return holds
