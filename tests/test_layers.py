"""The layers of the source: every package imports only the packages below it, late imports included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import everycase

SOURCE = Path(everycase.__file__).parent

#: From the ground up. A room may import the rooms of the lines above its own; rooms of one line do not know each other.
FLOORS = [
    {"errors", "_version"},
    {"pages"},
    {"gen"},
    {"sizes"},
    {"choices"},
    {"narrow"},
    {"enumeration"},
    {"arrays", "complete"},
    {"explore"},
    {"run"},
    {"stateful", "campaign", "report"},
    {"strategies", "database", "provisional"},
    {"bridges"},
    {"cli", "extra"},
]
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}

#: Modules that may import anything: the public names, which are imported when first used, and the methods of ``Gen``, which
#: only delegate to the rooms that implement them.
FACADES = {"__init__", "__main__", "gen.base"}

#: The name used here for the package itself.
PUBLIC = "(the public names)"

#: Rooms that may use less than what is below them.
ONLY = {
    "complete": {"errors", "gen", "sizes", "choices"},
    "arrays": {"errors", "pages", "gen", "sizes", "choices"},
}

#: Imports against the arrows that are still to be mended. This list only shrinks.
EXCEPTIONS: set[tuple[str, str]] = set()


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, list[ast.AST]]:
    """The nodes of the syntax of every module; the first is the module itself."""
    return {
        module_name(path): list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(SOURCE.rglob("*.py"))
    }


def imports(module: str) -> Iterator[str]:
    """Our own modules that a module imports anywhere, or names in a string, without the ``everycase.`` prefix."""
    for node in modules()[module]:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            if node.module == "everycase":
                yield from (alias.name for alias in node.names)
            elif node.module and node.module.startswith("everycase."):
                yield node.module.removeprefix("everycase.")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("everycase"):
                    yield alias.name.removeprefix("everycase").removeprefix(".") or PUBLIC
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_module(node.value):
            yield node.value.removeprefix("everycase.")


def is_module(text: str) -> bool:
    """Whether a string is the full name of one of our modules, which may be imported by it."""
    if not re.fullmatch(r"everycase(\.\w+)+", text):
        return False
    path = SOURCE.joinpath(*text.split(".")[1:])
    return path.is_dir() or path.with_suffix(".py").is_file()


def against_the_arrows() -> Iterator[tuple[str, str]]:
    for module in modules():
        room = module.split(".")[0]
        if module in FACADES:
            continue
        assert room in LEVEL, f"{module}: the room {room} has no floor in test_layers.py"
        for target in imports(module):
            other = target.split(".")[0]
            if other == room:
                continue
            # A public name of the package leads to any room.
            level = LEVEL.get(other, LEVEL["database"])
            allowed = level < LEVEL[room] and other in ONLY.get(room, {*LEVEL, other})
            if not allowed:
                yield module, target


def test_imports_follow_the_arrows() -> None:
    found = set(against_the_arrows())
    assert found - EXCEPTIONS == set(), "imports against the arrows"
    assert EXCEPTIONS - found == set(), "mended: take these out of EXCEPTIONS"


def test_no_two_test_files_have_one_name() -> None:
    """pytest imports test files by their bare names, so a second file with the same name would not be collected."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []
