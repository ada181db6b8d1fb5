"""What a class does when a value is made: checks that raise, attributes that are computed, and whatever else."""

from __future__ import annotations

import pytest
from oracle import wrong
from samples import module

from everycase.complete import gaps

HEADER = """
import attr
import attrs
from dataclasses import field

def small(n: int) -> bool:
    return n < 3

"""
DATACLASS = """
@dataclass{options}
class A:
    x: int
    y: int = 0
    {more}
    def __post_init__(self):
        {body}
"""
PLAIN = """
class A:
    def __init__(self, x: int, y: int = 0):
        self.x = x
        self._y = y
        {body}

    @property
    def y(self) -> int:
        return self._y

    def __repr__(self):
        return f"A({{self.x}}, {{self._y}})"
"""
ATTRS = """
@attrs.define
class A:
    x: int{x}
    y: int = {y}

    def __repr__(self):
        return f"A({{self.x}}, {{self.y}})"
    {body}
"""


def dataclass(body: str, options: str = "", more: str = "") -> str:
    return DATACLASS.format(body=body.replace("\n", "\n        "), options=options, more=more)


def plain(body: str) -> str:
    return PLAIN.format(body=body.replace("\n", "\n        "))


def with_attrs(x: str = "", y: str = "0", body: str = "") -> str:
    return ATTRS.format(x=x, y=y, body=body.replace("\n", "\n    "))


#: classes of which the values are those with 0 <= x <= y < 3 and the like: they can be read
READ = {
    "raise": dataclass("if self.x > self.y:\n    raise ValueError"),
    "assert": dataclass("assert self.x <= self.y, 'the wrong way around'"),
    "else": dataclass("if self.x <= self.y:\n    return\nelse:\n    raise ValueError(self.x)"),
    "elif": dataclass("if self.x < self.y:\n    pass\nelif self.x > self.y:\n    raise ValueError"),
    "a method": dataclass("if not self.fine():\n    raise ValueError", more="def fine(self) -> bool:\n        return self.x <= self.y"),
    "a local name": dataclass("d = self.y - self.x\nif d < 0:\n    raise ValueError"),
    "a computed attribute": dataclass("self.d = self.y - self.x\nassert self.d >= 0", more="d: int = field(init=False)"),
    "frozen": dataclass("object.__setattr__(self, 'd', self.y - self.x)\nassert self.d >= 0", "(frozen=True)", "d: int = field(init=False)"),
    "a plain class": plain("if x > y:\n    raise ValueError"),
    "a plain class that computes": plain("self.d = y - x\nself.seen = {}\nif self.d < 0:\n    raise ValueError"),
    "validators": with_attrs(y="attrs.field(default=0)", body="\n@y.validator\ndef check(self, attribute, value):\n    if value < self.x:\n        raise ValueError"),
    "validators of attrs": with_attrs(" = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.instance_of(int)])", body="def __attrs_post_init__(self):\n    if self.x > self.y:\n        raise ValueError"),
    "converters": with_attrs(" = attrs.field(converter=int)", body="def __attrs_post_init__(self):\n    if self.x > self.y:\n        raise ValueError"),
}  # fmt: skip
BODY = """
@covers(lambda v: 0 <= v.x and v.y < 3)
@gen.composite
def f(draw) -> A:
    x = draw(gen.integers(0, 2))
    return A(x, draw(gen.integers(x, {most})))
"""


@pytest.mark.parametrize("name", READ)
def test_classes_that_check_and_compute_are_read(name):
    names = module(HEADER + READ[name] + BODY.format(most="2"))
    whole = gaps(names["f"])
    assert (whole.unsupported, whole.status, whole.soundness) == (None, "proved", "proved"), str(whole)
    twin = gaps(module(HEADER + READ[name] + BODY.format(most="max(x, 1)"))["f"])
    assert (twin.unsupported, twin.status) == (None, "missing"), str(twin)
    assert (twin.value.x, twin.value.y) == (0, 2)


def test_what_python_refuses_is_not_made():
    drawn = BODY.replace("gen.integers(x, {most})", "gen.integers(0, 2)")
    for name in ("raise", "validators", "a plain class"):
        verdict = gaps(module(HEADER + READ[name] + drawn)["f"])
        assert (verdict.unsupported, verdict.status, verdict.soundness) == (None, "proved", "proved")


def test_only_the_object_that_is_made_is_checked():
    chosen = BODY.replace(
        "return A(x, draw(gen.integers(x, {most})))",
        "y = draw(gen.integers(0, 2))\n    return A(x, y) if x <= y else A(y, x)",
    )
    verdict = gaps(module(HEADER + READ["raise"] + chosen)["f"])
    assert (verdict.unsupported, verdict.status, verdict.soundness) == (None, "proved", "proved")


def test_a_list_of_objects_that_check_themselves():
    many = """
@covers(lambda v: len(v) <= 2 and all(0 <= a.x and a.y < 2 for a in v))
@gen.composite
def f(draw) -> list[A]:
    return draw(gen.lists(gen.builds(A, gen.integers(0, {most}), gen.integers(0, 1)), max_size=2))
"""
    assert gaps(module(HEADER + READ["raise"] + many.format(most=1))["f"]).status == "proved"
    assert gaps(module(HEADER + READ["raise"] + many.format(most=0))["f"]).status == "missing"


#: what else a class may do: no wrong verdict may come of it
ATTACKS = {
    "an argument is changed": dataclass("self.x = abs(self.x)"),
    "an argument is counted up": dataclass("self.x += 1"),
    "arguments are swapped": dataclass("if self.x > self.y:\n    self.x, self.y = self.y, self.x"),
    "changed by setattr": dataclass("setattr(self, 'x', 0)"),
    "changed by object": dataclass("object.__setattr__(self, 'x', 0)"),
    "changed in its dictionary": dataclass("self.__dict__['x'] = 0"),
    "changed by a method": dataclass("self.reset()", more="def reset(self):\n        self.x = 0"),
    "changed by a function": dataclass("reset(self)"),
    "changed by an expression": dataclass("if reset(self):\n    raise ValueError"),
    "changed later": dataclass("self.z = self.x\nself.z = 0"),
    "an error that is caught": dataclass("try:\n    assert self.x < 1\nexcept AssertionError:\n    pass"),
    "an error at a distance": dataclass("10 // self.x"),
    "a computed attribute that fails": plain("self.z = 10 // x"),
    "a computed attribute that counts": plain("self.z = next(numbers)"),
    "a parameter is changed first": plain("").replace("self.x = x", "x = 0\n        self.x = x"),
    "a parameter is changed later": plain("x = 5\nself.z = x"),
    "assigned twice": plain("self.x = 0"),
    "assigned in a loop": plain("for self.x in (5, 6):\n    pass"),
    "a property that answers": plain("").replace("return self._y", "return 0"),
    "a computed attribute that may fail": plain("self.z = [y // x]"),
    "an attribute that holds another": plain("self.z = [x]\nself.z.append(y)"),
    "a class attribute": dataclass("pass", more="z = 3"),
    "a check of a check": dataclass("if self.x > 1 and A(self.x - 1):\n    pass"),
    "a check with an error": dataclass("if [1, 2][self.x] > 1:\n    raise ValueError"),
    "a validator that is a lambda": with_attrs(" = attrs.field(validator=lambda i, a, v: small(v) or 1 / 0)"),
    "a converter": with_attrs(" = attrs.field(converter=lambda n: n % 2)"),
    "a validator that changes": with_attrs(body="\n@y.validator\ndef check(self, attribute, value):\n    self.x = 0", y="attrs.field(default=0)"),
    "an __init__ of a dataclass": "@dataclass\nclass A:\n    x: int\n    y: int = 0\n\n    def __init__(self, x, y=0):\n        self.x = x\n        self.y = y\n        if x > 1:\n            raise ValueError\n",
    "an __init__ of attrs": "@attrs.define(init=False)\nclass A:\n    x: int\n    y: int = 0\n\n    def __init__(self, x, y=0):\n        self.y = y\n        self.x = x\n        self.__attrs_init__(0)\n",
    "an attribute that is taken away": plain("del self._y").replace(", {self._y}", ""),
    "no value at all": dataclass("raise ValueError"),
    "raised in a function": dataclass("demand(self.x < 2)"),
    "inherited": dataclass("assert self.x < 2") + "\n@dataclass\nclass B(A):\n    def __post_init__(self):\n        super().__post_init__()\n        assert self.y < 2\n",
}  # fmt: skip
MORE = """
import itertools
numbers = itertools.count()

def reset(a):
    a.x = 0
    return False

def demand(holds):
    if not holds:
        raise ValueError
"""
MADE = """
@covers(lambda v: 0 <= v.x <= 2 and 0 <= v.y <= 2)
@gen.composite
def f(draw) -> {kind}:
    return {kind}(draw(gen.integers({least}, 2)), draw(gen.integers(0, 2)))
"""


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("least", [0, 1])
def test_no_wrong_verdict_about_classes_that_do_more(name, least):
    text = HEADER + MORE + ATTACKS[name]
    kind = "B" if name == "inherited" else "A"
    names = module(text + MADE.format(kind=kind, least=least))
    candidates = []
    for x in range(3):
        for y in range(3):
            try:
                candidates.append(names[kind](x, y))
            except Exception:
                continue
    assert wrong(names["f"], candidates) is None
