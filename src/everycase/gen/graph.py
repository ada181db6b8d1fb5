"""The graph of a description: its nodes, each once, and answers that are worked out over a recursion.

A generator refers to the generators it is made of (``node.children``), and with ``deferred`` also to itself. All
traversals of the graph are here; no other module keeps a list of visited nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Defer

A = TypeVar("A")


def nodes(root: Gen[Any], into: Callable[[Gen[Any]], bool] | None = None) -> Iterator[Gen[Any]]:
    """Every node that can be reached from ``root``, each once, parents before their children.

    ``into`` says whether to go on below a node; left out, everything is visited.

    >>> from everycase import gen
    >>> [type(node).__name__ for node in nodes(gen.tuples(gen.booleans(), gen.lists(gen.none())))]
    ['Build', 'List', 'Const', 'Map', 'Int']
    """
    seen: dict[int, Gen[Any]] = {}  # holds the nodes as well, so that no other one gets their id
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
    """What a ``deferred`` stands for; any other generator is itself.

    >>> from everycase import gen
    >>> resolved(gen.deferred(lambda: gen.just(1)))
    just(1)
    """
    while isinstance(gen, Defer):
        gen = gen.target
    return gen


def fixpoint(
    members: list[Gen[Any]], start: A, rule: Callable[[Gen[Any], list[A]], A], known: Callable[[Gen[Any]], A]
) -> dict[int, A]:
    """An answer for each of ``members`` that agrees with the answers of its children, by the node's ``id``.

    All begin with ``start``, and ``rule`` works out a node's answer from its children's until none changes. Children
    that are no members are asked for by ``known``. The rule must move answers in one direction only.
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
