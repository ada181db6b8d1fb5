"""Functions that are generated as text and compiled, as dataclasses generate ``__init__``."""

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
        # A copy of the code for each function: the interpreter specialises it for the objects it has seen.
        return FunctionType(_compiled("\n".join(self.lines)).replace(), self.names)


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    """The text depends only on the names and kinds of fields, and a run may do many searches."""
    module = compile(text, "<everycase.narrow>", "exec")
    return next(const for const in module.co_consts if isinstance(const, CodeType))
