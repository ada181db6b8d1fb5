"""Methods, properties and other ways to make values of classes: of several classes at once, of enums, of pydantic's models."""

from __future__ import annotations

import pytest
from oracle import wrong
from samples import module

from everycase.complete import gaps

HEADER = """
import abc
import enum
from dataclasses import field
from typing import NewType

import pydantic
from pydantic import BaseModel, Field

Count = NewType("Count", int)

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...

    @property
    def big(self) -> bool:
        return self.area() > 2

@dataclass(frozen=True)
class Square(Shape):
    side: int

    def area(self) -> int:
        return 2 * self.side

@dataclass(frozen=True)
class Flat(Shape):
    def area(self) -> int:
        return 0

    @property
    def big(self) -> bool:
        return False

@dataclass(frozen=True)
class Pair(Shape):
    first: Shape
    second: Shape

    def area(self) -> int:
        return self.first.area() + self.second.area()

class Level(enum.Enum):
    low = 1
    high = 9

    @property
    def loud(self) -> bool:
        return self.value > 5

    def next(self) -> "Level":
        return Level.high if self is Level.low else Level.low

class Planet(enum.Enum):
    near = (1, 2)
    far = (3, 4)

    def __init__(self, distance, size):
        self.distance = distance

@dataclass
class Delay:
    seconds: int
    level: Level = Level.low
    tags: tuple[str, ...] = ()
    more: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of_minutes(cls, minutes: int, level: Level = Level.low) -> "Delay":
        return cls(60 * minutes, level)

    @staticmethod
    def longest() -> int:
        return 120

class Item(BaseModel):
    count: int = Field(default=1, ge=0)
    name: str = "nut"
    level: Level | None = None

"""
#: the promise, the body, a piece of it and what makes a gap in its place
READ = {
    "a method of several classes": ("not isinstance(v, Pair) and v.area() <= 4", "Shape", "return draw(gen.one_of(gen.just(Flat()), gen.builds(Square, gen.integers(None, 2))))", "None, 2", "None, 1"),
    "a property of several classes": ("not isinstance(v, Pair) and not v.big and v.area() >= 0", "Shape", "return draw(gen.one_of(gen.just(Flat()), gen.builds(Square, gen.integers(0, 1))))", "0, 1", "0, 0"),
    "a method that calls itself in others": ("v.area() <= 0 and v == Flat()", "Shape", "return Flat()", "Flat()", "Square(0)"),
    "a property of an enum": ("v.loud", "Level", "return draw(gen.sampled_from(Level).filter(lambda l: l.loud))", "l.loud", "not l.loud"),
    "a method of an enum": ("v.next() is Level.low", "Level", "return Level.high", "high", "low"),
    "an attribute of an enum": ("v.distance > 2", "Planet", "return Planet.far", "far", "near"),
    "a classmethod": ("v.seconds in (0, 60, 120) and v.level is Level.low and not v.tags and not v.more", "Delay", "return Delay.of_minutes(draw(gen.integers(0, 2)))", "0, 2", "0, 1"),
    "a static method": ("v.seconds == Delay.longest() and v.level is Level.high and not v.tags and not v.more", "Delay", "return Delay(Delay.longest(), level=Level.high)", "Delay.longest(),", "Delay.longest() + 1,"),
    "a NewType": ("0 <= v <= 3", "Count", "return Count(draw(gen.integers(0, 3)))", "0, 3", "0, 2"),
    "a model": ("v.count < 3 and v.name == 'nut' and v.level is None", "Item", "return Item(count=draw(gen.integers(0, 2)))", "0, 2", "1, 2"),
    "builds of a model": ("v.count < 3 and v.name == 'a' and v.level is None", "Item", "return draw(gen.builds(Item, count=gen.integers(0, 2), name=gen.just('a')))", "0, 2", "1, 2"),
    "what a model refuses": ("v.count < 3 and v.name == 'nut' and v.level is None", "Item", "return Item(count=draw(gen.integers(-2, 2)))", "-2, 2", "-2, 1"),
    "a model in a record": ("v[0].count == 1 and v[0].name == 'nut' and v[0].level is Level.low and v[1]", "tuple[Item, bool]", "return Item(level=Level.low), True", "low", "high"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("library", ["gen", "st"])
def test_it_is_read(name, library):
    promise, kind, body, old, new = READ[name]
    text = (
        HEADER
        + "from hypothesis import strategies as st\n@covers(lambda v: {})\n@{}.composite\ndef f(draw) -> {}:\n    {}\n"
    )
    body = body.replace("gen.", f"{library}.")
    whole = gaps(module(text.format(promise, library, kind, body))["f"])
    assert (whole.unsupported, whole.status) == (None, "proved"), str(whole)
    twin = gaps(module(text.format(promise, library, kind, body.replace(old, new)))["f"])
    assert (twin.unsupported, twin.status) == (None, "missing"), str(twin)


#: models and classes that do not just hold their fields: no wrong verdict may come of them
ATTACKS = {
    "a validator that changes": "class A(BaseModel):\n    n: int\n\n    @pydantic.field_validator('n')\n    @classmethod\n    def even(cls, n):\n        return n // 2 * 2",
    "a validator that refuses": "class A(BaseModel):\n    n: int\n\n    @pydantic.field_validator('n')\n    @classmethod\n    def odd(cls, n):\n        assert n % 2\n        return n",
    "a validator before": "class A(BaseModel):\n    n: pydantic.types.Annotated[int, pydantic.BeforeValidator(lambda n: abs(n - 1))]",
    "a validator after": "class A(BaseModel):\n    n: pydantic.types.Annotated[int, pydantic.AfterValidator(lambda n: 0)]",
    "a multiple": "class A(BaseModel):\n    n: int = Field(multiple_of=2)",
    "another name": "class A(BaseModel):\n    model_config = {'populate_by_name': True}\n    n: int = Field(alias='m')",
    "a default that is computed": "class A(BaseModel):\n    n: int\n    m: list[int] = Field(default_factory=lambda: [1])",
    "a truth that becomes a number": "class A(BaseModel):\n    n: bool",
    "private": "class A(BaseModel):\n    n: int\n    _m: int = 0",
    "a computed field": "class A(BaseModel):\n    n: int\n\n    @pydantic.computed_field\n    @property\n    def m(self) -> int:\n        return self.n",
    "after making": "class A(BaseModel):\n    n: int\n\n    def model_post_init(self, context):\n        self.n = 0",
    "its own equality": "class A(BaseModel):\n    n: int\n\n    def __eq__(self, other):\n        return True",
    "a root": "class A(pydantic.RootModel[int]):\n    @property\n    def n(self):\n        return self.root\n    def __init__(self, n):\n        super().__init__(n)",
    "a property over a field": "@dataclass\nclass B:\n    n: int\n\nclass A(B):\n    @property\n    def n(self):\n        return 0\n    @n.setter\n    def n(self, value):\n        pass",
    "a classmethod with another class": "@dataclass\nclass A:\n    n: int\n\n    @classmethod\n    def make(cls, n: int):\n        return cls(n + 1)\n\nA_ = A.make",
    "a classmethod of a subclass": "@dataclass\nclass B:\n    n: int\n\n    @classmethod\n    def make(cls, n: int):\n        return cls(n)\n\n@dataclass\nclass A(B):\n    m: int = 1",
}  # fmt: skip
MADE = {"": "A(n=draw(gen.integers(0, {most})))", "make": "A.make(draw(gen.integers(0, {most})))"}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("most", [1, 2])
def test_no_wrong_verdict(name, most):
    made = MADE["make" if "classmethod" in name and "validator" not in name else ""].format(most=most)
    text = f"{HEADER}{ATTACKS[name]}\n\n@covers(lambda v: v.n in (0, 1, 2))\n@gen.composite\ndef f(draw) -> A:\n    return {made}\n"
    names = module(text)
    candidates = []
    for n in range(3):
        try:
            candidates.append(names["A"](n=n))
        except Exception:
            continue
    assert wrong(names["f"], candidates) is None
