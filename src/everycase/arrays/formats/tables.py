"""An array as text: for people, spreadsheets, programs and GitHub Actions; and rows read back from a file."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from everycase.errors import InvalidArgument

Rows = Sequence[Sequence[Any]]

GITHUB_JOBS = 256
"""The most jobs that one matrix of GitHub Actions may have."""


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
    """Comma-separated values with a header line; None is written out, since an empty cell means "anything"."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([str(value) for value in row] for row in rows)
    return out.getvalue().rstrip("\n")


def as_json(names: Sequence[str], rows: Rows) -> str:
    """A list of objects; values that JSON does not know are written as their text.

    >>> print(as_json(["a"], [(1,), (None,)]))
    [
     {"a": 1},
     {"a": null}
    ]
    """
    lines = [" " + json.dumps(plain(dict(zip(names, row))), ensure_ascii=False) for row in rows]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def as_github(names: Sequence[str], rows: Rows) -> str:
    """One line of JSON for ``strategy: matrix: ${{ fromJSON(...) }}`` in a GitHub Actions workflow.

    >>> as_github(["python", "os"], [("3.12", "ubuntu-latest")])
    '{"include": [{"python": "3.12", "os": "ubuntu-latest"}]}'
    """
    return json.dumps({"include": plain([dict(zip(names, row)) for row in rows])}, ensure_ascii=False)


def plain(value: Any) -> Any:
    """The value if JSON knows it, else its text.

    >>> plain({"ratio": float("inf"), "sizes": (1, 2), "kind": complex})
    {'ratio': 'inf', 'sizes': [1, 2], 'kind': "<class 'complex'>"}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if isinstance(value, str | int | float | None) else str(value)


FORMATS: dict[str, Callable[[Sequence[str], Rows], str]] = {
    "table": as_table,
    "csv": as_csv,
    "json": as_json,
    "github": as_github,
}


def read_csv(text: str) -> list[dict[str, str]]:
    """Rows of a file with a header, as text; commas, semicolons or tabs part the cells, whichever the header has.

    >>> read_csv("os;n\\nlinux;1\\nmac;\\n")
    [{'os': 'linux', 'n': '1'}, {'os': 'mac', 'n': ''}]
    """
    header, _, _ = text.partition("\n")
    separator = max(",;\t", key=header.count)
    lines = [
        line for line in csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True) if line
    ]
    if not lines:
        raise InvalidArgument("the file of rows is empty; its first line must name the parameters")
    names, *rows = lines
    if len(set(names)) < len(names):
        raise InvalidArgument(
            f"the first line of the file of rows names a parameter twice: {', '.join(names)}"
        )
    for number, row in enumerate(rows, start=1):
        if len(row) != len(names):
            raise InvalidArgument(
                f"row {number} of the file has {len(row)} cells, its first line {len(names)}; leave a cell empty "
                "where any value will do"
            )
    return [dict(zip(names, row)) for row in rows]
