"""``recursive(base, extend)``: read as a function that says whether a value is made, within the limits that it has."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

FORMULAS = """
@dataclass(frozen=True)
class Var:
    name: str

@dataclass(frozen=True)
class Not:
    inner: Formula

@dataclass(frozen=True)
class And:
    left: Formula
    right: Formula

Formula = Var | Not | And

def depth(f: Formula) -> int:
    if isinstance(f, Var):
        return 0
    if isinstance(f, Not):
        return 1 + depth(f.inner)
    return 1 + max(depth(f.left), depth(f.right))

def known(f: Formula) -> bool:
    if isinstance(f, Var):
        return f.name in ("p", "q")
    if isinstance(f, Not):
        return known(f.inner)
    return known(f.left) and known(f.right)

{header}
@covers(lambda f: {promise})
@gen.composite
def f(draw) -> Formula:
    variables = gen.sampled_from(["p", "q"]).map(Var)
    {made}
"""

ALL = "return draw(gen.recursive(variables, lambda sub: gen.builds(Not, sub) | gen.builds(And, sub, sub), max_leaves={}))"
HYPOTHESIS = "from hypothesis import strategies as gen"


def formulas(made, promise="depth(f) <= 2 and known(f)", header="", seconds=60):
    return gaps(module(FORMULAS.format(made=made, promise=promise, header=header))["f"], max_seconds=seconds)


@pytest.mark.parametrize("header", ["", pytest.param(HYPOTHESIS, marks=pytest.mark.slow)])
def test_trees_of_bounded_depth_are_proved_or_refuted(header):
    assert formulas(ALL.format(16), header=header).status == "proved"
    narrow = ALL.format(16).replace("gen.builds(And, sub, sub)", "gen.builds(And, sub, variables)")
    assert formulas(narrow, header=header).status == "missing"


def test_trees_of_any_depth_are_proved_where_no_limit_is_strict():
    verdict = formulas(ALL.format(16), "known(f)")
    assert verdict.status == "proved" and any("at most max_leaves leaves" in note for note in verdict.notes)


@pytest.mark.slow
@pytest.mark.parametrize(("leaves", "promise"), [(16, "known(f)"), (3, "depth(f) <= 2 and known(f)")])
def test_nothing_is_proved_beyond_the_limits_of_hypothesis(leaves, promise):
    verdict = formulas(ALL.format(leaves), promise, HYPOTHESIS, seconds=1)
    assert verdict.status == "no gap found" and any("max_leaves" in note for note in verdict.notes)


JSON = """
Json = None | str | list["Json"]

@covers(lambda v: True)
@gen.composite
def f(draw) -> Json:
    return draw(gen.recursive(gen.none() | gen.text(), lambda c: gen.lists(c)))
"""


def test_lists_of_lists_are_proved_by_one_induction_over_both():
    verdict = gaps(module(JSON)["f"])
    assert (verdict.status, verdict.soundness) == ("proved", "proved")
    verdict = gaps(module(JSON.replace("gen.lists(c)", "gen.lists(c, min_size=1)"))["f"])
    assert (verdict.status, verdict.value) == ("missing", [])
