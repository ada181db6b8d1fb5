"""The pure functions that generators and predicates call: each is translated once per combination of argument
types."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from everycase.complete.frontend.source import FunctionSource, source_of
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Env, Expr, Function
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, Type, Types, UnknownType, Value
from everycase.complete.language.values import from_python, to_python

#: Translates the body of a function, given the meaning of its parameters and the type of its result if that
#: is known.
Translate: TypeAlias = Callable[["Library", FunctionSource, Env, Type | None], Expr]


class Library:
    """The functions translated so far: one per Python function and argument types."""

    def __init__(self, translate: Translate, open_text: bool = False) -> None:
        self._translate = translate
        self.types = Types(open_text=open_text)
        self.functions: dict[Any, Function] = {}
        self.loops = 0  # the current nesting of quantifiers
        self._open: list[Function] = []

    def function(
        self,
        native: Callable[..., Any],
        args: tuple[Type, ...],
        site: FunctionSource,
        node: ast.AST,
        kinds: Sequence[Constructor] = (),
    ) -> Function:
        """The translation of a Python function for these argument types, and for values of these ``kinds`` if it is a
        method."""
        key = (native, args)
        if key in self.functions:
            known = self.functions[key]
            if known in self._open:
                for caller in self._open[self._open.index(known) :]:
                    caller.recursive = True
            return known
        source = source_of(native)
        if isinstance(source.node, ast.Lambda):
            site.unsupported(node, "a lambda that is not given to covers")
        names = source.parameters
        if len(names) != len(args):
            site.unsupported(
                node, f"a call of {native.__name__} with {len(args)} instead of {len(names)} arguments"
            )
        result = source.node.returns
        types = [
            self.annotation(spot.annotation, source) if spot.annotation is not None else kind
            for spot, kind in zip(source.spots, args)
        ]
        params = tuple(x.var(n, k) for n, k in zip(names, types))
        function = Function(native.__name__, params, self.annotation(result, source) if result else BOOL)
        function.native = native
        self.functions[key] = function
        self._open.append(function)
        body = self._translate(self, source, dict(zip(names, params)), function.result if result else None)
        self._open.pop()
        if result is None:
            if function.recursive and body.type is not BOOL:
                source.unsupported(
                    source.node, f"the recursive function {function.name} without a return annotation"
                )
            function.result = body.type
        own = x.or_(*(x.is_con(c, params[0]) for c in kinds)) if kinds else x.TRUE
        other = {INT: x.integer(0), BOOL: x.FALSE, TEXT: x.const("", TEXT)}.get(body.type)  # type: ignore[call-overload]
        if function.recursive and own != x.TRUE and other is not None:
            body = x.ite(own, body, other)  # it is never called for others, and then it ends for all
        function.body = body
        return function

    def annotation(self, node: ast.expr | None, source: FunctionSource) -> Type:
        """The type written at a place of the source."""
        if node is None:
            source.unsupported(source.node, "a missing annotation")
        try:
            return self.types.resolve(ast.unparse(node), source.scope)
        except UnknownType as error:
            source.unsupported(node, str(error))

    def computed(self, name: str, native: Callable[..., Any], given: list[Expr]) -> Expr:
        """A string that a function of Python makes: a constant, or a call of which only Python knows the result."""
        result = self.types.text if self.types.open_text else TEXT
        kinds = [e.type for e in given]
        if all(x.is_literal(e) for e in given):
            values = [to_python(k, x.value_of(e)) for k, e in zip(kinds, given)]
            return x.literal(from_python(result, native(*values)), result)
        key = ("computed", name, tuple(kinds))
        if key not in self.functions:
            spots = tuple(x.var(f"part{i}", k) for i, k in enumerate(kinds))
            function = self.functions[key] = Function("text", spots, result)

            def compute(*parts: Value) -> Value:
                try:
                    given = [to_python(k, p) for k, p in zip(kinds, parts)]
                except (ValueError, OverflowError):  # a number of a character that there is not
                    return from_python(result, "")
                return from_python(result, native(*given))

            function.native = compute
        return x.call(self.functions[key], *given)
