"""Asynchronous tests: a synchronous run whose test cases are coroutines.

There are three places to run them. Under pytest the plugin runs each test case the way the async plugin at hand would
run a test (see ``pytest_items``). A decorated test that is awaited runs in a thread, and its test cases on
the event loop that is waiting for it (:func:`run_async`). ``check`` starts its own event loop
(:func:`own_loop`).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import functools
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from everycase.errors import InvalidArgument
from everycase.run.context import current, resumed
from everycase.run.host import current_host
from everycase.run.property import Property
from everycase.run.raising import conclude
from everycase.run.report import Report
from everycase.run.runner import run

Test = Callable[..., Awaitable[Any]]


async def run_async(prop: Property, given: Mapping[str, Any]) -> None:
    """Run a decorated coroutine function on the running event loop, of asyncio or trio."""
    __tracebackhide__ = True
    test = prop.caller(given)
    start = functools.partial(run, given=given)
    report = await (_on_trio(prop, test, start) if _in_trio() else _Asyncio(prop, test, start).run())
    current_host().learn(prop, report)
    conclude(report, prop.function)


@contextmanager
def own_loop(test: Test) -> Iterator[Callable[..., Any]]:
    """The test as a plain function that runs on an event loop made for this purpose.

    >>> async def double(n):
    ...     return 2 * n
    >>> with own_loop(double) as call:
    ...     call(21)
    42
    """
    if _running_loop() is not None:
        raise InvalidArgument(
            "check was called inside a running event loop, which cannot wait for it; put the test under "
            "@given and await it"
        )
    with asyncio.Runner() as runner:

        async def run_one(args: tuple[Any, ...]) -> Any:
            return await test(*args)

        yield lambda *args: runner.run(run_one(args), context=contextvars.copy_context())


class Result:
    """The outcome of a test case on an event loop, kept for the run that waits in another thread.

    An exception is kept rather than raised, so that neither the loop nor a plugin around it gets to see it.
    """

    def __init__(self) -> None:
        self.started = False
        self._value: Any = None
        self._error: BaseException | None = None

    async def keep(self, test: Test, args: tuple[Any, ...], kept: tuple[type[BaseException], ...]) -> None:
        self.started = True
        try:
            self._value = await test(*args)
        except kept as error:
            self._error = error

    def get(self) -> Any:
        """The value that the test returned, or the exception that it raised."""
        __tracebackhide__ = True
        if self._error is not None:
            raise self._error
        return self._value


class _Stopped(BaseException):
    """The coroutine that waits for the run was cancelled. No test fails with this."""


class _Asyncio:
    """A run in a thread whose test cases are tasks of the running loop."""

    def __init__(self, prop: Property, test: Test, start: Callable[..., Report]) -> None:
        self._prop = prop
        self._start = start
        self._test = test
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[Any] | None = None
        self._stopping = False

    async def run(self) -> Report:
        __tracebackhide__ = True
        finished: asyncio.Future[concurrent.futures.Future[Report]] = self._loop.create_future()
        context = contextvars.copy_context()

        def work() -> None:
            outcome: concurrent.futures.Future[Report] = concurrent.futures.Future()
            try:
                outcome.set_result(context.run(self._start, self._prop, self._call, self._prop.spec.settings))
            except BaseException as error:
                outcome.set_exception(error)
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(finished.set_result, outcome)

        # Not a pool's thread: runs may be nested, and a full pool would wait for itself and never end. A daemon: if the loop
        # is stopped from outside, the next test case is never run.
        threading.Thread(target=work, name=f"everycase {self._prop.name}", daemon=True).start()
        cancelled: asyncio.CancelledError | None = None
        while not finished.done():
            try:
                await asyncio.shield(finished)
            except asyncio.CancelledError as error:
                # The thread cannot be left behind: tell it to stop, and wait until it has.
                cancelled = error
                self._stopping = True
                if self._task is not None:
                    self._task.cancel()
        outcome = finished.result()
        if cancelled is not None and isinstance(outcome.exception(), _Stopped | None):
            raise cancelled
        return outcome.result()

    def _call(self, *args: Any) -> Any:
        """One test case, called in the thread."""
        __tracebackhide__ = True
        if self._stopping:
            raise _Stopped
        result = Result()
        try:
            asyncio.run_coroutine_threadsafe(self._run_one(result, args), self._loop).result()
        except concurrent.futures.CancelledError:
            raise _Stopped from None
        return result.get()

    async def _run_one(self, result: Result, args: tuple[Any, ...]) -> None:
        self._task = asyncio.current_task()
        try:
            await result.keep(self._test, args, (BaseException,))
        finally:
            self._task = None
        if self._stopping:
            raise asyncio.CancelledError


async def _on_trio(prop: Property, test: Test, start: Callable[..., Report]) -> Report:
    """A run in a thread whose test cases run in the task that waits for it. Trio does the cancelling."""
    trio = import_module("trio")

    async def run_one(scope: Any, result: Result, args: tuple[Any, ...]) -> None:
        with resumed(scope):
            await result.keep(test, args, (Exception, *_outcomes()))

    def call(*args: Any) -> Any:
        __tracebackhide__ = True
        result = Result()
        trio.from_thread.run(run_one, current("an asynchronous test"), result, args)
        return result.get()

    report: Report = await trio.to_thread.run_sync(start, prop, call, prop.spec.settings)
    return report


def _outcomes() -> tuple[type[BaseException], ...]:
    """What pytest's ``fail`` and ``skip`` raise, if pytest is there."""
    outcomes = sys.modules.get("_pytest.outcomes")
    return () if outcomes is None else (outcomes.OutcomeException,)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _in_trio() -> bool:
    if "trio" not in sys.modules or _running_loop() is not None:
        return False
    return bool(import_module("trio").lowlevel.in_trio_run())
