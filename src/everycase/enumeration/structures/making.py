"""Helpers of the ready-made structures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.kinds import Build, Const, Defer, Map
from everycase.gen.show import described


def ready(made: Gen[Any], name: str, *args: Any, **options: Any) -> Gen[Any]:
    """A generator that prints as the call of its ready-made structure."""
    # A function of values was made for this call; the members of families and tuples are shared.
    return described(made if isinstance(made, Map) else Defer(lambda: made), name, *args, **options)


def built(make: Callable[..., Any], *parts: Gen[Any], inverse: Callable[[Any], Sequence[Any]]) -> Gen[Any]:
    """``gen.builds`` of a function that makes immutable values, without reading its signature each time."""
    return Build(make, parts, share=True, inverse=inverse)


def put_first(first: Any, rest: Gen[Any]) -> Gen[Any]:
    """Tuples that begin with a given item."""
    return built(add, Const((first,)), rest, inverse=_first_and_rest)


def _first_and_rest(whole: tuple[Any, ...]) -> tuple[Any, Any]:
    return whole[:1], whole[1:]
