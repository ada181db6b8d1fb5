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
from typing import Any, NamedTuple

from everycase.choices.shrink import Shrinker, order
from everycase.choices.trace import Trace
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Composite, Float, Int, List, Live, Union

Path = tuple[int, ...]
Node = Trace[Any]
Children = Sequence[Node | None]
Pass = Callable[[Shrinker], None]

#: How far apart (counted in numbers) two numbers may be to be moved together, and siblings to be swapped.
REACH = 8


# --- searching ------------------------------------------------------------------------------------------


def _in_chunks(count: int, attempt: Callable[[int, int], bool]) -> None:
    """Remove what can be removed of ``count`` items, from the right; ``attempt(i, j)`` removes items i to j-1.

    One test if all can go, one for each that has to stay when none can, and otherwise about ``log2(count)`` for each
    that has to stay.
    """
    if count > 1 and attempt(0, count):
        return
    while count > 0:
        count -= 1
        if not attempt(count, count + 1) or count == 0:
            continue
        if attempt(0, count):
            return
        # Item ``high`` and all after it can go, those from ``low`` on cannot.
        low, high = 0, count
        while high - low > 1:
            middle = (low + high) // 2
            if attempt(middle, high):
                high = middle
            else:
                low = middle
        count = low


def _lower(start: int, attempt: Callable[[int], bool]) -> int:
    """The least number that ``attempt`` takes, which is exact if it takes all numbers from there to ``start``."""
    if start <= 0 or attempt(0):
        return 0
    if start == 1 or not attempt(start - 1):
        return start
    low, high = 0, start - 1  # low is refused, high is taken
    probe = 1
    while probe < high:  # most answers are small
        if attempt(probe):
            high = probe
            break
        low, probe = probe, probe * probe if probe > 2 else probe * 2
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
    if type(gen) is Int or type(gen) is List:
        return type(gen)
    return gen


# --- structure ------------------------------------------------------------------------------------------


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

    _in_chunks(len(node.children), without)


def delete_counted(s: Shrinker, path: Path, node: Node) -> None:
    """Lower a number and delete as many elements or draws: the number says how many of them there are."""
    for number in _numbers(s.best):
        if 0 < number.value <= len(node.children):
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

    _in_chunks(count, without)


def delete_renumbered(s: Shrinker, path: Path, node: Node) -> None:
    """Delete an element and lower all numbers that point behind it."""
    for i in reversed(range(len(node.children))):
        now = s.best.at(path)
        if now is None or i >= len(now.children):
            continue
        edited = s.best
        for number in _numbers(s.best):
            if i < number.value <= len(now.children):
                edited = _with_number(edited, number.path, number.value - 1)
        changed = edited.at(path)
        if edited is not s.best and changed is not None:
            s.attempt(_with_children(edited, path, _without(changed.children, i, i + 1)))


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


def sort_siblings(s: Shrinker, path: Path, node: Node) -> None:
    """Put siblings of the same family in order: all at once, else by swapping two at a time."""
    groups: dict[object, list[int]] = {}
    for i, child in enumerate(node.children):
        if child is not None:
            groups.setdefault(_family(child.gen), []).append(i)
    for group in groups.values():
        if len(group) > 1 and not _rearrange(s, path, group, lambda parts: sorted(parts, key=order)):
            for i in range(len(group) - 1):
                for j in range(i + 1, min(len(group), i + REACH)):
                    _rearrange(s, path, [group[i], group[j]], lambda parts: parts[::-1])


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
    """Give numbers their simplest value, many at a time."""
    paths = [number.path for number in _numbers(s.best) if number.distance]

    def zeroed(i: int, j: int) -> bool:
        edited = s.best
        for path in paths[i:j]:
            number = _number(edited, path)
            if number is None:
                return False
            edited = _with_number(edited, path, number.gen.towards)
        return s.attempt(edited)

    _in_chunks(len(paths), zeroed)


def lower_number(s: Shrinker, path: Path, node: Node) -> None:
    """Move a number as near to its simplest value as it will go."""

    def changed(value: int) -> bool:
        return s.attempt(_with_number(s.best, path, value))

    number = Number(path, node.gen, node.choice)  # type: ignore[arg-type]
    mirrored = 2 * number.gen.towards - number.value
    if mirrored > number.value and changed(mirrored):
        number = number._replace(value=mirrored)
    distance = number.distance
    lowest = _lower(distance, lambda d: changed(number.at(d)))
    if lowest == distance > 2:
        changed(number.at(distance - 2))
        changed(number.at(distance // 2))
    elif number.value > number.gen.towards and lowest > 1:
        changed(number.gen.towards - lowest + 1)


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

    _lower(numbers[0].distance, lowered)


def lower_pairs(s: Shrinker) -> None:
    """Move a number towards its simplest value and a later one by as much, in the same direction or the other."""
    numbers = _numbers(s.best)
    for i in range(len(numbers)):
        for j in range(i + 1, i + REACH):
            if j < len(numbers) and numbers[i].distance:
                trace = s.best
                _lower_pair(s, numbers[i], numbers[j])
                if s.best is not trace:
                    numbers = _numbers(s.best)


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
            _lower(first.distance - 1, lambda distance, direction=direction: moved(distance, direction))  # type: ignore[misc]
            return


_SEQUENCES = (List, Composite, Live)
_PARENTS = (List, Composite, Live, Build)

PASSES: tuple[Pass, ...] = (
    simplify_parts,
    _everywhere((Union, Build, Composite, Bind, List), hoist),
    _everywhere(_SEQUENCES, delete_elements),
    _everywhere(_SEQUENCES, delete_counted),
    _everywhere((Union,), earlier_option),
    zero_numbers,
    _everywhere(_PARENTS, merge_lists),
    _everywhere((Int,), lower_number),
    _everywhere((Float,), lower_float),
    _everywhere(_PARENTS, sort_siblings),
    _everywhere((List,), delete_renumbered),
    lower_together,
    lower_pairs,
)
