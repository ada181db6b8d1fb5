"""Graphs without cycles, and class hierarchies."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as subsets_of
from typing import Any

from everycase import gen
from everycase.enumeration.structures.making import put_first, ready
from everycase.gen.base import Gen
from everycase.gen.kinds import Int, Map
from everycase.gen.validate import require_count


def dags(n: int) -> Gen[Any]:
    """Directed acyclic graphs of n nodes in a given order: for each node the tuple of its parents, all earlier."""
    require_count("n", n)
    return ready(gen.tuples(*[_subsets(node) for node in range(n)]), "dags", n)


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
    require_count("methods", methods)
    return ready(_types(n, (), methods), "class_hierarchies", n, methods=None if methods == 2 else methods)


@gen.dependent
def _types(left: int, before: tuple[tuple[bool, tuple[int, ...]], ...], methods: int) -> Gen[Any]:
    """The remaining types. Of the earlier ones only the kind and the sealed methods matter."""
    if left == 0:
        return gen.just(())
    interfaces = [i for i, (is_class, _) in enumerate(before) if not is_class]
    classes = [i for i, (is_class, _) in enumerate(before) if is_class]
    options: list[Gen[Any]] = []
    last: list[Any] = []
    for is_class in (False, True):
        for extends in [None, *classes] if is_class else [None]:
            for implements in choices(interfaces):
                parents = implements if extends is None else (extends, *implements)
                sealed = {method for parent in parents for method in before[parent][1]}
                for overrides in choices([m for m in range(methods) if m not in sealed]):
                    for seals in choices(overrides):
                        kind = "class" if is_class else "interface"
                        one = (kind, extends, implements, overrides, seals)
                        if left == 1:
                            last.append((one,))
                            continue
                        closed = tuple(sorted({*sealed, *seals}))  # a seal holds for all descendants
                        rest = _types(left - 1, (*before, (is_class, closed)), methods)
                        options.append(put_first(one, rest))
    return gen.sampled_from(last) if left == 1 else gen.one_of(options)


def choices(items: Sequence[int]) -> list[tuple[int, ...]]:
    return [chosen for size in range(len(items) + 1) for chosen in subsets_of(items, size)]
