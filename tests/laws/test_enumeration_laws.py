"""Laws of generators as sequences, for generators that are themselves drawn at random."""

from __future__ import annotations

import math
import os
import subprocess
import sys

from everycase import check, gen
from everycase.choices.dice import no_dice
from everycase.choices.enact import enact
from everycase.enumeration import trace_at


@gen.composite
def finite(draw, depth=2):
    """A generator of finitely many values, all different."""
    kinds = ["just", "integers", "booleans", "choice"]
    compound = ["product", "list", "map", "unique", "set", "dictionary", "dependent"]
    kind = draw(gen.sampled_from(kinds + compound * (depth > 0)))
    if kind == "just":
        return gen.just(draw(gen.integers(0, 3)))
    if kind == "integers":
        low = draw(gen.integers(-5, 5))
        return gen.integers(low, low + draw(gen.integers(0, 20)))
    if kind == "booleans":
        return gen.booleans()
    if kind == "choice":
        return gen.sampled_from("abcde"[: draw(gen.integers(1, 5))])
    if kind == "product":
        return gen.tuples(*[draw(finite(depth - 1)) for _ in range(draw(gen.integers(0, 3)))])
    if kind == "list":
        return gen.lists(draw(finite(0)), max_size=draw(gen.integers(0, 2)))
    if kind == "unique":
        return gen.lists(draw(finite(0)), max_size=draw(gen.integers(0, 2)), unique=True)
    if kind == "set":
        return gen.frozensets(draw(finite(0)), max_size=draw(gen.integers(0, 3)))
    if kind == "dictionary":
        keys, values = draw(finite(0)), draw(finite(0))
        return gen.dictionaries(keys, values, max_size=draw(gen.integers(0, 2)))
    if kind == "dependent":
        return draw(finite(0)).chain(lambda value: gen.integers(0, len(repr(value))))
    return draw(finite(depth - 1)).map(lambda value: ("mapped", value), inverse=lambda pair: pair[1])


def holds(law, *gens):
    report = check(law, *gens, max_examples=60, seed=4)
    assert report.status == "passed", str(report)


def test_iterating_is_indexing():
    def law(g):
        if len(g) <= 3000:
            assert list(g) == [g[i] for i in range(len(g))]

    holds(law, finite())


def test_index_is_the_inverse():
    def law(g):
        for i in range(0, len(g), max(1, len(g) // 50)):
            assert g.index(g[i]) == i
            assert g[i] in g

    holds(law, finite())


def test_traces_by_number_replay_to_the_value():
    def law(g):
        for i in range(0, len(g), max(1, len(g) // 20)):
            trace = trace_at(g, i)
            assert trace.value == g[i] == enact(g, trace, no_dice).value

    holds(law, finite())


def test_union_adds_product_multiplies_map_preserves():
    def law(a, b):
        assert (a | b).cardinality == a.cardinality + b.cardinality
        assert (a * b).cardinality == a.cardinality * b.cardinality
        assert a.map(repr).cardinality == a.cardinality
        assert gen.lists(a, min_size=2, max_size=2).cardinality == a.cardinality**2

    holds(law, finite(), finite())


def test_infinities_follow_their_arithmetic():
    endless = gen.integers()

    def law(a):
        assert (a | endless).cardinality == (endless * a).cardinality == math.inf
        assert (endless * gen.nothing()).cardinality == 0
        assert (gen.nothing() | a).cardinality == a.cardinality

    holds(law, finite())


def test_different_choices_give_different_values_where_parts_do():
    def law(g):
        if len(g) <= 3000:
            values = [repr(value) for value in g]
            assert len(set(values)) == len(values)

    holds(law, finite())


def test_sizes_partition_the_values():
    def law(g):
        if len(g) <= 1000:
            tiers = [g.of_size(n) for n in range(30)]
            assert sum(tier.cardinality for tier in tiers) == g.cardinality
            assert sorted(repr(v) for tier in tiers for v in tier) == sorted(map(repr, g))

    holds(law, finite())


ORDER = """
from everycase import gen
from everycase.enumeration.structures import class_hierarchies, red_black_trees
from itertools import islice
trees = gen.deferred(lambda: gen.sampled_from(["a", "b"]) | gen.tuples(trees, trees))
for g in (trees, gen.lists(gen.integers()), gen.from_iterable({"x", "y", "zz"}), red_black_trees(9), class_hierarchies(2)):
    print(list(islice(g, 300)), [g[i] for i in (0, 1, 2)])
"""


def test_the_order_is_the_same_for_every_hash_seed():
    outputs = set()
    for seed in ("0", "1", "77"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", ORDER], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_the_order_is_frozen():
    """Indices appear in people's bug reports: changing these needs a new version of the format."""
    trees = gen.deferred(lambda: gen.just("L") | gen.tuples(trees, trees))
    assert trees[100] == ("L", ((("L", ("L", "L")), ("L", "L")), "L"))
    assert (gen.integers() * gen.integers())[1000] == (-4, -16)
    assert gen.lists(gen.integers(0, 9), max_size=5)[54321] == [4, 3, 2, 1, 0]
    assert gen.tuples(gen.booleans(), gen.integers(0, 4999), gen.booleans())[12_345] == (False, 3100, True)
    assert gen.lists(gen.integers())[1000] == [-4, -1, -2]
