"""Random inputs that satisfy the conditions, tested beside those that pruning finds.

Pruning alone sees hardly a value that is large and odd, and a test that has seen only small values has not passed for
much. So every run that prunes gives a share of its work to ordinary random inputs. Work is counted in evaluations of the
conditions, never in seconds, so that a run can be repeated: a sampled input costs :data:`SAMPLE_WORK`, and
:data:`DIE_WORK` for each choice that was made for it or for what its filters rejected.
"""

from __future__ import annotations

import random as stdlib_random
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import Any, Protocol

from everycase.choices.dice import draw_size
from everycase.choices.sample import sampler
from everycase.choices.time_limit import look
from everycase.errors import Discarded
from everycase.explore.case import last_of
from everycase.explore.protocol import SEARCHING, Batch, Case, Outcome, Space
from everycase.explore.valid_sampling import ValidSampling
from everycase.gen.collections import tuples
from everycase.gen.kinds import Filter
from everycase.narrow.arguments import Arguments
from everycase.narrow.seen import Repeats
from everycase.narrow.trail import Decisions

#: What a value that pruning has completed costs in evaluations on half-decided inputs, what a sampled candidate costs, and
#: each of its dice, also where it is recorded. (Measured in CPU time: an evaluation takes about 8 us.)
VALUE_WORK = 8
SAMPLE_WORK, DIE_WORK, RECORDED_WORK = 0.3, 0.04, 0.12
#: The number of values on which the filters around the arguments are tried, to estimate what a sampled input costs.
TRIAL = 24
#: Maximum number of samples for each test: as many as a run without pruning may discard. If fewer than
#: :data:`ENOUGH` are valid, as many as pruning has used evaluations. Every new valid input earns further
#: samples.
SAMPLES_PER_TEST = 10
ENOUGH = 100
SAMPLES_PER_NEW = 40
#: Fewer valid random inputs than this are worth mentioning, and worth half of the work.
FEW_RANDOM = 10
#: Sampling gets at least one part in this many of the work; or one in so many more, when :data:`ENOUGH` random inputs were
#: valid and it yields far less than pruning.
FLOOR = 8
LOW_FLOOR = 32
FAR_LESS = 3
#: A run that was asked to prune spends half of its work on sampling only for this many inputs, if none is valid.
PATIENCE = 1000

#: The weight of past worth and work halves after this much more work.
HALF_LIFE = 2000
#: Parts beyond this number are not counted.
MOST_PARTS = 256

#: A case that reported a utility, with its outcome: a search continues from there.
Promising = tuple[Case, Outcome] | None


class Arm:
    """One way to find inputs: what it has yielded, for how much work."""

    def __init__(self) -> None:
        self.worth = 0.0
        self.recent = 0.0
        #: all work
        self.spent = 0.0
        #: how many valid inputs were tested
        self.valid = 0

    def pay(self, work: float, worth: float = 0.0) -> None:
        fade = 0.5 ** (work / HALF_LIFE)
        self.worth = self.worth * fade + worth
        self.recent = self.recent * fade + work
        self.spent += work

    @property
    def rate(self) -> float:
        """Its recent yield per unit of work."""
        return self.worth / self.recent if self.recent else 0.0


class Worths:
    """The worth of new inputs: one, plus one for every doubling of the number of parts. If more than a fair
    share of all inputs have the same number of parts, each of those is worth less, so that sizes spread."""

    def __init__(self) -> None:
        self._count: Counter[int] = Counter()
        self._total = 0

    def of(self, args: tuple[Any, ...]) -> float:
        parts = parts_of(args)
        self._count[parts] += 1
        self._total += 1
        fair = self._total / len(self._count)
        return parts * min(1.0, fair / self._count[parts])


def parts_of(value: Any) -> int:
    """The number of parts of a value, including itself.

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
        with suppress(Exception):  # an object that refuses to be looked at is one part
            if isinstance(part, list | tuple | set | frozenset):
                pending.extend(part)
            elif isinstance(part, dict):
                pending.extend(part.values())
            elif hasattr(part, "__dict__") and not isinstance(part, type):
                pending.extend(vars(part).values())
    return count


class Pruning(Protocol):
    """A run that finds inputs by pruning."""

    #: how many inputs were tested, and the size of the largest
    accepted: int
    #: the last one was already added to them, by whoever ran it
    counted: bool
    largest_tested: int
    #: every input that satisfies the conditions was found
    complete: bool
    #: how many of the found values were already known
    repeats: int

    def cases(self) -> Generator[Case, Outcome, None]: ...

    @property
    def tries(self) -> int:
        """The work so far, in evaluations."""

    @property
    def evaluations(self) -> int: ...

    @property
    def predicate(self) -> str: ...

    def covered(self, sampled: int = 0) -> str:
        """What was tested, in words; ``sampled`` inputs were found elsewhere."""


class Guards:
    """The conditions of a property that are not filters, asked of whole inputs and counted."""

    def __init__(self, space: Space) -> None:
        tallies = space.findings.tallies
        #: each with its only argument, all of its arguments, and how often it was asked and held
        self._guards = [
            (
                getattr(check, "on_real", check),
                places[0] if len(places) == 1 else None,
                places,
                tallies.setdefault(id(check), [0, 0]),
            )
            for check, places in space.guards
        ]

    def __bool__(self) -> bool:
        return bool(self._guards)

    def hold(self, args: tuple[Any, ...]) -> bool:
        """Whether an input satisfies all of them."""
        for check, only, places, tally in self._guards:
            tally[0] += 1
            try:
                if not (check(args[only]) if only is not None else check(*[args[place] for place in places])):
                    return False
            except Discarded:
                return False
            except Exception:
                return True  # the test will show it, with this input
            tally[1] += 1
        return True


class RandomValid(Arm):
    """Sampling: random inputs, and which of them are valid and new."""

    def __init__(self, space: Space, seen: Repeats) -> None:
        super().__init__()
        self.space = space
        self.seen = seen
        self.worths = Worths()
        #: how many were sampled, valid or not
        self.sampled = 0
        #: how many valid inputs were tested before
        self.repeats = 0
        self._guards = Guards(space)
        self._valid_sampling: ValidSampling | None = None
        #: the batch that is being tested
        self._batch: Batch | None = None
        gens: Any = space.gen
        #: the parts of sampled inputs, valid or not, and how many were counted
        self._parts = self._counted = 0
        #: how many tries of the filters around the arguments a sampled input takes
        self.tries = self._count_tries(gens.parts)
        self._rolled, self._recorded = space.count_dice()
        self._paid = 0.0

    def _dice_work(self) -> float:
        """The work of all dice since this was last asked."""
        total = DIE_WORK * self._rolled.total + RECORDED_WORK * self._recorded.total
        work, self._paid = total - self._paid, total
        return work

    def _count_tries(self, gens: Any) -> float:
        """About how many values the filters around the arguments take for one that passes."""
        if not any(isinstance(gen, Filter) for gen in gens):
            return 1.0
        arguments = Arguments(gens, Decisions())
        random = stdlib_random.Random(f"everycase filters {self.space.seed}").random
        roll = sampler(tuples(*arguments.cores))
        tried = passed = 1
        with self.space.counting.ending_soon():
            for _ in range(TRIAL):
                with suppress(Exception):  # an exception of a predicate shows when it is really run
                    look()
                    tried += 1
                    values = roll(random, draw_size(random))
                    self._count_parts(values)
                    passed += bool(arguments.satisfy(arguments.conditions, values))
        return tried / passed

    def _count_parts(self, args: tuple[Any, ...]) -> None:
        self._parts += parts_of(args)
        self._counted += 1

    @property
    def usual_parts(self) -> float:
        """How many parts an input has before any condition is asked, on average."""
        return self._parts / max(1, self._counted)

    def case(self) -> tuple[Case, bool]:
        """A sampled case, and whether it is valid and new; decided before the test, which may change its
        input."""
        case = self.space.sample()
        if self.tries == 1.0 and case.args is not None:
            self._count_parts(case.args)
        sampled = self.sampled
        is_valid = case.args is not None and self.is_valid(case.args)
        return case, self._new([case.args if is_valid else None], sampled) != []

    def cases(self) -> tuple[Case, int]:
        """Sampled cases that are valid and new, and how many: one, several if the run takes a batch, or
        none."""
        sampled = self.sampled
        proposed = self._proposed()
        if not isinstance(proposed, Batch):
            return proposed, len(self._new([proposed.args], sampled))
        places = self._new(proposed.values, sampled)
        values = [proposed.values[place] for place in places]
        self._batch = Batch(values, lambda number: proposed.case(places[number]))
        return self._batch, len(values)

    def _proposed(self) -> Case:
        space = self.space
        if not self._guards:
            return space.samples()
        if self._valid_sampling is None:
            self._valid_sampling = space.valid_sampling(self.is_valid)
        if self._valid_sampling is not None:
            return self._valid_sampling.some(space.batches)
        case = space.sample()
        return case if case.args is not None and self.is_valid(case.args) else Case(None, None)

    def _new(self, values: Sequence[tuple[Any, ...] | None], sampled: int) -> list[int]:
        """Which of these valid inputs are new (None is not an input); ``sampled`` is how many were sampled
        before them."""
        worth, places, seen = 0.0, [], self.seen
        in_a_row = seen.in_a_row  # of what pruning finds
        for place, args in enumerate(values):
            if args is None:
                continue
            if seen.is_new(args):
                worth += self.worths.of(args)
                places.append(place)
            else:
                self.repeats += 1
        seen.in_a_row = in_a_row
        # With conditions, those that did not satisfy them were also counted.
        self.sampled = max(self.sampled, sampled + len(values))
        self.pay(SAMPLE_WORK * (self.sampled - sampled) + self._dice_work(), worth)
        return places

    def is_valid(self, args: tuple[Any, ...]) -> bool:
        """Whether an input satisfies the conditions that are not filters."""
        self.sampled += 1
        return self._guards.hold(args)

    def learn(self, outcome: Outcome, new: int = 1) -> None:
        """Record the outcome of new cases: it is that of the last one that was tested."""
        done = 0 if self._batch is None else self._batch.done
        self.valid += done or new - (outcome.status == "discarded")
        self._batch = None

    @property
    def tested(self) -> int:
        """How many valid inputs were tested, including those of the current batch."""
        return self.valid + (0 if self._batch is None else self._batch.done)

    def limit(self, evaluations: int) -> int:
        """Maximum number of samples beside a search that has taken this many evaluations."""
        limit = SAMPLES_PER_TEST * self.space.budget + SAMPLES_PER_NEW * self.valid
        # If the same valid inputs come again and again, there are few of them, and further sampling finds no
        # more.
        return limit if self.valid + self.repeats >= ENOUGH else max(limit, evaluations)


class Beside:
    """Pruned inputs, and random ones between them."""

    def __init__(self, space: Space, pruning: Pruning, random: RandomValid) -> None:
        self.space = space
        self.pruning = pruning
        self.random = random
        #: what pruning has yielded
        self.arm = Arm()
        space.findings.covered, space.findings.caveat = self._covered, self._caveat

    def samples_next(self) -> bool:
        """Whether a random input comes next. The user has asked for pruning, so it gets most of the work."""
        random = self.random
        if random.sampled >= random.limit(self.pruning.evaluations):
            return False
        few = random.valid < FEW_RANDOM and random.sampled < PATIENCE
        return random.spent * (2 if few else self.floor) < random.spent + self.arm.spent

    @property
    def floor(self) -> int:
        """Sampling gets one part in this many of the work, or more."""
        random, arm = self.random, self.arm
        # All inputs so far: what pruning has yielded lately changes from one moment to the next.
        low = random.valid >= ENOUGH and random.valid * FAR_LESS * arm.spent < arm.valid * random.spent
        return LOW_FLOOR if low else FLOOR

    def cases(self, *, until_a_utility: bool = False) -> Generator[Case, Outcome, tuple[Promising, bool]]:
        """Both in turns; returns whether nothing is left to test. With ``until_a_utility`` it ends with the
        first case that reports one."""
        space, pruning, random, arm = self.space, self.pruning, self.random, self.arm
        pruned, work, repeats, sent = pruning.cases(), 0, 0, None
        case: Case | None
        while True:
            if self.samples_next():
                case, new = random.cases()
                if not new:
                    yield SEARCHING
                    continue
                outcome = yield case
                random.learn(outcome, new)
            else:
                try:
                    case = pruned.send(sent)  # type: ignore[arg-type]
                except StopIteration:
                    break
                sent = None
                spent, work = pruning.tries - work, pruning.tries
                if case is SEARCHING:
                    arm.pay(spent + VALUE_WORK * (pruning.repeats - repeats))
                    repeats = pruning.repeats
                    sent = yield SEARCHING
                    continue
                assert case.args is not None
                arm.pay(spent + VALUE_WORK, random.worths.of(case.args))
                arm.valid += 1
                outcome = sent = yield case
                # Counted here, because the search may not go on any more.
                pruning.accepted += 1
                pruning.counted = True
                self.found()
            if outcome.utilities and until_a_utility:
                return (last_of(case), outcome), True
        if space.findings.exhausted or pruning.complete:
            return None, True
        if not arm.valid and until_a_utility:
            space.findings.stop = None
            return None, False
        while self._goes_on_sampling():
            case, new = random.cases()
            if not new:
                yield SEARCHING
                continue
            outcome = yield case
            random.learn(outcome, new)
            if outcome.utilities and until_a_utility:
                return (last_of(case), outcome), True
        return None, True

    def _goes_on_sampling(self) -> bool:
        """Whether random inputs are worth their work after pruning has ended: as much as pruning took, and
        not for long if none is valid."""
        random = self.random
        least = SAMPLE_WORK * SAMPLES_PER_TEST * self.space.budget
        return (
            random.sampled < random.limit(self.pruning.evaluations)
            and random.spent < max(least, self.arm.spent)
            and (random.valid > 0 or random.sampled < PATIENCE)
        )

    def found(self) -> None:
        """Pruning has found one more input."""

    # --- what to say ------------------------------------------------------------------------------------

    def _covered(self) -> str:
        return self.pruning.covered(self.random.tested)

    def _caveat(self) -> str:
        """Why these tests mean less than their number suggests."""
        pruned, random = self.pruning.accepted, self.random
        if not pruned or self.pruning.complete:
            return ""
        # Inputs that are made again, or were found by pruning, are not tested again, so no share is given.
        sampling = f"sampling {random.sampled:,} inputs found"
        were = "1 was" if pruned == 1 else f"{pruned:,} were"
        found = f"{were} found by pruning, of size {self.pruning.largest_tested:,} or less"
        if not random.tested:
            return (
                f"no random inputs: {found}, and {sampling} no other that satisfies {self.pruning.predicate}"
            )
        total = random.tested + pruned
        if total < ENOUGH and (random.tested < FEW_RANDOM or total < self.space.budget):
            others = (
                "1 other that satisfies" if random.tested == 1 else f"{random.tested:,} others that satisfy"
            )
            return f"few inputs: {found}, and {sampling} {others} {self.pruning.predicate}"
        return ""
