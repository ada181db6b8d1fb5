"""The pytest plugin: options, statistics, helpful errors, and a host for the runs.

It is loaded by every pytest run if everycase is installed, so it imports nothing until a test uses everycase.

PYTEST_DONT_REWRITE (there are no asserts here to be rewritten)
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Generator, Mapping, MutableMapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from everycase.run.host import CaseFixtures, Host, HostedProperty, hosted_by, is_test_case

if TYPE_CHECKING:
    from everycase.report.progress import ProgressLine
    from everycase.run.property import Property
    from everycase.run.report import Report

STATISTICS = pytest.StashKey[list[str]]()
FAILURES = pytest.StashKey[list[BaseException]]()
#: The results of the properties of an item, as data.
RUNS = pytest.StashKey[list[dict[str, Any]]]()

#: A run that takes longer than this (seconds) shows its progress.
PROGRESS_AFTER = 2.0

#: More values than this are too many tests for ``parametrize``.
MOST_PARAMETERS = 10_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("everycase", "everycase: property-based testing")
    group.addoption(
        "--everycase-seed",
        type=int,
        metavar="N",
        help="The seed of every property that does not set its own; the same seed repeats the same run.",
    )
    group.addoption(
        "--everycase-profile",
        metavar="NAME",
        help="The settings profile, as registered with settings.register_profile in conftest.py.",
    )
    group.addoption(
        "--everycase-max-examples",
        type=int,
        metavar="N",
        help="Maximum number of test cases for every property that does not set its own.",
    )
    group.addoption(
        "--everycase-statistics",
        action="store_true",
        help="Show for every property how many tests ran, which events occurred and how large the inputs were.",
    )
    group.addoption(
        "--everycase-observe",
        nargs="?",
        const=True,
        metavar="DIR",
        help="Write one line of JSON for every test case, as Hypothesis does; into .everycase/observed, or into DIR.",
    )
    group.addoption(
        "--everycase-report",
        metavar="FILE.html",
        help="Write an HTML page that shows what every property did.",
    )
    group.addoption(
        "--everycase-gaps",
        action="store_true",
        help="After the run, report which valid values the composites of the properties can never make.",
    )

    group.addoption(
        "--everycase-adopt",
        action="store_true",
        help="Run tests under hypothesis.given with everycase, without changing them.",
    )


# Last, so that profiles registered by pytest_configure of a conftest.py exist.
@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    host = PytestHost(config)
    config.pluginmanager.register(host, "everycase-host")
    if config.getoption("everycase_gaps"):
        from everycase.bridges.pytest_gaps import GapsReport

        config.pluginmanager.register(GapsReport(), "everycase-gaps")
    if config.getoption("everycase_report"):
        config.pluginmanager.register(PageReport(config.getoption("everycase_report")), "everycase-report")
    if config.getoption("everycase_adopt"):
        from everycase.bridges.hypothesis.adopting import Adoption

        config.pluginmanager.register(Adoption(), "everycase-adoption")
    session = ExitStack()
    session.enter_context(hosted_by(host))
    config.add_cleanup(session.close)


class PytestHost(Host):
    """pytest as the host of runs, and the hooks that need its state."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.directory = config.rootpath
        self.profile = config.getoption("everycase_profile")
        self.statistics: bool = config.getoption("everycase_statistics")
        given = {
            "seed": config.getoption("everycase_seed"),
            "max_examples": config.getoption("everycase_max_examples"),
            "statistics": self.statistics or None,
            "observe": config.getoption("everycase_observe"),
        }
        self.options = {name: value for name, value in given.items() if value is not None}
        if self.options or self.profile is not None:
            _check_options(self.options, self.profile)
        self.detail = max(0, config.get_verbosity())
        self.counts_tests = bool(config.getoption("everycase_report"))
        #: the item that is being run; pytest runs one at a time
        self.item: Any = None
        #: the progress of the current run, on a terminal
        self._line: ProgressLine | None = None
        #: what to show in the terminal summary
        self.shown: list[str] = []

    @property
    def collecting(self) -> bool:  # type: ignore[override]
        return self.item is None

    # --- as a host --------------------------------------------------------------------------------------

    def key(self, prop: HostedProperty, given: Mapping[str, Any]) -> str:
        # A failure with one parameter, or in one class that inherits the test, says nothing about another,
        # and would be forgotten when that one passes.
        name = super().key(prop, given)
        if name == prop.name and _property_of(getattr(self.item, "function", None)) is prop:
            name = f"{self.item.module.__name__}.{self.item.originalname}"  # which may have imported it
        callspec = getattr(self.item, "callspec", None)
        return name if callspec is None else f"{name}[{callspec.id}]"

    def case_fixtures(self, prop: HostedProperty, given: MutableMapping[str, Any]) -> CaseFixtures | None:
        if is_test_case(given):
            return super().case_fixtures(prop, given)
        if _property_of(getattr(self.item, "function", None)) is not prop:
            return None
        from everycase.bridges.pytest_items import case_fixtures

        return case_fixtures(self.item, given)

    def progress(self, prop: HostedProperty, seconds: float | None, tests: int | None) -> ProgressLine | None:
        self._end_progress()
        reporter: Any = self.config.pluginmanager.getplugin("terminalreporter")
        if self.item is None or reporter is None or not self._shows_progress(reporter):
            return None
        from everycase.report.progress import ProgressLine

        # pytest has written the name of the file or test, and will write the result on the same line. The
        # display uses the line below, and then the cursor goes back up.
        terminal = reporter._tw
        self._line = ProgressLine(
            terminal._file,
            seconds,
            tests,
            name=prop.name.rsplit(".", 1)[-1],
            after=PROGRESS_AFTER,
            drawing=self.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled,
            begin="\n",
            end=f"\x1b[1A\x1b[{terminal.width_of_current_line + 1}G",
        )
        return self._line

    def _shows_progress(self, reporter: Any) -> bool:
        """Whether the terminal is free: nothing else writes to it while a test runs."""
        if not reporter.isatty or hasattr(self.config, "workerinput") or self.config.getini("log_cli"):
            return False
        return bool(self.config.getoption("capture", "no") != "no")

    def _end_progress(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    def before_shown(self) -> None:
        # Everything printed and logged so far belongs to inputs that are not reported.
        plugins = self.config.pluginmanager
        capture, logging = plugins.getplugin("capturemanager"), plugins.getplugin("logging-plugin")
        if capture is not None and capture.is_globally_capturing():
            capture.read_global_capture()
        if logging is not None:
            logging.report_handler.reset()

    def learn(self, prop: HostedProperty, report: Report) -> None:
        known = _property_of(getattr(self.item, "function", None))
        if self.item is None or (known is not prop and not (known is None and prop.is_made_to_run)):
            return
        self.item.stash[FAILURES] = [failure.error for failure in report.failures]
        if self.counts_tests:
            self.item.stash.setdefault(RUNS, []).append({**report.to_json(), "name": self.item.nodeid})
        if self.statistics:
            from everycase.run.render import statistics

            lines = self.item.stash.setdefault(STATISTICS, [])
            lines.append(statistics(report).replace(report.name, self.item.nodeid, 1))

    # --- running items ----------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        __tracebackhide__ = True
        self.item = item
        try:
            return (yield)
        finally:
            self.item = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
        __tracebackhide__ = True
        try:
            return (yield from self._call(item))
        finally:
            self._end_progress()

    def _call(self, item: Any) -> Generator[None, Any, Any]:
        __tracebackhide__ = True
        function: Any = getattr(item, "function", None)
        prop = _property_of(function)
        if (
            prop is None
            or not inspect.iscoroutinefunction(function)
            # A decorator above given, or unittest, must run the test in its own way.
            or function.__wrapped__ is not prop.function
            or _is_test_case(item.instance)
        ):
            return (yield)
        from everycase.bridges.pytest_items import runtest_of_coroutine

        item.runtest = runtest_of_coroutine(item, prop)
        try:
            return (yield)
        finally:
            del item.runtest

    # --- reports ----------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.counts_tests and RUNS not in item.stash and _is_property(item) and not report.passed:
            item.stash[RUNS] = [_without_a_run(report)]
            report.everycase_runs = item.stash[RUNS]  # type: ignore[attr-defined]
        if call.when != "call":
            return report
        if STATISTICS in item.stash:
            # Plain data in an attribute of the report is transferred from the workers of pytest-xdist.
            report.everycase_statistics = item.stash[STATISTICS]  # type: ignore[attr-defined]
        if self.counts_tests:
            report.everycase_runs = item.stash.get(RUNS, [])  # type: ignore[attr-defined]
        errors = item.stash.get(FAILURES, [])
        if report.failed and errors and call.excinfo is not None:
            from everycase.bridges.pytest_items import show_failures

            report.longrepr = show_failures(item, report.longrepr, call.excinfo, errors)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.shown += getattr(report, "everycase_statistics", [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.shown:
            terminalreporter.section("everycase statistics")
            for text in self.shown:
                terminalreporter.write_line(text)

    def pytest_report_header(self) -> str | None:
        said = {"profile": self.profile, **self.options, "statistics": None}
        shown = [f"{name} {value}" for name, value in said.items() if value is not None]
        return f"everycase: {', '.join(shown)}" if shown else None

    # --- mistakes ---------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "everycase.gen.base" in sys.modules:
            for mark in metafunc.definition.iter_markers("parametrize"):
                _check_parametrize(metafunc, *mark.args, **mark.kwargs)

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> None:
        if _property_of(fixturedef.func) is not None:
            pytest.fail(
                f"given was applied to the fixture {fixturedef.argname}. A fixture runs once for a test and cannot "
                "be given many values; put the generator into the given of the test that uses it",
                pytrace=False,
            )


def _property_of(function: object) -> Property | None:
    """The property behind a decorated test; None as long as nothing has imported everycase."""
    module = sys.modules.get("everycase.run.property")
    return None if module is None else getattr(function, module.PROPERTY, None)


def _is_property(item: pytest.Item) -> bool:
    """Whether a test is a property or a state machine."""
    function: Any = getattr(item, "function", None)
    module = sys.modules.get("everycase.run.property")
    return module is not None and any(
        hasattr(function, name) for name in (module.PROPERTY, module.MACHINE_TEST)
    )


def _without_a_run(report: pytest.TestReport) -> dict[str, Any]:
    """A property that had no run to tell of, as data for the page: it was skipped, or its arguments, a fixture or a
    generator failed."""
    crash = getattr(report.longrepr, "reprcrash", None)
    why = report.longrepr[2] if isinstance(report.longrepr, tuple) else crash.message if crash else ""
    return {
        "name": report.nodeid,
        "status": "skipped" if report.skipped else "error",
        "verdict": f"nothing was tested: {why or report.longreprtext}".rstrip("."),
        "examples": 0,
        "failures": [],
    }


def _is_test_case(instance: object) -> bool:
    unittest = sys.modules.get("unittest.case")
    return unittest is not None and isinstance(instance, unittest.TestCase)


def _check_options(options: dict[str, Any], profile: str | None) -> None:
    from everycase.errors import InvalidArgument
    from everycase.run.settings import settings

    for name, value in options.items():
        try:
            settings(**{name: value})
        except InvalidArgument as problem:
            raise pytest.UsageError(f"--everycase-{name.replace('_', '-')}: {problem}") from None
    if profile is not None and profile not in settings.profiles:
        raise pytest.UsageError(
            f"--everycase-profile: there is no profile {profile!r}; registered are "
            f"{', '.join(sorted(settings.profiles))}. Register it in the conftest.py of the directory that pytest is "
            f"started with: settings.register_profile({profile!r}, max_examples=...)"
        )


def _check_parametrize(
    metafunc: pytest.Metafunc, argnames: Any = (), argvalues: Any = (), *rest: Any, **options: Any
) -> None:
    from everycase.errors import NotCountable
    from everycase.gen.base import Gen

    names = [name.strip() for name in argnames.split(",")] if isinstance(argnames, str) else list(argnames)
    test = metafunc.function.__name__
    prop = _property_of(metafunc.function)
    for name in names:
        if prop is not None and name in prop.gens:
            pytest.fail(
                f"{test} gets {name!r} from both given and parametrize; remove it from one of them",
                pytrace=False,
            )
    if isinstance(argvalues, Gen):
        try:
            count = argvalues.cardinality
        except NotCountable:
            count = float("inf")
        if count > MOST_PARAMETERS:
            many = "infinitely many values" if count == float("inf") else f"{count:,} values"
            pytest.fail(
                f"parametrize makes a test for each value, but {argvalues!r} has {many}. Use "
                f"@given({names[0]}=...) instead, or parametrize with some of them: {argvalues!r}.sample(10, seed=0)",
                pytrace=False,
            )


class PageReport:
    """``--everycase-report=FILE.html``: collects the results of properties, and writes a page about them at the end.

    Each test report carries the results of its properties as plain data, also from the workers of pytest-xdist. The main
    process writes the page.
    """

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        self.runs: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.runs += getattr(report, "everycase_runs", [])

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(terminalreporter.config, "workerinput"):
            return
        from everycase.pages.runs import report_page

        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(report_page(self.runs, "What the tests did"), encoding="utf-8")
        except OSError as problem:
            terminalreporter.write_line(
                f"everycase: {self.file} could not be written: {problem.strerror}", red=True
            )
            return
        count = "1 property" if len(self.runs) == 1 else f"{len(self.runs):,} properties"
        terminalreporter.write_line(f"everycase: a page about {count} is in {self.file}")
