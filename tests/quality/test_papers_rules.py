"""The baseline of the benchmarks follows the paper: its rules, including the cases in which its method fails."""

from __future__ import annotations

import random
from typing import Any

import longest_path
import pytest
from papers_rules import Neighbourhood, PapersRules

from everycase import check, gen, maximize

pytestmark = pytest.mark.slow


def neighbours(generator: gen.Gen[Any], t: float, count: int = 300) -> list[tuple[Any, Any]]:
    rules = Neighbourhood(generator, random.Random(1).random)
    pairs = []
    for _ in range(count):
        base = rules.draw(generator)
        pairs.append((base, rules.near(generator, base, t)))
    return pairs


@pytest.mark.parametrize(("t", "reach"), [(1.0, 50), (0.1, 5)])
def test_a_number_moves_by_a_twentieth_of_its_range(t: float, reach: int) -> None:
    moves = [after - before for before, after in neighbours(gen.integers(0, 1000), t)]
    assert max(map(abs, moves)) in (reach - 1, reach, reach + 1)
    assert all(abs(b - a) <= t * 0.5 for a, b in neighbours(gen.floats(0, 10), t))


def test_lists_grow_and_shrink_and_tuples_change_in_part() -> None:
    pairs = neighbours(gen.lists(gen.integers(0, 10**6), max_size=60), 1.0)
    longer = sum(len(after) > len(before) for before, after in pairs)
    shorter = sum(len(after) < len(before) for before, after in pairs)
    assert longer > 50 and shorter > 50
    changed = [
        sum(map(int.__ne__, a, b)) for a, b in neighbours(gen.tuples(*[gen.integers(0, 10**6)] * 10), 1.0)
    ]
    assert 4 < sum(changed) / len(changed) < 6


def test_at_zero_temperature_only_what_is_wrong_is_drawn_again() -> None:
    rules = Neighbourhood(gen.none(), random.Random(0).random)
    small = gen.lists(gen.tuples(gen.integers(0, 9), gen.integers(0, 9)))
    assert rules.zero(small, [(1, 2), (3, 4)]) == [(1, 2), (3, 4)]
    (a, b), (c, d) = rules.zero(small, [(1, 20), (3, 4)])
    assert (a, c, d) == (1, 3, 4) and 0 <= b <= 9


def test_a_constraint_holds_for_neighbours() -> None:
    pairs = gen.tuples(gen.integers(1, 42), gen.integers(1, 42)).filter(lambda pair: pair[0] < pair[1])
    assert all(a < b for _, (a, b) in neighbours(pairs, 1.0))


def test_the_inner_value_of_a_let_is_remembered() -> None:
    doubled = gen.integers(0, 10**6).map(lambda n: 2 * n)
    assert max(abs(after - before) for before, after in neighbours(doubled, 0.01)) <= 2 * 502


def shared_edges(generator: gen.Gen[Any]) -> float:
    """The mean share of the edges of a graph that its neighbour still has."""
    shares = [
        len(set(before[1]) & set(after[1])) / len(set(before[1]))
        for before, after in neighbours(generator, 0.3)
        if len(before[1]) > 5
    ]
    return sum(shares) / len(shares)


def test_the_method_works_on_the_graphs_it_is_said_to_work_on_and_not_on_the_others() -> None:
    """Section IV of the paper: caching and matching keep the edges of the first two, and lose those of the others."""
    for name in ("42 vertices", "graph_duplicated_edges", "graph"):
        assert shared_edges(longest_path.SHAPES[name]) > 0.5, name
    for name in ("graph_no_caching", "graph_no_matching"):
        assert shared_edges(longest_path.SHAPES[name]) < 0.3, name


def test_it_is_an_explorer() -> None:
    letters = gen.lists(gen.sampled_from("abcdefgh"), min_size=6, max_size=6)

    def test(word: list[str]) -> None:
        right = sum(a == b for a, b in zip(word, "decade"))
        maximize(right)
        assert right < 6

    report = check(test, letters, explore=PapersRules(), max_examples=20_000, seed=0, database=None)
    assert report.status == "failed"
