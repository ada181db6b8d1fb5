"""Special methods of a class, called on stand-ins for its instances."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import gen
from everycase.gen.base import Gen
from everycase.narrow import Narrowing

MOST = 100_000


@dataclass(frozen=True)
class Amount:
    """Methods for which Python needs a real number, or which it looks up before the call."""

    cents: int

    def __int__(self) -> int:
        return self.cents

    def __index__(self) -> int:
        return self.cents

    def __hash__(self) -> int:
        return self.cents

    def __length_hint__(self) -> int:
        return self.cents

    def __contains__(self, number: int) -> bool:
        return number == self.cents

    def __enter__(self) -> int:
        return self.cents

    def __exit__(self, *problem: object) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Slotted:
    cents: int

    __int__ = Amount.__int__
    __index__ = Amount.__index__
    __hash__ = Amount.__hash__
    __length_hint__ = Amount.__length_hint__
    __contains__ = Amount.__contains__
    __enter__ = Amount.__enter__
    __exit__ = Amount.__exit__


@dataclass(frozen=True)
class Nothing:
    pass


numbers = gen.integers(0, MOST)
amounts: dict[str, Gen[Any]] = {
    "one class": gen.builds(Amount, numbers),
    "one of two": gen.builds(Amount, numbers) | gen.builds(Nothing),
    "one of two with slots": gen.builds(Slotted, numbers) | gen.builds(Nothing),
    "something else beside it": gen.builds(Amount, numbers) | gen.builds(Nothing) | gen.none(),
}


def entered(value: Any) -> bool:
    with value as cents:
        return bool(cents == 777)


@pytest.mark.slow
@pytest.mark.parametrize("made", amounts.values(), ids=amounts)
@pytest.mark.parametrize(
    "ask",
    [
        lambda value: int(value) == 777,
        lambda value: operator.index(value) == 777,
        lambda value: hash(value) == 777,
        lambda value: operator.length_hint(value) == 777,
        lambda value: range(value) == range(777),
        lambda value: value in {Amount(777): 1} or value in {Slotted(777): 1},
        entered,
        # The method is asked for once and called twice.
        lambda value: any(map(value.__contains__, [1, 777])) and value.cents > 1,
        lambda value: [value.__eq__(other) for other in (None, value)] and value.cents == 777,
    ],
)
def test_right_where_exceptions_are_caught(ask: Callable[[Any], bool], made: Gen[Any]) -> None:
    def predicate(value: Any) -> bool:
        try:
            return ask(value)
        except Exception:
            return False

    # Only one value is valid, so no sample of the rejected ones shows that an exception was caught.
    found = [one.value for one in Narrowing([made]).search(40, predicate)]
    assert [value.cents for value in found] == [777]
