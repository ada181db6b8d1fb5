"""Which statements use something up: a later condition means the same only after them.

``ys.pop()`` changes a list, and ``any(pairs)`` advances an iterator. A condition that reads such an object after another
one has done so cannot be evaluated by itself.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

from everycase.gen.sources import tree_of
from everycase.narrow.effects.known import BUILTINS, CHANGING, CONTAINERS, METHODS
from everycase.narrow.effects.new_objects import bindings

#: Builtins whose result can be iterated over only once, and one that may return anything.
_ONCE = frozenset({"map", "filter", "zip", "enumerate", "reversed", "getattr", "iter"})
#: Methods whose result can be iterated over only once.
_ONCE_METHODS = frozenset({"elements", "finditer"})
#: How many functions deep it is read what a function returns.
DEPTH = 3

#: The local names that are bound, with the expressions; None where that is not known.
Bound = Mapping[str, Sequence[ast.expr | None]]


def used_up(
    statement: ast.AST,
    before: Iterable[ast.stmt],
    outside: Mapping[str, Any],
    members: Callable[[str], Sequence[Any]] = lambda name: (),
    changing: Collection[str] = (),
) -> set[str]:
    """The local names whose objects may be others, or exhausted, after a statement. Those ``before`` it have bound them,
    ``outside`` are the other names, ``members`` finds the user's methods of a name, and the functions and methods named in
    ``changing`` change what they are given.

    >>> def used(text):
    ...     *before, last = ast.parse(text).body
    ...     return used_up(last, before, vars(builtins))
    >>> used("g = (x for x in xs); n = len(xs); sum(g) == n"), used("ys = list(xs); ys.pop() == 1")
    ({'g'}, {'ys'})
    >>> used("ys = sorted(xs); ys == xs"), used("a, b = pair; a < b")
    (set(), set())
    """
    bound: dict[str, list[ast.expr | None]] = {}
    functions: dict[str, ast.AST] = {}
    for one in before:
        for node in ast.walk(one):
            _bind(node, bound)
            if isinstance(node, ast.FunctionDef):
                functions[node.name] = node
    for name, values in bound.items():
        for value in values:
            if isinstance(value, ast.Lambda):
                functions[name] = value
    nodes = _reached(statement, functions)
    read = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    own = (read & bound.keys()) - functions.keys()
    if any(_changes(node, changing) for node in nodes):
        return own
    stays = _Stays(bound, functions, outside, members)
    return {name for name in own if not stays.name(name)}


def _bind(node: ast.AST, bound: dict[str, list[ast.expr | None]]) -> None:
    for name, value in bindings(node):
        if value is None and isinstance(node, ast.Assign):
            value = node.value  # the name is bound to a part of it
        bound.setdefault(name, []).append(value)


def _reached(statement: ast.AST, functions: Mapping[str, ast.AST]) -> list[ast.AST]:
    """The parts of a statement and of the local functions that it mentions."""
    nodes = list(ast.walk(statement))
    done: set[str] = set()
    for node in nodes:  # grows
        if isinstance(node, ast.Name) and node.id in functions and node.id not in done:
            done.add(node.id)
            nodes.extend(ast.walk(functions[node.id]))
    return nodes


def _changes(node: ast.AST, changing: Collection[str]) -> bool:
    match node:
        case ast.Attribute(attr=name) if name in CHANGING or name in changing:
            return True  # also passed on, as in map(ys.remove, xs)
        case ast.Name(id=name, ctx=ast.Load()) if name in CHANGING or name in changing:
            return True
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            return True
        case ast.AugAssign() | ast.Nonlocal():
            return True
    return False


class _Stays:
    """Whether what an expression makes can be read twice."""

    def __init__(
        self,
        bound: Bound,
        functions: Mapping[str, ast.AST],
        outside: Mapping[str, Any],
        members: Callable[[str], Sequence[Any]],
        callers: tuple[FunctionType, ...] = (),
    ) -> None:
        self.bound = bound
        self.functions = functions
        self.outside = outside
        self.members = members
        self.callers = callers
        self._asked: set[str] = set()

    def name(self, name: str) -> bool:
        if name in self._asked:
            return True  # bound to something made of itself
        self._asked.add(name)
        return all(value is None or self(value) for value in self.bound.get(name, ()))

    def __call__(self, node: ast.expr) -> bool:
        if hasattr(node, "elts"):  # a list, set or tuple that is written out
            return all(map(self, node.elts))
        match node:
            case ast.GeneratorExp() | ast.Yield() | ast.YieldFrom() | ast.Await():
                return False
            case ast.Name(id=name):
                return self.name(name)
            case ast.BoolOp(values=parts):
                return all(map(self, parts))
            case ast.IfExp(body=one, orelse=other):
                return self(one) and self(other)
            case ast.ListComp(elt=value) | ast.DictComp(value=value) | ast.NamedExpr(value=value):
                return self(value)
            case ast.Call(func=ast.Name(id=name)) if name not in self.bound and name not in self.functions:
                return self._result_of(name, node)
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in METHODS - _ONCE_METHODS and not self.members(name)
            case ast.Call():
                return False
        return True

    def _result_of(self, name: str, call: ast.Call) -> bool:
        called = self.outside.get(name)
        if called is getattr(builtins, name, self):
            return name in BUILTINS - _ONCE or (isinstance(called, type) and name not in _ONCE)
        if name in CONTAINERS:
            return True
        if isinstance(called, type):
            return not hasattr(called, "__next__")
        given = [*call.args, *[keyword.value for keyword in call.keywords]]
        if not isinstance(called, FunctionType) or not all(map(self, given)):
            return False
        if called in self.callers:
            return True  # what it returns besides
        tree = tree_of(called) if len(self.callers) < DEPTH else None
        if tree is None:
            return False
        bound: dict[str, list[ast.expr | None]] = {}
        nodes = list(ast.walk(tree))
        for node in nodes:
            _bind(node, bound)
        functions = {
            node.name: node for node in nodes if isinstance(node, ast.FunctionDef) and node is not tree
        }
        inner = _Stays(bound, functions, called.__globals__, self.members, (*self.callers, called))
        if isinstance(tree, ast.Lambda):
            return inner(tree.body)
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
            return False
        return all(inner(node.value) for node in nodes if isinstance(node, ast.Return) and node.value)
