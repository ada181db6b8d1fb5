"""A generator as a sequence: counting its values, finding one by its number, walking all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from everycase.errors import NotCountable
from everycase.gen.base import Gen


def cardinality(gen: Gen[Any]) -> float:
    raise NotCountable("not yet")


def length(gen: Gen[Any]) -> int:
    raise NotCountable("not yet")


def item(gen: Gen[Any], index: Any) -> Any:
    raise NotCountable("not yet")


def iterate(gen: Gen[Any]) -> Iterator[Any]:
    raise NotCountable("not yet")


def contains(gen: Gen[Any], value: object) -> bool:
    raise NotCountable("not yet")
