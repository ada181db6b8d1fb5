"""Predicates that look like a trap but are harmless: they are neither refused nor wrong."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import gen
from everycase.narrow import Narrowing


@dataclass(frozen=True)
class Leaf:
    n: int


@dataclass(frozen=True)
class Pair:
    a: Leaf | Pair
    b: Leaf | Pair


def pairs() -> Any:
    trees: Any = gen.deferred(lambda: gen.builds(Leaf, gen.integers(0, 3)) | gen.builds(Pair, trees, trees))
    return trees


@functools.cache
def limits() -> dict[str, int]:
    """Caches no arguments, because it has none."""
    return {"most": 1}


def same(x: Any) -> Any:
    return x


def with_a_class(x: Any) -> bool:
    class Kinds:
        first = int
        second = type

    return isinstance(x, Leaf) and Kinds.second is not int


def by_attribute(x: Any) -> bool:
    try:
        return bool(x.n < 2)
    except AttributeError:
        return bool(x.a.n == 1) if isinstance(x.a, Leaf) else False


def by_key(x: Any) -> bool:
    names = {0: "none", 1: "one"}
    try:
        return isinstance(x, Pair) and isinstance(x.a, Leaf) and names[x.a.n] == "one"
    except KeyError:
        return False


def by_position(x: Any) -> bool:
    try:
        return isinstance(x, Leaf) or bool([5, 6][x.b.n])
    except (IndexError, AttributeError):
        return False


def by_text(x: Any) -> bool:
    if not isinstance(x, Leaf):
        return False
    try:
        return int("1z3"[x.n]) == 3
    except (ValueError, IndexError):
        return x.n == 1


def with_a_division(x: Any) -> bool:
    try:
        return isinstance(x, Leaf) and 6 // x.n == 2
    except ZeroDivisionError:
        return True


HARMLESS: dict[str, Callable[[Any], bool]] = {
    "a cache of what has no arguments": lambda x: isinstance(x, Leaf) and x.n <= limits()["most"],
    "identity with what a call returns": lambda x: isinstance(x, Leaf) and x is same(x),
    "identity with what is made": lambda x: isinstance(x, Leaf) and x is not (x, 1),
    "a default that is none of json's": lambda x: json.dumps("") == '""' and max([], default=x) == Leaf(1),
    "a default around json": lambda x: max([json.dumps(1)], default="") == "1" and isinstance(x, Leaf),
    "words that json is given": lambda x: json.dumps(("cls", "default")) != "" and isinstance(x, Leaf),
    "type, and not called": with_a_class,
    "no such attribute": by_attribute,
    "no such key": by_key,
    "no such position": by_position,
    "no such number": by_text,
    "no such quotient": with_a_division,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HARMLESS)
def test_harmless(name: str) -> None:
    predicate, made = HARMLESS[name], pairs()
    found = [one.value for one in Narrowing([made]).search(7, predicate)]
    wanted = [value for value in made.up_to_size(7) if predicate(value)]
    assert len(found) == len(set(found)) and set(found) == set(wanted) != set()


@pytest.mark.parametrize("key", ["name", 1.0, None, (0,)])
def test_what_is_no_position_is_refused_by_lists_as_ever(key: Any) -> None:
    def is_list(document: Any) -> bool:
        try:
            return bool(document[key])
        except (AttributeError, TypeError) as problem:
            return isinstance(problem, TypeError) and document[:1] == [1]

    made = gen.lists(gen.integers(0, 1), max_size=2)
    assert [one.value for one in Narrowing([made]).search(2, is_list)] == [[1], [1, 0], [1, 1]]
