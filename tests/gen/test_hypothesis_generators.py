"""Generators for users who come from Hypothesis: the effect of their options, and wrong options."""

from __future__ import annotations

import math
import random
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from everycase import check, find, gen, given, settings
from everycase import strategies as st
from everycase.errors import InvalidArgument

SEEDED = {"seed": 0, "database": None}


# --- shared ---------------------------------------------------------------------------------------------------


@gen.composite
def matrices(draw, key):
    n = draw(gen.shared(gen.integers(0, 4), key=key))
    m = draw(gen.shared(gen.integers(0, 4), key=key))
    return n, m


N = gen.shared(gen.integers(), key="n")


@pytest.mark.parametrize(
    "parts",
    [(N, N), (N, gen.lists(N)), (matrices("a"), gen.none(), matrices("a")), (gen.tuples(N, N), N)],
    ids=repr,
)
def test_what_is_shared_is_the_same_in_all_arguments_of_a_test(parts):
    seen = set()

    def test(*args):
        words = repr(args).replace("None", "").translate(str.maketrans("[](),", "     ")).split()
        assert len(set(words)) <= 1, args
        seen.update(words)

    report = check(test, *parts, max_examples=200, **SEEDED)
    assert report.status == "passed", report.error
    assert len(seen) > 3  # another one in the next input


def test_a_value_made_by_itself_is_an_input_of_its_own():
    pairs = gen.tuples(N, N)
    made = [*pairs.sample(50, seed=0), pairs.example(seed=1), pairs.record(seed=2).value]
    made += [pairs.neighbor(pairs.record(seed=n), seed=n).value for n in range(50)]
    made += [pairs.replay(pairs.record(seed=n)).value for n in range(50)]
    assert all(a == b for a, b in made)
    assert len({a for a, _ in made}) > 20
    assert "different" in str(pairs.describe(20, seed=0))

    def test(pair, n):
        assert pairs.sample(1, seed=n) == pairs.sample(1, seed=n)
        assert pair == (n, n)  # values made in between did not change this input

    assert check(test, pairs, N, max_examples=50, **SEEDED).status == "passed"


def test_other_keys_and_other_bases_are_not_shared():
    one, two = gen.shared(gen.integers(0, 99), key=1), gen.shared(gen.integers(0, 99), key=2)
    assert find(gen.tuples(one, two), lambda pair: pair[0] != pair[1], **SEEDED) is not None
    base = gen.integers(0, 99)
    report = check(lambda a, b: a == b, gen.shared(base), gen.shared(base), max_examples=100, **SEEDED)
    assert report.status == "passed"


def test_shrinking_keeps_what_is_shared_the_same():
    n = gen.shared(gen.integers(0, 1000), key="n")
    rows = n.flatmap(lambda n: gen.lists(gen.integers(0, 9), min_size=n % 5, max_size=n % 5))

    def test(a, b, n):
        assert len(a) == len(b) == n % 5
        assert n < 137

    report = check(test, rows, rows, n, max_examples=300, **SEEDED)
    a, b, number = report.counterexample
    assert number >= 137 and len(a) == len(b) == number % 5


def test_draws_during_the_test_share_too():
    def test(data, n):
        assert data.draw(gen.shared(gen.integers(), key="n")) == n

    report = check(test, gen.data(), gen.shared(gen.integers(), key="n"), max_examples=50, **SEEDED)
    assert report.status == "passed"


def test_a_shared_value_is_forgotten_after_the_run():
    n = gen.shared(gen.integers(), key="n")
    check(lambda n: None, n, max_examples=3, **SEEDED)
    assert len({n.example(seed=seed) for seed in range(9)}) > 1


# --- numbers, addresses, zones -----------------------------------------------------------------------------------


@pytest.mark.parametrize("low, high", [(0, 0), (0, 1e-310), (1, 1), (0.5, 3), (3, 1e300), (1e-5, math.inf)])
@pytest.mark.parametrize("width", [64, 128])
def test_magnitudes(low, high, width):
    values = gen.complex_numbers(min_magnitude=low, max_magnitude=high, width=width).sample(100, seed=0)
    assert all(low <= abs(z) <= high or z != z for z in values)


def test_complex_numbers_reach_all_directions():
    values = gen.complex_numbers(min_magnitude=2, max_magnitude=3).sample(300, seed=0)
    assert {(z.real > 0, z.imag > 0) for z in values if z.real and z.imag} == {
        (a, b) for a in (True, False) for b in (True, False)
    }


def test_imaginary_times_are_left_out():
    berlin = gen.just(ZoneInfo("Europe/Berlin"))
    day = (datetime(2024, 3, 31, 1, 30), datetime(2024, 3, 31, 3, 30))
    assert any(2 <= t.hour < 3 for t in st.datetimes(*day, timezones=berlin).sample(200, seed=0))
    real = st.datetimes(*day, timezones=berlin, allow_imaginary=False).sample(200, seed=0)
    assert not any(t.hour == 2 for t in real)


def test_randoms_are_drawn_and_shrink():
    def test(dice):
        assert dice.randint(1, 6) + dice.randint(1, 6) < 9

    report = check(test, gen.randoms(note_method_calls=True), **SEEDED)
    assert report.status == "failed"
    assert sum(report.counterexample[0].drawn) == 7  # two faces that are counted from 0
    report = check(lambda r: r.sample(range(9), 9) == list(range(9)), gen.randoms(), **SEEDED)
    assert report.status == "failed"


def test_random_module_decides_the_global_generator():
    def test(seeder):
        assert random.random() == random.Random(seeder.seed).random()

    assert check(test, gen.random_module(), max_examples=20, **SEEDED).status == "passed"


class TestRunner:
    @settings(max_examples=3)
    @given(instance=st.runner())
    def test_runner_is_self(self, instance, tmp_path):
        assert instance is self


def test_flags_are_combined():
    from enum import Flag, auto

    class Right(Flag):
        READ = auto()
        WRITE = auto()

    assert len(set(st.sampled_from(Right).sample(200, seed=0))) == 4


WRONG = [
    (lambda: gen.ip_addresses(v=5), "v=5"),
    (lambda: gen.ip_addresses(network="10.0.0.1/8"), "not a network"),
    (lambda: gen.ip_addresses(v=6, network="10.0.0.0/8"), "leave out v"),
    (lambda: gen.complex_numbers(min_magnitude=-1), "min_magnitude"),
    (lambda: gen.complex_numbers(min_magnitude=3, max_magnitude=2), "swap"),
    (lambda: gen.complex_numbers(allow_nan=True, max_magnitude=2), "allow_nan"),
    (lambda: gen.complex_numbers(width=16), "width"),
    (lambda: gen.domains(max_length=3), "max_length"),
    (lambda: gen.slices(-1), "size"),
    (lambda: gen.shared(5), "base"),
    (lambda: gen.shared(gen.integers(), key=[]), "hashable"),
    (lambda: gen.iterables(5), "elements"),
    (lambda: gen.dictionaries(gen.text(), gen.text(), dict_class=5), "dict_class"),
    (lambda: st.recursive(gen.none(), gen.lists, min_leaves=9, max_leaves=3), "min_leaves"),
    (lambda: st.characters(categories=["L"], whitelist_categories=["L"]), "whitelist_categories"),
    (lambda: st.runner().example(), "default"),
]


@pytest.mark.parametrize("call, words", WRONG)
def test_wrong_arguments_are_named(call, words):
    with pytest.raises(InvalidArgument, match=words):
        call()
