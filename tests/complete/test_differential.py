"""Random small generators, mutated: the verdict against trying all choices for real."""

from __future__ import annotations

import random

import pytest
from samples import module

from everycase.complete import gaps
from everycase.enumeration.walk import walk

TEMPLATE = """
@covers(lambda v, n: len(v) <= n and all(0 <= x <= 2 for x in v), requires=lambda n: 0 <= n)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n {test} {limit}:
        return {base}
    {coin}
    x = draw(gen.integers({low}, {high}))
    {guard}
    return [{item}, *draw(f({smaller}))]
"""

CHOICES = {
    "test": ["<="],
    "limit": ["0", "0", "1"],
    "base": ["[]", "[]", "[draw(gen.integers(0, 2))] if n > 0 else []"],
    "coin": [
        "if draw(gen.booleans()):\n        return []",
        "if draw(gen.booleans()):\n        return []",
        "if n > 1 and draw(gen.booleans()):\n        return []",
        "if draw(gen.integers(0, n)) == 1:\n        return draw(f(n - 1))",
        "pass",
    ],
    "low": ["0", "0", "1"],
    "high": ["2", "2", "1", "n"],
    "guard": ["pass", "pass", "assume(x != 1)", "assume(x <= n)", "y = draw(gen.integers(0, 2))"],
    "item": ["x", "x", "2 - x", "x // 2 * 2", "x % 3"],
    "smaller": ["n - 1", "n - 1", "n - 1", "n - 2 if n > 1 else 0", "0"],
}


def made_by(generator, n):
    return {tuple(trace.value) for trace in walk(generator(n))}


def valid_for(n):
    values, last = {()}, {()}
    for _ in range(n):
        last = {(*v, x) for v in last for x in range(3)}
        values |= last
    return values


@pytest.mark.parametrize("seed", range(40))
def test_verdicts_agree_with_trying_everything(seed):
    rng = random.Random(seed)
    text = TEMPLATE.format(**{name: rng.choice(options) for name, options in CHOICES.items()})
    generator = module(text)["f"]
    verdict = gaps(generator, max_seconds=5)
    made = {n: made_by(generator, n) for n in range(3)}
    if verdict.status == "proved":
        assert all(valid_for(n) <= made[n] for n in made), text
    elif verdict.status == "missing":
        n = verdict.arguments["n"]
        value = tuple(verdict.value)
        assert value in valid_for(n) and value not in (made[n] if n in made else made_by(generator, n)), text
    else:
        assert verdict.suspected is not None or all(valid_for(n) <= made[n] for n in made), text
    if verdict.unsound is not None:
        arguments, value = verdict.unsound
        n = arguments["n"]
        assert tuple(value) not in valid_for(n), text
    if verdict.sound:
        assert all(made[n] <= valid_for(n) for n in made), text
