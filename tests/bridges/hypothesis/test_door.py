"""Changed imports: every public name of Hypothesis exists and takes the same arguments."""

from __future__ import annotations

import inspect

import hypothesis
import hypothesis.database
import hypothesis.errors
import hypothesis.provisional
import hypothesis.strategies as theirs
import pytest

import everycase
import everycase.database
import everycase.provisional
from everycase import errors, example, find, given, reproduce_failure, seed, settings
from everycase import strategies as ours
from everycase.errors import CannotReproduce, EverycaseWarning, PropertyFalse


def test_every_name_is_there():
    assert set(theirs.__all__) <= set(ours.__all__)
    assert set(hypothesis.__all__) - {"__version_info__"} <= set(dir(everycase))
    assert {"domains", "urls"} <= set(dir(everycase.provisional))
    for enum in ("HealthCheck", "Phase", "Verbosity"):
        assert set(getattr(hypothesis, enum).__members__) <= set(getattr(everycase, enum).__members__)


def test_every_exception_that_users_name_is_there():
    public = {
        name
        for name, value in vars(hypothesis.errors).items()
        if isinstance(value, type)
        and issubclass(value, BaseException)
        and value.__module__ == "hypothesis.errors"
        and not name.startswith("_")
    }
    assert {name for name in public if not hasattr(errors, name)} == set()


@pytest.mark.parametrize("name", sorted(set(theirs.__all__) - {"DataObject", "DrawFn", "SearchStrategy"}))
def test_every_strategy_takes_the_same_arguments(name):
    wanted, taken = inspect.signature(getattr(theirs, name)), inspect.signature(getattr(ours, name))
    variable = {p.kind for p in taken.parameters.values()} & {
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    }
    for parameter in wanted.parameters.values():
        by_name = parameter.kind is parameter.KEYWORD_ONLY
        if by_name or parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            names = {parameter.name, {"f": "function", "thing": "tp"}.get(parameter.name)}
            assert names & set(taken.parameters) or variable, parameter


def test_settings_can_be_read_and_profiles_named():
    options = settings(max_examples=7, deadline=300, report_multiple_bugs=False, backend="hypothesis")
    assert (options.max_examples, options.deadline, options.report_multiple_bugs) == (7, 300, False)
    assert settings(options, max_examples=8).deadline == 300
    assert isinstance(settings.default, settings) and settings.default.stateful_step_count == 50
    assert settings.get_profile(settings.get_current_profile_name()) is settings.default
    with pytest.raises(AttributeError, match="no_such_setting"):
        options.no_such_setting  # noqa: B018
    with pytest.warns(EverycaseWarning, match="explore"):
        settings(backend="crosshair")


def test_examples_that_are_expected_to_fail():
    @settings(max_examples=3, database=None)
    @example(-1).xfail(raises=ValueError, reason="negative").via("a report")
    @given(ours.integers(0, 9))
    def roots(n):
        if n < 0:
            raise ValueError

    roots()

    @settings(max_examples=3, database=None)
    @example(1).xfail(reason="it did")
    @given(ours.integers(0, 9))
    def passes(n):
        pass

    with pytest.raises(PropertyFalse, match=r"expected to fail \(it did\)"):
        passes()
    with pytest.raises(errors.InvalidArgument, match="raises"):
        example(1).xfail(raises=5)


def test_one_bug_is_enough_where_that_is_asked():
    def two(n):
        assert n < 500
        if n > 100:
            raise ValueError

    both = everycase.check(two, ours.integers(0, 1000), database=None, seed=0, max_examples=500)
    one = everycase.check(
        two, ours.integers(0, 1000), database=None, seed=0, max_examples=500, report_multiple_bugs=False
    )
    assert (len(both.failures), len(one.failures)) == (2, 1)


def test_target_is_not_followed_without_its_phase():
    def test(n):
        assert everycase.target(n, label="n") == n

    options = {"database": None, "seed": 0, "max_examples": 300}
    phases = [everycase.Phase.generate]
    free = everycase.check(test, ours.integers(0, 10**9), **options)
    bound = everycase.check(test, ours.integers(0, 10**9), phases=phases, **options)
    assert free.best["n"] >= bound.best["n"] > 0
    assert bound.trajectory != free.trajectory


def test_seed_reproduce_failure_and_find():
    @seed("any value")
    @settings(max_examples=5, database=None)
    @given(ours.integers())
    def test(n):
        seen.append(n)

    seen = []
    test()
    first, seen = seen, []
    test()
    assert first == seen

    @reproduce_failure("6.0", b"AXic")
    @given(ours.integers())
    def blob(n):
        pass

    with pytest.raises(CannotReproduce, match="Hypothesis printed"):
        blob()
    assert find(ours.integers(), lambda n: n > 5, settings=settings(max_examples=500), random=None) == 6


def test_random_is_registered_once():
    import random

    mine = random.Random()
    everycase.register_random(mine)
    everycase.register_random(mine)
    with pytest.raises(errors.InvalidArgument, match="getstate"):
        everycase.register_random(5)
    ours.random_module().sample(1, seed=0)


def test_databases(tmp_path):
    for database in (
        everycase.database.InMemoryExampleDatabase(),
        everycase.database.DirectoryBasedExampleDatabase(tmp_path),
    ):
        report = everycase.check(lambda n: n < 9, ours.integers(0, 99), database=database)
        assert report.status == "failed"
        assert isinstance(database, everycase.database.ExampleDatabase)
