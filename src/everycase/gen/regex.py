"""``from_regex``: the strings that a regular expression matches.

The expression is parsed by Python's own ``re``, and each piece of its syntax tree becomes the generator of
what it matches: a set of characters, a choice, a repetition. So such strings can be counted, shrunk and
searched like any others. Only conditions that a piece cannot check by itself (look-around, word boundaries,
anchors in the middle, possessive repeats) are left to a filter on the whole string. A back reference is
filled in when the whole string is joined.
"""

from __future__ import annotations

import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, AnyStr

from everycase.errors import InvalidArgument
from everycase.gen import unicode
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.composition import one_of
from everycase.gen.kinds import Filter, List, Map
from everycase.gen.scalars import just, nothing
from everycase.gen.show import described
from everycase.gen.strings import from_alphabet, text
from everycase.gen.unicode import Ranges
from everycase.gen.validate import as_gen, require_bool

_WHOLE: Ranges = ((0, 0x110000),)
_BYTES: Ranges = ((0, 256),)
#: A larger set of characters is not searched for those that differ only in case.
_MOST_CASES = 3000


def from_regex(
    regex: AnyStr | re.Pattern[AnyStr],
    *,
    fullmatch: bool = False,
    alphabet: Collection[str] | Gen[str] | None = None,
) -> Gen[AnyStr]:
    r"""Strings (or bytes, for a pattern of bytes) in which ``regex`` is found, as by ``re.search``.

    ``fullmatch`` asks for strings that match as a whole. ``alphabet`` restricts the characters, as for
    :func:`text`.

    >>> sorted(from_regex(r"[ab]{2}", fullmatch=True))
    ['aa', 'ab', 'ba', 'bb']
    >>> len(from_regex(r"(yes|no)[!?]?", fullmatch=True))
    6
    >>> all(word[0] == word[-1] for word in from_regex(r"(\w).*\1", fullmatch=True).sample(50, seed=0))
    True
    """
    require_bool("fullmatch", fullmatch)
    try:
        pattern = re.compile(regex)
    except re.error as problem:
        raise InvalidArgument(f"regex={regex!r} is not a regular expression: {problem}") from None
    except TypeError:
        raise InvalidArgument(
            f"regex must be a string, bytes or a compiled pattern, not {regex!r} ({type(regex).__name__})"
        ) from None
    if alphabet is not None and isinstance(pattern.pattern, bytes):
        raise InvalidArgument(
            "alphabet only works with text patterns, but regex is a bytes pattern; leave alphabet out"
        )
    reading = _Reading(pattern, _allowed(pattern, alphabet))
    node = reading.whole(fullmatch)
    shown_regex = regex if isinstance(regex, str | bytes) else pattern.pattern
    return described(node, "from_regex", shown_regex, fullmatch=fullmatch or None, alphabet=alphabet)


# --- what a piece evaluates to ------------------------------------------------------------------------------
#
# A string; or, if groups matter, a tuple of pieces, a Group, a Reference or a Condition.


class _Group:
    """What a group matched, remembered under its number."""

    __slots__ = ("inside", "number")

    def __init__(self, number: int, inside: Any) -> None:
        self.number = number
        self.inside = inside


class _Reference:
    """The text of a group again."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class _Condition:
    """One of two pieces, depending on whether a group took part in the match."""

    __slots__ = ("absent", "number", "present")

    def __init__(self, number: int, present: Any, absent: Any) -> None:
        self.number = number
        self.present = present
        self.absent = absent


class _NoSuchGroup(Exception):
    """A reference to a group that did not take part: such a string does not match."""


def _joined(piece: Any) -> str | None:
    """The string of a piece; None if it refers to a group that did not take part."""
    groups: dict[int, str] = {}
    written: list[str] = []
    try:
        _write(piece, groups, written)
    except _NoSuchGroup:
        return None
    return "".join(written)


def _write(piece: Any, groups: dict[int, str], written: list[str]) -> None:
    if isinstance(piece, str):
        written.append(piece)
    elif isinstance(piece, tuple | list):
        for part in piece:
            _write(part, groups, written)
    elif isinstance(piece, _Group):
        start = len(written)
        _write(piece.inside, groups, written)
        groups[piece.number] = "".join(written[start:])
    elif isinstance(piece, _Reference):
        if piece.number not in groups:
            raise _NoSuchGroup
        written.append(groups[piece.number])
    else:
        _write(piece.present if piece.number in groups else piece.absent, groups, written)


# --- reading the tree ---------------------------------------------------------------------------------------


class _Reading:
    """Reads one pattern."""

    def __init__(self, pattern: re.Pattern[Any], allowed: Ranges) -> None:
        self.pattern = pattern
        self.allowed = allowed
        self.is_bytes = isinstance(pattern.pattern, bytes)
        self.tree = list(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG))
        #: whether strings refer to groups, so that pieces are joined in the end
        self.refers = _mentions(self.tree, (sre.GROUPREF, sre.GROUPREF_EXISTS))
        #: whether a string may be made that does not match
        self.doubtful = self.refers

    def whole(self, fullmatch: bool) -> Gen[Any]:
        """The generator of the strings."""
        flags = self.pattern.flags
        before, tree, after = ([], self.tree, []) if fullmatch else self._open_ends(flags)
        body = self.sequence([*before, *tree, *after], flags)
        made: Gen[Any] = body
        if self.refers:
            made = Filter(Map(body, _joined), lambda found: found is not None)
        if self.is_bytes:
            made = Map(
                made, lambda found: found.encode("latin-1"), lambda data: data.decode("latin-1"), share=True
            )
        if self.doubtful:
            matches = self.pattern.fullmatch if fullmatch else self.pattern.search
            made = Filter(made, lambda found: matches(found) is not None)
        return made

    def _open_ends(self, flags: int) -> tuple[list[Any], list[Any], list[Any]]:
        """What may come before and after a match, as pieces that are already generators."""
        tree = list(self.tree)
        anything = self._anything()
        before, after = [anything], [anything]
        if tree and tree[0] in _BEGINNINGS:
            multiline = flags & re.MULTILINE and tree[0][1] is sre.AT_BEGINNING
            before = [one_of(just(""), tuples(anything, just("\n")).map("".join))] if multiline else []
            tree = tree[1:]
        if tree and tree[-1] in _ENDS:
            if tree[-1][1] is sre.AT_END_STRING:
                after = []
            elif flags & re.MULTILINE:
                after = [one_of(just(""), tuples(just("\n"), anything).map("".join))]
            else:
                after = [one_of(just(""), just("\n"))] if _within((10,), self.allowed) else []
            tree = tree[:-1]
        return before, tree, after

    def _anything(self) -> Gen[str]:
        if not self.allowed:
            return just("")
        known = unicode.within(self.allowed, _BYTES if self.is_bytes else unicode.EVERYTHING)
        return text(from_alphabet(unicode.Alphabet(known)) if known else just(""))

    def sequence(self, tree: Sequence[Any], flags: int) -> Gen[Any]:
        """One piece after another."""
        parts: list[Gen[Any]] = []
        literal = ""
        for item in tree:
            if isinstance(item, Gen):
                part: Gen[Any] | str = item
            else:
                code, argument = item
                part = self.piece(code, argument, flags)
            if isinstance(part, str):
                literal += part
                continue
            if literal:
                parts.append(just(literal))
                literal = ""
            parts.append(part)
        if literal or not parts:
            parts.append(just(literal))
        if len(parts) == 1:
            return parts[0]
        return tuples(*parts) if self.refers else Map(tuples(*parts), "".join, share=True)

    def piece(self, code: Any, argument: Any, flags: int) -> Gen[Any] | str:
        """One item of the tree; plain text if there is nothing to choose."""
        if code in _SETS:
            return self.characters(code, argument, flags)
        rule = _PIECES.get(code)
        if rule is None:
            raise InvalidArgument(
                f"regex={self.pattern.pattern!r} uses {str(code).lower()}, which from_regex cannot read"
            )
        return rule(self, argument, flags)

    def characters(self, code: Any, argument: Any, flags: int) -> Gen[str] | str:
        """One character of a set."""
        found = self._set(code, argument, flags)
        if flags & re.IGNORECASE:
            found = self._in_any_case(found, code, argument)
        found = unicode.within(found, self.allowed)
        count = sum(stop - start for start, stop in found)
        if count == 0:
            return nothing()
        return chr(found[0][0]) if count == 1 else from_alphabet(unicode.Alphabet(found))

    def _set(self, code: Any, argument: Any, flags: int) -> Ranges:
        everything = _BYTES if self.is_bytes else _WHOLE
        if code is sre.LITERAL:
            return unicode.ranges_of([argument])
        if code is sre.NOT_LITERAL:
            return unicode.minus(everything, self._cased(unicode.ranges_of([argument]), flags))
        if code is sre.ANY:
            return everything if flags & re.DOTALL else unicode.minus(everything, ((10, 11),))
        if code is sre.RANGE:
            return ((argument[0], argument[1] + 1),)
        if code is sre.CATEGORY:
            return _category(argument, self.is_bytes or bool(flags & re.ASCII), everything)
        items = list(argument)  # IN
        negated = items[0][0] is sre.NEGATE
        found: Ranges = ()
        for each, value in items[negated:]:
            found = unicode.union(found, self._set(each, value, flags))
        return unicode.minus(everything, self._cased(found, flags)) if negated else found

    def _cased(self, found: Ranges, flags: int) -> Ranges:
        """Includes characters that differ in case, if case does not matter."""
        if not flags & re.IGNORECASE:
            return found
        if sum(stop - start for start, stop in found) > _MOST_CASES:
            self.doubtful = True  # one of the others may be taken for a character that is excluded
            return found
        near = {ord(c) for point in _points(found) for c in _cases(chr(point)) if len(c) == 1}
        return unicode.union(found, unicode.ranges_of(near))

    def _in_any_case(self, found: Ranges, code: Any, argument: Any) -> Ranges:
        if code is sre.NOT_LITERAL or code is sre.ANY or (code is sre.IN and argument[0][0] is sre.NEGATE):
            return found
        if sum(stop - start for start, stop in found) > _MOST_CASES:
            return found
        self.doubtful = True  # ``re`` has its own idea of which characters are the same
        return self._cased(found, re.IGNORECASE)

    # --- the rules of _PIECES ----------------------------------------------------------------------------

    def branch(self, argument: Any, flags: int) -> Gen[Any]:
        _, options = argument
        return one_of([self.sequence(list(option), flags) for option in options])

    def repeat(self, argument: Any, flags: int) -> Gen[Any]:
        low, high, inside = argument
        element = self.sequence(list(inside), flags)
        most = None if high is sre.MAXREPEAT else int(high)
        repeated = List(element, int(low), most)
        return Map(repeated, tuple) if self.refers else Map(repeated, "".join, share=True)

    def possessive(self, argument: Any, flags: int) -> Gen[Any]:
        self.doubtful = True
        return self.repeat(argument, flags)

    def group(self, argument: Any, flags: int) -> Gen[Any]:
        number, added, removed, inside = argument
        found = self.sequence(list(inside), (flags | added) & ~removed)
        if number is None or not self.refers:
            return found
        return Map(found, lambda piece: _Group(number, piece))

    def atomic(self, argument: Any, flags: int) -> Gen[Any]:
        self.doubtful = True
        return self.sequence(list(argument), flags)

    def reference(self, argument: Any, flags: int) -> Gen[Any]:
        return just(_Reference(argument))

    def condition(self, argument: Any, flags: int) -> Gen[Any]:
        number, present, absent = argument
        yes = self.sequence(list(present), flags)
        no = self.sequence(list(absent) if absent else [], flags)
        return tuples(yes, no).map(lambda pair: _Condition(number, *pair))

    def position(self, argument: Any, flags: int) -> str:
        self.doubtful = True
        return ""

    def look(self, argument: Any, flags: int) -> Gen[Any]:
        """A look-around: its text may be inserted here, or be what the rest of the pattern makes."""
        self.doubtful = True
        _, inside = argument
        return one_of(just(""), self.sequence(list(inside), flags))

    def look_for_none(self, argument: Any, flags: int) -> str:
        self.doubtful = True
        return ""

    def failure(self, argument: Any, flags: int) -> Gen[Any]:
        return nothing()


_SETS = (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN, sre.RANGE, sre.CATEGORY)
_BEGINNINGS = ((sre.AT, sre.AT_BEGINNING), (sre.AT, sre.AT_BEGINNING_STRING))
_ENDS = ((sre.AT, sre.AT_END), (sre.AT, sre.AT_END_STRING))
_PIECES: dict[Any, Callable[[_Reading, Any, int], Gen[Any] | str]] = {
    sre.BRANCH: _Reading.branch,
    sre.MAX_REPEAT: _Reading.repeat,
    sre.MIN_REPEAT: _Reading.repeat,
    sre.POSSESSIVE_REPEAT: _Reading.possessive,
    sre.SUBPATTERN: _Reading.group,
    sre.ATOMIC_GROUP: _Reading.atomic,
    sre.GROUPREF: _Reading.reference,
    sre.GROUPREF_EXISTS: _Reading.condition,
    sre.AT: _Reading.position,
    sre.ASSERT: _Reading.look,
    sre.ASSERT_NOT: _Reading.look_for_none,
    sre.FAILURE: _Reading.failure,
}


# --- sets of characters -------------------------------------------------------------------------------------


def _allowed(pattern: re.Pattern[Any], alphabet: Any) -> Ranges:
    """The allowed characters."""
    if isinstance(pattern.pattern, bytes):
        return _BYTES
    if alphabet is None:
        named = unicode.ranges_of(ord(c) for c in pattern.pattern if 0xD800 <= ord(c) < 0xE000)
        return unicode.union(unicode.EVERYTHING, named)
    if not isinstance(alphabet, str | list | tuple | set | frozenset):
        made = as_gen("alphabet", alphabet)
        known = getattr(getattr(made, "f", None), "__self__", None)
        if isinstance(known, unicode.Alphabet):
            return known.ranges
        try:
            few = made.cardinality <= 10_000
        except Exception:
            few = False
        if not few:
            raise InvalidArgument(
                f"alphabet must be characters that can be listed, but those of {made!r} cannot; give "
                "gen.characters(...) or a "
                "string of characters"
            )
        alphabet = list(made)
    for each in alphabet:
        if not isinstance(each, str) or len(each) != 1:
            raise InvalidArgument(f"alphabet must contain strings of length one, but {each!r} is not one")
    return unicode.ranges_of(sorted({ord(c) for c in alphabet}))


@lru_cache(maxsize=64)
def _category(name: Any, ascii_only: bool, everything: Ranges) -> Ranges:
    base = str(name).replace("NOT_", "")
    if ascii_only:
        found = unicode.ranges_of(map(ord, _ASCII[base]))
    elif base.endswith("DIGIT"):
        found = unicode.of_categories(["Nd"])
    elif base.endswith("WORD"):
        found = unicode.union(unicode.of_categories(["L", "N"]), unicode.ranges_of([ord("_")]))
    else:
        blank = unicode.of_categories(["Z", "Cc"])
        found = unicode.ranges_of(point for point in _points(blank) if chr(point).isspace())
    return unicode.minus(everything, found) if "NOT_" in str(name) else found


_ASCII = {
    "CATEGORY_DIGIT": "0123456789",
    "CATEGORY_SPACE": " \t\n\r\f\v",
    "CATEGORY_WORD": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz",
}


def _cases(c: str) -> tuple[str, ...]:
    return c.lower(), c.upper(), c.swapcase(), c.casefold(), c.upper().lower(), c.lower().upper()


def _points(ranges: Ranges) -> Iterable[int]:
    return (point for start, stop in ranges for point in range(start, stop))


def _within(points: tuple[int, ...], ranges: Ranges) -> bool:
    return all(any(start <= point < stop for start, stop in ranges) for point in points)


def _mentions(tree: Any, codes: tuple[Any, ...]) -> bool:
    """Whether one of these occurs anywhere in a tree."""
    if isinstance(tree, parser.SubPattern):
        tree = list(tree)
    if isinstance(tree, tuple | list):
        if isinstance(tree, tuple) and tree and any(tree[0] is code for code in codes):
            return True
        return any(_mentions(part, codes) for part in tree)
    return False
