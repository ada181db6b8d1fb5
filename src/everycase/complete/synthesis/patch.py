"""Writes a patch into the source, changing nothing else: insertions and replacements at exact positions."""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from everycase.complete.frontend.program import Generator
from everycase.complete.frontend.source import FunctionSource
from everycase.complete.synthesis.places import PatchPlace
from everycase.complete.synthesis.spelling import Spelling
from everycase.complete.synthesis.terms import Term

WIDTH = 100


@dataclass(frozen=True)
class Branch:
    """One alternative: named draws, then the term; None rejects."""

    prelude: tuple[tuple[str, Term], ...]
    term: Term | None
    recursive: bool


@dataclass(frozen=True)
class Change:
    """What happens at a place: the branches replace it, or (at a return) become alternatives to it."""

    place: PatchPlace
    branches: tuple[Branch, ...]


def apply(text: str, changes: list[Change], generator: Generator, names: Spelling) -> str:
    """The patched text. Works from the end to the beginning so that positions stay right."""
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    starts = list(itertools.accumulate((len(line) for line in lines), initial=0))
    for change in sorted(changes, key=lambda c: -c.place.node.lineno):
        node = change.place.node
        start = starts[node.lineno - 1] + _column(lines[node.lineno - 1], node.col_offset)
        assert node.end_lineno is not None and node.end_col_offset is not None
        end = starts[node.end_lineno - 1] + _column(lines[node.end_lineno - 1], node.end_col_offset)
        before = text[starts[node.lineno - 1] : start]
        indent = before[: len(before) - len(before.lstrip())]
        alone = not before.strip()
        if not alone:  # `if n == 0: ...` on one line: the new block starts on the next one
            indent += _deeper(indent)
            start -= len(before) - len(before.rstrip())
        keep = change.place.ending == "return"
        made = list(_block(change, generator, names, indent, keep))
        body = eol.join(made)
        if alone:
            body = body[len(indent) :]
        else:
            body = eol + body
        if keep:
            body += eol + indent
            kept = text[starts[node.lineno - 1] + len(before) : end]
            text = text[:start] + body + kept + text[end:]
        else:
            text = text[:start] + body + text[end:]
    return text


def with_body(text: str, function: ast.FunctionDef, body: str) -> str:
    """The text with these lines as the body of a function, below its docstring."""
    eol = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    starts = list(itertools.accumulate((len(line) for line in lines), initial=0))
    kept = 1 if ast.get_docstring(function) is not None and len(function.body) > 1 else 0
    first, last = function.body[kept], function.body[-1]
    assert last.end_lineno is not None and last.end_col_offset is not None
    start = starts[first.lineno - 1] + _column(lines[first.lineno - 1], first.col_offset)
    end = starts[last.end_lineno - 1] + _column(lines[last.end_lineno - 1], last.end_col_offset)
    before = text[starts[first.lineno - 1] : start]
    indent = before[: len(before) - len(before.lstrip())]
    if before.strip():  # `def f(draw): ...` on one line
        indent += _deeper(indent)
        start -= len(before) - len(before.rstrip())
        return text[:start] + eol + eol.join(indent + b for b in body.splitlines()) + text[end:]
    return text[:start] + f"{eol}{indent}".join(body.splitlines()) + text[end:]


def _deeper(indent: str) -> str:
    """One more level of indentation, in the style of the file."""
    return "\t" if indent.endswith("\t") else "    "


def _column(line: str, offset: int) -> int:
    """The syntax tree counts bytes."""
    return len(line.encode()[:offset].decode())


def _block(change: Change, generator: Generator, names: Spelling, indent: str, keep: bool) -> Iterator[str]:
    branches = list(change.branches)
    weight = _weight(branches, change, generator, keep)
    if weight is not None and not keep:
        branches.sort(key=lambda b: b.recursive)  # the branch that stops comes first
    last = len(branches) - (0 if keep else 1)
    for i, branch in enumerate(branches):
        if i < last:
            yield f"{indent}if {_condition(branch, weight, names)}:"
            yield from _branch(branch, names, indent + _deeper(indent))
        else:
            yield from _branch(branch, names, indent)


def _condition(branch: Branch, weight: str | None, names: Spelling) -> str:
    if weight is None:
        return f"{names.draw}({names.library('booleans')}())"
    return f"{names.draw}({names.integers('0', weight)}) {'!=' if branch.recursive else '=='} 0"


def _weight(branches: list[Branch], change: Change, generator: Generator, keep: bool) -> str | None:
    """The size bound, if the choice has two sides and one of them recurses: the larger the bound, the more
    often that side is taken."""
    sides = [b.recursive for b in branches]
    if keep:
        sides.append(any(d.generator is not None and d.generator.reaches(generator)
                         for p in change.place.paths for d in p.draws))  # fmt: skip
    measure = generator.measure[0] if generator.measure else None
    if len(sides) == 2 and sum(sides) == 1 and measure is not None and measure.op == "var":
        return str(measure.data)
    return None


def _branch(branch: Branch, names: Spelling, indent: str) -> Iterator[str]:
    for name, term in branch.prelude:
        yield f"{indent}{name} = {term.source(names)}"
    if branch.term is None:
        yield f"{indent}return {names.draw}({names.library('nothing')}())"
    else:
        yield from _wrapped(f"{indent}return ", branch.term, names, indent)


def _wrapped(start: str, term: Term, names: Spelling, indent: str) -> Iterator[str]:
    """One line if it fits, else one argument per line."""
    text = term.source(names)
    component = term.component
    if len(start) + len(text) <= WIDTH or component.kind != "constructor" or component.constructor is None:
        yield start + text
        return
    if component.constructor.kind != "class":
        yield start + text
        return
    positional = component.constructor.positional
    yield f"{start}{names.spelling(component.constructor.native) or component.name}("
    for (name, _), arg in zip(component.constructor.fields, term.args):
        given = arg.source(names) if name in positional else f"{name}={arg.source(names)}"
        yield f"{indent}{_deeper(indent)}{given},"
    yield f"{indent})"


def reread(source: FunctionSource, text: str) -> FunctionSource:
    """The same function in a patched text."""
    assert isinstance(source.node, ast.FunctionDef)
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == source.node.name
            and node.lineno == source.node.lineno
        ):
            return FunctionSource(source.file, text, node, source.scope)
    raise AssertionError("the patched function is not where it was")


def unified_diff(old: str, new: str, file: str) -> str:
    """The change as a unified diff."""
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{file}", f"b/{file}", n=3
    )
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)
