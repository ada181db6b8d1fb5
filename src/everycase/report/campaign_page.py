"""A campaign as a page, made from the data of its report: progress, speed, workers, and failures."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from everycase.pages import charts
from everycase.pages.figures import duration, number, percent
from everycase.pages.html import Safe, joined, table, tag
from everycase.pages.runs import report_page
from everycase.run import as_data
from everycase.run.labels import Label


def campaign_page(campaign: dict[str, Any]) -> str:
    """The whole page: the campaign first, then each property as any other run."""
    runs = [as_run(each) for each in campaign["properties"]]
    section = tag("section", campaign_section(campaign), class_="property")
    return report_page(runs, f"Campaign {campaign['into']}", before=section)


def as_run(each: dict[str, Any]) -> dict[str, Any]:
    """A property of a campaign in the form of a run."""
    status = each["verdict"].partition(" ")[0]
    return {
        "name": each["name"],
        "status": status,
        "verdict": each["words"],
        "explorer": each["explorer"],
        "examples": each["tests"],
        "discarded": each["discards"],
        "seconds": each["cpu"],
        "warnings": each["warnings"],
        "best": each["best"],
        "best_input": each["best_input"],
        "trajectory": [],
        "events": each["events"],
        "labels": [
            as_data.label_data(Label(name, hits, each["tests"]))
            for name, hits in sorted(each["labels"].items())
        ],
        "tables": each["tables"],
        "failures": [
            {
                "error": failure["error"],
                "call": failure["input"],
                "blob": failure["blob"],
                "found": _found(failure),
            }
            for failure in each["failures"]
        ],
    }


def _found(failure: dict[str, Any]) -> str:
    words = f"Origin {failure['origin']}" if failure["origin"] else "Found by the campaign"
    if failure["kind"] != "failed":
        words += f"; {failure['kind']}"
    return words if failure["confirmed"] else f"{words}; not run again yet, so it may still shrink"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _lost(count: int) -> str:
    return "no worker was lost" if not count else f"{count:,} worker{'s were' if count > 1 else ' was'} lost"


def campaign_section(campaign: dict[str, Any]) -> Safe:
    """The campaign as a whole."""
    facts = [
        f"{number(campaign['tests'])} tests in {duration(campaign['seconds'])}, "
        f"{duration(campaign['cpu'])} of CPU time in tests.",
        f"Started {_times(campaign['runs'])}; {_lost(campaign['workers_lost'])}.",
    ]
    figures: list[Safe] = []
    if len(campaign["rate"]) > 1:
        points = [(seconds, rate) for seconds, rate in campaign["rate"]]
        figures.append(charts.line("Tests per second", points, "seconds", "tests per second", steps=True))
    covered = [
        (re.split(r"::|\.(?!py::)", each["name"])[-1], round(100 * each["coverage"], 3))
        for each in campaign["properties"]
        if each["coverage"] is not None
    ]
    if covered:
        figures.append(charts.bars("Share of the space that was tested", covered, "%"))
    origins = Counter(
        failure["origin"] or failure["error"]
        for each in campaign["properties"]
        for failure in each["failures"]
    )
    if origins:
        figures.append(charts.bars("Failures by origin", list(origins.most_common(20)), "inputs"))
    rows: list[list[object]] = [
        [
            worker["name"],
            number(worker["tests"]),
            number(worker["leases"]),
            duration(worker["cpu"]),
            duration(worker["last"]),
        ]
        for worker in campaign["workers"][:200]
    ]
    summary: list[list[object]] = [
        [
            each["name"],
            each["verdict"],
            number(each["tests"]),
            "" if each["coverage"] is None else percent(each["coverage"]),
            number(len(each["failures"])),
        ]
        for each in campaign["properties"]
    ]
    return joined(
        tag("h2", "The campaign"),
        *[tag("p", fact) for fact in facts],
        *[tag("p", problem, class_="bad") for problem in campaign["problems"]],
        tag("div", *figures, class_="charts") if figures else None,
        table(["property", "verdict", "tests", "tested share", "failures"], summary, "Properties"),
        table(["worker", "tests", "leases", "CPU time", "last seen after"], rows, "Workers")
        if rows
        else None,
    )
