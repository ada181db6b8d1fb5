"""Ctrl-C at any moment: the run ends soon, and a failure that it has found is reported and remembered."""

from __future__ import annotations

import random
import signal
import time

from everycase import check, gen
from everycase.run.store import MemoryStore


def failing(failed: list[float], hanging: bool):
    """A test that fails for large lists, and may hang for others."""

    def test(xs):
        if sum(xs) > 300:
            failed.append(time.monotonic())
            raise ValueError
        if hanging and len(xs) == 3:
            time.sleep(5)
        time.sleep(0.0001)

    return test


def interrupt(signum, frame):
    raise KeyboardInterrupt


def trial(count: int, seed: int) -> list[str]:
    """The failures in a number of interrupted runs."""
    chance = random.Random(seed)
    bad = []
    for number in range(count):
        store = MemoryStore()
        failed: list[float] = []
        test = failing(failed, chance.random() < 0.3)
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.001 + chance.random() * chance.choice([0.01, 0.1, 0.4]))
        started = time.monotonic()
        report = None
        try:
            report = check(
                test, gen.lists(gen.integers(0, 100)), database=store, seed=number, max_examples=3000
            )
        except KeyboardInterrupt:
            pass
        except BaseException as problem:
            bad.append(f"{number}: {type(problem).__name__}: {problem}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        if time.monotonic() - started > 4:
            bad.append(f"{number}: ended after {time.monotonic() - started:.1f} s")
        if len(failed) >= 2 and not store._entries:
            bad.append(f"{number}: a failure was confirmed and is not remembered")
        if len(failed) >= 2 and report is None:
            bad.append(f"{number}: a failure was found and is not reported")
        if report is not None and failed and report.status != "failed":
            bad.append(f"{number}: {report.status} after a failure")
    return bad
