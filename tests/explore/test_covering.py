"""The explorer Covering: properties run on the rows of a covering array."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from everycase import assume, check, gen, given, settings
from everycase.arrays import Radix
from everycase.errors import InvalidArgument
from everycase.explore import Covering, Random


def run(*gens, explore=None, test=None, **settings):
    seen = []

    def keep(*args):
        if test is not None:
            test(*args)
        seen.append(args)

    settings.setdefault("max_examples", 5000)
    return check(keep, *gens, explore=explore or Covering(), database=None, **settings), seen


def test_every_pair_of_finite_arguments_occurs():
    gens = {
        "a": gen.integers(0, 4),
        "b": gen.sampled_from("xyz"),
        "c": gen.booleans(),
        "d": gen.integers(7, 9),
    }
    values = [range(5), "xyz", [False, True], [7, 8, 9]]
    report, seen = run(*gens.values())
    assert report.status == "passed"
    assert report.covered == f"all 2-way combinations of 4 parameters: {len(seen)} tests"
    assert len(seen) < 25
    for i, j in combinations(range(4), 2):
        assert {(row[i], row[j]) for row in seen} == set(product(values[i], values[j]))


def test_full_strength_over_single_values_is_exhaustive():
    report, seen = run(gen.booleans(), gen.integers(0, 2), explore=Covering(strength=9))
    assert sorted(seen) == sorted(product([False, True], range(3)))
    assert report.exhaustive
    assert not run(gen.booleans(), gen.integers(0, 2), explore=Covering(strength=1))[0].exhaustive


def test_large_ranges_are_split_and_every_value_occurs():
    report, seen = run(gen.integers(0, 1000), gen.integers(0, 1000), gen.booleans())
    assert report.covered == "all 2-way combinations of 3 parameters, 2 of them by digits: 1,001 tests"
    assert {row[0] for row in seen} == {row[1] for row in seen} == set(range(1001))
    _, whole = run(gen.integers(0, 30), gen.integers(0, 30), explore=Covering(radix=None))
    assert len(whole) == 31 * 31


def test_boundaries_on_request():
    _, seen = run(gen.integers(0, 1000), gen.integers(0, 1000), explore=Covering(boundaries=True))
    assert {(0, 0), (0, 1000), (1000, 0), (1000, 1000), (999, 1)} <= set(seen)


def test_a_cut_run_says_how_much_it_covered():
    report, _ = run(gen.integers(0, 9), gen.integers(0, 9), gen.integers(0, 9), max_examples=50)
    assert report.covered == "150 of 300 2-way combinations of 3 parameters: 50 of 100 tests"


def test_preconditions_keep_rows_out_of_the_array_instead_of_discarding_them():
    seen = []

    @given(a=gen.integers(0, 4), b=gen.integers(0, 4), c=gen.sampled_from("xyz"), d=gen.text()).where(
        lambda a, b: a < b
    )
    @settings(explore=Covering(), database=None)
    def ordered(a, b, c, d):
        seen.append((a, b, c))

    report = check(ordered)
    assert report.discarded == 0
    assert {(a, b) for a, b, _ in seen} == {(a, b) for a in range(5) for b in range(5) if a < b}
    assert {(a, c) for a, _, c in seen} == set(product(range(4), "xyz"))
    assert report.covered == (
        "all 2-way combinations of 4 parameters, 1 of them by class, as far as preconditions allow: "
        f"{len(seen)} tests"
    )


def test_preconditions_on_several_columns_and_full_strength_are_exhaustive():
    pairs = gen.tuples(gen.integers(0, 3), gen.integers(0, 3))
    prop = given(p=pairs, flag=gen.booleans()).where(lambda p: sum(p) == 3)(lambda p, flag: None)
    report = check(prop, explore=Covering(strength=3), database=None)
    assert (report.exhaustive, report.examples, report.discarded) == (True, 8, 0)


def test_preconditions_that_cannot_be_asked_before_discard():
    wide = given(a=gen.integers(0, 10**6), b=gen.text()).where(lambda a, b: a % 2 == 0 and len(b) < 2)
    report = check(wide(lambda a, b: None), explore=Covering(), database=None)
    assert report.status == "passed" and report.discarded > 0
    assert " of them by class: " in report.covered and report.covered.split()[1] == "of"


def test_preconditions_that_nothing_meets_are_named():
    never = given(a=gen.integers(0, 3), b=gen.booleans()).where(lambda a: a > 5)(lambda a, b: None)
    with pytest.raises(InvalidArgument, match="cannot hold together: the precondition"):
        check(never, explore=Covering(), database=None)


def test_discarded_rows_do_not_count_as_covered():
    report, _ = run(gen.booleans(), gen.booleans(), test=lambda a, b: assume(a or b))
    assert report.covered == "3 of 4 2-way combinations of 2 parameters: 3 of 4 tests"


def test_endless_numbers_are_covered_by_magnitude_and_sign():
    _, seen = run(gen.integers(), gen.integers(min_value=5), gen.booleans())
    first = [row[0] for row in seen]
    assert 0 in first and 1 in first and -1 in first
    assert max(first) > 2**31 and min(first) < -(2**31)
    assert {5, 6} <= {row[1] for row in seen}
    assert {(row[0] > 2**31, row[2]) for row in seen} == set(product([False, True], repeat=2))


def test_floats_are_covered_by_their_special_values():
    _, seen = run(gen.floats(), gen.booleans())
    texts = {(repr(row[0]), row[1]) for row in seen}
    assert {
        ("nan", True),
        ("nan", False),
        ("inf", True),
        ("-inf", False),
        ("0.0", True),
        ("-0.0", True),
    } <= texts


def test_collections_are_covered_by_size():
    _, seen = run(gen.lists(gen.integers()), gen.lists(gen.booleans(), max_size=1))
    sizes = {(min(len(a), 3), len(b)) for a, b in seen}
    assert sizes == set(product(range(4), range(2)))


def test_fixed_size_collections_and_nested_parts_have_a_column_each():
    report, seen = run(
        gen.lists(gen.booleans(), min_size=3, max_size=3), gen.tuples(gen.booleans(), gen.booleans())
    )
    assert "2 parameters (5 choices)" in report.covered
    flat = [(*a, *b) for a, b in seen]
    for i, j in combinations(range(5), 2):
        assert len({(row[i], row[j]) for row in flat}) == 4


def test_recursive_types_are_covered_by_constructor():
    trees = gen.deferred(lambda: gen.just(None) | gen.tuples(trees, trees) | gen.integers(0, 9))
    _, seen = run(trees, gen.booleans())
    kinds = {(type(tree).__name__, flag) for tree, flag in seen}
    assert kinds == set(product(["NoneType", "tuple", "int"], [False, True]))


def test_filters_over_few_values_leave_out_what_they_refuse():
    report, seen = run(gen.integers(0, 3).filter(lambda n: n != 2), gen.booleans())
    assert sorted(seen) == list(product([0, 1, 3], [False, True]))
    assert report.covered == "all 2-way combinations of 2 parameters: 6 tests"
    pairs = gen.tuples(gen.integers(0, 3), gen.integers(0, 3)).filter(lambda pair: pair[0] < pair[1])
    assert run(pairs, gen.booleans())[0].covered == "all 2-way combinations of 2 parameters: 12 tests"


def test_what_other_filters_exclude_is_reported():
    numbers = gen.floats(0, 1).filter(lambda x: x != 0)
    report, seen = run(numbers, gen.booleans())
    assert 0 not in {row[0] for row in seen}
    assert report.covered == (
        "8 of 10 2-way combinations of 2 parameters, 1 of them by class: 8 of 10 tests; filters left no way to build "
        "2 of them"
    )


def test_structures_of_few_values_are_combined_value_by_value():
    optional = gen.none() | gen.integers(0, 3)
    short = gen.lists(gen.booleans(), max_size=2)
    dependent = gen.integers(1, 3).flatmap(lambda n: gen.tuples(gen.just(n), gen.integers(0, n - 1)))
    assert report_and_pairs(optional, gen.booleans()) == ({None, 0, 1, 2, 3}, 10)
    assert report_and_pairs(short.map(tuple), gen.booleans()) == (
        {(), (False,), (True,), (False, False), (False, True), (True, False), (True, True)},
        14,
    )
    triangle = {(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)}
    assert report_and_pairs(dependent, gen.booleans()) == (triangle, 12)


def report_and_pairs(first, second):
    report, seen = run(first, second)
    assert report.covered == f"all 2-way combinations of 2 parameters: {len(seen)} tests"
    assert report.exhaustive
    return {row[0] for row in seen}, len(set(seen))


@gen.composite
def two_numbers(draw):
    return draw(gen.integers(0, 9)), draw(gen.integers(0, 9))


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        (two_numbers(), "1 parameter drawn at random"),
        (gen.data(), "1 parameter drawn at random"),
        (
            gen.integers(0, 4).flatmap(lambda n: gen.integers(n, 10**6)),
            "the rest of 1 parameter drawn at random",
        ),
    ],
)
def test_what_is_left_to_the_dice_is_said_and_never_called_exhaustive(drawn, said):
    report, seen = run(gen.booleans(), drawn, gen.booleans(), explore=Covering(strength=3))
    assert not report.exhaustive
    assert report.covered.endswith(f"tests; {said}")
    assert {(row[0], row[2]) for row in seen} == set(product([False, True], repeat=2))


def test_classes_are_called_classes():
    report, _ = run(gen.text(), gen.integers(), gen.integers(0, 99), gen.booleans())
    assert "2-way combinations of 4 parameters, 1 of them by digits, 2 of them by class: " in report.covered


def test_nothing_to_combine_is_a_misuse():
    with pytest.raises(InvalidArgument, match="nothing to combine here"):
        run(two_numbers())


def test_the_whole_array_is_tested_unless_max_examples_is_given():
    gens = [gen.integers(0, 1000), gen.integers(0, 1000)]
    report = check(lambda a, b: None, *gens, explore=Covering(), database=None)
    assert report.covered == "all 2-way combinations of 2 parameters, 2 of them by digits: 1,001 tests"
    report = check(lambda a, b: None, *gens, explore=Covering(), database=None, max_examples=1000)
    assert report.covered.endswith(": 1,000 of 1,001 tests")
    failing = check(lambda a, b: a < 5, *gens, explore=Covering(), database=None)
    assert failing.status == "failed" and failing.examples < 1000


def test_failures_are_found_shrunk_and_reproducible():
    def fails_together(a, b, c, d):
        assert not (a == 3 and d == "z")

    gens = (gen.integers(0, 9), gen.integers(0, 9), gen.booleans(), gen.sampled_from("xyz"))
    report = check(fails_together, *gens, explore=Covering(), database=None)
    assert report.status == "failed"
    assert report.counterexample == (3, 0, False, "z")
    again = check(fails_together, *gens, explore=Covering(), database=None, seed=report.seed)
    assert again.failed_at == report.failed_at


def test_the_seed_of_the_run_decides_the_rows():
    gens = (gen.integers(0, 9), gen.integers(0, 9), gen.booleans())
    assert run(*gens, seed=1)[1] == run(*gens, seed=1)[1]
    assert run(*gens, seed=1)[1] != run(*gens, seed=2)[1]
    fixed = Covering(seed=5)
    assert run(*gens, explore=fixed, seed=1)[1] == run(*gens, explore=fixed, seed=2)[1]


def test_generators_without_any_choice_to_force():
    report, seen = run(gen.just(3))
    assert seen == [(3,)]
    assert report.status == "passed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radix": "many"}, "radix base is 'many'"),
        ({"radix": Radix(parameters=["a"])}, "leave out its parameters"),
        ({"radix": Radix(boundaries={"a": [1]})}, "write boundaries=True"),
        ({"boundaries": "ends"}, "boundaries must be True or False"),
        ({"seed": -1}, "seed=-1"),
        ({"effort": -1}, "effort is -1"),
    ],
)
def test_mistakes_in_options(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Covering(**options)


def test_boundaries_beside_radix_options():
    gens = (gen.integers(0, 99), gen.integers(0, 99))
    for explorer in (Covering(radix=Radix(boundaries=True)), Covering(radix=Radix(base=5), boundaries=True)):
        assert {(0, 99), (99, 0), (98, 1)} <= set(run(*gens, explore=explorer)[1])


def test_options_are_checked_and_shown():
    with pytest.raises(InvalidArgument, match="strength is 0"):
        Covering(strength=0)
    with pytest.raises(InvalidArgument, match="boundaries=True is for ranges that are split"):
        Covering(radix=None, boundaries=True)
    assert repr(Covering()) == "Covering(strength=2)"
    assert repr(Covering(3, radix=4, seed=5)) == "Covering(strength=3, radix=4, seed=5)"
    assert run(gen.booleans(), explore=Random(), max_examples=3)[0].covered == ""
