"""Random settings, generators and tests: ``check`` raises only everycase errors, and its report is never false."""

from __future__ import annotations

import random
import time
import warnings

from everycase import HealthCheck, Phase, assume, check, event, gen, given, maximize, note
from everycase.errors import EverycaseError
from everycase.explore import Anneal, Auto, Climb, Covering, Exhaustive, Narrow, Patterns, Random
from everycase.run.settings import Verbosity
from everycase.run.store import MemoryStore


def some_gen(chance, depth=2):
    leaves = [
        lambda: gen.integers(chance.randint(-5, 5), chance.randint(6, 10 ** chance.randint(1, 9))),
        lambda: gen.booleans(),
        lambda: gen.text(max_size=chance.randint(0, 5)),
        lambda: gen.floats(),
        lambda: gen.just(None),
        lambda: gen.sampled_from("abc"),
    ]
    if not depth or chance.random() < 0.4:
        return chance.choice(leaves)()
    below = lambda: some_gen(chance, depth - 1)  # noqa: E731
    match chance.randrange(7):
        case 0:
            return gen.lists(below(), max_size=chance.randint(0, 4))
        case 1:
            return gen.tuples(below(), below())
        case 2:
            return below() | below()
        case 3:
            return below().filter(lambda value: hash(repr(value)[:3]) is not None)
        case 4:
            return below().map(lambda value: [value])
        case 5:
            both = (below(), below())
            return gen.booleans().flatmap(lambda b: both[b])
        case _:
            one = below()

            @gen.composite
            def composite(draw):
                return [draw(one) for _ in range(draw(gen.integers(0, 3)))]

            return composite()


def some_test(chance):
    failing = chance.random() < 0.4
    bound = chance.randint(0, 40)
    kind = chance.randrange(6)

    def test(value):
        size = len(repr(value))
        if kind == 1:
            assume(size % 3)
        elif kind == 2:
            maximize(size)
        elif kind == 3:
            event("size", size > 5)
            note(size)
        elif kind == 4 and size > 60:
            raise SystemExit(3)
        if failing and size > bound:
            raise chance.choice([ValueError, KeyError, ZeroDivisionError]) if kind == 5 else AssertionError

    return test, failing and kind != 5


def some_settings(chance):
    explorers = [
        Random(), Auto(), Climb(), Anneal(), Exhaustive(), Exhaustive(max_size=3), Exhaustive(shuffled=True),
        Exhaustive(start=5, stride=3), Narrow(max_size=4), Narrow(), Covering(), Patterns(),
    ]  # fmt: skip
    every = {
        "max_examples": lambda: chance.choice([1, 2, 50, 200]),
        "max_seconds": lambda: chance.choice([0.001, 0.2, 1.0]),
        "explore": lambda: chance.choice(explorers),
        "seed": lambda: chance.randrange(100),
        "derandomize": lambda: chance.random() < 0.5,
        "deadline": lambda: chance.choice([None, 1000.0]),
        "database": lambda: chance.choice([None, MemoryStore(), "none", ":memory:"]),
        "suppress_health_check": lambda: chance.sample(list(HealthCheck), chance.randint(0, 3)),
        "phases": lambda: chance.sample(list(Phase), chance.randint(0, 4)),
        "print_blob": lambda: chance.random() < 0.5,
        "statistics": lambda: chance.random() < 0.5,
        "keep_utility": lambda: chance.choice([True, False, 3.0]),
        "verbosity": lambda: chance.choice([Verbosity.quiet, Verbosity.normal]),
    }
    return {name: every[name]() for name in chance.sample(list(every), chance.randint(0, 6))}


def contradiction(report, made, options) -> str | None:
    """The statements of a report that cannot be true."""
    text = str(report)
    report.to_json()
    if report.status == "passed" and not report.examples:
        return "passed without a test"
    if report.exhaustive and made is not None and report.examples + report.discarded - report.given != made:
        return f"exhaustive with {report.examples + report.discarded - report.given} of {made}"
    if report.exhaustive and "not exhaustive" in text:
        return "exhaustive and not"
    if report.status in ("failed", "flaky") and not report.failures:
        return "failed without a failure"
    limit = options.get("max_seconds")
    if limit and report.seconds > 1.5 * limit + 1.0:
        return f"max_seconds={limit} took {report.seconds:.1f}"
    return None


def trial(count: int, seed: int) -> list[str]:
    """The failures in a number of runs."""
    bad = []
    for number in range(seed * 10**6, seed * 10**6 + count):
        chance = random.Random(number)
        made = some_gen(chance)
        test, deterministic = some_test(chance)
        options = {"database": None, **some_settings(chance)}
        if chance.random() < 0.3:
            test = given(made).where(lambda value: len(repr(value)) != 7)(test)
            arguments = ()
        else:
            arguments = (made,)
        started = time.process_time()  # whatever else the machine does
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                report = check(test, *arguments, **options)
            wrong = contradiction(report, None, options)
            if wrong:
                bad.append(f"{number}: {wrong} ({options})")
            if deterministic and report.status == "flaky":
                bad.append(f"{number}: flaky ({options})")
        except EverycaseError:
            pass
        except BaseException as problem:
            bad.append(f"{number}: {type(problem).__name__}: {str(problem)[:100]} ({options})")
        took = time.process_time() - started
        if took > 30:
            bad.append(f"{number}: took {took:.0f} s ({options})")
    return bad
