"""Random generators and random predicates: narrowing must find the values that filtering finds, in every search order."""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple

import attrs
import pytest

from everycase import gen
from everycase.errors import GeneratorError
from everycase.gen.base import Gen
from everycase.narrow import Narrowing, Shuffled


@dataclass
class Plain:
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Slotted:
    a: Any


class Named(NamedTuple):
    a: Any
    b: Any


@attrs.frozen
class Framed:
    a: Any
    b: Any


@dataclass
class Checked:
    """Its constructor has side effects, so it is made whole."""

    a: Any

    def __post_init__(self) -> None:
        self.b = (self.a, 1)


def random_gen(dice: random.Random, depth: int) -> Gen[Any]:
    leaves: list[Callable[[], Gen[Any]]] = [
        lambda: gen.just(dice.choice([None, 0, "x", ()])),
        lambda: gen.integers(0, dice.randrange(4)),
        gen.integers,
        lambda: gen.integers(min_value=dice.randrange(-2, 3)),
        gen.booleans,
        lambda: gen.sampled_from([None, 1, "a"]),
        lambda: gen.integers(0, 3).map(lambda n: n // 2),
        lambda: gen.integers(0, 4).filter(lambda n: n % 2 == 0),
        lambda: gen.text("ab", max_size=1),
        gen.nothing,
    ]
    if depth == 0:
        return dice.choice(leaves)()

    def below() -> Gen[Any]:
        return random_gen(dice, depth - 1)

    nests: list[Callable[[], Gen[Any]]] = [
        lambda: gen.builds(Plain, below(), below()),
        lambda: gen.builds(Slotted, below()),
        lambda: gen.builds(Named, below(), below()),
        lambda: gen.builds(Framed, a=below(), b=below()),
        lambda: gen.builds(Checked, below()),
        lambda: gen.tuples(below(), below()),
        lambda: gen.lists(below(), min_size=dice.randrange(2), max_size=dice.choice([None, 2, 3])),
        lambda: gen.one_of(below(), below(), below()),
        lambda: gen.one_of(gen.builds(Plain, below(), below()), gen.builds(Slotted, below())),
        lambda: gen.one_of(
            gen.none(), gen.builds(Plain, below(), below()), gen.builds(Framed, below(), below())
        ),
        lambda: _recursive(below()),
        lambda: gen.integers(0, 2).flatmap(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n)),
        lambda: below().map(lambda value: (value,)),
    ]
    return dice.choice(nests)()


def _recursive(leaf: Gen[Any]) -> Gen[Any]:
    whole: Gen[Any] = gen.deferred(
        lambda: gen.one_of(leaf, gen.builds(Plain, whole, leaf), gen.builds(Slotted, whole))
    )
    return whole


def random_predicate(dice: random.Random, depth: int) -> Callable[[Any], bool]:
    """A predicate that looks at some parts of any value, in one of many ways."""
    seed = dice.randrange(2**32)

    def holds(value: Any, level: int = depth, salt: int = seed) -> bool:
        nested = (salt * 1103515245 + 12345) % 2**31
        pick = (nested >> 8) % 100

        def deeper(part: Any) -> bool:
            return level <= 0 or holds(part, level - 1, nested)

        if value is None:
            return pick < 70
        if isinstance(value, bool):
            return value or pick < 50
        if isinstance(value, int):
            bound = (nested >> 16) % 5 - 1
            return [value < bound, value >= bound, value != bound, value % 2 == 0, value + 1 > bound][
                pick % 5
            ]
        if isinstance(value, str):
            return len(value) == 0 or pick < 60
        if isinstance(value, list):
            return [
                len(value) < 2,
                all(map(deeper, value)),
                any(map(deeper, value)),
                bool(value) and deeper(value[0]),
                not value or deeper(value[-1]),
                value == value[::-1],
                len(value[1:]) == 1 or all(deeper(one) for one in value[1:]),
            ][pick % 7]
        if isinstance(value, tuple):
            return all(map(deeper, value)) if pick < 50 else any(map(deeper, value))
        match value:
            case Slotted(a):
                return deeper(a)
            case Plain(a, b) if pick < 50:
                return deeper(b) and deeper(a)
            case Plain(a, b):
                return deeper(a) or a == b
            case Framed(a=a, b=b):
                return a == b if pick < 30 else deeper(a)
        assert is_dataclass(value)
        return any(deeper(getattr(value, field.name)) for field in fields(value))

    return holds


@functools.cache
def cases(count: int = 200, seed: int = 0) -> list[tuple[int, Gen[Any], Callable[[Any], bool], int]]:
    found: list[tuple[int, Gen[Any], Callable[[Any], bool], int]] = []
    while len(found) < count:
        seed += 1
        dice = random.Random(seed)
        made = random_gen(dice, 1 + seed % 3)
        size = 2 + seed % 4
        try:
            values = len(made.up_to_size(size))
        except GeneratorError:
            continue
        if 3 <= values <= 800:
            found.append((seed, made, random_predicate(dice, 3), size))
    return found


@pytest.mark.slow
def test_random_nestings() -> None:
    pruned = 0
    for seed, made, predicate, size in cases():
        values = list(made.up_to_size(size))
        wanted = Counter(repr(value) for value in values if predicate(value))
        search = Narrowing([made.filter(predicate)], seed=seed)
        found = [one.value for one in search.search(size)]
        assert Counter(map(repr, found)) == wanted, (seed, made)
        pruned += search.statistics.evaluations < len(values)
        shuffled = Shuffled(random.Random(seed).random)
        found = [one.value for one in search.search(size, arrange=shuffled.arrange)]
        assert Counter(map(repr, found)) == wanted, (seed, made, "shuffled")
        found = [one.value for one in search.search(size, lazy=False)]
        assert Counter(map(repr, found)) == wanted, (seed, made, "by filtering")
        exact = [one for n in range(size + 1) for one in search.search(n, exactly=True)]
        assert Counter(repr(one.value) for one in exact) == wanted, (seed, made, "by size")
    assert pruned > 80


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_traces_of_random_nestings(part: int) -> None:
    for _, made, predicate, size in cases()[part::4]:
        search = Narrowing([made.filter(predicate), gen.booleans()])
        for found in search.search(size):
            trace = found.trace()
            assert repr(trace.value) == repr(found.args)
            assert repr(made.replay(trace.children[0].children[0]).value) == repr(found.args[0])  # type: ignore[union-attr,arg-type]
