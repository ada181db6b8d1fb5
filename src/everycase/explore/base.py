"""The protocol that all explorers share: propose a case, learn its outcome.

An explorer is a small immutable object that holds options. Its one method, :meth:`Explorer.explore`, is a generator
function: it yields the next case to test and is sent the outcome. All state of a search lives in its local
variables, so one explorer object can serve many runs, nested and concurrent ones too.

>>> from everycase import check, gen
>>> class EvenOnly(Explorer):
...     def explore(self, space):
...         while True:
...             case = space.sample()
...             if case.args[0] % 2 == 0:
...                 outcome = yield case
>>> check(lambda n: n % 2 == 0, gen.integers(), explore=EvenOnly(), max_examples=50).status
'passed'
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any

from everycase.choices import dice
from everycase.choices.enact import enact, simplest_trace
from everycase.choices.neighbor import neighbor
from everycase.choices.rules import PLAIN, Manner
from everycase.choices.sampler import NeedsRecord, sampler
from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded

#: A passing test records nothing. The state of the dice is kept this often, and a failing value is made again from
#: there with its choices recorded.
EVERY = 64


class Outcome:
    """What became of one test case: "passed", "failed" or "discarded", and what the test said.

    ``utilities`` maps the labels of ``maximize`` and ``minimize`` to numbers of which larger is better.
    """

    __slots__ = ("error", "events", "notes", "reset_requested", "status", "utilities")

    def __init__(
        self,
        status: str,
        error: BaseException | None = None,
        utilities: dict[str, float] | None = None,
        events: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        reset_requested: bool = False,
    ) -> None:
        self.status = status
        self.error = error
        self.utilities = utilities or {}
        self.events = events
        self.notes = notes
        self.reset_requested = reset_requested

    def __repr__(self) -> str:
        return f"<Outcome {self.status}>"


PASSED = Outcome("passed")
DISCARDED = Outcome("discarded")


class Case:
    """A proposed test case: a tuple of arguments, and on demand the trace that makes them.

    ``args`` is None when the generator discarded its own attempt; such a case is not run but counted.
    """

    __slots__ = ("_trace", "args", "index")

    def __init__(self, args: Any, trace: Trace[Any] | Callable[[], Trace[Any]] | None) -> None:
        self.args: tuple[Any, ...] | None = args
        self._trace = trace
        #: the number of the value, where values are taken by number
        self.index: int | None = None

    @property
    def trace(self) -> Trace[Any] | None:
        """The choices behind the arguments; None if they were not made by the generator."""
        trace = self._trace
        if callable(trace):
            trace = self._trace = trace()
        return trace

    def __repr__(self) -> str:
        return f"<Case {self.args!r}>"


#: Proposed by an explorer that is still looking for its next case, so that a run can end in the meantime.
SEARCHING = Case(None, None)


class Space:
    """The inputs of a property, as an explorer sees them: ways to propose cases, and dice of its own.

    ``gen`` makes tuples of arguments. ``random`` is for the explorer's own decisions; sampled values are drawn from
    other dice, so that one does not disturb the other. ``budget`` is the number of test cases that the run will take
    at most; an explorer that plans more may raise it before its first case, unless it is ``limited`` by the user.
    """

    def __init__(
        self,
        gen: Gen[Any],
        seed: int,
        budget: int,
        *,
        record: bool = False,
        limited: bool = True,
        preconditions: Sequence[tuple[Callable[..., object], tuple[int, ...]]] = (),
    ) -> None:
        check_grounded(gen)
        self.gen = gen
        self.budget = budget
        self.limited = limited
        self.seed = seed
        #: predicates that inputs should satisfy, each with the places of the arguments that it takes
        self.preconditions = preconditions
        self.random = stdlib_random.Random(f"everycase explorer {seed}")
        self.record = record
        #: set by an explorer that has tested every value there is
        self.exhausted = False
        #: set by an explorer that can say what it has covered
        self.covered: Callable[[], str] | None = None
        #: set by an explorer that searches for valid inputs: figures for tools
        self.figures: Callable[[], dict[str, Any]] | None = None
        #: set by an explorer that returns although there may be more to test: why, in words
        self.stopped: str | None = None
        #: what the user should know about this run, in words
        self.warnings: list[str] = []
        self._dice = stdlib_random.Random(f"everycase values {seed}")
        self._roll = sampler(gen)
        self._state = self._dice.getstate()
        self._since = 0
        #: how many values could not be made because Python's stack was too small for them
        self.too_deep = 0

    def sample(self) -> Case:
        """A random case."""
        rng = self._dice
        if self.record:
            return self.enact(None, rng.random, dice.draw_size(rng.random))
        if self._since == EVERY:
            self._state = rng.getstate()
            self._since = 0
        state, since = self._state, self._since
        self._since = since + 1
        random = rng.random
        try:
            args = self._roll(random, dice.draw_size(random))
        except (Discarded, RecursionError) as problem:
            return self._not_made(problem)
        except NeedsRecord:
            # The test itself draws: from here on every case is recorded as it is made.
            self.record = True
            rng = self._dice = self._rewind(state, since)
            return self.enact(None, rng.random, dice.draw_size(rng.random))
        return Case(args, lambda: self._again(state, since))

    def enact(
        self,
        partial: Trace[Any] | None,
        random: Callable[[], float] | None = None,
        size: int = dice.FULL_SIZE,
    ) -> Case:
        """A case that follows a partial trace where it fits; the holes are filled at random."""
        try:
            trace = enact(self.gen, partial, random or self.random.random, size)
        except (Discarded, RecursionError) as problem:
            return self._not_made(problem)
        return Case(trace.value, trace)

    def neighbor(self, trace: Trace[Any], temperature: float, manner: Manner = PLAIN) -> Case:
        """A case near a recorded one. ``manner`` says with how many edits, for instance."""
        try:
            moved = neighbor(trace, temperature, self.random.random, manner)
        except (Discarded, RecursionError):
            return Case(None, None)
        return Case(moved.value, moved)

    def simplest(self) -> Case:
        """The case made of the simplest values."""
        try:
            trace = simplest_trace(self.gen)
        except Discarded:
            return Case(None, None)
        return Case(trace.value, trace)

    def _not_made(self, problem: BaseException) -> Case:
        self.too_deep += isinstance(problem, RecursionError)
        return Case(None, None)

    def _again(self, state: Any, since: int) -> Trace[Any]:
        """The trace of a sampled case, made by rolling the same dice again."""
        random = self._rewind(state, since).random
        return enact(self.gen, None, random, dice.draw_size(random))

    def _rewind(self, state: Any, since: int) -> stdlib_random.Random:
        """Dice as they lay before a sampled case: from the last state that was kept, some rolls on."""
        rng = stdlib_random.Random()
        rng.setstate(state)
        for _ in range(since):
            with suppress(Discarded, RecursionError):
                self._roll(rng.random, dice.draw_size(rng.random))
        return rng


class Explorer:
    """Decides what to test next. Subclass it and write :meth:`explore`."""

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        """Yield cases; each ``yield`` returns the case's outcome. Return when there is nothing left to propose."""
        raise InvalidArgument(f"the explorer {type(self).__name__} must define explore(self, space)")

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"
