"""Fingerprints: whether the tested code is still the current code.

The fingerprint of a property covers its generators, the test, the explorer, the meaning of indices and blobs,
and the code that the test reaches by name: functions and classes of the same project, and the files of the
project's modules. Code of installed packages and of Python itself is left out, and so is code that is reached
only while running (plugins, data files).
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from everycase.choices.trace import VERSION
from everycase.explore.protocol import Explorer
from everycase.gen.names import closure_of
from everycase.run.code_text import code_text
from everycase.run.property import Property

#: The maximum number of functions, classes and modules that are read.
MOST = 2000


def fingerprint(prop: Property, explorer: Explorer) -> str:
    """A digest that changes if the property, or the code that it tests, changes."""
    digest = hashlib.sha256(f"{VERSION} {prop.digest} {explorer!r}".encode("utf-8", "replace"))
    for text in sorted(_reached(prop)):
        digest.update(text.encode("utf-8", "replace"))
    return digest.hexdigest()[:16]


def _reached(prop: Property) -> set[str]:
    """The code that a test reaches by name, as texts."""
    machine = getattr(prop, "machine", None)
    pending: list[Any] = [prop.function, *prop.preconditions] + ([machine] if machine is not None else [])
    seen: set[int] = set()
    texts: set[str] = set()
    while pending and len(seen) < MOST:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, ModuleType):
            file = getattr(each, "__file__", None)
            if file is not None and _is_of_project(file):
                texts.add(_source(file))
        elif isinstance(each, type):
            if _is_of_project(getattr(sys.modules.get(each.__module__), "__file__", None)):
                texts.add(f"{each.__qualname__} {[base.__qualname__ for base in each.__bases__]}")
                pending += [*vars(each).values(), *each.__bases__]
        elif isinstance(each, staticmethod | classmethod):
            pending.append(each.__func__)
        elif isinstance(each, property):
            pending += [part for part in (each.fget, each.fset, each.fdel) if part is not None]
        else:
            function = _function(each)
            if function is not None and _is_of_project(function.__code__.co_filename):
                texts.add(f"{function.__qualname__} {code_text(function)}")
                pending += _named(function)
    return texts


def _function(each: Any) -> FunctionType | None:
    """The function behind decorators and partial applications."""
    for _ in range(20):
        if isinstance(each, FunctionType):
            inner = getattr(each, "__wrapped__", None)
            if inner is None:
                return each
            each = inner
        elif hasattr(each, "__func__"):
            each = each.__func__
        elif hasattr(each, "func"):
            each = each.func
        else:
            return None
    return None


def _named(function: FunctionType) -> list[Any]:
    """The objects that the names in a function refer to."""
    names: set[str] = set()
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    found = [function.__globals__[name] for name in sorted(names) if name in function.__globals__]
    # The contents of modules are part of their files.
    found += closure_of(function).values()
    return [each for each in found if callable(each) or isinstance(each, ModuleType)]


def _is_of_project(file: str | None) -> bool:
    """Whether a file belongs neither to Python, nor to an installed package, nor to everycase itself."""
    return file is not None and _is_own(file)


@lru_cache(maxsize=4096)
def _is_own(file: str) -> bool:
    path = Path(file)
    if not path.is_absolute() and not path.exists():
        return False  # "<string>" and the like
    installed = [
        Path(place) for key, place in sysconfig.get_paths().items() if key in ("stdlib", "purelib", "platlib")
    ]
    ours = Path(__file__).parent.parent
    return (
        not any(path.is_relative_to(place) for place in (*installed, ours))
        and "site-packages" not in path.parts
    )


@lru_cache(maxsize=1024)
def _source(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""
