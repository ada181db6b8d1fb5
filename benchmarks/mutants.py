"""How many mutants of real libraries a default run kills, and how soon, compared with Hypothesis.

    python benchmarks/mutants.py --scratch DIR [--draw 1] [--each 9] [--seeds 3] [--only NAME] [--svg FILE]

The subjects are modules of the standard library and of PyPI packages that are installed into the scratch folder.
``mutants_subjects.py`` has their properties. Mutants are drawn by a fixed seed from the lines that the properties
execute (found by 200 Hypothesis tests on the original), so each mutant can matter. Both tools get the same generators
in the same words, the same seeds, and fresh processes. Each makes runs of 1,000 tests, one after another, until it has
made 1,000 tests and used the CPU seconds given by ``--cpu``. A mutant is killed when one of its properties fails. Its
property with the fewest tests and the one with the least CPU time count. A test that takes more than half a CPU second
or more than 2 GB fails.

``--draw 2`` is a second draw of mutants that was never looked at while the library was changed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import hypothesis
from cells import in_a_child
from hypothesis import strategies
from measuring import table, versions
from mutants_chart import chart
from mutants_making import Mutation, draw, load, shown, source_of
from mutants_subjects import SUBJECTS, Prop, Subject

from everycase import check, gen
from everycase.run.settings import HealthCheck, Phase

TESTS = 1000
LIMITS = (100, 200, 1000)
TEST_SECONDS = 0.5
#: seconds until the alarm repeats, because the interrupted code may swallow the first one
AGAIN = 0.05
CELL_SECONDS = 30
#: number of runs that each process makes before it measures
WARMING = 12

Result = tuple[int, float] | None  # (tests, CPU seconds) to the kill


class Ended(KeyboardInterrupt):
    """Ends a run from inside. Neither tool mistakes it for a test failure."""


def run_everycase(test: Callable[..., None], inputs: Callable[[Any], tuple[Any, ...]], seed: int) -> None:
    check(
        test,
        *inputs(gen),
        seed=seed,
        max_examples=TESTS,
        database=None,
        phases=[Phase.explore],
        suppress_health_check=list(HealthCheck),
    )


def run_hypothesis(test: Callable[..., None], inputs: Callable[[Any], tuple[Any, ...]], seed: int) -> None:
    made = hypothesis.given(strategies.tuples(*inputs(strategies)))(lambda args: test(*args))
    chosen = hypothesis.settings(
        max_examples=TESTS,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
        report_multiple_bugs=False,
    )
    hypothesis.seed(seed)(chosen(made))()


TOOLS = {"everycase": run_everycase, "Hypothesis": run_hypothesis}


def warm(tool: str) -> None:
    """Make some short runs of a tool, so that no cell pays for one-time work of a process: imports, compiled patterns,
    and memory pages copied on first use (cells are forks of this process).
    """
    for seed in range(WARMING):
        tests = 0

        def test(xs: list[int], text: str) -> None:
            nonlocal tests
            tests += 1
            assert len(xs) + len(text) < 10**9
            if tests >= WARMING:
                raise Ended

        with suppress(Ended):
            TOOLS[tool](test, lambda st: (st.lists(st.integers()), st.text()), seed)


def hunt(
    subject: Subject, mutation: Mutation, prop: Prop, tool: str, seed: int, cpu: float, most: int
) -> Result:
    """Run one tool on one property of one mutant in this process, and return when it was killed."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    signal.signal(signal.SIGVTALRM, _hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, TEST_SECONDS, AGAIN)
    try:
        module = load(subject, mutation)
    except Exception:
        return 0, 0.0  # it cannot even be imported
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    warm(tool)
    # An alarm makes the clock of the process too coarse for measuring; the clock of its only thread is exact.
    clock, alarm = time.thread_time, signal.setitimer
    tests = 0
    killed: Result = None
    started = clock()

    def test(*args: Any) -> None:
        nonlocal tests, killed
        tests += 1
        alarm(signal.ITIMER_VIRTUAL, TEST_SECONDS, AGAIN)
        try:
            prop.test(module, *args)
        except BaseException:
            alarm(signal.ITIMER_VIRTUAL, 0)
            killed = tests, clock() - started
            raise Ended from None
        alarm(signal.ITIMER_VIRTUAL, 0)
        if tests >= most or (tests >= TESTS and clock() - started > cpu):
            raise Ended

    attempt = 0
    try:
        while tests < TESTS or clock() - started < cpu:
            before = tests
            TOOLS[tool](test, prop.inputs, seed + 1000 * attempt)
            attempt += 1
            if tests < before + TESTS // 2:
                break  # the input space is exhausted
    except Ended:
        pass
    return killed


def _hangs(number: int, frame: Any) -> None:
    raise AssertionError("this test does not end")


def lines_of(subject: Subject, prop: Prop) -> list[int]:
    """The lines of the module that a property executes."""
    module = load(subject)
    file, _ = source_of(subject)
    seen: set[int] = set()

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != file:
            return None
        seen.add(frame.f_lineno)
        return trace

    def test(*args: Any) -> None:
        sys.settrace(trace)
        try:
            prop.test(module, *args)
        finally:
            sys.settrace(None)

    global TESTS
    TESTS = 200
    run_hypothesis(test, prop.inputs, 0)
    return sorted(seen)


@dataclass
class Row:
    """One mutant and its results: for each tool, one result per seed."""

    subject: Subject
    mutation: Mutation
    props: list[Prop]
    results: dict[str, list[Result]] = field(default_factory=lambda: {tool: [] for tool in TOOLS})

    def measure(self, seed: int, cpu: float) -> None:
        for tool, results in self.results.items():
            best: Result = None
            for prop in self.props:
                most = best[0] if best is not None else 10**9
                found = in_a_child(
                    lambda prop=prop, most=most, tool=tool: hunt(  # type: ignore[misc]
                        self.subject, self.mutation, prop, tool, seed, cpu, most
                    ),
                    CELL_SECONDS,
                )
                if found is not None:
                    best = (
                        tuple(found)  # type: ignore[assignment]
                        if best is None
                        else (min(best[0], found[0]), min(best[1], found[1]))
                    )
            results.append(best)


def prepare(scratch: Path) -> None:
    """Install the missing subjects from PyPI, by name."""
    library = scratch / "library"
    library.mkdir(parents=True, exist_ok=True)
    wanted = {subject.requirement for subject in SUBJECTS if subject.requirement}
    noted = library / "installed.json"
    if not noted.exists() or set(json.loads(noted.read_text())) != wanted:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"]
        subprocess.run([*command, str(library), *sorted(wanted)], check=True)
        noted.write_text(json.dumps(sorted(wanted)))
    sys.path.insert(0, str(library))
    for tool in TOOLS:
        warm(tool)
    gc.collect()
    gc.freeze()  # objects that exist before a cell begins are not garbage-collected in it


def drawn(subject: Subject, count: int, seed: int) -> list[Row]:
    """The mutants of one subject, each with the properties that execute its line."""
    lines = [set(in_a_child(lambda prop=prop: lines_of(subject, prop), 60) or ()) for prop in subject.props]  # type: ignore[misc]
    return [
        Row(
            subject,
            mutation,
            [prop for prop, seen in zip(subject.props, lines) if mutation.line in seen],
        )
        for mutation in draw(subject, set().union(*lines), count, seed)
    ]


def within(results: Sequence[Result], tests: int) -> int:
    return sum(result is not None and result[0] <= tests for result in results)


def report(rows: Sequence[Row], seeds: int, cpu: float) -> None:
    """Print the tables: kills by tests and by CPU time, medians, and the mutants that only one tool killed."""
    lines: list[list[Any]] = []
    for limit in LIMITS:
        lines.append([f"kills within {limit:,} tests"])
    lines.append([f"kills within {cpu:g} CPU s"])
    lines.append(["median CPU ms to a kill"])
    for tool in TOOLS:
        by_seed = [[row.results[tool][seed] for row in rows] for seed in range(seeds)]
        for line, limit in zip(lines, LIMITS):
            line.append(" / ".join(str(within(results, limit)) for results in by_seed))
        soon = [[r for r in results if r is not None and r[1] <= cpu] for results in by_seed]
        lines[len(LIMITS)].append(" / ".join(str(len(results)) for results in soon))
        lines[-1].append(
            " / ".join(f"{statistics.median(r[1] for r in results) * 1e3:.2f}" for results in soon)
        )
    print(f"\n{len(rows)} mutants of {len({row.subject.module for row in rows})} modules, {seeds} seeds")
    print(table(["", *TOOLS], lines))
    for tool, other in permutations(TOOLS, 2):
        print(f"\nkilled within {TESTS:,} tests by {tool} with more seeds than by {other}:")
        for row in rows:
            mine, theirs = (within(row.results[name], TESTS) for name in (tool, other))
            if mine > theirs:
                print(f"  {mine}:{theirs}  {shown(row.subject, row.mutation)}  ({row.props[0].name}, ...)")
    alive = [row for row in rows if not any(result for results in row.results.values() for result in results)]
    print(f"\nkilled by neither: {len(alive)}")
    for row in alive:
        print(f"  {shown(row.subject, row.mutation)}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Mutants of real libraries: everycase against Hypothesis.")
    parser.add_argument("--scratch", type=Path, required=True, help="folder for the packages under test")
    parser.add_argument("--draw", type=int, default=1, help="number of the draw of mutants")
    parser.add_argument("--each", type=int, default=9, help="number of mutants per subject")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--cpu", type=float, default=1.5, help="CPU seconds for each property")
    parser.add_argument("--only", default="", help="only subjects whose name contains this text")
    parser.add_argument("--tools", nargs="+", choices=list(TOOLS), default=list(TOOLS))
    parser.add_argument("--json", type=Path, help="write all results to this file")
    parser.add_argument("--svg", type=Path, help="draw the kills over CPU time to this file")
    options = parser.parse_args(arguments)
    for tool in set(TOOLS) - set(options.tools):
        del TOOLS[tool]
    os.environ.setdefault("PYTHONHASHSEED", "0")
    prepare(options.scratch)
    print(versions("hypothesis"))
    rows: list[Row] = []
    for subject in SUBJECTS:
        if options.only not in subject.module:
            continue
        mine = drawn(subject, options.each, options.draw)
        for row in mine:
            for seed in range(options.seeds):
                row.measure(seed, options.cpu)
        rows += mine
        counts = ", ".join(f"{tool} {[within(r.results[tool], TESTS) for r in mine]}" for tool in TOOLS)
        print(f"{subject.module}: {counts}", flush=True)
    report(rows, options.seeds, options.cpu)
    if options.json:
        data = [[shown(row.subject, row.mutation), row.results] for row in rows]
        options.json.write_text(json.dumps(data, indent=1))
    if options.svg:
        times = {tool: [r[1] for row in rows for r in row.results[tool] if r is not None] for tool in TOOLS}
        options.svg.write_text(chart(times, len(rows) * options.seeds, options.cpu))


if __name__ == "__main__":
    main(sys.argv[1:])
