"""The names of classes and functions in code that can be pasted, and the imports that it needs."""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
import types
from typing import Any

# Modules that are usually imported under a short name, which their own reprs use too.
ALIASES = {"np": "numpy", "pd": "pandas"}


class SourceNames:
    """The names used in one piece of code.

    Classes go by their short name with ``from module import Name``. If two modules define the same name, or a
    class has the name of a builtin, ``qualified`` contains that name and the code says ``module.Name``.
    """

    def __init__(self, qualified: frozenset[str] = frozenset()) -> None:
        self.qualified = qualified
        #: maximum number of characters of a text to show; None for no limit
        self.longest_text: int | None = None
        self._claims: dict[str, set[str]] = {}  # a name at the top of a module -> the modules that define it
        self._modules: dict[str, str] = {}  # the name a module goes by -> its full name

    def of(self, thing: Any) -> str:
        """The name of a class or function; one that cannot be imported goes by its last name."""
        module, qualname = thing.__module__, thing.__qualname__
        if module == "builtins":
            return self._builtin(thing)
        if not _is_at(thing, module, qualname):
            return str(qualname).rpartition(".")[2]
        return self.member(module, qualname)

    def member(self, module: str, qualname: str) -> str:
        """The name of something that a module defines."""
        top = qualname.partition(".")[0]
        self._claims.setdefault(top, set()).add(module)
        if top in self.qualified and module != "__main__":
            return f"{module}.{qualname}"
        return qualname

    def module(self, module: str, name: str | None = None) -> str:
        """The name of a module itself."""
        name = name or module
        self._modules[name] = module
        return name

    def _builtin(self, thing: Any) -> str:
        if getattr(builtins, thing.__qualname__.partition(".")[0], None) is not None:
            return str(thing.__qualname__)
        if thing is type(None):
            return "type(None)"
        for name, found in vars(types).items():
            if found is thing:
                return f"{self.module('types')}.{name}"
        return str(thing.__qualname__)

    def ambiguous(self) -> frozenset[str]:
        """The short names that would be ambiguous."""
        tops = {name.partition(".")[0] for name in self._modules}
        return frozenset(
            name
            for name, modules in self._claims.items()
            if len(modules) > 1 or hasattr(builtins, name) or name in tops
        )

    def imports(self) -> list[str]:
        """The import lines: whole modules first, then names, each in alphabetical order."""
        whole = {
            f"import {module}" if name == module else f"import {module} as {name}"
            for name, module in self._modules.items()
        }
        members: dict[str, set[str]] = {}
        for name, modules in self._claims.items():
            for module in modules - {"__main__"}:
                if name in self.qualified:
                    whole.add(f"import {module}")
                else:
                    members.setdefault(module, set()).add(name)
        return sorted(whole) + [
            f"from {module} import {', '.join(sorted(members[module]))}" for module in sorted(members)
        ]


def _is_at(thing: Any, module: str, qualname: str) -> bool:
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found is thing


def readable_repr(text: str, owner: type, names: SourceNames) -> str | None:
    """The text of a repr if it looks like a call with known names or like an attribute of a module, on one line; otherwise
    None.

    ``owner`` is the class of the value: names are looked up where it is defined.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    if not isinstance(tree.body, ast.Call) and not _is_in_a_module(tree.body):
        return None
    used: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value is ...:
            return None  # the repr leaves something out
        if isinstance(node, ast.Name):
            used.append(node.id)
    around = vars(sys.modules[owner.__module__]) if owner.__module__ in sys.modules else {}
    if not all(_known(name, owner, around) for name in used):
        return None
    for name in used:
        _register(name, owner, around, names)
    return text if "\n" not in text else ast.unparse(tree)


def _is_in_a_module(node: ast.expr) -> bool:
    """``np.True_``, ``typing.Optional[int]``."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    module = sys.modules.get(ALIASES.get(node.value.id, node.value.id))
    return hasattr(module, node.attr)


def _known(name: str, owner: type, around: dict[str, Any]) -> bool:
    return (
        name in around
        or name in (owner.__name__, *ALIASES, *sys.modules)
        or hasattr(builtins, name)
        or _base_called(name, owner) is not None
    )


def _base_called(name: str, owner: type) -> type | None:
    """The base class with a name, which the repr of a class may use instead of its own."""
    return next((base for base in type.mro(owner) if base.__name__ == name), None)


def _register(name: str, owner: type, around: dict[str, Any], names: SourceNames) -> None:
    found = around.get(name)
    if name == owner.__name__:
        names.of(owner)
    elif isinstance(found, types.ModuleType):
        names.module(found.__name__, name)
    elif name in around:
        names.member(owner.__module__, name)
    elif hasattr(builtins, name):
        pass
    elif (base := _base_called(name, owner)) is not None:
        names.of(base)
    else:
        names.module(ALIASES.get(name, name), name)


def lambda_source(function: types.FunctionType) -> str | None:
    """A lambda as it is written in its file, on one line; None if the file is not available or there is any
    doubt.

    >>> double = lambda n: n * 2
    >>> lambda_source(double)
    'lambda n: n * 2'
    """
    code = function.__code__
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename, function.__globals__)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    found = [
        node for node in ast.walk(tree) if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno
    ]
    if len(found) > 1:
        # If there are several on one line: the one whose body covers exactly the code of this one.
        places = set(code.co_positions())
        found = [node for node in found if _place(node.body) in places]
    texts = {ast.unparse(node) for node in found}
    return texts.pop() if len(texts) == 1 else None


def _place(node: ast.expr) -> tuple[int | None, int | None, int | None, int | None]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
