"""kill -9 at any moment: a failure that a run has begun to confirm is remembered, and the store can always be read."""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
import warnings
from pathlib import Path

from everycase import Phase, check, gen

LISTS = gen.lists(gen.integers(0, 1000), max_size=30)


def failing(limit: int, log: int):
    """A test that writes a letter for each failing call."""

    def test(xs):
        if sum(xs) > limit:
            os.write(log, b"x")
            raise ValueError(len(xs))

    test.__qualname__ = "test"
    return test


def noting(seen: list[object]):
    """A test of the same name that passes and records its inputs."""

    def test(xs):
        seen.append(xs)

    test.__qualname__ = "test"
    return test


def run_until_killed(place: Path, log: Path, limit: int, seed: int) -> None:
    handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, b"-")
    try:
        check(failing(limit, handle), LISTS, seed=seed, database=place, max_examples=2000, max_seconds=20)
    finally:
        os._exit(0)


def trial(count: int, seed: int) -> list[str]:
    """The failures in a number of kills."""
    chance = random.Random(seed)
    bad = []
    for number in range(count):
        with tempfile.TemporaryDirectory() as folder:
            log, place = Path(folder) / "log", Path(folder) / "store"
            limit = chance.choice([0, 500, 3000])
            child = os.fork()
            if not child:
                run_until_killed(place, log, limit, number)
            while not (log.exists() and log.read_bytes()):
                time.sleep(0.0005)
            time.sleep(chance.choice([0.002, 0.02, 0.1]) * chance.random())
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            failed = log.read_bytes().count(b"x")
            seen: list[object] = []
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    check(noting(seen), LISTS, database=place, phases=[Phase.reuse])
            except BaseException as problem:
                bad.append(f"kill {number}: the store cannot be read: {type(problem).__name__}: {problem}")
            if failed >= 2 and not seen:
                bad.append(f"kill {number}: {failed} failing calls, and nothing is remembered")
    return bad
