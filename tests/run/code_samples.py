"""Classes for the tests of pasted code, in an importable module. Some names also exist elsewhere."""

from __future__ import annotations

import dataclasses
import datetime
import enum
from typing import Any, NamedTuple

import attrs


class Color(enum.Enum):
    RED = 1
    GREEN = "green"


Odd = enum.Enum("Odd", {"two words": 1, "class": 2, "plain": 3}, module=__name__)


class Access(enum.Flag):
    READ = 1
    WRITE = 2
    RUN = 4
    ALL = 7


class Bits(enum.IntFlag, boundary=enum.KEEP):
    LOW = 1
    HIGH = 8


class Level(enum.IntEnum):
    HIGH = 10


class Point(NamedTuple):
    x: Any
    y: Any = 0


@dataclasses.dataclass
class Circle:
    center: Any
    radius: Any = 1

    @dataclasses.dataclass(frozen=True)
    class Style:
        width: Any


@dataclasses.dataclass
class Fields:
    plain: Any
    listed: list[Any] = dataclasses.field(default_factory=list)
    hidden: Any = dataclasses.field(default=3, repr=False)
    computed: Any = dataclasses.field(init=False, default=None)
    keyword: Any = dataclasses.field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        self.computed = (self.plain, self.hidden)


@dataclasses.dataclass
class OwnInit:
    total: Any

    def __init__(self, first: Any, second: Any) -> None:
        self.total = first + second


@dataclasses.dataclass
class TakesASeed:
    seed: dataclasses.InitVar[int]
    value: Any = 0

    def __post_init__(self, seed: int) -> None:
        self.value = seed + 1


@dataclasses.dataclass(repr=False)
class OwnRepr:
    value: Any

    def __repr__(self) -> str:
        return "<own>"


@attrs.define
class Attrs:
    public: Any
    _private: Any = 2
    computed: Any = attrs.field(init=False, default=5)


@attrs.frozen(kw_only=True)
class Keywords:
    value: Any


class Comparable:
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return 0


class Plain(Comparable):
    def __init__(self, a: Any, /, b: Any, *, c: Any = None) -> None:
        self.a, self.b, self.c = a, b, c


class GoodRepr(Comparable):
    def __init__(self, when: datetime.date) -> None:
        self.stamp = when

    def __repr__(self) -> str:
        return f"GoodRepr({self.stamp!r})"


class RefersToOthers(Comparable):
    def __init__(self, shape: Any) -> None:
        self.held = shape

    def __repr__(self) -> str:
        return f"RefersToOthers(\n    {self.held!r}\n)"


class Opaque:
    def __init__(self, *things: Any) -> None:
        self.things = things


class Stateful:
    def __init__(self) -> None:
        self.balance = 7


class Empty(Comparable):
    pass


class Broken:
    def __repr__(self) -> str:
        raise ValueError("no repr")


class Nasty:
    """Raises an exception on every operation."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise RuntimeError

    def __init__(self, a: Any = 0) -> None:
        pass


class Words(list[Any]):
    pass


class Table(dict[Any, Any]):
    pass


class Pairs(tuple[Any, ...]):
    pass


class Name(str):
    pass


class Raw(bytes):
    pass


class Count(int):
    pass


class Ratio(float):
    pass


class Group(frozenset[Any]):
    pass


class Decimal(NamedTuple):
    """Not the one of the standard library."""

    digits: Any


class set(NamedTuple):  # noqa: N801
    """Not the built-in one."""

    items: Any


class Trouble(Exception):
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.args == other.args  # type: ignore[attr-defined]

    __hash__ = Exception.__hash__


def function(n: int) -> int:
    return n


two_lambdas = (lambda n: n + 1, lambda n: n + 2)
same_line_same_text = (lambda n: n, lambda n: n)
