"""Classes that several tests make values of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
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
