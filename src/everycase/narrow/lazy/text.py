"""Text whose length and characters are decided as far as they are looked at.

It is made from a list of characters, which can be half decided (see :mod:`everycase.narrow.lazy.lists`).
Comparing, iterating, indexing, ``startswith``, ``count`` of a character and tests of every character look at
one character after the other; everything else needs the whole text. C code (regular expressions, ``int``)
accepts only a real text and rejects this one; the text is then decided and the predicate is evaluated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.kinds import List, Map
from everycase.narrow.plan import Context, Decided, ListPlan, Plan
from everycase.narrow.trail import Place


def is_text(gen: Map[Any]) -> bool:
    """Whether a generator joins characters, each of which is one element of a list."""
    f: Any = gen.f
    joins = getattr(f, "__self__", None) == "" and getattr(f, "__name__", "") == "join"
    source = gen.source
    named = gen._text is not None and gen._text[0] == "text"
    return bool(joins and named and isinstance(source, List) and source.unique_by is None)


class TextPlan(Plan):
    """A text of single characters."""

    def __init__(self, context: Context, gen: Map[Any], place: Place) -> None:
        assert isinstance(gen.source, List)
        self.gen = gen
        self.list = ListPlan(context, gen.source, place)
        self.least = self.list.least
        self.label = str

    def fresh(self, container: Any, key: Any) -> Any:
        return LazyText(self.list.fresh(container, key))

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        items = container[key]._list._known.items
        parts = decided.parts((self.list.element, items, i) for i in range(len(items)))
        return Trace(None, (Trace(None, parts, self.gen.source, clean=False),), self.gen, clean=False)


#: Tests of a text that test each of its characters, of which there must be at least one.
_EACH = ("isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace")


def real_text(text: Any) -> str:
    """The text; undecided parts are decided."""
    # However many characters it has, this is one place.
    state = text._list._known.plan.state
    state.making += 1
    try:
        return "".join(text._list)
    finally:
        state.making -= 1


def _of_each(name: str) -> Callable[[Any], bool]:
    test = getattr(str, name)
    return lambda self: bool(self) and all(test(one) for one in self)


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    def compare(self: Any, other: Any) -> Any:
        if not isinstance(other, str):
            return NotImplemented
        return getattr(real_text(self), name)(str(other))

    return compare


class LazyText:
    __slots__ = ("_list",)
    __class__ = str  # type: ignore[assignment]

    def __init__(self, characters: Any) -> None:
        self._list = characters

    def __len__(self) -> int:
        return len(self._list)

    def __bool__(self) -> bool:
        return bool(self._list)

    def __iter__(self) -> Iterator[str]:
        return iter(self._list)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            try:
                return self._list[index]
            except IndexError:
                raise IndexError("string index out of range") from None
        found = self._list[index]
        return "".join(found) if type(found) is list else LazyText(found)

    def __contains__(self, part: Any) -> bool:
        if isinstance(part, str) and len(part) == 1:
            return any(one == part for one in self._list)
        return part in real_text(self)

    def __eq__(self, other: Any) -> Any:
        if other is self:
            return True
        if not isinstance(other, str):
            return NotImplemented
        mine, theirs, end = iter(self), iter(other), object()
        while True:
            a, b = next(mine, end), next(theirs, end)
            if a is end or b is end:
                return a is b
            if a != b:
                return False

    def __ne__(self, other: Any) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(real_text(self))

    def __str__(self) -> str:
        return real_text(self)

    def __repr__(self) -> str:
        return repr(real_text(self))

    def __format__(self, spec: str) -> str:
        return format(real_text(self), spec)

    def __copy__(self) -> str:
        return real_text(self)

    def __deepcopy__(self, memo: Any) -> str:
        return real_text(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return str, (real_text(self),)

    def __getattr__(self, name: str) -> Any:
        return getattr(real_text(self), name)

    def __add__(self, other: Any) -> Any:
        return real_text(self) + (real_text(other) if type(other) is LazyText else other)

    def __radd__(self, other: Any) -> Any:
        return other + real_text(self)

    def __mul__(self, count: Any) -> Any:
        return real_text(self) * count

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        return real_text(self) % values

    def startswith(self, prefix: Any, *bounds: Any) -> bool:
        if bounds or not isinstance(prefix, str):
            return real_text(self).startswith(prefix, *bounds)
        mine, end = iter(self), object()
        return all(next(mine, end) == one for one in prefix)

    def endswith(self, suffix: Any, *bounds: Any) -> bool:
        if bounds or not isinstance(suffix, str):
            return real_text(self).endswith(suffix, *bounds)
        start = len(self) - len(suffix)
        return start >= 0 and all(self._list[start + i] == one for i, one in enumerate(suffix))

    def count(self, part: Any, *bounds: Any) -> int:
        if bounds or not isinstance(part, str) or len(part) != 1:
            return real_text(self).count(part, *bounds)
        return sum(one == part for one in self._list)

    def isascii(self) -> bool:
        return all(one.isascii() for one in self._list)

    def isidentifier(self) -> bool:
        return bool(self._list) and all(
            (f"a{one}" if i else one).isidentifier() for i, one in enumerate(self._list)
        )


for name in _EACH:
    setattr(LazyText, name, _of_each(name))
for name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(LazyText, name, _comparison(name))
