"""Moves for values that have to satisfy a precondition: an ``assume``, a ``where``, a filter.

If most values are invalid, the usual moves stop at the first invalid one. These moves look for the next valid
one. They are made only after some attempt was invalid, so they cost nothing if there is no precondition.

Validity of a number is as informative as failure. Remainders, by far the most common precondition of numbers,
are found with few tests by stepping over a number with many divisors, and then removing its divisors.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

from everycase.choices.shrink.moves import (
    IntAt,
    Node,
    Path,
    best_numbers,
    number_at,
    number_of,
    numbers_of,
    with_children,
    with_number,
    without,
)
from everycase.choices.shrink.shrinker import Shrinker

#: Steps that are multiples of many others, the longest first, with their prime factors.
STEPS: tuple[tuple[int, ...], ...] = (
    (2, 2, 2, 2, 3, 3, 5, 5, 7, 11, 13),
    (2, 2, 2, 3, 3, 5, 5, 7, 11),
    (2, 2, 2, 3, 3, 5, 7),
    (2, 2, 2, 5, 5, 5),
    (2, 2, 5, 5),
    (2, 2, 3, 5),
    (2, 2, 3),
    (2, 5),
    (2, 3),
    (7,),
    (2, 2),
    (3,),
    (2,),
)

#: How far to search for the next valid number one by one.
NEAR = 20

#: The same if validity is known without running the test.
FAR = 2048

#: By how much a second number moves for each step of the first, to keep their relation.
RATIOS = ((1, 1), (1, -1), (1, 2), (2, 1), (1, 3), (3, 1), (1, -2), (2, -1))

#: Longer steps of two numbers at once.
TOGETHER = (12, 10, 5, 7, 8, 9, 3, 2, 4, 6)

#: Maximum number of elements that are deleted at once to keep a length valid.
MOST_AT_ONCE = 12

#: How many of the first numbers are lowered while another one makes up for it; how much larger than now that one
#: may become; and about how many values are asked about for each two numbers.
COMPENSATED = 5
WIDE = 256
ASKED = 1024

#: Valid values that pass, after which two numbers are left alone: each costs a call.
MOST_PASSING = 6

#: How many different values of a list are exchanged with each other.
EXCHANGED = 6

#: How many values are tried for an element that has to make up for another one.
MOST_DIGITS = 16

#: Two elements that are not neighbours are deleted from lists of up to this many: 21 calls at most. From longer ones
#: if invalid lists cost no calls.
SHORT = 8
LONG = 24


def step_over(s: Shrinker, path: Path, node: Node) -> None:
    """Lower a number past those that are invalid."""
    number = number_of(path, node)
    if not s.sparse or number.distance < 2:
        return

    def moved(distance: int) -> bool:
        return s.try_edit(with_number(s.best, path, number.at(distance)))

    if moved(number.distance - 1) or not s.invalid:
        return  # not caused by a precondition
    if s.is_valid is not None or s.free:
        _lower_past_gaps(s, number.distance, moved)
        now = number_at(s.best, path)
        if now is None or now.gen is not number.gen or now.distance < 2:
            return
        number = now
    step = _period(s, number.distance, moved)
    now = number_at(s.best, path)
    if now is None or now.gen is not number.gen:
        return
    if step and _lower_in_steps(s, now.distance, step, moved):
        return
    now = number_at(s.best, path)
    if now is not None:
        _lower_past_gaps(s, now.distance, moved)


def _period(s: Shrinker, distance: int, moved: Callable[[int], bool]) -> int:
    """The shortest step that leads from one valid number to another, as far as it is found; 0 if none is."""

    def valid(step: int) -> bool:
        nonlocal distance
        if step > distance:
            return False
        if moved(distance - step):
            distance -= step
            return True
        return not s.invalid

    found: tuple[int, ...] = ()
    for factors in STEPS:
        if _product(factors) < distance and valid(_product(factors)):
            found = factors
            break
    else:
        return next((step for step in range(5, NEAR) if valid(step)), 0)
    for prime in sorted(set(found), reverse=True):
        while prime in found:
            i = found.index(prime)
            fewer = found[:i] + found[i + 1 :]
            if not fewer or not valid(_product(fewer)):
                break
            found = fewer
    return _product(found)


def _product(factors: tuple[int, ...]) -> int:
    result = 1
    for factor in factors:
        result *= factor
    return result


def _lower_in_steps(s: Shrinker, distance: int, step: int, moved: Callable[[int], bool]) -> bool:
    """Lower a number by a multiple of a step, as far as possible; returns whether everything tried on the way
    was valid."""
    most, rest = divmod(distance, step)
    if most and moved(rest):
        return True
    regular = not s.invalid
    low, high = 0, most  # low is rejected, high is accepted
    # Many answers are near; otherwise the range is halved.
    reach = 1
    while high - low > 1:
        middle = max(low + 1, high - reach) if reach < (high - low) // 2 and reach < 64 else (low + high) // 2
        reach *= 4
        if moved(rest + middle * step):
            high = middle
        else:
            low = middle
            regular = regular and not s.invalid
    return regular


def _lower_past_gaps(s: Shrinker, distance: int, moved: Callable[[int], bool]) -> None:
    """Lower a number among valid ones that follow no rule: the next valid one is as good as the one that was
    tried."""
    low, high = 0, distance  # below low nothing is left to try; high fails
    near = FAR if s.is_valid is not None or s.free else 2 * NEAR
    while high - low > 1:
        middle = (low + high) // 2
        for at in range(middle, min(high, middle + near)):
            if moved(at):
                high = at
                break
            if not s.invalid:
                low = at  # valid, and it passes
                break
        else:
            if middle + near >= high:
                # Nothing in between: continue below the middle, unless the gap is long.
                high_gap = middle
                for at in range(high_gap - 1, max(low, high_gap - near), -1):
                    if moved(at):
                        high = at
                        break
                    if not s.invalid:
                        return
                else:
                    return
            else:
                low = middle


def shift_together(s: Shrinker) -> None:
    """Lower a number and move a nearby one with it, in a ratio that keeps their relation."""
    if not s.sparse:
        return
    for i in range(min(len(best_numbers(s)), 12)):
        for j in (i + 1, i + 2, i - 1, i - 2):
            numbers = best_numbers(s)  # an improvement may leave fewer of them
            if max(i, j) < len(numbers) and j >= 0 and numbers[i].distance > 1:
                any(_shifted(s, numbers[i], numbers[j], *ratio) for ratio in RATIOS)


def _shifted(s: Shrinker, first: IntAt, second: IntAt, by: int, other: int) -> bool:
    start = s.best
    sign = 1 if first.value >= first.gen.towards else -1

    def moved(times: int) -> bool:
        goal, follows = first.value - sign * by * times, second.value - sign * other * times
        return (
            first.gen.fits(goal)
            and second.gen.fits(follows)
            and s.try_edit(with_number(with_number(start, first.path, goal), second.path, follows))
        )

    if not moved(1):
        if not s.invalid or abs(by) + abs(other) > 2:
            return False
        # A longer step may keep a remainder as well.
        by, other = next(((by * t, other * t) for t in TOGETHER if t < first.distance and moved(t)), (0, 0))
        if not by:
            return False
    low, high = 1, first.distance // by + 1  # low is accepted
    if moved(high - 1):
        return True
    while high - low > 1:
        middle = (low + high) // 2
        if moved(middle):
            low = middle
        else:
            high = middle
    return True


def repair(s: Shrinker) -> None:
    """Lower a number, and look for a value of a later one for which the whole is valid, or fails, again."""
    numbers = best_numbers(s)
    for i, first in enumerate(numbers[:6] if s.sparse else ()):
        for second in numbers[i + 1 : i + 3]:
            if first.distance and (_repaired(s, first, second) or _raised(s, first, second)):
                return


def _repaired(s: Shrinker, first: IntAt, second: IntAt) -> bool:
    """Set the second to a small value."""
    lower = with_number(s.best, first.path, first.at(first.distance - 1))
    towards = second.gen.towards
    return any(
        second.gen.fits(value) and s.try_edit(with_number(lower, second.path, value))
        for value in range(towards, towards + MOST_AT_ONCE)
    )


def _raised(s: Shrinker, first: IntAt, second: IntAt) -> bool:
    """If lowering the first is valid but passes, let the second compensate."""
    for step in range(1, min(MOST_AT_ONCE, first.distance) + 1):
        lower = with_number(s.best, first.path, first.at(first.distance - step))
        if s.try_edit(lower):
            return True
        if not s.invalid:
            return any(
                second.gen.fits(value) and s.try_edit(with_number(lower, second.path, value))
                for value in range(second.value + 1, second.value + 1 + MOST_AT_ONCE)
            )
    return False


def delete_some(s: Shrinker, path: Path, node: Node) -> None:
    """Delete several elements at once, if a length has to stay valid."""
    if not s.sparse:
        return
    for count in range(2, min(MOST_AT_ONCE, len(node.children)) + 1):
        improved = True
        while improved:
            improved = False
            now = s.best.at(path)
            if now is None or len(now.children) < count:
                return
            for i in {len(now.children) - count, 0}:
                if s.try_edit(with_children(s.best, path, without(now.children, i, i + count))):
                    improved = True
                    break


def delete_two(s: Shrinker, path: Path, node: Node) -> None:
    """Delete two elements of a short list that are not neighbours, such as a pair of brackets, when nothing else helps."""
    longest = SHORT if s.is_valid is None else LONG
    if s.patience != math.inf or not 3 <= len(node.children) <= longest:
        return
    for i, j in combinations(range(len(node.children)), 2):
        if j > i + 1:
            rest = [child for place, child in enumerate(node.children) if place not in (i, j)]
            if s.try_edit(with_children(s.best, path, rest)):
                return


def absorb(s: Shrinker, path: Path, node: Node) -> None:
    """Delete a number of a list and add it to its neighbour, so that their sum stays the same."""
    i = len(node.children) - 1
    while s.sparse and i > 0:
        now = s.best.at(path)
        if now is None or i >= len(now.children):
            return
        one, other = number_at(now, (i - 1,)), number_at(now, (i,))
        if one is not None and other is not None and one.gen.fits(one.value + other.value):
            joined = with_number(now, (i - 1,), one.value + other.value)
            s.try_edit(s.best.replace(path, joined.with_children(without(joined.children, i, i + 1))))
        i -= 1


def compensate(s: Shrinker) -> None:
    """Lower a number, and search all values of another one that may make up for it, when nothing else helps: only
    where invalid values cost no calls.

    This finds relations that no single rule describes, such as a product or a checksum.
    """
    if s.patience != math.inf or not s.sparse or not _asks_freely(s):
        return
    count = min(len(best_numbers(s)), COMPENSATED)
    # The first ones weigh most, and the last ones are most often free to make up for them.
    ends = sorted({*range(count), *range(max(0, len(best_numbers(s)) - count), len(best_numbers(s)))})
    passed = 0
    for i in ends:
        for j in ends:
            numbers = best_numbers(s)
            if i == j or max(i, j) >= len(numbers) or not numbers[i].distance:
                continue
            passing = _compensated(s, i, j)
            passed += passing
            if passing < 0 or passed >= 2 * MOST_PASSING:
                return


def _asks_freely(s: Shrinker) -> bool:
    return s.is_valid is not None or s.free


def _compensated(s: Shrinker, i: int, j: int) -> int:
    """Lower one number to each simpler value, from the simplest on, and search the other one: how many edits were
    valid and passed, -1 if one failed."""
    first, second = best_numbers(s)[i], best_numbers(s)[j]
    gen = second.gen
    # One that comes before may only become simpler.
    end = second.distance if j < i else second.distance + WIDE
    around = [gen.towards + sign * step for step in range(end) for sign in (1, -1)[: 1 + bool(step)]]
    values = [value for value in [first.value, *around] if gen.fits(value)][:ASKED]
    passing = 0
    for distance in range(min(first.distance, max(MOST_AT_ONCE, ASKED // max(1, len(values))))):
        lower = with_number(s.best, first.path, first.at(distance))
        for value in values:
            calls = s.calls
            if s.try_edit(with_number(lower, second.path, value)):
                return -1
            passing += s.calls > calls
            if passing >= MOST_PASSING or (s.invalid and not _asks_freely(s)):
                return passing
    return passing


def delete_and_compensate(s: Shrinker, path: Path, node: Node) -> None:
    """Delete an element of a short list, and search the values of another one that keep it valid, such as a check
    digit."""
    if s.patience != math.inf or not s.sparse or not _asks_freely(s) or not 2 <= len(node.children) <= SHORT:
        return
    before = s.calls
    for i in reversed(range(len(node.children))):
        rest = without(node.children, i, i + 1)
        for j in reversed(range(len(rest))):
            element = rest[j]
            if element is None:
                continue
            for number in numbers_of(element)[:1]:
                for value in range(number.gen.towards, number.gen.towards + MOST_DIGITS):
                    if number.gen.fits(value):
                        changed = [*rest[:j], with_number(element, number.path, value), *rest[j + 1 :]]
                        if s.try_edit(with_children(s.best, path, changed)):
                            return
                        if s.calls - before >= MOST_PASSING // 2 or (s.invalid and not _asks_freely(s)):
                            return


def exchange_values(s: Shrinker, path: Path, node: Node) -> None:
    """Exchange two values wherever they are elements of a list: what is symmetrical stays so."""
    if s.patience != math.inf or not s.sparse or not _asks_freely(s):
        return
    kids = [child for child in node.children if child is not None]
    found = [numbers_of(child) for child in kids]
    if not kids or any(len(numbers) != 1 for numbers in found):
        return
    values = sorted(
        {numbers[0].value for numbers in found}, key=lambda value: abs(value - found[0][0].gen.towards)
    )
    for one, other in combinations(values[:EXCHANGED], 2):
        swapped = {one: other, other: one}
        changed = [
            with_number(child, number.path, swapped.get(number.value, number.value))
            for child, (number,) in zip(kids, found)
        ]
        if s.try_edit(with_children(s.best, path, changed)):
            return
