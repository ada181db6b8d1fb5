"""Inspects a predicate's code for problems that do not show while it runs.

``type(x)`` returns the class of the stand-in for an undecided value, and nothing in Python can change that.
``x is 3`` compares the identity of the stand-in, and json does not recognise it as one of its types and calls
``default`` with it. A cache keeps half-decided values longer than they are correct. All this is found by
inspecting the code that a predicate can reach, and reported with advice.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

from everycase import gen
from everycase.gen.names import closure_of
from everycase.gen.sources import OURS

#: The names of files that do not exist: methods that dataclasses, attrs and the interpreter generated.
_GENERATED = ("<string>", "<attrs generated", "<frozen")
_NOT_LOOKED_INTO = frozenset(
    {
        *("__repr__", "__str__", "__format__", "__init__", "__new__", "__post_init__", "__init_subclass__"),
        *("__class_getitem__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__getstate__"),
        *("__setstate__", "__copy__", "__deepcopy__", "__replace__"),
    }
)
#: The functions of json that take a ``default``.
_JSON = frozenset({"dump", "dumps", "JSONEncoder"})
#: Maximum number of functions to follow.
MOST_FUNCTIONS = 500


def lint_finding(predicates: Iterable[Callable[..., Any]], classes: Iterable[type]) -> str | None:
    """Why predicates should not be run on partial values of some classes, in words; None if there is no
    reason.

    >>> lint_finding([lambda x: isinstance(x, int)], [])
    >>> print(lint_finding([lambda x: type(x) is int], []))
    it calls type(...) in <lambda> (line 1), which sees the stand-in for an undecided value, not its class; write \
isinstance(x, C) or x.__class__
    """
    members: dict[str, list[Any]] = {}
    for name, member in _members(classes):
        members.setdefault(name, []).append(member)
    pending = list(predicates)
    unseen = [one for name in members if _is_called_unseen(name) for one in members[name]]
    seen: set[int] = set()
    while pending and len(seen) < MOST_FUNCTIONS:
        found = _function(pending.pop(0))
        if not _is_ours(found):  # our own predicates call no user-defined special methods
            pending.extend(unseen)
            unseen = []
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, functools._lru_cache_wrapper):
            if _takes_nothing(found.__wrapped__):  # so nothing is stored
                pending.append(found.__wrapped__)
                continue
            name = getattr(found, "__name__", "a function")
            return (
                f"it calls {name}, which remembers its arguments (functools.cache), but a half-decided value must not "
                f"be stored; write {name}.__wrapped__, or remove the cache"
            )
        pending.extend(closure_of(found).values())
        file = found.__code__.co_filename
        name = found.__name__
        if _is_ours(found) and getattr(gen, name, None) is found:
            return (
                f"it calls gen.{name}, but generators store their arguments, and a "
                "half-decided value must not be stored; make the generator outside the predicate"
            )
        if is_library(file, found.__module__):
            continue  # but it may belong to a decorator around user code
        own_type = found.__globals__.get("type", type) is not type
        read = [_read(code) for code in _codes(found.__code__)]
        for one in read:
            trouble = (None if own_type else one.by_type) or one.by_identity or one.by_default
            if trouble is not None:
                return trouble
        attributes = {name for one in read for name in one.attributes}
        pending.extend(_referred(found, {name for one in read for name in one.globals}, attributes))
        pending.extend(one for name in sorted(attributes) for one in members.get(name, ()))
    return None


def _function(thing: Any) -> Any:
    """The function behind a method, property or partial; None for anything else."""
    while True:
        match thing:
            case FunctionType() | functools._lru_cache_wrapper():
                return thing
            case MethodType() | classmethod() | staticmethod():
                thing = thing.__func__
            case property():
                thing = thing.fget
            case functools.partial() | functools.cached_property():
                thing = thing.func
            case _:
                call = getattr(type(thing), "__call__", None)  # noqa: B004 (it may be a slot wrapper)
                return call if isinstance(call, FunctionType) and not isinstance(thing, type) else None


def _takes_nothing(function: Any) -> bool:
    return isinstance(function, FunctionType) and not inspect.signature(function).parameters


def _is_ours(function: Any) -> bool:
    return isinstance(function, FunctionType) and function.__code__.co_filename.startswith(OURS)


def is_library(file: str, module: str | None) -> bool:
    """Code of the standard library or of an installed package was not written with such values in mind."""
    package = (module or "").partition(".")[0]
    installed = package in sys.stdlib_module_names or "site-packages" in file or file.startswith(OURS)
    return installed or file.startswith(_GENERATED)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions, lambdas and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


class Read(NamedTuple):
    """The findings in one piece of code: names, and what goes wrong on partial values, with advice."""

    globals: frozenset[str]
    attributes: frozenset[str]
    by_type: str | None
    by_identity: str | None
    by_default: str | None


@lru_cache(maxsize=1024)
def _read(code: CodeType) -> Read:
    """Cached, because it takes longer than everything else, and the same predicate is inspected for every
    search."""
    globals_read, attributes = set(), set()
    by_type = by_identity = None
    line, before = code.co_firstlineno, None
    for instruction in dis.get_instructions(code):
        line = instruction.starts_line if type(instruction.starts_line) is int else line
        match instruction.opname:
            case "LOAD_GLOBAL":
                globals_read.add(instruction.argval)
                # The lowest bit says that the loaded object will be called.
                if instruction.argval == "type" and (instruction.arg or 0) & 1:
                    by_type = by_type or (
                        f"it calls type(...) in {code.co_name} (line {line}), which sees the stand-in for an undecided "
                        "value, not its class; write isinstance(x, C) or x.__class__"
                    )
            case "LOAD_NAME":  # in the body of a class
                globals_read.add(instruction.argval)
            case "LOAD_ATTR" | "LOAD_METHOD" | "LOAD_SUPER_ATTR":
                attributes.add(instruction.argval)
            case "IS_OP" if before is not None and _is_number(before):
                by_identity = by_identity or (
                    f"it compares a number by `is` in {code.co_name} (line {line}), but the stand-in for an "
                    "undecided number "
                    "is never that object; write =="
                )
        before = instruction
    by_default = None
    if _passes_default(code):
        by_default = (
            f"it passes default=... to json in {code.co_name} (line {code.co_firstlineno}), which is also called with "
            "stand-ins for undecided values; make plain values first, as in json.dumps(dataclasses.asdict(x)), "
            "without default"
        )
    return Read(frozenset(globals_read), frozenset(attributes), by_type, by_identity, by_default)


def _is_number(loads: dis.Instruction) -> bool:
    """Whether an instruction loads a number literal. (Others have numbers as operands, too.)"""
    return loads.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and type(loads.argval) in (int, float)


def _passes_default(code: CodeType) -> bool:
    """Whether json is called with a default for other types."""
    if not _JSON & set(code.co_names):
        return False
    # In the source, a call begins where the called function begins.
    of_json = set()
    names: Any = ()
    before = None
    for instruction in dis.get_instructions(code):
        where = instruction.positions
        begin = None if where is None else (where.lineno, where.col_offset)
        match instruction.opname:
            case "LOAD_GLOBAL" | "LOAD_NAME" | "LOAD_ATTR" | "LOAD_METHOD" if instruction.argval in _JSON:
                of_json.add(begin)
            case "KW_NAMES":  # of the call that comes next
                names = code.co_consts[instruction.arg or 0]  # (dis does not look it up)
            case "CALL" | "CALL_KW":
                if instruction.opname == "CALL_KW" and before is not None:  # from Python 3.13 on
                    names = before.argval
                if begin in of_json and {"default", "cls"} & {*names}:
                    return True
                names = ()
        before = instruction
    return False


def _referred(function: Any, globals_read: set[str], attributes: set[str]) -> Iterator[Any]:
    """The globals that a function reads, and the attributes of modules and classes among them."""
    for name in sorted(globals_read):
        thing = function.__globals__.get(name)
        if isinstance(thing, ModuleType):
            if thing.__name__.partition(".")[0] not in sys.stdlib_module_names:
                yield from (getattr(thing, other, None) for other in sorted(attributes))
        elif isinstance(thing, type):
            yield from (
                one for other, one in _members([thing]) if other in attributes or _is_called_unseen(other)
            )
        elif thing is not None:
            yield thing


def _members(classes: Iterable[type]) -> Iterator[tuple[str, Any]]:
    """The attributes of classes and their bases, by name."""
    bases = dict.fromkeys(base for cls in classes for base in cls.__mro__)
    return (item for base in bases for item in vars(base).items())


def _is_called_unseen(name: str) -> bool:
    """Special methods are called without being named. Printing is left out: ``type(self).__name__`` is common
    there."""
    return name.startswith("__") and name not in _NOT_LOOKED_INTO
