"""What functions certainly read besides their arguments: randomness, clocks, iterators that they share.

Running a function again shows that it contradicts itself only if it happens to do so at that moment. Some
functions say it in their code. Only certain cases count: a function that cannot be read is not suspected.
"""

from __future__ import annotations

import datetime
import dis
import functools
import inspect
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.sources import OURS

#: Maximum number of generators to look at, and of functions to read.
MOST_NODES = 1000
MOST_FUNCTIONS = 200

#: The attributes of generators that hold functions of the user.
SLOTS = ("f", "predicate", "function", "make", "unique_by", "args", "kwargs")

#: Functions of the standard library that return something else each time, by module.
_CHANGING = {
    "time": ("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
    "secrets": ("randbelow", "randbits", "choice", "token_bytes", "token_hex", "token_urlsafe"),
    "uuid": ("uuid1", "uuid4"),
    "posix": ("urandom",),
    "nt": ("urandom",),
}


def functions_of(gen: Gen[Any]) -> Iterator[Callable[..., Any]]:
    """The user's functions in a description.

    >>> from everycase import gen
    >>> list(functions_of(gen.tuples(gen.sets(gen.integers(0, 3)), gen.text(), gen.sampled_from("ab"))))
    []
    >>> [each.__name__ for each in functions_of(gen.lists(gen.integers().map(lambda n: -n)))]
    ['<lambda>']
    """
    pending: list[Gen[Any]] = [gen]
    seen: set[int] = set()  # arguments of composites may lead back to them
    while pending and len(seen) < MOST_NODES:
        for node in islice(nodes(pending.pop()), MOST_NODES):
            if id(node) in seen:
                continue
            seen.add(id(node))
            for name in SLOTS:
                found = getattr(node, name, None)
                if type(found) is dict:
                    found = tuple(found.values())
                for each in found if type(found) is tuple else (found,):
                    if issubclass(type(each), Gen):  # an argument of a composite
                        pending.append(each)
                    elif callable(each) and not _is_harmless(each):
                        yield each


def _is_harmless(function: Any) -> bool:
    """Whether a function is ours or the interpreter's."""
    kind = type(function)
    if kind is MethodType:
        return _is_harmless(function.__func__)
    if kind is FunctionType:
        return function.__code__.co_filename.startswith(OURS) and not function.__closure__
    if kind in (BuiltinFunctionType, MethodWrapperType):
        return function.__name__ != "__next__" and not _is_outside(function, kind)
    return kind is type and function.__module__ == "builtins"


def outside_of(functions: Iterable[Callable[..., Any]]) -> str | None:
    """What one of the functions, or of those that they call, reads besides its arguments; None if nothing
    is found.

    >>> outside_of([lambda n: n + random.randrange(3)])
    '<lambda> uses random.randrange'
    >>> outside_of([lambda seed: random.Random(seed).randrange(3)])
    """
    pending: list[Any] = list(islice(functions, MOST_FUNCTIONS))
    seen: set[int] = set()
    while pending and len(seen) < MOST_FUNCTIONS:
        first = pending.pop(0)
        if _is_outside(first, type(first)):
            return f"{getattr(first, '__name__', type(first).__name__)} is used"
        function = _plain(first)
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        names = _named(function)
        if function.__code__.co_filename.startswith(OURS):
            pending += names[1].values()  # it may be a function around the user's
            continue
        pending += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        for code in _codes(function.__code__):
            for what, thing, follows in _loaded(code, names):
                # Objects may refuse to be looked at, so only their types are.
                kind = type(thing)
                if _is_outside(thing, kind) or (thing is next and _has(type(follows), "__next__")):
                    return f"{function.__qualname__.rpartition('.')[2]} uses {what}"
                if kind in (FunctionType, MethodType, functools.partial):
                    pending.append(thing)
                elif issubclass(kind, Gen):
                    pending += islice(functions_of(thing), MOST_FUNCTIONS)
    return None


def _has(cls: type, name: str) -> bool:
    return any(name in type.__getattribute__(base, "__dict__") for base in type.mro(cls))


def _plain(function: Any) -> FunctionType | None:
    """The user's function behind a method or a partial; None for anything else."""
    while type(function) in (functools.partial, MethodType):
        function = function.func if type(function) is functools.partial else function.__func__
    if type(function) is not FunctionType:
        function = inspect.getattr_static(type(function), "__call__", None)
    if type(function) is not FunctionType:
        return None
    package = (function.__module__ or "").partition(".")[0]
    return None if package in sys.stdlib_module_names else function


def _named(function: FunctionType) -> tuple[dict[str, Any], dict[str, Any]]:
    """The objects outside of a function that its code can name: globals, and the contents of its closure."""
    closure = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            closure[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    builtins = function.__globals__.get("__builtins__", {})
    own = builtins if isinstance(builtins, dict) else vars(builtins)
    return {**own, **function.__globals__}, closure


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _loaded(code: CodeType, names: tuple[dict[str, Any], dict[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    """The objects from outside that the code loads, with their names, and the object that is loaded next."""
    found: list[tuple[str, Any]] = []
    for instruction in dis.get_instructions(code):
        match instruction.opname:
            case "LOAD_GLOBAL" | "LOAD_NAME":
                found.append((instruction.argval, names[0].get(instruction.argval)))
            case "LOAD_DEREF":
                found.append((instruction.argval, names[1].get(instruction.argval)))
            case "LOAD_ATTR" | "LOAD_METHOD" if found and type(found[-1][1]) in (ModuleType, type):
                what, owner = found.pop()
                found.append((f"{what}.{instruction.argval}", getattr(owner, instruction.argval, None)))
            case "LOAD_ATTR" | "LOAD_METHOD" | "LOAD_FAST" | "LOAD_CONST":
                found.append(("", None))
    for (what, thing), follows in zip(found, [*found[1:], ("", None)]):
        yield what, thing, follows[1]


def _is_outside(thing: Any, kind: type) -> bool:
    """Whether an object is a source of randomness, or a function that returns something else each time."""
    if issubclass(kind, random.Random):
        return True
    if kind not in (BuiltinFunctionType, MethodType, FunctionType):
        return False
    owner, name = getattr(thing, "__self__", None), thing.__name__
    if issubclass(type(owner), random.Random):
        return name not in ("seed", "setstate")
    if type(owner) is type and issubclass(owner, datetime.date):
        return name in ("now", "today", "utcnow")
    return name in _CHANGING.get(thing.__module__ or "", ())
