"""Red-black trees of black height h; ``color`` True means that the parent is red, so the root must not be."""

from __future__ import annotations

from dataclasses import dataclass

from everycase import covers, gen


@dataclass(frozen=True)
class RLeaf:
    pass


@dataclass(frozen=True)
class RNode:
    red: bool
    left: RBTree
    value: int
    right: RBTree


RBTree = RLeaf | RNode


def is_red(t: RBTree) -> bool:
    match t:
        case RNode(red=True):
            return True
        case _:
            return False


def is_black(t: RBTree) -> bool:
    match t:
        case RNode(red=False):
            return True
        case _:
            return False


def no_red_red(t: RBTree) -> bool:
    match t:
        case RLeaf():
            return True
        case RNode(red, left, _, right):
            quiet = not red or (not is_red(left) and not is_red(right))
            return quiet and no_red_red(left) and no_red_red(right)


def num_black(t: RBTree, h: int) -> bool:
    match t:
        case RLeaf():
            return h == 0
        case RNode(red, left, _, right):
            below = h if red else h - 1
            return num_black(left, below) and num_black(right, below)


def valid(v: RBTree, color: bool, h: int) -> bool:
    root = not is_red(v) if color else (h != 0 or not is_black(v))
    return num_black(v, h) and no_red_red(v) and root


@covers(
    lambda v, color, h: valid(v, color, h),
    requires=lambda inv, color, h: inv >= 0 and h >= 0 and (2 * h == inv if color else 2 * h + 1 == inv),
    decreases="inv",
)
@gen.composite
def red_black(draw, inv: int, color: bool, h: int) -> RBTree:
    if h == 0:
        if color:
            return RLeaf()  # A
        elif draw(gen.booleans()):
            return RLeaf()  # B
        else:
            return RNode(True, RLeaf(), draw(gen.integers()), RLeaf())  # C
    elif color:
        return RNode(
            False,
            draw(red_black(inv - 1, False, h - 1)),
            draw(gen.integers()),
            draw(red_black(inv - 1, False, h - 1)),
        )  # D
    elif draw(gen.booleans()):
        return RNode(
            True, draw(red_black(inv - 1, True, h)), draw(gen.integers()), draw(red_black(inv - 1, True, h))
        )  # E
    else:
        return RNode(
            False,
            draw(red_black(inv - 2, False, h - 1)),
            draw(gen.integers()),
            draw(red_black(inv - 2, False, h - 1)),
        )  # F
