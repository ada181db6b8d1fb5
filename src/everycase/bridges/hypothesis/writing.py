"""``to_strategy``: a generator as a Hypothesis strategy.

Each kind of node becomes the public combinator of Hypothesis with the same meaning, options in our order, so
that Hypothesis shrinks its values as well as those of its own strategies. Whatever only affects how values
are drawn (the weights of ``frequency``, edge values) or searched is lost.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from everycase.bridges.hypothesis.private import Strategy, hypothesis, st
from everycase.choices.assumptions import making_values
from everycase.errors import Discarded
from everycase.gen.base import Gen
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
from everycase.gen.reading import total
from everycase.gen.sharing import begin_input
from everycase.gen.validate import as_gen


def to_strategy(gen: Any) -> Strategy:
    """The strategy of the values of a generator.

    >>> import hypothesis
    >>> from everycase import gen
    >>> hypothesis.find(to_strategy(gen.lists(gen.integers(0, 99))), lambda xs: sum(xs) >= 10)
    [10]
    """
    if isinstance(gen, st.SearchStrategy):
        return gen
    return Writing().strategy(as_gen("the argument of to_strategy", gen))


class Writing:
    """Writes one generator. A node that occurs twice is one strategy, so that a recursion can refer to
    itself."""

    def __init__(self) -> None:
        #: by identity; the node is kept, because an identity is unique only as long as the object exists
        self._known: dict[int, tuple[Gen[Any], Strategy]] = {}

    def strategy(self, gen: Gen[Any]) -> Strategy:
        known = self._known.get(id(gen))
        if known is None:
            known = gen, _RULES[type(gen)](self, gen)
            self._known[id(gen)] = known
        return known[1]


def _const(writing: Writing, gen: Const[Any]) -> Strategy:
    return st.just(gen.value)


def _int(writing: Writing, gen: Int) -> Strategy:
    nearest = 0
    if gen.lo is not None and gen.lo > 0:
        nearest = gen.lo
    elif gen.hi is not None and gen.hi < 0:
        nearest = gen.hi
    if gen.towards == nearest:
        return st.integers(gen.lo, gen.hi)
    # Hypothesis shrinks towards 0, and this one elsewhere.
    low, high = (None if bound is None else bound - gen.towards for bound in (gen.lo, gen.hi))
    towards = gen.towards
    return st.integers(low, high).map(lambda n: n + towards)


def _float(writing: Writing, gen: Float) -> Strategy:
    finite = st.floats(
        gen.lo,
        gen.hi,
        width=gen.width,  # type: ignore[arg-type]
        allow_subnormal=None if gen.subnormal else False,
        allow_nan=False,
        allow_infinity=False,
    )
    special = [*gen.infinities, *([math.nan] if gen.nan else [])]
    return finite | st.sampled_from(special) if special else finite


def _union(writing: Writing, gen: Union[Any]) -> Strategy:
    if gen.limit is not None and gen._text is not None and gen._text[0] == "recursive":
        return _recursive(writing, *gen._text[1], **gen._text[2])
    return st.one_of([writing.strategy(option) for option in gen.options])


def _recursive(
    writing: Writing, base: Gen[Any], extend: Callable[[Gen[Any]], Any], max_leaves: int | None = None
) -> Strategy:
    """Like ``recursive`` of Hypothesis, which keeps such values small; a cycle of ``deferred`` would not."""

    def extended(inner: Strategy) -> Strategy:
        stand_in: Gen[Any] = Const(inner)
        within = Writing()
        within._known[id(stand_in)] = stand_in, inner
        return within.strategy(as_gen("what the function given to recursive returned", extend(stand_in)))

    return st.recursive(writing.strategy(base), extended, max_leaves=max_leaves or 100)


def _build(writing: Writing, gen: Build[Any]) -> Strategy:
    parts = st.tuples(*[writing.strategy(part) for part in gen.parts])
    return parts if gen.constructs is tuple else parts.map(_rejecting(gen.construct))


def _list(writing: Writing, gen: List[Any]) -> Strategy:
    keys = gen.unique_by
    return st.lists(
        writing.strategy(gen.element), min_size=gen.min_size, max_size=gen.max_size, unique_by=keys
    )


def _map(writing: Writing, gen: Map[Any]) -> Strategy:
    return writing.strategy(gen.source).map(_rejecting(gen.f))


def _filter(writing: Writing, gen: Filter[Any]) -> Strategy:
    return writing.strategy(gen.source).filter(_rejecting(gen.predicate))


def _bind(writing: Writing, gen: Bind[Any]) -> Strategy:
    inner = _rejecting(gen.inner)
    # Written each time: the function may return another generator, so nothing is cached.
    return writing.strategy(gen.source).flatmap(lambda outer: Writing().strategy(inner(outer)))


def _defer(writing: Writing, gen: Defer[Any]) -> Strategy:
    return st.deferred(lambda: writing.strategy(gen.target))


def _composite(writing: Writing, gen: Composite[Any]) -> Strategy:
    function = _rejecting(gen.function)

    @st.composite
    def drawn(draw: Any) -> Any:
        begin_input()
        return function(_draw(draw), *gen.args, **gen.kwargs)

    return drawn()


def _live(writing: Writing, gen: Live[Any]) -> Strategy:
    @st.composite
    def drawing(draw: Any) -> Any:
        # The draw of Hypothesis continues to draw for the same test case after this function has returned.
        return gen.make(_draw(draw))

    return drawing()


def _draw(draw: Any) -> Callable[..., Any]:
    """The draw function that composites and tests of ours are given."""

    def ours(source: Any, label: str | None = None) -> Any:
        return draw(to_strategy(source))

    return ours


def _rejecting(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that was written for everycase: values that it discards are rejected there."""
    if isinstance(function, type):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            with making_values():
                return function(*args, **kwargs)
        except Discarded:
            hypothesis.reject()

    with_name: Callable[..., Any] = call
    if hasattr(function, "__name__"):
        with_name = functools.wraps(function, updated=())(call)
    return with_name


_RULES: dict[type[Any], Callable[[Writing, Any], Strategy]] = total(
    "strategies",
    {
        Const: _const,
        Int: _int,
        Float: _float,
        Union: _union,
        Build: _build,
        List: _list,
        Map: _map,
        Filter: _filter,
        Bind: _bind,
        Defer: _defer,
        Composite: _composite,
        Live: _live,
    },
)
