"""A ticket office that sells a seat twice: to two threads at once, and to two asyncio tasks.

Run it with ``python examples/ticket_office.py``.
"""

from __future__ import annotations

import asyncio
import threading

from everycase import check
from everycase.explore import Exhaustive
from everycase.stateful import RuleBasedStateMachine, initialize, interleaved, parallel, rule


class Office(RuleBasedStateMachine):
    """Looking and taking are two steps."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = 1

    @rule()
    def sell(self) -> bool:
        if self.seats == 0:
            return False
        self.seats -= 1
        return True


class LockedOffice(Office):
    """The correct version."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()

    @rule()
    def sell(self) -> bool:
        with self.lock:
            return super().sell()


class OnlineOffice(RuleBasedStateMachine):
    """Between looking and taking the customer pays, which takes a while."""

    def __init__(self) -> None:
        super().__init__()
        self.seats = 1

    @initialize()
    async def open(self) -> None:
        self.paying = asyncio.Lock()

    @rule()
    async def sell(self) -> bool:
        if self.seats == 0:
            return False
        await asyncio.sleep(120)
        self.seats -= 1
        return True


class PatientOffice(OnlineOffice):
    """One customer at a time, and a seat is taken only when it is paid for, even if a customer gives up."""

    @rule()
    async def sell(self) -> bool:
        async with self.paying:
            return await super().sell()


def main() -> None:
    print(check(parallel(Office), seed=0, database=None).counterexample[0])  # type: ignore[index]
    print("locked:", check(parallel(LockedOffice), seed=0, max_examples=200, database=None).status)
    every = check(parallel(LockedOffice), explore=Exhaustive(max_size=2), database=None)
    print("locked:", every.covered)
    print(check(interleaved(OnlineOffice), seed=0, database=None).counterexample[0])  # type: ignore[index]
    patient = interleaved(PatientOffice, faults=("cancel", "timeout"))
    print("patient, with faults:", check(patient, seed=0, max_examples=200, database=None).status)


if __name__ == "__main__":
    main()
