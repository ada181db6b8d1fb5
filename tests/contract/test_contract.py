"""The obligations of every generator: one suite for all of them."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import table
from table import CASES, Case, canonical, mutable_parts

import everycase
from everycase import gen
from everycase.choices.dice import draw_size, simplest
from everycase.choices.enact import enact, no_dice, replay, simplest_trace
from everycase.choices.sample import NeedsRecord, sampler
from everycase.choices.shrink.shrinker import order, shrink
from everycase.choices.trace import Trace
from everycase.errors import Discarded

SEEDS = range(60)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def test_every_public_generator_is_in_the_table() -> None:
    not_generators = {"Draw", "Gen", "register_type"}
    covered = {case.name.split(":")[0] for case in CASES}
    # ``nothing`` makes no values; its laws are those of ``|``. The values of ``randoms`` do not show their choices. tests/gen
    # tests both.
    assert set(gen.__all__) - not_generators - {"nothing", "randoms"} <= covered


@every_case
def test_values_are_what_they_should_be(case: Case) -> None:
    for value in case.generator.sample(100, seed=1):
        assert case.valid(value), value


def draws_during_the_test(case: Case) -> bool:
    """Such values can only be recorded, because their draws depend on the test."""
    return case.name.split(":")[0] in ("data", "functions")


def attempt(make: Any) -> str:
    try:
        return canonical(make())
    except Discarded:
        return "discarded"


@every_case
def test_the_same_dice_give_the_same_value_in_every_way(case: Case) -> None:
    node = case.generator
    for seed in SEEDS:
        quick, careful = random.Random(seed), random.Random(seed)
        size = draw_size(quick.random)
        draw_size(careful.random)
        trace: Trace[Any] | None = None

        def enacted(random: Any = careful.random, size: int = size) -> Any:
            nonlocal trace
            trace = enact(node, None, random, size)
            return trace.value

        recorded = attempt(enacted)
        if draws_during_the_test(case):
            with pytest.raises(NeedsRecord):
                sampler(node)(quick.random, size)
        else:
            sampled = attempt(lambda random=quick.random, size=size: sampler(node)(random, size))
            assert sampled == recorded, f"seed {seed}: sampler and enact differ"
            assert quick.getstate() == careful.getstate(), (
                f"seed {seed}: the dice were rolled differently often"
            )
        if trace is None:
            continue
        stored = Trace.from_json(json.loads(json.dumps(trace.to_json())))
        assert canonical(replay(node, stored).value) == recorded
        assert canonical(replay(node, Trace.from_blob(trace.to_blob())).value) == recorded


@every_case
def test_dice_that_show_nothing_but_zero_make_the_simplest_value(case: Case) -> None:
    if not draws_during_the_test(case):
        assert canonical(sampler(case.generator)(simplest, 0)) == case.simplest
    assert canonical(simplest_trace(case.generator).value) == case.simplest


@every_case
def test_shrinking_stays_valid_and_ends_at_the_simplest_value(case: Case) -> None:
    for seed in range(8):
        start = case.generator.record(seed)
        canonical(start.value)  # what the test does with the value: data() draws
        previous = order(start)

        def still_fails(trace: Trace[Any]) -> bool:
            nonlocal previous
            assert case.valid(trace.value)
            canonical(trace.value)
            # What data() draws, and so how simple it is, shows only when the test has run.
            assert order(trace) < previous or draws_during_the_test(case)
            previous = order(trace)
            return True

        result = shrink(start, still_fails)
        assert result.reason == "minimal"
        assert canonical(replay(case.generator, result.trace).value) == case.simplest


@every_case
def test_no_mutable_object_is_in_two_places(case: Case) -> None:
    values = case.generator.sample(30, seed=2)
    traces = [case.generator.record(seed) for seed in range(10)]
    values += [trace.value for trace in traces]
    # A trace that is enacted again makes new objects: the test may have changed those of the first time.
    values += [enact(case.generator, trace, no_dice).value for trace in traces]
    parts = [part for value in values for part in mutable_parts(value)]
    assert len({id(part) for part in parts}) == len(parts)


@every_case
def test_the_repr_is_the_call_that_makes_it(case: Case) -> None:
    text = repr(case.generator)
    if "lambda" in text or "..." in text or not text.isprintable():
        return
    names = {name: getattr(gen, name) for name in gen.__all__}
    again = eval(text, {**vars(table), **names, "datetime": __import__("datetime")})
    assert repr(again) == text
    assert list(map(canonical, again.sample(20, seed=3))) == list(
        map(canonical, case.generator.sample(20, seed=3))
    )


PRINT_ALL = """
from table import CASES, canonical
for case in CASES:
    for value in case.generator.sample(20, seed=4):
        print(case.name, ascii(canonical(value)))
"""


def values_in_another_process(hash_seed: str) -> str:
    paths = [str(Path(__file__).parent), str(Path(everycase.__file__).parents[1])]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ALL], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.slow
def test_every_process_makes_the_same_values() -> None:
    first = values_in_another_process("1")
    assert first.count("\n") == 20 * len(CASES)
    assert values_in_another_process("2") == first
    here = [f"{case.name} {canonical(v)!a}" for case in CASES for v in case.generator.sample(20, seed=4)]
    assert first.splitlines() == here
