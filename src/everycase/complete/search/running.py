"""Run the user's own generator with decided choices: all combinations of small ones, then random ones.

Nothing here knows how a generator was translated, so it is an independent witness of what Python does.
Generators of everycase are built by number; strategies of Hypothesis get a provider that asks the same
:class:`Choices`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.search.small_choices import MOST, Choices, CutOff, Pools
from everycase.errors import Discarded, NotCountable
from everycase.gen.base import Gen

ROUNDS = (5, 8, 12, 18, 28, 44, MOST)  # maximum number of choices in one run, round by round
REPEATED = 40  # runs that are made twice, to check whether they give the same result


@dataclass
class Runs:
    """The results of running a generator."""

    values: dict[Hashable, Any] = field(default_factory=dict)
    """Every value that was made, by its key."""
    all_tried: bool = False
    """Were these all possible choices?"""
    count: int = 0
    raised: Exception | None = None
    """The first error of the user's code; a run that raises makes no value."""
    unsteady: tuple[Any, Any] | None = None
    """Two different results of the same choices."""
    misfit: Any = None
    """A value without a key: it does not have the expected type."""
    misfits: bool = False
    unknown: str | None = None
    """Why nothing could be run."""


def explore(
    described: Any,
    key: Callable[[Any], Hashable],
    pools: Pools,
    *,
    most: int,
    clock: Clock,
    seed: int = 0,
    wanted: Hashable = None,
) -> Runs:
    """Run a generator with all combinations of small choices, round by round, then with random ones.

    ``key`` gives the key to compare values by and raises ValueError for a value that is not of the right
    type. Stops early once the value with the key ``wanted`` was made.
    """
    found = Runs()
    for choices in _plan(pools, most, seed, found):
        if clock.left() <= 0:
            return found
        found.count += 1
        with clock.running():
            made = _one_run(choices, described)
        if isinstance(made, NotCountable):
            found.unknown = str(made)
            return found
        if made is None:
            continue
        if isinstance(made, Exception):
            found.raised = found.raised or made
            continue
        try:
            name = key(made[0])
        except ValueError:
            found.misfit, found.misfits = made[0], True
            return found
        except Discarded:
            continue
        for _ in range(_repeats(found.count)):
            if clock.left() <= 0:
                return found
            with clock.running():
                again = _one_run(choices, described)
            if not isinstance(again, tuple) or _key_or_none(key, again[0]) != name:
                found.unsteady = (made[0], again[0] if isinstance(again, tuple) else again)
                return found
        found.values.setdefault(name, made[0])
        if wanted is not None and name == wanted:
            return found
    return found


def _repeats(count: int) -> int:
    """How often a run is repeated: often at first, because a coin may show the same side twice."""
    return 8 if count <= 4 else int(count <= REPEATED or count % 17 == 0)


def _key_or_none(key: Callable[[Any], Hashable], value: Any) -> Hashable:
    try:
        return key(value)
    except ValueError:
        return None


def _plan(pools: Pools, most: int, seed: int, found: Runs) -> Iterator[Choices]:
    """The choices of each run; ``most`` runs with decided choices and a quarter as many with random ones."""
    left = most
    for limit in ROUNDS:
        choices = Choices(pools, limit)
        cut = False
        while left > 0:
            left -= 1
            yield choices
            cut = cut or choices.place >= limit
            if not choices.advance():
                break
        else:
            break
        if not cut:
            found.all_tried = not choices.partial
            break
    rng = random.Random(seed)
    if not found.all_tried:
        for _ in range(most // 4):
            yield Choices(pools, MOST, rng)


def _one_run(choices: Choices, described: Any) -> Any:
    """A tuple with the value; None for a run that was given up; or the error that user code raised."""
    try:
        if isinstance(described, Gen):
            return (choices.trace(described).value,)
        from everycase.complete.search.hypothesis_choices import drawn_by

        return (drawn_by(choices, described),)
    except (CutOff, Discarded, RecursionError):
        return None
    except NotCountable as why:
        return why
    except Exception as error:
        return error
