"""What the code of functions says about the things that they read besides their arguments."""

from __future__ import annotations

import builtins
import collections
import functools
import gc
import io
import itertools
import operator
import random
import sys
import time
import weakref
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from everycase import gen
from everycase.gen.outside import outside_of

DICE = random.Random(3)
TOOLS = {"dice": DICE, "limit": 3}
FUNCTIONS = [random.random]
TURNS = itertools.cycle([True, False])
TEXT = io.StringIO("text")
NODES = weakref.WeakSet()


def imports(n):
    import random

    return random.random() < n


def imports_a_name(n):
    from time import perf_counter as now

    return now() < n


def inside(n):
    def toss():
        return random.random()

    return toss() < n


def by_default(n, toss=random.random):
    return toss() < n


def by_keyword(n, *, dice=DICE):
    return n < 3


@functools.cache
def remembered(n):
    return random.random() < n


def wrapping(function):
    @functools.wraps(function)
    def wrapped(*args):
        return function(*args)

    return wrapped


@wrapping
def wrapped(n):
    return time.time() < n


class Tools:
    limit = 3

    def __init__(self):
        self.dice = random.Random(1)

    @property
    def toss(self):
        return DICE.random()

    @classmethod
    def of_class(cls, n):
        return cls.of_nothing()

    @staticmethod
    def of_nothing():
        return random.random()

    def by_attribute(self, n):
        return self.dice.random() < n

    def below(self, n):
        return n < self.limit


class Operators:
    def __contains__(self, n):
        return random.random() < n


class Called:
    def __call__(self, n):
        return random.random() < n


class Inherited(Called):
    pass


@dataclass
class Stamped:
    n: int
    at: float = field(init=False)

    def __post_init__(self):
        self.at = time.monotonic()


tools, operators = Tools(), Operators()

READS = {
    "module": lambda n: random.random() < n,
    "module as a value": lambda n: operator.attrgetter("random")(random)() < n,
    "import": imports,
    "import of a name": imports_a_name,
    "function inside": inside,
    "generator expression": lambda n: any(random.random() < m for m in range(n)),
    "default": by_default,
    "default of a keyword": by_keyword,
    "partial": functools.partial(random.choice, [1, 2]),
    "argument of a partial": functools.partial(lambda dice, n: n < 3, DICE),
    "partial inside": lambda n: functools.partial(random.choice, [1, n])(),
    "cached": remembered,
    "calls a cached one": lambda n: remembered(n),
    "wrapped": wrapped,
    "dictionary": lambda n: TOOLS["dice"].random() < n,
    "list of functions": lambda n: FUNCTIONS[0]() < n,
    "attribute": tools.by_attribute,
    "attribute of a global": lambda n: tools.dice.random() < n,
    "property": lambda n: tools.toss < n,
    "class method": lambda n: Tools.of_class(n) < n,
    "operator": lambda n: n in operators,
    "object": Called(),
    "inherited": Inherited(),
    "constructor": lambda n: Stamped(n).at < n,
    "constructor itself": Stamped,
    "iterator": lambda n: next(TURNS),
    "loop over an iterator": lambda n: [turn for _, turn in zip(range(n), TURNS)],
    "file": lambda n: TEXT.read(n),
    "opens a file": lambda n: open(n),  # noqa: PTH123, SIM115
    "weak references": lambda n: len(NODES) < n,
    "address": lambda n: id([]) < n,
    "references": lambda n: sys.getrefcount(n) < 3,
    "collector": lambda n: gc.get_count()[0] < n,
    "local time": lambda n: time.localtime().tm_sec < n,
    "date": lambda n: datetime.now().second < n,
    "eval": lambda n: eval("n < 3"),
    "system": lambda n: random.SystemRandom().random() < n,
    "seeded by the system": lambda n: random.Random().random() < n,
    "filter of a generator": lambda n: gen.integers(0, n).filter(lambda m: random.random() < m),
}

LIMITS = collections.deque([3])


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0

    def __lt__(self, other):
        return self.x < other.x


ORIGIN = Point(0)

HARMLESS = {
    "arithmetic": lambda n: n % 3 == 0,
    "dice from an argument": lambda n: random.Random(n).random() < 0.5,
    "container": lambda n: n < LIMITS[0],
    "attribute": tools.below,
    "cached": fibonacci,
    "constructor": lambda n: Point(n),
    "operator": lambda n: Point(n) < ORIGIN,
    "builtins": lambda n: builtins.sorted([n, hash(n)]),
    "iterator of its own": lambda n: next(iter([n])),
    "date that is given": lambda n: datetime(2020, 1, n).isoformat(),
    "sleeps": lambda n: time.sleep(n),
    "generator": lambda n: gen.lists(gen.integers(0, n)),
}


@pytest.mark.parametrize("name", READS)
def test_what_a_function_reads_besides_its_arguments_is_named(name):
    assert outside_of([READS[name]])


@pytest.mark.parametrize("name", HARMLESS)
def test_what_depends_on_its_arguments_alone_is_not_suspected(name):
    assert outside_of([HARMLESS[name]]) is None


class Refusing:
    def __getattribute__(self, name):
        raise RuntimeError(name)


REFUSING = Refusing()


def test_objects_that_refuse_to_be_looked_at_do_no_harm():
    assert outside_of([lambda n: REFUSING.limit < n, REFUSING]) is None


def test_what_pytest_makes_of_an_assertion_is_not_suspected():
    def compares(n):
        with pytest.raises(ZeroDivisionError):
            n / 0
        assert n + 0.1 == pytest.approx(n) or not [n] != [n]  # noqa: SIM202

    assert outside_of([compares]) is None
