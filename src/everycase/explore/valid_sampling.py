"""Random cases that satisfy a condition: random cases of the generator without it, of which some are left out.

The sampling below does not know the condition. So it looks up repeats before the condition is asked about them, it
takes larger values where small ones are exhausted, and it copies parts of values that need not be valid. A filter
that is the whole of a test's only argument is taken off for this: sampling is then exactly what it would be if the
test began with ``assume``, without the test's fixed costs.
"""

from __future__ import annotations

import functools
import math
from collections import deque
from collections.abc import Callable
from typing import Any

from everycase.choices import dice
from everycase.choices.dice import FILTER_TRIES, no_dice
from everycase.choices.enact import REFUSALS, enact
from everycase.choices.time_limit import look
from everycase.choices.trace import Trace
from everycase.errors import Discarded, DoesNotFit
from everycase.explore.case import RANDOM, Batch, Case
from everycase.explore.copying import Copying
from everycase.explore.sampling import Sampling
from everycase.gen.base import Gen
from everycase.gen.graph import beneath
from everycase.gen.kinds import Build, Filter
from everycase.gen.predicate_errors import naming

#: How many random cases are made at once, of which some may be valid. Making one of them again takes as long as all
#: those before it.
AT_ONCE = 64

#: Maximum number of cases in a batch where one of them takes many tries.
FEW_AT_ONCE = 32

#: Whether arguments are valid.
IsValid = Callable[[tuple[Any, ...]], Any]


class ValidSampling:
    """The random cases of one run that satisfy a condition. Used like :class:`Sampling`."""

    def __init__(
        self,
        raw: Sampling,
        is_valid: IsValid = lambda args: True,
        whole: Callable[[Trace[Any]], Trace[Any]] | None = None,
    ) -> None:
        #: the cases without the condition
        self.raw = raw
        self._is_valid = is_valid
        #: makes the trace of a valid case from that of the case below
        self._whole = whole
        self._copying: Copying = raw.copying
        #: cases that were made but not used yet: the arguments, and what makes their trace
        self._left: deque[tuple[tuple[Any, ...] | None, Callable[[], Case]]] = deque()
        #: whether none of those that were made at once has been valid yet
        self._first = False
        self._failure: BaseException | None = None

    def restricted(self, is_valid: IsValid) -> ValidSampling:
        """Those that satisfy another condition too."""
        first = self._is_valid
        return ValidSampling(self.raw, lambda args: first(args) and is_valid(args), self._whole)

    def some(self, count: int) -> Case:
        """A few cases, or a single one if they are recorded; at most ``count``."""
        count = min(count, FEW_AT_ONCE)
        case = self.batch(count) if count > 1 else self.case()
        case.how = RANDOM
        return case

    def case(self) -> Case:
        """The next valid case; without arguments if none was found in many tries."""
        self._raise_failure()
        for _ in range(FILTER_TRIES):
            if self._left:
                args, case_of = self._left.popleft()
            else:
                case = self.raw.case()
                args, case_of = case.args, lambda case=case: case  # type: ignore[misc]
            if args is None:
                return Case(None, None)
            if self._holds(args, case_of):
                return self._valid(args, case_of)
            look()
        return Case(None, None)

    def batch(self, count: int) -> Case:
        """A number of valid cases at once, or a single one if they are recorded. An exception is raised in its
        turn, after the cases that were made before."""
        self._raise_failure()
        if self.raw.record:
            return self.case()
        found: list[tuple[tuple[Any, ...] | None, Callable[[], Case]]] = []
        misses = 0
        try:
            while len(found) < count and misses < FILTER_TRIES:
                if not self._left:
                    self._make(count - len(found))
                look()
                args, case_of = self._left.popleft()
                if args is None:
                    misses = FILTER_TRIES
                elif self._holds(args, case_of):
                    found.append((args, case_of))
                    misses = 0
                else:
                    misses += 1
        except REFUSALS as problem:
            if not found:
                raise
            self._failure = problem
        if misses >= FILTER_TRIES:
            found.append((None, lambda: Case(None, None)))
        return Batch(
            [args for args, _ in found],
            lambda number: self._valid(*found[number]),  # type: ignore[arg-type]
        )

    def _make(self, count: int) -> None:
        """More cases, of which about this many will be valid."""
        made = self.raw.batch(min(math.ceil(count * self._copying.tries), AT_ONCE))
        self._first = True
        if isinstance(made, Batch):
            for number, args in enumerate(made.values):
                self._left.append((args, lambda number=number: made.case(number)))  # type: ignore[misc]
            made.values.clear()  # so that those that are not valid are freed at once
        else:
            self._left.append((made.args, lambda: made))

    def _holds(self, args: tuple[Any, ...], case_of: Callable[[], Case]) -> bool:
        try:
            valid = bool(self._is_valid(args))
        except Discarded:
            valid = False
        # The first valid one of those that were made at once is the cheapest to make again.
        base = None
        if valid and self._first:
            self._first = False

            def base() -> Case:
                return Case(args, case_of().trace)

        self._copying.judged(args, valid, base)
        return valid

    def _valid(self, args: tuple[Any, ...], case_of: Callable[[], Case]) -> Case:
        def trace() -> Trace[Any]:
            below = case_of().trace
            assert below is not None
            return below if self._whole is None else self._whole(below)

        return Case(args, trace)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure


class Unfiltered(Sampling):
    """The random cases of a test whose only argument is filtered, without the filters."""

    def __init__(
        self, gen: Build[Any], seed: int, *, record: bool = False, full: int = dice.FULL_SIZE
    ) -> None:
        core: Any = beneath(gen.parts[0], Filter)
        self._filters = [layer for layer in _layers(gen.parts[0], core) if hasattr(layer, "predicate")]
        super().__init__(
            Build(gen.make, (core,), constructs=gen.constructs, share=gen.share),
            seed,
            record=record,
            full=full,
        )
        self._filtered = gen

    def is_valid(self, args: tuple[Any, ...]) -> bool:
        """Whether the argument passes the filters."""
        value = args[0]
        for node in reversed(self._filters):
            try:
                if not node.predicate(value):
                    return False
            except Exception as problem:
                raise naming(problem, node.predicate, value)  # noqa: B904 (it is the same one)
        return True

    def whole(self, trace: Trace[Any]) -> Trace[Any]:
        """The trace of a valid case, filters and all, from that of the case without them."""
        below: Any = trace.children[0]
        partial: Trace[Any] = Trace(
            None, (functools.reduce(lambda inner, node: Trace(None, (inner,)), self._filters, below),)
        )
        try:
            return enact(self._filtered, partial, no_dice)
        except (Discarded, DoesNotFit):  # a predicate that has changed its mind
            for node in reversed(self._filters):
                below = Trace(None, (below,), node, below.value)
            return Trace(None, (below,), self._filtered, trace.value)


def sampling_of(
    gen: Gen[Any], seed: int, *, record: bool = False, full: int = dice.FULL_SIZE
) -> tuple[Sampling, ValidSampling | None]:
    """The random cases of a generator of arguments; and those that pass the filter of the only one, if it has one."""
    parts: Any = getattr(gen, "parts", ())
    if len(parts) == 1 and not gen.begins_input:
        layers = _layers(parts[0], beneath(parts[0], Filter))
        if any(hasattr(layer, "predicate") for layer in layers) and not any(
            layer.begins_input for layer in layers
        ):
            unfiltered = Unfiltered(gen, seed, record=record, full=full)  # type: ignore[arg-type]
            return unfiltered, ValidSampling(unfiltered, unfiltered.is_valid, unfiltered.whole)
    return Sampling(gen, seed, record=record, full=full), None


def _layers(gen: Any, core: Gen[Any]) -> list[Any]:
    """The nodes around the core of a generator, from the outside in."""
    layers = []
    while gen is not core:
        layers.append(gen)
        gen = gen.children[0]
    return layers
