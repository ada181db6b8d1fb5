"""Splits predicates at ``and``.

``return is_ordered(tree) and black_height(tree) is not None`` is two conditions. If they are evaluated one by
one, it is known that the second one rejects, and which parts it needed for that (see
:mod:`everycase.narrow.parallel`). Statements that return False, such as ``if not xs: return False`` or a loop
with a ``return False`` in it, are separate conditions; so are those of a function that a condition calls with
the same arguments.

A predicate is split only if its source is the code that runs, and has no side effects. Real values are always
checked by the original predicate.

Some conditions look at everything before they answer: ``len(set(xs)) == len(xs)`` runs through the whole list, and so decides
all of it. What it says is that no element equals one before it, which two equal elements at the beginning already refute.
Partial values are asked in that form.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any

from everycase.gen.names import closure_of, names_read, names_set
from everycase.gen.sources import TREE, Tree, code_of, is_same_code, make_function, tree_of
from everycase.narrow.effects.known import CHANGING
from everycase.narrow.effects.reader import Doubt, Effects
from everycase.narrow.lazy.objects import parts_to_unpack
from everycase.narrow.spending import used_up

#: Maximum depth of functions that call each other.
DEPTH = 4
#: A predicate with more parts than this is not split further.
MOST_PARTS = 16

#: A condition, and which of the arguments of the whole predicate it takes.
Conjunct = tuple[Callable[..., object], tuple[int, ...]]


def taken_apart(
    predicate: Callable[..., object], arity: int, classes: Iterable[type]
) -> tuple[list[Conjunct], bool]:
    """The conditions that a predicate of that many arguments consists of, and whether they may be evaluated
    in another order.

    >>> def proper(a, b):
    ...     return a > 0 and b > a
    >>> parts, _ = taken_apart(proper, 2, [])
    >>> [part(1, 2) for part, _ in parts]
    [True, True]
    """
    whole: list[Conjunct] = [(predicate, tuple(range(arity)))]
    function = getattr(predicate, "function", predicate)
    if not isinstance(function, FunctionType):
        return whole, False
    effects = Effects([*classes, *getattr(predicate, "classes", ())])
    try:
        effects.of_function(function)
    except (Doubt, RecursionError):
        return whole, False
    parts = _apart(function, tuple(range(arity)), DEPTH, effects)
    if not parts or len(parts) > MOST_PARTS:
        return whole, not effects.may_not_end
    return parts, not effects.may_not_end


def _apart(function: FunctionType, places: tuple[int, ...], depth: int, effects: Effects) -> list[Conjunct]:
    whole: list[Conjunct] = [(function, places)]
    tree = tree_of(function)
    code = function.__code__
    plain = code.co_argcount >= len(places) and not code.co_kwonlyargcount and not code.co_flags & 12
    if tree is None or depth == 0 or not plain or isinstance(tree, ast.AsyncFunctionDef):
        return whole
    if not hasattr(function, TREE):
        body = [ast.Return(tree.body)] if isinstance(tree, ast.Lambda) else tree.body
        if not is_same_code(code_of(tree.args, body, function), code):
            return whole
    outside = _outside(function)
    for name in _parameters(tree) | names_set(tree):
        outside.pop(name, None)
    pieces = _pieces(tree, outside, effects)
    if pieces is None:
        return whole
    pieces = [
        (before, statement, part) if part is None else (before, *_answer_of(part, statement, outside))
        for before, statement, part in pieces
    ]
    made: list[Conjunct] = []
    for before, statement, part in pieces:
        inner = None if before or part is None else _called(function, tree, part, places, depth, effects)
        if inner is not None:
            made += inner
            continue
        if len(pieces) == 1 and part is _only_answer(tree):
            return whole  # as it is written, which takes one call less
        one = make_function(_name(statement), _taken(tree), [*before, *_answer(statement)], function)
        if one is None:
            return whole
        one.__defaults__ = (*(function.__defaults__ or ()), parts_to_unpack)
        made.append((one, places))
    return made


#: The statements that a condition needs, the statement itself, and the expression if it is one.
Piece = tuple[list[ast.stmt], ast.stmt, ast.expr | None]


def _pieces(tree: Tree, outside: Mapping[str, Any], effects: Effects) -> list[Piece] | None:
    """The conditions in the body of a function; None if it cannot be split."""
    if isinstance(tree, ast.Lambda):
        return [([], _returning(part), part) for part in _conjoined(tree.body)]
    assert isinstance(tree, ast.FunctionDef)
    before: list[ast.stmt] = []
    pieces: list[Piece] = []
    #: there is a statement that may reject, and no condition after it that repeats it
    is_open = False

    def used(statement: ast.AST) -> set[str]:
        return used_up(statement, before, outside, effects.members, effects.changing)

    for number, statement in enumerate(tree.body):
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.Assign() | ast.AnnAssign() | ast.FunctionDef():
                before.append(statement)
            case ast.If() | ast.For():
                returned = _returned(statement)
                if returned is None:
                    return None
                is_condition = returned == {False} and not _binds(statement)
                is_open = not is_condition and (is_open or bool(returned))
                if is_condition:
                    pieces.append((_needed(before, statement, used), statement, None))
                if not is_condition or used(statement):
                    before.append(statement)
            case ast.Return(value=ast.expr() as value) if number == len(tree.body) - 1:
                if is_open or not (isinstance(value, ast.Constant) and value.value is True):
                    for part in _conjoined(value):
                        pieces.append((_needed(before, part, used), _returning(part), part))
                        if used(part):
                            before.append(_rejecting(part))
                return pieces
            case _:
                return None
    return None


def _conjoined(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return [part for value in values for part in _conjoined(value)]
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=values)):
            return [
                part
                for value in values
                for part in _conjoined(ast.copy_location(ast.UnaryOp(ast.Not(), value), value))
            ]
        case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
            return _conjoined(inner)
    return [node]


def _only_answer(tree: Tree) -> ast.expr | None:
    """What a function returns at its end."""
    if isinstance(tree, ast.Lambda):
        return tree.body
    last = tree.body[-1]
    return last.value if isinstance(last, ast.Return) else None


def _answer_of(part: ast.expr, statement: ast.stmt, outside: Mapping[str, Any]) -> tuple[ast.stmt, ast.expr]:
    """A condition in a form that says no as soon as it can."""
    soon = eased(part, outside)
    return (statement, part) if soon is part else (_returning(soon), soon)


def _parameters(tree: Tree) -> set[str]:
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def _returned(statement: ast.stmt) -> set[object] | None:
    """The constants that a statement returns; None if it returns or does anything else."""
    found: set[object] = set()
    for node in ast.walk(statement):
        match node:
            case ast.Return(value=ast.Constant(value=bool(value))):
                found.add(value)
            case ast.Return():
                return None
            case ast.Try() | ast.With() | ast.While() | ast.FunctionDef() | ast.Match():
                return None
    return found


def _binds(statement: ast.stmt) -> bool:
    """Whether the branches set or change something that later statements may read."""
    for node in ast.walk(statement):
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.NamedExpr() | ast.Delete():
                return True
            case ast.Call(func=ast.Attribute(attr=name)) if name in CHANGING:
                return True
    return False


def _rejecting(part: ast.expr) -> ast.stmt:
    answer = ast.copy_location(ast.Return(ast.Constant(False)), part)
    return ast.copy_location(ast.If(ast.UnaryOp(ast.Not(), part), [answer], []), part)


def _needed(before: Sequence[ast.stmt], part: ast.AST, used: Callable[[ast.AST], set[str]]) -> list[ast.stmt]:
    """The statements before a condition that it depends on: those that bind or use up what it reads, and those that
    return."""
    wanted = names_read(part)
    kept: list[ast.stmt] = []
    for statement in reversed(before):
        bound = names_set(statement)
        if isinstance(statement, ast.FunctionDef):
            bound = {statement.name}
        if (bound | used(statement)) & wanted or isinstance(statement, ast.If | ast.For):
            kept.insert(0, _unpacking(statement, wanted))
            wanted |= names_read(statement)
    return kept


#: The last parameter of every condition: a function that its statements call.
UNPACK = "parts_to_unpack_"


def _unpacking(statement: ast.stmt, wanted: set[str]) -> ast.stmt:
    """``first, last = days`` where only ``first`` is read later: the other part need not be looked at."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets) as target], value=value):
            names = [one.id for one in targets if isinstance(one, ast.Name)]
            read = [ast.Constant(name in wanted) for name in names]
            if len(names) == len(targets) and not all(one.value for one in read):
                call = ast.Call(ast.Name(UNPACK, ast.Load()), [value, *read], [])
                return ast.copy_location(ast.Assign([target], call), statement)
    return statement


def _called(
    function: FunctionType, tree: Tree, part: ast.expr, places: tuple[int, ...], depth: int, effects: Effects
) -> list[Conjunct] | None:
    """The conditions of a function that is called with arguments of this one; None if it is not such a
    call."""
    match part:
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]):
            pass
        case _:
            return None
    parameters = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)]
    called = _outside(function).get(name)
    if name in parameters or not isinstance(called, FunctionType) or called is function:
        return None
    chosen = [one.id for one in given if isinstance(one, ast.Name)]
    if len(chosen) < len(given) or not set(chosen) <= set(parameters[: len(places)]):
        return None
    if isinstance(tree, ast.FunctionDef) and any(
        names_set(statement) & {*parameters} for statement in tree.body
    ):
        return None
    return _apart(called, tuple(places[parameters.index(one)] for one in chosen), depth - 1, effects)


def _outside(function: FunctionType) -> dict[str, Any]:
    return {**vars(builtins), **function.__globals__, **closure_of(function)}


def _taken(tree: Tree) -> ast.arguments:
    names = [*tree.args.posonlyargs, *tree.args.args]
    return ast.arguments([], [*[ast.arg(one.arg) for one in names], ast.arg(UNPACK)], None, [], [], None, [])


def _returning(part: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Return(part), part)


def _answer(statement: ast.stmt) -> list[ast.stmt]:
    if isinstance(statement, ast.Return):
        return [statement]
    return [statement, ast.copy_location(ast.Return(ast.Constant(True)), statement)]


def _name(statement: ast.stmt) -> str:
    """A name for a condition, for tracebacks."""
    return f"condition_in_line_{getattr(statement, 'lineno', 0)}"


# --- which bounds what -----------------------------------------------------------------------------------------

#: A part of an argument: the number of the argument, and the text that leads from it to the part.
PartOf = tuple[int, str]


def compared(check: Callable[..., object], arity: int) -> tuple[frozenset[PartOf], bool]:
    """The parts that a condition of that many arguments compares, if it is one comparison, and whether it compares a single
    one with numbers.

    >>> parts, _ = taken_apart(lambda a, b: a[0] - b == 5 and b < 10, 2, [])
    >>> [(sorted(places), bounds) for places, bounds in (compared(check, 2) for check, _ in parts)]
    [([(0, '[0]'), (1, '')], False), ([(1, '')], True)]
    """
    nothing: tuple[frozenset[PartOf], bool] = frozenset(), False
    tree = tree_of(check) if isinstance(check, FunctionType) else None
    match tree:
        case ast.Lambda(body=node) | ast.FunctionDef(body=[ast.Return(value=ast.expr() as node)]):
            pass
        case _:
            return nothing
    if not isinstance(node, ast.Compare):
        return nothing
    taken = [arg.arg for arg in (*tree.args.posonlyargs, *tree.args.args)][:arity]
    places: set[PartOf] = set()
    bare = True
    pending: list[ast.expr] = [node.left, *node.comparators]
    while pending:
        one = pending.pop()
        place = _place(one, taken)
        if place is not None:
            places.add(place)
            continue
        match one:
            case ast.Constant(value=int() | float()):
                continue
            case ast.UnaryOp(operand=operand):
                pending.append(operand)
            case ast.BinOp(left=left, right=right):
                pending += [left, right]
            case ast.Call(func=ast.Name(id="abs"), args=[argument], keywords=[]):
                bare = False
                pending.append(argument)
            case _:
                return nothing
    return frozenset(places), bare and len(places) == 1


def _place(node: ast.expr, taken: Sequence[str]) -> PartOf | None:
    text = ""
    while True:
        match node:
            case ast.Attribute(value=inner, attr=name):
                text = f".{name}{text}"
            case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
                text = f"[{key!r}]{text}"
            case ast.Name(id=name) if name in taken:
                return taken.index(name), text
            case _:
                return None
        node = inner


# --- saying no sooner ------------------------------------------------------------------------------------------

#: What the names in a condition stand for.
Outside = Mapping[str, Any]

#: None of some keys equals one before it.
DIFFERENT = """(lambda seen_: not any(
    any(one_ is key_ or one_ == key_ for one_ in seen_) or seen_.append(key_) for key_ in {0}
))([])"""
#: No element is less (or greater) than the one before it.
ASCENDING = "not any(y_ < x_ for x_, y_ in zip({0}, {0}[1:]))"
DESCENDING = "not any(x_ < y_ for x_, y_ in zip({0}, {0}[1:]))"
#: The same without equal neighbours.
RISING = "not any(y_ < x_ or y_ == x_ for x_, y_ in zip({0}, {0}[1:]))"
FALLING = "not any(x_ < y_ or y_ == x_ for x_, y_ in zip({0}, {0}[1:]))"
#: Every key is among others.
AMONG = "not any(key_ not in {1} for key_ in {0})"


def eased(node: ast.expr, outside: Outside) -> ast.expr:
    """The same condition in a form that says no sooner, or the condition itself.

    >>> def soon(text):
    ...     return ast.unparse(eased(ast.parse(text, mode="eval").body, vars(builtins)))
    >>> soon("sorted(xs) == xs")
    'not any((y_ < x_ for x_, y_ in zip(xs, xs[1:])))'
    >>> soon("xs == sorted(set(xs))")
    'not any((y_ < x_ or y_ == x_ for x_, y_ in zip(xs, xs[1:])))'
    >>> soon("set(xs) <= {1, 2}")
    'not any((key_ not in {1, 2} for key_ in xs)) and set(xs) <= {1, 2}'
    >>> soon("sum(xs) == 3")
    'sum(xs) == 3'
    """
    if not isinstance(node, ast.Compare):
        return node
    if len(node.ops) > 1:
        sides = [node.left, *node.comparators]
        pairs: list[ast.expr] = [
            ast.copy_location(ast.Compare(one, [op], [other]), node)
            for one, op, other in zip(sides, node.ops, sides[1:])
        ]
        soon = [eased(pair, outside) for pair in pairs]
        return node if soon == pairs else ast.copy_location(ast.BoolOp(ast.And(), soon), node)
    one, other = node.left, node.comparators[0]
    match node.ops[0]:
        case ast.Eq():
            return (
                _equal(one, other, node, outside)
                or _equal(other, one, node, outside)
                or _among(one, other, node, outside)
            )
        case ast.LtE() | ast.Lt():
            return _among(one, other, node, outside)
        case ast.GtE() | ast.Gt():
            return _among(other, one, node, outside)
    return node


def _equal(one: ast.expr, other: ast.expr, node: ast.expr, outside: Outside) -> ast.expr | None:
    keys = _keys(_argument(one, builtins.len, outside), outside)
    if keys is not None:
        counted = _argument(other, builtins.len, outside)
        source = keys.generators[0].iter if isinstance(keys, ast.GeneratorExp) else keys
        if counted is not None and (_same(counted, source) or _same(counted, _viewed(source))):
            return _written(DIFFERENT.format(ast.unparse(keys)), node)
        return None
    match _argument(one, builtins.max, outside), other:
        case ast.Call(func=ast.Attribute(value=counted, attr="values"), args=[]), ast.Constant(value=1):
            keys = _argument(counted, Counter, outside)
            return None if keys is None else _written(DIFFERENT.format(ast.unparse(keys)), node)
    match one:
        case ast.Call(func=ast.Name() as name, args=[source]) if _means(name, builtins.sorted, outside):
            distinct = _argument(source, builtins.set, outside)
            form = _form(one.keywords, distinct is not None)
            source = distinct or source
            if form is not None and _same(other, source) and _is_plain(source):
                return _written(form.format(ast.unparse(source)), node)
    return None


def _form(keywords: list[ast.keyword], distinct: bool) -> str | None:
    match keywords:
        case []:
            return RISING if distinct else ASCENDING
        case [ast.keyword(arg="reverse", value=ast.Constant(value=bool(reverse)))]:
            forms = (RISING, FALLING) if distinct else (ASCENDING, DESCENDING)
            return forms[reverse]
    return None


def _among(one: ast.expr, other: ast.expr, node: ast.expr, outside: Outside) -> ast.expr:
    """``set(xs) <= others``: each element is among them, which is asked first."""
    keys = _keys(one, outside)
    if keys is None:
        return node
    first = _written(AMONG.format(ast.unparse(keys), ast.unparse(other)), node)
    return ast.copy_location(ast.BoolOp(ast.And(), [first, node]), node)


def _keys(node: ast.expr | None, outside: Outside) -> ast.expr | None:
    """What a set is made of, if its elements come one by one from something; None for anything else."""
    if isinstance(node, ast.SetComp):
        found: ast.expr | None = ast.GeneratorExp(node.elt, node.generators)
    else:
        found = _argument(node, builtins.set, outside) or _argument(node, builtins.frozenset, outside)
    if isinstance(found, ast.ListComp):
        found = ast.GeneratorExp(found.elt, found.generators)
    if isinstance(found, ast.GeneratorExp):
        loop = found.generators[0]
        single = len(found.generators) == 1 and not loop.ifs and not loop.is_async
        return found if single and _is_plain(loop.iter) else None
    return found if _is_plain(found) else None


def _is_plain(node: ast.expr | None) -> bool:
    """Whether an expression is the same whenever it is read: a name, or a part of what it names."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute(value=value):
            return _is_plain(value)
        case ast.Subscript(value=value, slice=ast.Constant()):
            return _is_plain(value)
        case ast.Call(
            func=ast.Attribute(value=value, attr="values" | "keys" | "items"), args=[], keywords=[]
        ):
            return _is_plain(value)
    return False


def _viewed(node: ast.expr) -> ast.expr:
    """The dictionary that ``.values()`` and the like show, which is as long."""
    match node:
        case ast.Call(func=ast.Attribute(value=value), args=[]):
            return value
    return node


def _argument(node: ast.expr | None, function: Any, outside: Outside) -> ast.expr | None:
    """The argument of a call of this function with one argument; None for anything else."""
    match node:
        case ast.Call(func=ast.Name() as name, args=[argument], keywords=[]) if _means(
            name, function, outside
        ):
            return None if isinstance(argument, ast.Starred) else argument
    return None


def _means(name: ast.Name, thing: Any, outside: Outside) -> bool:
    return outside.get(name.id) is thing


def _same(one: ast.expr, other: ast.expr) -> bool:
    return ast.dump(one) == ast.dump(other)


def _written(text: str, node: ast.expr) -> ast.expr:
    return ast.copy_location(ast.parse(text, mode="eval").body, node)
