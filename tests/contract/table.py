"""Every public generator, with a check of its values and its simplest value."""

from __future__ import annotations

import collections
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from ipaddress import IPv4Address, IPv6Address, ip_network
from types import FunctionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import attrs

from everycase import gen
from everycase.gen.collections import OneShot
from everycase.gen.drawing import Data, DrawnFunction
from everycase.gen.randomness import RandomSeeder

T = TypeVar("T")


class Color(Enum):
    RED = 1
    GREEN = 2


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True)
class Leaf:
    label: str


@dataclass(frozen=True)
class Branch:
    left: Leaf | Branch
    right: Leaf | Branch


@dataclass
class Chain(Generic[T]):
    head: T
    tail: Chain[T] | None = None
    cache: int = field(init=False, default=0)


@dataclass
class Chapter:
    title: str
    sections: list[Section]


@dataclass(kw_only=True, slots=True)
class Section:
    words: int
    inside: Chapter | None


class Pair(NamedTuple):
    left: int
    right: str = ""


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


@attrs.define
class Account:
    owner: str
    _balance: int = 0


def canonical(value: Any) -> str:
    """A text that is identical for equal values in every process."""
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}({', '.join(sorted(map(canonical, value)))})"
    if isinstance(value, Data):
        return f"data {canonical([value.draw(gen.integers()), value.draw(gen.lists(gen.booleans()))])}"
    if isinstance(value, DrawnFunction):
        arguments = range(len(value.__signature__.parameters))
        return f"function {canonical([value(*arguments), value(*arguments)])}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{canonical(k)}: {canonical(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple | collections.deque):
        return f"{type(value).__name__}({', '.join(map(canonical, value))})"
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}({', '.join(canonical(getattr(value, part.name)) for part in fields(value))})"
    return f"{type(value).__name__} {value!r}"


_IMMUTABLE = (
    int,
    float,
    complex,
    str,
    bytes,
    tuple,
    frozenset,
    type(None),
    Enum,
    date,
    time,
    timedelta,
    type,
)
_IMMUTABLE_TOO = (
    Decimal,
    Fraction,
    UUID,
    Leaf,
    Branch,
    FunctionType,
    timezone,
    slice,
    IPv4Address,
    IPv6Address,
    ZoneInfo,
)


def mutable_parts(value: Any) -> list[Any]:
    """The objects inside a value that a test could change in place, one entry for each position."""
    found, pending = [], [value]
    while pending:
        part = pending.pop()
        if not isinstance(part, _IMMUTABLE + _IMMUTABLE_TOO):
            found.append(part)
        if isinstance(part, list | tuple | set | frozenset | collections.deque):
            pending.extend(part)
        elif isinstance(part, dict):
            pending.extend(part.values())
        elif is_dataclass(part):
            pending.extend(getattr(part, each.name) for each in fields(part))
    return found


@dataclass
class Case:
    """One generator of the table."""

    name: str  # begins with the public name that it stands for
    generator: gen.Gen[Any]
    valid: Callable[[Any], bool]
    simplest: str  # canonical

    def __str__(self) -> str:
        return self.name


def of_type(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in types


def a_list_of(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) is list and all(type(each) in types for each in value)


def one_character(value: Any) -> bool:
    return type(value) is str and len(value) == 1 and not 0xD800 <= ord(value) < 0xE000


def some_text(value: Any) -> bool:
    return type(value) is str and all(map(one_character, value))


def is_tree(value: Any) -> bool:
    return type(value) is int or (type(value) is tuple and len(value) == 2 and all(map(is_tree, value)))


def is_json(value: Any) -> bool:
    return type(value) is bool or (
        is_json_list(value)
        if type(value) is list
        else type(value) is dict and all(map(is_json, value.values()))
    )


def is_json_list(value: Any) -> bool:
    return all(map(is_json, value))


@gen.dependent
def shapes(depth: int) -> gen.Gen[Any]:
    return gen.booleans() if depth == 0 else gen.tuples(shapes(depth - 1), shapes(depth - 1))


trees: gen.Gen[Any] = gen.deferred(lambda: gen.integers(0, 9) | gen.tuples(trees, trees))


@gen.composite
def intervals(draw: gen.Draw, limit: int) -> tuple[int, int]:
    low = draw(gen.integers(0, limit))
    return low, draw(gen.integers(low, limit), "high")


@gen.composite
def nested(draw: gen.Draw) -> list[Any]:
    return [draw(intervals(limit)) for limit in draw(gen.lists(gen.integers(0, 9), max_size=4))]


CASES = [
    Case("none", gen.none(), of_type(type(None)), "NoneType None"),
    Case("just", gen.just("x"), lambda v: v == "x", "str 'x'"),
    Case("booleans", gen.booleans(), of_type(bool), "bool False"),
    Case("integers", gen.integers(), of_type(int), "int 0"),
    Case("integers: range", gen.integers(-5, 1000), lambda v: -5 <= v <= 1000, "int 0"),
    Case("integers: above", gen.integers(7), lambda v: v >= 7, "int 7"),
    Case("integers: below", gen.integers(max_value=-7), lambda v: v <= -7, "int -7"),
    Case("integers: few", gen.integers(-3, 3), lambda v: -3 <= v <= 3, "int 0"),
    Case("integers: wide", gen.integers(-(10**40), 10**40), lambda v: abs(v) <= 10**40, "int 0"),
    Case(
        "integers: wide and far",
        gen.integers(10**40, 10**50),
        lambda v: 10**40 <= v <= 10**50,
        f"int {10**40}",
    ),
    Case("floats", gen.floats(), of_type(float), "float 0.0"),
    Case("floats: range", gen.floats(0.25, 0.75), lambda v: 0.25 <= v <= 0.75, "float 0.5"),
    Case(
        "floats: narrow",
        gen.floats(width=16),
        lambda v: v != v or abs(v) <= 65504 or math.isinf(v),
        "float 0.0",
    ),
    Case("floats: above", gen.floats(2.5, allow_infinity=False), lambda v: 2.5 <= v < math.inf, "float 3.0"),
    Case("floats: below zero", gen.floats(-1e300, -0.0), lambda v: math.copysign(1, v) < 0, "float -0.0"),
    Case("characters", gen.characters(), one_character, "str '0'"),
    Case("characters: category", gen.characters(categories=["Lu"]), str.isupper, "str 'A'"),
    Case("characters: codec", gen.characters(codec="ascii"), str.isascii, "str '0'"),
    Case("characters: no readable", gen.characters(min_codepoint=500), lambda v: ord(v) >= 500, "str 'Ǵ'"),
    Case("text", gen.text(), some_text, "str ''"),
    Case(
        "text: alphabet", gen.text("ab", min_size=2, max_size=5), lambda v: set(v) <= {"a", "b"}, "str 'aa'"
    ),
    Case(
        "text: generator",
        gen.text(gen.sampled_from("xyz"), max_size=9),
        lambda v: set(v) <= set("xyz"),
        "str ''",
    ),
    Case("binary", gen.binary(), of_type(bytes), "bytes b''"),
    Case(
        "binary: sized", gen.binary(min_size=2, max_size=4), lambda v: 2 <= len(v) <= 4, r"bytes b'\x00\x00'"
    ),
    Case("sampled_from", gen.sampled_from(["b", "a", 3]), lambda v: v in ("b", "a", 3), "str 'b'"),
    Case("enums", gen.enums(Color), of_type(Color), "Color <Color.RED: 1>"),
    Case("dates", gen.dates(), of_type(date), "date datetime.date(2000, 1, 1)"),
    Case(
        "dates: early",
        gen.dates(max_value=date(1900, 1, 1)),
        lambda v: v.year <= 1900,
        "date datetime.date(1900, 1, 1)",
    ),
    Case("times", gen.times(), of_type(time), "time datetime.time(0, 0)"),
    Case(
        "times: range",
        gen.times(time(8, 30), time(9)),
        lambda v: 8 <= v.hour <= 9,
        "time datetime.time(8, 30)",
    ),
    Case("datetimes", gen.datetimes(), of_type(datetime), "datetime datetime.datetime(2000, 1, 1, 0, 0)"),
    Case(
        "datetimes: range",
        gen.datetimes(datetime(2020, 5, 5, 12), datetime(2020, 5, 7, 1)),
        lambda v: datetime(2020, 5, 5, 12) <= v <= datetime(2020, 5, 7, 1),
        "datetime datetime.datetime(2020, 5, 5, 12, 0)",
    ),
    Case(
        "datetimes: zones",
        gen.datetimes(timezones=gen.sampled_from([None, UTC])),
        of_type(datetime),
        "datetime datetime.datetime(2000, 1, 1, 0, 0)",
    ),
    Case("timedeltas", gen.timedeltas(), of_type(timedelta), "timedelta datetime.timedelta(0)"),
    Case("decimals", gen.decimals(), of_type(Decimal), "Decimal Decimal('0')"),
    Case(
        "decimals: places",
        gen.decimals("0.1", 9, places=2),
        lambda v: v == round(v, 2),
        "Decimal Decimal('0.10')",
    ),
    Case("fractions", gen.fractions(), of_type(Fraction), "Fraction Fraction(0, 1)"),
    Case(
        "fractions: narrow",
        gen.fractions("1/3", "1/2"),
        lambda v: 1 / 3 <= v <= 0.5,
        "Fraction Fraction(1, 3)",
    ),
    Case("uuids", gen.uuids(), of_type(UUID), f"UUID {UUID(int=1)!r}"),
    Case(
        "uuids: version", gen.uuids(version=4), lambda v: v.version == 4, f"UUID {UUID(int=0, version=4)!r}"
    ),
    Case("lists", gen.lists(gen.integers()), a_list_of(int), "list()"),
    Case("lists: of lists", gen.lists(gen.lists(gen.booleans())), a_list_of(list), "list()"),
    Case(
        "lists: sized",
        gen.lists(gen.booleans(), min_size=2, max_size=4),
        lambda v: 2 <= len(v) <= 4,
        "list(bool False, bool False)",
    ),
    Case(
        "lists: unique",
        gen.lists(gen.integers(0, 30), unique=True),
        lambda v: len(set(v)) == len(v),
        "list()",
    ),
    Case(
        "lists: unique by two",
        gen.lists(
            gen.tuples(gen.integers(0, 9), gen.integers(0, 9)), unique_by=(lambda p: p[0], lambda p: p[1])
        ),
        lambda v: all(len({p[i] for p in v}) == len(v) for i in (0, 1)),
        "list()",
    ),
    Case("tuples", gen.tuples(gen.integers(), gen.text()), of_type(tuple), "tuple(int 0, str '')"),
    Case("tuples: none", gen.tuples(), lambda v: v == (), "tuple()"),
    Case("sets", gen.sets(gen.integers(0, 99)), of_type(set), "set()"),
    Case("sets: of text", gen.sets(gen.text()), of_type(set), "set()"),
    Case("frozensets", gen.frozensets(gen.text("ab")), of_type(frozenset), "frozenset()"),
    Case("dictionaries", gen.dictionaries(gen.text(), gen.lists(gen.integers())), of_type(dict), "{}"),
    Case(
        "fixed_dictionaries",
        gen.fixed_dictionaries({"id": gen.integers(0)}, optional={"tags": gen.lists(gen.text())}),
        lambda v: set(v) <= {"id", "tags"} and v["id"] >= 0,
        "{str 'id': int 0}",
    ),
    Case(
        "permutations",
        gen.permutations("abcd"),
        lambda v: sorted(v) == list("abcd"),
        "list(str 'a', str 'b', str 'c', str 'd')",
    ),
    Case("iterables", gen.iterables(gen.integers()), of_type(OneShot), "OneShot iter([])"),
    Case("slices", gen.slices(5), of_type(slice), "slice slice(None, None, None)"),
    Case("complex_numbers", gen.complex_numbers(), of_type(complex), "complex 0j"),
    Case("complex_numbers: disc", gen.complex_numbers(max_magnitude=2), lambda v: abs(v) <= 2, "complex 0j"),
    Case(
        "ip_addresses",
        gen.ip_addresses(),
        of_type(IPv4Address, IPv6Address),
        "IPv4Address IPv4Address('0.0.0.0')",
    ),
    Case(
        "ip_addresses: network",
        gen.ip_addresses(network="fe80::/64"),
        lambda v: v in ip_network("fe80::/64"),
        "IPv6Address IPv6Address('fe80::')",
    ),
    Case("domains", gen.domains(), lambda v: len(v) <= 255 and "." in v, "str 'a.com'"),
    Case("emails", gen.emails(), lambda v: v.count("@") == 1, "str '0@a.com'"),
    Case("urls", gen.urls(), lambda v: urlsplit(v).scheme in ("http", "https"), "str 'http://a.com/'"),
    Case("timezone_keys", gen.timezone_keys(), of_type(str), "str 'UTC'"),
    Case("timezones", gen.timezones(), of_type(ZoneInfo), "ZoneInfo zoneinfo.ZoneInfo(key='UTC')"),
    Case("random_module", gen.random_module(), of_type(RandomSeeder), "RandomSeeder RandomSeeder(0)"),
    Case("from_regex", gen.from_regex(r"ab+c?", fullmatch=True), re.compile("ab+c?").fullmatch, "str 'ab'"),
    Case("from_regex: found", gen.from_regex(r"\d+"), re.compile(r"\d+").search, "str '0'"),
    Case(
        "from_regex: group",
        gen.from_regex(r"(['\"])\w{1,3}\1", fullmatch=True),
        re.compile(r"(['\"])\w{1,3}\1").fullmatch,
        """str "'0'\"""",
    ),
    Case("shared", gen.shared(gen.integers(0, 9)), of_type(int), "int 0"),
    Case("one_of", gen.one_of(gen.text(), gen.integers()), of_type(str, int), "str ''"),
    Case("one_of: with nothing", gen.nothing() | gen.integers(1, 3), of_type(int), "int 1"),
    Case(
        "frequency",
        gen.frequency((1, gen.none()), (9, gen.integers())),
        of_type(type(None), int),
        "NoneType None",
    ),
    Case(
        "builds",
        gen.builds(Point, gen.integers(0, 9), y=gen.integers(-3, 3)),
        of_type(Point),
        "Point(int 0, int 0)",
    ),
    Case("builds: inferred", gen.builds(Leaf), of_type(Leaf), "Leaf(str '')"),
    Case("deferred", trees, is_tree, "int 0"),
    Case("dependent", shapes(1), lambda value: value in list(shapes(1)), "tuple(bool False, bool False)"),
    Case("from_iterable", gen.from_iterable(range(3, 9, 2)), lambda value: value in (3, 5, 7), "int 3"),
    Case(
        "recursive",
        gen.recursive(gen.booleans(), lambda v: gen.lists(v) | gen.dictionaries(gen.text("k"), v)),
        is_json,
        "bool False",
    ),
    Case("composite", intervals(100), lambda v: v[0] <= v[1] <= 100, "tuple(int 0, int 0)"),
    Case("composite: nested", nested(), a_list_of(tuple), "list()"),
    Case("data", gen.data(), of_type(Data), "data list(int 0, list())"),
    Case(
        "functions",
        gen.functions(like=lambda x: ..., returns=gen.integers()),
        callable,
        "function list(int 0, int 0)",
    ),
    Case(
        "functions: pure",
        gen.functions(like=lambda x: ..., returns=gen.text(), pure=True),
        callable,
        "function list(str '', str '')",
    ),
    Case("from_type", gen.from_type(Point), of_type(Point), "Point(int 0, int 0)"),
    Case(
        "from_type: recursive",
        gen.from_type(Branch),
        of_type(Branch),
        "Branch(Leaf(str ''), Leaf(str ''))",
    ),
    Case(
        "from_type: generic",
        gen.from_type(Chain[bool]),
        of_type(Chain),
        "Chain(bool False, NoneType None, int 0)",
    ),
    Case("from_type: mutual", gen.from_type(Chapter), of_type(Chapter), "Chapter(str '', list())"),
    Case("from_type: named tuple", gen.from_type(Pair), of_type(Pair), "Pair(int 0, str '')"),
    Case("from_type: typed dict", gen.from_type(Movie), of_type(dict), "{str 'title': str ''}"),
    Case(
        "from_type: attrs", gen.from_type(Account), of_type(Account), "Account Account(owner='', _balance=0)"
    ),
    Case("from_type: union", gen.from_type(int | str | None), of_type(int, str, type(None)), "NoneType None"),
    Case("from_type: literal", gen.from_type(Literal["a", 1]), lambda v: v in ("a", 1), "str 'a'"),
    Case(
        "from_type: annotated",
        gen.from_type(list[Annotated[int, gen.integers(3, 5)]]),
        lambda v: set(v) <= {3, 4, 5},
        "list()",
    ),
    Case("from_type: row", gen.from_type(tuple[list[int], ...]), of_type(tuple), "tuple()"),
    Case(".map", gen.integers().map(abs), lambda v: v >= 0, "int 0"),
    Case(".filter", gen.integers(0, 100).filter(lambda n: n % 3 == 0), lambda v: v % 3 == 0, "int 0"),
    Case(
        ".flatmap",
        gen.integers(1, 5).flatmap(lambda n: gen.lists(gen.integers(0, n), max_size=n)),
        a_list_of(int),
        "list()",
    ),
    Case(".__mul__", gen.booleans() * gen.lists(gen.none()), of_type(tuple), "tuple(bool False, list())"),
    Case(
        "targeted",
        gen.targeted(first=gen.integers(0, 9), next=lambda n, temperature: n + 1),
        lambda v: 0 <= v <= 9,
        "int 0",
    ),
    Case(
        ".with_neighbor",
        gen.lists(
            trees.with_neighbor(lambda tree, t: tree[0] if tree.__class__ is tuple else (tree, 1)), max_size=3
        ),
        lambda v: all(map(is_tree, v)),
        "list()",
    ),
    Case(".fresh", gen.none().fresh() | gen.booleans(), of_type(bool, type(None)), "NoneType None"),
]
