"""What runs the leases: threads of this process that each drive a process, a Dask cluster, or any
executor."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from everycase.campaign.worker import end_all, leave
from everycase.errors import CampaignProblem, missing_extra
from everycase.run.render import error_text

#: How long to wait for a scheduler, in seconds.
PATIENCE = 10


class Workers:
    """An executor, its number of workers, and how to release it."""

    def __init__(self, executor: Executor, count: Callable[[], int], close: Callable[[], None]) -> None:
        self.executor = executor
        self._count = count
        self._close = close

    @property
    def count(self) -> int:
        return max(1, self._count())

    def close(self) -> None:
        self._close()


def local(count: int | None, run: str) -> Workers:
    """Processes of this machine, one for each core by default."""
    number = count or os.cpu_count() or 1
    executor = ThreadPoolExecutor(number, thread_name_prefix="everycase")

    def close() -> None:
        executor.shutdown(wait=False, cancel_futures=True)
        end_all(run)
        executor.shutdown(wait=True)
        end_all(run)  # one that was just being started

    return Workers(executor, lambda: number, close)


def given(executor: Executor, run: str) -> Workers:
    """The workers of an executor that the caller made and will close."""
    client = getattr(executor, "_client", None)
    if client is not None:
        return Workers(executor, lambda: _threads(client), lambda: _leave_cluster(client, run))
    known = getattr(executor, "_max_workers", None) or os.cpu_count() or 1

    def close() -> None:
        end_all(run)
        with suppress(Exception):  # an executor that is shut down ends its workers itself
            wait([executor.submit(leave, run) for _ in range(known)], PATIENCE)

    return Workers(executor, lambda: known, close)


def _leave_cluster(client: Any, run: str) -> None:
    """End the processes of a campaign on every worker of a cluster."""
    end_all(run)
    with suppress(Exception):  # a worker that cannot be reached ends its processes itself
        client.run(end_all, run, on_error="ignore")


def dask(address: str, run: str) -> Workers:
    """The workers of a Dask cluster."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise missing_extra("scale", "a campaign on Dask") from None
    if "://" not in address:
        raise CampaignProblem(f"{address!r} is no address of a scheduler; write tcp://HOST:8786")
    make: Any = distributed.Client
    try:
        client: Any = make(address, timeout=PATIENCE, set_as_default=False)
    except Exception as problem:  # of whatever kind: Dask has many
        why = type(problem).__name__ if isinstance(problem, OSError) else error_text(problem)
        raise CampaignProblem(
            f"there is no scheduler at {address} ({why}); start one (dask scheduler), or correct the address (tcp://HOST:8786)"
        ) from None
    executor = client.get_executor(pure=False, retries=0)

    def close() -> None:
        _leave_cluster(client, run)
        client.close()

    return Workers(executor, lambda: _threads(client), close)


def _threads(client: Any) -> int:
    return sum(
        worker.get("nthreads", 1) for worker in client.scheduler_info(n_workers=-1)["workers"].values()
    )
