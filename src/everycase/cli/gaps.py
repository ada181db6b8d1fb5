"""``everycase gaps``: which valid values can generators never make, and which invalid ones do they make?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from everycase.cli.common import FINE, FOUND, MISUSE, json_option, load, print_json
from everycase.complete.check import gaps
from everycase.complete.frontend.source import innermost
from everycase.errors import InvalidArgument

EXAMPLE = """\b
Examples:
  everycase gaps tests/generators.py::bsts
  everycase gaps tests/
  everycase gaps tests/ --sarif > gaps.sarif
  everycase gaps tests/strategies.py::bsts --smt-out queries
  everycase gaps shop.generators:orders --no-proof --json
"""


@click.command("gaps", epilog=EXAMPLE)
@click.argument("targets", metavar="FILE::NAME | PATH...", nargs=-1, required=True)
@click.option(
    "--max-seconds", type=float, default=10.0, show_default=True, help="When to stop, per generator."
)
@click.option("--no-proof", is_flag=True, help="Only look in small worlds; do not start the solver.")
@click.option("--smt-out", metavar="DIR", help="Write the solver's queries there (for FILE::NAME only).")
@click.option(
    "--sarif", "as_sarif", is_flag=True, help="Print SARIF, for tools that show findings in the code."
)
@click.option("--no-cache", is_flag=True, help="Ask again, even if nothing changed since the last time.")
@json_option
def command(
    targets: tuple[str, ...],
    max_seconds: float,
    no_proof: bool,
    smt_out: str | None,
    as_sarif: bool,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Say which valid values generators can never make, and which invalid ones they make.

    NAME is a @gen.composite (or Hypothesis' @st.composite) function under @covers; a file or a folder stands for all
    composites in it, and one without @covers promises its return type. Does it make every valid value? There are three
    answers: missing (with the smallest value), proved, and no gap found up to some bounds. Does it make only valid
    values? Again three: refuted (with a value that it made), proved, and no violation found. The exit code is 0 if nothing valid is known to be
    missing, 1 if something is or if invalid values are made, 2 if something could not be asked.
    """
    named = [t for t in targets if _is_named(t)]
    if len(targets) == 1 and named and not as_sarif:
        _one(targets[0], max_seconds, not no_proof, smt_out, as_json)
    if smt_out is not None:
        raise InvalidArgument("--smt-out goes with one generator, FILE::NAME")
    _many(targets, named, max_seconds, not no_proof, not no_cache, as_sarif, as_json)


def _is_named(target: str) -> bool:
    """FILE::NAME or package.module:NAME, rather than a path."""
    return "::" in target or (":" in target and not Path(target).exists())


def _one(target: str, max_seconds: float, prove: bool, smt_out: str | None, as_json: bool) -> None:
    generator = load(target).value
    verdict = gaps(generator, max_seconds=max_seconds, prove=prove, smt_out=smt_out)
    if as_json:
        print_json({**verdict.to_json(), **_place(generator)})
    else:
        click.echo(str(verdict))
    if verdict.status == "missing" or verdict.unsound is not None:
        raise SystemExit(FOUND)
    raise SystemExit(FINE if verdict.checked else MISUSE)


def _place(generator: Any) -> dict[str, Any]:
    code = getattr(innermost(generator), "__code__", None)
    return {"file": code.co_filename, "line": code.co_firstlineno} if code is not None else {}


def _many(
    targets: tuple[str, ...],
    named: list[str],
    max_seconds: float,
    prove: bool,
    cached: bool,
    as_sarif: bool,
    as_json: bool,
) -> None:
    from everycase.cli import gaps_suite as suite
    from everycase.complete.suite import ask, summary

    paths = [Path(t) for t in targets if t not in named]
    for path in paths:
        if not path.exists():
            raise InvalidArgument(f"there is no file or folder {str(path)!r}; write PATH or FILE::NAME")
    rows = []
    for target in named:
        found = load(target)
        row = ask(found.module, found.value, max_seconds, prove)
        rows.append({**row, "file": "?", "line": 1, **_place(found.value)})
    rows += suite.ask_all(paths, max_seconds, prove, cached)
    if as_sarif:
        print_json(suite.sarif(rows))
    elif as_json:
        print_json(rows)
    elif rows:
        for row in rows:
            if row["status"] == "missing" or row.get("unsound"):
                click.echo(row["text"])
        click.echo(summary(rows))
    if not rows:
        if not as_json and not as_sarif:
            click.echo(f"no generators were found in {', '.join(targets)}")
        raise SystemExit(MISUSE)
    if any(r["status"] == "missing" or r.get("unsound") for r in rows):
        raise SystemExit(FOUND)
    raise SystemExit(MISUSE if any(r["status"] == "error" for r in rows) else FINE)
