"""A sketch that is just a hole becomes a whole generator: proved complete, only valid values, and no error when run."""

from __future__ import annotations

import random

import pytest
from completeness_suite import bare
from samples import module

from everycase.complete import gaps, repair

ARGUMENTS = {
    "sorted_lists": (3,), "sorted_lists_from": (3, 5), "sorted_any": (), "search_trees": (3, 0, 9), "heaps": (3, 0),
    "intervals": (), "spans": (-2, 7), "dates": (), "brackets": (4, 0), "calendars": (3, 9), "red_black": (1, False),
    "sized_trees": (4,), "uniques": (3,), "money": (), "cards": (), "sorted_up_to": (3,), "expressions": (2, False),
}  # fmt: skip

AS_A_PERSON_WOULD_WRITE_IT = {
    "search_trees": """
    if high <= low + 1 or d <= 0 or draw(gen.integers(0, d)) == 0:
        return Leaf()
    value = draw(gen.integers(low + 1, high - 1))
    left = draw(search_trees(d - 1, low, value))
    right = draw(search_trees(d - 1, value, high))
    return Node(value, left, right)
""",
    "dates": "day = draw(gen.integers(1, days_in(year, month)))",
    "sorted_any": "return sorted(draw(gen.lists(gen.integers())))",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_generator_from_its_promise_alone(name):
    result = repair(getattr(bare, name), max_seconds=300)
    assert (result.status, result.verdict.soundness) == ("repaired", "proved")
    assert AS_A_PERSON_WOULD_WRITE_IT.get(name, "") in result.new
    scope = dict(vars(bare))
    exec(compile(result.new, f"{name}.py", "exec"), scope)
    made = scope[name]
    predicate = made.__everycase_covers__.predicate
    values = made(*ARGUMENTS[name]).sample(30, seed=random.Random(name).randrange(10**6))
    assert all(predicate(v, *ARGUMENTS[name]) for v in values)


@pytest.mark.filterwarnings("ignore")  # a composite that draws nothing yet
def test_in_the_form_of_hypothesis():
    pytest.importorskip("hypothesis")
    text = """
from hypothesis import strategies as st
@covers(lambda v, first, last: first <= v[0] < v[1] <= last, requires=lambda first, last: first < last)
@st.composite
def spans(draw, first: int, last: int) -> tuple[int, int]:
    ...
"""
    result = repair(module(text)["spans"])
    assert result.proved and "draw(st.integers(first, last - 1))" in result.new


def test_a_docstring_stays():
    text = '''
@covers(lambda v: 1 <= v <= 6)
@gen.composite
def die(draw) -> int:
    """What a die shows."""
    ...
'''
    result = repair(module(text)["die"])
    assert result.proved and '"""What a die shows."""\n    return draw(gen.integers(1, 6))' in result.new


@pytest.mark.parametrize(
    "promise, kind",
    [
        ("v * v == 2", "int"),
        ("v != v", "int"),
        ("len(v) == 2 and v[0] == v[1] + 1 and sum(v) == 4", "list[int]"),
    ],
)
def test_what_no_value_satisfies_is_never_called_repaired_with_values(promise, kind):
    text = f"@covers(lambda v: {promise})\n@gen.composite\ndef f(draw) -> {kind}:\n    ...\n"
    result = repair(module(text)["f"], max_seconds=4)
    assert result.verdict.soundness != "refuted"


@pytest.mark.slow
def test_a_new_body_where_no_smaller_change_is_enough():
    text = """
@covers(lambda v: 0 <= v[0] < v[1] < v[2] <= 9)
@gen.composite
def rows(draw) -> tuple[int, int, int]:
    a = draw(gen.integers(2, 3))
    return (a, a + 1, a + 2)
"""
    generator = module(text)["rows"]
    assert gaps(generator).status == "missing"
    result = repair(generator, max_seconds=6)
    if result.proved:
        assert result.verdict.soundness == "proved"
