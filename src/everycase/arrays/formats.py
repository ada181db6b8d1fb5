"""An array as text: for people, spreadsheets, programs, pytest, and GitHub Actions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

from everycase.errors import InvalidArgument

Rows = Sequence[Sequence[Any]]


def as_table(names: Sequence[str], rows: Rows) -> str:
    """Aligned columns with a header and row numbers.

    >>> print(as_table(["os", "debug"], [("linux", True), ("mac", False)]))
       os     debug
    1  linux  True
    2  mac    False
    """
    lines = [["", *names]] + [[str(i), *map(str, row)] for i, row in enumerate(rows, start=1)]
    widths = [max(len(line[c]) for line in lines) for c in range(len(names) + 1)]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in lines)


def as_csv(names: Sequence[str], rows: Rows) -> str:
    """Comma-separated values with a header line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue().rstrip("\n")


def as_json(names: Sequence[str], rows: Rows) -> str:
    """A list of objects; values that JSON does not know are written as their text.

    >>> print(as_json(["a"], [(1,), (None,)]))
    [
     {"a": 1},
     {"a": null}
    ]
    """
    lines = [" " + json.dumps(dict(zip(names, row)), default=str, ensure_ascii=False) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def as_pytest(names: Sequence[str], rows: Rows) -> str:
    """A decorator to paste above a test function.

    >>> print(as_pytest(["os", "debug"], [("linux", True)]))
    import pytest
    <BLANKLINE>
    <BLANKLINE>
    @pytest.mark.parametrize(
        ("os", "debug"),
        [
            ('linux', True),
        ],
    )
    def test_combination(os, debug): ...
    """
    for name in names:
        if not name.isidentifier():
            raise InvalidArgument(f"{name!r} cannot be the name of a test's argument; rename the parameter")
    quoted = ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "")
    body = "\n".join(f"        {tuple(row)!r}," for row in rows)
    return (
        f"import pytest\n\n\n@pytest.mark.parametrize(\n    ({quoted}),\n    [\n{body}\n    ],\n)\n"
        f"def test_combination({', '.join(names)}): ..."
    )


def as_github(names: Sequence[str], rows: Rows) -> str:
    """One line of JSON for ``strategy: matrix: ${{ fromJSON(...) }}`` in a GitHub Actions workflow.

    >>> as_github(["python", "os"], [("3.12", "ubuntu-latest")])
    '{"include": [{"python": "3.12", "os": "ubuntu-latest"}]}'
    """
    return json.dumps({"include": [dict(zip(names, row)) for row in rows]}, default=str, ensure_ascii=False)


FORMATS: dict[str, Callable[[Sequence[str], Rows], str]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "pytest": as_pytest,
    "github": as_github,
}


def read_csv(text: str) -> list[dict[str, str]]:
    """Rows of a CSV file with a header, as text."""
    reader = csv.DictReader(io.StringIO(text))
    if not reader.fieldnames:
        raise InvalidArgument("the file of rows is empty; its first line must name the parameters")
    return [{name: value for name, value in row.items() if value} for row in reader]
