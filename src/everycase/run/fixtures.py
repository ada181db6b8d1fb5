"""Per-case fixtures: set up for every test case, so that none sees leftovers of another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, MutableMapping
from contextlib import suppress
from typing import Any

from everycase.run.host import current_host
from everycase.run.property import Property


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


def case_fixtures_of(prop: Property, given: MutableMapping[str, Any]) -> CaseFixtures | None:
    """What to renew for each test case of a decorated test that was called with the arguments ``given``."""
    first = next(iter(given.values()), None)
    unittest = sys.modules.get("unittest.case")
    if unittest is not None and isinstance(first, unittest.TestCase):
        return _of_test_case(first, given)
    return current_host().case_fixtures(prop, given)


def _of_test_case(case: Any, given: Collection[str]) -> CaseFixtures | None:
    """``setUp``, ``tearDown`` and cleanups of a ``unittest.TestCase``."""
    if hasattr(case, "asyncSetUp"):
        # IsolatedAsyncioTestCase sets up in the same context that the test runs in, which cannot be entered
        # twice.
        return None

    def tear_down() -> None:
        case.tearDown()
        case.doCleanups()

    return CaseFixtures(case.setUp, tear_down, matched=True, renewed=set(given))
