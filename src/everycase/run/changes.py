"""What functions read from outside that changes while a run goes on: counters, flags, objects that tests work on.

An answer that depends on such a thing may have been another one at another moment of the run, even if all answers
agree once the run has ended.
"""

from __future__ import annotations

import dis
import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any, NamedTuple

from everycase.gen.outside import codes, instructions, reached
from everycase.run.repeatability import SCALARS, Fingerprint, fingerprint

#: How much of each thing is looked at, and how many of the items of a dictionary.
MOST = 256
MOST_ITEMS = 64

#: Methods that change an object and say nothing about it.
SILENT = (
    "append",
    "appendleft",
    "add",
    "extend",
    "update",
    "insert",
    "remove",
    "discard",
    "clear",
    "sort",
    "reverse",
)

#: The instructions between a name and the end of ``name += ...`` and of ``name[...] += ...``.
_COUNTING = 12


#: Generators, and strategies of Hypothesis, remember facts about themselves.
LIBRARIES = ("everycase", "hypothesis")


#: The reason if the test changes what it is given, and that is no copy.
GIVES = "a generator gives away the same {} each time"


class _Name(NamedTuple):
    """A name that code reads: of a global or of a variable around it, and perhaps an attribute of that."""

    first: str
    attribute: str | None
    is_global: bool


class StateRead:
    """What functions read from outside, and the constants that become values, as they are now."""

    def __init__(self, functions: Iterable[Callable[..., Any]], constants: Iterable[Any] = ()) -> None:
        self._read: list[tuple[str, Callable[[], Any], object]] = []
        self._found: str | None = None
        # A constant in a tuple: if it is a dictionary that only grows, it has changed all the same.
        givers = ((GIVES.format(type(each).__name__), lambda each=each: (each,)) for each in constants)
        for label, get in chain(_readers(functions), givers):
            self._read.append((label, get, _known(get())))

    def look(self) -> None:
        """Compare it with what it was when it was last looked at; it may be changed back later."""
        if self._found is not None:
            return
        for place, (label, get, before) in enumerate(self._read):
            now = _known(get())
            if not _is_as_it_was(before, now):
                self._found = label
                return
            self._read[place] = label, get, now

    def changed(self) -> str | None:
        """Something that was not always as it was at first, in words."""
        self.look()
        return self._found


class _Items(NamedTuple):
    """The first items of a dictionary."""

    items: tuple[tuple[Fingerprint, Fingerprint], ...]


def _known(thing: Any) -> object:
    if type(thing) is dict:
        return _Items(
            tuple(
                (fingerprint(key, MOST), fingerprint(each, MOST))
                for key, each in islice(thing.items(), MOST_ITEMS)
            )
        )
    return fingerprint(thing, MOST)


def _is_as_it_was(before: object, now: object) -> bool:
    if isinstance(before, _Items) and isinstance(now, _Items):
        # One that only grew may be the memory of a function, which makes it faster and nothing else.
        return now.items[: len(before.items)] == before.items
    return before == now


def _readers(functions: Iterable[Callable[..., Any]]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What is read, in words, and a function that gets it."""
    seen: set[tuple[int, _Name]] = set()
    for function in reached(functions):
        if type(function) is MethodType:
            owner = function.__self__
            if not issubclass(type(owner), type | ModuleType):
                yield f"{function.__name__} reads its object", lambda owner=owner: owner  # type: ignore[misc]
            continue
        if type(function) in (BuiltinFunctionType, MethodWrapperType):
            yield f"{function.__name__} reads its object", lambda owner=function.__self__: (owner,)  # type: ignore[misc]
            continue
        if type(function) is not FunctionType:
            if not issubclass(type(function), type | functools.partial):
                yield (
                    f"{type(function).__name__} reads its attributes",
                    functools.partial(_attributes, function),
                )
            continue
        name = function.__qualname__.rpartition(".")[2]
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            if isinstance(default, list | dict | set):
                yield f"{name} has a default value", lambda default=default: default  # type: ignore[misc]
        for code in codes(function.__code__):
            for read in _names(code):
                if (id(function), read) not in seen:
                    seen.add((id(function), read))
                    label = f"{name} reads {read.first}{'.' + read.attribute if read.attribute else ''}"
                    yield label, functools.partial(_value, function, read)


def _attributes(thing: Any) -> dict[str, Any] | None:
    try:
        return object.__getattribute__(thing, "__dict__")  # type: ignore[no-any-return]
    except Exception:
        return None


def _value(function: FunctionType, name: _Name) -> Any:
    """What a name means now, if it is something that can change unseen; None for functions, modules and the like."""
    thing = _looked_up(function, name)
    kind = type(thing)
    if name.attribute is not None and issubclass(kind, type | ModuleType):
        owners = type.mro(thing) if issubclass(kind, type) else [thing]
        spaces = [
            _attributes(each) if kind is ModuleType else type.__getattribute__(each, "__dict__")
            for each in owners
        ]
        thing = next((space[name.attribute] for space in spaces if space and name.attribute in space), None)
        kind = type(thing)
    # Of an object, all attributes count, whichever is read.
    if issubclass(kind, (*SCALARS, list, tuple, dict, set, frozenset, deque)):
        return thing
    library = str(kind.__module__).partition(".")[0] in LIBRARIES
    plain = not library and not issubclass(kind, type | ModuleType) and not callable(thing)
    return thing if plain and _attributes(thing) is not None else None


def _looked_up(function: FunctionType, name: _Name) -> Any:
    if name.is_global:
        return function.__globals__.get(name.first)
    variables = function.__code__.co_freevars
    try:
        cell = (function.__closure__ or ())[variables.index(name.first)]
        return cell.cell_contents
    except (ValueError, IndexError):  # not filled yet, or of a function inside this one
        return None


@functools.lru_cache(maxsize=4096)
def _names(code: CodeType) -> tuple[_Name, ...]:
    """The names whose values the code uses. ``calls += 1`` and ``seen.append(n)`` by themselves do not use them."""
    found = []
    steps = instructions(code)
    for at, step in enumerate(steps):
        if step.opname not in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            continue
        follows = steps[at + 1 : at + _COUNTING]
        attribute = None
        if follows and follows[0].opname in ("LOAD_ATTR", "LOAD_METHOD"):
            attribute = follows[0].argval
            if len(follows) > 1 and follows[1].opname in ("LOAD_ATTR", "LOAD_METHOD"):
                if follows[1].argval in SILENT:
                    continue
            elif attribute in SILENT:
                continue
        if not _only_counts(step, follows):
            found.append(_Name(step.argval, attribute, step.opname != "LOAD_DEREF"))
    return tuple(dict.fromkeys(found))


def _only_counts(step: dis.Instruction, follows: tuple[dis.Instruction, ...]) -> bool:
    names = [each.opname for each in follows]
    if len(names) > 2 and names[1] == "BINARY_OP":
        return names[2].startswith("STORE_") and follows[2].argval == step.argval
    return names[1:3] == ["COPY", "COPY"] and "STORE_SUBSCR" in names
