"""``enact`` by plain calls, for generators whose values are nested no deeper than the generator itself.

:mod:`everycase.choices.enact` keeps its own stack, because the values of a recursion may be nested deeper
than Python's recursion limit. That costs more than the work itself, and most inputs, or most parts of them,
have no recursion. Those are enacted here, by the same rules, rolling the same dice in the same order. The
contract tests compare the two.

Leaves, and functions that both need, are here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from enum import Enum
from typing import Any

from everycase.choices import dice
from everycase.choices.dice import FILTER_TRIES, Random, another_size, simplest
from everycase.choices.draw_budget import BUDGET
from everycase.choices.sample import sampler
from everycase.choices.time_limit import LARGE, LIMITS, look, quick, watched
from everycase.choices.trace import Choice, Opaque, Trace, integer
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.facts import facts, is_of_python
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
from everycase.gen.records import RecordKind, record_of

Partial = Trace[Any] | None
Make = Callable[[Any, Partial, Random, int], Trace[Any]]


def direct(gen: Gen[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    """The result of ``enact`` for a plain generator (see :func:`everycase.gen.facts.is_plain`)."""
    if partial is not None and partial.clean and partial.gen is gen:
        if (gen._facts or facts(gen)).shareable or frozen(partial):
            return partial
        if isinstance(partial.memory, Opaque):
            return copied(gen, partial.memory)
    return (gen._maker or maker(gen))(gen, partial, random, size)


def maker(gen: Gen[Any]) -> Make:
    """The function that makes a trace from a partial one, for a leaf or a plain generator.

    It makes a new trace (or finishes a draft) even of a clean one. The caller decides whether a clean one can
    be kept, and may know without checking.
    """
    make = DIRECT[type(gen)]
    if type(gen) is Build:
        if len(gen.parts) == 2:
            make = _pair
        if facts(gen).least > LARGE:
            make = _looking(make)
    elif make is _list and dice.makes_parts(gen, unless_recursive=True):
        make = _list_of_parts
    elif type(gen) is Map and not is_of_python(gen.f):
        make = _looking(make)
    gen._maker = make
    return make


def _looking(make: Make) -> Make:
    """The same, looking at the clock first."""

    def looking(gen: Any, partial: Partial, random: Random, size: int) -> Trace[Any]:
        if LIMITS:
            look()
        return make(gen, partial, random, size)

    return looking


def copied(gen: Gen[Any], opaque: Opaque) -> Trace[Any]:
    """A test may change its arguments in place, and there are no choices to make this one again."""
    return Trace(None, (), gen, deepcopy(opaque.value), memory=opaque)


def made(
    gen: Gen[Any], partial: Partial, choice: Choice, children: Sequence[Trace[Any]], value: Any
) -> Trace[Any]:
    """The node made from a partial one: a draft is finished in place."""
    if partial is not None and partial.clean is None and partial.gen is gen:
        partial.choice = choice
        partial.children = children
        partial.value = value
        partial.clean = True
        return partial
    return Trace(choice, children, gen, value)


# --- leaves ---------------------------------------------------------------------------------------------


def _const(gen: Const[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    return Trace(None, (), gen, gen.value)


def _int(gen: Int, partial: Partial, random: Random, size: int) -> Trace[Any]:
    if partial is None or not gen.fits(partial.choice):
        return integer(gen, (gen._sampler or sampler(gen))(random, size))
    return integer(gen, partial.choice)  # type: ignore[arg-type]


def _float(gen: Float, partial: Partial, random: Random, size: int) -> Trace[Any]:
    if partial is None or not gen.fits(partial.choice):
        choice = (gen._sampler or sampler(gen))(random, size)
    else:
        choice = partial.choice
    return Trace(choice, (), gen, choice)


# --- structure ------------------------------------------------------------------------------------------


def _union(gen: Union[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    chosen, below = None, None
    if partial is not None and type(partial.choice) is int and 0 <= partial.choice < len(gen.options):
        chosen = partial.choice
        below = partial.children[0] if partial.children else None
    if chosen is None:
        chosen = dice.decision(gen)(random, size)
    child = direct(gen.options[chosen], below, random, size)
    return made(gen, partial, chosen, (child,), child.value)


def _build(gen: Build[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    parts = gen.parts
    below = children_of(partial, len(parts))
    kids: Sequence[Trace[Any]]
    values: Sequence[Any]
    if len(parts) == 1:  # the arguments of most tests
        only = direct(parts[0], below[0], random, size)
        kids, values = (only,), (only.value,)
    else:
        shareable = (gen._facts or facts(gen)).shareable
        kids = [
            child
            if shareable and child is not None and child.clean and child.gen is part
            else direct(part, child, random, size)
            for part, child in zip(parts, below)
        ]
        values = [kid.value for kid in kids]
    # Tuples are the most common by far, and a call costs as much as they do.
    value = tuple(values) if gen.constructs is tuple else gen.construct(values)
    return made(gen, partial, None, kids, value)


def _pair(gen: Build[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    """A build of two parts, spelled out: there are many, and a loop costs more than the work itself."""
    left, right = gen.parts
    if partial is None:
        one = (left._maker or maker(left))(left, None, random, size)
        other = (right._maker or maker(right))(right, None, random, size)
        value = (one.value, other.value)
        return Trace(None, (one, other), gen, value if gen.constructs is tuple else gen.construct(value))
    below = partial.children
    one, other = below if len(below) == 2 else children_of(partial, 2)
    shareable = (gen._facts or facts(gen)).shareable
    if one is None:
        one = (left._maker or maker(left))(left, None, random, size)
    elif not (shareable and one.clean and one.gen is left):
        one = direct(left, one, random, size)
    if other is None:
        other = (right._maker or maker(right))(right, None, random, size)
    elif not (shareable and other.clean and other.gen is right):
        other = direct(right, other, random, size)
    value = (one.value, other.value)
    if gen.constructs is not tuple:
        value = gen.construct(value)
    if partial.clean is None and partial.gen is gen:
        # As ``made`` does.
        partial.choice = None
        partial.children = (one, other)
        partial.value = value
        partial.clean = True
        return partial
    return Trace(None, (one, other), gen, value)


def _list(gen: List[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    element = gen.element
    make = element._maker or maker(element)
    known = element._facts or facts(element)
    turns: Any = watched if known.calls else quick
    if LIMITS:
        look()
    if partial is None or partial.choice is not None:
        n = dice.decision(gen)(random, size)
        places = None
        if n < 0:
            places = dice.repeated(~n, random)
            inner = dice.element_size(gen)(size, ~n)
            n = max(places, default=-1) + 1
        else:
            inner = dice.element_size(gen)(size, n)
        kids = [make(element, None, random, inner) for _ in turns(range(n))]
        if places is not None:
            kids = [kids[place] for place in places]
    else:
        below = fit_length(gen, partial.children)
        inner = dice.element_size(gen)(size, len(below)) if known.weighty else size
        if known.shareable and partial.clean is None and partial.gen is gen:
            # The clean parts of a draft are in place, and need not be checked.
            kids = [
                child if child is not None and child.clean else make(element, child, random, inner)
                for child in turns(below)
            ]
        elif known.shareable:
            kids = [
                child
                if child is not None and child.clean and child.gen is element
                else make(element, child, random, inner)
                for child in turns(below)
            ]
        else:
            kids = [direct(element, child, random, inner) for child in turns(below)]
    return made(gen, partial, None, kids, [kid.value for kid in kids])


def _list_of_parts(gen: List[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    """A list, the elements of which may be rejected and made again in another size."""
    if BUDGET.part:
        return _list(gen, partial, random, size)
    BUDGET.part = True
    try:
        return _list(gen, partial, random, size)
    finally:
        BUDGET.part = False


def _map(gen: Map[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    given = partial.children[0] if partial is not None and partial.children else None
    source = direct(gen.source, given, random, size)
    return made(gen, partial, None, (source,), gen.f(source.value))


def _filter(gen: Filter[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    given = partial.children[0] if partial is not None and partial.children else None
    source = gen.source
    make = source._maker or maker(source)
    kept = given is not None and given.clean
    found = direct(source, given, random, size) if kept else make(source, given, random, size)
    tries = 1
    while True:
        try:
            if gen.predicate(found.value):
                break
        except Exception as problem:
            raise naming(problem, gen.predicate, found.value)  # noqa: B904 (it is the same one)
        look()
        instead = repaired(gen, found, given, tries, random)
        next_size = size if instead is not None else another_size(gen, size, random, tries)
        found = make(source, instead, random, next_size)
        tries += 1
    if partial is None:
        return Trace(None, (found,), gen, found.value)
    return made(gen, partial, None, (found,), found.value)


DIRECT: dict[type[Any], Make] = total(
    "enacting by plain calls",
    {
        Const: _const,
        Int: _int,
        Float: _float,
        Union: _union,
        Build: _build,
        List: _list,
        Map: _map,
        Filter: _filter,
    },
    without=(Bind, Defer, Composite, Live),
)


# --- partial traces -------------------------------------------------------------------------------------


def children_of(partial: Partial, count: int) -> Sequence[Partial]:
    """This number of children; missing ones are holes."""
    if partial is None:
        return (None,) * count
    children = partial.children
    if len(children) == count:
        return children
    return (*children[:count], *(None,) * (count - len(children)))


def fit_length(gen: List[Any], children: Sequence[Partial]) -> Sequence[Partial]:
    """The children of a list, up to the maximum; holes up to the minimum."""
    count = len(children)
    if count < gen.min_size:
        return [*children, *[None] * (gen.min_size - count)]
    return children if gen.max_size is None or count <= gen.max_size else children[: gen.max_size]


def repaired(gen: Filter[Any], found: Trace[Any], given: Partial, tries: int, random: Random) -> Partial:
    """The trace to enact instead of a value that a filter rejects.

    The given trace is repaired by redrawing one part of it, a few times, before all of it is redrawn.
    """
    if random is simplest or tries >= FILTER_TRIES or not (BUDGET.repairs or given is None):
        raise Discarded(f"{gen!r} found nothing that passes")
    return _with_one_hole(found, random) if given is not None and tries <= 4 else None


def _with_one_hole(trace: Trace[Any], random: Random) -> Trace[Any]:
    """The trace with a hole in place of one of its leaves, picked at random on the way down."""
    if not trace.children:
        return Trace()
    node: Any = trace.draft(list(trace.children))
    root: Trace[Any] = node
    while True:
        place = int(random() * len(node.children))
        child = node.children[place]
        if child is None or not child.children:
            node.children[place] = None
            return root
        node.children[place] = node = child.draft(list(child.children))


# --- what can be kept -----------------------------------------------------------------------------------

_ATOMS = frozenset({int, float, str, bytes, bool, complex, type(None), range})

#: The kinds whose values depend only on their parts. A list is always a new object.
_KEPT = frozenset({Const, Int, Float, Union, Build, Map, Filter})


def frozen(trace: Trace[Any]) -> bool:
    """Whether a value can be reused although its generator might also make mutable ones.

    This is so if it is immutable all the way down, and no function that draws was involved: such a function
    may return something else the next time, which a replay has to notice.
    """
    known = trace._frozen
    if known is not None:
        return known
    pending = [trace]
    while pending:
        node = pending[-1]
        unknown = [child for child in node.children if child is not None and child._frozen is None]
        if unknown and type(node.gen) in _KEPT:
            pending += unknown
            continue
        node._frozen = (
            type(node.gen) in _KEPT
            and all(child is not None and bool(child._frozen) for child in node.children)
            and _immutable(node.value, node.children)
        )
        pending.pop()
    return bool(trace._frozen)


def _immutable(value: Any, parts: Sequence[Partial]) -> bool:
    """Whether a value is immutable all the way down, provided that its parts are."""
    known = {id(part.value) for part in parts if part is not None}
    pending = [value]
    while pending:
        each = pending.pop()
        kind = type(each)
        if kind in _ATOMS or id(each) in known or issubclass(kind, Enum):
            continue
        record = record_of(kind)
        if kind in (tuple, frozenset) or (record is not None and record.kind is RecordKind.named_tuple):
            pending += each
        elif record is not None and record.frozen:
            # It may have attributes that are no fields.
            pending += [getattr(each, name) for name in record.attributes]
            pending += getattr(each, "__dict__", {}).values()
        else:
            return False
    return True
