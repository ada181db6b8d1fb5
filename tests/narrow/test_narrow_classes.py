"""Classes as people write them: narrowing must find the values that filtering finds, from the type annotations alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, InitVar, dataclass, field
from enum import Enum, IntEnum
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Optional, Protocol, TypeVar

import attrs
import pytest

from everycase import gen
from everycase.gen.base import Gen
from everycase.narrow import Narrowing

T = TypeVar("T")


class Color(Enum):
    RED = "r"
    BLUE = "b"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Shape(ABC):
    @abstractmethod
    def area(self) -> int: ...

    def is_large(self) -> bool:
        return self.area() > 3


@dataclass(order=True)
class Square(Shape):
    side: int

    def area(self) -> int:
        return self.side * self.side


@dataclass(order=True)
class Box(Shape):
    width: int
    height: int = 1
    _: KW_ONLY
    color: Color = Color.RED

    def area(self) -> int:
        return self.width * self.height


class HasName(Protocol):
    name: str


@dataclass
class Item(HasName):
    name: Literal["a", "b"]
    level: Level
    limit: ClassVar[int] = 3
    tags: list[str] = field(default_factory=list, init=False)
    seen: int = field(default=7, init=False)

    def __contains__(self, what: object) -> bool:
        return what == self.name

    def __iter__(self) -> Iterator[Any]:
        return iter((self.name, self.level))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("is_"):
            return self.level.name.lower() == name[3:]
        raise AttributeError(name)


@dataclass(frozen=True)
class Pair(Generic[T]):
    first: T
    second: T | None = None

    def __add__(self, other: Any) -> Any:
        return (self.first, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and self.first == other.first

    def __hash__(self) -> int:
        return hash(self.first)


@dataclass(frozen=True)
class Child(Pair[int]):
    third: bool = False


@dataclass
class Validated:
    """Its constructor checks its arguments."""

    low: int
    high: int
    width: int = field(init=False)
    scale: InitVar[int] = 1

    def __post_init__(self, scale: int) -> None:
        self.width = (self.high - self.low) * scale


class Hand:
    """A plain class, made by its own code."""

    def __init__(self, cards: list[int]) -> None:
        self.cards = sorted(cards)


class Span(NamedTuple):
    start: int
    end: int = 3

    @property
    def length(self) -> int:
        return self.end - self.start

    def shifted(self) -> Span:
        return self._replace(start=self.start + 1)


@attrs.define
class Account:
    _owner: Literal["x", "y"]
    balance: int
    history: tuple[int, ...] = ()

    def is_open(self) -> bool:
        return self._owner == "x" and self.balance > 0


@attrs.frozen
class Converted:
    n: int = attrs.field(converter=lambda n: n + 1)


@dataclass
class Chain:
    value: int
    rest: Optional[Chain]  # noqa: UP045 (also spelled like this)

    def total(self) -> int:
        return self.value + (self.rest.total() if self.rest is not None else 0)


small = gen.integers(0, 3)
colors = gen.enums(Color)
shapes: Gen[Any] = gen.builds(Square, small) | gen.builds(Box, small, small, color=colors)
items = gen.from_type(Item)
pairs: Gen[Any] = gen.builds(Pair, small, gen.none() | small)
chains: Gen[Any] = gen.deferred(lambda: gen.builds(Chain, small, gen.none() | chains))

CASES: dict[str, tuple[Gen[Any], Callable[[Any], object], int]] = {
    "abstract methods": (shapes, lambda s: s.is_large() and s.area() < 7, 2),
    "abstract base": (shapes, lambda s: isinstance(s, Shape) and not isinstance(s, Square), 2),
    "ordering": (gen.tuples(gen.builds(Square, small), gen.builds(Square, small)), lambda p: p[0] < p[1], 5),
    "sorting": (gen.lists(gen.builds(Box, small), max_size=3), lambda xs: xs == sorted(xs), 6),
    "defaults": (gen.builds(Box, small), lambda b: b.height == 1 and b.color is Color.RED and b.width > 1, 2),
    "some defaults": (gen.builds(Box, width=small, color=colors), lambda b: b.color is Color.BLUE and b.area(), 2),
    "from_type": (items, lambda i: i.level > Level.LOW or "a" in i, 2),
    "literals and enums": (items, lambda i: i.name == "a" and i.level is Level.HIGH, 2),
    "fields without init": (items, lambda i: i.tags == [] and i.seen == 7 and i.limit == 3 and i.is_low, 2),
    "iteration": (items, lambda i: list(i) == ["b", Level.LOW], 2),
    "missing attributes": (items, lambda i: not hasattr(i, "nothing") and i.is_high, 2),
    "generic": (pairs, lambda p: p.second is None and p.first > 1, 2),
    "own equality": (gen.tuples(pairs, pairs), lambda p: p[0] == p[1] and p[0].second != p[1].second, 3),
    "own hash": (gen.lists(pairs, max_size=2), lambda ps: len(set(ps)) < len(ps), 4),
    "operators": (pairs, lambda p: p + 1 == (2, 1), 2),
    "inheritance": (gen.builds(Child, small, small, third=gen.booleans()), lambda c: c.third and c.first == 2, 2),
    "post init": (gen.builds(Validated, small, small), lambda v: v.width == 2, 2),
    "plain classes": (gen.builds(Hand, gen.lists(small, max_size=3)), lambda h: h.cards[:1] == [2], 4),
    "named tuples": (gen.builds(Span, small, small), lambda s: s.length == 1 and s[0] > 0, 2),
    "named tuple methods": (gen.builds(Span, small, small), lambda s: s.shifted() == (2, 3) or s._asdict() == {"start": 0, "end": 0}, 2),
    "named tuple default": (gen.builds(Span, small), lambda s: s.end == 3 and s.start == 1, 2),
    "named tuple patterns": (gen.builds(Span, small, small), lambda s: matches_span(s), 2),
    "attrs": (gen.from_type(Account), lambda a: a.is_open() and not a.history, 4),
    "attrs converter": (gen.builds(Converted, small), lambda c: c.n == 4, 2),
    "recursive": (chains, lambda c: c.total() == 3, 5),
    "recursive pattern": (chains, lambda c: c.rest is not None and c.rest.rest is None and c.value > c.rest.value, 4),
    "unions of all": (
        gen.one_of(shapes, pairs, gen.none(), gen.builds(Span, small, small), gen.lists(small, max_size=2)),
        lambda x: describe(x) > 1,
        4,
    ),
}  # fmt: skip


def matches_span(span: Any) -> bool:
    match span:
        case Span(start=0, end=e):
            return bool(e > 1)
        case (1, 2):
            return True
    return False


def describe(x: Any) -> int:
    match x:
        case None:
            return 0
        case Square(side) | Box(width=side):
            return int(side)
        case Pair(first, None):
            return int(first)
        case Span(a, b) if a < b:
            return int(b - a)
        case [a, b]:
            return int(a + b)
    return 0


@pytest.mark.parametrize("name", CASES)
def test_same_values_as_filtering(name: str) -> None:
    made, predicate, size = CASES[name]
    wanted = Counter(map(shown, filter(predicate, made.up_to_size(size))))
    assert 0 < wanted.total() < len(made.up_to_size(size))
    search = Narrowing([made])
    found = Counter()
    for one in search.search(size, predicate):
        found[shown(one.value)] += 1
        assert shown(one.trace().value[0]) == shown(one.value)
    assert found == wanted


def shown(value: Any) -> str:
    return f"{type(value).__name__} {vars(value)}" if isinstance(value, Hand | Pair) else repr(value)


def test_classes_are_left_alone() -> None:
    before = Shape.__subclasses__()
    list(Narrowing([shapes]).search(2, lambda s: s.is_large()))
    assert Shape.__subclasses__() == before == [Square, Box]


def test_found_values_are_real_and_not_shared() -> None:
    found = [one.value for one in Narrowing([gen.lists(gen.builds(Square, small), min_size=1)]).search(3)]
    squares = [square for row in found for square in row]
    assert all(type(row) is list for row in found) and all(type(square) is Square for square in squares)
    assert len({id(square) for square in squares}) == len(squares)
    assert all(type(square.side) is int for square in squares)


class Label:
    """A descriptor that asks which class it is in."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.owner = owner

    def __get__(self, instance: Any, owner: Any = None) -> str:
        return self.owner.__name__


@dataclass
class Labelled:
    x: int
    label: ClassVar[Label] = Label()


class AtMostTwo:
    """A descriptor that stores something other than the given value."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = f"_{name}"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return 0 if instance is None else getattr(instance, self.name)

    def __set__(self, instance: Any, value: int) -> None:
        setattr(instance, self.name, min(value, 2))


@dataclass
class Described:
    x: int = AtMostTwo()  # type: ignore[assignment]


@dataclass
class Clamped:
    x: int

    def __setattr__(self, name: str, value: int) -> None:
        object.__setattr__(self, name, min(value, 2))


@attrs.define
class ClampedToo:
    x: int

    def __setattr__(self, name: str, value: int) -> None:
        object.__setattr__(self, name, min(value, 2))


def test_a_descriptor_stays_with_its_class() -> None:
    labelled = gen.builds(Labelled, gen.integers(0, 3))
    search = Narrowing([labelled.filter(lambda one: one.label == "Labelled" and one.x > 1)])
    assert [found.value.x for found in search.search(3)] == [2, 3]
    assert vars(Labelled)["label"].owner is Labelled


@pytest.mark.parametrize("cls", [Described, Clamped, ClampedToo])
def test_a_class_that_keeps_something_else_than_its_arguments_is_made_whole(cls: Any) -> None:
    search = Narrowing([gen.builds(cls, gen.integers(0, 4)).filter(lambda one: one.x <= 2)])
    assert [found.value.x for found in search.search(3)] == [0, 1, 2, 2, 2]


def test_tuples_are_added_to_tuples_only() -> None:
    def is_refused(pair: Any) -> bool:
        try:
            return not (pair + [1] if pair[0] else [1] + pair)
        except TypeError:
            return True

    pairs = gen.tuples(gen.integers(0, 1), gen.integers(0, 1)).filter(is_refused)
    assert [found.value for found in Narrowing([pairs]).search(3)] == [(0, 0), (0, 1), (1, 0), (1, 1)]


class Vector(NamedTuple):
    x: int
    y: int

    def __add__(self, other: Any) -> Vector:  # type: ignore[override]
        return Vector(self.x + other.x, self.y + other.y)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.x == other.x

    def __lt__(self, other: Any) -> bool:
        return self.y < other.y  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return 7


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        (lambda pair: (pair[0] + pair[1]).x == 2, 4),
        (lambda pair: pair[0] == pair[1], 8),
        (lambda pair: pair[0] < pair[1], 4),
        (lambda pair: len(pair[0]) == 7, 16),
    ],
)
def test_a_named_tuple_may_have_operators_of_its_own(condition: Callable[[Any], bool], count: int) -> None:
    vectors = gen.builds(Vector, gen.integers(0, 1), gen.integers(0, 1))
    found = Narrowing([gen.tuples(vectors, vectors).filter(condition)])
    assert len([one for one in found.search(3) if condition(one.value)]) == count
    assert found.statistics.raised == 0


@dataclass
class Unlike:
    """Not equal to anything, like nan."""

    x: int

    def __eq__(self, other: object) -> bool:
        return False


@dataclass
class Choosing:
    kind: bool


@pytest.mark.parametrize("kinds", [(Unlike, Square), (Choosing, Square)])
def test_an_undecided_object_is_compared_with_itself_by_its_class(kinds: tuple[type, type]) -> None:
    def is_like_itself(one: Any) -> bool:
        return one == one and not isinstance(one, str)

    inputs: Gen[Any] = gen.from_type(kinds[0]) | gen.builds(Square, gen.integers(0, 1))
    expected = [value for value in inputs.up_to_size(1) if is_like_itself(value)]
    found = [one.value for one in Narrowing([inputs.filter(is_like_itself)]).search(1)]
    assert Counter(map(repr, found)) == Counter(map(repr, expected))
