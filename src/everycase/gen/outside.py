"""What functions read besides their arguments, as far as their code says so: randomness, clocks, files, iterators that
they share, addresses in memory, what the garbage collector leaves.

Running a function again shows that it contradicts itself only if it happens to do so at that moment. Most functions
say it in their code, or in that of functions, methods and operators that they use. Compiled functions cannot be read:
a table names those of the standard library, and no other is suspected.
"""

from __future__ import annotations

import datetime
import dis
import functools
import inspect
import random
import sys
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
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
    "builtins": ("id", "open", "input", "exec", "eval", "__import__"),
    "io": ("open",),
    "_io": ("open",),
    "time": (
        *("time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns"),
        *("process_time", "process_time_ns", "thread_time", "thread_time_ns"),
        *("clock_gettime", "clock_gettime_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"),
    ),
    "gc": ("get_count", "get_stats", "get_objects", "get_referrers", "collect", "isenabled"),
    "sys": (
        *("_getframe", "getallocatedblocks", "getrefcount", "getrecursionlimit", "_current_frames"),
        *("exc_info", "gettrace", "getprofile"),
    ),
    "inspect": ("stack", "currentframe", "trace"),
    "traceback": ("extract_stack", "format_stack", "print_stack", "walk_stack"),
    "resource": ("getrusage",),
    "tracemalloc": ("take_snapshot",),
    "_tracemalloc": ("get_traced_memory",),
    "secrets": ("randbelow", "randbits", "choice", "token_bytes", "token_hex", "token_urlsafe"),
    "uuid": ("uuid1", "uuid4"),
    "tempfile": ("mkstemp", "mkdtemp", "mktemp", "NamedTemporaryFile", "TemporaryFile"),
    "posix": (
        *("urandom", "getrandom", "times", "getpid", "read", "open", "stat", "lstat", "fstat", "listdir"),
        *("scandir", "access", "getloadavg"),
    ),
    "nt": ("urandom", "times", "getpid", "read", "open", "stat", "lstat", "fstat", "listdir", "scandir"),
    "genericpath": ("exists", "isfile", "isdir", "getsize", "getmtime", "getatime", "getctime"),
    "subprocess": ("run", "call", "check_call", "check_output", "getoutput", "getstatusoutput"),
    "threading": ("active_count", "current_thread", "enumerate", "get_ident", "get_native_id"),
    "_thread": ("get_ident", "get_native_id", "_count"),
}

#: Modules of randomness: passed on as a whole, who knows which of their functions is called.
_RANDOM_MODULES = ("random", "secrets", "numpy.random")

#: What these refer to is gone once the garbage collector has run.
_WEAK: tuple[Any, ...] = (
    weakref.ReferenceType,
    *weakref.ProxyTypes,
    weakref.WeakSet,
    weakref.WeakValueDictionary,
)

#: How many elements of a container are looked at.
_MOST_ELEMENTS = 64


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


def constants_of(gen: Gen[Any]) -> list[Any]:
    """The objects in a description that become values, or parts of them, as they are, and that can be changed.

    >>> from everycase import gen
    >>> constants_of(gen.sampled_from([[1], (2,)]) | gen.just({}) | gen.text())
    [{}, [1]]
    """
    found: dict[int, Any] = {}
    for node in islice(nodes(gen), MOST_NODES):
        function = getattr(node, "f", None)
        kept = [getattr(node, "value", None), getattr(function, "__self__", None)]
        kept += getattr(node, "args", ())
        kept += getattr(node, "kwargs", {}).values()
        if type(function) is FunctionType and function.__code__.co_filename.startswith(OURS):
            kept += closure_of(function).values()
        for each in kept:
            for thing in each if type(each) is tuple else (each,):
                if _can_change(type(thing)) and not callable(thing):
                    found[id(thing)] = thing
    return list(islice(found.values(), MOST_NODES))


#: Classes of the interpreter whose objects can be changed.
_MUTABLE = (list, dict, set, deque, bytearray)


def _can_change(kind: type) -> bool:
    if issubclass(kind, _MUTABLE):
        return True
    return _is_of_the_user(kind) and not issubclass(kind, Enum)


def _is_harmless(function: Any) -> bool:
    """Whether a function is ours or the interpreter's."""
    kind = type(function)
    if kind is MethodType:
        return _is_harmless(function.__func__)
    if kind is FunctionType:
        return function.__code__.co_filename.startswith(OURS) and not function.__closure__
    if kind in (BuiltinFunctionType, MethodWrapperType):
        owner = type(function.__self__)
        return (
            not issubclass(owner, _MUTABLE)
            and not _has(owner, "__next__")
            and not _is_outside(function, kind)
        )
    return kind is type and function.__module__ == "builtins"


def outside_of(functions: Iterable[Callable[..., Any]], *, constructors: bool = True) -> str | None:
    """What one of the functions, or of those that they call, reads besides its arguments; None if nothing
    is found. Without ``constructors``, those of classes do not count: objects may differ in what matters to nobody.

    >>> outside_of([lambda n: n + random.randrange(3)])
    '<lambda> uses random.randrange'
    >>> outside_of([lambda seed: random.Random(seed).randrange(3)])
    >>> outside_of([lambda: random.Random().randrange(3)])
    '<lambda> uses random.Random()'
    """
    for function, what, thing in _reached(functions, constructors):
        if _is_outside(thing, type(thing)) or any(_is_outside(each, type(each)) for each in _elements(thing)):
            return f"{function} uses {what}" if what else f"{function} is used"
    return None


def _reached(functions: Iterable[Callable[..., Any]], constructors: bool) -> Iterator[tuple[str, str, Any]]:
    """What the functions, and those that they call, load from outside: the name of the function, that of the object,
    and the object. First each function itself, without a name of an object."""
    for function, owner in _bound(functions, constructors):
        if type(function) is not FunctionType:
            kind = function if type(function) in _NAMED else type(function)
            yield kind.__name__, "", function
            continue
        for what, thing in _used(function, owner):
            yield function.__qualname__.rpartition(".")[2], what, thing


def reached(functions: Iterable[Callable[..., Any]]) -> Iterator[Any]:
    """The functions, whatever they are, and each function of the user that they lead to."""
    return (function for function, _ in _bound(functions))


def _bound(functions: Iterable[Callable[..., Any]], constructors: bool = True) -> Iterator[tuple[Any, Any]]:
    """The same, with the objects that methods belong to."""
    pending = deque[Any](islice(functions, MOST_FUNCTIONS))
    seen: set[tuple[int, int]] = set()
    while pending and len(seen) < MOST_FUNCTIONS:
        first = pending.popleft()
        if type(first) is not FunctionType:
            yield first, None
        if type(first) is functools.partial:
            pending += [first.func, *first.args, *first.keywords.values()]
        for function, owner in _plain(first):
            if (id(function), id(owner)) in seen:
                continue
            seen.add((id(function), id(owner)))
            if _is_of_a_library(function):
                pending += closure_of(function).values()  # it may be a function around the user's
                continue
            yield function, owner
            pending += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
            for _, thing in _used(function, owner):
                if constructors or not issubclass(type(thing), type):
                    pending += _called(thing)


def _called(thing: Any) -> Iterator[Any]:
    """What may be called by code that uses an object."""
    for each in (thing, *_elements(thing)):
        # Objects may refuse to be looked at, so only their types are.
        kind = type(each)
        if issubclass(kind, Gen):
            yield from islice(functions_of(each), MOST_FUNCTIONS)
        elif kind in (FunctionType, MethodType, functools.partial, _CACHED) or issubclass(kind, type):
            yield each
        elif _is_of_the_user(kind):
            # Operators, too: x in each, each[x], each == x.
            for base in type.mro(kind):
                for name, method in type.__getattribute__(base, "__dict__").items():
                    if (
                        type(method) is FunctionType
                        and name.startswith("__")
                        and name not in _MAKING + _DESCRIBING
                    ):
                        yield MethodType(method, each)


#: What ``functools.cache`` makes.
_CACHED = type(functools.cache(lambda: None))
#: The methods that make an object, and those that describe it or take it apart.
_MAKING = ("__new__", "__init__", "__post_init__")
_DESCRIBING = ("__repr__", "__str__", "__del__", "__reduce__", "__getstate__", "__setstate__")
#: What has a name that can be asked for without running code of the user.
_NAMED = (BuiltinFunctionType, MethodType, MethodWrapperType, type)


def _is_of_the_user(kind: type) -> bool:
    module = str(type.__getattribute__(kind, "__dict__").get("__module__", "builtins"))
    return not _is_known(module) and module != "builtins"


#: Libraries that draw only when they are told to, and what pytest's assertions call.
_LIBRARIES = ("hypothesis", "pytest", "_pytest")


def _is_known(module: str) -> bool:
    """Whether a module is of the standard library, ours, or of a library that is known."""
    package = module.partition(".")[0]
    return package in ("everycase", *_LIBRARIES) or package in sys.stdlib_module_names


def _elements(thing: Any) -> list[Any]:
    """The first elements of a container."""
    kind = type(thing)
    if kind is dict:
        return list(islice(dict.values(thing), _MOST_ELEMENTS))
    return list(islice(thing, _MOST_ELEMENTS)) if kind in (list, tuple, set, frozenset, deque) else []


def _is_of_a_library(function: FunctionType) -> bool:
    """Whether a function is ours or of a library that is known."""
    return (
        function.__code__.co_filename.startswith(OURS)
        or (function.__module__ or "").partition(".")[0] in _LIBRARIES
    )


def _has(cls: type, name: str) -> bool:
    return any(name in type.__getattribute__(base, "__dict__") for base in type.mro(cls))


def _plain(function: Any) -> list[tuple[FunctionType, Any]]:
    """The user's functions behind a method, a partial, a class or an object that can be called, with the object."""
    owner = None
    while type(function) in (functools.partial, MethodType, _CACHED):
        if type(function) is functools.partial:
            function = function.func
        elif type(function) is MethodType:
            function, owner = function.__func__, function.__self__
        else:
            function = function.__wrapped__
    found: list[Any]
    if type(function) is FunctionType:
        found = [function]
    elif issubclass(type(function), type):
        found = [inspect.getattr_static(function, name, None) for name in _MAKING]
        found = [getattr(each, "__func__", each) for each in found]  # __new__ is a static method
    else:
        found, owner = [inspect.getattr_static(type(function), "__call__", None)], function
    return [
        (each, owner)
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


def _used(function: FunctionType, owner: Any) -> Iterator[tuple[str, Any]]:
    """The objects from outside that a function, and functions inside it, load; ``owner`` is its first argument."""
    names, closure = named(function)
    own = function.__code__.co_varnames[:1] if owner is not None else ()
    for code in codes(function.__code__):
        yield from _loaded(code, names, {**closure, **dict.fromkeys(own, owner)})


def _loaded(code: CodeType, names: dict[str, Any], variables: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The objects from outside that the code loads, with their names."""
    found: list[tuple[str, Any]] = []
    local = {name: (name, thing) for name, thing in variables.items()}
    imported: tuple[str, Any] | None = None
    before = last = None
    for step in instructions(code):
        just_loaded = last is not None and last.opname.startswith("LOAD_") and bool(found)
        match step.opname:
            case "IMPORT_NAME":
                # "import a.b" gives a, "from a.b import c" first gives a.b.
                whole = last is not None and last.argval is not None
                name = step.argval if whole else step.argval.partition(".")[0]
                relative = before is not None and bool(before.argval)
                imported = name, None if relative else sys.modules.get(name)
            case "IMPORT_FROM" if imported is not None:
                found.append((step.argval, _attribute(imported[1], step.argval)))
            case "STORE_FAST" | "STORE_DEREF" | "STORE_NAME" if last is not None and "IMPORT_" in last.opname:
                local[step.argval] = found[-1] if last.opname == "IMPORT_FROM" else imported or ("", None)
            case "LOAD_GLOBAL" | "LOAD_NAME":
                found.append((step.argval, names.get(step.argval)))
            case "LOAD_ATTR" | "LOAD_METHOD" if just_loaded:
                what, owner = found[-1]
                if issubclass(type(owner), ModuleType | type):
                    found.pop()
                found.append((f"{what}.{step.argval}", _attribute(owner, step.argval)))
            case "CALL" if step.arg == 0 and just_loaded and found[-1][1] is random.Random:
                found.append((f"{found.pop()[0]}()", random.random))  # seeded by the system
            case name if name.startswith("LOAD_"):
                several = step.argval if type(step.argval) is tuple else (step.argval,)
                is_variable = name.startswith(("LOAD_FAST", "LOAD_DEREF"))
                found += [local.get(each, ("", None)) if is_variable else ("", None) for each in several]
        before, last = last, step
    yield from found


def _attribute(owner: Any, name: str) -> Any:
    """What an attribute of an object is, without running the code of the user; None if that is unknown."""
    kind = type(owner)
    if issubclass(kind, ModuleType | type):
        return getattr(owner, name, None)
    if not _is_of_the_user(kind):
        return None
    try:
        own = object.__getattribute__(owner, "__dict__")
        found = own[name] if name in own else inspect.getattr_static(kind, name, None)
    except Exception:
        return None
    if type(found) is property:
        found = found.fget
    if type(found) in (classmethod, staticmethod):
        return found.__get__(owner, kind)
    is_method = type(found) is FunctionType and name not in own
    return MethodType(found, owner) if is_method else found


def _is_outside(thing: Any, kind: type) -> bool:
    """Whether an object is a source of randomness, an iterator, or a function that returns something else each time."""
    if issubclass(kind, (random.Random, *_WEAK)) or thing is random.SystemRandom:
        return True
    if _has(kind, "__next__") or kind.__module__.startswith("numpy.random"):
        return True
    if kind is ModuleType:
        return thing.__name__ in _RANDOM_MODULES
    if kind in (BuiltinFunctionType, MethodWrapperType) and _has(type(thing.__self__), "__next__"):
        return True
    if kind not in (BuiltinFunctionType, MethodType, FunctionType):
        return False
    owner, name = getattr(thing, "__self__", None), thing.__name__
    if issubclass(type(owner), random.Random):
        return name not in ("seed", "setstate")
    if type(owner).__module__.startswith("numpy.random"):
        return name not in ("seed", "default_rng")
    if issubclass(type(owner), datetime.date | type) and name in ("now", "today", "utcnow"):
        return issubclass(owner if isinstance(owner, type) else type(owner), datetime.date)
    return name in _CHANGING.get(thing.__module__ or "", ())
