"""Whether values are currently being made outside of any run.

``assume`` belongs to a running property, but a composite may call it too, and composites are also sampled,
recorded and walked outside of a run. The code that does so says it here, so that ``assume`` can distinguish
this from a wrong call.
"""

from __future__ import annotations

from contextvars import ContextVar

_making: ContextVar[bool] = ContextVar("everycase_making_values", default=False)


class making_values:  # noqa: N801 (it is used like a function)
    """Code inside this context may discard the value that is being made. (A class, because a generator function takes
    several times as long, and this happens for every part that is made.)"""

    __slots__ = ("_token",)

    def __enter__(self) -> None:
        self._token = _making.set(True)

    def __exit__(self, *problem: object) -> None:
        _making.reset(self._token)


def are_values_made() -> bool:
    return _making.get()
