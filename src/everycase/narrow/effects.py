"""Whether code is free of side effects, decided from its source before it is run out of order.

A condition inside a test is evaluated on many inputs that the test never sees, so it must have no side
effects. Code that cannot be read, or is not known, counts as having some: :class:`Doubt` says what and where.
"""

from __future__ import annotations

import ast
import bisect
import builtins
import collections
import contextlib
import datetime
import enum
import functools
import heapq
import inspect
import itertools
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType, ModuleType
from typing import Any

from everycase.gen.names import closure_of, names_set
from everycase.gen.sources import is_refusal, tree_of
from everycase.narrow.trust.lint import is_library

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
_MODULES = frozenset(
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
_CHANGING_CONTAINERS = CHANGING & {name for cls in (list, dict, set) for name in dir(cls)}
#: The types of functions, in the broadest sense.
_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, functools.partial)
#: Containers of the standard library; calling one makes a new object.
CONTAINERS = frozenset({"Counter", "deque", "defaultdict", "OrderedDict"})
#: Containers that give their parts away without running any code.
_PARTS = (list, tuple, set, frozenset, dict)
_CONSTRUCTORS = ("__new__", "__init__", "__post_init__", "__attrs_post_init__")
#: Functions of the standard library that change their first argument, and nothing else.
_CHANGING_FIRST = (
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
_OPERATORS: dict[type[ast.AST], tuple[str, ...]] = {
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
_BY_BUILTIN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("len", "bool"), _TRUTH),
    "hash": _HASHING,
    **dict.fromkeys(("set", "frozenset", "dict", "Counter"), (*_ITERATING, *_HASHING)),
    **dict.fromkeys(("str", "repr", "ascii", "format"), _SHOWING),
    **dict.fromkeys(("sum", "divmod", "pow"), (*_ITERATING, *_ARITHMETIC)),
    **dict.fromkeys(("abs", "round", "int", "float", "complex"), _CONVERTING),
    **dict.fromkeys(("isinstance", "issubclass", "callable", "getattr", "hasattr"), ()),
}
#: Those that any other function written in C may call.
_BY_OTHERS = (*_ITERATING, *_COMPARING, *_TRUTH, "__getitem__", "__contains__")
#: How many parts of a container from outside are looked at.
MOST_PARTS = 64
#: Stands for an expression that makes a new object of older parts.
_NEW = ast.Tuple([ast.Name("", ast.Load())], ast.Load())
#: Maximum number of functions to follow.
MOST_FUNCTIONS = 200


class Doubt(Exception):
    """Code may have side effects. The message says what, and in which line."""


class Effects:
    """Reads code for side effects. ``classes`` are those that the arguments may be instances of; ``harmless``
    are functions that are known to be fine; code that was already read is not read again."""

    def __init__(
        self, classes: Iterable[type] = (), harmless: Callable[[Any], bool] = lambda thing: False
    ) -> None:
        self.classes = list(classes)
        self.harmless = harmless
        self._done: set[int] = set()
        #: by function: the parameters whose arguments it changes, each with how deep inside. Its callers must pass new objects.
        self._changes: dict[FunctionType, dict[str, int]] = {}
        self._has_grown = False
        #: the classes of objects from outside that it looks at
        self._outside: set[type] = set()
        #: the classes of the user's that it makes instances of
        self.made: list[type] = []
        #: a loop was met that may not end for invalid arguments
        self.may_not_end = False

    def of_function(self, function: Any) -> None:
        """Raise :class:`Doubt` unless a function has no side effects."""
        self._settle(lambda: self._mentioned(function, None))

    def of_statements(
        self, body: Sequence[ast.stmt], function: FunctionType, fresh: Iterable[str] = ()
    ) -> None:
        """The same for some statements of a function."""
        self._settle(lambda: _StatementReader(self, function, fresh).read(body))

    def _settle(self, read: Callable[[], None]) -> None:
        """Read again as long as a function turns out to change more of its arguments: its callers were read before that was
        known."""
        while True:
            self._has_grown = False
            try:
                read()
            except BaseException as problem:
                self._done.clear()  # what is doubtful once is doubtful the next time
                if isinstance(problem, Exception) and not isinstance(problem, Doubt) and is_refusal(problem):
                    raise Doubt("it reads an object that raises when it is looked at") from problem
                raise
            if not self._has_grown:
                return
            self._done.clear()

    def changes_argument(self, function: FunctionType, name: str, depth: int) -> None:
        """A function changes what it is given as this parameter, this deep inside."""
        known = self._changes.setdefault(function, {})
        if known.get(name, -1) < depth:
            known[name] = depth
            self._has_grown = True

    def changed_by(self, thing: Any) -> dict[str, int]:
        """The parameters whose arguments a function changes, each with how deep inside."""
        return self._changes.get(thing, {}) if isinstance(thing, FunctionType) else {}

    @property
    def changing(self) -> set[str]:
        """The names of the functions that change an argument."""
        return {function.__name__ for function in self._changes}

    def looked_at(self, thing: Any, name: str, at: ast.AST, depth: int = 2) -> None:
        """An object from outside: looking at it may change it, as iterating over an iterator does. (Only its type is looked at
        here.)"""
        cls = type(thing)
        if issubclass(cls, (ModuleType, type, *_FUNCTIONS)) or cls in self._outside:
            return
        if any("__next__" in vars(base) for base in cls.__mro__):
            raise _doubt(f"it may use up {name}", at)
        if issubclass(cls, collections.defaultdict) and thing.default_factory is not None:
            raise _doubt(f"it may add to {name}, a {cls.__name__}", at)
        if cls in _PARTS and depth:
            parts = thing.values() if cls is dict else thing
            for part in itertools.islice(parts, MOST_PARTS):
                self.looked_at(part, name, at, depth - 1)
        elif not _is_installed(cls):
            self._outside.add(cls)
            self.classes.append(cls)
            self._has_grown = True

    def operator(self, name: str, at: ast.AST) -> None:
        """A special method may be called, of any of the objects."""
        for member in self.members(name):
            if isinstance(member, FunctionType) and not is_library(
                member.__code__.co_filename, member.__module__
            ):
                self._mentioned(member, at)

    def _mentioned(self, thing: Any, at: ast.AST | None) -> None:
        """Something that may be called, with arguments that are not known."""
        self._callable(thing, at)
        inner = thing
        while isinstance(inner, functools.partial | MethodType):
            inner = inner.func if isinstance(inner, functools.partial) else inner.__func__
        for name in self.changed_by(inner):
            raise _doubt(f"{inner.__name__} changes {name}", at)

    # --- what is called ---------------------------------------------------------------------------------

    def _callable(self, thing: Any, at: ast.AST | None) -> None:
        if id(thing) in self._done or self.harmless(thing):
            return
        name = getattr(thing, "__name__", type(thing).__name__)
        match thing:
            case type():
                self._class(thing, at)
            case functools.partial():
                self._callable(thing.func, at)
            case MethodType():
                self._callable(thing.__func__, at)
            case FunctionType():
                self._function(thing, at)
            case BuiltinFunctionType() | MethodDescriptorType():
                if not _is_plain_builtin(thing, name) or name in CHANGING:
                    raise _doubt(f"it calls {name}", at)
            case _:
                module = str(type(thing).__module__).partition(".")[0]
                if module not in ("operator", "re", "typing"):
                    raise _doubt(f"it calls {name}, and it is not known what that does", at)

    def _function(self, function: FunctionType, at: ast.AST | None) -> None:
        self._done.add(id(function))
        if len(self._done) > MOST_FUNCTIONS:
            raise _doubt("it calls too many other functions to read them all", at)
        name = function.__name__
        module = (function.__module__ or "").partition(".")[0]
        if module == "everycase" and not function.__code__.co_filename.startswith("<"):
            raise _doubt(f"it calls {name}", at)
        if module in sys.stdlib_module_names and not function.__code__.co_filename.startswith("<"):
            if module not in _MODULES or name in CHANGING:
                raise _doubt(f"it calls {name} of {module}", at)
            return
        if function.__code__.co_filename.startswith("<") and is_library(
            function.__code__.co_filename, function.__module__
        ):
            return  # written by dataclasses or attrs
        tree = tree_of(function)
        if tree is None:
            raise _doubt(f"it calls {name}, whose source cannot be read", at)
        if isinstance(tree, ast.Lambda):
            _StatementReader(self, function, ()).expression(tree.body)
            return
        if isinstance(tree, ast.AsyncFunctionDef):
            raise _doubt(f"it calls the coroutine function {name}", at)
        # A constructor may set attributes of the new object.
        fresh = tree.args.args[:1] if name in _CONSTRUCTORS else []
        _StatementReader(self, function, [arg.arg for arg in fresh], is_whole=True).read(tree.body)

    def _class(self, cls: type, at: ast.AST | None) -> None:
        self._done.add(id(cls))
        if cls.__module__ == "builtins" and (cls.__name__ in BUILTINS or issubclass(cls, BaseException)):
            return
        if cls.__module__.partition(".")[0] in _MODULES or issubclass(cls, enum.Enum | BaseException):
            return
        if cls.__module__.partition(".")[0] in sys.stdlib_module_names or cls.__module__ == "builtins":
            raise _doubt(f"it calls {cls.__name__}", at)
        self.made.append(cls)
        for name in _CONSTRUCTORS:
            made = getattr(cls, name, None)
            if isinstance(made, FunctionType):
                self._mentioned(made, at)
        if type(cls).__call__ is not type.__call__:
            raise _doubt(f"it makes a {cls.__name__}, whose metaclass may have side effects", at)

    def members(self, name: str) -> list[Any]:
        """The attributes of this name in the classes of the arguments."""
        found = []
        for cls in self.classes:
            for base in cls.__mro__:
                if name in vars(base):
                    found.append(vars(base)[name])
                    break
        return found


class _StatementReader:
    """One function (or some of its statements) being read."""

    def __init__(
        self, effects: Effects, function: FunctionType, fresh: Iterable[str], *, is_whole: bool = False
    ) -> None:
        self.effects = effects
        self.function = function
        self.is_whole = is_whole
        self.outside: dict[str, Any] = {**vars(builtins), **function.__globals__, **closure_of(function)}
        code = function.__code__
        #: local names
        self.own: set[str] = {*code.co_varnames, *code.co_cellvars}
        #: those of them that are bound to an object created inside, and how deep it is new: 1 for a new list of
        #: older things, 2 for a new list of new lists
        self.fresh: dict[str, float] = {}
        #: the parameters of a whole function, and how deep their arguments may be changed if the caller passes new ones
        self.passed: dict[str, float] = {}
        #: an object that is being constructed, and the attributes that were set here
        self._constructed = set(fresh)
        self._set: set[str] = set()
        #: local functions: what they do is read where they are defined
        self.functions: set[str] = set()
        #: local names that are bound to instances of one of the user's classes
        self._instances: dict[str, type] = {}
        #: the names into which called functions may put something, and how deep
        self._put: set[tuple[str, int]] = set()
        #: what is called; functions inside, with everything in them
        self._called: set[int] = set()
        self._inside: set[int] = set()

    def read(self, body: Sequence[ast.stmt]) -> None:
        nodes = [inner for node in body for inner in ast.walk(node)]
        given = set(_parameters(self.function))
        parameters = given | {
            arg.arg for arg in ast.walk(_arguments(self.function)) if isinstance(arg, ast.arg)
        }
        # Functions inside have their own variables, which are not told apart by name here.
        inside = {inner.arg for inner in nodes if isinstance(inner, ast.arg)}
        stored = {name for node in body for name in names_set(node)}
        self.own |= parameters | inside | stored
        bound: dict[str, list[ast.expr | None]] = {}
        for inner in nodes:
            for name, value in bindings(inner):
                bound.setdefault(name, []).extend(self._sources(value))
        defined = {inner.name for inner in nodes if isinstance(inner, ast.FunctionDef)}
        self.own |= defined
        self.functions |= {
            name for name in defined if name not in bound and name not in parameters | inside
        } | {
            name
            for name, values in bound.items()
            if name not in parameters | inside | defined
            and all(isinstance(value, ast.Lambda) for value in values)
        }
        for inner in nodes:
            if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                self._set.add(inner.attr)
            self._bind_modules(inner, stored | parameters | inside | defined)
        self._called = {id(inner.func) for inner in nodes if isinstance(inner, ast.Call)}
        self._inside = {
            id(node) for inner in nodes if isinstance(inner, ast.FunctionDef) for node in ast.walk(inner)
        }
        known = self._bind_arguments(nodes, bound) - parameters
        not_new = (parameters - self._constructed) | (inside - known) | defined
        bound.update({name: [] for name in self._constructed if name not in bound})
        aliases = _aliases(bound, nodes)
        while True:
            put = len(self._put)
            self.fresh = _depths(bound, nodes, not_new, aliases, self._put)
            if self.is_whole:
                others = {
                    name: _besides(name, bound.get(name, ())) for name in given - inside - self._constructed
                }
                self.passed = _depths(bound | others, nodes, not_new - others.keys(), aliases, self._put)
                self.passed = {name: self.passed[name] for name in others if name in self.passed}
            for node in body:
                self.visit(node)
            if len(self._put) == put:
                return

    def _sources(self, value: ast.expr | None) -> list[ast.expr | None]:
        """The expressions of which an expression gives one."""
        match value:
            case ast.IfExp(body=one, orelse=other):
                return [*self._sources(one), *self._sources(other)]
            case ast.BoolOp(values=values):
                return [found for one in values for found in self._sources(one)]
            case ast.Call(func=ast.Name() | ast.Attribute()) if self._made_by(value) is not None:
                return [_NEW]
            case ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)]) if "iter" not in self.own:
                return [_NEW if name in self.own else None]
        return [value]

    def _made_by(self, value: ast.expr | None) -> type | None:
        """The user's class that an expression makes a new instance of."""
        if not isinstance(value, ast.Call):
            return None
        made = self._static(value.func)
        if not isinstance(made, type) or made.__module__.partition(".")[0] in sys.stdlib_module_names:
            return None
        members = {name: one for base in made.__mro__[:-1] for name, one in vars(base).items()}
        if type(made).__call__ is not type.__call__ or {"__new__", "__setattr__"} & members.keys():
            return None
        return None if any(map(_sets, members.values())) else made

    def _bind_arguments(self, nodes: Sequence[ast.AST], bound: dict[str, list[ast.expr | None]]) -> set[str]:
        """Bind the parameters of local functions to what they are called with; returns those of functions that are only
        called. Also notes which names are bound to instances of which class."""
        mentioned = {node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in self._called}
        found: set[str] = set()
        others: set[str] = set()
        made: dict[str, set[type | None]] = {}
        for node in nodes:
            for name, value in bindings(node):
                made.setdefault(name, set()).add(self._made_by(value))
            if not isinstance(node, ast.FunctionDef | ast.Lambda):
                continue
            names = {one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)}
            calls = [
                one
                for one in nodes
                if isinstance(one, ast.Call)
                and isinstance(one.func, ast.Name)
                and isinstance(node, ast.FunctionDef)
                and one.func.id == node.name
            ]
            given = [_arguments_of(node.args, one) for one in calls]
            if not isinstance(node, ast.FunctionDef) or node.name in mentioned or None in given:
                others |= names
                continue
            found |= names
            for name in names:
                bound.setdefault(name, [])  # perhaps it is called later
            for some in given:
                for name, value in (some or {}).items():
                    bound.setdefault(name, []).extend(self._sources(value))
        self._instances = {
            name: cls
            for name, classes in made.items()
            if len(classes) == 1 and name not in found | others
            for cls in classes
            if cls is not None
        }
        return found - others

    def expression(self, node: ast.expr) -> None:
        self.visit(node)

    def _bind_modules(self, node: ast.AST, otherwise: set[str]) -> None:
        """Names that an import inside binds, unless they are also bound otherwise."""
        found: dict[str, Any] = {}
        if isinstance(node, ast.Import):
            for one in node.names:
                first = one.name.partition(".")[0]
                found[one.asname or first] = sys.modules.get(one.name if one.asname else first)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = sys.modules.get(node.module or "")
            found = {one.asname or one.name: getattr(module, one.name, None) for one in node.names}
        for name in found.keys() - otherwise:
            self.outside[name] = found[name]
            self.own.discard(name)

    def visit(self, root: ast.AST) -> None:
        for node in ast.walk(root):
            for name in _OPERATORS.get(type(node), ()):
                self.effects.operator(name, node)
            match node:
                case ast.Nonlocal(names=names) if not {*names} & {*self.function.__code__.co_freevars}:
                    continue  # a variable of a function around it, which is read as well
                case ast.Global() | ast.Nonlocal():
                    raise _doubt(f"it sets {', '.join(node.names)}, which is not a local variable", node)
                case ast.Yield() | ast.YieldFrom() if self.is_whole or id(node) in self._inside:
                    continue
                case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                    raise _doubt("it waits for something", node)
                case ast.Import(names=names) if all(one.name in sys.modules for one in names):
                    continue  # it was imported before, so this only binds a name
                case ast.ImportFrom(module=str(module), level=0) if module in sys.modules:
                    continue
                case ast.With() | ast.AsyncWith() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
                    raise _doubt(f"there is a {type(node).__name__.lower()} statement", node)
                case ast.While():
                    self.effects.may_not_end = True
                case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                    self._changed(node.value, node)
                case ast.AugAssign(target=ast.Name(id=name)):
                    if name not in self.passed and name not in self.fresh:
                        raise _doubt(f"it may change {name} in place", node)
                    self._changed(node.target, node)
                case ast.Attribute(attr=name):
                    for member in self.effects.members(name):
                        if isinstance(member, property):
                            self.effects._mentioned(member.fget, node)
                    if id(node) not in self._called:
                        self._mentioned(node)
                case ast.Name(id=name, ctx=ast.Load()) if name not in self.own:
                    self.effects.looked_at(self.outside.get(name), name, node)
                    # What is mentioned may be called, as in map(f, xs).
                    if isinstance(self.outside.get(name), _FUNCTIONS) and id(node) not in self._called:
                        self.effects._mentioned(self.outside[name], node)
                case ast.Call():
                    self._call(node)
                case ast.FunctionDef() if node.decorator_list:
                    raise _doubt(f"{node.name} has a decorator", node)

    def _mentioned(self, node: ast.Attribute) -> None:
        """A method that is not called here may be called elsewhere, as in ``map(xs.append, ys)``."""
        known = self._static(node.value)
        # Not of an object of the user's, whose properties would run.
        is_free = isinstance(known, ModuleType | type)
        member = (getattr if is_free else inspect.getattr_static)(known, node.attr, None)
        if known is not None:
            self.effects.looked_at(self._static(node), ast.unparse(node), node)
        if (isinstance(known, ModuleType | type) and isinstance(member, _FUNCTIONS)) or (
            known is not None and isinstance(member, FunctionType | MethodType)
        ):
            self.effects._mentioned(member, node)
        elif node.attr in _CHANGING_CONTAINERS and not isinstance(known, ModuleType):
            self._changed(node.value, node)

    def _changed(self, target: ast.expr, node: ast.AST, depth: int = 0) -> None:
        """An object is changed, or a part that is this much deeper inside."""
        root, steps = rooted(target)
        depth += steps
        if isinstance(root, ast.Name):
            name = root.id
            if self.fresh.get(name, 0) > depth:
                if not depth or name not in self._constructed or _first_step(target) in self._set:
                    return
            elif self.passed.get(name, 0) > depth:
                self.effects.changes_argument(self.function, name, depth)
                return
        elif _depth(root, self.fresh) > depth:
            return
        raise _doubt(f"it changes {ast.unparse(target)}", node)

    def _call(self, node: ast.Call) -> None:
        called = node.func
        match called:
            case ast.Name(id=name):
                self._by_builtin(name, node)
                if name in self.functions:
                    return
                if name in self.own:
                    raise _doubt(f"it calls {name}, and it is not known what that does", node)
                if name not in self.outside:
                    raise _doubt(f"it calls {name}, which is not defined", node)
                self._calls(self.outside[name], node)
            case ast.Attribute(value=value, attr=name):
                self._by_builtin(name, node)
                known = self._static(value)
                if known is not None:
                    member = inspect.getattr_static(known, name, None)
                    if type(member).__name__ in ("_tuplegetter", "member_descriptor"):
                        member = getattr(known, name, None)
                    if isinstance(member, FunctionType | MethodType | type | staticmethod | classmethod):
                        is_bound = not isinstance(known, ModuleType | type) or isinstance(member, classmethod)
                        self._calls(member, node, value if is_bound else None)
                        return
                    if isinstance(known, ModuleType | type):
                        self._calls(getattr(known, name, None), node)
                        return
                if name in CHANGING:
                    self._changed(value, node)
                    return
                members = [one for one in self.effects.members(name) if callable(one) or _is_method(one)]
                cls = self._class_of(value)
                if cls is not None:
                    members.append(inspect.getattr_static(cls, name, None))
                for member in members:
                    self._calls(member, node, value)
                if not members and name not in METHODS:
                    raise _doubt(f"it calls .{name}(), and it is not known what that does", node)
            case ast.Lambda():
                return
            case _:
                raise _doubt(f"it calls {ast.unparse(called)}", node)

    def _by_builtin(self, name: str, node: ast.Call) -> None:
        """What a function written in C calls, if it is one."""
        if name not in self.own and not isinstance(self._static(node.func), FunctionType | type(None)):
            for method in _BY_BUILTIN.get(name, _BY_OTHERS):
                self.effects.operator(method, node)

    def _class_of(self, value: ast.expr) -> type | None:
        """The user's class that an object was made of here; in a method of such a class also that of ``self``."""
        if not isinstance(value, ast.Name):
            return None
        if self.function.__code__.co_varnames[:1] == (value.id,):
            name = self.function.__name__
            return next((cls for cls in self.effects.made if vars(cls).get(name) is self.function), None)
        return self._instances.get(value.id)

    def _calls(self, thing: Any, node: ast.Call, owner: ast.expr | None = None) -> None:
        """A call of something that is known; a method of ``owner``, if that is given."""
        if isinstance(thing, staticmethod):
            owner = None
        thing = getattr(thing, "__func__", thing)
        name = getattr(thing, "__name__", "")
        if any(thing is one for one in _CHANGING_FIRST) and node.args:
            changes: dict[str, int] = {"": 0}
            given: dict[str, ast.expr | None] | None = {"": node.args[0]}
        elif not isinstance(thing, FunctionType):
            self.effects._mentioned(thing, node)
            return
        else:
            self.effects._callable(thing, node)
            changes = self.effects.changed_by(thing)
            given = given_to(thing, node, owner) if changes else {}
        for parameter, depth in list(changes.items()):  # a function that calls itself may add to them
            value = None if given is None else given.get(parameter)
            if value is None or isinstance(value, ast.Starred):
                raise _doubt(f"{name} changes {parameter}", node)
            self._changed(value, node, depth)
            root, steps = rooted(value)
            if isinstance(root, ast.Name):
                self._put.add((root.id, steps + depth))

    def _static(self, node: ast.expr) -> Any:
        """The module, class or object outside that an expression names; None if it does not name one."""
        match node:
            case ast.Name(id=name) if name not in self.own:
                return self.outside.get(name)
            case ast.Attribute(value=value, attr=name):
                owner = self._static(value)
                if isinstance(owner, ModuleType | type):
                    return getattr(owner, name, None)
                return _attributes(owner).get(name)
        return None


def bindings(node: ast.AST) -> Iterable[tuple[str, ast.expr | None]]:
    """The names that a statement binds, and to the value of which expression; None if that is not known."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                for name in _names(target):
                    yield name, value if isinstance(target, ast.Name) else None
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield name, value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.For(target=target) | ast.comprehension(target=target):
            for name in _names(target):
                yield name, None
        case (
            ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
            | ast.ExceptHandler(name=str(name))
        ):
            yield name, None
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for one in names:
                yield one.asname or one.name.partition(".")[0], None


#: Methods that put their last argument into an object, and those that put all parts of it there.
_PUTTING = frozenset({"append", "appendleft", "insert", "add", "setdefault"})
_PUTTING_PARTS = frozenset({"extend", "extendleft", "update"})


def _depths(
    bound: dict[str, list[ast.expr | None]],
    nodes: Sequence[ast.AST],
    not_new: set[str],
    aliases: Mapping[str, str],
    further: Iterable[tuple[str, int]],
) -> dict[str, float]:
    """How deep the objects are new that names are bound to: as deep as whatever is bound to them or put into them. (Into
    ``further`` ones something is put that is not known.)"""
    depths = {
        name: math.inf
        for name, values in bound.items()
        if name not in not_new
        and all(value is not None and (_makes(value) or isinstance(value, ast.Name)) for value in values)
    }
    put = [found for node in nodes for found in _insertions(node)]
    put += [(name, depth, None) for name, depth in further]
    while True:
        found = {}
        for name in depths:
            same = aliases.get(name, name)
            below = [_depth(value, depths) for value in bound[name] if value is not None]
            below += [
                1 + at + _depth(value, depths) for into, at, value in put if aliases.get(into, into) == same
            ]
            found[name] = min(below, default=math.inf)
        if found == depths:
            return depths
        depths = found


def _aliases(bound: Mapping[str, list[ast.expr | None]], nodes: Sequence[ast.AST]) -> dict[str, str]:
    """One name for all that may be bound to the same object: ``ys = xs`` and ``xs = ys = []``."""
    same: dict[str, str] = {}

    def first(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    pairs = [
        (name, value.id) for name, values in bound.items() for value in values if isinstance(value, ast.Name)
    ]
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            pairs += itertools.pairwise(names)
    for one, other in pairs:
        if first(one) != first(other):
            same[first(one)] = first(other)
    return {name: first(name) for name in same}


def _insertions(node: ast.AST) -> Iterable[tuple[str, int, ast.expr | None]]:
    """The local objects that a statement puts something into, at which depth, and what."""
    into: list[tuple[ast.expr, ast.expr | None]] = []
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                plain = isinstance(target, ast.Subscript | ast.Attribute)
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Subscript | ast.Attribute) and isinstance(inner.ctx, ast.Store):
                        into.append((inner.value, value if plain else None))
        case ast.AugAssign(target=ast.Subscript(value=owner) | ast.Attribute(value=owner)):
            into.append((owner, None))
        case ast.AugAssign(target=ast.Name() as owner, value=value):
            into.append((owner, _element(value)))
        case ast.For(target=ast.Subscript(value=owner) | ast.Attribute(value=owner)):
            into.append((owner, None))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[*_, value]) if name in _PUTTING:
            into.append((owner, value))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[*_, value]) if name in _PUTTING_PARTS:
            into.append((owner, _element(value)))
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in CHANGING:
            into.append((owner, None))
    for owner, put in into:
        root, depth = rooted(owner)
        if isinstance(root, ast.Name):
            yield root.id, depth, put


def _element(value: ast.expr) -> ast.expr | None:
    """The elements of what an expression makes, if it says what they are."""
    match value:
        case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
            return element
        case ast.Constant():
            return value
    parts = _parts(value)
    return parts[0] if parts is not None and len(parts) == 1 else None


def _parts(value: ast.expr | None) -> list[ast.expr] | None:
    """The elements of a list, set or tuple, or the values of a dictionary, that is written out."""
    return getattr(value, "values" if isinstance(value, ast.Dict) else "elts", None)


def _depth(value: ast.expr | None, depths: dict[str, float]) -> float:
    """How deep the object is new that an expression makes; 0 if it may be an older one."""
    parts = _parts(value)
    if parts is not None:
        return 1 + min((_depth(part, depths) for part in parts), default=math.inf)
    match value:
        case ast.Constant() | ast.JoinedStr() | ast.Compare():
            return math.inf
        case ast.Name(id=name):
            return depths.get(name, 0)
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.DictComp(value=part):
            return 1 + _depth(part, depths)
        case ast.BinOp(left=left, op=ast.Mult()) if _parts(left) is not None:  # [0] * n
            return _depth(left, depths)
        case ast.IfExp(body=one, orelse=other):
            return min(_depth(one, depths), _depth(other, depths))
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in BUILTINS or name in CONTAINERS:
            return math.inf  # empty
        case ast.Call(func=ast.Name(id="defaultdict"), args=[ast.Name(id="list" | "set" | "dict" | "int")]):
            return math.inf  # empty, and what is missing is made
        case ast.Call(func=ast.Attribute(attr="deepcopy")):
            return math.inf
    return 1 if value is not None and _makes(value) else 0


def _first_step(target: ast.expr) -> str | None:
    """The attribute of the root that leads to a part: ``items`` for ``self.items[0]``."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        if isinstance(target.value, ast.Name):
            return target.attr if isinstance(target, ast.Attribute) else None
        target = target.value
    return None


def rooted(target: ast.expr) -> tuple[ast.expr, int]:
    """The expression whose attribute, or part, or part of a part, is meant, and how many steps lead there."""
    depth = 0
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
        depth += 1
    return target, depth


def _is_plain_builtin(thing: Any, name: str) -> bool:
    """Whether a function written in C has no side effects: a builtin, or a function of a known module or
    type."""
    owner = getattr(thing, "__self__", None)
    if owner is None or isinstance(owner, ModuleType):
        owner = getattr(thing, "__objclass__", owner)
    if isinstance(owner, ModuleType):
        return name in BUILTINS if owner is builtins else owner.__name__.lstrip("_") in _MODULES
    cls = owner if isinstance(owner, type) else type(owner)
    return cls in _PLAIN or cls.__module__.lstrip("_") in _MODULES


def _names(target: ast.expr) -> list[str]:
    """The variables that a target of an assignment binds; ``xs[0]`` and ``x.y`` bind none."""
    return [
        node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _makes(value: ast.expr) -> bool:
    """Whether an expression creates a new object that nothing else refers to."""
    match value:
        case (
            ast.List()
            | ast.Dict()
            | ast.Set()
            | ast.ListComp()
            | ast.DictComp()
            | ast.SetComp()
            | ast.GeneratorExp()
            | ast.Constant()
        ):
            return True
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.JoinedStr() | ast.Tuple():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in BUILTINS - {"getattr", "iter", "max", "min"} or name in CONTAINERS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("copy", "deepcopy", "Counter", "deque", "defaultdict", "split", "__new__")
        case ast.IfExp(body=body, orelse=orelse):
            return _makes(body) and _makes(orelse)
    return False


def _arguments(function: FunctionType) -> ast.arguments:
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    return ast.arguments([], [ast.arg(name) for name in code.co_varnames[:count]], None, [], [], None, [])


def _besides(name: str, values: Iterable[ast.expr | None]) -> list[ast.expr | None]:
    """What a parameter is bound to besides its argument; another name is not known to be new."""
    others = [value for value in values if not (isinstance(value, ast.Name) and value.id == name)]
    return [None if isinstance(value, ast.Name) else value for value in others]


def _parameters(function: FunctionType) -> tuple[str, ...]:
    """The parameters of a function, except ``*args`` and ``**kwargs``."""
    code = function.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def given_to(
    function: FunctionType, call: ast.Call, owner: ast.expr | None
) -> dict[str, ast.expr | None] | None:
    """What the parameters of a function stand for in a call: an expression, or None if that is not known."""
    names = list(_parameters(function)[: function.__code__.co_argcount])
    positional = [*([] if owner is None else [owner]), *call.args]
    if any(isinstance(one, ast.Starred) for one in positional) or any(not one.arg for one in call.keywords):
        return None
    found: dict[str, ast.expr | None] = {
        name: ast.Constant(value)
        for name, value in _defaults_of(function).items()
        if value is None or isinstance(value, int | float | str | bytes)
    }
    found.update(zip(names, positional))
    found.update({str(one.arg): one.value for one in call.keywords})
    return found


def _defaults_of(function: FunctionType) -> dict[str, Any]:
    names = _parameters(function)[: function.__code__.co_argcount]
    values = function.__defaults__ or ()
    return {**dict(zip(names[len(names) - len(values) :], values)), **(function.__kwdefaults__ or {})}


def _arguments_of(taken: ast.arguments, call: ast.Call) -> dict[str, ast.expr | None] | None:
    """The same for a local function."""
    if taken.vararg or taken.kwarg or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    if any(not one.arg for one in call.keywords):
        return None
    names = [one.arg for one in (*taken.posonlyargs, *taken.args)]
    found: dict[str, ast.expr | None] = dict(zip(names[len(names) - len(taken.defaults) :], taken.defaults))
    found.update({one.arg: value for one, value in zip(taken.kwonlyargs, taken.kw_defaults) if value})
    found.update(zip(names, call.args))
    found.update({str(one.arg): one.value for one in call.keywords})
    return found


def _attributes(thing: Any) -> dict[str, Any]:
    """The attributes of an object of the user's, read without running its code."""
    if thing is None or _is_installed(type(thing)):
        return {}
    with contextlib.suppress(Exception):
        return object.__getattribute__(thing, "__dict__")  # type: ignore[no-any-return]
    return {}


def _is_installed(cls: type) -> bool:
    """Whether a class is not the user's."""
    module = cls.__module__
    return is_library(getattr(sys.modules.get(module), "__file__", None) or "", module)


def _sets(member: Any) -> bool:
    """Whether setting an attribute of this name runs code."""
    if isinstance(member, property):
        return member.fset is not None
    return hasattr(type(member), "__set__") and type(member).__name__ not in (
        "member_descriptor",
        "getset_descriptor",
    )


def _is_method(member: Any) -> bool:
    return isinstance(member, classmethod | staticmethod | property)


def _doubt(what: str, at: ast.AST | None) -> Doubt:
    line = getattr(at, "lineno", None)
    return Doubt(what if line is None else f"{what} (line {line})")
