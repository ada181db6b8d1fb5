"""``everycase campaign run | status``: long runs on many workers, and their results."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from everycase.campaign.api import ISLANDS, LEASE_LIMIT, read, run
from everycase.campaign.log import writing
from everycase.campaign.report import CampaignReport, PropertyReport
from everycase.cli.common import FINE, FOUND, MISUSE, json_option, print_json
from everycase.cli.root import INTERRUPTED

#: Seconds between two lines when the output is not a terminal.
PLAIN_BEAT = 10.0

RUN_EXAMPLE = """\b
Examples:
  everycase campaign run tests --into .campaign --seconds 3600
  everycase campaign run tests/test_merge.py::test_merge_keeps_points --into .campaign --workers 4
  everycase campaign run shop.checks:total_is_positive --into .campaign --dask tcp://scheduler:8786
Run the same command again to continue where it stopped, whatever stopped it.
"""

STATUS_EXAMPLE = """\b
Examples:
  everycase campaign status .campaign
  everycase campaign status .campaign --live
  everycase campaign status .campaign --json
"""

STYLES = {"passed": "green", "failed": "red", "flaky": "red", "gave_up": "yellow", "unfinished": "cyan"}


GROUP_EXAMPLE = """\b
Examples:
  everycase campaign run tests --into .campaign --seconds 3600
  everycase campaign status .campaign --json
"""


@click.group("campaign", epilog=GROUP_EXAMPLE)
def command() -> None:
    """Test properties on many workers, for hours, through crashes.

    A campaign is a folder with a log of the finished tests, to which any number of runs can add.
    """


@command.command("run", epilog=RUN_EXAMPLE)
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--into", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The campaign's folder."
)
@click.option(
    "--workers", type=click.IntRange(1), help="Number of processes on this machine (default: one per core)."
)
@click.option(
    "--dask", metavar="ADDRESS", help="Run on the cluster of this Dask scheduler, such as tcp://host:8786."
)
@click.option("--seconds", type=float, help="Time limit. Random tests and searches continue until then.")
@click.option("--max-examples", type=click.IntRange(1), help="Maximum number of tests per property.")
@click.option("--seed", type=int, help="The random seed.")
@click.option(
    "--islands",
    type=click.IntRange(1),
    default=ISLANDS,
    show_default=True,
    help="Number of searches that exchange their best inputs.",
)
@click.option(
    "--lease-seconds",
    type=float,
    default=LEASE_LIMIT,
    show_default=True,
    help="Time limit of a worker for one lease.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    metavar="MB",
    help="Memory limit of a worker process.",
)
@click.option(
    "--share", metavar="K/N", help="Test only the K-th of N shares, for machines without a shared folder."
)
@json_option
def run_command(
    targets: tuple[str, ...],
    into: Path,
    workers: int | None,
    dask: str | None,
    seconds: float | None,
    max_examples: int | None,
    seed: int | None,
    islands: int,
    lease_seconds: float,
    memory: int | None,
    share: str | None,
    as_json: bool,
) -> None:
    """Run a campaign, or continue one.

    TARGETs are tests, files and folders as for pytest, or package.module:NAME. The exit code is 0 if nothing
    failed, 1 if something did, 2 if the campaign could not be run.
    """
    console = Console(highlight=False)
    _tell_running(into, "Both continue: tests that both run are counted once, but take twice the time.")
    try:
        with ExitStack() as stack:
            report = run(
                targets,
                into,
                workers=workers,
                dask=dask,
                max_seconds=seconds,
                max_examples=max_examples,
                seed=seed,
                islands=islands,
                lease_limit=lease_seconds,
                max_memory=memory,
                share=_share(share),
                watcher=None if as_json else _watcher(console, stack),
            )
    except KeyboardInterrupt:
        click.echo("Interrupted. Run the same command again to continue.", err=True)
        raise SystemExit(INTERRUPTED) from None
    _conclude(console, report, as_json)


@command.command("status", epilog=STATUS_EXAMPLE)
@click.argument("into", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Keep showing it while it runs.")
@json_option
def status_command(into: Path, live: bool, as_json: bool) -> None:
    """Show the results of a campaign, whether it is running or not."""
    console = Console(highlight=False)
    report = read(into)
    _tell_running(into, "")
    if live and not as_json:
        with ExitStack() as stack:
            watch = _watcher(console, stack)
            while not report.finished:
                watch(report)
                time.sleep(1)
                report = read(into)
    _conclude(console, report, as_json)


def _tell_running(into: Path, more: str) -> None:
    """Report on standard error, where it does not disturb JSON, which runs of the campaign are in
    progress."""
    for writer in writing(into):
        host, process, _ = writer.rsplit("-", 2)
        click.echo(
            f"A run of this campaign is in progress: process {process} on {host}. {more}".rstrip(), err=True
        )


def _share(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    own, _, shares = text.partition("/")
    if not own.isdigit() or not shares.isdigit():
        raise click.UsageError(f"--share {text} must be K/N, such as 1/2 for the first of two")
    return int(own), int(shares)


def _conclude(console: Console, report: CampaignReport, as_json: bool) -> None:
    if as_json:
        print_json(report.to_json())
    else:
        _show(console, report)
    if report.problems and report.status == "gave_up":
        raise SystemExit(MISUSE)
    raise SystemExit(FINE if report.status in ("passed", "unfinished") else FOUND)


# --- on a terminal, and elsewhere ---------------------------------------------------------------------------------


def _watcher(console: Console, stack: ExitStack) -> Callable[[CampaignReport], None]:
    """Shows the progress: a table that is redrawn, or a line now and then."""
    if console.is_terminal:
        live = stack.enter_context(Live(console=console, transient=True, auto_refresh=False))
        return lambda report: live.update(_picture(report), refresh=True)
    last = [time.monotonic()]

    def line(report: CampaignReport) -> None:
        if time.monotonic() - last[0] >= PLAIN_BEAT:
            last[0] = time.monotonic()
            click.echo(_line(report))

    return line


def _line(report: CampaignReport) -> str:
    """Everything in one line."""
    open_ = sum(not each.finished for each in report.properties)
    failed = sum(each.status in ("failed", "flaky") for each in report.properties)
    rate = report.rate[-2][1] if len(report.rate) > 1 else 0.0
    return (
        f"{report.seconds:,.0f} s: {report.tests:,} tests, {rate:,.0f}/s, {len(report.properties)} properties, {open_} unfinished, "
        f"{failed} failed, {report.workers_lost} workers lost"
    )


def _picture(report: CampaignReport) -> Group:
    return Group(_table(report), Text(_line(report), style="dim"))


def _table(report: CampaignReport) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("property", "verdict", "tests", "per second", "covered", "best"):
        table.add_column(
            heading, justify="right" if heading in ("tests", "per second", "covered") else "left"
        )
    for each in report.properties:
        table.add_row(
            Text(each.name),
            Text(each.verdict, style=STYLES.get(each.status, "")),
            f"{each.tests:,}",
            f"{each.rate[-2][1]:,.0f}" if len(each.rate) > 1 else "",
            "" if each.coverage is None else f"{each.coverage:.1%}",
            Text(", ".join(f"{label or 'utility'} {value:g}" for label, value in each.best.items())),
        )
    return table


def _show(console: Console, report: CampaignReport) -> None:
    """The report as text."""
    for each in report.properties:
        style = f"bold {STYLES.get(each.status, '')}"
        console.print(Text(f"{each.name}: {each.words}", style=style), soft_wrap=True)
        _show_failures(each)
        for warning in each.warnings:
            click.echo(f"  warning: {warning}")
        for label, value in each.best.items():
            click.echo(f"  best {label or 'utility'}: {value:g}")
    for problem in report.problems:
        console.print(Text(f"not run: {problem}", style="yellow"), soft_wrap=True)
    click.echo(_line(report))


def _show_failures(each: PropertyReport) -> None:
    for failure in each.failures:
        flaky = "flaky, did not fail again: " if failure.kind == "flaky" else ""
        click.echo(f"  {flaky}{failure.error}")
        for line in failure.input.splitlines():
            click.echo(f"    {line}")
        if failure.index is not None:
            click.echo(f"    smallest index that fails this way: {failure.index}")
        if failure.blob is not None and len(failure.blob) < 2000:
            click.echo(f'    to run only this input: @reproduce("{failure.blob}")')
