"""The graph of a generator: its nodes, each once, and values that are computed over a recursion.

A generator refers to the generators it is made of (``node.children``), and with ``deferred`` also to itself. All
traversals of the graph are here; no other module keeps a list of visited nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Defer, Filter, Map

A = TypeVar("A")


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
