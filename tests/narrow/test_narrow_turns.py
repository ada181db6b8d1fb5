"""However a search spends its time, others get a turn and a run can end; and no internals leak out."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import check, gen
from everycase.errors import Discarded, EverycaseError
from everycase.explore import Narrow
from everycase.gen.base import Gen
from everycase.narrow import Narrowing


@dataclass(frozen=True)
class Pair:
    a: int
    b: int


def turns(search: Narrowing, size: int, **options: Any) -> list[Any]:
    """The results of the first steps: values, and None when others have a turn."""
    steps = search.steps(size, beat=100, **options)
    return [found and found.args for found in itertools.islice(steps, 5)]


def test_others_have_a_turn_while_whole_values_are_rejected() -> None:
    search = Narrowing([gen.integers(0, 10**12).filter(lambda n: n * n == 4)])
    assert turns(search, 30) == [(2,), None, None, None, None]
    assert search.statistics.evaluations < 1000


def test_others_have_a_turn_while_a_part_cannot_be_made() -> None:
    rare = gen.integers(0, 10**9).filter(lambda n: n * n == -4)
    search = Narrowing([gen.builds(Pair, gen.integers(0, 3), rare).filter(lambda p: p.b > p.a)])
    assert turns(search, 30) == [None] * 5
    assert (search.statistics.evaluations, search.statistics.dead_ends) == (1, 500)


def test_others_have_a_turn_while_values_have_another_size() -> None:
    bits: Gen[Any] = gen.lists(gen.booleans(), max_size=19).map(tuple)
    search = Narrowing([bits.filter(lambda xs: True)])
    assert turns(search, 25, exactly=True) == [None] * 5
    assert turns(search, 25, exactly=True, lazy=False) == [None] * 5


def test_a_search_of_dead_ends_ends() -> None:
    rare = gen.integers(0, 10**9).filter(lambda n: n * n == -4)
    pairs = gen.builds(Pair, gen.integers(0, 3), rare).filter(lambda p: p.b > p.a)
    for order in ("depth", "random"):
        explore = Narrow(max_size=30, order=order, max_evaluations=5000)
        report = check(lambda p: None, pairs, explore=explore, database=None)
        assert (report.status, report.exhaustive) == ("gave_up", False)
        assert report.stopped is not None and report.stopped.endswith(" dead ends inside the generator")


@pytest.mark.parametrize("first", [gen.integers(0, 3), gen.just(3)], ids=["a choice", "no choice"])
def test_an_exception_over_a_part_without_a_value_is_a_dead_end(first: Any) -> None:
    nothing = gen.just(1).filter(lambda n: n == 2)
    pairs: Gen[Any] = gen.builds(Pair, first, nothing)
    assert list(Narrowing([pairs.filter(lambda p: p.misspelled)]).search(5)) == []


def test_what_only_the_real_value_discards_is_rejected() -> None:
    def positive(xs: list[int]) -> bool:
        json.dumps(xs)  # raises on the stand-in for a list
        if 0 in xs:
            raise Discarded
        return True

    lists = gen.lists(gen.integers(0, 1)).filter(positive)
    assert [found.value for found in Narrowing([lists]).search(2)] == [[], [1], [1, 1]]


def test_an_abandoned_search_does_not_go_on() -> None:
    search = Narrowing([gen.lists(gen.integers(0, 1)).filter(lambda xs: sum(xs) == 1)])
    first = search.search(3)
    next(first)
    second = search.search(3)
    begun = [next(second)]
    with pytest.raises(EverycaseError, match="another one has begun"):
        next(first)
    assert len([*begun, *second]) == 6
