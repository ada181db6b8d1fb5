"""Statements that are the same as simpler ones: ``xs[0] += 1``, ``xs.sort(key=...)``, ``del xs[1:]``, ``s.update(...)``; and ``try``, which is
an assignment in one case and a handler in another."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from everycase.complete.frontend.by_cases import ByCases
from everycase.complete.frontend.mutation import check_owner
from everycase.complete.frontend.program import Path
from everycase.complete.frontend.reading import Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import is_frozen
from everycase.complete.language.types import DataType, Type, UnknownType
from everycase.complete.language.values import from_python
from everycase.complete.specification import Unsupported

_OF_SETS = {
    "update": ast.BitOr, "difference_update": ast.Sub, "intersection_update": ast.BitAnd,
    "symmetric_difference_update": ast.BitXor,
}  # fmt: skip
_NEVER_CHANGED = ("enum", "literal", "none", "tuple", "wrap", "stamp", "float")


def stays(kind: Type, seen: tuple[Type, ...] = ()) -> bool:
    """Can no value of this type be changed in place?"""
    if not isinstance(kind, DataType) or kind in seen:
        return True
    seen = (*seen, kind)
    for c in kind.constructors:
        inside = [t for _, t in c.fields]
        if c.kind in ("text", "bytes", "sequence") or (c.kind == "set" and c.native is frozenset):
            inside = [t.element for t in inside if isinstance(t, DataType)]  # a list stands for it
        elif c.kind not in _NEVER_CHANGED and not (c.kind == "class" and is_frozen(c.native)):
            return False
        if not all(stays(t, seen) for t in inside):
            return False
    return True


class Rewriting:
    """Simpler statements for those of one generator."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.scope = reader, reader.scope

    def simpler(self, node: ast.stmt, state: ReadState) -> list[ast.stmt] | None:
        """The statements that do the same; None if there are none."""
        made = self._simpler(node, state)
        if made is None:
            return None
        return [ast.fix_missing_locations(ast.copy_location(s, node)) for s in made]

    def _simpler(self, node: ast.stmt, state: ReadState) -> list[ast.stmt] | None:
        match node:
            case ast.Assign(targets=targets) if any(isinstance(t, ast.List) for t in targets):
                tuples = [ast.Tuple(t.elts, t.ctx) if isinstance(t, ast.List) else t for t in targets]
                return [ast.Assign(tuples, node.value)]
            case ast.Assign(targets=[ast.Tuple(elts=spots)], value=ast.Tuple(elts=values)) if len(
                spots
            ) == len(values) and any(isinstance(s, ast.Subscript | ast.Attribute) for s in spots):
                return self._one_by_one(spots, values)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Slice() as cut)]):
                return self._cut(name, cut, node.value, node, state)
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Slice() as cut)]):
                return self._cut(name, cut, None, node, state)
            case ast.Delete(targets=[_, _, *_] as targets):
                return [ast.Delete([t]) for t in targets]
            case ast.AugAssign(target=ast.Name(id=name)) if name in state.env:
                return self._counted_up(name, node, state)
            case ast.AugAssign(target=ast.Subscript() | ast.Attribute() as target):
                return self._part_counted_up(target, node, state)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="sort"), args=[], keywords=[_, *_]
                )
            ) if name in state.env and self._is_list(name, state):
                check_owner(self.reader, name, node)
                assert isinstance(node.value, ast.Call)
                in_order = ast.Call(ast.Name("sorted", ast.Load()), [_load(name)], node.value.keywords)
                return [ast.Assign([ast.Name(name, ast.Store())], in_order)]
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[given], keywords=[]
                )
            ) if attr in _OF_SETS and name in state.env and self._is_set(name, state):
                check_owner(self.reader, name, node)
                other = (
                    given
                    if isinstance(given, ast.Set)
                    else ast.Call(ast.Name("set", ast.Load()), [given], [])
                )
                whole = ast.BinOp(_load(name), _OF_SETS[attr](), other)
                return [ast.Assign([ast.Name(name, ast.Store())], whole)]
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"),
                    args=[key, value],
                    keywords=[],
                )
            ) if name in state.env and not any(
                isinstance(n, ast.Call) for a in (key, value) for n in ast.walk(a)
            ):
                absent = ast.Compare(key, [ast.NotIn()], [_load(name)])
                return [
                    ast.If(absent, [ast.Assign([ast.Subscript(_load(name), key, ast.Store())], value)], [])
                ]
        return None

    def _one_by_one(self, spots: list[ast.expr], values: list[ast.expr]) -> list[ast.stmt]:
        """``xs[0], xs[1] = a, b``: all values are computed before the first is stored."""
        names = [f"stored'{next(self.reader.counter)}" for _ in values]
        first: list[ast.stmt] = [ast.Assign([ast.Name(n, ast.Store())], v) for n, v in zip(names, values)]
        return first + [ast.Assign([s], _load(n)) for s, n in zip(spots, names)]

    def _cut(
        self, name: str, cut: ast.Slice, given: ast.expr | None, node: ast.stmt, state: ReadState
    ) -> list[ast.stmt] | None:
        """``xs[1:2] = ys`` and ``del xs[1:2]``, if the places are written out."""
        if name not in state.env or not self._is_list(name, state) or cut.step is not None:
            return None
        low, high = (self._place(side) for side in (cut.lower, cut.upper))
        if low is None or high is None or (cut.upper is not None and high < low):
            return None
        check_owner(self.reader, name, node)
        parts: list[ast.expr] = []
        if cut.lower is not None:
            parts.append(ast.Subscript(_load(name), ast.Slice(None, cut.lower), ast.Load()))
        if given is not None:
            parts.append(
                given if isinstance(given, ast.List) else ast.Call(ast.Name("list", ast.Load()), [given], [])
            )
        if cut.upper is not None:
            parts.append(ast.Subscript(_load(name), ast.Slice(cut.upper, None), ast.Load()))
        if not parts:
            return None
        whole = parts[0]
        for part in parts[1:]:
            whole = ast.BinOp(whole, ast.Add(), part)
        return [ast.Assign([ast.Name(name, ast.Store())], whole)]

    def _place(self, side: ast.expr | None) -> int | None:
        if side is None:
            return 0
        plain = isinstance(side, ast.Constant) and type(side.value) is int and side.value >= 0
        return side.value if plain else None  # type: ignore[attr-defined]

    def _counted_up(self, name: str, node: ast.AugAssign, state: ReadState) -> list[ast.stmt] | None:
        """``s += "x"`` of something that is never changed in place, or of a set that has no other name."""
        kind = state.env[name].type
        if self._is_set(name, state) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
            if kind.constructors[0].native is set:  # type: ignore[attr-defined]
                check_owner(self.reader, name, node)
        elif not stays(kind):
            return None
        return [ast.Assign([ast.Name(name, ast.Store())], ast.BinOp(_load(name), node.op, node.value))]

    def _part_counted_up(
        self, target: ast.Subscript | ast.Attribute, node: ast.AugAssign, state: ReadState
    ) -> list[ast.stmt] | None:
        """``xs[0] += 1``: Python finds the place once, and a number is not changed in place."""
        if any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(target)):
            return None
        before: ast.expr
        if isinstance(target, ast.Subscript):
            before = ast.Subscript(target.value, target.slice, ast.Load())
        else:
            before = ast.Attribute(target.value, target.attr, ast.Load())
        try:
            kind = self.reader.pure.expr(before, state.env).type
        except Unsupported:
            return None
        if not stays(kind):
            return None
        return [ast.Assign([target], ast.BinOp(before, node.op, node.value))]

    def _is_list(self, name: str, state: ReadState) -> bool:
        kind = state.env[name].type
        return isinstance(kind, DataType) and kind.is_list

    def _is_set(self, name: str, state: ReadState) -> bool:
        return self.reader.pure.containers.of_kind(state.env[name], "set")


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class Errors:
    """Reads the ``try`` statements of one generator."""

    def __init__(self, reader: Reading, by_cases: ByCases) -> None:
        self.reader, self.scope, self.by_cases = reader, reader.scope, by_cases

    def handled(self, node: ast.Try, state: ReadState) -> Ways:
        """``try: name = value`` or ``try: return value`` with its handlers."""
        match node.body:
            case [ast.Assign(targets=[ast.Name()], value=value) as only] | [
                ast.Return(value=ast.expr() as value) as only
            ]:
                pass
            case _:
                self.scope.fail(node)
        if node.finalbody and not all(isinstance(s, ast.Pass) for s in node.finalbody):
            self.scope.fail(node)
        found = self.by_cases.computed(value, state)
        if found is None:
            self.scope.fail(node)
        try:
            kind = self.by_cases.type_of([result for _, result, error in found if error is None], None)
            literals = [x.literal(from_python(kind, r), kind) if e is None else None for _, r, e in found]
        except (UnknownType, ValueError, TypeError):
            if any(error is None for _, _, error in found):
                self.scope.fail(node)
            literals = [None] * len(found)
        for (after, _, error), literal in zip(found, literals):
            if error is not None:
                handler = self._handler(node, error)
                if handler is None:
                    yield after, Path((), None, "reject", node, {})  # the error goes on, and no value is made
                else:
                    yield from self.reader.block(handler.body, after)
                continue
            assert literal is not None
            spot = f"tried'{next(self.reader.counter)}"
            held = ast.copy_location(ast.Name(spot, ast.Load()), node)
            done: ast.stmt = (
                ast.Return(held) if isinstance(only, ast.Return) else ast.Assign(only.targets, held)
            )
            done = ast.fix_missing_locations(ast.copy_location(done, node))
            yield from self.reader.block([done, *node.orelse], after.bind(spot, literal))

    def _handler(self, node: ast.Try, error: Exception) -> ast.ExceptHandler | None:
        """The first handler for an error; its name must not be used."""
        for handler in node.handlers:
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            for kind in kinds:
                cls: Any = self.scope.constant(kind) if kind is not None else Exception
                if not isinstance(cls, type) or cls is not getattr(builtins, cls.__name__, None):
                    self.scope.fail(node)
                if isinstance(error, cls):  # type: ignore[arg-type]
                    used = [n.id for s in handler.body for n in ast.walk(s) if isinstance(n, ast.Name)]
                    if handler.name in used:
                        self.scope.fail(node)
                    return handler
        return None
