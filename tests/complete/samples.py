"""Generators defined from text in such a way that their source can be read."""

from __future__ import annotations

import itertools
import linecache
import sys
import types
from typing import Any

from everycase.errors import Discarded

_numbers = itertools.count()

HEADER = """
from __future__ import annotations
from dataclasses import dataclass
from enum import Enum
from everycase import covers, gen
from samples import assume
"""


def assume(condition: bool) -> None:
    """Like everycase.assume, but also usable outside a running property."""
    if not condition:
        raise Discarded("assume(False)")


def module(text: str) -> dict[str, Any]:
    """The names that a piece of source defines."""
    name = f"sample_{next(_numbers)}"
    text = HEADER + text
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made = types.ModuleType(name)
    sys.modules[name] = made
    exec(compile(text, file, "exec"), made.__dict__)
    return made.__dict__


BST = """
@dataclass(frozen=True)
class Leaf: pass

@dataclass(frozen=True)
class Node:
    value: int
    left: Tree
    right: Tree

Tree = Leaf | Node

def depth(t: Tree) -> int:
    match t:
        case Leaf():
            return 0
        case Node(_, left, right):
            return 1 + max(depth(left), depth(right))

def is_bst(t: Tree, lo: int, hi: int) -> bool:
    match t:
        case Leaf():
            return True
        case Node(x, left, right):
            return lo < x < hi and is_bst(left, lo, x) and is_bst(right, x, hi)

@covers(lambda v, d, lo, hi: depth(v) <= d and is_bst(v, lo, hi),
        requires=lambda d, lo, hi: 0 <= d and lo < hi, decreases="d")
@gen.composite
def bsts(draw, d: int, lo: int, hi: int) -> Tree:
    if d == 0:
        return Leaf()
    elif lo + 1 < hi:
        x = draw(gen.integers(lo + 1, hi - 1))
        BODY
    else:
        return Leaf()
"""

COMPLETE = """if draw(gen.booleans()):
            return Leaf()
        return Node(x, draw(bsts(d - 1, lo, x)), draw(bsts(d - 1, x, hi)))"""
NO_LEAF = "return Node(x, draw(bsts(d - 1, lo, x)), draw(bsts(d - 1, x, hi)))"


def bst(body: str) -> Any:
    return module(BST.replace("BODY", body))["bsts"]
