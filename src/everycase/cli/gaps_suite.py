"""Every generator of files and folders: finding them, asking about each, remembering the answers."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from everycase._version import __version__
from everycase.cli.common import import_file
from everycase.complete.frontend.source import innermost, is_composite
from everycase.complete.specification import specification_of
from everycase.complete.suite import Row, ask, with_arguments
from everycase.errors import EverycaseError

SKIPPED = ("__pycache__", "node_modules", "site-packages", "build", "dist")
CACHE = Path(".everycase") / "gaps"


def files_in(path: Path) -> list[Path]:
    """The Python files of a folder that may define generators, or the file itself."""
    if path.is_file():
        return [path]
    found = []
    for file in sorted(path.rglob("*.py")):
        inside = file.relative_to(path).parts
        if any(part.startswith(".") or part in SKIPPED for part in inside):
            continue
        if "composite" in file.read_text(encoding="utf-8", errors="replace"):
            found.append(file)
    return found


def generators_of(module: ModuleType, file: Path) -> list[tuple[str, Any, int]]:
    """Names, generators and lines of what a file defines itself, in its order."""
    found = []
    for name, value in vars(module).items():
        if not callable(value) or not (is_composite(value) or specification_of(value) is not None):
            continue
        code = getattr(innermost(value), "__code__", None)
        if code is not None and Path(code.co_filename).resolve() == file.resolve():
            found.append((name, value, code.co_firstlineno))
    return sorted(found, key=lambda item: item[2])


def ask_all(paths: list[Path], max_seconds: float, prove: bool, cached: bool) -> Iterator[Row]:
    """One row for each generator, and one for each file that cannot be read."""
    for path in paths:
        for file in files_in(path):
            try:
                module = import_file(str(file))
            except EverycaseError as problem:
                yield {"name": None, "status": "error", "file": str(file), "line": 1, "notes": [str(problem)]}
                continue
            for name, generator, line in generators_of(module, file):
                place: Row = {"name": name, "file": str(file), "line": line}
                yield {**_answer(module, name, generator, max_seconds, prove, cached), **place}


def _answer(
    module: ModuleType, name: str, generator: Any, max_seconds: float, prove: bool, cached: bool
) -> Row:
    spot = CACHE / f"{_key(module, name, max_seconds, prove)}.json"
    if cached and spot.is_file():
        try:
            known: Row = json.loads(spot.read_text(encoding="utf-8"))
            return {**known, "cached": True}
        except (OSError, ValueError):
            pass  # a damaged file is as good as none
    row = ask(module, generator, max_seconds, prove)
    if cached and row["status"] != "error":
        try:
            spot.parent.mkdir(parents=True, exist_ok=True)
            spot.write_text(json.dumps(row), encoding="utf-8")
        except OSError:
            pass  # then it is asked again next time
    return {**row, "cached": False}


# --- remembering ----------------------------------------------------------------------------------------


def _key(module: ModuleType, name: str, max_seconds: float, prove: bool) -> str:
    """A hash of everything that the answer depends on: the sources of the user's modules, and ours by version."""
    made = hashlib.sha256(f"{__version__} {sys.version} {name} {max_seconds} {prove}".encode())
    for file in sorted(_own_files(module)):
        made.update(file.encode() + b"\0" + Path(file).read_bytes())
    return made.hexdigest()[:32]


def _own_files(module: ModuleType) -> set[str]:
    """The files of the module and of those that its names come from, other than installed ones."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        file = getattr(current, "__file__", None)
        if file is None or file in found or _is_installed(file):
            continue
        found.add(file)
        for value in vars(current).values():
            home = (
                value
                if isinstance(value, ModuleType)
                else sys.modules.get(getattr(value, "__module__", "") or "")
            )
            if home is not None:
                waiting.append(home)
    return found


def _is_installed(file: str) -> bool:
    parts = Path(file).parts
    return not file.endswith(".py") or "site-packages" in parts or file.startswith(sys.base_prefix)


# --- other forms ----------------------------------------------------------------------------------------


def sarif(rows: list[Row]) -> Row:
    """The rows as SARIF 2.1.0, for tools that show findings beside the code."""
    results = []
    for row in rows:
        for rule, level, text in _findings(row):
            region = {"startLine": max(1, row["line"])}
            uri = Path(row["file"]).as_posix()
            spot = {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
            results.append({"ruleId": rule, "level": level, "message": {"text": text}, "locations": [spot]})
    rules = [{"id": rule} for rule in ("missing", "unsound", "not-checked")]
    driver = {"name": "everycase gaps", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _findings(row: Row) -> Iterator[tuple[str, str, str]]:
    if row["status"] == "missing":
        yield (
            "missing",
            "error",
            f"{row['name']} can never make {row['value']}{with_arguments(row.get('arguments'))}",
        )
    if row.get("unsound"):
        bad = row["unsound"]
        text = (
            f"{row['name']} makes {bad['value']}{with_arguments(bad['arguments'])}, which its promise refuses"
        )
        yield "unsound", "warning", text
    if row["status"] in ("error", "not checked") or not row.get("checked", True):
        yield "not-checked", "note", "; ".join(row.get("notes", [])) or "nothing was checked"
