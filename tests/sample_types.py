"""Classes and small functions that several tests use."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from enum import Enum
from math import comb
from typing import Any


class Color(Enum):
    RED = 1
    BLUE = 2


@dataclass(frozen=True)
class Leaf:
    """The end of a search tree."""


@dataclass(frozen=True)
class Node:
    """A node of a search tree."""

    left: Any
    key: int
    right: Any


@dataclass
class Point:
    x: int
    y: str


@dataclass
class Order:
    name: str
    count: int


def climbs(xs):
    return all(a < b for a, b in itertools.pairwise(xs))


def catalan(n):
    return comb(2 * n, n) // (n + 1)
