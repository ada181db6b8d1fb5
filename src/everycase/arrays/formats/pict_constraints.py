"""The constraint language of PICT: IF ... THEN ... ELSE ...; over parameters in brackets."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from everycase.arrays.constraints import Constraint
from everycase.errors import InvalidArgument

_PATTERN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<comment>\#[^\n]*)
    | (?P<parameter>\[(?:\\.|[^\]\\])*\])
    | (?P<string>"(?:\\.|[^"\\])*")
    | (?P<function>(?:IsNegative|IsPositive)\s*\((?:\\.|[^)\\])*\))
    | (?P<number>-?\d+(?:\.\d+)?)
    | (?P<operator><>|<=|>=|=|<|>)
    | (?P<mark>[(){},;:])
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


def read_constraints(
    text: str, first_line: int, names: Mapping[str, str], invalid: Mapping[str, Sequence[Any]]
) -> list[Constraint]:
    """All constraints of a model; ``names`` maps lower-case parameter names to how they are spelled.

    In PICT, constraints also judge rows with an ``invalid`` value.
    """
    parser = _Parser(tokenize(text, first_line), names, invalid)
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

    def __init__(
        self, tokens: list[Token], names: Mapping[str, str], invalid: Mapping[str, Sequence[Any]]
    ) -> None:
        self.tokens = tokens
        self.names = names
        self.invalid = invalid
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
        found = self.now.text or "the end of the file"
        return InvalidArgument(f"PICT model, line {self.now.line}: {problem}, found {found!r}")

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
            names = tuple(self.invalid)
        if not names:
            raise self.error("no parameter has an invalid value (~)")
        self.advance()
        invalid = self.invalid
        return Clause(lambda row: any(row[name] in invalid.get(name, ()) for name in names), names)

    def relation(self) -> Clause:
        name = self.parameter()
        negated = self.now.is_word("NOT")
        if negated:
            self.advance()
        clause = self.comparison(name)
        return ~clause if negated else clause

    def comparison(self, name: str) -> Clause:
        if self.now.is_word("IN"):
            self.advance()
            members = [_folded(value) for value in self.value_set()]
            return Clause(lambda row: _folded(row[name]) in members, (name,))
        if self.now.is_word("LIKE"):
            self.advance()
            pattern = str(_folded(self.value())).replace("[", "[[]")
            return Clause(lambda row: fnmatch.fnmatchcase(str(_folded(row[name])), pattern), (name,))
        if self.now.kind != "operator":
            raise self.error("expected a comparison, IN or LIKE")
        compare = _COMPARE[self.advance().text]
        if self.now.kind == "parameter":
            other = self.parameter()
            return Clause(
                lambda row: _compare(compare, row[name], row[other]), tuple(dict.fromkeys((name, other)))
            )
        constant = self.value()
        return Clause(lambda row: _compare(compare, row[name], constant), (name,))

    def parameter(self) -> str:
        if self.now.kind != "parameter":
            raise self.error("expected a parameter in brackets")
        found = self.named(self.now.content.strip())
        self.advance()
        return found

    def named(self, written: str) -> str:
        if written.lower() not in self.names:
            raise self.error(f"{written!r} is not a parameter of the model")
        return self.names[written.lower()]

    def value(self) -> Any:
        token = self.advance()
        if token.kind == "string":
            return token.content
        if token.kind == "number":
            return as_value(token.text)
        self.at -= 1
        raise self.error('expected a number or a "text"')

    def value_set(self) -> list[Any]:
        self.expect("{")
        members = [self.value()]
        while self.now.text == ",":
            self.advance()
            members.append(self.value())
        self.expect("}")
        return members


def as_value(text: str) -> Any:
    """A number where the text is one.

    >>> as_value("10"), as_value("1.5"), as_value("ten")
    (10, 1.5, 'ten')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _compare(compare: Callable[[Any, Any], bool], left: Any, right: Any) -> bool:
    left, right = _folded(left), _folded(right)
    if isinstance(left, str) != isinstance(right, str):
        left, right = str(left), str(right)
    return compare(left, right)


def _folded(value: Any) -> Any:
    """PICT compares text without regard to case."""
    return value.lower() if isinstance(value, str) else value


def _union(left: Clause, right: Clause) -> tuple[str, ...]:
    return tuple(dict.fromkeys(left.reads + right.reads))
