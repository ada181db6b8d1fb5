"""Generators from types. Oracle: ``matches`` reads the same hints independently, value by value."""

from __future__ import annotations

import collections
import collections.abc
import datetime
import decimal
import fractions
import io
import ipaddress
import os
import pathlib
import re
import typing
import uuid
import zoneinfo
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from enum import Flag
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    TypeVar,
)

import attrs
import pytest
import typing_extensions

from everycase import gen
from everycase.choices.enact import record, replay
from everycase.choices.trace import Trace
from everycase.errors import InvalidArgument
from everycase.gen.kinds import Build
from sample_types import Color

T = TypeVar("T")
K = TypeVar("K")
Number = TypeVar("Number", int, float)
Wordy = TypeVar("Wordy", bound=str)
UserId = NewType("UserId", int)


class Access(Flag):
    READ = 1
    WRITE = 2


@dataclass
class Tree:
    value: bool
    left: Tree | None = None
    right: Optional[Tree] = None  # noqa: UP045


@dataclass(frozen=True)
class Forest:
    trees: tuple[Grove, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grove:
    within: Forest | None
    name: str = "grove"


@dataclass
class Pair(Generic[T, K]):
    first: T
    second: list[K]


@dataclass
class Ages(Pair[str, int]):
    extra: bool


@dataclass
class Linked(Generic[T]):
    head: T
    tail: Linked[T] | None


@dataclass
class Partial:
    given: int
    seed: InitVar[str]
    derived: int = field(init=False, default=7)

    def __post_init__(self, seed: str) -> None:
        assert type(seed) is str


@dataclass
class Kin:
    name: bool
    parent: typing.Self | None = None
    children: list[typing.Self] = field(default_factory=list)


@dataclass
class Cousin(Kin):
    far: bool = True


class Stack(Generic[T]):
    def __init__(self, top: T, rest: list[T], below: typing.Self | None = None) -> None:
        self.top, self.rest, self.below = top, rest, below


class Queue(Stack[bool], Generic[K]):
    pass


class Frozen(typing_extensions.TypedDict):
    key: typing_extensions.ReadOnly[bool]
    note: NotRequired[typing_extensions.ReadOnly[str]]


@attrs.define
class Account:
    owner: str
    _balance: int = 0
    parent: Account | None = None


@attrs.frozen
class Money:
    amount: int


class Named(NamedTuple):
    left: int
    right: str = "x"


class Movie(TypedDict, total=False):
    title: Required[str]
    year: int


class Sequel(Movie):
    number: NotRequired[int]
    boring: Required[bool]


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...


@dataclass
class Circle(Shape):
    radius: float

    def area(self) -> float:
        return self.radius


@dataclass
class Group(Shape):
    members: list[Shape]

    def area(self) -> float:
        return 0.0


class Plain:
    def __init__(self, size: int, *rest: int, label: str = "x", other=None) -> None:
        self.size, self.label, self.other = size, label, other


class At:
    """Constraints like those of the annotated-types package, recognised by their attributes."""

    def __init__(self, **conditions: Any) -> None:
        self.__dict__.update(conditions)


def every(tp: Any, count: int = 60) -> list[Any]:
    return gen.from_type(tp).sample(count, seed=1)


@pytest.mark.parametrize(
    ("tp", "expected"),
    [
        (bool, {False, True}),
        (None, {None}),
        (Color, set(Color)),
        (Access, {Access.READ, Access.WRITE}),
        (Literal["a", 1, None], {"a", 1, None}),
        (bool | None, {None, False, True}),
        (Optional[Color], {None, *Color}),  # noqa: UP045
        (tuple[bool, Literal[3]], {(False, 3), (True, 3)}),
        (tuple[()], {()}),
        (Annotated[int, gen.integers(2, 3)], {2, 3}),
        (Annotated[int, At(ge=2), At(lt=5)], {2, 3, 4}),
        (Annotated[int, At(gt=2, le=4)], {3, 4}),
        (Annotated[int, At(ge=0, le=9), At(multiple_of=5)], {0, 5}),
        (Annotated[float, At(ge=2.0, le=2.0)], {2.0}),
        (type[Circle], {Circle}),
        (Annotated[bool, "a remark"], {False, True}),
    ],
)
def test_small_types_have_exactly_their_values(tp: Any, expected: set[Any]) -> None:
    found = every(tp, 200)
    assert set(found) == expected
    assert {type(value) for value in found} == {type(value) for value in expected}


@pytest.mark.parametrize(
    ("tp", "made"),
    [
        (int, int),
        (float, float),
        (complex, complex),
        (str, str),
        (bytes, bytes),
        (bytearray, bytearray),
        (datetime.date, datetime.date),
        (datetime.time, datetime.time),
        (datetime.datetime, datetime.datetime),
        (datetime.timedelta, datetime.timedelta),
        (decimal.Decimal, decimal.Decimal),
        (fractions.Fraction, fractions.Fraction),
        (uuid.UUID, uuid.UUID),
        (UserId, int),
        (Wordy, str),
        (list, list),
        (dict, dict),
        (tuple, tuple),
        (set, set),
        (typing.List[int], list),  # noqa: UP006
        (Iterable[int], list),
        (collections.deque[int], collections.deque),
        (collections.Counter[str], collections.Counter),
        (collections.OrderedDict[str, int], collections.OrderedDict),
        (collections.defaultdict[str, int], collections.defaultdict),
        (Plain, Plain),
        (Partial, Partial),
        (Money, Money),
        (Sequel, dict),
    ],
)
def test_values_have_the_type_asked_for(tp: Any, made: type) -> None:
    assert {type(value) for value in every(tp)} == {made}


def test_a_constrained_variable_is_one_of_its_types() -> None:
    assert {type(value) for value in every(Number)} == {int, float}


def test_containers_hold_the_elements_asked_for() -> None:
    assert {type(x) for xs in every(Sequence[bool]) for x in xs} == {bool}
    assert {type(x) for xs in every(tuple[bool, ...]) for x in xs} == {bool}
    assert {type(x) for xs in every(frozenset[int]) for x in xs} == {int}
    mappings = every(Mapping[str, bool])
    assert {type(k) for d in mappings for k in d} == {str}
    assert {type(v) for d in mappings for v in d.values()} == {bool}


def test_lengths_are_kept() -> None:
    assert {len(value) for value in every(Annotated[list[int], At(min_length=2, max_length=3)])} == {2, 3}
    assert {len(value) for value in every(Annotated[str, At(min_length=1), At(max_length=2)])} == {1, 2}
    assert {len(value) for value in every(Annotated[dict[int, int], At(min_length=3, max_length=3)])} == {3}
    assert all(
        value >= datetime.date(2020, 1, 1)
        for value in every(Annotated[datetime.date, At(ge=datetime.date(2020, 1, 1))])
    )


def count(tree: Tree | None) -> int:
    return 0 if tree is None else 1 + count(tree.left) + count(tree.right)


def test_recursive_dataclasses_neither_explode_nor_stay_small() -> None:
    sizes = sorted(count(tree) for tree in every(Tree, 400))
    assert sizes[0] == 1
    assert sizes[-1] <= 160
    assert sizes[200] >= 3, "half of the trees are more than a leaf or two"
    assert sizes[-20] >= 40, "one in twenty is large"


def test_mutual_recursion_through_names_defined_later() -> None:
    forests = every(Forest, 100)
    groves = [grove for forest in forests for grove in forest.trees]
    assert {type(grove) for grove in groves} == {Grove}
    assert {type(grove.within) for grove in groves} == {Forest, type(None)}


def test_generic_classes_take_their_arguments() -> None:
    for pair in every(Pair[bool, str]):
        assert type(pair.first) is bool
        assert all(type(each) is str for each in pair.second)
    for ages in every(Ages):
        assert type(ages.first) is str and type(ages.extra) is bool
        assert all(type(each) is int for each in ages.second)
    for chain in every(Linked[Color]):
        while chain is not None:
            assert type(chain) is Linked and type(chain.head) is Color
            chain = chain.tail


def test_typed_dicts_may_lack_what_is_not_required() -> None:
    found = every(Sequel, 100)
    assert all({"title", "boring"} <= set(movie) <= {"title", "boring", "year", "number"} for movie in found)
    assert {"year" in movie for movie in found} == {"number" in movie for movie in found} == {False, True}


def test_named_tuples_and_attrs_use_all_their_fields() -> None:
    assert len({named.right for named in every(Named)}) > 5
    accounts = every(Account)
    assert len({account._balance for account in accounts}) > 5
    assert {type(account.parent) for account in accounts} == {Account, type(None)}


def test_an_abstract_class_is_any_of_its_subclasses() -> None:
    shapes = every(Shape)
    assert {type(shape) for shape in shapes} == {Circle, Group}
    inner = [member for shape in shapes if isinstance(shape, Group) for member in shape.members]
    assert {type(member) for member in inner} == {Circle, Group}


def test_ordinary_classes_are_built_from_what_is_hinted() -> None:
    for plain in every(Plain):
        assert type(plain.size) is int and type(plain.label) is str and plain.other is None


def test_callables_are_functions_with_as_many_parameters() -> None:
    for function in every(Callable[[int, str], bool], 10):
        assert type(function(1, "a")) is bool
        with pytest.raises(TypeError):
            function(1)
    assert type(every(Callable[..., int], 1)[0](1, 2, 3)) is int


def test_parts_can_be_read_back_where_the_class_keeps_them() -> None:
    for tp, fields in [
        (Tree, ("value", "left", "right")),
        (Named, ("left", "right")),
        (Account, ("owner", "_balance", "parent")),
    ]:
        node = gen.from_type(tp)
        assert isinstance(node, Build)
        assert node.constructs is tp and node.fields == fields
    opaque = gen.from_type(Partial)
    assert isinstance(opaque, Build) and opaque.constructs is None


def test_immutable_classes_may_be_shared() -> None:
    shared = {tp: gen.from_type(tp).share for tp in (Tree, Grove, Named, Account, Money)}  # type: ignore[attr-defined]
    assert shared == {Tree: False, Grove: True, Named: True, Account: False, Money: True}


def test_registered_types_are_made_as_told() -> None:
    class Celsius:
        def __init__(self, degrees, scale) -> None:
            self.degrees = degrees

    class Box(Generic[T]):
        def __init__(self, content: Any) -> None:
            self.content = content

    gen.register_type(Celsius, gen.builds(Celsius, gen.integers(-50, 50), gen.just("C")))
    gen.register_type(Box, lambda tp: gen.builds(Box, gen.from_type(typing.get_args(tp)[0])))
    assert all(-50 <= t.degrees <= 50 for ts in every(list[Celsius]) for t in ts)
    assert all(type(box.content) is bool for boxes in every(list[Box[bool]]) for box in boxes)
    gen.register_type(Celsius, gen.builds(Celsius, gen.just(1), gen.just("C")))
    assert {t.degrees for ts in every(list[Celsius]) for t in ts} == {1}, "the latest registration counts"


def test_the_same_type_is_the_same_generator() -> None:
    assert gen.from_type(Tree) is gen.from_type(Tree)
    assert gen.from_type(list[Pair[int, str]]) is gen.from_type(list[Pair[int, str]])


# --- types of the standard library ----------------------------------------------------------------------

STANDARD = [
    pathlib.Path,
    pathlib.PurePath,
    pathlib.PureWindowsPath,
    os.PathLike,
    datetime.timezone,
    datetime.tzinfo,
    zoneinfo.ZoneInfo,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Network,
    ipaddress.IPv6Network,
    ipaddress.IPv4Interface,
    ipaddress.IPv6Interface,
    range,
    slice,
    memoryview,
    re.Pattern,
    re.Match,
    io.StringIO,
    io.BytesIO,
    collections.ChainMap,
    collections.UserDict,
    collections.UserList,
    collections.UserString,
    collections.abc.KeysView,
    collections.abc.ValuesView,
    collections.abc.ItemsView,
    collections.abc.Generator,
    typing.SupportsInt,
    typing.SupportsAbs,
    typing.SupportsIndex,
    typing.SupportsBytes,
    Exception,
    ValueError,
    KeyError,
    ExceptionGroup,
]


def content(value: Any) -> Any:
    """The content by which two values of such a type are compared."""
    if isinstance(value, io.StringIO | io.BytesIO):
        return value.getvalue()
    if isinstance(value, collections.abc.Generator):
        return repr(list(value))
    return value.tobytes() if isinstance(value, memoryview) else repr(value)


@pytest.mark.parametrize("tp", STANDARD, ids=lambda tp: tp.__name__)
def test_types_of_the_standard_library_have_many_values(tp: Any) -> None:
    values = gen.from_type(tp).sample(100, seed=0)
    assert all(
        isinstance(value, tp) or (tp is typing.SupportsBytes and type(value) is bytes) for value in values
    )
    assert len({content(value) for value in values}) > 20


@pytest.mark.parametrize("tp", STANDARD, ids=lambda tp: tp.__name__)
def test_values_of_the_standard_library_are_replayed(tp: Any) -> None:
    described = gen.from_type(tp)
    for seed in range(20):
        trace = record(described, seed)
        again = replay(described, Trace.from_blob(trace.to_blob()))
        assert content(again.value) == content(trace.value)


def test_files_by_type() -> None:
    assert {type(f) for f in gen.from_type(typing.IO).sample(50, seed=0)} == {io.StringIO, io.BytesIO}
    assert {type(f) for f in gen.from_type(typing.TextIO).sample(20, seed=0)} == {io.StringIO}


def test_an_exception_of_ones_own_has_messages_or_its_own_parameters() -> None:
    class Plain(Exception):
        pass

    class WithCode(Exception):
        def __init__(self, code: int) -> None:
            super().__init__(code)
            self.code = code

    assert len({str(e) for e in gen.from_type(Plain).sample(50, seed=0)}) > 20
    assert len({e.code for e in gen.from_type(WithCode).sample(50, seed=0)}) > 20


def test_self_is_the_class_that_is_made() -> None:
    for cls in (Kin, Cousin):
        found = every(cls, 100)
        relatives = [
            relative for kin in found for relative in [kin.parent, *kin.children] if relative is not None
        ]
        assert {type(relative) for relative in relatives} == {cls}
        assert {type(kin.children) for kin in found} == {list}


def test_type_variables_of_an_ordinary_class_take_its_arguments() -> None:
    for tp, top in [(Stack[bool], bool), (Queue[str], bool), (Stack[Color], Color)]:
        found = every(tp)
        assert {type(stack.top) for stack in found} == {top}
        assert {type(each) for stack in found for each in stack.rest} == {top}
        below = [stack.below for stack in found if stack.below is not None]
        assert {type(stack.top) for stack in below} == {top}


def test_parts_of_tuples_marked_by_a_star_are_taken_apart() -> None:
    for row in every(tuple[Literal["a"], *tuple[bool, ...], Literal["z"]]):
        assert row[0] == "a" and row[-1] == "z" and all(type(each) is bool for each in row[1:-1])
    assert set(every(tuple[*tuple[bool, Literal[1]], None])) == {(False, 1, None), (True, 1, None)}
    assert {row[1:] for row in every(tuple[int, typing.Unpack[tuple[Literal[2], None]]])} == {(2, None)}  # noqa: UP044
    node = gen.from_type(tuple[int, *tuple[bool, ...], str])
    assert node[node.index((3, True, False, "a"))] == (3, True, False, "a")
    with pytest.raises(InvalidArgument, match="only one part of any length"):
        gen.from_type(tuple[*tuple[int, ...], *tuple[str, ...]])


def test_keys_of_a_typed_dict_of_typing_extensions_may_be_read_only() -> None:
    found = every(Frozen)
    assert {type(each["key"]) for each in found} == {bool}
    assert {"note" in each for each in found} == {False, True}
