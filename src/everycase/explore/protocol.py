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

import math
import random as stdlib_random
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

from everycase.choices import dice
from everycase.choices.dice import simplest
from everycase.choices.enact import enact, simplest_trace
from everycase.choices.neighbor.edits import neighbor
from everycase.choices.neighbor.rules import PLAIN, Manner
from everycase.choices.sample import sampler
from everycase.choices.time_limit import OutOfTime, look
from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument
from everycase.explore.case import DISCARDED, PASSED, RANDOM, SEARCHING, Batch, Case, Outcome, Status
from everycase.explore.dice_count import DiceCount
from everycase.explore.findings import Findings, Stop, Stopped
from everycase.explore.numbered import Counting, shuffled
from everycase.explore.sampling import Sampling
from everycase.explore.valid_sampling import ValidSampling, sampling_of
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded, is_plain

__all__ = [
    "DISCARDED",
    "PASSED",
    "SEARCHING",
    "Batch",
    "Case",
    "Explorer",
    "Findings",
    "OutOfTime",
    "Outcome",
    "Space",
    "Status",
    "Stop",
    "Stopped",
]


class Space:
    """The inputs of a property, as an explorer sees them: ways to propose cases, and dice of its own.

    ``gen`` makes tuples of arguments. ``random`` is for the explorer's own decisions; sampled values are
    drawn from other dice, so that they do not affect each other. ``budget`` is the maximum number of test
    cases of the run; an explorer that plans more may raise it before its first case, unless it is ``limited``
    by the user. The explorer reports to ``findings``.
    """

    __slots__ = (
        "_leading",
        "_passing",
        "_sampling",
        "batches",
        "budget",
        "end",
        "findings",
        "gen",
        "last",
        "limited",
        "preconditions",
        "random",
        "read_leading",
        "remembered",
        "seed",
        "steps",
        "use_goals",
    )

    def __init__(
        self,
        gen: Gen[Any],
        seed: int,
        budget: int,
        *,
        record: bool = False,
        limited: bool = True,
        size: int = dice.FULL_SIZE,
        preconditions: Sequence[tuple[Callable[..., object], tuple[int, ...]]] = (),
    ) -> None:
        check_grounded(gen, look)
        self.gen = gen
        self.budget = budget
        self.limited = limited
        self.seed = seed
        #: predicates that inputs should satisfy, each with the places of the arguments that it takes
        self.preconditions = preconditions
        #: set by the run: reads :attr:`leading`
        self.read_leading: Callable[[], Sequence[tuple[Callable[..., object], tuple[int, ...]]]] = lambda: ()
        self._leading: Sequence[tuple[Callable[..., object], tuple[int, ...]]] | None = None
        self.random = stdlib_random.Random(f"everycase explorer {seed}")
        #: set by the run: when it has to end, by :func:`time.perf_counter`
        self.end = math.inf
        #: the same for what the report can do without
        self.last = math.inf
        #: the explorer's reports
        self.findings = Findings()
        #: switches it on and off that a test which gives no utility is measured by its assertions
        self.use_goals: Callable[[bool], None] = lambda on: None
        #: the random cases, and those of them that pass the filter of the only argument, if it has one
        self._sampling: Sampling
        self._sampling, self._passing = sampling_of(gen, seed, record=record, full=size)
        #: what takes the steps, if the only argument is a sequence of steps
        self.steps = self._sampling.steps
        #: set by the run: the best inputs of an earlier run, with their outcomes in this one
        self.remembered: list[tuple[Case, Outcome]] = []
        #: set by the run: how many cases it currently takes at once
        self.batches = 0

    @property
    def record(self) -> bool:
        """Whether every sampled case is recorded as it is made."""
        return self._sampling.record

    def keep_often(self) -> None:
        """Save the state of the dice after each case, because inputs take long to make, and so to make
        again."""
        self._sampling.keep_every = 1

    @property
    def too_deep(self) -> int:
        """How many values could not be made because Python's stack was too small for them."""
        return self._sampling.too_deep

    @property
    def endless(self) -> int:
        """How many values could not be made because a function did not stop drawing."""
        return self._sampling.endless

    @property
    def leading(self) -> Sequence[tuple[Callable[..., object], tuple[int, ...]]]:
        """Conditions like ``preconditions`` at the beginning of the test, which has the final say on them.

        They are read on demand, because that takes longer than many failing runs.
        """
        if self._leading is None:
            self._leading = self.read_leading()
        return self._leading

    @property
    def leading_read(self) -> Sequence[tuple[Callable[..., object], tuple[int, ...]]]:
        """The same, if an explorer has asked for them."""
        return self._leading or ()

    @property
    def guards(self) -> list[tuple[Callable[..., object], tuple[int, ...]]]:
        """All conditions except the filters of the generators, in the order in which they are evaluated."""
        return [*self.preconditions, *self.leading]

    def check_clock(self) -> None:
        """For explorers that work for long between two cases: raises when the time of the run is up."""
        if time.perf_counter() > self.end:
            raise OutOfTime

    @property
    def counting(self) -> Counting:
        """Finds out whether all cases could be tested."""
        return self._sampling.counting

    def fits(self, budget: int) -> bool:
        """Whether there are at most this many cases, as far as that can be found out soon."""
        return self.counting.fits(self.gen, budget)

    def count_dice(self) -> tuple[DiceCount, DiceCount]:
        """From here on, count the dice of random cases: of those that are rolled, and of those that are recorded."""
        sampling = self._sampling
        sampling.count = sampling.count or DiceCount()
        sampling.count_recorded = sampling.count_recorded or DiceCount()
        return sampling.count, sampling.count_recorded

    def sample(self) -> Case:
        """A random case."""
        case = (self._passing or self._sampling).case()
        case.how = RANDOM
        return case

    def samples(self) -> Case:
        """Random cases: a :class:`Batch` if the run takes one, else a single case."""
        return (self._passing or self._sampling).batch(self.batches) if self.batches > 1 else self.sample()

    def all_shuffled(self) -> Iterator[Case]:
        """All cases, each once, in a random order; none if there are too many or they cannot be counted."""
        return shuffled(self.gen, self.seed, self.counting)

    def valid_sampling(self, is_valid: Callable[[tuple[Any, ...]], bool]) -> ValidSampling | None:
        """Random cases that satisfy a condition; None if cases have to be recorded as they are made, or belong
        together."""
        gens: Any = self.gen
        if self.record or self.steps is not None or gens.begins_input:
            return None
        return (self._passing or ValidSampling(self._sampling)).restricted(is_valid)

    def sample_valid(self, tries: int) -> tuple[Case | None, int]:
        """The first of at most ``tries`` random cases that satisfies the preconditions, or None; and how many it took.

        If a precondition raises, the case counts as valid: the run then shows the exception and the input.
        """
        for number in range(1, tries + 1):
            case = self.sample()
            args = case.args
            if args is None:
                continue
            try:
                if all(check(*[args[i] for i in places]) for check, places in self.preconditions):
                    return case, number
            except Discarded:
                continue
            except Exception:
                return case, number
        return None, tries

    def enact(
        self,
        partial: Trace[Any] | None,
        random: Callable[[], float] | None = None,
        size: int | None = None,
        how: str = "",
    ) -> Case:
        """A case that follows a partial trace where it fits; the holes are filled at random, by default with
        the largest size budget. ``how`` describes the trace in words."""
        try:
            trace = enact(self.gen, partial, random or self.random.random, size or self._sampling.full)
        except (Discarded, RecursionError) as problem:
            return self._sampling.not_made(problem)
        return Case(trace.value, trace, how)

    def neighbor(self, trace: Trace[Any], temperature: float, manner: Manner = PLAIN) -> Case:
        """A case near a recorded one. ``manner`` says with how many edits, for instance."""
        if not isinstance(trace, Trace):
            raise InvalidArgument(f"space.neighbor needs a trace, such as case.trace, not {trace!r}")
        try:
            moved = neighbor(trace, temperature, self.random.random, manner)
        except (Discarded, RecursionError):
            return Case(None, None)
        return Case(moved.value, moved, "neighbour of the best")

    def simplest(self) -> Case:
        """The case made of the simplest values."""
        try:
            if is_plain(self.gen) and not self.record:
                # Most are never recorded, and recording a long list takes several times as long as making it.
                case = Case(sampler(self.gen)(simplest, 0), lambda: simplest_trace(self.gen), "simplest")
            else:
                trace = simplest_trace(self.gen)
                case = Case(trace.value, trace, "simplest")
        except (Discarded, RecursionError):
            return Case(None, None)
        assert case.args is not None
        self._sampling.saw(case.args)
        return case


class Explorer:
    """Decides what to test next. Subclass it and write :meth:`explore`."""

    #: whether it was chosen to test every value, so that the verdict says so if it could not
    wants_all = False

    #: whether it never ends by itself, so that a run without max_examples or max_seconds ends it after about a second
    open_ended = False

    #: whether it continues from the best inputs of an earlier run, which are tested before it begins
    goes_on = False

    #: whether a run ends soon after its first failure; an explorer that tests part of something larger
    #: continues to its end
    stops_at_failure = True

    def explore(self, space: Space) -> Generator[Case, Outcome, None]:
        """Yield cases; each ``yield`` returns the case's outcome. Return when there is nothing left to propose."""
        raise InvalidArgument(f"the explorer {type(self).__name__} must define explore(self, space)")

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({options})"
