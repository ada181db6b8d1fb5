"""One budget of draws per input.

A composite may draw from composites, and ``flatmap`` may return generators that use ``flatmap`` again, so a recursion can be
hidden in user code, where no size budget reaches it. All calls of such functions for one input share one budget; an input
that uses it up is discarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from everycase.errors import TooManyDraws

#: How many draws, and calls of functions that draw or choose a generator, may go into one input.
MOST_DRAWS = 100_000


class DrawBudget(threading.local):
    """What the input that this thread makes has left. ``depth`` counts the calls that are going on."""

    depth = 0
    left = MOST_DRAWS


BUDGET = DrawBudget()


def too_many() -> TooManyDraws:
    return TooManyDraws(f"one input took more than {MOST_DRAWS:,} draws")


@contextmanager
def one_call(calls: int = 1) -> Iterator[None]:
    """The call of a function that draws or chooses a generator: counted, and the first one begins an input."""
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
