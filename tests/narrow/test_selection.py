"""Few constructors at a time: which are left out, which are kept, and that the mixed order still finds everything once."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from everycase import check, gen
from everycase.explore import Narrow
from everycase.narrow import Narrowing
from everycase.narrow.orders import ORDERS_OF_PLACE, ConstructorSelection, Scattered


@dataclass(frozen=True)
class Zero:
    pass


@dataclass(frozen=True)
class One:
    pass


@dataclass(frozen=True)
class Minus:
    e: Any


@dataclass(frozen=True)
class Plus:
    a: Any
    b: Any


@dataclass(frozen=True)
class Times:
    a: Any
    b: Any


terms = gen.deferred(
    lambda: gen.one_of(
        gen.builds(Zero),
        gen.builds(One),
        gen.builds(Minus, terms),
        gen.builds(Plus, terms, terms),
        gen.builds(Times, terms, terms),
    )
)


def classes(term):
    parts = [getattr(term, name) for name in term.__dataclass_fields__]
    return {type(term)}.union(*map(classes, parts))


def value(term):
    match term:
        case Zero():
            return 0
        case One():
            return 1
        case Minus(e):
            return -value(e)
        case Plus(a, b):
            return value(a) + value(b)
        case Times(a, b):
            return value(a) * value(b)


def is_positive(term):
    return value(term) > 0


def selections(count):
    for seed in range(count):
        order = ConstructorSelection(random.Random(seed).random)
        found = [one.value for one in Narrowing([terms]).search(5, arrange=order.arrange)]
        yield order, found


def test_a_selection_is_all_values_made_of_what_it_uses():
    everything = list(terms.up_to_size(5))
    for order, found in selections(20):
        used = {cls for cls, is_used in order.used.items() if is_used}
        # One of the constructors without parts, or both.
        assert len(used & {Zero, One}) == (1 if order.one_without_parts else 2)
        assert len(found) == len(set(found))
        assert set(found) == {term for term in everything if classes(term) <= used}


def test_every_constructor_is_used_and_left_out_now_and_then():
    drawn = [order.used for order, _ in selections(40)]
    for cls in (Zero, One, Minus, Plus, Times):
        assert {used[cls] for used in drawn} == {True, False}


def test_what_is_left_out_everywhere_is_not_left_out_where_nothing_else_is():
    chosen = gen.tuples(gen.builds(Zero) | gen.builds(One), gen.builds(Zero) | gen.builds(One).filter(bool))
    order = ConstructorSelection(random.Random(0).random)
    assert list(Narrowing([chosen]).search(3, arrange=order.arrange))


@pytest.mark.slow
def test_a_scattered_order_is_a_selection_in_another_order():
    everything = list(terms.up_to_size(5))
    firsts = []
    for seed in range(200):
        order = Scattered(random.Random(seed).random)
        found = [one.value for one in Narrowing([terms]).search(5, arrange=order.arrange)]
        used = {cls for cls, is_used in order.selection.used.items() if is_used}
        assert len(found) == len(set(found))
        assert set(found) == {term for term in everything if classes(term) <= used}
        firsts.append(type(found[0]))
    # One in four that are used has no parts, or two in five, and those come first less often than the others.
    assert set(firsts) == {Zero, One, Minus, Plus, Times}
    assert sum(cls in (Zero, One) for cls in firsts) < 50


@dataclass(frozen=True)
class If:
    test: Any
    then: Any
    otherwise: Any


def test_scattered_orders_leave_out_large_constructors_only():
    choices = gen.deferred(lambda: terms | gen.builds(If, choices, choices, choices))
    drawn = []
    for seed in range(200):
        order = Scattered(random.Random(seed).random)
        list(Narrowing([choices]).search(4, arrange=order.arrange))
        drawn.append(order.selection.used)
    assert all(used[Minus] and used[Plus] and used[Times] for used in drawn)
    # One third of the selections use it.
    assert 40 < sum(used[If] for used in drawn) < 95


@dataclass(frozen=True)
class Record:
    name: Any
    size: Any
    rest: Any


def used_by_scattered(inputs):
    for seed in range(20):
        order = Scattered(random.Random(seed).random)
        list(Narrowing([inputs]).search(4, arrange=order.arrange))
        yield order.selection.used


def test_a_constructor_is_large_by_its_recursive_parts():
    small = gen.integers(0, 1)
    records = gen.deferred(lambda: terms | gen.builds(Record, small, small, records))
    assert all(used[Record] for used in used_by_scattered(records))


def test_where_all_are_large_none_is_left_out():
    only = gen.deferred(lambda: gen.builds(Zero) | gen.builds(One) | gen.builds(If, only, only, only))
    both = gen.deferred(
        lambda: gen.builds(Zero) | gen.builds(If, both, both, both) | gen.builds(Record, both, both, both)
    )
    assert all(used[If] for used in used_by_scattered(only))
    assert all(used[If] and used[Record] for used in used_by_scattered(both))


@pytest.mark.slow
def test_scattered_values_satisfy_and_many_selections_are_tried():
    seen = []
    explorer = Narrow(max_size=9, order="scattered")
    report = check(
        seen.append, terms.filter(is_positive), explore=explorer, max_examples=1500, seed=0, database=None
    )
    assert report.status == "passed"
    assert all(map(is_positive, seen))
    assert len({frozenset(classes(term)) for term in seen}) > 5
    assert max(map(len, map(repr, seen))) > len(repr(Plus(One(), Plus(One(), One()))))


def test_selected_values_satisfy_and_go_beyond_what_is_searched_completely():
    seen = []
    explorer = Narrow(max_size=9, order="selected")
    report = check(
        seen.append, terms.filter(is_positive), explore=explorer, max_examples=1500, seed=0, database=None
    )
    assert report.status == "passed"
    assert all(map(is_positive, seen))
    assert {frozenset(classes(term)) for term in seen} >= {frozenset({One}), frozenset({One, Plus})}


def test_the_mixed_order_finds_all_of_a_small_space():
    seen = []
    explorer = Narrow(max_size=5, order="mixed")
    report = check(
        seen.append, terms.filter(is_positive), explore=explorer, max_examples=10**6, database=None
    )
    assert report.status == "passed"
    assert set(seen) == {term for term in terms.up_to_size(5) if is_positive(term)}
    assert report.covered.startswith(f"all {len(seen)} values up to size 5")
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("order", ["selected", "scattered"])
def test_nothing_satisfies(order):
    report = check(
        lambda term: None,
        terms.filter(lambda term: False),
        explore=Narrow(order=order),
        max_examples=10,
        database=None,
    )
    assert report.examples == 0


def test_a_seed_decides():
    runs = []
    for _ in range(2):
        seen = []
        check(
            seen.append, terms.filter(is_positive), explore=Narrow(), seed=3, max_examples=300, database=None
        )
        runs.append(seen)
    assert runs[0] == runs[1]


def test_a_scattered_order_has_a_few_orders_for_each_place_and_takes_all_of_them():
    search = Narrowing([terms])
    asked = []

    def ask(place, alternatives):
        asked.append((place, alternatives))
        return alternatives

    next(search.search(9, arrange=ask))
    place, alternatives = max(asked, key=lambda one: len(one[1]))
    repeated = set()
    for seed in range(20):
        order = Scattered(random.Random(seed).random)
        taken = Counter(
            tuple(one.label for one in order.arrange(place, alternatives))
            for _ in range(100 * ORDERS_OF_PLACE)
        )
        assert len(taken) <= ORDERS_OF_PLACE
        assert len({frozenset(labels) for labels in taken}) == 1  # the same selection
        # Each is taken about 100 times; more often if two that were drawn are equal.
        assert min(taken.values()) > 50
        repeated.add(frozenset(taken))
    assert len(repeated) > 10


@dataclass(frozen=True)
class Link:
    by: Any
    e: Any


@dataclass(frozen=True)
class Red:
    pass


@dataclass(frozen=True)
class Green:
    pass


@dataclass(frozen=True)
class Blue:
    pass


colours = gen.builds(Red) | gen.builds(Green) | gen.builds(Blue)
chains = gen.deferred(
    lambda: gen.one_of(gen.builds(Zero), gen.builds(Minus, chains), gen.builds(Link, colours, chains))
)


def links(chain):
    while not isinstance(chain, Zero):
        if isinstance(chain, Link):
            yield type(chain.by)
        chain = chain.e


@pytest.mark.slow
@pytest.mark.parametrize("order", ["scattered", "selected"])
def test_constructors_without_parts_meet_each_other(order):
    seen = []
    explorer = Narrow(max_size=12, order=order)
    check(
        seen.append,
        chains.filter(lambda c: Red in links(c)),
        explore=explorer,
        max_examples=3000,
        seed=0,
        database=None,
    )
    assert any(len(set(links(chain))) == 3 for chain in seen)


@pytest.mark.parametrize("order", ["scattered", "selected"])
def test_a_small_space_is_gone_through_by_selections_as_well(order):
    """Also a type for which no selection with one constructor without parts has a value."""
    pairs = gen.builds(Link, colours | gen.builds(One), colours | gen.builds(One))
    seen = []
    report = check(
        seen.append,
        pairs.filter(lambda one: one.by != one.e and one.by != Red()),
        explore=Narrow(max_size=5, order=order),
        max_examples=10_000,
        database=None,
    )
    assert len(set(seen)) == len(seen) == 9
    assert report.covered.startswith("all 9 values up to size 5")
    nothing = check(
        seen.append,
        pairs.filter(lambda one: one.by == Red() and one.e == Red() and one.by == Blue()),
        explore=Narrow(max_size=5, order=order),
        max_examples=10_000,
        database=None,
    )
    assert nothing.figures["complete_to_size"] == 5
    assert nothing.figures["evaluations"] < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("order", ["scattered", "selected"])
def test_an_unlucky_selection_does_not_end_those_that_come_after_it(order):
    for seed in range(8):
        seen = []
        explorer = Narrow(max_size=16, order=order)
        check(
            seen.append,
            chains.filter(lambda c: True),
            explore=explorer,
            max_examples=3000,
            seed=seed,
            database=None,
        )
        assert len(seen) == 3000
