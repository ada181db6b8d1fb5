"""The constructors of a recursive type, and the path that a constructor pattern follows through its values.

The type is the set of alternatives (classes, lists, constants) that a generator's values can be at their root, together
with those of every field that shares one of them: so ``next: Node | None`` makes ``None`` a constructor of the type of
``Node``. A path goes from a value to the values of the same type in its fields, also through lists in them. Fields of
other types are not followed, not even where those contain values of the first type again: of mutually recursive types,
the one that the generator starts with is followed as far as it contains itself directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from everycase.gen.base import Gen
from everycase.gen.graph import beneath
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total

#: From a value to the values of the same type in one of its fields.
Step = Callable[[Any], Iterator[Any]]


class Constructor:
    """One alternative of a type. ``matches`` tells its values; ``steps`` lead to the parts of the same type."""

    def __init__(self, name: str, matches: Callable[[Any], bool]) -> None:
        self.name = name
        self.matches = matches
        self.steps: list[Step] = []

    @property
    def is_terminal(self) -> bool:
        return not self.steps

    def __repr__(self) -> str:
        return f"<Constructor {self.name}>"


#: The constructors from the root down, cut after a terminal one.
Path = tuple[Constructor, ...]


def is_member(path: Path, value: Any) -> bool:
    """Whether some path from the root of a value has these constructors, as far as it goes: a path that ends
    at an empty list contains nothing that could have another constructor."""
    first, rest = path[0], path[1:]
    if not first.matches(value):
        return False
    if not rest:
        return True
    ends = True
    for step in first.steps:
        for part in step(value):
            if is_member(rest, part):
                return True
            ends = False
    return ends


def constructors_of(gen: Gen[Any]) -> list[Constructor]:
    """The constructors of a generator's type, in the order of its definition; fewer than two if there is no choice.

    >>> from everycase import gen
    >>> trees = gen.deferred(lambda: gen.none() | gen.tuples(gen.booleans(), trees, trees))
    >>> [(one.name, one.is_terminal) for one in constructors_of(trees)]
    [('None', True), ('tuple', False)]
    """
    leaves = _closed(_leaves(gen))
    known = {id(leaf) for leaf in leaves}
    found: dict[Any, Constructor] = {}
    for leaf in leaves:
        one = _shape(leaf)
        if one.key not in found:
            found[one.key] = Constructor(one.name, one.matches)
        found[one.key].steps.extend(_steps(one, known))
    tuples = [one for key, one in found.items() if isinstance(key, tuple)]
    if len(tuples) == 1:
        tuples[0].name = "tuple"
    others = found.get(_OTHER)
    if others is not None:
        named = [one for one in found.values() if one is not others]
        others.matches = lambda value: not any(one.matches(value) for one in named)
    return list(found.values())


_OTHER = "other"


class ConstructorShape(NamedTuple):
    """What distinguishes the values of an alternative from those of the others (a key, a name, a test), its parts, and
    how each is reached from a value. ``listed`` means that the only part is that of every element."""

    key: Any
    name: str
    matches: Callable[[Any], bool]
    parts: Sequence[Gen[Any]] = ()
    getters: Sequence[Callable[[Any], Any]] = ()
    listed: bool = False


def _other(leaf: Gen[Any]) -> ConstructorShape:
    """Numbers, texts, results of functions: recognised only by not being any of the others."""
    return ConstructorShape(_OTHER, "other", lambda value: True)


def _build(leaf: Build[Any]) -> ConstructorShape:
    cls: Any = leaf.constructs
    if cls is None:
        return _other(leaf)._replace(parts=leaf.parts)
    if cls is tuple:
        length = len(leaf.parts)
        return ConstructorShape(
            (tuple, length),
            f"tuple of {length}",
            lambda value: value.__class__ is tuple and len(value) == length,
            leaf.parts,
            [itemgetter(place) for place in range(length)],
        )
    # Instances of a subclass are made by another constructor.
    getters = [attrgetter(name) for name in leaf.fields]
    return ConstructorShape(cls, cls.__name__, lambda value: value.__class__ is cls, leaf.parts, getters)


def _list(leaf: List[Any]) -> ConstructorShape:
    return ConstructorShape(list, "list", lambda value: isinstance(value, list), [leaf.element], listed=True)


def _const(leaf: Const[Any]) -> ConstructorShape:
    if leaf.value is not None:
        return _other(leaf)
    return ConstructorShape(None, "None", lambda value: value is None)


#: The alternatives of a type, by the kind of their generator.
SHAPES: dict[type[Any], Callable[[Any], ConstructorShape]] = total(
    "constructors of a type",
    {
        Build: _build,
        List: _list,
        Const: _const,
        **dict.fromkeys((Int, Float, Union, Map, Filter, Bind, Defer, Composite, Live), _other),
    },
)


def _shape(leaf: Gen[Any]) -> ConstructorShape:
    return SHAPES[type(leaf)](leaf)


def _steps(shape: ConstructorShape, known: set[int]) -> Iterator[Step]:
    if shape.listed and _shares(shape.parts[0], known):
        yield iter
    for get, part in zip(shape.getters, shape.parts):
        yield from _into(part, known, get)


def _into(part: Gen[Any], known: set[int], get: Callable[[Any], Any]) -> Iterator[Step]:
    if _shares(part, known):
        yield lambda value: iter((get(value),))
        return
    inner = beneath(part, Filter)
    if isinstance(inner, List) and _shares(inner.element, known):
        yield lambda value: iter(get(value))


def _shares(part: Gen[Any], known: set[int]) -> bool:
    return any(id(leaf) in known for leaf in _leaves(part))


def _closed(leaves: list[Gen[Any]]) -> list[Gen[Any]]:
    """Add the alternatives of every field that shares one, until there are no more."""
    known = {id(leaf) for leaf in leaves}
    for leaf in leaves:  # grows on the way
        for part in _shape(leaf).parts:
            inner = beneath(part, Filter)
            for candidate in (part, *([inner.element] if isinstance(inner, List) else [])):
                if _shares(candidate, known):
                    for new in _leaves(candidate):
                        if id(new) not in known:
                            known.add(id(new))
                            leaves.append(new)
    return leaves


def _leaves(gen: Gen[Any]) -> list[Gen[Any]]:
    """The alternatives of a choice, choices among choices included."""
    inner = beneath(gen, Filter)
    if not isinstance(inner, Union):
        return [inner]
    return list({id(leaf): leaf for option in inner.options for leaf in _leaves(option)}.values())
