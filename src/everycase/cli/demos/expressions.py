"""From types: an optimiser for arithmetic, tested on a recursive dataclass."""

from __future__ import annotations

from dataclasses import dataclass

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.run.render import verdict
from everycase.run.source_text.printer import call


@dataclass(frozen=True)
class Num:
    value: int


@dataclass(frozen=True)
class Sub:
    left: Num | Sub
    right: Num | Sub


Expr = Num | Sub


def value(e: Expr) -> int:
    return e.value if isinstance(e, Num) else value(e.left) - value(e.right)


def simplify(e: Expr) -> Expr:
    """Drop zeros. The bug: 0 - x is not x."""
    if isinstance(e, Sub):
        left, right = simplify(e.left), simplify(e.right)
        if right == Num(0):
            return left
        if left == Num(0):
            return right
        return Sub(left, right)
    return e


def simplifying_keeps_the_value(e: Expr) -> None:
    assert value(simplify(e)) == value(e)


def demo() -> Scene:
    report = check(simplifying_keeps_the_value, gen.from_type(Expr), seed=0, database=None)
    failure = report.failures[0]
    return Scene(
        technique="Inputs from types",
        story="An optimiser for arithmetic treats 0 - x like x. The generator comes from the dataclasses, including "
        "the recursion; nothing was written by hand.",
        code=source(Num, Sub, simplify, simplifying_keeps_the_value),
        outcome=f"{verdict(report)}\n" + call("simplify", failure.arguments),
        facts=[
            ("failing test", f"{report.failed_at:,}"),
            ("calls while shrinking", f"{failure.shrink_calls:,}"),
        ],
        works=failure.arguments["e"] in (Sub(Num(0), Num(1)), Sub(Num(0), Num(-1))),
    )
