"""Properties for campaigns. Workers import them by name again and again, so nothing here imports numpy."""

from __future__ import annotations

import ctypes
import os
import signal
import time
import unittest
from dataclasses import dataclass
from pathlib import Path

from everycase import assume, event, example, gen, given, maximize, settings
from everycase.explore import Anneal, Climb, Exhaustive, Narrow, Patterns, Random

FAST = settings(database=None)


def _told(n: int) -> None:
    """Record that a number was tested, for tests that check what really ran."""
    place = os.environ.get("CAMPAIGN_TOLD")
    if place is not None:
        with (Path(place) / str(os.getpid())).open("a") as file:
            file.write(f"{n}\n")


@FAST
@given(gen.integers(0, 29_999))
def passes(n):
    assume(n % 7)
    event("large" if n > 20_000 else "small")


@FAST
@given(gen.integers(0, 29_999))
def fails(n):
    assert n != 12_345 and n < 25_000
    if n > 24_000:
        raise ValueError(n)


@FAST
@given(gen.integers(0, 1999))
def told(n):
    _told(n)
    assert n != 1234
    time.sleep(0.0005)


@FAST
@given(gen.integers(0, 4000))
def segfaults(n):
    assert n < 3000
    if n == 1777:
        ctypes.string_at(0)


@FAST
@given(gen.integers(0, 400))
def exits(n):
    if n in (5, 300):
        os._exit(3)


@FAST
@given(gen.lists(gen.integers()))
def exits_at_random(xs):
    if len(xs) > 20:
        os._exit(0)


@FAST
@given(gen.integers(0, 100))
def hangs(n):
    while n == 60:
        time.sleep(0.01)


@FAST
@given(gen.integers(0, 100))
def eats_memory(n):
    if n == 50:
        bytearray(1 << 33)


@FAST
@given(gen.integers(0, 3))
def skips(n):
    if n == 2 and "CAMPAIGN_SKIPS" in os.environ:
        raise unittest.SkipTest("not today")


@FAST
@given(gen.integers(0, 3))
def interrupts(n):
    if n == 2:
        raise KeyboardInterrupt


@settings(FAST, explore=Random(), max_examples=600)
@given(gen.lists(gen.integers()))
def random_passes(xs):
    event(f"length {min(len(xs), 3)}")


@settings(FAST, explore=Random(), max_examples=600)
@example([1, 2, 3])
@given(gen.lists(gen.integers()))
def random_fails(xs):
    assert len(xs) < 12


@settings(FAST, max_examples=3000)
@given(gen.lists(gen.integers(0, 1000), min_size=5, max_size=5))
def default_search(xs):
    maximize(sum(xs))
    assert sum(xs) < 5000


@settings(FAST, explore=Climb(), max_examples=2000)
@given(gen.lists(gen.integers(0, 10**6), min_size=4, max_size=4))
def climbs(xs):
    maximize(-abs(sum(xs) - 1_234_567), "near")


@settings(FAST, explore=Anneal(), max_examples=1000)
@given(gen.integers(0, 10**9))
def anneals(n):
    maximize(n % 1000)
    maximize(n // 1000, "thousands")


@settings(FAST, explore=Narrow(max_size=3))
@given(gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs)))
def prunes(xs):
    assert xs == sorted(xs)


@settings(FAST, explore=Narrow(), max_examples=300)
@given(gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs)))
def prunes_at_random(xs):
    assert xs == sorted(xs)


@dataclass(frozen=True)
class Leaf:
    n: int


@dataclass(frozen=True)
class Node:
    left: Leaf | Node
    right: Leaf | Node


trees = gen.deferred(lambda: gen.builds(Leaf, gen.integers(0, 3)) | gen.builds(Node, trees, trees))


@settings(FAST, explore=Patterns(), max_examples=200)
@given(trees.filter(lambda tree: isinstance(tree, Node)))
def patterns(tree):
    assert isinstance(tree, Node)


@gen.composite
def pairs(draw):
    n = draw(gen.integers(0, 40))
    return [n] * draw(gen.integers(0, 2))


@settings(FAST, explore=Exhaustive(), max_examples=500)
@given(pairs())
def walks(xs):
    assert len(set(xs)) < 2


@settings(FAST, explore=Exhaustive())
@given(gen.integers(0, 5).filter(lambda n: n > 9))
def nothing(n):
    raise AssertionError


CALLS: dict[int, int] = {}


def second_sight(n):
    CALLS[n] = CALLS.get(n, 0) + 1
    return n + 1000 * (CALLS[n] > 1)


@settings(FAST, explore=Exhaustive())
@given(gen.integers(0, 999).map(second_sight))
def remembers(n):
    pass


@settings(FAST, explore=Exhaustive(), max_examples=400)
@given(gen.integers())
def endless(n):
    assert abs(n) < 10**9


@FAST
@given(gen.integers(0, 999))
def flaky(n):
    """Fails the first time that any process sees a number."""
    if n == 500:
        seen = Path(os.environ["CAMPAIGN_TOLD"]) / "seen"
        if not seen.exists():
            seen.touch()
            raise AssertionError("the first time")


@FAST
@given(gen.integers(0, 3))
def never_valid(n):
    assume(False)


@FAST
@given(gen.integers(0, 20_000))
def killed_from_outside(n):
    """Kills its process the first time that any process sees a number, like a kill from outside."""
    if n == 15_000:
        seen = Path(os.environ["CAMPAIGN_TOLD"]) / "killed"
        if not seen.exists():
            seen.touch()
            os.kill(os.getpid(), signal.SIGKILL)
