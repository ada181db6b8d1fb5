"""Models in the text format of ACTS (NIST): sections for parameters, relations, constraints and a test set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from everycase.arrays.constraints import Constraint
from everycase.arrays.formats.logic import as_value, clauses_of, logic_constraint
from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_SECTIONS = ("system", "parameter", "relation", "constraint", "test set", "misc")
_PARAMETER = re.compile(r"(?P<name>[^:(]+?)\s*(?:\((?P<kind>[^)]*)\))?\s*:\s*(?P<values>.*)$")
_RELATION = re.compile(r"(?:[^:]*:)?\s*\((?P<names>.*),\s*(?P<strength>\d+)\s*\)\s*$")


def read_acts(text: str) -> ModelFile:
    """A model from the sections of an ACTS file; comments begin with ``--``.

    A relation over all parameters is the strength, any other a group with a strength of its own. Rows of a test set
    are kept (ACTS calls that the extend mode); ``*`` stands for any value.

    >>> read_acts('''
    ... [System]
    ... Name: shop
    ... [Parameter]
    ... os (enum): linux, mac
    ... n (int): 1, 2, 3
    ... debug (boolean): true, false
    ... [Relation]
    ... R1: (os, n, 2)
    ... [Constraint]
    ... os = "mac" => n > 1
    ... ''').model
    Model(os: 2, n: 3, debug: 2; 1 constraint)
    """
    sections = _sections(text)
    parameters: dict[str, list[Any]] = {}
    invalid: dict[str, list[Any]] = {}
    for number, line in sections["parameter"]:
        match = _PARAMETER.match(line)
        if match is None:
            raise InvalidArgument(f"ACTS model, line {number}: write NAME (TYPE): VALUE, VALUE, not {line!r}")
        name = match["name"].strip()
        if name in parameters:
            raise InvalidArgument(f"ACTS model, line {number}: parameter {name!r} is defined twice")
        valid, _, wrong = match["values"].partition(";")
        kind = (match["kind"] or "enum").strip().lower()
        parameters[name] = _values(valid, kind, number)
        if wrong.strip():
            invalid[name] = _values(wrong, kind, number)
    if not parameters:
        raise InvalidArgument("the ACTS model has no [Parameter] section with parameters")
    known = {name: [*values, *invalid.get(name, ())] for name, values in parameters.items()}
    rules: list[Constraint] = [
        logic_constraint(re.sub(r"^\w+\s*:\s*", "", line), known, f"ACTS model, line {number}")
        for number, line in sections["constraint"]
    ]
    strength, groups = _relations(sections["relation"], list(parameters))
    model = Model(parameters, rules, groups, invalid=invalid)
    return ModelFile(model, strength, include=_test_set(sections["test set"], model))


def _sections(text: str) -> dict[str, list[tuple[int, str]]]:
    """The lines of each section with their numbers, without comments and blank ones."""
    sections: dict[str, list[tuple[int, str]]] = {name: [] for name in _SECTIONS}
    section = "system"
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.split(r"(?:^|\s)--", raw)[0].strip()
        heading = re.fullmatch(r"\[([^\]]+)\]", line)
        if heading is not None:
            section = heading[1].strip().lower()
            section = section[:-1] if section.endswith("s") and section[:-1] in _SECTIONS else section
            if section not in _SECTIONS:
                raise InvalidArgument(
                    f"ACTS model, line {number}: [{heading[1]}] is not a section; the sections are [System], "
                    "[Parameter], "
                    "[Relation], [Constraint], [Test Set]"
                )
        elif line:
            sections[section].append((number, line))
    return sections


def _values(text: str, kind: str, number: int) -> list[Any]:
    """The values of a parameter; a range of whole numbers may be written as ``1..5``."""
    found: list[Any] = []
    for cell in map(str.strip, text.split(",")):
        range_of = re.fullmatch(r"(-?\d+)\s*\.\.\s*(-?\d+)", cell)
        if range_of is not None and kind in ("int", "range", "number"):
            found += range(int(range_of[1]), int(range_of[2]) + 1)
        elif not cell:
            raise InvalidArgument(f"ACTS model, line {number}: a value between the commas is missing")
        elif kind == "enum":
            found.append(cell.strip('"'))
        else:
            found.append(as_value(cell.strip('"')))
    return found


def _relations(
    lines: list[tuple[int, str]], names: list[str]
) -> tuple[int, dict[tuple[str, ...], int] | None]:
    strength, groups = 2, {}
    for number, line in lines:
        match = _RELATION.match(line)
        if match is None:
            raise InvalidArgument(
                f"ACTS model, line {number}: write a relation as R1: (NAME, NAME, STRENGTH), not {line!r}"
            )
        members = tuple(name.strip() for name in match["names"].split(","))
        for name in members:
            if name not in names:
                raise InvalidArgument(f"ACTS model, line {number}: {name!r} is not a parameter")
        if set(members) == set(names):
            strength = int(match["strength"])
        else:
            groups[members] = int(match["strength"])
    return strength, groups or None


def _test_set(lines: list[tuple[int, str]], model: Model) -> list[dict[str, Any]]:
    """Rows with a header; ``*`` is left open."""
    if not lines:
        return []
    (_, header), *rows = lines
    names = [cell.strip() for cell in header.split(",")]
    found = []
    for number, line in rows:
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(names):
            raise InvalidArgument(
                f"ACTS model, line {number}: the row has {len(cells)} cells, but the header of the test set "
                f"has {len(names)}"
            )
        given = {name: _as_text(cell) for name, cell in zip(names, cells) if cell != "*"}
        levels = model.levels_of(given, f"ACTS model, line {number}: the row", text=True)
        found.append({d.name: d.at(level) for d, level in zip(model.domains, levels) if level >= 0})
    return found


def _as_text(cell: str) -> str:
    """A cell as Python writes the value."""
    return cell.capitalize() if cell.lower() in ("true", "false") else cell


def write_acts(
    model: Model, strength: int = 2, name: str = "model", rows: Sequence[Sequence[Any]] = ()
) -> str:
    """The model as ACTS reads it, with the rows as its test set; constraints become the combinations they forbid.

    >>> print(write_acts(Model({"a": [1, 2], "on": [True, False]}, [lambda a, on: a == 1 or on])))
    [System]
    Name: model
    <BLANKLINE>
    [Parameter]
    a (int): 1, 2
    on (boolean): true, false
    <BLANKLINE>
    [Relation]
    R1: (a, on, 2)
    <BLANKLINE>
    [Constraint]
    a != 2 || on != false
    """
    lines = ["[System]", f"Name: {name}", "", "[Parameter]"]
    for domain in model.domains:
        if re.search(r"""[^\w. -]|^\W|^\d|\W$|--""", domain.name):
            raise InvalidArgument(f"{domain.name!r} cannot be the name of a parameter in ACTS; rename it")
        values = [domain.at(level) for level in range(domain.size)]
        shown = [_shown(domain.name, value) for value in values]
        wrong = f"; {', '.join(shown[domain.valid :])}" if domain.valid < domain.size else ""
        lines.append(f"{domain.name} ({_kind(values)}): {', '.join(shown[: domain.valid])}{wrong}")
    lines += ["", "[Relation]", f"R1: ({', '.join(model.names)}, {strength})"]
    for number, (columns, order) in enumerate(model.groups, start=2):
        lines.append(f"R{number}: ({', '.join(model.names[c] for c in columns)}, {order})")
    rules = clauses_of(model, lambda key, value: f"{key} != {quoted(key, value)}", " || ")
    lines += ["", "[Constraint]", *rules] if rules else []
    if rows:
        lines += ["", "[Test Set]", ",".join(model.names)]
        lines += [",".join(_shown(name, value) for name, value in zip(model.names, row)) for row in rows]
    return "\n".join(lines)


def _kind(values: list[Any]) -> str:
    if all(isinstance(value, bool) for value in values):
        return "boolean"
    return "int" if all(type(value) is int for value in values) else "enum"


def _shown(name: str, value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if not text or re.search(r'[,;"\n]|^\s|\s$|--', text):
        raise InvalidArgument(
            f"{value!r}, a value of {name!r}, cannot be written in this format: it is empty or contains a separator"
        )
    return text


def quoted(name: str, value: Any) -> str:
    """A value in a constraint: text in quotes, numbers and truth values without."""
    text = _shown(name, value)
    return text if isinstance(value, bool | int) else f'"{text}"'
