"""The words of a report are promises: "exhaustive" and "passed" appear only if they hold, with the evidence."""

from __future__ import annotations

import functools
import gc
import itertools
import random
import sys
import time
import traceback
import warnings
from typing import Any

import pytest

from everycase import assume, check, example, gen, given
from everycase.errors import EverycaseWarning, GaveUp
from everycase.explore import Covering, Exhaustive, Narrow, Patterns, Random
from everycase.gen.outside import functions_of
from everycase.run.leases import PartOfSearch
from everycase.run.repeatability import differ
from everycase.run.settings import Phase

PASSES = {"database": None, "seed": 0}


# --- preconditions that prune ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_a_precondition_given_to_where_hides_no_failure_that_assume_would_show(seed):
    def below(n):
        assert n < 500_000

    rare = given(gen.integers(0, 10**6)).where(lambda n: n % 1000 == 7)(below)
    assert check(rare, seed=seed, database=None).status == "failed"


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("explorer", [Narrow(), Narrow(order="smallest"), Narrow(order="random")], ids=repr)
def test_nor_does_pruning_that_somebody_asked_for(explorer, seed):
    def below(n):
        assert n < 500_000

    rare = gen.integers(0, 10**6).filter(lambda n: n % 1000 == 7)
    assert check(below, rare, explore=explorer, seed=seed, database=None).status == "failed"


@pytest.mark.parametrize("seed", range(5))
def test_nor_do_patterns(seed):
    def below(pair):
        assert pair is None or pair[1] < 500_000

    pairs = gen.none() | gen.tuples(gen.booleans(), gen.integers(0, 10**6).filter(lambda n: n % 1000 == 7))
    rare = pairs.filter(lambda pair: pair is None or pair[1] % 10 == 7)
    assert check(below, rare, explore=Patterns(), seed=seed, database=None).status == "failed"


def test_pruning_up_to_a_size_says_how_large_its_inputs_were():
    rare = gen.integers(0, 10**6).filter(lambda n: n % 1000 == 7)
    report = check(lambda n: None, rare, explore=Narrow(max_size=17), **PASSES)
    assert report.status == "passed"
    assert "of size 17 or less" in str(report).splitlines()[0]


@pytest.mark.parametrize("seed", range(3))
def test_large_lists_are_among_those_that_satisfy_a_rare_precondition(seed):
    def short(xs):
        assert len(xs) < 12

    rare = given(gen.lists(gen.integers(0, 999))).where(lambda xs: sum(xs) % 97 == 5)(short)
    assert check(rare, seed=seed, database=None).status == "failed"


def test_a_run_that_saw_only_small_inputs_says_so_in_the_report_and_as_a_warning():
    rare = given(gen.integers(0, 10**9)).where(lambda n: n % 10_007 == 7)(lambda n: None)
    report = check(rare, max_examples=60, **PASSES)
    assert report.status == "passed" and report.caveat
    assert report.caveat in str(report).splitlines()[0]
    with pytest.warns(EverycaseWarning, match="inputs"):
        from everycase import settings

        settings(max_examples=60, **PASSES)(rare)()


def test_what_a_precondition_raises_on_a_random_input_is_shown_with_the_input():
    def positive(n):
        if n > 10**5:
            raise KeyError(n)
        return n % 1000 == 7

    report = check(given(gen.integers(0, 10**6)).where(positive)(lambda n: None), **PASSES)
    assert report.status == "failed" and isinstance(report.error, KeyError)


# --- exhaustive ---------------------------------------------------------------------------------------------


def uses_random():
    @gen.composite
    def shifted(draw):
        return draw(gen.integers(0, 3)) + random.randrange(2)

    return shifted()


def draws_at_random():
    @gen.composite
    def widths(draw):
        return draw(gen.integers(0, random.randrange(1, 9)))

    return widths()


def counts_calls():
    calls = itertools.count()

    @gen.composite
    def numbered(draw):
        return draw(gen.booleans()), next(calls)

    return numbered()


def stops_at_random():
    @gen.composite
    def loop(draw):
        xs = []
        while len(xs) < 3 and random.random() < 0.7:
            xs.append(draw(gen.booleans()))
        return xs

    return loop()


def alternates():
    turn = itertools.count()
    return gen.integers(0, 9).filter(lambda n: next(turn) % 2)


def maps_at_random():
    return gen.integers(0, 9).map(lambda n: n + random.random())


def binds_at_random():
    return gen.booleans().flatmap(lambda b: gen.integers(0, random.randrange(2, 9)))


UNDECIDED = [
    uses_random,
    draws_at_random,
    counts_calls,
    stops_at_random,
    alternates,
    maps_at_random,
    binds_at_random,
]


@pytest.mark.slow
@pytest.mark.parametrize("make", UNDECIDED)
@pytest.mark.parametrize("explore", [None, Exhaustive(), Narrow()])
def test_what_is_not_decided_by_its_choices_is_never_exhaustive(make, explore):
    report = check(lambda value: True, make(), explore=explore, max_examples=400, **PASSES)
    assert not report.exhaustive
    assert "exhaustive:" not in str(report) and "all " not in report.covered


def seen_once():
    seen = set()

    def new(n):
        answer = n not in seen
        seen.add(n)
        return answer

    return new


def at_random():
    return lambda n: random.random() < 0.5


def in_turns():
    turn = itertools.count()
    return lambda n: next(turn) % 3


@pytest.mark.parametrize("make", [at_random, seen_once, in_turns])
@pytest.mark.parametrize("explore", [None, Exhaustive(), Narrow(), Narrow(max_size=20)])
def test_a_precondition_that_contradicts_itself_is_never_exhaustive(make, explore):
    predicate = make()
    contradicts = given(gen.integers(0, 24)).where(lambda n: predicate(n))(lambda n: None)
    report = check(contradicts, explore=explore, **PASSES)
    assert not report.exhaustive and "all " not in report.covered


@pytest.mark.parametrize(
    "space, count",
    [
        (gen.integers(0, 24), 25),
        (gen.integers(0, 24).filter(lambda n: n % 2), 12),
        (gen.integers(0, 4).map(lambda n: [object(), n]), 5),  # objects that show nothing of their state
        (gen.booleans().flatmap(lambda b: gen.lists(gen.just(b), max_size=2)), 6),
    ],
)
def test_what_is_decided_by_its_choices_is_exhaustive(space, count):
    report = check(lambda value: True, space, explore=Exhaustive(), **PASSES)
    assert report.exhaustive and f"exhaustive: {count} of {count}" in str(report)


@pytest.mark.parametrize(
    "explore",
    [None, Exhaustive(), Exhaustive(max_size=9), Narrow(max_size=9), Covering(), Covering(strength=1)],
    ids=repr,
)
def test_a_filter_that_accepts_later_what_it_rejected_first_is_never_exhaustive(explore):
    asked = set()

    def at_second_sight(n):
        known = n % 2 == 0 or n in asked
        asked.add(n)
        return known

    report = check(lambda n: True, gen.integers(0, 9).filter(at_second_sight), explore=explore, **PASSES)
    assert report.status == "passed" and not report.exhaustive and "all " not in report.covered


@pytest.mark.parametrize("explore", [Exhaustive(), Narrow(max_size=9), Covering(strength=2)], ids=repr)
def test_nor_is_a_precondition_or_an_assumption_of_a_composite_that_does_so(explore):
    asked = set()

    def at_second_sight(n):
        known = n % 2 == 0 or n in asked
        asked.add(n)
        return known

    @gen.composite
    def assuming(draw):
        n = draw(gen.integers(0, 9))
        assume(at_second_sight(n))
        return n

    where = given(gen.integers(0, 9)).where(at_second_sight)(lambda n: None)
    report = check(where, explore=explore, **PASSES)
    assert not report.exhaustive and "all " not in report.covered
    if not isinstance(explore, Covering):
        asked.clear()
        report = check(lambda n: None, assuming(), explore=explore, **PASSES)
        assert not report.exhaustive and "all " not in report.covered


RNG = random.Random(3)


def rarely(n):
    return n != 7 or random.random() < 1e-6


def rarely_by_own_dice(n):
    return n != 7 or RNG.random() < 1e-6


def rarely_by_the_clock(n):
    return n != 7 or time.perf_counter() < 0


def rarely_by_helper(n):
    return rarely(n)


def rarely_by_the_collector(n):
    return n != 7 or gc.get_count()[0] < 0


def rarely_by_its_caller(n):
    return n != 7 or sys._getframe(1).f_code.co_name == "nobody"


RARELY = [
    rarely,
    rarely_by_own_dice,
    rarely_by_the_clock,
    rarely_by_helper,
    rarely_by_the_collector,
    rarely_by_its_caller,
]


@pytest.mark.parametrize("rare", RARELY)
@pytest.mark.parametrize("explore", [None, Exhaustive(), Narrow(max_size=9), Covering()], ids=repr)
def test_what_uses_random_or_a_clock_is_not_exhaustive_even_if_that_never_shows(rare, explore):
    report = check(lambda n: True, gen.integers(0, 9).filter(rare), explore=explore, **PASSES)
    assert report.examples == 9 and not report.exhaustive
    where = given(gen.integers(0, 9)).where(rare)(lambda n: None)
    assert not check(where, explore=explore, **PASSES).exhaustive


def test_a_precondition_that_accepts_elsewhere_what_it_rejected_in_the_run_is_not_exhaustive():
    def from_outside(n):
        return n != 3 or not any(frame.name == "execute" for frame in traceback.extract_stack())

    report = check(given(gen.integers(0, 5)).where(from_outside)(lambda n: None), **PASSES)
    assert report.status == "passed" and not report.exhaustive and not report.covered


def test_nor_is_one_that_repeats_itself_only_for_a_while():
    @functools.cache
    def known(n):
        return None

    def in_blocks(n):
        known(0)
        return n != 3 or known.cache_info().hits // 8 % 2

    report = check(given(gen.integers(0, 5)).where(in_blocks)(lambda n: None), **PASSES)
    assert report.status == "passed" and not report.exhaustive and not report.covered


def test_dice_that_are_made_from_a_draw_are_no_reason_for_doubt():
    @gen.composite
    def shuffled(draw):
        items = [1, 2, 3]
        random.Random(draw(gen.integers(0, 9))).shuffle(items)
        return items

    assert check(lambda items: True, shuffled(), explore=Exhaustive(), **PASSES).exhaustive


def test_a_composite_that_gives_away_one_list_and_changes_it_is_not_exhaustive():
    @gen.composite
    def kept(draw, items=[]):  # noqa: B006
        items.append(draw(gen.integers(0, 3)))
        return items

    for explore in (Exhaustive(), Narrow(max_size=9)):
        report = check(lambda items: True, kept(), explore=explore, **PASSES)
        assert not report.exhaustive and "all " not in report.covered


@pytest.mark.parametrize("order", ["mixed", "smallest", "random"])
def test_a_composite_that_discards_what_it_made_before_ends_no_pruned_run(order):
    turns = itertools.count()

    @gen.composite
    def in_turn(draw):
        n = draw(gen.integers(0, 5))
        assume(next(turns) % 4)
        return n

    explore = Narrow(order=order, max_evaluations=200)
    report = check(lambda n: True, in_turn(), explore=explore, max_examples=20, **PASSES)
    assert not report.failures and not report.exhaustive and "all " not in report.covered


@pytest.mark.parametrize("explore", [Narrow(max_size=6), Narrow(order="random", max_size=8)], ids=repr)
def test_a_generator_that_offers_more_each_time_is_never_pruned_to_the_end(explore):
    calls = itertools.count(1)

    @gen.composite
    def growing(draw):
        return draw(gen.integers(0, min(next(calls), 20)))

    report = check(lambda n: True, growing(), explore=explore, **PASSES)
    assert report.status == "passed" and not report.exhaustive and not report.covered


def filtered_by_state():
    flags = [False]
    return gen.integers(0, 9).filter(lambda n: n != 1 or flags[0]), lambda n: flags.__setitem__(0, n == 4)


def mapped_by_state():
    flags = {"on": False}
    return gen.integers(0, 9).map(lambda n: n + 10 * flags["on"]), lambda n: flags.update(on=n == 4)


def composed_by_state():
    class Limits:
        most = 2

    limits = Limits()

    @gen.composite
    def made(draw):
        return draw(gen.integers(0, 9)), limits.most

    return made(), lambda pair: setattr(limits, "most", 2 + (pair[0] == 4))


def mapped_at_second_sight():
    seen = set()
    return gen.integers(0, 9).map(lambda n: n + 10 * bool(n in seen or seen.add(n))), lambda n: None


def mapped_by_a_dictionary():
    seen = {}
    return (
        gen.integers(0, 9).map(lambda n: n + 10 * (seen.setdefault(n, 0) or seen.update({n: 1}) or 0)),
        lambda n: None,
    )


@pytest.mark.parametrize(
    "make",
    [filtered_by_state, mapped_by_state, composed_by_state, mapped_at_second_sight, mapped_by_a_dictionary],
)
@pytest.mark.parametrize("explore", [None, Exhaustive(), Narrow(max_size=9)], ids=repr)
def test_what_depends_on_something_that_the_test_changes_is_not_exhaustive(make, explore):
    space, change = make()
    report = check(lambda value: change(value), space, explore=explore, **PASSES)
    assert not report.failures and not report.exhaustive and "all " not in report.covered


def test_what_is_only_counted_or_remembered_is_no_reason_for_doubt():
    calls, asked, memory = 0, [], {}

    def odd(n):
        nonlocal calls
        calls += 1
        asked.append(n)
        if n not in memory:
            memory[n] = n % 2
        return memory[n]

    report = check(lambda n: None, gen.integers(0, 9).filter(odd), explore=Exhaustive(), **PASSES)
    assert report.exhaustive and report.examples == 5 and calls > 5


def test_a_test_that_changes_its_input_is_no_reason_for_doubt():
    @gen.composite
    def pair(draw):
        return [draw(gen.integers(0, 3)), draw(gen.booleans())]

    assert check(lambda xs: xs.clear(), pair(), explore=Exhaustive(), **PASSES).exhaustive


def test_where_there_is_no_input_nothing_is_exhaustive():
    report = check(lambda n: True, gen.integers(0, 9).filter(lambda n: n > 9), explore=Exhaustive(), **PASSES)
    assert report.status == "gave_up" and not report.exhaustive


def test_a_space_larger_than_the_budget_is_said_not_to_be_exhausted_at_a_glance():
    report = check(lambda n: True, gen.integers(0, 10**6), explore=Exhaustive(), **PASSES)
    assert (
        str(report)
        .splitlines()[0]
        .endswith(
            "passed 1,000 tests, not exhaustive (the first 1,000 of 1,000,001 values); "
            "the budget of 1,000 tests was used up"
        )
    )


def test_examples_given_by_hand_do_not_count_among_all_values():
    @given(gen.integers(0, 15))
    @example(3)
    @example(4)
    @example(15)
    def holds(n):
        pass

    report = check(holds, **PASSES)
    assert "passed, exhaustive: 16 of 16, and 3 given or remembered" in str(report)


def test_nothing_tested_is_never_passed():
    report = check(lambda n: True, gen.integers(), phases=[Phase.shrink], **PASSES)
    assert report.status == "gave_up" and isinstance(report.error, GaveUp)
    report = check(lambda n: True, gen.integers(), phases=[], **PASSES)
    assert report.status == "gave_up" and isinstance(report.error, GaveUp)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = check(lambda n: True, gen.integers(), phases=[Phase.explicit, Phase.reuse], **PASSES)
    assert report.status == "gave_up" and "nothing was tested" in str(report)


def test_differ_is_sure_of_itself():
    class Plain:
        def __init__(self, n):
            self.n = n

    loop_a: list = [1]
    loop_a.append(loop_a)
    loop_b: list = [1]
    loop_b.append(loop_b)
    same = [
        (object(), object()),
        (float("nan"), float("nan")),
        (Plain(1), Plain(1)),
        (loop_a, loop_b),
        ({1}, {1}),
    ]
    other = [
        (1, 1.0),
        (1, True),
        ([1], [1, 1]),
        (Plain(1), Plain(2)),
        ({"a": 1}, {"a": 2}),
        ({1}, {2}),
        ("", b""),
    ]
    assert not any(differ(a, b) for a, b in same)
    assert all(differ(a, b) for a, b in other)


# --- assume in the test ------------------------------------------------------------------------------------


def test_an_assumption_of_the_test_that_changes_its_mind_is_no_reason_to_say_exhaustive():
    turns = itertools.count()

    def test(n):
        assume(next(turns) % 2)

    report = check(test, gen.integers(0, 9), **PASSES)
    assert not report.exhaustive
    assert "not exhaustive (assume gave a different answer the second time" in str(report).splitlines()[0]


def test_a_failure_met_when_a_discarded_input_is_run_again_is_reported():
    asked = set()

    def test(n):
        assume(n in asked or asked.add(n))
        assert n != 3

    report = check(test, gen.integers(0, 9), **PASSES)
    assert report.status == "failed" and not report.exhaustive


def test_an_assumption_that_keeps_to_its_answer_is_exhaustive():
    def test(n):
        assume(n % 3)

    report = check(test, gen.integers(0, 9), **PASSES)
    assert report.exhaustive and report.examples == 6 and report.discarded == 4


# --- inputs that cannot be made again ----------------------------------------------------------------------


def test_a_test_is_not_called_flaky_where_its_generator_makes_another_input_from_the_same_choices():
    turns = itertools.count()

    @gen.composite
    def counted(draw):
        return draw(gen.integers(0, 3)), next(turns) % 3

    report = check(lambda pair: pair[1] != 1, counted(), **PASSES)
    assert report.status == "failed"
    assert any("could not be made again" in warning for warning in report.warnings)


def test_an_input_after_one_that_was_nested_too_deeply_is_made_again_as_it_was():
    # How far the making of such an input gets depends on the depth of the stack, and so does the state of the dice afterwards.
    first, seen = [], []

    @gen.composite
    def deep(draw):
        number = draw(gen.integers(0, 10**9))
        if number and not first:
            first.append(number)
            raise RecursionError
        if number in first:
            draw(gen.integers())
            raise RecursionError
        return number

    def test(n):
        seen.append(n)
        assert not n

    report = check(test, deep(), explore=Random(), phases=[Phase.explore], **PASSES)
    assert report.status == "failed"
    assert report.counterexample == (next(filter(None, seen)),)


@pytest.mark.slow
@pytest.mark.parametrize("explorer", [Narrow(), Narrow(max_size=30)])
def test_inputs_that_are_nested_too_deeply_for_pruning_are_no_failures_and_nothing_says_all(explorer):
    @gen.composite
    def deep(draw):
        number = draw(gen.integers(0, 9))
        if number > 5:
            raise RecursionError
        return number

    report = check(lambda n: True, deep(), explore=explorer, **PASSES)
    assert report.status == "passed" and report.examples == 6
    assert not report.exhaustive and "all" not in report.covered


def test_a_test_that_is_flaky_is_called_so():
    fails = iter([True])

    def test(n):
        assert not next(fails, False)

    assert check(test, gen.integers(), **PASSES).status == "flaky"


def test_a_composite_that_is_its_own_argument_is_looked_at_once() -> None:
    @gen.composite
    def trees(draw: Any, inner: Any) -> Any:
        return [draw(inner)] if draw(gen.booleans()) else []

    tree: Any = gen.deferred(lambda: trees(tree))
    assert [function.__name__ for function in functions_of(tree)] == ["trees"]


def test_the_last_part_of_a_search_does_not_claim_the_whole() -> None:
    @gen.composite
    def pairs(draw: Any) -> Any:
        return [draw(gen.integers(0, 40))] * draw(gen.integers(0, 2))

    last = PartOfSearch(Exhaustive(), 100, 200)
    assert check(lambda xs: None, pairs(), explore=last, database=None).doubt == ""


class Counter:
    def __init__(self) -> None:
        self.count = 0


@pytest.mark.parametrize(
    "given_away",
    [
        lambda: gen.just([1]),
        lambda: gen.sampled_from([[1], [2]]),
        lambda: gen.sampled_from([{1: 1}, {}]),
        lambda: gen.tuples(gen.just(Counter()), gen.booleans()).map(lambda pair: pair[0]),
        lambda: gen.permutations([[1], [2]]).map(lambda lists: lists[0]),
    ],
)
def test_a_value_that_the_test_changes_and_meets_again_withholds_the_word(given_away) -> None:
    """Eight combinations were "exhaustive", though the test met [1] only once."""

    def change(value, n):
        if isinstance(value, Counter):
            value.count += 1
        elif isinstance(value, dict):
            value[len(value)] = n
        else:
            value.append(n)

    report = check(change, given_away(), gen.integers(0, 3), **PASSES)
    assert report.status == "passed" and not report.exhaustive
    assert "gives away the same" in report.doubt and "changed during the run" in report.doubt


def test_values_that_are_made_for_each_test_may_be_changed() -> None:
    def change(value, n):
        value.append(n)

    for made in (
        gen.lists(gen.booleans(), max_size=2),
        gen.booleans().map(lambda b: [b]),
        gen.permutations([1, 2, 3]),
        gen.builds(list, gen.just((1,))),
    ):
        assert check(change, made, gen.integers(0, 3), **PASSES).exhaustive


def test_methods_of_iterators_and_of_changing_objects_withhold_the_word() -> None:
    def numbers():
        k = 0
        while True:
            yield k
            k += 1

    started = numbers()
    next(started)
    known = dict.fromkeys(range(6), 0)
    assert not check(lambda v: None, gen.integers(0, 5).map(started.send), **PASSES).exhaustive

    def forget(v):
        known[3] = v + 1

    assert not check(forget, gen.integers(1, 5).map(known.get), **PASSES).exhaustive
    assert check(lambda v: None, gen.integers(0, 5).map([1, 2, 3, 4, 5, 6].__getitem__), **PASSES).exhaustive


@pytest.mark.parametrize(
    "options", [{}, {"explore": Exhaustive()}, {"explore": Exhaustive(shuffled=True)}], ids=str
)
def test_state_that_changes_only_while_a_failure_is_run_again(options):
    class Limits:
        most = 2

    seen = set()

    @gen.composite
    def made(draw):
        return draw(gen.integers(0, Limits.most))

    def test(n):
        if n not in seen:
            seen.add(n)
            raise ValueError
        Limits.most = 5

    report = check(test, made(), seed=0, database=None, **options)
    assert report.failures
    assert not report.exhaustive and "exhaustive:" not in str(report).replace("not exhaustive", "")
