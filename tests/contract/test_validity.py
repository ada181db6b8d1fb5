"""A few random nestings through the validity oracle; ``python tests/contract/validity.py 5000`` tries many."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from validity import faults

from everycase import gen
from everycase.errors import GeneratorError, NotCountable


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::everycase.errors.EverycaseWarning")
@pytest.mark.parametrize("seed", range(40))
def test_every_way_to_make_a_value_makes_one_of_those_described(seed: int) -> None:
    assert faults(seed) == {}


def test_the_number_of_a_value_is_that_of_this_very_one_where_a_filter_tells_equal_ones_apart() -> None:
    numbers = gen.decimals(-1, 1).filter(lambda number: str(number) != "0")
    assert str(numbers[numbers.index(Decimal("0.00"))]) == "0.00"


def test_an_equal_value_will_do_if_it_is_made() -> None:
    prices = gen.decimals(0, 1, places=2)
    assert str(prices[prices.index(Decimal("0.5"))]) == "0.50"
    assert Decimal("0.5") not in prices.filter(lambda price: str(price) != "0.50")
    assert Decimal("0.555") not in prices


@pytest.mark.parametrize("way", ["sample", "record"])
def test_a_filter_that_nothing_passes_is_said_in_the_same_words_however_a_value_is_asked_for(
    way: str,
) -> None:
    nothing = gen.integers(0, 9).filter(lambda n: n > 9)
    with pytest.raises(GeneratorError, match="made no value in 100 tries"):
        nothing.sample(1, seed=0) if way == "sample" else nothing.record(seed=0)


@pytest.mark.parametrize(
    "values",
    [gen.integers(min_value=0), gen.fixed_dictionaries({"a": gen.text(max_size=100)})],
    ids=["endless", "many"],
)
def test_dictionaries_of_more_keys_than_a_float_counts(values: gen.Gen[object]) -> None:
    pairs = gen.dictionaries(gen.text(max_size=100), values, max_size=4)
    with suppress(NotCountable):  # an error says so, and no law is broken
        assert pairs[0] == {}
    assert len(pairs.sample(5, seed=0)) == 5


@pytest.mark.parametrize("seed", [92, 256])
def test_a_list_of_distinct_elements_that_loses_many_of_them_in_one_step_of_shrinking_is_shrunk(
    seed: int,
) -> None:
    assert faults(seed) == {}


def test_filters_on_a_recursion_do_not_make_the_work_grow_with_the_depth() -> None:
    # Each rejection makes everything below again, including the rejections there.
    asked = 0

    def odd(value: object) -> bool:
        nonlocal asked
        asked += 1
        return len(str(value)) % 3 > 0

    numbers = gen.integers(0, 999)
    trees = gen.deferred(
        lambda: numbers | gen.tuples(trees, trees, trees).filter(odd).filter(odd).filter(odd)
    )
    for seed in range(20):
        trees.sample(1, seed=seed)
        trees.record(seed)
    assert asked < 40 * 30_000
