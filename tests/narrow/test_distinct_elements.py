"""Sets, dictionaries by key and lists of distinct elements can be half decided: the same values as filtering, sooner."""

from __future__ import annotations

from itertools import pairwise

import pytest

from everycase import gen
from everycase.narrow import Narrowing, Untrusted

small = gen.integers(0, 4)


def told(value):
    """The identity of a value: sets and dictionaries do not depend on their order."""
    if isinstance(value, dict):
        return "dict", sorted((told(key), told(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(map(told, value))
    if isinstance(value, list | tuple):
        return type(value).__name__, [told(item) for item in value]
    return repr(value)


def searched(inputs, predicate, size):
    """The number of evaluations to find the same values as filtering, and the number of values."""
    values = list(inputs.up_to_size(size))
    search = Narrowing([inputs.filter(predicate)])
    found = []
    for one in search.search(size):
        assert told(one.trace().value) == told(one.args)
        found.append(told(one.value))
    assert sorted(map(repr, found)) == sorted(repr(told(value)) for value in values if predicate(value))
    return search.statistics.evaluations, len(values)


def is_even(numbers):
    return all(n % 2 == 0 for n in numbers)


def is_small_and_has_three(numbers):
    return len(numbers) < 4 and 3 in numbers


def is_within(numbers):
    return bool(numbers) and numbers <= {0, 1, 7}


def keeps_to_its_key(mapping):
    return all(key <= value for key, value in mapping.items())


def adds_up(mapping):
    return sum(mapping.values()) == 6


def has_zero_for_one(mapping):
    return mapping.get(1) == 0


def is_one_to_one(mapping):
    return len(set(mapping.values())) == len(mapping)


def climbs(numbers):
    return all(a < b for a, b in pairwise(numbers))


def first_is_part_of_second(pair):
    return len(pair[1]) == 2 and pair[0] < pair[1]


def share_nothing(sets):
    return len(sets) == 2 and sets[0].isdisjoint(sets[1])


@pytest.mark.parametrize(
    ("inputs", "predicate", "size"),
    [
        (gen.sets(gen.integers(0, 9)), is_even, 9),
        (gen.frozensets(gen.integers(-2, 6)), is_small_and_has_three, 9),
        (gen.sets(gen.integers()), is_within, 8),
        (gen.dictionaries(small, small), keeps_to_its_key, 8),
        (gen.dictionaries(small, small), adds_up, 8),
        (gen.dictionaries(gen.sampled_from([0, 1, 3]), gen.none() | small), has_zero_for_one, 8),
        (gen.dictionaries(small, small), is_one_to_one, 8),
        (gen.lists(gen.integers(0, 5), unique=True), climbs, 6),
        (gen.tuples(gen.sets(small), gen.frozensets(small)), first_is_part_of_second, 8),
        (gen.lists(gen.sets(gen.integers(0, 2)), max_size=2), share_nothing, 10),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_the_same_values_as_filtering_for_fewer_evaluations(inputs, predicate, size):
    evaluations, values = searched(inputs, predicate, size)
    assert evaluations < values


def test_keys_that_take_no_choice_stay_distinct():
    """The only possible key takes no decision, so no backtracking restores it: it must not come a second time."""
    inputs = gen.dictionaries(gen.text(max_size=0), gen.lists(gen.booleans(), max_size=2), max_size=4)
    searched(inputs, lambda mapping: all(item is not None for item in mapping.values()), 9)
    searched(gen.lists(gen.text(max_size=0), unique=True, max_size=4), lambda items: len(items) < 9, 6)


def test_a_set_of_the_only_value_there_is():
    evaluations, values = searched(gen.sets(gen.just(7)), lambda numbers: 7 in numbers, 5)
    assert (evaluations, values) == (2, 2)


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: s | {9} == {1, 9},
        lambda s: {1, 2} - s == {2},
        lambda s: {1} <= s,
        lambda s: {1, 3} == s,
        lambda s: s & {1, 2} != set(),
        lambda s: (s ^ {1}) == {2},
        lambda s: s.union([5]) > {1, 2},
        lambda s: s.issubset([1, 2]) and s.issuperset([2]),
        lambda s: isinstance(s, set) and len(sorted(s)) == 2,
        lambda s: frozenset(s) in [frozenset({1}), frozenset({2, 3})],
        lambda s: repr(s) == "{2}",
    ],
)
def test_what_sets_can_do(ask):
    searched(gen.sets(gen.integers(1, 4)), ask, 6)


@pytest.mark.parametrize(
    "ask",
    [
        lambda d: list(d.items()) == [(0, 1), (1, 2)],
        lambda d: d.keys() == {0, 2},
        lambda d: 2 in d.values(),
        lambda d: d | {7: 7} == {0: 1, 7: 7},
        lambda d: {**d, 7: 7} == {0: 1, 7: 7},
        lambda d: d == {1: 1},
        lambda d: dict(d) == {1: 2},
        lambda d: d.get(0, 3) == 3 and bool(d),
        lambda d: max(d, default=0) == 2 and isinstance(d, dict),
        lambda d: d.copy() == {0: 2},
    ],
)
def test_what_dictionaries_can_do(ask):
    searched(gen.dictionaries(gen.integers(0, 2), gen.integers(1, 2)), ask, 6)


@pytest.mark.parametrize(
    ("inputs", "change"),
    [
        (gen.sets(small), lambda s: s.add(1)),
        (gen.sets(small), lambda s: s.discard(1)),
        (gen.dictionaries(small, small), lambda d: d.pop(1, None)),
        (gen.dictionaries(small, small), lambda d: d.__setitem__(1, 1)),
    ],
)
def test_a_predicate_that_changes_its_argument_is_refused(inputs, change):
    def changes(value):
        change(value)
        return True

    with pytest.raises(Untrusted, match="It must not change its argument"):
        list(Narrowing([inputs.filter(changes)]).search(4))


def test_what_is_found_belongs_to_the_test():
    inputs = gen.dictionaries(small, gen.lists(small, max_size=1)).filter(lambda d: len(d) < 3)
    found = []
    for one in Narrowing([inputs]).search(5):
        found.append(repr(one.value))
        one.value.clear()
    assert len(found) == len(set(found)) == len(list(inputs.up_to_size(5)))
