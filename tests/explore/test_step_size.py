"""How a search learns to step: many edits if little is lost, longer lists if that pays, repeated slices."""

from __future__ import annotations

from random import Random
from typing import Any

from everycase import check, gen, maximize, minimize
from everycase.choices.neighbor.edits import neighbor
from everycase.choices.neighbor.rules import Manner
from everycase.choices.trace import Trace
from everycase.explore import Climb
from everycase.explore.targeted.step_size import (
    FRESH,
    LEAST_LONG,
    LEAST_REACH,
    MOST_REACH,
    NO_WORSE,
    StepSize,
)

bits = gen.lists(gen.integers(0, 1), min_size=200, max_size=200)
letters = gen.lists(gen.integers(0, 9), max_size=100)


def trace_of(values: list[int], generator: gen.Gen[Any] = letters) -> Trace[Any]:
    return generator.replay(Trace.from_json(values))


def test_reach_settles_where_about_a_third_of_the_neighbours_are_no_worse() -> None:
    """Each edit does harm with a known probability, so the best number of edits is known, too."""
    dice = Random(1)
    value = trace_of([1, 2, 3])
    for harm, best in ((0.5, 2), (0.2, 5), (0.05, 23)):
        step_size = StepSize()
        reached, no_worse = [], []
        for _ in range(4000):
            edits = 1
            while dice.random() < 1 - 1 / step_size.reach:
                edits += 1
            fine = dice.random() < (1 - harm) ** edits
            step_size.learn(Manner(), 0.0 if fine else -1.0, value, value)
            no_worse.append(fine)
            reached.append(step_size.reach)
        mean = sum(reached[1000:]) / len(reached[1000:])
        assert best / 2 < mean < 3 * best
        assert abs(sum(no_worse[1000:]) / len(no_worse[1000:]) - NO_WORSE) < 0.06 or mean < LEAST_REACH * 1.2


def test_reach_stays_within_its_bounds() -> None:
    value = trace_of([1])
    step_size = StepSize()
    for _ in range(500):
        step_size.learn(Manner(), 0.0, value, value)
    assert step_size.reach == MOST_REACH
    for _ in range(500):
        step_size.learn(Manner(), -1.0, value, value)
    assert step_size.reach == LEAST_REACH


def test_a_neighbour_has_as_many_edits_as_the_reach_says() -> None:
    base = trace_of([0] * 200, bits)
    dice = Random(0).random
    for reach in (1.0, 2.0, 10.0):
        changed = [
            sum(neighbor(base, 1.0, dice, Manner(reach=reach)).value)  # all bits were 0
            for _ in range(400)
        ]
        assert 0.75 * reach < sum(changed) / 400 < 1.2 * reach


def test_growth_is_learned_and_forgotten() -> None:
    short, long = trace_of([1]), trace_of([1, 2, 3])
    step_size = StepSize()
    for _ in range(5):
        step_size.learn(Manner(), 1.0, short, long)
    assert step_size.growth > 0.6
    for _ in range(200):
        step_size.learn(Manner(), 0.0, long, long)
    assert abs(step_size.growth - 0.5) < 0.01
    step_size.learn(Manner(), 1.0, long, short)
    assert step_size.growth < 0.5


def test_a_long_step_repeats_a_slice_and_changes_nothing_else() -> None:
    values = [n % 10 for n in range(30)]
    base = trace_of(values)
    dice = Random(0).random
    lengths = []
    for _ in range(300):
        longer = neighbor(base, 1.0, dice, Manner(long=True)).value
        added = len(longer) - len(values)
        if added <= 0:
            # Elements were rearranged; or none of the tries hit a list, and one element changed.
            assert sorted(longer) == sorted(values) or sum(a != b for a, b in zip(longer, values)) == 1
            continue
        lengths.append(added)
        at = [i for i in range(len(values) + 1) if longer[:i] + longer[i + added :] == values]
        slices = [values[i : i + added] for i in range(len(values) - added + 1)]
        assert any(longer[i : i + added] in slices for i in at)
    assert min(lengths) <= 2 and max(lengths) > 10 and len(lengths) > 200


def test_long_steps_fade_while_they_do_not_pay_and_come_back_when_they_do() -> None:
    short, long = trace_of([1]), trace_of([1, 2, 3])
    step_size = StepSize()
    for _ in range(50):
        step_size.learn(Manner(long=True), 0.0, short, long)
    assert step_size.long == LEAST_LONG
    for _ in range(3):
        step_size.learn(Manner(long=True), 1.0, short, long)
    assert step_size.long > 7 * LEAST_LONG
    assert step_size.growth == 0.5 and step_size.reach == StepSize().reach  # only other steps change these


def test_values_do_not_fill_up_with_copies_that_do_no_harm() -> None:
    """Only the number of different elements counts, so repeating some never pays."""
    lengths = []

    def different(values: list[int]) -> None:
        lengths.append(len(values))
        maximize(min(len(set(values)), 5))

    check(different, gen.lists(gen.integers(0, 9)), explore=Climb(), seed=0, max_examples=3000, database=None)
    assert sum(lengths[-1000:]) / 1000 < 80


def test_fresh_values_are_tried_less_and_less_often_while_they_do_not_pay() -> None:
    step_size = StepSize()
    assert step_size.fresh == FRESH
    step_size.learn_fresh(False)
    step_size.learn_fresh(False)
    faded = step_size.fresh
    assert faded < FRESH
    step_size.learn_fresh(True)
    assert faded < step_size.fresh <= FRESH
    step_size.learn_fresh(True)
    assert step_size.fresh == FRESH
    assert StepSize(fresh=False).fresh == 0


def test_fresh_values_come_between_the_first_neighbours_only() -> None:
    def values(explorer: Climb) -> list[int]:
        seen: list[int] = []

        def test(n: int) -> None:
            seen.append(n)
            maximize(0)

        # A neighbour is the same value, so that a fresh one can be recognised; one search, so none begins later.
        numbers = gen.integers(0, 10**15).with_neighbor(lambda n, _: n)
        check(test, numbers, explore=explorer, seed=4, max_examples=500, database=None)
        return seen

    assert len(set(values(Climb(restart=10**9, fresh=False)))) == 1
    mixed = values(Climb(restart=10**9))
    assert 5 < len(set(mixed[:100])) < 30
    assert len(set(mixed[250:])) < 5


def test_a_fresh_value_that_is_better_is_where_the_search_goes_on() -> None:
    def test(n: int) -> None:
        seen.append(n)
        maximize(n)

    seen: list[int] = []
    numbers = gen.integers(0, 10**15).with_neighbor(lambda n, _: n)
    check(test, numbers, explore=Climb(restart=10**9), seed=4, max_examples=300, database=None)
    assert seen[-1] == max(seen) > seen[0]


def test_the_value_that_a_search_began_with_is_not_tested_again_as_a_fresh_one() -> None:
    def test(n: int) -> None:
        seen.append(n)
        maximize(n)

    seen: list[int] = []
    upwards = gen.targeted(first=gen.just(0), next=lambda n, temperature: n + 1)
    check(test, upwards, explore=Climb(restart=10**9), seed=4, max_examples=200, database=None)
    assert seen.count(0) == 1


def test_with_several_labels_fresh_values_fade_and_those_that_no_other_beats_in_all_are_kept() -> None:
    def test(n: int) -> None:
        seen.append(n)
        maximize(n, "large")
        minimize(n, "small")

    seen: list[int] = []
    numbers = gen.integers(0, 10**15).with_neighbor(lambda n, _: n)
    check(test, numbers, explore=Climb(restart=10**9), seed=4, max_examples=500, database=None)
    assert len(set(seen)) < 50
    early = set(seen[:100])
    assert len(early & set(seen[250:])) > len(early) / 2
