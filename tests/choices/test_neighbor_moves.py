"""Moves of a search: rearranging keeps the elements, combining fits the generator, and cold steps are short."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from everycase import gen
from everycase.choices.neighbor.edits import neighbor
from everycase.choices.neighbor.moves import MOVES
from everycase.choices.neighbor.rules import Manner


def neighbours(base: Any, temperature: float, count: int, **manner: Any) -> list[Any]:
    dice = random.Random(1).random
    return [neighbor(base, temperature, dice, Manner(**manner)).value for _ in range(count)]


@pytest.mark.parametrize(
    "inputs",
    [
        gen.permutations("abcdefgh"),
        gen.permutations([1, 1, 2]),
        gen.permutations([[1], [2]]),
        gen.lists(gen.permutations(range(5)), min_size=2, max_size=2).map(lambda both: [*both[0], *both[1]]),
        gen.integers(2, 6).flatmap(lambda n: gen.permutations([0, 1, 2, 3, 4, 5][:n]).filter(lambda p: p)),
    ],
    ids=repr,
)
def test_permutations_are_rearranged(inputs: Any) -> None:
    base = inputs.record(seed=3)
    for value in neighbours(base, 1.0, 200):
        if "flatmap" not in repr(inputs):
            assert Counter(map(repr, value)) == Counter(map(repr, base.value))
        else:
            assert sorted(value) == list(range(len(value)))


@pytest.mark.parametrize("count", [0, 1])
def test_there_is_nothing_to_rearrange_in_one_value_or_none(count: int) -> None:
    base = gen.permutations(range(count)).record(seed=0)
    assert neighbours(base, 1.0, 5) == [list(range(count))] * 5


def test_a_cold_permutation_moves_little() -> None:
    base = gen.permutations(range(30)).record(seed=0)

    def displaced(temperature: float) -> int:
        return sum(
            sum(a != b for a, b in zip(value, base.value))
            for value in neighbours(base, temperature, 300, reach=1.0)
        )

    assert displaced(0.05) < displaced(1.0) / 2


@pytest.mark.parametrize("move", MOVES)
def test_moves_make_values_of_the_generator(move: str) -> None:
    parts = gen.recursive(gen.integers(0, 9), lambda part: gen.lists(part, max_size=3))
    inputs = gen.tuples(
        gen.lists(gen.integers(0, 5000), min_size=2, max_size=6),
        gen.lists(gen.integers(0, 40), min_size=3, max_size=3, unique=True),
        gen.text("ab", max_size=8),
        parts,
    )
    base = inputs.record(seed=7)
    others = [inputs.record(seed=seed) for seed in range(8, 14)]
    dice = random.Random(2).random
    changed = 0
    for _ in range(300):
        found = neighbor(base, 1.0, dice, Manner(move=move, others=others))
        numbers, unique, text, _ = found.value
        assert 2 <= len(numbers) <= 6 and all(0 <= n <= 5000 for n in numbers)
        assert len(set(unique)) == 3 and len(text) <= 8 and set(text) <= {"a", "b"}
        assert inputs.replay(found).value == found.value
        changed += not found.same_choices(base)
    assert changed > 100


def test_a_difference_keeps_what_the_others_have_in_common() -> None:
    """If all the others lie on a line, so does every step."""
    number = gen.integers(0, 10**6)
    inputs = gen.tuples(number, number)
    others = [gen_trace(inputs, (n, 2 * n)) for n in (1000, 5000, 9000, 40_000)]
    base = gen_trace(inputs, (300_000, 600_000))
    moved = [v for v in neighbours(base, 1.0, 100, move="difference", others=others) if v != base.value]
    assert sum(abs((b - 600_000) - 2 * (a - 300_000)) <= 2 for a, b in moved) > 50


def gen_trace(inputs: Any, value: Any) -> Any:
    from everycase.choices.trace import Trace

    return inputs.replay(Trace.from_json(list(value)))


def test_runs_make_long_runs() -> None:
    base = gen.lists(gen.integers(0, 9), min_size=30, max_size=30).record(seed=1)

    def longest(values: list[int]) -> int:
        best = run = 1
        for a, b in pairwise(values):
            run = run + 1 if a == b else 1
            best = max(best, run)
        return best

    found = neighbours(base, 1.0, 200, move="runs")
    assert max(map(longest, found)) > 10
