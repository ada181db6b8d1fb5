"""Tokens of the constraint language in PICT model files."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
