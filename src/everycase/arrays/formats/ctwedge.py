"""Models in the language of CTWedge: ``Model``, ``Parameters:``, ``Constraints:``."""

from __future__ import annotations

import re
from typing import Any

from everycase.arrays.formats.acts import quoted
from everycase.arrays.formats.logic import as_value, clauses_of, logic_constraint
from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_PARAMETER = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*:\s*(?:(?P<boolean>Boolean)\b|\{(?P<values>[^}]*)\}"
    r"|\[\s*(?P<low>-?\d+)\s*\.\.\s*(?P<high>-?\d+)\s*\](?:\s*step\s*(?P<step>\d+))?)\s*;?"
)


_RESERVED = {
    "Model",
    "Parameters",
    "Constraints",
    "Boolean",
    "AND",
    "OR",
    "NOT",
    "step",
    "true",
    "false",
    "TRUE",
    "FALSE",
}


def read_ctwedge(text: str) -> ModelFile:
    """A model from CTWedge's language: Boolean, enumerated and range parameters, constraints between ``#``.

    >>> read_ctwedge('''
    ... Model Phone
    ... Parameters:
    ...   emailViewer: Boolean
    ...   textLines: [25 .. 30] step 5
    ...   display: {16MC, 8MC, BW}
    ... Constraints:
    ...   # emailViewer => textLines > 28 #
    ... ''').model
    Model(emailViewer: 2, textLines: 2, display: 3; 1 constraint)
    """
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    head = re.match(r"\s*Model\s+\w+\s*Parameters\s*:", plain)
    if head is None:
        raise InvalidArgument("a CTWedge model begins with Model NAME and Parameters:")
    place, parameters = head.end(), {}
    while match := _PARAMETER.match(plain, place):
        name = match["name"]
        if name in parameters:
            raise InvalidArgument(f"{_where(plain, place)}: parameter {name!r} is defined twice")
        parameters[name] = _values(match)
        place = match.end()
    rest = plain[place:]
    constraints = re.match(r"\s*Constraints\s*:", rest)
    if rest.strip() and constraints is None:
        raise InvalidArgument(f"{_where(plain, place)}: cannot read {rest.strip()[:30]!r}")
    rules = []
    if constraints is not None:
        place += constraints.end()
        pieces = plain[place:].split("#")
        if len(pieces) % 2 == 0 or any(piece.strip() for piece in pieces[::2]):
            raise InvalidArgument(f"{_where(plain, place)}: write every constraint between two #")
        for number, piece in enumerate(pieces):
            if number % 2:
                rules.append(logic_constraint(piece, parameters, _where(plain, place)))
            place += len(piece) + 1
    if not parameters:
        raise InvalidArgument("the CTWedge model has no parameters")
    return ModelFile(Model(parameters, rules))


def _values(match: re.Match[str]) -> list[Any]:
    if match["boolean"]:
        return [True, False]
    if match["values"] is not None:
        cells = re.findall(r'"[^"]*"|[^\s,]+', match["values"])
        return [cell.strip('"') if cell.startswith('"') else as_value(cell) for cell in cells]
    return list(range(int(match["low"]), int(match["high"]) + 1, int(match["step"] or 1)))


def _where(text: str, place: int) -> str:
    skipped = len(text[place:]) - len(text[place:].lstrip())
    return f"CTWedge model, line {text.count(chr(10), 0, place + skipped) + 1}"


def write_ctwedge(model: Model, name: str = "model") -> str:
    """The model as CTWedge reads it; every constraint is written as combinations that it forbids.

    >>> print(write_ctwedge(Model({"a": ["x", "y"], "on": [True, False]}, [lambda a, on: a == "x" or on])))
    Model model
    Parameters:
      a: {"x" "y"};
      on: Boolean;
    Constraints:
      # a != "y" OR on != false #
    """
    if model.groups or any(domain.valid < domain.size for domain in model.domains):
        raise InvalidArgument("CTWedge supports neither strengths of groups nor invalid values")
    lines = [f"Model {name}", "Parameters:"]
    for domain in model.domains:
        if not re.fullmatch(r"[A-Za-z_]\w*", domain.name) or domain.name in _RESERVED:
            raise InvalidArgument(f"{domain.name!r} cannot be the name of a parameter in CTWedge; rename it")
        values = [domain.at(level) for level in range(domain.size)]
        if {str(value) for value in values} == {"True", "False"}:
            lines.append(f"  {domain.name}: Boolean;")
        else:
            shown = " ".join(_written(domain.name, value) for value in values)
            lines.append(f"  {domain.name}: {{{shown}}};")
    rules = clauses_of(model, lambda key, value: f"{key} != {_written(key, value)}", " OR ")
    return "\n".join([*lines, *(["Constraints:"] if rules else []), *(f"  # {rule} #" for rule in rules)])


def _written(name: str, value: Any) -> str:
    """Numbers without quotes: what stands in quotes is text."""
    plain = type(value) is float and re.fullmatch(r"-?\d+\.\d+", str(value))
    return str(value) if plain else quoted(name, value)
