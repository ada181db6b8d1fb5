"""Valid inputs by sampling and by pruning, in turns: more of what yields more.

The rule. What an input is worth: nothing if it is not valid or was tested before; else one, and one more for every time
that its number of parts doubles. What it costs is counted in evaluations of the precondition, never in seconds, so that
a run can be repeated: a sampled input costs :data:`SAMPLE_WORK`, for each try of its filters; a pruned one what the
search took for it, and :data:`VALUE_WORK`. A first trial samples :data:`TRIAL` inputs. If nearly all of them are valid
and different, sampling goes on alone. Else both go on, each with at least one part in :data:`FLOOR` of the work, and the
rest goes to the one whose worth for its work has been higher lately. Random valid inputs have their floor because
pruning alone sees hardly a value that is large and odd, so that until some were found half of the work is theirs; pruning
has one because it may come to pay later. When pruning comes to its end, sampling goes on for as many inputs as a run
without pruning may discard.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

from everycase.choices.dice import draw_size
from everycase.choices.sample import sampler
from everycase.errors import Discarded
from everycase.explore.narrow.explorer import Hunt, Narrow
from everycase.explore.protocol import SEARCHING, Case, Outcome, Space
from everycase.gen.collections import tuples
from everycase.gen.kinds import Filter
from everycase.narrow.arguments import Arguments
from everycase.narrow.seen import Repeats
from everycase.narrow.trail import Decisions

#: So many inputs are sampled before anything is decided; more than this share of them valid and different is enough.
TRIAL = 24
PLENTY = 0.75
#: Each way to find inputs gets at least one part in so many of the work; one that yields far less, one in :data:`LITTLE`.
FLOOR = 8
LITTLE = 64
FAR_LESS = 8
#: What a sampled candidate, and a value that pruning has completed, cost in evaluations on half-decided inputs.
SAMPLE_WORK = 2
VALUE_WORK = 3
#: Worth and work of the past count half after so much more work.
HALF_LIFE = 2000
#: Until an arm has had so much work nothing is concluded from its yield.
UNKNOWN = 400
#: What pruning may cost when nobody asked for it, for each test that is wanted; or for each value found, if that is more.
EVALUATIONS_PER_TEST = 300
EVALUATIONS_PER_VALUE = 2000
#: So many inputs are sampled for each test that is wanted, while there is pruning or after it: as many as a run without
#: pruning may discard. Where fewer than :data:`ENOUGH` are valid, as many as the predicate was evaluated for pruning.
SAMPLES_PER_TEST = 10
ENOUGH = 100
#: Fewer valid random inputs than this are worth mentioning, and worth half of the work.
FEW_RANDOM = 10
#: Parts of larger values than this are not counted.
MOST_PARTS = 256

#: A case that reported a utility, with its outcome: from there on a search goes on.
Promising = tuple[Case, Outcome] | None


class Arm:
    """One way to find inputs: what it has yielded, for how much work."""

    def __init__(self) -> None:
        self.worth = 0.0
        self.recent = 0.0
        #: all work, and that of the recent past
        self.work = 0.0
        self.spent = 0.0
        self.valid = 0

    def pay(self, work: float, worth: float = 0.0) -> None:
        fade = 0.5 ** (work / HALF_LIFE)
        self.worth = self.worth * fade + worth
        self.recent = self.recent * fade + work
        self.spent += work

    @property
    def rate(self) -> float:
        return self.worth / self.recent if self.recent else 0.0


class ByYield:
    """One run of the default explorer on a property with conditions."""

    def __init__(self, space: Space) -> None:
        self.space = space
        gens: Any = space.gen
        self.sampling, self.pruning = Arm(), Arm()
        self.seen = Repeats(gens.parts)
        self.guards = [(check, getattr(check, "on_real", check), places) for check, places in space.guards]
        #: what one sampled input costs, with the tries of the filters around the arguments
        self.sample_work = SAMPLE_WORK * self._tries(gens.parts)
        self.sampled = 0
        self.hunt: Hunt | None = None

    def _tries(self, gens: Any) -> float:
        """How many values the filters around the arguments take for one that passes, about."""
        if not any(isinstance(gen, Filter) for gen in gens):
            return 1.0
        import random as stdlib_random

        arguments = Arguments(gens, Decisions())
        random = stdlib_random.Random(f"everycase filters {self.space.seed}").random
        roll = sampler(tuples(*arguments.cores))
        passed = 1
        for _ in range(TRIAL):
            with suppress(Exception):  # what a predicate raises shows when it is run for good
                passed += bool(arguments.satisfy(arguments.conditions, roll(random, draw_size(random))))
        return (TRIAL + 1) / passed

    # --- sampling ---------------------------------------------------------------------------------------

    def _sampled(self) -> tuple[Case, bool]:
        """A sampled case, and whether it is valid and new; asked before the test, which may change its input."""
        case = self.space.sample()
        self.sampled += 1
        worth = 0.0
        if case.args is not None and self._is_valid(case.args):
            worth = self._worth(case.args)
        self.sampling.pay(self.sample_work, worth)
        return case, worth > 0

    def _is_valid(self, args: tuple[Any, ...]) -> bool:
        tallies = self.space.findings.tallies
        for check, on_real, places in self.guards:
            tally = tallies.setdefault(id(check), [0, 0])
            tally[0] += 1
            try:
                if not on_real(*[args[place] for place in places]):
                    return False
            except Discarded:
                return False
            except Exception:
                return True  # the test will show it, with this input
            tally[1] += 1
        return True

    def _worth(self, args: tuple[Any, ...]) -> float:
        return 1 + math.log2(parts_of(args)) if self.seen.is_new(args) else 0.0

    # --- the run ----------------------------------------------------------------------------------------

    def cases(self) -> Generator[Case, Outcome, Promising]:
        """Cases without end, or until one reports a utility or there is nothing left."""
        space, sampling = self.space, self.sampling
        different = 0
        for _ in range(TRIAL):
            case, is_new = self._sampled()
            different += is_new
            outcome = yield case
            if outcome.utilities:
                return case, outcome
            sampling.valid += outcome.status != "discarded"
        plenty = min(different, TRIAL / self.sample_work * SAMPLE_WORK) >= PLENTY * TRIAL
        if not plenty and Narrow.can_prune(space):
            yield SEARCHING  # what it took to decide this is not the time that making inputs takes
            found, done = yield from self._both()
            if found is not None or done:
                return found
        while True:
            case = space.sample()
            outcome = yield case
            if outcome.utilities:
                return case, outcome

    def _both(self) -> Generator[Case, Outcome, tuple[Promising, bool]]:
        """Sampling and pruning in turns; also whether nothing is left that could be tested."""
        space = self.space
        hunt = self.hunt = Narrow(max_evaluations=EVALUATIONS_PER_TEST * space.budget).begin(space)
        space.findings.covered, space.findings.caveat = self._covered(hunt), self._caveat
        pruned, work = hunt.cases(), 0.0
        case: Case | None
        while True:
            if self._samples_next():
                case, is_new = self._sampled()
                if not is_new:
                    yield SEARCHING
                    continue
                outcome = yield case
                self.sampling.valid += outcome.status != "discarded"
            else:
                case = next(pruned, None)
                if case is None:
                    break
                spent = hunt.tries - work
                work = hunt.tries
                if case is SEARCHING:
                    self.pruning.pay(spent)
                    yield SEARCHING
                    continue
                assert case.args is not None
                self.pruning.pay(spent + VALUE_WORK, 1 + math.log2(parts_of(case.args)))
                self.pruning.valid += 1
                outcome = yield case
                hunt.limit = max(hunt.limit, EVALUATIONS_PER_VALUE * (hunt.accepted + 2))
            if outcome.utilities:
                return (case, outcome), True
        if space.findings.exhausted or hunt.complete:
            return None, True
        if not self.pruning.valid:
            space.findings.stop = None
            return None, False
        while self.sampled < self._limit():
            case, is_new = self._sampled()
            if not is_new:
                yield SEARCHING
                continue
            outcome = yield case
            self.sampling.valid += outcome.status != "discarded"
            if outcome.utilities:
                return (case, outcome), True
        return None, True

    def _limit(self) -> int:
        """How many inputs are sampled at most."""
        limit = SAMPLES_PER_TEST * self.space.budget
        if self.sampling.valid >= ENOUGH or self.hunt is None:
            return limit
        return max(limit, self.hunt.evaluations)

    def _samples_next(self) -> bool:
        sampling, pruning = self.sampling, self.pruning
        if self.sampled >= self._limit():
            return False
        total = sampling.spent + pruning.spent
        unknown = pruning.spent < UNKNOWN
        if sampling.spent * (2 if sampling.valid < FEW_RANDOM else FLOOR) < total:
            return True
        floor = LITTLE if not unknown and pruning.rate * FAR_LESS < sampling.rate else FLOOR
        if pruning.spent * floor < total:
            return False
        return not unknown and sampling.rate > pruning.rate

    # --- what to say ------------------------------------------------------------------------------------

    def _caveat(self) -> str:
        """Why these tests say less than their number promises."""
        assert self.hunt is not None
        pruned, valid, satisfied = self.hunt.accepted, self.sampling.valid, f"satisfied {self.hunt.predicate}"
        if not pruned:
            return ""
        if not valid:
            return f"no random inputs: {pruned:,} were found by pruning, and none of {self.sampled:,} random ones {satisfied}"
        if valid < FEW_RANDOM and valid + pruned < ENOUGH:
            return (
                f"few inputs: {pruned:,} were found by pruning, and {valid:,} of {self.sampled:,} random ones "
                f"{satisfied}"
            )
        return ""

    def _covered(self, hunt: Hunt) -> Callable[[], str]:
        covered, sampling = hunt.covered, self.sampling

        def both() -> str:
            """What was found by pruning, apart from what was sampled."""
            more = f"; {sampling.valid:,} more by sampling" if sampling.valid else ""
            return f"by pruning {covered()}{more}" if sampling.valid or not hunt.accepted else covered()

        return both


def parts_of(value: Any) -> int:
    """Of how many parts a value is made, itself included.

    >>> parts_of([1, (2, 3)])
    5
    """
    count = 0
    pending = [value]
    while pending and count < MOST_PARTS:
        part = pending.pop()
        count += 1
        kind = type(part)
        if kind is int or kind is str or part is None:
            continue
        if isinstance(part, list | tuple | set | frozenset):
            pending.extend(part)
        elif isinstance(part, dict):
            pending.extend(part.values())
        elif hasattr(part, "__dict__") and not isinstance(part, type):
            pending.extend(vars(part).values())
    return count
