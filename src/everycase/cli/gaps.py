"""``everycase gaps``: which valid values can generators never make, and which invalid values do they make?"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from everycase._version import __version__
from everycase.cli.common import FINE, FOUND, MISUSE, import_file, json_option, load, print_json
from everycase.complete.check import gaps
from everycase.complete.frontend.source import innermost, is_composite
from everycase.complete.specification import specification_of
from everycase.complete.suite import (
    Row,
    ask,
    needs_arguments,
    of_inferred,
    summary,
    with_arguments,
    word,
)
from everycase.errors import EverycaseError, InvalidArgument

EXAMPLE = """\b
Examples:
  everycase gaps tests/generators.py::bsts
  everycase gaps tests/
  everycase gaps tests/ --sarif > gaps.sarif
  everycase gaps tests/strategies.py::bsts --smt-out queries
  everycase gaps shop.generators:orders --no-proof --json
"""


@click.command("gaps", epilog=EXAMPLE)
@click.argument("targets", metavar="FILE::NAME | PATH...", nargs=-1, required=True)
@click.option("--max-seconds", type=float, default=10.0, show_default=True, help="Time limit per generator.")
@click.option("--no-proof", is_flag=True, help="Only check small values; do not start the solver.")
@click.option("--smt-out", metavar="DIR", help="Write the solver's queries there (for FILE::NAME only).")
@click.option(
    "--sarif", "as_sarif", is_flag=True, help="Print SARIF, for tools that show findings in the code."
)
@click.option(
    "--no-cache", is_flag=True, help="Check again, even if nothing has changed since the last time."
)
@json_option
def command(
    targets: tuple[str, ...],
    max_seconds: float,
    no_proof: bool,
    smt_out: str | None,
    as_sarif: bool,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Report which valid values generators can never make, and which invalid values they make.

    NAME is a @gen.composite (or Hypothesis' @st.composite) function under @covers. A file or a folder stands
    for all composites in it; a composite without @covers should make every value of its return type. Does it
    make every valid value? There are three answers: missing (with the smallest value), proved, and no gap
    found up to some bounds. Does it make only valid values? Again there are three: refuted (with a value that
    it made), proved, and no violation found. The exit code is 0 if no valid value is known to be missing, 1
    if one is missing or if invalid values are made, 2 if something could not be checked.
    """
    named = [t for t in targets if _is_named(t)]
    if len(targets) == 1 and named and not as_sarif and (smt_out or not _promises_nothing(targets[0])):
        _one(targets[0], max_seconds, not no_proof, smt_out, as_json)
    if smt_out is not None:
        raise InvalidArgument("--smt-out needs exactly one generator, FILE::NAME")
    _many(targets, named, max_seconds, not no_proof, not no_cache, as_sarif, as_json)


def _is_named(target: str) -> bool:
    """FILE::NAME or package.module:NAME, rather than a path."""
    return "::" in target or (":" in target and not Path(target).exists())


def _promises_nothing(target: str) -> bool:
    """A composite without ``@covers`` is asked for its return type, as in a folder."""
    with redirect_stdout(sys.stderr):
        generator = load(target).value
    return specification_of(generator) is None and is_composite(generator)


def _one(target: str, max_seconds: float, prove: bool, smt_out: str | None, as_json: bool) -> None:
    with redirect_stdout(sys.stderr):
        generator = load(target).value
        verdict = gaps(generator, max_seconds=max_seconds, prove=prove, smt_out=smt_out)
    if as_json:
        print_json({**verdict.to_json(), **_place(generator)})
    else:
        click.echo(str(verdict))
    if verdict.status == "missing" or verdict.unsound is not None:
        raise SystemExit(FOUND)
    raise SystemExit(FINE if verdict.checked else MISUSE)


def _place(generator: Any) -> dict[str, Any]:
    code = getattr(innermost(generator), "__code__", None)
    return {"file": code.co_filename, "line": code.co_firstlineno} if code is not None else {}


def _many(
    targets: tuple[str, ...],
    named: list[str],
    max_seconds: float,
    prove: bool,
    cached: bool,
    as_sarif: bool,
    as_json: bool,
) -> None:
    paths = [Path(t) for t in targets if t not in named]
    for path in paths:
        if not path.exists():
            raise InvalidArgument(f"there is no file or folder {str(path)!r}; write PATH or FILE::NAME")
    rows = []
    with redirect_stdout(sys.stderr):  # what the user's code prints is no part of the answer
        for target in named:
            found = load(target)
            row = ask(found.module, found.value, max_seconds, prove)
            rows.append({**row, "file": "?", "line": 1, **_place(found.value)})
        rows += ask_all(paths, max_seconds, prove, cached)
    if as_sarif:
        print_json(sarif(rows))
    elif as_json:
        print_json(rows)
    elif rows:
        for row in rows:
            if row["status"] == "missing" or row.get("unsound"):
                click.echo(row["text"])
        click.echo(summary(rows))
    if not rows:
        if not as_json and not as_sarif:
            click.echo(f"no generators were found in {', '.join(targets)}")
        raise SystemExit(MISUSE)
    if any(r["status"] == "missing" or r.get("unsound") for r in rows):
        raise SystemExit(FOUND)
    raise SystemExit(MISUSE if any(word(r) in ("error", "not checked") for r in rows) else FINE)


# --- files and folders --------------------------------------------------------------------------------------


SKIPPED = ("__pycache__", "node_modules", "site-packages", "build", "dist")
CACHE = Path(".everycase") / "gaps"


def files_in(path: Path) -> list[Path]:
    """The Python files of a folder that may define generators, or the file itself."""
    if path.is_file():
        return [path]
    return [file for file in _python_files(path) if _may_define_generators(file)]


def _python_files(path: Path) -> Iterator[Path]:
    for file in sorted(path.rglob("*.py")):
        inside = file.relative_to(path).parts
        if not file.is_dir() and not any(part.startswith(".") or part in SKIPPED for part in inside):
            yield file


def _may_define_generators(file: Path) -> bool:
    """Whether to import a file: not every script should be. What cannot be read is imported too, because the
    import says what is wrong."""
    try:
        text = file.read_bytes()
        if any(name in text for name in (b"composite", b"covers")):
            return True
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return True
    passed = {
        a.id for n in ast.walk(tree) if isinstance(n, ast.Call) for a in n.args if isinstance(a, ast.Name)
    }
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return any(_draws(f) for f in functions if f.decorator_list or f.name in passed)


def _draws(function: ast.FunctionDef) -> bool:
    """Does a function call its first parameter, as composites do? Their decorator may have any name."""
    first = [a.arg for a in (*function.args.posonlyargs, *function.args.args)][:1]
    calls = [n.func for n in ast.walk(function) if isinstance(n, ast.Call)]
    return first == ["draw"] or any(isinstance(f, ast.Name) and [f.id] == first for f in calls)


def generators_of(module: ModuleType, file: Path) -> list[tuple[str, Any, int]]:
    """Names, generators and line numbers of the generators that a file itself defines, in order."""
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
    callers = [file for path in paths if path.is_dir() for file in _python_files(path)]
    for file in (file for path in paths for file in files_in(path)):
        try:
            module = import_file(str(file))
        except EverycaseError as problem:
            yield {"name": None, "status": "error", "file": str(file), "line": 1, "notes": [str(problem)]}
            continue
        for name, generator, line in generators_of(module, file):
            place: Row = {"name": name, "file": str(file), "line": line}
            others = _that_draw_from(name, callers) if needs_arguments(module, generator) else []
            homes = [module, *(m for m in others if m is not module)]
            yield {**_answer(homes, name, generator, max_seconds, prove, cached), **place}


def _that_draw_from(name: str, files: list[Path]) -> list[ModuleType]:
    """The files with properties, or with generators, whose source contains this name."""
    found = []
    for file in files:
        with contextlib.suppress(OSError, EverycaseError):
            text = file.read_bytes()
            if name.encode() in text and (b"given" in text or b"composite" in text):
                found.append(import_file(str(file)))
    return found


def _answer(
    modules: list[ModuleType], name: str, generator: Any, max_seconds: float, prove: bool, cached: bool
) -> Row:
    """The answer on a generator of the first module; the others mention it."""
    spot = CACHE / f"{_key(modules, name, max_seconds, prove)}.json"
    if cached and spot.is_file():
        try:
            known: Row = json.loads(spot.read_text(encoding="utf-8"))
            return {**known, "cached": True}
        except (OSError, ValueError):
            pass  # a damaged cache file is ignored
    row = ask(modules[0], generator, max_seconds, prove, modules[1:])
    if cached and row["status"] != "error":
        try:
            spot.parent.mkdir(parents=True, exist_ok=True)
            spot.write_text(json.dumps(row), encoding="utf-8")
        except OSError:
            pass  # then it is checked again next time
    return {**row, "cached": False}


# --- remembering ----------------------------------------------------------------------------------------


def _key(modules: list[ModuleType], name: str, max_seconds: float, prove: bool) -> str:
    """A hash of everything that the answer depends on: the sources of the user's modules, and our version."""
    made = hashlib.sha256(f"{__version__} {sys.version} {name} {max_seconds} {prove}".encode())
    for file in sorted({file for module in modules for file in _own_files(module)}):
        made.update(file.encode() + b"\0" + Path(file).read_bytes())
    return made.hexdigest()[:32]


def _own_files(module: ModuleType) -> set[str]:
    """The files of the module and of the modules that its names come from, except installed packages."""
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
            "warning" if of_inferred(row) else "error",
            f"{row['name']} can never make {row['value']}{with_arguments(row.get('arguments'))}{of_inferred(row)}",
        )
    if row.get("unsound"):
        bad = row["unsound"]
        text = f"{row['name']} makes {bad['value']}{with_arguments(bad['arguments'])}, which its specification rejects"
        yield "unsound", "warning", text
    if row["status"] in ("error", "not checked") or not row.get("checked", True):
        yield "not-checked", "note", "; ".join(row.get("notes", [])) or "nothing was checked"
