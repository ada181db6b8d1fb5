"""Conditions that look at everything are evaluated in an equivalent form that rejects sooner."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import gen
from everycase.narrow import Narrowing

few, digits = gen.integers(0, 3), gen.integers(0, 5)
numbers = gen.lists(digits)


@dataclass
class Team:
    name: int
    members: list[int]


people = gen.lists(gen.builds(Team, few, gen.lists(few, max_size=1)))
teams = gen.builds(Team, few, gen.lists(few))


CONDITIONS: dict[str, tuple[Any, Any, int]] = {
    "different": (numbers, lambda xs: len(set(xs)) == len(xs), 4),
    "different, the other way round": (numbers, lambda xs: len(xs) == len(set(xs)) and len(xs) > 1, 4),
    "three different": (teams, lambda t: len(set(t.members)) == len(t.members) == 3, 5),
    "different names": (people, lambda ps: len({p.name for p in ps}) == len(ps), 4),
    "different by a generator": (people, lambda ps: len(set(p.name for p in ps)) == len(ps), 4),  # noqa: C401
    "different by a list": (people, lambda ps: len(set([p.name for p in ps])) == len(ps), 4),  # noqa: C403
    "different firsts": (gen.lists(gen.tuples(few, few)), lambda ps: len({a for a, _ in ps}) == len(ps), 5),
    "different values": (gen.dictionaries(few, digits), lambda d: len(set(d.values())) == len(d), 6),
    "counted": (numbers, lambda xs: len(xs) > 0 and max(Counter(xs).values()) == 1, 4),
    "ascending": (numbers, lambda xs: sorted(xs) == xs, 4),
    "rising": (numbers, lambda xs: xs == sorted(set(xs)), 4),
    "falling": (numbers, lambda xs: sorted(set(xs), reverse=True) == xs, 4),
    "descending": (numbers, lambda xs: xs == sorted(xs, reverse=True), 4),
    "sorted members": (teams, lambda t: t.members == sorted(t.members), 6),
    "a subset": (numbers, lambda xs: set(xs) <= {1, 2}, 4),
    "a proper subset": (numbers, lambda xs: set(xs) < {1, 2, 3}, 4),
    "a superset": (numbers, lambda xs: {1, 2} >= set(xs), 4),
    "the same set": (numbers, lambda xs: set(xs) == {1, 2}, 4),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_the_same_values_for_less(name: str) -> None:
    inputs, predicate, size = CONDITIONS[name]
    values = list(inputs.up_to_size(size))
    search = Narrowing([inputs.filter(predicate)])
    found = [one.value for one in search.search(size)]
    assert Counter(map(repr, found)) == Counter(map(repr, filter(predicate, values)))
    assert search.statistics.evaluations * 2 < len(values)


def test_equal_elements_of_other_kinds_and_those_that_equal_nothing() -> None:
    nan = float("nan")
    inputs = gen.lists(gen.sampled_from([1, True, 1.0, nan, "a"]))
    found = [one.value for one in Narrowing([inputs.filter(lambda xs: len(set(xs)) == len(xs))]).search(3)]
    wanted = [xs for xs in inputs.up_to_size(3) if len(set(xs)) == len(xs)]
    assert Counter(map(repr, found)) == Counter(map(repr, wanted))


def test_a_function_of_the_same_name_is_another_function() -> None:
    def sorted(xs: Any) -> Any:
        return [] if xs else xs

    found = [one.value for one in Narrowing([numbers.filter(lambda xs: sorted(xs) == xs)]).search(3)]
    assert found == [[]]
