"""How a worker tests a lease: the ordinary runner, on a part of the run.

A **technique** defines the places of a property:

- ``numbers``: the values of an exhaustive run by index;
- ``cases``: the cases of an explorer that always proposes the same ones, whatever their outcomes (covering
  arrays, walks, pruning in a fixed order), which are followed from the beginning to reach a place;
- ``seeds``: blocks of tests, each an ordinary run with its own seed (random testing, pruning in random
  orders);
- ``islands``: rounds of searches, each with its own seed, that start with the best inputs of the round
  before;
- ``whole``: one place, the whole run, if it cannot be divided (every sequence of steps of a state machine);
- ``given``: one place, the explicit examples, and the failures from before the code was changed.

Two more handle failures: ``confirm`` runs a failure again and shrinks it, ``reduce`` does the same with an
input that kills its process.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from everycase.campaign.deadly import can_fork, reduce
from everycase.campaign.fingerprint import fingerprint
from everycase.campaign.log import number_in, number_out
from everycase.campaign.marks import Mark
from everycase.choices.enact import replay
from everycase.choices.trace import Trace
from everycase.errors import EverycaseError, GaveUp, HealthCheckFailed, LabelTooRare
from everycase.explore import Auto, Covering, Exhaustive, Narrow, Orders, Patterns
from everycase.explore.narrow.turns import IN_ORDER
from everycase.explore.protocol import SEARCHING, Case, Explorer, Outcome, Space, Status, Stopped
from everycase.explore.targeted.climb import Portfolio
from everycase.explore.targeted.search import TargetedSearch
from everycase.run.as_data import report_as_data
from everycase.run.context import enter
from everycase.run.labels import count_tables
from everycase.run.leases import CaseStream, PartOfSearch
from everycase.run.report import Failure, Report, ReportStatus
from everycase.run.runner import Runner, run_resolved
from everycase.run.settings import HealthCheck, Phase, Resolved, Verbosity
from everycase.run.timetable import Timetable

#: The default explorer tests every value if there are at most this many.
EVERY_VALUE = 10_000_000
#: Number of tests in a block: few if tests are independent of each other, as many as in an ordinary run if an
#: explorer learns from one test to the next.
BLOCK, LONG_BLOCK = 100, 1000
#: The number of tests in an island's first round; it doubles each round up to the last.
FIRST_ROUND, LAST_ROUND = 100, 3200
#: The maximum number of labels whose best input is passed to the next round.
MOST_LABELS = 8

#: Time limit of one process while a deadly input is shrunk, in seconds.
REDUCE_LIMIT = 5.0

FAILED = Outcome(Status.failed)

#: Fingerprints of a property.
Known = Collection[str]


#: Techniques that the default explorer uses if there are not too many values.
OF_ALL = ("numbers", "cases", "whole")


def explorer_for(options: Resolved, technique: str) -> Explorer:
    """The explorer of a technique: the one that the settings name, or the one that the default picked."""
    explorer = options.explore or Auto()
    return Exhaustive() if isinstance(explorer, Auto) and technique in OF_ALL else explorer


def chosen(runner: Runner, known: Known) -> Explorer:
    """The explorer that the settings name, or the one that the default picks. What it has once picked for a property is
    kept, although counting the values may take longer the next time than ``max_seconds`` allows, or less."""
    explorer = runner.options.explore or Auto()
    if not isinstance(explorer, Auto):
        return explorer
    if known and fingerprint(runner.prop, explorer) in known:
        return explorer
    if runner.space.fits(EVERY_VALUE) or (known and fingerprint(runner.prop, Exhaustive()) in known):
        return Exhaustive()
    return explorer


def technique_for(explorer: Explorer, space: Space) -> str:
    """What the places of a property are."""
    if isinstance(explorer, TargetedSearch):
        return "islands"
    if space.steps is not None:
        return "whole" if isinstance(explorer, Exhaustive | Orders) else "seeds"
    if isinstance(explorer, Exhaustive):
        return "cases" if explorer.plan(space) is None else "numbers"
    if isinstance(explorer, Covering | Patterns):
        return "cases"
    if isinstance(explorer, Narrow):
        return "cases" if explorer.order in IN_ORDER else "seeds"
    return "seeds"


def plan_for(runner: Runner, seed: int, known: Known = ()) -> dict[str, Any]:
    """How a property is to be tested, as plain data. ``known`` are the fingerprints with which it was tested before."""
    options, space = runner.options, runner.space
    explorer = chosen(runner, known)
    technique = technique_for(explorer, space)
    total: Any = None
    if technique == "numbers":
        assert isinstance(explorer, Exhaustive)
        plan = explorer.plan(space)
        assert plan is not None
        total = None if plan.count == float("inf") else int(plan.count)
    elif technique == "whole":
        total = 1
    small = type(explorer).__name__ == "Random" or space.steps is not None
    return {
        "fingerprint": fingerprint(runner.prop, explorer),
        "technique": technique,
        "explorer": repr(explorer),
        "total": number_out(total),
        "all": technique in ("numbers", "whole") and total is not None,
        "wants_all": isinstance(explorer, Covering),
        "limited": options.limited,
        "max_examples": options.max_examples if options.limited or options.max_seconds is None else 1000,
        "block": BLOCK if small else LONG_BLOCK,
        "seed": options.seed if options.seed is not None else seed_of(seed, runner.prop.name),
        "uncounted": space.counting.given_up,
        "is_whole": isinstance(explorer, Exhaustive) and _is_whole(explorer, space),
        "given": bool(runner.prop.spec.examples) and Phase.explicit in options.phases,
    }


def _is_whole(explorer: Exhaustive, space: Space) -> bool:
    plan = explorer.plan(space) if space.steps is None else None
    return explorer.max_size is None if plan is None else plan.is_whole


def seed_of(*parts: object) -> int:
    """A seed that depends only on these parts."""
    return int.from_bytes(hashlib.sha256(" ".join(map(str, parts)).encode()).digest()[:4])


def round_size(number: int) -> int:
    """The number of tests of an island in a round.

    >>> [round_size(number) for number in range(7)]
    [100, 200, 400, 800, 1600, 3200, 3200]
    """
    return min(FIRST_ROUND << min(number, 20), LAST_ROUND)


class Watched(Explorer):
    """Another explorer, whose cases are passed to ``before`` one by one. A case for which it returns an
    answer is not tested: it is known to kill the process."""

    def __init__(self, explorer: Explorer, before: Callable[[int, Case], bool]) -> None:
        self.explorer = explorer
        self.before = before
        self.stops_at_failure = explorer.stops_at_failure
        self.open_ended = explorer.open_ended
        #: how many cases were not tested
        self.passed_over = 0

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        steps = self.explorer.explore(space)
        outcome: Any = None
        number = 0
        while True:
            space.batches = 0
            try:
                case = steps.send(outcome)
            except StopIteration:
                return
            if case.args is not None and self.before(number, case):
                self.passed_over += 1
                outcome = FAILED
            else:
                outcome = yield case
            number += case is not SEARCHING


class Island(Explorer):
    """One round of a search that begins with the best of some inputs."""

    stops_at_failure = False
    open_ended = True

    def __init__(self, search: TargetedSearch, elites: list[Trace[Any]]) -> None:
        self.search = search
        self.elites = elites

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        best: tuple[Case, Outcome] | None = None
        for elite in self.elites:
            case = Case(elite.value, elite)
            outcome = yield case
            if outcome.utilities and (best is None or _worth(outcome) > _worth(best[1])):
                best = case, outcome
        if best is None:
            yield from self.search.explore(space)
        else:
            yield from self.search.continue_from(space, *best)


def _worth(outcome: Outcome) -> float:
    return sum(outcome.utilities.values())


class Replayed(Explorer):
    """One recorded input."""

    def __init__(self, trace: Trace[Any]) -> None:
        self.trace = trace

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        yield Case(self.trace.value, self.trace)


class Work:
    """The leases of one process. It keeps its position in the cases of a property, because the next lease
    often continues there."""

    def __init__(self) -> None:
        self._streams: dict[tuple[str, int], CaseStream] = {}

    def test(self, request: dict[str, Any], conducted: tuple[Any, ...]) -> dict[str, Any]:
        """Test a lease. ``conducted`` are the arguments of a run: property, call, settings, preparation,
        arguments."""
        return LeaseRun(self, request, conducted).test()

    def stream(self, key: tuple[str, int], explorer: Explorer, space: Space, start: int) -> CaseStream:
        """The cases of a property from a place on."""
        known = self._streams.pop(key, None)
        if known is None or known.place != start or known.ended or known.broken:
            known = CaseStream(explorer, space, start)
        self._streams[key] = known
        return known


class LeaseRun:
    """One lease while it is being tested."""

    def __init__(self, work: Work, request: dict[str, Any], conducted: tuple[Any, ...]) -> None:
        self.work = work
        self.request = request
        self.conducted = conducted
        self.prop, self.call, self.options, self.prepare, self.given = conducted
        self.technique: str = request["technique"]
        self.start, self.stop = number_in(request["from"]), number_in(request["to"])
        self.seed: int = request["seed"]
        self.mark = Mark(request["mark"]) if request.get("mark") else None
        self.skip = {(number_in(place), test) for place, test in request.get("skip", ())}
        self.record = tuple(map(number_in, request["record"])) if request.get("record") else None
        self.result: dict[str, Any] = {"visited": 0, "tests": 0, "discards": 0}
        self.events: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.tables: dict[str, Counter[str]] = {}
        #: the demanded shares of labels; and the relevant tests, with their labels
        self.demands: dict[str, float] = {}
        self.shares: tuple[list[int], Counter[str]] = ([0], Counter())
        self.best: dict[str, Any] = {}
        self.failures: dict[str, Any] = {}
        self.doubts: list[str] = []
        #: when it has to end at the latest, by the clock that all processes share
        self.end: float | None = request.get("end")
        #: whether the input is a sequence of steps
        self.has_steps = False
        self.warnings: list[str] = []

    def test(self) -> dict[str, Any]:
        if self._is_over():
            self.result["stopped"] = True
        else:
            getattr(self, f"_{self.technique}")()
        return self._told()

    def _told(self) -> dict[str, Any]:
        self.result |= {
            "events": dict(self.events),
            "labels": dict(self.labels),
            "tables": {name: dict(rows) for name, rows in self.tables.items()},
            "shares": [self.shares[0][0], dict(self.shares[1]), self.demands] if self.demands else [],
            "best": self.best,
            "failures": list(self.failures.values()),
            "doubts": self.doubts,
            "warnings": self.warnings[:5],
        }
        return self.result

    # --- techniques -------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        runner = self._runner(self.seed, sys.maxsize)
        explorer = explorer_for(self.options, self.technique)
        key = (self.prop.name, self.seed)
        part = PartOfSearch(
            explorer,
            self.start,
            self.stop,
            stream=lambda space: self.work.stream(key, explorer, space, self.start),
            end=self.end,
        )
        watched = self._watched(part, lambda number: (self.start + number, 0))
        report = self._run(runner, watched)
        over = watched.passed_over if isinstance(watched, Watched) else 0
        self._add(runner, report, place=None)
        self.result["tests"] += over
        self.result["visited"] = max(0, min(part.place, self.stop) - self.start)
        if self.technique != "numbers" and part.ended:
            self.result["ended"] = number_out(part.place)
        self.result["stopped"] = self._is_over() and not part.ended

    _cases = _numbers

    def _seeds(self) -> None:
        size: int = self.request["block"]
        most = self.request.get("most")
        for block in range(self.start, self.stop):
            tests = size if most is None else min(size, most - block * size)
            if self._is_over():
                self.result["stopped"] = True
            if self.result.get("stopped"):
                return
            runner = self._runner(seed_of(self.seed, block), tests)
            self._one_place(runner, explorer_for(self.options, self.technique), block)

    def _islands(self) -> None:
        number: int = self.request["round"]
        runner = self._runner(seed_of(self.seed, self.request["island"], number), round_size(number))
        explorer = explorer_for(self.options, self.technique)
        search = explorer if isinstance(explorer, TargetedSearch) else Portfolio()
        elites = [_made(self.prop.gen, each["blob"]) for each in self.request.get("elites", ())]
        self._one_place(runner, Island(search, [each for each in elites if each is not None]), self.start)
        self.result |= {"island": self.request["island"], "round": number}
        self.result["elites"] = [
            {"label": label, **best} for label, best in list(self.best.items())[:MOST_LABELS] if best["blob"]
        ]

    def _whole(self) -> None:
        runner = self._runner(self.seed, self.options.max_examples)
        report = self._one_place(runner, explorer_for(self.options, self.technique), 0)
        self.result["covered"] = report.covered
        self.result["exhaustive"] = report.exhaustive

    def _given(self) -> None:
        runner = self._runner(self.seed, self.options.max_examples, phases=(Phase.explicit,))
        self._add(runner, run_resolved(runner), place=None)
        for blob in self.request.get("blobs", ()):
            trace = _made(self.prop.gen, blob)
            if trace is not None:
                runner = self._runner(self.seed, 1)
                self._add(runner, self._run(runner, Replayed(trace)), place=None)
        self.result.pop("problem", None)  # there may be nothing given
        self.result["visited"] = 1

    def _confirm(self) -> None:
        """Run a failure again, shrink it, and keep it for the next run of the test."""
        trace = _made(self.prop.gen, self.request["blob"])
        if trace is None:
            self.result["unmade"] = True
            return
        phases = tuple(p for p in self.options.phases if p in (Phase.explore, Phase.shrink, Phase.explain))
        runner = self._runner(self.seed, 1, phases=phases, database=self.options.database)
        report = self._run(runner, Replayed(trace))
        self._add(runner, report, place=None)

    def _reduce(self) -> None:
        """Shrink an input that kills its process."""
        if _made(self.prop.gen, self.request["blob"]) is None or not can_fork():
            return
        runner = self._runner(self.seed, 1)

        def run(args: tuple[Any, ...], say: Callable[[str], None]) -> None:
            enter(runner.test.scope)
            if runner.space.steps is not None:
                args[0].narrate(say)
            runner.test.execute(args)

        limit = min(self.request.get("limit") or REDUCE_LIMIT, REDUCE_LIMIT)
        trace = Trace.from_blob(self.request["blob"])
        found = reduce(self.prop.gen, trace, self.request["code"], run, limit)
        if found is not None:
            args = found.trace.value
            shown = self._as_code(args) if args is not None else found.said or self.request["input"]
            self.result["shrunk"] = {"blob": found.trace.to_blob(), "input": shown}

    # --- running ----------------------------------------------------------------------------------------

    def _one_place(self, runner: Runner, explorer: Explorer, place: int) -> Report:
        """One run, which is booked as a whole. If the time is up before its end, what it has found so far is told apart:
        it is counted until the run is made again."""
        self.has_steps = runner.space.steps is not None
        runner.space.counting.given_up = bool(self.request.get("uncounted"))
        if self.end is not None:
            runner.timetable = Timetable.of_part(max(0.0, self.end - time.time()))
        watched = self._watched(explorer, lambda number: (place, number))
        report = self._run(runner, watched)
        stopped = report.stop is not None and report.stop.reason is Stopped.max_seconds
        part = LeaseRun(self.work, self.request, self.conducted) if stopped else self
        part._add(runner, report, place=place)
        part.result["tests"] += watched.passed_over if isinstance(watched, Watched) else 0
        if stopped:
            self.result |= {"stopped": True, "partial": {**part._told(), "from": number_out(place)}}
        else:
            self.result["visited"] += 1
        return report

    def _is_over(self) -> bool:
        return self.end is not None and time.time() > self.end

    def _runner(
        self, seed: int, tests: int, phases: tuple[Phase, ...] | None = None, database: Any = None
    ) -> Runner:
        mine = (Phase.explore, Phase.target)
        options: Resolved = replace(
            self.options,
            seed=seed,
            max_examples=tests,
            limited=True,
            max_seconds=None,
            executor=None,
            database=database,
            verbosity=Verbosity.quiet,
            statistics=False,
            observe=False,
            suppress_health_check=tuple(HealthCheck),
            phases=tuple(p for p in self.options.phases if p in mine) if phases is None else phases,
        )
        return Runner(self.prop, self.call, options, None, self.prepare, self.given)

    def _run(self, runner: Runner, explorer: Explorer) -> Report:
        runner.explorer = explorer
        runner.options = replace(runner.options, explore=explorer)
        return run_resolved(runner)

    def _watched(self, explorer: Explorer, where: Callable[[int], tuple[int, int]]) -> Explorer:
        """The explorer, whose cases are marked before they are tested if the lease was lost before."""
        if self.mark is None and not self.skip:
            return explorer

        def before(number: int, case: Case) -> bool:
            at = where(number)
            if at in self.skip:
                return True
            if self.mark is not None:
                if at == self.record:
                    self._describe(case)
                self.mark.set(*at)
            return False

        return Watched(explorer, before)

    def _describe(self, case: Case) -> None:
        """Write down a case, because its process may die. The steps of a state machine are known as they are
        taken."""
        assert self.mark is not None and case.args is not None
        mark, program = self.mark, case.args[0]
        if not self.has_steps or len(case.args) > 1:
            mark.describe(self._described(case))
            return

        def tell(text: str) -> None:
            steps: Trace[Any] = Trace(None, program.drawn)
            mark.describe({"blob": Trace(None, (steps,)).to_blob(), "index": None, "input": text})

        program.narrate(tell)

    def _described(self, case: Case) -> dict[str, Any]:
        """A case as data, written before it is tested, because its process may die."""
        blob = None
        with suppress(Exception):
            trace = case.trace
            blob = None if trace is None or trace.is_opaque else trace.to_blob()
        return {"blob": blob, "index": number_out(case.index), "input": self._as_code(case.args or ())}

    def _as_code(self, args: tuple[Any, ...]) -> str:
        report = Report(self.prop.name, ReportStatus.failed, 0, "")
        failure = Failure(AssertionError(), dict(zip(self.prop.gens, args)), 1, ("", "", 0))
        report.failures.append(failure)
        return str(report_as_data(report)["failures"][0]["call"])

    # --- what came of it --------------------------------------------------------------------------------

    def _add(self, runner: Runner, report: Report, place: int | None) -> None:
        self.result["tests"] += report.examples
        self.result["discards"] += report.discarded
        self.events.update(report.events)
        self._add_labels(runner, report)
        if report.doubt:
            self.doubts.append(report.doubt)
        self.warnings += [text for text in report.warnings if text not in self.warnings]
        # If a part has hardly any valid inputs, or few with a label, this says nothing about the whole.
        said = isinstance(report.problem, EverycaseError) and not isinstance(
            report.problem, GaveUp | HealthCheckFailed | LabelTooRare
        )
        if said and not report.failures:
            self.result.setdefault("problem", str(report.problem))
        data = report_as_data(report)
        for failure, told in zip(report.failures, data["failures"]):
            self._add_failure(failure, told, place)
        for label, value in report.best.items():
            self._add_best(runner, label, value, place)

    def _add_labels(self, runner: Runner, report: Report) -> None:
        """Count the labels that the tests reported. Demands are judged for the whole campaign: by all values,
        or by those that were drawn at random."""
        for label in report.labels.values():
            self.labels[label.label] += label.hits
        count_tables(self.tables, report.tables)
        demands = {each.label: each.at_least for each in report.labels.values() if each.at_least is not None}
        if not demands or self.technique not in ("numbers", "seeds"):
            if self.technique in ("cases", "islands", "whole"):
                self.warnings += [
                    f"at_least of the label {label!r} is not judged, because the inputs are not a random sample"
                    for label in demands
                ]
            return
        tests, hits = runner.labels.drawn, runner.labels.drawn_hits
        if self.technique == "numbers":
            tests, hits = report.examples, {label: report.labels[label].hits for label in demands}
        self.demands.update(demands)
        self.shares[0][0] += tests
        self.shares[1].update(hits)

    def _add_failure(self, failure: Failure, told: dict[str, Any], place: int | None) -> None:
        kind, file, line = failure.origin
        origin = f"{kind} at {file}:{line}" if file else kind
        if origin in self.failures:
            return
        at = failure.index if place is None else place
        if self.technique == "cases":
            at = self.start + failure.failed_at - 1
        self.failures[origin] = {
            "origin": origin,
            "error": told["error"],
            "input": told["call"],
            "index": number_out(failure.index),
            "blob": failure.blob,
            "flaky": failure.flaky,
            "place": number_out(at),
            "test": failure.failed_at if place is not None else 0,
            "source": failure.source,
        }

    def _add_best(self, runner: Runner, label: str, value: float, place: int | None) -> None:
        sign = runner.test.scope.signs.get(label, 1)
        known = self.best.get(label)
        if known is not None and sign * value <= sign * known["value"]:
            return
        case = runner.book.best.cases.get(label)
        blob, code = None, ""
        with suppress(Exception):
            assert case is not None
            trace = case.trace
            if trace is not None and not trace.is_opaque:
                blob = trace.to_blob()
            code = self._as_code(runner.report.best_input[label])
        self.best[label] = {
            "value": value,
            "sign": sign,
            "blob": blob,
            "input": code,
            "place": number_out(self.start if place is None else place),
        }


def _made(gen: Any, blob: str) -> Trace[Any] | None:
    """The input of a blob; None if it no longer fits the generators."""
    try:
        return replay(gen, Trace.from_blob(blob))
    except Exception:
        return None
