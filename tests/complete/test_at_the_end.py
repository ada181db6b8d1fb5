"""Lists that grow at the end: the last element and the rest can be read off the list."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps, repair

GROWN = """
@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0 or draw(gen.booleans()):
        return []
    return GROWS
"""

FORMS = [
    "draw(f(n - 1)) + [draw(gen.integers())]",
    "[*draw(f(n - 1)), draw(gen.integers())]",
]


@pytest.mark.parametrize("form", FORMS)
def test_growing_at_the_end_is_proved_and_sound(form):
    verdict = gaps(module(GROWN.replace("GROWS", form))["f"])
    assert verdict.status == "proved" and verdict.sound, str(verdict)


@pytest.mark.parametrize("form", FORMS)
def test_what_the_last_element_cannot_be_is_missing(form):
    verdict = gaps(module(GROWN.replace("GROWS", form.replace("integers()", "integers(1, None)")))["f"])
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", [0], {"n": 1})


def test_elements_in_the_middle_are_seen_too():
    text = GROWN.replace("GROWS", "[draw(gen.integers()), *draw(f(n - 1)), draw(gen.integers())]")
    verdict = gaps(module(text)["f"])
    assert (verdict.status, verdict.value, verdict.arguments) == ("missing", [0], {"n": 1})
    assert verdict.unsound is not None and len(verdict.unsound[1]) > verdict.unsound[0]["n"]


def test_all_and_sum_over_a_list_that_grows_at_the_end():
    text = """
def small(v: list[int]) -> bool:
    return all(0 <= x <= 9 for x in v)

@covers(lambda v, n: len(v) == n and small(v), requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0:
        return []
    return [*draw(f(n - 1)), draw(gen.integers(0, HIGH))]
"""
    verdict = gaps(module(text.replace("HIGH", "9"))["f"])
    assert verdict.status == "proved" and verdict.sound, str(verdict)
    verdict = gaps(module(text.replace("HIGH", "8"))["f"])
    assert (verdict.status, verdict.value) == ("missing", [9])


def test_two_elements_at_the_end():
    text = GROWN.replace("GROWS", "draw(f(n - 1)) + [draw(gen.integers()), draw(gen.integers())]")
    verdict = gaps(module(text)["f"])
    assert (verdict.status, verdict.value) == ("missing", [0])


def test_a_hole_in_a_generator_that_grows_at_the_end_is_repaired():
    text = """
@covers(lambda v, n: len(v) <= n, requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0:
        ...
    if draw(gen.booleans()):
        return []
    return [*draw(f(n - 1)), draw(gen.integers())]
"""
    assert repair(module(text)["f"]).status == "repaired"
