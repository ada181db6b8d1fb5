"""Small worlds: every value of a type up to a size, and every argument list, smallest first.

A world is chosen from the program (its constants count as interesting integers) and grown level by level
until a gap is found or the budget is spent.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import INT, TEXT, Expr, functions_in, subterms
from everycase.complete.language.types import BOOL, Constructor, DataType, Type, Value
from everycase.complete.language.values import completed, size_of
from everycase.complete.language.wrapped import KINDS, LISTS, NUMBERS, counts, numbers_to_try
from everycase.complete.search.promise import Specified

LEVELS = 5
LETTER = ord("a")  # strings that are lists of characters should also consist of a usual one
LONGEST_TEXT = 40
COMPUTED = 12  # strings that one function of the program makes
DEEP = 2_500  # maximum number of values in a world that is deep instead of wide
MOST = 60_000  # values of one type and size
LEAVES = 30_000  # values without inner constructors: records of numbers
ARGUMENT_COMBINATIONS = 20_000
NEAR = 60  # values whose neighbours are looked at
NEIGHBOURS = 4_000  # of all of them together
FURTHER = 4  # values of which two places are changed
OTHERS = 6  # small values that a part is replaced by


@dataclass
class World:
    """Finite substitutes for infinite types: these integers, these strings, data up to this size."""

    integers: tuple[int, ...]
    texts: tuple[str, ...]
    cap: int
    cut: bool = False
    """Were there more values of one size than the maximum?"""
    _values: dict[tuple[Type, int], list[Value]] = field(default_factory=dict)
    _counts: dict[tuple[Type, int], int] = field(default_factory=dict)

    def of_size(self, kind: Type, size: int) -> list[Value]:
        """All values with exactly this many constructors that hold other constructors."""
        if not isinstance(kind, DataType):
            if size:
                return []
            return list({INT: self.integers, BOOL: (False, True), TEXT: self.texts}[kind])  # type: ignore[index]
        key = (kind, size)
        if key not in self._values:
            made: list[Value] = []
            for c in kind.constructors:
                for split in _splits(size - _weight(c), [t for _, t in c.given_fields]):
                    pools = [self.of_size(t, n) for (_, t), n in zip(c.given_fields, split)]
                    if c.kind in NUMBERS:
                        pools = [numbers_to_try(c, self.integers)]
                    elif c.kind in LISTS:
                        pools = [[items for items in pools[0] if counts(c, (items,))]]
                    combined = itertools.product(*pools)
                    ways: Iterator[Value] = ((c.index, *parts) for parts in combined)
                    if c.making is not None:
                        ways = (v for parts in combined if (v := completed(c, parts)) is not None)
                    made += itertools.islice(ways, max(0, MOST - len(made)))
            self.cut = self.cut or len(made) >= MOST
            self._values[key] = made
        return self._values[key]

    def count(self, kind: Type, size: int) -> int:
        """How many values of exactly this size, without making them."""
        special = isinstance(kind, DataType) and any(
            c.kind in KINDS or c.making is not None for c in kind.constructors
        )
        if not isinstance(kind, DataType) or special:
            return len(self.of_size(kind, size))
        key = (kind, size)
        if key not in self._counts:
            total = 0
            for c in kind.constructors:
                for split in _splits(size - _weight(c), [t for _, t in c.fields]):
                    ways = 1
                    for (_, t), n in zip(c.fields, split):
                        ways *= self.count(t, n)
                        if not ways:
                            break
                    total += ways
            self._counts[key] = total
        return self._counts[key]

    def values(self, kind: Type, size: int, cap: int | None = None) -> list[Value]:
        """All values up to a size, but no size that would make more than ``cap`` values together."""
        made: list[Value] = []
        for n in range(size + 1):
            if made and len(made) + self.count(kind, n) > (cap or self.cap):
                break
            made += self.of_size(kind, n)
        return made

    def largest(self, kind: Type, size: int) -> int:
        """The largest size that :meth:`values` includes."""
        total, best = 0, 0
        for n in range(size + 1):
            total += self.count(kind, n)
            if n and total > self.cap:
                break
            best = n
        return best


def _weight(c: Constructor) -> int:
    """Leaves are free: constructors without fields, or with numbers only."""
    return int(any(isinstance(t, DataType) for _, t in c.fields))


def _splits(total: int, kinds: list[Type]) -> Iterator[tuple[int, ...]]:
    if total < 0:
        return
    if not kinds:
        if total == 0:
            yield ()
        return
    top = total if isinstance(kinds[0], DataType) else 0
    for n in range(top + 1):
        for rest in _splits(total - n, kinds[1:]):
            yield (n, *rest)


def _programme_texts(roots: Iterable[Expr]) -> tuple[list[int], list[str]]:
    roots = list(roots)
    bodies = [f.body for f in functions_in(roots) if f.body is not None]
    ints: list[int] = []
    texts: list[str] = []
    for e in subterms(*roots, *bodies):
        if e.op == "const" and e.type is INT and e.data not in ints:
            ints.append(e.data)
        if e.op == "const" and e.type is TEXT and e.data not in texts:
            texts.append(e.data)
    return ints, texts


def _computed_texts(roots: Iterable[Expr], ints: list[int], texts: list[str]) -> list[str]:
    """What the program's f-strings and methods of strings make of small numbers and of its own ones."""
    found: list[str] = []
    numbers = sorted({0, 1, 2, *ints, *(n - 1 for n in ints)}, key=abs)[:COMPUTED]
    for function in functions_in(roots):
        if function.result is TEXT and function.native is not None and function.body is None:
            pools: dict[Type, list[Value]] = {
                INT: numbers,
                BOOL: [False, True],
                TEXT: [*texts[:COMPUTED], "a"],
            }
            kinds = [p.type for p in function.params]
            if all(k in pools for k in kinds):
                arguments = itertools.product(*(pools[k] for k in kinds))
                found += [function.native(*given) for given in itertools.islice(arguments, COMPUTED)]
    return [text for text in dict.fromkeys(found) if text not in texts]


def formulas_of(generator: Generator) -> list[Expr]:
    """Every expression in the generator and its promise."""
    found = [generator.requires, generator.covers]
    for path in generator.paths:
        found += path.conditions
        found += [path.result] if path.result is not None else []
        for draw in path.draws:
            found += [e for e in (draw.low, draw.high, *draw.args) if e is not None]
    return found


@dataclass
class Level:
    """A world with the arguments that are tried in it."""

    number: int
    world: World
    arguments: list[tuple[Value, ...]]
    values: list[Value]
    bounds: str


def levels(generator: Generator, evaluator: Evaluator) -> Iterator[Level]:
    """Worlds from tiny to small."""
    ints, texts = _programme_texts(formulas_of(generator))
    letters = [LETTER] if generator.program.library.types.open_text else []
    requires = Specified(generator, evaluator).requires
    texts += _computed_texts(formulas_of(generator), ints, texts)
    measured = any(f.native is len for f in functions_in(formulas_of(generator)))
    lengths = [0, *ints] if measured else []
    far = sorted({n + d for n in ints if abs(n) > 3 for d in (-1, 0, 1)}, key=lambda n: (abs(n), n))
    for number in range(1, LEVELS + 1):
        reach = sorted(range(-number, number + 2), key=lambda n: (abs(n), -n))
        # every third world is deep instead of wide: gaps that need many constructors rarely need many numbers
        deep = number == 3 and isinstance(generator.result, DataType)
        near = reach[: 1 if deep else 2 * number]
        extra = far[: 10 * number] if number > 1 and not deep else []
        chosen = sorted({*near, *extra, *letters}, key=lambda n: (abs(n), -n))
        world = World(tuple(chosen), _texts(texts, lengths), DEEP if deep else 250 * 3**number)
        while world.count(generator.result, 0) > LEAVES and len(chosen) > 2:
            del chosen[len(chosen) * 3 // 4 :]
            world = World(tuple(chosen), _texts(texts, lengths), world.cap)
        wide = sorted({*range(-1, number + 2), *(extra if number > 2 else [])}, key=lambda n: (abs(n), -n))
        arguments = [a for a in _arguments(generator, world, wide, number) if requires(*a)]
        if not arguments and number > 1:  # only numbers that the promise names are allowed
            wide = sorted({*wide, *far[: 10 * number]}, key=lambda n: (abs(n), -n))
            arguments = [a for a in _arguments(generator, world, wide, number) if requires(*a)]
        size = number + 2 if deep else number
        values = world.values(generator.result, size)
        values.sort(key=lambda v: size_of(generator.result, v))
        top = world.largest(generator.result, size)
        yield Level(number, world, arguments, values, _bounds(generator, world, wide, top, len(arguments)))


def level_of_big_arguments(generator: Generator, evaluator: Evaluator) -> Level | None:
    """A world for generators whose arguments are data: contexts and types are big, values small."""
    if not any(isinstance(p.type, DataType) for p in generator.params):
        return None
    world = World((0, 1), _texts([]), 250)
    requires = Specified(generator, evaluator).requires
    data = [p for p in generator.params if isinstance(p.type, DataType)]
    biggest = max(data, key=lambda p: world.count(p.type, 6))  # only one of them, else there are too many
    pools: list[list[Value]] = []
    for p in generator.params:
        pools.append(
            list(range(4)) if p.type is INT else world.values(p.type, 6 if p is biggest else 1, cap=250)
        )
    arguments = [a for a in itertools.islice(itertools.product(*pools), 60_000) if requires(*a)]
    kinds = [p.type for p in generator.params]
    arguments.sort(key=lambda a: sum(size_of(k, v) for k, v in zip(kinds, a)))
    values = world.values(generator.result, 2)
    shown = _bounds(generator, world, [], world.largest(generator.result, 2), len(arguments))
    return Level(LEVELS + 1, world, arguments, values, shown)


def _texts(found: list[str], lengths: Iterable[int] = ()) -> tuple[str, ...]:
    """The strings of the program, some others, and some of every length that the program mentions."""
    sized = ["a" * (n + d) for n in lengths for d in (-1, 0, 1) if 0 <= n + d <= LONGEST_TEXT]
    return tuple(dict.fromkeys([*found, "a", "b", *sized]))


def _arguments(generator: Generator, world: World, ints: list[int], number: int) -> list[tuple[Value, ...]]:
    pools: list[list[Value]] = []
    for p in generator.params:
        pools.append(list(ints) if p.type is INT else world.values(p.type, min(number, 2), cap=40 * number))
    while True:
        product = 1
        for pool in pools:
            product *= len(pool)
        if product <= ARGUMENT_COMBINATIONS:
            break
        longest = max(pools, key=len)
        del longest[len(longest) * 3 // 4 :]
    kinds = [p.type for p in generator.params]
    made = list(itertools.product(*pools))
    made.sort(key=lambda a: sum(size_of(k, v) for k, v in zip(kinds, a)))
    return made


def _bounds(generator: Generator, world: World, ints: list[int], size: int, arguments: int) -> str:
    parts = [f"values of up to {size} constructors"] if isinstance(generator.result, DataType) else []
    if world.cut:
        parts = [f"the first {MOST:,} {parts[0]}"] if parts else parts
    low, high = min(world.integers), max(world.integers)
    parts.append(f"integers {low}..{high}" if len(set(world.integers)) == high - low + 1 else
                 f"{len(world.integers)} integers between {low} and {high}")  # fmt: skip
    if generator.params:
        parts.append(f"{arguments} argument lists")
    return ", ".join(parts)


def neighbours(kind: Type, made: Iterable[Value], world: World) -> list[Value]:
    """What differs in one place from some of these values, smallest first: where a generator stops, its gaps begin.

    Some of the smallest values and some of the largest are taken, since either end may be one step short.
    """
    ordered = sorted(made, key=lambda v: size_of(kind, v))
    chosen = ordered if len(ordered) <= NEAR else [*ordered[: NEAR // 2], *ordered[-NEAR // 2 :]]
    ways = (other for value in chosen for other in _near(kind, value, world))
    found = dict.fromkeys(itertools.islice(ways, NEIGHBOURS))
    # two places at once for a few of the largest: what follows the last one may differ by more than one step
    further = (
        last
        for value in ordered[-FURTHER:]
        for one in _near(kind, value, world)
        for last in _near(kind, one, world)
    )
    found.update(dict.fromkeys(itertools.islice(further, NEIGHBOURS)))
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
