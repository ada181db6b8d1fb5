"""Almost nothing is imported before everycase is used."""

from __future__ import annotations

import ast
import inspect

import pytest

import everycase


def test_importing_the_package_imports_no_room(run, pytester):
    path = pytester.makepyfile(
        shows="import sys\nbefore = set(sys.modules)\nimport everycase\nprint(sorted(set(sys.modules) - before))"
    )
    assert pytester.runpython(path).outlines == ["['everycase', 'everycase._version']"]


def test_a_test_run_without_everycase_imports_the_plugin_and_the_host(run, pytester):
    pytester.makeconftest("""
        import sys

        def pytest_unconfigure():
            print("IMPORTED", sorted(name for name in sys.modules if name.startswith("everycase")))
    """)
    pytester.makepyfile(test_inner="def test_it(tmp_path, request): pass")
    result = run(None, "-s", process=True)
    result.assert_outcomes(passed=1)
    names = [
        "everycase",
        "everycase._version",
        "everycase.bridges",
        "everycase.bridges.pytest_plugin",
        "everycase.run",
        "everycase.run.host",
    ]
    assert f"IMPORTED {names}" in result.outlines


def test_the_names_for_type_checkers_are_the_names_there_are():
    (block,) = [node for node in ast.parse(inspect.getsource(everycase)).body if isinstance(node, ast.If)]
    homes = {}
    for statement in block.body:
        assert isinstance(statement, ast.ImportFrom)
        for name in statement.names:
            inside = statement.module != "everycase"
            homes[name.name] = statement.module if inside else f"everycase.{name.name}"
    assert homes == everycase._HOMES
    # explore and campaign are reachable, but not names that the package offers.
    assert {*homes, "__version__"} - {"explore", "campaign"} == set(everycase.__all__) == set(dir(everycase))


@pytest.mark.parametrize("name", everycase.__all__)
def test_every_name_is_there(name):
    assert getattr(everycase, name) is not None


def test_another_name_is_not_there():
    with pytest.raises(AttributeError, match="module 'everycase' has no attribute 'givne'"):
        everycase.givne  # noqa: B018
