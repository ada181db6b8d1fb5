"""The options of the pytest plugin, and the layers of settings."""

from __future__ import annotations

import pytest

COUNTED = """
calls = 0

@given(gen.integers())
def test_counted(n):
    global calls
    calls += 1

@given(gen.integers())
@settings(max_examples=7)
def test_says_so_itself(n):
    global calls
    calls += 1

def test_calls():
    print("CALLS", calls)
"""


def calls(result: pytest.RunResult) -> int:
    (line,) = [line for line in result.outlines if "CALLS" in line]
    return int(line.split()[-1])


def test_max_examples_stands_below_the_settings_of_a_test(run):
    assert calls(run(COUNTED, "-s")) == 1000 + 7
    assert calls(run(None, "-s", "--everycase-max-examples=12")) == 12 + 7


def test_a_profile_of_a_conftest_stands_below_the_other_options(run, pytester):
    pytester.makeconftest("""
        from everycase import settings

        def pytest_configure():
            settings.register_profile("options-test", max_examples=33)
    """)
    result = run(COUNTED, "-s", "--everycase-profile=options-test")
    assert calls(result) == 33 + 7
    result.stdout.fnmatch_lines(["everycase: profile options-test"])
    assert calls(run(None, "-s", "--everycase-profile=options-test", "--everycase-max-examples=12")) == 12 + 7
    from everycase import settings

    assert settings.profile == "default"  # a session does not change it for others


SEEDED = """
@given(gen.lists(gen.integers()))
@settings(max_examples=20)
def test_shows(xs):
    print("VALUE", xs)

def test_find_shows():
    found = []
    check(lambda n: found.append(n), gen.integers(0, 10**9), max_examples=5, database=None)
    print("VALUE", found)
"""


def values(result: pytest.RunResult) -> list[str]:
    return [line[line.index("VALUE") :] for line in result.outlines if "VALUE" in line]


def test_a_seed_repeats_the_run(run):
    first = values(run(SEEDED, "-s", "--everycase-seed=5"))
    assert len(first) == 21
    assert values(run(None, "-s", "--everycase-seed=5")) == first
    assert values(run(None, "-s", "--everycase-seed=6")) != first


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--everycase-seed=x", "*--everycase-seed: invalid int value: 'x'*"),
        ("--everycase-max-examples=0", "*--everycase-max-examples: max_examples=0 must be at least 1*"),
        ("--everycase-profile=absent", "*there is no profile 'absent'; registered are*ci*default*"),
    ],
)
def test_a_bad_value_is_a_usage_error(run, option, message):
    result = run("def test(): pass", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


STATISTICS = """
@given(gen.integers(0, 9))
@example(0)
@example(1)
@settings(phases=[Phase.explicit])
def test_events(n):
    event("even" if n % 2 == 0 else "odd")

@given(gen.integers())
def test_fails(n):
    assert n < 10

@pytest.mark.parametrize("p", [1, 2])
@given(gen.booleans())
def test_parameters(p, b):
    pass
"""


def test_statistics_of_every_property(run):
    result = run(STATISTICS, "--everycase-statistics")
    result.assert_outcomes(passed=3, failed=1)
    lines = result.outlines[next(i for i, x in enumerate(result.outlines) if "everycase statistics" in x) :]
    text = "\n".join(lines)
    assert "test_inner.py::test_events: passed 2 tests" in text
    assert " 50.0%  even" in text and " 50.0%  odd" in text
    assert "test_inner.py::test_fails: failed at test" in text
    assert "test_inner.py::test_parameters[1]: passed" in text
    assert "test_inner.py::test_parameters[2]: passed" in text
    assert "choices per input" in text


def test_without_the_option_there_are_none(run):
    lines = run("@given(gen.booleans())\ndef test_it(b): pass").outlines
    # Where everycase is installed, pytest lists it among its plugins.
    assert not [line for line in lines if "everycase" in line and not line.startswith("plugins: ")]


def test_the_store_is_at_the_top_of_the_project(run, pytester):
    run("@given(gen.integers())\ndef test_it(n): assert n < 10").assert_outcomes(failed=1)
    assert (pytester.path / ".everycase" / "examples").is_dir()
    inner = pytester.mkdir("inner")
    (inner / "test_other.py").write_text(
        "from everycase import gen, given\n@given(gen.integers())\ndef test_it(n): assert n < 10\n"
    )
    pytester.chdir()
    run(None, "inner").assert_outcomes(failed=1)
    assert not (inner / ".everycase").exists()
