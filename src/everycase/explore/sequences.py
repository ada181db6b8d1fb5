"""Every sequence of steps, the shorter ones first.

The possible steps after some steps are known only by taking these, so a sequence is described by numbers:
which of the possible steps was taken, with which of its arguments. A sequence is extended by taking the same
steps again and then each possible one. Sequences that cannot be taken are never extended.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from everycase.choices.trace import Trace
from everycase.explore.protocol import Case, Outcome, Space
from everycase.gen.kinds import Build, Live

#: The number of sequences that are tested when no setting limits the tests.
MOST = 1_000_000

OTHER_STEPS = "after the same steps the machine offered different next steps than before: it depends on something besides its steps"

#: The choice, the number of possible ones, and what they are if it is known: a hash of something that tells them apart.
Digit = tuple[int, int, int]
Digits = tuple[Digit, ...]

#: A sample of the sequences is taken again: all of the first ones, and then fewer and fewer.
KEPT_DENSELY = 8


class StepOdometer:
    """Decides by numbers, and counts through everything that can be decided after a prefix."""

    def __init__(self, prefix: Digits) -> None:
        self._prefix = prefix
        #: how many decisions the prefix has
        self.given = len(prefix)
        self._digits: list[Digit] = list(prefix)
        self._at = 0
        #: whether something different from before could be chosen
        self.differs = False

    def pick(self, count: int, offered: object = None) -> int:
        """A number below ``count``, where ``offered`` is known of what is chosen among."""
        what = _hash(offered)
        if self._at == len(self._digits):
            self._digits.append((0, count, what))
        chosen, known, before = self._digits[self._at]
        if (known, before) != (count, what):
            self.differs = True
            chosen = min(chosen, count - 1)
        self._at += 1
        return chosen

    def decided(self) -> Digits:
        """The decisions since the last call of :meth:`advance`."""
        return tuple(self._digits[: self._at])

    def advance(self) -> bool:
        """Advance to the next combination after the prefix; False if there is none."""
        del self._digits[self._at :]
        self._at = 0
        while len(self._digits) > len(self._prefix):
            chosen, count, offered = self._digits.pop()
            if chosen + 1 < count:
                self._digits.append((chosen + 1, count, offered))
                return True
        return False


def _hash(thing: object) -> int:
    try:
        return hash(thing)
    except Exception:  # of an enumeration of the user's, for example
        return 0


def steps_of(space: Space) -> Any:
    """What takes the steps, if the first argument is a sequence of steps; other arguments say how they are
    taken."""
    first = space.gen.parts[0] if isinstance(space.gen, Build) and space.gen.parts else None
    return first.steps if isinstance(first, Live) else None


def by_number(space: Space, odometer: StepOdometer, depth: int, how: str) -> tuple[Case, Any]:
    """The test that takes ``depth`` steps, which the odometer decides; also the steps by themselves."""
    traces = steps_of(space).driven(space.gen.parts, odometer.pick, depth)  # type: ignore[attr-defined]
    args = tuple(trace.value for trace in traces)
    return Case(args, Trace(None, traces, space.gen, args), how), args[0]


class _Taken(NamedTuple):
    """A sequence that was taken: its decisions, and what is known of its end."""

    digits: Digits
    depth: int
    end: tuple[object, ...]


def _end_of(program: Any, discarded: bool) -> tuple[object, ...]:
    return program.length, _hash(program.taken), discarded


class Sequences:
    """The walk through all sequences up to a number of steps."""

    def __init__(self, space: Space, max_steps: int | None) -> None:
        self.space = space
        self.max_steps = max_steps
        #: sequences by length, and states of the model if there is one
        self.counts: list[int] = []
        #: tests by length: more than sequences if the same steps can be taken in several ways
        self.tests: list[int] = []
        self.states: set[Any] = set()
        #: all sequences of this many steps were tested
        self.done = -1
        self.ended = False
        #: arguments of which only some values were tried, in words
        self.some: dict[str, str] = {}
        self._sample: list[_Taken] = []
        self._sample_at = 0
        self._tests = 0

    def cases(self) -> Generator[Case, Outcome, None]:
        space = self.space
        space.findings.covered = self.covered
        space.findings.again = self.again
        frontier: list[Digits] = [()]
        depth = 0
        if not space.limited:
            space.budget = max(space.budget, MOST)
        while self.max_steps is None or depth <= self.max_steps:
            self.counts.append(0)
            self.tests.append(0)
            longer: list[Digits] = []
            for prefix in frontier:
                odometer = StepOdometer(prefix)
                while True:
                    yield from self._one(odometer, depth, longer)
                    if not odometer.advance():
                        break
            self.done = depth
            if not longer:
                self.ended = True
                break
            frontier = longer
            depth += 1
        space.findings.exhausted = not self.some

    def _one(
        self, odometer: StepOdometer, depth: int, longer: list[Digits]
    ) -> Generator[Case, Outcome, None]:
        case, program = by_number(self.space, odometer, depth, "exhaustive, by steps")
        outcome = yield case
        discarded = outcome.status == "discarded"
        decided = odometer.decided()
        # The steps of the prefix were taken before, and none of them was discarded.
        lost = program.length < depth - 1 or (discarded and 0 < len(decided) <= odometer.given)
        differs = odometer.differs or program.unfit or (lost and outcome.status != "failed")
        if differs and OTHER_STEPS not in self.space.findings.doubts:
            self.space.findings.doubts.append(OTHER_STEPS)
        self._keep(_Taken(decided, depth, _end_of(program, discarded)))
        self.some.update(program.some)
        if program.length != depth or discarded:
            return  # there was no such step, or it was discarded
        self.tests[depth] += 1
        steps, others = decided[: program.decisions], decided[len(decided[: program.decisions]) :]
        if any(chosen for chosen, _, _ in others):
            return  # the same steps as before, in another way
        self.counts[depth] += 1
        if program.state is not None:
            if program.state in self.states:
                return
            self.states.add(program.state)
        if outcome.status == "passed":
            longer.append(steps)

    def _keep(self, taken: _Taken) -> None:
        self._tests += 1
        if self._tests > self._sample_at:
            self._sample.append(taken)
            self._sample_at = self._tests + self._tests // KEPT_DENSELY

    def again(self) -> Generator[Case, Outcome, None]:
        """A sample of the sequences once more, as far as they were the same each time, for ever."""
        while self._sample:
            for taken in self._sample:
                odometer = StepOdometer(taken.digits)
                case, program = by_number(self.space, odometer, taken.depth, "a sequence taken again")
                outcome = yield case
                same = len(odometer.decided()) == len(taken.digits) and not odometer.differs
                if not same or _end_of(program, outcome.status == "discarded") != taken.end:
                    return

    def covered(self) -> str:
        """A description of what was tested."""
        if self.done < 0:
            return "no sequence"
        extent = self._extent()
        if self.some:
            extent += f"; with {', '.join(self.some.values())}"
        rest = sum(self.tests[self.done + 1 :])
        return f"{extent}, and {rest:,} longer one{'s' * (rest != 1)}" if rest else extent

    def _extent(self) -> str:
        total = sum(self.counts[: self.done + 1])
        longest = max(
            length for length, count in enumerate(self.counts[: self.done + 1]) if count or not length
        )
        deepest = longest if self.ended else self.done
        steps = f"{deepest} step{'' if deepest == 1 else 's'}"
        sequences = f"{total:,} sequence{'' if total == 1 else 's'}"
        extent = f"every sequence of at most {steps}"
        ways = steps_of(self.space).ways
        if ways:
            tests = sum(self.tests[: self.done + 1])
            return f"{ways}, for {extent}: {tests:,} interleavings of {sequences}"
        if self.states:
            what = f"all {len(self.states):,} reachable states of the model up to {steps}"
            extent = f"{what}: every step from each of them, {sequences}"
            extent += ", none of which continues from a state of the model that was seen before"
        elif self.ended:
            extent = f"every sequence there is, of at most {steps}: {sequences}"
        else:
            extent = f"{extent}: {sequences}"
        if self.ended and self.states:
            extent += "; no further step leads to a new state"
        return extent
