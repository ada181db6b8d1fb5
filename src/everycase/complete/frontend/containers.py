"""Expressions about dates, floats, sets, dictionaries and tuples of any length, and constants of these types."""

from __future__ import annotations

import ast
import datetime
import math
from collections.abc import Callable
from typing import Any

from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.library import Library
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import is_ordered
from everycase.complete.language.expressions import FALSE, TRUE, Expr, Function
from everycase.complete.language.linear import Linear
from everycase.complete.language.list_functions import (
    before_last,
    elements_of,
    for_all,
    last,
    lookup,
    member,
    selected,
    union,
    without_repeats,
)
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, UnknownType
from everycase.complete.language.values import from_python
from everycase.complete.language.wrapped import (
    CODE,
    DAY,
    LARGEST,
    LAST_CHARACTER,
    LISTS,
    SECOND,
    items_of,
    number_of,
    rank,
    ticks,
)

#: The range of a part of a date or a time; nothing else is known about it.
_PARTS = {
    datetime.date: ("year", "month", "day"),
    datetime.datetime: ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    datetime.time: ("hour", "minute", "second", "microsecond"),
}
_UNITS = {
    "weeks": 7 * DAY, "days": DAY, "hours": DAY // 24, "minutes": 60_000_000, "seconds": 1_000_000,
    "milliseconds": 1000, "microseconds": 1,
}  # fmt: skip

#: Which ASCII characters each method accepts.
_ASCII = {
    "isdigit": (("0", "9"),), "isdecimal": (("0", "9"),), "isnumeric": (("0", "9"),), "isascii": (),
    "isalpha": (("A", "Z"), ("a", "z")), "isalnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "islower": (("a", "z"),), "isupper": (("A", "Z"),),
}  # fmt: skip
#: Methods that test every character of a string, rather than only its letters.
OF_CHARACTERS = ("isdigit", "isdecimal", "isnumeric", "isascii", "isalpha", "isalnum")

#: Elements to compare with: some that are written out, or those of a list.
Elements = list[Expr] | Expr


class Containers:
    """The part of expressions that is about the types of :mod:`everycase.complete.language.wrapped`."""

    def __init__(self, library: Library, values: Conversions) -> None:
        self.library, self.values, self.scope = library, values, values.scope

    # --- looking at a value -----------------------------------------------------------------------------

    def items(self, e: Expr) -> Expr | None:
        """The list behind a list, a set, a dictionary or a tuple of any length."""
        if isinstance(e.type, DataType) and e.type.is_list:
            return e
        return items_of(e) if isinstance(e.type, DataType) and e.type.constructors[0].kind in LISTS else None

    def of_kind(self, e: Expr, kind: str) -> bool:
        return isinstance(e.type, DataType) and e.type.constructors[-1].kind == kind

    def elements(self, e: Expr) -> tuple[Expr, Callable[[Expr], Expr]] | None:
        """The result of iterating: a list, and the function applied to each of its elements (for a
        dictionary: its key)."""
        found = self.items(e)
        if found is None:
            return None
        if self.of_kind(e, "text"):
            return found, self.character
        return found, (lambda item: self.of_pair(item, 0)) if self.of_kind(e, "dict") else (lambda item: item)

    def character(self, code: Expr) -> Expr:
        """A string of one character."""
        made = self.library.types.text.constructors[0]
        nil, cons = made.fields[0][1].constructors  # type: ignore[attr-defined]
        return x.con(made, x.con(cons, code, x.con(nil)))

    def code_of(self, e: Expr, node: ast.AST) -> Expr:
        """The number of the character that a string of one character is."""
        items = items_of(e)
        known = elements_of(items)
        if known is None or len(known) != 1:
            self.scope.fail(node, "a part of a string that is not known to be one character")
        return known[0]

    def begins(self, e: Expr, prefix: str | bytes) -> Expr:
        """``e.startswith(prefix)``."""
        items, tests = items_of(e), []
        cons = items.type.constructors[1]  # type: ignore[attr-defined]
        for code in _codes(prefix):
            tests += [x.is_con(cons, items), x.eq(x.field(cons, 0, items), x.integer(code))]
            items = x.field(cons, 1, items)
        return x.and_(*tests)

    def ends(self, e: Expr, suffix: str | bytes) -> Expr:
        """``e.endswith(suffix)``."""
        items, tests = items_of(e), []
        cons = items.type.constructors[1]  # type: ignore[attr-defined]
        functions = self.library.functions
        for code in reversed(_codes(suffix)):
            tests += [x.is_con(cons, items), x.eq(last(functions, items), x.integer(code))]
            items = before_last(functions, items)
        return x.and_(*tests)

    def occurs(self, e: Expr, part: str) -> Expr:
        """``part in e``."""
        if len(part) == 1:
            return member(self.library.functions, items_of(e), x.integer(ord(part)))
        if not part:
            return TRUE
        key = ("occurs", part)
        functions, kind = self.library.functions, items_of(e).type
        if key not in functions:
            nil, cons = kind.constructors  # type: ignore[attr-defined]
            items = x.var("items", kind)
            function = functions[key] = Function("occurs", (items,), BOOL)
            function.recursive = True
            here = self.begins(x.con(e.type.constructors[0], items), part)  # type: ignore[attr-defined]
            more = x.call(function, x.field(cons, 1, items))
            function.body = x.ite(x.is_con(nil, items), FALSE, x.or_(here, more))
        return x.call(functions[key], items_of(e))

    def about_character(self, e: Expr, name: str, node: ast.AST) -> Expr:
        """``c.isdigit()`` and the like: written out for ASCII; Python decides beyond."""
        known = elements_of(items_of(e))
        if known is not None and len(known) != 1:
            self.scope.fail(node, f"{name} of a string")
        if known is None:
            found = for_all(self.library.functions, items_of(e), CODE, self._class_of(CODE, name), name)
            cons = items_of(e).type.constructors[1]  # type: ignore[attr-defined]
            return found if name == "isascii" else x.and_(x.is_con(cons, items_of(e)), found)
        return self._class_of(known[0], name)

    def _class_of(self, code: Expr, name: str) -> Expr:
        ranges = _ASCII[name]
        plain = x.or_(
            *(x.and_(x.le(x.integer(ord(a)), code), x.le(code, x.integer(ord(b)))) for a, b in ranges)
        )
        ascii_ = x.lt(code, x.integer(128))
        if name == "isascii":
            return ascii_
        key = ("character", name)
        functions = self.library.functions
        if key not in functions:
            function = functions[key] = Function(name, (x.var("code", INT),), BOOL)
            function.native = lambda number: 0 <= number <= LAST_CHARACTER and getattr(chr(number), name)()
        return x.ite(ascii_, plain, x.call(functions[key], code))

    def of_pair(self, pair: Expr, place: int) -> Expr:
        assert isinstance(pair.type, DataType)
        return x.field(pair.type.constructors[0], place, pair)

    def found(self, e: Expr, key: Expr, node: ast.AST) -> Expr:
        """The lookup of a key in a dictionary: a value or nothing."""
        items = items_of(e)
        assert isinstance(items.type, DataType)
        pair = items.type.element.constructors[0]  # type: ignore[attr-defined]
        option = self.library.types.option_of(pair.fields[1][1])
        return lookup(self.library.functions, items, self.values.coerce(key, pair.fields[0][1], node), option)

    def as_bytes(self, e: Expr, node: ast.AST) -> Expr:
        """``bytes(e)`` of a list of numbers; Python raises an error if one of them is no byte."""
        items = self.items(e)
        if self.of_kind(e, "bytes"):
            return e
        if items is None or items.type is not self.library.types.list_of(INT) or self.of_kind(e, "text"):
            self.scope.fail(node, f"bytes of a value of type {e.type}")
        return x.con(self.library.types.bytes.constructors[0], items)

    def at_key(self, e: Expr, key: Expr, node: ast.AST) -> Expr:
        """``e[key]``."""
        found = self.found(e, key, node)
        return x.field(found.type.constructors[1], 0, found)  # type: ignore[attr-defined]

    def contains(self, e: Expr, item: Expr, node: ast.AST) -> Expr | None:
        """``item in e``."""
        if self.of_kind(e, "dict"):
            found = self.found(e, item, node)
            return x.is_con(found.type.constructors[1], found)  # type: ignore[attr-defined]
        items = self.items(e)
        if items is None:
            return None
        if self.of_kind(e, "text"):  # a character of a string
            return member(self.library.functions, items, self.code_of(item, node))
        assert isinstance(items.type, DataType)
        wanted = self.values.coerce(item, items.type.element, node)
        if _has_float(wanted.type):
            self.scope.fail(node, "membership of a float, since NaN is not equal to itself")
        self.values.same(wanted, wanted, node)  # membership compares
        return member(self.library.functions, items, wanted)

    def attribute(self, e: Expr, name: str, node: ast.AST) -> Expr | None:
        """``date.year``, ``duration.days``."""
        if not self.of_kind(e, "stamp"):
            return None
        native = e.type.constructors[0].native  # type: ignore[attr-defined]
        if native is datetime.timedelta and name in ("days", "seconds", "microseconds"):
            number = number_of(e)
            if name == "days":
                return _divided(number, DAY)
            second = x.mod(number, x.integer(SECOND))
            return second if name == "microseconds" else _divided(x.mod(number, x.integer(DAY)), SECOND)
        if name in _PARTS.get(native, ()):
            return x.call(self._part(native, name), number_of(e))
        return None

    def years(self, a: Expr, b: Expr, strict: bool) -> Expr | None:
        """``date.year <= 2020`` as a comparison of dates; None if this is no comparison of a year with a number."""
        for year, fixed, above in ((a, b, False), (b, a, True)):
            key = year.op == "call" and next(
                (k for k, f in self.library.functions.items() if f is year.data), None
            )
            if not key or key[0] != "part" or key[2] != "year" or fixed.op != "const":
                continue
            # the first year that is too late, or the first one that is late enough
            limit = fixed.data + (strict if above else not strict)
            if not datetime.MINYEAR <= limit <= datetime.MAXYEAR:
                return x.const((limit < datetime.MINYEAR) == above, BOOL)
            first = x.integer(ticks(key[1](limit, 1, 1)))
            return x.le(first, year.args[0]) if above else x.lt(year.args[0], first)
        return None

    def _part(self, native: Any, name: str) -> Function:
        from everycase.complete.language.wrapped import unticks

        key = ("part", native, name)
        functions = self.library.functions
        if key not in functions:
            function = functions[key] = Function(name, (x.var("ticks", INT),), INT)
            function.native = lambda ticks: getattr(unticks(native, ticks), name)
        return functions[key]

    # --- comparing --------------------------------------------------------------------------------------

    def ordered(self, a: Expr, b: Expr, strict: bool, node: ast.AST) -> Expr | None:
        """``a < b`` or ``a <= b``; None if these are plain numbers."""
        less = x.lt if strict else x.le
        if self.of_kind(a, "float") or self.of_kind(b, "float"):
            one, other = self.as_float(a, node), self.as_float(b, node)
            return x.and_(_is_number(one), _is_number(other), less(number_of(one), number_of(other)))
        if self.of_kind(a, "text") and self.of_kind(b, "text"):
            return less(self.code_of(a, node), self.code_of(b, node))
        if self.of_kind(a, "stamp") and a.type is b.type:
            return less(number_of(a), number_of(b))
        if a.type is b.type is TEXT:
            return less(a, b)
        made = one_in_order(a.type) if a.type is b.type else None
        if made is None:
            return None
        parts = [(x.field(made, i, a), x.field(made, i, b)) for i in range(len(made.fields))]
        result = x.const(not strict, BOOL)
        for one, other in reversed(parts):
            before = self.ordered(one, other, True, node)
            if before is None and one.type is not INT:
                self.scope.fail(node, f"the order of values of type {a.type}")
            before = before if before is not None else x.lt(one, other)
            result = x.or_(before, x.and_(self.values.same(one, other, node), result))
        return result

    def alike(self, a: Expr, b: Expr) -> tuple[Expr, Expr]:
        """A date or a float and a ``date | None``, say, as two dates; Python raises an error if the second one is None."""
        for one, other in ((a, b), (b, a)):
            plain = self.of_kind(one, "stamp") or self.of_kind(one, "float")
            if plain and isinstance(other.type, DataType) and one.type is not other.type:
                inside = [
                    c for c in other.type.constructors if c.kind == "wrap" and c.fields[0][1] is one.type
                ]
                if len(inside) == 1:
                    opened = x.field(inside[0], 0, other)
                    return (one, opened) if one is a else (opened, one)
        return a, b

    def as_float(self, e: Expr, node: ast.AST) -> Expr:
        """The value as a float; of whole numbers only constants that a float can represent."""
        if self.of_kind(e, "float"):
            return e
        if e.type is INT and e.op == "const" and abs(e.data) <= 2**53:
            return x.con(self.library.types.float.constructors[1], x.integer(rank(float(e.data))))
        self.scope.fail(node, f"a comparison of a float with a value of type {e.type}")

    def equal(self, a: Expr, b: Expr, node: ast.AST) -> Expr | None:
        """``a == b`` if one of them is a float."""
        if not self.of_kind(a, "float") and not self.of_kind(b, "float"):
            return None
        one, other = self.as_float(a, node), self.as_float(b, node)
        return x.and_(_is_number(one), _is_number(other), x.eq(number_of(one), number_of(other)))

    def is_in(self, item: Expr, elements: Elements, node: ast.AST) -> Expr:
        """Is the item one of the elements?"""
        if isinstance(elements, list):
            return x.or_(
                *(self.values.same(item, self.values.coerce(e, item.type, node), node) for e in elements)
            )
        found = self.contains(elements, item, node)
        return found if found is not None else self.scope.fail(node, f"the elements of a {elements.type}")

    def included(self, one: Elements, other: Elements, node: ast.AST) -> Expr:
        """Are all elements of one among those of the other?"""
        if isinstance(one, list):
            return x.and_(*(self.is_in(e, other, node) for e in one))
        found = self.elements(one)
        if found is None:
            self.scope.fail(node, f"the elements of a value of type {one.type}")
        items, of = found
        element = x.var("element'", items.type.element)  # type: ignore[attr-defined]
        return for_all(self.library.functions, items, element, self.is_in(of(element), other, node))

    def apart(self, one: Expr, other: Expr, node: ast.AST) -> Expr:
        """Do the two have no element in common?"""
        found = self.elements(one)
        if found is None:
            self.scope.fail(node, f"the elements of a value of type {one.type}")
        items, of = found
        element = x.var("element'", items.type.element)  # type: ignore[attr-defined]
        return for_all(
            self.library.functions, items, element, x.not_(self.is_in(of(element), other, node)), "apart"
        )

    def of_day(self, e: Expr, name: str) -> Expr | None:
        """``d.weekday()`` and ``d.isoweekday()``, and ``moment.date()``; None for other values."""
        cls = self._stamp(e) if self.of_kind(e, "stamp") else None
        if cls not in (datetime.date, datetime.datetime) or (name == "date") != (cls is datetime.datetime):
            return None
        if name == "date":
            return self.stamped(datetime.date, x.add(_divided(number_of(e), DAY), x.integer(1)))
        monday = x.mod(x.add(number_of(e), x.integer(6)), x.integer(7))
        return monday if name == "weekday" else x.add(monday, x.integer(1))

    # --- computing --------------------------------------------------------------------------------------

    def arithmetic(self, op: ast.operator, a: Expr, b: Expr, node: ast.AST) -> Expr | None:
        """Sums and differences of dates and durations; None if neither is one."""
        kinds = [self._stamp(e) for e in (a, b)]
        delta = datetime.timedelta
        sign = x.add if isinstance(op, ast.Add) else x.sub if isinstance(op, ast.Sub) else None
        match kinds:
            case [None, None]:
                return None
            case [first, second] if first is second is delta and sign:
                return self.stamped(delta, sign(number_of(a), number_of(b)))
            case [first, second] if second is delta and first in (datetime.date, datetime.datetime) and sign:
                return self.stamped(first, sign(number_of(a), self._in_units_of(first, number_of(b))))
            case [first, second] if first is second is not datetime.time and isinstance(op, ast.Sub):
                days = x.sub(number_of(a), number_of(b))
                return self.stamped(delta, x.mul(x.integer(DAY), days) if first is datetime.date else days)
            case [first, None] if first is delta and isinstance(op, ast.Mult) and b.type is INT:
                return self.stamped(delta, x.mul(number_of(a), b))
            case [None, second] if second is delta and isinstance(op, ast.Mult) and a.type is INT:
                return self.stamped(delta, x.mul(number_of(b), a))
        self.scope.fail(node, f"{type(op).__name__} of values of type {a.type} and {b.type}")

    def _stamp(self, e: Expr) -> Any:
        return e.type.constructors[0].native if self.of_kind(e, "stamp") else None  # type: ignore[attr-defined]

    def _in_units_of(self, cls: Any, microseconds: Expr) -> Expr:
        return _divided(microseconds, DAY) if cls is datetime.date else microseconds

    def stamped(self, cls: Any, number: Expr) -> Expr:
        """The date or the duration that a number stands for."""
        return x.con(self.library.types.stamp(cls).constructors[0], number)

    def negative(self, e: Expr) -> Expr | None:
        """``-e`` of a float or a duration; None for other values."""
        if self._stamp(e) is datetime.timedelta:
            return self.stamped(datetime.timedelta, x.neg(number_of(e)))
        if self.of_kind(e, "float"):
            return x.ite(_is_number(e), x.con(e.type.constructors[1], x.neg(number_of(e))), e)  # type: ignore[attr-defined]
        return None

    def positive(self, e: Expr, node: ast.AST) -> Expr:
        """``abs`` of a duration."""
        if self._stamp(e) is not datetime.timedelta:
            self.scope.fail(node, f"abs of a value of type {e.type}")
        number = number_of(e)
        return self.stamped(datetime.timedelta, x.ite(x.le(x.integer(0), number), number, x.neg(number)))

    def duration(self, given: dict[str, Expr]) -> Expr:
        """``timedelta(days=..., hours=...)`` of whole numbers."""
        total = x.integer(0)
        for name, e in given.items():
            total = x.add(total, x.mul(x.integer(_UNITS[name]), e))
        return self.stamped(datetime.timedelta, total)

    def about_float(self, function: Any, e: Expr) -> Expr | None:
        """``math.isnan(e)`` and the like, and ``abs(e)``."""
        if not self.of_kind(e, "float"):
            return None
        number, inf = number_of(e), x.integer(LARGEST)
        infinite = x.or_(x.eq(number, inf), x.eq(number, x.neg(inf)))
        if function is math.isnan:
            return x.not_(_is_number(e))
        if function is math.isinf:
            return x.and_(_is_number(e), infinite)
        if function is math.isfinite:
            return x.and_(_is_number(e), x.not_(infinite))
        if function is abs:
            positive = x.ite(x.le(x.integer(0), number), number, x.neg(number))
            return x.ite(_is_number(e), x.con(e.type.constructors[1], positive), e)  # type: ignore[attr-defined]
        return None

    # --- making -----------------------------------------------------------------------------------------

    def dictionary(self, keys: list[Expr], parts: list[Expr], expected: Type | None, node: ast.AST) -> Expr:
        """``{key: value}`` with keys that are written out."""
        if any(k.op != "const" for k in keys) or len({k.data for k in keys}) < len(keys):
            self.scope.fail(node, "a dictionary whose keys are not written out")
        if isinstance(expected, DataType) and expected.constructors[0].kind == "keys":
            made = expected.constructors[0]
            given = {k.data: part for k, part in zip(keys, parts)}
            if set(given) != {name for name, _ in made.fields}:
                self.scope.fail(node, f"a dictionary with other keys than {expected}")
            return x.con(made, *(self.values.coerce(given[n], t, node) for n, t in made.fields))
        types = self.library.types
        pair = None
        if isinstance(expected, DataType) and expected.constructors[0].kind == "dict":
            pair = expected.constructors[0].fields[0][1].element  # type: ignore[attr-defined]
        elif keys:
            pair = types.tuple_of((keys[0].type, parts[0].type))
        if pair is None:
            self.scope.fail(node, "an empty dictionary whose type is not known here")
        assert isinstance(pair, DataType)
        (_, key_type), (_, value_type) = pair.constructors[0].fields
        ordered = sorted(zip(keys, parts), key=lambda item: item[0].data)
        items = [
            x.con(
                pair.constructors[0],
                self.values.coerce(k, key_type, node),
                self.values.coerce(v, value_type, node),
            )
            for k, v in ordered
        ]
        return self.listed(dict, items, pair)

    def listed(self, native: type, items: list[Expr], element: Type) -> Expr:
        """A container of these elements, which are in order."""
        made = self.library.types.wrapped_list(native, element)
        inside = made.constructors[0].fields[0][1]
        nil, cons = inside.constructors  # type: ignore[attr-defined]
        result = x.con(nil)
        for item in reversed(items):
            result = x.con(cons, item, result)
        return x.con(made.constructors[0], result)

    def as_set(self, native: type, e: Expr, node: ast.AST) -> Expr:
        """``set(e)`` and ``frozenset(e)`` of numbers or strings."""
        items = self.items(e)
        if self.of_kind(e, "set") and items is not None:
            return x.con(self.library.types.wrapped_list(native, items.type.element).constructors[0], items)  # type: ignore[attr-defined]
        if items is None or items.type.element not in (INT, TEXT) or not _in_a_row(e):  # type: ignore[attr-defined]
            self.scope.fail(node, f"a set of a value of type {e.type}")
        made = self.library.types.wrapped_list(native, items.type.element)  # type: ignore[attr-defined]
        return x.con(made.constructors[0], without_repeats(self.library.functions, items))

    def of_sets(self, op: ast.operator, a: Expr, b: Expr) -> Expr | None:
        """``a | b``, ``a & b`` and ``a - b`` of sets; None for anything else."""
        if (
            not self.of_kind(a, "set")
            or not self.of_kind(b, "set")
            or items_of(a).type is not items_of(b).type
        ):
            return None  # (of a set and a frozenset, the result is what the first one is)
        functions, one, other = self.library.functions, items_of(a), items_of(b)
        if isinstance(op, ast.BitOr):
            made = union(functions, one, other)
        elif isinstance(op, ast.BitAnd | ast.Sub):
            made = selected(functions, one, other, isinstance(op, ast.BitAnd))
        else:
            return None
        return x.con(a.type.constructors[0], made)  # type: ignore[attr-defined]

    def constant(self, value: Any, node: ast.AST) -> Expr | None:
        """A constant of a type of this file, or a list or a tuple of constants."""
        try:
            kind = self.library.types.resolve(_annotation_of(value), {})
            return x.literal(from_python(kind, value), kind)
        except (UnknownType, ValueError, TypeError):
            return None


def _codes(part: str | bytes) -> list[int]:
    return [ord(c) for c in part] if isinstance(part, str) else list(part)


def _annotation_of(value: Any) -> Any:
    if type(value) in (list, set, frozenset) and value:
        first = next(iter(value))
        return type(value)[_annotation_of(first)]
    if type(value) is dict and value:
        key, inside = next(iter(value.items()))
        return dict[_annotation_of(key), _annotation_of(inside)]  # type: ignore[misc]
    if type(value) is tuple and value:
        return tuple[tuple(map(_annotation_of, value))]  # type: ignore[misc]
    if type(value) in (
        int,
        bool,
        str,
        bytes,
        float,
        datetime.date,
        datetime.datetime,
        datetime.time,
        datetime.timedelta,
    ):
        return type(value)
    raise TypeError(f"{value!r} is not a constant")


def _in_a_row(e: Expr) -> bool:
    """Is this a list or a tuple, rather than a string or a dictionary?"""
    return isinstance(e.type, DataType) and (e.type.is_list or e.type.constructors[0].kind == "sequence")


def one_in_order(kind: Type) -> Constructor | None:
    """The constructor of tuples of this length, or of a dataclass with ``order=True``, whose fields are compared in turn."""
    made = kind.constructors[0] if isinstance(kind, DataType) and len(kind.constructors) == 1 else None
    if made is None or made.kind == "tuple":
        return made
    if made.kind != "class":
        return None
    return made if is_ordered(made.native) else None


def _is_number(e: Expr) -> Expr:
    return x.is_con(e.type.constructors[1], e)  # type: ignore[attr-defined]


def _has_float(kind: Type) -> bool:
    return isinstance(kind, DataType) and any(
        c.kind == "float" for part in kind.parts for c in part.constructors
    )


def _divided(e: Expr, divisor: int) -> Expr:
    """``e // divisor``, without a division if every part of the sum can be divided."""
    form = Linear.of(e)
    if all(k % divisor == 0 for k in (*form.terms.values(), form.constant)):
        return Linear({t: k // divisor for t, k in form.terms.items()}, form.constant // divisor).expression()
    return x.div(e, x.integer(divisor))
