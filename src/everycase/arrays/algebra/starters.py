"""Starters of small arrays, found once by a long search: a few rows, and the group whose images of them are the array.

``python benchmarks/starters.py`` made this table, and makes it again. Each array is as small as the smallest known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from everycase.arrays.algebra.groups import SymmetryGroup
from everycase.arrays.problem import Rows


@dataclass(frozen=True)
class Starters:
    """Rows over symbols 0, 1, ...; columns and symbols are turned at once in cycles of these lengths."""

    strength: int
    columns: tuple[int, ...]
    symbols: tuple[int, ...]
    constants: tuple[int, ...]
    rows: tuple[str, ...]

    @property
    def levels(self) -> int:
        return sum(self.symbols)

    @property
    def width(self) -> int:
        return sum(self.columns)

    @property
    def group(self) -> SymmetryGroup:
        return SymmetryGroup.cyclic(self.columns, self.symbols, self.constants)

    @property
    def size(self) -> int:
        """The number of rows of the array."""
        return self.group.rows(len(self.rows))

    def array(self) -> Rows:
        return self.group.develop(np.array([list(map(int, row)) for row in self.rows], dtype=np.int32))


TABLE: tuple[Starters, ...] = (
    Starters(2, (5,), (2, 1), (2,), ("11020",)),
    Starters(2, (3, 3, 1), (3,), (), ("2121010", "1120222", "1002020", "2211220")),
    Starters(2, (3, 3, 3), (1, 1, 1), (2,), ("122001110", "020121002", "110202101", "110010212")),
    Starters(
        2,
        (5, 5, 5, 5),
        (1, 1, 1),
        (),
        ("01200101012121020022", "12201202000010211000", "02121221210221111221"),
    ),
    Starters(2, (6,), (3, 1), (3,), ("032020", "301011", "101130")),
    Starters(2, (7,), (1, 1, 1, 1), (), ("0221312", "0100132", "1230331")),
    Starters(
        2,
        (3, 3, 3),
        (1, 1, 1, 1),
        (3,),
        ("213231212", "310022310", "113113030", "022130013", "013031121", "123002203", "002321230"),
    ),
    Starters(2, (7,), (4, 1), (4,), ("0403120",)),
    Starters(2, (9, 1), (3, 1, 1), (), ("1404410233", "1101033210", "0043220014", "4130443031")),
    Starters(3, (11,), (1, 1), (1,), ("11010010001",)),
    Starters(3, (16,), (1, 1), (1,), ("1001011100100001",)),
    Starters(3, (5, 1), (3,), (0, 1, 2), ("110202", "211200")),
    Starters(3, (7, 1), (3, 1), (0, 1, 2, 3), ("13230021", "20112303", "20121330", "22310301")),
    Starters(4, (5, 1), (1, 1), (1,), ("010101", "110110", "011001", "000010")),
    Starters(4, (11, 1), (2,), (0, 1), ("110001011010",)),
    Starters(
        4,
        (2, 2, 2),
        (3,),
        (0, 1, 2),
        (
            "202111",
            "110002",
            "202201",
            "002011",
            "010101",
            "100110",
            "012200",
            "112012",
            "100101",
            "100212",
            "021100",
            "202002",
            "020111",
            "001022",
            "220112",
            "001121",
            "122010",
            "200012",
        ),
    ),
    Starters(5, (7,), (2,), (), ("0101000", "1001000", "0110000")),
)


@lru_cache(maxsize=64)
def starters_for(levels: int, columns: int, strength: int) -> Starters | None:
    """The entry with the fewest rows for at least this many columns.

    >>> starters_for(3, 17, 2).array().shape
    (15, 20)
    """
    fitting = [
        entry
        for entry in TABLE
        if (entry.levels, entry.strength) == (levels, strength) and entry.width >= columns
    ]
    return min(fitting, key=lambda entry: entry.size, default=None)
