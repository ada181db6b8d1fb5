"""What is known of builtins and of the standard library: which functions have side effects, and which special methods
are called by what."""

from __future__ import annotations

import ast
import bisect
import builtins
import datetime
import heapq
from types import ModuleType
from typing import Any

#: Builtins without side effects. (``next`` is not one: it advances a shared iterator.)
BUILTINS = frozenset(
    {
        *("abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "complex"),
        *("dict", "divmod", "enumerate", "filter", "float", "format", "frozenset", "getattr"),
        *("hasattr", "hash", "hex", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max"),
        *("min", "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice"),
        *("sorted", "str", "sum", "tuple", "zip"),
    }
)
#: Modules of the standard library whose functions have no side effects, except those in :data:`CHANGING`.
MODULES = frozenset(
    {
        *("bisect", "cmath", "collections", "copy", "dataclasses", "datetime", "decimal"),
        *("difflib", "enum", "fractions", "functools", "heapq", "html", "itertools", "json"),
        *("keyword", "math", "numbers", "operator", "re", "statistics", "string", "textwrap"),
        *("typing", "unicodedata", "zlib", "binascii", "base64", "hashlib", "struct", "ipaddress"),
        *("uuid", "calendar", "colorsys", "fnmatch", "shlex", "ast"),
    }
)
#: Functions that change something, or depend on more than their arguments.
CHANGING = frozenset(
    {
        *("append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem"),
        *("remove", "discard", "clear", "update", "add", "setdefault", "sort", "reverse", "rotate"),
        *("write", "writelines", "writerow", "send", "close", "heappush", "heappop", "heapify"),
        *("heapreplace", "heappushpop", "insort", "insort_left", "insort_right", "setattr"),
        *("delattr", "setitem", "delitem", "now", "today", "utcnow", "uuid1", "uuid4", "cache"),
        *("lru_cache", "iadd", "isub", "imul", "iconcat", "ior", "iand", "ixor"),
        *("difference_update", "intersection_update", "symmetric_difference_update", "move_to_end"),
        *("subtract", "dump", "load", "__setattr__", "__setitem__", "__delitem__", "__delattr__"),
        *("next", "__next__", "throw"),
    }
)
#: Built-in classes whose other methods have no side effects.
_PLAIN = (
    str,
    bytes,
    int,
    float,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    range,
    datetime.date,
    datetime.datetime,
)
METHODS = (
    frozenset(
        name
        for cls in (*_PLAIN, datetime.time, datetime.timedelta)
        for name in dir(cls)
        if not name.startswith("__")
    )
    | {
        "most_common",
        "elements",
        "total",
        "group",
        "groups",
        "groupdict",
        "span",
        "start",
        "end",
        "fullmatch",
        "match",
    }
    | {"search", "findall", "finditer", "sub", "is_integer", "_replace", "_asdict"}
) - CHANGING
#: Methods that change the built-in containers.
CHANGING_CONTAINERS = CHANGING & {name for cls in (list, dict, set) for name in dir(cls)}
#: Containers of the standard library; calling one makes a new object.
CONTAINERS = frozenset({"Counter", "deque", "defaultdict", "OrderedDict"})
#: Functions of the standard library that change their first argument, and nothing else.
CHANGING_FIRST = (
    *(heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop),
    *(bisect.insort, bisect.insort_left, bisect.insort_right, next),
)
#: The special methods that operators call, by the kind of expression or statement, and those that builtins call, by name.
_COMPARING = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_ITERATING = ("__iter__", "__next__", "__reversed__")
_ARITHMETIC = tuple(
    f"__{side}{name}__"
    for name in (
        *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
        *("lshift", "rshift", "and", "or", "xor"),
    )
    for side in ("", "r")
)
_CONVERTING = ("__abs__", "__round__", "__int__", "__float__", "__complex__", "__index__", "__trunc__")
_TRUTH = ("__bool__", "__len__")
_HASHING = ("__hash__", "__eq__")
_SHOWING = ("__str__", "__repr__", "__format__")
BY_OPERATOR: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Compare: (*_COMPARING, "__contains__", *_ITERATING),
    ast.BinOp: _ARITHMETIC,
    ast.UnaryOp: ("__neg__", "__pos__", "__invert__", *_TRUTH),
    ast.Subscript: ("__getitem__", "__missing__"),
    ast.Attribute: ("__getattr__", "__getattribute__"),
    **dict.fromkeys((ast.For, ast.comprehension, ast.Starred), _ITERATING),
    **dict.fromkeys((ast.BoolOp, ast.If, ast.IfExp, ast.While, ast.Assert), _TRUTH),
    **dict.fromkeys((ast.Set, ast.Dict, ast.SetComp, ast.DictComp), _HASHING),
    ast.JoinedStr: _SHOWING,
}
BY_BUILTIN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("len", "bool"), _TRUTH),
    "hash": _HASHING,
    **dict.fromkeys(("set", "frozenset", "dict", "Counter"), (*_ITERATING, *_HASHING)),
    **dict.fromkeys(("str", "repr", "ascii", "format"), _SHOWING),
    **dict.fromkeys(("sum", "divmod", "pow"), (*_ITERATING, *_ARITHMETIC)),
    **dict.fromkeys(("abs", "round", "int", "float", "complex"), _CONVERTING),
    **dict.fromkeys(("isinstance", "issubclass", "callable", "getattr", "hasattr"), ()),
}
#: Those that any other function written in C may call.
BY_OTHERS = (*_ITERATING, *_COMPARING, *_TRUTH, "__getitem__", "__contains__")


def is_plain_builtin(thing: Any, name: str) -> bool:
    """Whether a function written in C has no side effects: a builtin, or a function of a known module or
    type."""
    owner = getattr(thing, "__self__", None)
    if owner is None or isinstance(owner, ModuleType):
        owner = getattr(thing, "__objclass__", owner)
    if isinstance(owner, ModuleType):
        return name in BUILTINS if owner is builtins else owner.__name__.lstrip("_") in MODULES
    cls = owner if isinstance(owner, type) else type(owner)
    return cls in _PLAIN or cls.__module__.lstrip("_") in MODULES
