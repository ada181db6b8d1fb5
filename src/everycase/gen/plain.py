"""Values as plain data that strict JSON can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum
from typing import Any

from everycase.gen.records import record_of

#: Values that are nested more deeply, or have more parts in one place, become text.
DEEPEST = 40
MOST_PARTS = 100_000
#: A longer value is cut to this number of characters in tables.
LONGEST = 200


def plain(value: Any, depth: int = 0) -> Any:
    """A value in JSON types. Objects become dictionaries of their fields, anything else its ``repr``.

    >>> plain({"a": (1, float("nan")), 2: {3}})
    {'a': [1, 'nan'], '2': [3]}
    """
    kind = type(value)
    if kind in (str, bool, type(None)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if kind is int:
        return (
            value if abs(value) < 1 << 2000 else hex(value)
        )  # Python does not print those of thousands of digits
    if kind is float:
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    if depth >= DEEPEST:
        return shown(value)
    if isinstance(value, Mapping):
        return {
            key if type(key) is str else shown(key): plain(part, depth + 1) for key, part in value.items()
        }
    record = record_of(kind)
    if isinstance(value, list | tuple | set | frozenset) and len(value) <= MOST_PARTS:
        if record is not None and len(record.fields) == len(value):
            return {name: plain(part, depth + 1) for name, part in zip(record.attributes, value)}
        return [plain(part, depth + 1) for part in value]
    if record is not None and record.fields:
        try:
            return {name: plain(getattr(value, name), depth + 1) for name in record.attributes}
        except Exception:
            return shown(value)
    return shown(value)


def shown(value: Any) -> str:
    """``repr``, whatever the class does in it."""
    try:
        return repr(value)
    except Exception as problem:
        return f"<{type(value).__name__}, whose repr raises {type(problem).__name__}>"


def strict_json(data: Any, **options: Any) -> str:
    """JSON as every reader accepts it: without NaN and Infinity, which JSON does not have.

    >>> strict_json({"best": float("inf"), "seed": 1})
    '{"best": "inf", "seed": 1}'
    """
    try:
        return json.dumps(data, allow_nan=False, **options)
    except (TypeError, ValueError, RecursionError):
        return json.dumps(plain(data), allow_nan=False, **options)


def shortened(value: Any) -> str:
    """A value as text for one cell of a table."""
    text = shown(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
