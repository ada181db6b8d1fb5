"""All terms of System F by size, as one would write them without a library: generators that call each other.

The search is compared with this: make every term, and run the checker on it. Nothing is shared or kept.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from systemf_language import (
    App,
    Base,
    BFalse,
    BTrue,
    Con,
    Cond,
    ForAll,
    Fun,
    Lam,
    TApp,
    TBool,
    TLam,
    TVar,
    Var,
)


def indices_of_size(size: int) -> range:
    """The natural numbers with this number of bits."""
    return range(1 << size - 1, 1 << size) if size else range(1)


def types_of_size(size: int) -> Iterator[Any]:
    """All types of a size. Each constructor counts 1, and indices count their bits."""
    if size < 1:
        return
    if size == 1:
        yield Base()
        yield TBool()
    for left in range(1, size - 1):
        for a in types_of_size(left):
            for b in types_of_size(size - 1 - left):
                yield Fun(a, b)
    for n in indices_of_size(size - 1):
        yield TVar(n)
    for body in types_of_size(size - 1):
        yield ForAll(body)


def terms_of_size(size: int) -> Iterator[Any]:
    """All terms of a size."""
    if size < 1:
        return
    if size == 1:
        yield Con()
        yield BTrue()
        yield BFalse()
    for n in indices_of_size(size - 1):
        yield Var(n)
    for left in range(1, size - 1):
        for t in types_of_size(left):
            for e in terms_of_size(size - 1 - left):
                yield Lam(t, e)
        for f in terms_of_size(left):
            for x in terms_of_size(size - 1 - left):
                yield App(f, x)
        for e in terms_of_size(left):
            for t in types_of_size(size - 1 - left):
                yield TApp(e, t)
        for c in terms_of_size(left):
            for middle in range(1, size - 1 - left):
                for p in terms_of_size(middle):
                    for q in terms_of_size(size - 1 - left - middle):
                        yield Cond(c, p, q)
    for e in terms_of_size(size - 1):
        yield TLam(e)


def terms_up_to_size(size: int) -> Iterator[Any]:
    for one in range(1, size + 1):
        yield from terms_of_size(one)
