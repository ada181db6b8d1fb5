"""Completeness: a valid value that a generator can never make, and the missing branch."""

from __future__ import annotations

from everycase import covers, gen
from everycase.cli.demos import Scene, source
from everycase.complete import gaps, repair


def positive(values: list[int]) -> bool:
    return not values or (values[0] > 0 and positive(values[1:]))


def allowed(v: list[int], n: int) -> bool:
    return len(v) <= n and positive(v)


@covers(allowed, requires=lambda n: n >= 0, decreases="n")
@gen.composite
def prices(draw: gen.Draw, n: int) -> list[int]:
    if n == 0:
        return []
    return [draw(gen.integers(1)), *draw(prices(n - 1))]


def demo() -> Scene:
    verdict = gaps(prices)
    mended = repair(prices)
    return Scene(
        technique="Completeness",
        story="A generator of up to n positive prices looks right, but never makes a shorter list. This is found "
        "without a test, and the missing branch is written and proved complete.",
        code=source(prices),
        outcome=f"{verdict}\n{mended}".rstrip(),
        facts=[("before", verdict.status), ("after the repair", mended.verdict.status)],
        works=verdict.status == "missing" and mended.proved,
    )
