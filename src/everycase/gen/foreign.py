"""Descriptions of values that another library made: which of its objects we can read, and who reads them.

The readers are known by name only: nobody pays for a library that is not used, and no room below the bridges imports
one of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

#: For each library: its class of descriptions (module, name), and the function that turns one into a generator.
READERS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    "hypothesis": (
        ("hypothesis.strategies", "SearchStrategy"),
        ("everycase.bridges.hypothesis", "from_strategy"),
    ),
}


def reader_of(value: object) -> Callable[[Any], Any] | None:
    """The function that turns a foreign description into a generator; None if this is not a foreign description.

    >>> reader_of(5) is None
    True
    """
    for (module, name), (home, function) in READERS.values():
        # An object of a class exists only after its module was imported.
        described = getattr(sys.modules.get(module), name, None)
        if described is not None and isinstance(value, described):
            read: Callable[[Any], Any] = getattr(import_module(home), function)
            return read
    return None
