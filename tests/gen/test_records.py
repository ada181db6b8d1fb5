"""The anatomy of classes: every kind of record gives the same answers for the same fields."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from typing import Any, ClassVar, NamedTuple

import attrs
import pytest

from everycase.gen.records import NO_DEFAULT, RecordKind, is_generated, is_named_tuple, record_of


@dataclasses.dataclass
class Data:
    x: int
    y: int = 3
    z: list[int] = dataclasses.field(default_factory=list)
    shared: ClassVar[int] = 0


@attrs.define
class Attrs:
    x: int
    y: int = 3
    z: list[int] = attrs.Factory(list)
    shared: ClassVar[int] = 0


class Tuple(NamedTuple):
    x: int
    y: int = 3
    z: Any = None


@pytest.mark.parametrize(
    ("cls", "kind", "frozen"),
    [
        (Data, RecordKind.dataclass, False),
        (Attrs, RecordKind.attrs, False),
        (Tuple, RecordKind.named_tuple, True),
    ],
)
def test_fields_and_defaults_are_read_alike(cls: type, kind: RecordKind, frozen: bool) -> None:
    record = record_of(cls)
    assert record is not None
    assert (record.cls, record.kind, record.frozen, record.generated_init) == (cls, kind, frozen, True)
    assert record.attributes == ("x", "y", "z")
    assert record.parameters == {"x": "x", "y": "y", "z": "z"}
    assert [field.has_default for field in record.fields] == [False, True, True]
    assert record.fields[0].default is NO_DEFAULT and record.fields[1].default == 3
    assert (record.fields[2].factory is list) == (kind is not RecordKind.named_tuple)


def test_frozen_classes() -> None:
    @dataclasses.dataclass(frozen=True)
    class FrozenData:
        x: int

    @attrs.frozen
    class FrozenAttrs:
        x: int

    for cls in (FrozenData, FrozenAttrs):
        record = record_of(cls)
        assert record is not None and record.frozen


def test_an_attribute_of_attrs_may_have_another_name_than_its_parameter() -> None:
    @attrs.define
    class Account:
        _balance: int
        _log: list[str] = attrs.field(init=False, factory=list, eq=False, repr=False)

    record = record_of(Account)
    assert record is not None
    assert record.parameters == {"balance": "_balance"}
    assert record.attributes == ("_balance", "_log")
    assert (record.fields[1].in_eq, record.fields[1].in_repr) == (False, False)


def test_what_attrs_does_with_an_argument() -> None:
    @attrs.define
    class Checked:
        x: int = attrs.field(converter=int, validator=attrs.validators.ge(0))
        y: int = attrs.field(default=attrs.Factory(lambda self: self.x, takes_self=True))

    record = record_of(Checked)
    assert record is not None
    assert record.fields[0].converter is int and record.fields[0].validator is not None
    assert record.fields[1].factory_takes_self and not record.fields[0].factory_takes_self


def test_options_of_a_dataclass() -> None:
    @dataclasses.dataclass(init=False)
    class Hand:
        x: int = dataclasses.field(compare=False)
        y: int = dataclasses.field(kw_only=True, repr=False)
        z: int = dataclasses.field(init=False, default=1)

        def __init__(self) -> None: ...

    record = record_of(Hand)
    assert record is not None and not record.generated_init
    assert [field.in_eq for field in record.fields] == [False, True, True]
    assert [field.in_repr for field in record.fields] == [True, False, True]
    assert [field.keyword_only for field in record.fields] == [False, True, False]
    assert [field.parameter for field in record.fields] == ["x", "y", None]


def test_a_namedtuple_without_annotations() -> None:
    cls: Any = namedtuple("cls", "a b", defaults=[5])
    record = record_of(cls)
    assert record is not None and is_named_tuple(cls)
    assert [(field.attribute, field.annotation) for field in record.fields] == [("a", None), ("b", None)]
    assert record.fields[1].default == 5


def test_what_is_no_record() -> None:
    class Plain:
        def __init__(self, x: int) -> None:
            self.x = x

    assert [record_of(each) for each in (Plain, int, tuple, Data(1), "Data", None)] == [None] * 6
    assert not is_named_tuple(tuple)


def test_generated_methods() -> None:
    assert is_generated(Data.__init__) and is_generated(Attrs.__init__)
    assert not is_generated(Data.__class__) and not is_generated(test_generated_methods)


def test_a_class_whose_metaclass_cannot_be_hashed() -> None:
    class Odd(type):
        def __eq__(cls, other: object) -> bool:
            return cls is other

    @dataclasses.dataclass
    class Record(metaclass=Odd):
        x: int

    record = record_of(Record)
    assert record is not None and record.attributes == ("x",)
