"""Lists, tuples, sets and dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from everycase.gen.base import Gen
from everycase.gen.kinds import Build, List
from everycase.gen.validate import require_gen, require_sizes

T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


def lists(
    elements: Gen[T],
    *,
    min_size: int = 0,
    max_size: int | None = None,
    unique: bool = False,
    unique_by: Callable[[T], Any] | None = None,
) -> Gen[list[T]]:
    require_gen("elements", elements)
    require_sizes(min_size, max_size)
    return List(elements, min_size, max_size, unique_by or (_itself if unique else None))


def tuples(*parts: Gen[Any]) -> Gen[Any]:
    for i, part in enumerate(parts):
        require_gen(f"argument {i + 1} of tuples", part)
    return Build(_as_tuple, parts, constructs=tuple, share=True)


def _itself(value: T) -> T:
    return value


def _as_tuple(*parts: Any) -> tuple[Any, ...]:
    return parts
