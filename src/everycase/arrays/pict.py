"""Read PICT model files: the format in which many people already have their models."""

from __future__ import annotations

import re
from typing import Any

from everycase.arrays.model import Model
from everycase.arrays.pict_constraints import as_value, read_constraints
from everycase.errors import InvalidArgument

_SUBMODEL = re.compile(r"\{(?P<names>[^}]*)\}\s*(?:@\s*(?P<strength>\d+))?\s*$")
_WEIGHT = re.compile(r"(?P<value>.*?)\s*\(\s*(?P<weight>\d+)\s*\)\s*$")


def read_pict(text: str) -> Model:
    """A model from PICT syntax: parameters, sub-models, weights, ``~`` invalid values and constraints.

    Of the names of an aliased value (``a|b``) the first is used. A value in angle brackets stands for all values
    of the parameter it names, invalid ones and weights included. Constraints judge invalid values too, as in PICT.

    >>> read_pict('''
    ... Type: Single, Span, Stripe
    ... Size: 10, 100, 1000
    ... { Type, Size } @ 2
    ... IF [Type] = "Stripe" THEN [Size] >= 100;
    ... ''')
    Model(Type: 3, Size: 3; 1 constraint)
    """
    reader = _Reader()
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if _begins_constraints(stripped):
            rest = "\n".join(lines[number - 1 :])
            return reader.model(read_constraints(rest, number, reader.known, reader.invalid))
        reader.line(stripped, number)
    return reader.model([])


def _begins_constraints(line: str) -> bool:
    words = r"(IF|NOT)\b[\s\[(]|(IsNegative|IsPositive)\s*\("
    return line.startswith(("[", "(")) or re.match(words, line, re.IGNORECASE) is not None


class _Reader:
    """Parameters and sub-models, line by line."""

    def __init__(self) -> None:
        #: names as they are spelled, by their lower case: PICT does not tell these apart
        self.known: dict[str, str] = {}
        self.values: dict[str, list[Any]] = {}
        self.invalid: dict[str, list[Any]] = {}
        self.weights: dict[str, dict[Any, float]] = {}
        self.strengths: dict[tuple[str, ...], int] = {}

    def line(self, line: str, number: int) -> None:
        if line.startswith("{"):
            self._submodel(line, number)
            return
        name, separator, rest = line.partition(":")
        name = name.strip()
        if not separator or not name:
            raise InvalidArgument(
                f"PICT model, line {number}: expected 'Parameter: value, value', found {line!r}"
            )
        if name.lower() in self.known:
            raise InvalidArgument(f"PICT model, line {number}: parameter {name!r} is defined twice")
        values: list[str] = []
        for item in rest.split(","):
            values += self._item(name, item.strip(), number)
        values = list(dict.fromkeys(values))  # PICT allows repeated values; combining them once is enough
        self.known[name.lower()] = name
        kept, invalid = [v for v in values if not v.startswith("~")], [v for v in values if v.startswith("~")]
        if not kept:
            raise InvalidArgument(f"PICT model, line {number}: parameter {name!r} has no valid value")
        # PICT takes a parameter for numeric only if all of its values are.
        numeric = all(not isinstance(as_value(v), str) for v in kept)
        self.values[name] = [as_value(v) if numeric else v for v in kept]
        if name in self.weights:
            self.weights[name] = {as_value(v) if numeric else v: w for v, w in self.weights[name].items()}
        if invalid:
            self.invalid[name] = [as_value(v[1:].strip()) if numeric else v[1:].strip() for v in invalid]

    def model(self, constraints: list[Any]) -> Model:
        if not self.values:
            raise InvalidArgument("the PICT model has no parameters; write lines like 'os: linux, mac'")
        return Model(self.values, constraints, self.strengths, self.invalid, self.weights)

    def _item(self, name: str, item: str, number: int) -> list[str]:
        if not item:
            raise InvalidArgument(f"PICT model, line {number}: parameter {name!r} has an empty value")
        if item.startswith("<") and item.endswith(">"):
            source = item[1:-1].strip()
            if source.lower() not in self.known:
                raise InvalidArgument(f"PICT model, line {number}: {item} names no earlier parameter")
            earlier = self.known[source.lower()]
            for value, weight in self.weights.get(earlier, {}).items():
                self.weights.setdefault(name, {})[str(value)] = weight
            invalid = self.invalid.get(earlier, [])
            return [str(value) for value in self.values[earlier]] + [f"~{value}" for value in invalid]
        match = _WEIGHT.match(item)
        value = (match["value"] if match else item).split("|")[0].strip().strip('"')
        if match:
            self.weights.setdefault(name, {})[value.removeprefix("~")] = float(match["weight"])
        return [value]

    def _submodel(self, line: str, number: int) -> None:
        match = _SUBMODEL.match(line)
        if match is None:
            raise InvalidArgument(f"PICT model, line {number}: expected '{{ A, B, C }} @ 3', found {line!r}")
        names = [name.strip().lower() for name in match["names"].split(",")]
        for name in names:
            if name not in self.known:
                raise InvalidArgument(
                    f"PICT model, line {number}: sub-model names {name!r}, which is no parameter"
                )
        self.strengths[tuple(self.known[name] for name in names)] = int(match["strength"] or 2)
