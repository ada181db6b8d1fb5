"""Types that no annotation gives: they are inferred from the values that a generator makes, and this is said."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

HEADER = """
import attr
import attrs
from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Generic, NewType, TypeVar

if TYPE_CHECKING:
    from nowhere import Stamp

T = TypeVar("T")
UserId = NewType("UserId", int)
Percent = Annotated[int, "of all"]
Pair = namedtuple("Pair", "x y")

@attr.s
class Point:
    x = attr.ib()
    y = attr.ib(default=0)

@attrs.define
class Private:
    _x: int
    y: int = 0

@dataclass
class Loose:
    x: Any
    y: int = 0

@dataclass
class Box(Generic[T]):
    x: T
    y: int = 0

class Plain:
    def __init__(self, x, y=0):
        self.x = x
        self.y = y

class Hidden:
    def __init__(self, first: int, second: int = 0):
        self._x = first
        self.y = second

    @property
    def x(self) -> int:
        return self._x

@dataclass
class Counted:
    x: Percent
    y: UserId = 0

"""

#: an expression of two numbers, how to get them back, what comes after "def f(draw)", and what is said
READ = {
    "namedtuple": ("Pair(a, b)", "(v.x, v.y)", "", "inferred as Pair(x: int, y: int)"),
    "namedtuple with annotation": ("Pair(a, b)", "(v.x, v.y)", "-> Pair", "Pair says too little"),
    "attr.ib": ("Point(a, b)", "(v.x, v.y)", "", "inferred as Point(x: int, y: int)"),
    "private names": ("Private(a, y=b)", "(v._x, v.y)", "-> Private", ""),
    "Any": ("[Loose(a, b)]", "(v[0].x, v[0].y) if len(v) == 1 else (9, 9)", "-> list[Loose]", "inferred as list[Loose(x: int, y: int)]"),
    "type variables": ("Box(a, b)", "(v.x, v.y)", "", "inferred as Box(x: int, y: int)"),
    "bound type variables": ("Box(a, b)", "(v.x, v.y)", "-> Box[int]", ""),
    "a class without annotations": ("Plain(a, b)", "(v.x, v.y)", "", "inferred as Plain(x: int, y: int)"),
    "attributes with other names": ("Hidden(a, second=b)", "(v.x, v.y)", "-> Hidden", ""),
    "NewType and Annotated": ("Counted(a, b)", "(v.x, v.y)", "-> Counted", ""),
    "Sequence": ("[a, b]", "(v[0], v[1]) if len(v) == 2 else (9, 9)", "-> Sequence[int]", "Sequence[int] says too little"),
    "a name for the type checker": ("(a, b)", "v", "-> 'Stamp'", "cannot be looked up; inferred as tuple[int, int]"),
    "a class or None": ("None if b == 1 else Pair(a, b)", "(0, 1) if v is None else (v.x, 0 if v.y == 0 else 9)", "", "Pair(x: int, y: int) | None"),
}  # fmt: skip
BODY = """
@covers(lambda v: ({back}) in ((0, 0), (0, 1), (1, 0)))
@gen.composite
def f(draw) {returns}:
    a = draw(gen.integers(0, 1))
    b = draw(gen.integers(0, {most}))
    return {made}
"""


def asked(text: str, header: str = HEADER):
    return gaps(module(header + text)["f"])


@pytest.mark.parametrize("name", READ)
def test_it_is_read_and_what_was_inferred_is_said(name):
    made, back, returns, said = READ[name]
    body = BODY.format(made=made, back=back, returns=returns, most="{most}")
    whole = asked(body.format(most="1 - a"))
    assert whole.unsupported is None and whole.status == "proved", str(whole)
    assert (
        any(said in note for note in whole.notes) if said else not any("inferred" in n for n in whole.notes)
    )
    twin = asked(body.format(most="0"))
    assert (twin.unsupported, twin.status) == (None, "missing"), str(twin)


def test_bytes_may_be_one_of_several_types():
    text = "@covers(lambda v: v is None or len(v) == 1)\n@gen.composite\ndef f(draw):\n    return None if draw(gen.booleans()) else draw({})\n"
    whole = asked(text.format("gen.binary(min_size=1, max_size=1)"))
    assert (whole.unsupported, whole.status) == (None, "proved"), str(whole)
    assert (
        asked(text.format("gen.binary(min_size=1, max_size=1).filter(lambda b: b[0] != 7)")).status
        == "missing"
    )


# --- attacks: the samples do not show everything ---------------------------------------------------------------

TREES = """
@dataclass
class Tree:
    left: Any
    right: Any
"""
#: the predicate and the body: whatever the inferred type is, nothing that is made may be called missing, and nothing
#: proved that is not
ATTACKS = {
    "rarely None": ("v is None or 0 <= v <= 999", "n = draw(gen.integers(0, 999))\nreturn None if n == 517 else n"),
    "rarely a string": ("v == 'x' or v in range(5)", "n = draw(gen.integers(0, 10 ** 6))\nreturn 'x' if n == 77777 else n % 5"),
    "bool or int": ("v in (0, 1, 2)", "return draw(gen.one_of(gen.booleans(), gen.integers(1, 2)))"),
    "mostly bool": ("v in (0, 1)", "n = draw(gen.integers(0, 500))\nreturn 1 if n == 321 else n == 0"),
    "int or float": ("0 <= v <= 1", "return draw(gen.one_of(gen.just(0), gen.just(1.0)))"),
    "only empty lists": ("len(v) == 0", "return []"),
    "a list that is rarely filled": ("len(v) <= 1", "n = draw(gen.integers(0, 999))\nreturn ['odd'] if n == 613 else []"),
    "rarely a longer tuple": ("len(v) <= 3", "n = draw(gen.integers(0, 900))\nreturn (n, n, n) if n == 450 else (n, n)"),
    "fields of two types": ("v.x in (0, 'a')", "return Loose(draw(gen.sampled_from([0, 'a'])))"),
    "a field that is rarely None": ("v.x is None or v.x in (0, 1)", "n = draw(gen.integers(0, 999))\nreturn Loose(None if n == 613 else n % 2)"),
    "a subclass": ("v.x in (0, 1)", "n = draw(gen.integers(0, 3))\nreturn (Loose if n % 2 else Wider)(n // 2)"),
    "rarely a subclass": ("v.x in (0, 1)", "n = draw(gen.integers(0, 999))\nreturn Wider(1) if n == 431 else Loose(n % 2)"),
    "recursive": ("depth(v) <= 2", "return draw(trees(2))"),
    "a key that is rarely there": ("v['a'] in (0, 1)", "n = draw(gen.integers(0, 999))\nd = {'a': n % 2}\nif n == 555:\n    d['b'] = 1\nreturn d"),
    "a changed field": ("v.x in (0, 1)", "p = Loose(draw(gen.integers(0, 1)))\np.x = None\np.x = 0\nreturn p"),
    "numbers as keys": ("len(v) <= 1", "n = draw(gen.integers(0, 9))\nreturn {} if n > 7 else {n: str(n)}"),
}  # fmt: skip
MORE = """
@dataclass
class Wider(Loose):
    z: int = 0

def depth(t) -> int:
    return 0 if t is None else 1 + max(depth(t.x), depth(t.y))

@gen.composite
def trees(draw, n: int):
    if n == 0 or draw(gen.booleans()):
        return None
    return Loose(draw(trees(n - 1)), draw(trees(n - 1)))

"""


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("library", ["gen", "st"])
def test_a_verdict_about_an_inferred_type_is_right(name, library):
    from oracle import wrong

    promise, body = ATTACKS[name]
    lines = body.replace("\n", "\n    ")
    text = f"@covers(lambda v: {promise})\n@gen.composite\ndef f(draw):\n    {lines}\n"
    real = module(HEADER + MORE + text)["f"]
    form = (HEADER + MORE + text).replace("gen.", "st.")
    generator = real if library == "gen" else module("from hypothesis import strategies as st\n" + form)["f"]
    assert wrong(generator, [], real) is None
