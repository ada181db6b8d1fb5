"""Reads what a class does when a value of it is made: ``__init__``, ``__post_init__``, validators.

They may raise errors, which leaves fewer values than the fields have, and compute attributes that no argument gives
(``self.area = w * h``). Both are conditions on the parts of a value, like those of
:mod:`everycase.complete.language.wrapped`. What else they do is not understood.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from everycase.complete.frontend.library import Library
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.source import FunctionSource, source_of
from everycase.complete.frontend.translate import Statements
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import (
    AFTER,
    changes_more,
    conditions_of_class,
    made_by_hand,
    own_method,
    parts_of_class,
)
from everycase.complete.language.definedness import needed
from everycase.complete.language.expressions import TRUE, Env, Expr
from everycase.complete.language.types import BOOL, Constructor, UnknownType
from everycase.complete.specification import Unsupported
from everycase.errors import InvalidArgument


@dataclass(frozen=True)
class Making:
    """How the parts of a value depend on each other."""

    given: tuple[Expr, ...] = ()
    """A variable for each part that is an argument."""
    allowed: Expr = TRUE
    """Is a value made of these arguments, rather than an error raised?"""
    computed: tuple[tuple[str, Expr], ...] = ()
    """The other parts, in order after those given."""

    @property
    def is_plain(self) -> bool:
        """Is every combination of parts a value?"""
        return self.allowed == TRUE and not self.computed

    def parts(self, given: Sequence[Expr]) -> list[Expr]:
        """All parts of a value, from its arguments."""
        known = dict(zip(self.given, given))
        return [*given, *(x.substitute(e, known) for _, e in self.computed)]

    def condition(self, parts: Sequence[Expr]) -> Expr:
        """Do these parts belong to a value?"""
        count = len(self.given)
        same = [x.eq(a, b) for a, b in zip(parts[count:], self.parts(parts[:count])[count:])]
        return x.and_(x.substitute(self.allowed, dict(zip(self.given, parts))), *same)


def read_making(library: Library, made: Constructor) -> Making:
    """How the parts of a value of this class depend on each other; UnknownType if that is not understood."""
    cls: Any = made.native
    parts = parts_of_class(cls)
    given = tuple(x.var(f"self.{p.name}", t) for p, (_, t) in zip(parts, made.given_fields))
    known = {f"self.{p.name}": e for p, e in zip(parts, given)}
    allowed: list[Expr] = []
    computed: dict[str, Expr] = {}
    try:
        for name, condition in conditions_of_class(cls):
            allowed += _conditions(library, condition, known[f"self.{name}"], made, given)
        functions = [vars(cls)["__init__"]] if made_by_hand(cls) else []
        functions += [_method(cls, name) for name in AFTER if own_method(cls, name)]
        for function in functions:
            body = _Body(library, function, made, parts)
            computed.update(body.computed(given))
            allowed += [body.allowed(given), *needed(x.and_(*(x.eq(e, e) for e in computed.values())))]
    except (Unsupported, InvalidArgument) as error:
        raise UnknownType(
            f"the class {cls.__name__}, of which it is not understood how it is made ({error})"
        ) from None
    return Making(given, x.and_(*allowed), tuple(computed.items()))


def _method(cls: type, name: str) -> Any:
    found = inspect.getattr_static(cls, name)
    if not isinstance(found, types.FunctionType):
        raise InvalidArgument(f"{name} is not a plain method")
    return found


def _conditions(
    library: Library, condition: Any, value: Expr, made: Constructor, given: tuple[Expr, ...]
) -> Iterator[Expr]:
    """What a validator demands: text such as ``value >= bound`` with the names in it, or a function
    ``validator(instance, attribute, value)``."""
    if isinstance(condition, tuple):
        text, names = condition
        node = ast.parse(text, mode="eval").body
        lambda_ = ast.Lambda(ast.arguments([], [ast.arg("value")], None, [], [], None, []), node)
        source = FunctionSource(f"<validator of {made.name}>", text, lambda_, {**vars(builtins), **names})
        test = Expressions(library, source).truth(node, {"value": value})
        yield x.and_(*needed(test), test)
        return
    source = source_of(condition)
    if isinstance(source.node, ast.Lambda) or len(source.spots) != 3:
        raise InvalidArgument(f"the validator {condition!r}")
    itself, _, name = (spot.arg for spot in source.spots)
    statements = [_Checks(None, {}).visit(copy.deepcopy(s)) for s in source.node.body]
    env = {itself: x.con(made, *given), name: value}
    test = _block(library, source, [*statements, ast.Return(ast.Constant(True))], env)
    yield x.and_(*needed(test), test)


def _block(library: Library, source: FunctionSource, statements: list[ast.stmt], env: Env) -> Expr:
    for statement in statements:
        ast.copy_location(statement, source.node)
        ast.fix_missing_locations(statement)
    return Statements(library, source).block(statements, env, None)


class _Body:
    """One method that runs when a value is made."""

    def __init__(self, library: Library, function: Any, made: Constructor, parts: list[Any]) -> None:
        self.library, self.made = library, made
        self.source = source_of(function)
        assert isinstance(self.source.node, ast.FunctionDef)
        self.itself, *self.spots = (s.arg for s in self.source.spots)
        self.stored = {p.name: p.parameter for p in parts}
        self.by_hand = function.__name__ == "__init__"
        if not self.by_hand and self.spots:
            raise InvalidArgument(f"{function.__name__} with parameters")
        self.attributes = self._attributes()
        self.unread: set[str] = set()

    def _attributes(self) -> list[str]:
        """The attributes that get a value here and are no arguments."""
        assert isinstance(self.source.node, ast.FunctionDef)
        if changes_more(self.source.node, self.itself):
            self.source.unsupported(self.source.node, f"the changes that {self.source.node.name} makes")
        found: list[str] = []
        for node in self.source.node.body:
            name = _assigned_attribute(node, self.itself)
            if name in self.stored and not self.by_hand:
                self.source.unsupported(node, f"{ast.unparse(node)}, which changes an argument")
            if name is not None and name not in self.stored:
                found.append(name)
        return found

    def _env(self, given: tuple[Expr, ...]) -> dict[str, Expr]:
        env = {f"self.{name}": e for name, e in zip(self.stored, given)}
        if self.by_hand:
            env.update(zip(self.stored.values(), given))
        if not self.attributes:
            env[self.itself] = x.con(self.made, *given)
        return env

    def _statements(self, checks: bool, until: str | None = None) -> list[ast.stmt]:
        """Those that are understood, up to the one that sets an attribute."""
        change = (_Checks if checks else _Ignored)(
            self.itself, dict.fromkeys([*self.stored, *self.attributes])
        )
        kept = [
            s for s in self.source.statements if not self._stores(s) and self._attribute(s) not in self.unread
        ]
        if until is not None:
            kept = kept[: [self._attribute(s) for s in kept].index(until) + 1]
        return [change.visit(s) for s in copy.deepcopy(kept)]

    def _attribute(self, node: ast.stmt) -> str | None:
        return _assigned_attribute(node, self.itself)

    def _stores(self, node: ast.stmt) -> bool:
        return self.by_hand and self._attribute(node) in self.stored

    def allowed(self, given: tuple[Expr, ...]) -> Expr:
        """Is no error raised?"""
        if all(self._attribute(s) is not None or _is_text(s) for s in self.source.statements):
            return x.TRUE
        statements = [*self._statements(True), ast.Return(ast.Constant(True))]
        test = _block(self.library, self.source, statements, self._env(given))
        if test.type is not BOOL:
            raise InvalidArgument("a method that returns something")
        return x.and_(*needed(test), test)

    def computed(self, given: tuple[Expr, ...]) -> dict[str, Expr]:
        """The attributes that no argument gives. One that cannot be read follows from the arguments all the same; it is
        only not known."""
        found = {}
        for name in self.attributes:
            last = ast.Return(ast.Name(f"self.{name}", ast.Load()))
            statements = [*self._statements(False, name), last]
            try:
                found[name] = _block(self.library, self.source, statements, self._env(given))
            except (Unsupported, InvalidArgument):
                value = next(_value(s) for s in self.source.statements if self._attribute(s) == name)
                if not _never_fails(value, {*self.spots}, self.source.scope):
                    raise
                self.unread.add(name)
        return found


def _value(node: ast.stmt) -> ast.expr | None:
    """What an attribute is set to."""
    return node.value.args[2] if isinstance(node, ast.Expr) else getattr(node, "value", None)  # type: ignore[attr-defined]


def _never_fails(node: ast.expr | None, names: set[str], scope: Mapping[str, Any]) -> bool:
    """Is the expression a constant, a new collection, or made of arguments in such a way that no error can be raised?"""
    match node:
        case ast.Constant() | ast.Lambda():
            return True
        case ast.Name(id=name):
            return name in names
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(_never_fails(p, names, scope) for p in parts)
        case ast.Dict(keys=[], values=[]):
            return True
        case ast.Call(func=ast.Name(id="list" | "dict" | "set" as name), args=[], keywords=[]):
            return scope.get(name) is getattr(builtins, name)
    return False


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _assigned_attribute(node: ast.AST, itself: str) -> str | None:
    """``name`` in ``self.name = ...`` and ``object.__setattr__(self, "name", ...)``."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)]) if owner == itself:
            return name
        case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner == itself:
            return name
        case ast.Expr(
            value=ast.Call(func=called, args=[ast.Name(id=owner), ast.Constant(value=str() as name), _])
        ):
            return name if owner == itself and ast.unparse(called) == "object.__setattr__" else None
    return None


class _Ignored(ast.NodeTransformer):
    """Attributes become names; errors are left out."""

    def __init__(self, itself: str | None, names: dict[str, None]) -> None:
        self.itself, self.names = itself, names

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id == self.itself and node.attr in self.names:
            return ast.copy_location(ast.Name(f"self.{node.attr}", node.ctx), node)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        name = None if self.itself is None else _assigned_attribute(node, self.itself)
        if name is not None and name in self.names:
            value = self.visit(node.value.args[2])  # type: ignore[attr-defined]
            return ast.copy_location(ast.Assign([ast.Name(f"self.{name}", ast.Store())], value), node)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if isinstance(node.target, ast.Attribute) and node.value is not None:
            made = ast.Assign([self.visit(node.target)], self.visit(node.value))
            return ast.copy_location(made, node)
        return self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return ast.copy_location(ast.Pass(), node)


class _Checks(_Ignored):
    """Attributes become names; an error becomes the answer False, and a return the answer True."""

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.copy_location(ast.Return(ast.Constant(False)), node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        test = ast.UnaryOp(ast.Not(), self.visit(node.test))
        return ast.copy_location(ast.If(test, [ast.Return(ast.Constant(False))], []), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return ast.copy_location(ast.Return(ast.Constant(True)), node)
