"""Values nested deeper than Python's recursion limit: predicates that use loops can handle them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import check, gen
from everycase.explore import Narrow
from everycase.gen.base import Gen
from everycase.narrow import Narrowing

DEPTH = sys.getrecursionlimit() + 200


@dataclass(frozen=True)
class Nil:
    pass


@dataclass(frozen=True)
class Cons:
    head: int
    tail: Any


@dataclass
class Link:
    """Mutable with mutable parts: a new one is made for every value."""

    marks: set[int]
    tail: Any


chains: Gen[Any] = gen.deferred(
    lambda: gen.builds(Nil) | gen.builds(Cons, gen.integers(0, 1), chains),
)
links: Gen[Any] = gen.deferred(
    lambda: gen.none() | gen.builds(Link, gen.sets(gen.integers(0, 1)), links),
)
nests: Gen[Any] = gen.deferred(lambda: gen.lists(nests, max_size=1))


def length(value: Any) -> int:
    """The nesting depth of a value; -1 if it contains anything else."""
    depth = 0
    while isinstance(value, Cons | Link) or (isinstance(value, list) and value):
        if isinstance(value, Cons) and value.head != 1:
            return -1
        if isinstance(value, Link) and value.marks:
            return -1
        value = value[0] if isinstance(value, list) else value.tail
        depth += 1
    return depth


CASES: dict[str, tuple[Gen[Any], int]] = {
    "frozen objects": (chains, DEPTH + 1),
    "objects that can be changed": (links, DEPTH),
    "lists": (nests, DEPTH),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_deep_values_and_their_choices(name: str) -> None:
    made, size = CASES[name]
    search = Narrowing([made.filter(lambda value: length(value) == DEPTH)])
    values = search.search(size)
    found = next(values)
    assert length(found.value) == DEPTH
    assert length(found.trace().value[0]) == DEPTH
    assert next(values, None) is None


def test_an_undecided_rest_is_completed() -> None:
    """The predicate looks only at the first element, so the rest is decided without being looked at."""
    search = Narrowing([chains.filter(lambda value: isinstance(value, Cons) and value.head == 1)])
    values = search.search(DEPTH, arrange=lambda place, alternatives: alternatives[::-1])
    for found, _ in zip(values, range(5)):
        depth, value = 1, found.value
        while isinstance(value, Cons):
            value, depth = value.tail, depth + 1
        assert depth == found.size
        assert depth >= DEPTH - 1


def test_a_test_gets_deep_values() -> None:
    seen: list[int] = []
    report = check(
        lambda value: seen.append(length(value)),
        chains.filter(lambda value: length(value) == DEPTH),
        explore=Narrow(max_size=DEPTH + 1, order="depth"),
    )
    assert (report.status, seen) == ("passed", [DEPTH])


def test_a_function_without_an_end_is_its_own_fault() -> None:
    def endless(value: Any) -> Any:
        return endless(value)

    made = gen.tuples(gen.booleans(), gen.booleans().map(endless))
    with pytest.raises(RecursionError):
        next(Narrowing([made.filter(lambda pair: pair[0])]).search(3))
