"""The moves of the shrinker, each of which tries to make the best trace simpler in one way.

A move only proposes edits; :meth:`~everycase.choices.shrink.shrinker.Shrinker.try_edit` enacts them, drops
those that are not simpler or were tried before, and tests the rest. So moves may propose edits freely: one
that makes no sense only costs an enactment. Here are the moves that change the shape of a trace, and at the
end the order of all moves; those that only change numbers are in :mod:`everycase.choices.shrink.numbers`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import combinations, pairwise, permutations
from operator import attrgetter
from typing import Any

from everycase.choices.shrink.moves import (
    Children,
    IntAt,
    Node,
    Pass,
    Path,
    Patience,
    best_numbers,
    best_spans,
    everywhere,
    family,
    in_chunks,
    is_simplest,
    look,
    number_at,
    siblings,
    with_children,
    with_number,
    without,
)
from everycase.choices.shrink.numbers import (
    jump,
    keep_product,
    lower_bits,
    lower_float,
    lower_floats,
    lower_number,
    lower_pairs,
    lower_together,
    shift_all,
    try_all_smaller,
    zero_numbers,
)
from everycase.choices.shrink.shrinker import Shrinker, comparable, order, sortable
from everycase.choices.shrink.sparse import (
    absorb,
    compensate,
    delete_and_compensate,
    delete_some,
    delete_two,
    exchange_values,
    repair,
    shift_together,
    step_over,
)
from everycase.choices.shrink.steps import delete_steps, raise_steps, redraw_steps, search_steps
from everycase.choices.trace import Trace
from everycase.gen.graph import resolved
from everycase.gen.kinds import Bind, Build, Composite, Const, Filter, Float, Int, List, Live, Map, Union

VALUE = attrgetter("value")

#: Maximum length of a turn of a loop, in draws, that is removed from a composite.
LONGEST_TURN = 4

#: How many of the first and of the last parts of a recursive value are tried in place of the whole.
MOST_HOISTED = 16


# --- less -----------------------------------------------------------------------------------------------


def guess_small(s: Shrinker) -> None:
    """Try the simplest value, and values of simplest parts with lists of one or two elements."""
    for size in range(3):
        s.try_edit(_with_short_lists(s.best, size))


def _with_short_lists(trace: Node, size: int) -> Node:
    """The shape of a trace, cut down to lists of ``size`` elements, with holes for everything else."""
    if trace.is_list or _is_composed(trace):
        children = trace.children[:size] if trace.is_list else trace.children
        return trace.with_children([child and _with_short_lists(child, size) for child in children])
    return Trace()


def simplify_parts(s: Shrinker) -> None:
    """Replace a part by the simplest value, the largest parts first."""
    places = _not_simplest(s.best)
    i = 0
    while i < len(places):
        if s.try_edit(s.best.replace(places[i], None)):
            places = _not_simplest(s.best)
        else:
            i += 1


def _not_simplest(trace: Node) -> list[Path]:
    """The parts that may become simpler as a whole."""
    return [path for path, node in trace.walk() if node.children and not is_simplest(node)]


def hoist(s: Shrinker, path: Path, node: Node) -> None:
    """Replace a recursive value by one of its parts."""
    kind = family(node.gen)
    below = [(place, inner) for place, inner in node.walk() if place and family(inner.gen) is kind]
    if len(below) > 2 * MOST_HOISTED:
        below = below[:MOST_HOISTED] + below[-MOST_HOISTED:]
    spans, choices = best_spans(s), s.choices
    start, end = spans[path]
    parts = [(choices[slice(*spans[(*path, *place)])], inner) for place, inner in below]
    for part, inner in sorted(parts, key=lambda pair: sortable(pair[0])):
        # In a long chain of parts most attempts give the same result.
        whole = choices[:start] + part + choices[end:]
        if inner.gen is node.gen and s.is_idle(whole):
            continue
        if s.try_edit(s.best.replace(path, inner)):
            return


def earlier_option(s: Shrinker, path: Path, node: Node) -> None:
    """Take an earlier option of a union, with as much of the choices for the later one as fits."""
    assert isinstance(node.choice, int) and isinstance(node.gen, Union)
    core = node.children[0]
    while core is not None and core.children and type(core.gen) in (Map, Filter):
        core = core.children[0]
    for option in range(node.choice):
        constant = type(resolved(node.gen.options[option])) is Const
        for child in (None,) if constant else (node.children[0], core, Trace(None, (core,)), None):
            if s.try_edit(s.best.replace(path, Trace(option, (child,), node.gen, clean=False))):
                return


def delete_elements(s: Shrinker, path: Path, node: Node) -> None:
    """Delete elements of a list, or draws of a composite."""
    refused: tuple[Node | None, int] = (None, 0)  # without this element the best trace does not fail

    def delete(i: int, j: int) -> bool:
        nonlocal refused
        now = s.best.at(path)
        if now is None or j > len(now.children):
            return False
        # It does not matter which of equal neighbours is deleted, and a long list may consist of them.
        known = j == i + 1 and refused == (s.best, j) and _are_equal(now.children, i, j)
        if not known and s.try_edit(with_children(s.best, path, without(now.children, i, j))):
            return True
        if j == i + 1:
            refused = s.best, i
        return False

    in_chunks(s, len(node.children), delete)


def _are_equal(children: Children, i: int, j: int) -> bool:
    one, other = children[i], children[j] if j < len(children) else None
    return one is not None and other is not None and one.gen is other.gen and one.same_choices(other)


def drop_twins(s: Shrinker, path: Path, node: Node) -> None:
    """Delete or simplify two equal siblings at once: they may cancel each other out."""
    first: dict[Any, int] = {}
    for i, child in enumerate(node.children):
        rank = order(child) if child is not None else (0, ())
        j = first.setdefault(rank, i)
        if j == i or not any(rank[1]):
            continue
        if node.is_list:
            children: Children = [c for k, c in enumerate(node.children) if k not in (i, j)]
        else:
            children = [None if k in (i, j) else c for k, c in enumerate(node.children)]
        if s.try_edit(with_children(s.best, path, children)):
            return


# --- less of two things at once -------------------------------------------------------------------------


def delete_columns(s: Shrinker, path: Path, node: Node) -> None:
    """Delete the same elements of all lists of the same kind, and lower a number that counts them by as
    much."""
    assert isinstance(node.gen, List)
    length = len(node.children)
    if length:
        _delete_columns(s, path, length, None)
    for number in best_numbers(s):
        if (
            0 < number.value <= length
            and (number.value == length or length <= node.gen.min_size)
            and number.path[: len(path)] != path
        ):
            _delete_columns(s, path, number.value, number.path)


def _delete_columns(s: Shrinker, path: Path, count: int, counter: Path | None) -> None:
    node = s.best.at(path)
    if node is None or len(node.children) < count:
        return
    length = len(node.children)
    rows = [p for p, row in s.best.walk() if row.gen is node.gen and len(row.children) == length]
    if counter is None and (len(rows) == 1 or rows[0] != path):
        return  # nothing new, or already done
    each = length // count

    def delete(i: int, j: int) -> bool:
        edited = s.best
        if counter is not None:
            number = number_at(s.best, counter)
            if number is None:
                return False
            edited = with_number(edited, counter, number.value - (j - i))
        for row in rows:
            now = edited.at(row)
            if now is None or j * each > len(now.children):
                return False
            edited = with_children(edited, row, without(now.children, i * each, j * each))
        return s.try_edit(edited)

    in_chunks(s, count, delete)


def delete_turns(s: Shrinker, path: Path, node: Node) -> None:
    """Delete a turn of a loop that draws, by itself or together with lowering the number of turns."""
    counters: list[Path | None] = [None]
    for number in best_numbers(s):
        if number.path[: len(path)] == path and 0 < number.value <= len(node.children):
            counters.append(number.path)
    patience = Patience(s)
    for counter in counters:
        for turn in range(1, LONGEST_TURN + 1):
            i = len(node.children)
            while i > 0:
                i -= 1
                now = s.best.at(path)
                if now is None or not _is_turn(now.children, i, i + turn):
                    continue
                edited = s.best
                number_now = number_at(s.best, counter) if counter is not None else None
                if counter is not None:
                    if number_now is None or i <= counter[len(path)]:
                        break
                    edited = with_number(edited, counter, number_now.value - 1)
                below = edited.at(path)
                assert below is not None
                s.try_edit(with_children(edited, path, without(below.children, i, i + turn)))
                if patience.lost():
                    return


def _is_turn(children: Children, i: int, j: int) -> bool:
    """Whether the next draw looks like the first of these, or nothing follows."""
    if j >= len(children):
        return j == len(children)
    first, following = children[i], children[j]
    return first is not None and following is not None and look(first.gen) == look(following.gen)


def delete_renumbered(s: Shrinker, path: Path, node: Node) -> None:
    """Delete elements and lower all numbers that point behind them."""
    numbers: list[IntAt] = []
    of: Node | None = None  # the trace that they are in

    def delete(i: int, j: int) -> bool:
        nonlocal numbers, of
        now = s.best.at(path)
        if now is None or j > len(now.children):
            return False
        if of is not s.best:
            numbers, of = sorted(best_numbers(s), key=VALUE), s.best
        first, last = bisect_left(numbers, j, key=VALUE), bisect_right(numbers, len(now.children), key=VALUE)
        edited = s.best
        for number in numbers[first:last]:
            edited = with_number(edited, number.path, number.value - (j - i))
        changed = edited.at(path)
        if edited is s.best or changed is None:
            return False
        return s.try_edit(with_children(edited, path, without(changed.children, i, j)))

    in_chunks(s, len(node.children), delete)


# --- the same in another place --------------------------------------------------------------------------


def merge_lists(s: Shrinker, path: Path, node: Node) -> None:
    """Join the lists of two neighbours into one, and remove the neighbour that is then empty."""
    for i in reversed(range(len(node.children) - 1)):
        now = s.best.at(path)
        if now is None or i + 1 >= len(now.children):
            continue
        left, right = now.children[i], now.children[i + 1]
        if left is None or right is None:
            continue
        for place in _outermost_lists(left):
            one, other = left.at(place), right.at(place)
            if one is None or other is None or not other.is_list:
                continue
            if now.is_list and not other.children:
                continue  # the neighbour would only be deleted
            joined = left.replace(place, one.with_children([*one.children, *other.children]))
            both: Children = [joined] if now.is_list else [None, joined]
            if s.try_edit(with_children(s.best, path, [*now.children[:i], *both, *now.children[i + 2 :]])):
                break


def _is_composed(node: Node) -> bool:
    """Whether the value is made of all the children and nothing else."""
    return type(node.gen) in (Build, Map, Filter)


def _outermost_lists(node: Node) -> list[Path]:
    found: list[Path] = []
    pending: list[tuple[Path, Node | None]] = [((), node)]
    while pending:
        path, part = pending.pop()
        if part is not None and part.is_list:
            found.append(path)
        elif part is not None and _is_composed(part):
            pending.extend(((*path, i), child) for i, child in enumerate(part.children))
    return found


def sort_siblings(s: Shrinker, path: Path, node: Node) -> None:
    """Sort siblings of the same family: all at once, else by swapping two at a time."""
    for group in siblings(node):
        patience = Patience(s)
        if _rearrange(s, path, group, sorted(group, key=lambda i: comparable(node.children[i]))):  # type: ignore[arg-type]
            continue
        for left, right in pairwise(group):
            if (
                _simpler_swapped(s.best.at(path), left, right)
                and not _rearrange(s, path, [left, right], [right, left])
                and patience.lost()
            ):
                break


def sort_columns(s: Shrinker, path: Path, node: Node) -> None:
    """Sort the same part of all elements, and leave the rest in place: the values of a dictionary whose keys
    are in order."""
    if len(node.children) < 2:
        return
    rows = [child.children for child in node.children if child is not None and type(child.gen) is Build]
    if len(rows) != len(node.children) or len({len(row) for row in rows}) != 1:
        return
    for column, parts in enumerate(zip(*rows)):
        if any(part is None for part in parts) or len({family(part.gen) for part in parts if part}) != 1:
            continue
        now = s.best.at(path)
        if now is None or len(now.children) != len(rows):
            return
        ordered = sorted(parts, key=comparable)
        if ordered != list(parts):
            edited = s.best
            for i, part in enumerate(ordered):
                edited = edited.replace((*path, i, column), part)
            s.try_edit(edited)


def _simpler_swapped(node: Node | None, left: int, right: int) -> bool:
    """Whether two siblings may be simpler in the other order. Later draws may depend on their order."""
    if node is None or right >= len(node.children):
        return False
    one, other = node.children[left], node.children[right]
    if one is None or other is None:
        return True
    a, b = comparable(one)[1], comparable(other)[1]
    return b + a < a + b if node.is_list else a != b


def _rearrange(s: Shrinker, path: Path, places: list[int], sources: list[int]) -> bool:
    now = s.best.at(path)
    if now is None or max(places) >= len(now.children):
        return False
    children = list(now.children)
    for place, source in zip(places, sources):
        children[place] = now.children[source]
    return s.try_edit(with_children(s.best, path, children))


def graft(s: Shrinker, path: Path, node: Node) -> None:
    """Attach a part of a recursive value to a leaf of its sibling, so that its old place becomes empty."""
    for group in siblings(node):
        for i, j in combinations(group, 2):
            for stem, scion in permutations([node.children[i], node.children[j]]):
                s.check_clock()
                assert stem is not None
                for grown in _grown(stem, scion):
                    children = [*node.children[:i], None, *node.children[i + 1 :]]
                    children[j] = grown
                    if s.try_edit(with_children(s.best, path, children)):
                        return


def _grown(stem: Node, scion: Node | None) -> list[Node]:
    """The stem with the scion in the place of a leaf, with its branches sorted, and unsorted."""
    found = []
    places = _nearest_kin(stem)
    for place in places:
        leaf = stem.at(place)
        if leaf is None or _nearest_kin(leaf):
            continue
        grafted = stem.replace(place, scion)
        tidy = grafted
        branches = sorted((grafted.at(p) for p in places), key=comparable)  # type: ignore[arg-type]
        for p, branch in zip(places, branches):
            tidy = tidy.replace(p, branch)
        found += [tidy, grafted]
    return found


def _nearest_kin(node: Node) -> list[Path]:
    """The nearest parts of the same family as the whole."""
    kind = family(node.gen)
    found: list[Path] = []
    pending: list[tuple[Path, Node | None]] = [((), node)]
    while pending:
        path, part = pending.pop()
        if part is None:
            continue
        if path and family(part.gen) is kind:
            found.append(path)
        else:
            pending.extend(((*path, i), child) for i, child in reversed(list(enumerate(part.children))))
    return found


# --- all of it ------------------------------------------------------------------------------------------

_DRAWERS = (Composite, Live)
_PARENTS = (List, Build, *_DRAWERS)

#: Moves that may gain much come first, those that rarely gain anything last.
PASSES: tuple[Pass, ...] = (
    guess_small,
    everywhere((List, *_DRAWERS), delete_elements),
    simplify_parts,
    everywhere((Union, Build, Composite, Bind, List), hoist),
    everywhere((List,), delete_columns),
    everywhere(_DRAWERS, delete_turns),
    everywhere((Union,), earlier_option),
    zero_numbers,
    everywhere(_PARENTS, merge_lists),
    lower_together,
    lower_pairs,
    everywhere((Int,), lower_number),
    everywhere((Float,), lower_float),
    everywhere(_PARENTS, sort_siblings),
    everywhere((List,), delete_renumbered),
    everywhere((Int,), jump),
    everywhere((Int,), step_over),
    everywhere((Int,), lower_bits),
    shift_together,
    repair,
    everywhere((List,), delete_some),
    everywhere((List,), delete_two),
    everywhere((List,), absorb),
    everywhere(_PARENTS, drop_twins),
    everywhere((Build, Composite), graft),
    keep_product,
    shift_all,
    lower_floats,
    everywhere((List,), sort_columns),
    try_all_smaller,
    everywhere((List,), delete_and_compensate),
    everywhere((List,), exchange_values),
    compensate,
    everywhere((Live,), delete_steps),
    everywhere((Live,), raise_steps),
    everywhere((Live,), redraw_steps),
    everywhere((Live,), search_steps),
)
