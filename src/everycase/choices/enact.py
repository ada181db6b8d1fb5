"""``enact``: follow a partial trace where it fits, and fill the holes by rolling dice.

One interpreter is used wherever the choices have to be known:

========  =====================================  =====================
use       partial trace                          dice
========  =====================================  =====================
record    only a hole                            random
replay    no holes                               none allowed
neighbor  a trace with a few edits               random
shrink    a trace with simpler choices           simplest (always 0.0)
force     a few fixed choices, holes elsewhere   random
repair    a trace of another generator           random
========  =====================================  =====================

A choice that does not fit (out of range, of another kind) is treated as a hole. The result is always the
complete trace of a valid value. Subtrees that are known to fit are returned as they are if their values are
immutable.

Each rule below is a coroutine that yields a request ``(generator, partial trace, size)`` for every part it needs and
is sent the part's trace. The loop in :func:`enact` keeps the stack, so values may be nested far deeper than Python's
recursion limit. Leaves are plain functions, and so are parts without a recursion: they are enacted by
:mod:`everycase.choices.enact_flat`.
"""

from __future__ import annotations

import random as stdlib_random
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from everycase.choices import dice
from everycase.choices.assumptions import making_values
from everycase.choices.dice import FILTER_TRIES, Random, another_size, no_dice, simplest
from everycase.choices.draw_budget import BUDGET, MOST_DRAWS, on_recursion, one_call, rejected, too_many
from everycase.choices.enact_flat import (
    children_of,
    copied,
    direct,
    fit_length,
    frozen,
    made,
    maker,
    repaired,
)
from everycase.choices.sample import gives_up, made_nothing, tries_of
from everycase.choices.time_limit import LIMITS, look, quick, watched, within_run
from everycase.choices.trace import Opaque, Trace
from everycase.errors import Discarded, FailedAssumption
from everycase.gen.base import Gen
from everycase.gen.facts import check_grounded, facts, is_plain
from everycase.gen.kinds import (
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
from everycase.gen.validate import as_gen, require_instance, require_seed

T = TypeVar("T")

Partial = Trace[Any] | None
Steps = Generator[tuple[Gen[Any], Partial, int], Trace[Any], Trace[Any]]


#: What a user's function raises that makes no value. (Who wants to end the run raises something else.)
REFUSALS = (Exception, SystemExit, GeneratorExit)

#: Maximum nesting of values of ``flatmap`` that only dice decide. (The sampler, which uses calls, gives up
#: far sooner.)
MOST_NESTED = 10_000


def enact(gen: Gen[T], partial: Partial, random: Random, size: int = 0) -> Trace[T]:
    """The complete trace that follows ``partial`` where it fits and rolls ``random`` at the holes.

    Raises :class:`~everycase.errors.Discarded` if a filter or a uniqueness rule cannot be satisfied.
    """
    if (gen._facts or facts(gen)).plain:
        return direct(gen, partial, random, size)
    if gen.begins_input:
        begin_input()
    depth, part = BUDGET.depth, BUDGET.part
    try:
        return _enact(gen, partial, random, size)
    except BaseException:
        BUDGET.depth, BUDGET.part = depth, part  # the active rules were abandoned
        raise


def _enact(gen: Gen[T], partial: Partial, random: Random, size: int) -> Trace[T]:
    stack: list[Steps] = []
    bound = 0
    result: Any
    while True:
        if type(gen) is Defer:
            gen = gen.target
            continue
        known = partial is not None and partial.gen is gen and partial.clean
        if (gen._facts or facts(gen)).plain or is_plain(gen):
            result = direct(gen, partial, random, size)
        elif known and (facts(gen).shareable or frozen(partial)):  # type: ignore[arg-type]
            result = partial
        elif known and isinstance(partial.memory, Opaque):  # type: ignore[union-attr]
            result = copied(gen, partial.memory)  # type: ignore[union-attr]
        else:
            leaf = LEAVES.get(type(gen))
            if leaf is not None:
                result = leaf(gen, partial, random, size)
            else:
                if partial is None and type(gen) is Bind:
                    # There may be a recursion in the function, where there is no size budget.
                    bound += 1
                    if bound > MOST_DRAWS:
                        raise too_many()
                    if len(stack) > MOST_NESTED:
                        raise RecursionError("values of flatmap are nested too deeply")
                steps = STEPS[type(gen)](gen, partial, random, size)
                if (
                    type(gen) is Filter or (type(gen) is List and gen.unique_by is not None)
                ) and on_recursion(gen):
                    steps = _limiting_rejections(steps)
                stack.append(steps)
                result = None
        while stack:
            try:
                gen, partial, size = stack[-1].send(result)
            except StopIteration as finished:
                stack.pop()
                result = finished.value
                continue
            break
        else:
            return result  # type: ignore[no-any-return]


def record(gen: Gen[T], seed: int | None) -> Trace[T]:
    """A random trace, the first one that no filter discards."""
    require_seed(seed)
    check_grounded(gen)
    random = stdlib_random.Random(seed).random
    misses = 0
    while misses < FILTER_TRIES:
        try:
            with making_values(), own_input(gen):
                return enact(gen, None, random, dice.draw_size(random))
        except (Discarded, RecursionError) as problem:
            misses += tries_of(problem)
    raise made_nothing(gen)


def replay(gen: Gen[T], trace: Trace[Any]) -> Trace[T]:
    """Make the value of a recorded trace again; nothing is random."""
    require_instance("trace", trace, Trace, "a Trace; Trace.from_blob(...) reads a blob")
    with making_values(), own_input(gen):
        return enact(gen, trace, no_dice)


def simplest_trace(gen: Gen[T]) -> Trace[T]:
    """The trace of the simplest value. Discarded if a filter rejects it."""
    check_grounded(gen)
    with making_values():
        return enact(gen, None, simplest)


# --- leaves ---------------------------------------------------------------------------------------------


def _leaf(gen: Gen[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    return maker(gen)(gen, partial, random, size)


def _composite(gen: Composite[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    given = partial.children if partial is not None else ()
    tries, first = 1, size
    while True:
        drawn: list[Trace[Any]] = []
        draw = _drawer(given, drawn, random, size)
        try:
            with one_call():
                return made(gen, partial, None, drawn, gen.function(draw, *gen.args, **gen.kwargs))
        except FailedAssumption as problem:
            if partial is not None or gives_up(problem, tries, random):
                raise  # an edit of a value is not replaced by a different value
        size = another_size(gen, first, random, tries)
        tries += 1


def _live(gen: Live[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    if gen.steps is not None:
        return gen.steps.enact(gen, partial, random, size)  # type: ignore[no-any-return]
    given = partial.children if partial is not None else ()
    drawn: list[Trace[Any]] = []  # grows while the test draws: the trace is complete when the test has ended
    draw = _drawer(given, drawn, random, size)

    def draw_in_test(source: Gen[Any], label: str | None = None) -> Any:
        if isinstance(source, Gen):
            check_grounded(source)
        return within_run(draw)(source, label)

    return made(gen, partial, None, drawn, gen.make(draw_in_test))


def _drawer(
    given: Any, drawn: list[Trace[Any]], random: Random, size: int
) -> Callable[[Gen[Any], str | None], Any]:
    """The ``draw`` that composites and tests are given: follows the given traces, one per draw, and records."""

    count = len(given)
    most = 2 * count + 1000 if random is simplest else MOST_DRAWS

    def draw(source: Gen[Any], label: str | None = None) -> Any:
        if not isinstance(source, Gen):
            source = as_gen("draw", source)
        place = len(drawn)
        if place >= most:
            raise too_many()
        if LIMITS:
            look()
        if BUDGET.depth:  # otherwise a test draws, and the rest of the budget belongs to another input
            BUDGET.left -= 1
            if BUDGET.left < 0:
                raise too_many()
        known = given[place] if place < count else None
        if (
            known is not None
            and known.clean
            and known.gen is source
            and (source._facts or facts(source)).shareable
        ):
            drawn.append(known)  # as most draws of a neighbour
            return known.value
        drawn.append(None)  # type: ignore[arg-type]  # keeps the place when a draw happens inside a draw
        trace = enact(source, known, random, size)
        drawn[place] = trace
        return trace.value

    return draw


# --- structure ------------------------------------------------------------------------------------------


def _union(gen: Union[Any], partial: Partial, random: Random, size: int) -> Steps:
    looping = gen.has_defer and facts(gen).loop is not None
    if looping and gen.limit is not None and size > gen.limit:
        size = gen.limit
    chosen, below = None, None
    if partial is not None and type(partial.choice) is int and 0 <= partial.choice < len(gen.options):
        chosen = partial.choice
        below = partial.children[0] if partial.children else None
    if chosen is None:
        chosen = dice.decision(gen)(random, size)
    if looping and size > 0:
        size -= 1
    child = yield gen.options[chosen], below, size
    return made(gen, partial, chosen, (child,), child.value)


def _build(gen: Build[Any], partial: Partial, random: Random, size: int) -> Steps:
    below = children_of(partial, len(gen.parts))
    sharing = dice.recursive_parts(gen)
    shares: list[int] | None = None
    if len(sharing) > 1:
        # A complete trace needs no budget, and strict replays have no dice to split it with.
        if any(below[i] is None for i in sharing):
            shares = dice.split(size, len(sharing), random)
        else:
            shares = [size // len(sharing)] * len(sharing)
    kids: list[Trace[Any]] = []
    for i, part in enumerate(gen.parts):
        share = shares[sharing.index(i)] if shares is not None and i in sharing else size
        kids.append((yield part, below[i], share))
    return made(gen, partial, None, kids, gen.construct([kid.value for kid in kids]))


def _list(gen: List[Any], partial: Partial, random: Random, size: int) -> Steps:
    if gen.unique_by is not None:
        return (yield from _unique_list(gen, partial, random, size))
    element = gen.element
    inner_size = dice.element_size(gen)
    turns: Any = watched if (element._facts or facts(element)).calls else quick
    kids: list[Trace[Any]] = []
    if partial is None or (partial.choice is not None):
        n = dice.decision(gen)(random, size)
        if n < 0:
            n = ~n
            inner = inner_size(size, n)
            places = dice.repeated(n, random)
            for _ in turns(range(max(places, default=-1) + 1)):
                kids.append((yield element, None, inner))
            kids = [kids[place] for place in places]
        else:
            inner = inner_size(size, n)
            for _ in turns(range(n)):
                kids.append((yield element, None, inner))
    else:
        below = fit_length(gen, partial.children)
        inner = inner_size(size, len(below))
        reusable = facts(element).shareable
        for child in turns(below):
            if reusable and child is not None and child.gen is element and child.clean:
                kids.append(child)
            else:
                kids.append((yield element, child, inner))
    return made(gen, partial, None, kids, [kid.value for kid in kids])


def _unique_list(gen: List[Any], partial: Partial, random: Random, size: int) -> Steps:
    """Elements that repeat an earlier one are dropped; missing ones are redrawn as long as the dice allow."""
    is_new = dice.novelty(gen)
    counted = on_recursion(gen)
    inner_size = dice.element_size(gen)
    kids: list[Trace[Any]] = []
    seen: set[Any] = set()
    if partial is None or partial.choice is not None:
        below: Any = ()
        n = dice.decision(gen)(random, size)
    else:
        below = fit_length(gen, partial.children)
        n = min(len(below), gen.min_size)
    inner = inner_size(size, max(n, len(below)))
    for child in watched(below):
        kid = yield gen.element, child, inner
        if is_new(kid.value, seen):
            kids.append(kid)
    misses = 0
    while len(kids) < n:
        kid = yield gen.element, None, inner
        if is_new(kid.value, seen):
            kids.append(kid)
            misses = 0
            look()
            continue
        misses += 1
        if counted:
            rejected()
        else:
            look()
        if misses > dice.misses_allowed(n) or random is simplest:
            break
    if len(kids) < gen.min_size:
        raise Discarded(f"found only {len(kids)} distinct elements of the {gen.min_size} required")
    return made(gen, partial, None, kids, [kid.value for kid in kids])


def _limiting_rejections(steps: Steps) -> Steps:
    """The rule of a node whose rejections count, and that begins an input if there is none yet. (If it is
    abandoned, ``enact`` resets the depth.)"""
    depth = BUDGET.depth
    if not depth:
        BUDGET.left = MOST_DRAWS + 1
    BUDGET.depth = depth + 1
    result = yield from steps
    BUDGET.depth = depth
    return result


def _making_parts(
    rule: Callable[[Any, Partial, Random, int], Steps], *, unless_recursive: bool
) -> Callable[[Any, Partial, Random, int], Steps]:
    """The same rule, for nodes that may make parts of something larger. (If one is abandoned, ``enact`` says so.)"""

    def parts(gen: Any, partial: Partial, random: Random, size: int) -> Steps:
        BUDGET.part = True
        result = yield from rule(gen, partial, random, size)
        BUDGET.part = False
        return result

    def either(gen: Any, partial: Partial, random: Random, size: int) -> Steps:
        fact = gen._facts or facts(gen)  # as in dice.makes_parts, without a call
        makes = fact.retries and (unless_recursive or fact.loop is not None) and not BUDGET.part
        return (parts if makes else rule)(gen, partial, random, size)

    return either


def _map(gen: Map[Any], partial: Partial, random: Random, size: int) -> Steps:
    source = yield gen.source, children_of(partial, 1)[0], size
    return made(gen, partial, None, (source,), gen.f(source.value))


def _filter(gen: Filter[Any], partial: Partial, random: Random, size: int) -> Steps:
    given = children_of(partial, 1)[0]
    source = yield gen.source, given, size
    counted = on_recursion(gen)
    tries = 1
    while not _passes(gen, source.value):
        instead = repaired(gen, source, given, tries, random)
        if counted:
            rejected()
        next_size = size if instead is not None else another_size(gen, size, random, tries)
        source = yield gen.source, instead, next_size
        tries += 1
    return made(gen, partial, None, (source,), source.value)


def _passes(gen: Filter[Any], value: Any) -> Any:
    try:
        return gen.predicate(value)
    except Exception as problem:
        raise naming(problem, gen.predicate, value)  # noqa: B904 (it is the same one)


def _bind(gen: Bind[Any], partial: Partial, random: Random, size: int) -> Steps:
    below = children_of(partial, 2)
    outer = yield gen.source, below[0], size
    memory = partial.memory if partial is not None and partial.gen is gen else None
    if memory is None or memory[0] is not outer:
        # With the same outer trace the generator is the same, so its earlier result can be kept.
        look()
        memory = (outer, gen.inner(outer.value))
    inner = yield memory[1], below[1], size
    whole = made(gen, partial, None, (outer, inner), inner.value)
    whole.memory = memory
    return whole


Leaf = Callable[[Any, Partial, Random, int], Trace[Any]]

LEAVES: dict[type[Any], Leaf] = {
    Const: _leaf,
    Int: _leaf,
    Float: _leaf,
    Composite: _composite,
    Live: _live,
}
STEPS: dict[type[Any], Callable[[Any, Partial, Random, int], Steps]] = {
    Union: _making_parts(_union, unless_recursive=False),
    Build: _build,
    List: _making_parts(_list, unless_recursive=True),
    Map: _map,
    Filter: _filter,
    Bind: _bind,
}
# ``enact`` itself follows a Defer to its definition.
total("enacting", {**LEAVES, **STEPS}, without=(Defer,))
