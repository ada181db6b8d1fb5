"""Preconditions at the beginning of tests, in all the forms that people write: the same inputs are tested as when
every input is tried, and code with side effects stays where it is.
"""

from __future__ import annotations

import contextlib
import functools
import heapq
import itertools
import random
from collections import defaultdict

import pytest

from everycase import assume, check, event, gen, reject
from everycase.explore import Exhaustive, Narrow

LISTS = gen.lists(gen.integers(0, 2), max_size=4)
RUN = {"seed": 0, "database": None, "max_examples": 10_000}
reached: list[str] = []
log: list[object] = []
cache: set[object] = set()
limit = [2]


def hit(xs):
    reached.append(repr(xs))


def climbs(xs):
    return all(a <= b for a, b in itertools.pairwise(xs))


def in_try(xs):
    try:
        first = xs[2]
    except IndexError:
        return
    assume(climbs(xs) and first)
    hit(xs)


def rejected_in_try(xs):
    try:
        largest = max(xs)
    except ValueError:
        reject()
    assume(largest == xs[-1] and len(xs) > 2)
    hit(xs)


def assumed_in_try(xs):
    try:
        assume(xs[2] > 0 and climbs(xs))
    except IndexError:
        return
    hit(xs)


def assumed_in_a_try_that_catches_it(xs):
    try:
        assume(len(xs) > 2)
    except Exception:
        xs = list(xs)
    assume(climbs(xs))
    hit(xs)


def by_a_function_inside(xs):
    def is_long(ys):
        return len(ys) > 2

    assume(is_long(xs) and climbs(xs))
    hit(xs)


def by_a_lambda_inside(xs):
    is_long = lambda ys: len(ys) > 2  # noqa: E731
    assume(is_long(xs) and climbs(xs))
    hit(xs)


def by_a_helper_inside(xs):
    def require(condition):
        assume(condition)

    require(len(xs) > 2)
    require(climbs(xs))
    hit(xs)


def in_branches(xs):
    if len(xs) > 2:
        assume(climbs(xs))
    else:
        assume(len(xs) == 1)
    hit(xs)


def in_a_while_loop(xs):
    i = 0
    while i + 1 < len(xs):
        assume(xs[i] <= xs[i + 1])
        i += 1
    assume(len(xs) > 2)
    hit(xs)


def in_a_loop_with_else(xs):
    for x in xs:
        if x == 2:
            break
    else:
        return
    assume(climbs(xs) and len(xs) > 2)
    hit(xs)


def on_a_sorted_copy(xs):
    ys = list(xs)
    ys.sort()
    assume(ys == xs and len(xs) > 2)
    hit(xs)


def on_what_was_seen(xs):
    seen = set()
    for x in xs:
        assume(x not in seen)
        seen.add(x)
    hit(xs)


def on_a_sum(xs):
    total = 0
    for x in xs:
        total += x
    assume(total == 6)
    hit(xs)


def on_groups(xs):
    groups = defaultdict(list)
    for i, x in enumerate(xs):
        groups[x].append(i)
    assume(len(groups) == 2 and all(len(group) == 2 for group in groups.values()))
    hit(xs)


def on_neighbours(xs):
    after = {x: [] for x in range(3)}
    for a, b in itertools.pairwise(xs):
        after[a].append(b)
    assume(all(len(some) == 1 for some in after.values()))
    hit(xs)


def on_a_pattern(xs):
    match xs:
        case [a, b, *_] if a < b:
            pass
        case _:
            return
    assume(len(xs) == 4)
    hit(xs)


def with_a_walrus(xs):
    assume((n := len(xs)) > 2)
    assume(n % 2 == 0 and climbs(xs))
    hit(xs)


def with_an_import(xs):
    import math

    assume(math.prod(xs) == 2 and len(xs) > 1)
    hit(xs)


def on_what_is_left_of_an_iterator(xs):
    pairs = zip(xs, xs[1:])  # noqa: RUF007
    assume(any(a == b for a, b in pairs))
    assume(not list(pairs))
    hit(xs)


def on_what_is_left_of_a_list(xs):
    ys = sorted(xs)
    if ys and ys.pop() != 2:
        return
    assume(len(ys) == 2)
    hit(xs)


def by_a_function_that_takes(xs):
    ys = list(xs)

    def take():
        return ys.pop() if ys else None

    assume(take() == 1)
    assume(take() == 2)
    hit(xs)


def gaps(xs):
    for a, b in itertools.pairwise(xs):
        yield b - a


def by_a_generator_function(xs):
    assume(all(gap >= 0 for gap in gaps(xs)))
    assume(len(list(gaps(xs))) > 1)
    hit(xs)


def by_a_generator_function_inside(xs):
    def rising():
        for a, b in itertools.pairwise(xs):
            yield a <= b

    assume(all(rising()) and len(xs) > 2)
    hit(xs)


def on_the_next_of_an_iterator(xs):
    place = next((i for i, x in enumerate(xs) if x == 2), None)
    assume(place)
    rest = iter(xs)
    assume(next(rest) == 0)
    assume(next(rest) == 1)
    hit(xs)


def is_rising(xs):
    last = -1
    fine = True

    def see(x):
        nonlocal last, fine
        fine = fine and last <= x
        last = x

    for x in xs:
        see(x)
    return fine


def by_what_a_function_inside_sets(xs):
    assume(is_rising(xs) and len(xs) > 2)
    hit(xs)


def by_a_function_that_sets_what_the_next_condition_reads(xs):
    seen = 0

    def see(x):
        nonlocal seen
        seen += x
        return seen

    assume(len(xs) > 1 and see(xs[0]) == 1)
    assume(see(xs[1]) == 3)
    hit(xs)


def collect(xs, into, at=0):
    if at < len(xs):
        into.append(xs[at])
        collect(xs, into, at + 1)
    return into


def by_a_function_that_fills_a_list(xs):
    found = []
    collect(xs, found)
    assume(found == sorted(found) and len(found) > 2)
    assume(collect(xs, [0])[-1] == 2)
    hit(xs)


def all_before(xs, seen=None):
    if seen is None:
        seen = set()
    for x in xs:
        if x in seen:
            return False
        seen.add(x)
    return True


def by_a_function_with_an_optional_set(xs):
    assume(all_before(xs) and len(xs) > 1)
    assume(not all_before(xs, {2}))
    hit(xs)


def by_a_function_inside_with_a_counter(xs):
    def steps(x, n=0):
        while x < len(xs) and n < 9:
            x, n = xs[x] + x, n + 1
        return n

    assume(steps(0) in (2, 3))
    hit(xs)


def on_a_heap(xs):
    ys = []
    for x in xs:
        heapq.heappush(ys, x)
    assume(ys == xs and len(xs) > 2)
    hit(xs)


class Depth:
    def __init__(self):
        self.now = self.most = 0

    def step(self, x):
        self.now += x - 1
        self.grow()
        return self.now

    def grow(self):
        self.most = max(self.most, self.now)


def by_an_object_that_counts(xs):
    depth = Depth()
    for x in xs:
        assume(depth.step(x) >= 0)
    assume(depth.most == 2)
    hit(xs)


def by_an_object_that_two_conditions_change(xs):
    depth = Depth()
    assume(depth.step(len(xs)) == 2)
    assume(depth.step(len(xs)) == 4)
    hit(xs)


def around_the_test(xs):
    n = len(xs)
    if n > 2 and climbs(xs):
        hit(xs)


async def asynchronous(xs):
    assume(len(xs) > 2 and climbs(xs))
    hit(xs)


class Suite:
    least = 3

    def __init__(self):
        self.most = 4

    def is_valid(self, xs):
        return self.least <= len(xs) <= self.most and climbs(xs)

    @staticmethod
    def is_long(xs):
        return len(xs) > 2 and climbs(xs)

    def require(self, xs):
        assume(self.is_valid(xs))

    @classmethod
    def is_short(cls, xs, most=3):
        return len(xs) < most

    def by_a_class_method(self, xs):
        assume(self.is_short(xs) and len(xs) > 1)
        assume(self.most - 2 in xs)
        hit(xs)

    def by_a_method(self, xs):
        assume(self.is_valid(xs))
        hit(xs)

    def by_a_static_method(self, xs):
        if not self.is_long(xs):
            return
        hit(xs)

    def by_a_helping_method(self, xs):
        self.require(xs)
        hit(xs)

    def by_an_attribute(self, xs):
        assume(len(xs) == self.most and climbs(xs))
        hit(xs)

    def by_what_the_test_changes(self, xs):
        assume(self.is_valid(xs))
        self.change()

    def change(self):
        self.most = 7 - self.most


SEARCHED = [
    *(in_try, rejected_in_try, assumed_in_try, assumed_in_a_try_that_catches_it),
    *(by_a_function_inside, by_a_lambda_inside, by_a_helper_inside),
    *(in_branches, in_a_while_loop, in_a_loop_with_else, on_a_sorted_copy, on_what_was_seen, on_a_sum),
    *(on_groups, on_neighbours, on_a_pattern, with_a_walrus, with_an_import, around_the_test, asynchronous),
    *(on_what_is_left_of_an_iterator, on_what_is_left_of_a_list, by_a_function_that_takes),
    *(by_a_generator_function, by_a_generator_function_inside, on_the_next_of_an_iterator),
    *(by_what_a_function_inside_sets, by_a_function_that_sets_what_the_next_condition_reads),
    *(by_a_function_that_fills_a_list, by_a_function_with_an_optional_set),
    *(by_a_function_inside_with_a_counter, on_a_heap),
    *(by_an_object_that_counts, by_an_object_that_two_conditions_change),
    *(
        Suite().by_a_class_method,
        Suite().by_a_method,
        Suite().by_a_static_method,
        Suite().by_a_helping_method,
        Suite().by_an_attribute,
    ),
]


@pytest.mark.parametrize("test", SEARCHED, ids=lambda test: test.__name__)
def test_the_same_inputs_are_tested_as_when_all_are_tried(test):
    def inputs_of(**options):
        reached.clear()
        report = check(test, LISTS, **RUN, **options)
        assert report.status == "passed" and report.conditions
        assert not any(one.used.startswith("left") for one in report.conditions)
        return set(reached)

    wanted = inputs_of(explore=Exhaustive())
    assert wanted and inputs_of(explore=Narrow()) == wanted
    assert inputs_of() == wanted


# --- conditions that stay in the test ------------------------------------------------------------------------


def remember(xs):
    cache.add(tuple(xs))


def change_the_limit():
    limit[0] = 5 - limit[0]


def noisy(x):
    log.append(x)
    return x > 0


@functools.lru_cache
def cached(xs):
    return len(xs) > 2


def by_what_a_function_changes(xs):
    assume(tuple(xs) not in cache)
    remember(xs)


def by_what_a_function_changes_deep_inside(xs):
    assume(len(xs) > limit[0])
    change_the_limit()


def through_another_name(xs):
    ys = xs
    ys.append(1)
    assume(len(xs) > 2)


def through_a_new_list(xs):
    box = [xs]
    box[0].append(1)
    assume(len(xs) > 2)


def through_a_new_list_it_was_put_into(xs):
    box = []
    box.append(xs)
    box[0].append(1)
    assume(len(xs) > 2)


def through_two_new_lists(xs):
    inner = []
    outer = [inner]
    inner.append(xs)
    outer[0][0].append(1)
    assume(len(xs) > 2)


def through_an_argument_of_the_same_name(xs):
    ys = []

    def add(ys):
        ys.append(9)

    add(xs)
    assume(len(xs) > 2 + len(ys))


def by_passing_a_method_on(xs):
    list(map(xs.append, [1]))
    assume(len(xs) > 2)


def by_passing_a_function_on(xs):
    assume(all(map(noisy, xs)))


def by_a_key(xs):
    assume(sorted(xs, key=noisy) == xs)


def by_a_function_that_is_another(xs):
    def is_long(ys):
        return len(ys) > 2

    is_long = log.append  # noqa: F811
    assume(is_long(xs) is None)


def by_a_cache(xs):
    assume(cached(tuple(xs)))


def by_chance(xs):
    assume(random.random() < 0.9)


def after_an_event(xs):
    event("length", len(xs))
    assume(len(xs) > 2)


def after_an_assertion(xs):
    assert isinstance(xs, list)
    assume(len(xs) > 2)


def in_a_with_statement(xs):
    with contextlib.suppress(IndexError):
        assume(xs[2] == 2)


def add_one(xs):
    xs.append(1)


def by_a_function_that_fills_the_input(xs):
    add_one(xs)
    assume(len(xs) > 2)


def add_to_one(first, second):
    first = second
    first.append(1)


def by_a_function_that_fills_another_argument(xs):
    add_to_one([], xs)
    assume(len(xs) > 2)


def put(into, xs):
    into.append(xs)


def through_a_list_that_a_function_put_it_into(xs):
    box = []
    put(box, xs)
    box[0].append(1)
    assume(len(xs) > 2)


def through_another_name_of_a_list(xs):
    a = b = []
    a.append(xs)
    b[0].append(1)
    assume(len(xs) > 2)


def in_turn(xs, ys, n=2):
    if n:
        in_turn(ys, xs, n - 1)
    ys.append(1)


def by_a_function_that_swaps_its_arguments(xs):
    in_turn(xs, [])
    assume(len(xs) > 2)


def times_seen(x, seen=[]):  # noqa: B006
    seen.append(x)
    return seen.count(x)


def by_a_default_that_is_kept(xs):
    assume(times_seen(len(xs)) % 2)


def told(xs):
    for x in xs:
        log.append(x)
        yield x


def by_a_generator_function_with_side_effects(xs):
    assume(sum(told(xs)) > 2)


def by_the_next_of_a_shared_iterator(xs):
    assume(next(numbers) % 2 and xs)


def by_an_object_that_holds_the_input(xs):
    holder = Holder(xs)
    holder.grow()
    assume(len(xs) > 2)


class Holder:
    shared: list[int] = []

    def __init__(self, xs):
        self.xs = xs

    @property
    def first(self):
        return self.xs[0]

    @first.setter
    def first(self, value):
        log.append(value)

    def grow(self):
        self.xs.append(1)

    def share(self):
        self.shared.append(1)

    def write(self):
        self.first = 1


def by_an_object_that_changes_its_class(xs):
    holder = Holder(xs)
    holder.share()
    assume(len(Holder.shared) % 2)


def by_an_object_with_a_setter(xs):
    holder = Holder(xs)
    holder.write()
    assume(len(log) % 2 and xs)


numbers = itertools.count()
depth = Depth()
table = {"a": {"n": 0}}


def by_an_object_that_the_test_changes_later(xs):
    assume(depth.most + len(xs) < 5)
    depth.step(2)


def by_an_object_that_a_function_changes_later(xs):
    assume(depth.most + len(xs) < 5)
    step_of(depth)


def step_of(one):
    one.step(2)


def by_a_part_of_a_part_that_the_test_changes_later(xs):
    assume(table["a"]["n"] + len(xs) < 5)
    table["a"]["n"] += 1


def by_what_the_test_changes_under_another_name(xs):
    assume(table["a"]["n"] + len(xs) < 5)
    inner = table["a"]
    inner["n"] += 1


def with_something_at_the_end(xs):
    try:
        assume(len(xs) > 2)
    finally:
        log.append(xs)


LEFT = [
    *(by_what_a_function_changes, by_what_a_function_changes_deep_inside, through_another_name),
    *(through_a_new_list, through_a_new_list_it_was_put_into, through_two_new_lists),
    *(through_an_argument_of_the_same_name, by_passing_a_method_on, by_passing_a_function_on, by_a_key),
    *(by_a_function_that_is_another, by_a_cache, by_chance, after_an_event, after_an_assertion),
    *(with_something_at_the_end, Suite().by_what_the_test_changes),
    *(in_a_with_statement, by_a_function_that_fills_the_input),
    *(by_a_function_that_fills_another_argument, through_a_list_that_a_function_put_it_into),
    *(through_another_name_of_a_list, by_a_function_that_swaps_its_arguments, by_a_default_that_is_kept),
    *(by_a_generator_function_with_side_effects, by_the_next_of_a_shared_iterator),
    *(by_an_object_that_holds_the_input, by_an_object_that_changes_its_class, by_an_object_with_a_setter),
    *(by_an_object_that_the_test_changes_later, by_an_object_that_a_function_changes_later),
    *(by_a_part_of_a_part_that_the_test_changes_later, by_what_the_test_changes_under_another_name),
]


@pytest.mark.parametrize("test", LEFT, ids=lambda test: test.__name__)
def test_a_condition_after_side_effects_is_shown_and_left_to_the_test(test):
    cache.clear()
    report = check(test, LISTS, **{**RUN, "max_examples": 20})
    assert [one.used.startswith("left to the test: ") for one in report.conditions] == [True]


def test_what_is_doubtful_once_is_doubtful_the_next_time():
    def around_the_test(xs):
        n = len(xs)
        if noisy(n):
            hit(xs)

    log.clear()
    report = check(around_the_test, LISTS, **RUN, explore=Narrow())
    assert len(log) == report.examples and not report.conditions


@pytest.mark.parametrize("explore", [None, Narrow()], ids=["default", "narrow"])
def test_an_input_for_which_the_test_raises_before_its_condition_is_tested(explore):
    def test(n):
        1000 // (n - 313)
        share = 1000 // (n - 317)
        assume(n % 2 == 0)
        assert share is not None

    report = check(test, gen.integers(0, 2000), **RUN, **({} if explore is None else {"explore": explore}))
    assert isinstance(report.error, ZeroDivisionError)


def test_an_input_for_which_an_earlier_condition_raises_is_tested():
    def test(n):
        assume(1000 // (n - 313) > -5000)
        assume(n % 2 == 0)

    report = check(test, gen.integers(0, 2000), **RUN)
    assert isinstance(report.error, ZeroDivisionError)


@pytest.mark.parametrize("explore", [None, Narrow()], ids=["default", "narrow"])
def test_a_condition_does_not_use_up_an_iterator(explore):
    def test(xs):
        ys = list(xs)
        assume(len(ys) > 2)
        assert list(xs) == []

    options = {} if explore is None else {"explore": explore}
    for inputs in (gen.iterables(gen.integers(0, 9)), gen.lists(gen.integers(0, 9)).map(iter)):
        report = check(test, inputs, seed=0, database=None, max_examples=100, **options)
        assert (report.status, report.examples) == ("passed", 100)
