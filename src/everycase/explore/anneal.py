"""Simulated annealing, with the schedules of the papers and one that does not depend on the scale of the utility."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from statistics import median
from typing import Any

from everycase.errors import InvalidArgument
from everycase.explore.base import Space
from everycase.explore.search import Search
from everycase.gen.validate import require_arguments


class Cooling:
    """The temperature of one run and the clock it depends on.

    ``clock`` is k and ``budget`` is K in the papers. A schedule sets ``temperature`` and ``clock`` after every step,
    which led from a utility ``before`` to one ``now``.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.clock = 0
        self.steps = 0
        self.rejected = 0
        self.temperature = 1.0
        self.before = self.now = 0.0
        self.losses: deque[float] = deque(maxlen=64)


Schedule = Callable[[Cooling, bool], None]


def linear(cooling: Cooling, accepted: bool) -> None:
    """T = 1 - k/K."""
    cooling.clock += 1
    cooling.temperature = max(0.0, 1 - cooling.clock / cooling.budget)


def fast(cooling: Cooling, accepted: bool) -> None:
    """T = 1 / max(k/4, 1); the clock goes on with what is accepted, and back by 7 at every sixth rejection."""
    _reheating(cooling, accepted, 7)


def reheat(cooling: Cooling, accepted: bool) -> None:
    """As fast, but the jump back fades as the budget is used up."""
    _reheating(cooling, accepted, int(25 * max(0.0, 1 - cooling.steps / cooling.budget)))


def very_fast(cooling: Cooling, accepted: bool) -> None:
    """T = 1 - sqrt(k/K); after more than 100 rejections the clock starts again."""
    cooling.clock += 1
    if cooling.rejected > 100:
        cooling.clock = cooling.rejected = 0
    cooling.temperature = max(0.0, 1 - math.sqrt(cooling.clock / cooling.budget))


def _reheating(cooling: Cooling, accepted: bool, jump: int) -> None:
    if accepted:
        cooling.clock += 1
    elif cooling.rejected and cooling.rejected % 6 == 0:
        cooling.clock = max(1, cooling.clock - jump)
    cooling.temperature = 1 / max(cooling.clock / 4, 1)


SCHEDULES: dict[str, Schedule] = {"linear": linear, "fast": fast, "very_fast": very_fast, "reheat": reheat}


class Anneal(Search):
    """Simulated annealing: a worse neighbour is accepted with a probability that falls with the temperature.

    ``schedule`` is "adaptive" (the default), "linear", "fast", "very_fast", "reheat", or a function of a
    :class:`Cooling` and of whether the last step was accepted, which sets ``cooling.temperature``. The adaptive one
    takes its scale from recent losses, so that multiplying the utility by a constant changes nothing.
    """

    def __init__(self, schedule: str | Schedule = "adaptive", **options: Any) -> None:
        super().__init__(**options)
        if isinstance(schedule, str) and schedule != "adaptive" and schedule not in SCHEDULES:
            raise InvalidArgument(
                f"schedule must be one of adaptive, {', '.join(SCHEDULES)}, or a function, not {schedule!r}"
            )
        if not isinstance(schedule, str) and not callable(schedule):
            raise InvalidArgument(f"schedule must be a name or a function, not {schedule!r}")
        if not isinstance(schedule, str):
            require_arguments("schedule", schedule, "cooling, accepted")
        self.schedule = schedule

    def begin(self, space: Space) -> Cooling:
        return Cooling(space.budget)

    def temperature(self, state: Cooling) -> float:
        return state.temperature

    def accept(self, state: Cooling, before: float, now: float, random: Callable[[], float]) -> bool:
        loss = before - now
        accepted = loss < 0 or (loss == 0 and self.ties)
        if loss > 0:
            accepted = random() < self._chance(state, loss)
        state.steps += 1
        state.rejected = 0 if accepted else state.rejected + 1
        if self.schedule != "adaptive":
            state.before, state.now = before, now
            if isinstance(self.schedule, str):
                SCHEDULES[self.schedule](state, accepted)
            else:
                self.schedule(state, accepted)
                _check_temperature(self.schedule, state.temperature)
        return accepted

    def _chance(self, state: Cooling, loss: float) -> float:
        if self.schedule == "adaptive":
            state.losses.append(loss)
            # A loss of the usual size is taken once in fifty times.
            return float(0.02 ** (loss / median(state.losses)))
        return math.exp(-loss / state.temperature) if state.temperature > 0 else 0.0


def _check_temperature(schedule: Schedule, temperature: Any) -> None:
    number = isinstance(temperature, int | float) and not isinstance(temperature, bool)
    if not (number and 0 <= temperature <= 1):
        name = getattr(schedule, "__name__", repr(schedule))
        raise InvalidArgument(
            f"the schedule {name} must set cooling.temperature to a number between 0 and 1, not {temperature!r}"
        )
