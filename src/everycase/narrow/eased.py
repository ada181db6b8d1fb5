"""Conditions that look at everything before they answer, in a form that says no as soon as it can.

``len(set(xs)) == len(xs)`` runs through the whole list, and so decides all of it, before it knows anything. What it says is
that no element equals one before it, which two equal elements at the beginning already refute. Such forms are asked about
partial values only; real values are always asked by the condition as it was written.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Mapping
from typing import Any

#: What the names in a condition stand for.
Outside = Mapping[str, Any]

#: None of some keys equals one before it.
DIFFERENT = """(lambda seen_: not any(
    any(one_ is key_ or one_ == key_ for one_ in seen_) or seen_.append(key_) for key_ in {0}
))([])"""
#: No element is less (or greater) than the one before it.
ASCENDING = "not any(y_ < x_ for x_, y_ in zip({0}, {0}[1:]))"
DESCENDING = "not any(x_ < y_ for x_, y_ in zip({0}, {0}[1:]))"
#: Every key is among others.
AMONG = "not any(key_ not in {1} for key_ in {0})"


def eased(node: ast.expr, outside: Outside) -> ast.expr:
    """The same condition in a form that says no sooner, or the condition itself.

    >>> def soon(text):
    ...     return ast.unparse(eased(ast.parse(text, mode="eval").body, vars(builtins)))
    >>> soon("sorted(xs) == xs")
    'not any((y_ < x_ for x_, y_ in zip(xs, xs[1:])))'
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
            form = _form(one.keywords)
            if form is not None and _same(other, source) and _is_plain(source):
                return _written(form.format(ast.unparse(source)), node)
    return None


def _form(keywords: list[ast.keyword]) -> str | None:
    match keywords:
        case []:
            return ASCENDING
        case [ast.keyword(arg="reverse", value=ast.Constant(value=bool(reverse)))]:
            return DESCENDING if reverse else ASCENDING
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
