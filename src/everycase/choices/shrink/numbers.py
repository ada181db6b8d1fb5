"""The moves of the shrinker that change numbers and leave the shape of the trace alone."""

from __future__ import annotations

import math
import struct
import sys
from functools import partial
from itertools import combinations

from everycase.choices.shrink.moves import (
    IntAt,
    Node,
    Path,
    Patience,
    best_numbers,
    best_spans,
    in_chunks,
    lowest,
    number_at,
    number_of,
    with_number,
)
from everycase.choices.shrink.shrinker import Shrinker, int_order

#: Maximum distance (in numbers) between two numbers that are moved together.
REACH = 8

#: From here on a number has enough binary digits to try them one by one.
MANY_DIGITS = 1 << 16

#: Up to here floats can be any whole number.
_LAST_WHOLE = 2.0**53


def zero_numbers(s: Shrinker) -> None:
    """Give numbers their simplest value, many at a time, the first ones first, because those count most."""
    paths = [number.path for number in reversed(best_numbers(s)) if number.distance]

    def zeroed(i: int, j: int) -> bool:
        edited = s.best
        for path in paths[i:j]:
            number = number_at(edited, path)
            if number is None:
                return False
            edited = with_number(edited, path, number.gen.towards)
        return s.try_edit(edited)

    in_chunks(s, len(paths), zeroed, small=0)


def lower_number(s: Shrinker, path: Path, node: Node) -> bool:
    """Move a number that cannot be the simplest one as near to it as possible; returns whether it moved."""

    def changed(value: int) -> bool:
        return number.gen.fits(value) and s.try_edit(with_number(s.best, path, value))

    best = s.best
    number = number_of(path, node)
    towards = number.gen.towards
    if number.value < towards:
        if changed(towards + 1):
            return True
        if changed(2 * towards - number.value):
            number = number._replace(value=2 * towards - number.value)
    distance = lowest(number.distance, lambda distance: changed(number.at(distance)))
    if number.value > towards and distance > 1:
        changed(towards - distance + 1)
    return s.best is not best


def jump(s: Shrinker, path: Path, node: Node) -> None:
    """Move a number past some that do not fail: in steps, as for an even number, or far, or to a notable
    one."""
    number = number_of(path, node)
    distance = number.distance

    def moved(distance: int) -> bool:
        return s.try_edit(with_number(s.best, path, number.at(distance)))

    # First far: where one number in ten passes, short steps would never end.
    if distance > 16 and not number.gen.landmarks and moved(distance // 2):
        lower_number(s, path, s.best.at(path) or node)
        return
    # If there is only one number, longer steps cost little.
    for step in range(2, 9 if len(best_numbers(s)) == 1 else 3):
        if distance > step and moved(distance - step):
            if not lower_number(s, path, s.best.at(path) or node):
                steps, rest = divmod(distance, step)
                if lowest(steps - 1, lambda n: moved(rest + n * step)) == 1:  # noqa: B023
                    moved(rest)
            return
    for landmark in number.gen.landmarks if distance > 16 else ():
        if abs(landmark - number.gen.towards) < distance and s.try_edit(with_number(s.best, path, landmark)):
            return


def lower_bits(s: Shrinker, path: Path, node: Node) -> None:
    """Clear the binary digits of a large number one by one, and move the highest down: for tests that look at
    digits, or compare with a float."""
    distance = number_of(path, node).distance
    if distance < MANY_DIGITS:
        return

    def moved(distance: int) -> bool:
        number = number_at(s.best, path)
        return number is not None and s.try_edit(with_number(s.best, path, number.at(distance)))

    top = distance.bit_length() - 1
    rest = distance - (1 << top)
    lower = lowest(top + 1, lambda place: moved(rest | 1 << (place - 1))) - 1
    distance = rest | 1 << lower
    for place in reversed(range(distance.bit_length() - 1)):
        if distance >> place & 1 and moved(distance - (1 << place)):
            distance -= 1 << place


def lower_together(s: Shrinker) -> None:
    """Lower all numbers that are equal at once."""
    groups: dict[int, list[IntAt]] = {}
    for number in best_numbers(s):
        if number.distance:
            groups.setdefault(number.value, []).append(number)
    for equal in groups.values():
        if len(equal) > 1:
            _lower_equal(s, equal)


def _lower_equal(s: Shrinker, equal: list[IntAt]) -> None:
    def changed(value: int) -> bool:
        edited = s.best
        for number in equal:
            edited = with_number(edited, number.path, value)
        return s.try_edit(edited)

    def lowered(distance: int) -> bool:
        return changed(equal[0].at(distance))

    towards, value = equal[0].gen.towards, equal[0].value
    if s.patience == math.inf and value < towards and changed(2 * towards - value):
        return
    if lowest(equal[0].distance, lowered) == 1:
        lowered(0)


def lower_pairs(s: Shrinker) -> None:
    """Move a number towards its simplest value and a later one by as much, in the same direction or the other."""
    numbers = best_numbers(s)
    patience = Patience(s)
    for i in range(len(numbers)):
        for j in range(i + 1, i + REACH):
            if j < len(numbers) and _are_worth_it(s, numbers[i], numbers[j]):
                _lower_pair(s, numbers[i], numbers[j])
                if patience.lost():
                    return
                numbers = best_numbers(s)


def _are_worth_it(s: Shrinker, first: IntAt, second: IntAt) -> bool:
    """Whether to move two numbers together: at first only equal ones, neither of which is the simplest."""
    if first.distance == 0:
        return False
    return s.patience == math.inf or (first.gen is second.gen and second.distance > 0)


def _lower_pair(s: Shrinker, first: IntAt, second: IntAt) -> None:
    start = s.best

    def moved(distance: int, direction: int) -> bool:
        value = first.at(distance)
        goal = second.value + direction * (value - first.value)
        return second.gen.fits(goal) and s.try_edit(
            with_number(with_number(start, first.path, value), second.path, goal)
        )

    for direction in (1, -1):
        if moved(first.distance - 1, direction):
            search = partial(moved, direction=direction)
            if lowest(first.distance - 1, search) == 1:
                search(0)
            return


def shift_all(s: Shrinker) -> None:
    """Move all numbers of a kind by the same amount, so that the first of them becomes the simplest one, or to
    the other side of it."""
    if s.patience < math.inf:
        return
    groups: dict[int, list[IntAt]] = {}
    for number in best_numbers(s):
        groups.setdefault(id(number.gen), []).append(number)
    for alike in groups.values():
        towards = alike[0].gen.towards
        first = next((number.value for number in alike if number.value != towards), towards)
        if len(alike) > 1 and first != towards:
            moves = [[number.value - first + towards for number in alike]]
            if first < towards:
                moves.insert(0, [2 * towards - number.value for number in alike])
            if any(_all_changed(s, alike, values) for values in moves):
                return  # the other groups may have changed with it


def _all_changed(s: Shrinker, numbers: list[IntAt], values: list[int]) -> bool:
    edited = s.best
    for number, value in zip(numbers, values):
        if not number.gen.fits(value):
            return False
        edited = with_number(edited, number.path, value)
    return s.try_edit(edited)


def keep_product(s: Shrinker) -> None:
    """Lower a number as far as a later one can compensate, so that their product stays the same, or grows a
    little."""
    if s.patience < math.inf:
        return
    numbers = best_numbers(s)
    for i, first in enumerate(numbers[:REACH]):
        for second in numbers[i + 1 : i + 3]:
            if first.distance > 1 and second.distance > 1 and _product_kept(s, first, second):
                return


def _product_kept(s: Shrinker, first: IntAt, second: IntAt) -> bool:
    product = first.distance * second.distance
    end = second.gen.hi if second.value > second.gen.towards else second.gen.lo
    least = 1 if end is None else -(-product // max(1, abs(end - second.gen.towards)))
    goal = second.at(-(-product // least))
    edited = with_number(with_number(s.best, first.path, first.at(least)), second.path, goal)
    return least < first.distance and second.gen.fits(goal) and s.try_edit(edited)


def lower_float(s: Shrinker, path: Path, node: Node) -> None:
    """Simplify a float: a small whole number, else fewer decimal places and a smaller whole part."""

    # A simpler trace may have other parts: this number may no longer exist.
    def now() -> float:
        current = s.best.at(path)
        return current.choice if current is not None and isinstance(current.choice, float) else 0.0

    def changed(value: float) -> bool:
        current = s.best.at(path)
        if current is None or not isinstance(current.choice, float):
            return False
        return s.try_edit(s.best.replace(path, current.with_choice(value)))

    if changed(0.0) or changed(1.0):
        return
    if math.isnan(now()):
        changed(math.inf)
    if now() < 0:
        changed(-now())
    if math.isinf(now()):
        changed(math.copysign(sys.float_info.max, now()))
    if not math.isfinite(now()):
        return
    sign = math.copysign(1.0, now())
    if abs(now()) > _LAST_WHOLE and not changed(sign * _LAST_WHOLE):
        # Here the steps between floats are longer than one, so the floats are counted.
        lowest(_number_of_float(abs(now())), lambda n: changed(sign * _numbered_float(n)))
        return
    size = abs(now())
    whole = int(size)
    if size == whole or changed(sign * whole) or changed(sign * (whole + 1)):
        lowest(int(abs(now())), lambda n: changed(sign * n))
        if s.patience == math.inf and abs(now()) > 2:
            changed(sign * (abs(now()) - 2))  # past one that does not fail
        return
    for places in range(1, 17):
        scale = 10**places
        rest = int((size - whole) * scale)
        for digits in (scale // 2, rest, rest + 1):
            if changed(sign * (whole * scale + digits) / scale):
                lowest(digits, lambda n: changed(sign * (whole * scale + n) / scale))  # noqa: B023
                break
        else:
            continue
        break
    fraction = abs(now()) - whole
    if not changed(sign * fraction):
        lowest(whole, lambda n: changed(sign * (n + fraction)))


def lower_floats(s: Shrinker) -> None:
    """Move two floats towards zero by the same whole number, so that their difference stays the same."""
    if s.patience < math.inf:
        return
    paths = [
        path for path, node in s.best.walk() if isinstance(node.choice, float) and math.isfinite(node.choice)
    ]
    for i, first in enumerate(paths):
        for second in paths[i + 1 : i + REACH]:
            _lower_two_floats(s, first, second)


def _lower_two_floats(s: Shrinker, first: Path, second: Path) -> None:
    one, other = (node and node.choice for node in (s.best.at(first), s.best.at(second)))
    if not isinstance(one, float) or not isinstance(other, float) or not 1 < abs(one) < _LAST_WHOLE:
        return  # a simpler trace may have other parts

    def changed(value: float, second_value: float) -> bool:
        edited = s.best
        for path, number in ((first, value), (second, second_value)):
            node = edited.at(path)
            if node is None or not isinstance(node.choice, float):
                return False
            edited = edited.replace(path, node.with_choice(number))
        return s.try_edit(edited)

    if one < 0 and changed(-one, -other):
        one, other = -one, -other
    sign = math.copysign(1.0, one)
    fraction, whole = math.modf(abs(one))

    def moved(size: float) -> bool:
        return changed(sign * size, other - (one - sign * size))

    if not fraction or moved(whole) or moved(whole + 1):
        fraction = 0.0
    if not moved(fraction):
        lowest(int(whole), lambda n: moved(n + fraction))


def _number_of_float(value: float) -> int:
    """The number of floats below a positive one: their bits, read as an integer, are in the order of their
    values."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def _numbered_float(number: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", number))[0])


# --- failing numbers that have gaps ---------------------------------------------------------------------
#
# Moves for tests whose failing values have gaps: digits, divisors, remainders, hashes.
#
# In most tests the failing numbers are all those beyond a bound, which the usual moves find. Otherwise they
# stop at the first number below which nothing fails, far from the least. Then simpler values are tried one by
# one, within a limited number of calls. This situation shows when a number passes and a nearer one fails, or
# when something large and random could not be simplified at all. In all other cases nothing is done here, so
# these moves cost nothing for most tests.

#: How many numbers below one are tried one by one (days of the calendar: a week), and how many pairs below two;
#: fewer if the two are equal, because that is most likely why the test fails.
MOST_NUMBERS = 256
A_WEEK = 7
MOST_PAIRS = 100
MOST_FOR_EQUAL = 40

#: Maximum number of calls and seconds for all of this.
CALLS = 600
SECONDS = 3.0

#: Numbers nearer to the simplest one than this may be there by chance.
FAR = 4


def try_all_smaller(s: Shrinker) -> None:
    """Try the values simpler than a number one by one, and those simpler than two numbers."""
    if s.patience < math.inf:
        return
    numbers = [number for number in best_numbers(s) if number.distance]
    chosen = [number for number in numbers if not number.gen.landmarks and _is_by_chance(s, number)]
    odd = chosen + [number for number in numbers if number not in chosen and _has_gaps(s, number, numbers)]
    if any(_smaller_found(s, number) for number in odd[:4]):
        return
    pairs = [(one, other) for one, other in combinations(numbers[:4], 2) if one in chosen or other in chosen]
    any(_smaller_pair_found(s, one, other) for one, other in pairs)


def _is_by_chance(s: Shrinker, number: IntAt) -> bool:
    """Whether a number is still random, and not a notable one. (Of many small ones, some always are.)"""
    notable = number.value in (number.gen.lo, number.gen.hi)
    far = number.distance > max(FAR, len(s.first_distances))
    return far and not notable and number.distance in s.first_distances


def _has_gaps(s: Shrinker, number: IntAt, numbers: list[IntAt]) -> bool:
    """Whether a number farther away passes. (Not if there is an equal one: then that is the reason.)"""
    passed = s.gaps.get(best_spans(s)[number.path][0], 0)
    return passed > int_order(number.gen, number.value) and not any(
        other.value == number.value and other is not number for other in numbers
    )


def _smaller_found(s: Shrinker, number: IntAt) -> bool:
    distance = number.distance
    fewer_digits = [
        distance - (1 << place) for place in reversed(range(distance.bit_length())) if distance >> place & 1
    ]
    nearer = range(1, min(distance, A_WEEK + 1 if number.gen.landmarks else MOST_NUMBERS))
    return any(
        _try_in_budget(s, _at(s.best, number, n, side)) for n in (*fewer_digits, *nearer) for side in (1, -1)
    )


def _smaller_pair_found(s: Shrinker, first: IntAt, second: IntAt) -> bool:
    """Try all pairs of small numbers, those with the smallest sum first."""
    tried = 0
    most = MOST_FOR_EQUAL if first.value == second.value else MOST_PAIRS
    for total in range(2, first.distance + second.distance):
        for one in range(min(total, first.distance) + 1):
            tried += 1
            if tried > most:
                return False
            edited = _at(_at(s.best, first, one), second, total - one)
            if _try_in_budget(s, edited):
                return True
    return False


def _at(trace: Node | None, number: IntAt, distance: int, side: int = 1) -> Node | None:
    value = number.gen.towards + side * (number.at(distance) - number.gen.towards)
    return with_number(trace, number.path, value) if trace is not None and number.gen.fits(value) else None


def _try_in_budget(s: Shrinker, edited: Node | None) -> bool:
    if edited is None or s.smaller_calls >= CALLS or s.smaller_seconds > SECONDS:
        return False
    calls, start = s.calls, s.clock()
    try:
        return s.try_edit(edited)
    finally:
        s.smaller_calls += s.calls - calls
        s.smaller_seconds += s.clock() - start
