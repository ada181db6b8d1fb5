"""Types whose values are a number or a list with a condition: dates, durations, floats, sets, dictionaries, bytes, tuples of
any length.

A date is its day number, a time or a duration its microseconds, a float its position in the order of all
floats (so that comparisons are exact, and nothing else is known of it), a set the sorted list of its
elements, a dictionary the list of its items sorted by key. Not every number is a date, and not every list is
sorted: :func:`invariant` says which ones are valid.
"""

from __future__ import annotations

import datetime
import math
import struct
from collections.abc import Iterable
from typing import Any

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import TRUE, Expr, Function
from everycase.complete.language.list_functions import Functions, for_all, strictly_ascending
from everycase.complete.language.types import BOOL, INT, Constructor, DataType, Type, Value

MICROSECOND = datetime.timedelta(microseconds=1)
DAY = 86_400_000_000
SECOND = 1_000_000
_ZERO = datetime.datetime.min


# --- numbers --------------------------------------------------------------------------------------------


def rank(value: float) -> int:
    """The position of a float among all floats; both zeros are at 0, and NaN has none.

    >>> rank(0.0), rank(-0.0), rank(5e-324), rank(1.0) < rank(2.0) < rank(math.inf)
    (0, 0, 1, True)
    """
    (bits,) = struct.unpack("<q", struct.pack("<d", abs(value)))
    return -bits if value < 0 else int(bits)


def unrank(number: int) -> float:
    """The float at a place.

    >>> [unrank(rank(f)) for f in (0.5, -2.0, math.inf)]
    [0.5, -2.0, inf]
    """
    (value,) = struct.unpack("<d", struct.pack("<q", abs(number)))
    return -value if number < 0 else float(value)


LARGEST = rank(math.inf)


def ticks(value: Any) -> int:
    """The number of a date, a moment, a time or a duration."""
    if isinstance(value, datetime.datetime):
        return (value - _ZERO) // MICROSECOND
    if isinstance(value, datetime.date):
        return value.toordinal()
    if isinstance(value, datetime.time):
        return (datetime.datetime.combine(_ZERO.date(), value) - _ZERO) // MICROSECOND
    return int(value // MICROSECOND)


def unticks(cls: Any, number: int) -> Any:
    """The value of a number."""
    if cls is datetime.date:
        return datetime.date.fromordinal(number)
    if cls is datetime.timedelta:
        return number * MICROSECOND
    moment = _ZERO + number * MICROSECOND
    return moment if cls is datetime.datetime else moment.time()


RANGES: dict[Any, tuple[int, int]] = {
    cls: (ticks(cls.min), ticks(cls.max))
    for cls in (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
}
_ORIGIN = {
    datetime.date: ticks(datetime.date(2000, 1, 1)),
    datetime.datetime: ticks(datetime.datetime(2000, 1, 1)),
}


def bounds_of(c: Constructor) -> tuple[int, int]:
    """The least and the greatest number of a value."""
    return (-LARGEST, LARGEST) if c.kind == "float" else RANGES[c.native]


def numbers_to_try(c: Constructor, integers: tuple[int, ...]) -> list[int]:
    """Numbers to try: usual values, and the constants of the program."""
    low, high = bounds_of(c)
    if c.kind == "float":
        usual = [rank(f) for f in (0.0, 1.0, -1.0, 0.5, 2.0, math.inf, -math.inf)]
    else:
        start, step = _ORIGIN.get(c.native, 0), 1 if c.native is datetime.date else DAY
        usual = [start, start + step, start - step, start + 1, low, high]
    far = [n for n in integers if abs(n) > 3]
    return [n for n in dict.fromkeys([*usual, *far]) if low <= n <= high]


def size_of_number(c: Constructor, number: int) -> int:
    """How simple a value is, for "smallest"."""
    return len(repr(unrank(number))) - 3 if c.kind == "float" else abs(number - _ORIGIN.get(c.native, 0))


# --- native values --------------------------------------------------------------------------------------

NUMBERS = ("stamp", "float")
LISTS = ("sequence", "set", "dict", "text", "bytes")
KINDS = (*NUMBERS, *LISTS)


def is_wrapped(kind: Type) -> bool:
    """Is this one of the types of this file?"""
    return isinstance(kind, DataType) and kind.constructors[-1].kind in KINDS


def unwrapped(c: Constructor, part: Any) -> Any:
    """The native value, given the native value of what is inside."""
    match c.kind:
        case "stamp":
            return unticks(c.native, part)
        case "float":
            return unrank(part)
        case "dict":
            return dict(part)
        case "text":
            return "".join(map(chr, part))
        case _:
            return c.native(part)


def inside_of(c: Constructor, value: Any) -> Any:
    """The representation of a native value, as a native number or list; ValueError if it is not of the
    type."""
    if c.kind == "float" and type(value) is float and not math.isnan(value):
        return rank(value)
    if c.kind == "stamp" and type(value) is c.native:
        if getattr(value, "tzinfo", None) is not None:
            raise ValueError(f"{value!r} has a time zone")
        return ticks(value)  # without ``fold``, which makes no difference for ==
    if c.kind == "text" and type(value) is str:
        return [ord(character) for character in value]
    if (c.kind == "sequence" and type(value) is tuple) or (c.kind == "bytes" and type(value) is bytes):
        return list(value)
    if c.kind == "set" and type(value) is c.native:
        return sorted(value)
    if c.kind == "dict" and type(value) is dict:
        return sorted(value.items(), key=lambda item: item[0])
    raise ValueError(f"{value!r} is not of type {c.owner}")


def counts(c: Constructor, parts: tuple[Value, ...]) -> bool:
    """Does this number or list represent a value?"""
    if c.kind in NUMBERS:
        low, high = bounds_of(c)
        return bool(low <= parts[0] <= high)
    if c.kind == "sequence":
        return True
    rest = parts[0]
    if c.kind == "text":
        while rest[0] == 1:
            if not 0 <= rest[1] <= LAST_CHARACTER or SURROGATES[0] <= rest[1] <= SURROGATES[1]:
                return False
            rest = rest[2]
        return True
    if c.kind == "bytes":
        while rest[0] == 1:
            if not 0 <= rest[1] <= LAST_BYTE:
                return False
            rest = rest[2]
        return True
    while rest[0] == 1 and rest[2][0] == 1:
        one, other = (r[1] if c.kind == "set" else r[1][1] for r in (rest, rest[2]))
        if not one < other:
            return False
        rest = rest[2]
    return True


# --- conditions -----------------------------------------------------------------------------------------


LAST_BYTE = 0xFF
LAST_CHARACTER, SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)
CODE = x.var("code'", INT)


def is_character(code: Expr) -> Expr:
    """Is this the number of a character that strings are made of? (No generator of text makes surrogates.)"""
    low, high = SURROGATES
    inside = x.and_(x.le(x.integer(0), code), x.le(code, x.integer(LAST_CHARACTER)))
    return x.and_(inside, x.or_(x.lt(code, x.integer(low)), x.lt(x.integer(high), code)))


def is_byte(code: Expr) -> Expr:
    """Is this a number that a byte can hold?"""
    return x.and_(x.le(x.integer(0), code), x.le(code, x.integer(LAST_BYTE)))


def is_among(code: Expr, letters: Iterable[str]) -> Expr:
    """Is this the number of one of these characters? Neighbours are tested together."""
    runs: list[list[int]] = []
    for number in sorted({ord(c) for c in letters}):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    between = [x.and_(x.le(x.integer(a), code), x.le(code, x.integer(b))) for a, b in runs]
    return x.or_(*(x.eq(code, x.integer(a)) if a == b else test for (a, b), test in zip(runs, between)))


def invariant(functions: Functions, e: Expr) -> Expr:
    """The condition that the numbers and lists in a value represent something; TRUE if its type has none of
    them."""
    kind = e.type
    if not isinstance(kind, DataType) or not any(_has_condition(part) for part in kind.parts):
        return TRUE
    if _contains_itself(kind):
        return _recursive(functions, e, kind)
    return _of_constructors(functions, e, kind)


def _has_condition(kind: DataType) -> bool:
    return is_wrapped(kind) or any(c.making is not None for c in kind.constructors)


def _contains_itself(kind: DataType) -> bool:
    """Can a value of this type contain others of it, apart from the rest of a list?"""
    inside = [kind.element] if kind.is_list else [t for c in kind.constructors for _, t in c.fields]
    return any(isinstance(t, DataType) and kind in t.parts for t in inside)


def _of_constructors(functions: Functions, e: Expr, kind: DataType) -> Expr:
    if kind.is_list:
        element = x.var("element'", kind.element)
        return for_all(functions, e, element, invariant(functions, element), "valid")
    found = []
    for c in kind.constructors:
        parts = [x.field(c, i, e) for i in range(len(c.fields))]
        tests = [invariant(functions, part) for part in parts]
        if c.kind in NUMBERS:
            low, high = bounds_of(c)
            tests += [x.le(x.integer(low), parts[0]), x.le(parts[0], x.integer(high))]
        elif c.kind == "text":
            tests.append(for_all(functions, parts[0], CODE, is_character(CODE), "characters"))
        elif c.kind == "bytes":
            tests.append(for_all(functions, parts[0], CODE, is_byte(CODE), "bytes"))
        elif c.kind in ("set", "dict"):
            tests.append(strictly_ascending(functions, parts[0]))
        elif c.making is not None:
            tests.append(c.making.condition(parts))
        found.append(x.or_(x.not_(x.is_con(c, e)), x.and_(*tests)))
    return x.and_(*found)


def _recursive(functions: Functions, e: Expr, kind: DataType) -> Expr:
    key = ("valid", kind)
    if key not in functions:
        whole = x.var("whole", kind)
        function = functions[key] = Function("valid", (whole,), BOOL)
        function.recursive = True
        function.body = _of_constructors(functions, whole, kind)
    return x.call(functions[key], e)


def in_range(functions: Functions, e: Expr) -> list[Expr]:
    """Conditions under which the dates, times, bytes and objects inside an expression exist: Python raises an error
    beyond their range, and where a class checks its arguments."""
    if not any(s.op == "con" and _may_fail(s) for s in x.subterms(e)):
        return []
    if e.op == "ite":  # only one of the two is computed
        test, yes, no = e.args
        found = in_range(functions, test)
        for condition, branch in ((test, yes), (x.not_(test), no)):
            found += [x.or_(x.not_(condition), c) for c in in_range(functions, branch)]
        return list(dict.fromkeys(found))
    found = [c for a in e.args for c in in_range(functions, a)]
    if e.op == "con" and _may_fail(e):
        if e.data.kind == "bytes":
            found.append(for_all(functions, e.args[0], CODE, is_byte(CODE), "bytes"))
        elif e.data.kind == "stamp":
            low, high = bounds_of(e.data)
            found += [x.le(x.integer(low), e.args[0]), x.le(e.args[0], x.integer(high))]
        else:
            found.append(e.data.making.condition(e.args))
    return list(dict.fromkeys(found))


def _may_fail(e: Expr) -> bool:
    """Can Python raise an error when it makes this value?"""
    if e.data.kind == "stamp":
        return e.args[0].op != "const"
    return e.data.kind == "bytes" or e.data.making is not None


def number_of(e: Expr) -> Expr:
    """The number of a date or a float."""
    assert isinstance(e.type, DataType)
    return x.field(e.type.constructors[-1], 0, e)


def truth_of(e: Expr) -> Expr:
    """The truth value of a value of these types."""
    made = e.type.constructors[-1]  # type: ignore[attr-defined]
    if made.kind == "float":
        return x.not_(x.and_(x.is_con(made, e), x.eq(number_of(e), x.integer(0))))
    if made.kind == "stamp":
        return x.not_(x.eq(number_of(e), x.integer(0))) if made.native is datetime.timedelta else x.TRUE
    items = items_of(e)
    return x.is_con(items.type.constructors[1], items)  # type: ignore[attr-defined]


def items_of(e: Expr) -> Expr:
    """The list of a set, a dictionary or a tuple."""
    assert isinstance(e.type, DataType)
    return x.field(e.type.constructors[0], 0, e)
