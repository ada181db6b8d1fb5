"""Reading a predicate's code for what cannot be seen while it runs.

``type(x)`` shows the class that stands for an undecided value, and nothing in Python can change that; nor that json
takes such a value for none of its own types, and asks ``default`` about it. A cache keeps half-decided values beyond the
moment for which they were right. All this is found by looking through the code that a predicate can reach, and named with
the remedy.
"""

from __future__ import annotations

import builtins
import dis
import functools
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from everycase import gen

#: The names of files that there are not: methods that dataclasses, attrs and the interpreter have written.
_GENERATED = ("<string>", "<attrs generated", "<frozen")
_NOT_LOOKED_INTO = frozenset(
    {
        *("__repr__", "__str__", "__format__", "__init__", "__new__", "__post_init__", "__init_subclass__"),
        *("__class_getitem__", "__setattr__", "__delattr__", "__reduce__", "__reduce_ex__", "__getstate__"),
        *("__setstate__", "__copy__", "__deepcopy__", "__replace__"),
    }
)
#: Where our own code is.
_OWN = str(Path(__file__).parent.parent)
_JSON = frozenset({"dump", "dumps", "JSONEncoder"})
#: Functions are followed through at most so many others.
MOST_FUNCTIONS = 500


def suspicion(predicates: Iterable[Callable[..., Any]], classes: Iterable[type]) -> str | None:
    """Why predicates should not be run on partial values of some classes, in words; None if nothing speaks against it.

    >>> suspicion([lambda x: isinstance(x, int)], [])
    >>> print(suspicion([lambda x: type(x) is int], []))
    it calls type(...) in <lambda> (line 1), which sees what stands for an undecided value and not its class; write \
isinstance(x, C) or x.__class__
    """
    members: dict[str, list[Any]] = {}
    for name, member in _members(classes):
        members.setdefault(name, []).append(member)
    pending = list(predicates)
    pending.extend(one for name in members if _is_called_unseen(name) for one in members[name])
    seen: set[int] = set()
    while pending and len(seen) < MOST_FUNCTIONS:
        found = _function(pending.pop(0))
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, functools._lru_cache_wrapper):
            name = getattr(found, "__name__", "a function")
            return (
                f"it calls {name}, which remembers its arguments (functools.cache), and a half-decided value must not "
                f"be kept; write {name}.__wrapped__, or leave the cache out"
            )
        if found.__code__.co_filename.startswith(_OWN):
            name = found.__name__
            if getattr(gen, name, None) is found:
                return (
                    f"it calls gen.{name}, and generators are kept with what they were made of, which a "
                    "half-decided value must not be; make the generator outside of the predicate"
                )
            pending.extend(_enclosed(found))  # it may call a function of the user's
        if _is_library(found):
            continue
        for code in _codes(found.__code__):
            line = _line_of_type_call(code, found.__globals__)
            if line is not None:
                return (
                    f"it calls type(...) in {code.co_name} (line {line}), which sees what stands for an undecided value "
                    "and not its class; write isinstance(x, C) or x.__class__"
                )
            if _passes_default(code):
                return (
                    f"it passes default=... to json in {code.co_name} (line {code.co_firstlineno}), which is asked about "
                    "what stands for an undecided value, too; make plain values first, as in "
                    "json.dumps(dataclasses.asdict(x)), without default"
                )
        named = {name for code in _codes(found.__code__) for name in code.co_names}
        pending.extend(_referred(found, named))
        pending.extend(one for name in sorted(named) for one in members.get(name, ()))
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


def _is_library(function: Any) -> bool:
    """Code of the standard library or of an installed package, ours too, is not what the user has written and can mend."""
    name: str = function.__code__.co_filename
    module = (function.__module__ or "").partition(".")[0]
    return (
        module in sys.stdlib_module_names or "site-packages" in name or name.startswith((*_GENERATED, _OWN))
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions, lambdas and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _line_of_type_call(code: CodeType, names: dict[str, Any]) -> int | None:
    if "type" not in code.co_names or names.get("type", builtins.type) is not builtins.type:
        return None
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        line = instruction.starts_line if type(instruction.starts_line) is int else line
        # The lowest bit says that what is loaded will be called.
        if (
            instruction.argval == "type"
            and instruction.opname == "LOAD_GLOBAL"
            and (instruction.arg or 0) & 1
        ):
            return line
    return None


def _passes_default(code: CodeType) -> bool:
    """Whether json is told what to do with values that are none of its own types."""
    if not _JSON & set(code.co_names):
        return False
    # The names of keyword arguments are a constant.
    named = [one for one in code.co_consts if isinstance(one, tuple)]
    return any("default" in names or "cls" in names for names in named)


def _enclosed(function: Any) -> Iterator[Any]:
    """What is in the closure of a function."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue


def _referred(function: Any, named: set[str]) -> Iterator[Any]:
    """What a function may call: the globals that it names, attributes of modules among them, and its closure."""
    yield from _enclosed(function)
    for name in sorted(named):
        thing = function.__globals__.get(name)
        if isinstance(thing, ModuleType):
            if thing.__name__.partition(".")[0] not in sys.stdlib_module_names:
                yield from (getattr(thing, other, None) for other in sorted(named))
        elif isinstance(thing, type):
            yield from (one for other, one in _members([thing]) if other in named or _is_called_unseen(other))
        elif thing is not None:
            yield thing


def _members(classes: Iterable[type]) -> Iterator[tuple[str, Any]]:
    """What is in classes and their bases, by name."""
    bases = dict.fromkeys(base for cls in classes for base in cls.__mro__)
    return (item for base in bases for item in vars(base).items())


def _is_called_unseen(name: str) -> bool:
    """Special methods are called without being named. Printing is left out: ``type(self).__name__`` is usual there."""
    return name.startswith("__") and name not in _NOT_LOOKED_INTO
