"""State machines with planted bugs, compared with Hypothesis.

    python benchmarks/stateful.py [machines] [speed] [orders] [races]
        [--seeds 5] [--first-seed 0] [--only NAME ...] [--limit 120] [--alone]

For every machine of ``stateful_machines.py`` and every seed, both libraries search for the bug and shrink the failure,
each in its own process, with at most 10,000 runs of 50 steps and ``--limit`` CPU seconds. The table shows the CPU
seconds of one search (mean over all seeds, shrinking included), the number of seeds in which the bug was found, and the
number of seeds in which the failing sequence had minimal length. ``--alone`` leaves Hypothesis out. The machines from
Cart on were written last, and nothing was changed for them.

"speed" is the number of steps per CPU second of a trivial machine with five rules. "orders" has the sizes of sequence
covering arrays, each checked by counting. "races" are lost updates: the test that found each, and the steps that remain
after shrinking.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from itertools import permutations
from typing import Any

from cells import in_a_child
from measuring import table, versions
from stateful_machines import HELD_OUT, SHORTEST, locked_counter, machines, racing_machines

LEAST = {**SHORTEST, **HELD_OUT}

RUNS = 10_000
LIMIT = 120  # CPU seconds of one cell
SPEED_RUNS = 400


def with_everycase(name: str, seed: int) -> dict[str, Any]:
    from everycase import check, gen, stateful

    machine = machines(stateful, gen)[name]
    started = time.process_time()
    report = check(machine, seed=seed, database=None, max_examples=RUNS)
    seconds = time.process_time() - started
    steps = None
    if report.failures:
        steps = min(_steps(str(failure.arguments["steps"]), machine) for failure in report.failures)
    return {"seconds": seconds, "steps": steps}


def with_hypothesis(name: str, seed: int) -> dict[str, Any]:
    import hypothesis
    from hypothesis import HealthCheck, settings, stateful, strategies

    machine = machines(stateful, strategies)[name]
    hypothesis.seed(seed)(machine)
    chosen = settings(
        max_examples=RUNS,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        stateful_step_count=50,
        print_blob=False,
    )
    started = time.process_time()
    steps = None
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            stateful.run_state_machine_as_test(machine, settings=chosen)
    except BaseException as error:
        texts = ["\n".join(getattr(each, "__notes__", [])) for each in _each(error)]
        steps = min(_steps(text, machine) for text in texts)
    return {"seconds": time.process_time() - started, "steps": steps}


def _each(error: BaseException) -> list[BaseException]:
    return list(error.exceptions) if isinstance(error, BaseExceptionGroup) else [error]


def _steps(program: str, machine: type) -> int:
    """The calls of rules in a program, without initializers, invariants and teardown."""
    count = 0
    for line in program.splitlines():
        call = line.partition("state.")[2].partition("(")[0]
        function = getattr(machine, call, None) if call else None
        if function is None or call == "teardown":
            continue
        ours = getattr(function, "__everycase_rule__", None)
        theirs = getattr(function, "hypothesis_stateful_rule", None)
        count += (ours is not None and not ours.initializes) or theirs is not None
    return count


def trivial(s: Any, st: Any, count: list[int]) -> type:
    """Five rules that only count."""

    class Trivial(s.RuleBasedStateMachine):  # type: ignore[misc, name-defined]
        @s.rule(x=st.integers())
        def a(self, x: int) -> None:
            count[0] += 1

        @s.rule(x=st.integers(0, 10))
        def b(self, x: int) -> None:
            count[0] += 1

        @s.rule()
        def c(self) -> None:
            count[0] += 1

        @s.rule(x=st.booleans())
        def d(self, x: bool) -> None:
            count[0] += 1

        @s.rule(x=st.integers(), y=st.integers())
        def e(self, x: int, y: int) -> None:
            count[0] += 1

    return Trivial


def speed_of_everycase() -> float:
    from everycase import check, gen, stateful

    count = [0]
    machine = trivial(stateful, gen, count)
    check(machine, seed=0, database=None, max_examples=20)
    count[0] = 0
    started = time.process_time()
    check(machine, seed=1, database=None, max_examples=10 * SPEED_RUNS)
    return count[0] / (time.process_time() - started)


def speed_of_hypothesis() -> float:
    from hypothesis import HealthCheck, settings, stateful, strategies

    count = [0]
    machine = trivial(stateful, strategies, count)

    def run(examples: int) -> None:
        stateful.run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=examples,
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize=True,
            ),
        )

    run(20)
    count[0] = 0
    started = time.process_time()
    run(SPEED_RUNS)
    return count[0] / (time.process_time() - started)


def row(name: str, seeds: range, limit: int, *, alone: bool) -> tuple[list[Any], dict[str, bool]]:
    cells = {}
    searches = {"everycase": with_everycase} | ({} if alone else {"hypothesis": with_hypothesis})
    for label, search in searches.items():
        cells[label] = [
            in_a_child(lambda search=search, seed=seed: search(name, seed), limit)  # type: ignore[misc]
            or {"seconds": float(limit), "steps": None}
            for seed in seeds
        ]
    line: list[Any] = [name, LEAST[name]]
    count = len(seeds)
    for found in cells.values():
        seconds = sum(cell["seconds"] for cell in found) / count
        hits = sum(cell["steps"] is not None for cell in found)
        shortest = sum(cell["steps"] == LEAST[name] for cell in found)
        line += [round(seconds, 3), f"{hits} of {count}", f"{shortest} of {count}"]
    verdicts = {"found": line[3] == f"{count} of {count}", "shortest": line[4] == f"{count} of {count}"}
    if not alone:
        line.append(round(line[5] / line[2], 1))
        verdicts["faster"] = line[2] < line[5]
    return line, verdicts


def show_machines(arguments: argparse.Namespace) -> None:
    print(f"{arguments.seeds} seeds, at most {RUNS:,} runs of 50 steps and {arguments.limit} CPU seconds")
    rows, verdicts = [], []
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    for name in arguments.only:
        line, verdict = row(name, seeds, arguments.limit, alone=arguments.alone)
        rows.append(line)
        verdicts.append(verdict)
        print(*line, file=sys.stderr)
    header = ["machine", "minimum steps", "CPU s", "found", "shortest"]
    if not arguments.alone:
        header += ["Hypothesis CPU s", "found", "shortest", "ratio"]
    print(table(header, rows))
    for what in verdicts[0]:
        print(f"{what} in all seeds: {sum(v[what] for v in verdicts)} of {len(verdicts)} machines")


def show_speed(arguments: argparse.Namespace) -> None:
    ours, theirs = in_a_child(speed_of_everycase, LIMIT), in_a_child(speed_of_hypothesis, LIMIT)
    print(
        f"steps per CPU second, five trivial rules: {ours:,.0f}; Hypothesis {theirs:,.0f}; ratio {ours / theirs:.0f}"
    )


def show_orders(arguments: argparse.Namespace) -> None:
    from everycase.arrays import sequence_covering_array

    rows = []
    for events, strength, goal in ((6, 3, 10), (8, 3, 12), (10, 3, 14), (6, 4, 38)):
        started = time.process_time()
        array = sequence_covering_array(range(events), strength)
        seconds = time.process_time() - started
        missing = [
            order
            for order in permutations(range(events), strength)
            if not any(list(order) == [event for event in line if event in order] for line in array)
        ]
        rows.append([events, strength, len(array), goal, len(missing), round(seconds, 2)])
    print(table(["events", "strength", "sequences", "goal", "orders missing", "CPU s"], rows))


def show_races(arguments: argparse.Namespace) -> None:
    from everycase import check, gen, stateful

    rows = []
    for machine in racing_machines(stateful, gen):
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds):
            report = check(stateful.parallel(machine), seed=seed, database=None, max_examples=1000)
            again = check(stateful.parallel(machine), seed=seed, database=None, max_examples=1000)
            program = report.counterexample[0] if report.counterexample else ""
            same = str(program) == str(again.counterexample[0] if again.counterexample else "")
            rows.append([machine.__name__, seed, report.failed_at, len(program), "yes" if same else "NO"])
    print(table(["lost update", "seed", "found at test", "steps", "same when repeated"], rows))
    started = time.process_time()
    locked = check(stateful.parallel(locked_counter(stateful)), seed=0, database=None, max_examples=10_000)
    seconds = time.process_time() - started
    print(f"a locked counter: {locked.status}, {locked.examples:,} tests, {seconds:.1f} CPU s")


SECTIONS = {
    "machines": show_machines,
    "speed": show_speed,
    "orders": show_orders,
    "races": show_races,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sections", nargs="*", choices=[*SECTIONS, []], help="default: all")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=list(LEAST), help="machines")
    parser.add_argument("--limit", type=int, default=LIMIT, help="CPU seconds of one search")
    parser.add_argument("--alone", action="store_true", help="without Hypothesis")
    arguments = parser.parse_args()
    print(versions("hypothesis"))
    for section in arguments.sections or SECTIONS:
        SECTIONS[section](arguments)


if __name__ == "__main__":
    main()
