"""The code of a function as a text that is the same in every process, to notice when a test has become another one."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Iterator
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.names import closure_of

#: Immutable values whose repr says what they are, in every process.
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(...))
#: How many functions inside functions, and parts of a value, are read.
MOST_DEEP, MOST_PARTS = 8, 64


def code_text(function: Any, deep: int = 0) -> str:
    """The code of a function and the values that were bound to it when it was made: those of the variables
    around it, its defaults, the arguments of a ``functools.partial``.

    Only values that cannot change are read. What a list or an object contains when a failure is found may be
    different in the next process.

    >>> def above(bound):
    ...     return lambda n: n > bound
    >>> code_text(above(3)) == code_text(above(3)), code_text(above(3)) == code_text(above(4))
    (True, False)
    """
    parts: list[str] = []
    if isinstance(function, functools.partial):
        parts += [_value_text(part, deep) for part in (function.args, tuple(function.keywords.items()))]
    function = inspect.unwrap(getattr(function, "func", function))
    code = getattr(function, "__code__", None)
    if code is None:
        return "\n".join([type(function).__qualname__, *parts])
    set_inside: set[str] = set()
    for each in _codes(code):
        set_inside.update(_set_in(each))
        parts += [each.co_code.hex(), *each.co_names]
        for constant in each.co_consts:
            if isinstance(constant, frozenset):  # its order depends on the process
                parts.append(repr(sorted(map(repr, constant))))
            elif not isinstance(constant, CodeType):
                parts.append(repr(constant))
    function = getattr(function, "__func__", function)
    if isinstance(function, FunctionType) and deep < MOST_DEEP:
        bound = [(name, value) for name, value in closure_of(function).items() if name not in set_inside]
        defaults = (function.__defaults__ or (), tuple((function.__kwdefaults__ or {}).items()))
        parts += [f"{name}={_value_text(value, deep + 1)}" for name, value in bound]
        parts += [_value_text(values, deep + 1) for values in defaults if values]
    return "\n".join(parts)


def _codes(code: CodeType) -> Iterator[CodeType]:
    pending = [code]
    while pending:
        code = pending.pop()
        yield code
        pending += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _set_in(code: CodeType) -> set[str]:
    """The variables of a function around it that a piece of code sets, such as counters."""
    if not code.co_freevars:
        return set()
    return {
        each.argval for each in dis.get_instructions(code) if each.opname in ("STORE_DEREF", "DELETE_DEREF")
    }


def _value_text(value: Any, deep: int) -> str:
    kind = type(value)
    if kind in _PLAIN:
        return repr(value) if kind is not int else hex(value)  # the digits of huge integers take long
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, Enum):
        return f"{kind.__qualname__}.{value.name}"
    if kind in (tuple, frozenset) and deep < MOST_DEEP:
        texts = [_value_text(part, deep + 1) for part in value] if len(value) <= MOST_PARTS else ["..."]
        return f"{kind.__name__} {len(value)} {' '.join(texts if kind is tuple else sorted(texts))}"
    if isinstance(value, Gen):
        return repr(value)
    if isinstance(value, FunctionType | MethodType | functools.partial) and deep < MOST_DEEP:
        name = getattr(value, "__qualname__", "<partial>")
        # One that has a name of its own may be mended and is still the same one.
        return code_text(value, deep + 1) if "<" in name else f"{value.__module__}.{name}"
    if isinstance(value, BuiltinFunctionType):
        return value.__qualname__
    return kind.__qualname__
