"""Finding the properties that targets name, in the process that will run them.

``package.module:NAME`` is imported. Files, folders and node ids are collected by pytest, with our plugin,
which also adopts tests under ``hypothesis.given``. A test that takes only generated arguments is then run
without pytest; one with fixtures, parameters or a ``conftest.py`` is run inside a pytest session, as pytest
would run it.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import unittest
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from everycase.errors import CampaignProblem, InvalidArgument
from everycase.run.api import property_of
from everycase.run.asynchronous import own_loop
from everycase.run.host import conducted_by
from everycase.run.property import MACHINE_TEST, MAKE_PROPERTY, PROPERTY
from everycase.run.runner import run

#: Fixtures that plugins add to every test, and that do nothing unless it is a coroutine.
STATELESS = {"event_loop_policy"}

#: What is conducted: property, call, settings, preparation and the arguments that are not generated.
Conducted = tuple[Any, ...]


class FoundProperty:
    """A property: its name in the campaign, and how any process finds it."""

    def __init__(self, name: str, way: dict[str, Any], item: Any = None) -> None:
        self.name = name
        self.way = way
        self.item = item


# --- by name ----------------------------------------------------------------------------------------------------


def find(module: str, name: str) -> tuple[Any, type | None]:
    """The object that a module holds under a name, and the class that it is a member of."""
    value: Any = importlib.import_module(module)
    owner = None
    for part in name.split("."):
        owner = value if isinstance(value, type) else None
        value = getattr(value, part)
    return value, owner


def run_by_name(module: str, name: str, conduct: Callable[..., Any]) -> None:
    """Run a test that takes only generated arguments."""
    test, owner = find(module, name)
    prop = property_of(test)
    given: dict[str, Any] = {}
    if owner is not None and not hasattr(test, MAKE_PROPERTY):
        first = next(iter(inspect.signature(prop.function).parameters), None)
        if first is not None and first not in prop.gens:
            given[first] = owner()
    with conducted_by(conduct):
        if inspect.iscoroutinefunction(prop.function):
            with own_loop(prop.caller(given)) as call:
                run(prop, call, prop.spec.settings, given=given)
        else:
            run(prop, prop.caller(given), prop.spec.settings, given=given)


def by_import(target: str) -> FoundProperty:
    """The property that ``package.module:NAME`` names."""
    module, _, name = target.partition(":")
    try:
        test, _ = find(module, name)
        prop = property_of(test)
    except (ImportError, AttributeError) as problem:
        raise CampaignProblem(
            f"{target} cannot be imported ({problem}); is its folder on PYTHONPATH?"
        ) from None
    except InvalidArgument as problem:
        raise CampaignProblem(f"{target} is not a property: {problem}") from None
    if not prop.gens:
        raise CampaignProblem(f"{target} has no generated arguments; put it under @given")
    return FoundProperty(target, {"module": module, "name": name})


# --- by pytest --------------------------------------------------------------------------------------------------


class Session:
    """A pytest plugin that processes the collected tests instead of running them all."""

    def __init__(self, serve: Callable[[Session], None]) -> None:
        self.serve = serve
        self.items: dict[str, Any] = {}
        self.problems: list[str] = []
        self.failure: BaseException | None = None
        self._reports: list[Any] = []
        self._last: Any = None
        #: why pytest says that the last test failed; the failures of properties are not among that
        self.failed = ""

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            last = str(report.longrepr).strip().splitlines()
            self.problems.append(
                f"{report.nodeid}: {last[-1].removeprefix('E').strip() if last else 'not collected'}"
            )

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        try:
            self.serve(self)
        except BaseException as problem:
            self.failure = problem
        return True

    def run_item(self, nodeid: str, conduct: Callable[..., Any]) -> None:
        """Run one test as pytest does: fixtures, parameters and all; its property is conducted."""
        item = self.items.get(nodeid)
        if item is None:
            raise CampaignProblem(f"{nodeid} no longer exists; run the command again")
        if self._last is not None and self._last is not item:
            item.session._setupstate.teardown_exact(item)  # fixtures that the two do not share
        self._last = item
        self._reports.clear()
        with conducted_by(conduct):
            # Its class, module and session stay set up, because the next lease is often for the same test.
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=item.parent)
        self.failed = ""
        for report in self._reports:
            if hasattr(report, "wasxfail") or _reason(report).startswith("[XPASS(strict)]"):
                raise ExpectedToFail("pytest is told that it fails (xfail), so it is left out")
            if report.skipped:
                raise Skipped(_reason(report))
            if report.failed and report.when == "setup":
                raise CampaignProblem(f"it cannot be set up: {_reason(report)}")
            if report.failed and report.when == "call":
                self.failed = _reason(report)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._reports.append(report)


class Skipped(Exception):
    """A test that says itself that it is not to be run."""


def skip_reason(problem: BaseException) -> str | None:
    """The reason in an exception by which a test is skipped, if it is one."""
    outcomes = sys.modules.get("_pytest.outcomes")
    kinds = () if outcomes is None else (outcomes.Skipped, outcomes.XFailed)
    return str(problem) if isinstance(problem, (unittest.SkipTest, *kinds)) else None


class ExpectedToFail(CampaignProblem):
    """A test under xfail: whatever it comes to says nothing."""


def _reason(report: Any) -> str:
    """Why a test did not pass, in one line."""
    told = report.longrepr
    crash = getattr(told, "reprcrash", None)
    text = crash.message if crash is not None else told[2] if isinstance(told, tuple) else told or ""
    return str(text).strip().partition("\n")[0]


def in_session(targets: list[str], serve: Callable[[Session], None]) -> Session:
    """Collect targets with pytest, and process them while its session lasts."""
    try:
        import pytest
    except ModuleNotFoundError:
        raise CampaignProblem(
            "files, folders and node ids are collected by pytest, which is not installed here: pip install pytest, or name "
            "the tests as package.module:NAME"
        ) from None
    session = Session(serve)
    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", "--capture=no"]
    if find_spec("xdist") is not None:
        options.append("-n0")
    if find_spec("hypothesis") is not None:
        options.append("--everycase-adopt")
    code = pytest.main([*options, *targets], plugins=[session])
    if session.failure is not None:
        raise session.failure
    if code == pytest.ExitCode.USAGE_ERROR and not session.items:
        missing = [target for target in targets if not Path(target.partition("::")[0]).exists()]
        what = f"there is no file {missing[0]!r}" if missing else f"pytest does not find {' '.join(targets)}"
        raise CampaignProblem(
            f"{what}; name tests, files or folders as pytest takes them, or package.module:NAME"
        )
    return session


def is_property(item: Any) -> bool:
    """Whether a pytest test is one of our properties: under ``given``, adopted, or a state machine."""
    function = getattr(item, "function", None)
    return hasattr(function, PROPERTY) or hasattr(function, MACHINE_TEST)


def found_by(session: Session) -> list[FoundProperty]:
    """The properties among the tests of a session."""
    conftest = (
        any(
            str(getattr(plugin, "__file__", "")).endswith("conftest.py")
            for plugin in next(iter(session.items.values())).config.pluginmanager.get_plugins()
        )
        if session.items
        else False
    )
    return [
        FoundProperty(nodeid, {"nodeid": nodeid} if conftest else _way(item), item)
        for nodeid, item in session.items.items()
        if is_property(item)
    ]


def _way(item: Any) -> dict[str, Any]:
    """How other processes find a test: by its name if it needs nothing of pytest, else by its node id."""
    function: Any = item.function
    module: Any = item.module
    home = str(module.__name__)
    needs_pytest = (
        set(item.fixturenames) - STATELESS
        or hasattr(item, "callspec")
        or not hasattr(function, PROPERTY)
        or getattr(function, "everycase_adopted", False)
        or inspect.iscoroutinefunction(function)
        or (item.cls is not None and issubclass(item.cls, unittest.TestCase))
        or any(item.iter_markers())
        or sys.modules.get(home) is not module
        or find_spec(home) is None
    )
    name = item.name if item.cls is None else f"{item.cls.__qualname__}.{item.name}"
    try:
        reached = not needs_pytest and hasattr(find(home, name)[0], PROPERTY)
    except Exception:
        reached = False
    return {"module": home, "name": name} if reached else {"nodeid": item.nodeid}
