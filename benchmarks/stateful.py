"""State machines with planted bugs, beside Hypothesis.

    python benchmarks/stateful.py [--seeds 5] [--only NAME ...] [--speed]

For every machine of ``stateful_machines.py`` and every seed both libraries look for the bug and shrink what they find, each
in a process of its own and with at most 10,000 runs of 50 steps. The table has the CPU seconds of one search in all seeds
(shrinking included), in how many of them the bug was found, and in how many the failing sequence was as short as can be.
The machines from Cart on were written last, and nothing was changed for their sake. The last line has the steps per CPU second of a trivial machine of five rules.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from typing import Any

from cells import in_a_child
from measuring import table, versions
from stateful_machines import HELD_OUT, SHORTEST, machines

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
    """The calls of rules in a program: no initializers, no invariants and no teardown."""
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
    """Five rules that do nothing but count."""

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


def row(name: str, seeds: int) -> tuple[list[Any], dict[str, bool]]:
    cells = {}
    for label, search in (("everycase", with_everycase), ("hypothesis", with_hypothesis)):
        cells[label] = [
            in_a_child(lambda search=search, seed=seed: search(name, seed), LIMIT)  # type: ignore[misc]
            or {"seconds": float(LIMIT), "steps": None}
            for seed in range(seeds)
        ]
    line: list[Any] = [name, LEAST[name]]
    for found in cells.values():
        seconds = sum(cell["seconds"] for cell in found) / seeds
        hits = sum(cell["steps"] is not None for cell in found)
        shortest = sum(cell["steps"] == LEAST[name] for cell in found)
        line += [round(seconds, 3), f"{hits} of {seeds}", f"{shortest} of {seeds}"]
    ours, theirs = line[2], line[5]
    line.append(round(theirs / ours, 1))
    verdicts = {
        "found": line[3] == f"{seeds} of {seeds}",
        "faster": ours < theirs,
        "shortest": line[4] == f"{seeds} of {seeds}",
    }
    return line, verdicts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=list(LEAST))
    parser.add_argument("--speed", action="store_true", help="only the steps per second")
    arguments = parser.parse_args()
    print(versions("hypothesis"))
    if not arguments.speed:
        print(f"{arguments.seeds} seeds, at most {RUNS:,} runs of 50 steps")
        rows, verdicts = [], []
        for name in arguments.only:
            line, verdict = row(name, arguments.seeds)
            rows.append(line)
            verdicts.append(verdict)
            print(f"{name} done", file=sys.stderr)
        header = ["machine", "least", "s", "found", "shortest", "s (H)", "found (H)", "shortest (H)", "ratio"]
        print(table(header, rows))
        for what in ("found", "faster", "shortest"):
            print(f"{what} in all seeds: {sum(v[what] for v in verdicts)} of {len(verdicts)} machines")
    ours, theirs = in_a_child(speed_of_everycase, LIMIT), in_a_child(speed_of_hypothesis, LIMIT)
    print(
        f"steps per CPU second, five trivial rules: {ours:,.0f}; Hypothesis {theirs:,.0f}; ratio {ours / theirs:.0f}"
    )


if __name__ == "__main__":
    main()
