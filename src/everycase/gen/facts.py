"""What can be known about a generator without running it: whether it recurses, whether its values may be
shared.

Most generators contain no ``deferred`` and are analysed bottom up on demand. A recursive one is a graph,
which is analysed as a whole, once, when the first value is needed (by then every definition it refers to
exists).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import BuiltinFunctionType, MethodWrapperType
from typing import Any

from everycase.errors import GeneratorError
from everycase.gen.annotate import HandWritten
from everycase.gen.base import Gen
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

#: The kinds whose values divide the size budget among several parts.
WEIGHTY = (List, *RUNS_CODE)

#: The kinds that reject values and make others, or may do so.
RETRIES = (Filter, *RUNS_CODE)

#: The values of an integer range of at most this many do not depend on the size budget.
NARROW = 2**48

#: A generator with more nodes than this is assumed to be endless.
MOST_NODES = 500_000

#: A generator whose smallest value has more parts than this is an error: the value would not fit into memory.
MOST_PARTS = 50_000_000
FAR_TOO_MANY = 10**15


class Facts:
    """The facts about one node."""

    __slots__ = (
        "calls",
        "height",
        "least",
        "loop",
        "plain",
        "recursive",
        "retries",
        "shareable",
        "sized",
        "spots",
        "weighty",
    )

    def __init__(
        self,
        *,
        loop: int | None,
        recursive: bool,
        height: float,
        shareable: bool,
        weighty: bool,
        sized: bool,
        retries: bool,
        calls: bool,
        least: int = 1,
    ) -> None:
        #: which recursion this node is a part of, or None
        self.loop = loop
        #: a recursion can be reached from here
        self.recursive = recursive
        #: the fewest recursive steps that end it; inf when there is no base case
        self.height = height
        #: values are immutable all the way down, so two examples may share an object
        self.shareable = shareable
        #: values are collections or recursive, so the size budget has to be divided among several of them
        self.weighty = weighty
        #: values depend on the size budget, which also decides how wide unbounded numbers are
        self.sized = sized
        #: values, or parts of them, may be rejected and made again
        self.retries = retries
        #: functions of the user are called to make a value, any of which may take long
        self.calls = calls
        #: approximate number of parts of the smallest value (not computed for a recursion)
        self.least = least
        #: the result of :func:`is_plain`
        self.plain: bool | None = None
        #: a cache of :mod:`everycase.choices.neighbor.edits`: the paths to the places of a value, if all
        #: values have the same, else None; False if not computed yet
        self.spots: tuple[tuple[int, ...], ...] | bool | None = False


def facts(node: Gen[Any], look: Callable[[], None] = lambda: None) -> Facts:
    """The facts about a node, computed once. ``look`` is called now and then, and may raise."""
    known: Facts | None = node._facts
    if known is None:
        known = _analyse_graph(node, look) if node.has_defer else _combine(node, None, False)
    return known


def is_plain(node: Gen[Any]) -> bool:
    """Whether values are nested no deeper than the generator itself, and made without looking back: no
    recursion, no function that draws or makes generators, no lists of distinct elements."""
    known = facts(node)
    if known.plain is None:
        known.plain = (
            not node.has_defer
            and not isinstance(node, RUNS_CODE)
            and not (isinstance(node, List) and node.unique_by is not None)
            and all(map(is_plain, node.children))
        )
    return known.plain


def check_grounded(node: Gen[Any], look: Callable[[], None] = lambda: None) -> None:
    """Raise if there is no value: nothing to choose from, or a recursion that has no base case."""
    known = facts(node, look)
    if known.least > MOST_PARTS:
        raise GeneratorError(
            f"{node!r} makes values of at least {known.least:,} parts, but one input may have at most {MOST_PARTS:,}. "
            "Lower a min_size."
        )
    if known.height < math.inf:
        return
    if not node.has_defer:
        raise GeneratorError(
            f"{node!r} has no value: every way to make one needs gen.nothing(). Remove it, or add an "
            "alternative"
        )
    raise GeneratorError(
        f"{node!r} has no base case: every way to make a value needs another one first. "
        "Add an alternative that does not recurse, for example gen.just(None) | ..."
    )


#: The minimum depth of a value of a node, from the heights of its children.
HEIGHTS: dict[type[Any], Callable[[Any, list[float]], float]] = total(
    "least heights",
    {
        **dict.fromkeys((Const, Int, Float, Composite, Live), lambda node, below: 0),
        **dict.fromkeys((Map, Filter, Bind, Defer), lambda node, below: below[0]),
        Union: lambda node, below: min(below, default=math.inf),
        Build: lambda node, below: max(below, default=0) + 1,
        List: lambda node, below: below[0] + 1 if node.min_size else 0,
    },
)


#: The approximate number of parts of the smallest value of a node, from those of its children.
LEAST: dict[type[Any], Callable[[Any, list[int]], int]] = total(
    "fewest parts",
    {
        **dict.fromkeys((Const, Int, Float, Defer, Composite, Live), lambda node, below: 1),
        **dict.fromkeys((Map, Filter, Bind), lambda node, below: below[0]),
        Union: lambda node, below: min(below, default=1),
        Build: lambda node, below: 1 + sum(below),
        List: lambda node, below: 1 + node.min_size * below[0],
    },
)


#: Whether a node by itself (whatever its parts are) makes values that a test could change in place.
MUTABLE: dict[type[Any], Callable[[Any], bool]] = total(
    "mutable values",
    {
        **dict.fromkeys((Const, Int, Float, Union, Filter, Defer), lambda node: False),
        **dict.fromkeys((Build, Map), lambda node: not node.share),
        **dict.fromkeys((List, Bind, Composite, Live), lambda node: True),
    },
)


#: Whether the values of a node (whatever its parts are) depend on the size budget.
SIZED: dict[type[Any], Callable[[Any], bool]] = total(
    "sizes",
    {
        **dict.fromkeys((Const, Float, Union, Build, Map, Filter, Defer), lambda node: False),
        **dict.fromkeys(WEIGHTY, lambda node: True),
        Int: lambda node: node.lo is None or node.hi is None or node.hi - node.lo >= NARROW,
    },
)


#: Whether a node by itself calls functions of the user that may take long.
CALLS: dict[type[Any], Callable[[Any], bool]] = total(
    "calls of functions",
    {
        **dict.fromkeys((Const, Int, Float, Union, Defer), lambda node: False),
        **dict.fromkeys(RETRIES, lambda node: True),
        Build: lambda node: node.constructs is not tuple,
        List: lambda node: node.unique_by is not None,
        Map: lambda node: not node.share and not is_of_python(node.f),
    },
)


def is_of_python(f: Any) -> bool:
    """Whether a function is one of Python's own, which take little time: ``bool``, the item of a tuple."""
    return (
        isinstance(f, BuiltinFunctionType | MethodWrapperType) or getattr(f, "__module__", "") == "builtins"
    )


def _own_height(node: Gen[Any], below: list[float]) -> float:
    return HEIGHTS[type(node)](node, below)


def _own_least(node: Gen[Any], below: list[int]) -> int:
    return min(LEAST[type(node)](node, below), FAR_TOO_MANY)


def _own_sized(node: Gen[Any]) -> bool:
    return SIZED[type(node)](node)


def _holds_mutable(node: Gen[Any]) -> bool:
    by_hand = isinstance(node.remark, HandWritten) and node.remark.anything
    return by_hand or MUTABLE[type(node)](node)


def _combine(node: Gen[Any], loop: int | None, recursive: bool) -> Facts:
    below = [child._facts or facts(child) for child in node.children]
    shareable, hides, weighty = not _holds_mutable(node), isinstance(node, Map), isinstance(node, WEIGHTY)
    sized, retries, calls = _own_sized(node), isinstance(node, RETRIES), CALLS[type(node)](node)
    for fact in below:
        shareable &= fact.shareable or hides
        weighty |= fact.weighty
        sized |= fact.sized
        retries |= fact.retries
        calls |= fact.calls
    result = Facts(
        loop=loop,
        recursive=recursive,
        height=_own_height(node, [fact.height for fact in below]),
        shareable=shareable,
        weighty=weighty,
        sized=sized,
        retries=retries,
        calls=calls,
        least=_own_least(node, [fact.least for fact in below]),
    )
    node._facts = result
    return result


def _analyse_graph(root: Gen[Any], look: Callable[[], None]) -> Facts:
    nodes: list[Gen[Any]] = []
    below_all: list[tuple[Gen[Any], ...]] = []
    position: dict[int, int] = {}
    pending = [root]
    while pending:
        if len(nodes) % 64 == 0:
            look()
        node = pending.pop()
        if id(node) not in position:
            position[id(node)] = len(nodes)
            nodes.append(node)
            # Earlier results are final: whatever is on a cycle with a node was analysed together with it.
            below_all.append(node.children if node._facts is None else ())
            pending.extend(below_all[-1])
            if len(nodes) > MOST_NODES:
                raise GeneratorError(
                    f"{root!r} refers to more than {MOST_NODES:,} other generators: its definition seems to have no "
                    "end. Let a parameter decrease to a base case, or choose it with flatmap."
                )
    edges = [[position[id(child)] for child in below] for below in below_all]
    loops, order = cycles(edges)

    known: dict[int, Facts] = {i: node._facts for i, node in enumerate(nodes) if node._facts is not None}
    order = [i for i in order if i not in known]
    reaches_loop = [loop is not None for loop in loops]
    shareable = [not _holds_mutable(node) for node in nodes]
    weighty = [loops[i] is not None or isinstance(node, WEIGHTY) for i, node in enumerate(nodes)]
    sized = [loops[i] is not None or _own_sized(node) for i, node in enumerate(nodes)]
    retries = [isinstance(node, RETRIES) for node in nodes]
    calls = [CALLS[type(node)](node) for node in nodes]
    heights = [math.inf] * len(nodes)
    for i, fact in known.items():
        reaches_loop[i], shareable[i] = fact.recursive, fact.shareable
        weighty[i], heights[i] = fact.weighty, fact.height
        sized[i], retries[i], calls[i] = fact.sized, fact.retries, fact.calls
    # Children come first, so that only cycles need more than one turn.
    changed = True
    while changed:
        changed = False
        for i in order:
            node = nodes[i]
            below = edges[i]
            height = _own_height(node, [heights[j] for j in below])
            update = (
                reaches_loop[i] or any(reaches_loop[j] for j in below),
                shareable[i] and (isinstance(node, Map) or all(shareable[j] for j in below)),
                weighty[i] or any(weighty[j] for j in below),
                sized[i] or any(sized[j] for j in below),
                retries[i] or any(retries[j] for j in below),
                calls[i] or any(calls[j] for j in below),
                min(height, heights[i]),
            )
            if update != (
                reaches_loop[i],
                shareable[i],
                weighty[i],
                sized[i],
                retries[i],
                calls[i],
                heights[i],
            ):
                reaches_loop[i], shareable[i], weighty[i], sized[i], retries[i], calls[i], heights[i] = update
                changed = True
    for i in order:
        loop = loops[i]
        nodes[i]._facts = Facts(
            # A number that no other recursion has, analysed now or another time.
            loop=None if loop is None else id(nodes[loop]),
            recursive=reaches_loop[i],
            height=heights[i],
            shareable=shareable[i],
            weighty=weighty[i],
            sized=sized[i],
            retries=retries[i],
            calls=calls[i],
        )
    result: Facts = root._facts
    return result


def cycles(edges: list[list[int]]) -> tuple[list[int | None], list[int]]:
    """For each vertex the number of the cycle (strongly connected component) it lies on, or None; and all
    vertices in an order in which reachable ones come first, as far as there is no cycle.

    Tarjan's algorithm with an explicit stack: generators may be nested deeper than Python's recursion limit.
    """
    count = len(edges)
    order: list[int | None] = [None] * count
    low = [0] * count
    result: list[int | None] = [None] * count
    on_stack = [False] * count
    stack: list[int] = []
    clock = 0
    finished: list[int] = []
    for start in range(count):
        if order[start] is not None:
            continue
        work = [(start, 0)]
        while work:
            vertex, next_edge = work.pop()
            if next_edge == 0:
                order[vertex] = low[vertex] = clock
                clock += 1
                stack.append(vertex)
                on_stack[vertex] = True
            for i in range(next_edge, len(edges[vertex])):
                target = edges[vertex][i]
                if order[target] is None:
                    work += [(vertex, i + 1), (target, 0)]
                    break
                if on_stack[target]:
                    low[vertex] = min(low[vertex], low[target])
            else:
                finished.append(vertex)
                if low[vertex] == order[vertex]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack[member] = False
                        component.append(member)
                        if member == vertex:
                            break
                    if len(component) > 1 or vertex in edges[vertex]:
                        for member in component:
                            result[member] = vertex
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[vertex])
    return result, finished
