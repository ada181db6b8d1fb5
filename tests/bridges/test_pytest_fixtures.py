"""Fixtures, parameters, classes and unittest: per-case fixtures are fresh for each test case."""

from __future__ import annotations

import pytest

FRESH = """
log = []

@pytest.fixture(scope="module")
def shared():
    log.append("shared")
    yield []
    log.append("shared gone")

@pytest.fixture
def base(shared):
    log.append("base")
    yield []
    log.append("base gone")

@pytest.fixture(params=["a", "b"])
def derived(request, base):
    log.append(request.param)
    yield base
    log.append(request.param + " gone")

@given(n=gen.integers())
@settings(max_examples=3)
def test_fresh(n, derived, base, shared):
    assert derived is base and base == []
    base.append(n)
    shared.append(n)

def test_log(shared):
    a = ["base", "a", "a gone", "base gone"]
    b = ["base", "b", "b gone", "base gone"]
    assert log == ["shared"] + a * 3 + b * 3
    assert len(shared) == 6
"""


def test_function_scoped_fixtures_are_set_up_for_every_test_case(run):
    run(FRESH).assert_outcomes(passed=3)


BUILTIN = """
import logging, os, sys

@given(gen.integers())
@settings(max_examples=50)
def test_tmp_path(tmp_path, n):
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("x")

@given(gen.integers())
@settings(max_examples=50)
def test_tmpdir(tmpdir, n):
    assert tmpdir.listdir() == []
    tmpdir.join("file").write("x")

@given(gen.integers())
@settings(max_examples=50)
def test_monkeypatch(monkeypatch, n):
    assert "EVERYCASE_INNER" not in os.environ
    monkeypatch.setenv("EVERYCASE_INNER", "1")

def test_monkeypatch_is_undone():
    assert "EVERYCASE_INNER" not in os.environ

@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_capsys(capsys, n):
    print(n)
    assert capsys.readouterr().out == f"{n}\\n"
    print("left over")

@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_capfd(capfd, n):
    os.write(1, b"x")
    assert capfd.readouterr().out == "x"

@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_caplog(caplog, n):
    logging.getLogger("inner").warning("said %s", n)
    assert caplog.messages == [f"said {n}"]

@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_recwarn(recwarn, n):
    import warnings
    warnings.warn(f"w{n}", stacklevel=1)
    assert len(recwarn) == 1

@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_request(request, n):
    assert request.node.name == "test_request"
    request.getfixturevalue("once_each").append(n)
    assert request.getfixturevalue("once_each") == [n]

@pytest.fixture
def once_each():
    return []

@pytest.fixture
def fails_to_tear_down_small():
    seen = []
    yield seen
    assert seen[0] < 7

@pytest.mark.usefixtures("once_each")
@given(gen.integers(0, 9))
@settings(max_examples=20)
def test_used_fixture(n):
    pass
"""


def test_builtin_fixtures(run):
    result = run(BUILTIN, "-W", "error")
    result.assert_outcomes(passed=10)


def test_directories_of_passed_test_cases_are_removed_and_that_of_the_failed_one_is_kept(run, pytester):
    result = run(
        """
@given(gen.integers())
def test_tmp_path(tmp_path, n):
    (tmp_path / "file").write_text(str(n))
    assert n < 10
""",
        f"--basetemp={pytester.path / 'base'}",
    )
    result.assert_outcomes(failed=1)
    kept = list((pytester.path / "base").glob("test_tmp_path[0-9]*"))
    assert [(directory / "file").read_text() for directory in kept] == ["10"]


TEARDOWN = """
@pytest.fixture
def checked():
    seen = []
    yield seen
    assert seen == [] or seen[0] < 7

@given(gen.integers())
def test_tear_down(checked, n):
    checked.append(n)

sets = 0

@pytest.fixture
def breaks():
    global sets
    sets += 1
    if sets == 3:
        raise RuntimeError("no third time")

@given(gen.integers())
def test_set_up(breaks, n):
    pass

@pytest.fixture
def skips():
    global sets
    sets += 1
    if sets >= 6:
        pytest.skip("enough")

@given(gen.integers())
def test_set_up_skips(skips, n):
    pass
"""


def test_failures_of_fixtures(run):
    result = run(TEARDOWN)
    result.assert_outcomes(failed=2, skipped=1)
    text = result.stdout.str()
    assert (
        "test_tear_down(checked=checked, n=7)" in text
    )  # tearing down belongs to the test case, so it is shrunk
    assert "RuntimeError: no third time" in text and "test_set_up(breaks=" not in text  # setting up does not


def test_the_fixtures_of_the_reported_failure_are_alive_when_it_is_reported(run, pytester):
    pytester.makeconftest("""
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            if call.when == "call":
                print("ALIVE", item.funcargs["resource"])
            return report
    """)
    result = run(
        """
@pytest.fixture
def resource():
    value = {}
    yield value
    value["closed"] = True

@given(gen.integers())
def test_it(resource, n):
    resource["n"] = n
    assert n < 10
""",
        "-s",
    )
    result.stdout.fnmatch_lines(["*ALIVE {'n': 10}"])


def test_nothing_is_renewed_where_there_is_nothing_to_renew(run, pytester):
    pytester.makeconftest("""
        def pytest_fixture_setup(fixturedef):
            print("SETUP", fixturedef.argname)
    """)
    result = run(
        """
@pytest.fixture(scope="module")
def wide():
    return []

@pytest.mark.parametrize("p", [1, 2])
@given(gen.integers())
def test_it(wide, p, n):
    wide.append(n)

def test_seen(wide):
    assert len(wide) == 2000
""",
        "-s",
    )
    result.assert_outcomes(passed=3)
    assert result.stdout.str().count("SETUP wide") == 1
    assert result.stdout.str().count("SETUP p") == 2


PARAMETERS = """
@pytest.mark.parametrize("p", [1, 2])
@given(gen.integers(0, 9))
@settings(max_examples=20)
@pytest.mark.parametrize("q", ["x", "y"])
def test_stacked(q, p, n):
    assert q in "xy" and p in (1, 2) and 0 <= n <= 9

@pytest.mark.parametrize("flag", gen.booleans())
def test_all_values(flag):
    assert flag in (True, False)

@given(n=gen.integers(0, 9))
def test_named(n, *, capsys):
    pass
"""


def test_parametrize_and_names(run):
    result = run(PARAMETERS, "-v", "-p", "no:xdist")
    result.assert_outcomes(passed=7)
    result.stdout.fnmatch_lines(
        [
            "test_inner.py::test_stacked[[]x-1[]] PASSED*",
            "test_inner.py::test_stacked[[]x-2[]] PASSED*",
            "test_inner.py::test_stacked[[]y-1[]] PASSED*",
            "test_inner.py::test_stacked[[]y-2[]] PASSED*",
            "test_inner.py::test_all_values[[]False[]] PASSED*",
            "test_inner.py::test_named PASSED*",
        ]
    )


def test_each_parameter_remembers_its_own_failures(run):
    source = """
calls = []

@pytest.mark.parametrize("limit", [10.5, 10**9])
@given(gen.integers(0, 1000))
@settings(phases=[{phases}], max_examples=1000)
def test_it(limit, n):
    calls.append(n)
    assert n < limit

def test_calls():
    print("CALLS", calls[0])
"""
    run(source.format(phases="*Phase")).assert_outcomes(passed=2, failed=1)
    only_old = source.format(phases="Phase.reuse")
    for _ in range(2):  # the passing test does not remove the remembered failure of the other
        run(only_old).assert_outcomes(passed=2, failed=1)


def test_what_is_not_generated_is_part_of_the_call_that_is_shown(run):
    source = """
class Mode(enum.Enum):
    fast = 1

class TestLimits:
    @pytest.mark.parametrize(("limit", "mode"), [(10, Mode.fast)])
    @given(gen.integers(0, 1000))
    def test_it(self, limit, mode, tmp_path, n):
        assert n < limit
"""
    result = run("import enum\n" + source)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*test_it(limit=10, mode=Mode.fast, tmp_path=tmp_path, n=10)"])


CLASSES = """
class TestClass:
    made = 0

    def setup_method(self):
        self.values = []

    def teardown_method(self):
        type(self).made += 1
        assert len(self.values) <= 1

    @given(gen.integers())
    @settings(max_examples=5)
    def test_method(self, n):
        assert not hasattr(self, "mine")
        self.mine = n
        self.values.append(n)

    def test_count(self):
        self.values.append(0)
        assert self.made == 5

    @staticmethod
    @given(gen.integers(0, 9))
    def test_static(n):
        assert n >= 0

class TestInstances:
    @pytest.fixture
    def me(self):
        return self

    @given(gen.integers())
    @settings(max_examples=5)
    def test_fixture_of_the_class(self, me, n):
        assert me is self
        assert not hasattr(self, "n")
        self.n = n
"""


def test_every_test_case_has_its_own_instance(run):
    result = run(CLASSES)
    result.assert_outcomes(passed=4)


UNITTEST = """
class Case(unittest.TestCase):
    log = []

    def setUp(self):
        self.log.append("up")
        self.values = []

    def tearDown(self):
        self.log.append("down")

    @given(gen.integers())
    @settings(max_examples=3)
    def test_1_fresh(self, n):
        self.addCleanup(self.log.append, "cleanup")
        self.assertEqual(self.values, [])
        self.values.append(n)

    def test_2_log(self):
        # One more pair than there were test cases: unittest tears down once more itself.
        assert self.log == ["up", "down", "cleanup"] * 3 + ["up", "down"] + ["up"]

    @given(gen.integers())
    def test_3_fails(self, n):
        self.assertLess(n, 10)

    @given(gen.integers())
    def test_4_skips(self, n):
        self.skipTest("not today")
"""


def test_unittest_sets_up_and_tears_down_around_each_test_case(run):
    result = run(UNITTEST)
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    assert "test_3_fails(n=10)" in result.stdout.str()


def test_unittest_without_pytest(run, pytester):
    path = pytester.makepyfile(
        case="import unittest\nfrom everycase import gen, given, settings\n"
        + UNITTEST.replace("test_4_skips", "skips")
        + "\nunittest.main(verbosity=2)"
    )
    errors = pytester.runpython(path).stderr.str()
    assert "test_1_fresh (__main__.Case.test_1_fresh) ... ok" in errors
    assert "test_2_log (__main__.Case.test_2_log) ... ok" in errors
    assert "FAILED (failures=1)" in errors and "test_3_fails(n=10)" in errors


def test_mock_patch_above_given(run):
    run("""
import os

@mock.patch("os.getcwd")
@given(gen.integers())
def test_patched(getcwd, n):
    os.getcwd()
    assert getcwd.called

@given(gen.integers())
@mock.patch("os.getcwd", new=lambda: "here")
def test_replaced(n):
    assert os.getcwd() == "here"
""").assert_outcomes(passed=2)


def test_setup_show_shows_the_fixtures_of_each_test_case(run):
    result = run(
        """
@pytest.fixture
def thing():
    yield

@given(gen.integers())
@settings(max_examples=4)
def test_it(thing, n):
    pass
""",
        "--setup-show",
    )
    assert result.stdout.str().count("SETUP    F thing") == 4
    assert result.stdout.str().count("TEARDOWN F thing") == 4


@pytest.mark.parametrize("option", ["--setup-only", "--setup-plan", "--collect-only"])
def test_options_that_run_no_test(run, option):
    result = run("@given(gen.integers())\ndef test_it(tmp_path, n): assert False", option)
    assert result.ret == 0
