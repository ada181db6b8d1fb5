"""Read PICT model files: the format in which many people already have their models."""

from __future__ import annotations

import re
from typing import Any

from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.formats.pict_constraints import as_value, read_constraints
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_SUBMODEL = re.compile(r"\{(?P<names>[^}]*)\}\s*(?:@\s*(?P<order>\d+))?\s*$")
_WEIGHT = re.compile(r"(?P<value>.*?)\s*\(\s*(?P<weight>[1-9]\d*)\s*\)\s*$")
_OWN_ORDER = re.compile(r"(?P<name>.*?)\s*@\s*\d+\s*$")


def read_pict(text: str) -> Model:
    """A model from PICT syntax: parameters, sub-models, weights, ``~`` invalid values and constraints.

    Of the names of an aliased value (``a|b``) the first is the value; :func:`read_pict_file` knows the others. A value
    in angle brackets stands for all values of the parameter it names, invalid ones and weights included. Constraints
    judge invalid values too, as in PICT.

    >>> read_pict('''
    ... Type: Single, Span, Stripe
    ... Size: 10, 100, 1000
    ... IF [Type] = "Stripe" THEN [Size] >= 100;
    ... ''')
    Model(Type: 3, Size: 3; 1 constraint)
    """
    return read_pict_file(text).model


def read_pict_file(text: str) -> ModelFile:
    """A model from PICT syntax, and how PICT shows its rows: by all names of a value in turn, invalid ones with ``~``."""
    reader = _Reader()
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if _begins_constraints(stripped):
            rest = "\n".join(lines[number - 1 :])
            return reader.file(read_constraints(rest, number, reader.known, reader.invalid))
        reader.line(stripped, number)
    return reader.file([])


def _begins_constraints(line: str) -> bool:
    """Constraints begin with a condition; a parameter may well be called ``If mode``."""
    if line.upper() == "IF" or line.startswith("["):
        return True
    if re.match(r"(IF\b.*)?(IsNegative|IsPositive)\s*\(", line, re.IGNORECASE):
        return True
    return "[" in line and re.match(r"\(|(IF|NOT)\b", line, re.IGNORECASE) is not None


class _Reader:
    """Parameters and sub-models, line by line."""

    def __init__(self) -> None:
        #: names as they are spelled, by their lower case: PICT does not tell these apart
        self.known: dict[str, str] = {}
        self.values: dict[str, list[Any]] = {}
        self.invalid: dict[str, list[Any]] = {}
        self.weights: dict[str, dict[Any, float]] = {}
        self.aliases: dict[str, dict[Any, list[str]]] = {}
        self.submodels: dict[tuple[str, ...], int | None] = {}

    def line(self, line: str, number: int) -> None:
        if line.startswith("{"):
            self._submodel(line, number)
            return
        # Either "Name: value, value" or "Name, value, value".
        name, separator, rest = line.partition(":" if ":" in line else ",")
        name = name.strip()
        if not separator or not name:
            raise InvalidArgument(
                f"PICT model, line {number}: expected 'Parameter: value, value', found {line!r}"
            )
        self._refuse(name, number)
        if self.submodels:
            raise InvalidArgument(
                f"PICT model, line {number}: parameter {name!r} comes after the sub-models; write all parameters first"
            )
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

        def read(value: str) -> Any:
            return as_value(value) if numeric else value

        self.values[name] = [read(value) for value in kept]
        if name in self.weights:
            self.weights[name] = {read(value): weight for value, weight in self.weights[name].items()}
        if name in self.aliases:
            self.aliases[name] = {read(value): names for value, names in self.aliases[name].items()}
        if invalid:
            self.invalid[name] = [read(value[1:].strip()) for value in invalid]

    def _refuse(self, name: str, number: int) -> None:
        if name.lower() in self.known:
            raise InvalidArgument(f"PICT model, line {number}: parameter {name!r} is defined twice")
        if name.startswith("$"):
            raise InvalidArgument(
                f"PICT model, line {number}: {name!r} would be a result parameter, which is not supported; leave out the $"
            )
        own = _OWN_ORDER.match(name)
        if own is not None:
            raise InvalidArgument(
                f"PICT model, line {number}: an order of a single parameter ({name!r}) is not supported; write "
                f"{{ {own['name']}, ... }} @ N after the parameters"
            )

    def file(self, constraints: list[Any]) -> ModelFile:
        if not self.values:
            raise InvalidArgument("the PICT model has no parameters; write lines like 'os: linux, mac'")
        model = Model(
            self.values, constraints, invalid=self.invalid, weights=self.weights, submodels=self.submodels
        )
        return ModelFile(model, aliases=self.aliases, invalid_prefix="~" if self.invalid else "")

    def _item(self, name: str, item: str, number: int) -> list[str]:
        if item.startswith("<") and item.endswith(">"):
            source = item[1:-1].strip()
            if source.lower() not in self.known:
                raise InvalidArgument(f"PICT model, line {number}: {item} does not name an earlier parameter")
            earlier = self.known[source.lower()]
            for value, weight in self.weights.get(earlier, {}).items():
                self.weights.setdefault(name, {})[str(value)] = weight
            for value, names in self.aliases.get(earlier, {}).items():
                self.aliases.setdefault(name, {})[str(value)] = names
            invalid = self.invalid.get(earlier, [])
            return [str(value) for value in self.values[earlier]] + [f"~{value}" for value in invalid]
        match = _WEIGHT.match(item)
        names = [each.strip() for each in (match["value"] if match else item).split("|")]
        value = names[0].strip('"')
        bare = value.removeprefix("~").strip()
        if match:
            self.weights.setdefault(name, {})[bare] = float(match["weight"])
        if len(names) > 1:
            self.aliases.setdefault(name, {})[bare] = [bare, *names[1:]]
        return [value]

    def _submodel(self, line: str, number: int) -> None:
        match = _SUBMODEL.match(line)
        if match is None:
            raise InvalidArgument(f"PICT model, line {number}: expected '{{ A, B, C }} @ 3', found {line!r}")
        written = [name.strip() for name in match["names"].split(",")]
        names = list(dict.fromkeys(map(str.lower, written)))
        for name in written:
            if name.lower() not in self.known:
                raise InvalidArgument(
                    f"PICT model, line {number}: sub-model names {name!r}, which is not a parameter"
                )
        order = int(match["order"]) if match["order"] else None
        if order is not None and not 1 <= order <= len(names):
            raise InvalidArgument(
                f"PICT model, line {number}: the order of a sub-model is a number from 1 to {len(names)}, the number of "
                f"its parameters, not {order}"
            )
        self.submodels[tuple(self.known[name] for name in names)] = order
