"""The moves of the shrinker, each of which tries to make the best trace simpler in one way.

A move only proposes edits; :meth:`~everycase.choices.shrink.Shrinker.attempt` enacts them, throws away what is not
simpler or was tried before, and tests the rest. So moves may be generous and careless: an edit that makes no sense
costs an enactment and nothing else. What they must not be is wasteful with edits that are new, since each of those
costs a run of the user's test. Hence the two searches that most moves are made of: :func:`_in_chunks` finds all that
can go with few tests when most of it can, and :func:`_lower` finds the least number that will do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, permutations
from typing import Any, NamedTuple

from everycase.choices.shrink import Shrinker, order
from everycase.choices.trace import Trace
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Composite, Filter, Float, Int, List, Live, Map, Union

Path = tuple[int, ...]
Node = Trace[Any]
Children = Sequence[Node | None]
Pass = Callable[[Shrinker], None]

#: How far apart (counted in numbers) two numbers may be to be moved together, and siblings to be swapped.
REACH = 8


# --- searching ------------------------------------------------------------------------------------------


def _in_chunks(s: Shrinker, count: int, attempt: Callable[[int, int], bool], small: int = 2) -> None:
    """Remove what can be removed of ``count`` items, from the right; ``attempt(i, j)`` removes items i to j-1.

    One test if all can go, one for each that has to stay when none can, and otherwise about ``log2(count)`` for each
    that has to stay.
    """
    if count > 1 and attempt(0, count):
        return
    if count < 5:
        small = 0
    misses = 0
    while count > 0:
        low = 0  # the first ``low`` items are not enough
        while low < small:
            low += 1
            if attempt(low, count):
                count = low
                break
        small = 0
        count -= 1
        calls = s.calls
        if not attempt(count, count + 1):
            misses += s.calls - calls
            if misses >= s.patience:
                return
            continue
        misses = 0
        if count <= low or (low == 0 and attempt(0, count)):
            count = low
            continue
        high = count  # the first ``high`` items are enough
        while high - low > 1:
            middle = (low + high) // 2
            if attempt(middle, high):
                high = middle
            else:
                low = middle
        count = low


def _lower(start: int, attempt: Callable[[int], bool]) -> int:
    """The least number that ``attempt`` takes, exactly if it takes all from there to ``start``, and 0 not at all."""
    if start <= 1 or attempt(1):
        return min(start, 1)
    if start == 2 or not attempt(start - 1):
        return start
    low, high = 1, start - 1  # low is refused, high is taken
    if high > 16:
        # Many answers are near, and most of the others are small.
        near, probe = high - 8, 4
        if attempt(near):
            high = near
            while probe < high and not attempt(probe):
                low, probe = probe, probe * probe
            high = min(high, probe)
        else:
            low = near
    while high - low > 1:
        # Halve the number of bits while the orders of magnitude differ, then the number.
        bits = (high.bit_length() + low.bit_length()) // 2
        middle = 1 << bits if low < 1 << bits < high and high > 8 * low + 8 else (low + high) // 2
        if attempt(middle):
            high = middle
        else:
            low = middle
    return high


# --- finding places -------------------------------------------------------------------------------------


def _everywhere(kinds: tuple[type[Any], ...], move: Callable[[Shrinker, Path, Node], None]) -> Pass:
    """The pass that makes a move at every node of these kinds, parents before children."""

    def find(trace: Node) -> list[tuple[Path, Node]]:
        return [place for place in trace.walk() if type(place[1].gen) in kinds]

    def run(s: Shrinker) -> None:
        trace = s.best
        places = find(trace)
        i = 0
        while i < len(places):
            move(s, *places[i])
            if s.best is not trace:
                trace = s.best
                places = find(trace)
            i += 1

    run.__name__ = move.__name__
    return run


class Number(NamedTuple):
    """An integer in a trace."""

    path: Path
    gen: Int
    value: int

    @property
    def distance(self) -> int:
        return abs(self.value - self.gen.towards)

    def at(self, distance: int) -> int:
        """The number on the same side of the simplest one, but at this distance from it."""
        return self.gen.towards + (distance if self.value >= self.gen.towards else -distance)


def _numbers(trace: Node) -> list[Number]:
    return [
        Number(path, node.gen, node.choice)  # type: ignore[arg-type]
        for path, node in trace.walk()
        if type(node.gen) is Int
    ]


def _number(trace: Node, path: Path) -> Number | None:
    node = trace.at(path)
    return Number(path, node.gen, node.choice) if node is not None and type(node.gen) is Int else None  # type: ignore[arg-type]


def _with_number(trace: Node, path: Path, value: int) -> Node:
    node = trace.at(path)
    return trace if node is None else trace.replace(path, node.with_choice(value))


def _with_children(trace: Node, path: Path, children: Children) -> Node:
    node = trace.at(path)
    return trace if node is None else trace.replace(path, node.with_children(children))


def _without(children: Children, i: int, j: int) -> Children:
    return [*children[:i], *children[j:]]


def _family(gen: Gen[Any] | None) -> object:
    """What two generators have in common if the choices of one make sense for the other."""
    if type(gen) is Composite:
        return getattr(gen.function, "__code__", gen.function)
    if type(gen) is Bind:
        return getattr(gen.f, "__code__", gen.f)
    return gen


# --- structure ------------------------------------------------------------------------------------------


def guess_small(s: Shrinker) -> None:
    """Try the simplest value, and the ones that are all simplest parts but for lists of one or two elements."""
    for size in range(3):
        s.attempt(_with_short_lists(s.best, size))


def _with_short_lists(trace: Node, size: int) -> Node:
    """The shape of a trace, cut down to lists of so many elements, and nothing but holes in it."""
    if type(trace.gen) in (Build, Map, Filter, List):
        children = trace.children[:size] if type(trace.gen) is List else trace.children
        return trace.with_children([child and _with_short_lists(child, size) for child in children])
    return Trace()


def simplify_parts(s: Shrinker) -> None:
    """Replace a part by the simplest value, the largest parts first."""
    trace = s.best
    places = [path for path, node in trace.walk() if node.children]
    i = 0
    while i < len(places):
        if s.attempt(s.best.replace(places[i], None)):
            places = [path for path, node in s.best.walk() if node.children]
        else:
            i += 1


def hoist(s: Shrinker, path: Path, node: Node) -> None:
    """Put a part of a recursive value in the place of the whole."""
    family = _family(node.gen)
    below = [inner for inner_path, inner in node.walk() if inner_path and _family(inner.gen) is family]
    for inner in sorted(below, key=order):
        if s.attempt(s.best.replace(path, inner)):
            return


def earlier_option(s: Shrinker, path: Path, node: Node) -> None:
    """Take an earlier option of a union, with as much of what was drawn for the later one as fits."""
    assert isinstance(node.choice, int)
    for option in range(node.choice):
        if s.attempt(s.best.replace(path, node.with_choice(option))):
            return
        if s.attempt(s.best.replace(path, Trace(option, (), node.gen, clean=False))):
            return


def delete_elements(s: Shrinker, path: Path, node: Node) -> None:
    """Delete elements of a list, or draws of a composite."""

    def without(i: int, j: int) -> bool:
        now = s.best.at(path)
        if now is None or j > len(now.children):
            return False
        return s.attempt(_with_children(s.best, path, _without(now.children, i, j)))

    _in_chunks(s, len(node.children), without)


def delete_counted(s: Shrinker, path: Path, node: Node) -> None:
    """Lower a number and delete as many elements or draws: the number says how many of them there are."""
    length = len(node.children)
    for number in _numbers(s.best):
        inside = number.path[: len(path)] == path
        if type(node.gen) is List:
            fits = not inside and (number.value == length or length <= node.gen.min_size)
        else:
            fits = inside and number.path[len(path)] < length - number.value
        if fits and 0 < number.value <= length:
            _delete_counted(s, number.path, number.value, path)


def _delete_counted(s: Shrinker, counter: Path, count: int, path: Path) -> None:
    node = s.best.at(path)
    if node is None or len(node.children) < count:
        return
    turn = len(node.children) // count  # so many draws for each that is counted
    first = len(node.children) - turn * count

    def without(i: int, j: int) -> bool:
        number = _number(s.best, counter)
        if number is None:
            return False
        edited = _with_number(s.best, counter, number.value - (j - i))
        now = edited.at(path)
        if now is None or first + j * turn > len(now.children):
            return False
        return s.attempt(
            _with_children(edited, path, _without(now.children, first + i * turn, first + j * turn))
        )

    _in_chunks(s, count, without)


def delete_renumbered(s: Shrinker, path: Path, node: Node) -> None:
    """Delete elements and lower all numbers that point behind them."""

    def without(i: int, j: int) -> bool:
        now = s.best.at(path)
        if now is None or j > len(now.children):
            return False
        edited = s.best
        for number in _numbers(s.best):
            if j <= number.value <= len(now.children):
                edited = _with_number(edited, number.path, number.value - (j - i))
        changed = edited.at(path)
        if edited is s.best or changed is None:
            return False
        return s.attempt(_with_children(edited, path, _without(changed.children, i, j)))

    _in_chunks(s, len(node.children), without)


def drop_twins(s: Shrinker, path: Path, node: Node) -> None:
    """Delete or simplify two equal siblings at once: they may cancel each other out."""
    twins: dict[Any, int] = {}
    for i, child in enumerate(node.children):
        rank = order(child) if child is not None else None
        j = twins.setdefault(rank, i)
        if j < i and any(rank[1]):
            if type(node.gen) is List:
                children: Children = [c for k, c in enumerate(node.children) if k not in (i, j)]
            else:
                children = [None if k in (i, j) else c for k, c in enumerate(node.children)]
            if s.attempt(_with_children(s.best, path, children)):
                return


def merge_lists(s: Shrinker, path: Path, node: Node) -> None:
    """Join neighbouring lists into one."""
    for i in reversed(range(len(node.children) - 1)):
        now = s.best.at(path)
        if now is None or i + 1 >= len(now.children):
            continue
        left, right = now.children[i], now.children[i + 1]
        if left is None or right is None or type(left.gen) is not List or type(right.gen) is not List:
            continue
        joined = left.with_children([*left.children, *right.children])
        both: Children = [joined] if type(now.gen) is List else [None, joined]
        s.attempt(_with_children(s.best, path, [*now.children[:i], *both, *now.children[i + 2 :]]))


def graft(s: Shrinker, path: Path, node: Node) -> None:
    """Hang a part of a recursive value onto a leaf of its sibling, so that the place it was in becomes empty."""
    for group in _siblings(node):
        for i, j in combinations(group, 2):
            for stem, scion in permutations([node.children[i], node.children[j]]):
                assert stem is not None
                places = _nearest_kin(stem)
                for place in places:
                    leaf = stem.at(place)
                    if leaf is None or _nearest_kin(leaf):
                        continue
                    grafted = stem.replace(place, scion)
                    branches = sorted((grafted.at(p) for p in places), key=order)  # type: ignore[arg-type]
                    tidy = grafted
                    for p, branch in zip(places, branches):
                        tidy = tidy.replace(p, branch)
                    for new in (tidy, grafted):
                        children = [*node.children[:i], None, *node.children[i + 1 :]]
                        children[j] = new
                        if s.attempt(_with_children(s.best, path, children)):
                            return


def _nearest_kin(node: Node) -> list[Path]:
    """Where the nearest parts of the same family as the whole are."""
    family = _family(node.gen)
    found: list[Path] = []
    pending: list[tuple[Path, Node | None]] = [((), node)]
    while pending:
        path, part = pending.pop()
        if part is None:
            continue
        if path and _family(part.gen) is family:
            found.append(path)
        else:
            pending.extend(((*path, i), child) for i, child in reversed(list(enumerate(part.children))))
    return found


def _siblings(node: Node) -> list[list[int]]:
    """The children of a node in groups of the same family, those that have no kin left out."""
    groups: dict[object, list[int]] = {}
    for i, child in enumerate(node.children):
        if child is not None:
            kind = type(child.gen) if isinstance(child.gen, Int | List) else _family(child.gen)
            groups.setdefault(kind, []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def sort_siblings(s: Shrinker, path: Path, node: Node) -> None:
    """Put siblings of the same family in order: all at once, else by swapping two at a time."""
    for group in _siblings(node):
        if _rearrange(s, path, group, lambda parts: sorted(parts, key=order)):
            continue
        misses = 1
        for left, right in zip(group, group[1:]):
            calls = s.calls
            if not _rearrange(s, path, [left, right], lambda parts: parts[::-1]):
                misses += s.calls - calls
                if misses >= s.patience:
                    break


def _rearrange(
    s: Shrinker, path: Path, places: list[int], arranged: Callable[[list[Any]], list[Any]]
) -> bool:
    now = s.best.at(path)
    if now is None or places[-1] >= len(now.children):
        return False
    children = list(now.children)
    for i, child in zip(places, arranged([children[i] for i in places])):
        children[i] = child
    return s.attempt(_with_children(s.best, path, children))


# --- numbers --------------------------------------------------------------------------------------------


def zero_numbers(s: Shrinker) -> None:
    """Give numbers their simplest value, many at a time, and the first ones first, since those count most."""
    paths = [number.path for number in reversed(_numbers(s.best)) if number.distance]

    def zeroed(i: int, j: int) -> bool:
        edited = s.best
        for path in paths[i:j]:
            number = _number(edited, path)
            if number is None:
                return False
            edited = _with_number(edited, path, number.gen.towards)
        return s.attempt(edited)

    _in_chunks(s, len(paths), zeroed, small=0)


def lower_number(s: Shrinker, path: Path, node: Node) -> None:
    """Move a number that cannot be the simplest one as near to it as it will go."""

    def changed(value: int) -> bool:
        return number.gen.fits(value) and s.attempt(_with_number(s.best, path, value))

    number = Number(path, node.gen, node.choice)  # type: ignore[arg-type]
    towards = number.gen.towards
    if number.value < towards:
        if changed(towards + 1):
            return
        if changed(2 * towards - number.value):
            number = number._replace(value=2 * towards - number.value)
    lowest = _lower(number.distance, lambda distance: changed(number.at(distance)))
    if number.value > towards and lowest > 1:
        changed(towards - lowest + 1)


def jump(s: Shrinker, path: Path, node: Node) -> None:
    """Move a number past one that will not do."""
    number = Number(path, node.gen, node.choice)  # type: ignore[arg-type]
    if (number.distance > 2 and s.attempt(_with_number(s.best, path, number.at(number.distance - 2)))) or (
        number.distance > 16 and s.attempt(_with_number(s.best, path, number.at(number.distance // 2)))
    ):
        lower_number(s, path, s.best.at(path) or node)


def lower_float(s: Shrinker, path: Path, node: Node) -> None:
    """Simplify a float: a whole number, or else fewer decimal places."""

    def current() -> float:
        now = s.best.at(path)
        return now.choice if now is not None and isinstance(now.choice, float) else 0.0

    def changed(value: float) -> bool:
        now = s.best.at(path)
        return now is not None and s.attempt(s.best.replace(path, now.with_choice(float(value))))

    for simple in (0.0, 1.0, -1.0, 1e300, math.inf):
        changed(simple)
    if not math.isfinite(current()):
        return
    changed(-current())
    value = current()
    sign = -1 if value < 0 else 1
    for places in range(16):
        scale: int = 10**places
        whole = int(value * scale)
        if any(changed(near / scale) for near in (whole, whole + 1, whole - 1)):
            _lower(abs(round(current() * scale)), lambda n, scale=scale: changed(sign * n / scale))  # type: ignore[misc]
            return


def lower_together(s: Shrinker) -> None:
    """Lower all numbers that are equal at once."""
    groups: dict[int, list[Number]] = {}
    for number in _numbers(s.best):
        if number.distance:
            groups.setdefault(number.value, []).append(number)
    for numbers in groups.values():
        if len(numbers) > 1:
            _lower_equal(s, numbers)


def _lower_equal(s: Shrinker, numbers: list[Number]) -> None:
    def lowered(distance: int) -> bool:
        edited = s.best
        for number in numbers:
            edited = _with_number(edited, number.path, numbers[0].at(distance))
        return s.attempt(edited)

    if _lower(numbers[0].distance, lowered) == 1:
        lowered(0)


def lower_pairs(s: Shrinker) -> None:
    """Move a number towards its simplest value and a later one by as much, in the same direction or the other."""
    numbers = _numbers(s.best)
    misses = 0
    for i in range(len(numbers)):
        for j in range(i + 1, i + REACH):
            if j < len(numbers) and numbers[i].distance and not _would_swap(numbers[i], numbers[j]) and (s.patience>99 or numbers[i].gen is numbers[j].gen):
                trace, calls = s.best, s.calls
                _lower_pair(s, numbers[i], numbers[j])
                if s.best is not trace:
                    numbers, misses = _numbers(s.best), 0
                else:
                    misses += s.calls - calls
                    if misses >= s.patience:
                        return


def _would_swap(first: Number, second: Number) -> bool:
    """Whether moving the two numbers could only exchange them, which was tried before."""
    return first.gen is second.gen and first.distance == 1 and second.distance == 0


def _lower_pair(s: Shrinker, first: Number, second: Number) -> None:
    start = s.best

    def moved(distance: int, direction: int) -> bool:
        value = first.at(distance)
        goal = second.value + direction * (value - first.value)
        return second.gen.fits(goal) and s.attempt(
            _with_number(_with_number(start, first.path, value), second.path, goal)
        )

    for direction in (1, -1):
        if moved(first.distance - 1, direction):
            search = partial(moved, direction=direction)
            if _lower(first.distance - 1, search) == 1:
                search(0)
            return


_SEQUENCES = (List, Composite, Live)
_PARENTS = (List, Composite, Live, Build)

PASSES: tuple[Pass, ...] = (
    guess_small,
    _everywhere(_SEQUENCES, delete_elements),
    simplify_parts,
    _everywhere((Union, Build, Composite, Bind, List), hoist),
    _everywhere(_SEQUENCES, delete_counted),
    _everywhere((Union,), earlier_option),
    zero_numbers,
    _everywhere(_PARENTS, merge_lists),
    lower_together,
    lower_pairs,
    _everywhere((Int,), lower_number),
    _everywhere((Float,), lower_float),
    _everywhere(_PARENTS, sort_siblings),
    _everywhere((List,), delete_renumbered),
    _everywhere((Int,), jump),
    _everywhere(_PARENTS, drop_twins),
    _everywhere((Build, Composite), graft),
)
