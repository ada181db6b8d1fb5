"""User functions of all kinds that spin or sleep: runs stay within one and a half times ``max_seconds``.

Each cell of the table runs in its own process, with one of three limits. What counts is the time for which its process
worked, slept or waited for something, but not the time for which it waited for a processor, so other load on the
machine does not make a cell fail.
"""

from __future__ import annotations

import asyncio
import functools
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from time_limits import spin, written_module
from timing import measured

from everycase import (
    assume,
    check,
    classify,
    event,
    example,
    exists,
    find,
    gen,
    given,
    maximize,
    note,
    settings,
    tabulate,
)
from everycase.complete import gaps, repair
from everycase.explore import Anneal, Climb, Covering, Exhaustive, Narrow, Orders, Patterns, Random
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    interleaved,
    invariant,
    parallel,
    precondition,
    rule,
)

LIMITS = (0.3, 1.0, 3.0)
#: A run may take this many times its limit.
ALLOWED = 1.5

Run = Callable[[float], object]


def nap(value: Any, seconds: float = 0.01) -> Any:
    """A user function that waits."""
    time.sleep(seconds)
    return value


#: The ways in which a user function is slow.
WAYS: dict[str, Callable[..., Any]] = {"sleeping": nap, "spinning": spin}


class SlowlyShown:
    """A value whose ``repr`` is slow."""

    def __init__(self, number: int, slow: Callable[..., Any]) -> None:
        self.number, self.slow = number, slow

    def __repr__(self) -> str:
        return f"SlowlyShown({self.slow(self.number, 0.02)})"


class SlowlyCompared:
    """A value that is slow to compare and to hash."""

    def __init__(self, number: int, slow: Callable[..., Any]) -> None:
        self.number, self.slow = number, slow

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SlowlyCompared) and self.number == self.slow(other.number)

    def __hash__(self) -> int:
        return hash(self.slow(self.number))


class SlowlyMade:
    def __init__(self, a: int, b: int, slow: Callable[..., Any]) -> None:
        self.a, self.b = slow(a), b


@dataclass(frozen=True)
class Tree:
    left: Tree | None
    label: int
    right: Tree | None


def _ordered(tree: Tree | None, low: int, high: int) -> bool:
    return tree is None or (
        low <= tree.label <= high
        and _ordered(tree.left, low, tree.label)
        and _ordered(tree.right, tree.label, high)
    )


def generators(slow: Callable[..., Any]) -> dict[str, gen.Gen[Any]]:
    """Generators that call a slow function often."""

    @gen.composite
    def drawing(draw: gen.Draw) -> list[int]:
        return [slow(draw(gen.integers(0, 9))) for _ in range(draw(gen.integers(20, 40)))]

    def halves(n: int) -> gen.Gen[Any]:
        return gen.just(n) if slow(n) < 2 else gen.integers(0, n - 1).flatmap(halves)

    def extend(inner: gen.Gen[Any]) -> gen.Gen[Any]:
        return gen.lists(inner, min_size=2).map(slow)

    digits = gen.integers(0, 9)
    return {
        "maps": gen.lists(gen.integers(0, 99).map(slow), min_size=50, max_size=60),
        "a wide tuple of maps": gen.tuples(*[digits.map(slow)] * 40),
        "filters": gen.lists(
            gen.integers(0, 99).filter(lambda n: slow(n) % 3 == 0), min_size=40, max_size=60
        ),
        "one hard filter": gen.integers(0, 10**6).filter(lambda n: slow(n) % 97 == 3),
        "keys": gen.lists(gen.integers(0, 999), unique_by=slow, min_size=50, max_size=60),
        "two keys": gen.lists(
            gen.tuples(digits, gen.integers()),
            unique_by=(lambda t: slow(t[1]), lambda t: (t[0], t[1])),
            min_size=30,
        ),
        "hashes": gen.lists(
            gen.integers(0, 999).map(lambda n: SlowlyCompared(n, slow)), unique=True, min_size=25
        ),
        "a set of hashes": gen.sets(gen.integers(0, 999).map(lambda n: SlowlyCompared(n, slow)), min_size=25),
        "flatmaps": gen.lists(digits.flatmap(lambda n: slow(gen.integers(0, n))), min_size=40, max_size=50),
        "a chain of flatmaps": gen.integers(10**9, 10**10).flatmap(halves),
        "constructors": gen.lists(gen.builds(SlowlyMade, digits, digits, slow=gen.just(slow)), min_size=40),
        "draws": drawing(),
        "a recursion": gen.recursive(gen.integers(), extend, max_leaves=60),
        "dictionaries": gen.dictionaries(gen.integers(0, 999).map(slow), digits.map(slow), min_size=30),
        "reprs": gen.lists(gen.integers(0, 9).map(lambda n: SlowlyShown(n, slow)), min_size=30, max_size=60),
        "few maps": gen.tuples(digits.map(slow), digits.map(slow), digits),
        "a filter of few": gen.tuples(digits, digits, digits).filter(lambda t: slow(sum(t) % 5 == 0)),
        "text": gen.text(min_size=40).filter(lambda s: slow(len(s)) % 2 == 0).map(slow),
        "a regex": gen.from_regex(r"[a-z]{3,9}(-[0-9]{2}){0,9}").filter(lambda s: slow(len(s)) % 3 == 0),
        "an inverse": gen.lists(digits.map(slow, inverse=slow), min_size=30, max_size=40),
    }


def ways_to_run() -> dict[str, Callable[[gen.Gen[Any], float], object]]:
    def fails(value: Any) -> None:
        raise ValueError("always")

    def fails_late(value: Any) -> None:
        number = len(str(type(value))) + (len(value) if hasattr(value, "__len__") else 0)
        maximize(number)
        assert number < 40

    def passes(value: Any) -> None:
        maximize(len(value) if hasattr(value, "__len__") else 1)

    def run(test: Callable[[Any], None], **options: Any) -> Callable[[gen.Gen[Any], float], object]:
        return lambda made, limit: check(test, made, max_seconds=limit, database=None, **options)

    return {
        "passing": run(passes),
        "failing": run(fails),
        "failing late": run(fails_late),
        "random": run(passes, explore=Random()),
        "exhaustive": run(passes, explore=Exhaustive()),
        "exhaustive up to a size": run(passes, explore=Exhaustive(max_size=25)),
        "covering": run(passes, explore=Covering()),
        "narrow": run(passes, explore=Narrow()),
        "narrow up to a size": run(passes, explore=Narrow(max_size=25)),
        "patterns": run(passes, explore=Patterns()),
        "climb": run(passes, explore=Climb()),
        "anneal, failing late": run(fails_late, explore=Anneal()),
        "found": lambda made, limit: find(made, lambda value: "7" in str(value), max_seconds=limit),
        "existing": lambda made, limit: exists(made, lambda value: False, max_seconds=limit),
    }


# --- cells of their own --------------------------------------------------------------------------------------


def single(slow: Callable[..., Any]) -> dict[str, Run]:
    """Functions of other kinds that are slow."""
    digits = gen.integers(0, 9)
    numbers = gen.lists(gen.integers(0, 99), min_size=3)

    def run(test: Callable[..., Any], *gens: gen.Gen[Any], **options: Any) -> Run:
        options = {"database": None, **options}
        return lambda limit: check(test, *gens, max_seconds=limit, **options)

    def on_list_and_digit(**options: Any) -> Run:
        def test(xs: list[int], n: int) -> None:
            assert len(xs) < 12

        return run(given(numbers, digits).where(lambda xs, n: slow(sum(xs) % 7 == n))(test), **options)

    def on_columns(**options: Any) -> Run:
        def test(a: int, b: int, c: int, d: int, e: int, f: int) -> None:
            assert a + b + c + d + e + f < 45

        holds = given(*[digits] * 6).where(lambda a, b, c, d, e, f: slow((a + b + c + d + e + f) % 7 == 3))
        return run(holds(test), **options)

    def two_conditions(**options: Any) -> Run:
        whole = given(numbers, numbers).where(lambda xs, ys: slow(len(xs) % 3 == 0))
        return run(whole.where(lambda xs, ys: slow(len(ys) % 3 == 1))(lambda xs, ys: None), **options)

    def slow_test(xs: list[int]) -> None:
        slow(xs)
        assert sum(xs) < 100

    def always(xs: list[int]) -> None:
        slow(xs, 0.04)
        raise ValueError("always")

    def assuming(xs: list[int]) -> None:
        assume(slow(sum(xs) % 11 == 3))
        assert len(xs) < 9

    def hardly_ever(xs: list[int]) -> None:
        assume(slow(False))

    def leading(xs: list[int]) -> None:
        if not slow(sum(xs) % 11 == 3):
            return
        assert len(xs) < 9

    def many_failures(xs: list[int]) -> None:
        slow(xs, 0.03)
        kinds = (ValueError, KeyError, TypeError, IndexError, OSError, RuntimeError, LookupError, EOFError)
        raise kinds[sum(xs) % 8]

    def labelled(xs: list[int]) -> None:
        slow(xs, 0.03)
        classify("huge", len(xs) > 10**6, at_least=0.05)
        classify("never", False)
        tabulate("length", slow(len(xs) % 3))

    def noting(xs: list[int]) -> None:
        for _ in range(3):
            event(SlowlyShown(1, slow))  # type: ignore[arg-type]
            note(SlowlyShown(2, slow))  # type: ignore[arg-type]
        assert sum(xs) < 200

    class SlowError(Exception):
        def __str__(self) -> str:
            return str(slow("slow", 0.05))

        __repr__ = __str__

    def raising(xs: list[int]) -> None:
        if sum(xs) > 100:
            raise SlowError

    def drawing(data: Any) -> None:
        for _ in range(40):
            data.draw(digits.map(slow))

    def drawing_and_failing(data: Any) -> None:
        drawn = [data.draw(digits.map(slow)) for _ in range(8)]
        assert sum(drawn) < 30

    async def waiting(xs: list[int]) -> None:
        await asyncio.sleep(0.02)
        assert sum(xs) < 300

    @settings(database=None)
    @given(numbers)
    @example([1])
    def with_examples(xs: list[int]) -> None:
        slow(xs, 0.04)

    for number in range(100):
        with_examples = example([number])(with_examples)

    def remembered(limit: float) -> None:
        place = tempfile.mkdtemp()
        failing = True

        def test(xs: list[int]) -> None:
            if not failing:
                slow(xs, 0.1)
            else:
                raise [ValueError, KeyError, TypeError, IndexError, OSError, RuntimeError][len(xs) % 6]

        for start in range(4):
            check(test, numbers, database=place, seed=start, max_examples=50)
        failing = False
        return measured_from_here(lambda: check(test, numbers, database=place, max_seconds=limit))

    def best_of_before(limit: float) -> None:
        place = tempfile.mkdtemp()
        fast = True

        def test(xs: list[int]) -> None:
            if not fast:
                slow(xs, 0.1)
            maximize(sum(xs))

        check(test, numbers, database=place, explore=Climb(), max_examples=300)
        fast = False
        return measured_from_here(
            lambda: check(test, numbers, database=place, explore=Climb(), max_seconds=limit)
        )

    def neighbourhood(explore: Any) -> Run:
        made = gen.lists(
            gen.integers(0, 99).with_neighbor(lambda n, t: slow((n + 1) % 100)), min_size=60, max_size=60
        )
        return run(lambda xs: maximize(-sum(xs)), made, explore=explore)

    def threads(limit: float) -> object:
        with ThreadPoolExecutor(2) as pool:
            return check(slow_test, numbers, executor=pool, max_seconds=limit, database=None)

    trees: gen.Gen[Any] = gen.deferred(lambda: gen.none() | gen.builds(Tree, trees, digits, trees))
    ordered = trees.filter(lambda t: slow(_ordered(t, 0, 9)))

    cells = {
        "test": run(slow_test, numbers),
        "failing test": run(always, numbers),
        "assume": run(assuming, numbers),
        "assume, narrow": run(assuming, numbers, explore=Narrow()),
        "assume that never holds": run(hardly_ever, numbers),
        "leading condition": run(leading, numbers),
        "many failures": run(many_failures, numbers),
        "labels": run(labelled, numbers),
        "notes": run(noting, numbers),
        "errors": run(raising, numbers),
        "draws in the test": run(drawing, gen.data()),
        "draws in the test, failing": run(drawing_and_failing, gen.data()),
        "async": run(waiting, numbers),
        "explicit examples": lambda limit: check(with_examples, max_seconds=limit),
        "remembered failures": remembered,
        "best inputs of before": best_of_before,
        "neighbourhood, climb": neighbourhood(Climb()),
        "neighbourhood, anneal": neighbourhood(Anneal()),
        "executor": threads,
        "deadline": run(slow_test, numbers, deadline=5),
        "lines": run(
            slow_test, gen.lists(digits.map(lambda n: SlowlyShown(n, slow))), observe=tempfile.mkdtemp()
        ),
        "statistics": run(
            lambda xs: None, gen.lists(digits.map(lambda n: SlowlyShown(n, slow))), statistics=True
        ),
        "deferred": run(slow_test, gen.lists(gen.deferred(lambda: slow(digits, 0.2)))),
        "ordered trees": run(lambda t: None, ordered),
        "ordered trees, narrow": run(lambda t: None, ordered, explore=Narrow(max_size=12)),
        "ordered trees, patterns": run(lambda t: None, ordered, explore=Patterns()),
        "ordered trees, exhaustive": run(lambda t: None, ordered, explore=Exhaustive(max_size=12)),
        "many columns": run(
            lambda a, b, c, d, e, f, g, h: None, *[digits.map(slow)] * 8, explore=Covering(strength=2)
        ),
    }
    for name, explorer in {
        "default": None,
        "random": Random(),
        "exhaustive": Exhaustive(),
        "covering": Covering(),
        "narrow": Narrow(),
        "patterns": Patterns(),
        "climb": Climb(),
    }.items():
        options = {} if explorer is None else {"explore": explorer}
        cells[f"precondition, {name}"] = on_list_and_digit(**options)
        cells[f"two preconditions, {name}"] = two_conditions(**options)
        cells[f"columns under a precondition, {name}"] = on_columns(**options)
    cells.update(machines(slow))
    cells.update(completeness(slow))
    return cells


def machines(slow: Callable[..., Any]) -> dict[str, Run]:
    def machine(part: str, fails: bool) -> type:
        def at(here: str) -> None:
            if here == part:
                slow(None, 0.02)

        class Machine(RuleBasedStateMachine):
            things = Bundle("things")

            def __init__(self) -> None:
                super().__init__()
                at("init")
                self.seen: list[int] = []

            @initialize(n=gen.integers())
            def begin(self, n: int) -> None:
                at("initialize")

            @rule(target=things, value=gen.integers(0, 9))
            def add(self, value: int) -> int:
                at("rule")
                self.seen.append(value)
                return value

            @precondition(lambda self: at("precondition") or len(self.seen) > 1)
            @rule(value=things)
            def use(self, value: int) -> None:
                at("rule")
                assert not fails or len(self.seen) < 5

            @invariant()
            def holds(self) -> None:
                at("invariant")

            def teardown(self) -> None:
                at("teardown")

        return Machine

    found: dict[str, Run] = {}
    for part in ("init", "initialize", "rule", "precondition", "invariant", "teardown"):
        for fails in (False, True):
            name = f"machine, {part}{', failing' if fails else ''}"
            made = machine(part, fails)
            found[name] = lambda limit, made=made: check(made, max_seconds=limit, database=None)
    made = machine("rule", True)
    for name, explorer in {
        "orders": Orders(strength=2),
        "climb": Climb(),
        "exhaustive": Exhaustive(max_size=5),
    }.items():
        found[f"machine, {name}"] = lambda limit, explorer=explorer: check(
            made, explore=explorer, max_seconds=limit, database=None
        )
    found["machine, parallel"] = lambda limit: check(
        parallel(machine("rule", False), threads=2), max_seconds=limit, database=None
    )
    found["machine, interleaved"] = lambda limit: check(
        interleaved(machine("rule", False), tasks=2), max_seconds=limit, database=None
    )
    return found


PROMISE = """
import time
def slow(value):
    {waste}
    return value

def sevens(n: int) -> bool:
    return slow(n) % 7 == 0

def short(v: list[int]) -> bool:
    return slow(len(v) <= 4) and all(0 <= n <= 3 for n in v)

def at_least(depth: int) -> bool:
    return slow(depth >= 0)

@covers(sevens)
@gen.composite
def promised(draw) -> int:
    return 7 * draw(gen.integers(0, 10**6))

@covers(lambda v: len(v) <= 6 and all(-5 <= n <= 5 for n in v))
@gen.composite
def generated(draw) -> list[int]:
    found = []
    while len(found) < 5 and draw(gen.booleans()):
        found.append(slow(draw(gen.integers(-5, 5))))
    return found

@covers(short, requires=at_least)
@gen.composite
def both(draw, depth: int) -> list[int]:
    if depth == 0 or draw(gen.booleans()):
        return []
    return [slow(draw(gen.integers(0, 3))), *draw(both(depth - 1))]

@covers(lambda s: slow(len(s) < 5))
@gen.composite
def unsupported(draw) -> str:
    return slow("".join(sorted(draw(gen.lists(gen.sampled_from("abc"), max_size=4)), key=slow)))
"""


def completeness(slow: Callable[..., Any]) -> dict[str, Run]:
    waste = "time.sleep(0.01)" if slow is nap else "sum(range(300_000))"
    source = PROMISE.format(waste=waste)
    found: dict[str, Run] = {}
    for name in ("promised", "generated", "both", "unsupported"):
        for asked in (gaps, repair):
            found[f"{asked.__name__}, {name}"] = lambda limit, name=name, asked=asked: measured_from_here(
                functools.partial(asked, written_module(source, name), max_seconds=limit)
            )
    return found


#: Set while a cell runs: notes that its limit begins only here.
begins: list[Callable[[], None]] = []


def measured_from_here(run: Callable[[], object]) -> Any:
    for begin in begins:
        begin()
    return run()


def cells() -> Iterator[tuple[str, float, Callable[[], object]]]:
    """Every cell with its limit. Each is run with one of the limits; which one moves on with the seed."""
    named: dict[str, Run] = {}
    for way, slow in WAYS.items():
        for what, made in generators(slow).items():
            for how, run in ways_to_run().items():
                named[f"{way} {what}, {how}"] = lambda limit, run=run, made=made: run(made, limit)
        for name, cell in single(slow).items():
            named[f"{way} {name}"] = cell
    for number, (name, cell) in enumerate(named.items()):
        limit = LIMITS[number % 7 % 3]
        yield f"{name}, {limit:g} s", limit, lambda cell=cell, limit=limit: cell(limit)


def trial(count: int, seed: int) -> list[str]:
    """The cells that took longer than one and a half times their limit."""
    bad = []
    for name, limit, cell in list(cells())[seed : seed + count]:
        took, raised = measured(cell, limit, begins)
        if raised or took > ALLOWED * limit:
            bad.append(f"{name}: {raised or f'{took / limit:.2f} times as long'}")
            print(bad[-1], flush=True)
    return bad
