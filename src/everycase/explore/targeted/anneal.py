"""Simulated annealing, with the schedules of the papers and one that needs no choice of a scale.

A schedule says how hot the search is, from 1 to 0, by the tests used so far. The meaning of a temperature for
a loss does not depend on the scale of the utility: losses are measured in units of the smaller recent losses,
which is 1 if a utility counts something. The same temperature tells the neighbourhood how far to step.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from typing import Any

from everycase.errors import Discarded, EverycaseError, InvalidArgument
from everycase.explore.protocol import Space
from everycase.explore.targeted.search import TargetedSearch
from everycase.gen.validate import require_arguments

#: The quantile of the recent losses that is the unit of loss.
QUANTILE = 0.1

#: How many losses are remembered.
LOSSES = 64

#: With the adaptive schedule, the probability at temperature 1 of accepting a loss of one unit.
UNIT_TAKEN = 0.02

#: With the papers' schedules a loss of one unit counts as this many degrees: a smaller number lets a search that begins
#: hot wander at random for most of its budget.
SMALL_LOSS = 2.0

#: Minimum temperature for neighbours: at 0 there are none.
COLDEST = 0.01


class Cooling:
    """The temperature of one run and the clock it depends on.

    ``clock`` is k and ``budget`` is K in the papers. A schedule sets ``temperature`` and ``clock`` after every step,
    which led from a utility ``before`` to one ``now``. ``used`` is how many tests the search has made, those of line
    searches too, and ``elapsed`` how many of them since the last step.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.clock = 0
        self.used = 0
        self.elapsed = 0
        self.steps = 0
        self.rejected = 0
        self.temperature = 1.0
        self.before = self.now = 0.0
        self._losses: deque[float] = deque(maxlen=LOSSES)
        self._unit = 0.0
        self._fresh = 0

    def unit(self, loss: float) -> float:
        """The size of a small loss, including this one."""
        self._losses.append(loss)
        self._fresh -= 1
        if self._fresh <= 0 or loss < self._unit:
            ordered = sorted(self._losses)
            self._unit = ordered[int(QUANTILE * len(ordered))]
            self._fresh = len(ordered) // 8
        return self._unit


Schedule = Callable[[Cooling, bool], None]


def adaptive(cooling: Cooling, accepted: bool) -> None:
    """T = 1 - k/K for k tests used; starts again if the end of a run is not known."""
    cooling.temperature = 1 - cooling.used % cooling.budget / cooling.budget


def linear(cooling: Cooling, accepted: bool) -> None:
    """T = 1 - k/K."""
    cooling.clock += max(1, cooling.elapsed)  # a step is a test
    cooling.temperature = max(0.0, 1 - cooling.clock / cooling.budget)


def fast(cooling: Cooling, accepted: bool) -> None:
    """T = 1 / max(k/4, 1); the clock advances with every accepted step, and goes back by 7 at every sixth
    rejection."""
    _reheating(cooling, accepted, 7)


def reheat(cooling: Cooling, accepted: bool) -> None:
    """As fast, but the jump back fades as the budget is used up."""
    _reheating(cooling, accepted, int(25 * max(0.0, 1 - cooling.used / cooling.budget)))


def very_fast(cooling: Cooling, accepted: bool) -> None:
    """T = 1 - sqrt(k/K); after more than 100 rejections the clock starts again."""
    cooling.clock += max(1, cooling.elapsed)  # a step is a test
    if cooling.rejected > 100:
        cooling.clock = cooling.rejected = 0
    cooling.temperature = max(0.0, 1 - math.sqrt(cooling.clock / cooling.budget))


def _reheating(cooling: Cooling, accepted: bool, jump: int) -> None:
    if accepted:
        cooling.clock += 1
    elif cooling.rejected and cooling.rejected % 6 == 0:
        cooling.clock = max(1, cooling.clock - jump)
    cooling.temperature = 1 / max(cooling.clock / 4, 1)


SCHEDULES: dict[str, Schedule] = {
    "adaptive": adaptive,
    "linear": linear,
    "fast": fast,
    "very_fast": very_fast,
    "reheat": reheat,
}


class Anneal(TargetedSearch):
    """Simulated annealing: a worse neighbour is accepted with a probability that falls with the temperature.

    ``schedule`` is "adaptive" (the default), "linear", "fast", "very_fast", "reheat", or a function of a
    :class:`Cooling` and of whether the last step was accepted, which sets ``cooling.temperature``. The
    adaptive one rarely accepts a loss even at the beginning; the others are those of the papers. Multiplying
    the utility by a constant changes nothing. After a long time without an improvement the search returns to
    its best value.
    """

    returns = True
    schedule: str | Schedule = "adaptive"
    options = "schedule, restart, ties, line_search and fresh"

    def __init__(self, schedule: str | Schedule = "adaptive", **options: Any) -> None:
        super().__init__(**options)
        if isinstance(schedule, str) and schedule not in SCHEDULES:
            raise InvalidArgument(
                f"schedule must be one of {', '.join(SCHEDULES)}, or a function, not {schedule!r}"
            )
        if not isinstance(schedule, str) and not callable(schedule):
            raise InvalidArgument(f"schedule must be a name or a function, not {schedule!r}")
        if not isinstance(schedule, str):
            require_arguments("schedule", schedule, "cooling, accepted")
        self.schedule = schedule

    def begin(self, space: Space) -> Cooling:
        return Cooling(space.budget)

    def tested(self, state: Cooling) -> None:
        state.used += 1
        state.elapsed += 1

    def temperature(self, state: Cooling) -> float:
        return max(COLDEST, state.temperature)

    def accept(self, state: Cooling, before: float, now: float, random: Callable[[], float]) -> bool:
        loss = before - now
        accepted = loss < 0 or (loss == 0 and self.ties)
        if loss > 0:
            accepted = random() < self._chance(state, loss)
        state.steps += 1
        state.rejected = 0 if accepted else state.rejected + 1
        state.before, state.now = before, now
        if isinstance(self.schedule, str):
            SCHEDULES[self.schedule](state, accepted)
        else:
            _ask(self.schedule, state, accepted)
        state.elapsed = 0
        return accepted

    def _chance(self, state: Cooling, loss: float) -> float:
        units = loss / state.unit(loss)
        if state.temperature <= 0:
            return 0.0
        if self.schedule == "adaptive":
            return float(UNIT_TAKEN ** (units / state.temperature))
        return math.exp(-SMALL_LOSS * units / state.temperature)


def _ask(schedule: Schedule, cooling: Cooling, accepted: bool) -> None:
    """A schedule written by a user, with an error that says so if it goes wrong."""
    name = getattr(schedule, "__name__", repr(schedule))
    try:
        result: object = schedule(cooling, accepted)  # type: ignore[func-returns-value]
    except Exception as problem:
        if isinstance(problem, EverycaseError) and not isinstance(problem, Discarded):
            raise
        raise InvalidArgument(f"the schedule {name} raised {type(problem).__name__}: {problem}") from problem
    if result is not None:
        raise InvalidArgument(
            f"the schedule {name} returned {result!r}, which has no effect; it must set cooling.temperature"
        )
    temperature: Any = getattr(cooling, "temperature", None)
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not (number and 0 <= temperature <= 1):
        raise InvalidArgument(
            f"the schedule {name} must set cooling.temperature to a number between 0 and 1, not {temperature!r}"
        )
