"""Leases: which places of a property are tested next, how many at a time, and what happens to lost leases."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any

from everycase.campaign.log import number_in, number_out
from everycase.campaign.state import Progress
from everycase.campaign.techniques import round_size
from everycase.run.leases import LeaseSize

#: How often a process must die on an input alone before the input is blamed; more often if the kill may have come from
#: outside.
DEATHS, DEATHS_BY_KILL = 2, 3


@dataclass(frozen=True)
class Lease:
    """Places of one property. The same lease gives the same result, wherever and however often it is
    tested."""

    property: str
    technique: str
    start: int
    stop: int
    #: whether to mark each test, in a separate process, because the lease was lost before
    careful: bool = False
    #: the place and test that killed its process, and how often it did
    suspect: tuple[int, int] | None = None
    deaths: int = 0
    #: how often it was lost before it began, or with the worker itself, which has nothing to do with its
    #: tests
    losses: int = 0
    #: other data for the worker
    more: dict[str, Any] = field(default_factory=dict, compare=False)

    def request(self, plan: dict[str, Any], skip: list[tuple[int, int]]) -> dict[str, Any]:
        """What is sent to a worker."""
        return {
            "do": "test",
            "way": plan["way"],
            "seed": plan["seed"],
            "block": plan["block"],
            "technique": self.technique,
            "uncounted": plan.get("uncounted", False),
            "from": number_out(self.start),
            "to": number_out(self.stop),
            "careful": self.careful,
            "record": None if self.suspect is None else [number_out(self.suspect[0]), self.suspect[1]],
            "skip": [[number_out(place), test] for place, test in skip],
            **self.more,
        }

    def after_loss(self, at: tuple[int, int] | None) -> list[Lease]:
        """What to test instead of a lost lease: the same with marks, or the place that it had reached and the
        parts before and after it."""
        if not self.careful:
            return [replace(self, careful=True)]
        if at is None or not self.start <= at[0] < self.stop:
            if self.stop - self.start < 2:
                return [replace(self, deaths=self.deaths + 1, suspect=None)]
            middle = (self.start + self.stop) // 2
            return [replace(self, stop=middle), replace(self, start=middle)]
        if self.stop - self.start == 1:
            return [replace(self, suspect=at, deaths=self.deaths + 1 if self.suspect in (at, None) else 1)]
        parts = [
            replace(self, stop=at[0], careful=False),
            replace(self, start=at[0], stop=at[0] + 1, suspect=at, deaths=1),
            replace(self, start=at[0] + 1, careful=False),
        ]
        return [part for part in parts if part.start < part.stop]

    def is_deadly(self, *, by_kill: bool) -> bool:
        """Whether the suspect is to blame: nothing else ran in the process, again and again."""
        return self.deaths >= (DEATHS_BY_KILL if by_kill else DEATHS)


class Todo:
    """The remaining places of one property, handed out lease by lease."""

    def __init__(
        self,
        plan: dict[str, Any],
        progress: Progress,
        *,
        islands: int,
        open_ended: bool,
        max_examples: int | None,
        share: tuple[int, int] = (0, 1),
        blobs: list[str] | None = None,
    ) -> None:
        self.plan = plan
        self.progress = progress
        self.islands = islands
        self.share = share
        self.technique: str = plan["technique"]
        self.lease_size = LeaseSize()
        #: leases that are being tested
        self.out = 0
        #: total number of requested tests; None for no limit
        self.tests = self._wanted(open_ended, max_examples)
        self._again: deque[Lease] = deque()
        self._gaps: deque[tuple[int, int | None]] = deque()
        if (plan["given"] or blobs) and not progress.places("given").total:
            self._again.append(Lease(plan["name"], "given", 0, 1, more={"blobs": blobs or []}))
        self._open()
        self.learn()

    def learn(self) -> None:
        """The default explorer searches once a test has reported a utility: the first block shows this."""
        if self.technique == "seeds" and self.is_default and self.progress.best:
            self.technique = "islands"
            self._open()

    @property
    def is_default(self) -> bool:
        return bool(self.plan["explorer"] == "Auto()")

    def _wanted(self, open_ended: bool, max_examples: int | None) -> int | None:
        plan = self.plan
        if max_examples is not None:
            return max_examples
        if plan["all"] or (plan["wants_all"] and not plan["limited"]):
            return None
        return None if open_ended else plan["max_examples"]

    @property
    def total(self) -> int | None:
        """How many places there are; None if endless or not known."""
        known = self.progress.ended.get(self.technique)
        if known is not None:
            return known
        total: int | None = number_in(self.plan["total"])
        if self.tests is None or self.technique == "whole":
            return total
        match self.technique:
            case "seeds":
                return -(-self.tests // int(self.plan["block"]))
            case "islands":
                rounds = made = 0
                while made < self.tests:
                    made += round_size(rounds) * self.islands
                    rounds += 1
                return rounds * self.islands
        return self.tests if total is None else min(total, self.tests)

    @property
    def finished(self) -> bool:
        """Whether all requested tests were made."""
        total = self.total
        return (
            not self._again
            and not self.out
            and total is not None
            and self.progress.places(self.technique).total >= total
        )

    def _open(self) -> None:
        """Begin with what was not tested yet."""
        self._gaps = deque(self.progress.places(self.technique).gaps(self.total))

    def next(self, workers: int) -> Lease | None:
        """The next lease; None if there is none at the moment."""
        if self._again:
            return self._again.popleft()
        if self.technique == "islands":
            return self._next_round()
        if self.technique == "seeds" and self.is_default and 0 not in self.progress.places("seeds"):
            return self._first_block()
        while self._gaps:
            start, stop = self._gaps.popleft()
            total = self.total
            if total is not None:
                if start >= total:
                    continue
                stop = total if stop is None else min(stop, total)
            start, stop = self._own(start, stop)
            if stop is not None and start >= stop:
                continue
            left = None if stop is None else stop - start
            end = start + self.lease_size.places(workers, left)
            end = min(end, self._share_end(start))
            if stop is None or end < stop:
                self._gaps.appendleft((end, stop))
            else:
                end = stop
            return Lease(self.plan["name"], self.technique, start, end, more=self._more())
        return None

    def _first_block(self) -> Lease | None:
        """The blocks that the others wait for, whatever the number of workers."""
        if self._gaps and self._gaps[0][0] == 0:
            stop = self._gaps.popleft()[1]
            if stop is None or stop > 1:
                self._gaps.appendleft((1, stop))
            return Lease(self.plan["name"], "seeds", 0, 1, more=self._more())
        return None

    def _more(self) -> dict[str, Any]:
        return {"most": self.tests} if self.technique == "seeds" and self.tests is not None else {}

    # --- shares -----------------------------------------------------------------------------------------

    @property
    def _chunk(self) -> int:
        total = self.total
        return (
            1
            if self.technique == "seeds"
            else 1 << 16
            if total is None
            else max(1, total // (64 * self.share[1]))
        )

    def _own(self, start: int, stop: int | None) -> tuple[int, int | None]:
        """The first place from ``start`` on that belongs to this share; the others belong to another starter."""
        own, shares = self.share
        if shares == 1:
            return start, stop
        chunk = self._chunk
        while (start // chunk) % shares != own and (stop is None or start < stop):
            start = (start // chunk + 1) * chunk
        return start, stop

    def _share_end(self, start: int) -> int:
        return start + (1 << 62) if self.share[1] == 1 else (start // self._chunk + 1) * self._chunk

    # --- islands ----------------------------------------------------------------------------------------

    def _next_round(self) -> Lease | None:
        """A round of an island for which its own previous round, and its neighbour's, are done."""
        while self._gaps:
            place, stop = self._gaps[0]
            total = self.total
            if total is not None and place >= total:
                return None
            number, island = divmod(place, self.islands)
            elites: list[Any] = []
            if number:
                before = [(island, number - 1), ((island - 1) % self.islands, number - 1)]
                if any(key not in self.progress.elites for key in before):
                    return None
                elites = [elite for key in dict.fromkeys(before) for elite in self.progress.elites[key]]
            self._gaps.popleft()
            if stop is None or place + 1 < stop:
                self._gaps.appendleft((place + 1, stop))
            more = {"island": island, "round": number, "elites": elites}
            return Lease(self.plan["name"], "islands", place, place + 1, more=more)
        return None

    def again(self, leases: list[Lease]) -> None:
        """Test leases that were lost, before anything else."""
        self._again.extendleft(reversed(leases))
