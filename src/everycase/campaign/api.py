"""Running a campaign, and reading its results."""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from everycase.campaign import executors
from everycase.campaign.log import read_about, write_about
from everycase.campaign.report import CampaignReport, report_of
from everycase.campaign.starter import Starter, Watcher
from everycase.campaign.state import compact_dead, read_state
from everycase.campaign.worker import end_all, perform
from everycase.errors import CampaignProblem, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.validate import require_int, require_seed

#: Defaults: the number of islands of a search, and the time limit of a lease in seconds.
ISLANDS = 4
LEASE_LIMIT = 300.0
#: How often the search for properties is repeated if its process is killed.
MOST_PLANNING = 10

Target = str | os.PathLike[str] | Callable[..., Any]


def run(
    targets: Target | Iterable[Target],
    into: str | os.PathLike[str],
    *,
    workers: int | None = None,
    executor: Executor | None = None,
    dask: str | None = None,
    max_seconds: float | None = None,
    max_examples: int | None = None,
    seed: int | None = None,
    islands: int = ISLANDS,
    lease_limit: float | None = LEASE_LIMIT,
    max_memory: int | None = None,
    share: tuple[int, int] | None = None,
    watcher: Watcher | None = None,
) -> CampaignReport:
    """Test properties on many workers, and keep a log in the folder ``into``. The same call continues where
    it stopped.

    ``targets`` are tests, files and folders as for pytest, ``package.module:NAME``, or test functions. Tests
    run in ``workers`` processes of this machine (one per core), on any ``executor``, or on the cluster of a
    ``dask`` scheduler. With ``max_seconds``, random tests and searches continue until then; without it, each
    makes the number of tests in its settings (``max_examples`` for all of them). The results depend on
    ``seed`` and ``islands`` (searches that exchange their best inputs), not on the number of workers. A lease
    may take ``lease_limit`` seconds, and a worker's process ``max_memory`` megabytes. ``share=(1, 2)`` tests
    the first of two halves, for two machines without a shared folder. ``watcher`` gets the report now and
    then.
    """
    names = _targets(targets)
    _check(workers, executor, dask, max_examples, islands, max_memory, share)
    for name, seconds in (("max_seconds", max_seconds), ("lease_limit", lease_limit)):
        if seconds is not None and not seconds > 0:
            raise InvalidArgument(f"{name}={seconds} must be a positive number of seconds")
    if seed is not None:
        require_seed(seed)
    folder = Path(into)
    about = _about(folder, names, seed)
    compact_dead(folder)
    state = read_state(folder)
    setup = _setup(names, about["seed"], max_memory)
    crew = _workers(workers, executor, dask, setup["run"])  # before anything is written
    try:
        known: dict[str, list[str]] = {}
        for progress in state.progress.values():
            if progress.leases or progress.partial:
                known.setdefault(progress.name, []).append(progress.fingerprint)
        planned = _planned(setup, names, max_seconds, known)
        if read_about(folder) is None:  # a campaign takes a folder only if it has something to test
            write_about(folder, about)
        setup["path"] = planned["path"]
        settings = {
            "islands": islands,
            "max_seconds": max_seconds,
            "max_examples": max_examples,
            "python": sys.version.split()[0],
        }
        own = (0, 1) if share is None else (share[0] - 1, share[1])
        starter = Starter(
            folder, about, state, setup, planned, settings, limit=lease_limit, share=own, watcher=watcher
        )
        starter.confirm_left()
        starter.run(crew, None if max_seconds is None else max(0.0, max_seconds - planned["seconds"]))
    finally:
        crew.close()
        end_all(setup["run"])
    return starter.report()


def read(into: str | os.PathLike[str]) -> CampaignReport:
    """The report of the campaign in a folder, whether it is running or not."""
    folder = Path(into)
    about = read_about(folder)
    if about is None:
        raise CampaignProblem(
            f"there is no campaign in {folder}; everycase campaign run ... --into {folder} starts one"
        )
    return report_of(read_state(folder), about, folder)


def _workers(count: int | None, executor: Executor | None, dask: str | None, run: str) -> executors.Workers:
    if dask is not None:
        return executors.dask(dask, run)
    return executors.local(count, run) if executor is None else executors.given(executor, run)


def _check(
    workers: int | None,
    executor: Executor | None,
    dask: str | None,
    max_examples: int | None,
    islands: int,
    max_memory: int | None,
    share: tuple[int, int] | None,
) -> None:
    if sum(each is not None for each in (workers, executor, dask)) > 1:
        raise InvalidArgument("give one of workers, executor and dask, not several")
    numbers = {
        "workers": workers,
        "max_examples": max_examples,
        "islands": islands,
        "max_memory": max_memory,
    }
    for name, value in numbers.items():
        if value is not None:
            require_int(name, value)
            if value < 1:
                raise InvalidArgument(f"{name}={value} must be at least 1")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidArgument(f"executor must be a concurrent.futures.Executor, not {executor!r}")
    if share is not None and not 1 <= share[0] <= share[1]:
        raise InvalidArgument(f"share={share} must be (K, N) with K from 1 to N: the K-th of N shares")


def _targets(targets: Target | Iterable[Target]) -> list[str]:
    """Targets as text."""
    one = isinstance(targets, str | os.PathLike) or callable(targets)
    if not one and (isinstance(targets, Gen) or not isinstance(targets, Iterable)):
        raise InvalidArgument(
            f"targets must be tests, files or folders, not {targets!r}; for example campaign.run('tests', into='found')"
        )
    several: list[Any] = [targets] if one else list(targets)  # type: ignore[arg-type]
    if not several:
        raise InvalidArgument("a campaign needs a target: a test, a file or a folder")
    return [_target(each) for each in several]


def _target(target: Target) -> str:
    if isinstance(target, str | os.PathLike):
        return os.fspath(target)
    module, name = getattr(target, "__module__", None), getattr(target, "__qualname__", None)
    if not module or not name or "<" in name or module == "__main__":
        raise InvalidArgument(
            f"{target!r} cannot be found by other processes; a test must be a function at the top of a module that they can import"
        )
    return f"{module}:{name}"


def _about(folder: Path, targets: list[str], seed: int | None) -> dict[str, Any]:
    """The campaign of a folder: the existing one, or a new one."""
    about = read_about(folder)
    if about is None:
        seed = int.from_bytes(os.urandom(4)) if seed is None else seed
        return {"targets": targets, "seed": seed, "begun": time.time()}
    if set(about["targets"]) != set(targets):
        raise CampaignProblem(
            f"{folder} is the folder of another campaign, on {' '.join(about['targets'])}; choose another folder for "
            f"{' '.join(targets)}, or continue with the same targets"
        )
    if seed is not None and about["seed"] != seed:
        raise CampaignProblem(
            f"{folder} is the folder of a campaign with seed {about['seed']}; choose another folder for seed "
            f"{seed}, or leave the "
            "seed out"
        )
    return about


def _setup(targets: list[str], seed: int, max_memory: int | None) -> dict[str, Any]:
    """What a process must know before it gets requests."""
    by_name = [target for target in targets if _is_import(target)]
    return {
        "run": uuid.uuid4().hex[:12],
        "path": [str(Path.cwd()), *[place or str(Path.cwd()) for place in sys.path]],
        "cwd": str(Path.cwd()),
        "targets": {"import": by_name, "pytest": [each for each in targets if each not in by_name]},
        "seed": seed,
        "max_memory": max_memory,
    }


def _is_import(target: str) -> bool:
    return ":" in target and "::" not in target and not Path(target).exists()


def _planned(
    setup: dict[str, Any], targets: list[str], seconds: float | None, known: dict[str, list[str]]
) -> dict[str, Any]:
    """The properties that the targets name, as a process finds them."""
    for _ in range(MOST_PLANNING):
        found = perform(setup, {"do": "plan", "limit": None, "seconds": seconds, "known": known})
        if found.get("code") != -9:  # it may have been killed from outside
            break
    if found.get("code") == -9 and not setup["max_memory"]:
        raise CampaignProblem(
            f"the process that imports {' '.join(targets)} was killed {MOST_PLANNING} times ({found['lost']}), from outside "
            "or for want of memory; run the same command again"
        )
    if "lost" in found:
        raise CampaignProblem(
            f"importing {' '.join(targets)} ended the process ({found['lost']}); does a test run at import"
            f"{', or is its memory too small' if setup['max_memory'] else ''}?"
        )
    if "error" in found:
        raise CampaignProblem(found["error"])
    if not found["properties"]:
        wrong = f": {found['problems'][0]}" if found["problems"] else ""
        raise CampaignProblem(
            f"there are no properties in {' '.join(targets)}{wrong or '; a property is a test under @given, or a state machine'}"
        )
    return found
