"""The report of a campaign: the content of its log, as objects. The status, the JSON and the page are
renderings of it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from everycase.campaign.lease import Todo
from everycase.campaign.log import number_in
from everycase.campaign.state import CampaignState, Progress, place_of
from everycase.run.labels import MET, MISSED, UNDECIDED, Label, exact_verdict
from everycase.run.shares import ShareTest

#: The maximum number of points of the rate over time.
MOST_STEPS = 120


@dataclass(frozen=True)
class CampaignFailure:
    """One distinct failure of a property, with the smallest input found for it."""

    #: the failing call as code
    input: str
    #: the smallest index of a value that fails this way, if values have indices
    index: int | None
    #: for ``@reproduce``; None if the input cannot be recorded
    blob: str | None
    #: the exception in one line, or how the process died
    error: str
    #: what distinguishes failures: type, file and line of the exception
    origin: str
    #: "failed", "flaky" (it did not fail again), or "died" (it killed its process)
    kind: str
    #: whether it was run again and shrunk
    confirmed: bool

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class PropertyReport:
    """The results for one property."""

    name: str
    #: begins with "passed", "failed", "flaky", "gave_up" or "unfinished"; in parentheses "died" or "changed"
    verdict: str
    #: valid tests
    tests: int
    discards: int
    #: best utility by label, as the test gave it
    best: dict[str, float]
    failures: list[CampaignFailure]
    #: the share of all values (or rows) that was tested, from 0 to 1; None if there is none
    coverage: float | None
    #: every possible value was tested
    exhaustive: bool
    #: the verdict in a sentence
    words: str
    technique: str
    explorer: str
    #: the code or the generators have changed since it was started, so it was started again
    changed: bool
    #: the input that reached the best utility, as code, by label
    best_input: dict[str, str]
    events: dict[str, int]
    #: seconds of CPU time spent in tests
    cpu: float
    leases: int
    warnings: list[str]
    #: (seconds since the campaign began, tests per second)
    rate: list[tuple[float, float]]
    #: in how many tests each label of ``classify`` held, the verdicts on demanded shares, in words, and the
    #: counts of ``tabulate``
    labels: dict[str, int] = field(default_factory=dict)
    demands: dict[str, str] = field(default_factory=dict)
    tables: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def status(self) -> str:
        return self.verdict.partition(" ")[0]

    @property
    def finished(self) -> bool:
        return self.status != "unfinished" and "unfinished" not in self.verdict

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "failures": [failure.to_json() for failure in self.failures]}


@dataclass(frozen=True)
class Worker:
    """A process that has run tests."""

    name: str
    tests: int
    leases: int
    cpu: float
    #: seconds since the campaign began
    last: float


@dataclass(frozen=True)
class CampaignReport:
    """The results of a campaign."""

    into: str
    targets: list[str]
    seed: int
    #: "failed", "flaky", "gave_up", "unfinished" or "passed": the worst of its properties
    status: str
    properties: list[PropertyReport]
    #: how many workers died, killed from outside or by an input
    workers_lost: int
    workers: list[Worker]
    #: all properties together: (seconds since the campaign began, tests per second)
    rate: list[tuple[float, float]]
    tests: int
    #: seconds from the first lease to the last, and of CPU time spent in tests
    seconds: float
    cpu: float
    #: how often it was started
    runs: int
    #: tests that could not be planned: what is wrong with each
    problems: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[tuple[str, CampaignFailure]]:
        """Every distinct failure, with the name of its property."""
        return [(each.name, failure) for each in self.properties for failure in each.failures]

    @property
    def finished(self) -> bool:
        return all(each.finished for each in self.properties)

    def to_json(self) -> dict[str, Any]:
        """Plain data, for tools."""
        return {
            **vars(self),
            "properties": [each.to_json() for each in self.properties],
            "workers": [vars(worker) for worker in self.workers],
        }

    def __repr__(self) -> str:
        return f"<CampaignReport {self.into}: {self.status}, {len(self.properties)} properties, {self.tests:,} tests>"


ORDER = ("failed", "flaky", "gave_up", "unfinished", "passed")


def report_of(state: CampaignState, about: dict[str, Any], folder: Path) -> CampaignReport:
    """Read the log of a folder."""
    began = min((line["time"] for line in state.runs.values()), default=time.time())
    found = [_property(state, progress, began) for progress in state.current()]
    workers: dict[str, list[float]] = {}
    rates: dict[int, int] = {}
    for progress in [each.with_partial() for each in state.progress.values()]:
        for name, work in progress.workers.items():
            sums = workers.setdefault(name, [0, 0, 0.0, 0.0])
            for place, key in enumerate(("tests", "leases", "cpu")):
                sums[place] += work[key]
            sums[3] = max(sums[3], work["last"])
        for second, tests in progress.rates.items():
            rates[second] = rates.get(second, 0) + tests
    problems = [str(text) for text in state.run.get("problems", [])]
    statuses = [each.status for each in found] + (["gave_up"] if problems else [])
    last = max(rates, default=began)
    return CampaignReport(
        into=str(folder),
        targets=list(about.get("targets", [])),
        seed=about.get("seed", 0),
        status=min(statuses, key=ORDER.index, default="gave_up"),
        properties=found,
        workers_lost=len(state.lost),
        workers=[
            Worker(name, int(tests), int(leases), round(cpu, 3), round(max(0.0, seen - began), 3))
            for name, (tests, leases, cpu, seen) in sorted(workers.items())
            if name
        ],
        rate=_rate(rates, began),
        tests=sum(each.tests for each in found),
        seconds=round(max(0.0, last - began), 3),
        cpu=round(sum(each.cpu for each in found), 3),
        runs=len(state.runs),
        problems=problems,
    )


def _rate(by_second: dict[int, int], began: float) -> list[tuple[float, float]]:
    """Tests per second over time, in a bounded number of steps."""
    if not by_second:
        return []
    first, last = int(began), max(by_second) + 1
    width = max(1, -(-(last - first) // MOST_STEPS))
    steps: dict[int, int] = {}
    for second, tests in by_second.items():
        steps[max(0, second - first) // width] = steps.get(max(0, second - first) // width, 0) + tests
    return [(float(step * width), steps.get(step, 0) / width) for step in range(max(steps) + 1)]


def _property(state: CampaignState, progress: Progress, began: float) -> PropertyReport:
    plan = progress.plan
    failures = failures_of(progress)
    todo = todo_for(progress, state)
    progress = progress.with_partial()
    unconfirmed = any(not failure.confirmed and failure.blob is not None for failure in failures)
    problems = state.problems(progress)
    finished = (todo.finished and not unconfirmed) or bool(problems)
    changed = bool(state.earlier(progress))
    coverage, exhaustive = _coverage(progress, todo)
    exhaustive = exhaustive and finished and not progress.doubts
    status = _status(progress, failures, problems, finished)
    demands = demand_verdicts(progress, exhaustive=exhaustive)
    rare = any(label.missed for label in demands) and status in ("passed", "unfinished")
    status = "failed" if rare else status
    died = any(failure.kind == "died" for failure in failures)
    notes = [
        *(["died"] if died else []),
        *(["label too rare"] if rare else []),
        *(["flaky"] if status != "flaky" and any(failure.kind == "flaky" for failure in failures) else []),
        *(["unfinished"] if not finished and status != "unfinished" else []),
        *(["changed"] if changed else []),
    ]
    verdict = status + (f" ({', '.join(notes)})" if notes else "")
    return PropertyReport(
        name=progress.name,
        verdict=verdict,
        tests=progress.tests,
        discards=progress.discards,
        best={label: best["value"] for label, best in sorted(progress.best.items())},
        failures=failures,
        coverage=coverage,
        exhaustive=exhaustive,
        words=_words(progress, todo, failures, problems, verdict, exhaustive, changed)
        + "".join(f"; {label.label!r}: {label.words}" for label in demands if label.missed),
        technique=todo.technique,
        explorer=plan.get("explorer", ""),
        changed=changed,
        best_input={label: best["input"] for label, best in sorted(progress.best.items())},
        events=dict(progress.events),
        cpu=round(progress.cpu, 3),
        leases=progress.leases,
        warnings=sorted(progress.warnings),
        rate=_rate(progress.rates, began),
        labels=dict(progress.labels),
        demands={label.label: label.words for label in demands},
        tables={name: dict(rows.most_common(200)) for name, rows in progress.tables.items()},
    )


def todo_for(progress: Progress, state: CampaignState, share: tuple[int, int] = (0, 1)) -> Todo:
    """The remaining work of a property, in the sense of the last run."""
    run = state.run
    earlier = [
        failure["blob"]
        for each in state.earlier(progress)
        for failure in [*each.failures.values(), *each.confirmed.values()]
        if failure["blob"] is not None
    ]
    return Todo(
        progress.plan,
        progress,
        islands=run.get("islands", 4),
        open_ended=run.get("max_seconds") is not None,
        max_examples=run.get("max_examples"),
        share=share,
        blobs=sorted(set(earlier)),
    )


def demand_verdicts(progress: Progress, *, exhaustive: bool) -> list[Label]:
    """The labels with a demanded share. The share is known if every value was tested; if inputs were drawn at
    random, a sequential test decides; otherwise it is not judged."""
    found = []
    for name, share in sorted(progress.demands.items()):
        label = Label(name, progress.share_hits[name], progress.share_tests, share)
        if exhaustive:
            exact_verdict(label)
        else:
            decided = None
            if progress.places("seeds").total:
                decided = ShareTest(share).verdict(label.tests, label.hits)
            label.verdict = UNDECIDED if decided is None else MET if decided else MISSED
            label.missed = decided is False
        found.append(label)
    return found


def failures_of(progress: Progress) -> list[CampaignFailure]:
    """Each distinct failure, the one at the first place first. Where a process died in the test is unknown, so all inputs
    with a number that killed one are shown, and of the others the one that was shrunk."""
    found: list[tuple[tuple[int, int], CampaignFailure]] = []
    for origin, failure in progress.failures.items():
        confirmed = progress.confirmed.get(origin)
        told = failure if confirmed is None or confirmed.get("unmade") else confirmed
        flaky = failure["flaky"] or (confirmed is not None and confirmed["flaky"])
        found.append(
            (
                place_of(failure),
                CampaignFailure(
                    input=told["input"],
                    index=number_in(failure["index"]),
                    blob=told["blob"] or failure["blob"],
                    error=told["error"],
                    origin=origin,
                    kind="flaky" if flaky else "failed",
                    confirmed=confirmed is not None or failure["flaky"] or failure["blob"] is None,
                ),
            )
        )
    shrunk = {died["origin"] for died in progress.died.values() if died.get("shrunk")}
    for place, died in progress.died.items():
        if died["index"] is None and died["origin"] in shrunk and not died.get("shrunk"):
            continue
        found.append(
            (
                (place, 0),
                CampaignFailure(
                    input=died["input"],
                    index=number_in(died["index"]),
                    blob=died["blob"],
                    error=died["error"],
                    origin=died["origin"],
                    kind="died",
                    confirmed=True,
                ),
            )
        )
    return [failure for _, failure in sorted(found, key=lambda each: (each[0], each[1].origin))]


def _status(progress: Progress, failures: list[CampaignFailure], problems: list[str], finished: bool) -> str:
    if any(failure.kind != "flaky" for failure in failures):
        return "failed"
    if failures:
        return "flaky"
    if problems:
        return "gave_up"
    if not finished:
        return "unfinished"
    return "passed" if progress.tests else "gave_up"


def _coverage(progress: Progress, todo: Todo) -> tuple[float | None, bool]:
    """The share of all places that was tested, and whether it is everything."""
    plan = progress.plan
    total = number_in(plan.get("total"))
    if total is None:
        total = progress.ended.get(plan.get("technique", ""))
    if total is None or todo.technique in ("seeds", "islands"):
        return None, False
    done = progress.places(todo.technique).total
    share = 1.0 if total == 0 else done / total
    # If there was nothing to test, "all" would be a strange word.
    whole = bool(plan.get("is_whole")) and done == total and progress.tests > 0
    return share, whole and todo.technique in ("numbers", "cases")


def _words(
    progress: Progress,
    todo: Todo,
    failures: list[CampaignFailure],
    problems: list[str],
    verdict: str,
    exhaustive: bool,
    changed: bool,
) -> str:
    tests = f"{progress.tests:,} test{'' if progress.tests == 1 else 's'}"
    total = number_in(progress.plan.get("total"))
    if exhaustive:
        done = progress.places(todo.technique).total
        words = f"{verdict}, exhaustive: {done:,} of {done:,} values"
    elif todo.technique == "numbers" and total is not None:
        words = f"{verdict}, {progress.places('numbers').total:,} of {total:,} values"
    else:
        words = f"{verdict}, {tests}"
    if progress.doubts:
        words += f", not exhaustive ({sorted(progress.doubts)[0]})"
    if progress.discards:
        words += f", {progress.discards:,} discarded"
    if failures:
        count = len({failure.origin for failure in failures})
        words += f", {count} distinct failure{'s' * (count > 1)}"
    if not progress.tests and progress.discards:
        words += ": no input was valid, so nothing was tested"
    if problems:
        words += f": {problems[0]}"
    if changed:
        words += "; its code has changed since an earlier run, so it was started again"
    return words
