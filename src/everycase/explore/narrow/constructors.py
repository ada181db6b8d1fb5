"""The constructors of a recursive type, and the path that a constructor pattern follows through its values.

The type is the set of alternatives (classes, lists, constants) that a generator's values can be at their root, together
with those of every field that shares one of them: so ``next: Node | None`` makes ``None`` a constructor of the type of
``Node``. A path goes from a value to the values of the same type in its fields, also through lists in them. Fields of
other types are not followed, not even where those contain values of the first type again: of mutually recursive types,
the one that the generator starts with is followed as far as it contains itself directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.graph import beneath
from everycase.gen.kinds import Build, Const, Filter, List, Union

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
        key, name, matches = _identity(leaf)
        if key not in found:
            found[key] = Constructor(name, matches)
        found[key].steps.extend(_steps(leaf, known))
    tuples = [one for key, one in found.items() if isinstance(key, tuple)]
    if len(tuples) == 1:
        tuples[0].name = "tuple"
    others = found.get(_OTHER)
    if others is not None:
        named = [one for one in found.values() if one is not others]
        others.matches = lambda value: not any(one.matches(value) for one in named)
    return list(found.values())


_OTHER = "other"


def _identity(leaf: Gen[Any]) -> tuple[Any, str, Callable[[Any], bool]]:
    """What distinguishes the values of an alternative from those of the others: a key, a name, a test."""
    match leaf:
        case Build() if leaf.constructs is tuple:
            length = len(leaf.parts)
            name = f"tuple of {length}"
            return (tuple, length), name, lambda value: value.__class__ is tuple and len(value) == length
        case Build() if leaf.constructs is not None:
            # Instances of a subclass are made by another constructor.
            cls: type = leaf.constructs
            return cls, cls.__name__, lambda value: value.__class__ is cls
        case List():
            return list, "list", lambda value: isinstance(value, list)
        case Const(value=None):
            return None, "None", lambda value: value is None
    # Numbers, texts, results of functions: recognised only by not being any of the above.
    return _OTHER, "other", lambda value: True


def _steps(leaf: Gen[Any], known: set[int]) -> Iterator[Step]:
    match leaf:
        case Build() if leaf.constructs is tuple:
            for place, part in enumerate(leaf.parts):
                yield from _into(part, known, lambda value, place=place: value[place])  # type: ignore[misc]
        case Build() if leaf.constructs is not None:
            for name, part in zip(leaf.fields, leaf.parts):
                yield from _into(part, known, lambda value, name=name: getattr(value, name))  # type: ignore[misc]
        case List():
            if _shares(leaf.element, known):
                yield iter


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
        parts = leaf.parts if isinstance(leaf, Build) else [leaf.element] if isinstance(leaf, List) else ()
        for part in parts:
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
