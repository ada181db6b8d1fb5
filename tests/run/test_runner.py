"""The runner: what it counts, finds, confirms, remembers and says."""

from __future__ import annotations

import contextvars
import threading

import pytest

from everycase import Phase, assume, check, errors, event, gen, maximize, minimize, note, settings
from everycase.explore import Case, Exhaustive, Explorer, Random
from everycase.gen.drawing import Data
from everycase.run.store import MemoryStore

RANDOM = Random()


def run(test, *gens, **options):
    return check(test, *gens, **{"explore": RANDOM, "seed": 0, "database": None, **options})


def test_a_passing_run_uses_the_whole_budget():
    report = run(lambda n: None, gen.integers(), max_examples=123)
    assert (report.status, report.examples, report.discarded) == ("passed", 123, 0)
    assert report.counterexample is None and report.error is None and report.failed_at is None
    assert "123" in report.stopped


def test_the_counterexample_is_a_tuple_also_for_one_argument():
    assert run(lambda n: n < 7, gen.integers(0, 20)).counterexample == (7,)


def test_failed_at_is_the_number_of_the_test_before_shrinking():
    calls = []

    def fails_at_the_fifth_call_and_ever_after(n):
        calls.append(n)
        assert len(calls) < 5

    assert run(fails_at_the_fifth_call_and_ever_after, gen.integers()).failed_at == 5


def test_the_same_seed_gives_the_same_inputs_and_another_seed_others():
    def inputs(seed):
        seen = []
        run(seen.append, gen.lists(gen.integers()), seed=seed, max_examples=200)
        return seen

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)


def test_returning_false_fails_and_returning_something_odd_is_explained():
    assert isinstance(run(lambda n: False, gen.integers()).error, errors.PropertyFalse)
    problem = run(lambda n: n, gen.integers(1, 5)).error
    assert isinstance(problem, errors.InvalidArgument) and "assert" in str(problem)


def test_distinct_failures_are_told_apart_and_each_is_shrunk():
    def two_bugs(n):
        if n > 1000:
            raise ValueError("large")
        assert n > -50

    report = run(two_bugs, gen.integers())
    found = {type(failure.error): failure.counterexample for failure in report.failures}
    assert found == {ValueError: (1001,), AssertionError: (-50,)}


def test_a_failure_met_while_shrinking_another_is_reported_too():
    class Once(Explorer):
        def explore(self, space):
            while True:
                case = space.sample()
                if case.args[0] > 10**6:
                    yield case
                    return

    def seen_on_the_way(n):
        if n > 10**6:
            raise ValueError("large")
        if n < 10:
            raise KeyError("small")

    report = run(seen_on_the_way, gen.integers(0, 10**9), explore=Once())
    assert [type(failure.error) for failure in report.failures] == [ValueError, KeyError]
    assert [failure.counterexample for failure in report.failures] == [(10**6 + 1,), (0,)]


def test_the_shown_input_is_what_the_test_was_given_not_what_it_made_of_it():
    def clears(xs):
        long = len(xs) >= 3
        xs.clear()
        assert not long

    assert run(clears, gen.lists(gen.booleans())).counterexample == ([False, False, False],)


def test_a_flaky_test_is_called_flaky():
    calls = []

    def fails_once(n):
        calls.append(n)
        assert len(calls) != 20

    report = run(fails_once, gen.integers())
    assert report.status == "flaky"
    assert isinstance(report.error, errors.Flaky)
    assert report.counterexample == (calls[19],)


def test_a_generator_that_does_not_repeat_itself_is_called_flaky_and_keeps_the_live_value():
    fresh = iter(range(10**9))
    report = run(lambda n: n < 100, gen.integers(0, 1).map(lambda _: next(fresh)))
    # Later values fail as well, so whatever is reported did fail.
    assert report.status in ("flaky", "failed")
    assert report.counterexample is not None and report.counterexample[0] >= 100


def test_discards_are_counted_and_a_run_without_valid_inputs_gives_up():
    report = run(lambda n: assume(n % 2), gen.integers(0, 99), max_examples=50)
    assert report.examples == 50 and report.discarded > 10
    report = run(lambda n: assume(False), gen.integers(0, 99), max_examples=50)
    assert report.status == "gave_up" and isinstance(report.error, errors.GaveUp)
    assert report.discarded == 500


def test_a_sparse_precondition_is_a_health_problem_that_can_be_suppressed():
    from everycase import HealthCheck

    def sparse(n):
        assume(n % 100 == 0)

    report = run(sparse, gen.integers(0, 10**6), max_examples=100)
    assert report.status == "gave_up" and "discarded" in str(report.error)
    assert "given(...).where(...)" in str(report.error)
    report = run(
        sparse,
        gen.integers(0, 10**6),
        max_examples=100,
        suppress_health_check=[HealthCheck.too_much_discarded],
    )
    assert report.status == "passed" and 0 < report.examples < 100


@pytest.mark.slow
def test_very_large_inputs_are_a_health_problem():
    huge = gen.lists(gen.lists(gen.integers(), min_size=300, max_size=300), min_size=100, max_size=100)
    report = run(lambda xs: None, huge)
    assert report.status == "gave_up" and "max_size" in str(report.error)


@pytest.mark.parametrize("clock", ["thread_time", "perf_counter"])
def test_slow_generators_are_a_health_problem_and_a_busy_machine_is_none(monkeypatch, clock):
    from everycase.run import health, runner

    now = iter(range(10**9))
    monkeypatch.setattr(health, "slowness", lambda: 1.0)
    monkeypatch.setattr(runner.time, clock, lambda: float(next(now)))
    report = run(lambda n: None, gen.integers())
    if clock == "thread_time":
        assert report.status == "gave_up" and "slow" in str(report.error)
    else:
        assert report.status == "passed"


def test_events_are_counted_once_per_test_case():
    def says(n):
        event("seen")
        event("seen")
        event("parity", n % 2)
        event(n % 2)  # as in Hypothesis, anything that can be written

    report = run(says, gen.integers(0, 9), max_examples=100)
    assert report.events["0"] + report.events["1"] == 100
    assert report.events["seen"] == 100
    assert report.events["parity: 0"] + report.events["parity: 1"] == 100


def test_notes_are_those_of_the_reported_input():
    def explains(n):
        note(f"n is {n}")
        assert n < 10

    assert run(explains, gen.integers(0, 99)).failures[0].notes == ("n is 10",)


def test_utilities_are_reported_as_the_test_gave_them():
    seen = []

    def measures(n):
        seen.append(n)
        maximize(n, "up")
        minimize(n, "down")

    report = run(measures, gen.integers(-1000, 1000), max_examples=100)
    assert report.best == {"up": max(seen), "down": min(seen)}
    ups = [best for _, label, best in report.trajectory if label == "up"]
    assert ups == sorted(set(ups)) and ups[-1] == max(seen)


def test_a_discarded_test_still_teaches():
    def measures(n):
        maximize(n)
        assume(n < 0)

    assert run(measures, gen.integers(0, 9), max_examples=5).best[""] == 9


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), "high", True, None])
def test_utilities_must_be_finite_numbers(wrong):
    problem = run(lambda n: maximize(wrong), gen.integers()).error
    assert isinstance(problem, errors.InvalidArgument) and "maximize" in str(problem)


def test_one_label_cannot_have_two_directions():
    def confused(n):
        maximize(n, "x")
        minimize(n, "x")

    assert "both" in str(run(confused, gen.integers()).error)


@pytest.mark.parametrize(
    "call", [lambda: assume(True), lambda: note("x"), lambda: event("x"), lambda: maximize(1)]
)
def test_speaking_outside_a_run_is_an_error(call):
    with pytest.raises(errors.OutsideRun, match="no property was running"):
        call()


def test_threads_can_speak_with_a_copied_context():
    def threaded(n):
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: context.run(event, "from a thread"))
        thread.start()
        thread.join()

    assert run(threaded, gen.integers(), max_examples=5).events["from a thread"] == 5


def test_a_run_inside_a_run_has_its_own_scope_and_repeats_itself():
    inner_seeds = set()

    def outer(n):
        report = check(lambda m: maximize(m, "inner"), gen.integers(0, 9), max_examples=3)
        inner_seeds.add(report.seed)
        maximize(n, "outer")

    report = run(outer, gen.integers(0, 9), max_examples=5)
    assert set(report.best) == {"outer"}
    assert len(inner_seeds) == 1


def test_runs_in_several_threads_do_not_disturb_each_other():
    reports = {}

    def work(limit):
        reports[limit] = run(lambda n: (maximize(n), n < limit)[1], gen.integers(0, 1000))

    threads = [threading.Thread(target=work, args=(limit,)) for limit in (10, 200, 700)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {limit: report.counterexample for limit, report in reports.items()} == {
        10: (10,),
        200: (200,),
        700: (700,),
    }


def test_failures_are_remembered_replayed_first_and_forgotten_when_fixed():
    store = MemoryStore()
    limit = [500]  # a number in a variable around the test would make it another test

    def bounded(n):
        tried.append(n)
        assert n < limit[0]

    tried: list[int] = []
    gens = gen.integers(0, 1000)
    assert run(bounded, gens, database=store).counterexample == (500,)
    tried.clear()
    report = run(bounded, gens, database=store, seed=99)
    assert tried[0] == 500 and report.failed_at == 1 and "remembered" in report.stopped
    limit[0] = 10**6
    tried.clear()
    assert run(bounded, gens, database=store, seed=99, max_examples=10).status == "passed"
    assert tried[0] == 500
    tried.clear()
    run(bounded, gens, database=store, seed=99, max_examples=10)
    assert tried[0] != 500


def test_a_failure_is_saved_before_it_is_shrunk():
    saved = []

    class Spy(MemoryStore):
        def save(self, key, blob):
            saved.append(len(calls))
            super().save(key, blob)

    calls = []

    def fails(xs):
        calls.append(xs)
        assert len(xs) < 2

    report = run(fails, gen.lists(gen.integers()), database=Spy())
    assert report.failures[0].shrink_calls > 0
    assert saved[0] < len(calls) - report.failures[0].shrink_calls


def test_remembered_failures_that_do_not_fit_are_kept():
    store = MemoryStore()

    def fails(value):
        raise ValueError

    run(fails, gen.lists(gen.integers(5, 9), min_size=1), database=store)
    key = f"{fails.__module__}.{fails.__qualname__}"
    before = store.fetch(key)
    assert before
    run(fails, gen.lists(gen.integers(100, 200), min_size=1), database=store, phases=[Phase.reuse])
    assert store.fetch(key) == before


def test_phases_can_be_left_out():
    report = run(lambda n: n < 5, gen.integers(0, 10**9), phases=[Phase.explore])
    assert report.status == "failed" and report.failures[0].shrink_calls == 0
    report = run(lambda n: n < 5, gen.integers(0, 10**9), phases=[Phase.explicit])
    assert report.status == "gave_up" and report.error is None
    assert "nothing was tested; there were no given or remembered examples" in str(report)
    report = run(lambda n: n < 5, gen.integers(0, 10**9), phases=[Phase.shrink])
    assert report.status == "gave_up" and "add Phase.explore" in str(report.error)


def test_a_deadline_is_a_failure_that_names_the_remedy(monkeypatch):
    from everycase.run import runner

    now = iter(range(10**9))
    monkeypatch.setattr(runner.time, "perf_counter", lambda: next(now) * 0.001)
    report = run(lambda n: None, gen.integers(), deadline=0.5)
    assert isinstance(report.error, errors.DeadlineExceeded) and "deadline=None" in str(report.error)


def test_max_seconds_ends_a_run(monkeypatch):
    from everycase.run import runner

    now = iter(range(10**9))
    monkeypatch.setattr(runner.time, "perf_counter", lambda: next(now) * 0.01)
    report = run(lambda n: None, gen.integers(), max_seconds=1)
    assert report.status == "passed" and 0 < report.examples < 1000
    assert "max_seconds" in report.stopped


def test_an_interrupt_while_shrinking_reports_the_best_so_far():
    calls = []

    def fails_then_is_interrupted(n):
        calls.append(n)
        if len(calls) == 20:
            raise KeyboardInterrupt
        assert n < 1000

    report = run(fails_then_is_interrupted, gen.integers(0, 10**12))
    assert report.status == "failed"
    failure = report.failures[0]
    assert failure.shrink_reason == "interrupted"
    assert 1000 <= failure.counterexample[0] <= max(calls)


def test_an_interrupt_while_exploring_is_passed_on():
    def interrupted(n):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, gen.integers())


def test_an_exception_in_a_generator_is_a_failure_without_an_input():
    def broken(n):
        raise ZeroDivisionError("in the generator")

    report = run(lambda n: None, gen.integers().map(broken))
    assert report.status == "failed" and isinstance(report.error, ZeroDivisionError)
    assert report.counterexample == () and report.failures[0].source == "generator"
    assert "seed=0" in str(report) and "Raised by a generator or precondition" in str(report)


def test_a_run_that_tests_nothing_gives_up():
    from everycase.explore import Exhaustive

    class Empty(Explorer):
        def explore(self, space):
            yield from ()

    report = run(lambda n: False, gen.integers(0, 9).filter(lambda n: n > 50), explore=Exhaustive())
    assert report.status == "gave_up" and isinstance(report.error, errors.GaveUp)
    assert run(lambda n: False, gen.integers(), explore=Empty()).status == "gave_up"


@pytest.mark.slow
def test_a_failure_that_cannot_be_recorded_is_reported_all_the_same():
    @gen.composite
    def chain(draw, n=0):
        return 0 if n > 280 else draw(chain(n + 1)) + draw(gen.integers(0, 1))

    report = run(lambda n: n < 1, chain(), max_examples=50)
    assert report.status in ("failed", "gave_up") and report.error is not None

    calls = [0]

    @gen.composite
    def forgetful(draw):
        n = draw(gen.integers())
        calls[0] += 1
        assume(calls[0] <= 5)
        return n

    def fails_late(n):
        assert calls[0] < 4

    report = run(fails_late, forgetful())
    # The test did fail, although its input cannot be made again.
    assert report.status == "failed"
    assert any("could not be made again from its recorded choices" in warning for warning in report.warnings)


def test_recursion_without_end_in_a_generator_is_a_problem_that_is_named():
    @gen.composite
    def endless(draw):
        n = draw(gen.integers(0, 9))

        def deeper(k):
            return deeper(k + 1)

        return deeper(0) if n else n

    report = run(lambda n: None, endless(), max_examples=20)
    assert report.status == "gave_up" and "RecursionError" in str(report.error)


def test_an_exception_that_cannot_be_printed_is_reported():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    def fails(n):
        if n > 5:
            raise Mute

    assert "Mute: (printing it raises RuntimeError)" in str(run(fails, gen.integers(0, 10**6)))


def test_print_blob_and_quiet_say_less():
    from everycase import Verbosity

    def fails(n):
        assert n < 5

    assert "reproduce" in str(run(fails, gen.integers()))
    assert "reproduce" not in str(run(fails, gen.integers(), print_blob=False))
    assert "Found by" not in str(run(fails, gen.integers(), verbosity=Verbosity.quiet))


def test_what_a_test_drew_is_shown_as_it_was_drawn_with_its_labels():
    def clears(data):
        xs = data.draw(gen.lists(gen.booleans(), min_size=1), label="xs")
        count = len(xs)
        xs.clear()
        assert count < 3

    report = run(clears, gen.data())
    assert "Data.of(xs=[False, False, False])" in str(report)
    assert "note:" not in str(report)  # the call already says so
    assert report.failures[0].notes == ("xs = [False, False, False]",)


def test_a_flaky_test_that_fails_in_another_way_is_not_said_to_pass():
    calls = [0]

    def alternates(n):
        calls[0] += 1
        raise (ValueError if calls[0] % 2 else KeyError)("x")

    report = run(alternates, gen.integers(), max_examples=1)
    assert "and passed" not in str(report.error)


def test_explicit_examples_are_shown_as_they_were_given():
    from everycase import example, given

    @settings(database=None)
    @given(gen.lists(gen.integers()))
    @example([3, 2, 1])
    def test(xs):
        xs.clear()
        raise ValueError

    for _ in range(2):
        report = check(test)
        assert report.counterexample == ([3, 2, 1],)
        assert "Given by @example" in str(report) and "seed=" not in str(report)


def test_a_failure_is_kept_even_if_the_run_is_interrupted_right_after_it():
    store = MemoryStore()
    calls = []

    def fails_then_is_interrupted(n):
        calls.append(n)
        if len(calls) == 3:
            raise KeyboardInterrupt
        assert len(calls) < 2

    report = run(fails_then_is_interrupted, gen.integers(), database=store)
    assert report.status == "failed" and "interrupted" in report.stopped
    assert store._entries


def test_explorers_must_yield_cases():
    class Wrong(Explorer):
        def explore(self, space):
            yield 3

    with pytest.raises(errors.InvalidArgument, match="must yield cases"):
        run(lambda n: None, gen.integers(), explore=Wrong())
    with pytest.raises(errors.InvalidArgument, match="must define explore"):
        run(lambda n: None, gen.integers(), explore=Explorer())


def test_explore_must_be_a_generator_function():
    class Returns(Explorer):
        def explore(self, space):
            return [space.sample()]

    with pytest.raises(errors.InvalidArgument, match="must be a generator function"):
        run(lambda n: None, gen.integers(), explore=Returns())


@pytest.mark.parametrize("args", [(1, 2), (), 5, "text"])
def test_a_case_with_the_wrong_arguments_is_the_explorers_mistake(args):
    class Wrong(Explorer):
        def explore(self, space):
            yield Case(args, None)

    def wants_a_number(n):
        n + 1

    with pytest.raises(errors.InvalidArgument, match=r"a tuple of 1 arguments \(n\), but it gave"):
        run(wants_a_number, gen.integers(), explore=Wrong())


def test_draws_during_the_test_are_recorded_and_shrunk():
    def draws(data):
        n = data.draw(gen.integers(0, 1000))
        xs = data.draw(gen.lists(gen.integers(0, n), min_size=2, max_size=5))
        assert sum(xs) < 10

    report = run(draws, gen.data())
    assert report.status == "failed"
    assert report.failures[0].shrink_reason == "minimal"
    again = check(draws, gen.data(), explore=Replay(report.trace), database=None)
    assert again.failed_at == 1


class Replay(Explorer):
    """Proposes one recorded trace."""

    def __init__(self, trace):
        self.trace = trace

    def explore(self, space):
        yield space.enact(self.trace)


def test_an_explorer_may_propose_values_that_have_no_trace():
    class Tables(Explorer):
        def explore(self, space):
            for n in (1, 2, 3):
                yield Case((n,), None)

    report = run(lambda n: n != 2, gen.integers(0, 9), explore=Tables())
    assert report.counterexample == (2,)
    assert report.failures[0].trace is None and report.failures[0].shrink_reason == "by_hand"


def test_an_explorer_learns_every_outcome():
    learned = []

    class Learner(Explorer):
        def explore(self, space):
            for _ in range(3):
                learned.append((yield space.sample()))

    def says(n):
        maximize(5)
        event("here")

    run(says, gen.integers(), explore=Learner())
    assert [outcome.status for outcome in learned] == ["passed"] * 3
    assert learned[0].utilities == {"": 5} and learned[0].events == ("here",)


def test_settings_of_a_decorated_test_apply_to_check_and_can_be_overridden():
    from everycase import given

    @settings(max_examples=7, explore=RANDOM, database=None)
    @given(gen.integers())
    def test(n):
        pass

    assert check(test).examples == 7
    assert check(test, max_examples=3).examples == 3


def test_a_budget_that_is_just_enough_is_exhaustive() -> None:
    report = check(lambda n: n >= 0, gen.integers(0, 99), max_examples=100)
    assert (report.examples, report.exhaustive, report.stopped) == (
        100,
        True,
        "there was nothing left to test",
    )
    report = check(lambda n: n >= 0, gen.integers(0, 100), max_examples=100, explore=Exhaustive())
    assert (report.examples, report.exhaustive) == (100, False)


def test_statistics_count_the_choices_of_every_input():
    source = gen.lists(gen.integers(0, 9), min_size=3, max_size=3)
    report = run(lambda xs: None, source, statistics=True, max_examples=20)
    assert report.sizes == {4: 20}


def test_notes_of_a_composite_are_shown_with_the_input_that_it_made():
    @gen.composite
    def numbers(draw):
        n = draw(gen.integers(0, 1000))
        note(f"made {n}")
        return n

    def test(n):
        note(f"tested {n}")
        assert n < 500

    assert check(test, numbers(), seed=0, database=None).failures[0].notes == ("made 500", "tested 500")


@pytest.mark.parametrize(
    "labels", [("n", "n"), ("n", "not a name"), ("n", "class"), ("n", None), (None, "n")]
)
def test_what_a_test_drew_can_be_pasted_whatever_its_labels(labels):
    def fails(data):
        drawn = [data.draw(gen.integers(8, 9), label=label) for label in labels]
        assert min(drawn) < 9

    report = run(fails, gen.data(), max_examples=20_000)
    text = str(report)
    shown = next(line.strip() for line in text.splitlines() if line.startswith("    fails("))
    with pytest.raises(AssertionError):
        eval(shown, {"fails": fails, "Data": Data})
    for label in labels:
        if label is not None:
            assert f"note: {label} = 9" in text or f"{label}=9" in shown


@pytest.mark.slow
def test_the_highest_verbosity_shows_a_long_input_whole():
    def fails(xs):
        raise AssertionError

    report = run(fails, gen.just(list(range(30_000))))
    report.detail = 2
    text = str(report)
    assert "29999," in text and "more\n" not in text
    report.detail = 1
    assert "(shortened; pytest -vv shows all of it)" in str(report)
