"""An array as text: for people, spreadsheets, programs and GitHub Actions; and rows read back from a file."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from everycase.errors import InvalidArgument

Rows = Sequence[Sequence[Any]]

GITHUB_JOBS = 256
"""Maximum number of jobs in one matrix of GitHub Actions."""


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
    """Comma-separated values with a header line; None is written out, because an empty cell means
    "anything"."""
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


def as_junit(names: Sequence[str], rows: Rows) -> str:
    """A parametrized test for JUnit 5 to fill in.

    >>> print(as_junit(["os", "debug"], [("linux", True)]))
    import org.junit.jupiter.params.ParameterizedTest;
    import org.junit.jupiter.params.provider.CsvSource;
    <BLANKLINE>
    class CombinationTest {
        @ParameterizedTest
        @CsvSource({
            "'linux', true",
        })
        void combination(String os, boolean debug) {}
    }
    """
    kinds = [_java_type([row[c] for row in rows]) for c in range(len(names))]
    lines = []
    for row in rows:
        cells = [_java_cell(value, kind) for value, kind in zip(row, kinds)]
        lines.append(f"        {json.dumps(', '.join(cells))},\n")
    arguments = ", ".join(
        f"{kind} {name}" for kind, name in zip(kinds, identifiers(names, _JAVA_WORDS.split()))
    )
    return (
        "import org.junit.jupiter.params.ParameterizedTest;\n"
        "import org.junit.jupiter.params.provider.CsvSource;\n\n"
        "class CombinationTest {\n    @ParameterizedTest\n    @CsvSource({\n"
        f"{''.join(lines)}    }})\n    void combination({arguments}) {{}}\n}}"
    )


_JAVA_WORDS = """
    abstract assert boolean break byte case catch char class const continue default do double else enum extends false
    final finally float for goto if implements import instanceof int interface long native new null package private
    protected public return short static strictfp super switch synchronized this throw throws transient true try void
    volatile while _
"""


def identifiers(names: Sequence[str], reserved: Container[str]) -> list[str]:
    """Names for the arguments of a test: other characters become underscores, and what is equal then gets a number.

    >>> identifiers(["File system", "file", "class", "4G?", "file-system", "file system"], {"class"})
    ['File_system', 'file', 'class_', '_4G_', 'file_system', 'file_system_2']
    """
    found: list[str] = []
    for name in names:
        plain_name = re.sub(r"\W", "_", name, flags=re.ASCII) or "_"
        if plain_name[0].isdigit():
            plain_name = f"_{plain_name}"
        if plain_name in reserved:
            plain_name += "_"
        number, candidate = 1, plain_name
        while candidate in found:
            number += 1
            candidate = f"{plain_name}_{number}"
        found.append(candidate)
    return found


def _java_type(values: Sequence[Any]) -> str:
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    if values and all(type(value) is int for value in values):
        bits = max(value.bit_length() for value in values)
        return "int" if bits < 32 else "long" if bits < 64 else "java.math.BigInteger"
    return "double" if values and all(type(value) in (int, float) for value in values) else "String"


def _java_cell(value: Any, kind: str) -> str:
    if kind == "String":
        return "" if value is None else "'" + str(value).replace("'", "''") + "'"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return str(value).lower()


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
    "junit": as_junit,
}


def read_csv(text: str) -> list[dict[str, str]]:
    """Rows of a file with a header, as text; cells are separated by commas, semicolons or tabs, whichever the
    header has.

    Lines before the header that begin with ``#`` are comments, as ACTS writes them.

    >>> read_csv("os;n\\nlinux;1\\nmac;\\n")
    [{'os': 'linux', 'n': '1'}, {'os': 'mac', 'n': ''}]
    """
    while text.startswith("#"):
        text = text.partition("\n")[2].lstrip("\n")
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
                f"row {number} of the file has {len(row)} cells, but its first line has {len(names)}; leave "
                "a cell empty "
                "where any value will do"
            )
    return [dict(zip(names, row)) for row in rows]
