"""The bridges to Hypothesis: its strategies as generators, our generators as strategies, its tests on our search.

>>> import hypothesis.strategies as st
>>> from everycase.bridges.hypothesis import from_strategy, to_strategy
>>> from_strategy(st.lists(st.integers(0, 9), max_size=3)).cardinality
1111
>>> from everycase import gen
>>> to_strategy(gen.integers(0, 9))
integers(min_value=0, max_value=9)

Names are imported on first use, because Hypothesis loads this package by name (see ``entry``).
"""

from __future__ import annotations

from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from everycase.bridges.hypothesis.reading import Explanation, explain, from_strategy
    from everycase.bridges.hypothesis.writing import to_strategy

__all__ = ["Explanation", "explain", "from_strategy", "to_strategy"]

_HOMES = {
    "Explanation": "reading",
    "explain": "reading",
    "from_strategy": "reading",
    "to_strategy": "writing",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
