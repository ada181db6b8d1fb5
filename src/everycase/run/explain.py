"""Which parts of a counterexample do not matter: with other values in their place, the test fails the same
way.

Each argument gets other values with all else as it is: neighbours, copies of parts like it, special floats, large ones and
random ones. If the test fails the same way each time, the argument does not matter. Where it does, its parts are tried:
fields and elements. Then all parts that were found are varied together, and as long as one such input passes, the last
part is dropped. In the end parts with few values get all that were not tried yet. The number of calls is bounded, and the
report says only how many other values were tried.
"""

from __future__ import annotations

import math
import random as stdlib_random
import time
from collections.abc import Callable, Iterator
from typing import Any

from everycase.choices.dice import FULL_SIZE, Random, draw_size
from everycase.choices.enact import REFUSALS, enact
from everycase.choices.related import alike
from everycase.choices.time_limit import look
from everycase.choices.trace import Opaque, Trace
from everycase.enumeration import fits, trace_at
from everycase.enumeration.counting import space_of
from everycase.gen.kinds import Build, Const, Filter, Float, Int, List, Live, Union
from everycase.run.report import Idle

Path = tuple[int, ...]

#: Maximum number of calls of the test, and of seconds, to explain one failure.
CALLS, SECONDS = 500, 5.0

#: How many other values have to fail for a part not to matter (or all, if there are fewer), and the maximum
#: number of draws to find them.
OTHERS, DRAWS = 50, 150

#: How many of the other values are numbers near the one that was found, how many are copies of other parts,
#: and how many are as large as in a run: a long text contains most letters.
NEAR, COPIES, LARGE = 3, 6, 5


def idle_parts(
    trace: Trace[Any], names: list[str], still_fails: Callable[[Trace[Any]], bool | None], seed: int
) -> list[Idle]:
    """The parts of a failing input that do not matter. ``still_fails`` runs the test: None means that it was discarded."""
    search = _Search(trace, still_fails, stdlib_random.Random(f"everycase explain {seed}").random)
    found: list[Idle] = []
    pending: list[tuple[Path, str]] = [((i,), name) for i, name in enumerate(names)]
    while pending and search.calls < CALLS:
        path, expression = pending.pop(0)
        node = trace.at(path)
        if node is None or type(node.gen) in (Const, Live) or isinstance(node.memory, Opaque):
            continue
        failed = search.others_that_fail(path)
        if failed:
            found.append(Idle(expression, failed))
            search.idle.append(path)
        elif search.calls < CALLS:
            pending += list(_parts(node, path, expression))
    while len(found) > 1 and not search.fails_together():
        found.pop()
        search.idle.pop()
    return search.with_all_values(found)


class _Search:
    """Puts other values in the place of parts, and runs the test."""

    def __init__(
        self, trace: Trace[Any], still_fails: Callable[[Trace[Any]], bool | None], random: Random
    ) -> None:
        self.trace = trace
        self.still_fails = still_fails
        self.random = random
        self.end = time.perf_counter() + SECONDS
        self.calls = 0
        #: the paths to the parts that do not matter
        self.idle: list[Path] = []
        self._groups = alike(trace)
        #: by path: the values that were tried there
        self._tried: dict[Path, list[Trace[Any]]] = {}

    def others_that_fail(self, path: Path) -> int:
        """How many other values at this place failed; 0 if one passed, or if there were too few values to
        tell."""
        node = self.trace.at(path)
        assert node is not None and node.gen is not None
        wanted = min(OTHERS, int(space_of(node.gen).count) - 1 if fits(node.gen, OTHERS) else OTHERS)
        seen = self._tried[path] = [node]
        failed = 0
        for number, (partial, size) in zip(range(DRAWS), self._others(path, node)):
            if failed >= wanted or self._spent():
                break
            for idle in self.idle if number % 2 else ():
                partial = partial.replace(idle, None)
            other = self._made(partial, size)
            part = None if other is None else other.at(path)
            if other is None or part is None or any(part.same_choices(known) for known in seen):
                continue
            seen.append(part)
            self.calls += 1
            verdict = self.still_fails(other)
            if verdict is False:
                return 0
            failed += verdict is True
        return failed if failed >= wanted else 0

    def fails_together(self) -> bool:
        """Whether the test fails with other values in all places that do not matter individually."""
        partial = self.trace
        for idle in self.idle:
            partial = partial.replace(idle, None)
        for _ in range(OTHERS):
            # If the calls were used up, the parts found so far were also varied together, only less often.
            if self._spent():
                break
            other = self._made(partial, draw_size(self.random))
            if other is not None:
                self.calls += 1
                if self.still_fails(other) is False:
                    return False
        return True

    def with_all_values(self, found: list[Idle]) -> list[Idle]:
        """The parts whose other values all fail, of those that have few; the others are not looked at again."""
        kept = []
        for idle, path in zip(found, self.idle, strict=True):
            failed = idle.others
            for other in self._untried(path):
                self.calls += 1
                verdict = self.still_fails(other)
                if verdict is False:
                    break
                failed += verdict is True
            else:
                kept.append(Idle(idle.part, failed))
        return kept

    def _untried(self, path: Path) -> Iterator[Trace[Any]]:
        """Inputs with the values at a place that were not tried, if there are few of them."""
        tried = self._tried[path]
        gen: Any = tried[0].gen
        if not fits(gen, CALLS - self.calls + len(tried)):
            return
        for part in _every_value(gen):
            if self._spent():
                return
            if any(part.same_choices(known) for known in tried):
                continue
            other = self._made(self.trace.replace(path, part), FULL_SIZE)
            if other is not None:
                yield other

    def _spent(self) -> bool:
        return self.calls >= CALLS or time.perf_counter() > self.end

    def _made(self, partial: Trace[Any], size: int) -> Trace[Any] | None:
        look()
        try:
            return enact(self.trace.gen, partial, self.random, size)  # type: ignore[arg-type]
        except REFUSALS:
            return None

    def _others(self, path: Path, node: Trace[Any]) -> Iterator[tuple[Trace[Any], int]]:
        """Partial traces with another value at this place, and the size budget to complete them with."""
        random = self.random
        for special in self._special(path, node):
            yield special, draw_size(random)
        if fits(node.gen, OTHERS):  # type: ignore[arg-type]
            for part in _every_value(node.gen):
                yield self.trace.replace(path, part), FULL_SIZE
        for _ in range(LARGE):
            yield self.trace.replace(path, None), FULL_SIZE
        while True:
            yield self.trace.replace(path, None), draw_size(random)

    def _special(self, path: Path, node: Trace[Any]) -> Iterator[Trace[Any]]:
        """Neighbours of a number, special floats, and copies of parts of the same kind."""
        if isinstance(node.gen, Float):
            for value in (
                *node.gen.infinities,
                *([math.nan] if node.gen.nan else []),
                *node.gen.edges[:NEAR],
            ):
                if node.gen.fits(value):
                    yield self.trace.replace(path, node.with_choice(value))
        if isinstance(node.gen, Int) and isinstance(node.choice, int):
            for end in (node.gen.lo, node.gen.hi):
                if end is not None:
                    yield self.trace.replace(path, node.with_choice(end))
            for step in range(1, NEAR + 1):
                for choice in (node.choice + step, node.choice - step):
                    if node.gen.fits(choice):
                        yield self.trace.replace(path, node.with_choice(choice))
        like = next((group for group in self._groups if path in group), [])
        for place in like[:COPIES]:
            # A part of this one, or one that contains it, is not a different part.
            if place[: len(path)] != path and path[: len(place)] != place:
                yield self.trace.replace(path, self.trace.at(place))


def _every_value(gen: Any) -> Iterator[Trace[Any]]:
    """The values of a generator that has few, as traces."""
    for number in range(int(space_of(gen).count)):
        yield trace_at(gen, number)


def _parts(node: Trace[Any], path: Path, expression: str) -> Iterator[tuple[Path, str]]:
    """The parts of a value that can be named by an expression, with the paths to them."""
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
