"""The 44 rows of the paper's table and the three case-study rows, made from the labelled references."""

from __future__ import annotations

import ast
import linecache
import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One incomplete generator, with the paper's figures: holes, repair size, queries, terms, seconds of abduction,
    of synthesis, and in total. None is a figure that is not legible in our copy of the paper.
    """

    family: str
    variant: str
    change: str | tuple[tuple[str, str], ...]  # labels to remove, or (old text, new text) replacements
    paper: tuple[int | None, int | None, int | None, int | None, float | None, float | None, float | None]

    @property
    def title(self) -> str:
        return f"{self.family.replace('_', ' ')} {self.variant}"


GENERATORS = {
    "sized_list": "sized_list",
    "even_list": "even_list",
    "sorted_list": "sorted_list",
    "duplicate_list": "duplicate_list",
    "unique_list": "unique_list",
    "red_black_tree": "red_black",
    "search_tree": "search_tree",
    "sized_tree": "sized_tree",
    "complete_tree": "complete_tree",
    "stlc": "stlc",
}

_SIZED_ELSE = (
    "    elif draw(gen.booleans()):\n        return []  # B\n    else:\n"
    "        return [draw(gen.integers()), *draw(sized_list(s - 1))]  # C\n"
)
_EVEN_ELSE = (
    "    elif draw(gen.booleans()):\n        return [2 * draw(gen.integers())]  # B\n    else:\n"
    "        return [2 * draw(gen.integers()), *draw(even_list(s - 1))]  # C\n"
)
_ONLY_B = (_EVEN_ELSE, "    else:\n        return [2 * draw(gen.integers())]\n")
_ONLY_C = (_EVEN_ELSE, "    else:\n        return [2 * draw(gen.integers()), *draw(even_list(s - 1))]\n")
_NO_A = ("        return [2 * draw(gen.integers())]  # A\n", "        ...\n")
_TREE_ELSE = (
    "    elif draw(gen.booleans()):\n        return Leaf()  # B\n    else:\n"
    "        return Node(draw(gen.integers()), draw(sized_tree(s - 1)), draw(sized_tree(s - 1)))  # C\n"
)
_BST_CHOICE = (
    "        if draw(gen.booleans()):\n"
    "            return Node(x, draw(search_tree(d - 1, lo, x)), draw(search_tree(d - 1, x, hi)))  # D\n"
    "        else:\n            return Leaf()  # B\n"
)


def _rbt_sketch(text: str) -> str:
    start = text.index("    if h == 0:\n        if color:")
    return text[:start] + (
        "    if h == 0:\n        if color:\n            ...\n        else:\n            ...\n"
        "    elif color:\n        ...\n    else:\n        ...\n"
    )


ROWS = [
    Row("sized_list", "1", "A", (1, 1, 31, 3, 0.76, 0.51, 1.34)),
    Row("sized_list", "2", "B", (1, 1, 30, 3, 1.95, 0.52, 2.54)),
    Row("sized_list", "3", "C", (1, 14, 77, 10, 2.95, 2.88, 5.89)),
    Row("sized_list", "4", "AB", (2, 2, 38, 6, 2.62, 0.61, 3.31)),
    Row("sized_list", "5", "BC", (1, 20, 94, 10, 2.67, 3.62, 6.37)),
    Row("sized_list", "6", "AC", (2, 15, 84, 13, 3.14, 2.99, 6.19)),
    Row("sized_list", "7", "ABC", (2, 21, 100, 13, 3.95, 3.61, 7.64)),
    Row("sized_list", "8", ((_SIZED_ELSE, "    else:\n        ...\n"),), (1, 20, 93, 10, 2.86, 3.73, 6.67)),
    Row("sized_list", "sketch", ((_SIZED_ELSE, "    else:\n        ...\n"), ("        return []  # A\n", "        ...\n")),
        (2, 21, 99, 13, 4.41, 3.72, 8.21)),
    Row("even_list", "1", "A", (1, 11, 100, 17, 6.07, 3.05, 9.25)),
    Row("even_list", "2", (_ONLY_C,), (1, 11, 169, 23, 6.26, 8.54, 14.93)),
    Row("even_list", "3", (_ONLY_B,), (1, 17, 172, 26, 6.06, 10.94, 17.08)),
    Row("even_list", "4", (_ONLY_C, _NO_A), (2, 22, 247, 40, 10.17, 11.07, 21.37)),
    Row("even_list", "5", ((_EVEN_ELSE, "    else:\n        ...\n"),), (1, 33, 231, 26, 10.39, 16.15, 26.7)),
    Row("even_list", "6", (_ONLY_B, _NO_A), (2, 28, 250, 43, 10.46, 13.38, 23.91)),
    Row("even_list", "sketch", ((_EVEN_ELSE, "    else:\n        ...\n"), _NO_A), (2, 44, 308, 43, 14.7, 17.74, 32.59)),
    Row("sorted_list", "1", "A", (1, 1, 27, 3, 0.13, 0.37, 0.54)),
    Row("sorted_list", "2", "BC", (2, 16, 151, 74, 2.59, 6.02, 8.65)),
    Row("sorted_list", "sketch", "ABC", (3, 17, 154, 77, 1.99, 5.91, 7.94)),
    Row("duplicate_list", "1", "A", (1, 1, 28, 3, 5.78, 1.28, 7.11)),
    Row("duplicate_list", "2", "B", (1, 18, 89, 19, 2.98, 13.93, 17.0)),
    Row("duplicate_list", "sketch", "AB", (2, 19, 96, 22, 3.95, 13.55, 17.55)),
    Row("unique_list", "1", "A", (1, 1, 26, 2, 0.13, 0.42, 0.58)),
    Row("unique_list", "2", "BC", (2, 7, 70, 12, 0.83, 6.46, 7.32)),
    Row("unique_list", "sketch", "ABC", (3, 8, 71, 14, 0.05, 6.10, 7.82)),
    Row("red_black_tree", "1", "A", (1, 1, 156, 5, 62.02, 2.17, 66.85)),
    Row("red_black_tree", "2", "B", (1, 1, 154, 6, 61.27, 2.29, 66.27)),
    Row("red_black_tree", "3", "C", (1, 14, 232, 45, 54.65, 4.27, 61.26)),
    Row("red_black_tree", "4", "D", (1, 34, 362, 95, 59.31, 10.97, 71.26)),
    Row("red_black_tree", "5", "E", (1, 31, 328, 87, 52.45, 8.61, 72.44)),
    Row("red_black_tree", "6", "F", (1, 17, 219, 51, 56.02, 2.88, 60.73)),
    Row("red_black_tree", "sketch", "sketch", (4, 108, 673, 232, 78.52, 20.88, 100.83)),
    Row("search_tree", "1", "A", (1, 1, 66, 4, 22.81, 4.34, 47.17)),
    Row("search_tree", "2", "B", (1, 1, 71, 5, 21.18, 4.54, 42.37)),
    Row("search_tree", "3", "C", (1, 1, 65, 4, 24.26, 6.05, 51.44)),
    Row("search_tree", "4", "D", (1, 33, 877, 589, 18.26, 129.98, 160.79)),
    Row("search_tree", "sketch", ((_BST_CHOICE, "        ...\n"), ("        return Leaf()  # A\n", "        ...\n"),
                                  ("        return Leaf()  # C\n", "        ...\n")),
        (3, 41, 941, 597, 51.19, 145.84, 215.25)),
    Row("sized_tree", "1", "A", (1, 1, 37, 3, 3.87, 0.75, 4.97)),
    Row("sized_tree", "2", "B", (1, 1, 36, 3, 4.06, 0.78, 5.18)),
    Row("sized_tree", "3", "C", (1, 18, 159, 14, 3.87, 9.38, 13.41)),
    Row("sized_tree", "sketch", ((_TREE_ELSE, "    else:\n        ...\n"), ("        return Leaf()  # A\n", "        ...\n")),
        (2, 25, 182, 17, 8.74, 10.21, 19.04)),
    # the last three rows are damaged in our copy of the paper: only the legible figures are here
    Row("complete_tree", "1", "A", (None, 1, None, 3, 0.67, 0.6, 1.32)),
    Row("complete_tree", "2", "B", (1, None, None, 14, 1.18, 4.92, None)),
    Row("complete_tree", "sketch", "AB", (None, 19, None, None, None, None, None)),
]  # fmt: skip

STLC_ROWS = [
    Row("stlc", "1", "A", (1, None, None, 9, None, None, 109.6)),
    Row("stlc", "2", "let B", (1, None, 4443, 1555, None, None, 2778.7)),
    Row("stlc", "3", "C", (1, None, None, 276, None, None, 165.4)),
]


def source(family: str) -> str:
    """The reference as text."""
    return (HERE / f"{family}.py").read_text()


def without(text: str, label: str) -> str:
    """The text with a hole in place of the statement that ends with the comment ``# label``."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Return | ast.Expr) and lines[node.end_lineno - 1].rstrip().endswith(
            f"# {label}"
        ):
            hole = " " * node.col_offset + "...\n"
            return "".join([*lines[: node.lineno - 1], hole, *lines[node.end_lineno :]])
    raise ValueError(f"there is no statement with the label {label}")


def variant_source(row: Row) -> str:
    """The incomplete generator as text."""
    text = source(row.family)
    if row.change == "sketch":
        return _rbt_sketch(text)
    if row.change == "let B":  # the whole branch, with the draws before its result
        return re.sub(r"        a = draw\(gen.from_type.*?# B\n", "        ...\n", text, flags=re.S)
    if isinstance(row.change, str):
        for label in row.change:
            text = without(text, label)
        return text
    for old, new in row.change:
        if old not in text:
            raise ValueError(f"{row.title}: the text to replace does not occur")
        text = text.replace(old, new)
    return text


def load(text: str, name: str) -> dict[str, Any]:
    """Run a module from text in such a way that its source can be read."""
    if str(HERE.parent) not in sys.path:
        sys.path.insert(0, str(HERE.parent))
    module = types.ModuleType(name)
    filename = f"<{name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    sys.modules[name] = module
    exec(compile(text, filename, "exec"), module.__dict__)
    return module.__dict__


def reference(family: str) -> Any:
    """The complete generator."""
    return load(source(family), f"{family}_reference")[GENERATORS[family]]


def variant(row: Row) -> Any:
    """The incomplete generator."""
    return load(variant_source(row), f"{row.family}_{row.variant}")[GENERATORS[row.family]]
