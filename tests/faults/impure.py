"""Code that depends on more than its arguments: no run may say that it tested all values if it did not.

The oracle knows which inputs can come up, given the answers that the impure code has really given so far, and which
ones the test has seen.
"""

from __future__ import annotations

import contextvars
import datetime
import functools
import gc
import itertools
import os
import queue
import random
import re
import secrets
import sqlite3
import sys
import tempfile
import threading
import time
import uuid
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from everycase import Phase, assume, check, gen, given
from everycase.errors import EverycaseError
from everycase.explore import Anneal, Auto, Climb, Covering, Exhaustive, Narrow, Patterns
from everycase.explore import Random as AtRandom
from everycase.run.store import MemoryStore

Answer = Callable[[object], bool]


# --- what the code depends on ---------------------------------------------------------------------------


def by_global_random() -> Answer:
    return lambda value: random.random() < 0.5


def by_rare_random() -> Answer:
    return lambda value: random.random() < 0.02


def by_own_random() -> Answer:
    dice = random.Random(5)
    return lambda value: dice.random() < 0.5


def by_seeded_random() -> Answer:
    def answer(value: object) -> bool:
        random.seed(time.perf_counter_ns())
        return random.random() < 0.5

    return answer


def by_constant_seed() -> Answer:
    def answer(value: object) -> bool:
        random.seed(7)
        return random.random() < 0.5

    return answer


def by_numpy() -> Answer:
    import numpy

    return lambda value: bool(numpy.random.random() < 0.5)


def by_numpy_generator() -> Answer:
    import numpy

    dice = numpy.random.default_rng(3)
    return lambda value: bool(dice.random() < 0.5)


def by_clock() -> Answer:
    return lambda value: time.time_ns() // 1000 % 2 == 0


def by_date() -> Answer:
    return lambda value: datetime.datetime.now().microsecond % 2 == 0


def by_urandom() -> Answer:
    return lambda value: os.urandom(1)[0] % 2 == 0


def by_secrets() -> Answer:
    return lambda value: secrets.randbelow(2) == 0


def by_uuid() -> Answer:
    return lambda value: uuid.uuid4().int % 2 == 0


def by_counter() -> Answer:
    turns = itertools.count()
    return lambda value: next(turns) % 2 == 0


def by_slow_counter() -> Answer:
    turns = itertools.count()
    return lambda value: next(turns) % 37 == 36


def by_late_counter() -> Answer:
    turns = itertools.count()
    return lambda value: next(turns) > 150


def by_early_counter() -> Answer:
    turns = itertools.count()
    return lambda value: next(turns) < 5


_CALLS = 0


def by_global() -> Answer:
    def answer(value: object) -> bool:
        global _CALLS
        _CALLS += 1
        return _CALLS % 3 == 0

    return answer


def by_closure() -> Answer:
    calls = 0

    def answer(value: object) -> bool:
        nonlocal calls
        calls += 1
        return calls % 5 == 0

    return answer


def by_attribute() -> Answer:
    class Turns:
        calls = 0

        def __call__(self, value: object) -> bool:
            self.calls += 1
            return self.calls % 2 == 0

    return Turns()


def by_class_attribute() -> Answer:
    class Turns:
        calls = 0

        @classmethod
        def answer(cls, value: object) -> bool:
            cls.calls += 1
            return cls.calls % 4 == 0

    return Turns.answer


def by_mutable_default() -> Answer:
    def answer(value: object, seen: list[object] = []) -> bool:  # noqa: B006
        seen.append(value)
        return len(seen) % 3 == 0

    return answer


def by_second_sight() -> Answer:
    seen: set[str] = set()

    def answer(value: object) -> bool:
        known = repr(value) in seen
        seen.add(repr(value))
        return known

    return answer


def by_first_sight() -> Answer:
    again = by_second_sight()
    return lambda value: not again(value)


def by_last_value() -> Answer:
    last: list[object] = [None]

    def answer(value: object) -> bool:
        before, last[0] = last[0], value
        return repr(before) > repr(value)

    return answer


def by_iterator() -> Answer:
    rest = iter([True, False] * 20)
    return lambda value: next(rest, False)


def by_cycle() -> Answer:
    rest = itertools.cycle([True, False, False])
    return lambda value: next(rest)


def by_generator() -> Answer:
    def turns() -> Iterator[bool]:
        while True:
            yield True
            yield False

    rest = turns()
    return lambda value: rest.send(None)


def by_stack() -> Answer:
    stack = [True, False] * 30
    return lambda value: stack.pop() if stack else False


def by_environment() -> Answer:
    os.environ["EVERYCASE_TRIAL"] = "0"

    def answer(value: object) -> bool:
        number = int(os.environ["EVERYCASE_TRIAL"]) + 1
        os.environ["EVERYCASE_TRIAL"] = str(number)
        return number % 2 == 0

    return answer


def by_file() -> Answer:
    handle, path = tempfile.mkstemp()
    os.close(handle)

    def answer(value: object) -> bool:
        with Path(path).open("a") as file:
            file.write("x")
        return Path(path).stat().st_size % 3 == 0

    return answer


def by_cache() -> Answer:
    @functools.lru_cache(maxsize=2)
    def known(value: str) -> float:
        return time.perf_counter_ns()

    return lambda value: known(repr(value)) // 100 % 2 == 0


def by_cache_size() -> Answer:
    @functools.cache
    def known(value: str) -> None:
        return None

    def answer(value: object) -> bool:
        known(repr(value))
        return known.cache_info().hits % 2 == 1

    return answer


def by_identity() -> Answer:
    kept = []

    def answer(value: object) -> bool:
        kept.append(object())
        return id(kept[-1]) // 16 % 2 == 0

    return answer


def by_hash_of_object() -> Answer:
    kept = []

    def answer(value: object) -> bool:
        kept.append(object())
        return hash(kept[-1]) % 2 == 0

    return answer


def by_set_order() -> Answer:
    class Thing:
        def __init__(self, number: int) -> None:
            self.number = number

    kept = []

    def answer(value: object) -> bool:
        things = {Thing(0), Thing(1)}
        kept.append(things)
        return next(iter(things)).number == 0

    return answer


def by_thread() -> Answer:
    turns = itertools.count()

    def answer(value: object) -> bool:
        found: list[int] = []
        thread = threading.Thread(target=lambda: found.append(next(turns)))
        thread.start()
        thread.join()
        return found[0] % 2 == 0

    return answer


def by_thread_local() -> Answer:
    own = threading.local()

    def answer(value: object) -> bool:
        own.calls = getattr(own, "calls", 0) + 1
        return own.calls % 3 == 0

    return answer


def by_context() -> Answer:
    calls: contextvars.ContextVar[int] = contextvars.ContextVar("calls", default=0)

    def answer(value: object) -> bool:
        calls.set(calls.get() + 1)
        return calls.get() % 2 == 0

    return answer


def by_collector() -> Answer:
    return lambda value: gc.get_count()[0] % 2 == 0


def by_weak_reference() -> Answer:
    class Node:
        def __init__(self) -> None:
            self.own = self

    kept = [weakref.ref(Node())]

    def answer(value: object) -> bool:
        gone = kept[0]() is None
        if gone:
            kept[0] = weakref.ref(Node())
        return gone

    return answer


def by_import() -> Answer:
    def answer(value: object) -> bool:
        from random import random as toss

        return toss() < 0.03

    return answer


def by_dice_of_an_object() -> Answer:
    class Tools:
        def __init__(self) -> None:
            self.dice = random.Random(9)

        def answer(self, value: object) -> bool:
            return self.dice.random() < 0.03

    return Tools().answer


def by_dice_in_a_dictionary() -> Answer:
    tools = {"dice": random.Random(4)}
    return lambda value: tools["dice"].random() < 0.03


def by_operator() -> Answer:
    class Club:
        def __contains__(self, value: object) -> bool:
            return random.random() < 0.03

    club = Club()
    return lambda value: value in club


def by_property() -> Answer:
    class Switch:
        @property
        def on(self) -> bool:
            return random.random() < 0.03

    switch = Switch()
    return lambda value: switch.on


def by_references() -> Answer:
    thing, kept = object(), []

    def answer(value: object) -> bool:
        kept.append(thing)
        return sys.getrefcount(thing) % 31 == 0

    return answer


def by_queue() -> Answer:
    turns: queue.Queue[bool] = queue.Queue()
    for number in range(31):
        turns.put(number == 30)

    def answer(value: object) -> bool:
        turn = turns.get()
        turns.put(turn)
        return turn

    return answer


def by_database() -> Answer:
    tables = sqlite3.connect(":memory:", check_same_thread=False)
    tables.execute("create table calls (call)")

    def answer(value: object) -> bool:
        tables.execute("insert into calls values (1)")
        return int(tables.execute("select count(*) from calls").fetchone()[0]) % 7 == 0

    return answer


def by_stack_depth() -> Answer:
    def answer(value: object) -> bool:
        frame, depth = sys._getframe(), 0
        while frame.f_back is not None:
            frame, depth = frame.f_back, depth + 1
        return depth % 2 == 0

    return answer


#: Their answers follow addresses in memory, which nothing can foresee: the trial comes to them last.
BY_LUCK = ("hash_of_object", "set_order")

SOURCES = {name[3:]: made for name, made in list(globals().items()) if name.startswith("by_")}


# --- where the impure code is ---------------------------------------------------------------------------


class Cell(NamedTuple):
    """A test with its arguments, and the inputs that can come up if the impure code gives these answers."""

    test: Callable[..., Any]
    args: tuple[Any, ...]
    possible: Callable[[set[bool]], set[str]]


Seen = Callable[[object], None]


def in_composite_value(ask: Answer, seen: Seen) -> Cell:
    @gen.composite
    def made(draw: gen.Draw) -> int:
        n = draw(gen.integers(0, 5))
        return n + 10 * ask(n)

    return Cell(seen, (made(),), lambda answers: {repr(n + 10 * a) for n in range(6) for a in answers})


def in_composite_range(ask: Answer, seen: Seen) -> Cell:
    @gen.composite
    def made(draw: gen.Draw) -> tuple[bool, int]:
        b = draw(gen.booleans())
        return b, draw(gen.integers(0, 2 + 2 * ask(b)))

    return Cell(
        seen,
        (made(),),
        lambda answers: {repr((b, n)) for b in (False, True) for n in range(5 if True in answers else 3)},
    )


def in_composite_length(ask: Answer, seen: Seen) -> Cell:
    @gen.composite
    def made(draw: gen.Draw) -> list[bool]:
        first = draw(gen.booleans())
        return [first, draw(gen.booleans())] if ask(first) else [first]

    def possible(answers: set[bool]) -> set[str]:
        both = (False, True)
        short = {repr([a]) for a in both} if False in answers else set()
        return short | ({repr([a, b]) for a in both for b in both} if True in answers else set())

    return Cell(seen, (made(),), possible)


def in_composite_assume(ask: Answer, seen: Seen) -> Cell:
    @gen.composite
    def made(draw: gen.Draw) -> int:
        n = draw(gen.integers(0, 5))
        assume(n != 3 or ask(n))
        return n

    return Cell(seen, (made(),), _but_three)


def _but_three(answers: set[bool]) -> set[str]:
    return {repr(n) for n in range(6) if n != 3 or True in answers}


def in_map(ask: Answer, seen: Seen) -> Cell:
    made = gen.integers(0, 5).map(lambda n: n + 10 * ask(n))
    return Cell(seen, (made,), lambda answers: {repr(n + 10 * a) for n in range(6) for a in answers})


def in_map_of_elements(ask: Answer, seen: Seen) -> Cell:
    made = gen.lists(gen.booleans().map(lambda b: (b, ask(b))), min_size=1, max_size=1)
    return Cell(seen, (made,), lambda answers: {repr([(b, a)]) for b in (False, True) for a in answers})


def in_filter(ask: Answer, seen: Seen) -> Cell:
    return Cell(seen, (gen.integers(0, 5).filter(lambda n: n != 3 or ask(n)),), _but_three)


def in_filter_of_all(ask: Answer, seen: Seen) -> Cell:
    return Cell(
        seen,
        (gen.integers(0, 5).filter(lambda n: ask(n)),),
        lambda answers: {repr(n) for n in range(6)} if True in answers else set(),
    )


def in_filter_below(ask: Answer, seen: Seen) -> Cell:
    made = gen.lists(gen.integers(0, 2).filter(lambda n: n != 1 or ask(n)), min_size=2, max_size=2)
    return Cell(
        seen,
        (made,),
        lambda answers: {
            repr([a, b]) for a in range(3) for b in range(3) if True in answers or (a != 1 and b != 1)
        },
    )


def in_flatmap(ask: Answer, seen: Seen) -> Cell:
    made = gen.booleans().flatmap(lambda b: gen.tuples(gen.just(b), gen.integers(0, 2 + 2 * ask(b))))
    return Cell(
        seen,
        (made,),
        lambda answers: {repr((b, n)) for b in (False, True) for n in range(5 if True in answers else 3)},
    )


def in_builds(ask: Answer, seen: Seen) -> Cell:
    made = gen.builds(lambda n: n + 10 * ask(n), gen.integers(0, 5))
    return Cell(seen, (made,), lambda answers: {repr(n + 10 * a) for n in range(6) for a in answers})


def in_class(ask: Answer, seen: Seen) -> Cell:
    class Thing:
        def __init__(self, n: int) -> None:
            self.n = n + 10 * ask(n)

        def __repr__(self) -> str:
            return repr(self.n)

    made = gen.builds(Thing, gen.integers(0, 5))
    return Cell(seen, (made,), lambda answers: {repr(n + 10 * a) for n in range(6) for a in answers})


def in_recursion(ask: Answer, seen: Seen) -> Cell:
    made = gen.recursive(
        gen.just(0), lambda below: gen.tuples(below).filter(lambda t: t != ((0,),) or ask(t)), max_leaves=3
    )
    return Cell(seen, (made,), lambda answers: {"0", "(0,)"} | ({"((0,),)"} if True in answers else set()))


def in_unique(ask: Answer, seen: Seen) -> Cell:
    made = gen.lists(
        gen.integers(0, 1), min_size=2, max_size=2, unique_by=lambda n: (n, ask(n)) if n else (0, False)
    )
    return Cell(seen, (made,), lambda answers: {"[0, 1]", "[1, 0]"})


def in_where(ask: Answer, seen: Seen) -> Cell:
    return Cell(given(gen.integers(0, 5)).where(lambda n: n != 3 or ask(n))(seen), (), _but_three)


def in_where_of_two(ask: Answer, seen: Seen) -> Cell:
    test = given(gen.integers(0, 2), gen.integers(0, 2)).where(lambda a, b: a != b or ask(a))(
        lambda a, b: seen((a, b))
    )
    return Cell(
        test,
        (),
        lambda answers: {repr((a, b)) for a in range(3) for b in range(3) if a != b or True in answers},
    )


def in_assume(ask: Answer, seen: Seen) -> Cell:
    def test(n: int) -> None:
        assume(n != 3 or ask(n))
        seen(n)

    return Cell(test, (gen.integers(0, 5),), _but_three)


def in_assume_behind_a_helper(ask: Answer, seen: Seen) -> Cell:
    def valid(n: int) -> bool:
        return n != 3 or ask(n)

    def test(n: int) -> None:
        m = n + 1
        if not valid(n):
            assume(False)
        seen(m - 1)

    return Cell(test, (gen.integers(0, 5),), _but_three)


def in_data(ask: Answer, seen: Seen) -> Cell:
    def test(b: bool, data: gen.Data) -> None:
        seen((b, data.draw(gen.integers(0, 2 + 2 * ask(b)))))

    return Cell(
        test,
        (gen.booleans(), gen.data()),
        lambda answers: {repr((b, n)) for b in (False, True) for n in range(5 if True in answers else 3)},
    )


def in_filter_of_state(ask: Answer, seen: Seen) -> Cell:
    """The test changes what the generator reads."""
    flags = [False]

    def test(n: int) -> None:
        seen(n)
        flags[0] = ask(n)

    made = gen.integers(0, 5).filter(lambda n: n != 1 or flags[0])
    return Cell(test, (made,), lambda answers: {repr(n) for n in range(6) if n != 1 or True in answers})


def in_map_of_state(ask: Answer, seen: Seen) -> Cell:
    flags = {"on": False}

    def test(n: int) -> None:
        seen(n)
        flags["on"] = ask(n)

    made = gen.integers(0, 5).map(lambda n: n + 10 * flags["on"])
    return Cell(
        test, (made,), lambda answers: {repr(n + 10 * a) for n in range(6) for a in {False, *answers}}
    )


def in_where_of_state(ask: Answer, seen: Seen) -> Cell:
    on = False

    def test(n: int) -> None:
        nonlocal on
        seen(n)
        on = ask(n)

    made = given(gen.integers(0, 5)).where(lambda n: n != 1 or on)(test)
    return Cell(made, (), lambda answers: {repr(n) for n in range(6) if n != 1 or True in answers})


def in_composite_of_state(ask: Answer, seen: Seen) -> Cell:
    class Limits:
        most = 2

    limits = Limits()

    @gen.composite
    def made(draw: gen.Draw) -> int:
        return draw(gen.integers(0, limits.most))

    def test(n: int) -> None:
        seen(n)
        limits.most = 2 + 3 * ask(n)

    return Cell(test, (made(),), lambda answers: {repr(n) for n in range(6 if True in answers else 3)})


PLACES = {name[3:]: made for name, made in list(globals().items()) if name.startswith("in_")}


# --- how it is run --------------------------------------------------------------------------------------

WAYS: dict[str, dict[str, Any]] = {
    "default": {},
    "auto": {"explore": Auto()},
    "random": {"explore": AtRandom()},
    "exhaustive": {"explore": Exhaustive()},
    "exhaustive to a size": {"explore": Exhaustive(max_size=30)},
    "exhaustive shuffled": {"explore": Exhaustive(shuffled=True)},
    "narrow": {"explore": Narrow()},
    "narrow to a size": {"explore": Narrow(max_size=30)},
    "narrow random": {"explore": Narrow(order="random", max_size=30)},
    "narrow smallest": {"explore": Narrow(order="smallest")},
    "patterns": {"explore": Patterns()},
    "covering": {"explore": Covering()},
    "covering one": {"explore": Covering(strength=1)},
    "climb": {"explore": Climb()},
    "anneal": {"explore": Anneal()},
    "few": {"max_examples": 7},
    "many": {"max_examples": 2000},
    "short": {"max_seconds": 0.05},
    "exhaustive short": {"max_seconds": 0.05, "explore": Exhaustive()},
    "derandomized": {"derandomize": True},
    "store": {"database": MemoryStore()},
    "no shrinking": {"phases": [Phase.explore]},
    "no reuse": {"phases": [Phase.explore, Phase.shrink, Phase.target]},
    "statistics": {"statistics": True, "observe": True},
    "no goals": {"goals": False},
    "large": {"size": 1000},
    "threads": {"executor": ThreadPoolExecutor, "explore": Exhaustive()},
    "threads by default": {"executor": ThreadPoolExecutor},
}


def claims(report: Any) -> bool:
    """Whether the report says that all inputs were tested."""
    text = re.sub("not exhaustive", "", f"{report}\n{report.to_json()['verdict']}")
    return bool(report.exhaustive or "exhaustive:" in text or re.match(r"all [\d,]+ values", report.covered))


def wrong(source: str, place: str, way: str) -> str | None:
    """The false statement of one run; None if there is none."""
    answers: set[bool] = set()
    inner = SOURCES[source]()
    tested: set[str] = set()

    def ask(value: object) -> bool:
        answer = bool(inner(value))
        answers.add(answer)
        return answer

    def seen(value: object) -> None:
        with suppress(RecursionError):  # recursion without a limit nests deeper than Python can print
            tested.add(repr(value))

    cell = PLACES[place](ask, seen)
    options = {"database": None, "seed": 3, **WAYS[way]}
    pool = None
    if "executor" in options:
        pool = options["executor"] = options["executor"](2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            report = check(cell.test, *cell.args, **options)
    except EverycaseError:
        return None
    finally:
        if pool is not None:
            pool.shutdown()
    missing = cell.possible(answers) - tested
    if claims(report) and missing:
        return f"{str(report).splitlines()[0]!r} / {report.covered!r} without {sorted(missing)}"
    if report.failures and "already executing" not in str(report.error):  # two threads, one iterator
        return f"failed: {report.error!r}"
    return None


def trial(count: int, seed: int) -> list[str]:
    """The false statements in a number of cells, drawn at random; all of them if there are no more."""
    cells = list(itertools.product(SOURCES, PLACES, WAYS))
    random.Random(seed).shuffle(cells)
    cells.sort(key=lambda cell: cell[0] in BY_LUCK)
    state = random.getstate()
    bad = []
    for cell in cells[:count]:
        random.setstate(state)
        try:
            found = wrong(*cell)
        except Exception as problem:
            found = f"{type(problem).__name__}: {problem}"[:300]
        if found is not None:
            bad.append(f"{', '.join(cell)}: {found}")
    return bad
