"""Similar parts of an input are sometimes equal, wherever they are; independent draws hardly ever are."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from everycase import check, gen
from everycase.choices.invert import trace_of
from everycase.choices.related import keeps_limits
from sample_types import Order

TESTS = 1000


@gen.composite
def two_numbers(draw: Any) -> tuple[int, int]:
    return draw(gen.integers()), draw(gen.integers())


BIG = gen.integers(100, 10**9)
INTS = gen.lists(gen.integers())
ORDERS = gen.builds(Order, gen.text(), gen.integers())


def big(n: int) -> bool:
    return abs(n) > 2


#: What inputs have in common, and the share of tests (in percent) in which they should have it at least; about half of
#: what is measured, so that no seed decides.
ROWS: list[tuple[str, tuple[gen.Gen[Any], ...], Any, float]] = [
    ("two integers", (gen.integers(), gen.integers()), lambda a, b: a == b and big(a), 2.5),
    ("two lists", (INTS, INTS), lambda a, b: a == b != [], 1.2),
    ("two texts", (gen.text(), gen.text()), lambda a, b: a == b != "", 2),
    ("two dictionaries", (gen.dictionaries(gen.text(), gen.integers()),) * 2, lambda a, b: a == b != {}, 1),
    ("an element of a list", (gen.integers(), INTS), lambda x, xs: x in xs and big(x), 3),
    ("an element further in", (gen.integers(), gen.lists(INTS)), lambda x, xs: any(x in y for y in xs) and big(x), 2),
    ("a key", (gen.dictionaries(BIG, gen.text()), BIG), lambda d, x: x in d, 1.5),
    ("an element of a set", (gen.sets(BIG), BIG), lambda d, x: x in d, 2.5),
    ("a field", (ORDERS, gen.integers()), lambda order, x: order.count == x and big(x), 2),
    ("two records", (ORDERS, ORDERS), lambda a, b: a == b and big(a.count), 1),
    ("duplicates", (gen.lists(gen.integers(), min_size=3, max_size=8),), lambda xs: len(set(xs)) < len(xs), 15),
    ("duplicates of a fixed length", (gen.lists(BIG, min_size=5, max_size=5),), lambda xs: len(set(xs)) < 5, 8),
    ("two draws of a composite", (two_numbers(),), lambda pair: pair[0] == pair[1] and big(pair[0]), 2.5),
    ("two composites", (two_numbers(), two_numbers()), lambda a, b: a == b and big(a[0]), 1),
    ("large numbers", (gen.integers(),), lambda n: abs(n) >= 2**64, 3),
    ("midnight", (gen.datetimes(),), lambda d: d.time() == datetime.time(0), 0.8),
]  # fmt: skip


@pytest.mark.parametrize(
    ("gens", "holds", "percent"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_shares(gens: tuple[gen.Gen[Any], ...], holds: Any, percent: float) -> None:
    seen: list[bool] = []
    check(lambda *args: seen.append(bool(holds(*args))), *gens, seed=0, max_examples=TESTS, database=None)
    assert len(seen) == TESTS and 100 * sum(seen) / TESTS >= percent


def test_draws_of_a_test() -> None:
    pairs: list[tuple[int, int]] = []
    check(
        lambda data: pairs.append((data.draw(gen.integers()), data.draw(gen.integers()))),
        gen.data(),
        seed=0,
        max_examples=TESTS,
        database=None,
    )
    assert sum(a == b and big(a) for a, b in pairs) >= 25


def leaves(value: Any) -> int:
    return sum(map(leaves, value)) if isinstance(value, tuple) else 1


@pytest.mark.parametrize("most", [1, 2, 3, 10])
def test_copies_have_no_more_leaves_than_a_recursion_may_have(most: int) -> None:
    pairs = gen.recursive(gen.integers(0, 99), lambda inner: gen.tuples(inner, inner), max_leaves=most)
    for value in [pairs[i] for i in range(0, 10**6, 9973)]:
        assert keeps_limits(trace_of(pairs, value)) == (leaves(value) <= most)
    seen: list[int] = []
    for seed in range(3):
        check(
            lambda one, two: seen.extend((leaves(one), leaves(two))),
            pairs,
            pairs,
            seed=seed,
            max_examples=200,
        )
    assert max(seen) == most
