"""The neighbourhood rules of the 2018 paper (Tables I and II, with caching and matching), as a baseline.

A description is one of the small classes below; ``neighbour(description, value, temperature)`` follows the paper's rule
for it, and ``annealed`` is its search: simulated annealing with the linear temperature.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Whole:
    """integer(low, high)"""

    low: int
    high: int


@dataclass
class Several:
    """list(element); sizes as in the tool, up to 42"""

    element: Any


@dataclass
class Row:
    """a tuple or a fixed list"""

    parts: tuple[Any, ...]


@dataclass
class Exactly:
    value: Any


@dataclass
class Such:
    """?SUCHTHAT"""

    source: Any
    holds: Callable[[Any], bool]


@dataclass
class Let:
    """?LET: ``f`` returns a value or a description. Inner values are remembered by the value they led to."""

    source: Any
    f: Callable[[Any], Any]
    cache: dict[str, Any] = field(default_factory=dict)


DESCRIPTIONS = (Whole, Several, Row, Exactly, Such, Let)


def draw(d: Any, dice: random.Random) -> Any:
    match d:
        case Whole():
            return dice.randint(d.low, d.high)
        case Several():
            return [draw(d.element, dice) for _ in range(dice.randint(0, 42))]
        case Row():
            return tuple(draw(part, dice) for part in d.parts)
        case Exactly():
            return d.value
        case Such():
            while not d.holds(value := draw(d.source, dice)):
                pass
            return value
        case Let():
            inner = draw(d.source, dice)
            made = d.f(inner)
            value = draw(made, dice) if isinstance(made, DESCRIPTIONS) else made
            d.cache[repr(value)] = inner
            return value
        case _:
            return d


def neighbour(d: Any, base: Any, t: float, dice: random.Random) -> Any:
    match d:
        case Whole():
            offset = round((d.high - d.low) * 0.05 * t * dice.uniform(-1, 1))
            return max(d.low, min(d.high, base + offset))
        case Several():
            grow, result = dice.uniform(0.1, 0.9), []
            for element in base:
                r = dice.random()
                if r < 0.3 * grow * t:
                    result += [draw(d.element, dice), element]
                elif r < 0.3 * t:
                    continue
                elif r < 0.45 * t:
                    result.append(neighbour(d.element, element, t, dice))
                else:
                    result.append(element)
            while dice.random() < 0.5 * t:
                result.append(draw(d.element, dice))
            return result
        case Row():
            return tuple(
                neighbour(part, value, t, dice) if dice.random() < 0.5 * t else value
                for part, value in zip(d.parts, base)
            )
        case Exactly():
            return d.value
        case Such():
            for _ in range(50):
                if d.holds(value := neighbour(d.source, base, t, dice)):
                    return value
            return draw(d, dice)
        case Let():
            known = d.cache.get(repr(base))
            inner = draw(d.source, dice) if known is None else neighbour(d.source, known, t, dice)
            value = match(base, d.f(inner), t, dice)
            d.cache[repr(value)] = inner
            return value
        case _:
            return d


def match(base: Any, made: Any, t: float, dice: random.Random) -> Any:
    """Fit the old value to what the inner function now returns."""
    if isinstance(made, Row) and isinstance(base, tuple) and len(base) == len(made.parts):
        return tuple(match(value, part, t, dice) for value, part in zip(base, made.parts))
    if isinstance(made, DESCRIPTIONS):
        try:
            return neighbour(made, base, t, dice)
        except (TypeError, ValueError):
            return draw(made, dice)
    return made


def annealed(d: Any, utility: Callable[[Any], float], goal: float, cap: int, seed: int) -> int | None:
    """The number of the test that reaches the goal."""
    dice = random.Random(seed)
    base, worth = draw(d, dice), -math.inf
    for test in range(1, cap + 1):
        t = 1 - test / cap
        value = base if worth == -math.inf else neighbour(d, base, t, dice)
        reached = utility(value)
        if reached >= goal:
            return test
        if reached >= worth or dice.random() < math.exp((reached - worth) / max(t, 1e-9)):
            base, worth = value, reached
    return None
