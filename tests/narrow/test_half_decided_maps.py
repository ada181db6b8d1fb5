"""Functions of partial values: their results can be half decided if the functions only compute."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import assume, check, gen
from everycase.narrow import Narrowing


@dataclass
class Span:
    low: int
    high: int

    def is_wide(self) -> bool:
        return self.low + 20 < self.high


class Exact:
    """Checks for the exact type, which no partial value has."""

    def __init__(self, number: int) -> None:
        self.number = number

    def is_large(self) -> bool:
        return type(self.number) is int and self.number > 28

    def __repr__(self) -> str:
        return f"Exact({self.number})"


def wide(span: Span) -> bool:
    return span.low + 20 < span.high


small, digits = gen.integers(0, 30), gen.lists(gen.integers(0, 5))
pairs = gen.tuples(small, small)

MAPPED: dict[str, tuple[Any, Any, int]] = {
    "a class": (pairs.map(lambda pair: Span(pair[0], pair[1])), wide, 1),
    "a class, by a star": (pairs.map(lambda pair: Span(*pair)), Span.is_wide, 1),
    "a dictionary": (
        pairs.map(lambda p: {"low": p[0], "high": p[1]}),
        lambda d: d["low"] + 20 < d["high"],
        1,
    ),
    "swapped": (pairs.map(lambda pair: pair[::-1]), lambda pair: pair[0] > pair[1] + 20, 1),
    "a tuple": (digits.map(tuple), lambda xs: all(a < b for a, b in itertools.pairwise(xs)), 4),
    "a number": (gen.integers(0, 999).map(lambda n: 2 * n + 1), lambda n: n > 1990, 10),
    "twice": (gen.integers(0, 999).map(lambda n: -n).map(lambda n: n - 1), lambda n: n < -990, 10),
    "reversed": (digits.map(lambda xs: xs[::-1]), lambda xs: sorted(xs) == xs, 4),
    "in order": (pairs.map(lambda pair: (min(pair), max(pair))), lambda pair: pair[1] - pair[0] > 25, 1),
}
called: list[int] = []
WHOLE: dict[str, tuple[Any, Any, int]] = {
    "the very type": (small.map(lambda n: Exact(n)), lambda one: one.is_large(), 1),
    "type in the function": (small.map(lambda n: int(type(n) is int)), lambda n: n == 1, 1),
    "an effect": (small.map(lambda n: (called.append(n), n)[1]), lambda n: n > 25, 1),
    "text": (gen.integers(0, 99).map(str), lambda text: text.startswith("7"), 1),
    "an exception": (small.map(lambda n: 10 // n if n else None), lambda n: n == 3, 1),
}


def found_and_wanted(inputs: Any, predicate: Any, size: int) -> tuple[Narrowing, list[Any]]:
    values = list(inputs.up_to_size(size))
    search = Narrowing([inputs.filter(predicate)])
    found = Counter(repr(one.value) for one in search.search(size))
    assert found == Counter(map(repr, filter(predicate, values)))
    return search, values


@pytest.mark.parametrize("name", MAPPED)
def test_half_decided_results(name: str) -> None:
    search, values = found_and_wanted(*MAPPED[name])
    assert search.prunes
    assert search.statistics.evaluations * 5 < len(values)


@pytest.mark.parametrize("name", WHOLE)
def test_what_needs_real_values_gets_them(name: str) -> None:
    found_and_wanted(*WHOLE[name])


def test_a_condition_in_a_test_on_what_a_function_made() -> None:
    seen = []

    def test(span: Span) -> None:
        assume(span.low + 9_000 == span.high)
        seen.append((span.low, span.high))
        span.low = 0

    wide_pairs = gen.tuples(gen.integers(0, 10_000), gen.integers(0, 10_000))
    report = check(test, wide_pairs.map(lambda pair: Span(*pair)), seed=0, database=None, max_examples=100)
    assert report.status == "passed" and report.examples == 100
    assert all(low + 9_000 == high for low, high in seen)
    assert [one.used for one in report.conditions] == ["searched for by pruning"]


def test_a_condition_in_a_bound_method_is_found() -> None:
    class Tests:
        def test(self, xs: list[int]) -> None:
            assume(len(xs) > 3)
            assume(all(a < b for a, b in itertools.pairwise(xs)))
            assert sorted(xs) == xs

    report = check(Tests().test, gen.lists(gen.integers(0, 99)), seed=0, database=None, max_examples=200)
    assert report.examples == 200
    assert [one.kind for one in report.conditions] == ["assume", "assume"]
