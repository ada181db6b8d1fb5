"""Runs expressions of the small language: they are written out as Python and compiled once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from everycase.complete.language.expressions import Expr, Function, subterms
from everycase.complete.language.types import Value

_TEMPLATES = {
    "add": "({} + {})", "sub": "({} - {})", "mul": "({} * {})", "div": "({} // {})", "mod": "({} % {})",
    "lt": "({} < {})", "le": "({} <= {})", "eq": "({} == {})", "not": "(not {})",
}  # fmt: skip


class Evaluator:
    """A namespace of compiled functions. ``makes`` answers whether a generator really makes a value."""

    def __init__(self, makes: Callable[..., bool] | None = None) -> None:
        self._space: dict[str, Any] = {"makes": makes}
        self._names: dict[Any, str] = {}
        self._fresh = itertools.count()

    def compile(self, params: Sequence[Expr], body: Expr) -> Callable[..., Value]:
        """A Python function of the parameters."""
        name = f"expression{next(self._fresh)}"
        self._define(name, params, body)
        return self._space[name]  # type: ignore[no-any-return]

    def execute(self, name: str, source: str, constants: Mapping[str, Any]) -> Callable[..., Any]:
        """Compile a whole function that was written out with :meth:`text`."""
        self._space.update(constants)
        exec(source, self._space)
        return self._space[name]  # type: ignore[no-any-return]

    def unique(self, stem: str) -> str:
        return f"{stem}{next(self._fresh)}"

    def _define(self, name: str, params: Sequence[Expr], body: Expr) -> None:
        text = self.text(body)
        exec(f"def {name}({', '.join(mangle(p.data) for p in params)}):\n    return {text}", self._space)

    def text(self, e: Expr) -> str:
        """The expression as Python source; the functions that it calls get compiled."""
        for sub in subterms(e):
            if sub.op == "call":
                self._function(sub.data)
        return self._text(e)

    def _function(self, function: Function) -> None:
        if function in self._names:
            return
        name = self._names[function] = self.unique("function")
        if function.body is None:
            self._space[name] = function.native
        else:
            self._define(name, function.params, function.body)

    def _text(self, e: Expr) -> str:
        args = [self._text(a) for a in e.args]
        if e.op in _TEMPLATES:
            return _TEMPLATES[e.op].format(*args)
        match e.op:
            case "var":
                return mangle(e.data)
            case "const":
                return repr(e.data)
            case "con":
                return f"({', '.join([str(e.data.index), *args])},)"
            case "is":
                return f"({args[0]}[0] == {e.data.index})"
            case "field":
                return f"{args[0]}[{e.data[1] + 1}]"
            case "and" | "or":
                return f"({f' {e.op} '.join(args)})"
            case "ite":
                return f"({args[1]} if {args[0]} else {args[2]})"
            case "makes":
                if e.data not in self._names:
                    self._names[e.data] = self.unique("generator")
                    self._space[self._names[e.data]] = e.data
                return f"makes({', '.join([self._names[e.data], *args])})"
            case _:
                return f"{self._names[e.data]}({', '.join(args)})"


def mangle(name: str) -> str:
    """Variables keep their names but never clash with Python's keywords or the evaluator's own names."""
    return "v_" + "".join(c if c.isalnum() or c == "_" else f"_{ord(c)}_" for c in name)
