"""The dice: exhausted budgets, and lengths."""

from __future__ import annotations

import random
from typing import Any

import pytest

from everycase import check, gen
from everycase.choices.sample import sampler
from everycase.explore import Random
from everycase.gen.kinds import Const

NUMBERS = gen.integers(0, 99)

#: Collections and their least sizes: each is the base case of a recursion.
ENDS: dict[str, tuple[gen.Gen[Any], int]] = {
    "list": (gen.lists(NUMBERS, min_size=2), 2),
    "bounded list": (gen.lists(NUMBERS, min_size=2, max_size=400), 2),
    "unique list": (gen.lists(NUMBERS, min_size=3, unique=True), 3),
    "set": (gen.sets(gen.integers(), min_size=2), 2),
    "dictionary": (gen.dictionaries(gen.text("ab"), NUMBERS, min_size=1), 1),
    "text": (gen.text("ab", min_size=4), 4),
    "binary": (gen.binary(min_size=1), 1),
}


@pytest.mark.parametrize("name", ENDS)
def test_collections_below_a_recursion_that_used_up_its_budget_are_as_long_as_they_must_be(name: str) -> None:
    end, least = ENDS[name]
    value: gen.Gen[Any] = gen.deferred(lambda: end | gen.tuples(value, value) | gen.tuples(gen.tuples(value)))

    def short(made: Any) -> bool:
        return any(map(short, made)) if isinstance(made, tuple) else len(made) < least

    assert not any(map(short, value.sample(500, seed=0)))
    assert not any(short(value.record(seed).value) for seed in range(200))


def test_a_budget_never_gets_negative() -> None:
    sizes: list[int] = []
    leaf: gen.Gen[int] = Const(0)
    leaf._sampler = lambda random, size: sizes.append(size)  # records how much is left for it

    tree: gen.Gen[Any] = gen.deferred(lambda: leaf | gen.tuples(tree, tree) | gen.lists(tree, min_size=3))
    for seed in range(50):
        sampler(tree)(random.Random(seed).random, seed % 5)
    assert len(sizes) > 50 and min(sizes) == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("recursive", [False, True])
def test_an_option_that_can_never_be_made_is_never_taken(weighted: bool, recursive: bool) -> None:
    never = gen.tuples(gen.integers(), gen.nothing())
    value: gen.Gen[Any]
    more = gen.deferred(lambda: gen.tuples(value, value)) if recursive else gen.integers(0, 9)
    options = [never, gen.none(), more, never.map(str)]
    value = gen.frequency(*zip((4, 1, 2, 3), options)) if weighted else gen.one_of(*options)
    report = check(lambda made: None, value, explore=Random(), max_examples=200, seed=0)
    assert report.discarded == 0 and report.examples == 200
    assert {type(made) for made in value.sample(200, seed=0)} > {type(None)}
    assert {type(value.record(seed).value) for seed in range(50)} > {type(None)}
