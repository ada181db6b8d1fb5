"""The constraint language of PICT: IF ... THEN ... ELSE ...; over parameters in brackets."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from everycase.arrays.constraints import Constraint
from everycase.errors import InvalidArgument

_DIGITS = r"0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_NUMBER = re.compile(rf"[+-]?(?:{_DIGITS}|inf(?:inity)?|nan)", re.IGNORECASE)
_PATTERN = re.compile(
    rf"""
      (?P<space>\s+)
    | (?P<comment>\#[^\n]*)
    | (?P<parameter>\[(?:\\.|[^\]\\])*\])
    | (?P<string>"(?:\\.|[^"\\])*")
    | (?P<function>(?:IsNegative|IsPositive)\s*\((?:\\.|[^)\\])*\))
    | (?P<number>[+-]?(?:{_DIGITS}))
    | (?P<operator><>|<=|>=|=|<|>)
    | (?P<mark>[(){{}},;:])
    | (?P<word>[A-Za-z_]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Token:
    """A piece of text, what it is, and the line it stands on."""

    kind: str
    text: str
    line: int

    @property
    def content(self) -> str:
        """What stands between the brackets or quotes; a backslash makes the next character an ordinary one."""
        return re.sub(r"\\(.)", r"\1", self.text[1:-1])

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.upper() in words


def tokenize(text: str, first_line: int) -> list[Token]:
    """All tokens, with an ``end`` token last.

    >>> [t.text for t in tokenize('IF [A] >= 3 THEN [B] IN {"x"};', 1)]
    ['IF', '[A]', '>=', '3', 'THEN', '[B]', 'IN', '{', '"x"', '}', ';', '']
    """
    tokens = []
    position, line = 0, first_line
    while position < len(text):
        match = _PATTERN.match(text, position)
        if match is None:
            raise InvalidArgument(f"PICT model, line {line}: cannot read {text[position : position + 20]!r}")
        kind = match.lastgroup or ""
        if kind in ("parameter", "string") and re.search(r"(?<!\\)(?:\\\\)*\\[^\\\"\]]", match.group()):
            raise InvalidArgument(
                f'PICT model, line {line}: in {match.group()} a backslash may only stand before \\, " or ]'
            )
        if kind not in ("space", "comment"):
            tokens.append(Token(kind, match.group(), line))
        line += match.group().count("\n")
        position = match.end()
    tokens.append(Token("end", "", line))
    return tokens


Test = Callable[[Mapping[str, Any]], bool]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Clause:
    """A condition and the parameters it reads."""

    test: Test
    reads: tuple[str, ...]

    def __or__(self, other: Clause) -> Clause:
        return Clause(lambda row: self.test(row) or other.test(row), _union(self, other))

    def __and__(self, other: Clause) -> Clause:
        return Clause(lambda row: self.test(row) and other.test(row), _union(self, other))

    def __invert__(self) -> Clause:
        return Clause(lambda row: not self.test(row), self.reads)


@dataclass
class Parameters:
    """What constraints have to know about the parameters, and how PICT compares names and values."""

    case_sensitive: bool = False
    #: names as they are spelled, by how they are compared
    names: dict[str, str] = field(default_factory=dict)
    invalid: dict[str, list[Any]] = field(default_factory=dict)
    #: by name and value: the number or the text that is compared
    keys: dict[str, dict[Any, Any]] = field(default_factory=dict)
    numeric: set[str] = field(default_factory=set)

    def fold(self, text: str) -> str:
        """Text as it is compared: in capitals, unless case matters."""
        return text if self.case_sensitive else "".join(map(_capital, text))


def _capital(letter: str) -> str:
    capital = letter.upper()
    return capital if len(capital) == 1 else letter


def read_constraints(text: str, first_line: int, parameters: Parameters) -> list[Constraint]:
    """All constraints of a model. In PICT, constraints also judge rows with an invalid value."""
    parser = _Parser(tokenize(text, first_line), parameters)
    found = []
    while parser.now.kind != "end":
        begin, line = parser.at, parser.now.line
        clause = parser.statement()
        written = " ".join(token.text for token in parser.tokens[begin : parser.at - 1])
        holds = partial(_holds, clause.test)
        found.append(Constraint(holds, clause.reads, f"{written} (line {line})", judges_invalid=True))
    return found


def _holds(test: Test, /, **row: Any) -> bool:
    return test(row)


class _Parser:
    """Recursive descent; one method per rule of the grammar."""

    def __init__(self, tokens: list[Token], parameters: Parameters) -> None:
        self.tokens = tokens
        self.parameters = parameters
        self.at = 0

    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def advance(self) -> Token:
        token = self.now
        self.at += 1
        return token

    def expect(self, text: str) -> None:
        if self.now.text.upper() != text:
            raise self.error(f"expected {text!r}")
        self.advance()

    def error(self, problem: str) -> InvalidArgument:
        return self.refusal(f"{problem}, found {self.now.text or 'the end of the file'!r}")

    def refusal(self, problem: str) -> InvalidArgument:
        return InvalidArgument(f"PICT model, line {self.now.line}: {problem}")

    def statement(self) -> Clause:
        if self.now.is_word("IF"):
            self.advance()
            condition = self.either()
            self.expect("THEN")
            then = self.either()
            rule = ~condition | then
            if self.now.is_word("ELSE"):
                self.advance()
                rule = rule & (condition | self.either())
        else:
            rule = self.either()
        self.expect(";")
        return rule

    def either(self) -> Clause:
        clause = self.both()
        while self.now.is_word("OR"):
            self.advance()
            clause = clause | self.both()
        return clause

    def both(self) -> Clause:
        clause = self.single()
        while self.now.is_word("AND"):
            self.advance()
            clause = clause & self.single()
        return clause

    def single(self) -> Clause:
        if self.now.is_word("NOT"):
            self.advance()
            return ~self.single()
        if self.now.text == "(":
            self.advance()
            clause = self.either()
            self.expect(")")
            return clause
        if self.now.kind == "function":
            negative = self.is_negative()
            return negative if self.tokens[self.at - 1].text.upper().startswith("ISNEGATIVE") else ~negative
        return self.relation()

    def is_negative(self) -> Clause:
        """``IsNegative(A)``: the parameter has an invalid value; ``IsNegative()``: some parameter has."""
        argument = self.now.text.partition("(")[2].removesuffix(")").strip()
        if argument:
            written = argument[1:-1].strip() if argument.startswith("[") else argument
            names: tuple[str, ...] = (self.named(written),)
        else:
            names = tuple(self.parameters.invalid)
        if not names:
            raise self.refusal("no parameter has an invalid value (~)")
        self.advance()
        invalid = self.parameters.invalid
        return Clause(lambda row: any(row[name] in invalid.get(name, ()) for name in names), names)

    def relation(self) -> Clause:
        name = self.parameter()
        negated = self.now.is_word("NOT")
        if negated:
            self.advance()
        clause = self.comparison(name)
        return ~clause if negated else clause

    def comparison(self, name: str) -> Clause:
        keys = self.parameters.keys[name]
        if self.now.is_word("IN"):
            self.advance()
            members = self.value_set(name)
            return Clause(lambda row: keys[row[name]] in members, (name,))
        if self.now.is_word("LIKE"):
            if name in self.parameters.numeric:
                raise self.refusal(f"LIKE compares text, but all values of [{name}] are numbers")
            self.advance()
            pattern = self.value(name).replace("[", "[[]")
            return Clause(lambda row: fnmatch.fnmatchcase(keys[row[name]], pattern), (name,))
        if self.now.kind != "operator":
            raise self.error("expected a comparison, IN or LIKE")
        compare = _COMPARE[self.advance().text]
        if self.now.kind != "parameter":
            constant = self.value(name)
            return Clause(lambda row: compare(keys[row[name]], constant), (name,))
        other = self.parameter()
        if other == name:
            raise self.refusal(f"[{name}] is compared with itself")
        if len({name, other} & self.parameters.numeric) == 1:
            raise self.refusal(
                f"[{name}] and [{other}] cannot be compared: all values of one are numbers, those of the other are text"
            )
        others = self.parameters.keys[other]
        return Clause(lambda row: compare(keys[row[name]], others[row[other]]), (name, other))

    def parameter(self) -> str:
        if self.now.kind != "parameter":
            raise self.error("expected a parameter in brackets")
        found = self.named(self.now.content.strip())
        self.advance()
        return found

    def named(self, written: str) -> str:
        folded = self.parameters.fold(written)
        if folded not in self.parameters.names:
            raise self.refusal(f"{written!r} is not a parameter of the model")
        return self.parameters.names[folded]

    def value(self, name: str) -> Any:
        """A constant that values of a parameter are compared with: of the same type, as PICT demands."""
        token = self.now
        if token.kind not in ("string", "number"):
            raise self.error('expected a number or a "text"')
        if token.kind == "string" and name in self.parameters.numeric:
            raise self.refusal(f"all values of [{name}] are numbers, so write a number without quotes")
        if token.kind == "number" and name not in self.parameters.numeric:
            raise self.refusal(f'not all values of [{name}] are numbers, so write "{token.text}"')
        self.advance()
        return self.parameters.fold(token.content) if token.kind == "string" else as_number(token.text)

    def value_set(self, name: str) -> list[Any]:
        self.expect("{")
        members = [self.value(name)]
        while self.now.text == ",":
            self.advance()
            members.append(self.value(name))
        self.expect("}")
        return members


def as_number(text: str) -> int | float | None:
    """The number that PICT takes a text for, if any.

    >>> as_number("007"), as_number("1.50"), as_number("1e2"), as_number("0x10"), as_number("10 GB")
    (7, 1.5, 100.0, 16, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    if "x" in text.lower():
        return int(text, 16)
    try:
        return int(text)
    except ValueError:
        number = float(text)
        overflow = number in (float("inf"), float("-inf")) and "n" not in text.lower()
        return None if overflow else number


def _union(left: Clause, right: Clause) -> tuple[str, ...]:
    return tuple(dict.fromkeys(left.reads + right.reads))
