"""Functions that are written out as text and compiled, as dataclasses write ``__init__``."""

from __future__ import annotations

from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any


class FunctionText:
    """The lines of a function, and the objects that it refers to."""

    def __init__(self, head: str) -> None:
        self.lines = [f"def {head}:"]
        self.names: dict[str, Any] = {}

    def name(self, thing: Any) -> str:
        """A name for an object."""
        name = f"known{len(self.names)}"
        self.names[name] = thing
        return name

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def function(self) -> Any:
        # A copy of the code for each function: the interpreter notes in it which objects it has met.
        return FunctionType(_compiled("\n".join(self.lines)).replace(), self.names)


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    """The text depends on the names and kinds of fields only, and a run may search in many ways at once."""
    module = compile(text, "<everycase.narrow>", "exec")
    return next(const for const in module.co_consts if isinstance(const, CodeType))
