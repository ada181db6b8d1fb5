"""The validity oracle: every value of a random nesting, made in every possible way, fits its description.

``python tests/contract/validity.py 5000`` tries 5,000 nestings and prints the violations; the suite tries a few.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from nestings import Nesting, nesting, verdict, written

from everycase import check
from everycase.choices.dice import draw_size
from everycase.choices.enact import enact, replay
from everycase.choices.neighbor.edits import neighbor
from everycase.choices.sample import sampler
from everycase.choices.shrink.shrinker import order, shrink
from everycase.choices.trace import Trace
from everycase.enumeration.sequence import trace_at
from everycase.errors import Discarded, GeneratorError, NotCountable, NotInvertible, Untrusted
from everycase.explore import Auto, Narrow
from everycase.explore import Random as RandomExplorer
from everycase.narrow import Narrowing

#: Values of more choices than this are not shrunk or followed further: the laws are the same, but it takes long.
LARGE = 2000


#: How many CPU seconds one way of making values may take for one nesting.
LIMIT = 30


class Fault(AssertionError):
    """A value that its description does not allow, or that cannot be made again from its choices."""


class Endless(BaseException):
    """Making the values took longer than :data:`LIMIT`."""


def same(made: Any, value: Any) -> bool:
    return written(made) == written(value)


def demand_valid(nest: Nesting, value: Any) -> None:
    try:
        valid = nest.valid(value)
    except RecursionError:
        return  # the validator recurses, and everycase makes values that are nested deeper
    if not valid:
        raise Fault(f"{value!r:.300} is not one of {nest.gen!r}")


def demand_replay(nest: Nesting, trace: Trace[Any], value: Any) -> None:
    """The value can be made again from its choices alone, and nothing is left to chance."""
    try:
        stored = Trace.from_json(json.loads(json.dumps(trace.to_json())))
    except RecursionError:
        return  # too deep for JSON
    try:
        again = replay(nest.gen, stored)
    except Exception as problem:
        raise Fault(f"the choices of {value!r:.300} do not fit: {problem!r}") from problem
    if not same(again.value, value):
        raise Fault(f"the choices of {value!r:.300} make {again.value!r:.300}")


def demand_trace(nest: Nesting, trace: Trace[Any]) -> None:
    demand_valid(nest, trace.value)
    demand_replay(nest, trace, trace.value)


# --- the ways to make a value ---------------------------------------------------------------------------


def sampled(nest: Nesting, seed: int) -> None:
    for value in nest.gen.sample(20, seed=seed):
        demand_valid(nest, value)


def _attempt(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except (Discarded, RecursionError) as problem:
        return type(problem).__name__


def recorded(nest: Nesting, seed: int) -> None:
    """Both interpreters roll the same dice."""
    for number in range(5):
        quick, careful = Random(f"{seed} {number}").random, Random(f"{seed} {number}").random
        value = _attempt(lambda quick=quick: sampler(nest.gen)(quick, draw_size(quick)))
        trace = _attempt(lambda careful=careful: enact(nest.gen, None, careful, draw_size(careful)))
        if isinstance(trace, str):
            if trace == "Discarded" and value != trace:
                raise Fault(f"enact discards what the sampler makes: {value!r:.300}")
            continue
        demand_trace(nest, trace)
        if value != "RecursionError" and not same(value, trace.value):
            raise Fault(f"the sampler made {value!r:.300}, and enact {trace.value!r:.300}")


def _traces(nest: Nesting, seed: int, count: int) -> Iterator[Trace[Any]]:
    for number in range(count):
        trace = nest.gen.record(seed + number)
        if order(trace)[0] <= LARGE:
            yield trace


def neighbouring(nest: Nesting, seed: int) -> None:
    random = Random(f"neighbours {seed}")
    for start in _traces(nest, seed, 2):
        trace = start
        for _ in range(6):
            try:
                trace = neighbor(trace, random.choice([0.0, 0.5, 1.0]), random.random)
            except (Discarded, RecursionError):
                continue
            demand_trace(nest, trace)
            if order(trace)[0] > LARGE:
                break


def shrunk(nest: Nesting, seed: int) -> None:
    for number, start in enumerate(_traces(nest, seed, 3)):

        def still_fails(trace: Trace[Any], number: int = number) -> bool:
            demand_trace(nest, trace)
            # The last start is shrunk as far as it goes, the others by a test that fails on some values.
            return number == 2 or not verdict(trace.value, seed + number, 2)

        demand_trace(nest, shrink(start, still_fails, max_calls=60).trace)


def indexed(nest: Nesting, seed: int) -> None:
    random = Random(f"indices {seed}")
    try:
        first = list(islice(nest.gen, 8))
    except (NotCountable, Discarded):
        return
    numbers = list(range(len(first)))
    try:
        count = nest.gen.cardinality
        numbers += [random.randrange(int(min(count, 10 ** random.randint(1, 3)))) for _ in range(4) if count]
        numbered = True
    except NotCountable:
        numbered = False
    for i in numbers:
        value = nest.gen[i]
        demand_valid(nest, value)
        if i < len(first) and not same(value, first[i]):
            raise Fault(f"value {i} is {value!r:.300}, but iteration gives {first[i]!r:.300}")
        if numbered:
            trace = trace_at(nest.gen, i)
            if not same(trace.value, value):
                raise Fault(f"value {i} is {value!r:.300}, and its trace makes {trace.value!r:.300}")
            demand_replay(nest, trace, value)
        try:
            number = nest.gen.index(value)
        except NotInvertible:
            continue
        if not same(nest.gen[number], value):
            raise Fault(
                f"the number of {value!r:.300} is said to be {number}, which is {nest.gen[number]!r:.300}"
            )


def narrowed(nest: Nesting, seed: int) -> None:
    search = Narrowing([nest.gen], [(lambda value: verdict(value, seed, 3), (0,))])
    try:
        for size in range(4):
            for found in islice(search.steps(size, exactly=True, beat=200), 12):
                if found is None:
                    break
                if not verdict(found.args[0], seed, 3):
                    raise Fault(f"{found.args[0]!r:.300} does not satisfy the predicate")
                demand_valid(nest, found.args[0])
                trace = found.trace().children[0]
                assert trace is not None
                demand_replay(nest, trace, found.args[0])
    except (Untrusted, NotCountable):
        return


def run(nest: Nesting, seed: int) -> None:
    """A failing property reports its failure with a valid input, and is never called flaky."""

    def prop(value: Any) -> None:
        demand_valid(nest, value)
        assert verdict(value, seed, 3), "fails"

    for explorer in (RandomExplorer(), Auto(), Narrow()):
        report = check(
            prop, nest.gen, explore=explorer, max_examples=15, max_seconds=2, seed=seed, database=None
        )
        if report.status not in ("failed", "passed", "gave_up"):
            raise Fault(f"{explorer!r} says {report.status}: {report.error!r}")
        for failure in report.failures:
            if str(failure.error).splitlines()[0] != "fails":
                raise Fault(f"{explorer!r} met {failure.error!r}") from failure.error
            (value,) = failure.arguments.values()
            demand_valid(nest, value)


WAYS = (sampled, recorded, neighbouring, shrunk, indexed, narrowed, run)


def _stop(signal: int, frame: Any) -> None:
    raise Endless(f"took more than {LIMIT} CPU s")


def faults(seed: int, limit: bool = False) -> dict[str, str]:
    """The violations of one nesting, by the way in which the value was made."""
    nest = nesting(seed)
    found = {}
    for way in WAYS:
        began = time.process_time()
        if limit:
            signal.signal(signal.SIGVTALRM, _stop)
            signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
        try:
            way(nest, seed)
        except GeneratorError:
            pass  # a filter that hardly any value passes: an error says so
        except (Exception, Endless) as problem:
            found[way.__name__] = f"{type(problem).__name__}: {problem}"[:600]
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        took = time.process_time() - began
        if limit and took > LIMIT / 6:
            print(f"nesting {seed}, {way.__name__}: took {took:.0f} s", flush=True)
    return found


def main(count: int, start: int = 0) -> int:
    began = time.process_time()
    bad: Counter[str] = Counter()
    for seed in range(start, start + count):
        for way, what in faults(seed, limit=True).items():
            bad[way] += 1
            print(f"nesting {seed}, {way}: {what}", flush=True)
    print(f"{count:,} nestings, {time.process_time() - began:.0f} CPU s; bad: {sum(bad.values())}", dict(bad))
    return bool(bad)


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
