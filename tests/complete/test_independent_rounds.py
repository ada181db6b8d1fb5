"""Loops whose rounds do not depend on each other: however many they are, they are read as one list, and proved element by
element."""

from __future__ import annotations

import pytest
from samples import module

from everycase.complete import gaps

#: name: text, what is proved, what the twin has instead
ROUNDS = {
    "a record in each round": (
        """
@dataclass
class Order:
    side: str
    amount: int

@covers(
    lambda v, least, most: least <= len(v) <= most and all(o.side in ("buy", "sell") and 0 <= o.amount <= 9 for o in v),
    requires=lambda least, most: 0 <= least <= most,
)
@gen.composite
def f(draw, least: int, most: int) -> list[Order]:
    orders = []
    for _ in range(draw(gen.integers(least, most))):
        side = draw(gen.sampled_from(["buy", "sell"]))
        orders.append(Order(side, amount=draw(gen.integers(0, 9))))
    return orders
""",
        "gen.integers(0, 9)",
        "gen.integers(0, 8)",
    ),
    "several ways through a round": (
        """
@covers(lambda v: len(v) <= 8 and all((o == "neg") == (n == 0) and o in ("neg", "mul", "pow") and (o != "pow" or 1 <= n <= 3) for o, n in v))
@gen.composite
def f(draw) -> list[tuple[str, int]]:
    steps = []
    for _ in range(draw(gen.integers(0, 8))):
        op = draw(gen.sampled_from(["neg", "mul", "pow"]))
        if op == "neg":
            steps.append((op, 0))
            continue
        if op == "mul":
            n = draw(gen.integers())
            assume(n != 0)
            steps.append((op, n))
        else:
            steps.append((op, draw(gen.integers(1, 3))))
    return steps
""",
        "gen.integers(1, 3)",
        "gen.integers(1, 2)",
    ),
    "words in a comprehension": (
        """
@covers(lambda v, n: len(v) == n and all(2 <= len(w) and w != "bb" and all(c in "ab" for c in w) for w in v), requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[str]:
    return [draw(gen.text("ab", min_size=2).filter(lambda w: w != "bb")) for _ in range(n)]
""",
        "min_size=2",
        "min_size=3",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds_of_any_number_are_proved_or_refuted(name):
    text, old, new = ROUNDS[name]
    whole = gaps(module(text)["f"], max_seconds=30)
    assert (whole.status, whole.soundness) == ("proved", "proved"), whole.notes
    assert gaps(module(text.replace(old, new))["f"], max_seconds=30).status == "missing"


@pytest.mark.parametrize(
    "body",
    [
        "last = 0\n    for _ in range(n):\n        last = draw(gen.integers(last, 9))\n        xs.append(last)",
        "for i in range(n):\n        xs.append(draw(gen.integers(0, i)))",
        "for _ in range(n):\n        xs.append(draw(gen.integers(0, 9)))\n        if len(xs) > 2:\n            break",
        "for _ in range(n):\n        k = draw(gen.integers(0, 9))\n        xs.append(k)\n    xs.append(k)",
        "for _ in range(n):\n        k = draw(gen.integers(0, 9))\n        if k > 4:\n            xs.append(k)",
    ],
    ids=[
        "a sum",
        "the number of the round",
        "a break",
        "a name used afterwards",
        "some rounds without an element",
    ],
)
def test_rounds_that_depend_on_each_other_are_not_read_as_one_list(body):
    text = f"""
@covers(lambda v, n: True, requires=lambda n: n > 12)
@gen.composite
def f(draw, n: int) -> list[int]:
    xs = []
    {body}
    return xs
"""
    verdict = gaps(module(text)["f"], max_seconds=1)
    assert verdict.unsupported is not None and verdict.status != "proved"
