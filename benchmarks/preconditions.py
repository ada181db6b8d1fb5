"""Valid inputs for ordinary preconditions: pruning against filtering, and the default against assume and Hypothesis.

python benchmarks/preconditions.py                        everything; each cell in its own process
python benchmarks/preconditions.py --only predicates      the same values as filtering, and the work to find them
python benchmarks/preconditions.py --only structures      1,000 inputs by type with assume, and their sizes
python benchmarks/preconditions.py --only mistakes        planted bugs that the default run finds
python benchmarks/preconditions.py --only yields          the default against sampling, filtering and pruning
python benchmarks/preconditions.py --only peer            the default against Hypothesis, with assume in the test
python benchmarks/preconditions.py --only plain           the cost for tests without a precondition
python benchmarks/preconditions.py --held-out             the same on the second set of predicates, structures and bugs
python benchmarks/preconditions.py --third                the same on the third set
python benchmarks/preconditions.py --fourth --only predicates
python benchmarks/preconditions.py --fifth                the same on the fifth set
python benchmarks/preconditions.py --sixth                the same on the sixth set
"""

from __future__ import annotations

import argparse
import time
from bisect import bisect_right
from collections import Counter
from contextlib import suppress
from statistics import median
from typing import Any

from cells import in_a_child
from measuring import cpu_seconds, table, versions
from precondition_sets.fifth import HELD as FIFTH_HELD
from precondition_sets.fifth import OPEN as FIFTH_OPEN
from precondition_sets.fifth_structures import HELD as FIFTH_STRUCTURES_HELD
from precondition_sets.fifth_structures import OPEN as FIFTH_STRUCTURES_OPEN
from precondition_sets.fourth import PREDICATES as FOURTH
from precondition_sets.predicates import FIRST, HELD_OUT, Row
from precondition_sets.second import PREDICATES as SECOND
from precondition_sets.second import STRUCTURES as SECOND_STRUCTURES
from precondition_sets.sixth import PREDICATES as SIXTH
from precondition_sets.sixth import STRUCTURES as SIXTH_STRUCTURES
from precondition_sets.structures import STRUCTURES, Structure
from precondition_sets.third import PREDICATES as THIRD
from precondition_sets.third import STRUCTURES as THIRD_STRUCTURES

from everycase import assume, check, gen, given
from everycase.explore import Narrow, Random
from everycase.narrow import Narrowing

#: CPU seconds after which a cell is stopped.
LIMIT = 60


def told(value: Any) -> str:
    """A text that identifies a value, even if its class has no ``repr``."""
    if type(value) in (tuple, list):
        return f"{type(value).__name__}({', '.join(map(told, value))})"
    if type(value).__repr__ is not object.__repr__:
        return repr(value)
    names = getattr(value, "__slots__", None) or vars(value)
    return repr([(name, getattr(value, name)) for name in sorted(names)])


def predicates(rows: list[Row]) -> None:
    """Find all values up to a size by pruning and by filtering: whether the sets are equal, and the cost."""
    lines, no_gain, differ, dear = [], 0, 0, []
    for row in rows:

        def measure(row: Row = row) -> list[Any]:
            started = time.process_time()
            values = list(row.inputs.up_to_size(row.size))
            wanted = [value for value in values if row.predicate(value)]
            filtering = time.process_time() - started
            search = Narrowing([row.inputs.filter(row.predicate)])
            found: list[Any] = []
            pruning = cpu_seconds(lambda: found.extend(one.value for one in search.search(row.size)))
            same = sorted(map(told, found)) == sorted(map(told, wanted))
            return [len(values), len(wanted), search.statistics.evaluations, same, filtering, pruning]

        result = in_a_child(measure, LIMIT)
        if result is None:
            lines.append([row.name, row.kind, "-", "-", "-", "stopped", "-", "-"])
            continue
        values, wanted, evaluations, same, filtering, pruning = result
        no_gain += evaluations >= values
        differ += not same
        if pruning > 3 * filtering:
            dear.append(row.name)
        gain = values / max(1, evaluations)
        lines.append(
            [
                row.name,
                row.kind,
                values,
                wanted,
                evaluations,
                gain,
                filtering,
                pruning,
                "yes" if same else "NO",
            ]
        )
    print(
        table(
            ["predicate", "kind", "values", "valid", "evaluations", "gain", "filter s", "prune s", "same"],
            lines,
        )
    )
    print(
        f"{len(rows)} predicates: no gain on {no_gain} ({no_gain / len(rows):.0%}), different values on {differ}; "
        f"more than three times as slow as filtering: {', '.join(dear) or 'none'}\n"
    )


def constructors_in(value: Any) -> int:
    """The number of objects of the structure's own classes in a value."""
    count, pending = 0, [value]
    while pending:
        part = pending.pop()
        if hasattr(part, "_fields") or hasattr(part, "__dataclass_fields__"):
            count += 1
        if isinstance(part, list | tuple):
            pending.extend(part)
        elif hasattr(part, "__dataclass_fields__"):
            pending.extend(vars(part).values())
    return count


def tested(structure: Structure, seed: int, explore: Any, tests: int) -> list[Any]:
    """CPU seconds, and the number and sizes of the different inputs that a run tests."""
    sizes: Counter[int] = Counter()
    seen: set[str] = set()
    is_valid = structure.is_valid

    def record(value: Any) -> None:
        shown = repr(value)
        if shown not in seen:
            seen.add(shown)
            sizes[constructors_in(value)] += 1

    def test(value: Any) -> None:
        assume(is_valid(value))
        record(value)

    options = {} if explore is None else {"explore": explore}
    seconds = cpu_seconds(
        lambda: check(test, structure.inputs, seed=seed, database=None, max_examples=tests, **options)
    )
    return [seconds, len(seen), sum(n for size, n in sizes.items() if size >= 7), max(sizes, default=0)]


def structures(among: list[Structure]) -> None:
    """Inputs by type, with ``assume`` and a predicate that rejects late: the default run, and plain sampling."""
    lines = []
    for structure in among:
        ours = in_a_child(lambda s=structure: tested(s, 1, None, 1050), LIMIT)  # type: ignore[misc]
        plain = in_a_child(lambda s=structure: tested(s, 1, Random(), 1050), LIMIT)  # type: ignore[misc]
        lines.append([structure.name, *(ours or ["-"] * 4), *(plain or ["-"] * 4)])
    header = ["structure", "CPU s", "distinct", "of 7 or more", "largest"]
    print(table([*header, *[f"sampled: {word}" for word in header[1:]]], lines), "\n")


def mistakes(among: list[Structure], seed: int) -> None:
    """The default run of 1,000 tests on each planted bug."""
    lines, missed, number = [], [], 0
    for structure in among:
        for mistake in structure.mistakes:

            def run(structure: Structure = structure, mistake: str = mistake) -> list[Any]:
                is_valid, works = structure.is_valid, structure.works

                def test(value: Any) -> None:
                    assume(is_valid(value))
                    assert works(value, mistake)

                started = time.process_time()
                report = check(test, structure.inputs, seed=seed, database=None)
                return [report.status, report.failed_at or 0, time.process_time() - started]

            number += 1
            status, failed_at, seconds = in_a_child(run, LIMIT) or ("stopped", 0, LIMIT)
            if status != "failed":
                missed.append(f"{structure.name}: {mistake}")
            lines.append([structure.name, mistake, status, failed_at, seconds])
    print(table(["structure", "bug", "status", "at test", "CPU s"], lines))
    print(f"found {number - len(missed)} of {number}; missed: {'; '.join(missed) or 'none'}\n")


#: The ways to write a precondition.
FORMS = ("where", "filter", "assume")


def yielded(row: Row, form: str, explore: Any, seed: int) -> list[float]:
    """The CPU time at which a run tests each new valid input, and finally the time at which it ends."""
    predicate = row.predicate
    seen: set[str] = set()
    times: list[float] = []
    clock = time.process_time

    def record(value: Any) -> None:
        shown = told(value)
        if shown not in seen:
            seen.add(shown)
            times.append(clock() - started)

    def test(value: Any) -> None:
        assume(predicate(value))
        record(value)

    options: dict[str, Any] = {"seed": seed, "database": None, "max_examples": TESTS}
    if explore is not None:
        options["explore"] = explore
    started = clock()
    if form == "where":
        check(given(row.inputs).where(predicate)(record), **options)
    elif form == "filter":
        check(record, row.inputs.filter(predicate), **options)
    else:
        check(test, row.inputs, **options)
    return [*times, clock() - started]


#: Tests per run. (There is no time limit: wall time means nothing on a busy machine.)
TESTS = 1000


def runs(row: Row, form: str, explore: Any, seeds: int) -> list[list[float]]:
    """One run for each seed."""
    found = [in_a_child(lambda s=seed: yielded(row, form, explore, s), LIMIT) for seed in range(seeds)]  # type: ignore[misc]
    return [run for run in found if run]


def by(run: list[float], end: float) -> int:
    """The number of different inputs that a run has tested by this time."""
    return bisect_right(run[:-1], end)


def yields(rows: list[Row], seeds: int) -> None:
    """The default run against sampling (discards), filtering (draws again) and pruning: the number of different valid
    inputs in the CPU time after which the first of the three ends.
    """
    lines, short = [], []
    for form in FORMS:  # so that the imports of the default run are not part of a cell
        yielded(rows[0], form, None, 0)
    for row in rows:
        peers = [
            runs(row, "assume", Random(), seeds),
            runs(row, "filter", Random(), seeds),
            runs(row, "where", Narrow(), seeds),
        ]
        end = min(median(run[-1] for run in peer) for peer in peers)
        counts = [median(by(run, end) for run in peer) for peer in peers]
        best = max(counts)
        ours = [median(by(run, end) for run in runs(row, form, None, seeds)) for form in FORMS]
        ratios = [count / best if best else 1.0 for count in ours]
        lines.append([row.name, row.kind, 1000 * end, *map(int, counts), *ratios])
        short += [f"{row.name} ({form})" for form, ratio in zip(FORMS, ratios) if ratio < 0.8]
        print(".", end="", flush=True)
    header = ["predicate", "kind", "ms", "sampling", "filtering", "pruning"]
    print("\n" + table([*header, *[f"default, {form}" for form in FORMS]], lines))
    print(f"below .8 of the best: {len(short)} of {len(FORMS) * len(rows)}: {', '.join(short) or 'none'}\n")


#: CPU seconds after which a run of Hypothesis is stopped: many take a minute.
PEER_SECONDS = 3


class TimeUp(BaseException):
    """Ends a run of Hypothesis at once."""


def tested_by_hypothesis(row: Row) -> list[float]:
    """The CPU time at which Hypothesis tests each new valid input, and finally the time at which it ends."""
    from hypothesis import HealthCheck, Phase
    from hypothesis import assume as hypothesis_assume
    from hypothesis import given as hypothesis_given
    from hypothesis import settings as hypothesis_settings
    from hypothesis.errors import Unsatisfiable

    from everycase.bridges.hypothesis import to_strategy

    seen: set[str] = set()
    times: list[float] = []
    clock = time.process_time
    inputs = to_strategy(row.inputs)

    @hypothesis_settings(
        max_examples=TESTS,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis_given(inputs)
    def test(value: Any) -> None:
        if clock() - started > PEER_SECONDS:
            raise TimeUp
        hypothesis_assume(row.predicate(value))
        shown = told(value)
        if shown not in seen:
            seen.add(shown)
            times.append(clock() - started)

    inputs.validate()
    started = clock()
    with suppress(Unsatisfiable, TimeUp):
        test()
    return [*times, clock() - started]


def peer(rows: list[Row]) -> None:
    """The default run against Hypothesis, both with ``assume`` and a budget of :data:`TESTS`: different valid inputs, and how
    many of them per CPU second. Hypothesis is stopped after :data:`PEER_SECONDS`.
    """
    yielded(rows[0], "assume", None, 0)  # so that imports are not part of a cell
    tested_by_hypothesis(rows[0])
    lines = []
    for row in rows:
        ours = in_a_child(lambda row=row: yielded(row, "assume", None, 0), LIMIT)  # type: ignore[misc]
        theirs = in_a_child(lambda row=row: tested_by_hypothesis(row), LIMIT)  # type: ignore[misc]
        if ours is None or theirs is None:
            lines.append([row.name, row.kind, *(["-"] * 5)])
            continue
        rates = [(len(run) - 1) / run[-1] for run in (ours, theirs)]
        ratio = rates[0] / rates[1] if rates[1] else float("inf")
        lines.append(
            [row.name, row.kind, len(ours) - 1, 1000 * ours[-1], len(theirs) - 1, 1000 * theirs[-1], ratio]
        )
        print(".", end="", flush=True)
    header = ["predicate", "kind", "default", "ms", "Hypothesis", "ms", "ratio of rates"]
    print("\n" + table(header, lines))
    finished = [line for line in lines if line[-1] != "-"]
    fewer = [line[0] for line in finished if line[2] < line[4]]
    slower = [line[0] for line in finished if line[-1] < 1]
    print(
        f"fewer different inputs than Hypothesis: {len(fewer)} of {len(finished)}: {', '.join(fewer) or 'none'}"
    )
    print(f"fewer per CPU second: {len(slower)} of {len(finished)}: {', '.join(slower) or 'none'}\n")


def plain() -> None:
    """Tests without a precondition: the default against Random, which only samples."""

    def reverse_twice(xs: list[int]) -> None:
        ys = list(reversed(xs))
        assert list(reversed(ys)) == xs

    inputs = gen.lists(gen.integers())
    best = {"default": 1e9, "Random": 1e9}
    for round_ in range(15):
        for name, options in (("default", {}), ("Random", {"explore": Random()})):
            spent = cpu_seconds(
                lambda o=options, r=round_: check(
                    reverse_twice, inputs, seed=r, database=None, max_examples=1000, **o
                )  # type: ignore[misc]
            )
            best[name] = min(best[name], spent)
    print(f"without a precondition: default {best['default']:.4f} s, Random {best['Random']:.4f} s, ", end="")
    print(f"ratio {best['default'] / best['Random']:.3f}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="predicates,structures,mistakes,yields,peer,plain")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--third", action="store_true")
    parser.add_argument("--fourth", action="store_true")
    parser.add_argument("--fifth", action="store_true")
    parser.add_argument("--sixth", action="store_true")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=3, help="how many runs of each cell of the yields")
    options = parser.parse_args()
    print(versions("hypothesis"), "\n")
    rows = [*HELD_OUT, *SECOND] if options.held_out else FIRST
    among = SECOND_STRUCTURES if options.held_out else STRUCTURES
    if options.third:
        rows, among = THIRD, THIRD_STRUCTURES
    if options.fourth:
        rows, among = FOURTH, []
    if options.fifth:
        rows = [*FIFTH_OPEN, *FIFTH_HELD]
        among = [*FIFTH_STRUCTURES_OPEN, *FIFTH_STRUCTURES_HELD]
    if options.sixth:
        rows, among = SIXTH, SIXTH_STRUCTURES
    parts = {
        "predicates": lambda: predicates(rows),
        "structures": lambda: structures(among),
        "mistakes": lambda: mistakes(among, options.seed),
        "yields": lambda: yields(rows, options.seeds),
        "peer": lambda: peer(rows),
        "plain": plain,
    }
    for name in options.only.split(","):
        parts[name]()


if __name__ == "__main__":
    main()
