"""Drive a Hypothesis strategy choice by choice: a provider that asks :class:`Choices` for every primitive.

This uses Hypothesis' interface for alternative backends. It is only imported for a strategy, so Hypothesis is
installed.
"""

from __future__ import annotations

import math
from typing import Any

from everycase.choices.assumptions import making_values
from everycase.complete.search.small_choices import FLOATS, Choices
from everycase.errors import Discarded, NotCountable


def drawn_by(choices: Choices, strategy: Any) -> Any:
    """A value of the strategy; Discarded if it gives up."""
    from hypothesis.control import BuildContext
    from hypothesis.errors import StopTest, UnsatisfiedAssumption
    from hypothesis.internal.conjecture.data import ConjectureData
    from hypothesis.internal.conjecture.providers import PrimitiveProvider
    from hypothesis.strategies import SearchStrategy

    if not isinstance(strategy, SearchStrategy):
        raise NotCountable(f"{strategy!r} is neither a generator nor a strategy")

    class ChoiceProvider(PrimitiveProvider):
        """Each primitive is one choice (a text or bytes: one for the length and one a character)."""

        def draw_boolean(self, p: float = 0.5) -> bool:
            return p >= 1 if p <= 0 or p >= 1 else bool(choices.choose(2))

        def draw_integer(
            self,
            min_value: int | None = None,
            max_value: int | None = None,
            *,
            weights: dict[int, float] | None = None,
            shrink_towards: int = 0,
        ) -> int:
            return choices.integer(min_value, max_value)

        def draw_float(
            self,
            *,
            min_value: float = -math.inf,
            max_value: float = math.inf,
            allow_nan: bool = True,
            smallest_nonzero_magnitude: float,
        ) -> float:
            fitting = [
                f
                for f in (*FLOATS, min_value, max_value)
                if (allow_nan if math.isnan(f) else min_value <= f <= max_value)
                and (f == 0 or math.isnan(f) or abs(f) >= smallest_nonzero_magnitude)
            ]
            return float(choices.among(fitting))

        def draw_string(self, intervals: Any, *, min_size: int = 0, max_size: int = 10**10) -> str:
            known = dict.fromkeys(ord(c) for t in choices.pools.texts for c in t)
            some = [chr(n) for n in known if n in intervals] or [intervals.char_in_shrink_order(0)]
            size = choices.length(min_size, max_size) if len(intervals) else 0
            return "".join(choices.among(some, len(intervals) == len(some)) for _ in range(size))

        def draw_bytes(self, min_size: int = 0, max_size: int = 10**10) -> bytes:
            size = choices.length(min_size, max_size)
            return bytes(choices.among((0, 1, 255)) for _ in range(size))

    data = ConjectureData(random=None, provider=ChoiceProvider)
    choices.place = 0
    try:
        with making_values(), BuildContext(data, is_final=False, wrapped_test=drawn_by):
            return data.draw(strategy)
    except (UnsatisfiedAssumption, StopTest):
        raise Discarded("given up by Hypothesis") from None
    finally:
        del choices.digits[choices.place :]  # another combination may have needed more
