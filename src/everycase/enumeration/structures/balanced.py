"""Balanced trees: red-black, AVL and B-trees."""

from __future__ import annotations

from typing import Any

from everycase import gen
from everycase.enumeration.structures.making import built, ready
from everycase.enumeration.structures.search import MOST_KEYED, labelled, unlabelled
from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.kinds import Map
from everycase.gen.validate import require_count, require_int


@gen.dependent
def _black(height: int) -> Gen[Any]:
    if height == 0:
        return gen.none()
    below = _black(height - 1) | _red(height - 1)
    return gen.tuples(gen.just("black"), below, below)


@gen.dependent
def _red(height: int) -> Gen[Any]:
    return gen.tuples(gen.just("red"), _black(height), _black(height))


def red_black_trees(n: int, *, red_root: bool = True) -> Gen[Any]:
    """Red-black trees ``(colour, left, key, right)`` with the keys 1 to n.

    A red node has black children, and every path down passes the same number of black ones.
    """
    require_count("n", n)
    colours = ("black", "red") if red_root else ("black",)
    options = {} if red_root else {"red_root": False}
    heights = range((n + 1).bit_length() + 1)
    if n <= MOST_KEYED:
        made = gen.one_of([_coloured(colour, h, 1, n) for colour in colours for h in heights]).uniform()
        return ready(made, "red_black_trees", n, **options)
    shapes = gen.one_of([{"black": _black, "red": _red}[colour](h) for colour in colours for h in heights])
    made = Map(shapes.of_size(n), _labelled_colours, _unlabelled_colours, share=True)
    return ready(made, "red_black_trees", n, **options)


def _sizes(colour: str, height: int) -> range:
    """The number of nodes of a tree: from all black to red wherever allowed."""
    return range(2 ** (height + 1) - 1, 2 * 4**height) if colour == "red" else range(2**height - 1, 4**height)


@gen.dependent
def _coloured(colour: str, height: int, low: int, high: int) -> Gen[Any]:
    """The same trees with their keys: in bulk they share common parts."""
    if (colour, height) == ("black", 0):
        return gen.none() if low > high else gen.nothing()
    below, colours = (height, ("black",)) if colour == "red" else (height - 1, ("black", "red"))

    def subtrees(low: int, high: int) -> list[Gen[Any]]:
        nodes = high - low + 1
        return [_coloured(child, below, low, high) for child in colours if nodes in _sizes(child, below)]

    sides = [(subtrees(low, key - 1), key, subtrees(key + 1, high)) for key in range(low, high + 1)]
    return gen.one_of(
        [
            gen.tuples(gen.just(colour), gen.one_of(left), gen.just(key), gen.one_of(right))
            for left, key, right in sides
            if left and right
        ]
        or [gen.nothing()]
    )


def _labelled_colours(shape: Any) -> Any:
    key = 0

    def label(node: Any) -> Any:  # as deep as a balanced tree
        nonlocal key
        if node is None:
            return None
        colour, left, right = node
        left = label(left)
        key += 1
        return (colour, left, key, label(right))

    return label(shape)


def _unlabelled_colours(tree: Any) -> Any:
    if tree is None:
        return None
    colour, left, _, right = tree
    return (colour, _unlabelled_colours(left), _unlabelled_colours(right))


@gen.dependent
def _avl(height: int) -> Gen[Any]:
    if height == 0:
        return gen.none()
    high = _avl(height - 1)
    if height == 1:
        return gen.tuples(high, high)
    low = _avl(height - 2)
    return gen.one_of(gen.tuples(high, high), gen.tuples(low, high), gen.tuples(high, low))


def avl_trees(n: int) -> Gen[Any]:
    """AVL trees ``(left, key, right)`` with the keys 1 to n: the heights of siblings differ by at most one."""
    require_count("n", n)
    # An AVL tree of height h has at least Fibonacci(h + 2) - 1 nodes.
    heights, least, following = 0, 1, 2
    while least <= n:
        heights, least, following = heights + 1, following, least + following
    if n <= MOST_KEYED:
        made = gen.one_of([_keyed_avl(height, 1, n) for height in range(heights + 1)]).uniform()
        return ready(made, "avl_trees", n)
    shapes = gen.one_of([_avl(height) for height in range(heights + 1)]).of_size(n)
    return ready(Map(shapes, labelled, unlabelled, share=True), "avl_trees", n)


@gen.dependent
def _keyed_avl(height: int, low: int, high: int) -> Gen[Any]:
    """The same trees with their keys."""
    nodes = high - low + 1
    if height == 0:
        return gen.none() if nodes == 0 else gen.nothing()
    if not height <= nodes < 2**height:
        return gen.nothing()
    pairs = [(height - 1, height - 1)]
    if height > 1:
        pairs += [(height - 2, height - 1), (height - 1, height - 2)]
    return gen.one_of(
        [
            gen.tuples(_keyed_avl(left, low, key - 1), gen.just(key), _keyed_avl(right, key + 1, high))
            for left, right in pairs
            for key in range(low, high + 1)
        ]
    )


@gen.dependent
def _b_tree(height: int, keys: int, least: int, most: int, degree: int) -> Gen[Any]:
    """Nodes with ``least`` to ``most`` keys of their own, ``keys`` in total, and all leaves at the same
    depth."""
    if height == 0:
        return gen.just(()) if least <= keys <= most else gen.nothing()
    return gen.one_of(
        [_forest(own + 1, height - 1, keys - own, degree) for own in range(least, min(most, keys) + 1)]
        or [gen.nothing()]
    )


@gen.dependent
def _forest(trees: int, height: int, keys: int, degree: int) -> Gen[Any]:
    """Tuples of a number of B-trees with ``keys`` keys in total. Pairs (keys, shape)."""
    if trees == 0:
        return gen.just(()) if keys == 0 else gen.nothing()
    return gen.one_of(
        [
            built(
                _put_before,
                gen.just(first),
                _b_tree(height, first, degree - 1, 2 * degree - 1, degree),
                _forest(trees - 1, height, keys - first, degree),
                inverse=_taken_before,
            )
            for first in range(degree - 1, keys + 1)
        ]
        or [gen.nothing()]
    )


def _put_before(keys: int, shape: Any, rest: Any) -> Any:
    return ((keys, shape), *rest)


def _taken_before(forest: Any) -> tuple[Any, Any, Any]:
    (keys, shape), *rest = forest
    return keys, shape, tuple(rest)


def b_trees(n: int, degree: int = 2) -> Gen[Any]:
    """B-trees ``(keys, children)`` with the keys 1 to n.

    Nodes have ``degree - 1`` to ``2 * degree - 1`` keys (the root at least one) and one child more than keys, unless
    they are leaves; all leaves are at the same depth.
    """
    require_count("n", n)
    require_int("degree", degree)
    if degree < 2:
        raise InvalidArgument(
            f"degree must be at least 2, not {degree}: nodes of a B-tree have 2 children or more"
        )
    options = {} if degree == 2 else {"degree": degree}
    if n == 0:
        return ready(gen.just(((), ())), "b_trees", n, **options)
    heights = range(n.bit_length())
    if n <= MOST_KEYED:
        made = gen.one_of([_keyed_b_tree(h, 1, n, 1, degree) for h in heights]).uniform()
        return ready(made, "b_trees", n, **options)
    shapes = gen.one_of([_b_tree(height, n, 1, 2 * degree - 1, degree) for height in heights])
    made = Map(shapes, lambda shape: _keyed(n, shape, 1)[0], lambda tree: _unkeyed(tree)[1], share=True)
    return ready(made, "b_trees", n, **options)


@gen.dependent
def _keyed_b_tree(height: int, low: int, high: int, least: int, degree: int) -> Gen[Any]:
    """The same trees with their keys."""
    most = min(2 * degree - 1, high - low + 1)
    if height == 0:
        whole = tuple(range(low, high + 1))
        return gen.just((whole, ())) if least <= len(whole) <= most else gen.nothing()
    return gen.one_of(
        [_keyed_forest(own, height - 1, low, high, degree) for own in range(least, most + 1)]
        or [gen.nothing()]
    )


@gen.dependent
def _keyed_forest(own: int, height: int, low: int, high: int, degree: int) -> Gen[Any]:
    """Nodes with this many keys of their own."""
    if own == 0:
        only = _keyed_b_tree(height, low, high, degree - 1, degree)
        return built(_with_child, only, inverse=_child_of)
    return gen.one_of(
        [
            built(
                _child_first,
                _keyed_b_tree(height, low, key - 1, degree - 1, degree),
                _key_first(key, _keyed_forest(own - 1, height, key + 1, high, degree)),
                inverse=_first_child,
            )
            for key in range(low + degree - 1, high + 1)
        ]
        or [gen.nothing()]
    )


def _with_child(child: Any) -> Any:
    return (), (child,)


def _child_of(node: Any) -> tuple[Any]:
    ((), (child,)) = node
    return (child,)


def _child_first(child: Any, rest: Any) -> Any:
    return rest[0], (child, *rest[1])


def _first_child(node: Any) -> tuple[Any, Any]:
    keys, (child, *children) = node
    return child, (keys, tuple(children))


def _key_first(key: int, rest: Gen[Any]) -> Gen[Any]:
    """Nodes that begin with a key, before the child to the left of it is known: many nodes share these."""

    def put(node: Any) -> Any:
        return (key, *node[0]), node[1]

    def taken(node: Any) -> tuple[Any]:
        (first, *keys), children = node
        if first != key:
            raise LookupError(node)
        return ((tuple(keys), children),)

    return built(put, rest, inverse=taken)


def _keyed(keys: int, shape: Any, first: int) -> tuple[Any, int]:
    """The node of a shape with its keys from ``first`` on, and the next key that is free."""
    if not shape:
        return (tuple(range(first, first + keys)), ()), first + keys
    own, children = [], []
    for i, (count, below) in enumerate(shape):
        if i:
            own.append(first)
            first += 1
        child, first = _keyed(count, below, first)
        children.append(child)
    return (tuple(own), tuple(children)), first


def _unkeyed(tree: Any) -> tuple[int, Any]:
    """The number of keys of a tree, and its shape."""
    keys, children = tree
    below = tuple(map(_unkeyed, children))
    return len(keys) + sum(count for count, _ in below), below
