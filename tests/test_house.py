"""Figures about the structure of the source, per package, with ceilings that only go down.

``python tests/test_house.py`` prints the figures; ``python tests/test_house.py gen`` lists the items counted in one package.
When a figure goes down, lower its ceiling in the same commit.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from everycase.gen.reading import KINDS
from test_layers import FACADES, SOURCE, module_name, modules

#: What is counted. Each is a sign, not a sin: some modules are rightly used by one other.
FIGURES = {
    "one importer": "modules that exactly one other module imports: are they a subject, or a piece of one?",
    "own types": "imports for type checking from the same room, which hide mutual dependence",
    "long functions": "functions above 80 lines",
    "names twice": "classes whose name another class in the source has too",
    "kind tests": "tests of a node's kind outside of rule tables",
}

#: At most this many in all. These numbers only go down.
CEILINGS = {"one importer": 68, "own types": 8, "long functions": 0, "names twice": 10, "kind tests": 188}


def room_of(module: str) -> str:
    return module.split(".")[0]


def packages() -> set[str]:
    return {module_name(path) for path in SOURCE.rglob("__init__.py")}


def one_importer() -> Iterator[tuple[str, str]]:
    offered = FACADES | packages()  # modules that a facade imports are public, and have users elsewhere
    importers: dict[str, set[str]] = defaultdict(set)
    for module, tree in modules().items():
        for node in tree:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("everycase"):
                source = (node.module or "").removeprefix("everycase").removeprefix(".")
                for target in [source, *(f"{source}.{alias.name}".lstrip(".") for alias in node.names)]:
                    importers[target].add(module)
    for module in modules():
        users = importers[module] - {module}
        if module not in offered and len(users) == 1 and not users & offered:
            yield module, f"only {min(users)}"


def own_types() -> Iterator[tuple[str, str]]:
    for module, tree in modules().items():
        for node in tree:
            if isinstance(node, ast.If) and ast.unparse(node.test) in (
                "TYPE_CHECKING",
                "typing.TYPE_CHECKING",
            ):
                for inner in node.body:
                    if isinstance(inner, ast.ImportFrom) and (inner.module or "").startswith(
                        f"everycase.{room_of(module)}"
                    ):
                        yield module, f"line {inner.lineno}: {inner.module}"


def long_functions() -> Iterator[tuple[str, str]]:
    for module, tree in modules().items():
        for node in tree:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > 80:
                    yield module, f"line {node.lineno}: {node.name} has {length}"


def names_twice() -> Iterator[tuple[str, str]]:
    places: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for module, tree in modules().items():
        for node in tree:
            if isinstance(node, ast.ClassDef):
                places[node.name].append((module, node.lineno))
    for name, defined in sorted(places.items()):
        if len(defined) > 1 and not name.startswith("_"):
            for module, line in defined:
                others = ", ".join(other for other, at in defined if (other, at) != (module, line))
                yield module, f"line {line}: {name}, also in {others}"


def kind_tests() -> Iterator[tuple[str, str]]:
    names = {kind.__name__ for kind in KINDS}
    for module, tree in modules().items():
        if room_of(module) == "complete":
            continue  # it reads source: its kinds are those of Python's own syntax
        for node in tree:
            tested: list[ast.expr] = []
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "isinstance"
            ):
                tested = [node.args[1]] if len(node.args) == 2 else []
            elif isinstance(node, ast.MatchClass):
                tested = [node.cls]
            elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node.left):
                tested = list(node.comparators)
            mentioned = {part for test in tested for part in ast.unparse(test).replace(".", " ").split()}
            if found := {name.strip("(),[]") for name in mentioned} & names:
                yield module, f"line {node.lineno}: {', '.join(sorted(found))}"


COUNTED = dict(zip(FIGURES, (one_importer, own_types, long_functions, names_twice, kind_tests)))


def measured() -> dict[str, tuple[int, ...]]:
    """The figures of each package, in the order of FIGURES."""
    counts = {
        figure: Counter(room_of(module) for module, _ in counted()) for figure, counted in COUNTED.items()
    }
    rooms = sorted({room_of(module) for module in modules()})
    return {room: tuple(counts[figure][room] for figure in FIGURES) for room in rooms}


@pytest.mark.parametrize("figure", FIGURES)
def test_no_figure_goes_up(figure: str) -> None:
    found = sorted(COUNTED[figure]())
    assert len(found) <= CEILINGS[figure], f"{FIGURES[figure]}\n" + "\n".join(f"{a}: {b}" for a, b in found)


INTERNALS = (Path(__file__).parents[1] / "docs" / "internals.md").read_text(encoding="utf-8")


def users_of(*names: str) -> set[str]:
    """The files of the modules that call one of these, or derive a class from it."""
    found = set()
    for module, tree in modules().items():
        for node in tree:
            used = (
                node.bases
                if isinstance(node, ast.ClassDef)
                else [node.func]
                if isinstance(node, ast.Call)
                else []
            )
            if any(ast.unparse(each) in names for each in used):
                found.add(module.replace(".", "/") + ".py")
    return found


def test_every_ambient_thing_is_documented() -> None:
    ambient = users_of("ContextVar", "contextvars.ContextVar", "threading.local")
    assert sorted(file for file in ambient if f"`{file}`" not in INTERNALS) == []


def test_every_table_of_rules_is_documented() -> None:
    tables = {file for file in users_of("total") if not file.startswith("complete/")}
    assert sorted(file for file in tables if f"`{file}`" not in INTERNALS) == []


def test_the_files_that_the_guide_names_are_there() -> None:
    named = set(re.findall(r"`([a-z_]+/[a-z_/]*\.py)`", INTERNALS))
    root = Path(__file__).parent.parent
    homes = {file: root if file.startswith("tests/") else SOURCE for file in named}
    assert sorted(file for file, home in homes.items() if not (home / file).exists()) == []


def names_in(module: str) -> set[str]:
    """The functions, classes, methods and tables that a module defines at its top, as ``name`` or ``Class.method``."""
    found: set[str] = set()
    for node in modules()[module][0].body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {
                f"{node.name}.{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)
            }
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_functions_that_the_guide_names_are_there() -> None:
    rows = re.findall(r"^\| [^|]+ \| `([a-z_/]+)\.py` \| `([\w.]+)` \|$", INTERNALS, re.MULTILINE)
    assert len(rows) >= 25
    missing = [
        f"{file}.py: {name}"
        for file, name in rows
        if name not in names_in(file.removesuffix("/__init__").replace("/", "."))
    ]
    assert missing == []


@pytest.mark.slow
def test_sample_types_are_shared() -> None:
    """A class or function that two tests define identically belongs in sample_types.py (or the contract's table)."""
    defined: dict[str, set[str]] = defaultdict(set)
    for path in Path(__file__).parent.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                defined[ast.unparse(node)].add(path.name)
    for files in defined.values():
        files.discard("campaign_properties.py")  # processes of their own import it, from its folder alone
    assert {text: sorted(files) for text, files in defined.items() if len(files) > 1} == {}


def test_no_test_changes_the_path_of_imports() -> None:
    """pytest's option ``pythonpath`` sets the path. (A script that is run on its own may say so itself.)"""
    tests = Path(__file__).parent.rglob("test_*.py")
    own = Path(__file__)
    changing = [p.name for p in tests if p != own and "sys.path.insert" in p.read_text(encoding="utf-8")]
    assert changing == []


def main(room: str | None = None) -> None:
    if room:
        for figure, counted in COUNTED.items():
            found = [(module, what) for module, what in counted() if room_of(module) == room]
            print(f"{figure}: {len(found)}")
            for module, what in found:
                print(f"    {module}: {what}")
        return
    print(f"{'room':<14}" + "".join(f"{figure:>16}" for figure in FIGURES))
    rows = {**measured(), "all": tuple(map(sum, zip(*measured().values())))}
    for name, figures in rows.items():
        if any(figures):
            print(f"{name:<14}" + "".join(f"{figure:>16}" for figure in figures))


if __name__ == "__main__":
    main(*sys.argv[1:2])
