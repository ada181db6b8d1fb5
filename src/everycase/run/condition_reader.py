"""Reads the conditions at the beginning of a test: ``assume(...)``, a guard that returns, or a helper that is called first.

They are turned into predicates, so that an explorer can search for inputs that satisfy them. The test itself runs unchanged, so a
condition that was read wrongly only costs time. A condition is used only if nothing before it, and nothing in it, has side effects
(see :mod:`everycase.narrow.effects`), so that it can be evaluated on inputs that the test never sees. Statements before it that only
work something out belong to it.
"""

from __future__ import annotations

import ast
import builtins
import datetime
import enum
import inspect
import itertools
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeGuard

from everycase.gen.collections import OneShot
from everycase.gen.names import closure_of, names_read, names_set
from everycase.gen.outside import codes
from everycase.gen.sources import begins_with, is_refusal, make_function, tree_of
from everycase.narrow.effects.calls import given_to
from everycase.narrow.effects.known import CHANGING
from everycase.narrow.effects.new_objects import bindings, rooted
from everycase.narrow.effects.reader import Doubt, Effects
from everycase.narrow.planner import classes_in, nodes_of
from everycase.narrow.spending import used_up
from everycase.run.conditions import Leading, shortened
from everycase.run.context import assume, note, reject
from everycase.run.property import Property
from everycase.run.report import Condition

#: How many calls deep ``assume`` and changes of variables are looked for.
DEPTH = 3


def conditions_in(
    prop: Property, given: Mapping[str, Any], renewed: Collection[str] = ()
) -> Iterator[Leading | Condition]:
    """The conditions in a test: first those that can be searched for, then the others, which say why not. ``given`` are the
    arguments that are not generated, and those in ``renewed`` may be others for each call."""
    function: Any = prop.function
    if prop.adopted:  # the function around it only listens to what it says to Hypothesis
        function = getattr(function, "__wrapped__", function)
    while hasattr(function, "__wrapped__") and getattr(function, "__code__", None) is None:
        function = function.__wrapped__
    given = dict(given)
    if isinstance(function, MethodType):
        owner, function = function.__self__, function.__func__
        if isinstance(function, FunctionType):
            given[function.__code__.co_varnames[0]] = owner
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        return
    if not _may_have(function, given):
        return
    tree = tree_of(function)
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
        try:
            yield from _Beginning(prop, function, tree, given, renewed).conditions()
        except Exception as problem:
            if not is_refusal(problem):
                raise


def _may_have(function: FunctionType, given: Mapping[str, Any]) -> bool:
    """Whether it is worth reading a function: it calls something like ``assume``, or returns in more than one place."""
    code = function.__code__
    inside = [one.co_names for one in code.co_consts if isinstance(one, CodeType)]
    names = itertools.chain(code.co_names, *inside)
    if any(name in ("assume", "reject") for name in names):  # also hypothesis.assume(...)
        return True
    called = [*_called_by(function), *_methods_named(code.co_names, given)]
    if any(_ends(one) or _assumes(one) for one in called):
        return True
    import opcode

    returns = [opcode.opmap[name] for name in ("RETURN_VALUE", "RETURN_CONST") if name in opcode.opmap]
    return sum(code.co_code[::2].count(number) for number in returns) > 1


def _called_by(function: FunctionType) -> list[Any]:
    """What the names in a function stand for, as far as they are global or of a function around it."""
    known = [function.__globals__.get(name) for name in function.__code__.co_names]
    return [*known, *closure_of(function).values()]


def _methods_named(names: Sequence[str], given: Mapping[str, Any]) -> list[Any]:
    """The methods of these names that the arguments have, as functions."""
    classes = [type(one) for one in given.values()]
    found = [inspect.getattr_static(cls, name, None) for cls in classes for name in names]
    return [getattr(one, "__func__", one) for one in found if one is not None]


def _assumes(thing: Any, depth: int = DEPTH) -> bool:
    """Whether user code, or a function that it calls, calls ``assume`` or ``reject``."""
    if type(thing) is not FunctionType or depth == 0:
        return False
    if _is_of_a_library(thing):
        return False
    return any(_ends(one) or _assumes(one, depth - 1) for one in _called_by(thing) if one is not thing)


#: What a condition in a test can be.
_KINDS = ("guard", "assume", "helper")


class _Beginning:
    """The statements at the beginning of a test."""

    def __init__(
        self,
        prop: Property,
        function: FunctionType,
        tree: ast.FunctionDef | ast.AsyncFunctionDef,
        given: Mapping[str, Any],
        renewed: Collection[str],
    ) -> None:
        self.function = function
        self.tree = tree
        self.adopted = prop.adopted
        self.names = list(prop.gens)
        self.file = Path(function.__code__.co_filename).name
        self.parameters = {arg.arg for arg in ast.walk(tree.args) if isinstance(arg, ast.arg)}
        #: other arguments, as far as they stay the same throughout the run
        self.known = {
            name: value
            for name, value in {**_defaults(function), **given}.items()
            if name in self.parameters
            and name not in prop.gens
            and ((_is_plain(value) and name not in renewed) or _is_owner(value, name, function))
        }
        #: the attributes of the object that a test is a method of, if there is a new one for each call
        self.renewed = {
            attribute
            for name, value in self.known.items()
            if name in renewed
            for attribute in getattr(value, "__dict__", {})
        }
        owners = [type(one) for one in self.known.values() if not _is_plain(one)]
        self.effects = Effects([*classes_in(prop.gens.values()), *owners], _ends)
        #: some values can be iterated over only once
        self.one_shot = any(getattr(one, "f", None) is OneShot for one in nodes_of(prop.gens.values()))
        self.outside: dict[str, Any] = {**function.__globals__, **closure_of(function)}
        #: functions that are defined in the test and call ``assume``
        self.helpers = {
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and any(self._is_call(one, _ends) for one in ast.walk(node))
        }

    def conditions(self) -> Iterator[Leading | Condition]:
        body = self.tree.body
        kinds = [self._kind(statement) for statement in body]
        before: list[ast.stmt] = []
        for number, (statement, kind) in enumerate(zip(body, kinds)):
            is_last = number == len(body) - 1
            if not any(map(self._is_condition, body[number:], kinds[number:])) and not _is_around(body[-1]):
                return
            if kind == "nothing":
                continue
            try:
                if kind is None:
                    raise Doubt(self._begins_at(statement))
                if self.one_shot:
                    raise Doubt("it may use up an iterator that the test is to get")
                self._check(body[: number + 1], body[number + 1 :])
                if kind in _KINDS:
                    yield self._leading(statement, before, body[: number + 1], kind)
            except Doubt as problem:
                if is_last and _is_around(statement):
                    yield from self._around(statement, before, number)
                else:
                    yield from self._left(body[number:], kinds[number:], str(problem))
                return
            if kind == "preparation" or names_set(statement) or self._used_up(statement, before):
                before.append(statement)

    def _around(self, statement: ast.If, before: Sequence[ast.stmt], number: int) -> Iterator[Leading]:
        """``if valid(x): ...`` around all the rest of a test."""
        only = ast.copy_location(ast.If(statement.test, [], []), statement)
        guard = ast.copy_location(
            ast.If(ast.UnaryOp(ast.Not(), statement.test), [ast.Return(None)], []), statement
        )
        body = self.tree.body
        try:
            self._check([*body[:number], only], statement.body)
            yield self._leading(ast.fix_missing_locations(guard), before, [*body[:number], only], "guard")
        except Doubt:
            return  # it may be a branch of the test as well

    def _left(self, body: Sequence[ast.stmt], kinds: Sequence[str | None], why: str) -> Iterator[Condition]:
        """The conditions that only the test itself evaluates."""
        asserted = False
        for statement, kind in zip(body, kinds):
            asserted = asserted or isinstance(statement, ast.Assert)
            if self._is_condition(statement, kind) and not (kind == "guard" and asserted):
                shown = self._shown(statement, kind or "assume")
                shown.used = f"left to the test: {why}"
                yield shown

    def _is_condition(self, statement: ast.stmt, kind: str | None) -> bool:
        return kind in _KINDS or (kind is None and self._assumes(statement))

    def _assumes(self, statement: ast.stmt) -> bool:
        return any(self._is_call(node, _ends) for node in _own_nodes(statement))

    def _begins_at(self, statement: ast.stmt) -> str:
        if self._assumes(statement):
            return f"the statement in line {statement.lineno} is more than a condition"
        return f"the test itself begins before it (line {statement.lineno})"

    def _shown(self, statement: ast.stmt, kind: str) -> Condition:
        return Condition(_text(statement, kind), kind, f"{self.file}:{statement.lineno}")

    def _kind(self, statement: ast.stmt) -> str | None:
        """What a statement is: a condition, something that conditions may need, or None where the actual test
        begins."""
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return "nothing"
            case ast.Expr(value=ast.Call(func=called)) if self._resolved(called) is note:
                return "nothing"
            case ast.FunctionDef() | ast.Import() | ast.ImportFrom() | ast.Delete():
                return "preparation"
            case ast.Assert(test=test):
                return "assume" if self._is_call(test, _ends) else None
            case ast.Return() | ast.Raise() | ast.With() | ast.AsyncWith() | ast.AsyncFor() | ast.ClassDef():
                return None
            case ast.AsyncFunctionDef():
                return None
        found: set[str] = set()
        for node in _own_nodes(statement):
            match node:
                case ast.Return(value=None | ast.Constant(value=None)):
                    found.add("guard")
                case ast.Assert(test=test) if not self._is_call(test, _ends):
                    return None
                case ast.Return() | ast.Raise() | ast.With():
                    return None
                case ast.Call() if self._is_call(node, _ends):
                    found.add("assume")
                case ast.Call() if self._calls_helper(node):
                    found.add("helper")
        return next((kind for kind in _KINDS if kind in found), "preparation")

    def _check(self, so_far: Sequence[ast.stmt], rest: Sequence[ast.stmt]) -> None:
        """Raise :class:`Doubt` if the statements so far have side effects, or if the last one uses something that the rest
        of the test changes."""
        self.effects.of_statements([one for one in so_far if self._kind(one) != "nothing"], self.function)
        statement = so_far[-1]
        read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        missing = (read & self.parameters) - set(self.names) - set(self.known)
        if missing:
            raise Doubt(f"it reads {', '.join(sorted(missing))}, which is not generated")
        for node in ast.walk(statement):
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self.known:
                    if callable(getattr(self.known[name], "__dict__", {}).get(attribute)):
                        raise Doubt(f"{name}.{attribute} is not a method of its class (line {node.lineno})")
        called = self._functions_in([statement])
        used = read | _globals_of(called)
        attributes = {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
        renewed = (used | attributes) & self.renewed
        if renewed:
            raise Doubt(f"it reads {', '.join(sorted(renewed))}, which is set anew for each input")
        for function, nodes in ((self.function, rest), *self._reached(rest)):
            inner = [node for later in nodes for node in ast.walk(later)]
            other_names = _other_names(inner)
            is_test = function is self.function
            own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
            outer = (read & self.outside.keys() - self.parameters | _globals_of(called)) - own
            outer |= used & self.known.keys() if is_test else set()
            for node in inner:
                found = _changed_names(node, function)
                if isinstance(node, ast.Call):
                    found |= self._changed_by(node, function, self.known if is_test else {})
                for changed in {other_names.get(name, name) for name in found} & outer:
                    where = "the test" if is_test else function.__name__
                    raise Doubt(f"{where} changes {changed} (line {getattr(node, 'lineno', '?')})")

    def _changed_by(
        self, call: ast.Call, caller: FunctionType, known: Mapping[str, Any], depth: int = DEPTH
    ) -> set[str]:
        """The names in a call that stand for what the called function changes. ``known`` are what arguments of the caller
        stand for."""
        outside = {**caller.__globals__, **closure_of(caller), **known}
        target, owner = call.func, None
        called = _named(target, outside)
        if isinstance(target, ast.Attribute):
            holder = _named(target.value, outside)
            called = None if holder is None else inspect.getattr_static(holder, target.attr, None)
            is_free = isinstance(holder, ModuleType) or isinstance(called, staticmethod)
            is_free = is_free or (isinstance(holder, type) and isinstance(called, FunctionType))
            owner = None if is_free else target.value
        called = getattr(called, "__func__", called)
        if not isinstance(called, FunctionType) or not depth or _is_of_a_library(called):
            return set()
        tree = tree_of(called)
        given = given_to(called, call, owner)
        if tree is None or given is None:
            return set()
        values = {name: _named(value, outside) for name, value in given.items() if value is not None}
        known = {name: value for name, value in values.items() if value is not None}
        changed: set[str] = set()
        for node in ast.walk(tree):
            changed |= _changed_names(node, called)
            if isinstance(node, ast.Call):
                changed |= self._changed_by(node, called, known, depth - 1)
        roots = [rooted(value)[0] for name in changed if (value := given.get(name)) is not None]
        return {root.id for root in roots if isinstance(root, ast.Name)}

    def _functions_in(self, body: Sequence[ast.stmt]) -> list[FunctionType]:
        """The user's functions that statements call, and those that they call."""
        found: list[FunctionType] = []
        called = [node.func for one in body for node in ast.walk(one) if isinstance(node, ast.Call)]
        names = [one.attr for one in called if isinstance(one, ast.Attribute)]
        pending = [(self._resolved(one), DEPTH) for one in called]
        pending += [(one, DEPTH) for one in _methods_named(names, self.known)]
        while pending:
            thing, depth = pending.pop()
            thing = getattr(thing, "__func__", thing)
            if not isinstance(thing, FunctionType) or thing in found or not depth:
                continue
            if _is_of_a_library(thing):
                continue
            found.append(thing)
            pending += [(one, depth - 1) for one in _called_by(thing)]
            pending += [(one, depth - 1) for one in _methods_named(thing.__code__.co_names, self.known)]
        return found

    def _reached(self, rest: Sequence[ast.stmt]) -> Iterator[tuple[FunctionType, Sequence[ast.stmt]]]:
        """The functions that the rest of the test calls, with their bodies as far as they can be read."""
        for function in self._functions_in(rest):
            tree = tree_of(function)
            if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef):
                yield function, tree.body

    def _leading(
        self, statement: ast.stmt, before: Sequence[ast.stmt], so_far: Sequence[ast.stmt], kind: str
    ) -> Leading:
        if not begins_with(self.function, self.tree, so_far):
            raise Doubt(
                "the source of the test is not the code that runs; was the file changed after it was imported?"
            )
        needed = names_read(statement)
        kept: list[ast.stmt] = []
        for one in reversed(before):
            if (_bound_by(one) | self._used_up(one, before)) & needed or not _can_be_left_out(one):
                kept.insert(0, one)
                needed |= names_read(one)
        read_before = {name for one in before for name in names_read(one)}
        arguments = [name for name in self.names if name in needed | read_before]
        if not any(name in needed for name in arguments):
            raise Doubt("it reads none of the generated arguments")
        whole = self._function(before, statement, arguments)
        function = whole if kept == list(before) else self._function(kept, statement, arguments)
        places = tuple(self.names.index(name) for name in arguments)
        return Leading(function, whole, places, self._shown(statement, kind))

    def _function(
        self, before: Sequence[ast.stmt], statement: ast.stmt, arguments: Sequence[str]
    ) -> FunctionType:
        rewriting = _Rewriting(self)
        body = [rewriting.statement(one) for one in before]
        body += _answer(rewriting.statement(statement))
        calls = [node for one in body for node in ast.walk(one) if isinstance(node, ast.Call)]
        if self.adopted and any(self._is_call(node, _ends) or self._calls_helper(node) for node in calls):
            raise Doubt("assume of Hypothesis can only be called while the test runs")
        read = {name for one in (*before, statement) for name in names_read(one)}
        known = [name for name in self.known if name in read]
        taken = ast.arguments([], [ast.arg(name) for name in (*arguments, *known)], None, [], [], None, [])
        defaults = tuple(self.known[name] for name in known)
        made = make_function("condition", taken, body, self.function, defaults)
        if made is None:
            raise Doubt("it cannot be separated from the test")
        return made

    # --- names ------------------------------------------------------------------------------------------

    def _used_up(self, statement: ast.stmt, before: Sequence[ast.stmt]) -> set[str]:
        outside = {**vars(builtins), **self.outside}
        return used_up(statement, before, outside, self.effects.members, self.effects.changing)

    def _resolved(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return None if name in self.function.__code__.co_varnames else self.outside.get(name)
            case ast.Attribute(value=value, attr=name):
                owner = self._resolved(value)
                # Not a property, which would run.
                if isinstance(owner, ModuleType | type) or _is_method(owner, name):
                    return getattr(owner, name, None)
        return None

    def _is_call(self, node: ast.AST, what: Callable[[Any], bool]) -> bool:
        return isinstance(node, ast.Call) and what(self._resolved(node.func))

    def _calls_helper(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Name(id=name) if name in self.helpers:
                return True
            case ast.Attribute(value=ast.Name(id=name), attr=method) if name in self.known:
                return any(_assumes(one) for one in _methods_named([method], {name: self.known[name]}))
        return self._is_call(node, _assumes)


class _Rewriting(ast.NodeTransformer):
    """Turns assumptions and returns into answers: the input should not be tested."""

    def __init__(self, beginning: _Beginning) -> None:
        self.beginning = beginning
        #: inside a ``try`` that may catch what ``assume`` raises
        self.tries = 0

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

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        self.tries += 1
        self.generic_visit(node)
        self.tries -= 1
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return self._assumed(node, node.test)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return self._assumed(node, node.value)

    def _assumed(self, node: ast.stmt, value: ast.expr) -> ast.stmt:
        if self.tries:
            return node
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
    return shortened(text)


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """A statement and everything in it, except what is in functions that are defined there."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)


def _is_around(statement: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(statement, ast.If) and not statement.orelse


#: Builtins that raise for no value of a type that they take.
_NEVER_RAISE = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "dict",
        "enumerate",
        "frozenset",
        "isinstance",
        "len",
        "list",
        "repr",
        "reversed",
    }
    | {"set", "sorted", "str", "sum", "tuple", "type", "zip"}
)


def _bound_by(statement: ast.stmt) -> set[str]:
    """The names that a statement sets, also by a definition or an import."""
    defined = {statement.name} if isinstance(statement, ast.FunctionDef) else set()
    return names_set(statement) | defined | {name for name, _ in bindings(statement)}


def _can_be_left_out(statement: ast.stmt) -> bool:
    """Whether a statement before a condition that does not need it may be left out: it cannot raise anything for some inputs
    only, as far as one sees. (Whole inputs are checked with it.)"""
    match statement:
        case ast.FunctionDef() | ast.Import() | ast.ImportFrom():
            return True
        case (
            ast.Assign(targets=[ast.Name()], value=value)
            | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
        ):
            return all(map(_never_raises, ast.walk(value)))
    return False


def _never_raises(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in _NEVER_RAISE
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("copy", "items", "keys", "values", "strip", "lower", "upper")
        case ast.BinOp(op=op):
            return isinstance(op, ast.Add | ast.Sub | ast.Mult)
        case ast.Subscript() | ast.Await() | ast.Yield() | ast.YieldFrom():
            return isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return True


def _is_method(owner: Any, name: str) -> bool:
    return isinstance(
        inspect.getattr_static(owner, name, None), FunctionType | MethodType | classmethod | staticmethod
    )


def _globals_of(functions: Sequence[FunctionType]) -> set[str]:
    """The names of outer variables that functions read."""
    return {
        name
        for one in functions
        for code in codes(one.__code__)
        for name in (*code.co_names, *code.co_freevars)
        if name in one.__globals__ or name in code.co_freevars
    }


#: Methods that change an object, besides those that change containers, and functions that change their first argument.
_SETTING = frozenset({"set", "reset", "put", "put_nowait", "get_nowait", "seed", "setstate"})
_CHANGING_FIRST = frozenset({"setattr", "delattr", "setitem", "delitem"})


def _changed_names(node: ast.AST, function: FunctionType) -> set[str]:
    """The variables that a part of a function may change, or something inside of them."""
    changed: ast.expr
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[changed, *names]) if (
            name in _CHANGING_FIRST
        ):
            found = _roots_of(changed, function, names[0] if names else None)
            return found | (_roots_of(node.func, function) if isinstance(node.func, ast.Attribute) else set())
        case ast.Call(func=ast.Attribute(value=changed, attr=method)) if method in CHANGING | _SETTING:
            return _roots_of(changed, function)
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=name, ctx=ast.Store()):
            return _text_in(name)
        case ast.Attribute(value=changed, attr=name, ctx=ast.Store() | ast.Del()):
            return _roots_of(changed, function, ast.Constant(name))
        case ast.Subscript(value=changed, ctx=ast.Store() | ast.Del()):
            return _roots_of(changed, function)
        case ast.AugAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return set(names)
    return set()


def _roots_of(changed: ast.expr, function: FunctionType, attribute: ast.expr | None = None) -> set[str]:
    """The variable to which an object belongs of which something is changed, perhaps an attribute; if that is a global of
    a module, it too."""
    root = rooted(changed)[0]
    found = {root.id} if isinstance(root, ast.Name) else _text_in(changed)
    owner = _named(changed, {**function.__globals__, **closure_of(function)})
    return found | _text_in(attribute) if isinstance(owner, ModuleType) else found


def _text_in(node: ast.expr | None) -> set[str]:
    """The name that a text ends with: ``limit`` for ``"settings.limit"``."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return {node.value.rpartition(".")[2]} if is_text else set()  # type: ignore[union-attr]


def _other_names(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Further names that statements give to a variable, or to something inside of it."""
    found = {}
    for node in nodes:
        for name, value in bindings(node):
            root = None if value is None else rooted(value)[0]
            if isinstance(root, ast.Name):
                found[name] = root.id
    return found


def _named(node: ast.expr, outside: Mapping[str, Any]) -> Any:
    """What a name, or an attribute of a module or class, stands for; None if it is not known."""
    match node:
        case ast.Name(id=name):
            return outside.get(name)
        case ast.Attribute(value=value, attr=name):
            owner = _named(value, outside)
            return getattr(owner, name, None) if isinstance(owner, ModuleType | type) else None
    return None


def _is_of_a_library(function: FunctionType) -> bool:
    first = (function.__module__ or "").partition(".")[0]
    return first in ("everycase", "hypothesis", *sys.stdlib_module_names)


# --- what is known ------------------------------------------------------------------------------------------


def _is_assume(thing: Any) -> bool:
    return thing is assume or _is_hypothesis(thing, "assume")


def _is_reject(thing: Any) -> bool:
    return thing is reject or _is_hypothesis(thing, "reject")


def _ends(thing: Any) -> bool:
    return _is_assume(thing) or _is_reject(thing)


def _is_hypothesis(thing: Any, name: str) -> bool:
    # Only functions are asked: other objects may refuse to be looked at.
    return type(thing) is FunctionType and thing.__module__ == "hypothesis.control" and thing.__name__ == name


#: Types whose values stay the same.
_PLAIN = (
    *(int, float, complex, str, bytes, type(None), type, FunctionType, enum.Enum),
    *(datetime.date, datetime.time, datetime.timedelta),
)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, value))
    return isinstance(value, _PLAIN) or type(value).__module__ in ("decimal", "fractions")


def _is_owner(value: object, name: str, function: FunctionType) -> bool:
    """Whether an argument is the object that a test is a method of."""
    return name == function.__code__.co_varnames[0] and hasattr(type(value), function.__name__)


def _defaults(function: FunctionType) -> dict[str, Any]:
    """The arguments of a function that have default values."""
    parameters = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in parameters if one.default is not one.empty}
