"""How the dice fall: the random decisions of each kind of node, written once.

The sampler and :func:`~everycase.choices.enact.enact` are two interpreters that must roll the same dice. All
of their random decisions are made by the functions here, so they can only differ in the order of the calls,
which the contract tests check.

A size budget is never negative: spending stops at zero.

All dice are a function ``random() -> float in [0, 1)``. By construction a roll of 0.0 is the simplest choice
everywhere, so dice that always show 0.0 (:func:`simplest`) make the simplest value of any generator.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate
from typing import Any

from everycase.choices.draw_budget import BUDGET
from everycase.choices.time_limit import quick
from everycase.errors import Discarded, DoesNotFit, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.graph import nodes
from everycase.gen.kinds import Build, Int, List, Union

Random = Callable[[], float]
Roll = Callable[[Random, int], Any]

#: The largest size budget of an example by default. The sampler recurses, and this keeps it far from Python's
#: recursion limit.
FULL_SIZE = 150

#: The largest size budget that can be set.
LARGEST_SIZE = 100_000

#: Collections of at most this many elements above their minimum are equally likely to have any length.
EVEN_LENGTHS = 20

#: By size budget, the maximum length of a list without a bound. Sizes are spread over the orders of
#: magnitude, so the few largest dominate their mean; the power keeps the mean length in a run near eight,
#: with full length now and then.
USUAL_POWER = 0.72
USUAL_LENGTH = [int(size**USUAL_POWER) for size in range(FULL_SIZE + 1)]

#: How often a list is as long as its budget allows, and how often its elements repeat each other.
FULL_SHARE, REPEAT_SHARE = 1 / 32, 1 / 8

#: How often a filter is tried before the example is discarded.
FILTER_TRIES = 100

#: For how many tries a number that is a part of something larger keeps the size budget, and so its order of magnitude.
KEPT_TRIES = 4

#: After how many tries any other part of something larger may be twice as large.
WIDER_EVERY = 8

#: How often a composite is drawn before its assumption counts as unsatisfiable.
COMPOSITE_TRIES = 12


def simplest() -> float:
    """The dice that make the simplest value."""
    return 0.0


def no_dice() -> float:
    """The dice of a strict replay, in which nothing may be random."""
    raise DoesNotFit("the recorded choices do not fit this generator")


def draw_size(random: Random, full: int = FULL_SIZE) -> int:
    """The size budget of one example: spread evenly over the orders of magnitude from tiny to full."""
    return int((full + 1.0) ** random())


def size_for_length(length: int) -> int:
    """The size budget for which lists without a bound are usually at most this long.

    >>> int(size_for_length(48) ** USUAL_POWER)
    48
    """
    return math.ceil(math.pow(length, 1 / USUAL_POWER))


def another_size(node: Gen[Any], size: int, random: Random, misses: int) -> int:
    """The size budget of the next try of a filter: redrawn, like that of a new example.

    A value that does not pass is often too large or too small, like all values of its size. Inside a recursion
    there is no more to spend than what is left. A part of something larger first keeps its order of magnitude
    (numbers exactly, so that they can still be equal to others), because many parts of any size would make
    the whole far too large; after many ``misses`` it no longer does.
    """
    fact = node._facts or facts(node)
    if not fact.sized:
        return size
    if BUDGET.part:
        if fact.loop is not None:
            return min(_new_size(random), size)
        if not fact.weighty:
            return size if misses <= KEPT_TRIES else _new_size(random)
        return min(_new_size(random), max(16, 4 * size) << misses // WIDER_EVERY)
    BUDGET.size = size = _new_size(random)
    return size


def _new_size(random: Random) -> int:
    """The size budget of another input of the same run."""
    sizes = BUDGET.sizes
    return draw_size(random) if sizes is None else sizes[draw_size(random, len(sizes) - 1)]


def makes_parts(node: Gen[Any], *, unless_recursive: bool) -> bool:
    """Whether a node makes parts of something larger that may be rejected and made again: in any case, or only
    inside a recursion."""
    fact = node._facts or facts(node)
    return fact.retries and (unless_recursive or fact.loop is not None)


def decision(node: Gen[Any]) -> Roll:
    """The roll of a union (which option) or a list (how many elements) before its parts, made once per
    node."""
    roll = node._dice
    if roll is None:
        roll = union_dice(node) if isinstance(node, Union) else length_dice(node)  # type: ignore[arg-type]
        node._dice = roll
    return roll


# --- integers -------------------------------------------------------------------------------------------


def int_dice(node: Int) -> Roll:
    """Rolls a value of an integer node, including edge values. One call of ``random`` is enough for small
    ranges."""
    lo, hi = node.lo, node.hi
    if lo is None or hi is None:
        return _unbounded(node)
    count = hi - lo + 1
    if count > 2**48 and node.edges:
        return _wide(node, lo, hi)
    if count > 2**48:  # a number that stands for something else: none of its values is special
        return lambda random, size: lo + (below(count, random) + node.towards - lo) % count
    if not node.edges:
        shift = node.towards - lo
        if shift:
            return lambda random, size: lo + (int(random() * count) + shift) % count
        if lo:
            return lambda random, size: lo + int(random() * count)
        return lambda random, size: int(random() * count)

    edges = node.edges
    share, edge_scale, scale = edge_scales(node)

    def roll(random: Random, size: int) -> int:
        r = random()
        if r < share:
            return edges[int(r * edge_scale)]
        return lo + int((r - share) * scale)

    return roll


def int_rolls(node: Int) -> Callable[[Random, int, int], list[int]] | None:
    """Rolls many values at once, exactly those that the same number of calls of :func:`int_dice` would roll.

    Lists of integers are the most common inputs, and here a call costs more than a number. None if the range
    is wide but bounded.
    """
    lo, hi = node.lo, node.hi
    if lo is None or hi is None:
        return _unbounded_rolls(node)
    if hi - lo >= 2**48:
        return None
    if not node.edges:
        if node.towards != lo:
            return None
        count = hi - lo + 1
        if lo:
            return lambda random, n, size: [lo + int(random() * count) for _ in range(n)]
        return lambda random, n, size: [int(random() * count) for _ in range(n)]
    edges = node.edges
    share, edge_scale, scale = edge_scales(node)
    return lambda random, n, size: [
        lo + int((r - share) * scale) if (r := random()) >= share else edges[int(r * edge_scale)]
        for _ in range(n)
    ]


def edge_scales(node: Int) -> tuple[float, float, float]:
    """The limit below which a roll means an edge, and the factors for the index of the edge and for the
    offset."""
    assert node.lo is not None and node.hi is not None
    # Slightly less than the quotients, so that rounding never goes past the end.
    hair = 1 - 2**-51
    count = node.hi - node.lo + 1
    return node.share, len(node.edges) / node.share * hair, count / (1 - node.share) * hair


def below(bound: int, random: Random) -> int:
    """A number from 0 to ``bound - 1``, each equally likely, however large the bound."""
    if bound <= 2**48:
        return int(random() * bound)
    bits = bound.bit_length() + 32
    number = 0
    for _ in range(0, bits, 32):
        number = number << 32 | int(random() * 2**32)
    return number * bound >> -(-bits // 32) * 32


def _wide(node: Int, lo: int, hi: int) -> Roll:
    """A range too wide for one float: a quarter of the values come from near the simplest one."""
    edges, towards = node.edges, node.towards
    share = node.share
    near = share + (1 - share) / 4
    bits = (hi - lo + 1).bit_length()

    def roll(random: Random, size: int) -> int:
        r = random()
        if r < share:
            return edges[int(r / share * len(edges))]
        if r < near:
            distance = below(1 << 1 + int(random() * min(bits, MAGNITUDES[size & 15])), random)
            value = towards - distance if int(r * 2**20) & 1 else towards + distance
            if lo <= value <= hi:
                return value
        return lo + below(hi - lo + 1, random)

    return roll


#: By size budget (its last four bits): the maximum number of bits of unbounded numbers in a test. With one
#: magnitude for all numbers of a test, two of them are sometimes equal, or neighbours, which independent ones
#: never are. The budget is the only thing that all parts of a test know, and its last bits do not affect the
#: length of lists.
MAGNITUDES = (64, 64, 8, 32, 4, 128, 6, 64, 3, 16, 64, 5, 24, 128, 10, 48)

#: Numbers of up to this many bits are often equal by chance.
FEW_BITS = 10

#: Up to this many bits a number is one roll of the dice times its span; a float has no more.
ONE_ROLL = 47
ONE_SPAN = 2.0 ** (ONE_ROLL + 1)

#: How many steps there are from few bits to many, in the table of spans.
STEPS = 512


class Magnitude:
    """Numbers with a maximum number of bits: the span of each roll of the dice, and where spans become too
    wide."""

    __slots__ = ("further", "limit", "spans")

    def __init__(self, bits: int, share: float, signs: tuple[float, ...]) -> None:
        #: a roll from here on means more bits than one roll can fill
        self.limit = 1.0
        #: by roll: the range of the number, negative to count down
        self.spans: list[float] = []
        #: the same for numbers that are wider: whether two rolls fill them but for the last bits, how many bits those are
        #: and the span of them, and whether to count down
        self.further: list[tuple[bool, int, float, bool]] = []
        for step in range(STEPS):
            wide = _bits(max(0.0, (step / STEPS - share) / (1 - share)), bits)
            sign = signs[step % len(signs)]
            if wide <= ONE_ROLL:
                self.spans.append(sign * (2 << wide))
                continue
            bits_left = wide - ONE_ROLL
            wider = bits_left > ONE_ROLL
            last = bits_left - ONE_ROLL - 1 if wider else bits_left
            self.further.append((wider, last, float(1 << last), sign < 0))
            self.limit = min(self.limit, step / STEPS)

    def wide(self, r: float, random: Random) -> int:
        """A number that takes more than one roll of the dice."""
        wider, bits, span, down = self.further[int(r * STEPS) - len(self.spans)]
        distance = int(random() * ONE_SPAN)
        if wider:
            distance = distance << ONE_ROLL + 1 | int(random() * ONE_SPAN)
        distance = distance << bits | int(random() * span)
        return -distance if down else distance


def _bits(spread: float, bits: int) -> int:
    """The number of bits of a number, up to a maximum: mostly the maximum if that is low, otherwise rather
    few."""
    return int(spread**0.5 * bits) if bits <= FEW_BITS else int(spread * spread * bits)


@lru_cache(maxsize=256)
def magnitude(bits: int, share: float, signs: tuple[float, ...]) -> Magnitude:
    """The table for numbers of at most this many bits, made on demand: there are a dozen, and most runs need
    few."""
    return Magnitude(bits, share, signs)


def _signs(node: Int) -> tuple[float, ...]:
    """The directions in which an integer is unbounded."""
    return (1.0, -1.0) if node.lo is None and node.hi is None else (1.0,) if node.hi is None else (-1.0,)


def _unbounded(node: Int) -> Roll:
    """Unbounded on one side: first the number of bits is drawn, small ones more often, then a number of that
    many bits."""
    edges, share, towards = node.edges, node.share, node.towards
    signs = _signs(node)
    edge_scale = len(edges) / share * (1 - 2**-51) if edges else 0.0
    known: list[Magnitude | None] = [None] * 16

    def roll(random: Random, size: int) -> int:
        r = random()
        if r < share:
            return edges[int(r * edge_scale)]
        table = known[size & 15]
        if table is None:
            table = known[size & 15] = magnitude(MAGNITUDES[size & 15], share, signs)
        if r < table.limit:
            return towards + int(random() * table.spans[int(r * STEPS)])
        return towards + table.wide(r, random)

    return roll


def _unbounded_rolls(node: Int) -> Callable[[Random, int, int], list[int]]:
    """The same numbers as that many calls of :func:`_unbounded`, in one go."""
    edges, share, towards = node.edges, node.share, node.towards
    signs = _signs(node)
    edge_scale = len(edges) / share * (1 - 2**-51) if edges else 0.0

    known: list[Magnitude | None] = [None] * 16

    def rolls(random: Random, n: int, size: int) -> list[int]:
        if not n:
            return []
        table = known[size & 15]
        if table is None:
            table = known[size & 15] = magnitude(MAGNITUDES[size & 15], share, signs)
        spans, limit = table.spans, table.limit
        numbers = []  # a loop: in a comprehension all of these would be cells
        if limit == 1.0 and not towards:
            # The usual case: no number is wide, and zero is the simplest.
            for _ in range(n):
                r = random()
                numbers.append(
                    int(random() * spans[int(r * STEPS)]) if r >= share else edges[int(r * edge_scale)]
                )
            return numbers
        for _ in range(n):
            r = random()
            if r < share:
                numbers.append(edges[int(r * edge_scale)])
            elif r < limit:
                numbers.append(towards + int(random() * spans[int(r * STEPS)]))
            else:
                numbers.append(towards + table.wide(r, random))
        return numbers

    return rolls


# --- unions ---------------------------------------------------------------------------------------------


def weighted(weights: list[float]) -> Callable[[float], int]:
    """Turns a number in [0, 1) into an index, with probabilities in proportion to the weights."""
    total = sum(weights)
    bounds = [bound / total for bound in accumulate(weights)]
    bounds[-1] = 2.0  # above anything that rounding may make of a number below one
    return lambda r: bisect_right(bounds, r)


def union_dice(node: Union[Any]) -> Roll:
    """Rolls the number of an option.

    Within a recursion the budget decides how often to stop: an option that does not recurse is taken with
    probability ``1 / (size + 1)`` (or by its weight), and always when the budget is used up. Options that can never
    be made, such as ``tuples(a, nothing())``, are not taken.
    """
    count = len(node.options)
    if not count:
        return _no_option
    weights = list(node.weights) if node.weights is not None else None
    within = node.has_defer and facts(node).loop is not None
    can_be_made = possible_options(node)
    stops = [i for i in stopping_options(node) if i in can_be_made] if within else []
    goes = [i for i in can_be_made if i not in stops]
    if not stops or not goes:
        either = stops or goes
        if weights is not None:
            pick = weighted([weights[i] for i in either])
            return lambda random, size: either[pick(random())]
        if len(either) < count:
            return lambda random, size: either[int(random() * len(either))]
        return lambda random, size: int(random() * count)

    if weights is None and len(stops) == len(goes) == 1:
        # ``leaf | node``, the usual recursion: nothing to pick among.
        leaf, node_option = stops[0], goes[0]

        def stop_or_go(random: Random, size: int) -> int:
            r = random()
            return leaf if size <= 0 or r < 1 / (size + 1) else node_option

        return stop_or_go
    share = None
    if weights is not None:
        share = sum(weights[i] for i in stops) / sum(weights[i] for i in can_be_made)
    stop_pick = weighted([weights[i] if weights else 1.0 for i in stops])
    go_pick = weighted([weights[i] if weights else 1.0 for i in goes])

    def roll(random: Random, size: int) -> int:
        r = random()
        if size <= 0:
            return stops[stop_pick(r)]
        stop = share if share is not None else 1 / (size + 1)
        if r < stop:
            return stops[stop_pick(r / stop)]
        return goes[go_pick((r - stop) / (1 - stop))]

    return roll


def possible_options(node: Union[Any]) -> list[int]:
    """The options that can be made, unlike ``tuples(a, nothing())``; all of them if none can."""
    every = range(len(node.options))
    return [i for i in every if facts(node.options[i]).height < math.inf] or list(every)


def _no_option(random: Random, size: int) -> int:
    raise Discarded("there is nothing to choose from")


def stopping_options(node: Union[Any]) -> list[int]:
    """The options of a recursive union that end the recursion, or come nearest to ending it."""
    loop = facts(node).loop
    stops = [i for i, option in enumerate(node.options) if not _reaches(option, loop)]
    if not stops:
        lowest = min(facts(option).height for option in node.options)
        stops = [i for i, option in enumerate(node.options) if facts(option).height == lowest]
    return stops


def _reaches(node: Gen[Any], loop: int | None) -> bool:
    """Whether the recursion ``loop`` can be entered from ``node``."""
    return any(
        current.has_defer and facts(current).loop == loop
        for current in nodes(node, lambda current: current.has_defer)
    )


# --- sharing out the size budget ------------------------------------------------------------------------


def recursive_parts(node: Build[Any]) -> tuple[int, ...]:
    """Which parts of a constructor in a recursion recurse themselves, and so have to share its budget."""
    if not node.has_defer or facts(node).loop is None:
        return ()
    return tuple(i for i, part in enumerate(node.parts) if part.has_defer and facts(part).recursive)


def split(size: int, parts: int, random: Random) -> list[int]:
    """Split a budget into parts, every split about equally likely: unbalanced shapes as well as balanced
    ones."""
    shares = []
    for left in range(parts - 1, 0, -1):
        share = int((size + 1) * (1 - (1 - random()) ** (1 / left)))
        shares.append(share)
        size -= share
    shares.append(size)
    return shares


# --- lists ----------------------------------------------------------------------------------------------


def length_dice(node: List[Any]) -> Roll:
    """Rolls the length of a list; the complement ``~n`` asks for n elements with repetitions.

    Sometimes a list is as long as allowed, and an eighth of the lists repeats elements, because duplicates
    are a classic source of bugs that independent draws hardly ever show.
    """
    low = node.min_size
    span = None if node.max_size is None else node.max_size - low
    below_facts = facts(node.element)
    repeats = below_facts.shareable and node.unique_by is None
    if below_facts.height == math.inf:  # lists of nothing are empty
        return lambda random, size: low
    if span == 0:
        if low < 2 or not repeats:
            return lambda random, size: low
        return lambda random, size: ~low if random() > 1 - REPEAT_SHARE else low
    recursive = below_facts.recursive
    even = span is not None and span <= EVEN_LENGTHS and not recursive
    again = FULL_SHARE + (REPEAT_SHARE if repeats else 0.0)
    scale = 1 / (1 - again) * (1 - 2**-51)
    repeat_scale = 1 / REPEAT_SHARE * (1 - 2**-51)

    def roll(random: Random, size: int) -> int:
        r = random()
        if even:
            room: int = span  # type: ignore[assignment]
            full = room
        else:
            full = max(size - low, 0) if recursive else size
            room = full if recursive else _usual_length(size) if size > FULL_SIZE else USUAL_LENGTH[size]
            if span is not None:
                # A generous limit is also used, now and then, up to its end.
                far = full if recursive else int((span + 1) ** random()) - 1
                room, full = min(span, max(room, far)), min(span, max(full, far))
        if r > 1 - FULL_SHARE:
            return low + full
        if r > 1 - again:
            return ~(low + int((r - 1 + again) * repeat_scale * (room + 1)))
        return low + int(r * scale * (room + 1))

    return roll


def _usual_length(size: int) -> int:
    """:data:`USUAL_LENGTH`, continued."""
    return int(size**USUAL_POWER)


def element_size(node: List[Any]) -> Callable[[int, int], int]:
    """How much of a list's budget each of its ``n`` elements gets."""
    below_facts = facts(node.element)
    if below_facts.recursive:
        return lambda size, n: max(0, size - n) // n if n else 0
    if below_facts.weighty:
        return lambda size, n: size // n + 3 if n else 0
    return lambda size, n: size


def repeated(n: int, random: Random) -> list[int]:
    """Which of a few distinct elements each of ``n`` places repeats; a new element has the next number.

    Half of the lists have one or two distinct elements, the others repeat some.
    """
    if not n:
        return []
    distinct = 1 + int(random() * 4)
    if distinct > 2:
        distinct = max(2, n - 1) if distinct == 3 else max(2, n // 2)
    places = [0]
    new = 1
    for _ in quick(range(n - 1)):
        place = int(random() * distinct)
        if place >= new:
            place = new
            new += 1
        places.append(place)
    return places


def misses_allowed(n: int) -> int:
    """The number of duplicates in a row that ends the search for ``n`` distinct elements."""
    return 100 + 10 * n


def novelty(node: List[Any]) -> Callable[[Any, set[Any]], bool]:
    """For lists of distinct elements: whether a value is new among the keys seen; it is then added to
    them."""
    key = node.unique_by
    if isinstance(key, tuple):
        keys = key

        def all_new(value: Any, seen: set[Any]) -> bool:
            names = [(i, part(value)) for i, part in enumerate(keys)]
            if any(_hashable(name, value) in seen for name in names):
                return False
            seen.update(names)
            return True

        return all_new

    assert key is not None
    single = key

    def is_new(value: Any, seen: set[Any]) -> bool:
        name = single(value)
        try:
            if name in seen:
                return False
            seen.add(name)  # a set can be looked up, but not added
        except TypeError:
            _hashable(name, value)
            raise
        return True

    return is_new


def _hashable(name: Any, value: Any) -> Any:
    try:
        hash(name)
    except TypeError:
        if name is value:
            wrong = f"elements of a unique list or set must be hashable, but {value!r} is not"
            instead = "give lists(...) a unique_by= function that returns something hashable"
        else:
            wrong = f"unique_by= must return something hashable, but for {value!r} it returned {name!r}"
            instead = "make it a tuple" if isinstance(name, list) else "return a number, a string or a tuple"
        raise InvalidArgument(f"{wrong}; {instead}") from None
    return name
