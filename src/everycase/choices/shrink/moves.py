"""Building blocks of the shrinker's moves: places in a trace, edits of them, and two searches.

Each test of a candidate runs the user's property, so searches save tests. :func:`in_chunks` finds everything
that can be removed with few tests if most of it can, and :func:`lowest` finds the least number that works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from everycase.choices.shrink.shrinker import Shrinker
from everycase.choices.trace import Opaque, Trace
from everycase.gen.base import Gen
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total

Path = tuple[int, ...]
Node = Trace[Any]
Children = Sequence[Node | None]
Pass = Callable[[Shrinker], None]


# --- searching ------------------------------------------------------------------------------------------


class Patience:
    """Tells a pass when to leave the rest for later: after a number of tests in a row without improvement."""

    def __init__(self, s: Shrinker) -> None:
        self._s = s
        self._start = s.calls

    def lost(self) -> bool:
        return self._s.calls - max(self._start, self._s.improved_at) >= self._s.patience


def in_chunks(s: Shrinker, count: int, accepts: Callable[[int, int], bool], small: int = 2) -> None:
    """Remove as many of ``count`` items as possible, from the right; ``accepts(i, j)`` removes items i to
    j-1.

    One test if all can be removed, one for each if none can, and otherwise about ``log2(count)`` for each
    that has to stay. It is tried early whether the first item, or the first two, are enough, because this is
    so common.
    """
    if count > 1 and accepts(0, count):
        return
    low = 0  # the first ``low`` items are not enough
    for keep in range(1, small + 1 if count > 4 else 0):
        if accepts(keep, count):
            count = keep
            break
        low = keep
    patience = Patience(s)
    while count > 0:
        count -= 1
        if not accepts(count, count + 1):
            if patience.lost():
                return
            low = 0
            continue
        if count > low and not (low == 0 and accepts(0, count)):
            high = count  # the first ``high`` items are enough
            while high - low > 1:
                middle = (low + high) // 2
                if accepts(middle, high):
                    high = middle
                else:
                    low = middle
            patience = Patience(s)
        count, low = low, 0


def lowest(start: int, accepts: Callable[[int], bool]) -> int:
    """The least number that ``accepts`` accepts, exactly if it accepts all from there to ``start``, but not
    0."""
    if start <= 1 or accepts(1):
        return min(start, 1)
    if start == 2 or not accepts(start - 1):
        return start
    low, high = 1, start - 1  # low is rejected, high is accepted
    if high > 16:
        # Many answers are near, and most of the others are small.
        near, probe = high - 8, 4
        if accepts(near):
            high = near
            while probe < high and not accepts(probe):
                low, probe = probe, probe * probe
            high = min(high, probe)
        else:
            low = near
    while high - low > 1:
        # Halve the number of bits while the orders of magnitude differ, then the number.
        bits = (high.bit_length() + low.bit_length()) // 2
        middle = 1 << bits if low < 1 << bits < high and high > 8 * low + 8 else (low + high) // 2
        if accepts(middle):
            high = middle
        else:
            low = middle
    return high


# --- places ---------------------------------------------------------------------------------------------


def everywhere(kinds: tuple[type[Any], ...], move: Callable[[Shrinker, Path, Node], object]) -> Pass:
    """The pass that makes a move at every node of these kinds, parents before children.

    A value whose choices are not known cannot be simplified.
    """

    def find(trace: Node) -> list[tuple[Path, Node]]:
        return [
            (path, node)
            for path, node in trace.walk()
            if type(node.gen) in kinds and not isinstance(node.memory, Opaque)
        ]

    def run(s: Shrinker) -> None:
        trace, length = s.best, s.length
        places = find(trace)
        i = 0
        while i < len(places):
            s.check_clock()
            path, node = places[i]
            if s.best is not trace and s.length != length:
                trace, length = s.best, s.length
                places = find(trace)
                if i >= len(places):
                    return
                path, node = places[i]
            elif s.best is not trace:
                # It has as many choices as before, so most likely in the same places; searching for all of
                # them takes long.
                now = s.best.at(path)
                if now is None or type(now.gen) not in kinds or isinstance(now.memory, Opaque):
                    i += 1
                    continue
                node = now
            move(s, path, node)
            i += 1

    run.__name__ = move.__name__
    return run


class IntAt(NamedTuple):
    """An integer in a trace."""

    path: Path
    gen: Int
    value: int

    @property
    def distance(self) -> int:
        return abs(self.value - self.gen.towards)

    def at(self, distance: int) -> int:
        """The number on the same side of the simplest one, but at this distance."""
        return self.gen.towards + (distance if self.value >= self.gen.towards else -distance)


def numbers_of(trace: Node) -> list[IntAt]:
    return [number_of(path, node) for path, node in trace.walk() if _is_number(node)]


def best_numbers(s: Shrinker) -> list[IntAt]:
    """The integers in the best trace. Cached per trace, because moves ask again and again."""
    trace, numbers = s.known_numbers
    if trace is not s.best:
        numbers = numbers_of(s.best)
        s.known_numbers = s.best, numbers
    return numbers


def best_spans(s: Shrinker) -> dict[Path, tuple[int, int]]:
    """Where the choices of each part of the best trace begin and end in its order. Cached per trace."""
    trace, spans = s.known_spans
    if trace is not s.best:
        spans = _spans(s.best)
        s.known_spans = s.best, spans
    return spans


def _spans(trace: Node) -> dict[Path, tuple[int, int]]:
    starts: list[tuple[Path, int]] = []
    count = 0
    for path, node in trace.walk():
        starts.append((path, count))
        count += node.is_chosen
    spans: dict[Path, tuple[int, int]] = {}
    after: list[
        tuple[int, int]
    ] = []  # depth and start of what comes after the current part, the nearest last
    for path, start in reversed(starts):
        while after and after[-1][0] > len(path):
            after.pop()
        spans[path] = start, after[-1][1] if after else count
        after.append((len(path), start))
    return spans


def number_of(path: Path, node: Node) -> IntAt:
    return IntAt(path, node.gen, node.choice)  # type: ignore[arg-type]


def number_at(trace: Node, path: Path) -> IntAt | None:
    node = trace.at(path)
    return number_of(path, node) if node is not None and _is_number(node) else None


def _is_number(node: Node) -> bool:
    return type(node.gen) is Int and not isinstance(node.memory, Opaque)


def family(gen: Gen[Any] | None) -> object:
    """The key that two generators share if the choices of one make sense for the other."""
    return gen if gen is None else FAMILIES[type(gen)](gen)


def look(gen: Gen[Any] | None) -> object:
    """The key that two draws in a loop share: composites tend to build new generators for each draw."""
    return gen if gen is None else LOOKS[type(gen)](gen)


def _itself(gen: Gen[Any]) -> object:
    return gen


def _with_source(gen: Map[Any] | Filter[Any]) -> object:
    return type(gen), look(gen.source)


FAMILIES: dict[type[Any], Callable[[Any], object]] = total(
    "generators whose choices make sense for each other",
    {
        Composite: lambda gen: getattr(gen.function, "__code__", gen.function),
        Bind: lambda gen: getattr(gen.f, "__code__", gen.f),
        **dict.fromkeys((Const, Int, Float, Union, Build, List, Map, Filter, Defer, Live), _itself),
    },
)
LOOKS: dict[type[Any], Callable[[Any], object]] = total(
    "draws in a loop that are alike",
    {**FAMILIES, Int: type, List: type, Map: _with_source, Filter: _with_source},
)


def is_simplest(node: Node) -> bool:
    """Whether all choices are already the simplest possible."""
    pending: list[Node | None] = [node]
    while pending:
        now = pending.pop()
        if now is None:
            continue
        gen = now.gen
        if now.choice is not None and now.choice != (gen.towards if isinstance(gen, Int) else 0):
            return False
        if type(gen) is List and len(now.children) > gen.min_size:
            return False
        if gen is None or isinstance(gen, Float):
            return False
        pending.extend(reversed(now.children))
    return True


def siblings(node: Node) -> list[list[int]]:
    """The places of children that could be swapped."""
    groups: dict[object, list[int]] = {}
    for i, child in enumerate(node.children):
        if child is not None:
            kind = type(child.gen) if isinstance(child.gen, Int | List) else family(child.gen)
            groups.setdefault(kind, []).append(i)
    return [group for group in groups.values() if len(group) > 1]


# --- edits ----------------------------------------------------------------------------------------------


def with_number(trace: Node, path: Path, value: int) -> Node:
    node = trace.at(path)
    return trace if node is None else trace.replace(path, node.with_choice(value))


def with_children(trace: Node, path: Path, children: Children) -> Node:
    node = trace.at(path)
    return trace if node is None else trace.replace(path, node.with_children(children))


def without(children: Children, i: int, j: int) -> Children:
    return [*children[:i], *children[j:]]
