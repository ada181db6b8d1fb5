"""Draws during the test: hardly any input is repeated, and every failure can be reproduced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from everycase import check, gen


def lists(data: gen.Data) -> Any:
    return data.draw(gen.lists(gen.integers()))


def dependent(data: gen.Data) -> Any:
    n = data.draw(gen.integers(0, 10))
    return n, data.draw(gen.lists(gen.integers(0, n), min_size=n, max_size=n))


def until_false(data: gen.Data) -> Any:
    drawn = []
    while data.draw(gen.booleans()) and len(drawn) < 20:
        drawn.append(data.draw(gen.integers(0, 100)))
    return drawn


def numbers(data: gen.Data) -> Any:
    return data.draw(gen.integers())


def nested(data: gen.Data) -> Any:
    pairs = gen.composite(lambda draw: (data.draw(gen.integers(0, 9)), draw(gen.integers(0, 9))))
    return [data.draw(pairs()) for _ in range(3)]


@pytest.mark.parametrize("draws", [lists, dependent, until_false, numbers])
@pytest.mark.parametrize("seed", range(3))
def test_hardly_any_input_comes_twice(draws: Callable[[gen.Data], Any], seed: int) -> None:
    seen: list[str] = []
    check(
        lambda data: seen.append(repr(draws(data))), gen.data(), max_examples=1000, database=None, seed=seed
    )
    assert len(seen) == 1000 and len(set(seen)) >= 970


def test_of_few_inputs_all_come() -> None:
    seen = set()
    check(
        lambda data: seen.add((data.draw(gen.integers(0, 9)), data.draw(gen.booleans()))),
        gen.data(),
        max_examples=300,
        database=None,
        seed=1,
    )
    assert len(seen) == 20


def test_other_arguments_count_too() -> None:
    seen: list[Any] = []
    check(
        lambda n, data: seen.append((n, data.draw(gen.integers(0, 3)))),
        gen.integers(),
        gen.data(),
        max_examples=1000,
        database=None,
        seed=1,
    )
    assert len(set(seen)) >= 970


def test_floats_that_are_equal_are_not_the_same() -> None:
    seen = set()
    check(
        lambda data: seen.add(repr(data.draw(gen.floats()))),
        gen.data(),
        max_examples=2000,
        database=None,
        seed=1,
    )
    assert {"0.0", "-0.0", "nan"} <= seen


@pytest.mark.parametrize("draws", [lists, dependent, until_false, nested])
@pytest.mark.parametrize("seed", range(5))
def test_what_fails_fails_again(draws: Callable[[gen.Data], Any], seed: int) -> None:
    def test(data: gen.Data) -> None:
        assert "7" not in repr(draws(data))

    report = check(test, gen.data(), max_examples=3000, database=None, seed=seed)
    assert report.status == "failed"
    assert report.first is not None and not report.first.flaky
    again = check(test, gen.data(), max_examples=3000, database=None, seed=seed)
    assert (again.failed_at, again.blob) == (report.failed_at, report.blob)
