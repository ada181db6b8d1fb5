"""How a generator prints: as the call that made it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

from everycase.gen.base import Gen
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

G = TypeVar("G", bound=Gen[Any])


def described(node: G, name: str, /, *args: Any, **kwargs: Any) -> G:
    """Remember the public call that made a node; arguments given as keywords show only if not None."""
    node._text = (name, args, kwargs)
    return node


def describe(node: Gen[Any]) -> str:
    """The call that makes this generator, nested calls included, cut where recursion begins.

    >>> from everycase import gen
    >>> gen.lists(gen.integers(0, 9), max_size=3)
    lists(integers(0, 9), max_size=3)
    """
    return _describe(node, 6)


def _describe(node: Gen[Any], depth: int) -> str:
    if depth == 0:
        return "..."
    name, args, kwargs = node._text or CALLS[type(node)](node)
    shown = [_outermost(arg, depth) for arg in args]
    shown += [f"{key}={_outermost(arg, depth)}" for key, arg in kwargs.items() if arg is not None]
    if name.startswith("."):
        return f"{shown[0]}{name}({', '.join(shown[1:])})"
    return f"{name}({', '.join(shown)})"


class _Bare(str):
    """Text to show as it is."""


Call = tuple[str, tuple[Any, ...], dict[str, Any]]


def _integers(node: Int) -> Call:
    if node.lo is not None and node.hi is not None:
        return "integers", (node.lo, node.hi), {}
    return "integers", (), {"min_value": node.lo, "max_value": node.hi}


def _builds(node: Build[Any]) -> Call:
    if node.constructs is tuple:
        return "tuples", node.parts, {}
    first = len(node.parts) - len(node.names)
    return "builds", (node.make, *node.parts[:first]), dict(zip(node.names, node.parts[first:]))


def _lists(node: List[Any]) -> Call:
    from everycase.gen.collections import itself

    sizes = {"min_size": node.min_size or None, "max_size": node.max_size}
    unique = {"unique": True} if node.unique_by is itself else {"unique_by": node.unique_by}
    return "lists", (node.element,), {**sizes, **unique}


#: The call that makes such a node: the name of the function (of a method, if it begins with a dot) and the arguments.
CALLS: dict[type[Any], Callable[[Any], Call]] = total(
    "showing",
    {
        Const: lambda node: ("just", (node.value,), {}),
        Int: _integers,
        Float: lambda node: ("float", (), {}),
        Union: lambda node: ("one_of", node.options, {}),
        Build: _builds,
        List: _lists,
        Map: lambda node: (".map", (node.source, node.f), {}),
        Filter: lambda node: (".filter", (node.source, node.predicate), {}),
        Bind: lambda node: (".flatmap", (node.source, node.f), {}),
        Defer: lambda node: ("deferred", (_Bare("..."),), {}),
        Composite: lambda node: (getattr(node.function, "__name__", "composite"), node.args, node.kwargs),
        Live: lambda node: ("live", (), {}),
    },
)


def _outermost(value: Any, depth: int) -> str:
    """An argument of a generator; values may be nested deeper than Python can write them."""
    try:
        return _argument(value, depth)
    except RecursionError:
        return f"a very deep {type(value).__name__}"


def _argument(value: Any, depth: int) -> str:
    kind = type(value)  # isinstance would ask the object, whose class may raise anything
    if issubclass(kind, _Bare):
        return str(value)
    if issubclass(kind, Gen):
        return _describe(value, depth - 1)
    # Containers by hand, since a generator inside one may lead back here.
    if kind is list:
        return f"[{_arguments(value, depth)}]"
    if kind is tuple:
        return f"({_arguments(value, depth)}{',' * (len(value) == 1)})"
    if kind is dict:
        items = [f"{_argument(key, depth)}: {_argument(item, depth)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    try:
        return _object(value)
    except RecursionError:
        raise
    except Exception:  # the object has a mind of its own, and describing a generator must not fail for that
        return f"<{kind.__name__}>"


def _object(value: Any) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if get_origin(value) is not None:
        return _type(value)
    if isinstance(value, type):
        return value.__name__
    if callable(value) and hasattr(value, "__name__"):
        return "lambda" if value.__name__ == "<lambda>" else str(value.__name__)
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write integers of very many digits
        text = hex(value) if isinstance(value, int) else f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def _arguments(values: Any, depth: int) -> str:
    shown = [_argument(value, depth) for value in values[:20]]
    return ", ".join(shown + ["..."] * (len(values) > 20))


def _type(tp: Any) -> str:
    """A generic type as it is written, without the modules of its parts."""
    origin = get_origin(tp)
    if tp is ... or isinstance(tp, str | int | None):
        return "..." if tp is ... else repr(tp)
    if isinstance(tp, list):
        return f"[{', '.join(map(_type, tp))}]"
    if origin is None:
        return str(getattr(tp, "__name__", None) or tp)
    if origin is UnionType:
        return " | ".join(map(_type, get_args(tp)))
    name = getattr(tp, "__name__", None) or getattr(tp, "_name", None) or origin.__name__
    return f"{name}[{', '.join(map(_type, get_args(tp)))}]"
