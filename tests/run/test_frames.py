"""Tracebacks that show user code, and how two failures are told apart."""

from __future__ import annotations

import asyncio
import dataclasses
import doctest
import json
import os
import subprocess
import sys
import textwrap
import traceback
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pluggy
import pytest

from everycase import gen
from everycase.errors import EverycaseError, InvalidArgument
from everycase.run import frames
from everycase.run.frames import origin, trim

HERE = __file__


def caught(function: Callable[..., Any], *args: Any) -> BaseException:
    try:
        function(*args)
    except BaseException as error:
        # Without the frame of this helper, so that the tests name every frame that they expect.
        return error.with_traceback(error.__traceback__.tb_next if error.__traceback__ else None)
    raise AssertionError("nothing was raised")


def names(error: BaseException) -> list[str]:
    return [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def line_of(text: str) -> int:
    """The line of this file that ends in a marking comment."""
    marker = "# " + "line: " + text
    found = [i for i, line in enumerate(Path(HERE).read_text().splitlines(), 1) if line.endswith(marker)]
    assert len(found) == 1, text
    return found[0]


def run_python(*args: object, cwd: Path | None = None, **environment: str) -> str:
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path)
    command = [sys.executable, *map(str, args)]
    return subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True
    ).stdout


def test_doctests() -> None:
    assert doctest.testmod(frames).failed == 0


# --- user code to raise in --------------------------------------------------------------------------------


def fails(n: Any = 0) -> None:
    assert n == "nothing"  # line: assert


def square_fails(n: int) -> int:
    raise ValueError(n)  # line: value


def through_everycase() -> None:
    gen.integers().map(square_fails).sample(1, seed=0)  # line: sample


def misuses_everycase() -> None:
    gen.integers(5, 1)  # line: misuse


def in_a_library() -> None:
    json.loads("{")  # line: json


class Plugin:
    @pluggy.HookimplMarker("everycase_test")
    def hook(self) -> None:
        fails()


class Spec:
    @pluggy.HookspecMarker("everycase_test")
    def hook(self) -> None: ...


def through_pluggy() -> None:
    manager = pluggy.PluginManager("everycase_test")
    manager.add_hookspecs(Spec)
    manager.register(Plugin())
    manager.hook.hook()


# --- trim -------------------------------------------------------------------------------------------------


def test_frames_of_everycase_and_pluggy_go_wherever_they_are() -> None:
    error = caught(through_everycase)
    assert len(names(error)) > 3
    assert names(trim(error)) == ["through_everycase", "square_fails"]
    error = caught(through_pluggy)
    assert "_multicall" in names(error)
    assert names(trim(error)) == ["through_pluggy", "hook", "fails"]


def test_a_mistake_in_calling_everycase_points_to_the_call() -> None:
    assert names(trim(caught(misuses_everycase))) == ["misuses_everycase"]


def test_frames_of_a_library_that_the_user_calls_stay() -> None:
    assert names(trim(caught(in_a_library))) == ["in_a_library", "loads", "decode", "raw_decode"]


def test_what_comes_before_the_users_code_goes() -> None:
    async def test() -> None:
        fails()

    assert names(trim(caught(asyncio.run, test()))) == ["test", "fails"]


def test_unittest_frames_go() -> None:
    def test() -> None:
        unittest.TestCase().assertEqual(1, 2)

    assert names(trim(caught(test))) == ["test"]


def test_it_is_the_same_exception_with_the_same_lines() -> None:
    error = caught(through_everycase)
    error.add_note("a note")
    expected = [
        (frame.lineno, frame.colno)
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == HERE
    ]
    trimmed = trim(error)
    assert trimmed is error and error.__notes__ == ["a note"]
    assert [(f.lineno, f.colno) for f in traceback.extract_tb(trimmed.__traceback__)] == expected
    assert [line for line, _ in expected] == [line_of("sample"), line_of("value")]
    assert names(trim(trimmed)) == ["through_everycase", "square_fails"]  # once is enough


def test_causes_contexts_and_groups_are_trimmed_too() -> None:
    def explicit() -> None:
        try:
            through_everycase()
        except ValueError as error:
            raise KeyError("explicit") from error

    def implicit() -> None:
        try:
            explicit()
        except KeyError:
            raise TypeError("implicit")  # noqa: B904

    outer = trim(caught(implicit))
    middle = outer.__context__
    assert middle is not None and middle.__cause__ is not None
    assert names(middle.__cause__) == ["explicit", "through_everycase", "square_fails"]
    group = ExceptionGroup(
        "both", [caught(through_everycase), ExceptionGroup("in", [caught(through_pluggy)])]
    )  # type: ignore[list-item]
    trim(group)
    assert names(group.exceptions[0]) == ["through_everycase", "square_fails"]
    assert names(group.exceptions[1].exceptions[0]) == ["through_pluggy", "hook", "fails"]  # type: ignore[attr-defined]


def test_exceptions_that_were_raised_from_each_other() -> None:
    first, second = caught(through_everycase), caught(fails)
    first.__cause__, second.__cause__ = second, first
    assert names(trim(first)) == ["through_everycase", "square_fails"]
    assert names(second) == ["fails"]


def test_without_a_frame_of_the_user() -> None:
    inside = caught(gen.integers, 5, 1)
    assert isinstance(inside, InvalidArgument) and names(inside)
    assert trim(inside).__traceback__ is None
    # A bug of everycase itself must not lose its traceback.
    broken = caught(gen.base.Gen.sample, None, 1)  # type: ignore[attr-defined]
    assert not isinstance(broken, EverycaseError) and names(broken)
    assert names(trim(broken)) != []
    never_raised = ValueError()
    assert trim(never_raised).__traceback__ is None


# --- origin -----------------------------------------------------------------------------------------------


def test_a_failing_assert_is_told_by_its_line() -> None:
    assert origin(caught(fails, 1)) == origin(caught(fails, 2)) == ("AssertionError", HERE, line_of("assert"))
    assert origin(trim(caught(fails))) == ("AssertionError", HERE, line_of("assert"))


def test_the_innermost_frame_of_the_user_decides() -> None:
    assert origin(caught(through_everycase)) == ("ValueError", HERE, line_of("value"))
    assert origin(caught(misuses_everycase)) == ("everycase.errors.InvalidArgument", HERE, line_of("misuse"))
    assert origin(caught(in_a_library)) == ("json.decoder.JSONDecodeError", HERE, line_of("json"))


def test_an_exception_in_generated_code_belongs_to_whoever_called_it() -> None:
    @dataclasses.dataclass
    class Data:
        x: int

    @attrs.define
    class Attrs:
        x: int = attrs.field(converter=int)

    def test_dataclass() -> None:
        Data()  # type: ignore[call-arg]  # line: dataclass

    def test_attrs() -> None:
        Attrs("x")  # line: attrs

    assert origin(caught(test_dataclass))[1:] == (HERE, line_of("dataclass"))
    assert origin(caught(test_attrs))[1:] == (HERE, line_of("attrs"))


def test_without_a_frame_of_the_user_the_library_or_only_the_type_is_told() -> None:
    _, file, line = origin(caught(json.loads, "{"))
    assert file.endswith("decoder.py") and line > 0
    assert origin(caught(gen.integers, 5, 1)) == ("everycase.errors.InvalidArgument", "", 0)
    assert origin(KeyError()) == ("KeyError", "", 0)
    assert origin(caught(int, "x")) == ("ValueError", "", 0)


def test_endless_recursion_has_one_origin_wherever_the_stack_ends() -> None:
    def even(n: int) -> bool:
        extra = n + 1
        return odd(extra)  # line: even

    def odd(n: int) -> bool:
        extra = [n]
        return even(len(extra) + n)

    origins = {origin(caught(even, n)) for n in range(3)}
    assert origins == {("RecursionError", HERE, line_of("even"))}

    def by_another_way() -> bool:
        return (lambda: even(0))()

    assert origin(caught(by_another_way)) in origins


def test_groups_are_told_apart_by_what_is_in_them() -> None:
    def fails_with(*errors: Exception) -> None:
        raise ExceptionGroup("several", errors)  # line: group

    one = origin(caught(fails_with, ValueError(), KeyError(), ValueError()))
    assert one == ("ExceptionGroup[KeyError, ValueError]", HERE, line_of("group"))
    assert origin(caught(fails_with, KeyError(), ExceptionGroup("", [TypeError()])))[0] == (
        "ExceptionGroup[ExceptionGroup[TypeError], KeyError]"
    )


def test_the_origin_is_the_same_in_another_process(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            from everycase import gen
            from everycase.run.frames import origin
            class Trouble(Exception): pass
            def test(n):
                raise Trouble(object())
            try:
                gen.integers().map(test).example()
            except Trouble as error:
                print(*origin(error))
            """
        )
    )
    runs = {run_python(program, PYTHONHASHSEED=seed) for seed in "123"}
    assert runs == {f"__main__.Trouble {program} 6\n"}


@pytest.mark.slow
def test_what_pytest_shows_of_a_trimmed_failure(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        textwrap.dedent(
            """
            from everycase import gen
            from everycase.run.frames import origin, trim

            def helper(n):
                small = [0, 1]
                assert n in small

            def test_property():
                try:
                    gen.just(7).map(helper).sample(1, seed=0)
                except AssertionError as error:
                    assert origin(error)[2] == 7
                    raise trim(error)
            """
        )
    )
    shown = run_python("-m", "pytest", "-p", "no:cacheprovider", "test_it.py", cwd=tmp_path)
    assert "E       assert 7 in [0, 1]" in shown  # rewritten as usual
    assert "test_it.py:7: AssertionError" in shown
    assert "sampler.py" not in shown


def test_a_frame_without_a_module_name_is_nobodys_machinery() -> None:
    def test() -> None:
        exec(compile("def f():\n    raise ValueError\nf()", "user_snippet.py", "exec"), {"__name__": None})

    assert origin(caught(test)) == ("ValueError", "user_snippet.py", 2)
