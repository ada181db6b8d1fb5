"""How large and how deep an input is, and which classes it contains, judging by the value alone.

The size used by enumeration and pruning (:mod:`everycase.choices.trace`) needs the choices behind a value,
which a passing test does not record. This is the plain count for people: every object, container and leaf
counts one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from everycase.gen.records import record_of

#: Types without parts.
LEAVES = frozenset({int, float, str, bool, bytes, complex, type(None)})

#: Counting stops at this number of parts.
MOST = 100_000


def measure(arguments: Iterable[Any]) -> tuple[int, int, dict[str, int] | None]:
    """The number of parts of some arguments, how deeply they are nested, and how many objects there are of each class.

    >>> measure([3, [1, 2, [3]]])
    (6, 2, None)
    >>> from fractions import Fraction
    >>> measure([[Fraction(1, 2), Fraction(3)]])
    (3, 1, {'Fraction': 2})
    """
    size = depth = 0
    classes: dict[str, int] | None = None
    level: list[Any] = list(arguments)
    while level:
        size += len(level)
        below: list[Any] = []
        for value in level:
            kind = type(value)
            if kind in LEAVES:
                continue
            if kind is list or kind is tuple:
                below += value
            elif isinstance(value, Mapping):
                below += value.keys()
                below += value.values()
            elif kind is set or kind is frozenset:
                below += value
            else:
                if classes is None:
                    classes = {}
                classes[kind.__name__] = classes.get(kind.__name__, 0) + 1
                below += _fields(value)
        if size > MOST or depth > MOST:
            break
        if below:
            depth += 1
        level = below
    return size, depth, classes


def _fields(value: Any) -> Iterable[Any]:
    """The parts of an object that its class declares: the fields of a dataclass, an attrs class or a named
    tuple."""
    if isinstance(value, tuple):
        return value
    cls = type(value)
    record = record_of(cls)
    names = record.attributes if record is not None else getattr(cls, "__match_args__", ())
    try:
        return [getattr(value, name) for name in names]
    except Exception:
        return ()
