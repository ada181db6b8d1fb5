"""The starter of a campaign: hands out leases, records the results, and keeps all of its state in the log.

It may be killed at any moment and started again with the same command. It only holds the leases that are
being tested; those are tested again.
"""

from __future__ import annotations

import queue
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from everycase.campaign.executors import Workers
from everycase.campaign.lease import Lease, Todo
from everycase.campaign.log import Writer, number_in, number_out
from everycase.campaign.report import CampaignReport, report_of, todo_for
from everycase.campaign.state import CampaignState, place_of
from everycase.campaign.worker import perform
from everycase.errors import CampaignProblem
from everycase.run.leases import IN_FLIGHT

#: When the time is up, running leases end after the test that is running. They get half of ``max_seconds`` for it, but
#: not less than the first nor more than the second of these times, in seconds.
SHORT_GRACE, GRACE = 0.5, 4.0
#: Clocks of machines that differ by more than this (seconds) do not agree.
SKEW = 2.0
#: Seconds between two calls of the watcher.
BEAT = 0.5
#: How often confirming a failure is tried if its process dies.
MOST_CONFIRMING = 3

#: How often a lease may be lost before it begins, or with its worker.
MOST_LOSSES = 50
#: After this number of deadly inputs the property is given up.
MOST_DEADLY = 10
TOO_DEADLY = f"at least {MOST_DEADLY} inputs have killed their process, so the rest was not tested"

#: Gets the current report, now and then.
Watcher = Callable[[CampaignReport], None]

#: The exceptions of executors when the worker of a future has died.
WORKER_IS_GONE = ("KilledWorker", "BrokenProcessPool", "CommClosedError")


def raised_in_dask(problem: BaseException) -> bool:
    """Whether Dask itself failed while it handed over a result. This happens if the worker that held the
    result dies at that moment: the data that Dask unpacks is not what it expects."""
    innermost = problem.__traceback__
    while innermost is not None and innermost.tb_next is not None:
        innermost = innermost.tb_next
    name: str = "" if innermost is None else innermost.tb_frame.f_globals.get("__name__", "")
    return name.partition(".")[0] == "distributed"


class Starter:
    """One run of a campaign."""

    def __init__(
        self,
        folder: Path,
        about: dict[str, Any],
        state: CampaignState,
        setup: dict[str, Any],
        planned: dict[str, Any],
        run: dict[str, Any],
        *,
        limit: float | None,
        share: tuple[int, int] = (0, 1),
        watcher: Watcher | None = None,
    ) -> None:
        self.folder, self.about, self.state, self.setup = folder, about, state, setup
        self.limit = limit
        self.watcher = watcher
        self.writer = Writer(folder)
        self.results: queue.SimpleQueue[tuple[Lease, Future[Any]]] = queue.SimpleQueue()
        self.out: dict[Future[Any], Lease] = {}
        self.confirming: dict[tuple[str, str], int] = {}
        self.stopping: float | None = None
        self.grace = GRACE
        #: when leases have to end, by the clock that all processes share
        self.lease_end: float | None = None
        self.todos: dict[str, Todo] = {}
        self.turns: deque[Todo] = deque()
        self.booked = 0
        self.submitted = 0
        self._begin(planned, run, share)

    def _begin(self, planned: dict[str, Any], run: dict[str, Any], share: tuple[int, int]) -> None:
        """Log the work to be done, and find out what is left of it."""
        now = time.time()
        properties = planned["properties"]
        begun = {
            "kind": "run",
            "id": self.setup["run"],
            "time": now,
            "properties": [each["name"] for each in properties],
            "problems": planned["problems"],
            **run,
        }
        lines = [begun]
        self.state.run = self.state.runs[begun["id"]] = begun
        for plan in properties:
            progress = self.state.of(plan["name"], plan["fingerprint"])
            known = {
                key: value
                for key, value in progress.plan.items()
                if key not in ("v", "kind", "property", "time")
            }
            if known != plan or self.state.newest(plan["name"]) is not progress:
                progress.plan = {"kind": "plan", "property": plan["name"], "time": now, **plan}
                lines.append(progress.plan)
            todo = todo_for(progress, self.state, share)
            self.todos[plan["name"]] = todo
            if len(progress.died) >= MOST_DEADLY:
                lines += self._problem(todo, TOO_DEADLY)
            else:
                self.turns.append(todo)
        self.writer.write(*lines)

    # --- the loop ---------------------------------------------------------------------------------------

    def run(self, workers: Workers, max_seconds: float | None) -> None:
        """Run until everything is tested, the time is up, or the user interrupts."""
        end = None if max_seconds is None else time.monotonic() + max_seconds
        if max_seconds is not None:
            self.grace = min(GRACE, max(SHORT_GRACE, max_seconds / 2))
            self.lease_end = time.time() + max_seconds
        beat = 0.0
        try:
            while True:
                try:
                    now = time.monotonic()
                    if end is not None and now > end and self.stopping is None:
                        self._stop()
                    if self.stopping is None:
                        self._hand_out(workers)
                    if not self.out or (self.stopping is not None and now > self.stopping):
                        break
                    if self.watcher is not None and now > beat:
                        self.watcher(self.report())
                        beat = now + BEAT
                    self._take(0.1 if end is None else min(0.1, max(0.01, end - now)))
                except KeyboardInterrupt:
                    if self.stopping is not None:
                        break  # for the second time
                    self._stop()
        finally:
            self.writer.close()
        if self.watcher is not None:
            self.watcher(self.report())

    def report(self) -> CampaignReport:
        return report_of(self.state, self.about, self.folder)

    def _stop(self) -> None:
        """Hand out no more leases, and let the running ones end."""
        self.stopping = time.monotonic() + self.grace
        for future in list(self.out):
            if future.cancel():
                self.out.pop(future, None)

    def _hand_out(self, workers: Workers) -> None:
        count = workers.count
        idle = 0
        while len(self.out) < IN_FLIGHT * count and idle < len(self.turns):
            todo = self.turns[0]
            self.turns.rotate(-1)
            lease = todo.next(count)
            if lease is None:
                idle += 1
                continue
            idle = 0
            self._submit(workers.executor, todo, lease)

    def _submit(self, executor: Executor, todo: Todo, lease: Lease) -> None:
        request = lease.request(todo.plan, [_where(line) for line in todo.progress.died.values()])
        request["limit"] = self.limit
        request["end"] = self.lease_end
        self.submitted += 1
        request["attempt"] = self.submitted  # an executor that caches equal calls must not give an old answer
        try:
            future = executor.submit(perform, self.setup, request)
        except RuntimeError as problem:
            raise CampaignProblem(
                f"the executor accepts no work ({problem}); run the same command again with live workers"
            ) from None
        todo.out += 1
        self.out[future] = lease
        future.add_done_callback(lambda done: self.results.put((lease, done)))

    def _take(self, seconds: float) -> None:
        """Record finished leases."""
        try:
            found = [self.results.get(timeout=seconds)]
        except queue.Empty:
            return
        while not self.results.empty():
            found.append(self.results.get())
        lines: list[dict[str, Any]] = []
        for lease, future in found:
            if self.out.pop(future, None) is None:
                continue
            todo = self.todos[lease.property]
            todo.out -= 1
            lines += self._booked(todo, lease, self._result(future))
        if lines:
            self.writer.write(*lines)

    def _result(self, future: Future[Any]) -> dict[str, Any]:
        try:
            result: dict[str, Any] = future.result()
            return result
        except (CancelledError, OSError, EOFError) as problem:
            return {"lost": f"its worker is gone ({type(problem).__name__})", "code": None}
        except ImportError as problem:
            raise CampaignProblem(
                f"a worker cannot import everycase ({problem}); install the same version on every worker"
            ) from None
        except Exception as problem:
            if type(problem).__name__ in WORKER_IS_GONE or raised_in_dask(problem):
                return {"lost": f"its worker is gone ({type(problem).__name__})", "code": None}
            raise

    # --- booking ----------------------------------------------------------------------------------------

    def _booked(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> list[dict[str, Any]]:
        """Record a result: the lines for the log."""
        if "lost" in result:
            return self._lost(todo, lease, result)
        if "error" in result or "skipped" in result or "problem" in result:
            return self._problem(
                todo, result.get("error") or result.get("problem") or f"skipped: {result['skipped']}"
            )
        if lease.technique == "confirm":
            return self._confirmed(todo, lease, result)
        if lease.technique == "reduce":
            return self._reduced(todo, lease, result)
        length, visited = lease.stop - lease.start, result["visited"]
        stopped = bool(result.pop("stopped", False))
        lines = self._stopped(todo, lease, result) if stopped else []
        if stopped and not visited:
            return lines
        if not stopped and visited != length and result.get("ended") is None:
            if lease.deaths:
                return self._problem(
                    todo,
                    f"twice a worker reached only {visited:,} of {length:,} cases from {lease.start:,} on; "
                    "the generators make different "
                    "values each time",
                )
            todo.again(
                [Lease(lease.property, lease.technique, lease.start, lease.stop, deaths=1, more=lease.more)]
            )
            return []
        if visited == 0 and not stopped:  # the sequence of cases ended before this lease
            todo.progress.end(lease.technique, number_in(result["ended"]))
            return []
        told = {key: value for key, value in result.items() if value not in ({}, [], None) or key == "elites"}
        line = self._line(todo, lease, visited, told)
        if not todo.progress.can_book(line):
            return lines
        todo.progress.book(line)
        self.booked += 1
        if lease.technique == todo.technique:
            todo.lease_size.measured(visited, result["seconds"])
        todo.learn()
        self._confirm_some(todo)
        return [*lines, line]

    def _stopped(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> list[dict[str, Any]]:
        """A lease has ended because the time is up: what it has tested of a place that is booked only as a whole."""
        if self.stopping is None:
            if self.lease_end is not None and time.time() < self.lease_end - SKEW:
                self.lease_end = None  # the worker's clock differs from ours
            start = lease.start + result["visited"]
            todo.again([replace(lease, start=start)] if start < lease.stop else [])
        partial = result.pop("partial", None)
        if partial is None:
            return []
        place = number_in(partial["from"])
        told = {key: value for key, value in partial.items() if value not in ({}, [], None)}
        told["worker"] = result["worker"]
        told |= {key: result[key] for key in ("cpu", "seconds") if not result["visited"]}
        line = self._line(todo, replace(lease, start=place), 1, told) | {"kind": "partial"}
        todo.progress.begin(line)
        return [line]

    def _line(self, todo: Todo, lease: Lease, visited: int, told: dict[str, Any]) -> dict[str, Any]:
        """A finished lease, as the log keeps it."""
        return {
            "kind": "lease",
            "property": lease.property,
            "fingerprint": todo.progress.fingerprint,
            "technique": lease.technique,
            "from": number_out(lease.start),
            "to": number_out(lease.start + visited),
            "time": round(time.time(), 3),
            **told,
        }

    def _problem(self, todo: Todo, words: str) -> list[dict[str, Any]]:
        """The property cannot be tested: the others continue."""
        progress = todo.progress
        if todo in self.turns:
            self.turns.remove(todo)
        if words in self.state.problems(progress):
            return []
        progress.give_up(words, self.setup["run"])
        return [
            {
                "kind": "problem",
                "property": progress.name,
                "fingerprint": progress.fingerprint,
                "words": words,
                "run": self.setup["run"],
            }
        ]

    def _lost(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> list[dict[str, Any]]:
        """A lease was lost: test it again, with marks. An input is blamed only if it did this alone, again
        and again."""
        if self.stopping is not None and time.monotonic() > self.stopping:
            return []  # ended by ourselves
        todo.lease_size.lost()
        lost: dict[str, Any] = {
            "kind": "lost",
            "id": uuid.uuid4().hex[:12],
            "time": time.time(),
            "why": result["lost"],
        }
        self.state.lost[lost["id"]] = lost
        lines: list[dict[str, Any]] = [lost]
        if lease.technique == "confirm":
            return [*lines, *self._lost_confirming(todo, lease)]
        if lease.technique == "reduce":  # the input stays as it is
            return lines
        if not result.get("begun"):
            if lease.losses >= MOST_LOSSES:
                return [
                    *lines,
                    *self._problem(
                        todo, f"a lease was lost {MOST_LOSSES} times before it began ({result['lost']})"
                    ),
                ]
            todo.again([replace(lease, losses=lease.losses + 1)])
            return lines
        at = result.get("at")
        leases = lease.after_loss(None if at is None else (int(at[0]), at[1]))
        if len(leases) == 1 and leases[0].is_deadly(
            by_kill=result.get("code") in (None, -9) and not result.get("limit")
        ):
            died = self._died(todo, leases[0], result)
            todo.progress.die(died)
            lines.append(died)
            self._reduce_deadly(todo)
            if len(todo.progress.died) >= MOST_DEADLY:
                return [*lines, *self._problem(todo, TOO_DEADLY)]
            if leases[0].suspect is None or lease.technique not in ("numbers", "cases"):
                # A run ends with its first failure. (Without a suspect it is not known what it was doing.)
                line = self._line(todo, lease, lease.stop - lease.start, _untold(lease, leases[0]))
                todo.progress.book(line)
                return [*lines, line]
            leases = [
                Lease(lease.property, lease.technique, lease.start, lease.stop, careful=True, more=lease.more)
            ]
        todo.again(leases)
        return lines

    def _died(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> dict[str, Any]:
        what = result.get("input") or {}
        place, test = lease.suspect or (lease.start, 0)
        return {
            "kind": "died",
            "property": lease.property,
            "fingerprint": todo.progress.fingerprint,
            "place": number_out(place),
            "test": test,
            "origin": f"died: {result['lost']}",
            "error": f"the process died: {result['lost']}",
            "code": None if result.get("limit") else result.get("code"),
            "input": what.get("input", ""),
            "index": what.get("index"),
            "blob": what.get("blob"),
        }

    def _reduce_deadly(self, todo: Todo) -> None:
        """Request shrinking of inputs that kill their process, one of each kind."""
        progress = todo.progress
        known = {line["origin"] for line in progress.died.values() if line.get("shrunk")}
        for died in progress.died.values():
            key = (progress.name, died["origin"])
            if died["origin"] in known or key in self.confirming:
                continue
            if died["blob"] is not None and died.get("code") is not None:
                self.confirming[key] = 0
                todo.again([Lease(progress.name, "reduce", 0, 1, more=died)])

    def _reduced(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> list[dict[str, Any]]:
        """Record the shrunk deadly input, or the original one if there is none."""
        shrunk = result.get("shrunk") or {}
        line = {**lease.more, "shrunk": True}
        line |= {key: shrunk[key] for key in ("input", "blob") if shrunk.get(key)}
        todo.progress.die(line)
        return [line]

    # --- confirming ---------------------------------------------------------------------------------------

    def _confirm_some(self, todo: Todo) -> None:
        """Request confirmation and shrinking of new failures; when all is tested, the first of each kind."""
        progress = todo.progress
        for origin, failure in progress.failures.items():
            key = (progress.name, origin)
            confirmed = progress.confirmed.get(origin)
            if failure["blob"] is None or failure["flaky"] or key in self.confirming:
                continue
            if confirmed is None or (todo.finished and place_of(confirmed) != place_of(failure)):
                self.confirming[key] = 0
                more = {
                    "blob": failure["blob"],
                    "origin": origin,
                    "place": failure["place"],
                    "test": failure["test"],
                }
                more["index"] = failure["index"]
                todo.again([Lease(progress.name, "confirm", 0, 1, more=more)])

    def _confirmed(self, todo: Todo, lease: Lease, result: dict[str, Any]) -> list[dict[str, Any]]:
        origin = lease.more["origin"]
        found = next((each for each in result["failures"] if each["origin"] == origin), None)
        before = todo.progress.failures[origin]
        told = found or before
        line = {
            "kind": "confirmed",
            "property": lease.property,
            "fingerprint": todo.progress.fingerprint,
            "origin": origin,
            "place": lease.more["place"],
            "test": lease.more["test"],
            "index": lease.more["index"],
            "input": told["input"],
            "error": told["error"],
            "blob": told["blob"],
            "flaky": (found is None and not result.get("unmade")) or bool(found and found["flaky"]),
            "unmade": bool(result.get("unmade")),
        }
        todo.progress.confirm(line)
        self.confirming.pop((lease.property, origin), None)
        self._confirm_some(todo)
        return [line]

    def _lost_confirming(self, todo: Todo, lease: Lease) -> list[dict[str, Any]]:
        """The process died while a failure was being shrunk: the failure stays as it is."""
        key = (lease.property, lease.more["origin"])
        self.confirming[key] = self.confirming.get(key, 0) + 1
        if self.confirming[key] < MOST_CONFIRMING:
            todo.again([lease])
            return []
        return self._confirmed(todo, lease, {"failures": [todo.progress.failures[lease.more["origin"]]]})

    def confirm_left(self) -> None:
        """The failures that an earlier run has found but not confirmed."""
        for todo in self.todos.values():
            self._confirm_some(todo)
            self._reduce_deadly(todo)


def _untold(lease: Lease, deadly: Lease) -> dict[str, Any]:
    """The log entry of a lease of which little is known except that it kills its process."""
    told: dict[str, Any] = {} if deadly.suspect is None else {"tests": deadly.suspect[1] + 1}
    if lease.technique == "islands":
        told |= {"island": lease.more["island"], "round": lease.more["round"], "elites": []}
    return told


def _where(died: dict[str, Any]) -> tuple[int, int]:
    return number_in(died["place"]), died["test"]
