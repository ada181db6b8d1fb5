"""What a person may say about the neighbourhood of a generator: a rule of their own, or that it stays random.

Such a remark is set on a copy of the node. Every reading but the search passes it by.
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

    ``anything`` says that it may return what the generator itself does not make.
    """

    __slots__ = ("anything", "function")

    def __init__(self, function: Callable[[Any, float], Any], anything: bool) -> None:
        self.function = function
        self.anything = anything


#: The remark that a part is drawn afresh in every test of a search.
FRESH = "fresh"

Remark = HandWritten | str

#: What an interpreter has worked out for the original does not hold for the copy: it is no part of a recursion.
_CACHES = frozenset(
    [
        "_dice",
        "_facts",
        "_least",
        "_uncounted",
        "_maker",
        "_nodes",
        "_sampler",
        "_scan",
        "_scans",
        "_space",
        "_tiers",
    ]
)


def with_neighbor(node: Gen[T], function: Callable[[T, float], Any]) -> Gen[T]:
    """What ``node.with_neighbor(function)`` means."""
    require_callable("the neighbourhood", function, "g.with_neighbor(lambda value, temperature: value + 1)")
    require_arguments("the neighbourhood", function, "value, temperature")
    return described(_annotated(node, HandWritten(function, False)), ".with_neighbor", node, function)


def fresh(node: Gen[T]) -> Gen[T]:
    """What ``node.fresh()`` means."""
    return described(_annotated(node, FRESH), ".fresh", node)


def targeted(*, first: Gen[T], next: Callable[[T, float], Any]) -> Gen[T]:
    """A generator with a hand-written search: ``first`` draws where to begin, ``next(value, temperature)`` moves on.

    ``next`` returns a value or a generator of values, which need not be values of ``first``. What it returns is shrunk
    only as far as ``first`` could have made it.

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
        # A deferred generator leaves no node in a trace, so the remark has to sit on what it stands for.
        return Defer(lambda: _annotated(node.target, remark))
    copy: Gen[T] = object.__new__(type(node))
    for kind in type(node).__mro__:
        for slot in getattr(kind, "__slots__", ()):
            if hasattr(node, slot):
                setattr(copy, slot, None if slot in _CACHES else getattr(node, slot))
    copy.remark = remark
    return copy
