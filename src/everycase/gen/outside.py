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
from everycase.gen.names import closure_of
from everycase.gen.sources import OURS

#: Maximum number of generators to look at, and of functions to read.
MOST_NODES = 1000
MOST_FUNCTIONS = 200

#: The attributes of generators that hold functions of the user.
SLOTS = ("f", "predicate", "function", "make", "unique_by", "args", "kwargs")

#: Functions of the standard library that return something else each time, or depend on who calls, by module.
_CHANGING = {
    "time": (
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
    ),
    "gc": ("get_count", "get_stats", "get_objects"),
    "sys": ("_getframe", "getallocatedblocks"),
    "resource": ("getrusage",),
    "_tracemalloc": ("get_traced_memory",),
    "secrets": ("randbelow", "randbits", "choice", "token_bytes", "token_hex", "token_urlsafe"),
    "uuid": ("uuid1", "uuid4"),
    "posix": ("urandom", "getrandom", "times"),
    "nt": ("urandom", "times"),
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
    >>> outside_of([lambda: random.Random().randrange(3)])
    '<lambda> uses random.Random()'
    """
    for function, what, thing, follows in _reached(functions):
        # Objects may refuse to be looked at, so only their types are.
        kind = type(thing)
        if _is_outside(thing, kind) or (thing is next and _has(type(follows), "__next__")):
            return f"{function} uses {what}" if what else f"{function} is used"
    return None


def _reached(functions: Iterable[Callable[..., Any]]) -> Iterator[tuple[str, str, Any, Any]]:
    """What the functions, and those that they call, load from outside: the name of the function, that of the object,
    the object, and the one that is loaded next. First each function itself, without a name of an object."""
    for function in reached(functions):
        if type(function) is not FunctionType:
            yield getattr(function, "__name__", type(function).__name__), "", function, None
            continue
        names = named(function)
        for code in codes(function.__code__):
            for what, thing, follows in _loaded(code, names):
                yield function.__qualname__.rpartition(".")[2], what, thing, follows


def reached(functions: Iterable[Callable[..., Any]]) -> Iterator[Any]:
    """The functions, whatever they are, and each function of the user that they lead to."""
    pending: list[Any] = list(islice(functions, MOST_FUNCTIONS))
    seen: set[int] = set()
    while pending and len(seen) < MOST_FUNCTIONS:
        first = pending.pop(0)
        if type(first) is not FunctionType:
            yield first
        for function in _plain(first):
            if id(function) in seen:
                continue
            seen.add(id(function))
            names = named(function)
            if _is_of_a_library(function):
                pending += names[1].values()  # it may be a function around the user's
                continue
            yield function
            pending += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
            for code in codes(function.__code__):
                for _, thing, _ in _loaded(code, names):
                    if type(thing) in (FunctionType, MethodType, functools.partial):
                        pending.append(thing)
                    elif issubclass(type(thing), Gen):
                        pending += islice(functions_of(thing), MOST_FUNCTIONS)
                    elif type(inspect.getattr_static(type(thing), "__call__", None)) is FunctionType:
                        pending.append(thing)


def _is_of_a_library(function: FunctionType) -> bool:
    """Whether a function is ours or Hypothesis', which draw only when they are told to."""
    return (
        function.__code__.co_filename.startswith(OURS)
        or (function.__module__ or "").partition(".")[0] == "hypothesis"
    )


def _has(cls: type, name: str) -> bool:
    return any(name in type.__getattribute__(base, "__dict__") for base in type.mro(cls))


def _plain(function: Any) -> list[FunctionType]:
    """The user's functions behind a method, a partial, a class or an object that can be called."""
    while type(function) in (functools.partial, MethodType):
        function = function.func if type(function) is functools.partial else function.__func__
    if type(function) is FunctionType:
        found = [function]
    elif isinstance(function, type):
        own = type.__getattribute__(function, "__dict__")
        found = [own.get(name) for name in ("__new__", "__init__", "__post_init__")]
        found = [getattr(each, "__func__", each) for each in found]  # __new__ is a static method
    else:
        found = [inspect.getattr_static(type(function), "__call__", None)]
    return [
        each
        for each in found
        if type(each) is FunctionType
        and (each.__module__ or "").partition(".")[0] not in sys.stdlib_module_names
    ]


def named(function: FunctionType) -> tuple[dict[str, Any], dict[str, Any]]:
    """The objects outside of a function that its code can name: globals, and the contents of its closure."""
    builtins = function.__globals__.get("__builtins__", {})
    own = builtins if isinstance(builtins, dict) else vars(builtins)
    return {**own, **function.__globals__}, closure_of(function)


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@functools.lru_cache(maxsize=1024)
def instructions(code: CodeType) -> tuple[dis.Instruction, ...]:
    """The instructions of a piece of code, without those that only prepare others."""
    return tuple(
        each for each in dis.get_instructions(code) if each.opname not in ("CACHE", "PRECALL", "PUSH_NULL")
    )


def _loaded(code: CodeType, names: tuple[dict[str, Any], dict[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    """The objects from outside that the code loads, with their names, and the object that is loaded next."""
    found: list[tuple[str, Any]] = []
    just_loaded = False
    for instruction in instructions(code):
        match instruction.opname:
            case "LOAD_GLOBAL" | "LOAD_NAME":
                found.append((instruction.argval, names[0].get(instruction.argval)))
            case "LOAD_DEREF":
                found.append((instruction.argval, names[1].get(instruction.argval)))
            case "LOAD_ATTR" | "LOAD_METHOD" if just_loaded and type(found[-1][1]) in (ModuleType, type):
                what, owner = found.pop()
                found.append((f"{what}.{instruction.argval}", getattr(owner, instruction.argval, None)))
            case "CALL" if instruction.arg == 0 and just_loaded and found[-1][1] is random.Random:
                found.append((f"{found.pop()[0]}()", random.random))  # seeded by the system
            case name if name.startswith("LOAD_"):
                found.append(("", None))
        just_loaded = instruction.opname.startswith("LOAD_")
    for (what, thing), follows in zip(found, [*found[1:], ("", None)]):
        yield what, thing, follows[1]


def _is_outside(thing: Any, kind: type) -> bool:
    """Whether an object is a source of randomness, or a function that returns something else each time."""
    if issubclass(kind, random.Random) or thing is random.SystemRandom:
        return True
    if kind not in (BuiltinFunctionType, MethodType, FunctionType):
        return False
    owner, name = getattr(thing, "__self__", None), thing.__name__
    if issubclass(type(owner), random.Random):
        return name not in ("seed", "setstate")
    if type(owner) is type and issubclass(owner, datetime.date):
        return name in ("now", "today", "utcnow")
    return name in _CHANGING.get(thing.__module__ or "", ())
