"""Counting, indexing, recording and ranking agree with each other and with closed forms."""

from __future__ import annotations

import math
import sys
from collections import Counter
from fractions import Fraction
from itertools import islice, product
from typing import Any

import pytest

from everycase import check, errors, gen
from everycase.choices.dice import no_dice
from everycase.choices.enact import enact
from everycase.choices.trace import Trace
from everycase.enumeration import trace_at, trace_of
from everycase.enumeration.spaces.endless import pair, root, unpair

trees = gen.deferred(lambda: gen.just("L") | gen.tuples(trees, trees))
terms = gen.deferred(
    lambda: gen.integers() | gen.sampled_from([1, 2]).flatmap(lambda n: gen.tuples(*[terms] * n))
)
chains = gen.deferred(lambda: gen.none() | gen.tuples(chains))

SPACES = {
    "small range": gen.integers(-3, 3),
    "all integers": gen.integers(),
    "from below": gen.integers(-5),
    "from above": gen.integers(max_value=-3),
    "wide, off centre": gen.integers(-100_000, 20),
    "wide, from an end": gen.integers(0, 10**12),
    "blocks": gen.tuples(gen.booleans(), gen.integers(0, 4999)),
    "blocks in the middle": gen.tuples(gen.integers(0, 4), gen.integers(0, 2999), gen.integers(0, 1999)),
    "pairs": gen.integers() * gen.integers(),
    "mixed infinities": gen.tuples(gen.booleans(), gen.integers(), gen.integers(0), gen.integers()),
    "lists of booleans": gen.lists(gen.booleans()),
    "lists of integers": gen.lists(gen.integers()),
    "short lists": gen.lists(gen.integers(0, 3), max_size=3),
    "trees": trees,
    "union of infinities": trees | gen.integers() | gen.booleans(),
    "lists of trees": gen.lists(trees),
    "pairs of trees": trees * trees,
    "many trees": gen.tuples(trees, trees, trees, trees),
    "wide recursion": gen.deferred(lambda: gen.booleans() | gen.tuples(*[trees] * 4)),
    "filtered": gen.integers(0, 99).filter(lambda n: n % 3 == 0),
    "dependent": gen.integers(0, 5).flatmap(lambda n: gen.lists(gen.integers(0, 9), min_size=n, max_size=n)),
    "infinitely many, each finite": gen.integers().flatmap(lambda n: gen.tuples(gen.just(n), gen.booleans())),
    "infinitely many, each infinite": gen.integers().flatmap(
        lambda n: gen.tuples(gen.just(n), gen.integers())
    ),
    "recursion through flatmap": terms,
}


def first(source, n):
    """The first values with their indices."""
    result = []
    for i in range(n):
        try:
            result.append((i, source[i]))
        except IndexError:
            break
    return result


@pytest.mark.parametrize("source", SPACES.values(), ids=SPACES.keys())
def test_the_trace_of_a_number_is_what_enact_would_record(source):
    for i, value in first(source, 200):
        trace = trace_at(source, i)
        assert trace.value == value
        assert enact(source, trace, no_dice).value == value
        assert enact(source, Trace.from_json(trace.to_json()), no_dice).value == value


@pytest.mark.parametrize("source", SPACES.values(), ids=SPACES.keys())
def test_no_number_repeats_a_trace(source):
    seen = [repr(trace_at(source, i).to_json()) for i, _ in first(source, 400)]
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("source", SPACES.values(), ids=SPACES.keys())
def test_index_is_the_inverse_of_indexing(source):
    try:
        trace_of(source, source[0])
    except errors.NotInvertible:
        assert "infinit" in next(name for name, known in SPACES.items() if known is source)
        return
    for i, value in first(source, 200):
        assert source.index(value) == i


@pytest.mark.parametrize("number", [10**18, 10**40 + 12345, 10**300])
def test_large_numbers_decode_and_rank(number):
    for source in (gen.integers(), gen.integers() * gen.integers(), gen.lists(gen.booleans()), trees):
        assert source.index(source[number]) == number


def test_cardinalities():
    assert gen.integers(-3, 3).cardinality == 7
    assert (gen.booleans() | gen.integers(0, 9)).cardinality == 12
    assert (gen.booleans() * gen.integers(0, 9)).cardinality == 20
    assert gen.lists(gen.integers(0, 3), max_size=3).cardinality == 1 + 4 + 16 + 64
    assert gen.lists(gen.nothing()).cardinality == 1
    assert gen.nothing().cardinality == 0
    assert (gen.integers() * gen.nothing()).cardinality == 0
    assert trees.cardinality == math.inf
    assert gen.integers(0, 10**400).cardinality == 10**400 + 1


def test_unions_add_and_products_multiply_in_natural_order():
    a, b = gen.integers(1, 3), gen.sampled_from("xy")
    assert list(a | b) == [1, 2, 3, "x", "y"]
    assert list(a * b) == list(product([1, 2, 3], "xy"))
    assert list(a.map(str)) == ["1", "2", "3"]


def test_the_largest_part_is_most_significant_in_blocks_of_1024():
    values = list(gen.booleans() * gen.integers(0, 1499))
    blocks = [range(1024), range(1024, 1500)]
    assert values == [(flag, n) for block in blocks for flag in (False, True) for n in block]


def test_integers_in_natural_order():
    assert list(islice(gen.integers(), 7)) == [0, -1, 1, -2, 2, -3, 3]
    assert list(islice(gen.integers(7), 3)) == [7, 8, 9]
    assert list(islice(gen.integers(max_value=7), 3)) == [7, 6, 5]
    assert list(gen.integers(-2, 2)) == [-2, -1, 0, 1, 2]


def test_trees_by_size_are_catalan_numbers():
    counts = [math.comb(2 * n, n) // (n + 1) for n in range(10)]
    start = 0
    for size, count in enumerate(counts):
        for i in range(start, start + min(count, 20)):
            assert repr(trees[i]).count("(") == size
        start += count


def test_infinite_unions_are_fair():
    mixed = gen.integers(0) | gen.booleans() | gen.integers(max_value=-1)
    assert list(islice(mixed, 6)) == [False, True, 0, -1, 1, -2]


def test_infinite_products_are_fair():
    values = list(islice(gen.integers(0) * gen.integers(0), 100))
    assert sorted(values) == sorted(product(range(10), repeat=2))


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_pairing_is_a_bijection_that_fills_cubes(k):
    side = {1: 50, 2: 12, 3: 5, 4: 3}[k]
    tuples = [tuple(unpair(n, k)) for n in range(side**k)]
    assert sorted(tuples) == sorted(product(range(side), repeat=k))
    assert [pair(t) for t in tuples] == list(range(side**k))


def test_roots_are_exact():
    for k in (2, 3, 5):
        for base in (1, 2, 7, 10**30):
            assert root(base**k, k) == base
            assert root(base**k - 1, k) == base - 1
            assert root((base + 1) ** k - 1, k) == base


def test_negative_numbers_count_from_the_end():
    assert gen.integers(0, 9)[-1] == 9
    with pytest.raises(IndexError):
        gen.integers(0, 9)[-11]
    with pytest.raises(IndexError, match="infinitely many"):
        gen.integers()[-1]


def test_a_huge_negative_number_is_named_with_its_sign():
    with pytest.raises(IndexError, match=r"index about -2\*\*1328 is out of range"):
        gen.booleans()[-(10**400)]


def test_slices_are_lazy():
    source = gen.integers(0, 10**30)
    piece = source[10**29 : 10**29 + 30 : 10]
    assert len(piece) == 3
    assert list(piece) == [10**29, 10**29 + 10, 10**29 + 20]
    assert piece[-1] == 10**29 + 20
    assert list(source[-2:]) == [10**30 - 1, 10**30]
    assert list(islice(gen.integers()[3:], 2)) == [-2, 2]
    assert list(gen.integers(0, 4)[::-1]) == [4, 3, 2, 1, 0]
    with pytest.raises(IndexError):
        gen.integers()[-2:]


def test_slices_are_those_of_a_list():
    source, values = gen.integers(0, 12), list(range(13))
    bounds = [None, -14, -13, -5, -1, 0, 1, 4, 12, 13, 20]
    pieces = [slice(a, b, c) for a in bounds for b in bounds for c in (None, 1, 2, 5, -1, -3)]
    for piece in pieces:
        assert list(source[piece]) == values[piece]
        assert len(source[piece]) == len(values[piece])
        assert bool(source[piece]) == bool(values[piece])
        for again in (slice(1, 4), slice(None, None, -1), slice(-3, None, 2)):
            assert list(source[piece][again]) == values[piece][again]
    endless = list(islice(gen.integers(), 100))
    for piece in [slice(a, b, c) for a in (None, 0, 3) for b in (None, 0, 9, 40) for c in (None, 1, 4)]:
        assert list(islice(gen.integers()[piece], 20)) == endless[piece][:20]
        assert list(islice(gen.integers()[piece][1:7:2], 20)) == endless[piece][1:7:2]
    with pytest.raises(IndexError):
        gen.integers()[3:][-1]
    with pytest.raises(errors.InvalidArgument):
        source[::0]
    with pytest.raises(OverflowError, match="len"):
        len(gen.integers(0, 10**30)[:])
    few = gen.integers(0, 100_000).filter(lambda n: n % 50_000 == 0)
    assert list(few[0:50]) == [0, 50_000, 100_000]
    with pytest.raises(errors.NotCountable):
        len(few[0:50])


def test_a_slice_is_counted_and_sampled_like_a_generator():
    source = gen.integers(0, 10**30)
    assert source[5:].cardinality == 10**30 - 4
    assert gen.integers()[5:].cardinality == math.inf
    assert gen.integers()[5:8].cardinality == 3 and gen.integers()[8:5].cardinality == 0
    values = trees[30:90:4]
    uniform = values.uniform()
    assert uniform.cardinality == len(values) == 15
    assert list(uniform) == list(values) and uniform.index(values[7]) == 7
    drawn = Counter(map(str, uniform.sample(3000, seed=2)))
    assert len(drawn) == 15 and max(drawn.values()) < 2 * min(drawn.values())
    assert repr(uniform) == f"{trees!r}[30:90:4].uniform()"
    with pytest.raises(errors.InvalidArgument, match="no end"):
        gen.integers()[3:].uniform()
    with pytest.raises(errors.NotCountable):
        gen.integers().filter(lambda n: n % 2)[3:5].uniform()
    with pytest.raises(errors.NotCountable):
        gen.integers().filter(lambda n: n % 2)[3:5].cardinality  # noqa: B018
    assert list(gen.integers()[5:5].uniform()) == []
    assert check(lambda tree: True, uniform).exhaustive


def test_a_slice_is_walked_in_bulk():
    calls = []

    def remember(n):
        calls.append(n)
        return n

    part = gen.integers(0, 99).map(remember)
    pairs = gen.tuples(part, gen.integers(0, 999))
    assert list(islice(pairs[500 * 100 :], 50_000)) == [(a, b) for a in range(50, 100) for b in range(1000)]
    assert len(calls) < 500, "each of the parts is made once, not once for every value"


@pytest.mark.parametrize("wrong", [True, 1.5, "1", None])
def test_wrong_indices_of_slices_are_explained(wrong):
    with pytest.raises(TypeError, match="an int or a slice"):
        gen.integers(0, 9)[2:5][wrong]


def test_slices_print_as_they_are_written():
    assert repr(gen.integers(0, 9)[2:5]) == "integers(0, 9)[2:5]"
    assert repr(gen.integers(0, 9)[::-2]) == "integers(0, 9)[9::-2]"
    assert repr(gen.integers()[3::2][1:]) == "integers()[5::2]"
    assert repr(gen.integers()[10**5000 :]).startswith("integers()[0x")


def test_slices_of_filters_do_not_count_from_an_end_that_is_not_known():
    few = gen.integers(0, 99_999).filter(lambda n: n % 20_000 == 0)
    piece = few[1:10]
    assert list(piece) == [20_000, 40_000, 60_000, 80_000] and list(piece[1:3]) == [40_000, 60_000]
    for wrong in (slice(None, None, -1), slice(-2, None), slice(None, -1)):
        with pytest.raises(IndexError, match="not known"):
            piece[wrong]
    with pytest.raises(IndexError, match="not known"):
        piece[-1]


def test_len_is_exact_or_overflows():
    assert len(gen.integers(0, 9)) == 10
    for source in (gen.integers(), gen.integers(0, sys.maxsize)):
        with pytest.raises(OverflowError):
            len(source)
        with pytest.raises(OverflowError):
            list(source)
    assert gen.integers() and gen.nothing(), "a generator is always true"


def test_membership():
    assert 3 in gen.integers(0, 9)
    assert 10 not in gen.integers(0, 9)
    assert True not in gen.integers(0, 9)
    assert ("L", "L") in trees
    assert ("L", "M") not in trees
    assert [1] not in gen.lists(gen.integers(), max_size=0)
    evens = gen.integers(0, 9).map(lambda n: 2 * n, inverse=lambda n: n // 2)
    assert 8 in evens
    assert 9 not in evens, "the inverse of a value that is never made proves nothing"
    with pytest.raises(errors.NotInvertible, match="inverse="):
        4 in gen.integers(0, 9).map(lambda n: 2 * n)  # noqa: B015


def test_what_does_not_count_says_so():
    @gen.composite
    def pairs(draw):
        return draw(gen.integers(0, 3)), draw(gen.integers(0, 3))

    for source in (pairs(), pairs() * gen.booleans(), gen.integers().filter(lambda n: n % 2)):
        with pytest.raises(errors.NotCountable):
            source.cardinality  # noqa: B018


def test_recursion_without_a_constructor_is_explained():
    endless = gen.deferred(lambda: gen.just(1) | endless)
    with pytest.raises(errors.GeneratorError, match="constructor"):
        endless.cardinality  # noqa: B018


def test_recursion_without_a_base_case_is_explained():
    endless = gen.deferred(lambda: gen.tuples(endless))
    with pytest.raises(errors.GeneratorError, match="base case"):
        endless.cardinality  # noqa: B018


def test_a_recursion_that_cannot_go_round_is_finite():
    stuck = gen.deferred(lambda: gen.just(1) | gen.tuples(stuck, gen.nothing()))
    assert stuck.cardinality == 1
    assert list(stuck) == [1]


def test_values_deeper_than_the_recursion_limit():
    deep = chains[3000]
    depth = 0
    rest = deep
    while rest is not None:
        (rest,) = rest
        depth += 1
    assert depth == 3000
    assert chains.index(deep) == 3000


@pytest.mark.parametrize(
    "piece",
    [
        gen.integers(0, 99)[10:90:7],
        gen.integers(0, 99)[::-3],
        gen.integers()[3:],
        gen.integers()[3::2],
        gen.integers(0, 9).map(lambda n: n * n)[2:],  # cannot be inverted, so it is searched
        (gen.integers(0, 9) | gen.integers(5, 20))[12:],  # 5 has two numbers, one of which is in the slice
    ],
)
def test_the_place_of_a_value_in_a_slice(piece: Any) -> None:
    for place, value in enumerate(islice(piece, 8)):
        assert piece.index(value) == place and value in piece
    assert [n for n in range(-5, 30) if n in piece] == [
        n for n in range(-5, 30) if n in list(islice(piece, 100))
    ]


def test_what_is_in_no_slice_ends_also_without_an_end() -> None:
    assert "x" not in gen.integers()[3:]
    with pytest.raises(errors.NoSuchValue, match="is not in"):
        gen.integers()[3:].index(0)
    with pytest.raises(errors.NotInvertible):
        gen.integers().map(str)[3:].index("7")


def test_the_number_of_a_value_far_behind_in_a_filter_is_refused() -> None:
    even = gen.integers().filter(lambda n: n % 2 == 0)
    assert even[even.index(1000)] == 1000
    with pytest.raises(errors.GeneratorError, match="too many"):
        even.index(10**12)


@pytest.mark.parametrize(
    "node",
    [
        gen.sampled_from([0.0, -0.0, 1, True, 1.0]),
        gen.permutations([True, 1, 1.0]),
        gen.permutations([0.0, -0.0, 0]),
        gen.sampled_from([(1,), (True,), (1.0,)]),
        gen.sampled_from(range(10, 0, -3)),
    ],
)
def test_values_that_are_equal_but_look_different_have_indices_of_their_own(node: gen.Gen[Any]) -> None:
    assert [node.index(value) for value in node] == list(range(len(node)))


def test_a_huge_range_is_sampled_without_listing_it() -> None:
    node = gen.sampled_from(range(5, 10**30, 3))
    assert node.cardinality == len(range(5, 10**18, 3)) + (10**30 - 10**18) // 3
    assert node[10**20] == 5 + 3 * 10**20 and node.index(11) == 2
    with pytest.raises(errors.NoSuchValue):
        node.index(6)
    assert all(n % 3 == 2 for n in node.sample(20, seed=0))


def test_the_index_of_a_value_that_does_not_show_itself() -> None:
    class Shy:
        def __init__(self, number: int) -> None:
            self.number = number

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Shy) and other.number == self.number

        def __hash__(self) -> int:
            return self.number

        def __repr__(self) -> str:
            raise ValueError("nothing to see")

    assert gen.sampled_from([Shy(1), Shy(2)]).index(Shy(2)) == 1


def test_fractions_between_equal_bounds_are_one_value() -> None:
    node = gen.fractions("1/3", "1/3")
    assert list(node) == [Fraction(1, 3)] and node.cardinality == 1
    assert check(lambda x: x * 3 == 1, node, database=None).exhaustive
