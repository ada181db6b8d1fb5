"""Verdicts on many generators, as rows of plain data: the promise and the result of each, and a table of
all."""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import linecache
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

from everycase.complete.check import gaps
from everycase.complete.frontend.source import composite_like, innermost
from everycase.complete.language.annotations import NotKnownHere, evaluated
from everycase.complete.specification import PredicateFailed, Specification, specification_of
from everycase.complete.verdict import Verdict
from everycase.errors import EverycaseError

Row = dict[str, Any]
RETURNED = "what_it_promises"  # the name of the annotation where it is repeated
CALLS = 4  # maximum number of calls of one generator whose arguments are used


def ask(
    module: ModuleType, generator: Any, max_seconds: float, prove: bool, others: Sequence[ModuleType] = ()
) -> Row:
    """The verdict on one generator as plain data; its promise is ``@covers``, else its return type.

    If its arguments are not known, the calls in its module and in ``others`` show some.
    """
    promise, said = None, "covers"
    try:
        if specification_of(generator) is None:
            promise, said = promised_by_type(module, generator)
            if promise is None:
                calls = list(as_called([module, *others], generator))
                if not calls:
                    return _unasked(generator, said)
                share = max_seconds / len(calls)
                return _one_of([(text, ask(home, call, share, prove)) for text, home, call in calls])
        verdict = gaps(generator, max_seconds=max_seconds, prove=prove, specification=promise)
    except (EverycaseError, PredicateFailed) as problem:
        return {**_unasked(generator, str(problem)), "status": "error"}
    return _row(verdict, promise, said)


#: The status of a generator of which nothing could be compared: it was run, and this is all.
ONLY_RUN = "only run"


def _row(verdict: Verdict, promise: Specification | None, said: str) -> Row:
    """A verdict with the promise that it is about."""
    row: Row = {**verdict.to_json(), "promise": said, "text": str(verdict)}
    if promise is None:  # @covers
        return row
    head, *rest = row["text"].splitlines()
    kind = verdict.inferred.get("return")
    if verdict.only_made and verdict.checked and " where " not in said:
        # every value of a type of which the other values are not known: any generator keeps this promise
        made = verdict.bounds.removeprefix("the ")
        row.update(status=ONLY_RUN, soundness="not checked")
        head = f"{verdict.name}: only run: {made}; nothing is promised that they could be compared with"
        rest = [line for line in rest if not line.endswith("no invalid value was made within these bounds")]
    else:
        of = f" ({kind}, inferred from what it makes)" if kind is not None else ""
        rest.insert(
            0, f"  promised: every value of {said.replace('its return type', f'its return type{of}', 1)}"
        )
    return {**row, "text": "\n".join([head, *rest])}


def needs_arguments(module: ModuleType, generator: Any) -> bool:
    """Is it not known, from this file alone, with which arguments a generator is to be checked?"""
    try:
        return specification_of(generator) is None and promised_by_type(module, generator)[0] is None
    except EverycaseError:
        return False


def _one_of(rows: list[tuple[str, Row]]) -> Row:
    """What is worst among the answers for several calls of one generator."""
    order = ("missing", "error", "not checked", ONLY_RUN, "no gap found", "proved")
    call, row = min(
        rows,
        key=lambda pair: (
            word(pair[1]) != "missing",
            soundness(pair[1]) != "refuted",
            order.index(word(pair[1])),
        ),
    )
    many = f", for {'the call' if len(rows) == 1 else f'{len(rows)} calls:'} {', '.join(text for text, _ in rows)}"
    head, *rest = row["text"].splitlines()
    text = "\n".join([head, f"  called as: {call}", *rest])
    return {**row, "promise": f"{row['promise'] or 'nothing'}{many}", "call": call, "text": text}


def _unasked(generator: Any, why: str) -> Row:
    name = getattr(generator, "__name__", "generator")
    return {
        "name": name,
        "status": "not checked",
        "checked": False,
        "unsound": None,
        "soundness": "not checked",
        "promise": None,
        "notes": [why],
        "text": f"{name}: not checked\n  note: {why}",
    }


# --- implicit promises ------------------------------------------------------------------------------------


def promised_by_type(module: ModuleType, generator: Any) -> tuple[Specification | None, str]:
    """Every value of the return type that passes the assumptions of the tests in this file."""
    plain = innermost(generator)
    needed = [p.name for p in list(inspect.signature(plain).parameters.values())[1:] if p.default is p.empty]
    names = list(inspect.signature(plain).parameters)[1:]
    calls = list(_calls(module, plain)) if names else []
    if needed and not calls:
        return (
            None,
            f"it has no @covers, and no call in this file shows its arguments ({', '.join(needed)})",
        )
    asked = f", for the arguments of {len(calls)} call{'s' * (len(calls) != 1)} in this file" if calls else ""
    if names and not calls:
        asked = ", for the defaults of its parameters"
        calls = [_plain_arguments({}, inspect.signature(plain))]
    spoken = [n for n in names if any(call.get(n) is not None for call in calls)]
    # a parameter that only some calls give is None in the others
    left_out = [n for n in spoken if inspect.signature(plain).parameters[n].default is None]
    calls = [{**dict.fromkeys(left_out), **{n: call[n] for n in spoken if n in call}} for call in calls]
    calls = [call for call in calls if call]
    conditions = list(_assumed(module, plain.__name__))
    text = " and ".join(f"({c})" for c in conditions) or "True"
    said = "its return type" + (f", where {text}" if conditions else "")
    said += asked
    allowed = " or ".join(
        f"({' and '.join(f'{n} is None' if v is None else f'{n} == {v!r}' for n, v in call.items())})"
        for call in calls
    )
    source = f"def promise(value):\n    return {text}\n\ndef allowed({', '.join(spoken)}):\n    return {allowed or True}\n"
    file = f"<promise of {plain.__name__} in {module.__name__}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    scope = dict(vars(module))
    exec(compile(source, file, "exec"), scope)
    return Specification(scope["promise"], scope["allowed"] if calls else None, None, tuple(calls)), said


def _calls(module: ModuleType, plain: Any) -> Iterator[dict[str, Any]]:
    """The arguments with which this file calls a generator, if they are numbers, booleans and strings."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, SyntaxError):
        return
    signature = inspect.signature(plain)
    found: list[dict[str, Any]] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or ast.unparse(node.func).split(".")[-1] != plain.__name__:
            continue
        try:
            given = [_literal(a, module) for a in node.args]
            named = {str(k.arg): _literal(k.value, module) for k in node.keywords}
            bound = signature.bind(None, *given, **named)
        except (ValueError, TypeError):
            continue
        given_here = dict(list(bound.arguments.items())[1:])
        call = _plain_arguments(given_here, signature)
        if call not in found and set(given_here) <= set(call):
            found.append(call)
    yield from found[:CALLS]


def _plain_arguments(given: dict[str, Any], signature: inspect.Signature) -> dict[str, Any]:
    """Those arguments and defaults that are numbers, booleans or strings, and None where it is written in a call; others
    are left as they are."""
    spots = list(signature.parameters.values())[1:]
    every = {
        p.name: given.get(p.name, p.default) for p in spots if p.name in given or p.default is not p.empty
    }
    return {
        name: value
        for name, value in every.items()
        if type(value) in (int, bool, str) or (value is None and name in given)
    }


def _literal(node: ast.expr, module: ModuleType) -> Any:
    """A constant, or a global that is one."""
    if isinstance(node, ast.Name) and type(vars(module).get(node.id)) in (int, bool, str):
        return vars(module)[node.id]
    return ast.literal_eval(node)


def _assumed(module: ModuleType, name: str) -> Iterator[str]:
    """Conditions at the top of tests that draw from the generator alone, with ``value`` for the argument."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, SyntaxError):
        return
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or len(node.args.args) != 1:
            continue
        given = [d for d in node.decorator_list if isinstance(d, ast.Call)]
        sources = [a for d in given for a in (*d.args, *(k.value for k in d.keywords))]
        if not any(isinstance(s, ast.Call) and ast.unparse(s.func).split(".")[-1] == name for s in sources):
            continue
        argument = node.args.args[0].arg
        for statement in node.body:
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Expr(value=ast.Call(func=ast.Name(id="assume"), args=[condition])):
                    yield ast.unparse(_renamed(condition, argument))
                case _:
                    break


def _renamed(node: ast.expr, old: str) -> ast.expr:
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and n.id == old:
            n.id = "value"
    return node


# --- calls with other arguments than plain ones ------------------------------------------------------------


def as_called(modules: Sequence[ModuleType], generator: Any) -> Iterator[tuple[str, ModuleType, Any]]:
    """For some calls whose arguments a module knows, such as ``pairs(st.integers())``: the text, the module, and a
    generator without parameters that draws from this call."""
    found: dict[str, None] = {}
    for module in modules:
        try:
            tree = ast.parse(inspect.getsource(module))
        except (OSError, SyntaxError):
            continue
        for node, local in _calls_with_locals(tree, frozenset()):
            text = ast.unparse(node)
            names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            if text in found or len(found) == CALLS or names & local:
                continue
            known = all(name in vars(module) or hasattr(builtins, name) for name in names)
            if known and _is_named(node.func, module, generator):
                found[text] = None
                yield text, module, _drawing(node, module, generator)


def _calls_with_locals(node: ast.AST, local: frozenset[str]) -> Iterator[tuple[ast.Call, frozenset[str]]]:
    """All calls, with the names that mean something of their own there."""
    for child in ast.iter_child_nodes(node):
        inner = local
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            own = {a.arg for a in ast.walk(child.args) if isinstance(a, ast.arg)}
            own |= {n.id for n in ast.walk(child) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            inner = local | own
        if isinstance(child, ast.Call):
            yield child, local
        yield from _calls_with_locals(child, inner)


def _is_named(node: ast.expr, module: ModuleType, generator: Any) -> bool:
    """Does a dotted name of a module stand for this generator?"""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    try:
        found = innermost(eval(ast.unparse(node), dict(vars(module)))).__code__
    except Exception:
        return False
    own = innermost(generator).__code__  # a file may have been imported twice, under two names
    return (found.co_filename, found.co_firstlineno) == (own.co_filename, own.co_firstlineno)


def _drawing(call: ast.Call, module: ModuleType, generator: Any) -> Any:
    """A generator of the same library that draws from one call."""
    plain = innermost(generator)
    scope = dict(vars(module))
    returns = ""
    with contextlib.suppress(NotKnownHere):
        if "return" in plain.__annotations__:
            scope[RETURNED] = evaluated(plain.__annotations__["return"], plain.__globals__)
            returns = f" -> {RETURNED}"
    source = f"def {plain.__name__}(draw){returns}:\n    return draw({ast.unparse(call)})\n"
    file = f"<{ast.unparse(call)} in {module.__name__}, line {call.lineno}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    exec(compile(source, file, "exec", dont_inherit=True), scope, made)
    function = made[plain.__name__]
    function.__module__ = module.__name__
    return composite_like(generator)(function)


# --- for people --------------------------------------------------------------------------------


def with_arguments(arguments: dict[str, str] | None) -> str:
    """`` with n=1``, or nothing."""
    return f" with {', '.join(f'{k}={v}' for k, v in arguments.items())}" if arguments else ""


def _table(lines: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(line, widths)).rstrip() for line in lines)


def summary(rows: list[Row]) -> str:
    """A table of the verdicts and a line that counts them."""
    lines = [["", "generator", "every valid value", "only valid values", ""]]
    for r in rows:
        lines.append([f"{r['file']}:{r['line']}", str(r["name"] or "-"), word(r), soundness(r), shown(r)])
    counts: dict[str, int] = {}
    for row in rows:
        counts[word(row)] = counts.get(word(row), 0) + 1
    total = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    invalid = sum(soundness(row) == "refuted" for row in rows)
    if invalid:
        total += f"; {invalid} of them make{'s' if invalid == 1 else ''} invalid values"
    return f"{_table(lines)}\n{len(rows)} generator{'s' * (len(rows) != 1)}: {total}"


def word(row: Row) -> str:
    """The verdict in one or two words."""
    if row["status"] in ("error", "not checked"):
        return str(row["status"])
    if not row.get("checked", True):
        return "not checked"
    return str(row["status"])


def soundness(row: Row) -> str:
    """The second verdict: are only valid values made?"""
    return str(row.get("soundness", "not checked"))


def shown(row: Row) -> str:
    """The most important fact of a row."""
    if row["status"] == "missing":
        return f"never made: {row['value']}{with_arguments(row.get('arguments'))}{of_inferred(row)}"
    if row.get("unsound"):
        return f"unsound: {row['unsound']['value']}{with_arguments(row['unsound']['arguments'])}"
    if word(row) in ("error", "not checked"):
        return str((row.get("notes") or [""])[-1])
    if row["status"] == "proved":
        return of_inferred(row).removeprefix(", ")
    return str(row.get("bounds", "")) if row["status"] in ("no gap found", ONLY_RUN) else ""


def of_inferred(row: Row) -> str:
    """What the verdict is about, if it is a type that the generator itself has shown."""
    kind = (row.get("inferred") or {}).get("return")
    return f", of the inferred type {kind}" if kind is not None and row.get("promise") != "covers" else ""
