"""The rows of an array as a test module for pytest."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from keyword import iskeyword
from typing import Any

from everycase.errors import InvalidArgument
from everycase.run.source_text.printer import code, imports_needed


def as_pytest(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A parametrized test to fill in.

    >>> print(as_pytest(["os", "debug"], [("linux", True)]))
    import pytest
    <BLANKLINE>
    <BLANKLINE>
    @pytest.mark.parametrize(
        ("os", "debug"),
        [
            ("linux", True),
        ],
    )
    def test_combination(os, debug): ...
    """
    for name in names:
        if not name.isidentifier() or iskeyword(name):
            raise InvalidArgument(f"{name!r} cannot be the name of a test's argument; rename the parameter")
    quoted = ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "")
    lines = [code(tuple(row), width=10**6) for row in rows]
    for row, line in zip(rows, lines):
        _refuse_unwritable(names, row, line)
    imports = "".join(
        f"{line}\n" for line in sorted({*imports_needed(list(map(tuple, rows))), "import pytest"})
    )
    body = "".join(f"        {line},\n" for line in lines)
    return (
        f"{imports}\n\n@pytest.mark.parametrize(\n    ({quoted}),\n    [\n{body}    ],\n)\n"
        f"def test_combination({', '.join(names)}): ..."
    )


def _refuse_unwritable(names: Sequence[str], row: Sequence[Any], line: str) -> None:
    if _is_expression(line):
        return
    for name, value in zip(names, row):
        if not _is_expression(code(value)):
            raise InvalidArgument(
                f"{value!r}, a value of {name!r}, cannot be written as Python source; call covering_array(...) in "
                "the test module instead, and give its .tuples() to pytest.mark.parametrize"
            )


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True
