"""Run the user's own generator with decided choices: all combinations of small ones, then random ones.

Nothing here knows how a generator was translated. That makes it a witness: what it sees is what Python does.
Generators of everycase are run kind by kind; strategies of Hypothesis are given a provider that asks the same
:class:`Choices`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.complete.clock import Clock
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.kinds import Bind, Build, Composite, Const, Defer, Filter, Float, Int, List, Map, Union

SMALL = 12  # a range of integers up to this size is tried whole
LONGEST = 2  # elements more than the least number, in lists without a bound
ROUNDS = (5, 8, 12, 18, 28, 44, 70)  # choices in one run, round by round
REPEATED = 40  # runs that are made twice, to see whether they give the same
FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, math.inf, -math.inf, math.nan)


class CutOff(Exception):
    """A run that needs more choices than its round allows."""


class NotRunnable(Exception):
    """A kind of generator whose choices cannot be decided here."""


@dataclass(frozen=True)
class Pools:
    """What is tried where there are too many values to try them all."""

    integers: tuple[int, ...] = (0, 1, -1, 2)
    texts: tuple[str, ...] = ("", "a", "b")

    def numbers(self, low: int | None, high: int | None) -> tuple[Sequence[int], bool]:
        """Integers between the bounds, and whether these are all of them."""
        if low is not None and high is not None and high - low < SMALL:
            return range(low, high + 1), True
        ends = [n for b, s in ((low, 1), (high, -1)) if b is not None for n in (b, b + s, b + 2 * s)]
        fitting = dict.fromkeys(
            n
            for n in (*self.integers, *ends, *(ord(c) for t in self.texts for c in t))
            if (low is None or n >= low) and (high is None or n <= high)
        )
        return list(fitting), False


class Choices:
    """The choices of one run, like the digits of an odometer; random where ``rng`` is given."""

    def __init__(self, pools: Pools, rng: random.Random | None = None) -> None:
        self.pools, self.rng = pools, rng
        self.digits: list[tuple[int, int]] = []
        self.place = 0
        self.limit = ROUNDS[-1]
        self.partial = False  # was something offered only in part?

    def start(self, limit: int) -> None:
        self.place, self.limit = 0, limit

    def pick(self, count: int) -> int:
        """One of so many possibilities; the first one is the simplest."""
        if count <= 0:
            raise Discarded("nothing to choose from")
        if count == 1:
            return 0
        if self.place == len(self.digits):
            if self.place >= self.limit:
                raise CutOff
            self.digits.append((self.rng.randrange(count) if self.rng else 0, count))
        number, _ = self.digits[self.place]
        self.digits[self.place] = (number, count)
        self.place += 1
        return min(number, count - 1)

    def advance(self) -> bool:
        """The next combination; False after the last one."""
        del self.digits[self.place :]
        while self.digits:
            number, count = self.digits.pop()
            if number + 1 < count:
                self.digits.append((number + 1, count))
                return True
        return False

    def among(self, values: Sequence[Any], whole: bool = False) -> Any:
        """One of the values; ``whole`` says that there are no others."""
        self.partial = self.partial or not whole
        return values[self.pick(len(values))]

    def integer(self, low: int | None, high: int | None) -> int:
        values, whole = self.pools.numbers(low, high)
        return int(self.among(values, whole))

    def length(self, least: int, most: float) -> int:
        """The number of elements of a list."""
        top = int(min(most, least + LONGEST))
        self.partial = self.partial or top < most
        return least + self.pick(top - least + 1)

    # --- generators of everycase ------------------------------------------------------------------------

    def make(self, gen: Gen[Any]) -> Any:
        """A value of the generator, every choice of which is asked for here."""
        match gen:
            case Const():
                return gen.value
            case Int():
                return self.integer(gen.lo, gen.hi)
            case Float():
                return self.among([f for f in (*FLOATS, gen.lo, gen.hi) if gen.fits(f)])
            case Union():
                return self.make(gen.options[self.pick(len(gen.options))])
            case Build():
                return gen.construct([self.make(part) for part in gen.parts])
            case List():
                return self._list(gen)
            case Map():
                return gen.f(self.make(gen.source))
            case Filter():
                value = self.make(gen.source)
                if not gen.predicate(value):
                    raise Discarded("rejected by a filter")
                return value
            case Bind():
                return self.make(gen.inner(self.make(gen.source)))
            case Defer():
                return self.make(gen.target)
            case Composite():
                return gen.function(self._draw, *gen.args, **gen.kwargs)
        raise NotRunnable(f"{gen!r} makes its choices during the test")

    def _draw(self, source: Any, label: str | None = None) -> Any:
        return self.make(source) if isinstance(source, Gen) else self.make_strategy(source)

    def _list(self, gen: List[Any]) -> list[Any]:
        most = math.inf if gen.max_size is None else gen.max_size
        made = [self.make(gen.element) for _ in range(self.length(gen.min_size, most))]
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        for key in keys:
            if key is not None and len({key(item) for item in made}) < len(made):
                raise Discarded("an element is repeated")
        return made

    # --- strategies of Hypothesis -----------------------------------------------------------------------

    def make_strategy(self, strategy: Any) -> Any:
        """A value of a Hypothesis strategy."""
        from everycase.complete.search.hypothesis_choices import drawn_by

        return drawn_by(self, strategy)


@dataclass
class Runs:
    """What running a generator showed."""

    values: dict[Hashable, Any] = field(default_factory=dict)
    """Every value that was made, by its key."""
    all_tried: bool = False
    """Were these all choices that there are?"""
    count: int = 0
    raised: Exception | None = None
    """The first error of the user's code; a run that raises makes no value."""
    unsteady: tuple[Any, Any] | None = None
    """Two different results of the same choices."""
    misfit: Any = None
    """A value that has no key: it is not of the type that was announced."""
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

    ``key`` gives what values are compared by and raises ValueError for one that is not of the right type. Stops
    early once the value with the key ``wanted`` was made.
    """
    found = Runs()
    for choices in _plan(pools, most, seed, found):
        if clock.left() <= 0:
            return found
        found.count += 1
        made = _one_run(choices, described)
        if isinstance(made, NotRunnable):
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
            again = _one_run(choices, described)
            if not isinstance(again, tuple) or _key_or_none(key, again[0]) != name:
                found.unsteady = (made[0], again[0] if isinstance(again, tuple) else again)
                return found
        found.values.setdefault(name, made[0])
        if wanted is not None and name == wanted:
            return found
    return found


def _repeats(count: int) -> int:
    """How often a run is made again: often at first, since a coin that is tossed once more may fall the same way."""
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
        choices = Choices(pools)
        cut = False
        while left > 0:
            left -= 1
            choices.start(limit)
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
            choices = Choices(pools, rng)
            choices.start(ROUNDS[-1])
            yield choices


def _one_run(choices: Choices, described: Any) -> Any:
    """A tuple with the value; None for a run that was given up; or the error that the user's code raised."""
    choices.start(choices.limit)
    try:
        with making_values():
            if isinstance(described, Gen):
                return (choices.make(described),)
            return (choices.make_strategy(described),)
    except (CutOff, Discarded, RecursionError):
        return None
    except NotRunnable as why:
        return why
    except Exception as error:
        return error
