"""Random values are distributed as the rules say.

Each test computes the exact probabilities from the rules (how often an edge value occurs, how the size budget is split)
without using the dice, and compares them with counts from a fixed seed. For a random seed, a correct implementation
would exceed the bounds with a probability of at most one in a million (``ALARM``).
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from everycase import check, gen
from everycase.choices.dice import (
    FEW_BITS,
    FULL_SHARE,
    FULL_SIZE,
    MAGNITUDES,
    REPEAT_SHARE,
    USUAL_LENGTH,
    draw_size,
    split,
)
from everycase.choices.floats import EDGE_SHARE
from everycase.choices.sample import sampler
from everycase.gen import unicode
from everycase.gen.kinds import Float, Int

ALARM = 1e-6
#: the standard normal distribution exceeds this with probability ALARM on either side
Z = 4.9


def check_frequencies(counts: Mapping[Any, int], expected: Mapping[Any, float]) -> None:
    """Chi-square: the outcomes are exactly the expected ones, with the expected frequencies. Rare outcomes are pooled."""
    assert set(counts) <= set(expected), set(counts) - set(expected)
    assert math.isclose(sum(expected.values()), 1)
    total = sum(counts.values())
    pooled: list[tuple[int, float]] = []
    rare = (0, 0.0)
    for outcome, probability in expected.items():
        if probability * total >= 10:
            pooled.append((counts.get(outcome, 0), probability * total))
        else:
            rare = (rare[0] + counts.get(outcome, 0), rare[1] + probability * total)
    if rare[1] >= 10:
        pooled.append(rare)
    statistic = sum((seen - wanted) ** 2 / wanted for seen, wanted in pooled)
    freedom = len(pooled) - 1
    # Wilson and Hilferty: the cube root of a chi-square variable is nearly normal.
    spread = 2 / (9 * freedom)
    assert statistic < freedom * (1 - spread + Z * math.sqrt(spread)) ** 3, statistic


def check_share(hits: int, total: int, probability: float) -> None:
    """Binomial, by its normal approximation."""
    assert total * probability >= 10, "too few expected to say anything"
    assert abs(hits - total * probability) < Z * math.sqrt(total * probability * (1 - probability)) + 1


def check_cumulative(values: Iterable[float], below: Mapping[float, float]) -> None:
    """Dvoretzky, Kiefer, Wolfowitz: how far an empirical distribution function may be from the true one."""
    found = sorted(values)
    bound = math.sqrt(math.log(2 / ALARM) / (2 * len(found)))
    for limit, probability in below.items():
        share = sum(value <= limit for value in found) / len(found)
        assert abs(share - probability) < bound, (limit, share, probability)


def draws(node: gen.Gen[Any], n: int, size: int = 20, seed: int = 0) -> list[Any]:
    roll, dice = sampler(node), random.Random(seed).random
    return [roll(dice, size) for _ in range(n)]


# --- scalars --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "node",
    [
        gen.booleans(),
        gen.integers(-3, 5),
        gen.sampled_from("abcdefg"),
        gen.integers(0, 9).map(lambda n: n * 7),
    ],
    ids=repr,
)
def test_small_ranges_are_uniform(node: gen.Gen[Any]) -> None:
    counts = Counter(draws(node, 20_000))
    check_frequencies(counts, {value: 1 / len(node) for value in node})


@pytest.mark.parametrize("bounds", [(0, 999), (-500, 499), (37, 300)])
def test_ranges_are_uniform_but_for_the_edges(bounds: tuple[int, int]) -> None:
    low, high = bounds
    node = gen.integers(low, high)
    assert isinstance(node, Int)
    edges = Counter(node.edges)
    assert edges[low] > 1 and edges[high] > 1, "the ends are worth the most"
    assert {n for n in (0, 1, -1, 64, 255, 256) if low <= n <= high} <= set(edges)
    expected = {
        n: (1 - node.share) / (high - low + 1) + node.share * edges[n] / len(node.edges)
        for n in range(low, high + 1)
    }
    check_frequencies(Counter(draws(node, 200_000)), expected)


@pytest.mark.parametrize("size", [1, 4, 5, 14], ids=lambda size: f"{MAGNITUDES[size]} bits")
def test_unbounded_integers_spread_over_the_orders_of_magnitude(size: int) -> None:
    node = gen.integers()
    assert isinstance(node, Int)
    most = MAGNITUDES[size]

    def has_bits(bits: int) -> float:
        """The bits of wide numbers come from a squared uniform, those of narrow ones from its root."""
        if most <= FEW_BITS:
            return ((bits + 1) ** 2 - bits**2) / most**2
        return math.sqrt((bits + 1) / most) - math.sqrt(bits / most)

    def chance(limit: int) -> float:
        """The probability that the magnitude is at most ``limit``: first draw the number of bits, then the bits."""
        drawn = sum(has_bits(bits) * min(1.0, (limit + 1) / (2 << bits)) for bits in range(most))
        edges = sum(abs(edge) <= limit for edge in node.edges) / len(node.edges)
        return (1 - node.share) * drawn + node.share * edges

    found = draws(node, 30_000, size)
    check_cumulative([abs(n) for n in found], {10**k: chance(10**k) for k in range(21)})
    # Both signs are equally likely, but zero has none.
    zero = sum(has_bits(bits) / (2 << bits) for bits in range(most))
    negative = (1 - node.share) * (1 - zero) / 2 + node.share * sum(e < 0 for e in node.edges) / len(
        node.edges
    )
    # The table of spans has steps, of which the two signs have almost the same share.
    assert abs(sum(n < 0 for n in found) / len(found) - negative) < 0.02


def test_numbers_of_one_test_have_one_magnitude() -> None:
    """So that two of them are sometimes equal."""
    pairs = draws(gen.tuples(gen.integers(), gen.integers()), 2000, size=4)
    assert sum(a == b and abs(a) > 2 for a, b in pairs) > 20
    found = gen.integers().sample(20_000, seed=0)
    assert sum(abs(n) >= 2**64 for n in found) > 400, "and big ones are not rare"


def test_special_floats_have_the_share_that_the_edges_give_them() -> None:
    node = gen.floats()
    assert isinstance(node, Float)
    found = Counter(map(repr, draws(node, 100_000)))
    edges = Counter(map(repr, node.edges))
    for special in ("nan", "inf", "-inf", "-0.0", "5e-324", "1.7976931348623157e+308"):
        assert edges[special] >= 1
        check_share(found[special], 100_000, EDGE_SHARE * edges[special] / len(node.edges))
    assert EDGE_SHARE * edges["nan"] / len(node.edges) > 0.01, "one in a hundred is nan"


def test_the_ends_of_a_float_range_are_seen() -> None:
    node = gen.floats(-0.75, 3.25)
    assert isinstance(node, Float)
    found, edges = Counter(draws(node, 100_000)), Counter(node.edges)
    for end in (-0.75, 3.25, math.nextafter(-0.75, 1), math.nextafter(3.25, 0)):
        expected = EDGE_SHARE * edges[end] / len(node.edges)
        assert expected > 0.002
        assert found[end] >= 100_000 * expected - Z * math.sqrt(100_000 * expected)


def test_two_fifths_of_a_float_range_are_uniform() -> None:
    """The uniform part of the dice gives every tenth of the range at least its share."""
    found = Counter(int((x - 1) * 10) for x in draws(gen.floats(1, 2), 50_000) if x < 2)
    for tenth in range(10):
        assert found[tenth] >= 50_000 * 0.04 - Z * math.sqrt(50_000 * 0.04)


# --- text -----------------------------------------------------------------------------------------------


def test_characters_are_mostly_readable_and_sometimes_tricky() -> None:
    found = Counter(draws(gen.characters(), 200_000))
    readable, tricky, everything = len(unicode.READABLE), len(unicode.TRICKY), 0x110000 - 0x800
    weight = readable * 9 + tricky
    expected = dict.fromkeys(unicode.READABLE, 0.95 * 9 / weight + 0.05 / everything)
    expected |= dict.fromkeys(unicode.TRICKY, 0.95 / weight + 0.05 / everything)
    other = sum(n for c, n in found.items() if c not in expected)
    known = {c: n for c, n in found.items() if c in expected}
    check_frequencies({**known, "other": other}, {**expected, "other": 1 - sum(expected.values())})
    assert not any(0xD800 <= ord(c) < 0xE000 for c in found)


# --- choice ---------------------------------------------------------------------------------------------


def test_weights_are_kept() -> None:
    node = gen.frequency((1, gen.just("a")), (2.5, gen.just("b")), (6.5, gen.just("c")))
    check_frequencies(Counter(draws(node, 20_000)), {"a": 0.1, "b": 0.25, "c": 0.65})


def test_options_are_equally_likely_however_they_are_nested() -> None:
    a, b, c, d = (gen.just(letter) for letter in "abcd")
    check_frequencies(Counter(draws((a | b) | (c | d), 20_000)), dict.fromkeys("abcd", 0.25))


# --- sizes ----------------------------------------------------------------------------------------------


def test_the_size_budget_is_spread_over_the_orders_of_magnitude() -> None:
    dice = random.Random(0).random
    found = Counter(draw_size(dice) for _ in range(50_000))
    scale = math.log(FULL_SIZE + 1)
    expected = {size: math.log((size + 1) / size) / scale for size in range(1, FULL_SIZE + 1)}
    check_frequencies(found, expected)


def length_chances(room: int, full: int) -> dict[int, float]:
    """Lists of up to ``room`` elements, all lengths equally likely; one in 32 has the maximum length."""
    chances = dict.fromkeys(range(room + 1), (1 - FULL_SHARE) / (room + 1))
    chances[full] = chances.get(full, 0.0) + FULL_SHARE
    return chances


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 5, 20])
def test_lengths_are_spread_and_include_the_ends(most: int) -> None:
    node = gen.lists(gen.booleans(), max_size=most)
    check_frequencies(Counter(map(len, draws(node, 50_000))), length_chances(most, most))


@pytest.mark.parametrize("size", [1, 10, 100])
def test_lists_without_a_bound_keep_to_a_part_of_the_budget(size: int) -> None:
    found = Counter(map(len, draws(gen.lists(gen.booleans()), 50_000, size=size)))
    check_frequencies(found, length_chances(USUAL_LENGTH[size], size))


def test_mean_lengths_are_near_those_that_people_know() -> None:
    """Hypothesis' means are about eight and six. A run hardly ever makes a value twice, so its values are longer than
    sampled ones. The tail extends to the whole budget.
    """
    for node in (gen.lists(gen.integers()), gen.text(), gen.binary()):
        lengths: list[int] = []
        check(lambda value: lengths.append(len(value)), node, seed=0, max_examples=10_000, database=None)  # noqa: B023
        assert 6 < statistics.mean(lengths) < 9, node
        assert max(lengths) > 0.9 * FULL_SIZE


def repetition_chance(n: int) -> float:
    """The probability that a list of ``n`` elements that should repeat some does: each position gets one of some
    labels.
    """
    chance = 0.0
    for labels in (1, 2, max(2, n - 1), max(2, n // 2)):
        chance += (1 - math.prod(max(0, labels - k) / labels for k in range(1, n))) / 4
    return chance


@pytest.mark.slow
@pytest.mark.parametrize("bounds", [(0, 20), (2, 2), (7, 7)])
def test_some_lists_repeat_elements(bounds: tuple[int, int]) -> None:
    """Elements from a huge range hardly ever coincide by chance, so repetitions are those made on purpose."""
    low, high = bounds
    node = gen.lists(Int(0, 10**12, 0), min_size=low, max_size=high)
    found = sum(len(set(xs)) < len(xs) for xs in draws(node, 50_000))
    chances = [repetition_chance(n) for n in range(low, high + 1)]
    check_share(found, 50_000, REPEAT_SHARE * sum(chances) / len(chances))


def leaves(tree: Any) -> int:
    return leaves(tree[0]) + leaves(tree[1]) if isinstance(tree, tuple) else 1


def leaf_chances(budget: int) -> list[dict[int, float]]:
    """For each budget, the distribution of the number of leaves of a binary tree, by convolution.

    A leaf has probability 1/(budget + 1); otherwise one is spent, and every split of the rest is equally likely.
    """
    known: list[dict[int, float]] = [{1: 1.0}]
    for size in range(1, budget + 1):
        chances: dict[int, float] = {1: 1 / (size + 1)}
        for left in range(size):
            for a, p in known[left].items():
                for b, q in known[size - 1 - left].items():
                    chances[a + b] = chances.get(a + b, 0.0) + p * q / (size + 1)
        known.append(chances)
    return known


@pytest.mark.parametrize("budget", [4, 12, 30])
def test_recursive_values_use_their_budget(budget: int) -> None:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.just(0) | gen.tuples(trees, trees))
    chances = leaf_chances(budget)[budget]
    found = Counter(map(leaves, draws(trees, 20_000, size=budget)))
    check_frequencies(found, chances)
    assert max(found) <= budget + 1, "never above the budget"
    median = next(k for k in sorted(chances) if sum(p for n, p in chances.items() if n <= k) >= 0.5)
    assert budget / 3 < median < budget, "neither a leaf nor always full"


def test_a_budget_is_split_among_three_as_the_rule_says() -> None:
    """The first of three gets ``a`` of ``n`` with probability ``(2(n - a) + 1) / (n + 1)**2``: the area of a strip of
    a triangle. The second gets any share of the rest, all equally likely."""
    dice = random.Random(0).random
    n = 6
    expected = {
        (a, b, n - a - b): (2 * (n - a) + 1) / (n + 1) ** 2 / (n - a + 1)
        for a in range(n + 1)
        for b in range(n - a + 1)
    }
    check_frequencies(Counter(tuple(split(n, 3, dice)) for _ in range(50_000)), expected)


@pytest.mark.slow
def test_one_run_has_tiny_and_large_values() -> None:
    """Over all budgets of a run, the mean number of leaves equals the recursion of the means."""
    means = [1.0]
    for size in range(1, FULL_SIZE + 1):
        means.append((1 + 2 * sum(means)) / (size + 1))
    scale = math.log(FULL_SIZE + 1)
    expected = sum(means[size] * math.log((size + 1) / size) / scale for size in range(1, FULL_SIZE + 1))
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.just(0) | gen.tuples(trees, trees))
    found = [leaves(tree) for tree in trees.sample(5000, seed=0)]
    error = statistics.stdev(found) / math.sqrt(len(found))
    assert abs(statistics.mean(found) - expected) < Z * error
    # And the small ones of the small budgets, exactly.
    dice = random.Random(0).random
    roll, limit = sampler(trees), 40
    kept = [
        (size, leaves(roll(dice, size))) for size in (draw_size(dice) for _ in range(6000)) if size <= limit
    ]
    chances = leaf_chances(limit)
    weights = {size: math.log((size + 1) / size) / math.log(limit + 1) for size in range(1, limit + 1)}
    below = {
        most: sum(
            weight * sum(p for n, p in chances[size].items() if n <= most) for size, weight in weights.items()
        )
        for most in (1, 2, 4, 8, 16, 32)
    }
    check_cumulative([count for _, count in kept], below)
