"""One budget of draws per input.

A composite may draw from composites, and ``flatmap`` may return generators that use ``flatmap`` again, so a
recursion can be hidden in user code, where there is no size budget. And if a filter, or a list of distinct
elements, is part of a recursion, each rejection makes everything below it again, including rejections there:
the work grows exponentially with the depth. All such calls and rejections for one input share one budget; an
input that uses it up is discarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from everycase.choices.time_limit import look
from everycase.errors import TooManyDraws
from everycase.gen.base import Gen
from everycase.gen.facts import facts

#: Maximum number of draws, and calls of functions that draw or choose a generator, for one input.
MOST_DRAWS = 100_000


#: The cost, in draws, of a value that is rejected inside a recursion.
REJECTED = 10


class DrawBudget(threading.local):
    """The rest of the budget for the input that this thread makes. ``depth`` counts the active calls."""

    depth = 0
    left = MOST_DRAWS
    #: whether a part that a filter rejects is redrawn (otherwise the whole attempt is given up)
    repairs = True
    #: whether a part of something larger is being made: the element of a list, or anything inside a recursion
    part = False
    #: which size budget takes the place of each one that is drawn; None if they are taken as they are
    sizes: Sequence[int] | None = None
    #: the size budget of the current input, drawn again if a filter rejected the first value
    size = 0


BUDGET = DrawBudget()


class own_sizes:  # noqa: N801 (it is used like a function)
    """Inside this context inputs of a run are made: what a filter rejects is drawn again in one of these sizes."""

    __slots__ = ("_before", "sizes")

    def __init__(self, sizes: Sequence[int] | None) -> None:
        self.sizes = sizes

    def __enter__(self) -> None:
        self._before = BUDGET.part, BUDGET.sizes, BUDGET.size
        BUDGET.part, BUDGET.sizes = False, self.sizes

    def __exit__(self, *problem: object) -> None:
        BUDGET.part, BUDGET.sizes, BUDGET.size = self._before


def too_many() -> TooManyDraws:
    return TooManyDraws(f"one input took more than {MOST_DRAWS:,} draws")


def on_recursion(node: Gen[Any]) -> bool:
    """Whether rejections of this filter, or of this list of distinct elements, count."""
    return node.has_defer and facts(node).loop is not None


def rejected() -> None:
    """Count a value that was rejected on a recursion."""
    BUDGET.left -= REJECTED
    if BUDGET.left < 0:
        raise too_many()
    look()


@contextmanager
def one_call(calls: int = 1) -> Iterator[None]:
    """The call of a function that draws or chooses a generator is counted, and the first one begins an
    input."""
    depth = BUDGET.depth
    if not depth:
        BUDGET.left = MOST_DRAWS + 1
    BUDGET.left -= calls
    if BUDGET.left < 0:
        raise too_many()
    BUDGET.depth = depth + 1
    try:
        yield
    finally:
        BUDGET.depth = depth
