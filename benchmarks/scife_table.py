"""Table 3 of the paper: seconds to generate all structures of a size, on its authors' machine.

``None`` means a time-out (200 s). SciFe's figures for search trees include building the trees, not only their encoding.
CLP's figures for red-black trees are for the specification without manual optimisation.
"""

from __future__ import annotations

Seconds = dict[int, float | None]


def _column(first: int, *figures: float | None) -> Seconds:
    return dict(enumerate(figures, first))


#: {structure: {tool: {size: seconds}}}
PAPER: dict[str, dict[str, Seconds]] = {
    "search trees": {
        "SciFe": _column(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.03, 0.06, 0.21, 0.82, 2.57),
        "CLP": _column(1, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.03, 0.12, 0.47, 1.84, 7.31, 29.42, 109.11),
        "Korat": _column(
            1, 0.12, 0.12, 0.12, 0.14, 0.18, 0.23, 0.42, 1.6, 11.8, 94.91, None, None, None, None, None
        ),
    },
    "heaps": {
        "SciFe": _column(1, 0, 0, 0, 0, 0, 0, 0.01, 0.06, 0.52, 5.86, 28.21),
        "CLP": _column(1, 0, 0, 0, 0, 0, 0, 0.01, 0.08, 0.81, 8.59, 110.25),
        "Korat": _column(1, 0.1, 0.1, 0.1, 0.11, 0.16, 0.34, 0.45, 1.31, 12.19, 140.53, None),
    },
    "red-black trees": {
        "SciFe": _column(1, 0, 0, 0, 0, 0, 0, 0.01, 0.03, 0.05, 0.08, 0.14, 0.24, 0.36, 0.52, 0.8),
        "CLP": _column(1, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.04, 0.14, 0.51, 1.94, 7.26, 27.42, None),
        "Korat": _column(
            1, 0.14, 0.15, 0.15, 0.19, 0.23, 0.28, 0.38, 0.62, 1.8, 8, 42.62, None, None, None, None
        ),
    },
    "sorted lists": {
        "SciFe": _column(1, 0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.01, 0.03, 0.1, 0.36, 1.39, 5.51),
        "CLP": _column(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.01, 0.04, 0.17, 0.64, 2.6, 9.78),
        "Korat": _column(
            1, 0.11, 0.11, 0.11, 0.12, 0.12, 0.15, 0.22, 0.29, 0.41, 0.78, 2.47, 11.43, 47.96, 197.34, None
        ),
    },
    "DAGs": {
        "SciFe": _column(1, 0, 0, 0, 0, 0, 0.01, 0.91, 126.69),
        "Korat": _column(1, 0.11, 0.11, 0.11, 0.12, 0.17, 0.3, 8.33, None),
    },
    "class hierarchies": {
        "SciFe": _column(1, 0, 0, 0.01, 0.34),
        "Korat": _column(1, 0.15, 0.39, 10.32, None),
    },
}


def figure(structure: str, tool: str, size: int) -> str:
    """A figure of the table as printed."""
    column = PAPER.get(structure, {}).get(tool, {})
    if size not in column:
        return "-"
    seconds = column[size]
    return "t/o" if seconds is None else f"{seconds:g}"
