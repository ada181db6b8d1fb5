"""What the commands share: finding the object that ``FILE::NAME`` or ``package.module:NAME`` names, exit
codes, JSON."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import sys
import traceback
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from everycase.errors import EverycaseError, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.dependent import Family

#: exit codes
FINE, FOUND, MISUSE = 0, 1, 2

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON and nothing else."
)


class Target:
    """The object that a target names, with the class and path through which it was found."""

    def __init__(self, value: Any, owner: type | None, module: ModuleType) -> None:
        self.value = value
        #: the class that the object is a member of, if it is one
        self.owner = owner
        self.module = module


def print_json(data: Any) -> None:
    """Data as JSON on standard output."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def load(target: str) -> Target:
    """The object that ``FILE::NAME``, ``FILE::CLASS::NAME`` or ``package.module:NAME`` names.

    >>> load("json:dumps").value is __import__("json").dumps
    True
    """
    place, _, name = target.partition("::") if "::" in target else _split_dotted(target)
    if not place or not name:
        raise InvalidArgument(
            f"{target!r} does not name an object: write FILE::NAME, such as test_sorting.py::test_stable, "
            "or package.module:NAME"
        )
    module = import_file(place) if "::" in target else _import_dotted(place)
    value: Any = module
    owner: type | None = None
    for part in name.replace("::", ".").split("."):
        if not hasattr(value, part):
            raise InvalidArgument(_no_such_name(part, value, place))
        owner = value if isinstance(value, type) else None
        value = getattr(value, part)
    return Target(value, owner, module)


def find_generator(target: str, found: Any) -> Gen[Any]:
    """The generator that was named; a function is called."""
    if not isinstance(found, Gen) and callable(found) and not isinstance(found, type):
        try:
            if isinstance(found, Family):  # which makes its members later, and would complain only then
                inspect.signature(found).bind()
            found = found()
        except TypeError as problem:
            raise InvalidArgument(f"{target} needs arguments: {problem}") from None
        except Exception as problem:
            raise InvalidArgument(f"{target} raised {type(problem).__name__}: {problem}") from None
    if not isinstance(found, Gen):
        raise InvalidArgument(f"{target} is {found!r}, not a generator")
    return found


def _split_dotted(target: str) -> tuple[str, str, str]:
    if target.endswith(".py") or "/" in target:
        return target, "::", ""
    return target.partition(":")


def _import_dotted(name: str) -> ModuleType:
    # As ``python -m`` does, so that the package in the current directory is found.
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name is None or not (name == missing.name or name.startswith(missing.name + ".")):
            raise _broken(name, missing) from None
        raise InvalidArgument(f"there is no module {name!r}") from None
    except Exception as problem:
        raise _broken(name, problem) from None


def import_file(path: str) -> ModuleType:
    """The module of a file, under the name that pytest gives it, so that both store failures under the same
    name."""
    file = Path(path)
    if not file.is_file():
        beside = (
            [str(p) for p in sorted(file.parent.glob("*.py")) if p.is_file()] if file.parent.is_dir() else []
        )
        near = get_close_matches(path, beside, 1)
        raise InvalidArgument(f"there is no file {path!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    file = file.resolve()
    root, parts = file.parent, [file.stem]
    while (root / "__init__.py").exists():
        parts.insert(0, root.name)
        root = root.parent
    name = ".".join(parts)
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        module = importlib.import_module(name)
        if getattr(module, "__file__", None) and Path(str(module.__file__)).resolve() == file:
            return module
        # Another module has this name already (a file called json.py, say): load ours beside it.
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # a script may end itself when it is imported, a test file skip itself
        raise _broken(path, problem) from None


def _broken(place: str, problem: BaseException) -> InvalidArgument:
    """The error for a module that cannot be imported: says where it failed, without our own frames."""
    if isinstance(problem, SyntaxError):
        from everycase.complete.frontend.source import MISENCODED, is_misencoded

        file = problem.filename or place
        if is_misencoded(file):
            return InvalidArgument(f"{place} cannot be imported: {file} {MISENCODED}")
        where = f" (line {problem.lineno} of {file})" if problem.lineno else ""
    else:
        frames = [f for f in traceback.extract_tb(problem.__traceback__) if "importlib" not in f.filename]
        where = f" (line {frames[-1].lineno} of {frames[-1].filename})" if frames else ""
    kind = "" if isinstance(problem, EverycaseError) else f"{type(problem).__name__}: "
    message = problem.msg if isinstance(problem, SyntaxError) else str(problem)
    return InvalidArgument(f"{place} cannot be imported: {kind}{message}{where}")


def _no_such_name(name: str, holder: Any, place: str) -> str:
    home = holder.__name__ if isinstance(holder, ModuleType) else None
    known = [
        own
        for own, value in getattr(holder, "__dict__", {}).items()
        # Suggest only names that the module defines, not those that it imports.
        if not own.startswith("_") and home in (None, getattr(value, "__module__", home))
    ]
    near = get_close_matches(name, known, 1)
    where = f"class {holder.__name__}" if isinstance(holder, type) else place
    if near:
        return f"there is no {name!r} in {where}; did you mean {near[0]!r}?"
    tests = [n for n in known if n.startswith("test")]
    return f"there is no {name!r} in {where}" + (f"; its tests are {', '.join(tests[:8])}" if tests else "")


def write_page(path: Path, text: str) -> None:
    """Write what ``--html`` asked for."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InvalidArgument(f"--html {path} cannot be written: {problem.strerror}") from None
