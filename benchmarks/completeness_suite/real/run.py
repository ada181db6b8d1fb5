"""Find the gaps of every realistic generator, complete and broken, in both forms, and repair the broken ones.

PYTHONPATH=benchmarks python benchmarks/completeness_suite/real/run.py
    [real | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth | thirteenth | fourteenth | fifteenth | classes | classes_second | repairs | tasks | more] [NAME]
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from measuring import table

from completeness_suite.real.classes import CLASSES
from completeness_suite.real.classes_second import CLASSES_SECOND
from completeness_suite.real.eighth import EIGHTH
from completeness_suite.real.eleventh import ELEVENTH
from completeness_suite.real.fifteenth import FIFTEENTH
from completeness_suite.real.fifth import FIFTH
from completeness_suite.real.fourteenth import FOURTEENTH
from completeness_suite.real.fourth import FOURTH
from completeness_suite.real.ninth import NINTH
from completeness_suite.real.second import SECOND
from completeness_suite.real.seventh import SEVENTH
from completeness_suite.real.sixth import SIXTH
from completeness_suite.real.suite import HEADER, SUITE, Real
from completeness_suite.real.tasks import MORE_TASKS, TASKS, RepairTask
from completeness_suite.real.tenth import TENTH
from completeness_suite.real.third import THIRD
from completeness_suite.real.thirteenth import THIRTEENTH
from completeness_suite.real.twelfth import TWELFTH
from everycase import find
from everycase.complete import gaps, repair
from everycase.complete.specification import specification_of
from everycase.errors import EverycaseError, NoSuchExample

SECONDS = 10.0
SAMPLES = 200  # number of values of a patched generator that are checked at once
RUNS = 10


def load(text: str, name: str, folder: Path) -> dict[str, Any]:
    """The names that a module with this text defines. It is loaded from a file, so that its source can be read."""
    file = folder / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return vars(module)


def generator_of(names: dict[str, Any]) -> Any:
    """The generator under ``covers`` in a module."""
    return next(v for v in names.values() if specification_of(v) is not None)


def word(verdict: Any) -> str:
    """How a verdict was reached: by proof, by running all choices, or not at all."""
    if verdict.status == "proved":
        return "proved"
    if verdict.status == "missing":
        return "missing (run)" if verdict.unsupported else "missing"
    if not verdict.checked:
        return "nothing"
    return "bounds (run)" if verdict.unsupported else "bounds"


def measure(case: Real, form: str, twin: bool, folder: Path) -> tuple[str, Any, float]:
    text = case.everycase(twin) if form == "everycase" else case.in_hypothesis(twin)
    names = load(text, f"{case.name}_{form}_{'twin' if twin else 'whole'}", folder)
    started = time.process_time()
    try:
        verdict = gaps(generator_of(names), max_seconds=SECONDS)
    except Exception as error:
        return f"error: {type(error).__name__}: {error}", None, time.process_time() - started
    return word(verdict), verdict, time.process_time() - started


def real(only: str = "", suite: list[Real] = SUITE) -> None:
    """Print the table and the shares that count."""
    rows, counts, seconds = [], Counter[tuple[str, str]](), []
    reasons: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        for case in suite:
            if only not in case.name:
                continue
            row = [case.name]
            for form in ("everycase", "hypothesis"):
                for twin in (False, True):
                    said, verdict, spent = measure(case, form, twin, Path(place))
                    seconds.append(spent)
                    wrong = (said.startswith("missing") and not twin) or (said == "proved" and twin)
                    counts[(f"{form} {'twin' if twin else 'whole'}", "WRONG" if wrong else said)] += 1
                    row.append(("WRONG " if wrong else "") + said)
                    if form == "everycase" and verdict is not None and verdict.unsupported and not twin:
                        reasons.append(f"{case.name}: {verdict.unsupported.split('line', 1)[-1]}")
                    elif verdict is None or (not twin and said == "bounds"):
                        reasons.append(f"{case.name} {form}: {said} {verdict.notes if verdict else ''}")
            rows.append(row)
    print(table(["generator", "everycase", "twin", "hypothesis", "twin"], rows))
    for reason in reasons:
        print(" ", reason)
    for (what, said), number in sorted(counts.items()):
        print(f"{what:18} {said:18} {number}")
    print(f"{len(rows)} generators, {sum(seconds):.1f} s in total, slowest {max(seconds):.1f} s")


def repairs(only: str = "") -> None:
    """Repair every broken twin. A generator that is called repaired must make the missing value, and only valid values."""
    rows, seconds, statuses = [], [], Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        for case in SUITE:
            if only not in case.name:
                continue
            generator = generator_of(load(case.everycase(True), f"{case.name}_repaired", Path(place)))
            started = time.process_time()
            try:
                result = repair(generator, max_seconds=20)
                said, diff = result.status, result.diff
            except EverycaseError as error:
                said, diff = f"error: {type(error).__name__}", str(error)
            seconds.append(time.process_time() - started)
            statuses[said] += 1
            added = [line[1:].strip() for line in diff.splitlines() if line[:1] == "+" and line[:2] != "++"]
            rows.append([case.name, said, f"{seconds[-1]:.1f} s", " / ".join(added)[:100]])
    print(table(["twin", "status", "time", "patch"], rows))
    print(f"{dict(statuses)}, median {statistics.median(seconds):.1f} s, slowest {max(seconds):.1f} s")


def judged(names: dict[str, Any], task: RepairTask) -> str:
    """Run a patched generator: every value must be valid, and all the small ones must come up."""
    generator = generator_of(names)
    predicate = specification_of(generator).predicate  # type: ignore[union-attr]
    wanted = {repr(v): v for v in eval(task.valid, dict(names))}
    for seed in range(RUNS):
        for value in generator(**task.arguments).sample(SAMPLES, seed=seed):
            if not predicate(value, **task.arguments):
                return f"UNSOUND: {value!r}"
            wanted.pop(repr(value), None)
        if not wanted and seed >= 2:
            return "good"
    found = [shown for shown, v in wanted.items() if not _can_make(generator, task.arguments, v)]
    return f"STILL MISSING: {found[0]}" if found else "good"


def _can_make(generator: Any, arguments: dict[str, object], wanted: Any) -> bool:
    """Search for one value that random draws are unlikely to give."""
    try:
        find(generator(**arguments), lambda v: v == wanted and repr(v) == repr(wanted), max_examples=20_000)
    except NoSuchExample:
        return False
    return True


def tasks(only: str = "", of: list[RepairTask] = TASKS) -> None:
    """Repair realistic gaps; the oracle runs each generator that is called repaired."""
    rows, seconds, proved, bad = [], [], 0, 0
    with tempfile.TemporaryDirectory() as place:
        for task in of:
            if only not in task.name:
                continue
            text = HEADER.format(library="everycase", module="gen") + task.text
            generator = generator_of(load(text, f"task_{task.name}", Path(place)))
            started = time.process_time()
            try:
                result = repair(generator, max_seconds=20)
                said, diff = result.status, result.diff
            except EverycaseError as error:
                said, diff, result = f"error: {error}"[:60], "", None
            seconds.append(time.process_time() - started)
            proved += said == "repaired"
            oracle = "-"
            if result is not None and result.status.startswith("repaired"):
                oracle = judged(load(result.new, f"task_{task.name}_patched", Path(place)), task)
                bad += oracle != "good"
            added = [line[1:].strip() for line in diff.splitlines() if line[:1] == "+" and line[:2] != "++"]
            note = " / ".join(added) or (result.notes[-1] if result is not None and result.notes else "")
            rows.append([task.name, said, oracle, f"{seconds[-1]:.1f} s", note[:110]])
    print(table(["task", "status", "oracle", "time", "patch"], rows))
    print(
        f"proved {proved} of {len(rows)}, wrong {bad}, median {statistics.median(seconds):.1f} s, slowest {max(seconds):.1f} s"
    )


def more_tasks(only: str = "") -> None:
    """A second small set of repairs, run once."""
    tasks(only, MORE_TASKS)


def second(only: str = "") -> None:
    """The second set, for which the reader was not written."""
    real(only, SECOND)


def third(only: str = "") -> None:
    """The third set: fifteen generators, run once."""
    real(only, THIRD)


def fourth(only: str = "") -> None:
    """The fourth set: twelve generators, run once."""
    real(only, FOURTH)


def fifth(only: str = "") -> None:
    """The fifth set: twelve generators, run once."""
    real(only, FIFTH)


def sixth(only: str = "") -> None:
    """The sixth set: twelve generators, run once."""
    real(only, SIXTH)


def seventh(only: str = "") -> None:
    """The seventh set: twelve generators, run once before the reader was changed for them."""
    real(only, SEVENTH)


def eighth(only: str = "") -> None:
    """The eighth set: twelve generators, run before and after the reader was changed for them."""
    real(only, EIGHTH)


def ninth(only: str = "") -> None:
    """The ninth set: twelve generators, written with the eighth and run once after the reader was changed."""
    real(only, NINTH)


def tenth(only: str = "") -> None:
    """The tenth set: twenty generators, run before and after the reader was changed for them."""
    real(only, TENTH)


def eleventh(only: str = "") -> None:
    """The eleventh set: twelve generators, written with the tenth and run once after the reader was changed."""
    real(only, ELEVENTH)


def twelfth(only: str = "") -> None:
    """The twelfth set: twelve generators, written before the reader was changed and run once, after the work."""
    real(only, TWELFTH)


def thirteenth(only: str = "") -> None:
    """The thirteenth set: twelve generators, written before the reader was changed and run once, after the work."""
    real(only, THIRTEENTH)


def fourteenth(only: str = "") -> None:
    """The fourteenth set: twelve generators, written before the reader was changed and looked at once during the work."""
    real(only, FOURTEENTH)


def fifteenth(only: str = "") -> None:
    """The fifteenth set: twelve generators, written before the reader was changed and run once, after the work."""
    real(only, FIFTEENTH)


def classes(only: str = "") -> None:
    """Kinds of classes, and ways in which an annotation can be missing."""
    real(only, CLASSES)


def classes_second(only: str = "") -> None:
    """Further classes, written after the reader was changed and run once."""
    real(only, CLASSES_SECOND)


PARTS = {
    "real": real, "second": second, "third": third, "fourth": fourth, "fifth": fifth, "sixth": sixth, "seventh": seventh, "eighth": eighth, "ninth": ninth, "tenth": tenth,
    "eleventh": eleventh, "twelfth": twelfth, "thirteenth": thirteenth, "fourteenth": fourteenth, "fifteenth": fifteenth, "classes": classes, "classes_second": classes_second,
    "repairs": repairs, "tasks": tasks, "more": more_tasks,
}  # fmt: skip

if __name__ == "__main__":
    PARTS[(sys.argv[1:] or ["real"])[0]](*sys.argv[2:3])
