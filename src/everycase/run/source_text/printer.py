"""Values as Python source that can be pasted into a file, laid out over as many lines as it needs.

Values that can be made again are printed as an expression: ``eval`` gives an equal value. Nothing is left out
silently: more than :data:`MAX_PARTS` parts, texts of more than ``MAX_TEXT`` characters, more than
:data:`MAX_DEPTH` nested brackets (Python itself reads 200) and values that contain themselves are cut, and a
comment in the code says where and what.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from everycase.run.source_text.names import SourceNames
from everycase.run.source_text.shapes import MAX_TEXT, Pair, Shape, call_shape, shape

MAX_PARTS = 10_000
MAX_DEPTH = 180
INDENT = 4


def code(value: Any, *, width: int = 100) -> str:
    """A value as Python source, in lines of ``width`` characters where that is possible.

    >>> from decimal import Decimal
    >>> print(code([Decimal("0.10"), {3, 1, 2}, float("nan")]))
    [Decimal("0.10"), {1, 2, 3}, float("nan")]
    >>> print(code({"name": "Ada", "scores": [10, 20, 30]}, width=30))
    {
        "name": "Ada",
        "scores": [10, 20, 30],
    }
    """
    nodes, _ = _tree(Shape("", [("", value)]))
    return _layout(nodes[0].children[0], width)


def call(
    function_name: str,
    args: Mapping[str, Any],
    *,
    width: int = 100,
    parts: int = MAX_PARTS,
    text: int = MAX_TEXT,
) -> str:
    """The call of a function with these arguments as Python source, with a maximum number of ``parts``, and
    of characters of a ``text``.

    >>> print(call("test_sort", {"xs": [0, 0], "n": 1}))
    test_sort(xs=[0, 0], n=1)
    """
    nodes, _ = _tree(call_shape(function_name, args.items()), parts, text)
    return _layout(nodes[0], width)


def imports_needed(value: Any) -> list[str]:
    """The import lines that ``code(value)`` needs. For ``call``, give the dictionary of arguments.

    >>> from decimal import Decimal
    >>> imports_needed({"price": Decimal(1)})
    ['from decimal import Decimal']
    """
    _, names = _tree(Shape("", [("", value)]))
    return names.imports()


class _Node:
    """One level of a value in its place in the tree."""

    __slots__ = ("brackets", "children", "flat", "lead", "left_out", "loud", "parent", "shape", "value")

    def __init__(self, shape: Shape, lead: str = "", value: Any = None, parent: _Node | None = None) -> None:
        self.shape = shape
        self.lead = lead  # what its parent writes before it, such as "name="
        self.value = value  # kept alive, because values are recognised by identity
        self.parent = parent
        self.brackets: int = _brackets(shape) + (parent.brackets if parent else 0)
        self.children: list[_Node] = []
        self.left_out = 0  # number of parts that were cut
        self.flat = ""  # on one line, without the lead
        self.loud = False  # it cannot be on one line: there is a comment somewhere in it


def _tree(root: Shape, parts: int = MAX_PARTS, text: int = MAX_TEXT) -> tuple[list[_Node], SourceNames]:
    """All nodes, parents before children, and the names that they use."""
    names = SourceNames()
    names.longest_text = text
    nodes = _grow(root, names, parts)
    if clashes := names.ambiguous():
        names = SourceNames(clashes)
        names.longest_text = text
        # The shapes are made again, now that the ambiguous short names are known.
        nodes = _grow(root, names, parts)
    for node in reversed(nodes):
        _flatten(node)
    return nodes, names


def _grow(root: Shape, names: SourceNames, room: int) -> list[_Node]:
    """Level by level, and in each level the small ones first: if there is too much to show, the largest are
    cut."""
    level = [_Node(root)]
    nodes = list(level)
    while level:
        below: list[_Node] = []
        for node in sorted(level, key=lambda node: len(node.shape.parts)):
            parts = node.shape.parts
            shown = parts if type(node.value) is Pair else parts[:room]
            room = max(0, room - len(shown))
            node.children = [_child(node, lead, value, names) for lead, value in shown]
            node.left_out = len(parts) - len(shown)
            below += node.children
        nodes += below
        level = below
    return nodes


def _child(parent: _Node, lead: str, value: Any, names: SourceNames) -> _Node:
    if type(value) is Pair:
        return _Node(Shape("", [("", value.key), ("", value.value)]), lead, value, parent)
    node = _Node(shape(value, names), lead, value, parent)
    if node.shape.parts:
        above: _Node | None = parent
        while above is not None:
            if above.value is value:
                return _Node(
                    Shape("...", comment=f"the same {type(value).__name__} again"), lead, None, parent
                )
            above = above.parent
        if node.brackets > MAX_DEPTH:
            return _Node(Shape("...", comment="nested too deeply to be shown"), lead, None, parent)
    return node


def _brackets(shape: Shape) -> int:
    return sum(shape.opening.count(bracket) for bracket in "([{") if shape.parts else 0


def _flatten(node: _Node) -> None:
    opening, _, closing, comment, unordered, lone_comma = node.shape
    children = node.children
    node.loud = bool(comment or node.left_out) or "\n" in opening or any(child.loud for child in children)
    if type(node.value) is Pair:
        key, value = children
        node.flat = f"{key.flat}: {value.flat}"
        return
    if unordered:
        children.sort(key=_rank)
    inner = ", ".join([child.lead + child.flat for child in children])
    comma = "," if lone_comma and len(children) == 1 else ""
    node.flat = f"{opening}{inner}{comma}{closing}"


def _rank(node: _Node) -> tuple[bool, Any]:
    """Numbers by value, then all others by their text."""
    value = node.value
    number = type(value) in (int, float, bool) and value == value
    return not number, value if number else node.flat


def _layout(root: _Node, width: int) -> str:
    """One line if it fits; otherwise the parts on the next line, indented; otherwise one part per line, like
    black.

    Numbers are an exception: hundreds of them are easier to read side by side.
    """
    lines: list[str] = []
    # What is still to be written, last first: whole lines, or nodes with their indent, lead and suffix.
    todo: list[str | tuple[_Node, int, str, str]] = [(root, 0, "", "")]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        node, indent, lead, after = item
        pad = " " * indent
        comment = f"  # {node.shape.comment}" if node.shape.comment else ""
        if type(node.value) is Pair:
            key, value = node.children
            if key.loud:
                lines.append(f"{pad}# the key of the next line is not shown in full")
            todo.append((value, indent, f"{lead}{key.flat}: ", after))
        elif not node.shape.parts:
            text = node.flat.replace("\n", "\n" + pad)
            lines.append(f"{pad}{lead}{text}{after}{comment}")
        elif not node.loud and len(pad) + len(lead) + len(node.flat) + len(after) <= width:
            lines.append(f"{pad}{lead}{node.flat}{after}")
        else:
            lines.append(f"{pad}{lead}{node.shape.opening}{comment}")
            todo.append(f"{pad}{node.shape.closing}{after}")
            if node.left_out:
                todo.append(f"{pad}{' ' * INDENT}# and {node.left_out:,} more")
            start = len(node.shape.opening)
            body = node.flat[start : len(node.flat) - len(node.shape.closing)]
            if not node.loud and indent + INDENT + len(body) <= width:
                todo.append(" " * (indent + INDENT) + body)
            elif all(type(child.value) in (int, float) for child in node.children):
                words = [child.lead + child.flat for child in node.children]
                todo += reversed(_filled(words, indent + INDENT, width))
            else:
                todo += [(child, indent + INDENT, child.lead, ",") for child in reversed(node.children)]
    return "\n".join(lines)


def _filled(words: list[str], indent: int, width: int) -> list[str]:
    """As many words on a line as fit, each followed by a comma."""
    pad = " " * indent
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 2 <= width:
            lines[-1] += f" {word},"
        else:
            lines.append(f"{pad}{word},")
    return lines
