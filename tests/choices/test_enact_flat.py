"""The two ways to enact a plain generator, by calls and with its own stack, agree."""

from __future__ import annotations

import random
from typing import Any

import pytest
from table import CASES, Case, canonical

from everycase import gen
from everycase.choices import enact as enacting
from everycase.choices.neighbor.edits import edited
from everycase.choices.trace import Trace
from everycase.errors import Discarded
from everycase.gen.facts import facts, is_plain


def attempt(generator: gen.Gen[Any], partial: Trace[Any] | None, seed: int) -> tuple[Any, str, float]:
    """The result of a partial trace, and the state of the dice afterwards."""
    dice = random.Random(seed)
    try:
        trace = enacting.enact(generator, partial, dice.random, 20)
    except Discarded as problem:
        return str(problem), "", dice.random()
    return trace.to_json(), canonical(trace.value), dice.random()


PLAIN = [case for case in CASES if is_plain(case.generator)]


def partials(case: Case) -> list[Trace[Any] | None]:
    """Some partial traces, identical each time, because drafts among them can be enacted only once."""
    traces = [case.generator.record(seed) for seed in range(6)]
    return [None, *(edited(trace, 1.0, random.Random(seed).random) for seed, trace in enumerate(traces))]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: repr(case.generator)[:40])
def test_calls_and_steps_make_the_same_of_the_same_dice(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    by_calls = [attempt(case.generator, partial, seed) for seed, partial in enumerate(partials(case))]
    pending = [case.generator]
    while pending:
        node = pending.pop()
        monkeypatch.setattr(facts(node), "plain", False)
        pending += node.children
    monkeypatch.setattr(enacting, "direct", None)  # is not called any more
    by_steps = [attempt(case.generator, partial, seed) for seed, partial in enumerate(partials(case))]
    assert by_calls == by_steps


def test_what_is_plain() -> None:
    edge = gen.tuples(gen.integers(0, 9), gen.integers(0, 9)).filter(lambda pair: pair[0] < pair[1])
    assert is_plain(gen.lists(edge).map(len)) and len(PLAIN) > 20
    tree = gen.deferred(lambda: gen.none() | gen.tuples(tree, tree))
    for other in (tree, gen.lists(tree), edge.flatmap(lambda pair: edge), gen.sets(gen.integers())):
        assert not is_plain(other)
