"""Cases in which "proved" or "missing" would be false or is easy to get wrong: each must get the honest verdict."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest

from everycase import assume, covers, gen
from everycase.complete import PredicateFailed, gaps, repair
from everycase.complete.clock import Clock
from everycase.complete.search.choice_tree import explore_gaps
from everycase.errors import InvalidArgument


@covers(lambda v: v >= 0)
@gen.composite
def squares(draw) -> int:
    n = draw(gen.integers())
    return n * n


def test_squares_do_not_cover_the_naturals():
    verdict = gaps(squares)
    assert verdict.status != "proved"
    if verdict.status == "missing":
        assert verdict.value >= 0
        assert all(n * n != verdict.value for n in range(100))


def is_square(v: int, n: int) -> bool:
    return v == n * n


@covers(lambda v, n: is_square(v, n))
@gen.composite
def one_square(draw, n: int) -> int:
    return n * n


def test_a_product_of_parameters_is_complete():
    assert gaps(one_square).status in ("proved", "no gap found")


@covers(lambda v: True)
@gen.composite
def three_and_two(draw) -> int:
    return 3 * draw(gen.integers()) + 2 * draw(gen.integers())


def test_three_x_plus_two_y_makes_every_integer():
    assert gaps(three_and_two).status == "proved"


@covers(lambda v: True)
@gen.composite
def four_and_two(draw) -> int:
    return 4 * draw(gen.integers()) + 2 * draw(gen.integers())


def test_four_x_plus_two_y_makes_only_even_integers():
    verdict = gaps(four_and_two)
    assert verdict.status != "proved"
    assert verdict.status != "missing" or verdict.value % 2 == 1


@covers(lambda v: v % -3 == -1)
@gen.composite
def negative_modulo(draw) -> int:
    return -3 * draw(gen.integers()) - 1


def test_modulo_by_a_negative_number_is_pythons():
    assert gaps(negative_modulo).status == "proved"


@covers(lambda v: v // -2 == 3)
@gen.composite
def negative_division(draw) -> int:
    return draw(gen.sampled_from([-6, -7]))


def test_division_by_a_negative_number_is_pythons():
    assert [n for n in range(-20, 20) if n // -2 == 3] == [-7, -6]
    assert gaps(negative_division).status == "proved"


@covers(lambda v, n: v == n, requires=lambda n: n < 0 and n > 0)
@gen.composite
def never_called(draw, n: int) -> int:
    assume(False)


def test_requirements_that_nothing_satisfies_prove_nothing():
    verdict = gaps(never_called)
    assert verdict.status == "no gap found"
    assert any("no arguments" in note for note in verdict.notes)


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def never_ends(draw, n: int) -> list[int]:
    return draw(never_ends(n))


def test_a_call_that_does_not_get_smaller_proves_nothing():
    assert gaps(never_ends).status != "proved"


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def ends_by_luck(draw, n: int) -> list[int]:
    if draw(gen.booleans()):
        return []
    if n == 0:
        return draw(ends_by_luck(0))
    if draw(gen.booleans()):
        return draw(ends_by_luck(n))
    return [draw(gen.integers()), *draw(ends_by_luck(n - 1))]


def test_calls_with_the_same_arguments_are_not_called_missing():
    assert gaps(ends_by_luck).status != "missing"


@covers(lambda v, n: len(v) == n, requires=lambda n: n >= 0)
@gen.composite
def grows(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return draw(grows(n + 1))


def test_a_generator_that_runs_away_is_not_proved():
    assert gaps(grows).status != "proved"


def first_is_positive(items: list[int]) -> bool:
    return items[0] > 0


@covers(lambda v: first_is_positive(v))
@gen.composite
def positive_first(draw) -> list[int]:
    return [draw(gen.integers(1, None))]


def test_values_for_which_the_predicate_raises_count_as_invalid_and_this_is_said():
    verdict = gaps(positive_first)
    assert (verdict.status, len(verdict.value)) == ("missing", 2)
    assert "the predicate raises IndexError for [], so such values count as invalid" in verdict.notes


@covers(lambda v: first_is_positive(v))
@gen.composite
def some_first(draw) -> list[int]:
    return draw(gen.lists(gen.integers(0, None)))


def test_a_predicate_that_raises_for_what_is_made_is_an_error_and_not_a_verdict():
    with pytest.raises(PredicateFailed, match="IndexError"):
        gaps(some_first)


def forever(n: int) -> bool:
    return forever(n)


@covers(lambda v: forever(v))
@gen.composite
def judged_forever(draw) -> int:
    return draw(gen.integers())


def test_a_predicate_that_does_not_end_is_an_error():
    with pytest.raises(PredicateFailed):
        gaps(judged_forever)


def insert(items: list[int], n: int) -> list[int]:
    if not items:
        return [n]
    return [n, *items] if n <= items[0] else [items[0], *insert(items[1:], n)]


def ascending(items: list[int]) -> bool:
    return all(a <= b for a, b in pairwise(items))


@covers(lambda v, n: len(v) == n and ascending(v), requires=lambda n: n >= 0)
@gen.composite
def by_insertion(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return insert(draw(by_insertion(n - 1)), draw(gen.integers()))


def test_results_that_are_not_constructor_terms_are_not_called_missing():
    assert gaps(by_insertion).status in ("proved", "no gap found")


def all_at_least(items: list[int], n: int) -> bool:
    return all(n <= item for item in items)


@covers(lambda v, n, low: len(v) == n and ascending(v) and all_at_least(v, low), requires=lambda n: n >= 0)
@gen.composite
def needs_a_lemma(draw, n: int, low: int) -> list[int]:
    if n == 0:
        return []
    first = draw(gen.integers(low, None))
    return [first, *draw(needs_a_lemma(n - 1, first))]


def test_a_proof_that_needs_an_inductive_lemma_is_never_a_refutation():
    assert gaps(needs_a_lemma).status in ("proved", "no gap found")


@covers(lambda v, n: 0 <= v < n, requires=lambda n: n > 0)
@gen.composite
def off_by_one(draw, n: int) -> int:
    return draw(gen.integers(1, n - 1))


def test_an_off_by_one_is_found_with_the_smallest_value():
    verdict = gaps(off_by_one)
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", 0, {"n": 1})


@covers(lambda v, n: 0 <= v < n, requires=lambda n: n > 0)
@gen.composite
def too_much(draw, n: int) -> int:
    return draw(gen.integers(0, n))


def test_an_unsound_generator_is_complete_and_says_so():
    verdict = gaps(too_much)
    assert verdict.status == "proved"
    assert verdict.unsound == ({"n": 1}, 1)
    assert not verdict.sound


@covers(lambda v: 0 <= v <= 1000)
@gen.composite
def misses_one_far_away(draw) -> int:
    n = draw(gen.integers(0, 1000))
    assume(n != 777)
    return n


def test_a_gap_outside_all_small_worlds_is_found_by_the_solver():
    verdict = gaps(misses_one_far_away)
    assert (verdict.status, verdict.value) == ("missing", 777)


@dataclass(frozen=True)
class Box:
    inside: int


@covers(lambda v: v.inside != 0)
@gen.composite
def boxes(draw) -> Box:
    n = draw(gen.integers())
    return Box(n * n - n)  # 0, 2, 6, 12 ... never 1


def test_a_nonlinear_gap_is_never_called_proved():
    verdict = gaps(boxes)
    assert verdict.status != "proved"


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def calls_outside_its_requirements(draw, n: int) -> list[int]:
    if n < 0:
        return []
    if draw(gen.booleans()):
        return draw(calls_outside_its_requirements(n - 1))
    return [draw(gen.integers()), *draw(calls_outside_its_requirements(n - 1))]


@pytest.mark.slow
def test_what_is_made_outside_the_requirements_is_not_missing():
    # n = 0 makes [] only through a call with n = -1, which the specification says nothing about
    verdict = gaps(calls_outside_its_requirements)
    assert verdict.status != "missing" or verdict.value != []


@covers(lambda v: v in ("north", "south", "east", "west"))
@gen.composite
def directions(draw) -> str:
    return draw(gen.sampled_from(["north", "south", "east"]))


def test_strings_are_opaque_but_different():
    verdict = gaps(directions)
    assert (verdict.status, verdict.value) == ("missing", "west")


@covers(lambda v: True)
@gen.composite
def any_text(draw) -> str:
    return draw(gen.text())


def test_any_text_is_every_text():
    assert gaps(any_text).status == "proved"


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def grown_at_the_end(draw, n: int) -> list[int]:
    if n == 0:
        return []
    if draw(gen.booleans()):
        return []
    return draw(grown_at_the_end(n - 1)) + [draw(gen.integers())]


def test_appending_at_the_end_is_neither_a_crash_nor_a_gap():
    """``append(drawn, [x])`` can be unfolded forever, because the recursion is on its first argument."""
    assert gaps(grown_at_the_end).status != "missing"


@covers(lambda v, n: 0 <= v <= n, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def two_highest(draw, n: int) -> int:
    if n == 0:
        return draw(gen.integers(-1, 0))
    return draw(two_highest(n - 1)) + 1


def test_a_description_does_not_name_what_an_unsound_call_makes():
    """It makes n - 1 and n: with n=1 that is everything, although 0 comes from an invalid value."""
    verdict = gaps(two_highest)
    assert (verdict.value, verdict.arguments) == (0, {"n": 2})
    assert verdict.unsound == ({"n": 0}, -1)
    assert verdict.description != "not (n == 0) and v == 0"


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def always_empty(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return [draw(gen.integers()), *draw(always_empty(n - 1))][1:]


def test_a_description_says_of_how_many_of_the_missing_ones_it_speaks():
    """All lists except the empty one are missing; those shorter than n are lost in the inner calls."""
    verdict = gaps(always_empty)
    assert verdict.value == [0]
    assert verdict.description == "not (n == 0) and len(v) == n"
    assert 0 < verdict.described < verdict.missing
    assert f"the {verdict.described} of them" in str(verdict)


@covers(lambda v: v % 3 == 1)
@gen.composite
def one_modulo_three(draw) -> int:
    return 1 - 3 * draw(gen.integers(0, None))


def test_a_gap_that_only_the_solver_found_is_not_said_to_lie_within_the_bounds():
    verdict = gaps(one_modulo_three)
    assert verdict.value == 4
    assert verdict.bounds == "integers -2..3, and the one above"


@covers(lambda v: v >= 0)
@gen.composite
def counted_in_a_loop(draw) -> int:
    count = 0
    while draw(gen.booleans()):
        count += 1
    return count


def test_running_all_choices_stops_at_the_time_limit():
    verdict = explore_gaps(counted_in_a_loop, "unsupported", Clock(1e-4))
    assert verdict.status == "no gap found"
    assert "the time limit was reached before all choices were tried" in verdict.notes


def before(items: list[int], end: list[int]) -> list[int]:
    return end if not items else [items[0], *also_before(items[1:], end)]


def also_before(items: list[int], end: list[int]) -> list[int]:
    return end if not items else [items[0], *before(items[1:], end)]


@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def grown_by_two_functions(draw, n: int) -> list[int]:
    if n == 0:
        return []
    if draw(gen.booleans()):
        return []
    return before(draw(grown_by_two_functions(n - 1)), [draw(gen.integers())])


def test_functions_that_call_each_other_are_not_unfolded_for_ever():
    assert gaps(grown_by_two_functions).status != "missing"


@covers(lambda v, hi, other: hi <= v <= other, requires=lambda hi, other: hi <= other)
@gen.composite
def names_in_other_places(draw, lo: int, hi: int) -> int:
    return draw(gen.integers(lo, hi))


def test_a_name_of_another_parameter_is_not_read_by_its_position():
    with pytest.raises(InvalidArgument, match="use the same names"):
        gaps(names_in_other_places)


@covers(lambda v: v == 1)
@gen.composite
def one_or_true(draw) -> int | bool:
    return 1


def test_a_union_of_int_and_bool_is_not_reasoned_about():
    verdict = gaps(one_or_true)
    assert verdict.status == "no gap found" and "a union of int and bool" in str(verdict.unsupported)


@covers(lambda v, n: v in (0, 1), requires=lambda n: n == 1, decreases="n")
@gen.composite
def by_product_or_by_call(draw, n: int) -> int:
    if n == 0:
        return 0
    if draw(gen.booleans()):
        return draw(gen.integers()) * draw(gen.integers()) - 10000
    return draw(by_product_or_by_call(n - 1)) + 2 * draw(gen.integers(0, 3))


def test_a_call_that_is_certain_does_not_make_the_rest_certain():
    verdict = gaps(by_product_or_by_call)  # 1 is 1 * 10001 - 10000
    assert (verdict.status, verdict.suspected is None) == ("no gap found", False)


@covers(lambda v: 0 <= v < 7)
@gen.composite
def remainders_of_squares(draw) -> int:
    n = draw(gen.integers())
    return (n * n) % 7


@pytest.mark.slow
def test_the_remainder_of_a_square_comes_to_an_end():
    verdict = gaps(remainders_of_squares, max_seconds=5)  # 3, 5 and 6 are never made
    assert verdict.status == "no gap found" and verdict.suspected is not None


@covers(lambda v: 0 <= v <= 5)
@gen.composite
def digits_without_five(draw) -> int:
    return draw(gen.integers(0, 4))


@covers(lambda v: 0 <= v <= 10)
@gen.composite
def two_digits(draw) -> int:
    return draw(digits_without_five()) + draw(digits_without_five())


def test_what_is_lost_in_calls_is_not_said_to_be_lost_elsewhere():
    verdict = gaps(two_digits, atoms=[lambda v: v == 9, lambda v: v > 8])
    assert (verdict.value, verdict.missing, verdict.described) == (9, 2, 2)
    assert "not already missing from a generator" not in str(verdict)


@covers(
    lambda v, n: len(v) <= n and len(v) % 2 == 0 and all(x > 0 for x in v),
    requires=lambda n: n >= 0,
    decreases="n",
)
@gen.composite
def even_lengths(draw, n: int) -> list[int]:
    if n <= 1:
        return []
    ...  # noqa: PIE790


@pytest.mark.slow
def test_a_repair_says_of_how_many_of_the_missing_ones_its_description_speaks():
    patch = repair(even_lengths, max_cost=3)
    assert patch.status == "not repaired" and patch.verdict.description
    assert patch.verdict.described < patch.verdict.missing  # [1, 1] with n=3 is lost in a call
    assert f"the {patch.verdict.described} of them that are not already missing from a generator" in str(
        patch
    )


@covers(lambda v: True)
@gen.composite
def large_coefficients(draw) -> int:
    a = draw(gen.integers())
    b = draw(gen.integers())
    return 101 * a - 100 * b


@pytest.mark.slow
def test_a_solver_that_would_go_on_for_minutes_stops_at_the_limit():
    verdict = gaps(large_coefficients, max_seconds=1)
    assert verdict.status in ("no gap found", "proved")
    if verdict.status == "no gap found":
        assert any("time limit of 1 s" in note for note in verdict.notes)


def test_a_solver_says_that_it_is_late():
    from everycase.complete.language.expressions import Expr
    from everycase.complete.language.types import BOOL
    from everycase.complete.proof.smt import Solver

    p = Expr("var", (), BOOL, "p")
    solver = Solver()
    assert solver.ask([p]).verdict == "sat" and not solver.late
    solver = Solver(clock=Clock(0.0))
    assert solver.ask([p]).verdict == "unknown" and solver.late


def test_part_of_a_string_is_not_only_one_of_its_characters():
    text = """
@covers(lambda v: v[0] == 0 and v[1] != "" and len(v[1]) <= 2 and v[1] in "xyz")
@gen.composite
def f(draw) -> tuple[int, str]:
    return (0, draw(gen.sampled_from(OPTIONS)))
"""
    from samples import module

    verdict = gaps(module(text.replace("OPTIONS", '"xyz"'))["f"])
    assert (verdict.status, verdict.value) == ("missing", (0, "xy"))
    assert gaps(module(text.replace("OPTIONS", '["x", "y", "z", "xy", "yz"]'))["f"]).complete
