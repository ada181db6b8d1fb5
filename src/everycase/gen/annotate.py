"""Annotations about the neighbourhood of a generator: a hand-written rule, or that it stays random.

Such an annotation is set on a copy of the node. Only the search uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Defer
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_arguments, require_callable

T = TypeVar("T")


class HandWritten:
    """A neighbourhood ``f(value, temperature) -> value or generator``.

    ``anything`` means that it may return values that the generator itself does not make.
    """

    __slots__ = ("anything", "function")

    def __init__(self, function: Callable[[Any, float], Any], anything: bool) -> None:
        self.function = function
        self.anything = anything


#: The annotation that a part is redrawn in every test of a search.
FRESH = "fresh"

Remark = HandWritten | str

#: Facts that an interpreter has cached for the original do not hold for the copy: it is not part of a
#: recursion.
_CACHES = frozenset(
    [
        "_dice",
        "_facts",
        "_least",
        "_uncounted",
        "_maker",
        "_nodes",
        "_sampler",
        "_filtering",
        "_space",
        "_tiers",
    ]
)


def with_neighbor(node: Gen[T], function: Callable[[T, float], Any]) -> Gen[T]:
    """Implements ``node.with_neighbor(function)``."""
    require_callable("the neighbourhood", function, "g.with_neighbor(lambda value, temperature: value + 1)")
    require_arguments("the neighbourhood", function, "value, temperature")
    return described(_annotated(node, HandWritten(function, False)), ".with_neighbor", node, function)


def fresh(node: Gen[T]) -> Gen[T]:
    """Implements ``node.fresh()``."""
    return described(_annotated(node, FRESH), ".fresh", node)


def targeted(*, first: Gen[T], next: Callable[[T, float], Any]) -> Gen[T]:
    """A generator with a hand-written search: ``first`` draws the starting point, ``next(value,
    temperature)`` moves on.

    ``next`` returns a value or a generator of values, which need not be values of ``first``. Its result is
    shrunk only if ``first`` could have made it.

    >>> from everycase.gen import integers, just
    >>> steps = targeted(first=just(0), next=lambda n, temperature: integers(n - 3, n + 3))
    >>> steps.neighbor(0, 1.0, seed=1) in range(-3, 4)
    True
    """
    first = as_gen("first", first)
    require_callable("next", next, "gen.targeted(first=gen.just(0), next=lambda n, temperature: n + 1)")
    require_arguments("next", next, "value, temperature")
    return described(_annotated(first, HandWritten(next, True)), "targeted", first=first, next=next)


def _annotated(node: Gen[T], remark: Remark) -> Gen[T]:
    if isinstance(node, Defer):
        # A deferred generator leaves no node in a trace, so the annotation has to be on its definition.
        return Defer(lambda: _annotated(node.target, remark))
    copy: Gen[T] = object.__new__(type(node))
    for kind in type(node).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            if hasattr(node, slot):
                setattr(copy, slot, None if slot in _CACHES else getattr(node, slot))
    copy.remark = remark
    return copy
