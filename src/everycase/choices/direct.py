"""``enact`` by plain calls, for generators whose values are nested no deeper than the description itself.

:mod:`everycase.choices.enact` keeps a stack of its own, since what a recursion makes may be nested deeper than Python
can call. That costs more than the work itself, and most inputs, or most parts of them, know no recursion. Those are
enacted here: by the same rules, rolling the same dice in the same order. The contract suite compares the two. As in
:mod:`everycase.choices.sampler` there is a closure per node, since a search spends much of its time here.

Leaves, and what both need to know of a trace, are here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from everycase.choices import dice
from everycase.choices.dice import FILTER_TRIES, Random, simplest
from everycase.choices.sampler import sampler
from everycase.choices.trace import Choice, Opaque, Trace, integer
from everycase.errors import Discarded
from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Build, Const, Filter, Float, Int, List, Map, Union

Partial = Trace[Any] | None
Make = Callable[[Partial, Random, int], Trace[Any]]


def direct(gen: Gen[Any], partial: Partial, random: Random, size: int) -> Trace[Any]:
    """What ``enact`` returns, for a plain generator (see :func:`everycase.gen.facts.is_plain`)."""
    if partial is not None and partial.clean and partial.gen is gen:
        if (gen._facts or facts(gen)).shareable or frozen(partial):
            return partial
        if isinstance(partial.memory, Opaque):
            return copied(gen, partial.memory)
    return (gen._maker or maker(gen))(partial, random, size)


def maker(gen: Gen[Any]) -> Make:
    """The closure that makes a trace of a partial one, compiled once per node, for a leaf or a plain generator.

    It makes a new trace (or finishes a draft) even of a clean one. Whether that can be kept is for the caller to see,
    who may know without looking.
    """
    compiled: Make | None = gen._maker
    if compiled is None:
        compiled = gen._maker = COMPILE[type(gen)](gen)
    return compiled


def copied(gen: Gen[Any], opaque: Opaque) -> Trace[Any]:
    """A test may change its arguments in place, and there are no choices to make this one again from."""
    return Trace(None, (), gen, deepcopy(opaque.value), memory=opaque)


def made(
    gen: Gen[Any], partial: Partial, choice: Choice, children: Sequence[Trace[Any]], value: Any
) -> Trace[Any]:
    """The node that was made of a partial one: a draft is finished in place."""
    if partial is not None and partial.clean is None and partial.gen is gen:
        partial.choice = choice
        partial.children = children
        partial.value = value
        partial.clean = True
        return partial
    return Trace(choice, children, gen, value)


# --- leaves ---------------------------------------------------------------------------------------------


def _const(gen: Const[Any]) -> Make:
    return lambda partial, random, size: Trace(None, (), gen, gen.value)


def _int(gen: Int) -> Make:
    fits, roll = gen.fits, sampler(gen)

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        if partial is None or not fits(partial.choice):
            return integer(gen, roll(random, size))
        return integer(gen, partial.choice)  # type: ignore[arg-type]

    return make


def _float(gen: Float) -> Make:
    fits, roll = gen.fits, sampler(gen)

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        fine = partial is not None and fits(partial.choice)
        choice = partial.choice if fine else roll(random, size)  # type: ignore[union-attr]
        return Trace(choice, (), gen, choice)

    return make


# --- structure ------------------------------------------------------------------------------------------


def _union(gen: Union[Any]) -> Make:
    options, decide = gen.options, dice.decision(gen)

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        chosen, below = None, None
        if partial is not None and type(partial.choice) is int and 0 <= partial.choice < len(options):
            chosen = partial.choice
            below = partial.children[0] if partial.children else None
        if chosen is None:
            chosen = decide(random, size)
        child = direct(options[chosen], below, random, size)
        return made(gen, partial, chosen, (child,), child.value)

    return make


def _build(gen: Build[Any]) -> Make:
    parts, count = gen.parts, len(gen.parts)
    # Tuples are the most common by far, and a call costs as much as they do.
    construct: Any = tuple if gen.constructs is tuple else gen.construct
    if count == 1:
        return _of_one(gen, parts[0], lambda value: construct((value,)))
    if count == 2:
        return _of_two(gen, construct)
    shareable = facts(gen).shareable

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        kids = [
            child
            if shareable and child is not None and child.clean and child.gen is part
            else direct(part, child, random, size)
            for part, child in zip(parts, children_of(partial, count))
        ]
        return made(gen, partial, None, kids, construct([kid.value for kid in kids]))

    return make


def _of_two(gen: Build[Any], construct: Callable[[Sequence[Any]], Any]) -> Make:
    """Spelled out: there are many pairs, and a loop costs more than all that it does for them."""
    left, right = gen.parts
    make_left, make_right = maker(left), maker(right)
    shareable = facts(gen).shareable

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        below = () if partial is None else partial.children
        one, other = below if len(below) == 2 else children_of(partial, 2)
        if one is None:
            one = make_left(None, random, size)
        elif not (shareable and one.clean and one.gen is left):
            one = direct(left, one, random, size)
        if other is None:
            other = make_right(None, random, size)
        elif not (shareable and other.clean and other.gen is right):
            other = direct(right, other, random, size)
        value = construct((one.value, other.value))
        if partial is not None and partial.clean is None and partial.gen is gen:
            # As ``made`` does.
            partial.choice = None
            partial.children = (one, other)
            partial.value = value
            partial.clean = True
            return partial
        return Trace(None, (one, other), gen, value)

    return make


def _list(gen: List[Any]) -> Make:
    element, make_element = gen.element, maker(gen.element)
    length, inner_size = dice.decision(gen), dice.element_size(gen)
    shareable = facts(element).shareable

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        if partial is None or partial.choice is not None:
            n = length(random, size)
            places = None
            if n < 0:
                places = dice.repeated(~n, random)
                inner = inner_size(size, ~n)
                n = max(places, default=-1) + 1
            else:
                inner = inner_size(size, n)
            kids = [make_element(None, random, inner) for _ in range(n)]
            if places is not None:
                kids = [kids[place] for place in places]
        else:
            below = fit_length(gen, partial.children)
            inner = inner_size(size, len(below))
            if shareable and partial.clean is None and partial.gen is gen:
                # What is clean in a draft is in its place, and need not be looked at any closer.
                kids = [
                    child if child is not None and child.clean else make_element(child, random, inner)
                    for child in below
                ]
            elif shareable:
                kids = [
                    child
                    if child is not None and child.clean and child.gen is element
                    else make_element(child, random, inner)
                    for child in below
                ]
            else:
                kids = [direct(element, child, random, inner) for child in below]
        return made(gen, partial, None, kids, [kid.value for kid in kids])

    return make


def _map(gen: Map[Any]) -> Make:
    return _of_one(gen, gen.source, gen.f)


def _of_one(gen: Gen[Any], source: Gen[Any], f: Callable[[Any], Any]) -> Make:
    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        given = partial.children[0] if partial is not None and partial.children else None
        found = direct(source, given, random, size)
        return made(gen, partial, None, (found,), f(found.value))

    return make


def _filter(gen: Filter[Any]) -> Make:
    source, make_source, predicate = gen.source, maker(gen.source), gen.predicate

    def make(partial: Partial, random: Random, size: int) -> Trace[Any]:
        given = partial.children[0] if partial is not None and partial.children else None
        found = direct(source, given, random, size)
        tries = 1
        while not predicate(found.value):
            found = make_source(repaired(gen, found, given, tries, random), random, size)
            tries += 1
        return made(gen, partial, None, (found,), found.value)

    return make


COMPILE: dict[type[Any], Callable[[Any], Make]] = {
    Const: _const,
    Int: _int,
    Float: _float,
    Union: _union,
    Build: _build,
    List: _list,
    Map: _map,
    Filter: _filter,
}


# --- partial traces -------------------------------------------------------------------------------------


def children_of(partial: Partial, count: int) -> Sequence[Partial]:
    """So many children, of which those that are missing are holes."""
    if partial is None:
        return (None,) * count
    children = partial.children
    if len(children) == count:
        return children
    return (*children[:count], *(None,) * (count - len(children)))


def fit_length(gen: List[Any], children: Sequence[Partial]) -> Sequence[Partial]:
    """The children of a list, as many as it may have; holes for those that it must have."""
    count = len(children)
    if count < gen.min_size:
        return [*children, *[None] * (gen.min_size - count)]
    return children if gen.max_size is None or count <= gen.max_size else children[: gen.max_size]


def repaired(gen: Filter[Any], found: Trace[Any], given: Partial, tries: int, random: Random) -> Partial:
    """What to enact instead of a value that a filter rejects.

    What was given is repaired by redrawing one part of it, a few times, before all is drawn anew.
    """
    if random is simplest or tries >= FILTER_TRIES:
        raise Discarded(f"{gen!r} found nothing that passes")
    return _with_one_hole(found, random) if given is not None and tries <= 4 else None


def _with_one_hole(trace: Trace[Any], random: Random) -> Trace[Any]:
    """The trace with one of its leaves, picked at random on the way down, made a hole."""
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

#: The kinds whose values depend on nothing but their parts. A list is always a new one.
_KEPT = frozenset({Const, Int, Float, Union, Build, Map, Filter})


def frozen(trace: Trace[Any]) -> bool:
    """Whether a value can be used again although its generator might also make mutable ones.

    That is so if it is immutable all the way down, and no function that draws had a part in it: such a function
    may give something else the next time, which a replay has to notice.
    """
    known = trace._frozen
    if known is None:
        known = (
            type(trace.gen) in _KEPT
            and all(child is not None and frozen(child) for child in trace.children)
            and _immutable(trace.value)
        )
        trace._frozen = known
    return known


def _immutable(value: Any) -> bool:
    kind = type(value)
    if kind in _ATOMS:
        return True
    if kind in (tuple, frozenset) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return all(map(_immutable, value))
    if is_dataclass(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return all(_immutable(getattr(value, field.name)) for field in fields(kind))
    return issubclass(kind, Enum)
