"""Which parts of a counterexample do not matter."""

from __future__ import annotations

import random
from typing import Any

import pytest

from everycase import assume, check, gen
from everycase.run.explain import CALLS
from everycase.run.settings import Phase
from sample_types import Order

OPTIONS: dict[str, Any] = {"database": None, "seed": 3}


def parts(report: Any) -> list[str]:
    return [idle.part for idle in report.first.idle]


def test_arguments_fields_and_elements() -> None:
    report = check(lambda a, b: a < 10, gen.integers(), gen.text(), **OPTIONS)
    assert parts(report) == ["b"]
    assert "b seems not to matter: 50 other values failed too" in str(report)
    report = check(
        lambda xs, order: not (len(xs) > 1 and order.count > 5),
        gen.lists(gen.integers()),
        gen.builds(Order, gen.text(), gen.integers()),
        **OPTIONS,
    )
    assert parts(report) == ["xs[0]", "xs[1]", "order.name"]
    assert "xs[0], xs[1] and order.name seem not to matter" in str(report)


def test_what_matters_is_not_named() -> None:
    report = check(lambda a, b: a + b < 100, gen.integers(), gen.integers(), **OPTIONS)
    assert parts(report) == []
    assert "not to matter" not in str(report)


def test_a_part_without_other_values_is_not_named() -> None:
    report = check(lambda a, b: a < 10, gen.integers(), gen.just(3), **OPTIONS)
    assert parts(report) == []


def test_discarded_inputs_say_nothing() -> None:
    def test(a: int, b: int) -> None:
        assume(b == 7)
        assert a < 10

    report = check(test, gen.integers(), gen.integers(0, 10), **OPTIONS)
    assert report.status == "failed" and parts(report) == []


def test_the_number_of_calls_is_bounded() -> None:
    calls = 0

    def test(*args: int) -> None:
        nonlocal calls
        calls += 1
        assert len(args) < 3

    report = check(test, *[gen.integers()] * 40, **OPTIONS)
    assert report.first is not None
    assert calls <= report.examples + report.first.shrink_calls + CALLS + 5


def test_the_phase_can_be_left_out() -> None:
    phases = [phase for phase in Phase if phase is not Phase.explain]
    report = check(lambda a, b: a < 10, gen.integers(), gen.text(), phases=phases, **OPTIONS)
    assert parts(report) == []


def test_tools_get_it_as_data() -> None:
    report = check(lambda a, b: a < 10, gen.integers(), gen.text(), **OPTIONS)
    assert report.to_json()["failures"][0]["idle"] == [{"part": "b", "others": 50}]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("test", "gens"),
    [
        (lambda a, b: a != 0 and b != 0, 2),
        (lambda a, b: a == b, 2),
        (lambda a, b: a == b + 1, 2),
        (lambda a, b, c: len({a, b, c}) == 3, 3),
        (lambda a, b: a % 7 == 3, 2),
        (lambda a, b: a > 0 or b > 0, 2),
        (lambda a, b, c: (a < 5 and b < 5) or c < 5, 3),
    ],
    ids=[
        "either is zero",
        "equal",
        "next",
        "all different",
        "one in seven",
        "none above zero",
        "two together",
    ],
)
def test_what_is_named_does_not_matter_together(test: Any, gens: int, seed: int) -> None:
    """All named parts get other values at once: the test fails with nearly all of them."""
    report = check(test, *[gen.integers(0, 50)] * gens, database=None, seed=seed)
    assert report.counterexample is not None
    named = [ord(part) - ord("a") for part in parts(report)]
    dice, passed = random.Random(seed), 0
    for _ in range(300):
        args = [dice.randint(0, 50) if i in named else n for i, n in enumerate(report.counterexample)]
        passed += bool(test(*args))
    assert passed <= 15, (parts(report), report.counterexample)


def test_elements_of_a_list_that_do_not_matter() -> None:
    report = check(lambda xs: not (len(xs) > 2 and xs[1] > 5), gen.lists(gen.integers()), **OPTIONS)
    assert parts(report) == ["xs[0]", "xs[2]"]


def test_of_few_other_values_all_are_tried() -> None:
    report = check(lambda a, flag: a < 10, gen.integers(), gen.booleans(), **OPTIONS)
    assert parts(report) == ["flag"] and report.first is not None and report.first.idle[0].others == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("test", "other"),
    [
        (lambda n, f: not (n > 5 and f == f), gen.floats()),
        (lambda n, f: not (n > 5 and abs(f) != float("inf")), gen.floats()),
        (lambda n, xs: not (n > 5 and len(xs) < 30), gen.lists(gen.integers())),
        (lambda n, date: not (n > 5 and date.month != 2), gen.dates()),
    ],
    ids=["nan", "infinity", "long", "february"],
)
def test_what_matters_rarely_is_not_named(test: Any, other: Any, seed: int) -> None:
    report = check(test, gen.integers(), other, database=None, seed=seed)
    assert report.status == "failed" and parts(report) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("exception", [0, 77, 200])
def test_one_of_few_values_that_passes_is_found(exception: int, seed: int) -> None:
    numbers = gen.integers(0, 200)
    report = check(lambda a, b: a < 100 or b == exception, numbers, numbers, database=None, seed=seed)
    assert report.status == "failed" and parts(report) == []


def test_all_of_few_values_are_tried() -> None:
    numbers = gen.integers(0, 200)
    report = check(lambda a, b: a < 100, numbers, numbers, **OPTIONS)
    assert report.first is not None
    assert [(idle.part, idle.others) for idle in report.first.idle] == [("b", 200)]
    order = gen.builds(Order, gen.text("abc", max_size=3), gen.integers(0, 9))
    report = check(lambda order: order.count < 4, order, **OPTIONS)
    assert report.first is not None
    assert [(idle.part, idle.others) for idle in report.first.idle] == [("order.name", 39)]
