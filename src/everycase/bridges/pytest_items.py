"""Properties as pytest items: fixtures set up again for every test case, and asynchronous tests.

pytest has no public way to set up the function-scoped fixtures of a test again while it runs. This module
uses the same functions as pytest and its re-running plugins to run an item a second time (``_initrequest``,
``setup``, and ``finish`` of a fixture definition); fixtures of wider scope are cached by pytest and stay.
"""

from __future__ import annotations

import inspect
import shutil
import sys
from collections.abc import Callable, MutableMapping
from types import TracebackType
from typing import Any

import pytest
from _pytest._code.code import ExceptionChainRepr, ReprFileLocation

from everycase.run.asynchronous import Result
from everycase.run.context import current, nested, resumed
from everycase.run.host import CaseFixtures
from everycase.run.property import Property
from everycase.run.runner import run_or_raise

try:
    from _pytest.tmpdir import tmppath_result_key
except ImportError:
    tmppath_result_key = None  # type: ignore[assignment]

#: Function-scoped fixtures without state. Renewing an event loop costs more than most test cases.
STATELESS = {"_function_scoped_runner", "anyio_backend_name", "anyio_backend_options"}


# --- fixtures of a test case ----------------------------------------------------------------------------


def case_fixtures(item: Any, given: MutableMapping[str, Any]) -> CaseFixtures | None:
    """The function-scoped fixtures of an item and its instance of the test class, to be renewed."""
    if nested() or (item.instance is None and not _has_state(item)):
        return None

    def set_up() -> None:
        __tracebackhide__ = True
        old = item.instance
        if old is not None:
            # As pytest does for every test.
            item._instance = item.parent.newinstance()
            item.obj = getattr(item._instance, item.originalname)
        item._initrequest()
        item.setup()
        for name, value in given.items():
            if value is old and old is not None:
                given[name] = item.instance
            elif name in item._fixtureinfo.argnames:
                given[name] = item.funcargs[name]
        if "caplog" in item.funcargs:
            item.funcargs["caplog"].clear()  # its records belong to the item, not to the fixture

    definitions = item._fixtureinfo.name2fixturedefs
    renewed = {name for name in given if name not in definitions or not _is_parameter(definitions[name][-1])}
    return CaseFixtures(set_up, lambda: _tear_down(item), matched=False, renewed=renewed)


def _has_state(item: Any) -> bool:
    """Whether a test case would share anything that it could modify with the next one."""
    if "request" in item._fixtureinfo.argnames:
        return True  # the test may ask for any fixture
    names = item._fixtureinfo.name2fixturedefs
    return any(
        definitions[-1].scope == "function" and name not in STATELESS and not _is_parameter(definitions[-1])
        for name, definitions in names.items()
    )


def _is_parameter(definition: Any) -> bool:
    """Arguments of ``parametrize`` are fixtures to pytest."""
    return getattr(definition.func, "__name__", "") == "get_direct_param_fixture_func"


def _tear_down(item: Any) -> None:
    """Finish the function-scoped fixtures, the last one first, all of them whatever happens."""
    __tracebackhide__ = True
    errors: list[BaseException] = []
    request = item._request
    active = [definition for definition in request._fixture_defs.values() if definition.scope == "function"]
    directories = [
        definition.cached_result[0]
        for definition in active
        if definition.argname == "tmp_path" and definition.cached_result
    ]
    for definition in reversed(active):
        try:
            definition.finish(request)
        except BaseException as error:
            errors.append(error)
    if directories and tmppath_result_key is not None:
        item.stash.setdefault(tmppath_result_key, {})  # the fixture deletes it, and needs it again
    for directory in directories:
        # pytest keeps the directories of three runs and numbers them; thousands would be slow and useless.
        shutil.rmtree(directory, ignore_errors=True)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise BaseExceptionGroup("errors while tearing down fixtures", errors)


# --- asynchronous tests -------------------------------------------------------------------------------------


class _NotRun(BaseException):
    """The async plugin failed before it reached the test case, which is therefore not to blame."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def runtest_of_coroutine(item: Any, prop: Property) -> Callable[[], None]:
    """Runs instead of ``item.runtest()``: the whole property, each test case by ``item.runtest()``.

    So each test case runs like a separate test, on the event loop of whichever plugin runs coroutines here.
    """
    runtest = item.runtest

    def run_property() -> None:
        __tracebackhide__ = True
        given: dict[str, Any] = {}
        for name in inspect.signature(item.function).parameters:
            if not given and item.instance is not None:
                given[name] = item.instance
            elif name in item._fixtureinfo.argnames:
                given[name] = item.funcargs[name]
        test = prop.caller(given, renewed=True)
        try:
            run_or_raise(prop, given, lambda *args: _run_one(item, runtest, test, args))
        except _NotRun as stopped:
            raise stopped.error from None

    return run_property


def _run_one(
    item: Any, runtest: Callable[[], None], test: Callable[..., Any], args: tuple[Any, ...]
) -> object:
    scope = current("an asynchronous test")
    result = Result()
    kept = (Exception, pytest.fail.Exception, pytest.skip.Exception)

    async def test_case(**fixtures: Any) -> None:
        # The plugin's task need not have the context of this run. The fixtures are already in the arguments
        # of the test.
        with resumed(scope):
            await result.keep(test, args, kept)

    whole = item.obj
    item.obj = test_case
    try:
        runtest()
    except BaseException as error:
        if not result.started:
            raise _NotRun(error) from None
        raise
    finally:
        item.obj = whole
    return result.get()


# --- reports ------------------------------------------------------------------------------------------------


def show_failures(
    item: Any, longrepr: Any, excinfo: pytest.ExceptionInfo[BaseException], errors: list[BaseException]
) -> Any:
    """What pytest shows of a failing property, each distinct failure like a single one.

    pytest would show the group that they are raised in without rewritten asserts.
    """
    if list(getattr(excinfo.value, "exceptions", ())) == errors:
        longrepr = _each_failure(item, errors) or longrepr
    for traceback, *_ in getattr(longrepr, "chain", ()):
        if not traceback.reprentries or "hidden" in (traceback.extraline or ""):
            # A property that returned False has no frame to show, and the frames that pytest would show are
            # ours.
            traceback.extraline = None
    return longrepr


def _here() -> TracebackType:
    __tracebackhide__ = True
    frame = sys._getframe()
    return TracebackType(None, frame, frame.f_lasti, frame.f_lineno)


def _each_failure(item: Any, errors: list[BaseException]) -> ExceptionChainRepr | None:
    chain = []
    for number, error in enumerate(errors, 1):
        if error.__traceback__ is None:  # one that was not raised, because the test passed the second time
            error.__traceback__ = _here()
        shown = item.repr_failure(pytest.ExceptionInfo.from_exception(error))
        if not isinstance(shown, ExceptionChainRepr):
            return None
        more = f"{len(errors)} distinct failures were found; this was number {number}."
        chain += [(*part[:2], part[2] or more) for part in shown.chain]
    traceback, crash, more_or_cause = chain[-1]
    if crash is not None:  # the line in the short summary
        crash = ReprFileLocation(
            crash.path, crash.lineno, f"{len(errors)} distinct failures, {crash.message}"
        )
    chain[-1] = (traceback, crash, more_or_cause)
    return ExceptionChainRepr(chain)
