"""A filter takes no more tries than ``assume`` on the same condition, and lets the same values through."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from everycase import HealthCheck, Phase, assume, check, gen
from everycase.choices.assumptions import making_values
from everycase.choices.enact import enact
from everycase.choices.sample import sampler
from everycase.errors import Discarded
from everycase.explore import Random

TREES: Any = gen.deferred(lambda: gen.none() | gen.tuples(TREES, gen.integers(0, 99), TREES))


def count(tree: Any) -> int:
    return 0 if tree is None else 1 + count(tree[0]) + count(tree[2])


#: Generators of the only argument, with a condition.
WHOLE: dict[str, tuple[gen.Gen[Any], Callable[[Any], Any]]] = {
    "long": (gen.lists(gen.integers()), lambda xs: len(xs) >= 14),
    "even sum": (gen.lists(gen.integers(0, 100)), lambda xs: len(xs) >= 6 and sum(xs) % 2 == 0),
    "text": (gen.text(), lambda text: len(text) >= 12),
    "large number": (gen.integers(), lambda n: n > 10**6),
    "few values": (gen.integers(0, 1000), lambda n: n % 7 == 3),
    "equal": (gen.tuples(gen.integers(), gen.integers()), lambda pair: pair[0] == pair[1]),
    "tree": (TREES, lambda tree: count(tree) >= 12),
}


def tries(test: Callable[..., Any], generator: gen.Gen[Any], asked: list[int]) -> float:
    """How often a condition is asked for each valid input."""
    asked[0] = valid = 0
    for seed in range(2):
        report = check(
            test,
            generator,
            seed=seed,
            max_examples=150,
            explore=Random(),
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        valid += report.examples
    return asked[0] / valid


@pytest.mark.parametrize("name", WHOLE)
def test_a_filter_takes_as_many_tries_as_assume(name: str) -> None:
    generator, condition = WHOLE[name]
    asked = [0]

    def counted(value: Any) -> Any:
        asked[0] += 1
        return condition(value)

    def test(value: Any) -> None:
        assume(counted(value))

    by_assume = tries(test, generator, asked)
    assert tries(lambda value: True, generator.filter(counted), asked) < 1.3 * by_assume


@pytest.mark.parametrize("around", ["tuple", "map", "one_of", "flatmap", "composite", "builds"])
def test_a_filter_inside_takes_about_as_many_tries(around: str) -> None:
    """It has nothing to divide its size with, so it draws one like that of a new input."""
    asked = [0]

    def long(xs: list[int]) -> bool:
        asked[0] += 1
        return len(xs) >= 14

    lists = gen.lists(gen.integers()).filter(long)

    @gen.composite
    def drawn(draw: gen.Draw) -> tuple[int, list[int]]:
        return draw(gen.integers(0, 9)), draw(lists)

    wholes: dict[str, gen.Gen[Any]] = {
        "tuple": gen.tuples(lists, gen.integers(0, 9)),
        "map": lists.map(len),
        "one_of": gen.one_of(lists, lists.map(tuple)),
        "flatmap": lists.flatmap(lambda xs: gen.integers(0, len(xs))),
        "composite": drawn(),
        "builds": gen.builds(dict, xs=lists),
    }
    plain = [0]

    def by_assume(xs: list[int]) -> None:
        plain[0] += 1
        assume(len(xs) >= 14)

    expected = tries(by_assume, gen.lists(gen.integers()), plain)
    wholes[around].sample(200, seed=1)
    assert asked[0] / 200 < 1.5 * expected


def test_the_values_that_a_filter_lets_through_are_as_large() -> None:
    long = gen.lists(gen.integers()).filter(lambda xs: len(xs) >= 8)
    lengths = sorted(map(len, long.sample(800, seed=1)))
    plain = [len(xs) for xs in gen.lists(gen.integers()).sample(8000, seed=2)]
    expected = sorted(length for length in plain if length >= 8)
    for share in (0.25, 0.5, 0.75):
        assert abs(lengths[int(share * 800)] - expected[int(share * len(expected))]) <= 3


def test_elements_of_a_list_stay_small() -> None:
    """Each element that is rejected may be larger the next time, but not as large as a whole input."""
    even = gen.lists(gen.integers(0, 9)).filter(lambda xs: sum(xs) % 2 == 0)
    filtered, plain = gen.lists(even), gen.lists(gen.lists(gen.integers(0, 9)))

    def mean(generator: gen.Gen[list[list[int]]]) -> float:
        return sum(sum(map(len, xss)) for xss in generator.sample(1000, seed=1)) / 1000

    assert mean(filtered) < 1.5 * mean(plain)


def test_a_rare_element_is_found_although_the_size_is_divided() -> None:
    """Before, the last of many elements was often too small to pass, and the whole list was given up."""
    long = gen.lists(gen.lists(gen.integers(0, 9)).filter(lambda xs: len(xs) >= 20), min_size=3, max_size=3)
    roll, discarded, seed = sampler(long), 0, 0

    for seed in range(300):
        try:
            roll(random.Random(seed).random, 3)
        except Discarded:
            discarded += 1
    assert discarded < 30


def labelled() -> gen.Gen[Any]:
    label = gen.lists(gen.integers()).filter(lambda xs: len(xs) % 3 == 1)
    tree: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(tree, label, tree))
    return tree


@gen.composite
def ascending(draw: gen.Draw) -> list[int]:
    xs = draw(gen.lists(gen.integers()))
    assume(len(xs) > 4)
    return sorted(xs)


#: Values that are rejected at several levels.
NESTED: dict[str, gen.Gen[Any]] = {
    "numbers": gen.lists(gen.integers().filter(lambda n: n > 1000)),
    "lists": gen.lists(gen.lists(gen.integers()).filter(lambda xs: len(xs) > 3)).filter(bool),
    "sets": gen.sets(gen.text("ab").filter(lambda text: "a" in text)).filter(lambda texts: len(texts) != 1),
    "labels": labelled(),
    "inside the recursion": gen.deferred(
        lambda: (gen.integers(0, 9) | gen.lists(NESTED["inside the recursion"])).filter(lambda x: x != [])
    ),
    "composites": gen.lists(ascending(), max_size=4),
    "flatmap": gen.lists(
        gen.integers(1, 4).flatmap(
            lambda n: gen.lists(gen.integers()).filter(lambda xs: len(xs) % n == 0 and xs)
        )
    ),
}


@pytest.mark.parametrize("name", NESTED)
def test_a_value_is_recorded_by_the_same_dice(name: str) -> None:

    generator = NESTED[name]
    for seed in range(30):
        results = []
        for make in (sampler(generator), lambda dice, size: enact(generator, None, dice, size).value):
            dice = random.Random(seed)
            try:
                with making_values():
                    results.append((repr(make(dice.random, seed * 5)), dice.random()))
            except Discarded:
                results.append(("discarded", dice.random()))
        assert results[0] == results[1]


def differs_from(text: str) -> Callable[[Any], bool]:
    return lambda value: repr(value) != text


@pytest.mark.parametrize("name", [*WHOLE, "two filters"])
def test_a_failing_input_behind_a_filter_is_recorded_as_it_was(name: str) -> None:
    """The case is made without the filter, and gets it back when it is recorded."""
    generator, condition = WHOLE.get(name, WHOLE["even sum"])
    if name == "two filters":
        generator = generator.filter(lambda xs: len(xs) < 60)
    filtered = generator.filter(condition)

    def run(test: Callable[[Any], Any]) -> Any:
        return check(
            test,
            filtered,
            seed=4,
            explore=Random(),
            phases=[Phase.generate],
            max_examples=200,
            database=None,
            suppress_health_check=list(HealthCheck),
        )

    seen: list[str] = []
    run(lambda value: seen.append(repr(value)))
    assert len(set(seen)) > 100
    for number in (3, 70, 95):
        report = run(differs_from(seen[number]))
        assert report.failed_at == number + 1
        (value,) = report.trace.value
        assert repr(value) == seen[number] and condition(value)
        assert repr(filtered.replay(report.trace.children[0]).value) == seen[number]


def test_a_larger_run_draws_again_in_larger_sizes() -> None:
    lengths: list[int] = []
    report = check(
        lambda xs, n: lengths.append(len(xs)),
        gen.lists(gen.integers(0, 9)).filter(lambda xs: len(xs) >= 100),
        gen.integers(0, 1),
        explore=Random(),
        size=3000,
        seed=1,
        max_examples=60,
        database=None,
    )
    assert report.examples == 60 and max(lengths) > 250


def test_no_more_values_are_made_than_tests_are_run() -> None:
    """At the end of a run one case is made to see whether there is another, not a whole batch."""
    made = [0]

    def count(n: int) -> int:
        made[0] += 1
        return n

    report = check(
        lambda n: None,
        gen.integers(0, 10**9).map(count),
        explore=Random(),
        seed=1,
        max_examples=300,
        database=None,
    )
    assert report.examples == 300 and made[0] < 340
