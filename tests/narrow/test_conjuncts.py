"""Predicates are split at ``and``, and a rejection backtracks as far as possible: the same values with less work."""

from __future__ import annotations

import datetime
import itertools
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from precondition_sets.predicates import FIRST, is_red_black

from everycase import gen
from everycase.enumeration import fits
from everycase.narrow import Narrowing
from everycase.narrow.conjuncts import taken_apart


@dataclass(frozen=True)
class Pair:
    left: list[int]
    right: list[int]


PAIRS = gen.builds(Pair, gen.lists(gen.integers(0, 2), max_size=3), gen.lists(gen.integers(0, 2), max_size=3))


def right_is_fine(pair):
    return sum(pair.right) == 2


def is_fine(pair):
    if len(pair.left) < 2:
        return False
    for a, b in itertools.pairwise(pair.left):
        if a > b:
            return False
    return right_is_fine(pair) and not (pair.left[0] == 1 or len(pair.right) == 1)


def answers(parts, value):
    return all(part(*[(value,)[place] for place in places]) for part, places in parts)


def test_the_parts_say_what_the_whole_says():
    assert not fits(PAIRS, 10)
    parts, _ = taken_apart(is_fine, 1, [Pair])
    assert len(parts) == 5
    values = list(PAIRS.up_to_size(6))
    assert [answers(parts, value) for value in values] == [is_fine(value) for value in values]


def remembers_the_largest(pair):
    if not pair.left:
        return False
    largest = pair.left[0]
    for x in pair.left:
        if x < largest:
            return False
        largest = max(largest, x)
    return True


def remembers_all(pair):
    if len(pair.right) < 2:
        return False
    seen = set()
    for x in pair.right:
        if x in seen:
            return False
        seen.add(x)
    if not pair.left:
        return True
    return True


@pytest.mark.parametrize("predicate", [remembers_the_largest, remembers_all])
def test_a_loop_at_the_end_that_remembers_something_is_a_part_too(predicate):
    parts, _ = taken_apart(predicate, 1, [Pair])
    values = list(PAIRS.up_to_size(6))
    assert [answers(parts, value) for value in values] == [predicate(value) for value in values]
    found = [one.value for one in Narrowing([PAIRS.filter(predicate)]).search(5)]
    assert sorted(found, key=repr) == sorted(filter(predicate, PAIRS.up_to_size(5)), key=repr)


def loops(pair):
    waiting = list(pair.left)
    while waiting:
        waiting.pop()
    return not waiting and bool(pair.right)


def changes(pair):
    pair.left.append(1)
    return len(pair.left) > 2 and bool(pair.right)


def counts(pair):
    total = 0
    for n in pair.left:
        total += n
        if total > 2:
            return False
    return total == 2 and len(pair.right) == 1


def test_what_may_do_something_is_left_whole():
    assert len(taken_apart(changes, 1, [Pair])[0]) == 1
    assert len(taken_apart(len, 1, [Pair])[0]) == 1
    assert taken_apart(loops, 1, [Pair])[1] is False
    values = list(PAIRS.up_to_size(5))
    assert [answers(taken_apart(counts, 1, [Pair])[0], v) for v in values] == [counts(v) for v in values]


@pytest.mark.parametrize("lead", [None, 0, 1, 2, 3, 4])
def test_whichever_part_is_asked_first_the_values_are_the_same(lead):
    search = Narrowing([PAIRS.filter(is_fine)])
    search.asked.first(lead)
    found = [one.value for one in search.search(6)]
    assert sorted(map(repr, found)) == sorted(repr(v) for v in PAIRS.up_to_size(6) if is_fine(v))


def guarded(pair):
    return len(pair.left) == 2 and pair.left[1] == 2 and 2 // pair.left[0] == 1


def test_a_part_that_relies_on_an_earlier_one_is_not_asked_in_vain():
    wanted = []
    for value in PAIRS.up_to_size(5):
        try:
            wanted += [value] if guarded(value) else []
        except ZeroDivisionError:
            continue
    for lead in (None, 1):
        search = Narrowing([PAIRS.filter(lambda pair: guarded(pair) if pair.left[:1] != [0] else False)])
        search.asked.first(lead if lead is None or lead < len(search.asked.parts) else None)
        assert sorted(map(repr, (one.value for one in search.search(5)))) == sorted(map(repr, wanted))


def takes_twice(pair):
    waiting = list(pair.left)
    return len(waiting) > 1 and waiting.pop() == 1 and waiting.pop() == 2 and not pair.right


def reads_on(pair):
    both = zip(pair.left, pair.right)
    if all(a == b for a, b in both):
        return False
    return not list(both) and sum(pair.left) == 1


def takes_inside(pair):
    waiting = list(pair.left)

    def take():
        return waiting.pop() if waiting else None

    if take() != 1:
        return False
    return take() == 2


def has_a_default(pair, most=2):
    return (
        len(pair.left) < len(pair.right) and len(pair.right) < most + len(pair.left) and sum(pair.left) < most
    )


@pytest.mark.parametrize("predicate", [takes_twice, reads_on, takes_inside, has_a_default])
def test_what_one_part_uses_up_the_next_ones_do_not_have(predicate):
    found = [one.value for one in Narrowing([PAIRS.filter(predicate)]).search(6)]
    wanted = [repr(value) for value in PAIRS.up_to_size(6) if predicate(value)]
    assert wanted and sorted(map(repr, found)) == sorted(wanted)


def bounded(a, b, most=5):
    return a < b and b < most


def test_a_parameter_with_a_default_is_no_part_of_the_input():
    search = Narrowing([gen.integers(0, 9), gen.integers(0, 9)], [(bounded, (0, 1))])
    assert len([one.value for one in search.search(9)]) == 10


def test_going_back_saves_evaluations():
    trees = next(row.inputs for row in FIRST if row.name == "red-black tree")
    apart = Narrowing([trees.filter(is_red_black)])
    whole = Narrowing([trees.filter(lambda tree: [is_red_black(tree)][0])])
    assert {one.value for one in apart.search(4)} == {one.value for one in whole.search(4)}
    assert apart.statistics.jumped > 0
    assert apart.statistics.evaluations < whole.statistics.evaluations


@pytest.mark.parametrize("row", FIRST, ids=lambda row: row.name)
def test_every_predicate_has_the_values_of_filtering_each_once(row):
    size = min(row.size, 4)
    found = [
        repr(vars(v) if type(v).__repr__ is object.__repr__ else v)
        for v in row.inputs.up_to_size(size)
        if row.predicate(v)
    ]
    search = Narrowing([row.inputs.filter(row.predicate)])
    pruned = [one.value for one in search.search(size)]
    assert sorted(repr(vars(v) if type(v).__repr__ is object.__repr__ else v) for v in pruned) == sorted(
        found
    )


# --- unpacking: parts that a condition does not read are not looked at -----------------------------------------


DAYS = gen.dates(datetime.date(2024, 1, 1), datetime.date(2024, 2, 29))
WEEKS = gen.dates(datetime.date(2024, 1, 4), datetime.date(2024, 1, 9))


class Trip(NamedTuple):
    start: datetime.date
    end: datetime.date


class Backwards(NamedTuple):
    start: datetime.date
    end: datetime.date

    def __iter__(self):
        return iter((self[1], self[0]))


def is_long_weekend(trip):
    first, last = trip
    return first.weekday() == 5 and last.weekday() == 0 and last > first


def is_maybe_weekend(trip):
    if trip is None:
        return False
    first, last = trip
    return first.weekday() == 5 and last > first


def in_threes(trips):
    (_, first), (second, _) = trips
    begin, end = trips[0]
    return begin.weekday() == 5 and end.weekday() == 0 and first < second


@pytest.mark.parametrize(
    ("inputs", "predicate", "gain"),
    [
        (gen.tuples(DAYS, DAYS), is_long_weekend, 5),
        (gen.builds(Trip, DAYS, DAYS), is_long_weekend, 5),
        (gen.builds(Backwards, DAYS, DAYS), is_long_weekend, 0.9),
        (gen.none() | gen.tuples(DAYS, DAYS), is_maybe_weekend, 5),
        (gen.tuples(gen.tuples(WEEKS, WEEKS), gen.tuples(WEEKS, WEEKS)), in_threes, 1),
    ],
)
def test_unpacking_looks_only_at_what_is_read(inputs, predicate, gain):
    values = list(inputs.up_to_size(4))
    search = Narrowing([inputs.filter(predicate)])
    found = [one.value for one in search.search(4)]
    assert sorted(map(repr, found)) == sorted(repr(value) for value in values if predicate(value))
    assert search.statistics.evaluations * gain <= len(values)


def first_is_two(xs):
    first, _ = xs
    return first == 2 and len(xs) > 0


def test_unpacking_a_list_of_another_length_is_still_an_error():
    search = Narrowing([gen.lists(gen.integers(0, 2), min_size=1, max_size=3).filter(first_is_two)])
    with pytest.raises(ValueError, match="unpack"):
        list(search.search(3))
