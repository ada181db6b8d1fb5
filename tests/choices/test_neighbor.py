"""Neighbours: laws for every kind of generator, and the promises of the rules for single kinds."""

from __future__ import annotations

import json
import random
from collections import Counter
from datetime import UTC, date, datetime, time
from typing import Any

import pytest
from table import CASES, Case, canonical

from everycase import assume, gen
from everycase.choices.enact import enact, replay
from everycase.choices.invert import trace_of
from everycase.choices.neighbor import edits
from everycase.choices.neighbor.edits import _choose, neighbor, places
from everycase.choices.neighbor.loops import rows_of
from everycase.choices.neighbor.rules import LONGEST, OWN_PLACES, Manner
from everycase.choices.trace import Trace, repeatable
from everycase.errors import Discarded, InvalidArgument, NotInvertible
from everycase.gen.kinds import Live, Union

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def draws_live(trace: Trace[Any]) -> bool:
    return any(isinstance(node.gen, Live) for _, node in trace.walk())


def walk_from(generator: gen.Gen[Any], seed: int, steps: int) -> list[Trace[Any]]:
    """A random walk from neighbour to neighbour."""
    dice = random.Random(seed)
    trace = generator.record(seed)
    visited = [trace]
    for _ in range(steps):
        try:
            trace = neighbor(trace, dice.choice([0.01, 0.3, 1.0]), dice.random)
        except Discarded:
            continue
        visited.append(trace)
    return visited


# --- laws -----------------------------------------------------------------------------------------------


@every_case
def test_a_neighbour_is_a_whole_trace_of_a_valid_value(case: Case) -> None:
    for seed in range(3):
        for trace in walk_from(case.generator, seed, 10):
            if draws_live(trace) or trace.is_opaque:
                continue
            assert case.valid(trace.value)
            again = replay(case.generator, Trace.from_json(trace.to_json()))
            assert canonical(again.value) == canonical(trace.value)


@pytest.mark.slow
@every_case
def test_what_a_neighbour_is_made_of_stays_as_it_is(case: Case) -> None:
    # Edited nodes are finished in place, so they must belong to the neighbour alone.
    for seed in range(3):
        base = case.generator.record(seed)
        if draws_live(base):
            continue
        before = base.to_json(), canonical(base.value)
        dice = random.Random(seed)
        for _ in range(20):
            try:
                moved = neighbor(base, 1.0, dice.random, Manner(reach=6.0))
            except Discarded:
                continue
            assert all(node.clean for _, node in moved.walk())
        assert all(node.clean for _, node in base.walk())
        assert (base.to_json(), canonical(base.value)) == before


@every_case
def test_every_place_is_counted(case: Case) -> None:
    for trace in walk_from(case.generator, 7, 5):
        nodes = [node for _, node in trace.walk()]
        if any(node.gen is None or node.gen.remark is not None for node in nodes):
            continue  # the whole part counts as one place, or as none
        own = [OWN_PLACES[type(node.gen)](node) for node in nodes if type(node.gen) in OWN_PLACES]
        assert places(trace) == sum(own)


def test_each_place_is_as_likely() -> None:
    # Elements that all have the same places are found by division, the others by adding up.
    pair = gen.tuples(gen.integers(0, 9), gen.just(0), gen.integers(0, 9).map(str))
    for elements in (gen.lists(pair, min_size=3), gen.lists(pair | gen.just(1), min_size=3)):
        trace = elements.record(3)
        dice = random.Random(1)
        count = places(trace)
        hits = Counter(_choose(trace, count, dice.random) for _ in range(200 * count))
        own = hits.pop(())
        assert 150 * (len(trace.children) + 1) < own < 250 * (len(trace.children) + 1)
        weights = {path: OWN_PLACES[type(trace.at(path).gen)](trace.at(path)) for path in hits}  # type: ignore[union-attr]
        assert sum(weights.values()) == count - len(trace.children) - 1
        assert all(100 * weights[path] < often < 300 * weights[path] for path, often in hits.items())


def test_which_option_is_changed_twice_as_often_as_a_number_and_to_each_other_one_alike() -> None:
    """The weights do not matter here: they are for random values. Each union of a recursion counts as one place."""
    option = gen.frequency((1000, gen.just("a")), (1, gen.just("b")), (1, gen.integers(0, 9)))
    trace = next(found for found in map(option.record, range(10_000)) if found.value == 3)
    assert places(trace) == 3
    seen = Counter(
        neighbor(trace, 1.0, random.Random(seed).random, Manner(reach=1)).value for seed in range(900)
    )
    assert 220 < seen["a"] < 380 and 220 < seen["b"] < 380
    leaf = gen.just(0)
    trees = gen.deferred(lambda: leaf | gen.tuples(trees, trees))
    assert places(trees.record(1)) == sum(type(node.gen) is Union for _, node in trees.record(1).walk())


def test_all_of_a_value_can_be_fresh() -> None:
    for generator in (
        gen.lists(gen.integers(0, 9)).fresh(),
        gen.tuples(gen.lists(gen.integers(0, 9)).fresh()),
    ):
        base = generator.record(1)
        dice = random.Random(1)
        lengths = {len(str(neighbor(base, 1.0, dice.random).value)) for _ in range(50)}
        assert len(lengths) > 5


def test_a_part_that_was_edited_and_then_repeated_is_drawn_for_each() -> None:
    wide = gen.tuples(gen.integers(), gen.integers())
    base = gen.lists(wide, min_size=1).record(1)
    hole = base.children[0].draft([None, None])  # type: ignore[union-attr]
    repeated = base.draft(repeatable([hole]) * 2)
    made = enact(base.gen, repeated, random.Random(1).random, 10)  # type: ignore[arg-type]
    assert made.value[0] != made.value[1]


@every_case
def test_same_choices(case: Case) -> None:
    if draws_live(case.generator.record(0)):
        return
    traces = [case.generator.record(seed) for seed in [*range(8), *range(8)]]
    texts = [json.dumps(trace.to_json()) for trace in traces]
    for one, its_text in zip(traces, texts):
        for other, other_text in zip(traces, texts):
            assert one.same_choices(other) == (its_text == other_text)


@every_case
def test_temperature_zero_changes_nothing(case: Case) -> None:
    for seed in range(10):
        trace = case.generator.record(seed)
        assert neighbor(trace, 0, random.Random(1).random).to_json() == trace.to_json()


@every_case
def test_the_seed_decides(case: Case) -> None:
    first = [trace.to_json() for trace in walk_from(case.generator, 5, 10)]
    assert [trace.to_json() for trace in walk_from(case.generator, 5, 10)] == first


@pytest.mark.parametrize(
    "generator",
    [
        gen.lists(gen.integers()),
        gen.lists(gen.lists(gen.booleans())),
        gen.text(),
        gen.binary(),
        gen.recursive(gen.booleans(), lambda inner: gen.lists(inner)),
        gen.recursive(gen.booleans(), lambda inner: gen.tuples(inner, inner)),
    ],
    ids=repr,
)
def test_growth_is_bounded_even_if_only_larger_is_accepted(
    generator: gen.Gen[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 300  # few enough that most of these generators get there
    monkeypatch.setattr(edits, "MOST_PLACES", most)
    dice = random.Random(3)
    trace = generator.record(1)
    for _ in range(300):
        near = neighbor(trace, 1.0, dice.random)
        if places(near) >= places(trace):
            trace = near
    # From just below the limit, one step can go beyond it: the places are at most doubled, and one draw is added.
    assert places(trace) < 3 * most


def test_lists_without_a_maximum_stop_growing() -> None:
    dice = random.Random(0)
    trace = gen.lists(gen.booleans()).record(1)
    for _ in range(1500):
        near = neighbor(trace, 1.0, dice.random)
        if len(near.value) >= len(trace.value):
            trace = near
    assert len(trace.value) == LONGEST


def test_growing_and_shrinking_are_balanced() -> None:
    generator = gen.lists(gen.integers(0, 9), max_size=200)
    dice = random.Random(0)
    start = enact(generator, Trace(None, [Trace(1)] * 100), dice.random)
    lengths = [len(neighbor(start, 1.0, dice.random).value) for _ in range(3000)]
    assert abs(sum(lengths) / len(lengths) - 100) < 1


def test_few_edits_at_low_temperature_and_often_few_at_high() -> None:
    generator = gen.lists(gen.integers(0, 9), min_size=50, max_size=50)
    dice = random.Random(2)
    start = generator.record(0)
    moved = []
    for temperature in (0.01, 1.0):
        changed = []
        for _ in range(400):
            near = neighbor(start, temperature, dice.random)
            changed.append(sum(a != b for a, b in zip(start.value, near.value)))
        moved.append(sorted(changed))
    assert moved[0][200] <= 1
    assert 1 <= moved[1][200] <= 4
    assert moved[1][-1] > 8  # a long jump now and then


# --- rules ----------------------------------------------------------------------------------------------


def test_every_value_can_be_reached() -> None:
    for generator, count in [
        (gen.booleans() * gen.integers(0, 4), 10),
        (gen.lists(gen.booleans(), max_size=3), 15),
        (gen.one_of(gen.just("a"), gen.integers(1, 3)), 4),
        (gen.integers(0, 3).flatmap(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n)), 15),
    ]:
        seen = {repr(trace.value) for seed in range(3) for trace in walk_from(generator, seed, 500)}
        assert len(seen) == count


def test_numbers_stay_in_range_and_move_by_all_magnitudes() -> None:
    generator = gen.integers(-1000, 10**6)
    dice = random.Random(1)
    start = enact(generator, Trace(5000), dice.random)
    moves = [neighbor(start, 0.5, dice.random).value - 5000 for _ in range(2000)]
    for low, high in [(1, 3), (4, 100), (101, 5000), (5001, 10**6)]:
        assert any(low <= abs(move) <= high for move in moves)


def test_a_filter_is_repaired_by_redrawing_what_does_not_fit() -> None:
    pairs = gen.tuples(gen.integers(0, 99), gen.integers(0, 99)).filter(lambda pair: pair[0] < pair[1])
    dice = random.Random(0)
    start = enact(pairs, Trace(None, [Trace(None, [Trace(40), Trace(60)])]), dice.random)
    kept = sum(40 in (v := neighbor(start, 0.01, dice.random).value) or 60 in v for _ in range(300))
    assert kept > 200


def test_recursive_values_grow_around_and_shrink_to_their_parts() -> None:
    trees: gen.Gen[Any] = gen.deferred(lambda: gen.integers(0, 9) | gen.tuples(trees, trees))
    start = enact(trees, Trace(1, [Trace(None, [Trace(0, [Trace(3)]), Trace(0, [Trace(7)])])]), random.random)
    assert start.value == (3, 7)
    dice = random.Random(0)
    near = {repr(neighbor(start, 0.01, dice.random).value) for _ in range(500)}
    assert {"3", "7"} <= near  # a part in place of the whole
    assert any("(3, 7)" in value and value != "(3, 7)" for value in near)  # the whole as a part


def loop(generator: gen.Gen[Any], seed: int = 0) -> Trace[Any]:
    return next(t for s in range(seed, 100) if len((t := generator.record(s)).value[1]) > 4)


@gen.composite
def counted_pairs(draw: gen.Draw) -> tuple[int, list[tuple[int, str]]]:
    limit = draw(gen.integers(2, 9))
    count = draw(gen.integers(0, 20))
    return limit, [(draw(gen.integers(0, limit)), draw(gen.sampled_from("ab"))) for _ in range(count)]


@gen.composite
def uncounted(draw: gen.Draw) -> tuple[None, list[int]]:
    found = []
    while draw(gen.sampled_from([False, True, True, True])):
        found.append(draw(gen.integers(0, 9)))
    return None, found


vectors = gen.integers(0, 20).flatmap(
    lambda count: gen.tuples(*[gen.integers(0, 99)] * count).map(lambda row: (count, list(row)))
)


def without_one(longer: list[Any], shorter: list[Any]) -> bool:
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))


@pytest.mark.parametrize(
    "generator", [counted_pairs(), uncounted(), vectors], ids=["pairs", "while", "flatmap"]
)
def test_counted_edits_insert_and_delete_whole_turns(generator: gen.Gen[Any]) -> None:
    start = loop(generator)
    before = start.value[1]
    dice = random.Random(0)
    near = [neighbor(start, 0.01, dice.random).value[1] for _ in range(400)]
    assert sum(without_one(before, after) for after in near) > 20
    assert sum(without_one(after, before) for after in near) > 20


def test_the_number_that_counts_most_draws_is_the_counter() -> None:
    start = loop(counted_pairs())
    assert {row.counter for row in rows_of(start)} == {(1,)}
    assert {row.length for row in rows_of(start)} == {2}


# --- user-defined neighbours ----------------------------------------------------------------------------


def test_a_hand_written_rule_is_used_deep_inside() -> None:
    digit = gen.integers(0, 9).with_neighbor(lambda n, temperature: (n + 1) % 10)
    generator = gen.lists(digit, min_size=3, max_size=3).map(tuple)
    dice = random.Random(0)
    start = generator.record(3)
    for _ in range(50):
        near = neighbor(start, 0.01, dice.random).value
        steps = [(after - before) % 10 for before, after in zip(start.value, near)]
        assert sorted(near) == sorted(start.value) or sorted(steps) == [0, 0, 1]


def test_a_rule_may_return_a_generator_and_use_what_is_constructed() -> None:
    plain = gen.lists(gen.integers(0, 9), max_size=5)

    def rule(value: list[int], temperature: float) -> Any:
        assert 0 < temperature <= 1
        return gen.just(plain.neighbor(value, temperature))

    ruled = plain.with_neighbor(rule)
    walks = [[ruled.neighbor([1, 2, 3], 1.0, seed=seed) for seed in range(20)] for _ in range(2)]
    assert walks[0] == walks[1]  # neighbours that user code asks for follow the seed, too
    assert len({tuple(value) for value in walks[0]}) > 5


def test_a_returned_value_has_a_trace_where_it_can_be_found() -> None:
    dice = random.Random(0)
    ruled = gen.lists(gen.integers(0, 9)).with_neighbor(lambda value, temperature: [*value[:5], 7])
    near = neighbor(ruled.record(0), 1.0, dice.random)
    assert not near.is_opaque and near.value[-1] == 7
    hidden = gen.lists(gen.integers(0, 9)).map(sorted).with_neighbor(lambda value, temperature: [7])
    near = neighbor(hidden.record(0), 1.0, dice.random)
    assert near.is_opaque and near.value == [7]


def test_opaque_values_are_given_anew_to_every_test() -> None:
    hidden = gen.lists(gen.integers(0, 9)).map(sorted).with_neighbor(lambda value, temperature: [7])
    near = neighbor(hidden.record(0), 1.0, random.Random(0).random)
    near.value.append("changed in place")
    assert replay(hidden, near).value == [7]


def test_a_rule_must_return_values_of_the_generator() -> None:
    wrong = gen.integers(0, 9).with_neighbor(lambda n, temperature: 10)
    with pytest.raises(
        InvalidArgument, match=r"returned 10, which the generator does not make.*gen\.targeted"
    ):
        wrong.neighbor(3, 1.0, seed=0)
    free = gen.targeted(first=gen.integers(0, 9), next=lambda n, temperature: 10)
    assert free.neighbor(3, 1.0, seed=0) == 10


def test_what_a_hand_written_rule_returns_is_kept_beside_a_fresh_part() -> None:
    by_hand = gen.targeted(first=gen.integers(0, 5).map(str), next=lambda text, temperature: text + "!")
    base = gen.tuples(by_hand, gen.integers(0, 9).fresh()).record(1)
    dice = random.Random(1)
    once = neighbor(base, 1.0, dice.random)
    assert once.value[0] == base.value[0] + "!"
    assert neighbor(once, 1.0, dice.random).value[0] == base.value[0] + "!!"


def test_what_a_hand_written_rule_returns_may_be_mutable_where_the_generator_makes_nothing_mutable() -> None:
    by_hand = gen.targeted(first=gen.integers(0, 5), next=lambda value, temperature: [7])
    for generator in (
        by_hand,
        gen.tuples(by_hand, gen.integers()),
        gen.tuples(by_hand, *[gen.integers()] * 3),
    ):
        dice = random.Random(1)
        trace = generator.record(1)
        while not trace.is_opaque:
            trace = neighbor(trace, 1.0, dice.random)
        before = canonical(trace.value)
        (trace.value if generator is by_hand else trace.value[0]).append("changed by a test")
        assert canonical(enact(generator, trace, dice.random).value) == before


def test_fresh_parts_are_drawn_in_every_step_and_the_rest_is_kept() -> None:
    generator = gen.tuples(gen.integers(0, 10**9), gen.integers(0, 10**9).fresh())
    dice = random.Random(0)
    start = generator.record(0)
    near = [neighbor(start, 1.0, dice.random).value for _ in range(40)]
    assert len({second for _, second in near}) > 30
    only_fresh = gen.tuples(gen.just(1), gen.integers(0, 10**9).fresh()).record(0)
    assert len({neighbor(only_fresh, 1.0, dice.random).value for _ in range(20)}) > 15
    assert neighbor(only_fresh, 0, dice.random).value == only_fresh.value


def test_remarks_are_kept_by_unions() -> None:
    one = gen.one_of(gen.one_of(gen.just(1), gen.just(2)).fresh(), gen.just(3))
    assert len(one.options) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("misuse", "says"),
    [
        (lambda: gen.integers().with_neighbor(3), "neighbourhood"),
        (lambda: gen.targeted(first=3, next=lambda n, t: n), "first"),
        (lambda: gen.targeted(first=gen.integers(), next=3), "next"),
        (lambda: gen.integers().neighbor(1, 2.0), "between 0 and 1"),
        (lambda: gen.integers().neighbor(1, "hot"), "temperature"),
        (lambda: gen.integers().neighbor(1, 0.5, seed="x"), "seed"),
    ],
)
def test_misuse(misuse: Any, says: str) -> None:
    with pytest.raises(InvalidArgument, match=says):
        misuse()


def test_the_neighbour_of_a_value_needs_its_choices() -> None:
    doubled = gen.integers(0, 9).map(lambda n: 2 * n)
    with pytest.raises(NotInvertible, match="give neighbor a trace instead"):
        doubled.neighbor(4, 1.0)
    assert doubled.neighbor(doubled.record(0), 1.0, seed=0).value % 2 == 0


def test_explaining(capsys: pytest.CaptureFixture[str]) -> None:
    def mine(value: int, temperature: float) -> int:
        return value

    trees: gen.Gen[Any] = gen.deferred(lambda: gen.booleans() | gen.tuples(trees, trees))
    gen.tuples(gen.integers(0, 9).with_neighbor(mine), gen.none().fresh(), trees).explain_neighbor()
    printed = capsys.readouterr().out
    assert "by hand, mine(value, temperature)" in printed
    assert "redrawn in every test" in printed
    assert "or grow around it" in printed and "as above" in printed


def pairs(part: gen.Gen[Any]) -> gen.Gen[list[Any]]:
    return gen.lists(part, min_size=2, max_size=2)


NEARBY = gen.integers(0, 10**6).with_neighbor(
    lambda n, t: gen.integers(max(0, n - int(1000 * t)), n + int(1000 * t))
)


@pytest.mark.parametrize(
    "inputs",
    [
        *(gen.integers(0, 300), gen.integers(-1000, 1000), gen.integers(0, 10**6), gen.integers()),
        *(gen.floats(-1000, 1000), gen.decimals(-1000, 1000, allow_nan=False), NEARBY),
        *(gen.fractions(0, 1), gen.fractions(0, 10, max_denominator=50)),
        *(gen.times(), gen.times(timezones=gen.just(UTC)), gen.dates(), gen.datetimes()),
        *(gen.floats(0, 1, width=32), gen.floats(-100, 100, width=16), gen.integers(0, 120)),
        *(
            gen.integers(0, 10**6) | gen.integers(0, 10**6),
            gen.dates() | gen.dates(),
            gen.times() | gen.times(),
        ),
        *(gen.fractions(0, 1) | gen.fractions(0, 1), gen.floats(0, 1) | gen.decimals(0, 1)),
        *(
            pairs(gen.integers(0, 10**6)),
            pairs(gen.times() | gen.times()),
            pairs(NEARBY),
            pairs(pairs(gen.floats(0, 9))),
        ),
    ],
    ids=str,
)
def test_cold_steps_are_at_most_a_twentieth_as_long(inputs: Any) -> None:
    def away(value: Any, other: Any) -> float:
        if isinstance(value, list):
            return sum(map(away, value, other))
        return abs(number(value) - number(other))

    def number(value: Any) -> float:
        if isinstance(value, time):
            value = datetime.combine(date(2000, 1, 1), value)
        if isinstance(value, datetime):
            return (value.replace(tzinfo=None) - datetime(2000, 1, 1)).total_seconds()
        return float(value.toordinal() if isinstance(value, date) else value)

    base = inputs.replay(inputs.record(seed=5))

    def mean_step(temperature: float) -> float:
        values = [inputs.neighbor(base, temperature, seed=seed).value for seed in range(400)]
        return sum(away(value, base.value) for value in values) / len(values)

    assert 0 < mean_step(0.01) <= mean_step(1.0) / 20


@pytest.mark.parametrize(
    "numbers", [gen.integers(0, 10**5000), gen.integers(), gen.integers(-(10**400))], ids=str
)
def test_numbers_too_large_for_floats_have_neighbours(numbers: gen.Gen[int]) -> None:
    value = 10**399
    for seed in range(50):
        assert isinstance(numbers.neighbor(value, 0.3, seed=seed), int)


def test_a_unique_list_is_not_said_to_repeat_elements(capsys: pytest.CaptureFixture[str]) -> None:
    gen.sets(gen.integers(0, 9)).explain_neighbor()
    assert "duplicate" not in capsys.readouterr().out
    gen.lists(gen.integers(0, 9)).explain_neighbor()
    assert "duplicate" in capsys.readouterr().out


def test_cold_neighbours_under_a_filter_are_nearby() -> None:
    numbers = gen.integers(0, 10**6).filter(lambda n: n % 3 == 0)
    dice = random.Random(1)
    start = trace_of(numbers, 300_000)

    def mean_step(temperature: float) -> float:
        moved = [neighbor(start, temperature, dice.random).value for _ in range(300)]
        return sum(abs(n - 300_000) for n in moved) / len(moved)

    assert mean_step(0.01) < mean_step(1) / 20


def test_an_option_that_is_an_empty_list_has_cold_neighbours():
    options = gen.one_of(gen.lists(gen.floats(), max_size=0), gen.dates(date(1999, 1, 1), date(1999, 1, 2)))
    dice = random.Random(0)
    for seed in range(100):
        assert neighbor(options.record(seed=seed), 0.5, dice.random).value in (
            [],
            date(1999, 1, 1),
            date(1999, 1, 2),
        )


@gen.composite
def sevenths(draw):
    n = draw(gen.integers(0, 100))
    assume(n % 7 == 0)
    return n


def test_neighbours_outside_of_a_run_are_made_again_if_they_are_discarded():
    for node in (
        sevenths(),
        gen.lists(gen.nothing()),
        gen.integers(0, 10**5).filter(lambda n: n % 1000 == 3),
    ):
        start = node.record(seed=0)
        for seed in range(30):
            near = node.neighbor(start, 1.0, seed=seed)
            assert node.replay(near).value == near.value
