"""``everycase gaps FILE::NAME``: which valid values can this generator never make?"""

from __future__ import annotations

import click

from everycase.cli.common import FINE, FOUND, MISUSE, json_option, load, print_json
from everycase.complete.check import gaps

EXAMPLE = """\b
Examples:
  everycase gaps tests/generators.py::bsts
  everycase gaps tests/strategies.py::bsts --smt-out queries
  everycase gaps shop.generators:orders --no-proof --json
"""


@click.command("gaps", epilog=EXAMPLE)
@click.argument("target", metavar="FILE::NAME")
@click.option("--max-seconds", type=float, default=10.0, show_default=True, help="When to stop looking.")
@click.option("--no-proof", is_flag=True, help="Only look in small worlds; do not start the solver.")
@click.option("--smt-out", metavar="DIR", help="Write the solver's queries there, for anyone to check.")
@json_option
def command(target: str, max_seconds: float, no_proof: bool, smt_out: str | None, as_json: bool) -> None:
    """Say which valid values a generator can never make.

    NAME is a @gen.composite (or Hypothesis' @st.composite) function under @covers. There are three answers: missing
    (with the smallest value), proved, and no gap found up to some bounds. The exit code is 0 if nothing valid is
    known to be missing, 1 if something is or if invalid values are made, 2 if it could not be asked.
    """
    verdict = gaps(load(target).value, max_seconds=max_seconds, prove=not no_proof, smt_out=smt_out)
    if as_json:
        print_json(verdict.to_json())
    else:
        click.echo(str(verdict))
    if verdict.status == "missing" or verdict.unsound is not None:
        raise SystemExit(FOUND)
    raise SystemExit(FINE if verdict.checked else MISUSE)
