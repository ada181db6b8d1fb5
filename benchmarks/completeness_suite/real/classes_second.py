"""A second set of generators of classes, written after the first one was mended and run once."""

from __future__ import annotations

from completeness_suite.real.suite import Real

CLASSES_SECOND: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    CLASSES_SECOND.append(Real(name, text, (old, new), misses, arguments))


real(
    "invoice_lines",
    """
import attrs

@attrs.frozen
class Line:
    sku: str = attrs.field(validator=attrs.validators.in_(["A1", "B2"]))
    amount: int = attrs.field(validator=attrs.validators.gt(0))
    cents: int = attrs.field(default=0, validator=attrs.validators.ge(0))

    @property
    def total(self) -> int:
        return self.amount * self.cents

@covers(lambda v: len(v) <= 2 and all(line.amount <= 3 and line.cents in (0, 100) for line in v))
@gen.composite
def invoices(draw) -> list[Line]:
    line = gen.builds(Line, gen.sampled_from(["A1", "B2"]), gen.integers(1, 3), gen.sampled_from([0, 100]))
    return draw(gen.lists(line, max_size=2))
""",
    "integers(1, 3)",
    "integers(1, 2)",
    "[Line('A1', 3)]",
)
real(
    "temperatures",
    """
class Celsius:
    __slots__ = ("degrees",)

    def __init__(self, degrees: int) -> None:
        if degrees < -273:
            raise ValueError("below absolute zero")
        self.degrees = degrees

    def __repr__(self) -> str:
        return f"Celsius({self.degrees})"

@covers(lambda c: c.degrees <= 100)
@gen.composite
def temperatures(draw):
    return Celsius(draw(gen.integers(-300, 100)))
""",
    "-300, 100",
    "-270, 100",
    "Celsius(-273)",
)
real(
    "rectangles",
    """
from dataclasses import field

@dataclass(order=True)
class Rectangle:
    left: int
    right: int
    width: int = field(init=False, repr=False)

    def __post_init__(self):
        if self.left > self.right:
            raise ValueError("upside down")
        self.width = self.right - self.left

@covers(lambda r: 0 <= r.left and r.right <= 10 and r.width <= 4)
@gen.composite
def rectangles(draw) -> Rectangle:
    left = draw(gen.integers(0, 10))
    return Rectangle(left, draw(gen.integers(left, min(10, left + 4))))
""",
    "left + 4",
    "left + 3",
    "Rectangle(0, 4)",
)
real(
    "commands",
    """
class Command:
    def cost(self) -> int:
        raise NotImplementedError

class Move(Command, NamedTuple("Move", [("steps", int)])):
    pass

@dataclass(frozen=True)
class Wait(Command):
    ticks: int

    def cost(self) -> int:
        return self.ticks

@dataclass(frozen=True)
class Jump(Command):
    height: int = 1

    def cost(self) -> int:
        return 2 * self.height

@covers(lambda c: 0 <= c.cost() <= 6 and c.cost() != 5)
@gen.composite
def commands(draw) -> Wait | Jump:
    if draw(gen.booleans()):
        return Jump(draw(gen.integers(0, 3)))
    ticks = draw(gen.integers(0, 6))
    assume(ticks != 5)
    return Wait(ticks)
""",
    "integers(0, 3)",
    "integers(1, 3)",
    "Jump(0)",
)
real(
    "user_records",
    """
from pydantic import BaseModel, Field

class Address(BaseModel):
    city: str
    zip_code: int = Field(ge=1000, le=9999)

class User(BaseModel):
    name: str
    age: int = Field(ge=0, lt=130)
    address: Address | None = None

@covers(lambda u: u.name in ("ann", "bob") and (u.address is None or u.address.city == "Bern"))
@gen.composite
def users(draw) -> User:
    name = draw(gen.sampled_from(["ann", "bob"]))
    address = None
    if draw(gen.booleans()):
        address = Address(city="Bern", zip_code=draw(gen.integers(1000, 9999)))
    return User(name=name, age=draw(gen.integers(0, 129)), address=address)
""",
    "integers(0, 129)",
    "integers(0, 128)",
    "User(name='ann', age=129)",
)
real(
    "weekly_plans",
    """
class Day(enum.Enum):
    mon = "Mon"
    sat = "Sat"
    sun = "Sun"

    @classmethod
    def working(cls) -> "list[Day]":
        return [cls.mon]

    @property
    def is_free(self) -> bool:
        return self in (Day.sat, Day.sun)

@covers(lambda p: all(0 <= hours <= (0 if day.is_free else 8) for day, hours in p))
@gen.composite
def plans(draw):
    free = [(day, 0) for day in (Day.sat, Day.sun) if draw(gen.booleans())]
    return draw(gen.lists(gen.tuples(gen.just(Day.mon), gen.integers(0, 8)))) + free
""",
    "integers(0, 8)",
    "integers(1, 8)",
    "[(Day.mon, 0)]",
)
real(
    "money_with_constructors",
    """
@dataclass(frozen=True)
class Money:
    cents: int

    def __post_init__(self) -> None:
        if self.cents < 0:
            raise ValueError("no debts")

    @classmethod
    def euros(cls, amount: int) -> "Money":
        return cls(amount * 100)

    @classmethod
    def nothing(cls):
        return cls(0)

@covers(lambda m: m.cents <= 500 and m.cents % 100 == 0)
@gen.composite
def prices(draw):
    if draw(gen.booleans()):
        return Money.nothing()
    return Money.euros(draw(gen.integers(1, 5)))
""",
    "integers(1, 5)",
    "integers(1, 4)",
    "Money(500)",
)
real(
    "old_attrs_in_lists",
    """
import attr

@attr.s(slots=True)
class Edge:
    start = attr.ib()
    end = attr.ib()
    weight = attr.ib(default=1, kw_only=True)

    @property
    def is_loop(self):
        return self.start == self.end

@covers(lambda v: len(v) <= 2 and all(e.start in ("a", "b") and e.end in ("a", "b") and 1 <= e.weight <= 2 and not e.is_loop for e in v))
@gen.composite
def graphs(draw):
    edges = []
    for _ in range(draw(gen.integers(0, 2))):
        start = draw(gen.sampled_from("ab"))
        edges.append(Edge(start, "b" if start == "a" else "a", weight=draw(gen.integers(1, 2))))
    return edges
""",
    "weight=draw(gen.integers(1, 2))",
    "weight=1",
    "[Edge('a', 'b', weight=2)]",
)
real(
    "generic_pages",
    """
from typing import Generic, TypeVar

T = TypeVar("T")

@dataclass
class Page(Generic[T]):
    items: list[T]
    next: int | None = None

    def is_last(self) -> bool:
        return self.next is None

@covers(lambda p: len(p.items) <= 2 and all(i in (0, 1) for i in p.items) and (p.is_last() or 1 <= p.next <= 3))
@gen.composite
def pages(draw) -> "Page[int]":
    items = draw(gen.lists(gen.integers(0, 1), max_size=2))
    if draw(gen.booleans()):
        return Page(items)
    return Page(items, next=draw(gen.integers(1, 3)))
""",
    "integers(1, 3)",
    "integers(1, 2)",
    "Page([], 3)",
)
real(
    "tokens_without_annotations",
    """
from collections import namedtuple

Token = namedtuple("Token", "kind text", defaults=[""])

@covers(lambda t: t.kind in ("end", "sign") and (t.text == "" if t.kind == "end" else t.text in ("+", "-")))
@gen.composite
def tokens(draw):
    kind = draw(gen.sampled_from(["end", "sign"]))
    if kind == "end":
        return Token(kind)
    return Token(kind, draw(gen.sampled_from("+-")))
""",
    '"+-"',
    '"+"',
    "Token('sign', '-')",
)
real(
    "mapping_annotation",
    """
from collections.abc import Mapping

@covers(lambda m: set(m) <= {"cpu", "mem"} and all(1 <= n <= 4 for n in m.values()))
@gen.composite
def limits(draw) -> Mapping[str, int]:
    return draw(gen.dictionaries(gen.sampled_from(["cpu", "mem"]), gen.integers(1, 4)))
""",
    "integers(1, 4)",
    "integers(1, 3)",
    "{'cpu': 4}",
)
real(
    "events_of_several_kinds",
    """
@dataclass(frozen=True)
class Event:
    at: int

    @property
    def name(self) -> str:
        return "event"

@dataclass(frozen=True)
class Click(Event):
    button: int = 0

    @property
    def name(self) -> str:
        return "click"

@covers(lambda e: 0 <= e.at <= 5 and (e.name != "click" or e.button in (0, 1)) if isinstance(e, Click) else 0 <= e.at <= 5)
@gen.composite
def events(draw) -> Event:
    at = draw(gen.integers(0, 5))
    return Click(at, draw(gen.integers(0, 1))) if draw(gen.booleans()) else Event(at)
""",
    "draw(gen.integers(0, 1))",
    "draw(gen.integers(0, at)) % 2",
    "Click(0, 1)",
)
real(
    "elements_given_by_the_caller",
    """
class Bag:
    def __init__(self, label, items):
        self._label = label
        self._items = items

    @property
    def size(self):
        return len(self._items)

@covers(lambda b: b._label in ("x", "y") and b.size <= 2 and all(0 <= i <= 1 for i in b._items))
@gen.composite
def bags(draw, elements=gen.integers(0, 1)):
    return Bag(draw(gen.sampled_from("xy")), draw(gen.lists(elements, max_size=2)))
""",
    "max_size=2",
    "max_size=1",
    "Bag('x', [0, 0])",
)
