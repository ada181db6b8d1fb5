"""An asyncio event loop in which nothing is random: a function chooses the next callback, and time is
virtual.

``asyncio.sleep(3600)`` takes no time: when nothing else can run, the clock is set to the next timer. Anything
that would wait for the outside world (sockets, pipes, threads, processes) is an error that names it, because
its timing cannot be controlled.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import base_events
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from everycase.errors import InvalidArgument, NotLinearizable

Choose = Callable[[int], int]

#: What cannot be controlled, by the method of the loop that starts it.
REFUSED = {
    "run_in_executor": "a thread",
    "add_reader": "a file descriptor",
    "add_writer": "a file descriptor",
    "sock_recv": "a real socket",
    "sock_recv_into": "a real socket",
    "sock_sendall": "a real socket",
    "sock_connect": "a real socket",
    "sock_accept": "a real socket",
    "create_connection": "a real socket",
    "create_server": "a real socket",
    "create_datagram_endpoint": "a real socket",
    "create_unix_connection": "a real socket",
    "create_unix_server": "a real socket",
    "connect_read_pipe": "a pipe",
    "connect_write_pipe": "a pipe",
    "subprocess_exec": "a process",
    "subprocess_shell": "a process",
    "getaddrinfo": "the network",
    "getnameinfo": "the network",
    "add_signal_handler": "a signal",
}


class VirtualLoop(base_events.BaseEventLoop):
    """A loop with its own clock; ``choose(count)`` says which of the ready callbacks runs next."""

    def __init__(self, choose: Choose | None = None) -> None:
        super().__init__()
        self.choose = choose
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def run(self, main: Coroutine[Any, Any, Any]) -> Any:
        """The result of a coroutine."""
        return self.run_until_complete(main)

    def _run_once(self) -> None:
        """Run one callback. (What BaseEventLoop calls until it is stopped.)"""
        loop: Any = self
        ready, scheduled = loop._ready, loop._scheduled
        if not ready:
            while scheduled and scheduled[0]._cancelled:
                heapq.heappop(scheduled)._scheduled = False
            if scheduled:
                self._now = max(self._now, scheduled[0]._when)
        while scheduled and scheduled[0]._when <= self._now:
            handle = heapq.heappop(scheduled)
            handle._scheduled = False
            if not handle._cancelled:
                ready.append(handle)
        if not ready:
            if loop._stopping:
                return
            raise NotLinearizable("every task waits for another one (a deadlock)")
        place = 0
        if self.choose is not None and len(ready) > 1:
            place = self.choose(len(ready))
        handle = ready[place]
        del ready[place]
        if not handle._cancelled:
            handle._run()

    def _write_to_self(self) -> None:
        """Nothing to wake up: all callbacks come from this thread."""

    def _process_events(self, event_list: Any) -> None:
        """There are none."""

    def end(self) -> None:
        """Cancel everything that still runs, and close."""
        self.choose = None
        try:
            tasks = asyncio.all_tasks(self)
            for task in tasks:
                task.cancel()
            if tasks:
                self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        except NotLinearizable:
            pass  # a task that refuses to be cancelled
        finally:
            super().close()

    def close(self) -> None:
        if not self.is_closed():
            self.end()


def _refusing(name: str, what: str) -> Callable[..., NoReturn]:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise InvalidArgument(
            f"{name} waits for {what}, but a test of interleavings cannot control when that answers; replace "
            "it by something "
            "that runs only on the event loop"
        )

    return refuse


for _name, _what in REFUSED.items():
    setattr(VirtualLoop, _name, _refusing(_name, _what))
