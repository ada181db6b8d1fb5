"""Whether the answers of a predicate on partial values can be trusted.

A sample of the answers is checked: evaluated again on the same partial value, the predicate must look at
nothing new and give the same answer. If it rejects, the value is completed at random, and the real value must
also be rejected, after the same exceptions. (Values that it accepts are always completed and checked.)
Problems that do not show when it runs are found in its code, see :mod:`everycase.narrow.trust.lint`.

C code may reject the stand-in for an undecided number or list. An exception that leaves the predicate shows
this, and more of the value is decided; one that the predicate catches looks like an answer. But the predicate
runs through the same lines for every completion of the value, so an exception that only a partial value
raises is not an answer.
"""

from __future__ import annotations

import random as stdlib_random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType
from typing import Any

from everycase.errors import Discarded, Untrusted
from everycase.narrow.arguments import Arguments, Condition
from everycase.narrow.lazy.whole import Digit
from everycase.narrow.statistics import SearchStatistics
from everycase.narrow.trail import Again, Dead, Decisions, Place
from everycase.narrow.trust.lint import is_library, lint_finding

#: How many of the first answers are checked; then one in this many, and fewer after many evaluations.
CHECKED_FIRST = 20
CHECKED_LATER = 64
MANY_EVALUATIONS = 2000
CHECKED_THEN = 256
#: In this many of the first evaluations all exceptions are recorded, which takes several times as long.
WATCHED_FIRST = 200
#: How many completions are tried for a value that was rejected without a look, because that rejects
#: everything.
CHECKED_UNSEEN = 100
#: Exceptions that end loops and searches, and that depend on how deep the stack was to begin with.
_NO_SIGN = (StopIteration, StopAsyncIteration, GeneratorExit, RecursionError, MemoryError, Dead, Again)


class Auditor:
    """Checks answers for one :class:`~everycase.narrow.search.Narrowing`."""

    def __init__(
        self, arguments: Arguments, state: Decisions, statistics: SearchStatistics, seed: int
    ) -> None:
        self.arguments = arguments
        self.state = state
        self.statistics = statistics
        #: the predicates whose code was read
        self._read: list[Callable[..., object]] = []
        self._random = stdlib_random.Random(f"everycase narrowing {seed}").random

    def read_code(self, conditions: Sequence[Condition]) -> None:
        """Reject predicates whose code shows that something will go wrong."""
        predicates = [getattr(check, "function", check) for check, _ in conditions]
        unread = [one for one in predicates if not any(one is known for known in self._read)]
        if unread:
            found = lint_finding(unread, self.arguments.classes)
            if found is not None:
                raise Untrusted(found)
            self._read = predicates

    def next_turn(self) -> int:
        """The number of evaluations until the next answer is checked."""
        if self.statistics.evaluations < CHECKED_FIRST:
            return 1
        one_in = CHECKED_LATER if self.statistics.evaluations < MANY_EVALUATIONS else CHECKED_THEN
        return 1 + int(self._random() * 2 * one_in)

    def check(
        self, ask: Callable[[], bool], conditions: Sequence[Condition], answer: bool, *, in_order: bool
    ) -> None:
        """Raise if an answer on the current partial value cannot be trusted. ``in_order`` means that the
        conditions are evaluated in the order in which they are written; otherwise one of them may raise
        unexpectedly."""
        trail, arguments = self.state.trail, self.arguments
        length = len(trail)
        self.statistics.look(trail)
        raised = Raised()
        try:
            with self._watching(raised) if in_order else nullcontext():
                again = ask()
        except (Dead, Again, Discarded):
            again = False
        except Exception:
            return  # such answers come from real values
        kept = arguments.planner.kept(arguments.held, trail)
        if kept is not None:
            raise Untrusted(f"{kept}; a predicate must not store anything")
        if again != answer or len(trail) != length:
            raise Untrusted(
                "it does not always look at the same parts of a value or give the same answer: it depends on "
                "something besides its argument, or changes it"
            )
        for _ in range(0 if answer else 1 if length else CHECKED_UNSEEN):
            self._complete_at_random(conditions, raised)

    def check_jump(self, conditions: Sequence[Condition]) -> None:
        """Raise unless a completion of what is left after going back is rejected. The last decision on the
        trail was needed: it is currently undecided, so it is taken as it was."""
        trail = self.state.trail
        if trail:
            target, alternatives, number, slack, _ = trail[-1]
            if type(target) is tuple or not hasattr(alternatives[number], "place"):
                return
            if type(target) is Digit:
                return
            alternatives[number].place(target)
            self.state.slack = slack - alternatives[number].extra
        self._complete_at_random(conditions, Raised())

    def _watching(self, raised: Raised) -> AbstractContextManager[None]:
        return raised.noted() if self.statistics.evaluations < WATCHED_FIRST else nullcontext()

    def _complete_at_random(self, conditions: Sequence[Condition], expected: Raised) -> None:
        """Whether a completion of a rejected value is also rejected, after the same exceptions."""
        state = self.state
        length, slack, arrange = len(state.trail), state.slack, state.arrange
        state.arrange = self._one_at_random
        try:
            real = self.arguments.decide_all()
        except (Dead, Discarded):
            real = None
        finally:
            state.arrange = arrange
            state.dead = False
            state.undo(length)
            state.slack = slack
        if real is None:
            return
        self.statistics.audited += 1
        raised = Raised()
        try:
            with self._watching(raised) if expected.seen else nullcontext():
                satisfied = self.arguments.satisfy(conditions, real)
        except Discarded:
            satisfied = False
        caught = expected.beyond(raised)
        if caught is not None:
            raise Untrusted(
                f"it catches {caught}, which only a half-decided value raises there. Write int(n) where a number must "
                "be a real one, and catch only exceptions that the predicate is about"
            )
        if satisfied:
            raise contradiction(real, partial=False)

    def _one_at_random(self, place: Place, alternatives: Sequence[Any]) -> Sequence[Any]:
        return [alternatives[int(self._random() * min(len(alternatives), 1 << 20))]]

    def check_refusal(self) -> None:
        """Raise if the predicate did something that cannot be done with a partial value."""
        what, self.state.refused = self.state.refused, None
        if what is not None:
            raise Untrusted(
                f"{what}. It must not change its argument: work on a copy, as in sorted(xs) or list(xs); "
                "a slice such as xs[:] is not a copy here"
            )


def contradiction(real: tuple[Any, ...], *, partial: bool) -> Untrusted:
    """The predicate returned ``partial`` for a partial value, and the opposite for a completion of it."""
    shown = ", ".join(map(repr, real))
    return Untrusted(
        f"it returned {partial} for a half-decided value, but {not partial} for {shown}, which is one of "
        "its completions. Write isinstance(x, C) or match instead of type(x), and == instead of `is`. It must depend "
        "only on its argument, and must not change it"
    )


class Raised:
    """Which exceptions were raised in user code, and where, even if they were caught."""

    def __init__(self) -> None:
        #: type, file, function and line, in the order in which they were raised
        self.seen: dict[tuple[str, str, str, int], None] = {}

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Record exceptions that are raised inside. (Slow: every call is traced.)"""
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)

    def _trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if event == "call":
            if is_library(code.co_filename, frame.f_globals.get("__name__")):
                return None
            frame.f_trace_lines = False
        elif event == "exception" and not issubclass(arg[0], _NO_SIGN):
            self.seen[arg[0].__name__, code.co_filename, code.co_name, frame.f_lineno or 0] = None
        return self._trace

    def beyond(self, other: Raised) -> str | None:
        """The exceptions that were raised here but not there, in words."""
        for name, file, function, line in self.seen:
            if (name, file, function, line) not in other.seen:
                return f"{name} in {function} (line {line})"
        return None
