"""Sets of whole numbers as merged intervals: a compact record of what was tested."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator


class Intervals:
    """Half-open intervals, none touching another.

    >>> tested = Intervals([(0, 10), (20, 30), (10, 15)])
    >>> list(tested), tested.total
    ([(0, 15), (20, 30)], 25)
    >>> list(tested.gaps(40))
    [(15, 20), (30, 40)]
    """

    __slots__ = ("_starts", "_stops", "total")

    def __init__(self, pairs: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._stops: list[int] = []
        #: how many numbers there are
        self.total = 0
        for start, stop in pairs:
            self.add(start, stop)

    def add(self, start: int, stop: int) -> None:
        """Add the numbers from ``start`` to before ``stop``, whether or not they are already there."""
        if start >= stop:
            return
        first = bisect_left(self._stops, start)
        after = bisect_right(self._starts, stop)
        if first < after:
            start, stop = min(start, self._starts[first]), max(stop, self._stops[after - 1])
            self.total -= sum(self._stops[i] - self._starts[i] for i in range(first, after))
        self._starts[first:after] = [start]
        self._stops[first:after] = [stop]
        self.total += stop - start

    def meets(self, start: int, stop: int) -> bool:
        """Whether any of these numbers is there.

        >>> Intervals([(0, 10)]).meets(10, 12)
        False
        """
        place = bisect_right(self._stops, start)
        return start < stop and place < len(self._starts) and self._starts[place] < stop

    def __contains__(self, number: int) -> bool:
        return self.meets(number, number + 1)

    def gaps(self, stop: int | None, start: int = 0) -> Iterator[tuple[int, int | None]]:
        """The gaps from ``start`` to before ``stop``; with None the last gap is endless."""
        for begin, end in self:
            if stop is not None and begin >= stop:
                break
            if start < begin:
                yield start, begin
            start = max(start, end)
        if stop is None:
            yield start, None
        elif start < stop:
            yield start, stop

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(zip(self._starts, self._stops))

    def __len__(self) -> int:
        return len(self._starts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Intervals) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Intervals({list(self)})"
