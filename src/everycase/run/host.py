"""The host: the program that runs the tests, such as pytest, as the runs inside it see it.

A host adds a layer of settings, says where failures are remembered, gives every test case its own fixtures
and receives the reports. The default host adds nothing. The current host is in a context variable, which is
set once per session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from everycase.run.fixtures import CaseFixtures
    from everycase.run.property import Property
    from everycase.run.report import Report
    from everycase.run.settings import Resolved


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

    def key(self, prop: Property, given: Mapping[str, Any]) -> str:
        """The key under which failures of this property are remembered: its name, in the class of the
        instance that it is called on, which may have inherited it. ``given`` are the arguments that are not
        generated."""
        return prop.name_in(type(next(iter(given.values()), None)))

    def case_fixtures(self, prop: Property, given: MutableMapping[str, Any]) -> CaseFixtures | None:
        """What to renew for every test case of a decorated test. Renewing may replace arguments in ``given``."""
        return None

    def progress(self, prop: Property, options: Resolved) -> Callable[..., None] | None:
        """A function that an outermost run calls with its current report, to show the progress; None if it is
        not shown."""
        return None

    def before_shown(self) -> None:
        """Called before the last run of an input that will be reported, because only its output is of
        interest."""

    def learn(self, prop: Property, report: Report) -> None:
        """Called with the report of each decorated test."""


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
