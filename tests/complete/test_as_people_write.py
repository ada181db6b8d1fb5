"""Generators as people write them, whole and with a gap, in both forms: each must be read, proved and refuted."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

#: name: text, what is proved, what the twin has instead
READ = {
    "a condition whose parts have different types": (
        """
@covers(lambda v: len(v) == 2 and 0 <= v[0] <= 1 and v[1] == 2)
@gen.composite
def f(draw) -> list[int]:
    xs = [2]
    x = draw(gen.integers(0, 1))
    if xs and xs[0] != x:
        xs = [x, *xs]
    return xs
""",
        "gen.integers(0, 1)",
        "gen.integers(1, 1)",
    ),
}


def as_hypothesis(text: str) -> str:
    return "from hypothesis import assume, strategies as st\n" + text.replace("gen.", "st.")


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("form", ["everycase", "hypothesis"])
def test_read_proved_and_refuted(name, form):
    text, old, new = READ[name]
    assert old in text
    for shown, status in ((text, "proved"), (text.replace(old, new), "missing")):
        verdict = gaps(module(as_hypothesis(shown) if form == "hypothesis" else shown)["f"])
        assert verdict.unsupported is None, str(verdict)
        assert verdict.status == status, str(verdict)
