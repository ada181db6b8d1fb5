"""Binary search trees."""

from __future__ import annotations

from typing import Any

from everycase import gen
from everycase.enumeration.structures.making import ready
from everycase.gen.base import Gen
from everycase.gen.kinds import Map
from everycase.gen.validate import require_count

_shapes: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(_shapes, _shapes))


#: Trees of up to this many nodes are described with their keys: in bulk they share common parts.
MOST_KEYED = 20


def search_trees(n: int) -> Gen[Any]:
    """Binary search trees ``(left, key, right)`` with the keys 1 to n. There are Catalan(n)."""
    require_count("n", n)
    # Both ways index the trees in the same order: by the size of the left part, then the trees on either
    # side.
    return ready(_keyed(1, n).uniform() if n <= MOST_KEYED else by_shape(n), "search_trees", n)


@gen.dependent
def _keyed(low: int, high: int) -> Gen[Any]:
    if low > high:
        return gen.none()
    return gen.one_of(
        [
            gen.tuples(_keyed(low, key - 1), gen.just(key), _keyed(key + 1, high))
            for key in range(low, high + 1)
        ]
    )


def by_shape(n: int) -> Gen[Any]:
    """The same trees as shapes, into which the keys are filled."""
    return Map(_shapes.of_size(n), labelled, unlabelled, share=True)


def labelled(shape: Any) -> Any:
    """The tree of a shape: keys are filled in from left to right."""
    key = 0

    def label(node: Any) -> Any:
        nonlocal key
        left, right = node
        if left is not None:
            left = label(left)
        key += 1
        own = key
        return (left, own, right if right is None else label(right))

    try:
        return None if shape is None else label(shape)
    except RecursionError:
        return _labelled_deep(shape)


def _labelled_deep(shape: Any) -> Any:
    """The same with its own stack."""
    done: list[Any] = []
    pending: list[tuple[Any, int]] = [(shape, 0)]
    key = 0
    while pending:
        node, stage = pending.pop()
        if node is None:
            done.append(None)
        elif stage == 0:
            pending += [(node, 1), (node[0], 0)]
        elif stage == 1:
            key += 1
            done.append(key)
            pending += [(node, 2), (node[1], 0)]
        else:
            right, own, left = done.pop(), done.pop(), done.pop()
            done.append((left, own, right))
    return done[0]


def unlabelled(tree: Any) -> Any:
    done: list[Any] = []
    pending: list[tuple[Any, bool]] = [(tree, False)]
    while pending:
        node, ready = pending.pop()
        if node is None:
            done.append(None)
        elif not ready:
            pending += [(node, True), (node[2], False), (node[0], False)]
        else:
            right, left = done.pop(), done.pop()
            done.append((left, right))
    return done[0]
