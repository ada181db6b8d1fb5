"""Answering the requests of a campaign, in the process that runs the tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from everycase.campaign.child import timed
from everycase.campaign.parts import Work, plan_for
from everycase.campaign.targets import Found, Session, Skipped, by_import, found_by, in_session, run_by_name
from everycase.errors import CampaignProblem, EverycaseError
from everycase.run.render import error_text
from everycase.run.report import Report, ReportStatus
from everycase.run.runner import Runner

if TYPE_CHECKING:
    from everycase.campaign.child import Line


class Server:
    """Serves one campaign: plans its properties, and tests leases."""

    def __init__(self, line: Line, setup: dict[str, Any]) -> None:
        self.line = line
        self.setup = setup
        self.work = Work()
        self.session: Session | None = None

    def serve(self) -> None:
        """Answer requests until there are none."""
        pending = self.line.next()
        while pending is not None:
            if self._needs_session(pending) and self.session is None:
                # A session lasts as long as there are requests: pytest calls back.
                first = pending

                def within(session: Session, first: Any = first) -> None:
                    self.session = session
                    self._answer(first)
                    while (request := self.line.next()) is not None:
                        self._answer(request)

                in_session(self.setup["targets"]["pytest"], within)
                return
            self._answer(pending)
            pending = self.line.next()

    def _needs_session(self, request: dict[str, Any]) -> bool:
        if request["do"] == "plan":
            return bool(self.setup["targets"]["pytest"])
        return "nodeid" in request["way"]

    def _answer(self, request: dict[str, Any]) -> None:
        try:
            if request["do"] == "plan":
                answer = self._plan()
            else:
                answer = self._test(request)
        except Skipped as why:
            answer = {"skipped": str(why)}
        except EverycaseError as problem:
            answer = {"error": str(problem)}
        except Exception as problem:
            answer = {"error": error_text(problem)}
        self.line.answer(answer)

    # --- planning ---------------------------------------------------------------------------------------

    def _plan(self) -> dict[str, Any]:
        found = [by_import(target) for target in self.setup["targets"]["import"]]
        problems: list[str] = []
        if self.session is not None:
            found += found_by(self.session)
            problems += self.session.problems
        properties = []
        for each in found:
            try:
                conducted = self._reach(each.way)
                prop, call, options, prepare, given = conducted
                runner = Runner(prop, call, options, None, prepare, given)
                properties.append(
                    {"name": each.name, "way": each.way, **plan_for(runner, self.setup["seed"])}
                )
            except Skipped:
                continue
            except Exception as problem:
                problems.append(
                    f"{each.name}: {problem if isinstance(problem, EverycaseError) else error_text(problem)}"
                )
        return {"properties": properties, "problems": problems, "path": sys.path}

    def _reach(self, way: dict[str, Any]) -> tuple[Any, ...]:
        """What the run of a property is given."""
        reached: list[tuple[Any, ...]] = []

        def conduct(*conducted: Any) -> Report:
            reached.append(conducted)
            return Report(conducted[0].name, ReportStatus.passed, 0, "")

        self._run(way, conduct)
        if not reached:
            raise CampaignProblem("its property was not run when the test was")
        return reached[0]

    # --- testing ----------------------------------------------------------------------------------------

    def _test(self, request: dict[str, Any]) -> dict[str, Any]:
        results: list[dict[str, Any]] = []
        raised: list[BaseException] = []

        def conduct(*conducted: Any) -> Report:
            # A test may run its property several times, or several properties; the first is the one that was planned.
            if not results and not raised:
                self.line.answer({"begun": True})
                try:
                    results.append(timed(lambda: self.work.test(request, conducted), request.get("limit")))
                except Exception as problem:
                    raised.append(problem)
            return Report(conducted[0].name, ReportStatus.passed, 0, "")

        self._run(request["way"], conduct)
        if raised:
            raise raised[0]
        if not results:
            raise CampaignProblem("its property was not run when the test was")
        return results[0]

    def _run(self, way: dict[str, Any], conduct: Any) -> None:
        if "nodeid" not in way:
            try:
                run_by_name(way["module"], way["name"], conduct)
            except ImportError as problem:
                raise CampaignProblem(
                    f"a worker cannot import {way['module']} ({problem}); install the project on every worker, or put its "
                    "folder on their PYTHONPATH"
                ) from None
            return
        assert self.session is not None
        self.session.run_item(way["nodeid"], conduct)


__all__ = ["Found", "Server"]
