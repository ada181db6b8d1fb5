"""Repair edits existing code before it adds new code, and never makes an invalid value possible."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import repair

EDITS = {
    "a range is widened": (
        "@covers(lambda v: 0 <= v <= 3)\n@gen.composite\ndef f(draw) -> int:\n    return draw(gen.integers(0, 2))\n",
        "draw(gen.integers(0, 3))",
    ),
    "a lower bound is lowered": (
        "@covers(lambda v: v[0] <= v[1])\n@gen.composite\ndef f(draw) -> tuple[int, int]:\n"
        "    a = draw(gen.integers())\n    return (a, draw(gen.integers(min_value=a + 1)))\n",
        "gen.integers(min_value=a)",
    ),
    "a condition is relaxed": (
        "@covers(lambda v: 0 <= v <= 5)\n@gen.composite\ndef f(draw) -> int:\n"
        "    n = draw(gen.integers(0, 5))\n    assume(n < 5)\n    return n\n",
        "assume(n <= 5)",
    ),
    "an option is added": (
        "@covers(lambda v: v in (1, 2, 5))\n@gen.composite\ndef f(draw) -> int:\n"
        "    return draw(gen.sampled_from([1, 2]))\n",
        "gen.sampled_from([1, 2, 5])",
    ),
    "a length is widened": (
        "@covers(lambda v: len(v) <= 3)\n@gen.composite\ndef f(draw) -> list[int]:\n"
        "    return draw(gen.lists(gen.integers(), max_size=2))\n",
        "max_size=3",
    ),
    "a set may be larger": (
        "@covers(lambda v: v <= {'x', 'y', 'z'})\n@gen.composite\ndef f(draw) -> set[str]:\n"
        "    return draw(gen.sets(gen.sampled_from(['x', 'y', 'z']), max_size=2))\n",
        "max_size=3",
    ),
    "a date may be earlier": (
        "import datetime\n@covers(lambda v: datetime.date(2000, 1, 1) <= v <= datetime.date(2000, 12, 31))\n"
        "@gen.composite\ndef f(draw) -> datetime.date:\n"
        "    return draw(gen.dates(datetime.date(2000, 1, 2), datetime.date(2000, 12, 31)))\n",
        "gen.dates(datetime.date(2000, 1, 1), datetime.date(2000, 12, 31))",
    ),
    "a float may be larger": (
        "@covers(lambda v: 0.0 <= v <= 1.0)\n@gen.composite\ndef f(draw) -> float:\n"
        "    return draw(gen.floats(0.0, 0.5))\n",
        "gen.floats(0.0, 1.0)",
    ),
    "text by character": (
        "@covers(lambda v: len(v) <= 3 and all(c in 'ab' for c in v))\n@gen.composite\ndef f(draw) -> str:\n"
        "    return draw(gen.text(alphabet='ab', min_size=1, max_size=3))\n",
        "gen.text(alphabet='ab', min_size=0, max_size=3)",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_enough(what):
    text, wanted = EDITS[what]
    patch = repair(module(text)["f"], max_seconds=10)
    assert patch.status == "repaired"
    assert wanted in patch.new
    assert len(patch.new.splitlines()) == len(patch.old.splitlines())


@pytest.mark.parametrize("body", ["return 0", "return draw(gen.just(0))", "assume(False)\n    return 0"])
def test_no_patch_makes_invalid_values(body):
    names = module(f"@covers(lambda v: 0 <= v <= 3)\n@gen.composite\ndef f(draw) -> int:\n    {body}\n")
    patch = repair(names["f"], max_seconds=5)
    if patch.new == patch.old:
        assert patch.status == "not repaired"
        return
    scope = dict(names)
    exec(compile(patch.new, "<patched>", "exec"), scope)
    assert set(scope["f"]().sample(300, seed=0)) <= {0, 1, 2, 3}
