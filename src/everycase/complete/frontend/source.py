"""Find the syntax tree of a function or lambda, with its file and lines."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import inspect
import linecache
import sys
import tokenize
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from everycase.complete.specification import Unsupported
from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.names import closure_of


@dataclass(frozen=True)
class FunctionSource:
    """The location of a function, its tree (a FunctionDef or a Lambda), and the names that it can see."""

    file: str
    text: str
    node: ast.FunctionDef | ast.Lambda
    scope: dict[str, Any]

    def unsupported(self, node: ast.AST, construct: str) -> NoReturn:
        """Raise the one error that says where and what."""
        raise Unsupported(self.file, getattr(node, "lineno", self.node.lineno), construct)

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Parameters and everything that is bound inside: such a name never refers to something outside."""
        found = {a.arg for a in ast.walk(self.node.args) if isinstance(a, ast.arg)}
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                found.add(node.id)
            elif isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
                found.add(node.name)
        inside = [n for s in self.statements for n in ast.walk(s)]
        found.update(n.name for n in inside if isinstance(n, ast.FunctionDef | ast.ClassDef))
        return frozenset(found)

    @property
    def statements(self) -> list[ast.stmt]:
        """The body of a function; a lambda has none."""
        return self.node.body if isinstance(self.node, ast.FunctionDef) else []

    @property
    def parameters(self) -> list[str]:
        arguments = self.node.args
        if arguments.vararg or arguments.kwarg:
            self.unsupported(self.node, "*args and **kwargs")
        return [a.arg for a in self.spots]

    @property
    def spots(self) -> list[ast.arg]:
        """All parameters, those that must be named last."""
        arguments = self.node.args
        if arguments.vararg or arguments.kwarg:
            self.unsupported(self.node, "*args and **kwargs")
        return arguments.posonlyargs + arguments.args + arguments.kwonlyargs

    @property
    def defaults(self) -> dict[str, ast.expr]:
        """The defaults of parameters, as they are written."""
        arguments = self.node.args
        plain = arguments.posonlyargs + arguments.args
        found = dict(zip([a.arg for a in reversed(plain)], reversed(arguments.defaults)))
        named = {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None}
        return {**found, **named}


def is_generator(value: Any) -> bool:
    """Is this object a generator of everycase or a strategy of Hypothesis?"""
    if isinstance(value, Gen):
        return True
    return any(
        c.__name__ == "SearchStrategy" and c.__module__.startswith("hypothesis.") for c in type(value).__mro__
    )


def undecorated(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain function inside a generator (``f.__wrapped__``; Hypothesis hides it in a closure).

    Other decorators may change the behaviour of the function, so they are not unwrapped.
    """
    seen = function
    while hasattr(seen, "__wrapped__"):
        if not _leaves_alone(seen):
            code = getattr(inspect.unwrap(seen), "__code__", None)
            name = getattr(seen, "__name__", "the function")
            file, line = (code.co_filename, code.co_firstlineno) if code else ("?", 0)
            raise Unsupported(file, line, f"a decorator around {name} that is not known")
        seen = seen.__wrapped__
    return _inside_hypothesis(seen) or seen


def innermost(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain function behind all decorators, whatever they do."""
    plain: Callable[..., Any] = inspect.unwrap(function)
    inside: Callable[..., Any] | None = _inside_hypothesis(plain)
    return inside or plain


def _leaves_alone(wrapper: Any) -> bool:
    """Is this one of the wrappers whose meaning is known: composite, functools.cache?"""
    from everycase.gen.drawing import CompositeFunction

    code = getattr(wrapper, "__code__", None)
    ours = isinstance(wrapper, CompositeFunction | functools._lru_cache_wrapper)
    return ours or (code is not None and _of_hypothesis(code.co_filename))


def is_composite(target: Any) -> bool:
    """Was it made by ``gen.composite`` or Hypothesis' ``st.composite``?"""
    from everycase.gen.drawing import CompositeFunction

    code = getattr(target, "__code__", None)
    return isinstance(target, CompositeFunction) or (code is not None and _of_hypothesis(code.co_filename))


def composite_like(target: Any) -> Any:
    """The decorator that has made a composite: ours, or that of Hypothesis."""
    from everycase.gen.drawing import CompositeFunction, composite

    if isinstance(target, CompositeFunction):
        return composite
    return sys.modules["hypothesis.strategies"].composite


def _of_hypothesis(file: str) -> bool:
    """Is this a file of the package, or a wrapper that it made? A folder of the user may have the same name."""
    home = getattr(sys.modules.get("hypothesis"), "__file__", None)
    return file == "<string>" or (home is not None and Path(file).is_relative_to(Path(home).parent))


def _inside_hypothesis(function: Any, depth: int = 4) -> Any:
    """``st.composite`` keeps the user's function in a closure, a few wrappers down."""
    code = getattr(function, "__code__", None)
    if code is None or depth == 0:
        return None
    if not _of_hypothesis(code.co_filename):
        return function
    for enclosed in closure_of(function).values():
        found = _inside_hypothesis(enclosed, depth - 1)
        if found is not None:
            return found
    return None


def is_installed(function: Any) -> bool:
    """Does a function come with Python or from an installed package, rather than from the user?"""
    code = getattr(inspect.unwrap(function), "__code__", None)
    file = code.co_filename if code is not None else ""
    home = str(Path(__file__).parents[2])
    return "site-packages" in Path(file).parts or file.startswith((sys.base_prefix, home))


def source_of(function: Callable[..., Any]) -> FunctionSource:
    """The source of a Python function; an error says what to do if there is none."""
    plain = undecorated(function)
    code = getattr(plain, "__code__", None)
    if code is None:
        raise InvalidArgument(
            f"{function!r} is not a Python function; pass a function defined with def or lambda"
        )
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, plain.__globals__)
    if not lines:
        if is_misencoded(code.co_filename):
            raise InvalidArgument(
                f"the source of {plain.__name__} cannot be read: {code.co_filename} {MISENCODED}"
            )
        raise InvalidArgument(
            f"the source of {plain.__name__} cannot be read ({code.co_filename}); define it in a file"
        )
    text = "".join(_python_part(lines, code.co_firstlineno))
    try:
        functions = _functions_in(text)
    except SyntaxError as error:
        raise InvalidArgument(
            f"the source of {plain.__name__} in {code.co_filename} is not Python: {error}"
        ) from None
    found = [n for n in functions if _matches(n, plain)]
    if not found:
        raise InvalidArgument(
            f"the source of {plain.__name__} in {code.co_filename} changed after it was imported"
        )
    closure = inspect.getclosurevars(plain).nonlocals if plain.__closure__ else {}
    scope = {**vars(builtins), **plain.__globals__, **closure}
    node = found[-1]
    if isinstance(plain, types.MethodType) and isinstance(plain.__self__, type):
        node, scope = _of_class(node, plain.__self__, scope)
    return FunctionSource(code.co_filename, text, node, scope)


def _of_class(
    node: ast.FunctionDef | ast.Lambda, cls: type, scope: dict[str, Any]
) -> tuple[ast.FunctionDef | ast.Lambda, dict[str, Any]]:
    """A classmethod as a function that sees its class under the name of its first parameter."""
    first, *rest = node.args.args
    node = copy.copy(node)
    node.args = copy.copy(node.args)
    node.args.args = rest
    return node, {**scope, first.arg: cls}


@functools.lru_cache(maxsize=32)
def _functions_in(text: str) -> list[ast.FunctionDef | ast.Lambda]:
    """All functions of a file. One file is asked for each of its functions, and readers change only copies of trees."""
    return [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.Lambda)]


#: What is wrong with such a file. Python itself imports it if the bytes are in comments only.
MISENCODED = "is not UTF-8; save it as UTF-8 or declare its encoding in the first line (# coding: latin-1)"


def is_misencoded(file: str | Path) -> bool:
    """Does a file have bytes that its declared encoding, or else UTF-8, does not have?"""
    try:
        with tokenize.open(file) as stream:
            stream.read()
    except (UnicodeDecodeError, SyntaxError):
        return True
    except OSError:
        return False
    return False


def _python_part(lines: list[str], line: int) -> list[str]:
    """In a Markdown file only the block around the line counts; the others become blank lines."""
    fences = [i for i, text in enumerate(lines, start=1) if text.startswith("```")]
    start = max((i for i in fences if i < line), default=0)
    if start == 0 or not lines[start - 1].startswith("```py"):
        return lines
    end = min((i for i in fences if i > line), default=len(lines) + 1)
    return [text if start < i < end else "\n" for i, text in enumerate(lines, start=1)]


def _matches(node: ast.FunctionDef | ast.Lambda, plain: Callable[..., Any]) -> bool:
    code = plain.__code__
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return node.name == code.co_name and first <= code.co_firstlineno <= node.lineno
    if code.co_name != "<lambda>":
        return False
    # Several lambdas may share a line: the body's instructions must lie inside this one.
    if [a.arg for a in node.args.args] != list(code.co_varnames[: code.co_argcount]):
        return False
    body = node.body
    spots = [
        p for p in code.co_positions() if (p[0] is not None and p[2] is not None and p[0] != p[1]) or p[2]
    ]
    wanted = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    inside = [((a, c), (b, d)) for a, b, c, d in spots if None not in (a, b, c, d) and (a, c) != (b, d)]
    if not inside:
        # Python 3.12 does not keep the place of a body that is a constant.
        value = getattr(body, "value", inside)
        return node.lineno == code.co_firstlineno and any(
            type(value) is type(const) and value == const for const in code.co_consts
        )
    return all(wanted[0] <= s and e <= wanted[1] for s, e in inside)
