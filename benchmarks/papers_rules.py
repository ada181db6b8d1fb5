"""The search of the 2018 paper as a baseline: its neighbourhood rules (Tables I and II), caching, matching, annealing.

The rules work on everycase's own generators, so the baseline searches exactly the same inputs: ``Int`` and ``Float`` are
the paper's integer and float, ``List`` is its list, ``Build`` its tuple, ``Const`` its exactly, ``Filter`` its ?SUCHTHAT,
``Map`` and ``Bind`` are its ?LET (the function returns a value, or a generator that is matched with the old value),
``with_neighbor`` and ``targeted`` are its ?USERNF.

The paper does not print the probability of each operation (``getOperation``). They are taken from the current PropEr; g
is the growth coefficient. Before an element of a list, a new one is inserted with probability .3 g t (and the element is
considered again). The element is deleted with .3 (1 - g) t and modified with .15 t. New elements are appended with
probability .5 t each, until one is not. A part of a tuple is modified with .5 t. A union keeps its value with .3, moves
to another alternative with .3, and otherwise modifies the value. A constraint is tried 50 times.

In the paper the temperature scales the neighbourhood. In PropEr that is off by default, so ``PapersRules(scaled=False)``
always moves as at temperature 1; only the acceptance of losses cools.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Generator
from itertools import accumulate
from typing import Any

from everycase.choices.dice import draw_size
from everycase.choices.sample import sampler
from everycase.explore.protocol import Case, Explorer, Outcome, Space
from everycase.gen.annotate import FRESH, HandWritten
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Const, Defer, Filter, Float, Int, List, Map, Union

TRIES = 50
#: The number of inner values remembered for each ?LET.
REMEMBERED = 20_000


class PapersRules(Explorer):
    """Simulated annealing with T = 1 - k/K and the paper's moves."""

    def __init__(self, scaled: bool = True) -> None:
        self.scaled = scaled

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        random = space.random.random
        rules = Neighbourhood(space.gen, random)
        base, worth = rules.draw(space.gen), -math.inf
        value = base
        step = 0
        while True:
            outcome = yield Case(value, None)
            step += 1
            temperature = max(0.0, 1 - step / space.budget)
            if outcome.reset_requested:
                base, worth = rules.draw(space.gen), -math.inf
                value = base
                continue
            reached = next(iter(outcome.utilities.values()), -math.inf)
            if reached >= worth or (temperature and random() < math.exp((reached - worth) / temperature)):
                base, worth = value, reached
            # Each argument is its own ?FORALL, so all of them move.
            t = temperature if self.scaled else 1.0
            value = tuple(rules.near(part, old, t) for part, old in zip(space.gen.children, base))


class Neighbourhood:
    """The rules for one generator, with the values that its ?LETs remember."""

    def __init__(self, root: Gen[Any], random: Callable[[], float]) -> None:
        self.random = random
        # A ?LET that depends on drawn values is a different generator each time, so there is nothing to remember for it.
        self.caches: dict[int, OrderedDict[str, Any]] = {
            id(node): OrderedDict() for node in _parts(root) if isinstance(node, Map | Bind)
        }

    def draw(self, node: Gen[Any]) -> Any:
        """A random value. ?LETs remember the inner values."""
        match node:
            case Defer():
                return self.draw(node.target)
            case Build():
                return node.construct([self.draw(part) for part in node.parts])
            case Filter():
                while not node.predicate(value := self.draw(node.source)):
                    pass
                return value
            case Map() | Bind() if not _is_choice(node):
                inner = self.draw(node.source)
                made = node.f(inner)
                return self._remembered(node, inner, self.draw(made) if isinstance(node, Bind) else made)
            case Union():
                sums = list(accumulate(node.weights or (1,) * len(node.options)))
                return self.draw(node.options[bisect_right(sums, self.random() * sums[-1])])
            case List() if node.unique_by is None:
                # The length is drawn as in everycase, the elements one by one.
                return [self.draw(node.element) for _ in sampler(node)(self.random, draw_size(self.random))]
            case _:
                return sampler(node)(self.random, draw_size(self.random))

    def near(self, node: Gen[Any], base: Any, t: float) -> Any:
        """n(b, t) for every kind of generator."""
        random = self.random
        if isinstance(node.remark, HandWritten):
            result = node.remark.function(base, t)
            return self.draw(result) if isinstance(result, Gen) else result
        if node.remark == FRESH or _is_choice(node):
            r = random()
            return base if node.remark != FRESH and r >= 0.3 else self.draw(node)
        match node:
            case Defer():
                return self.near(node.target, base, t)
            case Const():
                return node.value
            case Int() if node.lo is not None and node.hi is not None:
                reach = (node.hi - node.lo) * 0.05 * t
                return max(node.lo, min(math.floor(base + reach * (2 * random() - 1)), node.hi))
            case Float():
                reach = (node.hi - node.lo) * 0.05 * t
                return max(node.lo, min(base + reach * (2 * random() - 1), node.hi))
            case Union():
                r = random()
                if r < 0.3:
                    return base
                fitting = [option for option in node.options if self.fits(option, base)]
                if r < 0.6 or not fitting:
                    return self.draw(node)
                return self.near(fitting[int(random() * len(fitting))], base, t)
            case List() if node.min_size == node.max_size:
                return [self.near(node.element, one, t) if random() < 0.5 * t else one for one in base]
            case List():
                return self._near_list(node, base, t)
            case Build():
                parts = zip(node.parts, _taken_apart(node, base))
                return node.construct([self.near(p, v, t) if random() < 0.5 * t else v for p, v in parts])
            case Filter():
                for _ in range(TRIES):
                    if node.predicate(value := self.near(node.source, base, t)):
                        return value
                return self.draw(node)
            case Map() | Bind():
                known = self.caches.get(id(node), {}).get(repr(base))
                inner = self.draw(node.source) if known is None else self.near(node.source, known[0], t)
                made = node.f(inner)
                return self._remembered(
                    node, inner, self._match(base, made, t) if isinstance(node, Bind) else made
                )
            case _:
                return self.draw(node)

    def _near_list(self, node: List[Any], base: list[Any], t: float) -> list[Any]:
        random, grow = self.random, 0.1 + 0.8 * self.random()
        result: list[Any] = []
        for element in base:
            r = random()
            while r < 0.3 * grow * t:
                result.append(self.draw(node.element))
                r = random()
            if r >= 0.45 * t:
                result.append(element)
            elif r >= 0.3 * t:
                result.append(self.near(node.element, element, t))
        while random() < 0.5 * t:
            result.append(self.draw(node.element))
        if node.max_size is not None:
            del result[node.max_size :]
        while len(result) < node.min_size:
            result.append(self.draw(node.element))
        return result

    def _match(self, base: Any, made: Gen[Any], t: float) -> Any:
        """Algorithm 2: make the old value fit at zero temperature, then move it."""
        return self.near(made, self.zero(made, base), t)

    def zero(self, node: Gen[Any], base: Any) -> Any:
        """Zero temperature: valid parts stay, invalid parts are drawn again."""
        match node:
            case Defer():
                return self.zero(node.target, base)
            case List() if isinstance(base, list) and _allows(node, len(base)):
                return [self.zero(node.element, one) for one in base]
            case Build() if (parts := _taken_apart(node, base)) is not None and len(parts) == len(node.parts):
                return node.construct([self.zero(part, value) for part, value in zip(node.parts, parts)])
            case Filter():
                value = self.zero(node.source, base)
                return value if node.predicate(value) else self.draw(node)
            case _:
                return base if self.fits(node, base) else self.draw(node)

    def fits(self, node: Gen[Any], value: Any) -> bool:
        """Whether a value is an instance of a generator, as far as its structure shows."""
        match node:
            case Defer():
                return self.fits(node.target, value)
            case Const():
                return bool(node.value == value)
            case Int():
                return isinstance(value, int) and bool(node.fits(value))
            case Float():
                return isinstance(value, float) and bool(node.lo <= value <= node.hi)
            case Union():
                return any(self.fits(option, value) for option in node.options)
            case List():
                return isinstance(value, list) and all(self.fits(node.element, one) for one in value)
            case Build():
                parts = _taken_apart(node, value)
                return (
                    parts is not None
                    and len(parts) == len(node.parts)
                    and all(map(self.fits, node.parts, parts))
                )
            case Filter():
                return self.fits(node.source, value) and bool(node.predicate(value))
            case Map() | Bind():
                return repr(value) in self.caches.get(id(node), {})
            case _:
                return False

    def _remembered(self, node: Gen[Any], inner: Any, value: Any) -> Any:
        cache = self.caches.get(id(node))
        if cache is not None:
            key = repr(value)
            cache[key] = (inner,)
            cache.move_to_end(key)
            if len(cache) > REMEMBERED:
                cache.popitem(last=False)
        return value


def _is_choice(node: Gen[Any]) -> bool:
    """A choice from a row of values; PropEr has a union of constants for it."""
    return isinstance(node, Map) and repr(node).startswith(("booleans(", "sampled_from("))


def _allows(node: List[Any], size: int) -> bool:
    return node.min_size <= size and (node.max_size is None or size <= node.max_size)


def _taken_apart(node: Build[Any], value: Any) -> Any:
    """The parts of a tuple. Other classes are not among the paper's types."""
    return value if isinstance(value, tuple) and not node.names else None


def _parts(root: Gen[Any]) -> list[Gen[Any]]:
    """The generator and its parts, as far as they are known before a value is drawn."""
    found: dict[int, Gen[Any]] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, Defer):
            node = node.target
        if id(node) not in found:
            found[id(node)] = node
            pending += node.children
    return list(found.values())
