"""Random nestings of descriptions, each with a validator that is written from the description alone.

A :class:`Nesting` is a generator and a function that checks whether a value fits its description. The functions here
know what a list of two to four elements *is*, and nothing about how everycase makes one.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from everycase import gen

Valid = Callable[[Any], bool]


class Nesting(NamedTuple):
    """A generator, and a check whether a value is one of its own."""

    gen: gen.Gen[Any]
    valid: Valid


@dataclass(frozen=True)
class Box:
    content: Any
    label: int


@dataclass
class Tray:
    left: Any
    right: Any


def written(value: Any) -> str:
    """A text that identifies a value, even among equal values that look different. Not recursive, as values may nest
    deep.
    """
    parts: list[str] = []
    pending = [value]
    while pending:
        part = pending.pop()
        kind = part.__class__
        if kind in (list, tuple):
            parts.append(f"{kind.__name__} of {len(part)}")
            pending.extend(part)
        elif kind in (set, frozenset):
            parts.append(f"{kind.__name__} {sorted(map(repr, part))}")  # of leaves
        elif kind is dict:
            parts.append(f"dict of {len(part)}")
            pending.extend(each for item in part.items() for each in item)
        elif kind is Box:
            parts.append("Box")
            pending += [part.content, part.label]
        elif kind is Tray:
            parts.append("Tray")
            pending += [part.left, part.right]
        else:
            parts.append(f"{kind.__name__} {part!r}")
    return ", ".join(parts)


def verdict(value: Any, salt: int, share: int) -> bool:
    """Whether a value passes; one in ``share`` fails. It depends on how the value is written, so equal values
    (``Decimal("0")`` and ``Decimal("0.00")``) may differ.
    """
    return zlib.crc32(f"{salt} {written(value)}".encode()) % share > 0


def differing(value: Any) -> bool:
    """A predicate that looks at few parts, so it can be used for pruning: the first two differ."""
    return not isinstance(value, list | tuple) or len(value) < 2 or value[0] != value[1]


# --- leaves ---------------------------------------------------------------------------------------------


def _integers(random: Random) -> Nesting:
    low = random.choice([None, 0, -3, 5, -(10**6), 2**60])
    high = random.choice([None, 0, 3, 100, 10**12])
    if low is not None and high is not None:
        high = low + abs(high)
    elif low is None and high is not None:
        high = random.choice([high, -high])
    return Nesting(
        gen.integers(low, high),
        lambda v: type(v) is int and (low is None or v >= low) and (high is None or v <= high),
    )


def _floats(random: Random) -> Nesting:
    low, high = random.choice(
        [(None, None), (0.0, 1.0), (-1e300, 1e300), (None, -2.5), (1e-9, 1e-8), (3.0, 3.0)]
    )
    strange = (low, high) == (None, None) and random.random() < 0.5

    def valid(v: Any) -> bool:
        if type(v) is not float:
            return False
        if math.isnan(v) or math.isinf(v):
            return strange or (math.isinf(v) and low is None and high is None)
        return (low is None or v >= low) and (high is None or v <= high)

    if strange:
        return Nesting(gen.floats(allow_nan=True), valid)
    return Nesting(
        gen.floats(low, high, allow_nan=False, allow_infinity=None if high is None else False), valid
    )


def _decimals(random: Random) -> Nesting:
    places = random.choice([None, 0, 2, 6])
    low, high = random.choice([(-1, 1), (Decimal("0.25"), 9), (-1000, Decimal("-0.5")), (0, 10**9)])

    def valid(v: Any) -> bool:
        if type(v) is not Decimal or not v.is_finite() or not low <= v <= high:
            return False
        return places is None or v == round(v, places)

    return Nesting(gen.decimals(low, high, places=places), valid)


def _fractions(random: Random) -> Nesting:
    low, high = random.choice([(Fraction(1, 3), Fraction(1, 2)), (Fraction(-5), Fraction(7, 2))])
    most = random.choice([5, 12])  # without a limit, reading the choices back tries all denominators
    return Nesting(
        gen.fractions(low, high, max_denominator=most),
        lambda v: type(v) is Fraction and low <= v <= high and v.denominator <= most,
    )


def _moments(random: Random) -> Nesting:
    start = date(random.choice([1, 1899, 1999, 2024]), random.choice([1, 2, 12]), random.choice([1, 28]))
    end = start + timedelta(days=random.choice([0, 1, 40, 800]))
    if random.random() < 0.6:
        return Nesting(gen.dates(start, end), lambda v: type(v) is date and start <= v <= end)
    first, last = datetime.combine(start, datetime.min.time()), datetime.combine(end, datetime.max.time())
    return Nesting(gen.datetimes(first, last), lambda v: type(v) is datetime and first <= v <= last)


def _texts(random: Random) -> Nesting:
    low = random.choice([0, 0, 1, 3])
    high = random.choice([None, low, low + 1, low + 100])

    def sized(v: Any) -> bool:
        return low <= len(v) and (high is None or len(v) <= high)

    if random.random() < 0.2:
        return Nesting(gen.binary(min_size=low, max_size=high), lambda v: type(v) is bytes and sized(v))
    alphabet = random.choice(["a", "ab", "0123456789", None])
    return Nesting(
        gen.text(alphabet, min_size=low, max_size=high)
        if alphabet
        else gen.text(min_size=low, max_size=high),
        lambda v: (
            type(v) is str
            and sized(v)
            and all(c in alphabet if alphabet else not 0xD800 <= ord(c) < 0xE000 for c in v)
        ),
    )


def _constants(random: Random) -> Nesting:
    if random.random() < 0.3:
        return Nesting(gen.booleans(), lambda v: type(v) is bool)
    options = random.sample([None, "x", (), 7, True, frozenset({1})], random.randint(1, 4))
    names = {written(option) for option in options}
    return Nesting(gen.sampled_from(options), lambda v: written(v) in names)


LEAVES = (_integers, _integers, _floats, _decimals, _fractions, _moments, _texts, _texts, _constants)


# --- structure ------------------------------------------------------------------------------------------

Make = Callable[[], Nesting]


def _sizes(random: Random, most: int) -> tuple[int, int | None, Callable[[Any], bool]]:
    low = random.choice([0, 0, 1, 2, 3])
    high = random.choice([None, low, low + 2, low + most])
    return low, high, lambda v: len(v) >= low and (high is None or len(v) <= high)


def _list(random: Random, part: Make) -> Nesting:
    inner = part()
    low, high, sized = _sizes(random, 30)
    return Nesting(
        gen.lists(inner.gen, min_size=low, max_size=high),
        lambda v: type(v) is list and sized(v) and all(map(inner.valid, v)),
    )


def _unique(random: Random, part: Make) -> Nesting:
    inner = part()
    low, high = random.choice([0, 1]), random.choice([None, 1, 4])
    key: Callable[[Any], Any] = random.choice([written, lambda v: len(written(v))])
    return Nesting(
        gen.lists(inner.gen, min_size=low, max_size=high, unique_by=key),
        lambda v: (
            type(v) is list
            and len(v) >= low
            and (high is None or len(v) <= high)
            and all(map(inner.valid, v))
            and len({key(each) for each in v}) == len(v)
        ),
    )


def _set(random: Random, part: Make) -> Nesting:
    inner = random.choice([_integers, _texts, _decimals, _moments])(random)
    kind = random.choice([set, frozenset])
    make = gen.sets if kind is set else gen.frozensets
    high = random.choice([None, 1, 4])
    return Nesting(
        make(inner.gen, max_size=high),
        lambda v: type(v) is kind and (high is None or len(v) <= high) and all(map(inner.valid, v)),
    )


def _dictionary(random: Random, part: Make) -> Nesting:
    keys, values = random.choice([_integers, _texts, _moments])(random), part()
    high = random.choice([None, 1, 4])
    return Nesting(
        gen.dictionaries(keys.gen, values.gen, max_size=high),
        lambda v: (
            type(v) is dict
            and (high is None or len(v) <= high)
            and all(map(keys.valid, v))
            and all(map(values.valid, v.values()))
        ),
    )


def _fixed(random: Random, part: Make) -> Nesting:
    needed, optional = part(), part()
    return Nesting(
        gen.fixed_dictionaries({"a": needed.gen}, optional={"b": optional.gen}),
        lambda v: (
            type(v) is dict
            and set(v) in ({"a"}, {"a", "b"})
            and needed.valid(v["a"])
            and ("b" not in v or optional.valid(v["b"]))
        ),
    )


def _tuple(random: Random, part: Make) -> Nesting:
    parts = [part() for _ in range(random.randint(1, 4))]
    return Nesting(
        gen.tuples(*[each.gen for each in parts]),
        lambda v: (
            type(v) is tuple
            and len(v) == len(parts)
            and all(each.valid(below) for each, below in zip(parts, v))
        ),
    )


def _class(random: Random, part: Make) -> Nesting:
    one, two = part(), part()
    if random.random() < 0.5:
        return Nesting(
            gen.builds(Box, one.gen, label=gen.integers(0, 3)),
            lambda v: (
                type(v) is Box and one.valid(v.content) and type(v.label) is int and v.label in range(4)
            ),
        )
    return Nesting(
        gen.builds(Tray, one.gen, two.gen),
        lambda v: type(v) is Tray and one.valid(v.left) and two.valid(v.right),
    )


def _union(random: Random, part: Make) -> Nesting:
    options = [part() for _ in range(random.randint(2, 3))]
    if random.random() < 0.3:
        made: gen.Gen[Any] = gen.frequency(*[(random.randint(1, 5), each.gen) for each in options])
    else:
        made = gen.one_of(*[each.gen for each in options])
    return Nesting(made, lambda v: any(each.valid(v) for each in options))


def _mapped(random: Random, part: Make) -> Nesting:
    inner = part()
    match random.randint(0, 3):
        case 0:
            return Nesting(
                inner.gen.map(lambda v: ("tag", v), inverse=lambda v: v[1]),
                lambda v: (
                    type(v) is tuple
                    and len(v) == 2
                    and v[0].__class__ is str
                    and v[0] == "tag"
                    and inner.valid(v[1])
                ),
            )
        case 1:
            return Nesting(
                inner.gen.map(lambda v: [v]),
                lambda v: type(v) is list and len(v) == 1 and inner.valid(v[0]),
            )
        case 2:
            factor, shift = random.choice([2, 3, -1]), random.randint(-5, 5)
            source = _integers(random)
            return Nesting(
                source.gen.map(lambda n: n * factor + shift, inverse=lambda m: (m - shift) // factor),
                lambda v: (
                    type(v) is int and (v - shift) % factor == 0 and source.valid((v - shift) // factor)
                ),
            )
        case _:
            source = _texts(random)
            return Nesting(
                source.gen.map(lambda t: t[::-1], inverse=lambda t: t[::-1]),
                lambda v: type(v) in (str, bytes) and source.valid(v[::-1]),
            )


def _filtered(random: Random, part: Make) -> Nesting:
    inner = part()
    if random.random() < 0.4:
        return Nesting(inner.gen.filter(differing), lambda v: inner.valid(v) and differing(v))
    salt, share = random.randint(0, 10**6), random.choice([2, 3, 5])
    return Nesting(
        inner.gen.filter(lambda v: verdict(v, salt, share)),
        lambda v: inner.valid(v) and verdict(v, salt, share),
    )


def _bound(random: Random, part: Make) -> Nesting:
    inner = part()
    if random.random() < 0.5:
        options = [inner, part()]
        return Nesting(
            gen.integers(0, 1).flatmap(lambda n: gen.tuples(gen.just(n), options[n].gen)),
            lambda v: (
                type(v) is tuple
                and len(v) == 2
                and type(v[0]) is int
                and v[0] in (0, 1)
                and options[v[0]].valid(v[1])
            ),
        )
    return Nesting(
        gen.integers(0, 3).flatmap(lambda n: gen.lists(inner.gen, min_size=n, max_size=n)),
        lambda v: type(v) is list and len(v) <= 3 and all(map(inner.valid, v)),
    )


@gen.composite
def _runs(draw: gen.Draw, element: gen.Gen[Any], low: int) -> list[Any]:
    count = draw(gen.integers(low, 3))
    return [(count, [draw(element) for _ in range(count)]), draw(gen.integers(count, count + 5))]


@gen.composite
def _until(draw: gen.Draw, element: gen.Gen[Any]) -> list[Any]:
    found = []
    while draw(gen.booleans()) and len(found) < 5:
        found.append(draw(element))
    return found


def _composite(random: Random, part: Make) -> Nesting:
    inner = part()
    if random.random() < 0.5:
        low = random.randint(0, 2)

        def valid(v: Any) -> bool:
            if type(v) is not list or len(v) != 2 or type(v[0]) is not tuple or len(v[0]) != 2:
                return False
            (count, elements), last = v
            return (
                type(count) is int
                and low <= count <= 3
                and type(elements) is list
                and len(elements) == count
                and all(map(inner.valid, elements))
                and type(last) is int
                and count <= last <= count + 5
            )

        return Nesting(_runs(inner.gen, low), valid)
    return Nesting(_until(inner.gen), lambda v: type(v) is list and len(v) <= 5 and all(map(inner.valid, v)))


def _recursion(random: Random, part: Make) -> Nesting:
    """A recursion with a base case, through any structure that the dice choose."""
    end = part()
    depth = random.randint(1, 2)

    def extended(whole: Nesting) -> Nesting:
        used = False

        def below() -> Nesting:
            nonlocal used
            if not used or random.random() < 0.4:
                used = True
                return whole
            return _leaf(random)

        step = random.choice(STRUCTURES)(random, below)
        for _ in range(depth - 1):
            step = random.choice(STRUCTURES)(random, lambda step=step: step)
        # Inside a constructor; without one there would be infinitely many values of one size.
        return Nesting(gen.tuples(step.gen), lambda v: type(v) is tuple and len(v) == 1 and step.valid(v[0]))

    if random.random() < 0.5:
        # The validator of the whole is known before its parts are.
        known: list[Valid] = []
        whole = Nesting(gen.deferred(lambda: union), lambda v: known[0](v))
        step = extended(whole)
        options = [end, step] if random.random() < 0.7 else [step, end]
        union = gen.one_of(*[each.gen for each in options])
        known.append(lambda v: any(each.valid(v) for each in options))
        return Nesting(union, whole.valid)
    ends: list[Valid] = [end.valid]
    steps: list[Nesting] = []

    def extend(inside: gen.Gen[Any]) -> gen.Gen[Any]:
        if not steps:
            steps.append(extended(Nesting(inside, lambda v: any(valid(v) for valid in ends))))
            ends.append(steps[0].valid)
        return steps[0].gen

    return Nesting(
        gen.recursive(end.gen, extend, max_leaves=random.choice([5, 100])),
        lambda v: any(valid(v) for valid in ends),
    )


STRUCTURES = (
    _list,
    _list,
    _unique,
    _set,
    _dictionary,
    _fixed,
    _tuple,
    _tuple,
    _class,
    _union,
    _mapped,
    _filtered,
    _bound,
    _composite,
)


def _leaf(random: Random) -> Nesting:
    return random.choice(LEAVES)(random)


def nesting(seed: int) -> Nesting:
    """The nesting with this number."""
    random = Random(f"nesting {seed}")
    left = random.randint(1, 7)  # how many more structures may be made

    def part() -> Nesting:
        nonlocal left
        if left <= 0 or random.random() < 0.2:
            return _leaf(random)
        left -= 1
        return random.choice((*STRUCTURES, _recursion, _recursion))(random, part)

    left -= 1
    return random.choice((*STRUCTURES, _recursion, _recursion, _recursion))(random, part)
