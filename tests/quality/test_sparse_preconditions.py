"""Shrinking reaches the minimum although most inputs violate the precondition."""

from __future__ import annotations

from typing import Any

import pytest
from sparse_problems import FIRST, HELD_OUT, shrunk

from everycase import assume, check, gen, given


@pytest.mark.parametrize("name", FIRST)
def test_the_minimum_is_reached(name: str) -> None:
    problem = FIRST[name]
    results = [shrunk(problem, seed, True)[0] for seed in range(5)]
    assert results == [problem.minimum] * 5


@pytest.mark.parametrize("name", HELD_OUT)
def test_what_is_reached_is_valid_and_fails(name: str) -> None:
    problem = HELD_OUT[name]
    for seed in range(3):
        value, _ = shrunk(problem, seed, True)
        assert problem.valid(value) and problem.fails(value)


def ends_with_seven(n: int) -> bool:
    return n % 10 == 7


def assumed(n: int) -> None:
    assume(ends_with_seven(n))
    assert n < 500_000


def plain(n: int) -> None:
    assert n < 500_000


MILLION = gen.integers(0, 10**6)


@pytest.mark.parametrize("way", ["assume", "filter", "where"])
def test_assume_filter_and_where_shrink_to_the_same_minimum(way: str) -> None:
    for seed in range(3):
        prop: Any
        if way == "where":
            prop, gens = given(MILLION).where(ends_with_seven)(plain), ()
        elif way == "filter":
            prop, gens = plain, (MILLION.filter(ends_with_seven),)
        else:
            prop, gens = assumed, (MILLION,)
        report = check(prop, *gens, seed=seed, max_examples=3000, database=None)
        if report.status == "failed":  # where prunes, and may see small values only
            assert report.counterexample == (500_007,)
            assert report.failures[0].shrink_calls <= 100


def test_without_a_precondition_nothing_is_tried_for_one() -> None:
    """The moves for sparse inputs are not used until an input was invalid."""
    from everycase.choices.shrink.shrinker import shrink

    for seed in range(5):
        start = gen.tuples(MILLION, MILLION).record(seed)
        limit = sum(start.value) // 2 + 1
        assert shrink(start, lambda trace, limit=limit: sum(trace.value) >= limit).calls < 60


def is_full(rooms: tuple[int, int, int]) -> bool:
    width, height, doors = rooms
    return width * height == 12 * doors


def is_checked(digits: list[int]) -> bool:
    doubled = [d if i % 2 == 0 else 2 * d - 9 * (d > 4) for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


#: Relations that no rule for two numbers describes.
RELATED: dict[str, tuple[gen.Gen[Any], Any, Any, Any]] = {
    "product": (
        gen.tuples(gen.integers(1, 500), gen.integers(1, 500)),
        lambda pair: pair[0] * pair[1] % 24 == 0,
        lambda pair: sum(pair) >= 50,
        (1, 72),
    ),
    "product of three": (
        gen.tuples(gen.integers(1, 100), gen.integers(1, 100), gen.integers(0, 20)),
        is_full,
        lambda room: room[2] >= 3,
        (1, 36, 3),
    ),
    "exchanged": (
        gen.text("abc", max_size=9),
        lambda text: text == text[::-1],
        lambda text: len(text) >= 4 and "c" in text,
        "acca",
    ),
    "separated": (
        gen.text("0123,", max_size=8),
        lambda text: all(part == "0" or part[:1] in {"1", "2", "3"} for part in text.split(",")),
        lambda text: text.count(",") >= 2 and "3" in text,
        "0,0,3",
    ),
    "check digit": (
        gen.lists(gen.integers(0, 9), min_size=4, max_size=8),
        is_checked,
        lambda digits: digits[0] >= 3,
        [3, 0, 0, 4],
    ),
}


@pytest.mark.parametrize("name", RELATED)
@pytest.mark.parametrize("way", ["filter", "where"])
def test_another_number_makes_up_for_one_that_is_lowered(name: str, way: str) -> None:
    inputs, valid, fails, minimum = RELATED[name]
    for seed in range(2):
        if way == "where":
            report = check(
                given(inputs).where(lambda x: valid(x))(lambda x: not fails(x)), seed=seed, database=None
            )
        else:
            report = check(lambda x: not fails(x), inputs.filter(valid), seed=seed, database=None)
        assert report.counterexample == (minimum,)
