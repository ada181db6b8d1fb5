"""Ready enumerators of classic structures with invariants: every value is valid, counted, and found by its number.

Trees are nested tuples with None for an empty one, so that they are hashable, comparable and shared in bulk. Where the
keys of a tree of n nodes are always 1 to n in order, the shapes are enumerated and the keys written in afterwards: a
shape has one parameter less than a tree with a range of keys, which is what makes trees of a hundred nodes cheap.

>>> from everycase.enumeration.structures import red_black_trees, search_trees
>>> search_trees(15).cardinality
9694845
>>> search_trees(3)[2]
((None, 1, None), 2, (None, 3, None))
>>> red_black_trees(10).cardinality
260
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations as subsets_of
from math import comb, factorial
from operator import add
from typing import Any, TypeVar

from everycase import gen
from everycase.gen.base import Gen
from everycase.gen.kinds import Build, Const, Int, Map
from everycase.gen.validate import require_count

T = TypeVar("T")

__all__ = [
    "avl_trees",
    "b_trees",
    "balanced_parentheses",
    "class_hierarchies",
    "combinations",
    "dags",
    "heap_arrays",
    "heaps",
    "permutations",
    "red_black_trees",
    "search_trees",
    "set_partitions",
    "sorted_lists",
]


def _built(make: Callable[..., Any], *parts: Gen[Any]) -> Gen[Any]:
    """``gen.builds`` of a function that makes immutable values, without a look at its signature each time."""
    return Build(make, parts, share=True)


def _put_first(first: Any, rest: Gen[Any]) -> Gen[Any]:
    """Tuples that begin with a given item."""
    return _built(add, Const((first,)), rest)


# --- search trees ---------------------------------------------------------------------------------------

_shapes: Gen[Any] = gen.deferred(lambda: gen.none() | gen.tuples(_shapes, _shapes))


def search_trees(n: int) -> Gen[Any]:
    """Binary search trees ``(left, key, right)`` with the keys 1 to n. There are Catalan(n)."""
    require_count("n", n)
    return Map(_shapes.of_size(n), _labelled, _unlabelled, share=True)


def _labelled(shape: Any) -> Any:
    """The tree of a shape: keys are written in from left to right."""
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
    """The same with a stack of its own."""
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


def _unlabelled(tree: Any) -> Any:
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


# --- balanced trees -------------------------------------------------------------------------------------


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
    heights = range((n + 1).bit_length() + 1)
    roots = [_black(height) for height in heights]
    if red_root:
        roots += [_red(height) for height in heights]
    return Map(gen.one_of(roots).of_size(n), _labelled_colours, _unlabelled_colours, share=True)


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
    shapes = gen.one_of([_avl(height) for height in range(heights + 1)]).of_size(n)
    return Map(shapes, _labelled, _unlabelled, share=True)


@gen.dependent
def _b_tree(height: int, keys: int, least: int, most: int, degree: int) -> Gen[Any]:
    """Nodes with ``least`` to ``most`` keys of their own, ``keys`` in all, and all leaves at the same depth."""
    if height == 0:
        return gen.just(()) if least <= keys <= most else gen.nothing()
    return gen.one_of(
        [_forest(own + 1, height - 1, keys - own, degree) for own in range(least, min(most, keys) + 1)]
        or [gen.nothing()]
    )


@gen.dependent
def _forest(trees: int, height: int, keys: int, degree: int) -> Gen[Any]:
    """Tuples of so many B-trees, which have ``keys`` keys in all. Pairs (keys, shape)."""
    if trees == 0:
        return gen.just(()) if keys == 0 else gen.nothing()
    return gen.one_of(
        [
            _built(
                _put_before,
                gen.just(first),
                _b_tree(height, first, degree - 1, 2 * degree - 1, degree),
                _forest(trees - 1, height, keys - first, degree),
            )
            for first in range(degree - 1, keys + 1)
        ]
        or [gen.nothing()]
    )


def _put_before(keys: int, shape: Any, rest: Any) -> Any:
    return ((keys, shape), *rest)


def b_trees(n: int, degree: int = 2) -> Gen[Any]:
    """B-trees ``(keys, children)`` with the keys 1 to n.

    Nodes have ``degree - 1`` to ``2 * degree - 1`` keys (the root at least one) and one child more than keys, unless
    they are leaves; all leaves are at the same depth.
    """
    require_count("n", n)
    if n == 0:
        return gen.just(((), ()))
    heights = range(n.bit_length())
    shapes = gen.one_of([_b_tree(height, n, 1, 2 * degree - 1, degree) for height in heights])
    return Map(shapes, lambda shape: _keyed(n, shape, 1)[0], share=True)


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


# --- heaps and lists ------------------------------------------------------------------------------------


@gen.dependent
def _heap(nodes: int, most: int) -> Gen[Any]:
    if nodes == 0:
        return gen.none()
    left, right = _halves(nodes)
    return gen.one_of(
        [gen.tuples(gen.just(key), _heap(left, key), _heap(right, key)) for key in range(most + 1)]
    )


def _halves(nodes: int) -> tuple[int, int]:
    """How many nodes of a heap in an array are below the root on either side."""
    if nodes == 1:
        return 0, 0
    full = (1 << (nodes.bit_length() - 1)) - 1  # nodes above the last row
    last = nodes - full
    half = (full + 1) // 2
    left = (full - 1) // 2 + min(last, half)
    return left, nodes - 1 - left


def heaps(n: int, most: int | None = None) -> Gen[Any]:
    """Max-heaps ``(key, left, right)`` of n nodes in the shape of an array, with keys from 0 to ``most`` (n)."""
    require_count("n", n)
    return _heap(n, n if most is None else most)


def heap_arrays(n: int, most: int | None = None) -> Gen[Any]:
    """The same heaps as the arrays (tuples) that they are stored in: ``a[i] >= a[2i + 1], a[2i + 2]``."""
    return Map(heaps(n, most), _as_array, share=True)


def _as_array(heap: Any) -> tuple[int, ...]:
    row, keys = [heap], []
    while row:
        keys += [node[0] for node in row if node is not None]
        row = [child for node in row if node is not None for child in node[1:]]
    return tuple(keys)


@gen.dependent
def _sorted_list(length: int, most: int, pruned: bool) -> Gen[Any]:
    if length == 0:
        return gen.just(())
    least = length - 1 if pruned else 1
    return gen.one_of(
        [
            _put_first(first, _sorted_list(length - 1, first, pruned))
            for first in range(max(least, 1), most + 1)
        ]
        or [gen.nothing()]
    )


def sorted_lists(length: int, most: int | None = None, *, pruned: bool = False) -> Gen[Any]:
    """Non-increasing tuples of values from 1 to ``most`` (``length``), repetitions allowed.

    ``pruned`` leaves out those in which fewer values than places are left at some point, as SciFe's benchmark does.
    """
    require_count("length", length)
    return _sorted_list(length, length if most is None else most, pruned)


# --- graphs ---------------------------------------------------------------------------------------------


def dags(n: int) -> Gen[Any]:
    """Directed acyclic graphs of n nodes in a given order: for each node the tuple of its parents, all earlier."""
    require_count("n", n)
    return gen.tuples(*[_subsets(node) for node in range(n)])


def _subsets(n: int) -> Gen[tuple[int, ...]]:
    def members(mask: int) -> tuple[int, ...]:
        return tuple(i for i in range(n) if mask >> i & 1)

    return Map(Int(0, 2**n - 1, 0), members, lambda chosen: sum(1 << i for i in chosen), share=True)


def class_hierarchies(n: int, methods: int = 2) -> Gen[Any]:
    """Hierarchies of n types in order, each ``(kind, extends, implements, overrides, seals)``.

    A type is an interface or a class; a class may extend one earlier class; a type implements any earlier interfaces,
    overrides any methods that none of its parents seals, and seals any of those it overrides.
    """
    require_count("n", n)
    return _types(n, (), methods)


@gen.dependent
def _types(left: int, before: tuple[tuple[bool, tuple[int, ...]], ...], methods: int) -> Gen[Any]:
    """The remaining types. Of those before only the kind and what they seal matter."""
    if left == 0:
        return gen.just(())
    interfaces = [i for i, (is_class, _) in enumerate(before) if not is_class]
    classes = [i for i, (is_class, _) in enumerate(before) if is_class]
    options: list[Gen[Any]] = []
    last: list[Any] = []
    for is_class in (False, True):
        for extends in [None, *classes] if is_class else [None]:
            for implements in _choices(interfaces):
                parents = implements if extends is None else (extends, *implements)
                sealed = {method for parent in parents for method in before[parent][1]}
                for overrides in _choices([m for m in range(methods) if m not in sealed]):
                    for seals in _choices(overrides):
                        kind = "class" if is_class else "interface"
                        one = (kind, extends, implements, overrides, seals)
                        if left == 1:
                            last.append((one,))
                            continue
                        closed = tuple(sorted({*sealed, *seals}))  # a seal holds for all descendants
                        rest = _types(left - 1, (*before, (is_class, closed)), methods)
                        options.append(_put_first(one, rest))
    return gen.sampled_from(last) if left == 1 else gen.one_of(options)


def _choices(items: Sequence[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(items) + 1) for chosen in subsets_of(items, size)]


# --- words, partitions, selections ----------------------------------------------------------------------


@gen.dependent
def _parentheses(pairs: int) -> Gen[str]:
    if pairs == 0:
        return gen.just("")
    return gen.one_of(
        [_built(_enclose, _parentheses(inside), _parentheses(pairs - 1 - inside)) for inside in range(pairs)]
    )


def _enclose(inside: str, after: str) -> str:
    return f"({inside}){after}"


def balanced_parentheses(pairs: int) -> Gen[str]:
    """Words of so many pairs of matching parentheses. There are Catalan(pairs).

    >>> list(balanced_parentheses(2))
    ['()()', '(())']
    """
    require_count("pairs", pairs)
    return _parentheses(pairs)


@gen.dependent
def _growth(left: int, blocks: int) -> Gen[Any]:
    """Restricted growth strings: each element goes to a block that exists, or opens the next one."""
    if left == 0:
        return gen.just(())
    return gen.one_of(
        [_put_first(block, _growth(left - 1, max(blocks, block + 1))) for block in range(blocks + 1)]
    )


def set_partitions(items: Sequence[T]) -> Gen[tuple[tuple[T, ...], ...]]:
    """Ways to put items into blocks. There are Bell(len(items)).

    >>> list(set_partitions("ab"))
    [(('a', 'b'),), (('a',), ('b',))]
    """
    members = tuple(items)

    def blocks(word: tuple[int, ...]) -> tuple[tuple[T, ...], ...]:
        found: list[list[T]] = [[] for _ in range(max(word, default=-1) + 1)]
        for member, block in zip(members, word):
            found[block].append(member)
        return tuple(map(tuple, found))

    return Map(_growth(len(members), 0), blocks, share=True)


def permutations(items: Sequence[T]) -> Gen[tuple[T, ...]]:
    """All orders of different items, in lexicographic order of their places.

    >>> permutations("abc")[3]
    ('b', 'c', 'a')
    """
    members = tuple(items)
    n = len(members)

    def decode(number: int) -> tuple[T, ...]:
        rest = list(members)
        chosen = []
        for left in range(n - 1, -1, -1):
            place, number = divmod(number, factorial(left))
            chosen.append(rest.pop(place))
        return tuple(chosen)

    def encode(order: tuple[T, ...]) -> int:
        rest = list(members)
        number = 0
        for left, member in zip(range(n - 1, -1, -1), order):
            place = rest.index(member)
            del rest[place]
            number += place * factorial(left)
        return number

    return Map(Int(0, factorial(n) - 1, 0), decode, encode, share=True)


def combinations(items: Sequence[T], size: int) -> Gen[tuple[T, ...]]:
    """All selections of ``size`` items in their order, in lexicographic order of their places.

    >>> list(combinations("abc", 2))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    members = tuple(items)
    require_count("size", size)
    n = len(members)
    if size > n:
        return gen.nothing()

    def decode(number: int) -> tuple[T, ...]:
        chosen = []
        place = 0
        for left in range(size - 1, -1, -1):
            while number >= (ways := comb(n - place - 1, left)):
                number -= ways
                place += 1
            chosen.append(members[place])
            place += 1
        return tuple(chosen)

    def encode(selection: tuple[T, ...]) -> int:
        number, place = 0, 0
        for left, member in zip(range(size - 1, -1, -1), selection):
            while members[place] != member:
                number += comb(n - place - 1, left)
                place += 1
            place += 1
        return number

    return Map(Int(0, comb(n, size) - 1, 0), decode, encode, share=True)
