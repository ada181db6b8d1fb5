"""User mistakes for which the plugin suggests a fix."""

from __future__ import annotations

import textwrap

import pytest


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            '@pytest.mark.parametrize("n", [1, 2])\n@given(gen.integers())\ndef test_it(n): pass',
            "test_it gets 'n' from both given and parametrize; remove it from one of them",
        ),
        (
            '@pytest.mark.parametrize(["m", "n"], [(1, 2)])\n@given(n=gen.integers())\ndef test_it(n, m): pass',
            "test_it gets 'n' from both given and parametrize",
        ),
        (
            '@pytest.mark.parametrize("n", gen.lists(gen.integers()))\ndef test_it(n): pass',
            "parametrize makes a test for each value, but lists(integers()) has infinitely many values. Use @given(n=...)",
        ),
        (
            '@pytest.mark.parametrize(argnames="n", argvalues=gen.lists(gen.integers()))\ndef test_it(n): pass',
            "has infinitely many values",
        ),
        (
            "@pytest.fixture\n@given(gen.integers())\ndef thing(n): pass\ndef test_it(thing): pass",
            "given was applied to the fixture thing. A fixture runs once for a test",
        ),
        (
            "@given(gen.integers())\n@pytest.fixture\ndef thing(n): pass\ndef test_it(thing): pass",
            "given decorates a test function, not a fixture",
        ),
        (
            "@given(gen.integers())\nclass TestIt:\n    def test_it(self, n): pass",
            "given decorates a test function, not the class TestIt",
        ),
        ("@given\ndef test_it(n): pass", "write for example @given(gen.integers())"),
        ("@settings\n@given(gen.integers())\ndef test_it(n): pass", "write for example @settings("),
        (
            '@given(gen.integers())\n@mock.patch("os.getcwd")\ndef test_it(getcwd, n): pass',
            "put the patch above given",
        ),
        (
            "@given(gen.integers())\nasync def test_it(n): pass",
            "async def functions are not natively supported",
        ),
    ],
)
def test_a_clear_error(run, source, message):
    result = run(source)
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert message in result.stdout.str()
    assert "Falsifying" not in result.stdout.str()


def test_a_wrong_given_fails_its_own_test_and_no_other(run):
    source = """
        @given(gen.integers)
        def test_not_called(n): pass

        @given(gen.integers(), gen.integers())
        def test_too_many(n): pass

        class TestIt:
            @given(n=5)
            def test_number(self, n): pass

        @settings(max_examples=5)
        @given(gen.integers()).where(3)
        def test_no_predicate(n): pass

        @given(gen.integers())
        class TestAll:
            def test_one(self, n): pass
            def test_other(self, n): pass
            def helper(self): pass

        @given(gen.integers())
        def test_fine(n): pass
    """
    result = run(textwrap.dedent(source))
    result.assert_outcomes(failed=6, passed=1)
    result.stdout.fnmatch_lines(
        ["*decorates a test function, not the class TestAll; put it above each of its tests*"]
    )
    result.stdout.fnmatch_lines(["*did you mean to call it, integers(...)*"])
