"""Impure code in campaigns: no word of a report is false, no failure is lost, nothing breaks.

The generators and tests are those of :mod:`impure`. Every process writes down which inputs the test saw, which answers the impure
code gave, and whether the test raised. All of it together says which inputs could come up, and that there was a failure.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

from impure import BY_LUCK, PLACES, SOURCES, WAYS

from everycase import campaign, given, settings

#: Where the processes of a campaign write down what they saw.
LOG = "EVERYCASE_IMPURE_LOG"
#: How many properties a campaign has.
TOGETHER = 12
HERE = Path(__file__).parent

#: Ways to run a test that can be written at the test, except threads.
USED = {
    name: options
    for name, options in WAYS.items()
    if not {"executor", "database", "max_seconds", "observe"} & set(options)
}


def target(number: int, source: str, place: str, way: str, fails: bool) -> Any:
    """The property of one cell. If it ``fails``, its test raises whenever the impure code says so."""
    inner, failing = SOURCES[source](), SOURCES[source]()
    # Nothing but a method of C: a call of ``os.getpid`` in a predicate, for example, would itself be a reason for doubt.
    log = Path(os.environ[LOG]) / f"{number}-{os.getpid()}"
    write = log.open("ab", buffering=0).write

    def ask(value: object) -> bool:
        answer = bool(inner(value))
        write(b"answer True\n" if answer else b"answer False\n")
        return answer

    def seen(value: object) -> None:
        with suppress(RecursionError):
            write(f"seen {value!r}\n".encode())
        if fails and failing(value):
            write(f"raised {value!r}\n".encode())
            raise ValueError("it failed")

    cell = PLACES[place](ask, seen)
    chosen = settings(database=None, **USED[way])
    if not cell.args:
        return chosen(cell.test)
    names = ", ".join(f"x{i}" for i in range(len(cell.args)))
    made: dict[str, Any] = {"test": cell.test}
    exec(f"def tested({names}):\n    return test({names})", made)
    made["tested"].__module__ = "impure_targets"
    made["tested"].__qualname__ = made["tested"].__name__ = f"test_{number}"
    return chosen(given(*cell.args)(made["tested"]))


def claims(each: Any) -> bool:
    """Whether the report of a property says that all inputs were tested."""
    words = re.sub("not exhaustive", "", each.words)
    return bool(each.exhaustive or "exhaustive:" in words or re.search(r"\ball [\d,]+ values", words))


def _wrong(cell: tuple[Any, ...], each: Any, said: list[tuple[str, Any]]) -> str | None:
    place = cell[2]
    tested = {what for kind, what in said if kind == "seen"}
    answers = {what == "True" for kind, what in said if kind == "answer"}
    raised = [what for kind, what in said if kind == "raised"]
    missing = PLACES[place](lambda value: False, lambda value: None).possible(answers) - tested
    if claims(each) and missing:
        return f"{each.words!r} without {sorted(missing)}"
    if raised and not each.failures:
        return f"{each.words!r}, but it failed on {raised[0]}"
    if raised and each.status == "passed":
        return f"{each.words!r}, but it failed on {raised[0]}"
    if each.failures and not raised:
        return f"failed without a failure: {each.failures[0]}"
    return None


def campaign_of(cells: list[tuple[Any, ...]]) -> list[str]:
    """The false statements of one campaign."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        log.mkdir()
        (Path(folder) / "impure_targets.py").write_text(
            f"import sys\nsys.path.insert(0, {str(HERE)!r})\nfrom impure_campaigns import target\n"
            + "".join(f"test_{cell[0]} = target{cell!r}\n" for cell in cells)
        )
        before = os.environ.get("PYTHONPATH")
        os.environ[LOG] = str(log)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, str(HERE), before]))
        sys.path.insert(0, folder)
        sys.modules.pop("impure_targets", None)
        try:
            report = campaign.run(
                [f"impure_targets:test_{cell[0]}" for cell in cells],
                Path(folder) / "into",
                workers=1,
                seed=3,
                max_examples=150,
            )
        finally:
            sys.path.remove(folder)
            del os.environ[LOG]
            if before is None:
                del os.environ["PYTHONPATH"]
            else:
                os.environ["PYTHONPATH"] = before
        said: dict[int, list[tuple[str, Any]]] = {cell[0]: [] for cell in cells}
        for file in log.iterdir():
            for line in file.read_text().splitlines():
                kind, _, what = line.partition(" ")
                said[int(file.name.partition("-")[0])].append((kind, what))
    found = {each.name.rpartition("_")[2]: each for each in report.properties}
    bad = [str(problem) for problem in report.problems]
    for cell in cells:
        each = found.get(str(cell[0]))
        what = "it is not in the report" if each is None else _wrong(cell, each, said[cell[0]])
        if what is not None:
            bad.append(f"{', '.join(map(str, cell[1:]))}: {what}")
    return bad


def trial(count: int, seed: int) -> list[str]:
    """The false statements of campaigns with this number of properties together, drawn at random."""
    cells = list(itertools.product(SOURCES, PLACES, USED, [False, True]))
    random.Random(seed).shuffle(cells)
    cells.sort(key=lambda cell: cell[0] in BY_LUCK)
    bad = []
    for start in range(0, count, TOGETHER):
        group = [(number, *cell) for number, cell in enumerate(cells[start : min(start + TOGETHER, count)])]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                bad += campaign_of(group)
            except Exception as problem:
                bad.append(f"{type(problem).__name__}: {problem} in {group}"[:600])
    return bad
