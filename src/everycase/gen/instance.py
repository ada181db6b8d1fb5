"""``runner``: the object that the test is a method of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.kinds import Composite
from everycase.gen.show import described

_MISSING: Any = object()
_instance: ContextVar[Any] = ContextVar("everycase_instance", default=_MISSING)


@contextmanager
def tested_on(instance: Any) -> Iterator[None]:
    """Tests that run inside this context are methods of this object."""
    token = _instance.set(instance)
    try:
        yield
    finally:
        _instance.reset(token)


def runner(*, default: Any = _MISSING) -> Gen[Any]:
    """The object whose method the test is: its ``self``. ``default`` is for tests that are not methods.

    >>> runner(default=None).example(seed=0) is None
    True
    """
    node: Gen[Any] = Composite(_current, (default,), {})
    return described(node, "runner", default=None if default is _MISSING else default)


def _current(draw: Any, default: Any) -> Any:
    instance = _instance.get()
    if instance is _MISSING:
        instance = default
    if instance is _MISSING:
        raise InvalidArgument(
            "runner() is the self of a test method, but this test is a function; give a default: runner(default=None)"
        )
    return instance
