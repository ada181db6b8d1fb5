"""Generators of the classes that people write, with and without annotations: one or two for each kind of class and for each
way in which an annotation can be missing. Written before the reader was changed."""

from __future__ import annotations

from completeness_suite.real.suite import Real

CLASSES: list[Real] = []


def real(name: str, text: str, old: str, new: str, misses: str, **arguments: object) -> None:
    CLASSES.append(Real(name, text, (old, new), misses, arguments))


# --- dataclasses ----------------------------------------------------------------------------------------
real(
    "dataclass_that_checks_itself",
    """
@dataclass(frozen=True)
class Span:
    first: int
    last: int

    def __post_init__(self):
        if self.first > self.last:
            raise ValueError("first must not be after last")

@covers(lambda s: 0 <= s.first and s.last <= 9)
@gen.composite
def spans(draw) -> Span:
    first = draw(gen.integers(0, 9))
    return Span(first, draw(gen.integers(first, 9)))
""",
    "gen.integers(first, 9)))",
    "gen.integers(first, max(first, 8))))",
    "Span(1, 9)",
)
real(
    "dataclass_that_asserts",
    """
@dataclass
class Rate:
    percent: int
    label: str = ""

    def __post_init__(self) -> None:
        assert 0 <= self.percent <= 100, "a percentage"

@covers(lambda r: r.label in ("low", "high"))
@gen.composite
def rates(draw):
    return Rate(draw(gen.integers(0, 100)), draw(gen.sampled_from(["low", "high"])))
""",
    "integers(0, 100)",
    "integers(1, 100)",
    "Rate(0, 'low')",
)
real(
    "dataclass_that_normalizes",
    """
@dataclass
class Pair:
    small: int
    large: int

    def __post_init__(self):
        if self.small > self.large:
            self.small, self.large = self.large, self.small

@covers(lambda p: 0 <= p.small and p.large <= 20 and p.small <= p.large)
@gen.composite
def pairs(draw) -> Pair:
    return Pair(draw(gen.integers(0, 20)), draw(gen.integers(0, 20)))
""",
    "draw(gen.integers(0, 20)), draw",
    "draw(gen.integers(0, 19)), 1 + draw",
    "Pair(0, 0)",
)
real(
    "dataclass_with_a_derived_field",
    """
from dataclasses import field

@dataclass
class Box:
    width: int
    height: int
    area: int = field(init=False)

    def __post_init__(self):
        self.area = self.width * self.height

@covers(lambda b: 1 <= b.width <= 10 and 1 <= b.height <= 10 and b.area == b.width * b.height)
@gen.composite
def boxes(draw) -> Box:
    return Box(draw(gen.integers(1, 10)), draw(gen.integers(1, 10)))
""",
    "draw(gen.integers(1, 10)))",
    "draw(gen.integers(2, 10)))",
    "Box(3, 1)",
)
real(
    "keyword_only_with_factory",
    """
from dataclasses import field

@dataclass(kw_only=True)
class Job:
    name: str
    retries: int = 0
    tags: list[str] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        return not self.tags and self.retries == 0

@covers(lambda j: j.name in ("build", "test") and 0 <= j.retries <= 3 and not j.tags)
@gen.composite
def jobs(draw):
    name = draw(gen.sampled_from(("build", "test")))
    if draw(gen.booleans()):
        return Job(name=name)
    return Job(name=name, retries=draw(gen.integers(1, 3)))
""",
    "integers(1, 3)",
    "integers(2, 3)",
    "Job(name='test', retries=1)",
)
real(
    "inheritance",
    """
@dataclass(frozen=True, slots=True)
class Named:
    name: str

@dataclass(frozen=True, slots=True)
class Priced(Named):
    price: int

    def is_free(self) -> bool:
        return self.price == 0

@covers(lambda p: p.name in ("a", "b") and p.price >= 0 and (p.name == "a" or not p.is_free()))
@gen.composite
def priced(draw) -> Priced:
    name = draw(gen.sampled_from("ab"))
    return Priced(name, draw(gen.integers(0 if name == "a" else 1, None)))
""",
    "0 if name",
    "1 if name",
    "Priced('a', 0)",
)
real(
    "abstract_base",
    """
import abc

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...

@dataclass(frozen=True)
class Square(Shape):
    side: int

    def area(self) -> int:
        return 2 * self.side

@dataclass(frozen=True)
class Flat(Shape):
    def area(self) -> int:
        return 0

@covers(lambda s: 0 <= s.area() <= 10)
@gen.composite
def shapes(draw) -> Shape:
    if draw(gen.booleans()):
        return Flat()
    return Square(draw(gen.integers(0, 5)))
""",
    "integers(0, 5)",
    "integers(1, 5)",
    "Square(0)",
)
real(
    "generic_class",
    """
from typing import Generic, TypeVar

T = TypeVar("T")

@dataclass(frozen=True)
class Entry(Generic[T]):
    key: int
    value: T | None = None

@covers(lambda e: 0 <= e.key <= 5 and (e.value is None or e.value >= 0))
@gen.composite
def entries(draw) -> Entry[int]:
    key = draw(gen.integers(0, 5))
    return Entry(key) if draw(gen.booleans()) else Entry(key, draw(gen.integers(0, None)))
""",
    "integers(0, None)",
    "integers(1, None)",
    "Entry(2, 0)",
)
real(
    "generic_class_without_annotation",
    """
from typing import Generic, TypeVar

T = TypeVar("T")

@dataclass(frozen=True)
class Cell(Generic[T]):
    row: int
    content: T

@covers(lambda c: 0 <= c.row <= 5 and c.content in ("x", "o"))
@gen.composite
def cells(draw):
    return Cell(draw(gen.integers(0, 5)), draw(gen.sampled_from(["x", "o"])))
""",
    "integers(0, 5)",
    "integers(0, 4)",
    "Cell(5, 'x')",
)
real(
    "fields_without_types",
    """
from typing import Any

@dataclass
class Message:
    kind: str
    body: Any

@covers(lambda m: m.kind == "count" and 0 <= m.body <= 7)
@gen.composite
def messages(draw) -> Message:
    return Message("count", draw(gen.integers(0, 7)))
""",
    "integers(0, 7)",
    "integers(0, 6)",
    "Message('count', 7)",
)
# --- attrs ----------------------------------------------------------------------------------------------
real(
    "attrs_with_validators",
    """
import attrs

@attrs.frozen
class Port:
    number: int = attrs.field(validator=[attrs.validators.instance_of(int), attrs.validators.ge(0), attrs.validators.lt(65536)])

@covers(lambda p: True)
@gen.composite
def ports(draw) -> Port:
    return Port(draw(gen.integers(0, 65535)))
""",
    "65535)",
    "65534)",
    "Port(65535)",
)
real(
    "attrs_with_own_validator",
    """
import attrs

@attrs.define
class Window:
    low: int
    high: int = attrs.field()

    @high.validator
    def _ordered(self, attribute, value):
        if value < self.low:
            raise ValueError("high must not be below low")

@covers(lambda w: w.low >= 0)
@gen.composite
def windows(draw) -> Window:
    low = draw(gen.integers(0, None))
    return Window(low, low + draw(gen.integers(0, None)))
""",
    "low + draw(gen.integers(0, None))",
    "low + draw(gen.integers(1, None))",
    "Window(2, 2)",
)
real(
    "attrs_with_converters",
    """
import attrs

@attrs.define
class Reading:
    value: int = attrs.field(converter=int)
    tags: tuple[str, ...] = attrs.field(converter=tuple, default=())

@covers(lambda r: -5 <= r.value <= 5 and r.tags == ())
@gen.composite
def readings(draw):
    return Reading(draw(gen.integers(-5, 5)))
""",
    "integers(-5, 5)",
    "integers(-4, 5)",
    "Reading(-5)",
)
real(
    "attrs_of_the_old_kind",
    """
import attr

@attr.s(frozen=True)
class Point:
    x = attr.ib()
    y = attr.ib(default=0)

@covers(lambda p: 0 <= p.x <= 4 and 0 <= p.y <= p.x)
@gen.composite
def points(draw):
    x = draw(gen.integers(0, 4))
    return Point(x, draw(gen.integers(0, x)))
""",
    "gen.integers(0, x)))",
    "gen.integers(0, max(0, x - 1))))",
    "Point(2, 2)",
)
real(
    "attrs_with_private_names",
    """
import attrs

@attrs.define
class Account:
    _owner: str
    _cents: int = 0

    @property
    def cents(self) -> int:
        return self._cents

@covers(lambda a: a._owner in ("ann", "bob") and a.cents >= 0)
@gen.composite
def accounts(draw) -> Account:
    return Account(draw(gen.sampled_from(["ann", "bob"])), cents=draw(gen.integers(0, None)))
""",
    "integers(0, None)",
    "integers(1, None)",
    "Account('bob', 0)",
)
real(
    "attrs_with_old_options",
    """
import attr

@attr.s(auto_attribs=True, slots=True, frozen=True, kw_only=True)
class Limit:
    soft: int = attr.ib(validator=attr.validators.instance_of(int))
    hard: int | None = attr.ib(default=None, validator=attr.validators.optional(attr.validators.instance_of(int)))

@covers(lambda m: 0 <= m.soft <= 9 and (m.hard is None or m.soft <= m.hard <= 9))
@gen.composite
def limits(draw) -> Limit:
    soft = draw(gen.integers(0, 9))
    return Limit(soft=soft, hard=draw(gen.one_of(gen.none(), gen.integers(soft, 9))))
""",
    "gen.integers(soft, 9)",
    "gen.integers(soft, 8) if soft < 9 else gen.none()",
    "Limit(soft=0, hard=9)",
)
# --- named tuples, enums, typed dictionaries ------------------------------------------------------------
real(
    "plain_namedtuple",
    """
from collections import namedtuple

Range = namedtuple("Range", ["start", "stop"])

@covers(lambda r: 0 <= r.start <= r.stop <= 8)
@gen.composite
def ranges(draw):
    start = draw(gen.integers(0, 8))
    return Range(start, draw(gen.integers(start, 8)))
""",
    "gen.integers(0, 8)",
    "gen.integers(0, 7)",
    "Range(8, 8)",
)
real(
    "named_tuple_with_methods",
    """
class Cut(NamedTuple):
    start: int
    stop: int | None = None

    def is_open(self) -> bool:
        return self.stop is None

    @property
    def length(self) -> int:
        return 0 if self.stop is None else self.stop - self.start

@covers(lambda c: c.start >= 0 and (c.is_open() or 0 < c.length <= 10))
@gen.composite
def cuts(draw):
    start = draw(gen.integers(0, None))
    if draw(gen.booleans()):
        return Cut(start)
    return Cut(start, start + draw(gen.integers(1, 10)))
""",
    "gen.integers(1, 10)",
    "gen.integers(1, 9)",
    "Cut(0, 10)",
)
real(
    "enum_with_methods",
    """
class Level(enum.IntEnum):
    low = 1
    mid = 5
    high = 9

    @property
    def is_loud(self) -> bool:
        return self is Level.high

@dataclass
class Alarm:
    level: Level
    repeats: int

@covers(lambda a: 1 <= a.repeats <= 3 and (not a.level.is_loud or a.repeats == 1))
@gen.composite
def alarms(draw):
    level = draw(gen.sampled_from(Level))
    return Alarm(level, 1 if level.is_loud else draw(gen.integers(1, 3)))
""",
    "gen.integers(1, 3)",
    "gen.integers(1, 2)",
    "Alarm(Level.low, 3)",
)
real(
    "string_enum",
    """
class Color(str, enum.Enum):
    red = "r"
    green = "g"
    blue = "b"

@covers(lambda v: len(v) == 2 and v[0] is not v[1])
@gen.composite
def colors(draw):
    first = draw(gen.sampled_from(list(Color)))
    second = draw(gen.sampled_from([c for c in Color if c is not first]))
    return [first, second]
""",
    "if c is not first])",
    "if c is not first and c is not Color.red] or [Color.blue])",
    "[Color.blue, Color.red]",
)
real(
    "typed_dictionary",
    """
from typing import TypedDict

class Account(TypedDict):
    name: str
    balance: int

@covers(lambda a: a["name"] in ("x", "y") and a["balance"] >= 0)
@gen.composite
def accounts(draw) -> Account:
    return {"name": draw(gen.sampled_from("xy")), "balance": draw(gen.integers(0, None))}
""",
    "integers(0, None)",
    "integers(1, None)",
    "{'name': 'x', 'balance': 0}",
)
real(
    "typed_dictionary_with_optional_keys",
    """
from typing import NotRequired, TypedDict

class Options(TypedDict):
    size: int
    color: NotRequired[str]

@covers(lambda o: 0 <= o["size"] <= 3 and o.get("color", "red") in ("red", "blue"))
@gen.composite
def options(draw) -> Options:
    made: Options = {"size": draw(gen.integers(0, 3))}
    if draw(gen.booleans()):
        made["color"] = draw(gen.sampled_from(["red", "blue"]))
    return made
""",
    "integers(0, 3)",
    "integers(0, 2)",
    "{'size': 3}",
)
# --- plain classes --------------------------------------------------------------------------------------
real(
    "plain_class_without_annotations",
    """
class Node:
    def __init__(self, key, weight=1):
        self.key = key
        self.weight = weight

    def __eq__(self, other):
        return isinstance(other, Node) and (self.key, self.weight) == (other.key, other.weight)

    def __hash__(self):
        return hash((self.key, self.weight))

    def __repr__(self):
        return f"Node({self.key}, {self.weight})"

@covers(lambda n: 0 <= n.key <= 6 and 1 <= n.weight <= 2)
@gen.composite
def nodes(draw):
    return Node(draw(gen.integers(0, 6)), draw(gen.integers(1, 2)))
""",
    "gen.integers(0, 6)",
    "gen.integers(1, 6)",
    "Node(0, 1)",
)
real(
    "plain_class_with_private_names",
    """
class Money:
    def __init__(self, cents: int, currency: str = "EUR") -> None:
        self._cents = cents
        self._currency = currency

    @property
    def cents(self) -> int:
        return self._cents

    @property
    def currency(self) -> str:
        return self._currency

@covers(lambda m: 0 <= m.cents <= 1000 and m.currency in ("EUR", "USD"))
@gen.composite
def amounts(draw) -> Money:
    return Money(draw(gen.integers(0, 1000)), draw(gen.sampled_from(["EUR", "USD"])))
""",
    "gen.integers(0, 1000)",
    "gen.integers(1, 1000)",
    "Money(0)",
)
real(
    "plain_class_that_checks",
    """
class Age:
    def __init__(self, years: int):
        if not 0 <= years < 150:
            raise ValueError(f"{years} is no age")
        self.years = years

    def __eq__(self, other):
        return type(other) is Age and self.years == other.years

    def __hash__(self):
        return hash(self.years)

@covers(lambda a: a.years >= 18)
@gen.composite
def adults(draw) -> Age:
    return Age(draw(gen.integers(18, 149)))
""",
    "integers(18, 149)",
    "integers(18, 120)",
    "Age(121)",
)
real(
    "plain_class_with_derived_attributes",
    """
class Grid:
    def __init__(self, rows: int, columns: int):
        self.rows = rows
        self.columns = columns
        self.cells = rows * 2 + columns * 2
        self.seen = []

    def __eq__(self, other):
        return isinstance(other, Grid) and self.rows == other.rows and self.columns == other.columns

    def __hash__(self):
        return 0

@covers(lambda g: 0 <= g.rows <= 4 and 0 <= g.columns <= 4 and g.cells <= 10)
@gen.composite
def grids(draw):
    rows = draw(gen.integers(0, 4))
    return Grid(rows, draw(gen.integers(0, min(4, 5 - rows))))
""",
    "min(4, 5 - rows)",
    "min(4, 4 - rows)",
    "Grid(4, 1)",
)
real(
    "class_with_named_constructors",
    """
@dataclass(frozen=True)
class Delay:
    seconds: int

    @classmethod
    def of_minutes(cls, minutes: int) -> "Delay":
        return cls(60 * minutes)

    @staticmethod
    def longest() -> int:
        return 180

@covers(lambda d: 0 <= d.seconds <= Delay.longest() and d.seconds % 60 == 0)
@gen.composite
def delays(draw) -> Delay:
    return Delay.of_minutes(draw(gen.integers(0, 3)))
""",
    "integers(0, 3)",
    "integers(0, 2)",
    "Delay(180)",
)
real(
    "nested_classes",
    """
class Shop:
    @dataclass(frozen=True)
    class Item:
        price: int

        class State(enum.Enum):
            new = "new"
            used = "used"

        state: "Shop.Item.State" = State.new

@covers(lambda i: 1 <= i.price <= 5)
@gen.composite
def items(draw) -> "Shop.Item":
    return Shop.Item(draw(gen.integers(1, 5)), draw(gen.sampled_from(Shop.Item.State)))
""",
    "draw(gen.sampled_from(Shop.Item.State))",
    "Shop.Item.State.new",
    "Shop.Item(1, Shop.Item.State.used)",
)
# --- pydantic -------------------------------------------------------------------------------------------
real(
    "pydantic_model",
    """
from pydantic import BaseModel

class Item(BaseModel):
    name: str
    count: int = 1

@covers(lambda i: i.name in ("nut", "bolt") and 1 <= i.count <= 4)
@gen.composite
def items(draw) -> Item:
    return Item(name=draw(gen.sampled_from(["nut", "bolt"])), count=draw(gen.integers(1, 4)))
""",
    "integers(1, 4)",
    "integers(2, 4)",
    "Item(name='nut')",
)
real(
    "pydantic_with_constraints",
    """
from pydantic import BaseModel, Field

class Seat(BaseModel):
    row: int = Field(ge=1, le=30)
    letter: str = Field(pattern="[A-F]")

@covers(lambda s: s.letter in ("A", "F"))
@gen.composite
def seats(draw) -> Seat:
    return Seat(row=draw(gen.integers(1, 30)), letter=draw(gen.sampled_from(["A", "F"])))
""",
    "integers(1, 30)",
    "integers(1, 29)",
    "Seat(row=30, letter='A')",
)
# --- missing annotations --------------------------------------------------------------------------------
real(
    "strategies_as_parameters",
    """
@covers(
    lambda v, longest: len(v) <= longest and all(0 <= n <= 3 for n in v), requires=lambda longest: longest >= 0
)
@gen.composite
def short_lists(draw, elements=gen.integers(0, 3), longest=3):
    return draw(gen.lists(elements, max_size=longest))
""",
    "elements=gen.integers(0, 3)",
    "elements=gen.integers(0, 2)",
    "[3]",
    longest=3,
)
real(
    "default_of_none",
    """
@covers(lambda v: 0 <= v <= 20)
@gen.composite
def numbers(draw, least=None, most=None):
    least = 0 if least is None else least
    most = 20 if most is None else most
    return draw(gen.integers(least, most))
""",
    "20 if most",
    "19 if most",
    "20",
)
real(
    "parameter_from_use",
    """
@covers(lambda v, n: len(v) == n and all(0 <= x <= 1 for x in v), requires=lambda n: 0 <= n <= 5)
@gen.composite
def bits(draw, n):
    return [draw(gen.integers(0, 1)) for _ in range(n)]
""",
    "gen.integers(0, 1)) for _",
    "gen.integers(0, 1 if n < 3 else 0)) for _",
    "[0, 0, 1]",
    n=3,
)
real(
    "none_or_record",
    """
@dataclass
class User:
    age: int

@covers(lambda u: u is None or 0 <= u.age <= 99)
@gen.composite
def users(draw):
    if draw(gen.booleans()):
        return None
    return User(draw(gen.integers(0, 99)))
""",
    "integers(0, 99)",
    "integers(0, 98)",
    "User(99)",
)
real(
    "abstract_annotation",
    """
from collections.abc import Sequence

@covers(lambda v: len(v) <= 3 and all(0 <= n <= 4 for n in v))
@gen.composite
def counts(draw) -> Sequence[int]:
    return draw(gen.lists(gen.integers(0, 4), max_size=3))
""",
    "integers(0, 4)",
    "integers(0, 3)",
    "[4]",
)
real(
    "new_types",
    """
from typing import NewType, TypeAlias

UserId = NewType("UserId", int)
Members: TypeAlias = "list[UserId]"

@covers(lambda v: len(v) <= 2 and all(1 <= n <= 3 for n in v))
@gen.composite
def members(draw) -> Members:
    return [UserId(n) for n in draw(gen.lists(gen.integers(1, 3), max_size=2))]
""",
    "integers(1, 3)",
    "integers(1, 2)",
    "[3]",
)
real(
    "names_for_the_type_checker_only",
    """
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from somewhere import Stamp

class Event(NamedTuple):
    at: int
    kind: str

@covers(lambda e: 0 <= e.at <= 5 and e.kind in ("start", "stop"))
@gen.composite
def events(draw) -> "Stamp":
    return Event(draw(gen.integers(0, 5)), draw(gen.sampled_from(["start", "stop"])))
""",
    "integers(0, 5)",
    "integers(0, 4)",
    "Event(5, 'start')",
)
real(
    "wider_annotation",
    """
@covers(lambda v: v["count"] >= 0 and len(v["names"]) <= 2 and all(n in ("a", "b") for n in v["names"]))
@gen.composite
def payloads(draw) -> dict:
    return {"count": draw(gen.integers(0, None)), "names": draw(gen.lists(gen.sampled_from(["a", "b"]), max_size=2))}
""",
    "integers(0, None)",
    "integers(1, None)",
    "{'count': 0, 'names': []}",
)
real(
    "annotated_with_metadata",
    """
from typing import Annotated

Percent = Annotated[int, "0 to 100"]

@dataclass
class Share:
    part: Percent
    whole: Percent = 100

@covers(lambda s: 0 <= s.part <= s.whole == 100)
@gen.composite
def shares(draw) -> Share:
    return Share(draw(gen.integers(0, 100)))
""",
    "integers(0, 100)",
    "integers(0, 99)",
    "Share(100)",
)
