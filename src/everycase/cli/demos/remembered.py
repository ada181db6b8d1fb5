"""An input that failed once is tried first the next time."""

from __future__ import annotations

import tempfile
from pathlib import Path

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.run.render import verdict
from everycase.run.source_text.printer import call


def percent(part: int, whole: int) -> str:
    """The bug: rounding hides that something is missing."""
    return f"{100 * part / whole:.0f} %"


def only_all_is_a_hundred_percent(part: int, whole: int) -> None:
    if part < whole:
        assert percent(part, whole) != "100 %"


def demo() -> Scene:
    with tempfile.TemporaryDirectory() as folder:
        where = {"database": Path(folder) / "examples.db", "max_examples": 100_000}
        gens = gen.integers(0, 1000), gen.integers(1, 1000)
        first = check(only_all_is_a_hundred_percent, *gens, seed=1, **where)
        again = check(only_all_is_a_hundred_percent, *gens, seed=2, **where)
    return Scene(
        technique="Failures are remembered",
        story="A progress display says 100 % too early. The first run has to search for such a case; the next "
        "run, with another seed, tries the remembered case first.",
        code=source(percent, only_all_is_a_hundred_percent),
        outcome=f"first run: {verdict(first)}\n"
        + call("percent", first.failures[0].arguments)
        + f"\nnext run: {verdict(again)}, because {again.stopped}",
        facts=[
            ("first run, failing test", f"{first.failed_at:,}"),
            ("next run, failing test", f"{again.failed_at:,}"),
        ],
        works=first.counterexample == again.counterexample and again.failed_at == 1,
    )
