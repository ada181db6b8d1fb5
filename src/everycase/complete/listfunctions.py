"""Functions of lists that Python has built in, as recursive functions of the little language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everycase.complete import expressions as x
from everycase.complete.expressions import FALSE, Expr, Function
from everycase.complete.types import BOOL, INT, DataType, Type

if TYPE_CHECKING:
    from everycase.complete.library import Library


def _on_list(
    library: Library, name: str, kind: DataType, extra: tuple[Expr, ...], result: Type
) -> tuple[Function, bool]:
    key = (name, kind, tuple(e.type for e in extra))
    if key in library.functions:
        return library.functions[key], False
    function = Function(name, (x.var("items", kind), *extra), result)
    function.recursive = True
    library.functions[key] = function
    return function, True


def _parts(kind: Type) -> tuple[Expr, Expr, Expr]:
    assert isinstance(kind, DataType)
    items = x.var("items", kind)
    nil, cons = kind.constructors
    return x.is_con(nil, items), x.field(cons, 0, items), x.field(cons, 1, items)


def length(library: Library, e: Expr) -> Expr:
    """``len(e)``."""
    function, new = _on_list(library, "len", e.type, (), INT)  # type: ignore[arg-type]
    if new:
        empty, _, tail = _parts(e.type)
        function.body = x.ite(empty, x.integer(0), x.add(x.call(function, tail), x.integer(1)))
    return x.call(function, e)


def total(library: Library, e: Expr) -> Expr:
    """``sum(e)``."""
    function, new = _on_list(library, "sum", e.type, (), INT)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        function.body = x.ite(empty, x.integer(0), x.add(head, x.call(function, tail)))
    return x.call(function, e)


def member(library: Library, e: Expr, item: Expr) -> Expr:
    """``item in e``."""
    wanted = x.var("item", item.type)
    function, new = _on_list(library, "member", e.type, (wanted,), BOOL)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        found = x.or_(x.eq(head, wanted), x.call(function, tail, wanted))
        function.body = x.ite(empty, FALSE, found)
    return x.call(function, e, item)


def append(library: Library, e: Expr, more: Expr) -> Expr:
    """``e + more``."""
    if e.op == "con" and e.data.kind == "nil":
        return more
    if e.op == "con" and e.data.kind == "cons":
        return x.con(e.data, e.args[0], append(library, e.args[1], more))
    rest = x.var("more", more.type)
    function, new = _on_list(library, "append", e.type, (rest,), e.type)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(e.type)
        cons = e.type.constructors[1]  # type: ignore[attr-defined]
        function.body = x.ite(empty, rest, x.con(cons, head, x.call(function, tail, rest)))
        function.ends = (_before_last(library, e.type), _last(library, e.type))
    return x.call(function, e, more)


def _before_last(library: Library, kind: Type) -> Function:
    """``items[:-1]``."""
    function, new = _on_list(library, "before_last", kind, (), kind)  # type: ignore[arg-type]
    if new:
        empty, head, tail = _parts(kind)
        nil, cons = kind.constructors  # type: ignore[attr-defined]
        more = x.con(cons, head, x.call(function, tail))
        function.body = x.ite(x.or_(empty, x.is_con(nil, tail)), x.con(nil), more)
    return function


def _last(library: Library, kind: Type) -> Function:
    """``items[-1]`` of a list that is not empty."""
    function, new = _on_list(library, "last", kind, (), kind.element)  # type: ignore[arg-type, attr-defined]
    if new:
        _, head, tail = _parts(kind)
        function.body = x.ite(x.is_con(kind.constructors[0], tail), head, x.call(function, tail))  # type: ignore[attr-defined]
    return function
