"""What functions certainly read besides their arguments: randomness, clocks, iterators that they share.

Running a function again shows that it contradicts itself only if it happens to do so at that moment. Some
functions say it in their code. Only certain cases count: a function that cannot be read is not suspected.
"""

from __future__ import annotations

import datetime
import dis
import functools
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import Bind, Build, Composite, Filter, List, Map
from everycase.gen.sources import OURS

#: Maximum number of generators to look at, and of functions to read.
MOST_NODES = 1000
MOST_FUNCTIONS = 200

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
    for node in islice(nodes(gen), MOST_NODES):
        match node:
            case Map() | Bind():
                found: tuple[Any, ...] = (node.f,)
            case Filter():
                found = (node.predicate,)
            case Composite():
                found = (node.function, *node.args, *node.kwargs.values())
            case Build():
                found = (node.make,)
            case List() if node.unique_by is not None:
                found = node.unique_by if isinstance(node.unique_by, tuple) else (node.unique_by,)
            case _:
                continue
        for each in found:
            if isinstance(each, Gen) and each is not node:
                yield from functions_of(each)
            elif callable(each) and not _is_harmless(each):
                yield each


def _is_harmless(function: Any) -> bool:
    """Whether a function is ours or the interpreter's."""
    plain = getattr(function, "__func__", function)
    if isinstance(plain, FunctionType):
        return plain.__code__.co_filename.startswith(OURS) and not plain.__closure__
    return getattr(plain, "__module__", None) == "builtins" and isinstance(plain, type)


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
        function = _plain(pending.pop(0))
        if function is None or id(function) in seen:
            continue
        seen.add(id(function))
        names = _named(function)
        for code in _codes(function.__code__):
            for what, thing, follows in _loaded(code, names):
                if _is_outside(thing) or (thing is next and hasattr(type(follows), "__next__")):
                    return f"{function.__qualname__.rpartition('.')[2]} uses {what}"
                if isinstance(thing, FunctionType | MethodType | functools.partial):
                    pending.append(thing)
                elif isinstance(thing, Gen):
                    pending += islice(functions_of(thing), MOST_FUNCTIONS)
    return None


def _plain(function: Any) -> FunctionType | None:
    """The user's function behind a method or a partial; None for anything else."""
    while isinstance(function, functools.partial | MethodType):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    if not isinstance(function, FunctionType):
        function = getattr(type(function), "__call__", None)  # noqa: B004 (it may be a slot wrapper)
    if not isinstance(function, FunctionType):
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
            case "LOAD_ATTR" | "LOAD_METHOD" if found and isinstance(found[-1][1], ModuleType | type):
                what, owner = found.pop()
                found.append((f"{what}.{instruction.argval}", getattr(owner, instruction.argval, None)))
            case "LOAD_ATTR" | "LOAD_METHOD" | "LOAD_FAST" | "LOAD_CONST":
                found.append(("", None))
    for (what, thing), follows in zip(found, [*found[1:], ("", None)]):
        yield what, thing, follows[1]


def _is_outside(thing: Any) -> bool:
    """Whether an object is a source of randomness, or a function that returns something else each time."""
    owner = getattr(thing, "__self__", None)
    if isinstance(thing, random.Random) or isinstance(owner, random.Random):
        return getattr(thing, "__name__", "") not in ("seed", "setstate")
    if isinstance(owner, type) and issubclass(owner, datetime.date):
        return thing.__name__ in ("now", "today", "utcnow")
    return getattr(thing, "__name__", None) in _CHANGING.get(getattr(thing, "__module__", None) or "", ())
