"""Generators as people write them: some from the benchmark, with their broken twins, in both forms."""

from __future__ import annotations

import pytest
from completeness_suite.real.suite import SUITE
from samples import module

from everycase.complete import gaps
from everycase.complete.specification import specification_of

CASES = {case.name: case for case in SUITE}
SOME = ["point_in_box", "money", "sorted_lists", "appended", "filtered_comprehension", "unique_ids",
        "headed", "short_text", "keep_drawing", "stack_machine", "interval_by_sorting", "shifted"]  # fmt: skip


def generator(text):
    names = module(text.replace("from __future__ import annotations", ""))
    return next(g for g in names.values() if specification_of(g) is not None)


@pytest.mark.parametrize("name", SOME)
def test_a_whole_one_is_proved(name):
    verdict = gaps(generator(CASES[name].everycase()))
    assert (verdict.status, verdict.unsupported) == ("proved", None)


@pytest.mark.parametrize("name", SOME[::2])
def test_a_broken_one_misses_something(name):
    assert gaps(generator(CASES[name].everycase(twin=True))).status == "missing"


@pytest.mark.parametrize("name", SOME[1::3])
def test_in_the_form_of_hypothesis(name):
    pytest.importorskip("hypothesis")
    assert gaps(generator(CASES[name].in_hypothesis())).status == "proved"
    assert gaps(generator(CASES[name].in_hypothesis(twin=True))).status == "missing"


def test_what_was_inferred_is_said():
    verdict = gaps(generator(CASES["stack_machine"].everycase()))
    assert any("the type of n has no annotation; inferred as int" in note for note in verdict.notes)
    assert any("the return type has no annotation; inferred as list[int]" in note for note in verdict.notes)


UNKNOWN_TYPES = {
    "set[bool]": ("all(0 <= x <= 1 for x in v)", "gen.sets(gen.integers(0, {}).map(bool))", "{1}"),
    "dict[bool, int]": ("all(x == 0 or x == 1 for x in v.values())", "gen.dictionaries(gen.booleans(), gen.integers(0, {}))", None),
    "tuple[complex, int]": ("v[0] == 0j and 0 <= v[1] <= 1", "gen.tuples(gen.just(0j), gen.integers(0, {}))", "(0j, 1)"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNKNOWN_TYPES)
def test_types_without_a_place_in_proofs_are_run_choice_by_choice(kind):
    predicate, drawn, missed = UNKNOWN_TYPES[kind]
    for top in (0, 1):
        source = drawn.format(top)
        text = f"@covers(lambda v: {predicate})\n@gen.composite\ndef f(draw) -> {kind}:\n    return draw({source})\n"
        verdict = gaps(module(text)["f"])
        assert verdict.checked and verdict.status != "proved"
        if verdict.status == "missing":
            assert top == 0
        if top == 0 and missed == "(0j, 1)":
            assert (verdict.status, repr(verdict.value)) == ("missing", missed)
