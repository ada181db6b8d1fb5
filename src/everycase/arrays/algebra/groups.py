"""Arrays from groups: a few starter rows, and every image of them under a group.

A group element permutes the columns, or the symbols in all columns at once, or both. Rows that are images of each
other cover images of each other's combinations, so of each orbit of combinations only one has to be covered, by the
starters alone. That makes the search many times smaller: 5 starters instead of 33 rows, or a single one instead of
29. (Chateauneuf and Kreher take all permutations of the symbols, Meagher and Stevens rotations of the columns with
one symbol fixed, Colbourn's cyclotomic arrays are rotations of one row.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from everycase.arrays.problem import Problem, Rows
from everycase.arrays.tabu import Classes, search_rows

MAX_IMAGES = 10_000_000
"""Groups with more images of all combinations together than this are not tried."""

Element = tuple[tuple[int, ...], tuple[int, ...]]
"""Where each column goes, and what each symbol becomes."""


@dataclass(frozen=True)
class SymmetryGroup:
    """The elements of a group; ``name`` says which."""

    name: str
    elements: tuple[Element, ...]
    constants: tuple[int, ...]
    """Symbols whose constant rows are added: they cover combinations that would otherwise need a separate
    orbit."""

    @classmethod
    def cyclic(
        cls, columns: Sequence[int], symbols: Sequence[int], constants: tuple[int, ...]
    ) -> SymmetryGroup:
        """All columns and all symbols turned at once, in cycles of these lengths.

        >>> SymmetryGroup.cyclic((3, 1), (2,), ()).elements[1]
        ((1, 2, 0, 3), (1, 0))
        """
        order = math.lcm(*columns, *symbols)
        elements = tuple((_turned(columns, shift), _turned(symbols, shift)) for shift in range(order))
        return cls(f"columns turned by {_sizes(columns)}, symbols by {_sizes(symbols)}", elements, constants)

    @property
    def order(self) -> int:
        return len(self.elements)

    def rows(self, starters: int) -> int:
        """The number of rows of the array that this many starters give."""
        return starters * self.order + len(self.constants)

    def develop(self, starters: Rows) -> Rows:
        """The images of the starters, and the constant rows."""
        images = []
        for columns, symbols in self.elements:
            image = np.empty_like(starters)
            image[:, list(columns)] = np.array(symbols)[starters]
            images.append(image)
        constant = [np.full((1, starters.shape[1]), symbol) for symbol in self.constants]
        rows: Rows = np.unique(np.concatenate(images + constant), axis=0).astype(np.int32)
        return rows

    def classes(self, problem: Problem, strength: int) -> Classes:
        """Combinations that are images of each other; those in constant rows need not be covered."""
        levels, columns = problem.levels[0], problem.columns
        count = levels**strength
        values = np.indices((levels,) * strength).reshape(strength, -1)
        weights = levels ** np.arange(strength - 1, -1, -1)
        places = columns ** np.arange(strength - 1, -1, -1)
        sets = problem.matrices[0]
        number_of = np.full(columns**strength, -1)
        number_of[sets @ places] = np.arange(len(sets))
        least = np.arange(problem.tuples).reshape(len(sets), count)
        for moved, symbols in self.elements:
            images = np.array(moved)[sets]
            order = np.argsort(images, axis=1)
            targets = number_of[np.take_along_axis(images, order, axis=1) @ places]
            # The weight that the value of each old position has in the new target.
            ranks = np.argsort(order, axis=1)
            local = weights[ranks] @ np.array(symbols)[values]
            np.minimum(least, targets[:, None] * count + local, out=least)
        # The least image names the class, provided the images of an image are images: a group has that.
        names, of = np.unique(least.ravel(), return_inverse=True)
        wanted = np.ones(len(names) + 1, dtype=np.bool_)
        wanted[-1] = False
        for symbol in self.constants:
            wanted[of.reshape(least.shape)[:, symbol * int(weights.sum())]] = False
        return Classes(np.append(of, len(names)), wanted)


def groups(levels: int, columns: int) -> Iterator[SymmetryGroup]:
    """Groups for this many columns, larger ones first; columns are rotated in cycles, all or all but the
    last."""
    turning: list[tuple[str, tuple[tuple[int, ...], ...]]] = [("", (tuple(range(columns)),))]
    for moving, rest in ((columns, ""), (columns - 1, " but one")):
        for length in range(2, moving + 1):
            if moving % length == 0:
                turning.append((f"columns{rest} turned by {length}", _turns(length, moving, columns)))
    found = [
        SymmetryGroup(
            " and ".join(filter(None, [turned, renamed])), tuple(product(moved, symbols)), constants
        )
        for turned, moved in turning
        for renamed, symbols, constants in _renamings(levels)
    ]
    yield from sorted((group for group in found if group.order > 1), key=lambda group: -group.order)


def _turned(cycles: Sequence[int], shift: int) -> tuple[int, ...]:
    """Each cycle turned by the same number of places.

    >>> _turned((3, 2, 1), 2)
    (2, 0, 1, 3, 4, 5)
    """
    found: list[int] = []
    for length in cycles:
        found += [len(found) + (place + shift) % length for place in range(length)]
    return tuple(found)


def _sizes(cycles: Sequence[int]) -> str:
    return "+".join(map(str, cycles))


def _turns(length: int, moving: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """The first columns in cycles of a length, each turned by the same amount."""
    rest = tuple(range(moving, columns))
    return tuple(
        tuple(c - c % length + (c + shift) % length for c in range(moving)) + rest for shift in range(length)
    )


def _renamings(levels: int) -> Iterator[tuple[str, tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    """Groups of symbols, and the symbols whose constant rows go with them."""
    every = tuple(range(levels))
    cycle = tuple(tuple((s + shift) % levels for s in every) for shift in every)
    yield "", (every,), ()
    for constants in range(1, levels + 1):
        yield "", (every,), every[:constants]
    yield "symbols turned", cycle, ()
    yield "symbols turned", cycle, every
    if levels > 2:
        fixing = tuple(
            (0, *(1 + (s + shift) % (levels - 1) for s in range(levels - 1))) for shift in range(levels - 1)
        )
        yield "symbols but one turned", fixing, ()
        yield "symbols but one turned", fixing, (0,)
    if 3 <= levels <= 5:
        even = tuple(p for p in permutations(every) if levels == 3 or _is_even(p))
        yield "symbols permuted", even, every


def _is_even(permutation: tuple[int, ...]) -> bool:
    return sum(a > b for i, a in enumerate(permutation) for b in permutation[i + 1 :]) % 2 == 0


def from_groups(
    levels: int,
    columns: int,
    strength: int,
    below: int,
    random: np.random.RandomState,
    seconds: float,
    wider: int = 2,
) -> tuple[Rows, str] | None:
    """A complete array with fewer rows than ``below`` from some group, the best found within the budget.

    Up to ``wider`` columns more than needed are tried too: a group may fit a wider array better.
    """
    attempts = []
    for width in range(columns, columns + wider + 1):
        problem = Problem.of((levels,) * width, [(range(width), strength)])
        for group in groups(levels, width):
            if group.order * problem.tuples > MAX_IMAGES:
                continue
            least = max(1, -(-(levels**strength - len(group.constants)) // group.order))
            for starters in range(least, least + 60):
                if group.rows(starters) >= below:
                    break
                attempts.append((group.rows(starters), starters * width, problem, group, starters))
    best: tuple[Rows, str] | None = None
    # Many rows first (they are found soon, and rule out the others of that size), few free cells first.
    attempts.sort(key=lambda attempt: (-attempt[0], attempt[1]))
    for number, (count, _, problem, group, starters) in enumerate(attempts):
        if count >= below:
            continue
        share = max(seconds / 200, seconds / (2 * (len(attempts) - number) + 1))
        seconds -= share
        found = search_rows(problem, group.classes(problem, strength), starters, random, share)
        if found is not None:
            rows = group.develop(found)[:, :columns]
            best = rows, f"group of order {group.order} ({group.name})"
            below = len(rows)
        if seconds <= 0:
            break
    return best
