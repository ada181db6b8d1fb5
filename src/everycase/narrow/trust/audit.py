"""Whether the answers of a predicate on partial values can be believed.

A sample of the answers is checked: asked again on the same partial value it must look at nothing new and say the same,
and what it rejects is completed at random and must be rejected as a real value, after the same exceptions. (What it
accepts is always completed and checked.) What cannot be checked by running is read in its code, see
:mod:`everycase.narrow.trust.lint`.

Code written in C may refuse what stands for an undecided number or list. An exception that leaves the predicate shows
that, and more of the value is decided; one that the predicate catches looks like an answer about the value. But it runs
through the same lines for every completion of the value: what is raised there only by a partial one is no answer.
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
from everycase.narrow.planner import classes_in
from everycase.narrow.statistics import SearchStatistics
from everycase.narrow.trail import Again, Dead, Decisions, Place
from everycase.narrow.trust.lint import is_library, lint_finding

#: So many of the first answers are checked, then one in so many, and fewer when there have been many evaluations.
CHECKED_FIRST = 20
CHECKED_LATER = 64
MANY_EVALUATIONS = 2000
CHECKED_THEN = 256
#: Of those among so many of the first evaluations it is noted what they raise, which takes several times as long.
WATCHED_FIRST = 200
#: So many completions are tried of a value that was rejected unseen, which rejects everything there is.
CHECKED_UNSEEN = 100
#: What ends loops and searches, and what depends on how deep the stack was to begin with.
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
        """Refuse what the code of the predicates says will go wrong."""
        predicates = [getattr(check, "function", check) for check, _ in conditions]
        unread = [one for one in predicates if not any(one is known for known in self._read)]
        if unread:
            found = lint_finding(unread, classes_in(self.arguments.cores))
            if found is not None:
                raise Untrusted(found)
            self._read = predicates

    def next_turn(self) -> int:
        """In how many evaluations the next answer is checked."""
        if self.statistics.evaluations < CHECKED_FIRST:
            return 1
        one_in = CHECKED_LATER if self.statistics.evaluations < MANY_EVALUATIONS else CHECKED_THEN
        return 1 + int(self._random() * 2 * one_in)

    def check(
        self, ask: Callable[[], bool], conditions: Sequence[Condition], answer: bool, *, in_order: bool
    ) -> None:
        """Raise if an answer on the present partial value cannot be believed. ``in_order`` says that the conditions are
        asked in the order in which they are written; else one of them may raise what it otherwise would not."""
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
        """Raise unless a completion of what is left after going back is rejected. The last decision on the trail is one
        that was needed: it is undecided at the moment, so it is taken as it was."""
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
        """Whether one completion of what was rejected is rejected, too, after the same exceptions."""
        state = self.state
        length, slack, arrange = len(state.trail), state.slack, state.arrange
        state.arrange = self._one_at_random
        try:
            real = self.arguments.decide_all()
        except Dead:
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
        """Raise if the predicate did what cannot be done with a partial value."""
        what, self.state.refused = self.state.refused, None
        if what is not None:
            raise Untrusted(
                f"{what}. It must not change its argument: work on a copy, as in sorted(xs) or list(xs); "
                "a slice such as xs[:] is not a copy here"
            )


def contradiction(real: tuple[Any, ...], *, partial: bool) -> Untrusted:
    """The predicate said ``partial`` of a partial value, and the opposite of a completion of it."""
    shown = ", ".join(map(repr, real))
    return Untrusted(
        f"it returned {partial} for a half-decided value, but {not partial} for {shown}, which is one of "
        "its completions. Write isinstance(x, C) or match instead of type(x), and == instead of `is`. It must depend "
        "only on its argument, and must not change it"
    )


class Raised:
    """Which exceptions were raised in the user's code, and where, whoever has caught them."""

    def __init__(self) -> None:
        #: type, file, function and line, those raised first before others
        self.seen: dict[tuple[str, str, str, int], None] = {}

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note what is raised in here. (Slow: every call is looked at.)"""
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
        """What was raised here and not there, in words."""
        for name, file, function, line in self.seen:
            if (name, file, function, line) not in other.seen:
                return f"{name} in {function} (line {line})"
        return None
