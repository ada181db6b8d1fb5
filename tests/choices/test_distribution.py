"""The picture of a generator's distribution, checked against manual counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import errors, gen


def test_counts_are_those_of_the_same_sample() -> None:
    node = gen.lists(gen.integers(0, 100), max_size=5)
    found = node.describe(500, seed=1)
    values = node.sample(500, seed=1)
    assert found.count == 500
    assert found.lengths == Counter(map(len, values))
    assert found.choices == Counter(len(xs) + 1 for xs in values)
    assert found.distinct == len({repr(xs) for xs in values})
    assert found.frequent[0] == Counter(map(repr, values)).most_common(1)[0]
    edges: Any = gen.integers(0, 100)
    assert found.edges == sum(x in edges.edges for xs in values for x in xs)
    assert found.numbers == sum(map(len, values))
    assert found.examples[0] == "[]"


def test_text_html_and_data_say_the_same() -> None:
    found = gen.text("<&>", max_size=30).describe(300, seed=1)
    text, page, data = str(found), found.to_html(), found.to_json()
    assert f"mean {sum(n * k for n, k in found.lengths.items()) / 300:.1f}" in text
    assert "&lt;" in page and "<&" not in page.replace("<&lt;", "")
    assert sum(data["length"].values()) == data["count"] == 300
    assert "Length: mean" in page and "Most frequent" in page and "<script" not in page


def test_long_values_that_begin_alike_are_different() -> None:
    found = gen.integers(0, 10**9).map(lambda n: ["x" * 100, n]).describe(300, seed=1)
    values = gen.integers(0, 10**9).sample(300, seed=1)
    assert found.distinct == len(set(values))
    assert max([times for _, times in found.frequent], default=1) == max(Counter(values).values())


def test_characters_are_no_numbers() -> None:
    assert gen.text().describe(50, seed=1).numbers == 0
    assert gen.binary().describe(50, seed=1).numbers == 0
    both = gen.tuples(gen.text(), gen.integers())
    assert both.describe(50, seed=1).numbers == 50


def test_depth_of_recursive_values() -> None:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))

    def depth(tree: Any) -> int:
        return 1 + (max(map(depth, tree)) if tree else 0)

    found = trees.describe(200, seed=2)
    assert found.depths == Counter(depth(tree) for tree in trees.sample(200, seed=2))


def test_values_that_do_not_print_or_cannot_be_made() -> None:
    @dataclass
    class Bad:
        x: int

        def __repr__(self) -> str:
            raise ValueError("no")

    assert "whose repr raised ValueError" in str(gen.builds(Bad, gen.integers()).describe(10, seed=0))
    with pytest.raises(errors.GeneratorError, match="almost never pass"):
        gen.integers().filter(lambda n: False).describe(10)
    with pytest.raises(errors.InvalidArgument):
        gen.integers().describe(-1)
    assert gen.just(3).describe(5, seed=0).histograms() == []
