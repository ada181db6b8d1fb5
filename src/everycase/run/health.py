"""Health checks: what makes testing useless or very slow, reported early and with advice."""

from __future__ import annotations

import time
from types import GetSetDescriptorType
from typing import Any

from everycase.errors import GaveUp, HealthCheckFailed
from everycase.explore.protocol import Case, Space, Stop, Stopped
from everycase.run.report import Report
from everycase.run.settings import HealthCheck, Phase, Resolved

#: Making values is measured during this many cases at the beginning of a run.
WATCHED = 64

#: CPU time, on a machine that takes :data:`USUAL_STEP` for :func:`_step`. Slower ones have proportionally more.
SLOW_SECONDS = 2.0
USUAL_STEP = 0.001
LARGE_PARTS = 20_000


class Health:
    """Watches the first cases of a run."""

    def __init__(self, options: Resolved, space: Space) -> None:
        self.space = space
        self.suppressed = options.suppress_health_check
        self.seconds = 0.0
        self.slowest = 0.0
        self.made = 0
        self.large = 0

    def watch(self, case: Case, seconds: float, valid: int) -> None:
        """Complain if making the values takes far too long or makes them far too large."""
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.made += 1
        if seconds > 0.002:
            self.space.keep_often()
        # Only values that took long to make can be large, so the others are not checked.
        if seconds > 0.002 and case.args is not None and HealthCheck.too_large not in self.suppressed:
            if _is_large(case.args):
                self.large += 1
            if self.large >= 5:
                raise HealthCheckFailed(
                    f"the inputs are very large: {self.large} of the first {valid + 1} had more than "
                    f"{LARGE_PARTS:,} parts. Give collections a max_size, or suppress this with "
                    "settings(suppress_health_check=[HealthCheck.too_large])"
                )
        if valid < 10 and HealthCheck.too_slow not in self.suppressed and self._is_slow():
            raise HealthCheckFailed(
                f"making inputs is very slow: {self.made:,} took {self.seconds:.1f} s of CPU time, and the test has run "
                f"on {valid} of them. Make them smaller, filter less, "
                "or do expensive work once outside the generator; or suppress this with "
                "settings(suppress_health_check=[HealthCheck.too_slow])"
            )

    def _is_slow(self) -> bool:
        # One input is no evidence against the generator, however long it took. With the first one, the explorer reads the
        # test, plans and counts; and a virtual machine that stands still looks the same as a process that works.
        seconds = self.seconds - self.slowest
        if seconds <= SLOW_SECONDS:
            return False
        # Inputs that cannot be made at all end the run for that reason, which is the one to tell.
        hopeless = self.space.too_deep + self.space.endless
        return hopeless * 2 <= self.made and seconds > SLOW_SECONDS * slowness()


def slowness() -> float:
    """How many times as long as usual this machine takes at the moment, because it is slow or busy."""
    started = time.thread_time()
    for _ in range(10):
        _step()
    return max(1.0, (time.thread_time() - started) / (10 * USUAL_STEP))


def _step() -> int:
    return sum(number * number % 7 for number in range(15_000))


def _is_large(args: Any) -> bool:
    try:
        return _has_many_parts(args)
    except Exception:  # an object that refuses to be looked at
        return False


def _has_many_parts(args: Any) -> bool:
    """Whether a value has more than :data:`LARGE_PARTS` parts: elements, characters, attributes.

    (The choices that made it are not known without making it again, which takes as long as making it.)
    """
    parts = 0
    pending: list[Any] = [args]
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        if isinstance(value, str | bytes | bytearray):
            parts += len(value)
        elif isinstance(value, list | tuple | set | frozenset | dict):
            seen.add(id(value))
            parts += len(value)
            if parts <= LARGE_PARTS:
                pending += value
                pending += value.values() if isinstance(value, dict) else ()
        elif isinstance(getattr(type(value), "__dict__", {}).get("__dict__"), GetSetDescriptorType):
            seen.add(id(value))
            pending.append(vars(value))
        if parts > LARGE_PARTS:
            return True
    return False


_REMEDIES = (
    "If it is an assume(...) in the test, write it as given(...).where(...): the default explorer then searches for "
    "inputs that satisfy it. Or build valid inputs directly, for example with flatmap or gen.composite"
)


def verdict_on_discards(report: Report, options: Resolved) -> GaveUp | HealthCheckFailed | None:
    """Whether too little was tested for a pass to mean much."""
    total = report.examples + report.discarded
    if report.too_deep * 2 > total:
        return HealthCheckFailed(
            f"{report.too_deep:,} of {max(total, report.too_deep):,} inputs were nested too deeply to be made (RecursionError in the "
            "generator). Give the recursion a base case that is chosen often enough, or write it with gen.recursive "
            "or gen.deferred, which limit the total size"
        )
    if report.endless * 2 > total:
        return HealthCheckFailed(
            f"{report.endless:,} of {max(total, report.endless):,} inputs were given up because a generator did not stop drawing. "
            "Let a parameter, or "
            "a drawn number, limit how often it draws"
        )
    if report.examples == 0 and total == 0:
        if Phase.explicit in options.phases or Phase.reuse in options.phases:
            if Phase.explore not in options.phases:
                report.stop = Stop(Stopped.no_examples)
                return None  # as the user wanted: not an error, but nothing passed either
        elif Phase.explore not in options.phases:
            shown = ", ".join(map(str, options.phases))
            return GaveUp(f"nothing was tested: phases=[{shown}] has no phase that tests; add Phase.explore")
        if report.stop is not None and report.stop.reason is Stopped.max_seconds:
            return GaveUp(
                f"max_seconds={options.max_seconds} was reached before the first input was made, so nothing "
                "was tested. Allow "
                "more time, or make smaller inputs"
            )
        left = f" ({report.covered})" if report.covered else ""
        return GaveUp(
            f"there was no input at all, so nothing was tested: the explorer or a filter left none{left}"
        )
    if report.examples == 0:
        return GaveUp(
            f"none of {total:,} inputs was valid, so nothing was tested: the precondition (assume, where or filter) "
            f"is almost never true. {_REMEDIES}"
        )
    if report.exhaustive or report.examples * 20 >= total or report.examples >= options.max_examples:
        return None
    if HealthCheck.too_much_discarded in options.suppress_health_check:
        return None
    return HealthCheckFailed(
        f"only {report.examples:,} of {total:,} inputs were valid ({report.discarded / total:.1%} discarded), so this "
        f"run means little. {_REMEDIES}; or suppress this with "
        "settings(suppress_health_check=[HealthCheck.too_much_discarded])"
    )
