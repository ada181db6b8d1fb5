"""The host: the program that runs the tests, such as pytest, as the runs inside it see it.

A host adds a layer of settings, says where failures are remembered, gives every test case its own fixtures
and receives the reports. The default host only renews ``setUp`` and ``tearDown`` of unittest. The current
host is in a context variable, which is set once per session.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from everycase.run.report import Report


class CaseFixtures:
    """Fixtures, ``setUp`` and ``tearDown``: something to set up before each test case and to tear down after it.

    They are already set up when a run starts. After a test case that passed they are torn down at once, so
    that an error in tear-down counts against the test case that caused it. After one that failed they stay
    until the next test case needs new ones, so that the failure that was reported last can be inspected.

    ``matched`` means that whoever set them up first will tear them down at the end, so they must be set up
    then. ``renewed`` are the names of the arguments that may be others for each test case.
    """

    def __init__(
        self,
        set_up: Callable[[], object],
        tear_down: Callable[[], object],
        *,
        matched: bool,
        renewed: Collection[str],
    ) -> None:
        self.renewed = renewed
        self._set_up = set_up
        self._tear_down = tear_down
        self._matched = matched
        self._state = "new"

    def prepare(self) -> None:
        """Called before each test case. An error here is not a failure of the test case; it ends the run."""
        if self._state == "used":
            self._state = "gone"
            with suppress(Exception):  # the failure of the test case is more important
                self._tear_down()
        if self._state == "gone":
            self._renew()

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The test, followed by tearing down if it passes."""

        def within(*args: Any) -> Any:
            self._state = "used"
            result = call(*args)
            self._state = "gone"
            self._tear_down()
            return result

        return within

    def leave(self) -> None:
        """Called when the run is over."""
        if self._matched and self._state == "gone":
            self._renew()

    def _renew(self) -> None:
        self._state = "broken"
        self._set_up()
        self._state = "new"


class HostedProperty(Protocol):
    """What a host needs to know of a property."""

    #: whether the tested object makes it for each run
    is_made_to_run: bool

    @property
    def name(self) -> str:
        """Its name, which says where it is defined."""

    def name_in(self, cls: type) -> str:
        """Its name in a class that may have inherited it."""


class Host:
    """What the program around a run contributes to it."""

    #: settings between the profile in force and those of the test itself
    options: Mapping[str, Any] = {}
    #: the profile in force, if the host has been told one
    profile: str | None = None
    #: the top of the project under test, if the host knows it; failures are remembered there
    directory: Path | None = None

    #: how much of a failure to show: see ``Report.detail``
    detail = 0

    #: whether to count what every property did, for a page
    counts_tests = False

    #: whether test modules are being imported, so that an error in one test must not lose the others of its
    #: module
    collecting = False

    def key(self, prop: HostedProperty, given: Mapping[str, Any]) -> str:
        """The key under which failures of this property are remembered: its name, in the class of the
        instance that it is called on, which may have inherited it. ``given`` are the arguments that are not
        generated."""
        return prop.name_in(type(next(iter(given.values()), None)))

    def case_fixtures(self, prop: HostedProperty, given: MutableMapping[str, Any]) -> CaseFixtures | None:
        """What to renew for every test case of a decorated test. Renewing may replace arguments in ``given``."""
        return fixtures_of_test_case(given)

    def progress(
        self, prop: HostedProperty, seconds: float | None, tests: int | None
    ) -> Callable[..., None] | None:
        """A function that an outermost run calls with its current report, to show the progress; None if it is
        not shown. The run takes this many seconds or tests; both are None if it decides that itself."""
        return None

    def before_shown(self) -> None:
        """Called before the last run of an input that will be reported, because only its output is of
        interest."""

    def learn(self, prop: HostedProperty, report: Report) -> None:
        """Called with the report of each decorated test."""


def is_test_case(given: Mapping[str, Any]) -> bool:
    """Whether a test that was called with these arguments is a method of a ``unittest.TestCase``."""
    unittest = sys.modules.get("unittest.case")
    return unittest is not None and isinstance(next(iter(given.values()), None), unittest.TestCase)


def fixtures_of_test_case(given: Mapping[str, Any]) -> CaseFixtures | None:
    """``setUp``, ``tearDown`` and cleanups, if the test is a method of a ``unittest.TestCase``."""
    case: Any = next(iter(given.values()), None)
    # IsolatedAsyncioTestCase sets up in the same context that the test runs in, which cannot be entered twice.
    if not is_test_case(given) or hasattr(case, "asyncSetUp"):
        return None

    def tear_down() -> None:
        case.tearDown()
        case.doCleanups()

    return CaseFixtures(case.setUp, tear_down, matched=True, renewed=set(given))


_current: ContextVar[Host] = ContextVar("everycase_host", default=Host())  # noqa: B039 (never changed)


#: How the outermost runs are conducted, if not in the ordinary way: takes property, call, settings,
#: preparation and the arguments that are not generated, like the runner, and returns the report.
Conduct = Callable[..., "Report"]

_conduct: ContextVar[Conduct | None] = ContextVar("everycase_conduct", default=None)


def current_conduct() -> Conduct | None:
    return _conduct.get()


@contextmanager
def conducted_by(conduct: Conduct) -> Iterator[None]:
    """Hand the outermost runs to ``conduct``: a campaign tests a part of what the run would."""
    token = _conduct.set(conduct)
    try:
        yield
    finally:
        _conduct.reset(token)


def current_host() -> Host:
    return _current.get()


@contextmanager
def hosted_by(host: Host) -> Iterator[None]:
    """Make ``host`` the current one."""
    token = _current.set(host)
    try:
        yield
    finally:
        _current.reset(token)
