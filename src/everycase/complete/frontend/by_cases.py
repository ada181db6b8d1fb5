"""Expressions that only Python can compute: for each of the few values that their parts can have, Python computes them.

``f"{hour:02d}"``, ``math.gcd(a, 6)`` or ``"-".join(reversed(words))`` need no meaning in logic if ``hour``, ``a`` and ``words``
are one of a few values: each of these is a path of its own, on which the result is a constant.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any

from everycase.complete.frontend.computing import LARGE, can_compute
from everycase.complete.frontend.limits import limits
from everycase.complete.frontend.reading import Reading, ReadState
from everycase.complete.frontend.spreading import Spreading
from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import FALSE, TRUE, Expr
from everycase.complete.language.types import BOOL, INT, DataType, Type, UnknownType
from everycase.complete.language.unfolding import unfolded
from everycase.complete.language.values import from_python, to_python
from everycase.complete.specification import Unsupported

CASES = 64  # maximum number of cases of one expression
WIDE = 32  # maximum number of values of one number

#: A case: the state, the result, and the error that Python raised instead.
_Computed = tuple[ReadState, Any, Exception | None]


class ByCases:
    """Computes expressions of one generator with Python."""

    def __init__(self, reader: Reading, spreading: Spreading) -> None:
        self.reader, self.spreading, self.scope = reader, spreading, reader.scope

    def expression(
        self, node: ast.expr, state: ReadState, expected: Type | None, likely: Type | None = None
    ) -> list[tuple[ReadState, Expr]] | None:
        """Every case with its result; None if the expression does more than to compute, or if there are too many cases.
        Where Python raises an error, there is no result."""
        found = self.computed(node, state)
        if found is None:
            return None
        kept = [(after, value) for after, value, error in found if error is None]
        try:
            kind = self.type_of([value for _, value in kept], expected or likely)
            made = [(after, x.literal(from_python(kind, value), kind)) for after, value in kept]
            return [(a, self.reader.values.coerce(e, expected, node) if expected else e) for a, e in made]
        except (UnknownType, ValueError, TypeError, Unsupported):
            return None

    def computed(self, node: ast.expr, state: ReadState) -> list[_Computed] | None:
        """Every case with what Python makes of it, or with the error that it raises."""
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        names = [n for n in dict.fromkeys(names) if n in state.env]
        constants = {}
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and n.id not in names and self.scope.is_constant(n, state.env):
                constants[n.id] = self.reader.source.scope[n.id]
        kinds = {n: _kind_of(state.env[n]) for n in names}
        if any(k == "class" for k in kinds.values()) or not can_compute(node, constants, kinds):
            return None
        plain = {n: f"value_{i}" for i, n in enumerate(names)}  # our own names are no identifiers
        spots = ast.arguments([], [ast.arg(plain[n]) for n in names], None, [], [], None, [])
        body = _Renamed(plain).visit(copy.deepcopy(node))
        whole = ast.Expression(ast.copy_location(ast.Lambda(spots, body), node))
        function = eval(compile(ast.fix_missing_locations(whole), "<case>", "eval"), dict(constants))
        made: list[_Computed] = []
        try:
            for after, values in self.decided(names, state):
                given = [to_python(e.type, x.value_of(e)) for e in values]
                if any(type(v) is int and abs(v) > LARGE for v in given):
                    return None
                made.append((after, *_called(function, given)))
                if len(made) > CASES:
                    return None
        except (Unsupported, _Shared):
            return None
        return made

    def decided(self, names: list[str], state: ReadState) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The values of these names, for each way to decide them."""
        yield from self._decide(names, [unfolded(state.env[n]) for n in names], state)

    def _decide(
        self, names: list[str], values: list[Expr], state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        leaf = next((part for e in values if (part := _open_part(e)) is not None), None)
        if leaf is None:
            yield state, values
            return
        if leaf.op == "ite":
            test = leaf.args[0]
            for holds, outcome in ((test, TRUE), (x.not_(test), FALSE)):
                for after in state.assume(holds):
                    known = {test: outcome, x.not_(test): x.not_(outcome)}
                    yield from self._decide(names, [x.substitute(e, known) for e in values], after)
        elif isinstance(leaf.type, DataType) and leaf.type.is_list:
            for after, items in self.spreading.elements(leaf, state, self.reader.source.node):
                whole = _listed(items, leaf.type)
                yield from self._decide(
                    names, [unfolded(x.substitute(e, {leaf: whole})) for e in values], after
                )
        else:
            for test, shape in self._options(leaf, state):
                for after in state.assume(test):
                    yield from self._decide(
                        names, [unfolded(x.substitute(e, {leaf: shape})) for e in values], after
                    )

    def _options(self, leaf: Expr, state: ReadState) -> list[tuple[Expr, Expr]]:
        """What a part can be, each with its condition."""
        if leaf.type is BOOL:
            return [(leaf, TRUE), (x.not_(leaf), FALSE)]
        if isinstance(leaf.type, DataType):
            return [
                (x.is_con(c, leaf), x.con(c, *(x.field(c, i, leaf) for i in range(len(c.fields)))))
                for c in leaf.type.constructors
            ]
        fixed = _listed_constants(leaf, state)
        if fixed is None and leaf.type is INT:
            least, most = limits(leaf, state)
            if least is not None and most is not None and most - least < WIDE:
                fixed = [x.integer(k) for k in range(least, most + 1)]
        if fixed is None and (ways := _alternatives(leaf, state)):
            return [(way, leaf) for way in ways]
        if fixed is None:
            self.scope.fail(self.reader.source.node, "a value that may be one of many")
        return [(x.eq(leaf, k), k) for k in fixed]

    def type_of(self, values: list[Any], expected: Type | None) -> Type:
        """The expected type if all values have it, else what they have in common."""
        if expected is not None:
            try:
                for value in values:
                    from_python(expected, value)
                return expected
            except (ValueError, TypeError):
                pass
        return self.reader.program.library.types.resolve(common(values), {})


class _Shared(Exception):
    """The result is, or contains, a list that has another name, or one was changed."""


def _called(function: Any, given: list[Any]) -> tuple[Any, Exception | None]:
    before = repr(given)
    try:
        result = function(*given)
    except Exception as error:
        return None, error
    if repr(given) != before or {*_changeable(given)} & {*_changeable([result])}:
        raise _Shared
    return result, None


def _changeable(value: Any) -> Iterator[int]:
    """The identities of the lists, sets and dictionaries inside a value, apart from the outermost list."""
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, list | set | dict):
            yield id(part)
        if isinstance(part, list | tuple | dict):
            yield from _changeable(part)


def common(values: list[Any]) -> Any:
    """An annotation that fits all of these values; TypeError if there is none."""
    kinds = {type(v) for v in values}
    if type(None) in kinds and len(kinds) > 1:
        return common([v for v in values if v is not None]) | None
    if len(kinds) != 1:
        raise TypeError("nothing, or values of several types")
    kind = kinds.pop()
    if kind in (list, set, frozenset):
        return kind[common([part for v in values for part in v])]
    if kind is dict:
        inside = [part for v in values for part in v.items()]
        return dict[common([k for k, _ in inside]), common([part for _, part in inside])]  # type: ignore[misc]
    if kind is tuple and len({len(v) for v in values}) == 1 and values[0]:
        return tuple[tuple(common(list(column)) for column in zip(*values))]  # type: ignore[misc]
    if kind is tuple:
        return tuple[common([part for v in values for part in v]), ...]  # type: ignore[misc]
    if kind is type(None):
        return None
    return kind


def _kind_of(e: Expr) -> str:
    """The kind of the value, as far as it matters for what may be computed of it."""
    if not isinstance(e.type, DataType):
        return "number"
    kinds = [c.kind for part in e.type.parts for c in part.constructors]
    if "class" in kinds:
        return "class"
    return "unordered" if any(k in kinds for k in ("set", "dict", "keys")) else "other"


def _open_part(e: Expr) -> Expr | None:
    """A part of an expression that is not decided yet."""
    if x.is_literal(e):
        return None
    if e.op == "con":
        return next(part for a in e.args if (part := _open_part(a)) is not None)
    inside = next((s for s in x.subterms(e) if s.op == "ite"), None)
    if inside is not None:
        return inside
    if e.type is INT or e.type is BOOL:  # what is computed from undecided parts: decide those first
        deep = next((s for s in x.subterms(e) if s.op == "var" and s.type in (INT, BOOL)), None)
        return deep or e
    return e


def _listed(items: list[Expr], kind: DataType) -> Expr:
    nil, cons = kind.constructors
    made = x.con(nil)
    for item in reversed(items):
        made = x.con(cons, item, made)
    return made


def _listed_constants(leaf: Expr, state: ReadState) -> list[Expr] | None:
    """The constants that a condition allows: ``n == 1 or n == 5``."""
    for condition in state.conditions:
        tests = condition.args if condition.op == "or" else (condition,)
        if all(t.op == "eq" and leaf in t.args and any(a.op == "const" for a in t.args) for t in tests):
            return [next(a for a in t.args if a.op == "const") for t in tests]
    return None


def _alternatives(leaf: Expr, state: ReadState) -> tuple[Expr, ...]:
    """What may hold about a value, if that was not decided before: ``k == "a" and n < 3 or k == "b" and n < 5``."""
    for condition in state.conditions:
        if condition.op == "or" and x.occurs(leaf, condition):
            ways = condition.args
            if not any({*x.conjuncts(way)} <= {*state.conditions} for way in ways):
                return ways
    return ()


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)
