"""Wrong calls by users, and generators that call each other."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps, repair
from everycase.errors import InvalidArgument

LISTS = """
@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0:
        return []
    ...
"""

WRONG_REPAIRS = {
    "cost must be a function": {"cost": {"any int": 3}},
    "a cost is a whole number": {"cost": lambda name: "cheap"},
    "components must be a list": {"components": 3},
    "the component dict cannot be used": {"components": [dict]},
    "the component print is neither": {"components": [print]},
    "max_cost must be a positive number, not '3'": {"max_cost": "3"},
    "max_seconds must be a positive number, not -1": {"max_seconds": -1},
    "strategy must be one of": {"strategy": "best"},
}


@pytest.mark.parametrize("message", WRONG_REPAIRS)
def test_a_wrong_argument_of_repair_is_named(message):
    with pytest.raises(InvalidArgument, match=message):
        repair(module(LISTS)["f"], **WRONG_REPAIRS[message])


def test_wrong_arguments_of_gaps_are_named():
    f = module(LISTS)["f"]
    with pytest.raises(InvalidArgument, match="max_seconds must be a positive number, not 'soon'"):
        gaps(f, max_seconds="soon")
    with pytest.raises(InvalidArgument, match="raises IndexError"):
        gaps(f, atoms=[lambda v, n: v[0] == n])


def test_a_measure_that_is_no_parameter_is_named_even_if_nothing_recurs():
    text = LISTS.replace("n >= 0)", "n >= 0, decreases='m')")
    with pytest.raises(InvalidArgument, match="decreases names 'm'"):
        gaps(module(text)["f"])


MUTUAL = """
@covers(lambda v, n: len(v) % 2 == 0 and len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def evens(draw, n: int) -> list[int]:
    if n == 0 or draw(gen.booleans()):
        return []
    return [draw(gen.integers()), *draw(odds(n - 1))]

@covers(lambda v, n: len(v) % 2 == 1 and len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def odds(draw, n: int) -> list[int]:
    if n == 0:
        assume(False)
    return [draw(gen.integers()), *draw(evens(n - 1))]
"""


def test_a_gap_of_a_helper_is_a_gap_of_its_caller():
    broken = module(MUTUAL.replace("*draw(evens(n - 1))", "*draw(evens(0))"))
    assert gaps(broken["odds"]).value == [0, 0, 0]
    verdict = gaps(broken["evens"])
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", [0, 0, 0, 0], {"n": 4})


def test_a_hole_is_filled_with_a_call_of_the_generator_that_calls_back():
    text = MUTUAL.replace("    return [draw(gen.integers()), *draw(odds(n - 1))]", "    ...")
    made = repair(module(text)["evens"])
    assert made.status == "repaired", str(made)
    assert "return [draw(gen.integers()), *draw(odds(n - 1))]" in made.new
