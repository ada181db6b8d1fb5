"""One budget of draws per input.

A composite may draw from composites, and ``flatmap`` may return generators that use ``flatmap`` again, so a
recursion can be hidden in user code, where there is no size budget. And if a filter, or a list of distinct
elements, is part of a recursion, each rejection makes everything below it again, including rejections there:
the work grows exponentially with the depth. All such calls and rejections for one input share one budget; an
input that uses it up is discarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
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


BUDGET = DrawBudget()


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
