"""What one edit does to a node of a trace, by the kind of the node. :mod:`everycase.choices.neighbor.edits` chooses the node.

A rule returns the edited node (None makes it a hole, to be redrawn), or the same node if there was nothing it
could do.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from everycase.choices.dice import FULL_SIZE, Random, below
from everycase.choices.neighbor.loops import counted_edit
from everycase.choices.trace import Trace, integer, repeatable
from everycase.gen.annotate import FRESH as FRESH_PART
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.floating import narrow
from everycase.gen.graph import resolved
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

Node = Trace[Any]

#: A list without a maximum does not grow beyond this many elements.
LONGEST = 2 * FULL_SIZE

#: For integers with at most this many values distances mean little: a change takes any other value.
SMALL_RANGE = 160

#: Integers with more values than this are also moved along a line, and several at once, by searches that do
#: so.
WIDE_RANGE = 1000

#: Integers with at most this many values take any other one at every temperature.
FEW_VALUES = 50

#: Beyond this, floats no longer count exactly.
LARGE = 2**53

#: A step of a fraction tries so many other denominators if its own is too coarse, and then a multiple, but not a larger one.
DENOMINATORS, FINEST_DENOMINATOR = 12, 1000

#: How many doublings make a float as much larger as one step can; as many halvings make it smaller.
MOST_DOUBLINGS = 64

#: How often a number of a wide range is redrawn rather than moved, at temperature 1.
FRESH = 0.6


class Manner:
    """How a search wants its steps to be made."""

    __slots__ = ("growth", "long", "move", "others", "reach")

    def __init__(
        self,
        growth: float = 0.5,
        reach: float = 2.0,
        long: bool = False,
        move: str = "",
        others: Sequence[Node] = (),
    ) -> None:
        #: how often an edit that changes the length of a list makes it longer
        self.growth = growth
        #: the mean number of edits at temperature 1
        self.reach = reach
        #: whether the step is a single edit that repeats a slice of a list, of any length
        self.long = long
        #: one of :mod:`everycase.choices.neighbor.moves` instead of edits; cleared by a step to which it does
        #: not apply
        self.move = move
        #: other values of the search, for the moves that combine
        self.others = others


PLAIN = Manner()


class Step:
    """What the rules of one step need to know."""

    __slots__ = ("by_hand", "manner", "may_grow", "random", "root", "temperature")

    def __init__(
        self, root: Node, temperature: float, random: Random, may_grow: bool, manner: Manner = PLAIN
    ) -> None:
        self.manner = manner
        #: where a hand-written rule was already called: its result is a neighbour, not one of several edits
        self.by_hand: tuple[tuple[int, ...], ...] = ()
        self.root = root
        self.temperature = temperature
        self.random = random
        self.may_grow = may_grow


Rule = Callable[[Node, Step], "Node | None"]


def _places_of_union(node: Node) -> int:
    gen: Any = node.gen
    if len(gen.options) < 2:
        return 0
    # The rest of a value depends on it. But in a recursion there is one of these above all others.
    return 1 if gen.has_defer else 2


def _places_of_list(node: Node) -> int:
    gen, count = node.gen, len(node.children)
    if gen.min_size == gen.max_size:  # type: ignore[union-attr]
        return 1 if count > 1 else 0
    return count + 1


#: How many edits a node itself counts as, by its kind; none for the others.
OWN_PLACES: dict[type[Any], Callable[[Any], int]] = total(
    "places to edit",
    {
        Int: lambda node: 1 if node.gen.lo is None or node.gen.lo != node.gen.hi else 0,
        Float: lambda node: 1,
        Union: _places_of_union,
        List: _places_of_list,
        # As many as a list with the same content would have, if there are loops; a guess is enough.
        Composite: lambda node: len(node.children) // 2,
        Live: lambda node: len(node.children) // 2 if node.gen.steps is None else len(node.children) + 1,
    },
    without=(Const, Build, Map, Filter, Bind, Defer),
)


# --- distances ------------------------------------------------------------------------------------------


def is_measured(node: Node | None) -> bool:
    """Whether a value consists of a given number of numbers, dates and the like, between which there are distances."""
    if node is None or node.gen is None:
        return False
    if node.gen.remark is not None:
        return bool(node.gen.remark != FRESH_PART)
    if is_time(node.gen) or is_fraction(node.gen):
        return True
    return not is_permutation(node.gen) and MEASURED[type(node.gen)](node)


#: The kinds of which an edit exchanges values for others, however far away.
EXCHANGING = frozenset({List, Union})


def _parts_are_measured(node: Any) -> bool:
    parts = [part for part in node.children if part is not None and not _is_settled(part)]
    return bool(parts) and all(map(is_measured, parts))


def _is_settled(node: Node) -> bool:
    own = OWN_PLACES.get(type(node.gen))
    settled = own is None or not own(node)
    return settled and all(child is not None and _is_settled(child) for child in node.children)


#: Whether there are distances between the values of a kind.
MEASURED: dict[type[Any], Callable[[Any], bool]] = total(
    "kinds with distances",
    {
        Float: lambda node: True,
        Int: lambda node: (
            node.gen.lo is None or node.gen.hi is None or node.gen.hi - node.gen.lo >= FEW_VALUES
        ),
        List: lambda node: (
            node.gen.min_size == node.gen.max_size and all(map(is_measured, node.children[:1]))
        ),
        Union: lambda node: facts(node.gen).loop is None and is_measured(node.children[0]),
        Bind: lambda node: is_measured(node.children[1]),
        **dict.fromkeys((Build, Map, Filter), _parts_are_measured),
        **dict.fromkeys((Const, Composite, Live, Defer), lambda node: False),
    },
)


# --- numbers --------------------------------------------------------------------------------------------


def scaled(number: int, factor: float) -> int:
    """A part of a number, however large.

    >>> scaled(100, 0.25), scaled(10**400, 0.5) == 10**400 // 2
    (25, True)
    """
    return int(number * factor) if number < LARGE else number * int(factor * 2**53) >> 53


def magnitude(number: int, power: float) -> int:
    """``number ** power`` for a power between 0 and 1, however large the number is.

    >>> magnitude(100, 0.5), magnitude(10**1000, 0.5).bit_length() == (10**500).bit_length()
    (10, True)
    """
    if number < LARGE:
        return int(number**power)
    whole, rest = divmod(math.log2(number) * power, 1)
    return int(2 ** (53 + rest)) << int(whole) >> 53


def _int(node: Node, step: Step) -> Node | None:
    gen: Any = node.gen
    value: Any = node.choice
    random, lo, hi = step.random, gen.lo, gen.hi
    r = random()
    if lo is not None and hi is not None and hi - lo < SMALL_RANGE:
        # The few values of a very small range are often names, for which distances mean nothing at any
        # temperature.
        if r < 0.8 and (hi - lo < FEW_VALUES or step.temperature >= 1 or random() < step.temperature**2):
            other = lo + int(random() * (hi - lo))
            return integer(gen, other + (other >= value))  # it fits, so there is nothing left to enact
        size = 1
    elif r < FRESH * step.temperature:
        return None
    elif r < FRESH * step.temperature + 0.2:
        size = 1
        more = 0.5 * math.sqrt(step.temperature)
        while random() < more:
            size += 1
    elif lo is not None and hi is not None:
        # Any order of magnitude up to a tenth of the range.
        size = magnitude(1 + scaled(hi - lo, step.temperature / 10), random())
    else:
        size = 1 + below(2 + scaled(abs(value - gen.towards), step.temperature), random)
    return integer(gen, _within(value, size if random() < 0.5 else -size, lo, hi))


def _float(node: Node, step: Step) -> Node | None:
    gen: Any = node.gen
    value, random = node.choice, step.random
    assert isinstance(value, float)
    r = random()
    if r < 0.3 * step.temperature or value != value or value in gen.infinities:
        return None
    sign = 1 if random() < 0.5 else -1
    span = min(gen.hi - gen.lo, abs(value) + 1)
    if r < 0.35 * step.temperature and value:
        moved = value * 2.0 ** (sign * MOST_DOUBLINGS ** random())
    elif r < 0.6:
        moved = value + sign * random() * span * 0.1 * step.temperature
    else:
        moved = value + sign * span * step.temperature * 10 ** (-12 * random())
    return node.with_choice(min(max(of_width(gen, moved), gen.lo), gen.hi))


def of_width(gen: Gen[Any], number: Any) -> Any:
    """The nearest number that fits into the bits of a float; others would be redrawn."""
    width = getattr(gen, "width", 64)  # numbers that are no floats have none
    return number if width == 64 else narrow(number, width)


# --- choice and recursion -------------------------------------------------------------------------------


def _union(node: Node, step: Step) -> Node | None:
    gen: Any = node.gen
    if gen.has_defer and facts(gen).loop is not None:
        return _recursive_union(node, gen, step)
    # Another option than the current one, redrawn. Weights are ignored: they make random values typical, but
    # a search looks for untypical ones.
    other = int(step.random() * (len(gen.options) - 1))
    return Trace(other + (other >= node.choice), (None,), gen, clean=None)  # type: ignore[operator]


def _recursive_union(node: Node, gen: Union[Any], step: Step) -> Node | None:
    """Replace a part, or make the value smaller or larger around it: as many ways to grow as to shrink."""
    random = step.random
    r = random()
    if r < 0.3:
        return None
    if r < 0.6 or not step.may_grow:
        # Hoist: a part takes the place of the whole.
        inner = _alike(node, gen)[1:]
        return inner[int(random() * len(inner))] if inner else None
    if r < 0.75:
        # Graft: a copy of a part from anywhere else in the value.
        others = _alike(step.root, gen)
        return others[int(random() * len(others))]
    # Grow: some option that recurses, with the present value as one of its parts.
    ways = growing(gen)
    if not ways:
        return None
    number, place, count = ways[int(random() * len(ways))]
    if count < 0:
        return Trace(number, (Trace(None, [node]),), gen, clean=None)
    parts: list[Node | None] = [None] * count
    parts[place] = node
    return Trace(number, (Trace(None, parts),), gen, clean=None)


def _alike(node: Node, gen: Gen[Any]) -> list[Node]:
    """The nodes of a generator at and below a node, from top to bottom."""
    found = []
    pending = [node]
    while pending:
        part = pending.pop()
        if part.gen is gen:
            found.append(part)
        pending.extend(child for child in part.children if child is not None)
    return found


def growing(gen: Union[Any]) -> list[tuple[int, int, int]]:
    """The options of a recursive union that contain the union itself: (option, part, number of parts).

    The number of parts is -1 for an option that is a list of such values.
    """
    ways = []
    for number, option in enumerate(gen.options):
        match option:
            case Build():
                count = len(option.parts)
                ways += [(number, i, count) for i, part in enumerate(option.parts) if _leads_to(part, gen)]
            case List() if _leads_to(option.element, gen):
                ways.append((number, 0, -1))
            case _:
                pass
    return ways


def _leads_to(part: Gen[Any], gen: Gen[Any]) -> bool:
    return resolved(part) is gen


# --- lists ----------------------------------------------------------------------------------------------


def _list(node: Node, step: Step) -> Node | None:
    gen: Any = node.gen
    return _edited_list(node, step, gen.min_size, LONGEST if gen.max_size is None else gen.max_size)


def _edited_list(node: Node, step: Step, min_size: int, max_size: int) -> Node:
    random = step.random
    draft = node if node.clean is None else node.draft(list(node.children))
    children: Any = draft.children  # a list of its own
    count = len(children)
    fixed = min_size == max_size
    r = 0.8 + random() / 5 if fixed else random()
    if r < 0.8:
        # Every way to grow has an equally likely way to shrink, unless the search has learned that one of
        # them pays off. Mostly by one element, sometimes by a slice.
        piece = 1
        if step.manner.long:
            piece = 1 + int((1 + count) ** random())  # any order of magnitude
        else:
            while random() < 0.1:
                piece += 1
        if not step.manner.long and random() >= step.manner.growth:
            piece = min(piece, count - min_size)
            start = int(random() * (count - piece + 1))
            del children[start : start + piece]
        else:
            room = max_size - count
            piece = min(piece, room) if step.may_grow else 0
            place = int(random() * (count + 1))
            if piece == 1 and (random() < 0.75 or not count):
                children.insert(place, None)
            else:
                piece = min(piece, count)
                start = int(random() * (count - piece + 1))
                children[place:place] = repeatable(children[start : start + piece])
    elif count > 1:
        if r < 0.9:
            i, j = int(random() * count), int(random() * (count - 1))
            j += j >= i
            children[i], children[j] = children[j], children[i]
        else:
            start = int(random() * count)
            stop = start + 1 + int(random() ** 2 * (count - start))
            moved = children[start:stop]
            del children[start:stop]
            place = int(random() * (len(children) + 1))
            children[place:place] = moved
    return draft


# --- values that are edited as a whole ------------------------------------------------------------------


def is_permutation(gen: Gen[Any] | None) -> bool:
    """Whether a generator was made by ``permutations``: numbers that say which of the remaining values comes
    next.

    Its digits are not edited one by one, because a change of one moves everything after it.
    """
    return type(gen) is Map and gen._text is not None and gen._text[0] == "permutations"


def is_time(gen: Gen[Any] | None) -> bool:
    """Whether a generator was made by ``times`` without bounds: hours, minutes, seconds and microseconds."""
    if gen is None or gen._text is None or gen._text[0] != "times":
        return False
    return all(bound is None for bound in gen._text[2].values())


def is_fraction(gen: Gen[Any] | None) -> bool:
    """Whether a generator was made by ``fractions``: a denominator, and a numerator whose bounds depend on it."""
    return gen is not None and gen._text is not None and gen._text[0] == "fractions"


def whole_places(gen: Gen[Any] | None) -> int:
    """How many edits a value counts as that is always edited as a whole; 0 for the others."""
    if gen is None or gen._text is None:
        return 0
    if is_permutation(gen):
        return digits_of(gen)
    return 4 if is_time(gen) else 2 if is_fraction(gen) else 0


#: How many of the next digit make one of the digits of a time.
_RADIX = (24, 60, 60, 1_000_000)


def _time(node: Node, step: Step) -> Node:
    """One of its digits; the colder, the more often a nearby moment instead: an hour is a long way."""
    parts: Any = node.children[0]
    if parts is None or None in parts.children:
        return node
    digits = list(parts.children)
    random, temperature = step.random, step.temperature
    if temperature >= 1 or random() < temperature:
        place = int(random() * len(digits))
        digits[place] = _int(digits[place], step)
        return node.with_children([parts.with_children(digits)])
    moment, day = 0, 1
    for digit, radix in zip(digits, _RADIX):
        moment, day = moment * radix + digit.choice, day * radix
    size = magnitude(1 + scaled(day, temperature / 10), random())
    moment = _within(moment, size if random() < 0.5 else -size, 0, day - 1)
    for place in (3, 2, 1, 0):
        moment, choice = divmod(moment, _RADIX[place])
        digits[place] = integer(digits[place].gen, choice)
    return node.with_children([parts.with_children(digits)])


def _within(number: int, change: int, lo: int | None, hi: int | None) -> int:
    """A number after a change, not beyond its bounds, and another one if there is any."""
    moved = number + change
    if lo is not None and moved < lo:
        moved = lo if number != lo else lo + 1
    if hi is not None and moved > hi:
        moved = hi if number != hi else hi - 1
    return moved


def _fraction(node: Node, step: Step) -> Node | None:
    """A fresh fraction, or a nearby one, with the same denominator if that is near enough."""
    random, temperature = step.random, step.temperature
    if random() < FRESH * temperature:
        return None
    outer, inner = node.children
    number: Any = inner.children[0] if inner is not None and inner.children else None
    path, leaf = _only_number(outer)
    if (
        outer is None
        or inner is None
        or leaf is None
        or number is None
        or RULES.get(type(number.gen)) is not _int
    ):
        return node
    unit: Any = outer.value  # the denominator, a multiple of the number that is chosen
    if unit is None:
        return node  # it was just edited
    lo, hi = number.gen.lo, number.gen.hi
    value = Fraction(number.choice, unit)
    span = Fraction(hi - lo, unit) if lo is not None and hi is not None else abs(value) + 1
    size = span * Fraction(temperature * 10 ** (-4 * random()))
    sign = 1 if random() < 0.5 else -1
    if (hi is not None and value + size > Fraction(hi, unit)) or (
        lo is not None and value - size < Fraction(lo, unit)
    ):
        sign = 1 if lo is not None and 2 * number.choice < lo + (lo if hi is None else hi) else -1
    most = 2 * leaf.choice + 2 if leaf.gen.hi is None else leaf.gen.hi
    others = [1 + below(most, random) for _ in range(DENOMINATORS)]
    finest = leaf.choice * min(FINEST_DENOMINATOR, 1 + int(1 / size)) if size else leaf.choice
    found = []
    for choice in (leaf.choice, *others, finest):
        denominator = unit * choice // leaf.choice
        numerator = round((value + sign * size) * denominator)
        if numerator * unit == number.choice * denominator:
            numerator += sign
        if hi is not None:
            numerator = min(numerator, hi * denominator // unit)
        if lo is not None:
            numerator = max(numerator, -(-lo * denominator // unit))
        off = abs(Fraction(numerator, denominator) - value)
        inside = hi is None or numerator * unit <= hi * denominator
        if off and inside and leaf.gen.fits(choice):
            found.append((off, choice, numerator))
            if off <= 2 * size:
                break
    if not found:
        return node
    _, choice, numerator = min(found)
    digits = inner.with_children([number.with_choice(numerator)])
    return node.with_children([outer.replace(path, integer(leaf.gen, choice)), digits])


def _only_number(node: Node | None) -> tuple[tuple[int, ...], Any]:
    """The integer at the end of a chain of nodes with one part each, and the way to it."""
    path: tuple[int, ...] = ()
    while node is not None and len(node.children) == 1:
        node, path = node.children[0], (*path, 0)
    return path, node if node is not None and RULES.get(type(node.gen)) is _int and node.choice else None


def digits_of(gen: Any) -> int:
    """How many numbers decide a permutation: one less than it has values."""
    return len(gen.source.parts)


def permuted(node: Node, step: Step) -> Node:
    """The same values in an order that differs by one move."""
    picks: Any = node.children[0]
    if picks is None or len(picks.children) != digits_of(node.gen) or not picks.children:
        return node
    left = list(range(len(picks.children) + 1))
    order = [left.pop(digit.choice) for digit in picks.children] + left
    rearrange(order, step)
    gone: list[int] = []  # sorted
    digits = []
    for digit, item in zip(picks.children, order):
        before = bisect_left(gone, item)
        gone.insert(before, item)
        digits.append(integer(digit.gen, item - before))
    return node.with_children([picks.with_children(digits)])


def rearrange(items: list[Any], step: Step) -> None:
    """Swap two, reverse a slice, or move a slice, in place; the colder, the nearer to each other."""
    random, count = step.random, len(items)
    reach = max(1, int((count - 1) * step.temperature))
    low = int(random() * count)
    high = min(count - 1, low + 1 + int(random() * reach))
    if low == high:
        low, high = max(0, high - 1 - int(random() * reach)), low
    r = random()
    if r < 0.35:
        items[low], items[high] = items[high], items[low]
    elif r < 0.7:
        items[low : high + 1] = items[low : high + 1][::-1]
    else:
        # The slice goes elsewhere; short ones are as likely as long ones.
        length = max(1, int(reach ** random()))
        start = int(random() * (count - length + 1))
        piece = items[start : start + length]
        del items[start : start + length]
        if random() < 0.3:
            piece.reverse()
        nearest, farthest = max(0, start - reach), min(len(items), start + reach)
        place = nearest + int(random() * (farthest - nearest + 1))
        items[place:place] = piece


def _map(node: Node, step: Step) -> Node:
    if is_permutation(node.gen):
        return permuted(node, step)
    return _time(node, step) if is_time(node.gen) else node


def _bind(node: Node, step: Step) -> Node | None:
    return _fraction(node, step) if is_fraction(node.gen) else _counted(node, step)


def _live(node: Node, step: Step) -> Node | None:
    steps = node.gen.steps  # type: ignore[union-attr]
    return _counted(node, step) if steps is None else _edited_list(node, step, 0, steps.limit)


def _counted(node: Node, step: Step) -> Node | None:
    return counted_edit(node, step.random, step.may_grow, step.manner.growth)


RULES: dict[type[Any], Rule] = total(
    "edits of a neighbour",
    {
        Int: _int,
        Float: _float,
        Union: _union,
        List: _list,
        Map: _map,
        Composite: _counted,
        Live: _live,
        Bind: _bind,
    },
    without=(Const, Build, Filter, Defer),
)
