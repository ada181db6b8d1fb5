"""Whether values are currently being made outside of any run.

``assume`` belongs to a running property, but a composite may call it too, and composites are also sampled,
recorded and walked outside of a run. The code that does so says it here, so that ``assume`` can distinguish
this from a wrong call.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_making: ContextVar[bool] = ContextVar("everycase_making_values", default=False)


@contextmanager
def making_values() -> Iterator[None]:
    """Code inside this context may discard the value that is being made."""
    token = _making.set(True)
    try:
        yield
    finally:
        _making.reset(token)


def are_values_made() -> bool:
    return _making.get()
