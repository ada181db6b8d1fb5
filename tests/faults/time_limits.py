"""Every technique on slow inputs: runs stay within one and a half times ``max_seconds``.

Each cell of the table runs in its own process. Only the CPU time after the limit counts, so other load on the machine
does not make a cell fail.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from everycase import Phase, assume, check, errors, exists, find, gen, given, maximize
from everycase.complete import gaps, repair
from everycase.explore import Anneal, Climb, Covering, Exhaustive, Narrow, Patterns, Random
from everycase.stateful import Bundle, RuleBasedStateMachine, rule

#: The limit of each cell, in seconds.
LIMIT = 1.0
#: A cell is killed after this many times its limit.
MOST = 12

Run = Callable[[gen.Gen[Any]], None]


def spin(value: Any, seconds: float = 0.005) -> Any:
    """A user function that takes some milliseconds of CPU time."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return value


# --- slow inputs ----------------------------------------------------------------------------------------------


@gen.composite
def endless(draw: gen.Draw) -> list[int]:
    found: list[int] = []
    while True:
        found.append(draw(gen.integers(0, 9)))


@gen.composite
def nested_endless(draw: gen.Draw) -> list[Any]:
    return [draw(nested_endless()), draw(nested_endless())]


@gen.composite
def slow_composite(draw: gen.Draw) -> list[int]:
    return [spin(draw(gen.integers(0, 99))) for _ in range(draw(gen.integers(0, 40)))]


@gen.composite
def long_composite(draw: gen.Draw) -> list[int]:
    return [draw(gen.integers(0, 99)) for _ in range(30_000)]


@gen.composite
def hardly_ever(draw: gen.Draw) -> list[int]:
    digits = [draw(gen.integers(0, 9)) for _ in range(12)]
    assume(sum(digits) == 12 * 9)
    return digits


def chained(n: int) -> gen.Gen[Any]:
    return gen.integers(0, n + 1).flatmap(lambda m: gen.tuples(gen.just(n), chained(m)))


def deep(levels: int) -> gen.Gen[Any]:
    made: gen.Gen[Any] = gen.integers()
    for _ in range(levels):
        made = gen.tuples(made)
    return made


def rejecting(levels: int) -> gen.Gen[Any]:
    """Each level rejects two thirds of the values of the levels below."""
    made: gen.Gen[Any] = gen.integers(0, 10**6)
    for level in range(levels):
        made = gen.tuples(made, made).filter(lambda value, level=level: hash((level, value)) % 3 == 0)
    return made


def tree(*, base: bool = True) -> gen.Gen[Any]:
    made: gen.Gen[Any] = gen.deferred(
        lambda: gen.integers() | gen.tuples(made, made, made) if base else gen.tuples(made, made)
    )
    return made


def bushy() -> gen.Gen[Any]:
    made: gen.Gen[Any] = gen.deferred(
        lambda: gen.integers(0, 9) | gen.lists(made, min_size=3) | gen.dictionaries(gen.text(), made)
    )
    return made


HOSTILE: dict[str, Callable[[], gen.Gen[Any]]] = {
    "list of 10**6": lambda: gen.lists(gen.integers(), min_size=10**6),
    "text of 10**6": lambda: gen.text(min_size=10**6),
    "bytes of 10**7": lambda: gen.binary(min_size=10**7),
    "lists of lists": lambda: gen.lists(gen.lists(gen.integers(), min_size=1000), min_size=1000),
    "set of 10**5": lambda: gen.sets(gen.integers(), min_size=10**5),
    "dict of 10**5": lambda: gen.dictionaries(gen.integers(), gen.text(), min_size=10**5),
    "distinct of 300 of 300": lambda: gen.lists(
        gen.integers(0, 299), unique=True, min_size=300, max_size=300
    ),
    "distinct by, few keys": lambda: gen.lists(gen.integers(), unique_by=lambda n: n % 40, min_size=40),
    "permutations of 20,000": lambda: gen.permutations(range(20_000)),
    "trees": tree,
    "bushy": bushy,
    "without an end": lambda: tree(base=False),
    "tuples 60 deep": lambda: deep(60),
    "3,000 options": lambda: gen.one_of(*[gen.lists(gen.integers(n, 2 * n)) for n in range(3000)]),
    "10**6 options": lambda: gen.sampled_from(range(10**6)),
    "wide tuple": lambda: gen.tuples(*[gen.integers(0, 9)] * 2000),
    "slow map": lambda: gen.lists(gen.integers(0, 99).map(spin), min_size=20),
    "slow filter": lambda: gen.lists(gen.integers(0, 99).filter(lambda n: spin(n) % 3 == 0), min_size=20),
    "slow composite": slow_composite,
    "slow flatmap": lambda: gen.lists(gen.integers(0, 9).flatmap(lambda n: spin(gen.integers(0, n)))),
    "slow keys": lambda: gen.lists(gen.integers(), unique_by=spin, min_size=30),
    "slow deferred": lambda: gen.deferred(lambda: spin(gen.lists(gen.integers()), 0.3)),
    "long composite": long_composite,
    "endless composite": endless,
    "endless nested composite": nested_endless,
    "endless flatmap": lambda: chained(1),
    "hardly ever valid composite": hardly_ever,
    "filter that nothing passes": lambda: gen.lists(gen.integers()).filter(lambda v: False),
    "filter that hardly anything passes": lambda: gen.lists(
        gen.integers(0, 10**9).filter(lambda n: n % 9973 == 7), min_size=50
    ),
    "exponential filters": lambda: rejecting(9),
    "sorted list of 12": lambda: gen.lists(gen.integers(), min_size=12).filter(lambda v: v == sorted(v)),
    "filter over a huge list": lambda: gen.lists(gen.integers(0, 9), min_size=10**4).filter(
        lambda v: sum(v) % 1000 == 7
    ),
    "huge regex": lambda: gen.from_regex(r"([a-z]{1,400}-?){200,400}"),
    "floats in a corner": lambda: gen.lists(
        gen.floats().filter(lambda x: x != x or abs(x) < 1e-300), min_size=30
    ),
}


# --- techniques -----------------------------------------------------------------------------------------------


def _passing(value: Any) -> None:
    pass


def _failing(value: Any) -> None:
    text = repr(value)
    assert len(text) < 8, "long"


def _failing_slowly(value: Any) -> None:
    spin(value)
    assert len(repr(value)) < 8, "long"


def _many_failures(value: Any) -> None:
    number = len(repr(value)) % 7
    raise (ValueError, KeyError, TypeError, IndexError, OSError, RuntimeError, LookupError)[number]


def _utility(value: Any) -> None:
    maximize(len(repr(value)) % 1000)


def _wants_data(data: Any) -> None:
    pass


def checked(test: Callable[..., Any], **options: Any) -> Run:
    def run(made: gen.Gen[Any]) -> None:
        check(test, made, max_seconds=LIMIT, database=None, **options)

    return run


def drawn(made: gen.Gen[Any]) -> None:
    """Inside the test, where a call is not interrupted, but each draw is."""

    def test(data: Any) -> None:
        for _ in range(3):
            data.draw(made)

    check(test, gen.data(), max_seconds=LIMIT, database=None)


def with_precondition(test: Callable[..., Any], **options: Any) -> Run:
    def run(made: gen.Gen[Any]) -> None:
        whole = given(made).where(lambda value: len(repr(value)) % 5 == 1)(test)
        check(whole, max_seconds=LIMIT, database=None, **options)

    return run


def slow_precondition(**options: Any) -> Run:
    def run(made: gen.Gen[Any]) -> None:
        whole = given(made).where(lambda value: spin(len(repr(value)) % 5 == 1))(_passing)
        check(whole, max_seconds=LIMIT, database=None, **options)

    return run


def found(made: gen.Gen[Any]) -> None:
    find(made, lambda value: len(repr(value)) % 7 == 3 and len(repr(value)) > 20, max_seconds=LIMIT)


def existing(made: gen.Gen[Any]) -> None:
    exists(made, lambda value: False, max_seconds=LIMIT)


def several(made: gen.Gen[Any]) -> None:
    check(lambda *values: None, *[made] * 12, explore=Covering(strength=3), max_seconds=LIMIT, database=None)


def machine(made: gen.Gen[Any]) -> None:
    class Machine(RuleBasedStateMachine):
        things = Bundle("things")

        def __init__(self) -> None:
            super().__init__()
            self.seen: list[int] = []

        @rule(target=things, value=made)
        def add(self, value: Any) -> Any:
            self.seen.append(len(repr(value)))
            return value

        @rule(value=things)
        def use(self, value: Any) -> None:
            assert len(self.seen) < 4

    check(Machine, max_seconds=LIMIT, database=None)


def as_strategy(made: gen.Gen[Any]) -> None:
    from everycase.bridges.hypothesis import from_strategy, to_strategy

    check(_failing, from_strategy(to_strategy(made)), max_seconds=LIMIT, database=None)


ROOMS: dict[str, Run] = {
    "default": checked(_passing),
    "random": checked(_passing, explore=Random()),
    "auto, failing": checked(_failing),
    "failing slowly": checked(_failing_slowly),
    "many failures": checked(_many_failures),
    "exhaustive": checked(_passing, explore=Exhaustive()),
    "exhaustive up to a size": checked(_failing, explore=Exhaustive(max_size=40)),
    "covering": checked(_failing, explore=Covering()),
    "covering, 12 columns": several,
    "narrow": checked(_failing, explore=Narrow()),
    "narrow up to a size": checked(_passing, explore=Narrow(max_size=30)),
    "patterns": checked(_passing, explore=Patterns()),
    "climb": checked(_utility, explore=Climb()),
    "anneal": checked(_utility, explore=Anneal()),
    "precondition": with_precondition(_passing),
    "precondition, failing": with_precondition(_failing),
    "precondition, narrow": with_precondition(_passing, explore=Narrow()),
    "slow precondition": slow_precondition(),
    "slow precondition, narrow": slow_precondition(explore=Narrow()),
    "shrinking only": checked(_failing, phases=[Phase.explore, Phase.shrink]),
    "statistics": checked(_passing, statistics=True),
    "data": drawn,
    "find": found,
    "exists": existing,
    "machine": machine,
    "strategy": as_strategy,
}


# --- calls with a limit that take no generator ----------------------------------------------------------------


MANY_BRANCHES = (
    """
@covers(lambda t: len(t) == 8 and all(0 <= n <= 9 for n in t))
@gen.composite
def many(draw) -> list[int]:
    found = []
"""
    + "".join(
        f"""
    if draw(gen.booleans()):
        found = [*found, draw(gen.integers(0, {n}))]
    else:
        found = [draw(gen.integers({n}, 9)), *found]
"""
        for n in range(8)
    )
    + """
    return found
"""
)

LONG_LOOP = """
@covers(lambda v: len(v) == 60 and sum(v) % 7 < 3)
@gen.composite
def loops(draw) -> list[int]:
    found = []
    for i in range(60):
        if draw(gen.booleans()):
            found.append(draw(gen.integers(0, i)))
        else:
            found.append(draw(gen.sampled_from([1, 2, 3])))
    return found
"""

RECURSIVE = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Tree:
    left: Tree | None
    label: int
    right: Tree | None

def size(t: Tree | None) -> int:
    return 0 if t is None else 1 + size(t.left) + size(t.right)

def ordered(t: Tree | None, low: int, high: int) -> bool:
    return t is None or (low <= t.label <= high and ordered(t.left, low, t.label) and ordered(t.right, t.label, high))

@covers(lambda t, depth, low, high: ordered(t, low, high) and size(t) <= depth * depth, requires=lambda depth: depth >= 0, decreases="depth")
@gen.composite
def trees(draw, depth: int, low: int, high: int) -> Tree | None:
    if depth == 0 or high < low or draw(gen.booleans()):
        return None
    label = draw(gen.integers(low, high))
    return Tree(draw(trees(depth - 1, low, label)), label, draw(trees(depth - 1, label, high)))
"""

SLOW_PROMISE = """
def slow(n: int) -> bool:
    return n % 7 == 0 and sum(range(200_000)) > n

@covers(slow)
@gen.composite
def sevens(draw) -> int:
    return 7 * draw(gen.integers(0, 10**6))
"""

EXPONENTIAL_PROMISE = """
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)

@covers(lambda v: all(0 <= n <= 22 for n in v) and sum(fib(n) for n in v) % 5 == 0)
@gen.composite
def numbers(draw) -> list[int]:
    return draw(gen.lists(gen.integers(0, 22), max_size=4))
"""

SLOW_GENERATOR = """
@covers(lambda v: len(v) <= 6)
@gen.composite
def slow(draw) -> list[int]:
    found = []
    while len(found) < 6 and draw(gen.booleans()):
        found.append(draw(gen.integers(-5, 5)) + sum(range(100_000)) * 0)
    return found
"""


def written_module(source: str, name: str) -> Any:
    path = Path(tempfile.mkdtemp()) / "written.py"
    path.write_text("from __future__ import annotations\nfrom everycase import covers, gen\n" + source)
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["written"] = module  # where dataclasses look
    spec.loader.exec_module(module)
    return getattr(module, name)


PROGRAMS = {
    "many branches": (MANY_BRANCHES, "many"),
    "long loop": (LONG_LOOP, "loops"),
    "recursive": (RECURSIVE, "trees"),
    "slow promise": (SLOW_PROMISE, "sevens"),
    "exponential promise": (EXPONENTIAL_PROMISE, "numbers"),
    "slow generator": (SLOW_GENERATOR, "slow"),
}


def _array(strength: int, columns: int, values: int) -> Callable[[], None]:
    return lambda: (
        check(
            lambda *args: None,
            *[gen.integers(0, values - 1)] * columns,
            explore=Covering(strength=strength),
            max_seconds=LIMIT,
            database=None,
        )
        and None
    )


def cells() -> dict[str, Callable[[], None]]:
    """Every cell of the table."""
    made: dict[str, Callable[[], None]] = {
        f"{room}, {hostile}": lambda run=run, make=make: run(make())
        for room, run in ROOMS.items()
        for hostile, make in HOSTILE.items()
    }
    for name, program in PROGRAMS.items():
        made[f"gaps, {name}"] = lambda program=program: (
            gaps(written_module(*program), max_seconds=LIMIT) and None
        )
        made[f"repair, {name}"] = lambda program=program: (
            repair(written_module(*program), max_seconds=LIMIT) and None
        )
    for strength, columns, values in [(2, 400, 4), (3, 60, 8), (5, 30, 3), (6, 18, 5)]:
        made[f"array {strength}, {columns}, {values}"] = _array(strength, columns, values)
    return made


# --- measuring ------------------------------------------------------------------------------------------------


def cpu_seconds(process: int) -> float:
    """The CPU time that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def overrun(cell: Callable[[], None], limit: float = LIMIT) -> tuple[float, str | None]:
    """The CPU time of a cell after its limit was reached, and any error that is not an everycase error."""
    reader, writer = os.pipe()
    process = os.fork()
    if not process:
        _in_child(cell, writer)
    os.close(writer)
    try:
        os.read(reader, 1)  # the child has begun
        end = time.monotonic() + limit
        at_limit: float | None = None
        while not os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            time.sleep(0.01)
            if at_limit is None and time.monotonic() > end:
                at_limit = cpu_seconds(process)
            if at_limit is not None and cpu_seconds(process) - at_limit > (MOST - 1) * limit:
                os.kill(process, signal.SIGKILL)
                break
        took = 0.0 if at_limit is None else cpu_seconds(process) - at_limit
        raised = b"".join(iter(lambda: os.read(reader, 4096), b"")).decode(errors="replace")
        _, status = os.waitpid(process, 0)
    finally:
        os.close(reader)
    if os.waitstatus_to_exitcode(status) not in (0, -signal.SIGKILL):
        raised = raised or f"ended with {os.waitstatus_to_exitcode(status)}"
    return took, raised or None


def _in_child(cell: Callable[[], None], writer: int) -> None:
    code = 1
    try:
        warnings.simplefilter("ignore")
        os.write(writer, b".")
        cell()
        code = 0
    except (errors.EverycaseError, AssertionError):
        code = 0
    except BaseException as problem:
        os.write(writer, f"{type(problem).__name__}: {str(problem)[:200]}".encode())
    finally:
        os._exit(code)


def trial(count: int, seed: int) -> list[str]:
    """The cells that took longer than one and a half times their limit."""
    bad = []
    named = list(cells().items())
    for name, cell in named[seed : seed + count]:
        took, raised = overrun(cell)
        if raised:
            bad.append(f"{name}: {raised}")
        if took > LIMIT / 2:
            bad.append(f"{name}: {LIMIT + took:.1f} s with max_seconds={LIMIT:g}")
        if bad and (raised or took > LIMIT / 2):
            print(bad[-1], flush=True)
    return bad
