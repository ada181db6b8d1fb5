"""Read PICT model files: the format in which many people already have their models."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.formats.pict_constraints import Parameters, as_number, read_constraints
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_SUBMODEL = re.compile(r"\{(?P<names>[^}]*)\}\s*(?:@\s*(?P<order>\d+))?\s*$")
_WEIGHT = re.compile(r"(?P<value>.*?)\s*\(\s*(?P<weight>\d*[1-9]\d*)\s*\)\s*$")
_OWN_ORDER = re.compile(r"(?P<name>.*?)\s*@\s*\d+\s*$")


@dataclass(frozen=True)
class Marks:
    """The characters that PICT's options ``/d``, ``/a`` and ``/n`` change, and whether case matters (``/c``)."""

    separator: str = ","
    alias: str = "|"
    invalid: str = "~"
    case_sensitive: bool = False

    @classmethod
    def of(cls, options: str) -> Marks:
        """The marks from options as they are written for PICT.

        >>> Marks.of("/d:; /c")
        Marks(separator=';', alias='|', invalid='~', case_sensitive=True)
        """
        found = cls()
        for option in options.split():
            match = re.fullmatch(r"[/-]([danDAN]):(.)|[/-]([cC])", option)
            if match is None:
                raise InvalidArgument(
                    f"PICT options: {option!r} cannot be read; write /d:C, /a:C or /n:C with a character C, or /c"
                )
            match (match[1] or "c").lower():
                case "d":
                    found = replace(found, separator=match[2])
                case "a":
                    found = replace(found, alias=match[2])
                case "n":
                    found = replace(found, invalid=match[2])
                case "c":
                    found = replace(found, case_sensitive=True)
        return found


def read_pict(text: str, options: str = "") -> Model:
    """A model from PICT syntax: parameters, sub-models, weights, ``~`` invalid values and constraints.

    Of the names of an aliased value (``a|b``) the first is the value; :func:`read_pict_file` knows the others. A value
    in angle brackets stands for all values of the parameter it names, invalid ones and weights included. Constraints
    judge invalid values too, as in PICT. ``options`` are those of PICT that change how a file is read: ``/d:C``,
    ``/a:C``, ``/n:C`` and ``/c``.

    >>> read_pict('''
    ... Type: Single, Span, Stripe
    ... Size: 10, 100, 1000
    ... IF [Type] = "Stripe" THEN [Size] >= 100;
    ... ''')
    Model(Type: 3, Size: 3; 1 constraint)
    """
    return read_pict_file(text, options).model


def read_pict_file(text: str, options: str = "") -> ModelFile:
    """A model from PICT syntax, and how PICT shows its rows: by all names of a value in turn, invalid ones with ``~``."""
    reader = _Reader(Marks.of(options))
    lines = text.removeprefix("\ufeff").splitlines()
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if _begins_constraints(stripped):
            rest = "\n".join(lines[number - 1 :])
            return reader.file(read_constraints(rest, number, reader.parameters))
        reader.line(stripped, number)
    return reader.file([])


def _begins_constraints(line: str) -> bool:
    """Constraints begin with a condition; a parameter may well be called ``If mode``."""
    if line.upper() == "IF" or line.startswith("["):
        return True
    if re.match(r"(IF\b.*)?(IsNegative|IsPositive)\s*\(", line, re.IGNORECASE):
        return True
    return "[" in line and re.match(r"\(|(IF|NOT)\b", line, re.IGNORECASE) is not None


@dataclass(frozen=True)
class _Item:
    """A value as it is written: all its names, whether it is invalid, and its weight."""

    names: tuple[str, ...]
    invalid: bool
    weight: float | None

    @property
    def text(self) -> str:
        return self.names[0]


class _Reader:
    """Parameters and sub-models, line by line."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self.parameters = Parameters(marks.case_sensitive)
        self.items: dict[str, list[_Item]] = {}
        self.values: dict[str, list[Any]] = {}
        self.weights: dict[str, dict[Any, float]] = {}
        self.aliases: dict[str, dict[Any, list[str]]] = {}
        self.submodels: dict[tuple[str, ...], int | None] = {}

    def line(self, line: str, number: int) -> None:
        if line.startswith("{"):
            self._submodel(line, number)
            return
        # Either "Name: value, value" or "Name, value, value".
        name, separator, rest = line.partition(":" if ":" in line else self.marks.separator)
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
        items: list[_Item] = []
        for item in rest.split(self.marks.separator):
            items += self._items(item.strip())
        self._define(name, items, number)

    def _define(self, name: str, items: list[_Item], number: int) -> None:
        texts = {item.text: not item.invalid for item in items}  # PICT allows repeated values; once is enough
        both = next((item.text for item in items if item.invalid == texts[item.text]), None)
        if both is not None:
            raise InvalidArgument(
                f"PICT model, line {number}: parameter {name!r} has {both!r} as a valid and as an invalid value"
            )
        if not any(texts.values()):
            raise InvalidArgument(f"PICT model, line {number}: parameter {name!r} has no valid value")
        # PICT takes a parameter for numeric only if all of its values are. 3.10 or 007 stay as they are written.
        numbers = {text: as_number(text) for text in texts}
        numeric = None not in numbers.values()
        plain = numeric and all(str(value) == text for text, value in numbers.items())
        read = numbers if plain else dict(zip(texts, texts))
        known = self.parameters
        known.names[known.fold(name)] = name
        known.keys[name] = {read[t]: numbers[t] if numeric else known.fold(t) for t in texts}
        if numeric:
            known.numeric.add(name)
        if not all(texts.values()):
            known.invalid[name] = [read[text] for text, valid in texts.items() if not valid]
        self.items[name] = items
        self.values[name] = [read[text] for text, valid in texts.items() if valid]
        weights = {read[item.text]: item.weight for item in items if item.weight is not None}
        if weights:
            self.weights[name] = weights
        aliases = {read[item.text]: list(item.names) for item in items if len(item.names) > 1}
        if aliases:
            self.aliases[name] = aliases

    def _refuse(self, name: str, number: int) -> None:
        if self.parameters.fold(name) in self.parameters.names:
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
        invalid = self.parameters.invalid
        model = Model(
            self.values, constraints, invalid=invalid, weights=self.weights, submodels=self.submodels
        )
        prefix = self.marks.invalid if invalid else ""
        return ModelFile(
            model, aliases=self.aliases, invalid_prefix=prefix, ignores_case=not self.marks.case_sensitive
        )

    def _items(self, text: str) -> list[_Item]:
        """What stands between two commas: a value, or all values of an earlier parameter."""
        if text.startswith("<") and text.endswith(">"):
            earlier = self.parameters.names.get(self.parameters.fold(text[1:-1]))
            if earlier is not None:
                return self.items[earlier]
        match = _WEIGHT.match(text)
        names = [each.strip() for each in (match["value"] if match else text).split(self.marks.alias)]
        invalid = names[0].startswith(self.marks.invalid)
        names[0] = names[0].removeprefix(self.marks.invalid).strip()
        return [_Item(tuple(names), invalid, float(match["weight"]) if match else None)]

    def _submodel(self, line: str, number: int) -> None:
        match = _SUBMODEL.match(line)
        if match is None:
            raise InvalidArgument(f"PICT model, line {number}: expected '{{ A, B, C }} @ 3', found {line!r}")
        written = [name.strip() for name in match["names"].split(",")]
        if self._unknown(written) is not None:
            written = [name.strip() for name in match["names"].split(self.marks.separator)]
        unknown = self._unknown(written)
        if unknown is not None:
            raise InvalidArgument(
                f"PICT model, line {number}: sub-model names {unknown!r}, which is not a parameter"
            )
        names = list(dict.fromkeys(self.parameters.names[self.parameters.fold(name)] for name in written))
        order = int(match["order"]) if match["order"] else None
        if order is not None and not 1 <= order <= len(names):
            raise InvalidArgument(
                f"PICT model, line {number}: the order of a sub-model is a number from 1 to {len(names)}, the number of "
                f"its parameters, not {order}"
            )
        self.submodels[tuple(names)] = order

    def _unknown(self, names: list[str]) -> str | None:
        return next((name for name in names if self.parameters.fold(name) not in self.parameters.names), None)
