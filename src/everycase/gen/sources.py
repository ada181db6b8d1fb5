"""The syntax tree of a function, found in its file and compared with the code that runs.

A tree is trusted only if compiling it gives the instructions that the function has (or begins with): files
change after they were imported, and decorators replace functions.
"""

from __future__ import annotations
import __future__

import ast
import dis
import functools
import linecache
import os
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

#: Files of everycase itself begin with this.
OURS = str(Path(__file__).resolve().parents[1]) + os.sep


def is_refusal(problem: BaseException) -> bool:
    """Whether an object of the user's raised it when it was looked at: a proxy without its object, for example."""
    steps = problem.__traceback__
    while steps is not None and steps.tb_next is not None:
        steps = steps.tb_next
    return steps is not None and not steps.tb_frame.f_code.co_filename.startswith(OURS)


#: The attribute of a function that was made here: its tree.
TREE = "__everycase_tree__"
#: The trees of functions and lambdas.
Tree = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
#: How many lines more than the instructions show may belong to a function: closing brackets, comments.
MOST_MORE = 40
#: Instructions that depend on the rest of the function or module, and not on the statements that they belong
#: to.
_PREPARING = frozenset(
    {
        *("RESUME", "MAKE_CELL", "COPY_FREE_VARS", "NOP", "CACHE", "EXTENDED_ARG", "RETURN_GENERATOR"),
        *("PUSH_NULL", "PRECALL"),
    }
)
#: The switches of ``from __future__ import ...`` among the flags of a piece of code.
_FUTURE = functools.reduce(
    lambda a, b: a | b, [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]
)


def tree_of(function: Any) -> Tree | None:
    """The tree of a plain Python function; None if it cannot be read, or is not the code that runs.

    >>> tree_of(textwrap.dedent).name
    'dedent'
    >>> tree_of(len)
    """
    if not isinstance(function, FunctionType):
        return None
    kept: Tree | None = function.__dict__.get(TREE)
    if kept is not None:
        return kept
    return _lambda_of(function) if function.__name__ == "<lambda>" else _definition_of(function.__code__)


@functools.lru_cache(maxsize=1024)
def _definition_of(code: CodeType) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    lines = linecache.getlines(code.co_filename)
    first, last = code.co_firstlineno - 1, max(_lines(code))
    if not lines or last > len(lines):
        return None
    for end in range(last, min(last + MOST_MORE, len(lines)) + 1):
        try:
            found = ast.parse(textwrap.dedent("".join(lines[first:end])))
        except SyntaxError:
            continue
        for node in found.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == code.co_name:
                ast.increment_lineno(node, first)
                return node
        return None
    return None


def _lines(code: CodeType) -> Iterator[int]:
    yield code.co_firstlineno
    for _, _, line in code.co_lines():
        if line is not None:
            yield line
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)


def _lambda_of(function: FunctionType) -> ast.Lambda | None:
    code = function.__code__
    lines = linecache.getlines(code.co_filename)
    known = _lambdas_by_line(tuple(lines))
    found = _lambdas_around(code, lines) if known is None else known.get(code.co_firstlineno, ())
    return next((node for node in found if is_same_code(_compiled_lambda(node, function), code)), None)


@functools.lru_cache(maxsize=32)
def _lambdas_by_line(lines: tuple[str, ...]) -> dict[int, list[ast.Lambda]] | None:
    """The lambdas of a file by the lines in which they begin; None if it is not all Python."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of what was compiled before
            tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return None
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def _lambdas_around(code: CodeType, lines: Sequence[str]) -> list[ast.Lambda]:
    """The lambdas near a line of a file that is not all Python: code that is shown in a text, for example.

    The statement around a lambda may begin before it and end after it: as little as possible around it is parsed.
    """
    first, last = code.co_firstlineno - 1, max(_lines(code))
    for start in range(first, max(-1, first - MOST_MORE), -1):
        for end in range(last, min(last + MOST_MORE, len(lines)) + 1):
            try:
                tree = ast.parse(_complete("".join(lines[start:end])))
            except SyntaxError:
                continue
            ast.increment_lineno(tree, start)
            return [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return []


def _complete(text: str) -> str:
    """Lines that may be the head of a block, or decorators, as something that can be parsed by itself."""
    text = textwrap.dedent(text)
    last = text.rstrip().rpartition("\n")[2]
    if last.startswith("@"):
        return f"{text}\ndef decorated(): pass\n"
    return f"{text} pass\n" if last.endswith(":") and not last.startswith(" ") else text


def _compiled_lambda(node: ast.Lambda, function: FunctionType) -> CodeType | None:
    inner = ast.Return(node.body)
    return _code_of(node.args, [ast.copy_location(inner, node.body)], function.__code__)


def is_same_code(made: CodeType | None, code: CodeType) -> bool:
    """Whether two pieces of code do the same, wherever they are."""
    if made is None or made.co_varnames != code.co_varnames or made.co_freevars != code.co_freevars:
        return False
    return list(_steps(made)) == list(_steps(code))


def begins_with(function: FunctionType, tree: Tree, body: Sequence[ast.stmt]) -> bool:
    """Whether a function begins with these statements of its tree. What comes after them, or in a last ``if`` without
    statements, may be other code: assertions are rewritten by pytest."""
    code = function.__code__
    whole = tree.body if not isinstance(tree, ast.Lambda) else []
    is_async = isinstance(tree, ast.AsyncFunctionDef)
    if is_same_code(_code_of(tree.args, whole, code, is_async=is_async), code):
        return True
    # How statements are compiled depends on whether others follow.
    end: ast.stmt = ast.copy_location(ast.Expr(ast.Call(ast.Name(_END, ast.Load()), [], [])), body[-1])
    last = body[-1]
    if isinstance(last, ast.If) and not last.body:
        body, end = body[:-1], ast.copy_location(ast.If(last.test, [end], []), last)
    made = _code_of(tree.args, [*body, end], code, is_async=is_async)
    if made is None:
        return False
    begin, whole_steps = list(_steps(made)), list(_steps(code))
    begin = begin[: next(number for number, (_, value) in enumerate(begin) if value == _END)]
    return begin == whole_steps[: len(begin)]


#: The name in a call that stands for the rest of a function.
_END = "everycase_rest_of_the_function"


def _steps(code: CodeType) -> Iterator[tuple[str, Any]]:
    for step in dis.get_instructions(code):
        if step.opname in _PREPARING:
            continue
        if "JUMP" in step.opname or step.opname in ("FOR_ITER", "SEND"):
            yield "JUMP", None  # the distance depends on what follows
        elif isinstance(step.argval, CodeType):
            yield step.opname, tuple(_steps(step.argval))
        elif isinstance(step.argval, tuple) and step.opname.count("_FAST") == 2:
            # From Python 3.13 on: two steps in one, wherever they happen to be neighbours.
            first, second = step.opname.split("_FAST_")
            yield from ((f"{first}_FAST", str(step.argval[0])), (second, str(step.argval[1])))
        elif step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            yield "LOAD_ATTR", step.argval  # which of them depends on what the module imports
        else:
            value = step.argval
            yield (
                step.opname,
                (type(value).__name__, repr(value)) if step.opname == "LOAD_CONST" else str(value),
            )


def make_function(
    name: str,
    arguments: ast.arguments,
    body: Sequence[ast.stmt],
    origin: FunctionType,
    defaults: tuple[Any, ...] | None = None,
) -> FunctionType | None:
    """A function with this body and the globals and closure of another one; None if it cannot be compiled.
    ``defaults`` are values for its last arguments."""
    code = _code_of(arguments, body, origin.__code__, name)
    if code is None:
        return None
    cells = dict(zip(origin.__code__.co_freevars, origin.__closure__ or ()))
    made = FunctionType(
        code, origin.__globals__, name, defaults, tuple(cells[one] for one in code.co_freevars)
    )
    made.__module__ = origin.__module__
    made.__qualname__ = name
    setattr(made, TREE, ast.FunctionDef(name, arguments, list(body), [], None, None))
    return made


def _code_of(
    arguments: ast.arguments,
    body: Sequence[ast.stmt],
    origin: CodeType,
    name: str = "made",
    *,
    is_async: bool = False,
) -> CodeType | None:
    define = ast.AsyncFunctionDef if is_async else ast.FunctionDef
    inner = define(name, arguments, list(body), [], None, None)
    outer_arguments = ast.arguments([], [ast.arg(one) for one in origin.co_freevars], None, [], [], None, [])
    outer = ast.FunctionDef("outer", outer_arguments, [inner], [], None, None)
    for node in (inner, outer):
        setattr(node, "type_params", [])  # noqa: B010 (from Python 3.12 on)
    module = ast.fix_missing_locations(ast.Module([outer], []))
    try:
        compiled = compile(module, origin.co_filename, "exec", origin.co_flags & _FUTURE, dont_inherit=True)
    except (SyntaxError, ValueError, TypeError):
        return None
    around = next(one for one in compiled.co_consts if isinstance(one, CodeType))
    return next((one for one in around.co_consts if isinstance(one, CodeType) and one.co_name == name), None)


def code_of(arguments: ast.arguments, body: Sequence[ast.stmt], origin: FunctionType) -> CodeType | None:
    """The code that these statements are compiled to in the place of another function's."""
    return _code_of(arguments, body, origin.__code__)
