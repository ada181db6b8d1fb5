"""What a patch may consist of: found in the scope of the generator, or given by the user."""

from __future__ import annotations

import ast
import contextlib
import types as types_module
import typing
from collections.abc import Callable, Iterable
from typing import Any

from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.pure import Expressions
from everycase.complete.frontend.source import source_of
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import Expr
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type, UnknownType
from everycase.complete.language.wrapped import NUMBERS
from everycase.complete.search.worlds import formulas_of
from everycase.complete.specification import specification_of
from everycase.complete.synthesis.spelling import Spelling
from everycase.complete.synthesis.terms import Component
from everycase.errors import EverycaseError, InvalidArgument

Price = Callable[[str], int | None]

PRICES = {"local": 1, "any": 1, "call": 1, "constructor": 2, "operation": 1, "constant": 3, "range": 2}
NEIGHBOURED = 6  # this many constants get their neighbours
FOREIGN = 4  # extra cost of a draw of any value of some datatype: it is rarely needed


class Kit:
    """Builds components with their costs (the user's ``cost`` overrides ours, by name)."""

    def __init__(self, generator: Generator, given: Iterable[Any], cost: Price | None) -> None:
        self.generator, self.cost = generator, cost
        self.names = names_of(generator)
        self.pure = Expressions(generator.program.library, generator.source)
        self.fixed = [c for item in given for c in self._given(item)]  # first, so that they win over equals
        self.fixed += self._constructors() + self._draws() + self._operations() + self._calls()

    def price(self, kind: str, name: str, extra: int = 0) -> int:
        own = self.cost(name) if self.cost else None
        if own is not None and (not isinstance(own, int) or own < 1):
            raise InvalidArgument(
                f"repair: cost({name!r}) is {own!r}; a cost is a whole number, at least 1, or None"
            )
        return own if own is not None else PRICES[kind] + extra

    def locals(self, env: dict[str, Expr]) -> list[Component]:
        """Parameters and local variables at a place."""
        return [
            Component("local", name, e.type, (), self.price("local", name), expression=x.var(name, e.type))
            for name, e in env.items()
            if "'" not in name
        ]

    def types(self) -> list[DataType]:
        """The datatypes that the generator uses."""
        g = self.generator
        waiting: list[Type] = [g.result, *(p.type for p in g.params)]
        found: list[DataType] = []
        while waiting:
            kind = waiting.pop(0)
            if isinstance(kind, DataType) and kind not in found:
                found.append(kind)
                waiting += [t for c in kind.constructors for _, t in c.fields]
        return found

    def _constructors(self) -> list[Component]:
        made = []
        for kind in self.types():
            for c in kind.constructors:
                native = type(c.native) if c.kind == "enum" else c.native
                if c.kind in ("class", "enum") and self.names.spelling(native) is None:
                    continue  # the file cannot name it
                if c.kind in (*NUMBERS, "text"):
                    continue  # not written as the numbers that stand for it
                params = tuple(t for _, t in c.fields)
                price = self.price(
                    "constructor", c.name, 0 if kind is self.generator.result or not params else 1
                )
                made.append(Component("constructor", c.name, kind, params, price, constructor=c))
        return made

    def _draws(self) -> list[Component]:
        made = []
        wanted: list[Type] = [INT, BOOL]
        for kind in self.types():
            wanted += [t for c in kind.constructors for _, t in c.fields if t is TEXT]
        wanted += [k for k in self.types() if k is not self.generator.result]
        for each in dict.fromkeys(wanted):
            extra = FOREIGN if isinstance(each, DataType) else 0
            made.append(
                Component("any", f"any {each.name}", each, (), self.price("any", f"any {each.name}", extra))
            )
        made.append(Component("range", "range", INT, (INT, INT), self.price("range", "range")))
        made.append(Component("range", "at least", INT, (INT,), self.price("range", "at least")))
        return made

    def _operations(self) -> list[Component]:
        one = x.integer(1)
        numbers: list[int] = []
        for e in x.subterms(*formulas_of(self.generator), *self._bodies()):
            if e.op == "const" and e.type is INT and e.data not in numbers:
                numbers.append(e.data)
        made: list[Component] = []  # constants first: `1` is clearer than `month - 1` where month is 2
        large = [n for n in numbers if abs(n) > 1]
        # `v < 24` means up to 23; with many numbers there are too many neighbours
        beside = dict.fromkeys(n + d for n in large for d in (-1, 1)) if len(large) <= NEIGHBOURED else {}
        for value in dict.fromkeys([0, *large, 1, *beside]):
            extra = -1 if value == 1 else int(value != 0 and value not in large)
            price = self.price("constant", str(value), extra)
            made.append(Component("constant", str(value), INT, (), price, expression=x.integer(value)))
        for truth in (True, False):
            price = self.price("constant", str(truth), -2)
            made.append(Component("constant", str(truth), BOOL, (), price, expression=x.const(truth, BOOL)))
        made += [
            self.operation("subtract 1", INT, (INT,), lambda a: x.sub(a, one), "{} - 1"),
            self.operation("add 1", INT, (INT,), lambda a: x.add(a, one), "{} + 1", 1),
            self.operation("subtract", INT, (INT, INT), x.sub, "{} - {}", 2),
        ]
        for n in sorted(n for n in numbers if 2 <= n <= 10):
            factor = x.integer(n)
            build = lambda a, f=factor: x.mul(f, a)  # noqa: E731
            made.append(self.operation(f"times {n}", INT, (INT,), build, f"{n} * {{}}"))
        # functions that the measure or the calls of this generator use: num_arr(tau)
        used = list(self.generator.measure) + [
            a for p in self.generator.paths for d in p.draws for a in d.args
        ]
        used.append(self.generator.requires)
        for f in x.functions_in(used):
            if f.native is not None and f.name in self.generator.source.scope:
                build_call = lambda *args, f=f: x.call(f, *args)  # noqa: E731
                spots = ", ".join("{}" for _ in f.params)
                kinds = tuple(p.type for p in f.params)
                made.append(self.operation(f.name, f.result, kinds, build_call, f"{f.name}({spots})"))
        return made

    def _bodies(self) -> list[Expr]:
        return [f.body for f in x.functions_in(formulas_of(self.generator)) if f.body is not None]

    def operation(
        self,
        name: str,
        result: Type,
        params: tuple[Type, ...],
        build: Callable[..., Expr],
        text: str,
        extra: int = 0,
    ) -> Component:
        price = self.price("operation", name, extra)
        return Component("operation", name, result, params, price, build=build, text=text)

    def _calls(self) -> list[Component]:
        callees = [
            self.generator,
            *(c for c in self.generator.callees() if c.native is not self.generator.native),
        ]
        # helpers that the file defines for the same type, or for a type that a constructor needs
        parts = [t for kind in self.types() for c in kind.constructors for _, t in c.fields]
        needed = [self.generator.result, *parts, *(p.type for p in self.generator.params)]
        known = {id(c.native) for c in callees}
        home = getattr(self.generator.native, "__module__", None)
        for value in list(self.generator.source.scope.values()):
            covered = callable(value) and specification_of(value) is not None
            if id(value) in known or not covered or getattr(value, "__module__", None) != home:
                continue
            known.add(id(value))
            with contextlib.suppress(EverycaseError):  # a helper that cannot be read is useless
                helper = self.generator.program.generator(value)
                _ = helper.reaches(self.generator)  # reads it now
                # one for the same type and arguments is a rival, unless the two call each other
                alike = helper.result is self.generator.result and self._same_arguments(helper)
                if helper.result in needed and (not alike or helper.reaches(self.generator)):
                    callees.append(helper)
        return [self._call(c) for c in callees if self.names.spelling(c.native) is not None]

    def _same_arguments(self, helper: Generator) -> bool:
        return [p.type for p in helper.params] == [p.type for p in self.generator.params]

    def _call(self, callee: Generator) -> Component:
        params = tuple(p.type for p in callee.params)
        extra = 0 if callee.native is self.generator.native else 1
        return Component(
            "call",
            callee.name,
            callee.result,
            params,
            self.price("call", callee.name, extra),
            generator=callee,
        )

    def _given(self, item: Any) -> list[Component]:
        name = getattr(item, "__name__", str(item))
        if specification_of(item) is not None:
            return [self._call(self.generator.program.generator(item))]
        if isinstance(item, type):
            try:
                kind = self.generator.program.library.types.resolve(item, self.generator.source.scope)
            except UnknownType as error:
                raise InvalidArgument(f"repair: the component {name} cannot be used: {error}") from None
            if isinstance(kind, DataType):
                return [
                    Component(
                        "constructor", c.name, kind, tuple(t for _, t in c.fields),
                        self.price("constructor", c.name), constructor=c,
                    )
                    for c in kind.constructors
                ]  # fmt: skip
        if isinstance(item, bool | int):
            kind = BOOL if isinstance(item, bool) else INT
            made = x.const(item, kind)
            return [
                Component(
                    "constant", repr(item), kind, (), self.price("constant", repr(item), -2), expression=made
                )
            ]
        if callable(item) and hasattr(item, "__code__"):
            source = source_of(item)
            if isinstance(source.node, ast.FunctionDef):
                kinds = tuple(
                    self.generator.program.library.annotation(a.annotation, source)
                    for a in source.node.args.args
                )
                arguments = [x.var(a.arg, k) for a, k in zip(source.node.args.args, kinds)]
                result = self.pure.calls.apply(item, list(arguments), source.node).type
                build = lambda *args: self.pure.calls.apply(item, list(args), source.node)  # noqa: E731
                text = f"{name}({', '.join('{}' for _ in kinds)})"
                return [self.operation(name, result, kinds, build, text)]
        raise InvalidArgument(
            f"repair: the component {name} is neither a covered generator, a dataclass, a number nor a pure "
            "function defined with def; give one of these"
        )


def names_of(generator: Generator) -> Spelling:
    """How this file spells the generators of integers, booleans and types."""
    prefix = None
    assert isinstance(generator.source.node, ast.FunctionDef)
    for node in ast.walk(generator.source.node):
        known = ("integers", "booleans", "composite", "from_type", "one_of", "sampled_from")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in known:
            prefix = f"{node.value.id}."
            break
    if prefix is None:
        prefix = (
            "gen." if "gen" in generator.source.scope else "st." if "st" in generator.source.scope else ""
        )
    types: dict[Type, str] = {}
    annotated = [generator.source.node.returns, *(a.annotation for a in generator.source.node.args.args[1:])]
    kinds = [generator.result, *(p.type for p in generator.params)]
    for node_, kind in zip(annotated, kinds):
        if node_ is not None:
            types.setdefault(kind, ast.unparse(node_))
    for name, value in generator.source.scope.items():
        if not isinstance(value, type | types_module.UnionType) and typing.get_origin(value) is None:
            continue
        try:
            kind = generator.program.library.types.resolve(value, generator.source.scope)
        except Exception:
            continue
        types.setdefault(kind, name)
    return Spelling(generator.source.parameters[0], prefix, types, generator.source.scope)
