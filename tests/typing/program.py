"""A typed file that comes from Hypothesis: mypy and pyright must agree with its assertions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from random import Random
from typing import Any, assert_type
from uuid import UUID

from everycase import assume, example, find, gen, given, note, settings, target
from everycase import strategies as st
from everycase.gen import Gen

assert_type(st.integers(), Gen[int])
assert_type(st.floats(0, 1), Gen[float])
assert_type(st.text("ab", max_size=3), Gen[str])
assert_type(st.binary(), Gen[bytes])
assert_type(st.booleans(), Gen[bool])
assert_type(st.none(), Gen[None])
assert_type(st.lists(st.integers()), Gen[list[int]])
assert_type(st.sets(st.text()), Gen[set[str]])
assert_type(st.iterables(st.text()), Gen[Iterable[str]])
assert_type(st.tuples(st.integers(), st.text()), Gen[tuple[int, str]])
assert_type(st.dictionaries(st.text(), st.integers()), Gen[dict[str, int]])
assert_type(st.one_of(st.integers(), st.text()), Gen[int | str])
assert_type(st.integers() | st.text(), Gen[int | str])
assert_type(st.sampled_from([1, 2]), Gen[int])
assert_type(st.integers().map(str), Gen[str])
assert_type(st.integers().filter(bool), Gen[int])
assert_type(st.integers(1, 3).flatmap(lambda n: st.lists(st.text(), max_size=n)), Gen[list[str]])
assert_type(st.from_regex(r"\d+"), Gen[str])
assert_type(st.from_regex(rb"\d+"), Gen[bytes])
assert_type(st.complex_numbers(), Gen[complex])
assert_type(st.slices(3), Gen[slice])
assert_type(st.emails(), Gen[str])
assert_type(st.dates(), Gen[date])
assert_type(st.datetimes(allow_imaginary=False), Gen[datetime])
assert_type(st.decimals(), Gen[Decimal])
assert_type(st.uuids(), Gen[UUID])
assert_type(st.randoms(), Gen[Random])
assert_type(st.shared(st.integers(), key="n"), Gen[int])
assert_type(st.data(), Gen[st.DataObject])
assert_type(st.characters(whitelist_categories=["L"]), Gen[str])
assert_type(st.functions(returns=st.integers()), Gen[Callable[..., Any]])
assert_type(st.recursive(st.integers(), lambda inner: st.lists(inner)), Gen[int | list[Any]])
assert_type(gen.frequency((1, st.text()), (2, st.text())), Gen[str])
assert_type(find(st.integers(), lambda n: n > 3), int)


@st.composite
def intervals(draw: st.DrawFn, limit: int) -> tuple[int, int]:
    low = draw(st.integers(0, limit))
    assert_type(low, int)
    return low, draw(st.integers(low, limit), label="high")


assert_type(intervals(5), Gen[tuple[int, int]])


def squares(strategy: st.SearchStrategy[int]) -> st.SearchStrategy[int]:
    return strategy.map(lambda n: n * n)


@settings(max_examples=10, deadline=None)
@example(1, 2).via("a bug report")
@given(st.integers(), squares(st.integers()))
def test_types(a: int, b: int) -> None:
    assume(b >= 0)
    note(f"{a} {b}")
    target(float(b), label="b")


@given(data=st.data())
def test_drawing(data: st.DataObject) -> None:
    assert_type(data.draw(st.text()), str)
