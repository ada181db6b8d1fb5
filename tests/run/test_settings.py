"""Settings: layers, profiles, and the messages about wrong ones."""

from __future__ import annotations

from datetime import timedelta

import pytest

from everycase import HealthCheck, Phase, check, errors, gen, settings
from everycase.explore import Random


@pytest.fixture(autouse=True)
def profiles():
    """Profiles belong to the process; each test starts with the original ones."""
    known, chosen = dict(settings.profiles), settings.profile
    yield
    settings.profiles, settings.profile = known, chosen


def test_the_defaults_are_those_of_the_documentation(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    resolved = settings().resolve()
    assert resolved.max_examples == 1000
    assert resolved.deadline is None and resolved.seed is None and resolved.derandomize is False
    assert resolved.phases == tuple(Phase)


def test_build_servers_derandomize(monkeypatch):
    monkeypatch.setenv("CI", "true")
    assert settings().resolve().derandomize is True
    assert settings(derandomize=False).resolve().derandomize is False


def test_later_layers_win():
    combined = settings.combine(settings(max_examples=1, seed=1), settings(max_examples=2))
    assert combined.resolve().max_examples == 2 and combined.resolve().seed == 1
    assert settings(combined, seed=5).given == {"max_examples": 2, "seed": 5}


def test_a_profile_lies_below_the_settings_of_a_test():
    settings.register_profile("tiny", max_examples=3, seed=8)
    settings.load_profile("tiny")
    assert check(lambda n: None, gen.integers(), database=None).examples == 3
    assert check(lambda n: None, gen.integers(), database=None, max_examples=5).examples == 5


def test_derandomized_runs_take_the_seed_from_the_name():
    def one(n):
        pass

    def two(n):
        pass

    def seed(test):
        return check(test, gen.integers(), derandomize=True, max_examples=1, database=None).seed

    assert seed(one) == seed(one) != seed(two)


def test_a_deadline_may_be_a_timedelta():
    assert settings(deadline=timedelta(seconds=2)).resolve().deadline == 2000


def test_one_member_may_stand_for_a_list_of_one():
    assert settings(suppress_health_check=HealthCheck.too_slow).resolve().suppress_health_check == (
        HealthCheck.too_slow,
    )


WRONG = [
    ({"max_examples": 0}, "max_examples=0 must be at least 1"),
    ({"max_examples": "many"}, "max_examples must be an int"),
    ({"max_examples": True}, "max_examples must be an int"),
    ({"max_examples": gen.integers()}, "not the generator"),
    ({"max_seconds": -1}, "max_seconds must be a positive number"),
    ({"deadline": "soon"}, "deadline must be a positive number"),
    ({"seed": 1.5}, "seed must be an int"),
    ({"derandomize": 1}, "derandomize must be True or False"),
    ({"explore": Random}, r"did you mean Random\(\)"),
    ({"explore": "random"}, "explore must be an explorer"),
    ({"verbosity": 3}, "verbosity must be a Verbosity"),
    ({"phases": ["explore"]}, "phases must be a list of Phase members"),
    ({"suppress_health_check": [Phase.explore]}, "suppress_health_check must be a list of HealthCheck"),
    ({"executor": 4}, "executor must be a concurrent.futures.Executor"),
    ({"database": 5}, "database must be a path"),
    ({"print_blob": "yes"}, "print_blob must be True or False"),
    ({"max_exmples": 5}, "did you mean max_examples"),
    ({"max_seconds": float("nan")}, "max_seconds must be a positive number"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_wrong_settings_are_explained(given, message):
    with pytest.raises(errors.InvalidArgument, match=message):
        settings.from_keywords(given)


def test_unknown_profiles_are_explained():
    with pytest.raises(errors.InvalidArgument, match=r"no profile 'unheard-of'; registered are ci, default"):
        settings.load_profile("unheard-of")


def test_settings_decorate_functions_only():
    with pytest.raises(errors.InvalidArgument, match="decorates a test function"):
        settings(max_examples=5)(5)
