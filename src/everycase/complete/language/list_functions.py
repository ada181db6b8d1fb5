"""Python's built-in functions of lists, as recursive functions of the small language."""

from __future__ import annotations

from typing import Any, TypeAlias

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, Expr, Function
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type

#: The definitions so far, by what they depend on.
Functions: TypeAlias = dict[Any, Function]


WRITTEN_OUT = 12  # repetitions of a list


def _on_list(
    functions: Functions, name: str, kind: DataType, extra: tuple[Expr, ...], result: Type
) -> tuple[Function, bool]:
    key = (name, kind, tuple(e.type for e in extra))
    if key in functions:
        return functions[key], False
    function = Function(name, (x.var("items", kind), *extra), result)
    function.recursive = True
    functions[key] = function
    return function, True


def _parts(kind: Type) -> tuple[Expr, Expr, Expr]:
    assert isinstance(kind, DataType)
    items = x.var("items", kind)
    nil, cons = kind.constructors
    return x.is_con(nil, items), x.field(cons, 0, items), x.field(cons, 1, items)


def length(functions: Functions, e: Expr) -> Expr:
    """``len(e)``."""
    known = elements_of(e)
    if known is not None:
        return x.integer(len(known))
    function, new = _on_list(functions, "len", e.type, (), INT)  # type: ignore[arg-type]
    if new:
        empty, _, tail = _parts(e.type)
        function.symmetric = "size"
        function.body = x.ite(empty, x.integer(0), x.add(x.call(function, tail), x.integer(1)))
    return x.call(function, e)


def elements_of(e: Expr) -> list[Expr] | None:
    """The elements of a list that is written out."""
    found = []
    while e.op == "con" and e.args:
        found.append(e.args[0])
        e = e.args[1]
    return found if e.op == "con" else None


def listed(items: list[Expr], kind: DataType) -> Expr:
    """A list of these elements."""
    nil, cons = kind.constructors
    whole = x.con(nil)
    for item in reversed(items):
        whole = x.con(cons, item, whole)
    return whole


def text_length(functions: Functions, e: Expr) -> Expr:
    """``len(e)`` of a string, of which nothing else is known."""
    if e.op == "const":
        return x.integer(len(e.data))
    function = functions.get("text length")
    if function is None:
        function = Function("len", (x.var("text", TEXT),), INT)
        function.native = len
        functions["text length"] = function
    return x.call(function, e)


def for_all(functions: Functions, e: Expr, element: Expr, condition: Expr, name: str = "all") -> Expr:
    """``all(condition for element in e)``; a conjunction is split into parts, so that equal parts are one
    function."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    items = x.var("items'1", kind)
    head, tail = x.field(cons, 0, items), x.field(cons, 1, items)
    parts = []
    for part in x.conjuncts(condition):
        test = x.substitute(part, {element: head})
        captured = [v for v in x.variables(test) if v != items]
        params = (items, *(x.var(f"c{i}", v.type) for i, v in enumerate(captured)))
        test = x.substitute(test, dict(zip(captured, params[1:])))
        key = ("all", kind, False, test)
        function = functions.get(key)
        if function is None:
            function = functions[key] = Function(name, params, BOOL)
            function.recursive = True
            function.symmetric = "all"
            more = x.call(function, tail, *params[1:])
            function.body = x.ite(x.is_con(nil, items), x.TRUE, x.and_(test, more))
        parts.append(x.call(function, e, *captured))
    return x.and_(*parts)


def ascending(functions: Functions, e: Expr, down: bool = False) -> Expr:
    """``all(a <= b for a, b in zip(e, e[1:]))`` (``>=`` if ``down``), the same function as if it were written
    by hand."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    items = x.var("items'1", kind)
    head, tail = x.field(cons, 0, items), x.field(cons, 1, items)
    following = x.field(cons, 0, tail)
    test = x.le(following, head) if down else x.le(head, following)
    key = ("all", kind, True, test)
    function = functions.get(key)
    if function is None:
        function = functions[key] = Function("ascending", (items,), BOOL)
        function.recursive = True
        step = x.ite(x.is_con(nil, tail), x.TRUE, x.and_(test, x.call(function, tail)))
        function.body = x.ite(x.is_con(nil, items), x.TRUE, step)
    return x.call(function, e)


def strictly_ascending(functions: Functions, e: Expr) -> Expr:
    """Each element is less than the next one; of pairs, the first parts are compared."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    key = ("in order", kind)
    if key not in functions:
        items = x.var("items", kind)
        head, tail = x.field(cons, 0, items), x.field(cons, 1, items)
        one, other = (_first(part) for part in (head, x.field(cons, 0, tail)))
        function = functions[key] = Function("in_order", (items,), BOOL)
        function.recursive = True
        more = x.and_(x.lt(one, other), x.call(function, tail))
        function.body = x.or_(x.is_con(nil, items), x.is_con(nil, tail), more)
    return x.call(functions[key], e)


def _first(e: Expr) -> Expr:
    return x.field(e.type.constructors[0], 0, e) if isinstance(e.type, DataType) else e


def lookup(functions: Functions, items: Expr, key: Expr, option: DataType) -> Expr:
    """The lookup of a key in a list of pairs: the wrapped value, or None."""
    kind = items.type
    assert isinstance(kind, DataType)
    nothing, something = option.constructors
    name = ("lookup", kind, option)
    if name not in functions:
        items_, wanted = x.var("items", kind), x.var("key", key.type)
        nil, cons = kind.constructors
        head, tail = x.field(cons, 0, items_), x.field(cons, 1, items_)
        pair = head.type.constructors[0]  # type: ignore[attr-defined]
        function = functions[name] = Function("lookup", (items_, wanted), option)
        function.recursive = True
        here = x.eq(x.field(pair, 0, head), wanted)
        found = x.ite(here, x.con(something, x.field(pair, 1, head)), x.call(function, tail, wanted))
        function.body = x.ite(x.is_con(nil, items_), x.con(nothing), found)
    return x.call(functions[name], items, key)


def distinct(functions: Functions, e: Expr) -> Expr:
    """``len(set(e)) == len(e)``."""
    function, new = _on_list(functions, "distinct", e.type, (), BOOL)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        items = x.var("items", e.type)
        function.symmetric = "all"
        again = member(functions, x.field(items.type.constructors[1], 1, items), head)  # type: ignore[attr-defined]
        function.body = x.ite(empty, x.TRUE, x.and_(x.not_(again), x.call(function, tail)))
    return x.call(function, e)


def total(functions: Functions, e: Expr) -> Expr:
    """``sum(e)``."""
    function, new = _on_list(functions, "sum", e.type, (), INT)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        function.body = x.ite(empty, x.integer(0), x.add(head, x.call(function, tail)))
    return x.call(function, e)


def member(functions: Functions, e: Expr, item: Expr) -> Expr:
    """``item in e``."""
    wanted = x.var("item", item.type)
    function, new = _on_list(functions, "member", e.type, (wanted,), BOOL)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        found = x.or_(x.eq(head, wanted), x.call(function, tail, wanted))
        function.body = x.ite(empty, FALSE, found)
    return x.call(function, e, item)


def occurrences(functions: Functions, e: Expr, item: Expr) -> Expr:
    """``e.count(item)``."""
    wanted = x.var("item", item.type)
    function, new = _on_list(functions, "count", e.type, (wanted,), INT)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        one = x.ite(x.eq(head, wanted), x.integer(1), x.integer(0))
        function.body = x.ite(empty, x.integer(0), x.add(one, x.call(function, tail, wanted)))
    return x.call(function, e, item)


def append(functions: Functions, e: Expr, more: Expr) -> Expr:
    """``e + more``."""
    if e.op == "con" and e.data.kind == "nil":
        return more
    if e.op == "con" and e.data.kind == "cons":
        return x.con(e.data, e.args[0], append(functions, e.args[1], more))
    rest = x.var("more", more.type)
    function, new = _on_list(functions, "append", e.type, (rest,), e.type)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        cons = e.type.constructors[1]  # type: ignore[attr-defined]
        function.body = x.ite(empty, rest, x.con(cons, head, x.call(function, tail, rest)))
        function.ends = (_before_last(functions, e.type), _last(functions, e.type))
    return x.call(function, e, more)


def _before_last(functions: Functions, kind: Type) -> Function:
    """``items[:-1]``."""
    function, new = _on_list(functions, "before_last", kind, (), kind)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(kind)
        nil, cons = kind.constructors  # type: ignore[attr-defined]
        more = x.con(cons, head, x.call(function, tail))
        function.body = x.ite(x.or_(empty, x.is_con(nil, tail)), x.con(nil), more)
    return function


def _last(functions: Functions, kind: Type) -> Function:
    """``items[-1]`` of a list that is not empty."""
    function, new = _on_list(functions, "last", kind, (), kind.element)  # type: ignore[arg-type, attr-defined]
    if new:
        empty, head, tail = _parts(kind)
        more = x.and_(x.not_(empty), x.not_(x.is_con(kind.constructors[0], tail)))  # type: ignore[attr-defined]
        function.guarded = True
        function.body = x.ite(more, x.call(function, tail), head)
    return function


def last(functions: Functions, e: Expr) -> Expr:
    """``e[-1]`` of a list that is not empty."""
    return x.call(_last(functions, e.type), e)


def before_last(functions: Functions, e: Expr) -> Expr:
    """``e[:-1]``."""
    return x.call(_before_last(functions, e.type), e)


def at_place(functions: Functions, e: Expr, place: Expr) -> Expr:
    """``e[place]`` for a place from 0 to the last."""
    kind = e.type
    assert isinstance(kind, DataType)
    known = x.var("place", INT)
    function, new = _on_list(functions, "at", kind, (known,), kind.element)
    if new:
        empty, head, tail = _parts(kind)
        further = x.call(function, tail, x.sub(known, x.integer(1)))
        more = x.and_(x.not_(empty), x.lt(x.integer(0), known), x.not_(x.is_con(kind.constructors[0], tail)))
        function.guarded = True
        function.body = x.ite(more, further, head)
    return x.call(function, e, place)


def backwards(functions: Functions, e: Expr) -> Expr:
    """``e[::-1]``."""
    known = elements_of(e)
    nil, cons = e.type.constructors  # type: ignore[attr-defined]
    if known is not None:
        return listed(known[::-1], e.type)  # type: ignore[arg-type]
    function, new = _on_list(functions, "backwards", e.type, (), e.type)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        last_one = x.con(cons, head, x.con(nil))
        function.body = x.ite(empty, x.con(nil), append(functions, x.call(function, tail), last_one))
    return x.call(function, e)


def repeated(functions: Functions, e: Expr, times: Expr) -> Expr:
    """``e * times``."""
    nil, _ = e.type.constructors  # type: ignore[attr-defined]
    if times.op == "const" and times.data <= WRITTEN_OUT:
        made = x.con(nil)
        for _ in range(times.data):
            made = append(functions, e, made)
        return made
    count = x.var("times", INT)
    key = ("repeated", e.type)
    if key not in functions:
        items = x.var("items", e.type)
        function = functions[key] = Function("repeated", (count, items), e.type)
        function.recursive = True
        more = append(functions, items, x.call(function, x.sub(count, x.integer(1)), items))
        function.body = x.ite(x.le(count, x.integer(0)), x.con(nil), more)
    return x.call(functions[key], times, e)


def sorted_list(functions: Functions, e: Expr) -> Expr:
    """``sorted(e)`` of numbers or strings, by insertion."""
    kind = e.type
    nil, cons = kind.constructors  # type: ignore[attr-defined]
    item = x.var("item", kind.element)  # type: ignore[attr-defined]
    put, new = _on_list(functions, "put in order", kind, (item,), kind)  # type: ignore[arg-type]
    empty, head, tail = _parts(kind)
    if new:
        here = x.con(cons, item, x.var("items", kind))
        put.body = x.ite(x.or_(empty, x.le(item, head)), here, x.con(cons, head, x.call(put, tail, item)))
    function, new = _on_list(functions, "sorted", kind, (), kind)  # type: ignore[arg-type]
    if new:
        function.body = x.ite(empty, x.con(nil), x.call(put, x.call(function, tail), head))
    return x.call(function, e)


def with_element(functions: Functions, e: Expr, item: Expr) -> Expr:
    """The elements of a set, which are in order, and one more; the same ones if it is there."""
    kind = e.type
    assert isinstance(kind, DataType)
    _, cons = kind.constructors
    wanted = x.var("item", item.type)
    function, new = _on_list(functions, "with element", kind, (wanted,), kind)
    if new:
        empty, head, tail = _parts(kind)
        items = x.var("items", kind)
        further = x.ite(x.eq(head, wanted), items, x.con(cons, head, x.call(function, tail, wanted)))
        function.body = x.ite(x.or_(empty, x.lt(wanted, head)), x.con(cons, wanted, items), further)
    return x.call(function, e, item)


def without_element(functions: Functions, e: Expr, item: Expr) -> Expr:
    """The elements of a set except one."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    wanted = x.var("item", item.type)
    function, new = _on_list(functions, "without element", kind, (wanted,), kind)
    if new:
        empty, head, tail = _parts(kind)
        further = x.ite(x.eq(head, wanted), tail, x.con(cons, head, x.call(function, tail, wanted)))
        function.body = x.ite(empty, x.con(nil), further)
    return x.call(function, e, item)


def without_repeats(functions: Functions, e: Expr) -> Expr:
    """The elements of ``set(e)``, in order."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, _ = kind.constructors
    known = elements_of(e)
    if known is not None:
        made = x.con(nil)
        for item in known:
            made = with_element(functions, made, item)
        return made
    function, new = _on_list(functions, "without repeats", kind, (), kind)
    if new:
        empty, head, tail = _parts(kind)
        more = with_element(functions, x.call(function, tail), head)
        function.body = x.ite(empty, x.con(nil), more)
    return x.call(function, e)


def union(functions: Functions, e: Expr, more: Expr) -> Expr:
    """The elements of ``e | more`` for two sets."""
    kind = e.type
    assert isinstance(kind, DataType)
    rest = x.var("more", kind)
    function, new = _on_list(functions, "union", kind, (rest,), kind)
    if new:
        empty, head, tail = _parts(kind)
        function.body = x.ite(empty, rest, with_element(functions, x.call(function, tail, rest), head))
    return x.call(function, e, more)


def selected(functions: Functions, e: Expr, other: Expr, common: bool) -> Expr:
    """The elements of ``e & other`` (``e - other`` if not ``common``) for two sets."""
    kind = e.type
    assert isinstance(kind, DataType)
    nil, cons = kind.constructors
    rest = x.var("other", kind)
    function, new = _on_list(functions, "common" if common else "difference", kind, (rest,), kind)
    if new:
        empty, head, tail = _parts(kind)
        inside = member(functions, rest, head)
        further = x.call(function, tail, rest)
        kept = x.con(cons, head, further)
        function.body = x.ite(empty, x.con(nil), x.ite(inside if common else x.not_(inside), kept, further))
    return x.call(function, e, other)


def extreme(functions: Functions, e: Expr, greatest: bool) -> Expr:
    """``max(e)`` or ``min(e)`` of a list of numbers that is not empty."""
    kind = e.type
    assert isinstance(kind, DataType)
    function, new = _on_list(functions, "max" if greatest else "min", kind, (), INT)
    if new:
        empty, head, tail = _parts(kind)
        rest = x.call(function, tail)
        better = x.le(rest, head) if greatest else x.le(head, rest)
        inside = x.ite(x.is_con(kind.constructors[0], tail), head, x.ite(better, head, rest))
        function.body = x.ite(empty, x.integer(0), inside)  # nobody asks for that of an empty list
    return x.call(function, e)


def numbers(functions: Functions, low: Expr, high: Expr, kind: DataType) -> Expr:
    """``list(range(low, high))``."""
    nil, cons = kind.constructors
    key = ("numbers", kind)
    if key not in functions:
        many, end = x.var("many", INT), x.var("end", INT)
        function = functions[key] = Function("range", (many, end), kind)
        function.recursive = True
        more = x.call(function, x.sub(many, x.integer(1)), end)
        function.body = x.ite(x.le(many, x.integer(0)), x.con(nil), x.con(cons, x.sub(end, many), more))
    return x.call(functions[key], x.sub(high, low), high)
