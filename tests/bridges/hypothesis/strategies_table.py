"""Strategies of every kind, with a check of their values, and whether they are read by their structure."""

from __future__ import annotations

import collections
import math
import random
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Flag
from fractions import Fraction
from ipaddress import IPv4Address, ip_network
from typing import NamedTuple
from uuid import UUID

import hypothesis.strategies as st
from hypothesis import assume, provisional
from table import Color


class Right(Flag):
    READ = 1
    WRITE = 2


@dataclass
class Point:
    x: int
    y: str = ""


class Pair(NamedTuple):
    left: int
    right: bool


@st.composite
def intervals(draw, most):
    low = draw(st.integers(0, most))
    high = draw(st.integers(0, most), label="high")
    assume(low <= high)
    return low, high


tree = st.deferred(lambda: st.booleans() | st.tuples(tree, tree))


def is_tree(value):
    return type(value) is bool or (type(value) is tuple and len(value) == 2 and all(map(is_tree, value)))


def is_json(value):
    if type(value) is list:
        return all(map(is_json, value))
    if type(value) is dict:
        return all(type(key) is str and is_json(each) for key, each in value.items())
    return value is None or type(value) in (bool, float, str)


def of(*types):
    return lambda value: type(value) in types


def every(check, kind=list):
    return lambda value: type(value) is kind and all(map(check, value))


class Even(st.SearchStrategy):
    """A user-defined subclass."""

    def do_draw(self, data):
        return 2 * data.draw_integer(0, 50)


STRUCTURAL = {
    "integers": (st.integers(), of(int)),
    "integers(range)": (st.integers(-3, 99), lambda v: -3 <= v <= 99),
    "integers(from)": (st.integers(min_value=7), lambda v: v >= 7),
    "integers(filter)": (st.integers().filter(lambda n: n % 2), lambda v: v % 2),
    "integers(map)": (st.integers(0, 9).map(str), lambda v: v in "0123456789"),
    "booleans": (st.booleans(), of(bool)),
    "none": (st.none(), lambda v: v is None),
    "just": (st.just([1]), lambda v: v == [1]),
    "just(map)": (st.just(3).map(str), lambda v: v == "3"),
    "floats": (st.floats(), of(float)),
    "floats(range)": (st.floats(0, 1), lambda v: 0 <= v <= 1),
    "floats(open)": (st.floats(0, 1, exclude_min=True, exclude_max=True), lambda v: 0 < v < 1),
    "floats(32)": (st.floats(width=32, allow_nan=False), lambda v: math.isinf(v) or abs(v) < 3.5e38),
    "floats(normal)": (
        st.floats(allow_subnormal=False, allow_nan=False, allow_infinity=False),
        lambda v: v == 0 or abs(v) >= 2.2e-308,
    ),
    "text": (st.text(), of(str)),
    "text(alphabet)": (st.text("ab", min_size=1, max_size=4), lambda v: re.fullmatch("[ab]{1,4}", v)),
    "text(strategy)": (st.text(st.characters(categories=["Lu"])), lambda v: v == "" or v.isupper()),
    "text(codec)": (st.text(st.characters(codec="ascii", exclude_characters="\0")), lambda v: v.isascii()),
    "text(one_of)": (st.text(st.sampled_from("xy") | st.just("z")), lambda v: set(v) <= set("xyz")),
    "characters": (st.characters(), lambda v: len(v) == 1),
    "characters(range)": (st.characters(min_codepoint=65, max_codepoint=70), lambda v: "A" <= v <= "F"),
    "binary": (st.binary(min_size=2, max_size=3), lambda v: len(v) in (2, 3)),
    "sampled_from": (st.sampled_from(["a", 1, None]), lambda v: v in ("a", 1, None)),
    "sampled_from(enum)": (st.sampled_from(Color), of(Color)),
    "sampled_from(flag)": (st.sampled_from(Right), of(Right)),
    "sampled_from(range)": (st.sampled_from(range(10**15)), lambda v: 0 <= v < 10**15),
    "sampled_from(filter)": (
        st.sampled_from(range(9)).filter(lambda n: n > 4).map(float),
        lambda v: v in (5, 6, 7, 8),
    ),
    "one_of": (st.one_of(st.none(), st.integers(), st.text()), of(type(None), int, str)),
    "one_of(or)": (st.integers(0, 3) | st.just("x"), lambda v: v in (0, 1, 2, 3, "x")),
    "one_of(filter)": ((st.integers(0, 3) | st.just(9)).filter(bool), lambda v: v in (1, 2, 3, 9)),
    "one_of(nothing)": (st.nothing() | st.just(5), lambda v: v == 5),
    "lists": (st.lists(st.integers()), every(of(int))),
    "lists(sized)": (st.lists(st.booleans(), min_size=2, max_size=5), lambda v: 2 <= len(v) <= 5),
    "lists(unique)": (st.lists(st.integers(0, 50), unique=True), lambda v: len(set(v)) == len(v)),
    "lists(unique_by)": (
        st.lists(st.tuples(st.integers(0, 9), st.text()), unique_by=(lambda p: p[0], lambda p: p[1])),
        lambda v: len({p[0] for p in v}) == len({p[1] for p in v}) == len(v),
    ),
    "lists(unique sampled)": (st.lists(st.sampled_from("abc"), unique=True), lambda v: len(set(v)) == len(v)),
    "sets": (st.sets(st.integers(), max_size=4), lambda v: type(v) is set and len(v) <= 4),
    "frozensets": (st.frozensets(st.text()), of(frozenset)),
    "tuples": (st.tuples(st.integers(), st.text()), lambda v: type(v[0]) is int and type(v[1]) is str),
    "tuples()": (st.tuples(), lambda v: v == ()),
    "dictionaries": (st.dictionaries(st.text(), st.integers(), max_size=3), lambda v: len(v) <= 3),
    "dictionaries(class)": (
        st.dictionaries(st.text(), st.none(), dict_class=collections.OrderedDict),
        of(collections.OrderedDict),
    ),
    "fixed_dictionaries": (
        st.fixed_dictionaries({"a": st.integers()}, optional={"b": st.text()}),
        lambda v: set(v) in ({"a"}, {"a", "b"}),
    ),
    "iterables": (st.iterables(st.booleans()), lambda v: all(type(each) is bool for each in v)),
    "permutations": (st.permutations(range(5)), lambda v: sorted(v) == list(range(5))),
    "slices": (st.slices(7), of(slice)),
    "builds": (st.builds(Point, st.integers(), y=st.text()), of(Point)),
    "builds(inferred)": (st.builds(Point), of(Point)),
    "builds(function)": (
        st.builds(lambda a, b: a + b, st.integers(0, 4), b=st.integers(0, 4)),
        lambda v: 0 <= v <= 8,
    ),
    "builds(builtin)": (st.builds(complex, st.integers(0, 3)), of(complex)),
    "from_type": (st.from_type(Point), of(Point)),
    "from_type(tuple)": (st.from_type(Pair), of(Pair)),
    "from_type(generic)": (st.from_type(dict[str, list[int]]), of(dict)),
    "flatmap": (
        st.integers(1, 5).flatmap(lambda n: st.lists(st.none(), min_size=n, max_size=n)),
        lambda v: 1 <= len(v) <= 5,
    ),
    "composite": (intervals(20), lambda v: 0 <= v[0] <= v[1] <= 20),
    "deferred": (tree, is_tree),
    "recursive": (
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        ),
        is_json,
    ),
    "recursive(few)": (
        st.recursive(st.just(0), lambda s: st.tuples(s, s), max_leaves=4),
        lambda v: str(v).count("0") <= 4,
    ),
    "shared": (st.shared(st.integers(), key="a"), of(int)),
    "dates": (st.dates(date(2020, 1, 1), date(2020, 12, 31)), lambda v: v.year == 2020),
    "times": (st.times(time(8), time(9)), lambda v: time(8) <= v <= time(9)),
    "datetimes": (st.datetimes(timezones=st.just(UTC)), lambda v: type(v) is datetime and v.tzinfo is UTC),
    "datetimes(range)": (
        st.datetimes(datetime(2020, 1, 1, 5), datetime(2020, 1, 2)),
        lambda v: datetime(2020, 1, 1, 5) <= v <= datetime(2020, 1, 2),
    ),
    "timedeltas": (st.timedeltas(timedelta(0), timedelta(1)), lambda v: timedelta(0) <= v <= timedelta(1)),
    "timezones": (st.timezones(), lambda v: v.key),
    "timezone_keys": (st.timezone_keys(), of(str)),
    "decimals": (st.decimals(0, 9, places=2), lambda v: 0 <= v <= 9 and v == round(v, 2)),
    "decimals(any)": (st.decimals(), of(Decimal)),
    "fractions": (
        st.fractions(0, 1, max_denominator=9),
        lambda v: type(v) is Fraction and v.denominator <= 9,
    ),
    "uuids": (st.uuids(version=4), lambda v: type(v) is UUID and v.version == 4),
    "complex_numbers": (st.complex_numbers(max_magnitude=2), lambda v: abs(v) <= 2),
    "from_regex": (st.from_regex(r"\A[a-c]+\d\Z"), re.compile(r"\A[a-c]+\d\Z").match),
    "from_regex(full)": (st.from_regex(r"x(y|z)*", fullmatch=True), re.compile(r"x(y|z)*").fullmatch),
    "emails": (st.emails(), lambda v: v.count("@") == 1),
    "ip_addresses": (st.ip_addresses(v=4), of(IPv4Address)),
    "ip_addresses(network)": (st.ip_addresses(network="10.0.0.0/8"), lambda v: v in ip_network("10.0.0.0/8")),
    "urls": (provisional.urls(), lambda v: v.startswith(("http://", "https://"))),
    "domains": (provisional.domains(), lambda v: "." in v),
    "randoms": (st.randoms(use_true_random=True), lambda v: isinstance(v, random.Random)),
}

OPAQUE = {
    "a class of one's own": (Even(), lambda v: v % 2 == 0 and 0 <= v <= 100),
    "inside": (st.lists(Even(), max_size=3), every(lambda v: v % 2 == 0)),
    "mapped": (Even().map(lambda n: n + 1), lambda v: v % 2 == 1),
}

ALL = {**STRUCTURAL, **OPAQUE}
