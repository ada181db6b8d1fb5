"""The parts of everycase that other people keep: numbers, blobs, samples by seed, shrunk values and report texts.

They end up in bug reports and stores, so they change on purpose or not at all. ``python tests/contract/golden.py``
writes them again. Say in the commit which part changed and why.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from everycase import check
from everycase.errors import EverycaseError
from everycase.run import explain

HERE = Path(__file__).parent
FILE = HERE / "golden.json"

#: What is frozen of each generator, so that a difference names the part that changed.
PARTS = ("samples", "indexed", "numbers", "blob", "shrunk", "report")


def observe(case: Any, canonical: Callable[[Any], str]) -> dict[str, Any]:
    """All frozen results of one generator of the contract table."""
    node = case.generator

    def attempt(make: Callable[[], Any]) -> Any:
        try:
            return make()
        except (EverycaseError, IndexError, OverflowError) as problem:
            return f"{type(problem).__name__}"

    def shrunk() -> list[Any]:
        longest = len(case.simplest) + 6
        report = check(
            lambda value: len(canonical(value)) <= longest, node, seed=5, max_examples=60, database=None
        )
        return [report.status, None if report.counterexample is None else canonical(report.counterexample)]

    def text() -> str:
        with patch.object(explain, "SECONDS", math.inf):  # the text must not depend on the machine
            report = check(lambda value: canonical(value) == "", node, seed=3, max_examples=20, database=None)
        report.name = "property"
        return str(report)

    first = attempt(lambda: [node[i] for i in range(4)])
    return {
        "samples": attempt(lambda: [canonical(node.record(seed).value) for seed in range(4)]),
        "indexed": first if isinstance(first, str) else [canonical(value) for value in first],
        "numbers": first if isinstance(first, str) else [attempt(lambda v=v: node.index(v)) for v in first],
        "blob": attempt(lambda: node.record(1).to_blob()),
        "shrunk": attempt(shrunk),
        "report": attempt(text),
    }


def write() -> None:
    from table import CASES, canonical

    golden = {case.name: observe(case, canonical) for case in CASES}
    FILE.write_text(json.dumps(golden, indent=1, ensure_ascii=True, sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
