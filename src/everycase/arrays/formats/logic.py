"""Constraints as ACTS and CTWedge write them: comparisons joined by not, and, or, implication.

Both languages have the same expressions in different spellings (``&&`` and ``AND``, ``=>`` and ``->``, values with or
without quotes), so one parser reads both.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from everycase.arrays.constraints import Constraint
from everycase.arrays.feasibility import forbidding_clauses
from everycase.arrays.model import Model
from everycase.errors import InvalidArgument

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"[^"]*")|(?P<number>\d+(?:\.\d+)?(?![\w.]))|(?P<name>[A-Za-z_][\w.]*)"""
    r"""|(?P<mark><=>|<->|=>|->|\|\||&&|==|!=|<=|>=|[=<>!()+\-*/%|&]))"""
)

_SPELLED = {
    "AND": "&&",
    "&": "&&",
    "OR": "||",
    "|": "||",
    "NOT": "!",
    "==": "=",
    "->": "=>",
    "<->": "<=>",
    "implies": "=>",
}

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
}

Term = Callable[[Mapping[str, Any]], Any]


def logic_constraint(text: str, parameters: Mapping[str, Sequence[Any]], where: str) -> Constraint:
    """A constraint from an expression; ``where`` names its place in the file for errors.

    >>> rule = logic_constraint('(os != "linux") || n >= 2', {"os": ["linux", "mac"], "n": [1, 2]}, "line 1")
    >>> rule.reads, rule.predicate(os="linux", n=1), rule.predicate(os="mac", n=1)
    (('os', 'n'), False, True)
    """
    parser = _Parser(text, parameters, where)
    term = parser.implication()
    if parser.next is not None:
        raise parser.error(f"cannot read {parser.next!r}")
    if not parser.reads:
        raise parser.error("it reads no parameter")
    return Constraint(lambda **row: bool(term(row)), tuple(parser.reads), text.strip())


def _names_with_marks(parameters: Iterable[str]) -> re.Pattern[str]:
    """Matches the parameters whose names hold spaces or other marks, which are no single token otherwise."""
    odd = [name for name in parameters if not re.fullmatch(r"[A-Za-z_][\w.]*", name)]
    longest_first = sorted(map(re.escape, odd), key=len, reverse=True)
    return re.compile(rf"\s*(?P<name>{'|'.join(longest_first)})(?!\w)" if odd else r"(?P<name>(?!))")


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(self, text: str, parameters: Mapping[str, Sequence[Any]], where: str) -> None:
        self.text, self.parameters, self.where = text, parameters, where
        self.reads: dict[str, None] = {}
        self.tokens: list[tuple[str, str]] = []
        names = _names_with_marks(parameters)
        position = 0
        while text[position:].strip():
            match = names.match(text, position) or _TOKEN.match(text, position)
            if match is None:
                raise self.error(f"cannot read {text[position:].strip()[:20]!r}")
            kind = match.lastgroup or ""
            found = match.group(kind)
            if found in _SPELLED and found not in parameters:
                kind, found = "mark", _SPELLED[found]
            self.tokens.append((kind, found))
            position = match.end()
        self.at = 0

    @property
    def next(self) -> str | None:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def error(self, problem: str) -> InvalidArgument:
        return InvalidArgument(f"{self.where}: constraint {self.text.strip()!r}: {problem}")

    def take(self, *marks: str) -> str | None:
        """The next token if it is one of these marks."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "mark" and self.next in marks:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def implication(self) -> Term:
        left = self.joined("||")
        if self.take("=>"):
            right = self.implication()
            return lambda row: not left(row) or right(row)
        if self.take("<=>"):
            same = self.implication()
            return lambda row: bool(left(row)) == bool(same(row))
        return left

    def joined(self, mark: str) -> Term:
        parts = [self.joined("&&") if mark == "||" else self.negation()]
        while self.take(mark):
            parts.append(self.joined("&&") if mark == "||" else self.negation())
        if len(parts) == 1:
            return parts[0]
        every = any if mark == "||" else all
        return lambda row: every(part(row) for part in parts)

    def negation(self) -> Term:
        if self.take("!"):
            inner = self.negation()
            return lambda row: not inner(row)
        return self.comparison()

    def comparison(self) -> Term:
        left = self.arithmetic()
        mark = self.take(*_COMPARE)
        if mark is None:
            return left
        compare, right = _COMPARE[mark], self.arithmetic()

        def compared(row: Mapping[str, Any]) -> Any:
            one, other = left(row), right(row)
            try:
                return compare(one, other)
            except TypeError:
                raise self.error(f"cannot compare {one!r} with {other!r}") from None

        return compared

    def arithmetic(self) -> Term:
        left = self.factor()
        while mark := self.take(*_ARITHMETIC):
            left = self._applied(_ARITHMETIC[mark], left, self.factor())
        return left

    def _applied(self, function: Callable[[Any, Any], Any], left: Term, right: Term) -> Term:
        def applied(row: Mapping[str, Any]) -> Any:
            one, other = left(row), right(row)
            try:
                return function(one, other)
            except (TypeError, ZeroDivisionError) as problem:
                raise self.error(f"{one!r} and {other!r}: {problem}") from None

        return applied

    def factor(self) -> Term:
        if self.take("("):
            inner = self.implication()
            if not self.take(")"):
                raise self.error("a bracket is not closed")
            return inner
        if self.take("-"):
            negated = self.factor()
            return lambda row: -negated(row)
        if self.next is None:
            raise self.error("it ends too early")
        kind, text = self.tokens[self.at]
        if kind == "mark":
            raise self.error(f"{text!r} is out of place")
        self.at += 1
        if kind == "name" and text in self.parameters:
            self.reads[text] = None
            return lambda row: row[text]
        value = as_value(text.strip('"')) if kind != "string" else text.strip('"')
        if kind == "name" and not any(value in values for values in self.parameters.values()):
            raise self.error(f"{text!r} is neither a parameter nor a value")
        return lambda row: value


def as_value(text: str) -> Any:
    """A number or a truth value where the text is one, else the text.

    >>> as_value("3"), as_value("1.5"), as_value("true"), as_value("linux")
    (3, 1.5, True, 'linux')
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def clauses_of(model: Model, equal: Callable[[str, Any], str], joined: str) -> list[str]:
    """The constraints of a model as disjunctions of inequalities, whatever they were written as.

    ``equal`` writes the inequality of a name and a value.
    """
    found = []
    for rule in model.rules:
        if rule.built_in:
            continue
        for clause in forbidding_clauses(rule):
            parts = [equal(model.names[c], model.domains[c].at(level)) for c, level in clause]
            found.append(joined.join(parts))
    return found
