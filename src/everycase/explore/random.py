"""Random testing."""

from __future__ import annotations

from collections.abc import Generator

from everycase.explore.case import last_of
from everycase.explore.protocol import Case, Explorer, Outcome, Space


class Random(Explorer):
    """Random values of all sizes, rarely the same twice: the simplest one first, boundary values more often
    than by pure chance, and some in which parts are copies of other parts.

    >>> from everycase import check, gen
    >>> seen = []
    >>> report = check(lambda xs: seen.append(tuple(xs)), gen.lists(gen.integers()), explore=Random(), seed=1)
    >>> seen[0], len(set(seen)) > 970
    ((), True)
    """

    open_ended = True

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        first = first_case(space)
        if first is not None:
            yield first
        while True:
            yield space.samples()


def until_a_utility(space: Space) -> Generator[Case, Outcome, tuple[Case, Outcome]]:
    """Random testing up to the first case that reports a utility."""
    while True:
        case = space.samples()
        outcome = yield case
        if outcome.utilities:
            return last_of(case), outcome


def first_case(space: Space) -> Case | None:
    """The simplest input, which is tested first; None if it is not valid as far as the generator knows."""
    if space.steps is not None:
        return None  # no steps at all: the beginning of every other sequence
    case = space.simplest()
    return None if case.args is None else case
