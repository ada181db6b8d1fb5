"""A default run with a goal still tests ordinary inputs: at first many, later one in ten."""

from everycase import assume, check, find, gen, given, maximize, reset_search
from everycase.explore import Climb


def run(test, *gens, tests=400, seed=3, **settings):
    return check(test, *gens, seed=seed, max_examples=tests, database=None, **settings)


def inputs_of(goal, tests, explore=None, g=None):
    seen = []

    def test(value):
        seen.append(value)
        if goal:
            maximize(len(value))

    run(test, g or gen.text(max_size=30), tests=tests, explore=explore)
    return seen


def test_one_input_in_ten_is_one_that_a_run_without_a_goal_tests():
    plain = inputs_of(False, 400)
    usual = set(plain) & set(inputs_of(True, 400))
    assert 35 <= len(usual) <= 60


def test_most_of_them_come_early():
    usual = set(inputs_of(False, 60)) & set(inputs_of(True, 60))
    assert len(usual) >= 18


def test_they_come_in_the_same_order():
    plain, searched = inputs_of(False, 300), inputs_of(True, 300)
    common = [value for value in searched if len(value) > 1 and value in plain]
    places = [plain.index(value) for value in dict.fromkeys(common)]
    assert places == sorted(places) and len(places) > 10


def test_an_explorer_that_the_user_chose_makes_no_such_tests():
    # The strategies draw from dice of their own.
    plain, searched = inputs_of(False, 300), inputs_of(True, 300, explore=Climb())
    assert len({value for value in plain if len(value) > 3} & set(searched)) <= 3


def test_two_equal_arguments_are_tested_although_the_goal_makes_them_differ():
    equal = []

    def test(one, other):
        maximize(len(one) - len(other))
        if len(one) > 2 and one == other:
            equal.append(one)

    run(test, gen.text("abcdefgh", max_size=12), gen.text("abcdefgh", max_size=12))
    assert equal


def test_the_search_continues_from_a_usual_input_that_is_better():
    # The search draws numbers of every size, but nothing makes them equal: only copies of parts do.
    def test(xs, ys):
        maximize(len(xs) if xs == ys else 0)
        assert xs != ys or len(xs) < 12

    g = gen.lists(gen.integers(0, 10**9), max_size=20)
    assert run(test, g, g, tests=3000).status == "failed"


def test_usual_inputs_satisfy_the_conditions():
    plain, searched = [], []

    def conditioned(into, goal):
        def test(xs):
            assume(len(xs) > 2 and xs == sorted(xs))
            into.append(tuple(xs))
            if goal:
                maximize(xs[-1])

        return test

    for into, goal in ((plain, False), (searched, True)):
        run(conditioned(into, goal), gen.lists(gen.integers(0, 99), max_size=8), tests=300)
    assert len(set(plain) & set(searched)) >= 20


def test_usual_inputs_go_through_where():
    seen = []

    @given(gen.lists(gen.integers(0, 99), max_size=8)).where(lambda xs: xs == sorted(xs))
    def test(xs):
        seen.append(xs)
        maximize(sum(xs))

    run(test, tests=200)
    assert len(seen) == 200 and all(xs == sorted(xs) for xs in seen)
    assert sum(len(xs) < 6 for xs in seen) >= 10  # the goal leads away from short ones


def test_a_restart_that_a_usual_test_asks_for_restarts_the_search():
    lengths = []

    def test(bits):
        lengths.append(sum(bits))
        maximize(sum(bits))
        if sum(bits) >= 30:
            reset_search()

    run(test, gen.lists(gen.booleans(), max_size=60), tests=600)
    reached = [i for i, n in enumerate(lengths) if n >= 30]
    assert len(reached) > 1


def test_a_space_that_ends_does_not_end_the_search():
    def test(bits):
        assume(sum(bits) % 2)
        maximize(sum(bits))

    report = run(test, gen.lists(gen.booleans(), min_size=9, max_size=9), tests=300)
    assert report.best[""] == 9


def test_the_seed_decides_everything():
    assert inputs_of(True, 300) == inputs_of(True, 300)


def test_usual_inputs_are_not_looked_for_for_long_behind_a_condition_that_hardly_any_satisfies():
    asked = 0

    def nearly_there(word):
        nonlocal asked
        asked += 1
        right = sum(a == b for a, b in zip(word, "abcdefghij"))
        maximize(right)
        return right >= 9

    letters = gen.lists(gen.sampled_from("abcdefghijklmnop"), min_size=10, max_size=10)
    find(letters, nearly_there, seed=0, max_examples=5000)
    assert asked < 10_000
