"""The graph of a generator: its nodes, each once, and values that are computed over a recursion.

A generator refers to the generators it is made of (``node.children``), and with ``deferred`` also to itself. All
traversals of the graph are here; no other module keeps a list of visited nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from types import BuiltinMethodType, FunctionType, MethodType, MethodWrapperType
from typing import Any, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Defer, Filter, Map
from everycase.gen.names import closure_of

A = TypeVar("A")

#: Values that are told apart by their text.
_PLAIN = (int, float, bool, str, bytes, type(None))

#: How deep the values that functions refer to are compared.
_DEEP = 4


def nodes(root: Gen[Any], into: Callable[[Gen[Any]], bool] | None = None) -> Iterator[Gen[Any]]:
    """Every node that can be reached from ``root``, each once, parents before their children.

    ``into`` says whether to continue below a node; by default everything is visited.

    >>> from everycase import gen
    >>> [type(node).__name__ for node in nodes(gen.tuples(gen.booleans(), gen.lists(gen.none())))]
    ['Build', 'List', 'Const', 'Map', 'Int']
    """
    seen: dict[int, Gen[Any]] = {}  # keeps the nodes alive, so that no other node gets their id
    pending = [root]
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen[id(node)] = node
        yield node
        if into is None or into(node):
            pending.extend(node.children)


def resolved(gen: Gen[Any]) -> Gen[Any]:
    """The definition of a ``deferred``; any other generator is returned as it is.

    >>> from everycase import gen
    >>> resolved(gen.deferred(lambda: gen.just(1)))
    just(1)
    """
    while isinstance(gen, Defer):
        gen = gen.target
    return gen


def beneath(gen: Gen[Any], *layers: type[Filter[Any]] | type[Map[Any]]) -> Gen[Any]:
    """The generator inside the layers of these kinds, and inside ``deferred``.

    >>> from everycase import gen
    >>> beneath(gen.integers(0, 3).map(str).map(len), Map)
    integers(0, 3)
    """
    around = (Defer, *layers)
    while isinstance(gen, around):
        gen = gen.target if isinstance(gen, Defer) else gen.source
    return gen


def has_kind(gen: Gen[Any], kind: type[Gen[Any]]) -> bool:
    """Whether a node of this kind can be reached from a generator."""
    return any(isinstance(node, kind) for node in nodes(gen))


def fixpoint(
    members: list[Gen[Any]], start: A, rule: Callable[[Gen[Any], list[A]], A], known: Callable[[Gen[Any]], A]
) -> dict[int, A]:
    """A value for each of ``members`` that is consistent with the values of its children, by the node's
    ``id``.

    All begin with ``start``, and ``rule`` computes a node's value from its children's until none changes.
    Children that are not members get their value from ``known``. The rule must be monotonic.
    """
    answers = {id(node): start for node in members}
    changed = True
    while changed:
        changed = False
        for node in reversed(members):
            below = [answers[id(child)] if id(child) in answers else known(child) for child in node.children]
            now = rule(node, below)
            if now != answers[id(node)]:
                answers[id(node)] = now
                changed = True
    return answers


def recipe(gen: Gen[Any]) -> Hashable:
    """A key that two generators share only if they have the same structure and call the same functions. The
    text of a generator does not say that: it leaves out what a lambda does.

    The key holds as long as the generators live.

    >>> from everycase import gen
    >>> recipe(gen.lists(gen.text("ab"))) == recipe(gen.lists(gen.text("ab")))
    True
    >>> odd, even = gen.integers().filter(lambda n: n % 2), gen.integers().filter(lambda n: n % 2 == 0)
    >>> repr(odd) == repr(even), recipe(odd) == recipe(even)
    (True, False)
    """
    found = list(nodes(gen))
    places = {id(node): place for place, node in enumerate(found)}
    return tuple(
        (type(node), *_details(node), *(places[id(child)] for child in node.children)) for node in found
    )


def _details(node: Gen[Any]) -> list[Hashable]:
    """What a node has besides its children."""
    # What a thunk defers to is a child.
    slots = [getattr(node, name) for name in type(node).__slots__ if name[0] != "_" and name != "thunk"]
    return [
        _meaning(each, _DEEP) for each in slots if each is not node.children and not isinstance(each, Gen)
    ]


def _meaning(thing: Any, depth: int) -> Hashable:
    """A key that two things share only if they mean the same. In doubt each object means something else."""
    kind = type(thing)
    if kind in _PLAIN:
        return kind, repr(thing)
    if depth:
        if kind in (tuple, list):
            return kind, tuple(_meaning(part, depth - 1) for part in thing)
        if kind is FunctionType:
            refers_to = (closure_of(thing), thing.__kwdefaults__ or {}, {"": thing.__defaults__})
            named = [(name, _meaning(each, depth - 1)) for known in refers_to for name, each in known.items()]
            return thing.__code__, *named
        if kind in (MethodType, BuiltinMethodType, MethodWrapperType):
            return kind, thing.__name__, _meaning(thing.__self__, depth - 1)
    return id(thing)
