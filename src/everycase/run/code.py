"""Values as Python that can be pasted."""

from __future__ import annotations

from typing import Any


def call(name: str, arguments: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


def imports_needed(value: object) -> list[str]:
    return []
