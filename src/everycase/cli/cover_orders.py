"""``everycase cover --orders``: sequences in which any t events occur in every order."""

from __future__ import annotations

import csv
import sys
from typing import Never

import click

from everycase.arrays.sequences import sequence_covering_array
from everycase.cli.common import FINE, print_json
from everycase.errors import InvalidArgument


def cover_orders(
    events: str,
    before: tuple[str, ...],
    strength: int,
    seed: int,
    effort: float,
    form: str,
    as_json: bool,
) -> Never:
    """Print the sequences, and a line about them to standard error."""
    if form not in ("table", "csv", "json"):
        raise InvalidArgument(f"--orders prints a table, csv or json, not {form}")
    names = [name.strip() for name in events.split(",") if name.strip()]
    array = sequence_covering_array(
        names, strength, constraints=[_pair(text) for text in before], seed=seed, effort=effort
    )
    if as_json or form == "json":
        print_json(
            {
                "sequences": [list(row) for row in array],
                "orders": array.total,
                "covered": array.covered,
                "infeasible": [list(order) for order in array.infeasible],
                "not_reached": [list(order) for order in array.not_reached],
            }
        )
        raise SystemExit(FINE)
    if form == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(array)
    else:
        widths = [max(len(row[i]) for row in array) for i in range(len(names))]
        for row in array:
            click.echo("  ".join(name.ljust(width) for name, width in zip(row, widths)).rstrip())
    click.echo(str(array), err=True)
    raise SystemExit(FINE)


def _pair(text: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise InvalidArgument(f"--before {text}: two events are needed, such as --before open,close")
    return parts[0], parts[1]
