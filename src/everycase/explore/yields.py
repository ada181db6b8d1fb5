"""Valid inputs by sampling and by pruning, in turns: more of what yields more.

The rule. What an input is worth: nothing if it is not valid or was tested before; else one, and one more for every time
that its number of parts doubles, and less where many inputs have that number. What it costs is counted in evaluations of the precondition (see
:mod:`everycase.explore.valid`). A first trial samples :data:`TRIAL` inputs. If nearly all of them are valid and different,
sampling goes on alone. Else both go on, each with at least one part in :data:`FLOOR` of the work, and the rest goes to the
one whose worth for its work has been higher lately. Random valid inputs have their floor because pruning alone sees hardly
a value that is large and odd, so that until some were found half of the work is theirs; pruning has one because it may
come to pay later. When pruning comes to its end, sampling goes on for as many inputs as a run without pruning may discard.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from everycase.explore.narrow.explorer import Narrow, PruningRun
from everycase.explore.protocol import SEARCHING, Case, Outcome, Space
from everycase.explore.valid import FEW_RANDOM, FLOOR, SAMPLE_WORK, TRIAL, Beside, Promising, RandomValid
from everycase.narrow.seen import Repeats

#: If more than this share of the inputs of the first trial is valid and different, sampling goes on alone.
PLENTY = 0.75
#: Pruning that yields far less than sampling gets one part in this many of the work.
LITTLE = 64
FAR_LESS = 8
#: Until pruning has had so much work nothing is concluded from its yield.
UNKNOWN = 400
#: What pruning may cost when the user did not ask for it, for each test that is wanted; or for each value found, if that is more.
EVALUATIONS_PER_TEST = 300
EVALUATIONS_PER_VALUE = 2000


class ByYield(Beside):
    """Sampling and pruning, where the one that yields more gets more of the work."""

    def __init__(self, space: Space, hunt: PruningRun, random: RandomValid) -> None:
        super().__init__(space, hunt, random)
        self.hunt = hunt

    def samples_next(self) -> bool:
        sampling, pruning = self.random, self.arm
        if sampling.sampled >= sampling.limit(self.hunt.evaluations):
            return False
        total = sampling.spent + pruning.spent
        unknown = pruning.spent < UNKNOWN
        if sampling.spent * (2 if sampling.valid < FEW_RANDOM else FLOOR) < total:
            return True
        floor = LITTLE if not unknown and pruning.rate * FAR_LESS < sampling.rate else FLOOR
        if pruning.spent * floor < total:
            return False
        return not unknown and sampling.rate > pruning.rate

    def found(self) -> None:
        self.hunt.limit = max(self.hunt.limit, EVALUATIONS_PER_VALUE * (self.hunt.accepted + 2))


def valid_cases(space: Space) -> Generator[Case, Outcome, Promising]:
    """The cases of the default explorer on a property with conditions: without end, or until one reports a utility or
    there is nothing left."""
    gens: Any = space.gen
    seen = Repeats(gens.parts)
    random = RandomValid(space, seen)
    different = 0
    for _ in range(TRIAL):
        case, is_new = random.case()
        different += is_new
        if random.repeated:
            yield SEARCHING
            continue
        outcome = yield case
        if outcome.utilities:
            return case, outcome
        if is_new:
            random.learn(outcome)
    plenty = min(different, TRIAL / random.work_of_one * SAMPLE_WORK) >= PLENTY * TRIAL
    if not plenty and Narrow.can_prune(space):
        yield SEARCHING  # what it took to decide this is not the time that making inputs takes
        options = Narrow(max_evaluations=EVALUATIONS_PER_TEST * space.budget)
        both = ByYield(space, options.begin(space, seen), random)
        found, done = yield from both.cases(until_a_utility=True)
        if found is not None or done:
            return found
        while True:  # pruning found nothing
            case, is_new = random.case()
            outcome = yield case
            if is_new:
                random.learn(outcome)
            if outcome.utilities:
                return case, outcome
    while True:
        case = space.sample()
        outcome = yield case
        if outcome.utilities:
            return case, outcome
