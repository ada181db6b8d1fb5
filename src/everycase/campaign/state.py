"""The state of a campaign, as a fold over all lines of its log.

The fold does not depend on the order of the lines, nor on how often each occurs, so logs of several writers,
copies and restarts give the same state. Each finished lease says which places it tested. If leases overlap,
which happens only if two starters work on the same places without knowing of each other, one is taken; the
places that only the other has tested are tested again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from everycase.campaign.intervals import Intervals
from everycase.campaign.log import (
    cannot_write,
    files_of_dead,
    number_in,
    number_out,
    read_lines,
    write_instead,
)
from everycase.run.labels import count_tables

Line = dict[str, Any]

#: Files of fewer bytes are not worth compacting.
WORTHWHILE = 64 << 20

#: A failure, or a death, has a place; this one comes after all others.
NOWHERE = (1 << 200, 0)


class Progress:
    """The progress of one property, with one fingerprint."""

    def __init__(self, name: str, fingerprint: str) -> None:
        self.name = name
        self.fingerprint = fingerprint
        #: the plan, as the line that announced it
        self.plan: Line = {}
        #: the places that were tested, by technique
        self.booked: dict[str, Intervals] = {}
        #: how many places there are, by technique, if that was found out during the tests
        self.ended: dict[str, int] = {}
        self.tests = 0
        self.discards = 0
        self.leases = 0
        self.cpu = 0.0
        self.seconds = 0.0
        self.events: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.tables: dict[str, Counter[str]] = {}
        #: the demanded shares of labels; and the number of relevant tests, with their labels
        self.demands: dict[str, float] = {}
        self.share_tests = 0
        self.share_hits: Counter[str] = Counter()
        #: by label: value, sign, blob, input
        self.best: dict[str, Line] = {}
        #: by origin: the failure at the first place
        self.failures: dict[str, Line] = {}
        #: by origin: the result of running it again and shrinking it
        self.confirmed: dict[str, Line] = {}
        #: by place: inputs that killed their process
        self.died: dict[int, Line] = {}
        #: why "exhaustive" is not claimed
        self.doubts: set[str] = set()
        #: why the property could not be tested, with the runs that said so: the next one tries again
        self.problems: dict[str, set[str]] = {}
        self.warnings: set[str] = set()
        #: by technique and place: what was tested of a place until the time was up; it counts until the place is booked
        self.partial: dict[tuple[str, int], Line] = {}
        #: by island and round: the best inputs, which others start with
        self.elites: dict[tuple[int, int], list[Line]] = {}
        #: tests by second, and by worker
        self.rates: Counter[int] = Counter()
        self.workers: dict[str, Line] = {}

    def places(self, technique: str) -> Intervals:
        return self.booked.setdefault(technique, Intervals())

    def can_book(self, line: Line) -> bool:
        """Whether all places of a finished lease are new."""
        known = self.places(line["technique"])
        return not any(known.meets(start, stop) for start, stop in ranges_of(line))

    def book(self, line: Line) -> None:
        """Add a finished lease, all of whose places are new."""
        technique = line["technique"]
        places = self.places(technique)
        for start, stop in ranges_of(line):
            places.add(start, stop)
        if line.get("ended") is not None:
            self.end(technique, number_in(line["ended"]))
        self._count(line)

    def begin(self, line: Line) -> None:
        """Add what was tested of a place until the time was up. A place that is tested again begins anew, so of several
        beginnings only the longest is kept, and the failures of all."""
        key = line["technique"], number_in(line["from"])
        both = [each for each in (self.partial.get(key), line) if each is not None]
        failures: dict[str, Line] = {}
        for failure in [failure for each in both for failure in each.get("failures", ())]:
            self._fail(failures, failure)
            self._fail(self.failures, failure)
        longest = max(both, key=lambda each: (each.get("tests", 0), _canonical({**each, "failures": []})))
        self.partial[key] = {**longest, "failures": [failures[origin] for origin in sorted(failures)]}

    def with_partial(self) -> Progress:
        """The same, and the places that were tested in part."""
        lines = [
            line for (technique, place), line in self.partial.items() if place not in self.places(technique)
        ]
        if not lines:
            return self
        whole = deepcopy(self)
        for line in lines:
            whole._count({**line, "leases": 0})
        return whole

    def _count(self, line: Line) -> None:
        self.tests += line.get("tests", 0)
        self.discards += line.get("discards", 0)
        self.leases += line.get("leases", 1)
        self.cpu += line.get("cpu", 0.0)
        self.seconds += line.get("seconds", 0.0)
        self._book_findings(line)
        if "rates" in line:
            for second, tests in line["rates"]:
                self.rates[second] += tests
            for name, work in line["workers"].items():
                self._worked(name, work, work["leases"], work["last"])
        else:
            moment = line.get("time", 0.0)
            self.rates[int(moment)] += line.get("tests", 0)
            self._worked(line.get("worker", ""), line, 1, moment)

    def _book_findings(self, line: Line) -> None:
        """The parts of a lease besides numbers; most have none."""
        if "events" in line:
            self.events.update(line["events"])
        if "labels" in line:
            self.labels.update(line["labels"])
        if "tables" in line:
            count_tables(self.tables, line["tables"])
        if line.get("shares"):
            tests, hits, demands = line["shares"]
            self.share_tests += tests
            self.share_hits.update(hits)
            self.demands |= demands
        if "doubts" in line:
            self.doubts.update(line["doubts"])
        if "warnings" in line:
            self.warnings.update(line["warnings"])
        if "best" in line:
            for label, best in line["best"].items():
                self._improve(label, best)
        if "failures" in line:
            for failure in line["failures"]:
                self._fail(self.failures, failure)
        if "elites" in line:
            self._keep_elites(line)

    def _worked(self, name: str, work: Line, leases: int, last: float) -> None:
        """A worker has done something."""
        known = self.workers.get(name)
        if known is None:
            known = self.workers[name] = {"tests": 0, "cpu": 0.0, "leases": 0, "last": 0.0}
        known["tests"] += work.get("tests", 0)
        known["cpu"] += work.get("cpu", 0.0)
        known["leases"] += leases
        known["last"] = max(known["last"], last)

    def end(self, technique: str, place: int) -> None:
        """There are no places from this one on."""
        self.ended[technique] = min(place, self.ended.get(technique, place))

    def confirm(self, line: Line) -> None:
        """Add the result of running a failure again."""
        self._fail(self.confirmed, line)

    def give_up(self, words: str, run: str) -> None:
        """Add why a run could not test the property."""
        self.problems.setdefault(words, set()).add(run)

    def die(self, line: Line) -> None:
        """Add an input that killed its process."""
        place = number_in(line["place"])
        known = self.died.get(place)
        if known is None or (_is_raw(line), _canonical(line)) < (_is_raw(known), _canonical(known)):
            self.died[place] = line

    def _fail(self, known: dict[str, Line], failure: Line) -> None:
        """For each origin, keep the failure at the first place."""
        origin = failure["origin"]
        before = known.get(origin)
        if before is None or (place_of(failure), _canonical(failure)) < (
            place_of(before),
            _canonical(before),
        ):
            known[origin] = failure

    def _improve(self, label: str, best: Line) -> None:
        known = self.best.get(label)
        sign = best["sign"]
        if known is None or (-sign * best["value"], place_of(best), _canonical(best)) < (
            -sign * known["value"],
            place_of(known),
            _canonical(known),
        ):
            self.best[label] = best

    def _keep_elites(self, line: Line) -> None:
        """The best inputs of an island's round. Only the last rounds are needed."""
        self.elites[line["island"], line["round"]] = line["elites"]
        newest = max(round_ for island, round_ in self.elites if island == line["island"])
        for key in [key for key in self.elites if key[0] == line["island"] and key[1] < newest - 2]:
            del self.elites[key]

    def as_lines(self) -> Iterator[Line]:
        """The same progress in few lines: one lease per technique for all of its leases, and the other lines as they are."""
        common = {"property": self.name, "fingerprint": self.fingerprint}
        if self.plan:
            yield self.plan
        yield from self.confirmed.values()
        yield from self.died.values()
        yield from self.partial.values()
        for words, runs in sorted(self.problems.items()):
            yield from ({"kind": "problem", **common, "words": words, "run": run} for run in sorted(runs))
        whole: Line = {
            "tests": self.tests,
            "discards": self.discards,
            "leases": self.leases,
            "cpu": round(self.cpu, 3),
            "seconds": round(self.seconds, 3),
            "events": dict(self.events),
            "labels": dict(self.labels),
            "tables": self.tables,
            "shares": [self.share_tests, dict(self.share_hits), self.demands],
            "doubts": sorted(self.doubts),
            "warnings": sorted(self.warnings),
            "best": self.best,
            "failures": list(self.failures.values()),
            "rates": sorted(self.rates.items()),
            "workers": self.workers,
        }
        for technique, places in self.booked.items():
            if not len(places):
                continue
            line = {
                "kind": "lease",
                **common,
                "technique": technique,
                "ranges": [[number_out(start), number_out(stop)] for start, stop in places],
                "ended": number_out(self.ended.get(technique)),
                **whole,
            }
            # The figures are written once, with the first technique.
            whole = {"tests": 0, "leases": 0, "rates": [], "workers": {}}
            yield line
        for (island, round_), elites in self.elites.items():
            yield {
                "kind": "lease",
                **common,
                "technique": "elites",
                "ranges": [],
                "tests": 0,
                "leases": 0,
                "rates": [],
                "workers": {},
                "island": island,
                "round": round_,
                "elites": elites,
            }


class CampaignState:
    """All properties of a campaign."""

    def __init__(self) -> None:
        #: by name and fingerprint
        self.progress: dict[tuple[str, str], Progress] = {}
        #: the last line that began a run, and how many there were
        self.run: Line = {}
        self.runs: dict[str, Line] = {}
        #: workers that died, by an id of the loss
        self.lost: dict[str, Line] = {}
        self.lines = 0

    def of(self, name: str, fingerprint: str) -> Progress:
        known = self.progress.get((name, fingerprint))
        if known is None:
            known = self.progress[name, fingerprint] = Progress(name, fingerprint)
        return known

    def as_lines(self) -> Iterator[Line]:
        """The same state in few lines: folding them gives it again."""
        yield from self.runs.values()
        yield from self.lost.values()
        for progress in self.progress.values():
            yield from progress.as_lines()

    def current(self) -> Iterator[Progress]:
        """The properties of the last run, each with its current fingerprint."""
        for name in self.run.get("properties", []):
            newest = self.newest(name)
            if newest is not None:
                yield newest

    def newest(self, name: str) -> Progress | None:
        """The progress of a property with its current fingerprint."""
        known = [each for (own, _), each in self.progress.items() if own == name and each.plan]
        return max(known, key=lambda each: (each.plan["time"], each.fingerprint), default=None)

    def problems(self, progress: Progress) -> list[str]:
        """Why the last run could not test a property."""
        last = self.run.get("id")
        return sorted(words for words, runs in progress.problems.items() if last in runs)

    def earlier(self, progress: Progress) -> list[Progress]:
        """The earlier progress of the same property with other fingerprints."""
        return [
            each
            for (name, fingerprint), each in self.progress.items()
            if name == progress.name and fingerprint != progress.fingerprint and each.leases
        ]


def fold(lines: Iterable[Line]) -> CampaignState:
    """The state of some lines, in any order, and however often each occurs.

    Lines are processed one by one, so memory does not grow with them. If leases of a property overlap, all
    lines of that property are read again, in order.
    """
    if iter(lines) is lines:
        lines = list(lines)
    state = CampaignState()
    overlapping: set[tuple[str, str]] = set()
    for line in lines:
        state.lines += 1
        if line.get("kind") != "lease":
            _add(state, line)
            continue
        progress = state.of(line["property"], line["fingerprint"])
        if progress.can_book(line):
            progress.book(line)
        else:
            overlapping.add((progress.name, progress.fingerprint))
    if overlapping:
        _fold_in_order(state, lines, overlapping)
    return state


def _add(state: CampaignState, line: Line) -> None:
    """Add a line that is not a finished lease: its order does not matter."""
    match line.get("kind"):
        case "run":
            state.runs[line["id"]] = line
            if (line["time"], line["id"]) > (state.run.get("time", 0.0), state.run.get("id", "")):
                state.run = line
        case "plan":
            progress = state.of(line["property"], line["fingerprint"])
            if not progress.plan or _later(line, progress.plan):
                progress.plan = line
        case "confirmed":
            state.of(line["property"], line["fingerprint"]).confirm(line)
        case "partial":
            state.of(line["property"], line["fingerprint"]).begin(line)
        case "died":
            state.of(line["property"], line["fingerprint"]).die(line)
        case "problem":
            state.of(line["property"], line["fingerprint"]).give_up(line["words"], line.get("run", ""))
        case "lost":
            state.lost[line["id"]] = line


def _fold_in_order(state: CampaignState, lines: Iterable[Line], keys: set[tuple[str, str]]) -> None:
    """Fold all lines of some properties again, sorted, so that the same ones of overlapping leases are taken
    each time."""
    leases: list[tuple[bool, int, int, Line]] = []
    for key in keys:
        state.progress[key] = Progress(*key)
    for line in lines:
        if (line.get("property"), line.get("fingerprint")) not in keys:
            continue
        if line["kind"] != "lease":
            _add(state, line)
        elif "ranges" in line:
            leases.append((False, 0, 0, line))
        else:
            leases.append((True, number_in(line["from"]), -number_in(line["to"]), line))
    leases.sort(key=lambda each: each[:3])
    for each in _in_order(leases):
        progress = state.of(each["property"], each["fingerprint"])
        if progress.can_book(each):
            progress.book(each)


def _in_order(leases: list[tuple[bool, int, int, Line]]) -> Iterator[Line]:
    """The lines of sorted leases; those with the same beginning and end are sorted by content."""
    same: list[Line] = []
    before: tuple[bool, int, int] | None = None
    for single, start, stop, line in leases:
        if before != (single, start, stop):
            yield from same if len(same) < 2 else sorted(same, key=_canonical)
            same, before = [], (single, start, stop)
        same.append(line)
    yield from same if len(same) < 2 else sorted(same, key=_canonical)


def read_state(folder: Path) -> CampaignState:
    """The state of the campaign in a folder."""
    return fold(read_lines(folder))


def compact_dead(folder: Path, worthwhile: int = WORTHWHILE) -> None:
    """Replace the files of writers on this machine that have died by one with few lines. Others may still be writing."""
    try:
        paths = files_of_dead(folder)
        if sum(path.stat().st_size for path in paths) >= worthwhile:
            compact(folder, paths)
    except FileNotFoundError:
        return  # another starter was faster
    except OSError as problem:
        raise cannot_write(folder, problem) from None


def compact(folder: Path, paths: list[Path]) -> None:
    """Write the content of some files into one, in few lines, and delete them."""
    write_instead(folder, paths, fold(read_lines(folder, paths)).as_lines())


def ranges_of(line: Line) -> list[tuple[int, int]]:
    """The places that a finished lease has tested."""
    if "ranges" in line:
        return [(number_in(start), number_in(stop)) for start, stop in line["ranges"]]
    return [(number_in(line["from"]), number_in(line["to"]))]


def place_of(found: Line) -> tuple[int, int]:
    """Where something was found: the place, and the test within it."""
    place = found.get("place")
    return NOWHERE if place is None else (number_in(place), found.get("test") or 0)


def _is_raw(died: Line) -> bool:
    """Whether a deadly input was not shrunk."""
    return not died.get("shrunk")


def _later(line: Line, than: Line) -> bool:
    return (line["time"], _canonical(line)) > (than["time"], _canonical(than))


def _canonical(line: Line) -> str:
    return json.dumps(line, sort_keys=True)
