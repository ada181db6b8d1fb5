"""Random testing."""

from __future__ import annotations

from collections.abc import Generator

from everycase.explore.base import Case, Explorer, Outcome, Space


class Random(Explorer):
    """Independent random values, of all sizes, boundary values more often than chance would show them."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        sample = space.sample
        while True:
            yield sample()
