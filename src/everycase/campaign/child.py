"""The process that runs tests: ``python -m everycase.campaign.child``.

It reads requests from its standard input and answers on its standard output, one JSON line each; the output
of tests is dropped. It ends when its input ends, which happens when the process that started it ends, for
whatever reason.
"""

from __future__ import annotations

import faulthandler
import io
import json
import math
import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from everycase.campaign.targets import (
    Session,
    Skipped,
    by_import,
    found_by,
    in_session,
    run_by_name,
    skip_reason,
)
from everycase.campaign.techniques import Work, plan_for
from everycase.choices.time_limit import OutOfTime, until
from everycase.errors import CampaignProblem, EverycaseError
from everycase.run.render import error_text
from everycase.run.report import Report, ReportStatus
from everycase.run.runner import Runner
from everycase.run.timetable import PLANNED, PLANNED_AT_MOST

#: A process without requests ends after this many seconds.
IDLE = 10.0
#: The exit code of Python after ctrl-C, as shells have it.
INTERRUPTED = 130
#: Seconds for tearing down fixtures.
PARTING = 5.0


class Pipe:
    """Both directions of the pipe to the process that started this one."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        self._in = os.fdopen(os.dup(0), "r", encoding="utf-8")
        os.dup2(nowhere, 0)
        sys.stdout = io.TextIOWrapper(io.FileIO(os.dup(nowhere), "w"), write_through=True)
        self._requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._busy = True
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for text in self._in:
            self._requests.put(json.loads(text))
        # The parent is gone, so no answer will be read. An idle process still tears down its fixtures.
        if not self._busy:
            self._requests.put(None)
            time.sleep(PARTING)
        os._exit(0)

    def next(self) -> Any:
        """The next request; None if none came for long, or none will come."""
        self._busy = False
        try:
            return self._requests.get(timeout=IDLE)
        except queue.Empty:
            return None
        finally:
            self._busy = True

    def answer(self, data: dict[str, Any]) -> None:
        self._out.write(json.dumps(data) + "\n")
        self._out.flush()


class PlanningClock:
    """The time for planning all properties of a campaign with ``max_seconds``."""

    def __init__(self, seconds: float | None, count: int) -> None:
        self.seconds, self.count = seconds, max(1, count)
        self.used = 0.0

    @contextmanager
    def limiting(self, runner: Runner) -> Iterator[None]:
        """Planning one property: it gets what the others have left, and at least an equal share."""
        if self.seconds is None:
            yield
            return
        began = time.perf_counter()
        counting = runner.space.counting
        counting.soon, last = (
            max(share * self.seconds - self.used, share * self.seconds / self.count)
            for share in (PLANNED, PLANNED_AT_MOST)
        )
        counting.last = last
        try:
            # Without the default explorer, there is no other way than to count.
            with until(began + last if runner.options.explore is not None else math.inf):
                yield
        finally:
            self.used += time.perf_counter() - began


class Server:
    """Serves one campaign: plans its properties, and tests leases."""

    def __init__(self, pipe: Pipe, setup: dict[str, Any]) -> None:
        self.pipe = pipe
        self.setup = setup
        self.work = Work()
        self.session: Session | None = None

    def serve(self) -> None:
        """Answer requests until there are none."""
        pending = self.pipe.next()
        while pending is not None:
            if self._needs_session(pending) and self.session is None:
                # A session lasts as long as there are requests, because pytest calls back.
                first = pending

                def within(session: Session, first: Any = first) -> None:
                    self.session = session
                    self._answer(first)
                    while (request := self.pipe.next()) is not None:
                        self._answer(request)

                in_session(self.setup["targets"]["pytest"], within)
                return
            self._answer(pending)
            pending = self.pipe.next()

    def _needs_session(self, request: dict[str, Any]) -> bool:
        if request["do"] == "plan":
            return bool(self.setup["targets"]["pytest"])
        return "nodeid" in request["way"]

    def _answer(self, request: dict[str, Any]) -> None:
        try:
            if request["do"] == "plan":
                answer = self._plan(request)
            else:
                answer = self._test(request)
        except Skipped as why:
            answer = {"skipped": str(why)}
        except EverycaseError as problem:
            answer = {"error": str(problem)}
        except BaseException as problem:
            reason = skip_reason(problem)
            if reason is None and not isinstance(problem, Exception):
                raise
            answer = {"error": error_text(problem)} if reason is None else {"skipped": reason}
        self.pipe.answer(answer)

    # --- planning ---------------------------------------------------------------------------------------

    def _plan(self, request: dict[str, Any]) -> dict[str, Any]:
        found = [by_import(target) for target in self.setup["targets"]["import"]]
        problems: list[str] = []
        if self.session is not None:
            found += found_by(self.session)
            problems += self.session.problems
        properties = []
        clock = PlanningClock(request.get("seconds"), len(found))
        for each in found:
            try:
                conducted = self._reach(each.way)
                prop, call, options, prepare, given = conducted
                runner = Runner(prop, call, options, None, prepare, given)
                with clock.limiting(runner):
                    plan = plan_for(runner, self.setup["seed"], request["known"].get(each.name, ()))
                properties.append({"name": each.name, "way": each.way, **plan})
            except Skipped:
                continue
            except OutOfTime:
                problems.append(
                    f"{each.name}: counting its values took more than {PLANNED_AT_MOST:.0%} of max_seconds; give it more time"
                )
            except Exception as problem:
                problems.append(
                    f"{each.name}: {problem if isinstance(problem, EverycaseError) else error_text(problem)}"
                )
        return {"properties": properties, "problems": problems, "path": sys.path, "seconds": clock.used}

    def _reach(self, way: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments for the run of a property."""
        reached: list[tuple[Any, ...]] = []

        def conduct(*conducted: Any) -> Report:
            reached.append(conducted)
            return Report(conducted[0].name, ReportStatus.passed, 0, "")

        self._run(way, conduct)
        if not reached:
            raise self._not_run()
        return reached[0]

    # --- testing ----------------------------------------------------------------------------------------

    def _test(self, request: dict[str, Any]) -> dict[str, Any]:
        results: list[dict[str, Any]] = []
        raised: list[BaseException] = []

        def conduct(*conducted: Any) -> Report:
            # A test may run its property several times, or several properties; the first is the planned one.
            if not results and not raised:
                self.pipe.answer({"begun": True})
                try:
                    results.append(timed(lambda: self.work.test(request, conducted), request.get("limit")))
                except Exception as problem:
                    raised.append(problem)
            return Report(conducted[0].name, ReportStatus.passed, 0, "")

        self._run(request["way"], conduct)
        if raised:
            raise raised[0]
        if not results:
            raise self._not_run()
        return results[0]

    def _not_run(self) -> CampaignProblem:
        why = self.session.failed if self.session is not None else ""
        return CampaignProblem(f"the test ran, but its property did not{why and f': {why}'}")

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


def _limit_memory(megabytes: int | None) -> None:
    """Limit the memory of this process, if the system can."""
    if megabytes is None:
        return
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def worker_name() -> str:
    """This process, as a log names it."""
    return f"{socket.gethostname().split('.')[0]}:{os.getpid()}"


def timed(work: Callable[[], dict[str, Any]], limit: float | None) -> dict[str, Any]:
    """The result of some work, with its cost. A process that cannot be interrupted (for example in a loop of
    a C function) after its starter is gone ends some time after the limit."""
    if limit is not None:
        faulthandler.dump_traceback_later(limit + 30, exit=True, file=2)
    cpu, clock = time.process_time(), time.perf_counter()
    try:
        result = work()
    finally:
        faulthandler.cancel_dump_traceback_later()
    return {
        **result,
        "cpu": round(time.process_time() - cpu, 4),
        "seconds": round(time.perf_counter() - clock, 4),
        "worker": worker_name(),
    }


def main() -> None:
    pipe = Pipe()
    setup = pipe.next()
    if setup is None:
        return
    sys.path[:] = list(dict.fromkeys([*setup["path"], *sys.path]))
    _limit_memory(setup.get("max_memory"))

    code = 0
    try:
        Server(pipe, setup).serve()
    except EverycaseError as problem:
        pipe.answer({"error": str(problem)})
    except BaseException as problem:  # a test that raises an exception meant to end Python
        code = INTERRUPTED if isinstance(problem, KeyboardInterrupt) else 1
    finally:
        with suppress(OSError):  # the reader may be gone
            pipe._out.flush()
        os._exit(code)  # threads left behind by tests must not keep it alive


if __name__ == "__main__":
    main()
