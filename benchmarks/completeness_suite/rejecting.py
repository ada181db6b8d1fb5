"""An ``assume`` that also works when a generator is sampled outside a test."""

from __future__ import annotations

from everycase.errors import Discarded


def assume(condition: bool) -> None:
    """Give up this value unless the condition holds."""
    if not condition:
        raise Discarded("assume(False)")
