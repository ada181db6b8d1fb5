"""The small language that generators and predicates are translated to: pure, typed, first order.

Expressions are immutable and are simplified while they are built, so ``field(Node(x, l, r), 0)`` is already
``x``. The same expression is run by Python (:mod:`.evaluate`) and read by the solver (:mod:`.smt`): what is
tested and what is proved is the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, Value


class Expr:
    """An operation, its arguments, its type, and its data (a name, a constructor)."""

    __slots__ = ("_hash", "args", "data", "op", "type")

    def __init__(self, op: str, args: tuple[Expr, ...], kind: Type, data: Any = None) -> None:
        self.op, self.args, self.type, self.data = op, args, kind, data
        self._hash = hash((op, args, data))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Expr)
            and self._hash == other._hash
            and self.op == other.op
            and self.data == other.data
            and type(self.data) is type(other.data)
            and self.type is other.type
            and self.args == other.args
        )

    def __repr__(self) -> str:
        return show(self)


#: The meaning of the names of a function at some place in it.
Env: TypeAlias = Mapping[str, Expr]


class Function:
    """A named pure function; its body may call itself. Compared by identity."""

    def __init__(self, name: str, params: tuple[Expr, ...], result: Type) -> None:
        self.name, self.params, self.result = name, params, result
        self.body: Expr | None = None
        self.native: Callable[..., Any] | None = None
        self.recursive = False
        self.symmetric = ""  # for functions of lists that do not depend on the order: "all", "size" and so on
        self.guarded = False  # is it only called where it has a value?
        self.ends: tuple[Function, Function] | None = None  # for `append`: its inverses, [:-1] and [-1]
        #: for "made by a recursive generator": the same with a greatest depth and width, and those that its limits allow
        self.within: tuple[Function, tuple[tuple[int, int], ...]] | None = None

    def __repr__(self) -> str:
        return self.name


def var(name: str, kind: Type) -> Expr:
    return Expr("var", (), kind, name)


def const(value: Value, kind: Type) -> Expr:
    return Expr("const", (), kind, value)


TRUE, FALSE = const(True, BOOL), const(False, BOOL)


def integer(value: int) -> Expr:
    return const(value, INT)


def con(constructor: Constructor, *args: Expr) -> Expr:
    return Expr("con", args, constructor.owner, constructor)


def literal(value: Value, kind: Type) -> Expr:
    """A value as an expression."""
    if not isinstance(kind, DataType):
        return const(value, kind)
    constructor = kind.constructors[value[0]]
    return con(constructor, *(literal(v, t) for v, (_, t) in zip(value[1:], constructor.fields)))


def is_literal(e: Expr) -> bool:
    return e.op == "const" or (e.op == "con" and all(is_literal(a) for a in e.args))


def value_of(e: Expr) -> Value:
    """The value of a literal."""
    return e.data if e.op == "const" else (e.data.index, *(value_of(a) for a in e.args))


def is_con(constructor: Constructor, e: Expr) -> Expr:
    if e.op == "con":
        return TRUE if e.data is constructor else FALSE
    if len(constructor.owner.constructors) == 1:
        return TRUE
    if e.op == "ite":
        return ite(e.args[0], is_con(constructor, e.args[1]), is_con(constructor, e.args[2]))
    return Expr("is", (e,), BOOL, constructor)


def field(constructor: Constructor, index: int, e: Expr) -> Expr:
    if e.op == "con" and e.data is constructor:
        return e.args[index]
    return Expr("field", (e,), constructor.fields[index][1], (constructor, index))


def call(function: Function, *args: Expr) -> Expr:
    return Expr("call", args, function.result, function)


def add(a: Expr, b: Expr) -> Expr:
    if a.op == "const" and b.op == "const":
        return integer(a.data + b.data)
    if a.op == "const":
        a, b = b, a
    if b.op == "const":
        if b.data == 0:
            return a
        if a.op == "add" and a.args[1].op == "const":
            return add(a.args[0], integer(a.args[1].data + b.data))
    return Expr("add", (a, b), INT)


def neg(a: Expr) -> Expr:
    return mul(integer(-1), a)


def sub(a: Expr, b: Expr) -> Expr:
    if a == b:
        return integer(0)
    return add(a, integer(-b.data)) if b.op == "const" else Expr("sub", (a, b), INT)


def mul(a: Expr, b: Expr) -> Expr:
    if b.op == "const":
        a, b = b, a
    if a.op == "const":
        if b.op == "const":
            return integer(a.data * b.data)
        if a.data == 1:
            return b
        if a.data == 0:
            return integer(0)
    return Expr("mul", (a, b), INT)


def div(a: Expr, b: Expr) -> Expr:
    """Python's floor division; the divisor is a constant other than zero."""
    if a.op == "const":
        return integer(a.data // b.data)
    return a if b.data == 1 else Expr("div", (a, b), INT)


def mod(a: Expr, b: Expr) -> Expr:
    """Python's modulo (sign of the divisor); the divisor is a constant other than zero."""
    if a.op == "const":
        return integer(a.data % b.data)
    return integer(0) if b.data in (1, -1) else Expr("mod", (a, b), INT)


def lt(a: Expr, b: Expr) -> Expr:
    if a.op == "const" and b.op == "const":
        return const(a.data < b.data, BOOL)
    return FALSE if a == b else Expr("lt", (a, b), BOOL)


def le(a: Expr, b: Expr) -> Expr:
    if a.op == "const" and b.op == "const":
        return const(a.data <= b.data, BOOL)
    return TRUE if a == b else Expr("le", (a, b), BOOL)


def eq(a: Expr, b: Expr) -> Expr:
    if a == b:
        return TRUE
    if a.op == "const" and b.op == "const":
        return const(a.data == b.data, BOOL)
    if a.type is BOOL:
        if a.op == "const":
            a, b = b, a
        if b.op == "const":
            return a if b.data else not_(a)
    if a.op == "con" and b.op == "con":
        if a.data is not b.data:
            return FALSE
        return and_(*(eq(x, y) for x, y in zip(a.args, b.args)))
    if b.op == "con" and not b.args:
        return is_con(b.data, a)
    if a.op == "con" and not a.args:
        return is_con(a.data, b)
    return Expr("eq", (a, b), BOOL)


def not_(a: Expr) -> Expr:
    if a.op == "const":
        return FALSE if a.data else TRUE
    if a.op == "not":
        return a.args[0]
    if a.op == "is" and len(a.data.owner.constructors) == 2:  # not nil is cons
        return Expr("is", a.args, BOOL, a.data.owner.constructors[1 - a.data.index])
    if a.op == "lt":
        return le(a.args[1], a.args[0])
    if a.op == "le":
        return lt(a.args[1], a.args[0])
    return Expr("not", (a,), BOOL)


def and_(*parts: Expr) -> Expr:
    flat: list[Expr] = []
    for part in parts:
        for p in part.args if part.op == "and" else (part,):
            if p == FALSE:
                return FALSE
            if p != TRUE and p not in flat:
                flat.append(p)
    return TRUE if not flat else flat[0] if len(flat) == 1 else Expr("and", tuple(flat), BOOL)


def or_(*parts: Expr) -> Expr:
    flat: list[Expr] = []
    for part in parts:
        for p in part.args if part.op == "or" else (part,):
            if p == TRUE:
                return TRUE
            if p != FALSE and p not in flat:
                flat.append(p)
    return FALSE if not flat else flat[0] if len(flat) == 1 else Expr("or", tuple(flat), BOOL)


def ite(c: Expr, a: Expr, b: Expr) -> Expr:
    if c.op == "const":
        return a if c.data else b
    if a == b:
        return a
    if a.type is BOOL:
        if a == TRUE:
            return or_(c, b)
        if a == FALSE:
            return and_(not_(c), b)
        if b == FALSE:
            return and_(c, a)
        if b == TRUE:
            return or_(not_(c), a)
    return Expr("ite", (c, a, b), a.type)


_BUILD: dict[str, Callable[..., Expr]] = {
    "add": add, "sub": sub, "mul": mul, "div": div, "mod": mod, "lt": lt, "le": le, "eq": eq,
    "not": not_, "and": and_, "or": or_, "ite": ite,
}  # fmt: skip


def rebuild(e: Expr, args: tuple[Expr, ...]) -> Expr:
    """The same operation on other arguments, simplified."""
    if args == e.args:
        return e
    if e.op == "is":
        return is_con(e.data, args[0])
    if e.op == "field":
        return field(e.data[0], e.data[1], args[0])
    if e.op in ("con", "call", "makes"):
        return Expr(e.op, args, e.type, e.data)
    return _BUILD[e.op](*args)


def substitute(e: Expr, by: Mapping[Expr, Expr]) -> Expr:
    """Replace variables (or whole subterms) and simplify."""
    memo: dict[Expr, Expr] = {}

    def walk(x: Expr) -> Expr:
        if x in by:
            return by[x]
        if not x.args:
            return x
        done = memo.get(x)
        if done is None:
            done = memo[x] = rebuild(x, tuple(walk(a) for a in x.args))
        return done

    return walk(e)


def subterms(*roots: Expr) -> Iterator[Expr]:
    """Every distinct subterm, arguments before what contains them."""
    seen: set[Expr] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        e, ready = stack.pop()
        if ready:
            yield e
        elif e not in seen:
            seen.add(e)
            stack.append((e, True))
            stack += [(a, False) for a in reversed(e.args)]


def variables(*roots: Expr) -> list[Expr]:
    """The variables, in order of appearance."""
    return [e for e in subterms(*roots) if e.op == "var"]


def occurs(v: Expr, e: Expr) -> bool:
    return v in subterms(e)


def conjuncts(e: Expr) -> tuple[Expr, ...]:
    return e.args if e.op == "and" else () if e == TRUE else (e,)


def functions_in(roots: Iterable[Expr]) -> list[Function]:
    """Every function called, also through the bodies of others; in order of first call."""
    found: list[Function] = []
    waiting = list(roots)
    while waiting:
        for e in subterms(*waiting[:1]):
            if e.op == "call" and e.data not in found:
                found.append(e.data)
                if e.data.body is not None:
                    waiting.append(e.data.body)
        waiting = waiting[1:]
    return found


_INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "lt": "<", "le": "<=", "eq": "=="}


def show(e: Expr) -> str:
    """Python-like text, for people."""
    if e.op == "var":
        return str(e.data)
    if e.op == "const":
        return repr(e.data)
    if e.op == "not" and e.args[0].op == "eq":
        return f"{_atom(e.args[0].args[0])} != {_atom(e.args[0].args[1])}"
    args = [show(a) for a in e.args]
    if e.op == "add" and e.args[1].op == "const" and e.args[1].data < 0:
        return f"{_atom(e.args[0])} - {-e.args[1].data}"
    if e.op == "mul" and e.args[0] == integer(-1):
        return f"-{_atom(e.args[1])}"
    if e.op in _INFIX:
        return f"{_atom(e.args[0])} {_INFIX[e.op]} {_atom(e.args[1])}"
    match e.op:
        case "con":
            return show_constructor(e, args)
        case "is":
            return _show_is(e.data, _atom(e.args[0]))
        case "field":
            return _show_field(e.data[0], e.data[1], _atom(e.args[0]))
        case "not":
            return f"not ({args[0]})"
        case "and" | "or":
            return f" {e.op} ".join(_atom(a) if a.op in ("and", "or", "ite") else show(a) for a in e.args)
        case "ite":
            return f"{_atom(e.args[1])} if {args[0]} else {_atom(e.args[2])}"
        case _:
            return f"{e.data.name}({', '.join(args)})"


def _atom(e: Expr) -> str:
    text = show(e)
    needs_brackets = e.op in _INFIX or e.op in ("and", "or", "ite", "not") or (e.op == "is" and " " in text)
    return f"({text})" if needs_brackets else text


def show_constructor(e: Expr, args: list[str]) -> str:
    """A constructor with the text of its parts."""
    kind = e.data.kind
    if kind == "nil":
        return "[]"
    if kind == "cons":
        rest = args[1][1:-1] if args[1].startswith("[") else f"*{args[1]}"
        return f"[{args[0]}, {rest}]" if rest else f"[{args[0]}]"
    if kind == "tuple":
        return f"({', '.join(args)}{',' if len(args) == 1 else ''})"
    if kind == "wrap":
        return args[0]
    return e.data.name if kind in ("enum", "literal", "none") else f"{e.data.name}({', '.join(args)})"


def _show_is(constructor: Constructor, text: str) -> str:
    shapes = {"nil": f"{text} == []", "cons": f"{text} != []", "none": f"{text} is None"}
    if constructor.kind in shapes:
        return shapes[constructor.kind]
    if constructor.kind in ("enum", "literal"):
        return f"{text} {'is' if constructor.kind == 'enum' else '=='} {constructor.name}"
    return f"isinstance({text}, {constructor.name})"


def _show_field(constructor: Constructor, index: int, text: str) -> str:
    if constructor.kind == "cons":
        return f"{text}[0]" if index == 0 else f"{text}[1:]"
    if constructor.kind == "tuple":
        return f"{text}[{index}]"
    return text if constructor.kind == "wrap" else f"{text}.{constructor.fields[index][0]}"


__all__ = ["BOOL", "FALSE", "INT", "TEXT", "TRUE", "Expr", "Function"]
