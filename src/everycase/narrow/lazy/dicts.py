"""Dictionaries with given keys, whose values are decided when somebody looks at them.

They are made of a tuple of their values, which can stand half decided (see :mod:`everycase.narrow.lazy.unions`); what is
here shows that tuple as a dictionary. Whether an optional key is there is decided when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from everycase.choices.trace import Trace
from everycase.gen.collections import ABSENT
from everycase.gen.kinds import Build, Map
from everycase.narrow.lazy.lists import refusing
from everycase.narrow.lazy.objects import dict_of
from everycase.narrow.lazy.unions import Shape
from everycase.narrow.plan import Decided, Plan
from everycase.narrow.trail import Decisions
from everycase.sizes.least import least

if TYPE_CHECKING:
    from everycase.narrow.planner import Reader


def fixed_keys(gen: Map[Any]) -> tuple[Any, ...] | None:
    """The keys of the dictionaries that a generator makes, if they are given; None for other functions."""
    keys: tuple[Any, ...] | None = getattr(gen.f, "fixed_keys", None)
    return keys if keys is not None and isinstance(gen.source, Build) else None


class DictOf(Plan):
    """A dictionary with given keys."""

    def __init__(self, reader: Reader, gen: Map[Any], shape: Shape) -> None:
        self.gen = gen
        self.shape = shape
        self.least = least(gen)
        self.type = reader.dict_type
        keys = fixed_keys(gen)
        assert keys is not None
        self.names = {key: f"_{i}" for i, key in enumerate(keys)}

    def fresh(self, container: Any, key: Any) -> Any:
        face = self.shape.face()
        if self.shape.fill is not None:
            self.shape.fill(dict_of(face))
        return self.type(face, self)

    def real(self, lazy: Any) -> Any:
        """The dictionary; what is undecided in it is decided."""
        return self.gen.f(self.shape.rebuild(lazy._face))

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return Trace(None, (self.shape.choices(container[key]._face, decided),), self.gen, clean=False)


def make_dict_type(state: Decisions, real: Callable[[Any], Any]) -> type:
    """The class of partly decided dictionaries in one search."""

    class LazyDict(Mapping):  # type: ignore[type-arg]
        __slots__ = ("_face", "_plan")
        __class__ = dict  # type: ignore[assignment]

        def __init__(self, face: Any, plan: DictOf) -> None:
            self._face = face
            self._plan = plan

        def __getitem__(self, key: Any) -> Any:
            name = self._plan.names.get(key)
            found = ABSENT if name is None else getattr(self._face, name)
            if found is ABSENT:
                raise KeyError(key)
            return found

        def __contains__(self, key: Any) -> bool:
            name = self._plan.names.get(key)
            return name is not None and getattr(self._face, name) is not ABSENT

        def get(self, key: Any, default: Any = None) -> Any:
            return self[key] if key in self else default  # noqa: SIM401 (this is what it is)

        def __iter__(self) -> Iterator[Any]:
            for key, name in self._plan.names.items():
                if getattr(self._face, name) is not ABSENT:
                    yield key

        def __reversed__(self) -> Iterator[Any]:
            return iter(list(self)[::-1])

        def __len__(self) -> int:
            return sum(1 for _ in self)

        def __bool__(self) -> bool:
            return any(True for _ in self)

        def __eq__(self, other: Any) -> Any:
            if other is self:
                return True
            if not isinstance(other, dict):
                return NotImplemented
            return len(self) == len(other) and all(key in other and self[key] == other[key] for key in self)

        __hash__ = None  # type: ignore[assignment]

        def __repr__(self) -> str:
            return repr(real(self))

        def __or__(self, other: Any) -> Any:
            return real(self) | other

        def __ror__(self, other: Any) -> Any:
            return other | real(self)

        def copy(self) -> Any:
            return real(self)

        __copy__ = copy

        def __deepcopy__(self, memo: Any) -> Any:
            return deepcopy(real(self), memo)

        def __reduce_ex__(self, protocol: Any) -> Any:
            return real(self).__reduce_ex__(protocol)

    for name in ("clear", "pop", "popitem", "setdefault", "update"):
        setattr(LazyDict, name, refusing(state, f"it calls {name} on a dictionary"))
    for name in ("__setitem__", "__delitem__", "__ior__"):
        setattr(LazyDict, name, refusing(state, "it changes a dictionary"))
    return LazyDict
