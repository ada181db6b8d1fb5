"""Which parts of a counterexample do not matter: others in their place fail the same way.

Each argument is drawn anew a few times with all else as it is; if the test fails the same way each time, the argument does not
matter. Where it does, its parts are tried: fields and elements. The number of calls is bounded, and what is said is only what
was tried: so many other values failed too.
"""

from __future__ import annotations

import random as stdlib_random
import time
from collections.abc import Callable, Iterator
from typing import Any

from everycase.choices.dice import draw_size
from everycase.choices.enact import enact
from everycase.choices.trace import Opaque, Trace
from everycase.errors import Discarded
from everycase.gen.kinds import Build, Const, Filter, List, Live, Union
from everycase.run.report import Idle

#: How many calls of the test, and how many seconds, one failure may take to explain.
CALLS, SECONDS = 60, 5.0

#: How many other values have to fail for a part not to matter, and how many draws it may take to find as many.
OTHERS, DRAWS = 5, 12


def idle_parts(
    trace: Trace[Any], names: list[str], still_fails: Callable[[Trace[Any]], bool | None], seed: int
) -> list[Idle]:
    """The parts of a failing input that do not matter. ``still_fails`` runs the test: None means that it was discarded."""
    random = stdlib_random.Random(f"everycase explain {seed}").random
    end = time.perf_counter() + SECONDS
    calls = 0
    found: list[Idle] = []

    def others_that_fail(path: tuple[int, ...]) -> int:
        """How many other values at this place failed; 0 if one did not."""
        nonlocal calls
        seen: list[Trace[Any]] = [trace]
        failed = 0
        for _ in range(DRAWS):
            if failed == OTHERS or calls >= CALLS or time.perf_counter() > end:
                break
            try:
                other = enact(trace.gen, trace.replace(path, None), random, draw_size(random))  # type: ignore[arg-type]
            except (Discarded, RecursionError):
                continue
            if any(other.same_choices(known) for known in seen):
                continue
            seen.append(other)
            calls += 1
            verdict = still_fails(other)
            if verdict is False:
                return 0
            failed += verdict is True
        return failed

    pending: list[tuple[tuple[int, ...], str]] = [((i,), name) for i, name in enumerate(names)]
    while pending and calls < CALLS:
        path, expression = pending.pop(0)
        node = trace.at(path)
        if node is None or type(node.gen) in (Const, Live) or isinstance(node.memory, Opaque):
            continue
        failed = others_that_fail(path)
        if failed >= OTHERS:
            found.append(Idle(expression, failed))
        elif calls < CALLS:
            pending += list(_parts(node, path, expression))
    return found


def _parts(node: Trace[Any], path: tuple[int, ...], expression: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """The parts of a value that have an expression of their own, with the paths to them."""
    gen: Any = node.gen
    while type(gen) in (Union, Filter) and node.children and node.children[0] is not None:
        node, path = node.children[0], (*path, 0)
        gen = node.gen
    match gen:
        case List():
            yield from (((*path, i), f"{expression}[{i}]") for i in range(len(node.children)))
        case Build() if gen.constructs is tuple:
            yield from (((*path, i), f"{expression}[{i}]") for i in range(len(node.children)))
        case Build() if gen.fields:
            yield from (((*path, i), f"{expression}.{name}") for i, name in enumerate(gen.fields))
