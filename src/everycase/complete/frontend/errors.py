"""``try``: one statement that only computes, in each of the few cases that there are."""

from __future__ import annotations

import ast
import builtins
from typing import Any

from everycase.complete.frontend.by_cases import ByCases
from everycase.complete.frontend.program import Path
from everycase.complete.frontend.reading import Reading, ReadState, Ways
from everycase.complete.language import expressions as x
from everycase.complete.language.types import UnknownType
from everycase.complete.language.values import from_python


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
