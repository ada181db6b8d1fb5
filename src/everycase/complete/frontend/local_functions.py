"""Functions and lambdas that a generator defines for itself: a call is read as if the body stood in its place.

A function sees the names around it as they are when it is called, and its own names are its own. So the names that it
binds are renamed for each call, and everything else means what it means at the call.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from everycase.complete.frontend.mutation import CHANGES
from everycase.complete.frontend.program import Path
from everycase.complete.frontend.reading import Reading, ReadState

_IN_PLACE = {*CHANGES, "append", "pop", "update", "setdefault", "popitem"}


class LocalReturn(ast.Return):
    """The ``return`` of a function inside of a generator."""


class LocalFunctions:
    """Reads the calls of functions that one generator defines."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.scope = reader, reader.scope

    def define(self, node: ast.FunctionDef, state: ReadState) -> ReadState:
        """``def name(...)``."""
        if node.decorator_list or node.args.vararg or node.args.kwarg:
            self.scope.fail(node, f"the local function {node.name} with a decorator, *args or **kwargs")
        if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal) for n in ast.walk(node)):
            self.scope.fail(node, f"the local function {node.name}, which uses yield, global or nonlocal")
        if any(isinstance(n, ast.FunctionDef | ast.ClassDef) for s in node.body for n in ast.walk(s)):
            self.scope.fail(node, f"the local function {node.name}, which defines another one")
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            if not _is_constant(default):
                self.scope.fail(node, f"the local function {node.name} with a default that is no constant")
        if self._reaches_itself(node):
            self.scope.fail(node, f"the local function {node.name}, which calls itself")
        changed = _changed_in_place(node) & {a.arg for a in (*node.args.args, *node.args.kwonlyargs)}
        if changed:
            self.scope.fail(
                node, f"the local function {node.name}, which changes its argument {min(changed)}"
            )
        return state.define(node.name, node)

    def name_lambda(self, name: str, node: ast.Lambda, state: ReadState) -> ReadState:
        """``name = lambda ...``, which is a function with one ``return``."""
        body = ast.copy_location(ast.Return(node.body), node)
        made = ast.FunctionDef(name, node.args, [body], [], None, None)
        return self.define(ast.fix_missing_locations(ast.copy_location(made, node)), state)

    def called(self, node: ast.AST, state: ReadState) -> ast.FunctionDef | None:
        """The local function that a call is a call of."""
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in state.functions:
                return state.functions[name]
        return None

    def call(self, node: ast.Call, state: ReadState) -> Iterator[tuple[ReadState, ast.expr]]:
        """Every way through the function, with a name for what it returns."""
        function = self.called(node, state)
        assert function is not None
        in_place = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        names = [*in_place, *(a.arg for a in function.args.kwonlyargs)]
        given = self.reader.pure.calls.arguments(node, tuple(in_place), node.args)
        given |= {n: d for n, d in _defaults(function).items() if n not in given}
        if set(given) != set(names):
            self.scope.fail(node, f"the arguments of this call of {function.name}")
        number = next(self.reader.counter)
        rename = {name: f"{name}'{number}" for name in _own_names(function)}
        body = [_Renamed(rename).visit(copy.deepcopy(s)) for s in function.body]
        in_order = [given[n] for n in sorted(names, key=[*given].index)]
        spots = [rename[n] for n in sorted(names, key=[*given].index)]

        def bind(i: int, current: ReadState) -> Iterator[ReadState]:
            if i == len(spots):
                yield current
                return
            for after, value in self.reader.expression(in_order[i], current, None):
                yield from bind(i + 1, after.bind(spots[i], value))

        for inside in bind(0, state):
            for after, path in self.reader.block(body, inside):
                if path is None:
                    self.scope.fail(node, f"a call of {function.name}, which may end without return")
                if path.ending == "local return":
                    assert path.result is not None
                    spot = f"returned'{next(self.reader.counter)}"
                    yield after.bind(spot, path.result), ast.copy_location(ast.Name(spot, ast.Load()), node)
                elif path.ending != "reject":
                    self.scope.fail(node, f"a call of {function.name}, which contains a hole")

    def returned(self, node: LocalReturn, state: ReadState) -> Iterator[tuple[ReadState, Path | None]]:
        """``return value`` inside of a local function."""
        value = node.value or ast.copy_location(ast.Constant(None), node)
        for after, made in self.reader.expression(value, state, None):
            yield after, Path((), made, "local return", node, {})

    def _reaches_itself(self, node: ast.FunctionDef) -> bool:
        """Can a call of this function lead to another one, as far as the names in it tell?"""
        local = {
            n.name: n
            for n in ast.walk(self.reader.source.node)
            if isinstance(n, ast.FunctionDef) and n is not self.reader.source.node
        }
        seen: set[str] = set()
        waiting: list[ast.AST] = [*node.body]
        while waiting:
            for n in ast.walk(waiting.pop()):
                if isinstance(n, ast.Name) and n.id == node.name:
                    return True
                if isinstance(n, ast.Name) and n.id in local and n.id not in seen:
                    seen.add(n.id)
                    waiting += local[n.id].body
        return False


def _is_constant(node: ast.expr) -> bool:
    """A number, a string, a truth or None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant)


def _defaults(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """The defaults of parameters, by name."""
    spots = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    found = dict(zip(spots[len(spots) - len(function.args.defaults) :], function.args.defaults))
    named = zip(function.args.kwonlyargs, function.args.kw_defaults)
    return found | {a.arg: d for a, d in named if d is not None}


def as_lambda(node: ast.expr, state: ReadState) -> ast.expr:
    """A local function of one ``return`` as a lambda; any other expression as it is."""
    if isinstance(node, ast.Name) and node.id in state.functions:
        function = state.functions[node.id]
        match function.body:
            case [ast.Return(value=ast.expr() as value)]:
                return ast.copy_location(ast.Lambda(function.args, value), node)
    return node


def _own_names(function: ast.FunctionDef) -> list[str]:
    """Parameters, and everything that is bound inside."""
    spots = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    found = [a.arg for a in spots]
    for statement in function.body:
        for n in ast.walk(statement):
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del):
                found.append(n.id)
            elif isinstance(n, ast.MatchAs | ast.MatchStar) and n.name:
                found.append(n.name)
            elif isinstance(n, ast.arg):  # of a lambda
                found.append(n.arg)
            elif isinstance(n, ast.FunctionDef):
                found.append(n.name)
    return list(dict.fromkeys(found))


def _changed_in_place(function: ast.FunctionDef) -> set[str]:
    found: set[str] = set()
    for n in ast.walk(function):
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in _IN_PLACE:
                found.add(name)
            case (
                ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
                | ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                found.add(name)
    return found


class _Renamed(ast.NodeTransformer):
    """New names for what a function binds, and its ``return`` marked as one of its own."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(self.names.get(node.arg, node.arg), node.annotation), node)

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.AST:
        self.generic_visit(node)
        node.name = self.names.get(node.name, node.name) if node.name else None
        return node

    def visit_MatchStar(self, node: ast.MatchStar) -> ast.AST:
        node.name = self.names.get(node.name, node.name) if node.name else None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        raise AssertionError("functions inside of local functions are not read")

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        self.generic_visit(node)
        return ast.copy_location(LocalReturn(node.value), node)
