"""Values that differ in one place from one that a generator made: where a generator stops, its gaps begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from everycase.complete.language.types import BOOL, INT, DataType, Type, Value
from everycase.complete.language.values import size_of
from everycase.complete.search.worlds import World

MADE = 60  # values whose neighbours are looked at
MOST = 4_000  # neighbours of all of them together
OTHERS = 6  # small values that a part is replaced by


def neighbours(kind: Type, made: Iterable[Value], world: World) -> list[Value]:
    """What differs in one place from some of these values, smallest first.

    Some of the smallest values and some of the largest are taken, since either end may be one step short.
    """
    ordered = sorted(made, key=lambda v: size_of(kind, v))
    chosen = ordered if len(ordered) <= MADE else [*ordered[: MADE // 2], *ordered[-MADE // 2 :]]
    found: dict[Value, None] = {}
    for value in chosen:
        for other in _near(kind, value, world):
            found[other] = None
            if len(found) >= MOST:
                break
    known = set(ordered)
    return sorted((v for v in found if v not in known), key=lambda v: size_of(kind, v))


def _near(kind: Type, value: Value, world: World) -> Iterator[Value]:
    if kind is INT:
        yield from (value + 1, value - 1)
    elif kind is BOOL:
        yield not value
    elif not isinstance(kind, DataType):
        longer, shorter = value + (value[-1:] or "a"), value[:-1]
        yield from (text for text in (longer, shorter, *world.texts[:OTHERS]) if text != value)
    else:
        yield from _near_data(kind, value, world)


def _near_data(kind: DataType, value: Value, world: World) -> Iterator[Value]:
    if kind.is_list:
        yield from _lists_near(kind, value, world)
    elif len(kind.constructors) > 1:
        yield from (other for other in world.of_size(kind, 0)[:OTHERS] if other != value)
    for i, (_, part) in enumerate(kind.constructors[value[0]].fields, start=1):
        for other in _near(part, value[i], world):
            yield (*value[:i], other, *value[i + 1 :])


def _lists_near(kind: DataType, value: Value, world: World) -> Iterator[Value]:
    """One element less, one more, or two in another order; the places further on are looked at in the tail."""
    if value[0] == 0:
        yield from ((1, item, value) for item in world.of_size(kind.element, 0)[:OTHERS])
        return
    _, head, tail = value
    yield tail
    yield (1, head, value)
    if tail[0] == 1:
        yield (1, tail[1], (1, head, tail[2]))
