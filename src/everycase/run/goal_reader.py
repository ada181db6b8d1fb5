"""Reads the assertions of a test and makes a copy in which their comparisons call a hook.

What counts as an assertion: ``assert``, ``if ...: raise AssertionError`` (and ``pytest.fail``), and the methods
of unittest. A condition is taken apart as far as its comparisons can make it fail:

- where one of them suffices (``a and b``, ``a < b < c``, ``all(...)``), each has its own goal;
- where all of them have to fail (``a or b``), they share one. Python evaluates the second only once the first has
  failed, so the first comes first: each has its own part of the range from 0 to 1;
- a function of the same file whose result is asserted (``assert is_small(x)``) is read as well.

The copy means the same as the test: every expression is evaluated as often as before and in the same order.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from everycase.gen.names import closure_of

#: The name of the hook in the copy, and the prefix of variables that hold a value used in two comparisons: no names
#: that a person would write.
HOOK, VALUE = "__everycase_goals__", "__everycase_value_"

#: Tests that use one of these names set their own goals.
OWN_GOALS = frozenset({"maximize", "minimize", "target"})

#: Maximum number of functions in which assertions are looked for.
MOST_CALLS = 3

#: How methods call what they belong to.
_OWNERS = ("self", "cls")

_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_NOTED = (*_COMPARISONS, ast.In, ast.NotIn)

#: The methods of unittest that compare.
_METHODS = {
    "assertLess": "Lt",
    "assertLessEqual": "LtE",
    "assertGreater": "Gt",
    "assertGreaterEqual": "GtE",
    "assertEqual": "Eq",
    "assertNotEqual": "NotEq",
    "assertAlmostEqual": "Eq",
    "assertNotAlmostEqual": "NotEq",
    "assertIn": "In",
    "assertNotIn": "NotIn",
}

#: Exceptions that say nothing about the program under test.
_NO_FAILURES = frozenset({"SkipTest", "Skipped", "Discarded", "UnsatisfiedAssumption", "StopIteration"})

AnyNode = TypeVar("AnyNode", bound=ast.stmt | ast.expr)

#: Whether the result of a function is asserted: not at all (None), to be true (False), or to be false (True).
Sense = bool | None


# --- which functions are read ---------------------------------------------------------------------------


def may_have_goals(test: Any) -> bool:
    """Whether it is a function or method that may have assertions, or call functions that have, and sets no goals."""
    if type(test) is MethodType:
        test = test.__func__
    if type(test) is not FunctionType or test.__name__ == "<lambda>" or not is_read(test):
        return False
    return _may_assert(test.__code__) or _calls_helpers(test)


def is_read(function: FunctionType) -> bool:
    """Whether it is a plain function that does not set its own goals."""
    return not OWN_GOALS & set(function.__code__.co_names) and not (
        inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)
    )


def _may_assert(code: CodeType) -> bool:
    """Whether a function may have assertions, by a look at its instructions.

    Newer Pythons have no instruction that only assertions use.
    """
    instruction = dis.opmap.get("LOAD_ASSERTION_ERROR")
    if (
        instruction is None
        or instruction in code.co_code[::2]
        or dis.opmap["RAISE_VARARGS"] in code.co_code[::2]
    ):
        return True
    if any(name.startswith("assert") or name in ("AssertionError", "fail") for name in code.co_names):
        return True
    return any(_may_assert(inner) for inner in code.co_consts if isinstance(inner, CodeType))


def _calls_helpers(test: FunctionType, seen: tuple[FunctionType, ...] = ()) -> bool:
    """Whether it may call a method, or a function of the same file, that has assertions."""
    code = test.__code__
    if code.co_varnames[:1] in [(owner,) for owner in _OWNERS] and code.co_names:
        return True
    return any(_is_helper(test, name, (*seen, test)) for name in code.co_names + code.co_freevars)


def _is_helper(test: FunctionType, name: str, seen: tuple[FunctionType, ...] = ()) -> bool:
    """Whether a name stands for a function nearby that may have assertions, or call one that has."""
    function = _nearby(test, name)
    if function is None or function in seen or len(seen) > MOST_CALLS:
        return False
    return _may_assert(function.__code__) or _calls_helpers(function, seen)


def _nearby(test: FunctionType, name: str) -> FunctionType | None:
    """The function of the same file, or what a decorator has wrapped, for which a name stands."""
    function = _named(test, name)
    if type(function) is not FunctionType:
        return None
    same_file = function.__code__.co_filename == test.__code__.co_filename
    return function if same_file or getattr(test, "__wrapped__", None) is function else None


def _named(test: FunctionType, name: str) -> Any:
    """What a name that a function does not bind itself stands for; None if nothing is known of it."""
    if name in test.__code__.co_freevars:
        return closure_of(test).get(name)
    return test.__globals__.get(name) if name not in test.__code__.co_varnames else None


# --- the copy -------------------------------------------------------------------------------------------

#: The changed code of functions that were read before, because tests are run more than once.
_READ: WeakKeyDictionary[FunctionType, dict[tuple[bool, Sense], CodeType | None]] = WeakKeyDictionary()


def copied(test: FunctionType, hook: Any, *, own: bool = True, sense: Sense = None) -> FunctionType | None:
    """The function with the comparisons of its assertions replaced; None if there are none, or the source is
    not known. ``own`` says that it is the test itself, not a function that the test calls."""
    known = _READ.setdefault(test, {})
    if (own, sense) not in known:
        known[own, sense] = _changed_code(test, own, sense)
    code = known[own, sense]
    if code is None:
        return None
    cells = {HOOK: CellType(hook), **dict(zip(test.__code__.co_freevars, test.__closure__ or ()))}
    closure = tuple(cells[name] for name in code.co_freevars)
    copy = FunctionType(code, test.__globals__, test.__name__, test.__defaults__, closure)
    copy.__kwdefaults__ = test.__kwdefaults__
    return copy


def _changed_code(test: FunctionType, own: bool, sense: Sense) -> CodeType | None:
    try:
        lines, first = inspect.getsourcelines(test.__code__)  # not what a decorator has wrapped
        source = textwrap.dedent("".join(lines))
        definition, unchanged = _definition(source, test), _definition(source, test)
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    if definition is None or unchanged is None or _sees_its_variables(definition):
        return None
    written = _compiled(test.__code__, unchanged, first - 1)
    if written is None or not _is_part(written, test.__code__):
        return None  # the file was changed after it was imported
    reader = _Reader(test, own, sense, [line - first + 1 for line in _raises(test.__code__)])
    reader.look_ahead(definition)
    definition.body = reader.replace_in(definition.body)
    return _compiled(test.__code__, definition, first - 1) if reader.found else None


def _definition(source: str, test: FunctionType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    body = ast.parse(source).body
    definition = body[0] if body else None
    if not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    return definition if definition.name == test.__code__.co_name else None


def _sees_its_variables(definition: ast.AST) -> bool:
    """Whether it looks at its variables, among which there would be ours."""
    for node in ast.walk(definition):
        match node:
            case ast.Call(func=ast.Name(id="locals" | "vars" | "dir"), args=[]):
                return True
            case ast.Call(func=ast.Name(id="eval" | "exec")):
                return True
    return False


def _raises(code: CodeType) -> Iterator[int]:
    """The lines of all raise statements and of failures of assertions."""
    raising = dis.opmap["RAISE_VARARGS"]
    for instruction, (line, *_) in zip(code.co_code[::2], code.co_positions()):
        if instruction == raising and line is not None:
            yield line
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _raises(inner)


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name"):
            if isinstance(name := getattr(node, field, None), str):
                yield name


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_part(written: CodeType, code: CodeType) -> bool:
    """Whether all names and constants of the source are in the code.

    pytest adds others to assertions, and does not fold ``10**6``.
    """
    rewritten = any(name.startswith("@py") for name in code.co_names + code.co_varnames)
    return set(written.co_names) <= set(code.co_names) and (
        rewritten or _constants(written) <= _constants(code)
    )


def _constants(code: CodeType) -> set[tuple[type, str]]:
    return {(type(value), repr(value)) for value in code.co_consts if not isinstance(value, CodeType)}


def _compiled(
    code: CodeType, definition: ast.FunctionDef | ast.AsyncFunctionDef, above: int
) -> CodeType | None:
    """The changed definition compiled in the place of the test's: same names around it, same lines in
    tracebacks."""
    # Decorators are not called again, but the first one decides in which line the function begins.
    definition.decorator_list = [ast.copy_location(ast.Constant(None), d) for d in definition.decorator_list]
    definition.returns = None
    if hasattr(definition, "type_params"):
        definition.type_params = []
    arguments = definition.args
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]  # the test's own are taken
    arguments.kw_defaults = [None if d is None else ast.Constant(None) for d in arguments.kw_defaults]
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    around = [HOOK, *code.co_freevars]
    body: list[ast.stmt] = [definition]
    if any(map(_is_private, _names(definition))):  # the class around it changes such names
        *_, owner, _ = ["", *code.co_qualname.split(".")]
        if not owner.isidentifier():
            return None
        body = [ast.ClassDef(owner, [], [], body, [])]
    factory = ast.FunctionDef(
        "factory", ast.arguments([], [ast.arg(name) for name in around], None, [], [], None, []), body, []
    )
    tree = ast.Module([factory], [])
    ast.fix_missing_locations(tree)
    ast.increment_lineno(tree, above)
    try:
        made = compile(tree, code.co_filename, "exec", dont_inherit=True, flags=_future(code))
    except (SyntaxError, ValueError):
        return None
    for _ in range(2 if body == [definition] else 3):  # the module, the factory, the class
        made = next(part for part in made.co_consts if isinstance(part, CodeType))
    if made.co_varnames[: made.co_argcount] != code.co_varnames[: code.co_argcount]:
        return None
    return made if set(made.co_freevars) <= set(around) else None


def _future(code: CodeType) -> int:
    """The ``from __future__`` imports that the test was compiled with."""
    import __future__

    flags = 0
    for name in __future__.all_feature_names:
        flags |= code.co_flags & getattr(__future__, name).compiler_flag
    return flags


# --- assertions and their conditions --------------------------------------------------------------------


class _Group:
    """The label that comparisons share which all have to fail, and the part of the range that is theirs."""

    def __init__(self, label: str, low: float = 0.0, width: float = 1.0) -> None:
        self.label, self.low, self.width = label, low, width

    def split(self, count: int) -> list[_Group]:
        width = self.width / count
        return [_Group(self.label, self.low + place * width, width) for place in range(count)]


class _Reader(ast.NodeTransformer):
    """Replaces the comparisons of assertions; classes within the test are left alone."""

    def __init__(self, test: FunctionType, own: bool, sense: Sense, raises: list[int]) -> None:
        self.test = test
        #: the lines of the source where the test raises
        self.raises = raises
        self.own = own
        self.sense = sense
        #: how many comparisons and calls were replaced
        self.found = 0
        #: how many statements around this one catch exceptions
        self.catching = 0
        #: ``if ...: return`` just before a failure
        self.before_a_failure: set[ast.If] = set()
        #: variables and functions of the test whose values are asserted, and whether they should be false
        self.asserted_names: dict[str, bool] = {}

    def look_ahead(self, definition: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._look_for_names(definition)
        for node in ast.walk(definition):
            for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
                for one, following in pairwise(block if isinstance(block, list) else []):
                    match one:
                        case ast.If(body=[*_, ast.Return()], orelse=[]) if self._fails([following]):
                            self.before_a_failure.add(one)

    def _look_for_names(self, definition: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Names that the test binds once and asserts, as in ``ok = x < 3`` and ``assert ok``."""
        bound = Counter(
            node.id if isinstance(node, ast.Name) else node.name
            for node in ast.walk(definition)
            if (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del))
            or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        )
        senses: dict[str, set[bool]] = {}
        for node in ast.walk(definition):
            if isinstance(node, ast.Assert):
                for name, opposite in _asserted_names(node.test, False):
                    senses.setdefault(name, set()).add(opposite)
        for name, found in senses.items():
            if bound[name] == 1 and len(found) == 1:
                self.asserted_names[name] = found.pop()

    # --- where conditions are ---------------------------------------------------------------------------

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self.visit_Assign(node)

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> ast.AST:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if name in self.asserted_names:
                opposite = self.asserted_names[name]
                if isinstance(value, ast.Lambda):
                    value.body = self._asserted(value.body, opposite)
                elif isinstance(value, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.BinOp):
                    node.value = self._asserted(value, opposite)
        self.generic_visit(node)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        first, last = node.lineno, node.end_lineno or node.lineno
        node.test = self._asserted(node.test, False)
        self.generic_visit(node)
        if first < last:
            # Which of its lines fails depends on the version of Python, and on whether pytest has rewritten it.
            line = next((line for line in self.raises if first <= line <= last), first)
            node.test = _in_line(
                line, ast.UnaryOp(ast.Not(), _in_line(line, ast.UnaryOp(ast.Not(), node.test)))
            )
            _in_line(line, node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if self._fails(node.body):
            node.test = self._asserted(node.test, True)
        elif self._fails(node.orelse) or node in self.before_a_failure:
            node.test = self._asserted(node.test, False)
        self.generic_visit(node)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if self.sense is not None and node.value is not None:
            node.value = self._asserted(node.value, self.sense)
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        match node:
            case ast.Call(func=ast.Name(id=name)) if _is_helper(self.test, name):
                node.func = self._hooked(node.func, "helper")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=attr)) if attr in _METHODS:
                said = ast.Constant(ast.unparse(node)), ast.Constant(_METHODS[attr])
                node = self._in_line_of_method(node)
                node.func = self._hooked(node.func, "checked", *said)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr="assertTrue" | "assertFalse" as attr),
                args=[test, *_],
            ):
                node.args[0] = self._asserted(test, attr == "assertFalse")
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner in _OWNERS:
                node = self._in_line_of_method(node)
                node.func = self._hooked(node.func, "helper")
        self.generic_visit(node)
        return node

    def _in_line_of_method(self, node: ast.Call) -> ast.Call:
        return _in_line(node.func.end_lineno or node.lineno, node)

    def _fails(self, body: list[ast.stmt]) -> bool:
        """Whether a block ends with a failure of the test."""
        match body[-1:]:
            case [ast.Raise(exc=ast.expr() as raised)]:
                name = _last_name(raised.func if isinstance(raised, ast.Call) else raised)
                if name in ("AssertionError", "failureException"):
                    return True
                # A function that the test calls may raise what the test expects.
                own = self.own and not self.catching
                return own and name is not None and name not in _NO_FAILURES
            case [ast.Expr(value=ast.Call(func=function))]:
                return _last_name(function) == "fail"
            case [ast.Return(value=ast.Constant(value=bool() as result))]:
                return self.sense is not None and result == self.sense
            case _:
                return False

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._within_catching(node)

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._within_catching(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._within_catching(node)

    def _within_catching(self, node: ast.AST) -> ast.AST:
        self.catching += 1
        self.generic_visit(node)
        self.catching -= 1
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._within_function(node, self.asserted_names.get(node.name))

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._within_function(node)

    def _within_function(self, node: ast.AST, answers: Sense = None) -> ast.AST:
        sense, self.sense = self.sense, answers
        self._within_catching(node)
        self.sense = sense
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    # --- what conditions say ----------------------------------------------------------------------------

    def _asserted(self, test: ast.expr, opposite: bool) -> ast.expr:
        return ast.fix_missing_locations(self._noting(test, opposite, None))

    def _noting(self, test: ast.expr, opposite: bool, group: _Group | None) -> ast.expr:
        """A condition that should hold (or, if ``opposite``, should not) with its comparisons replaced."""
        return ast.copy_location(self._replaced(test, opposite, group), test)

    def _replaced(self, test: ast.expr, opposite: bool, group: _Group | None) -> ast.expr:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ast.UnaryOp(ast.Not(), self._noting(operand, not opposite, group))
            case ast.NamedExpr(target=target, value=value):
                return ast.NamedExpr(target, self._noting(value, opposite, group))
            case ast.IfExp(test=choice, body=body, orelse=other):
                return ast.IfExp(
                    choice, self._noting(body, opposite, group), self._noting(other, opposite, group)
                )
            case ast.BoolOp(op=op, values=values):
                one_suffices = isinstance(op, ast.Or if opposite else ast.And)
                groups = self._groups(test, len(values), one_suffices, group)
                return ast.BoolOp(
                    op, [self._noting(value, opposite, part) for value, part in zip(values, groups)]
                )
            case ast.Compare(
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as kind],
                comparators=[ast.Constant(value=bool() as truth)],
            ):
                turned = opposite != (truth == isinstance(kind, ast.IsNot | ast.NotEq))
                return ast.Compare(self._noting(test.left, turned, group), test.ops, test.comparators)
            case ast.BinOp(op=ast.BitAnd(), left=left, right=right) if group is None and not opposite:
                parts = [self._noting(part, False, None) for part in (left, right)]
                return ast.BinOp(parts[0], ast.BitAnd(), parts[1])
            case ast.Compare(ops=[kind], comparators=[right]) if isinstance(kind, _NOTED):
                return self._comparison(test, kind, test.left, right, opposite, group)
            case ast.Compare(ops=[_, _, *_]) if all(isinstance(kind, _COMPARISONS) for kind in test.ops):
                return self._chain(test, opposite, group)
            case ast.Call():
                return self._called(test, opposite, group)
            case _:
                return test

    def _groups(
        self, test: ast.expr, count: int, one_suffices: bool, group: _Group | None
    ) -> Iterable[_Group | None]:
        if one_suffices:
            return [group] * count
        return (group or _Group(f"assert {ast.unparse(test)}")).split(count)

    def _called(self, test: ast.Call, opposite: bool, group: _Group | None) -> ast.expr:
        match test:
            case ast.Call(
                func=ast.Name(id="all" | "any" as name),
                args=[ast.GeneratorExp() | ast.ListComp() as each],
            ) if (name == "any") == opposite:  # one element suffices
                each.elt = self._noting(each.elt, opposite, group)
            case ast.Call(func=ast.Name(id="bool"), args=[value]):
                test.args = [self._noting(value, opposite, group)]
            case ast.Call(func=function) if _last_name(function) == "isclose":
                label = f"assert {ast.unparse(test)}" if group is None else group.label
                said = [ast.Constant(label), ast.Constant(opposite), _part(group)]
                return self._hook("close", *said, function, *test.args, keywords=test.keywords)
            case ast.Call(func=ast.Name(id=name)) if group is None and self._is_predicate(name):
                test.func = self._hook("helper", test.func, ast.Constant(opposite))
        return test

    def _is_predicate(self, name: str) -> bool:
        """Whether a name stands for a function nearby whose result may be a comparison."""
        function = _nearby(self.test, name)
        return function is not None and not inspect.iscoroutinefunction(function)

    def _chain(self, test: ast.Compare, opposite: bool, group: _Group | None) -> ast.expr:
        """``a < b < c`` is ``a < b and b < c`` with ``b`` evaluated once."""
        groups = self._groups(test, len(test.ops), not opposite, group)
        left, parts = test.left, list[ast.expr]()
        for place, (kind, right, part) in enumerate(zip(test.ops, test.comparators, groups)):
            following: ast.expr = right
            if place < len(test.ops) - 1:
                name = f"{VALUE}{self.found}__"
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)
                following = ast.Name(name, ast.Load())
            parts.append(self._comparison(test, kind, left, right, opposite, part, f" ({place + 1})"))
            left = following
        return ast.BoolOp(ast.And(), parts)

    def _comparison(
        self,
        test: ast.expr,
        kind: ast.cmpop,
        left: ast.expr,
        right: ast.expr,
        opposite: bool,
        group: _Group | None,
        place: str = "",
    ) -> ast.expr:
        label = f"assert {'not ' if opposite else ''}{ast.unparse(test)}{place}"
        said = [ast.Constant(label if group is None else group.label), ast.Constant(type(kind).__name__)]
        return self._hook("compare", *said, left, right, ast.Constant(opposite), _part(group))

    def _hook(self, method: str, *args: ast.expr, keywords: Iterable[ast.keyword] = ()) -> ast.expr:
        """A call of a method of the hook."""
        self.found += 1
        function = ast.Attribute(ast.Name(HOOK, ast.Load()), method, ast.Load())
        return ast.Call(function, list(args), list(keywords))

    def replace_in(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The body with its comparisons replaced; what raises does so in the same line as before."""
        body = [self.visit(statement) for statement in body]
        for statement in body:
            for node in ast.walk(statement):
                match node:
                    case ast.Attribute(value=ast.Name(id=name)) if name == HOOK:
                        # Python takes the last line of a method's name for the line of the call.
                        _in_line(node.lineno, node)
        return body

    def _hooked(self, function: ast.expr, method: str, *said: ast.expr) -> ast.expr:
        """What is called instead of a function."""
        hooked = self._hook(method, *said, function)
        return ast.fix_missing_locations(ast.copy_location(hooked, function))


def _in_line(line: int, node: AnyNode) -> AnyNode:
    """The node, as if it stood in one line of the source."""
    node.lineno = node.end_lineno = line
    node.col_offset = node.end_col_offset = 0
    return node


def _part(group: _Group | None) -> ast.expr:
    if group is None:
        return ast.Constant(None)
    return ast.Tuple([ast.Constant(group.low), ast.Constant(group.width)], ast.Load())


def _asserted_names(test: ast.expr, opposite: bool) -> Iterator[tuple[str, bool]]:
    """The names that a condition needs to be true (or false), or to return that."""
    match test:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id=name)):
            yield name, opposite
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _asserted_names(operand, not opposite)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.Or if opposite else ast.And):
            for value in values:
                yield from _asserted_names(value, opposite)


def _last_name(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return None
