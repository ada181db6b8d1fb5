"""Related inputs: parts of a value copied over parts of the same kind.

Independent draws hardly ever make two arguments equal, or an argument an element of another, but many bugs
show only then. Here parts of a recorded value are copied: a part takes the choices of another part of the
same kind, wherever the two are (two arguments, two elements, an argument and an element, two draws of a
composite or of a test), sometimes changed in one place. The result is a partial trace like any other: it is
enacted, it shrinks, and it replays.

Two parts are related if the choices of one make sense for the other: numbers with numbers, texts with texts,
and anything that is built in the same way from related parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from everycase.choices.dice import Random
from everycase.choices.trace import Opaque, Trace
from everycase.gen.base import Gen
from everycase.gen.facts import is_plain
from everycase.gen.graph import resolved
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
from everycase.gen.reading import total

Node = Trace[Any]
Path = tuple[int, ...]

#: How deep two generators are compared.
DEEP = 6

#: Maximum number of cached generators.
MOST_KNOWN = 10_000

#: Values with more parts than this are not searched for related parts.
MOST_PARTS = 200

#: How often another copy follows, and how often a copy is changed in one place.
MORE_COPIES, CHANGED = 0.4, 0.3

#: How often the two parts belong to different arguments, if there are such.
ACROSS = 0.75


def related(trace: Node, random: Random, likeness: Likeness | None = None) -> Node | None:
    """A partial trace of a value in which parts are copies of related parts; None if no two parts are
    related.

    >>> from everycase import gen
    >>> from everycase.choices.enact import enact
    >>> import random
    >>> dice = random.Random(1).random
    >>> pair = gen.tuples(gen.text(), gen.text())
    >>> changed = [enact(pair, related(pair.record(seed=n), dice), dice).value for n in range(20)]
    >>> any(a == b != "" for a, b in changed)
    True
    """
    groups = [group for group in alike(trace, likeness) if len(group) > 1]
    if not groups:
        return None
    result = trace
    while True:
        group = groups[int(random() * len(groups))]
        pair = _pair(group, random)
        if pair is not None:
            source, target = pair
            copy = trace.at(source)
            if copy is not None and result.at(target) is not None:
                result = result.replace(target, _changed(copy, random) if random() < CHANGED else copy)
        if random() >= MORE_COPIES:
            return result


def keeps_limits(trace: Node) -> bool:
    """Whether no ``recursive(..., max_leaves=)`` in a value has taken more recursive steps than it may: copies are made
    without regard to that.

    >>> from everycase import gen
    >>> from everycase.enumeration import trace_at
    >>> pairs = gen.recursive(gen.booleans(), lambda inner: gen.tuples(inner, inner), max_leaves=2)
    >>> [(pairs[i], keeps_limits(trace_at(pairs, i))) for i in (2, 6)]
    [((False, False), True), ((False, (False, False)), False)]
    """
    nodes = [trace]
    for node in nodes:  # the list grows during the loop
        if node.choice is not None and getattr(node.gen, "limit", None) is not None:
            break
        nodes += [child for child in node.children if child is not None and _may_be_limited(child)]
    else:
        return True  # nearly always
    pending: list[tuple[Node, dict[int, list[int]]]] = [(trace, {})]
    while pending:
        node, taken = pending.pop()
        limit = getattr(node.gen, "limit", None)
        if limit is not None and node.choice is not None:
            if id(node.gen) not in taken:
                taken = {**taken, id(node.gen): [0]}
            steps = taken[id(node.gen)]
            steps[0] += node.choice > 0
            if steps[0] > limit:
                return False
        pending += [(child, taken) for child in node.children if child is not None and child.children]
    return True


def _may_be_limited(node: Node) -> bool:
    return bool(node.children) and (node.gen is None or not is_plain(node.gen))


def alike(trace: Node, likeness: Likeness | None = None) -> list[list[Path]]:
    """The paths to the parts of a value, grouped by relation. ``likeness`` caches generators between
    calls."""
    likeness = likeness or Likeness()
    groups: dict[object, list[Path]] = {}
    pending: list[tuple[Path, Node]] = [((), trace)]
    count = 0
    for path, node in pending:  # the list grows during the loop
        if node.gen is None or isinstance(node.memory, Opaque):
            continue
        if path and type(node.gen) not in (Const, Live):
            groups.setdefault(likeness(node.gen), []).append(path)
        if _is_atom(node.gen):
            continue
        for i, child in enumerate(node.children):
            count += 1
            if child is not None and count < MOST_PARTS:
                pending.append(((*path, i), child))
    return list(groups.values())


def has_like_parts(gen: Gen[Any]) -> bool:
    """Whether values of a generator may have related parts, beyond the elements of a single list, which
    repeat each other anyway. True if only a value would tell."""
    pending: list[tuple[Gen[Any], bool]] = [(gen, False)]
    seen: set[object] = set()
    likeness = Likeness()
    while pending:
        node, many = pending.pop()
        node = resolved(node)
        if isinstance(node, RUNS_CODE) or node.has_defer:
            return True
        like = likeness(node)
        if type(node) is not Const:
            if like in seen:
                return True
            seen.add(like)
        if _is_atom(node):
            continue
        if many and isinstance(node, Build | List | Union):
            return True
        pending += [(part, many or type(node) is List) for part in node.children]
    return False


class Likeness:
    """The key that two generators share if the choices of one make sense for the other, as a number.

    Each generator is examined once, however often it is a part of others: generators share their parts, and
    written out in full they would be endless, or nearly so.

    >>> from everycase import gen
    >>> of = Likeness()
    >>> of(gen.integers(0, 9)) == of(gen.integers()), of(gen.text()) == of(gen.text("ab"))
    (True, False)
    """

    def __init__(self) -> None:
        # The generators are kept as well, so that no other object gets their id.
        self._known: dict[tuple[int, int], tuple[Gen[Any], int]] = {}
        self._numbers: dict[object, int] = {}

    def __call__(self, gen: Gen[Any], depth: int = DEEP) -> int:
        gen = resolved(gen)
        known = self._known.get((id(gen), depth))
        if known is None:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()  # a composite that keeps making new generators
            what = type(gen) if depth == 0 else self._described(gen, depth - 1)
            known = (gen, self._numbers.setdefault(what, len(self._numbers)))
            self._known[id(gen), depth] = known
        return known[1]

    def _described(self, gen: Gen[Any], depth: int) -> object:
        own = LIKENESS[type(gen)](gen)
        return (own, *(self(part, depth) for part in gen.children)) if gen.children else own


def _same_function(function: Any) -> object:
    """Two lambdas from the same place in the source are the same function, as are two methods of one
    object."""
    code = getattr(function, "__code__", None)
    if code is not None and not getattr(function, "__self__", None):
        return code
    return (getattr(function, "__name__", ""), id(getattr(function, "__self__", function)))


#: What two nodes must have in common, besides related parts.
LIKENESS: dict[type[Any], Callable[[Any], object]] = total(
    "likeness",
    {
        **dict.fromkeys((Const, Float, Union, List, Filter, Live), type),
        Int: lambda gen: (Int, gen.landmarks) if gen.landmarks else Int,
        Build: lambda gen: (Build, id(gen.make)),
        Map: lambda gen: (Map, _same_function(gen.f)),
        Bind: lambda gen: (Bind, getattr(gen.f, "__code__", id(gen.f))),
        Composite: lambda gen: (Composite, getattr(gen.function, "__code__", id(gen.function))),
    },
    without=(Defer,),
)


def _is_atom(gen: Gen[Any]) -> bool:
    """Whether a value is atomic to the reader: a number, a text, a date. Its parts have no meaning by
    themselves."""
    return isinstance(gen, Int | Float | Const) or (isinstance(gen, Map) and gen.share)


def _pair(group: list[Path], random: Random) -> tuple[Path, Path] | None:
    """What to copy, and where to: mostly from one argument to another."""
    source = group[int(random() * len(group))]
    others = [path for path in group if path[0] != source[0]]
    if not others or random() >= ACROSS:
        shorter = len(source)
        others = [
            path
            for path in group
            if path != source and path[:shorter] != source and source[: len(path)] != path
        ]
    return (source, others[int(random() * len(others))]) if others else None


def _changed(node: Node, random: Random) -> Node:
    """A copy with one place changed: a number by one, anything else redrawn."""
    path: list[int] = []
    at: Any = node
    while at.children and not (
        _is_atom(at.gen) and len(at.children[0].children if at.children[0] else ()) == 0
    ):
        step = int(random() * len(at.children))
        child = at.children[step]
        if child is None or child.gen is None:
            break
        path.append(step)
        at = child
    if type(at.gen) is Int and not at.gen.landmarks and at.choice is not None and at.gen.towards == 0:
        moved = at.choice + (1 if random() < 0.5 else -1)
        return node.replace(path, at.with_choice(moved)) if path else at.with_choice(moved)
    return node.replace(path, None) if path else Trace()
