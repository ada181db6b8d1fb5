"""Whether code is free of side effects, decided from its source before it is run out of order.

A condition inside a test is evaluated on many inputs that the test never sees, so it must have no side
effects. Code that cannot be read, or is not known, counts as having some: :class:`Doubt` says what and where.
"""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import enum
import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType, MethodType, ModuleType
from typing import Any

from everycase.gen.names import closure_of, names_set
from everycase.gen.sources import is_refusal, tree_of
from everycase.narrow.effects.calls import arguments_of, besides, given_to, given_to_local, parameters_of
from everycase.narrow.effects.known import (
    BUILTINS,
    BY_BUILTIN,
    BY_OPERATOR,
    BY_OTHERS,
    CHANGING,
    CHANGING_CONTAINERS,
    CHANGING_FIRST,
    METHODS,
    MODULES,
    is_plain_builtin,
)
from everycase.narrow.effects.new_objects import (
    NEW,
    aliases_of,
    bindings,
    depth_of,
    depths_of,
    first_step,
    rooted,
)
from everycase.narrow.trust.lint import is_library

#: The types of functions, in the broadest sense.
_FUNCTIONS = (FunctionType, MethodType, BuiltinFunctionType, functools.partial)
#: Containers that give their parts away without running any code.
_PARTS = (list, tuple, set, frozenset, dict)
_CONSTRUCTORS = ("__new__", "__init__", "__post_init__", "__attrs_post_init__")
#: How many parts of a container from outside are looked at.
MOST_PARTS = 64
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
                if not is_plain_builtin(thing, name) or name in CHANGING:
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
            if module not in MODULES or name in CHANGING:
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
        if cls.__module__.partition(".")[0] in MODULES or issubclass(cls, enum.Enum | BaseException):
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
        given = set(parameters_of(self.function))
        parameters = given | {
            arg.arg for arg in ast.walk(arguments_of(self.function)) if isinstance(arg, ast.arg)
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
        aliases = aliases_of(bound, nodes)
        while True:
            put = len(self._put)
            self.fresh = depths_of(bound, nodes, not_new, aliases, self._put)
            if self.is_whole:
                others = {
                    name: besides(name, bound.get(name, ())) for name in given - inside - self._constructed
                }
                self.passed = depths_of(bound | others, nodes, not_new - others.keys(), aliases, self._put)
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
                return [NEW]
            case ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)]) if "iter" not in self.own:
                return [NEW if name in self.own else None]
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
            given = [given_to_local(node.args, one) for one in calls]
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
            for name in BY_OPERATOR.get(type(node), ()):
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
        elif node.attr in CHANGING_CONTAINERS and not isinstance(known, ModuleType):
            self._changed(node.value, node)

    def _changed(self, target: ast.expr, node: ast.AST, depth: int = 0) -> None:
        """An object is changed, or a part that is this much deeper inside."""
        root, steps = rooted(target)
        depth += steps
        if isinstance(root, ast.Name):
            name = root.id
            if self.fresh.get(name, 0) > depth:
                if not depth or name not in self._constructed or first_step(target) in self._set:
                    return
            elif self.passed.get(name, 0) > depth:
                self.effects.changes_argument(self.function, name, depth)
                return
        elif depth_of(root, self.fresh) > depth:
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
            for method in BY_BUILTIN.get(name, BY_OTHERS):
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
        if any(thing is one for one in CHANGING_FIRST) and node.args:
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
