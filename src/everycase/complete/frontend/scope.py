"""The meaning of the global names in one function."""

from __future__ import annotations

import ast
import re
from typing import Any, NoReturn

from everycase.complete.frontend.computing import METHODS, only_computes
from everycase.complete.frontend.source import FunctionSource, source_of
from everycase.complete.language.expressions import Env
from everycase.errors import InvalidArgument

_PLAIN = (str, dict, list, tuple, set, frozenset)
_FIXED = (
    ast.Constant, ast.Name, ast.Attribute, ast.expr_context, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Subscript,
    ast.Slice, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Call, ast.keyword, ast.IfExp,
)  # fmt: skip


#: Statements that are not read, and what to write instead.
_INSTEAD: dict[type[ast.AST], str] = {
    ast.Try: "try; test the condition with if, or reject it with assume(...)",
    ast.With: "with; a generator should only draw and compute",
    ast.Import: "an import inside of the function; put it at the top of the file",
    ast.ImportFrom: "an import inside of the function; put it at the top of the file",
    ast.Global: "global; give the value to the generator as a parameter",
    ast.Nonlocal: "nonlocal; give the value to the function as a parameter, and return it",
    ast.ClassDef: "a class inside of the function; put it at the top level of the file",
    ast.Raise: "raise; reject the value with assume(...)",
    ast.Yield: "yield; a generator returns its value",
    ast.Await: "await; a generator only draws and computes",
}
_WORDS: dict[type[ast.AST], str] = {
    ast.Expr: "the statement", ast.Delete: "the statement", ast.For: "the loop", ast.While: "the loop",
    ast.Assign: "the assignment", ast.AugAssign: "the assignment", ast.AnnAssign: "the assignment",
    ast.BinOp: "the operation", ast.UnaryOp: "the operation", ast.Call: "the call", ast.Lambda: "the function",
    ast.ListComp: "the comprehension", ast.SetComp: "the comprehension", ast.DictComp: "the comprehension",
    ast.GeneratorExp: "the comprehension", ast.Name: "the name", ast.Constant: "the constant",
}  # fmt: skip


class Scope:
    """The names of one function, and the error for a construct that is not understood."""

    def __init__(self, source: FunctionSource) -> None:
        self.source = source

    def fail(self, node: ast.AST, construct: str | None = None) -> NoReturn:
        """Raise the error that names the line and the construct, as the user wrote it."""
        text = (
            construct
            or _INSTEAD.get(type(node))
            or f"{_WORDS.get(type(node), 'the expression')} {short(node)}"
        )
        text = re.sub(r"\bdrawn'\d+", "draw(...)", text)
        self.source.unsupported(node, re.sub(r"\b(\w+?)~*'\d+'*", r"\1", text))

    def is_constant(self, node: ast.expr, env: Env) -> bool:
        """Does a dotted name lead out of the function?"""
        if isinstance(node, ast.Name):
            return (
                node.id not in env and node.id in self.source.scope and node.id not in self.source.own_names
            )
        return isinstance(node, ast.Attribute) and self.is_constant(node.value, env)

    def constant(self, node: ast.expr) -> Any:
        """The Python object that a dotted name refers to."""
        if isinstance(node, ast.Name) and node.id in self.source.own_names:
            # Python would not look outside the function either: `if c: x = 1` and then `return x` fails
            self.fail(node, f"the local name {node.id} here")
        if isinstance(node, ast.Name) and node.id in self.source.scope:
            return self.source.scope[node.id]
        if isinstance(node, ast.Attribute):
            holder = self.constant(node.value)
            if hasattr(holder, node.attr):
                return getattr(holder, node.attr)
        self.fail(node)

    def source_of(self, function: Any, node: ast.AST) -> FunctionSource:
        """The source of a function that is called here."""
        try:
            return source_of(function)
        except InvalidArgument:
            self.fail(
                node, f"a call of {getattr(function, '__name__', function)}, whose source cannot be read"
            )

    def evaluated(self, node: ast.expr, env: Env) -> list[Any] | None:
        """The items of a global list or tuple, or of a slice of one; None for anything else."""
        if isinstance(node, ast.Name | ast.Attribute):
            return None
        found = self.fixed(node, env)
        return list(found) if isinstance(found, list | tuple | range | str | dict) else None

    def fixed(self, node: ast.expr, env: Env) -> Any:
        """What an expression of constants gives; None if it is something else."""
        if not self._is_fixed(node, env):
            return None
        try:
            return eval(compile(ast.Expression(node), "<constant>", "eval"), dict(self.source.scope))
        except Exception:
            return None

    def _is_fixed(self, node: ast.AST, env: Env) -> bool:
        """Is the expression made of constants, names from outside, and functions of Python that only compute?"""
        own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and n.id not in own and not self.is_constant(n, env):
                return False
            if isinstance(n, ast.Call) and not self._only_computes(n.func, env):
                return False
            if not isinstance(n, _FIXED):
                return False
        return True

    def _only_computes(self, called: ast.expr, env: Env) -> bool:
        """Is this a function of Python that only computes, or such a method of a constant?"""
        if self.is_constant(called, env):
            found = self.constant(called)
            owner = getattr(found, "__self__", None)
            return only_computes(found) or (
                type(owner) in _PLAIN and getattr(found, "__name__", "") in METHODS
            )
        return (
            isinstance(called, ast.Attribute)
            and called.attr in METHODS
            and isinstance(called.value, ast.Constant)
        )

    def is_builtin(self, node: ast.expr, wanted: object, env: Env) -> bool:
        """Does the name refer to this object of Python, not to something of the user's?"""
        return self.is_constant(node, env) and self.constant(node) is wanted


def short(node: ast.AST) -> str:
    """A piece of source, cut if it is long."""
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 40 else text[:37] + "..."


def reversed_order(options: list[ast.keyword]) -> bool | None:
    """Does ``sorted`` begin with the greatest? None if the options say something else."""
    match options:
        case []:
            return False
        case [ast.keyword(arg="reverse", value=ast.Constant(value=bool() as down))]:
            return down
    return None
