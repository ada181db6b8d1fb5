"""Goals for free: how far a test's own assertion is from failing.

``assert cost(x) < 21`` says what a failure is, and ``cost(x) - 21`` says how near an input comes to it. So if
a test does not call ``maximize`` or ``minimize``, its assertions are read: for those that compare two
numbers, the distance to the failing side is a utility. For this, the source of the test is compiled once
more, with each such comparison replaced by a call that compares the same two values, evaluated once as
before, and records their distance. Functions of the same file and methods that the test calls are treated in
the same way. Only exploring runs these copies; a failure is confirmed, shrunk and shown by the test as it was
written.

Tests whose source cannot be read, coroutines, lambdas, and tests that set their own goals are left alone.
``settings(goals=False)`` switches it off.
"""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import math
import operator
import textwrap
from collections.abc import Callable
from contextlib import suppress
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any
from weakref import WeakKeyDictionary

from everycase.run.context import current_or_none

#: The name of the function that records a distance in the copy: no name that a person would write.
HOOK = "__everycase_goal__"

#: The name by which it asks for the copy of a function that it calls, and the prefix of variables that hold a
#: value used in two comparisons.
HELPER, VALUE = "__everycase_helper__", "__everycase_value_"

#: Tests that use one of these names set their own goals.
OWN_GOALS = frozenset({"maximize", "minimize", "target"})

#: Maximum number of functions in which assertions are looked for.
MOST_CALLS = 3

#: After this number of comparisons without a number the original test is run.
GIVE_UP = 50

_COMPARISONS: dict[type[ast.cmpop], tuple[Callable[[Any, Any], Any], Callable[[Any, Any], float]]] = {
    ast.Lt: (operator.lt, lambda a, b: a - b),
    ast.LtE: (operator.le, lambda a, b: a - b),
    ast.Gt: (operator.gt, lambda a, b: b - a),
    ast.GtE: (operator.ge, lambda a, b: b - a),
    ast.Eq: (operator.eq, lambda a, b: abs(a - b)),
    ast.NotEq: (operator.ne, lambda a, b: -abs(a - b)),
}
_NAMES = {kind.__name__: rule for kind, rule in _COMPARISONS.items()}

#: The comparisons with a range.
_OF_RANGES = ("In", "NotIn")

#: The condition that must hold if an assertion says ``not``.
_OPPOSITE = {"Lt": "GtE", "LtE": "Gt", "Gt": "LtE", "GtE": "Lt", "Eq": "NotEq", "NotEq": "Eq"}


class Goals:
    """A test and its copy that records distances. Called like the test.

    The copy is made when it is first needed: most tests that fail do so before, and reading the source takes
    longer than a hundred small tests.
    """

    def __init__(self, test: FunctionType) -> None:
        functools.update_wrapper(self, test)
        self.test = test
        self._copy: FunctionType | None = None
        self._hook: Hook | None = Hook()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:  # the test may have a parameter called self
        __tracebackhide__ = True
        if self._hook is None:
            return self.test(*args, **kwargs)
        scope = current_or_none()
        if scope is None or not scope.wants_goals:
            return self.test(*args, **kwargs)
        if self._copy is None:
            self._copy = copied(self.test, self._hook)
        if self._copy is None or self._hook.useless:
            self._hook = None  # there is nothing to record
            return self.test(*args, **kwargs)
        return self._copy(*args, **kwargs)


class Hook:
    """Compares as the assertion does, and records how far it was from failing."""

    def __init__(self) -> None:
        self.calls = self.numbers = 0
        self._helpers: dict[FunctionType, FunctionType | None] = {}

    @property
    def useless(self) -> bool:
        return not self.numbers and self.calls >= GIVE_UP

    def helper(self, called: Any) -> Any:
        """The function that a test calls, or its copy that records distances."""
        if type(called) is MethodType:
            copy = self._copy_of(called.__func__)
            return called if copy is None else MethodType(copy, called.__self__)
        return (self._copy_of(called) or called) if type(called) is FunctionType else called

    def _copy_of(self, function: Any) -> FunctionType | None:
        if function not in self._helpers:
            self._helpers[function] = None  # also for a function that calls itself, while it is being read
            if type(function) is FunctionType and _is_read(function):
                self._helpers[function] = copied(function, self)
        return self._helpers[function]

    def __call__(self, label: str, kind: str, left: Any, right: Any, opposite: bool = False) -> Any:
        __tracebackhide__ = True
        self.calls += 1
        if kind in _OF_RANGES:
            if type(left) is int and type(right) is range and right.step == 1 and len(right):
                below, above = right.start - left, left - right.stop + 1
                if (kind == "NotIn") != opposite:
                    self._note(label, -max(below, above, 0))
                else:
                    self._note(f"{label} (below)", below)  # a range has two sides to leave it by
                    self._note(f"{label} (above)", above)
            return (left in right) == (kind == "In")
        compare, distance = _NAMES[kind]
        if opposite:
            distance = _NAMES[_OPPOSITE[kind]][1]
        if type(left) in (int, float) and type(right) in (int, float):
            with suppress(OverflowError):
                self._note(label, float(distance(left, right)))
        return compare(left, right)

    def _note(self, label: str, distance: float) -> None:
        scope = current_or_none()
        if scope is None or not math.isfinite(distance):
            return
        self.numbers += 1
        scope.touched = True
        known = scope.guessed.get(label)
        scope.guessed[label] = distance if known is None else max(known, distance)


def with_goals(test: Callable[..., Any]) -> Callable[..., Any]:
    """The test with goals read from its assertions, or the test itself if it cannot have any."""
    if type(test) is MethodType:
        function = with_goals(test.__func__)
        return test if function is test.__func__ else MethodType(function, test.__self__)
    if type(test) is not FunctionType or test.__name__ == "<lambda>":
        return test
    if not _is_read(test) or not (_may_assert(test.__code__) or _calls_helpers(test)):
        return test
    return Goals(test)


def _is_read(test: FunctionType) -> bool:
    """Whether it is a plain function that does not set its own goals."""
    return (
        not OWN_GOALS & set(test.__code__.co_names)
        and not inspect.iscoroutinefunction(test)
        and not inspect.isgeneratorfunction(test)
    )


#: How methods call what they belong to.
_OWNERS = (("self",), ("cls",))


def _calls_helpers(test: FunctionType, seen: tuple[FunctionType, ...] = ()) -> bool:
    """Whether it may call a method, or a function of the same file, that has assertions."""
    code = test.__code__
    if code.co_varnames[:1] in _OWNERS and code.co_names:
        return True
    return any(_is_helper(test, name, (*seen, test)) for name in code.co_names + code.co_freevars)


def _is_helper(test: FunctionType, name: str, seen: tuple[FunctionType, ...] = ()) -> bool:
    """Whether a name stands for a function that may have assertions, or call one that has.

    It must be of the same file, or what a decorator has wrapped.
    """
    function = _named(test, name)
    if type(function) is not FunctionType or function in seen or len(seen) > MOST_CALLS:
        return False
    code = function.__code__
    near = code.co_filename == test.__code__.co_filename or getattr(test, "__wrapped__", None) is function
    return near and (_may_assert(code) or _calls_helpers(function, seen))


def _named(test: FunctionType, name: str) -> Any:
    """What a name that a function does not bind itself stands for; None if nothing is known of it."""
    free = test.__code__.co_freevars
    if name not in free:
        return test.__globals__.get(name)
    with suppress(ValueError):  # nothing was assigned to it yet
        return (test.__closure__ or ())[free.index(name)].cell_contents
    return None


def _may_assert(code: CodeType) -> bool:
    """Whether a function may have assertions: plain ones, or as pytest rewrites them.

    Newer Pythons have no instruction that only assertions use.
    """
    instruction = dis.opmap.get("LOAD_ASSERTION_ERROR")
    return instruction is None or instruction in code.co_code[::2] or "AssertionError" in code.co_names


#: The changed code of functions that were read before, because tests are run more than once.
_READ: WeakKeyDictionary[FunctionType, CodeType | None] = WeakKeyDictionary()


def copied(test: FunctionType, hook: Hook) -> FunctionType | None:
    """The test with the comparisons of its assertions replaced; None if there are none, or the source is not known."""
    if test not in _READ:
        _READ[test] = _changed_code(test)
    code = _READ[test]
    if code is None:
        return None
    cells = {
        HOOK: CellType(hook),
        HELPER: CellType(hook.helper),
        **dict(zip(test.__code__.co_freevars, test.__closure__ or ())),
    }
    closure = tuple(cells[name] for name in code.co_freevars)
    copy = FunctionType(code, test.__globals__, test.__name__, test.__defaults__, closure)
    copy.__kwdefaults__ = test.__kwdefaults__
    return copy


def _changed_code(test: FunctionType) -> CodeType | None:
    try:
        lines, first = inspect.getsourcelines(test.__code__)  # not what a decorator has wrapped
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    definition = tree.body[0] if tree.body else None
    if not isinstance(definition, ast.FunctionDef) or definition.name != test.__code__.co_name:
        return None
    reader = _Reader(test)
    definition.body = [reader.visit(statement) for statement in definition.body]
    if not (reader.found or reader.helpers) or reader.private:
        return None
    return _compiled(test.__code__, definition, first - 1)


class _Reader(ast.NodeTransformer):
    """Replaces the comparisons of assertions; functions and classes within the test are left alone."""

    def __init__(self, test: FunctionType) -> None:
        self.test = test
        self.found = self.helpers = 0
        #: a name that the class around the test would change
        self.private = False

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        node.test = ast.fix_missing_locations(ast.copy_location(self._noting(node.test, False), node.test))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node.func:
            case ast.Name(id=name) if _is_helper(self.test, name):
                pass
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case _:
                return node
        self.helpers += 1
        wrapped = ast.Call(ast.Name(HELPER, ast.Load()), [node.func], [])
        node.func = ast.fix_missing_locations(ast.copy_location(wrapped, node.func))
        return node

    def _noting(self, test: ast.expr, opposite: bool) -> ast.expr:
        """A condition that should hold (or, if ``opposite``, should not) with its comparisons replaced, as
        far as each of them alone can make it fail."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(ast.Not(), self._noting(operand, not opposite))
            case ast.BoolOp(op=op, values=values) if isinstance(op, ast.Or if opposite else ast.And):
                return ast.BoolOp(op, [self._noting(value, opposite) for value in values])
            case ast.Compare(ops=[kind], comparators=[right]) if self._is_noted(kind, right):
                return self._call(test, kind, test.left, right, opposite)
            case ast.Compare(ops=[_, _, *_]) if not opposite and all(
                type(kind) in _COMPARISONS for kind in test.ops
            ):
                return self._chain(test)
            case _:
                return test

    def _is_noted(self, kind: ast.cmpop, right: ast.expr) -> bool:
        return type(kind) in _COMPARISONS or (type(kind).__name__ in _OF_RANGES and _is_range(right))

    def _chain(self, test: ast.Compare) -> ast.expr:
        """``a < b < c`` is ``a < b and b < c`` with ``b`` evaluated once."""
        left, parts = test.left, list[ast.expr]()
        for place, (kind, right) in enumerate(zip(test.ops, test.comparators)):
            following: ast.expr = right
            if place < len(test.ops) - 1:
                name = f"{VALUE}{self.found}"
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)
                following = ast.Name(name, ast.Load())
            parts.append(self._call(test, kind, left, right, False, f" ({place + 1})"))
            left = following
        return ast.BoolOp(ast.And(), parts)

    def _call(
        self, test: ast.expr, kind: ast.cmpop, left: ast.expr, right: ast.expr, opposite: bool, part: str = ""
    ) -> ast.expr:
        self.found += 1
        label = f"assert {'not ' if opposite else ''}{ast.unparse(test)}{part}"
        said = [ast.Constant(label), ast.Constant(type(kind).__name__), left, right, ast.Constant(opposite)]
        return ast.Call(ast.Name(HOOK, ast.Load()), said, [])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        self.private = self.private or _is_private(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.private = self.private or _is_private(node.attr)
        return self.generic_visit(node)


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def _compiled(code: CodeType, definition: ast.FunctionDef, above: int) -> CodeType | None:
    """The changed definition compiled in the place of the test's: same names around it, same lines in
    tracebacks."""
    definition.decorator_list, definition.returns = [], None
    arguments = definition.args
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]  # the test's own are taken
    arguments.kw_defaults = [None if d is None else ast.Constant(None) for d in arguments.kw_defaults]
    around = [HOOK, HELPER, *code.co_freevars]
    factory = ast.FunctionDef(
        "factory",
        ast.arguments([], [ast.arg(name) for name in around], None, [], [], None, []),
        [definition],
        [],
    )
    tree = ast.Module([factory], [])
    ast.fix_missing_locations(tree)
    ast.increment_lineno(tree, above)
    try:
        module = compile(tree, code.co_filename, "exec", dont_inherit=True, flags=_future(code))
    except (SyntaxError, ValueError):
        return None
    made = next(c for c in module.co_consts if isinstance(c, CodeType))
    inner = next((c for c in made.co_consts if isinstance(c, CodeType) and c.co_name == code.co_name), None)
    if inner is None or inner.co_varnames[: inner.co_argcount] != code.co_varnames[: code.co_argcount]:
        return None
    return inner if set(inner.co_freevars) <= set(around) else None


def _future(code: CodeType) -> int:
    """The ``from __future__`` imports that the test was compiled with."""
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= code.co_flags & getattr(__future__, name).compiler_flag
    return flags
