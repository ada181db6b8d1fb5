"""The values that were tested before, for searches that may find the same value again.

A value is known by a hash computed from its class, fields and elements (not by its own ``==`` and ``hash``,
which may ignore something). The hashes are kept, not the values; there are 2**61 of them, so two values
hardly ever share one.
"""

from __future__ import annotations

import enum
import itertools
import sys
from collections.abc import Callable, Iterable
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.facts import facts
from everycase.gen.kinds import Build, Const
from everycase.gen.records import EXACTLY_PRINTED, attributes_of, has_only_attributes
from everycase.narrow.lazy.generated import FunctionText
from everycase.narrow.lazy.layout import layout_of
from everycase.narrow.planner import nodes_of

#: Maximum number of values to remember; later ones may come twice.
MOST_REMEMBERED = 1_000_000
#: Maximum number of objects whose hashes are kept: values share parts, and the next one differs in few of
#: them.
MOST_HASHED = 10_000


class Unknown(Exception):
    """A value of a class whose parts are not known."""


class Repeats:
    """The values seen so far.

    >>> seen = Repeats([])
    >>> seen.is_new(([1, 2],)), seen.is_new(([1], 2)), seen.is_new(([1, 2],)), seen.is_new((1,)), seen.is_new((True,))
    (True, True, False, True, True)
    >>> seen.is_new(({1, 2},)), seen.is_new(({2, 1},)), seen.is_new(({1: 2},)), seen.is_new((frozenset([1, 2]),))
    (True, False, True, True)
    >>> from datetime import date
    >>> seen.is_new((date(2024, 1, 1),)), seen.is_new((date(2024, 1, 1),))
    (True, False)
    """

    def __init__(self, gens: Iterable[Gen[Any]]) -> None:
        """``gens`` make the values, and so determine by which attributes they are distinguished."""
        self._hashes: set[int] = set()
        #: objects by their id, which stays unique while they are here, with their hashes
        self._hashed: dict[int, tuple[Any, int]] = {}
        self._find = Functions(_BASIC)
        for cls in (tuple, list):
            self._find[cls] = self._items(cls)
        for unordered in (set, frozenset):
            self._find[unordered] = self._members(unordered)
        self._find[dict] = self._entries
        #: for whole arguments: they rarely come again, so keeping their hashes is useless
        self._find_whole = Functions(self._find)
        for gen in nodes_of(gens):
            for constant in _classes_of_constants(gen):
                self._find[constant] = self._find_whole[constant] = _unknown
            if isinstance(gen, Build) and gen.constructs is not tuple:
                layout = layout_of(gen) if gen.constructs is None else None
                if gen.constructs is not None:
                    made, names = gen.constructs, gen.fields
                elif layout is not None:
                    made, names = layout.cls, layout.names
                else:
                    continue
                self._find[made] = self._attributes(made, names, keep=facts(gen).shareable)
                self._find_whole[made] = self._attributes(made, names, keep=False)
        #: how many values in a row were seen before
        self.in_a_row = 0
        #: no value was taken for new that may have been seen before
        self.complete = True

    def is_new(self, args: tuple[Any, ...]) -> bool:
        """Whether these arguments were not seen before. (Arguments that cannot be distinguished count as
        new.)"""
        try:
            find = self._find_whole
            hashed = hash(tuple([find[type(value)](value) for value in args]))
        except (Unknown, RecursionError):
            self.complete = False
            return True
        known = self._hashes
        if hashed in known:
            self.in_a_row += 1
            return False
        self.in_a_row = 0
        if len(known) < MOST_REMEMBERED:
            known.add(hashed)
        else:
            self.complete = False
        return True

    # Classes are compared by identity: two classes made in the same function have the same name.

    def _items(self, cls: type) -> Callable[[Any], int]:
        find, kind = self._find, id(cls)
        return lambda value: hash((kind, *[find[type(item)](item) for item in value]))

    def _members(self, cls: type) -> Callable[[Any], int]:
        find, kind = self._find, id(cls)
        return lambda value: hash((kind, frozenset([find[type(item)](item) for item in value])))

    def _entries(self, value: dict[Any, Any]) -> int:
        find = self._find
        # In their order, which a test may see.
        hashes = [(find[type(key)](key), find[type(item)](item)) for key, item in value.items()]
        return hash((id(dict), *hashes))

    def _attributes(self, cls: type, names: tuple[str, ...], *, keep: bool) -> Callable[[Any], int]:
        """The function for one class, generated because it runs for every value found.

        Objects that a test may change have no stable hash, and must not be kept.
        """
        kind = id(cls)
        if not names:
            return lambda value: kind
        text = FunctionText("hash_of(value)")
        if keep:
            text.line(f"known = {text.name(self._hashed.get)}(id(value))")
            text.line("if known is not None: return known[1]")
        find = text.name(self._find)
        parts = [f"part{i}" for i in range(len(names))]
        for part, name in zip(parts, names):
            text.line(f"{part} = value.{name}")
        hashes = ", ".join(f"{find}[type({part})]({part})" for part in parts)
        text.line(f"found = hash(({kind}, {hashes}))")
        text.line(f"return {text.name(self._keep)}(value, found)" if keep else "return found")
        return text.function()  # type: ignore[no-any-return]

    def _keep(self, value: Any, found: int) -> int:
        hashed = self._hashed
        if len(hashed) >= MOST_HASHED:
            hashed.clear()
        hashed[id(value)] = value, found
        return found


class Functions(dict[type, Callable[[Any], int]]):
    """The functions that hash the values of each class."""

    def __missing__(self, cls: type) -> Callable[[Any], int]:
        if cls.__module__ in EXACTLY_PRINTED:
            self[cls] = _by_text(id(cls))
        elif issubclass(cls, enum.Enum):
            self[cls] = id  # each member exists once, as long as its class does
        elif issubclass(cls, tuple) and hasattr(cls, "_fields") and not cls.__dictoffset__:
            self[cls] = self._parts(cls, iter)
        elif cls is not object and has_only_attributes(cls):
            self[cls] = self._parts(cls, _attributes_of)
        else:
            raise Unknown(cls)
        return self[cls]

    def _parts(self, cls: type, parts: Callable[[Any], Iterable[Any]]) -> Callable[[Any], int]:
        kind = id(cls)
        return lambda value: hash((kind, *[self[type(part)](part) for part in parts(value)]))


def _attributes_of(value: Any) -> Iterable[Any]:
    """The names and values of the attributes of an object, in their order, which a test may see."""
    found = list(itertools.chain.from_iterable(attributes_of(value)))
    return found or _unknown(value)  # without any, it may stand for itself


def _classes_of_constants(gen: Gen[Any]) -> set[type]:
    """The classes of the objects that a generator gives as they are: two with the same attributes may be two values."""
    options = getattr(getattr(gen, "f", None), "__self__", None)  # those of sampled_from
    values = (gen.value,) if isinstance(gen, Const) else options if type(options) is tuple else ()
    classes = {type(value) for value in values}
    own = {cls for cls in classes if cls.__module__.partition(".")[0] not in sys.stdlib_module_names}
    return {cls for cls in own if has_only_attributes(cls) and not issubclass(cls, enum.Enum)}


def _unknown(value: Any) -> Any:
    raise Unknown(value)


def _tagged(kind: str) -> Callable[[Any], int]:
    return lambda value: hash((kind, value))


def _by_text(kind: int) -> Callable[[Any], int]:
    return lambda value: hash((kind, repr(value)))


def _of_int(value: int) -> int:
    # hash(-1) is hash(-2), and numbers from 2**61 on share theirs with smaller ones.
    return hash(("int", 2 * value + 1 if -(2**59) < value < 2**59 else hex(value)))


_BASIC: dict[type, Callable[[Any], int]] = {
    int: _of_int,
    bool: _tagged("bool"),
    str: _tagged("str"),
    bytes: _tagged("bytes"),
    # By text: 0.0 and -0.0 are equal, and nan is not even equal to itself.
    float: lambda value: hash(("float", repr(value))),
    type(None): lambda value: hash("None"),
}
