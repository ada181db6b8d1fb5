"""The conditions of a property: what an input must satisfy so that the test tests it.

There are several places for them: ``given(...).where(p)``, filters around the generators, and the beginning
of the test itself (``assume(...)``, a guard that returns, or a helper that is called first). Those in the
test are read from its source and turned into predicates, so that an explorer can search for inputs that
satisfy them. The test itself runs unchanged, so a condition that was read wrongly only costs time. A
condition is used only if nothing before it, and nothing in it, has side effects (see
:mod:`everycase.narrow.effects`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from everycase.errors import Discarded
from everycase.explore.protocol import Space
from everycase.gen.kinds import Filter
from everycase.gen.sources import begins_with, code_of, make_function, tree_of
from everycase.narrow.arguments import unwrapped
from everycase.narrow.effects import CHANGING, Doubt, Effects
from everycase.narrow.planner import classes_in
from everycase.run.context import assume, note, reject
from everycase.run.property import Property

#: Maximum number of characters of a condition to show.
MOST_TEXT = 80


@dataclass
class Condition:
    """One condition of a property, as a report shows it."""

    #: the condition as it is written, or the name of the predicate
    text: str
    #: "where", "filter", "assume", "guard" (an ``if`` that returns) or "helper" (an ``assume`` in a function it calls)
    kind: str
    #: file and line, as far as they are known
    found_at: str = ""
    #: how it was used, in words
    used: str = ""
    #: how often it was evaluated, including half-decided inputs
    evaluations: int = 0
    #: how many of the sampled inputs it was evaluated on satisfied it
    asked: int = 0
    passed: int = 0

    @property
    def share(self) -> float | None:
        """The share of the sampled inputs that satisfied it; None if it was evaluated on none."""
        return self.passed / self.asked if self.asked else None


class Leading:
    """A condition at the beginning of a test, as a predicate of some generated arguments.

    If it raises, the test would raise too, so such an input is worth testing.
    """

    def __init__(self, function: FunctionType, places: tuple[int, ...], shown: Condition) -> None:
        self.function = function
        self.places = places
        self.shown = shown
        self.__name__ = shown.text
        self.__wrapped__ = function

    def __call__(self, *args: Any) -> object:
        try:
            return self.function(*args)
        except BaseException as problem:
            if _is_discard(problem):
                return False
            raise

    def on_real(self, *args: Any) -> object:
        """Whether a whole input should be tested."""
        try:
            return self(*args)
        except Exception:
            return True


class Conditions:
    """All conditions of one property."""

    def __init__(self, prop: Property) -> None:
        #: each with the predicate that evaluates it, if there is one
        self._checks: list[tuple[Condition, Any]] = []
        for check in prop.preconditions:
            self._checks.append((Condition(_name(check), "where", _location(check)), check))
        for gen in prop.gens.values():
            for layer in unwrapped(gen)[1]:
                if isinstance(layer, Filter):
                    predicate = layer.predicate
                    self._checks.append(
                        (Condition(_name(predicate), "filter", _location(predicate)), predicate)
                    )
        #: those that were read in the test
        self.leading: list[Leading] = []
        for found in _read(prop):
            if isinstance(found, Leading):
                self.leading.append(found)
                self._checks.append((found.shown, found))
            else:
                self._checks.append((found, None))
        self.shown = [shown for shown, _ in self._checks]

    def concluded(self, space: Space, figures: dict[str, Any]) -> list[Condition]:
        """The conditions as the report shows them, after a run."""
        pruned = figures.get("conditions", {})
        for shown, check in self._checks:
            shown.asked, shown.passed = space.findings.tallies.get(id(check), (0, 0))
            shown.evaluations = shown.asked + pruned.get(id(check), 0)
            if shown.used:
                continue
            if id(check) in pruned and figures.get("by_filtering"):
                shown.used = "evaluated on whole values only: it cannot be trusted on half-decided ones"
            elif id(check) in pruned:
                shown.used = "searched for by pruning"
            elif shown.kind == "filter":
                shown.used = "values that do not satisfy it were drawn again"
            elif shown.kind == "guard":
                shown.used = "checked by the test, which returns early for other inputs"
            else:
                shown.used = "inputs that do not satisfy it were discarded"
        figures.pop("conditions", None)
        return self.shown

    def guards(self) -> list[tuple[Callable[..., object], tuple[int, ...]]]:
        """Those that were read from the test, in the form that an explorer needs."""
        return [(one, one.places) for one in self.leading]


# --- reading ------------------------------------------------------------------------------------------------


def _read(prop: Property) -> Iterator[Leading | Condition]:
    """The conditions at the beginning of a test. If one cannot be used, it is the last, and says why."""
    function: Any = prop.function
    while hasattr(function, "__wrapped__") and getattr(function, "__code__", None) is None:
        function = function.__wrapped__
    if isinstance(function, MethodType):
        function = function.__func__
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>" or not _may_have(function):
        return
    tree = tree_of(function)
    if not isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    yield from _Beginning(prop, function, tree).conditions()


def _may_have(function: FunctionType) -> bool:
    """Whether it is worth reading a function: it calls something like ``assume``, or returns in more than one place."""
    code = function.__code__
    outside = [function.__globals__.get(name) for name in code.co_names]
    for cell in function.__closure__ or ():
        try:
            outside.append(cell.cell_contents)
        except ValueError:
            continue
    if any(_is_assume(one) or _is_reject(one) or _assumes(one) for one in outside):
        return True
    if any(name in ("assume", "reject") for name in code.co_names):  # hypothesis.assume(...)
        return True
    import opcode

    returns = [opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap]
    return sum(code.co_code[::2].count(number) for number in returns) > 1


def _assumes(thing: Any, depth: int = 3) -> bool:
    """Whether user code, or a function that it calls, calls ``assume`` or ``reject``."""
    if not isinstance(thing, FunctionType) or depth == 0:
        return False
    if (thing.__module__ or "").partition(".")[0] in ("everycase", "hypothesis", *sys.stdlib_module_names):
        return False
    called = [thing.__globals__.get(name) for name in thing.__code__.co_names]
    return any(
        _is_assume(one) or _is_reject(one) or _assumes(one, depth - 1) for one in called if one is not thing
    )


class _Beginning:
    """The statements at the beginning of a test."""

    def __init__(
        self, prop: Property, function: FunctionType, tree: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> None:
        self.prop = prop
        self.function = function
        self.tree = tree
        self.names = list(prop.gens)
        self.file = Path(function.__code__.co_filename).name
        self.effects = Effects(classes_in(prop.gens.values()), _is_harmless)
        self.outside: dict[str, Any] = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                self.outside[name] = cell.cell_contents
            except ValueError:
                continue

    def conditions(self) -> Iterator[Leading | Condition]:
        body = self.tree.body
        before: list[ast.stmt] = []
        for number, statement in enumerate(body):
            kind = self._kind(statement)
            if kind is None:
                return
            if kind == "nothing":
                continue
            shown = Condition(_text(statement, kind), kind, f"{self.file}:{statement.lineno}")
            try:
                self._check(statement, body[number + 1 :])
                if kind == "assignment":
                    before.append(statement)
                    continue
                yield self._leading(statement, before, body[: number + 1], shown)
            except Doubt as problem:
                if kind != "assignment" or any(self._kind(later) in _KINDS for later in body[number + 1 :]):
                    if kind == "assignment":
                        shown = self._next(body[number + 1 :]) or shown
                    shown.used = f"left to the test: {problem}"
                    yield shown
                return
            if kind == "helper" and isinstance(statement, ast.Assign | ast.AnnAssign):
                before.append(statement)

    def _next(self, body: Sequence[ast.stmt]) -> Condition | None:
        for statement in body:
            kind = self._kind(statement)
            if kind in _KINDS:
                assert kind is not None
                return Condition(_text(statement, kind), kind, f"{self.file}:{statement.lineno}")
        return None

    def _kind(self, statement: ast.stmt) -> str | None:
        """What a statement is: a condition, something that conditions may need, or None where the actual test
        begins."""
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return "nothing"
            case ast.Expr(value=ast.Call(func=called)) if self._resolved(called) is note:
                return "nothing"
            case (
                ast.Assign(targets=[ast.Name() | ast.Tuple()], value=value)
                | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
            ):
                if self._calls_assume(value):
                    return "assume"
                return "helper" if self._calls_helper(value) else "assignment"
            case ast.Expr(value=ast.Call() as value) | ast.Assert(test=ast.Call() as value):
                if self._is_call(value, _is_assume) or self._is_call(value, _is_reject):
                    return "assume"
                return "helper" if isinstance(statement, ast.Expr) and self._calls_helper(value) else None
            case ast.If() | ast.For():
                return self._compound(statement)
        return None

    def _compound(self, statement: ast.If | ast.For) -> str | None:
        """A guard, or a statement that consists of assumptions."""
        found: set[str] = set()
        pending: list[ast.stmt] = [*statement.body, *statement.orelse]
        while pending:
            inner = pending.pop()
            match inner:
                case ast.If() | ast.For():
                    pending += [*inner.body, *inner.orelse]
                case ast.Return(value=None | ast.Constant(value=None)):
                    found.add("guard")
                case ast.Pass() | ast.Continue() | ast.Break():
                    continue
                case _:
                    kind = self._kind(inner)
                    if kind not in ("assume", "helper", "assignment", "nothing"):
                        return None
                    found.add(str(kind))
        for kind in ("guard", "assume", "helper"):
            if kind in found:
                return kind
        return None

    def _check(self, statement: ast.stmt, rest: Sequence[ast.stmt]) -> None:
        """Raise :class:`Doubt` if a statement has side effects, or uses something that the rest of the test
        changes."""
        self.effects.of_statements([statement], self.function)
        read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        missing = read & set(self._parameters()) - set(self.names)
        if missing:
            raise Doubt(f"it reads {', '.join(sorted(missing))}, which is not generated")
        for node in (inner for later in rest for inner in ast.walk(later)):
            changed = _changed_name(node)
            if changed in read and changed in self.outside and changed not in self._parameters():
                raise Doubt(f"the test changes {changed} (line {getattr(node, 'lineno', '?')})")

    def _leading(
        self, statement: ast.stmt, before: Sequence[ast.stmt], so_far: Sequence[ast.stmt], shown: Condition
    ) -> Leading:
        code = code_of(self.tree.args, list(so_far), self.function)
        if code is None or not begins_with(self.function.__code__, code):
            raise Doubt(
                "the source of the test is not the code that runs; was the file changed after it was imported?"
            )
        needed = _read_by(statement)
        kept: list[ast.stmt] = []
        for assignment in reversed(before):
            if _set_by(assignment) & needed:
                kept.insert(0, assignment)
                needed |= _read_by(assignment)
        arguments = [name for name in self.names if name in needed]
        if not arguments:
            raise Doubt("it reads none of the generated arguments")
        rewriting = _Rewriting(self)
        body = [rewriting.statement(one) for one in kept]
        body += _answer(rewriting.statement(statement))
        taken = ast.arguments([], [ast.arg(name) for name in arguments], None, [], [], None, [])
        made = make_function("condition", taken, body, self.function)
        if made is None:
            raise Doubt("it cannot be separated from the test")
        places = tuple(self.names.index(name) for name in arguments)
        return Leading(made, places, shown)

    # --- names ------------------------------------------------------------------------------------------

    def _parameters(self) -> set[str]:
        return {arg.arg for arg in ast.walk(self.tree.args) if isinstance(arg, ast.arg)}

    def _resolved(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return None if name in self.function.__code__.co_varnames else self.outside.get(name)
            case ast.Attribute(value=value, attr=name):
                return getattr(self._resolved(value), name, None)
        return None

    def _is_call(self, node: ast.AST, what: Callable[[Any], bool]) -> bool:
        return isinstance(node, ast.Call) and what(self._resolved(node.func))

    def _calls_assume(self, node: ast.AST) -> bool:
        return any(self._is_call(inner, _is_assume) for inner in ast.walk(node))

    def _calls_helper(self, node: ast.AST) -> bool:
        return any(self._is_call(inner, _assumes) for inner in ast.walk(node))


_KINDS = ("assume", "guard", "helper")


class _Rewriting(ast.NodeTransformer):
    """Turns assumptions and returns into answers: the input should not be tested."""

    def __init__(self, beginning: _Beginning) -> None:
        self.beginning = beginning

    def statement(self, node: ast.stmt) -> ast.stmt:
        # Copied by way of the text, because the tree is cached.
        copied = ast.parse(ast.unparse(node)).body[0]
        ast.increment_lineno(copied, node.lineno - 1)
        result: ast.stmt = self.visit(copied)
        return result

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        return ast.copy_location(ast.Return(ast.Constant(False)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return self._assumed(node, node.test)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return self._assumed(node, node.value)

    def _assumed(self, node: ast.stmt, value: ast.expr) -> ast.stmt:
        if self.beginning._is_call(value, _is_reject):
            return ast.copy_location(ast.Return(ast.Constant(False)), node)
        if isinstance(value, ast.Call) and self.beginning._is_call(value, _is_assume):
            given = [*value.args, *[keyword.value for keyword in value.keywords]]
            if len(given) == 1 and not isinstance(given[0], ast.Starred):
                return ast.copy_location(
                    ast.If(ast.UnaryOp(ast.Not(), given[0]), [ast.Return(ast.Constant(False))], []), node
                )
        return node


def _answer(statement: ast.stmt) -> list[ast.stmt]:
    """A statement that returns False or continues, as one that returns the answer, in the plainest form,
    which is the easiest to read."""
    match statement:
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=condition), body=[ast.Return()], orelse=[]):
            return [ast.copy_location(ast.Return(condition), statement)]
        case ast.If(test=condition, body=[ast.Return()], orelse=[]):
            return [ast.copy_location(ast.Return(ast.UnaryOp(ast.Not(), condition)), statement)]
    return [statement, ast.copy_location(ast.Return(ast.Constant(True)), statement)]


def _text(statement: ast.stmt, kind: str) -> str:
    match statement:
        case ast.Expr(value=ast.Call(args=[condition])) if kind == "assume":
            text = ast.unparse(condition)
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=condition), orelse=[]) if kind == "guard":
            text = ast.unparse(condition)
        case ast.If(test=condition, orelse=[]) if kind == "guard":
            text = f"not ({ast.unparse(condition)})"
        case ast.Expr(value=value):
            text = ast.unparse(value)
        case _:
            text = ast.unparse(statement).partition("\n")[0]
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def _read_by(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _set_by(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _changed_name(node: ast.AST) -> str | None:
    """The name of a variable that a part of the test may change."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
            return name if method in CHANGING else None
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case ast.Global(names=[name, *_]) | ast.Nonlocal(names=[name, *_]):
            return name
    return None


# --- what is known ------------------------------------------------------------------------------------------


def _is_assume(thing: Any) -> bool:
    return thing is assume or _is_hypothesis(thing, "assume")


def _is_reject(thing: Any) -> bool:
    return thing is reject or _is_hypothesis(thing, "reject")


def _is_hypothesis(thing: Any, name: str) -> bool:
    return (
        getattr(thing, "__module__", None) == "hypothesis.control"
        and getattr(thing, "__name__", None) == name
    )


def _is_harmless(thing: Any) -> bool:
    return _is_assume(thing) or _is_reject(thing)


def _is_discard(problem: BaseException) -> bool:
    cls = type(problem)
    return isinstance(problem, Discarded) or (
        cls.__module__ == "hypothesis.errors" and cls.__name__ == "UnsatisfiedAssumption"
    )


def _name(check: Any) -> str:
    name: str = getattr(check, "__name__", type(check).__name__)
    if name != "<lambda>":
        return name
    tree = tree_of(check)
    text = ast.unparse(tree.body) if isinstance(tree, ast.Lambda) else name
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def _location(check: Any) -> str:
    code = getattr(check, "__code__", None)
    return "" if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"
