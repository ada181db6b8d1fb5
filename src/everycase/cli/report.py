"""``everycase report PATH --html FILE``: a page about runs that wrote observability lines, or about a
campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from everycase.cli.common import FINE, FOUND, json_option, print_json, write_page
from everycase.gen.plain import plain
from everycase.pages.runs import report_page
from everycase.report.campaign_page import as_run, campaign_page
from everycase.report.diff import diff_section, differences
from everycase.report.reading import read_runs

EXAMPLE = """\b
Examples:
  everycase report .everycase/observed --html report.html
  everycase report monday.jsonl --against friday.jsonl --html changes.html
  everycase report .campaign --html campaign.html
  everycase report .hypothesis/observed --json
"""

#: Maximum number of characters of a failing input to print.
MOST_SHOWN = 3000


@click.command("report", epilog=EXAMPLE)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write an HTML page.")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    help="Earlier runs to compare with: also show what has changed since.",
)
@json_option
def command(path: Path, html: Path | None, against: Path | None, as_json: bool) -> None:
    """Show what runs did: a file of observability lines, a folder of such files, or a campaign.

    Lines are written by pytest --everycase-observe and settings(observe=True); those of Hypothesis are read as well. The exit
    code is 0 if all runs passed, 1 if not, 2 if there is nothing to read.
    """
    campaign = _campaign(path)
    runs = read_runs(path) if campaign is None else [as_run(each) for each in campaign["properties"]]
    before = None if against is None else read_runs(against)
    changes = {} if before is None else differences(before, runs)
    if html is not None:
        section = None if before is None else diff_section(before, runs, (str(against), str(path)))
        page = report_page(runs, before=section) if campaign is None else campaign_page(campaign)
        write_page(html, page)
    if as_json:
        plain_runs = runs if campaign is None else campaign
        print_json({"runs": plain_runs, "changes": changes} if before is not None else plain_runs)
    else:
        _show(runs, changes)
        if html is not None:
            click.echo(f"written as a page: {html}")
    raise SystemExit(FINE if all(run["status"] == "passed" for run in runs) else FOUND)


def _campaign(path: Path) -> dict[str, Any] | None:
    """The results of a campaign, if the folder is one."""
    from everycase.campaign.api import read
    from everycase.campaign.log import ABOUT

    if not (path / ABOUT).is_file():
        return None
    found: dict[str, Any] = plain(read(path).to_json())
    return found


def _show(runs: list[dict[str, Any]], changes: dict[str, list[tuple[str, str, str]]]) -> None:
    for run in runs:
        click.echo(f"{run['name']}: {run['verdict']}")
        for failure in run["failures"]:
            click.echo(f"  {failure['error'].splitlines()[0]}")
            shown = failure["call"][:MOST_SHOWN]
            click.echo("    " + shown.replace("\n", "\n    "))
            if shown != failure["call"]:
                click.echo(f"    ... and {len(failure['call']) - MOST_SHOWN:,} more characters")
    for name, rows in changes.items():
        for what, old, new in rows:
            click.echo(f"changed in {name}: {what}: {old or '-'} -> {new or '-'}")
