"""Rule tables are total: a new kind without a rule fails when the module of the table is imported."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from everycase.gen import reading
from everycase.gen.base import Gen
from test_layers import SOURCE, module_name


class Novel(Gen[Any]):
    """A kind that no table knows."""


def is_total(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "total"


def trees(holds: Callable[[str], object]) -> Iterator[tuple[str, ast.Module]]:
    """The modules whose text contains a string. (Few do, and each worker of the tests would parse all of them.)"""
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if holds(text):
            yield module_name(path), ast.parse(text)


TABLES = [
    (module, ast.literal_eval(node.args[0]))
    for module, tree in trees(re.compile(r"\btotal\s*\(").search)
    for node in ast.walk(tree)
    if isinstance(node, ast.Call) and is_total(node)
]


@pytest.mark.parametrize(("module", "table"), TABLES)
def test_a_kind_without_a_rule_fails_at_import_and_names_the_table(
    module: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, kinds = reading.total, reading.KINDS

    def total(name: str, rules: Any, **options: Any) -> Any:
        monkeypatch.setattr(reading, "KINDS", (*kinds, Novel) if name == table else kinds)
        return real(name, rules, **options)

    monkeypatch.setattr(reading, "total", total)
    spec = importlib.util.spec_from_file_location(
        f"once_more_{module}", SOURCE / f"{module.replace('.', '/')}.py"
    )
    assert spec is not None and spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, again)  # dataclasses look for their module
    with pytest.raises(TypeError, match=f'the table "{table}" has no rule for Novel'):
        spec.loader.exec_module(again)


def test_no_table_of_kinds_stands_outside_of_total() -> None:
    kinds = {kind.__name__ for kind in reading.KINDS}
    found = []
    # A key of a dictionary is a name and a colon.
    keyed = re.compile(rf"\b({'|'.join(kinds)})\s*:")
    for module, tree in trees(lambda text: len(set(keyed.findall(text))) > 2):
        parts = {id(part) for node in ast.walk(tree) if is_total(node) for part in ast.walk(node)}
        spread = {
            ast.unparse(value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Dict) and id(node) in parts
            for key, value in zip(node.keys, node.values)
            if key is None
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign | ast.Assign) and isinstance(node.value, ast.Dict):
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                keys = [ast.unparse(key) for key in node.value.keys if key is not None]
                if len(kinds.intersection(keys)) > 2 and ast.unparse(target) not in spread:
                    found.append(f"{module}: {ast.unparse(target)}")
    assert found == []
