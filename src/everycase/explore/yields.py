"""Valid inputs by sampling and by pruning, in turns: more of whichever yields more.

The rule: an input is worth nothing if it is invalid or was tested before. Otherwise its worth grows with its
number of parts, and is less if many inputs have that number of parts. Work is counted in evaluations of the
precondition (see :mod:`everycase.explore.valid`).

1. A trial samples :data:`TRIAL` inputs, or fewer if that takes long. If nearly all of them are valid and new, sampling
   continues alone.
2. If there are no more inputs in total than a run may discard, each is checked once, in a random order.
3. As long as a new valid input takes little work, sampling continues alone for a while; and for longer if pruning could hardly
   yield more, because the valid inputs are about as large as the others.
4. Then both continue. The one with the higher recent yield per work gets more of the work. Sampling always
   gets at least one part in :data:`FLOOR` (half, until some random inputs were valid; less if many were, and
   it yields far less), because pruning rarely finds a value that is large and unusual. So does pruning,
   because it may pay off later, or one part in :data:`LITTLE` if it yields far less.
5. When pruning ends, sampling continues for as many inputs as a run without pruning may discard.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import Any

from everycase.choices.enact import replay
from everycase.errors import Discarded
from everycase.explore.case import last_of
from everycase.explore.narrow.explorer import Narrow, PruningRun
from everycase.explore.protocol import SEARCHING, Case, Outcome, Space, Stopped
from everycase.explore.random import until_a_utility
from everycase.explore.valid import (
    FAR_LESS,
    FEW_RANDOM,
    FLOOR,
    SAMPLES_PER_TEST,
    TRIAL,
    VALUE_WORK,
    Beside,
    Promising,
    RandomValid,
)
from everycase.narrow.arguments import names_of
from everycase.narrow.seen import Repeats

#: If more than this share of the inputs of the first trial is valid and different, sampling continues alone.
PLENTY = 0.75
#: The first trial ends after this much work, if it takes more: filters may reject nearly everything.
TRIAL_WORK = 300
#: As long as a new valid input takes no more work than this, sampling continues for a while before pruning begins: for
#: this many valid inputs. (Not to the end, although pruning takes about a thousand evaluations to begin: sampled inputs that
#: are valid are mostly small.)
CHEAP = 5
SAMPLED_FIRST = 200
#: It continues for as long as its yield is higher than that of a search in which each evaluation finds a value, so many times
#: as large as sampled inputs are before a condition rejects any of them.
LARGER = 2
#: This is looked at after every stretch of this much work.
STRETCH_WORK = 200
#: How many inputs are asked in a row before others get a turn.
STRETCH = 128
#: Pruning that yields far less than sampling gets one part in this many of the work.
LITTLE = 64
#: Nothing is concluded from the yield of pruning before it has done this much work.
UNKNOWN = 400
#: What pruning may cost when the user did not ask for it, for each test that is wanted; or for each value found, if that is more.
EVALUATIONS_PER_TEST = 300
EVALUATIONS_PER_VALUE = 2000


class ByYield(Beside):
    """Sampling and pruning; whichever yields more gets more of the work."""

    def __init__(self, space: Space, hunt: PruningRun, random: RandomValid) -> None:
        super().__init__(space, hunt, random)
        self.hunt = hunt
        space.findings.valid = lambda: random.tested + hunt.accepted

    def samples_next(self) -> bool:
        sampling, pruning = self.random, self.arm
        if sampling.sampled >= sampling.limit(self.hunt.evaluations):
            return False
        total = sampling.spent + pruning.spent
        unknown = pruning.spent < UNKNOWN
        if sampling.spent * (2 if sampling.valid < FEW_RANDOM else self.floor) < total:
            return True
        floor = LITTLE if not unknown and pruning.rate * FAR_LESS < sampling.rate else FLOOR
        if pruning.spent * floor < total:
            return False
        return not unknown and sampling.rate > pruning.rate

    def found(self) -> None:
        self.hunt.limit = max(self.hunt.limit, EVALUATIONS_PER_VALUE * (self.hunt.accepted + 2))


def valid_cases(space: Space, tested: Sequence[Case] = ()) -> Generator[Case, Outcome, Promising]:
    """The cases of the default explorer on a property with conditions: endless, or until one reports a
    utility or nothing is left. Those that were ``tested`` before do not come again."""
    gens: Any = space.gen
    seen = Repeats(gens.parts)
    for case in tested:
        with suppress(Discarded, RecursionError):
            if case.args is not None and case.trace is not None:
                seen.is_new(
                    replay(gens, case.trace).value
                )  # made again: the test may have changed its arguments
    seen.in_a_row = 0
    random = RandomValid(space, seen)
    first = iter(range(TRIAL))
    found = yield from _sampled(random, lambda: random.spent < TRIAL_WORK and next(first, None) is not None)
    if found is not None:
        return found
    if random.valid / random.tries >= PLENTY * TRIAL:
        return (yield from until_a_utility(space))
    if space.guards and space.fits(SAMPLES_PER_TEST * space.budget):
        return (yield from EachOnce(space, random).cases())
    found = yield from _while_cheap(random)
    if found is not None:
        return found
    if Narrow.can_prune(space):
        yield SEARCHING  # the time for this decision does not count as time for making inputs
        options = Narrow(max_evaluations=EVALUATIONS_PER_TEST * space.budget)
        both = ByYield(space, options.begin(space, seen), random)
        found, done = yield from both.cases(until_a_utility=True)
        if found is not None or done:
            return found
        # Pruning found nothing.
        return (yield from _sampled(random, lambda: random.repeats < SAMPLES_PER_TEST * space.budget))
    return (yield from until_a_utility(space))


def _sampled(random: RandomValid, goes_on: Callable[[], bool]) -> Generator[Case, Outcome, Promising]:
    """Sampled inputs, including invalid ones: the run counts them."""
    while goes_on():
        repeats = random.repeats
        case, is_new = random.case()
        if random.repeats > repeats:
            yield SEARCHING
            continue
        outcome = yield case
        if is_new:
            random.learn(outcome)
        if outcome.utilities:
            return case, outcome
    return None


def _while_cheap(random: RandomValid) -> Generator[Case, Outcome, Promising]:
    """Sampled inputs, as long as valid ones that are new take little work."""
    enough = random.valid + SAMPLED_FIRST
    # Pruning cannot be expected to yield more than this.
    most = LARGER * random.usual_parts / (VALUE_WORK + 1)
    spent, valid, cost = random.spent, random.valid, random.spent / max(random.valid, 0.5)
    while cost <= CHEAP and (random.valid < enough or random.rate >= most):
        case, new = random.cases()
        outcome = yield case if new else SEARCHING
        if new:
            random.learn(outcome, new)
            if outcome.utilities:
                return last_of(case), outcome
        if random.spent - spent >= STRETCH_WORK:
            cost = (random.spent - spent) / max(random.valid - valid, 0.5)
            spent, valid = random.spent, random.valid
    return None


class EachOnce:
    """If there are few inputs, each is checked once, in a random order."""

    def __init__(self, space: Space, random: RandomValid) -> None:
        self.space = space
        self.random = random
        self.asked = self.valid = 0
        space.findings.covered = self._covered
        space.findings.valid = lambda: self.valid

    def cases(self) -> Generator[Case, Outcome, Promising]:
        space, random = self.space, self.random
        for case in space.all_shuffled():
            self.asked += 1
            assert case.args is not None
            if not random.is_valid(case.args):
                if self.asked % STRETCH == 0:
                    yield SEARCHING
                continue
            case.how = "each once"
            self.valid += 1
            if not random.seen.is_new(case.args):
                continue  # it was among the first ones, which were sampled
            outcome = yield case
            if outcome.utilities:
                return case, outcome
        if space.leading:
            # It was read from the test's source: good enough for a search, but not for a proof.
            space.findings.stopped(Stopped.no_others, predicate=self._predicate)
        else:
            space.findings.exhausted = random.seen.complete
        return None

    @property
    def _predicate(self) -> str:
        return names_of([(check, ()) for check, _ in self.space.guards])

    def _covered(self) -> str:
        values = "1 value" if self.valid == 1 else f"{self.valid:,} values"
        satisfy = "satisfies" if self.valid == 1 else "satisfy"
        return f"{values} that {satisfy} {self._predicate}, of {self.asked:,} that were asked"
