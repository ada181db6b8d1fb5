"""The fast interpreter: closures, compiled once per node, that roll the dice and record nothing.

Random testing spends its time here, so a node's closure does as little as possible per value. All random
decisions are made by the functions of :mod:`everycase.choices.dice`, in the same order as in
:func:`~everycase.choices.enact.enact`: the same seed gives the same value through both.
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable
from typing import Any, TypeVar

from everycase.choices import dice
from everycase.choices.assumptions import making_values
from everycase.choices.dice import COMPOSITE_TRIES, FILTER_TRIES, Random, Roll, another_size, simplest
from everycase.choices.draw_budget import BUDGET, MOST_DRAWS, on_recursion, one_call, rejected, too_many
from everycase.choices.floats import float_dice
from everycase.choices.time_limit import CHUNK, LARGE, LIMITS, Pace, look, watched
from everycase.errors import Discarded, FailedAssumption, GeneratorError, TooManyDraws
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded, facts
from everycase.gen.kinds import (
    RUNS_CODE,
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.predicate_errors import naming
from everycase.gen.reading import total
from everycase.gen.sharing import begin_input, own_input
from everycase.gen.validate import as_gen, require_count, require_seed

T = TypeVar("T")

#: Lists up to this length are made without checking the clock.
LONG = 256

#: The clock is checked between more parts than this that call user code, and between more than that if there are
#: collections among them.
MANY_PARTS, MANY_COLLECTIONS = 3, 5

#: Maximum number of integers to roll in one go.
MANY = 1024


class NeedsRecord(Exception):
    """The sampler reached a generator that draws during the test, which only ``enact`` can make."""


def sampler(node: Gen[Any]) -> Roll:
    """The closure ``(random, size) -> value`` of a node."""
    compiled = node._sampler
    if compiled is None:
        compiled = COMPILE[type(node)](node)
        if node.begins_input:
            compiled = _beginning(compiled)
        node._sampler = compiled
    return compiled


def _making_parts(rule: Callable[[Any], Roll], *, unless_recursive: bool) -> Callable[[Any], Roll]:
    """The same rule, for nodes that may make parts of something larger, which are made again in another size if
    they are rejected."""

    def compiled(node: Any) -> Roll:
        roll = rule(node)
        if not dice.makes_parts(node, unless_recursive=unless_recursive):
            return roll

        def parts(random: Random, size: int) -> Any:
            if BUDGET.part:
                return roll(random, size)
            BUDGET.part = True
            try:
                return roll(random, size)
            finally:
                BUDGET.part = False

        return parts

    return compiled


def _beginning(roll: Roll) -> Roll:
    def whole(random: Random, size: int) -> Any:
        begin_input()
        return roll(random, size)

    return whole


def sample(node: Gen[T], n: int, seed: int | None) -> list[T]:
    """``n`` values from one seed; examples that a filter discards are replaced."""
    require_count("n", n)
    require_seed(seed)
    check_grounded(node)
    random = stdlib_random.Random(seed).random
    roll = sampler(node)
    values: list[T] = []
    misses = 0
    while len(values) < n:
        try:
            with making_values(), own_input(node):
                values.append(_one(node, roll, random))
            misses = 0
        except (Discarded, RecursionError) as problem:
            misses += tries_of(problem)
            if misses >= FILTER_TRIES:
                raise made_nothing(node) from None
    return values


def tries_of(problem: Exception) -> int:
    """For how many tries a failed attempt counts. Endless drawing or nesting takes long, so a few are
    enough."""
    if isinstance(problem, TooManyDraws):
        return FILTER_TRIES // 4
    return FILTER_TRIES // 10 if isinstance(problem, RecursionError) else 1


def made_nothing(node: Gen[Any]) -> GeneratorError:
    return GeneratorError(
        f"{node!r} made no value in {FILTER_TRIES} tries: its filters or assumptions almost never "
        "pass, or a composite never stops drawing. Build valid values instead of filtering."
    )


def _one(node: Gen[T], roll: Roll, random: Random) -> T:
    size = dice.draw_size(random)
    try:
        return roll(random, size)  # type: ignore[no-any-return]
    except NeedsRecord:
        from everycase.choices.enact import enact

        return enact(node, None, random, size).value


def _const(node: Const[Any]) -> Roll:
    value = node.value
    return lambda random, size: value


def _union(node: Union[Any]) -> Roll:
    pick = dice.decision(node)
    options = [sampler(option) for option in node.options]
    if node.has_defer and facts(node).loop is not None:
        limit = node.limit
        if limit is not None:
            most = limit

            def limited(random: Random, size: int) -> Any:
                if size > most:
                    size = most
                return options[pick(random, size)](random, size - 1 if size > 0 else 0)

            return limited
        # A step of a recursion costs one. The budget does not go below zero: then there is no room for a
        # list.
        return lambda random, size: options[pick(random, size)](random, size - 1 if size > 0 else 0)
    count = len(options)
    if node.weights is None and options and len(dice.possible_options(node)) == count:
        return lambda random, size: options[int(random() * count)](random, size)
    return lambda random, size: options[pick(random, size)](random, size)


def _build(node: Build[Any]) -> Roll:
    parts = [sampler(part) for part in node.parts]
    if facts(node).least > LARGE:
        parts[0] = _looking(parts[0])
    make = node.make
    sharing = dice.recursive_parts(node)
    if len(sharing) > 1:
        return _build_splitting(node, parts, sharing)
    if len(parts) > MANY_PARTS:
        parts = _looking_between(node, parts)
    if node.names:
        return lambda random, size: node.construct([part(random, size) for part in parts])
    if node.constructs is tuple:
        # Several collections whose parts are made by slow functions take long.
        return _tuple(_looking_between(node, parts))
    # Calls with few arguments are spelled out: unpacking a list costs more than drawing an integer.
    match parts:
        case []:
            return lambda random, size: make()
        case [a]:
            return lambda random, size: make(a(random, size))
        case [a, b]:
            return lambda random, size: make(a(random, size), b(random, size))
        case [a, b, c]:
            return lambda random, size: make(a(random, size), b(random, size), c(random, size))
        case _:
            return lambda random, size: make(*[part(random, size) for part in parts])


def _looking_between(node: Build[Any], parts: list[Roll]) -> list[Roll]:
    """The same, looking at the clock between parts that may take long, if there are several."""
    below = [facts(part) for part in node.parts]
    if len(parts) > MANY_COLLECTIONS and any(fact.weighty for fact in below):
        return [_looking(roll) for roll in parts]
    if len(parts) <= MANY_PARTS:
        return parts
    pace = Pace()
    return [_pacing(roll, pace) if fact.calls else roll for fact, roll in zip(below, parts)]


def _pacing(part: Roll, pace: Pace) -> Roll:
    """The same, looking at the clock now and then."""

    def roll(random: Random, size: int) -> Any:
        if LIMITS:
            pace.once()
        return part(random, size)

    return roll


def _looking(part: Roll) -> Roll:
    """The same, looking at the clock first."""

    def roll(random: Random, size: int) -> Any:
        if LIMITS:
            look()
        return part(random, size)

    return roll


def _tuple(parts: list[Roll]) -> Roll:
    match parts:
        case [a]:
            return lambda random, size: (a(random, size),)
        case [a, b]:
            return lambda random, size: (a(random, size), b(random, size))
        case [a, b, c]:
            return lambda random, size: (a(random, size), b(random, size), c(random, size))
        case [a, b, c, d]:
            return lambda random, size: (
                a(random, size),
                b(random, size),
                c(random, size),
                d(random, size),
            )
        case [a, b, c, d, e]:
            return lambda random, size: (
                a(random, size),
                b(random, size),
                c(random, size),
                d(random, size),
                e(random, size),
            )
        case _:
            return lambda random, size: tuple([part(random, size) for part in parts])


def _build_splitting(node: Build[Any], parts: list[Roll], sharing: tuple[int, ...]) -> Roll:
    count = len(sharing)
    make = node.make
    if len(parts) == 2 and count == 2 and not node.names:
        left, right = parts

        def branch(random: Random, size: int) -> Any:
            share = int((size + 1) * (1 - (1 - random())))
            return make(left(random, share), right(random, size - share))

        return branch

    if len(parts) == 3 and sharing == (1, 2) and not node.names:
        label, left, right = parts

        def labelled(random: Random, size: int) -> Any:
            share = int((size + 1) * (1 - (1 - random())))
            return make(label(random, size), left(random, share), right(random, size - share))

        return labelled

    places = {part: place for place, part in enumerate(sharing)}

    def roll(random: Random, size: int) -> Any:
        shares = dice.split(size, count, random)
        return node.construct(
            [part(random, shares[places[i]] if i in places else size) for i, part in enumerate(parts)]
        )

    return roll


def _list(node: List[Any]) -> Roll:
    if node.unique_by is not None:
        return _unique_list(node)
    length = dice.decision(node)
    element = sampler(node.element)
    below = facts(node.element)
    inner_size = dice.element_size(node)
    many = dice.int_rolls(node.element) if isinstance(node.element, Int) else None
    if node.max_size == node.min_size < 2 and not below.weighty:
        exactly = range(node.min_size)
        return lambda random, size: [element(random, size) for _ in exactly]
    if max(node.min_size, node.max_size or 0) > LONG or below.least > CHUNK:
        return _long_list(node)
    pace = Pace()
    calls = below.calls and not isinstance(node.element, RUNS_CODE)  # which look at the clock themselves

    def roll(random: Random, size: int) -> list[Any]:
        n = length(random, size)
        if many is not None and n >= 0:
            return many(random, n, size)
        if n < 0:
            n = ~n
            inner = inner_size(size, n)
            places = dice.repeated(n, random)
            different = max(places, default=-1) + 1
            turns = pace.times(different) if calls and LIMITS else range(different)
            distinct = [element(random, inner) for _ in turns]
            return [distinct[place] for place in places]
        inner = inner_size(size, n)
        return [element(random, inner) for _ in (pace.times(n) if calls and LIMITS else range(n))]

    return roll


def _long_list(node: List[Any]) -> Roll:
    """A list that may have very many parts, so the clock has to be checked."""
    length = dice.decision(node)
    element = sampler(node.element)
    inner_size = dice.element_size(node)
    many = dice.int_rolls(node.element) if isinstance(node.element, Int) else None

    def roll(random: Random, size: int) -> list[Any]:
        look()
        n = length(random, size)
        if many is not None and n >= 0:
            pieces = [MANY] * (n // MANY) + [n % MANY]
            return [value for piece in watched(pieces) for value in many(random, piece, size)]
        if n < 0:
            n = ~n
            inner = inner_size(size, n)
            places = dice.repeated(n, random)
            distinct = [element(random, inner) for _ in watched(range(max(places, default=-1) + 1))]
            return [distinct[place] for place in watched(places)]
        inner = inner_size(size, n)
        return [element(random, inner) for _ in watched(range(n))]

    return roll


def _unique_list(node: List[Any]) -> Roll:
    is_new = dice.novelty(node)
    counted = on_recursion(node)
    length = dice.decision(node)
    element = sampler(node.element)
    inner_size = dice.element_size(node)
    pace = Pace()

    def roll(random: Random, size: int) -> list[Any]:
        n = length(random, size)
        inner = inner_size(size, n)
        values: list[Any] = []
        seen: set[Any] = set()
        misses = 0
        left = pace.begin() if LIMITS else MOST_DRAWS
        while len(values) < n:
            left -= 1
            if left < 0:
                left = pace.next() - 1  # keys are user code
            value = element(random, inner)
            if is_new(value, seen):
                values.append(value)
                misses = 0
                continue
            misses += 1
            if counted:
                rejected()
            if misses > dice.misses_allowed(n) or random is simplest:
                break
        if len(values) < node.min_size:
            raise Discarded(f"found only {len(values)} distinct elements of the {node.min_size} required")
        if LIMITS:
            pace.left = left
        return values

    return _limiting_rejections(roll) if counted else roll


def _limiting_rejections(roll: Roll) -> Roll:
    """A node whose rejections count, and that begins an input if there is none yet."""

    def call(random: Random, size: int) -> Any:
        with one_call(0):
            return roll(random, size)

    return call


def _map(node: Map[Any]) -> Roll:
    f = node.f
    source = node.source
    if (
        isinstance(source, Int)
        and not source.edges
        and source.lo == source.towards == 0 < (source.hi or 0) < 2**48
    ):
        # ``sampled_from`` and the like: one call less.
        count = (source.hi or 0) + 1
        return lambda random, size: f(int(random() * count))
    if (
        isinstance(source, Int)
        and node.share
        and source.edges
        and source.lo == 0
        and (source.hi or 2**48) < 2**48
    ):
        return _table(node, source, f)
    inner = sampler(source)
    return lambda random, size: f(inner(random, size))


def _table(node: Map[Any], source: Int, f: Callable[[int], Any]) -> Roll:
    """Characters: the results for the edge values are known in advance, and most draws take one of them."""
    share, edge_scale, scale = dice.edge_scales(source)
    common = [f(edge) for edge in source.edges]

    def roll(random: Random, size: int) -> Any:
        r = random()
        if r < share:
            return common[int(r * edge_scale)]
        return f(int((r - share) * scale))

    return roll


_NONE: Any = object()  # there is no value yet


def _filter(node: Filter[Any]) -> Roll:
    inner = sampler(node.source)
    predicate = node.predicate
    counted = on_recursion(node)

    def roll(random: Random, size: int) -> Any:
        value = inner(random, size)
        try:
            if predicate(value):
                return value
            for misses in range(1, 1 if random is simplest else FILTER_TRIES):
                value = _NONE
                if LIMITS:
                    look()
                if counted:
                    rejected()
                value = inner(random, another_size(node, size, random, misses))
                if predicate(value):
                    return value
        except Exception as problem:
            # An exception while the next value is made does not concern the last one.
            raise problem if value is _NONE else naming(problem, predicate, value)  # noqa: B904
        raise Discarded(f"{node!r} found nothing that passes")

    return _limiting_rejections(roll) if counted else roll


def _bind(node: Bind[Any]) -> Roll:
    outer = sampler(node.source)
    f, pace = node.f, Pace()

    def roll(random: Random, size: int) -> Any:
        source = outer(random, size)
        if LIMITS:
            pace.once()
        inner = f(source)
        if not isinstance(inner, Gen):
            inner = as_gen("what the function given to flatmap returned", inner)
        depth = BUDGET.depth
        if not depth:
            BUDGET.left = MOST_DRAWS + 1
        BUDGET.left -= 1
        if BUDGET.left < 0:
            raise too_many()
        BUDGET.depth = depth + 1
        try:
            return (inner._sampler or sampler(inner))(random, size)
        finally:
            BUDGET.depth = depth

    return roll


def _defer(node: Defer[Any]) -> Roll:
    linked: list[Roll] = []

    def roll(random: Random, size: int) -> Any:
        # Linked on first use: at compile time the target's own closure may not exist yet.
        if not linked:
            linked.append(sampler(node.target))
        return linked[0](random, size)

    return roll


def _composite(node: Composite[Any]) -> Roll:
    function, args, kwargs = node.function, node.args, node.kwargs
    pace = Pace()

    def roll(random: Random, size: int) -> Any:
        quota = pace.begin() if LIMITS else None  # raises if the time is up, so nothing may have begun
        # The same as draw_budget.one_call, inlined, because every composite goes through it.
        depth = BUDGET.depth
        if not depth:
            BUDGET.left = MOST_DRAWS + 1
        BUDGET.depth = depth + 1
        left = before = BUDGET.left = BUDGET.left - 1
        #: where the clock is checked next
        mark = -1 if quota is None else left - quota

        def draw(source: Gen[Any], label: str | None = None) -> Any:
            nonlocal left, mark
            left -= 1
            if left < 0:
                raise too_many()
            if left < mark:
                mark = left + 1 - pace.next()
            if not isinstance(source, Gen):
                source = as_gen("draw", source)
            return (source._sampler or sampler(source))(random, size)

        tries, first = 1, size
        try:
            while True:
                try:
                    return function(draw, *args, **kwargs)
                except FailedAssumption as problem:
                    if gives_up(problem, tries, random):
                        raise
                size = another_size(node, first, random, tries)
                tries += 1
        finally:
            BUDGET.depth = depth
            BUDGET.left -= before - left
            if mark >= 0:
                pace.left = left - mark if left > mark else 0

    return roll


def gives_up(problem: FailedAssumption, tries: int, random: Random) -> bool:
    """Whether a failed assumption of a composite fails the whole input. If an inner composite has failed all
    its tries, the outer ones do not try again."""
    if problem.tried or random is simplest:
        return True
    problem.tried = tries >= COMPOSITE_TRIES
    return problem.tried


def _live(node: Live[Any]) -> Roll:
    if node.steps is not None:
        return node.steps.sample

    def roll(random: Random, size: int) -> Any:
        raise NeedsRecord

    return roll


COMPILE: dict[type[Any], Callable[[Any], Roll]] = total(
    "sampling",
    {
        Const: _const,
        Int: dice.int_dice,
        Float: float_dice,
        Union: _making_parts(_union, unless_recursive=False),
        Build: _build,
        List: _making_parts(_list, unless_recursive=True),
        Map: _map,
        Filter: _filter,
        Bind: _bind,
        Defer: _defer,
        Composite: _composite,
        Live: _live,
    },
)
