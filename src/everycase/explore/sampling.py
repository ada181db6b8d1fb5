"""Where random cases come from: rolled without a record, rarely the same twice, and some with related parts.

A passing test records nothing. The state of the dice is saved now and then, and a case whose choices are
needed is rolled again from there. The cases of a batch share the fixed costs.

**Repeats.** Mostly small values repeat, and sampling is faster than looking each value up. So after the first
thousand cases only those of size budgets at which repeats were seen are looked up, and all of them in every
eighth batch. A case that was seen is rolled again a few times; if that does not help, the space is small, and
a case is taken by index. If most cases of a size were seen, larger ones take their place.

**Related parts.** Every eighth case is made from a recorded one by copying parts over parts of the same kind
(:mod:`everycase.choices.related`), if there are any.
"""

from __future__ import annotations

import functools
import marshal
import math
import random as stdlib_random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from types import BuiltinFunctionType, FunctionType, NoneType
from typing import Any

from everycase.choices import dice
from everycase.choices.draw_budget import BUDGET, own_sizes
from everycase.choices.enact import REFUSALS, enact
from everycase.choices.related import Likeness, has_like_parts, keeps_limits, related
from everycase.choices.sample import NeedsRecord, sampler
from everycase.choices.time_limit import watched
from everycase.choices.trace import Trace
from everycase.errors import Discarded, TooManyDraws
from everycase.explore.case import Batch, Case
from everycase.explore.copying import Copying
from everycase.explore.dice_count import DiceCount
from everycase.explore.drawn_rows import DrawnRows
from everycase.explore.numbered import NUMBERED, Counting, shuffled
from everycase.gen.base import Gen
from everycase.gen.facts import facts, is_plain
from everycase.gen.kinds import Build, Int, Live
from everycase.gen.records import EXACTLY_PRINTED, attributes_of, has_only_attributes, record_of

#: The state of the dice is saved after this many rolls.
EVERY = 64

#: One case in this many has parts that are copies of each other.
RELATED = 8

#: How often a case that was tested before is rolled again.
TRIES = 32

#: How often parts are copied in other places if the result was tested before.
RELATED_TRIES = 3

#: Maximum number of cases to remember; later ones are not looked up, because repeats are rare by then.
MEMORY = 20_000

#: A size at which more than this many cases, and most of them, were seen before is exhausted: larger sizes
#: replace it.
WORN = 8

#: If fewer than one in this many objects were seen before, and no more of them are valid, they are not looked up.
USEFUL = 4

#: In one batch of this many, cases of every size are looked up.
SURVEY = 8

#: Collections of objects are taken apart and looked up if they have at most this number of parts: the others hardly
#: ever repeat.
SMALL = 64

#: Types whose values need not be taken apart.
PLAIN = frozenset({int, str, bool, NoneType, float, bytes})


class Sampling:
    """The random cases of one run."""

    def __init__(self, gen: Gen[Any], seed: int, *, record: bool = False, full: int = dice.FULL_SIZE) -> None:
        self.gen = gen
        #: the largest size budget
        self.full = full
        #: whether every case is recorded as it is made. Larger recursive values are, too: the sampler recurses with them
        self.record = record or (full > dice.FULL_SIZE and gen.has_defer)
        #: how many values could not be made because Python's stack was too small for them
        self.too_deep = 0
        #: how many values could not be made because a function did not stop drawing
        self.endless = 0
        self._dice = stdlib_random.Random(f"everycase values {seed}")
        self._seed = seed
        self._roll = sampler(gen)
        #: whether values may be rejected and made again, in a size of their own
        self._retries = facts(gen).retries
        self._state: Any = None
        self._since = EVERY  # so that the state is saved before the first roll
        #: how often the state of the dice is saved: each time if inputs take long to make again
        self.keep_every = EVERY
        self._count = 0
        #: what takes the steps, if the only argument is a sequence of steps
        self.steps = steps_of(gen)
        self._relates: bool | None = None if self.steps is None else False
        self._likeness = Likeness()
        self.copying = Copying()
        self._last: Case | None = None
        self.counting = Counting()
        self._rows = DrawnRows(self.counting)
        self._seen: set[Any] | None = set() if self.steps is None else None
        # Tuples of integers are looked up as they are; other values may be equal but different (0.0 and
        # -0.0).
        self._plain = isinstance(gen, Build) and all(type(part) is Int for part in gen.parts)
        #: by size budget: whether cases are currently looked up, and how many of them were new or seen since
        #: the last survey
        self._looked_up = [True] * (full + 1)
        self._repeated = [0] * (full + 1)
        self._new = [0] * (full + 1)
        #: which size budget takes the place of each: a larger one, if hardly anything new is made
        self._sizes = list(range(full + 1))
        #: whether there are objects among the arguments, and up to which size they are taken apart
        self._objects = False
        self._small = SMALL if facts(gen).weighty else full
        self._batches = 0
        self._failure: BaseException | None = None
        #: what the cases cost, where somebody wants to know; those with related parts are recorded, which costs more
        self.count: DiceCount | None = None
        self.count_recorded: DiceCount | None = None
        self._by_number: Iterator[Case] | None = None

    @functools.cached_property
    def _relating(self) -> stdlib_random.Random:
        """The dice for copies of parts."""
        return stdlib_random.Random(f"everycase related {self._seed}")

    def saw(self, args: tuple[Any, ...]) -> None:
        """Record a case that was proposed elsewhere."""
        self._is_seen(args, 0)

    # --- one case ---------------------------------------------------------------------------------------

    def case(self) -> Case:
        """The next random case."""
        self._count += 1
        if self._count % RELATED == RELATED - 3 and self._relates is not False:
            copied = self._related()
            if copied is not None:
                self._last = copied
                return self._watched(copied)
        for _ in range(TRIES):
            case, size = self._next()
            if case.args is None or not (
                self._is_worn(case) or (self._looked_up[size] and self._is_seen(case.args, size))
            ):
                return self._watched(case)
        return self._unseen() or self._watched(case)

    def _is_worn(self, case: Case) -> bool:
        return self.record and case.trace is not None and self._rows.is_worn(case.trace)

    def _watched(self, case: Case) -> Case:
        """A case whose draws during the test, if there are any, make nothing that was tested."""
        if self.record and case.trace is not None:
            self._rows.watch(case.trace, self._drawn_again)
        return case

    def _drawn_again(self, gen: Gen[Any]) -> Trace[Any]:
        """Another value for a draw during the test, of any size."""
        random = self._dice.random
        return enact(gen, None, random, self._sizes[dice.draw_size(random, self.full)])

    def _next(self) -> tuple[Case, int]:
        """Roll once: a case, and its size budget."""
        if self.record:
            return self._next_recorded()
        rng = self._dice
        if self._since >= self.keep_every:
            self._state = rng.getstate()
            self._since = 0
        state, since = self._state, self._since
        self._since = since + 1
        random = rng.random if self.count is None else self.count.begin(rng.random)
        sizes = self._sizes
        size = sizes[dice.draw_size(random, self.full)]
        try:
            with own_sizes(sizes):
                BUDGET.size = size
                args = self._roll(random, size)
                size = BUDGET.size
        except (Discarded, RecursionError) as problem:
            return self.not_made(problem), size
        except NeedsRecord:
            # The test itself draws: from here on every case is recorded as it is made.
            self.record = True
            self._dice = self._rewind(state, since, sizes)
            return self._next_recorded()
        finally:
            if self.count is not None:
                self.count.end(1)
        if self.steps is not None:
            return Case(args, lambda: self._run_again(args)), size
        return Case(args, lambda: self._again(state, since, sizes)), size

    def _next_recorded(self) -> tuple[Case, int]:
        size = self._sizes[dice.draw_size(self._dice.random, self.full)]
        self._last = self.recorded(self._dice.random, size)
        return self._last, size

    def recorded(self, random: Callable[[], float], size: int) -> Case:
        """A case that is rolled with its choices recorded."""
        try:
            with own_sizes(self._sizes):
                trace = enact(self.gen, None, random, size)
        except (Discarded, RecursionError) as problem:
            return self.not_made(problem)
        return Case(trace.value, trace)

    def not_made(self, problem: BaseException) -> Case:
        if isinstance(problem, RecursionError):
            self.too_deep += 1
            # It takes other rolls where Python's stack has another depth, so no case is made again from before it.
            self._since = EVERY
        self.endless += isinstance(problem, TooManyDraws)
        return Case(None, None)

    def _again(self, state: Any, since: int, sizes: list[int]) -> Trace[Any]:
        """The trace of a case, made by rolling the same dice again."""
        random = self._rewind(state, since, sizes).random
        with own_sizes(sizes):
            return enact(self.gen, None, random, sizes[dice.draw_size(random, self.full)])

    def _run_again(self, args: tuple[Any, ...]) -> Trace[Any]:
        """The trace of a case whose only argument is a sequence of steps, which is known only by taking
        them."""
        live: Any = self.gen.parts[0]  # type: ignore[attr-defined]
        return Trace(None, (live.steps.recorded(live, args[0]),), self.gen, args)

    def _rewind(self, state: Any, since: int, sizes: list[int]) -> stdlib_random.Random:
        """The dice before a case: the last saved state, advanced by some rolls."""
        rng = stdlib_random.Random()
        rng.setstate(state)
        with own_sizes(sizes):
            for _ in watched(range(since)):
                with suppress(Discarded, RecursionError):
                    self._roll(rng.random, sizes[dice.draw_size(rng.random, self.full)])
        return rng

    # --- many cases -------------------------------------------------------------------------------------

    def batch(self, count: int) -> Case:
        """A number of random cases at once, or a single one if they are recorded. An exception of a generator
        is raised in its turn, after the cases that were made before."""
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure
        if self.record or self.steps is not None:
            return self.case()
        self._survey()
        rng = self._dice
        state = rng.getstate()
        values: list[tuple[Any, ...] | None] = []
        #: by case: how many rolls came before it, or the case itself where it is known
        places: list[int | Case] = []
        random = rng.random if self.count is None else self.count.begin(rng.random)
        sizes, above, retries, roll = self._sizes, self.full + 1.0, self._retries, self._roll
        own = own_sizes(sizes)
        looked_up, relates, rolls = self._looked_up, self._relates is not False, 0
        own.__enter__()
        try:
            for _ in watched(range(count)):
                if relates:
                    self._count += 1
                    if self._count % RELATED == RELATED - 3:
                        case = self._related()
                        if case is not None:
                            values.append(case.args)
                            places.append(case)
                            continue
                        relates = self._relates is not False
                size = sizes[int(above ** random())]
                rolls += 1
                if retries:
                    BUDGET.size = size
                args = roll(random, size)
                if retries:
                    size = BUDGET.size
                if looked_up[size] and self._is_seen(args, size):
                    for _ in range(TRIES):
                        size = sizes[int(above ** random())]
                        rolls += 1
                        BUDGET.size = size
                        args = roll(random, size)
                        if not self._is_seen(args, BUDGET.size if retries else size):
                            break
                    else:
                        case = self._unseen()
                        if case is not None:
                            values.append(case.args)
                            places.append(case)
                            continue
                values.append(args)
                places.append(rolls - 1)
        except (Discarded, RecursionError) as problem:
            self.not_made(problem)
            values.append(None)
            places.append(rolls - 1)
        except NeedsRecord:
            self.record = True
            self._dice = self._rewind(state, rolls - 1, sizes)
            if not values:
                return self.case()
        except REFUSALS as problem:
            if not values:
                raise
            self._failure = problem
        finally:
            own.__exit__()
            if self.count is not None:
                self.count.end(rolls)
        self._since = EVERY  # so that a single case saves the current state

        def case_of(number: int) -> Case:
            place = places[number]
            if isinstance(place, Case):
                return place
            args = values[number] if number < len(values) else None
            return Case(args, lambda: self._again(state, place, sizes))

        return Batch(values, case_of)

    def _survey(self) -> None:
        """Decide at which sizes cases are looked up from now on, and which sizes are exhausted."""
        self._batches += 1
        if self._seen is None:
            return
        worn = [size for size, times in enumerate(self._repeated) if times > WORN and times > self._new[size]]
        if worn:
            # With the same last bits as before, which decide the magnitude of numbers.
            larger = {size: size + 16 if size + 16 <= self.full else size for size in worn}
            self._sizes = [larger.get(size, size) for size in self._sizes]
            for size in worn:
                self._repeated[size] = self._new[size] = 0
        if self._batches <= SURVEY:
            return
        if self._batches % SURVEY == 0:
            self._looked_up = [True] * len(self._looked_up)
            self._repeated, self._new = [0] * len(self._repeated), [0] * len(self._new)
        elif self._batches % SURVEY == 1:
            # Sizes of one order of magnitude behave alike, and each of them alone is seen too rarely.
            # Looking up an object costs about as much as making another one.
            least = USEFUL if self._objects and self.copying.tries > USEFUL else math.inf
            repeats, new = [0] * 32, [0] * 32
            for size, repeated in enumerate(self._repeated):
                repeats[size.bit_length()] += repeated
                new[size.bit_length()] += self._new[size]
            orders = {order for order in range(32) if repeats[order] and repeats[order] * least > new[order]}
            self._looked_up = [size.bit_length() in orders for size in range(len(self._looked_up))]

    # --- repeats ----------------------------------------------------------------------------------------

    def _is_seen(self, args: Any, size: int) -> bool:
        """Whether these very arguments were looked up before."""
        seen = self._seen
        if seen is None:
            return False
        if self._plain:
            key = args
        elif self._objects:
            key = self._key(args)
        else:
            try:
                key = marshal.dumps(args, 2)
            except ValueError:
                self._objects = True
                key = self._key(args)
        if key is None:
            return False
        if key in seen:
            self._repeated[size] += 1
            return True
        self._new[size] += 1
        if len(seen) >= MEMORY:
            self._forget()
        else:
            seen.add(key)
        return False

    def _key(self, args: Any) -> Any:
        """A key that only equal objects have; None if that is not known, or not worth the effort."""
        try:
            return marshal.dumps(_taken_apart(args, iter(range(self._small))), 2)
        except _TooLarge:
            return None
        except Exception:
            self._forget()  # objects that cannot be compared, or refuse to be looked at
            return None

    def _forget(self) -> None:
        self._seen = None
        self._looked_up = [False] * len(self._looked_up)

    def _unseen(self) -> Case | None:
        """A case that was not seen, by index; None if the values cannot be indexed, or there is none left."""
        if self._by_number is None:
            self._by_number = shuffled(self.gen, self._seed, self.counting)
        unseen = next((case for case in self._by_number if not self._is_seen(case.args, 0)), None)
        if unseen is None and self.counting.fits(self.gen, NUMBERED):
            self._forget()  # all values were seen
        return unseen

    # --- related parts ----------------------------------------------------------------------------------

    def _related(self) -> Case | None:
        """A case with parts that are copies of each other; None if there are no related parts."""
        if self._relates is None:
            self._relates = has_like_parts(self.gen)
            if not self._relates:
                return None
        if not self.copying.is_due():
            return None
        random = self._relating.random
        if self.count_recorded is None:
            return self._copied(random)
        try:
            return self._copied(self.count_recorded.begin(random))
        finally:
            self.count_recorded.end(1)

    def _copied(self, random: Callable[[], float]) -> Case | None:
        base = self._last if self.record else None
        if base is None:
            base = self.copying.base() or self.recorded(random, dice.draw_size(random, self.full))
        if base.args is None or base.trace is None:
            return None
        for _ in range(RELATED_TRIES):
            partial = related(base.trace, random, self._likeness)
            if partial is None:
                return None
            try:
                trace = enact(self.gen, partial, random, dice.draw_size(random, self.full))
            except (Discarded, RecursionError):
                return None
            if not is_plain(self.gen) and not keeps_limits(trace):
                continue
            if not self._is_seen(trace.value, 0) and not (self.record and self._rows.is_worn(trace)):
                case = Case(trace.value, trace)
                self.copying.made(case)
                return case
        return None


class _TooLarge(Exception):
    """A value has more parts than are looked at."""


def _taken_apart(value: Any, room: Iterator[int]) -> Any:
    """An object as plain data that only equal objects have, if its class has an exact repr or only
    attributes. ``room`` gives a number for each part that may be looked at."""
    if next(room, None) is None:
        raise _TooLarge
    kind = type(value)
    return value if kind in PLAIN else _apart_by(kind)(value, room)  # type: ignore[arg-type]  # a class can be hashed


@functools.lru_cache(maxsize=256)
def _apart_by(kind: Any) -> Callable[[Any, Iterator[int]], Any]:
    """How the values of a class are taken apart."""
    name, unique = kind.__qualname__, id(kind)  # the id distinguishes classes of the same name

    def each(values: Iterable[Any], room: Iterator[int]) -> Any:
        return (name, [_taken_apart(value, room) for value in values])

    def fields(parts: Iterable[tuple[str, Any]], room: Iterator[int]) -> Any:
        return (name, unique, [(field, _taken_apart(part, room)) for field, part in parts])

    if kind is list or kind is tuple:
        return each
    if kind is dict:
        return lambda value, room: each(value.items(), room)
    if kind is set or kind is frozenset:
        return lambda value, room: (
            name,
            sorted(marshal.dumps(_taken_apart(part, room), 2) for part in value),
        )
    if kind is range or kind is slice:
        return lambda value, room: each((value.start, value.stop, value.step), room)
    if kind.__module__ in EXACTLY_PRINTED:
        return lambda value, room: (name, repr(value))
    if issubclass(kind, Enum):
        return lambda value, room: (unique, id(value))  # a member exists as long as its class
    if issubclass(kind, type | FunctionType | BuiltinFunctionType):
        return lambda value, room: (
            (value.__module__, value.__qualname__) if _is_in_its_module(value) else value
        )
    record = record_of(kind)
    if record is not None:
        names = record.attributes
        return lambda value, room: fields([(one, getattr(value, one, None)) for one in names], room)
    if has_only_attributes(kind):
        return lambda value, room: fields(attributes_of(value), room)
    return lambda value, room: value


def _is_in_its_module(thing: Any) -> bool:
    """Whether the name of a class or function says which one it is."""
    return getattr(sys.modules.get(thing.__module__), thing.__qualname__, None) is thing


def steps_of(gen: Gen[Any]) -> Any:
    """What takes the steps, if the only argument is a sequence of steps; else None."""
    parts: Any = getattr(gen, "parts", ())
    return parts[0].steps if len(parts) == 1 and type(parts[0]) is Live else None
