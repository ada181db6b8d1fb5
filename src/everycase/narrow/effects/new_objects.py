"""Which of the objects that a function handles are new, and how deep: code may change what it made itself."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

from everycase.narrow.effects.known import BUILTINS, CHANGING, CONTAINERS

#: Stands for an expression that makes a new object of older parts.
NEW = ast.Tuple([ast.Name("", ast.Load())], ast.Load())


def bindings(node: ast.AST) -> Iterable[tuple[str, ast.expr | None]]:
    """The names that a statement binds, and to the value of which expression; None if that is not known."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                for name in _names(target):
                    yield name, value if isinstance(target, ast.Name) else None
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield name, value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.For(target=target) | ast.comprehension(target=target):
            for name in _names(target):
                yield name, None
        case (
            ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
            | ast.ExceptHandler(name=str(name))
        ):
            yield name, None
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for one in names:
                yield one.asname or one.name.partition(".")[0], None


#: Methods that put their last argument into an object, and those that put all parts of it there.
_PUTTING = frozenset({"append", "appendleft", "insert", "add", "setdefault"})
_PUTTING_PARTS = frozenset({"extend", "extendleft", "update"})


def depths_of(
    bound: dict[str, list[ast.expr | None]],
    nodes: Sequence[ast.AST],
    not_new: set[str],
    aliases: Mapping[str, str],
    further: Iterable[tuple[str, int]],
) -> dict[str, float]:
    """How deep the objects are new that names are bound to: as deep as whatever is bound to them or put into them. (Into
    ``further`` ones something is put that is not known.)"""
    depths = {
        name: math.inf
        for name, values in bound.items()
        if name not in not_new
        and all(value is not None and (_makes(value) or isinstance(value, ast.Name)) for value in values)
    }
    put = [found for node in nodes for found in _insertions(node)]
    put += [(name, depth, None) for name, depth in further]
    while True:
        found = {}
        for name in depths:
            same = aliases.get(name, name)
            below = [depth_of(value, depths) for value in bound[name] if value is not None]
            below += [
                1 + at + depth_of(value, depths) for into, at, value in put if aliases.get(into, into) == same
            ]
            found[name] = min(below, default=math.inf)
        if found == depths:
            return depths
        depths = found


def aliases_of(bound: Mapping[str, list[ast.expr | None]], nodes: Sequence[ast.AST]) -> dict[str, str]:
    """One name for all that may be bound to the same object: ``ys = xs`` and ``xs = ys = []``."""
    same: dict[str, str] = {}

    def first(name: str) -> str:
        while name in same:
            name = same[name]
        return name

    pairs = [
        (name, value.id) for name, values in bound.items() for value in values if isinstance(value, ast.Name)
    ]
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            pairs += itertools.pairwise(names)
    for one, other in pairs:
        if first(one) != first(other):
            same[first(one)] = first(other)
    return {name: first(name) for name in same}


def _insertions(node: ast.AST) -> Iterable[tuple[str, int, ast.expr | None]]:
    """The local objects that a statement puts something into, at which depth, and what."""
    into: list[tuple[ast.expr, ast.expr | None]] = []
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                plain = isinstance(target, ast.Subscript | ast.Attribute)
                for inner in ast.walk(target):
                    if isinstance(inner, ast.Subscript | ast.Attribute) and isinstance(inner.ctx, ast.Store):
                        into.append((inner.value, value if plain else None))
        case ast.AugAssign(target=ast.Subscript(value=owner) | ast.Attribute(value=owner)):
            into.append((owner, None))
        case ast.AugAssign(target=ast.Name() as owner, value=value):
            into.append((owner, _element(value)))
        case ast.For(target=ast.Subscript(value=owner) | ast.Attribute(value=owner)):
            into.append((owner, None))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[*_, value]) if name in _PUTTING:
            into.append((owner, value))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[*_, value]) if name in _PUTTING_PARTS:
            into.append((owner, _element(value)))
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in CHANGING:
            into.append((owner, None))
    for owner, put in into:
        root, depth = rooted(owner)
        if isinstance(root, ast.Name):
            yield root.id, depth, put


def _element(value: ast.expr) -> ast.expr | None:
    """The elements of what an expression makes, if it says what they are."""
    match value:
        case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
            return element
        case ast.Constant():
            return value
    parts = _parts(value)
    return parts[0] if parts is not None and len(parts) == 1 else None


def _parts(value: ast.expr | None) -> list[ast.expr] | None:
    """The elements of a list, set or tuple, or the values of a dictionary, that is written out."""
    return getattr(value, "values" if isinstance(value, ast.Dict) else "elts", None)


def depth_of(value: ast.expr | None, depths: dict[str, float]) -> float:
    """How deep the object is new that an expression makes; 0 if it may be an older one."""
    parts = _parts(value)
    if parts is not None:
        return 1 + min((depth_of(part, depths) for part in parts), default=math.inf)
    match value:
        case ast.Constant() | ast.JoinedStr() | ast.Compare():
            return math.inf
        case ast.Name(id=name):
            return depths.get(name, 0)
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.DictComp(value=part):
            return 1 + depth_of(part, depths)
        case ast.BinOp(left=left, op=ast.Mult()) if _parts(left) is not None:  # [0] * n
            return depth_of(left, depths)
        case ast.IfExp(body=one, orelse=other):
            return min(depth_of(one, depths), depth_of(other, depths))
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]) if name in BUILTINS or name in CONTAINERS:
            return math.inf  # empty
        case ast.Call(func=ast.Name(id="defaultdict"), args=[ast.Name(id="list" | "set" | "dict" | "int")]):
            return math.inf  # empty, and what is missing is made
        case ast.Call(func=ast.Attribute(attr="deepcopy")):
            return math.inf
    return 1 if value is not None and _makes(value) else 0


def first_step(target: ast.expr) -> str | None:
    """The attribute of the root that leads to a part: ``items`` for ``self.items[0]``."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        if isinstance(target.value, ast.Name):
            return target.attr if isinstance(target, ast.Attribute) else None
        target = target.value
    return None


def rooted(target: ast.expr) -> tuple[ast.expr, int]:
    """The expression whose attribute, or part, or part of a part, is meant, and how many steps lead there."""
    depth = 0
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
        depth += 1
    return target, depth


def _names(target: ast.expr) -> list[str]:
    """The variables that a target of an assignment binds; ``xs[0]`` and ``x.y`` bind none."""
    return [
        node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _makes(value: ast.expr) -> bool:
    """Whether an expression creates a new object that nothing else refers to."""
    match value:
        case (
            ast.List()
            | ast.Dict()
            | ast.Set()
            | ast.ListComp()
            | ast.DictComp()
            | ast.SetComp()
            | ast.GeneratorExp()
            | ast.Constant()
        ):
            return True
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.JoinedStr() | ast.Tuple():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in BUILTINS - {"getattr", "iter", "max", "min"} or name in CONTAINERS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("copy", "deepcopy", "Counter", "deque", "defaultdict", "split", "__new__")
        case ast.IfExp(body=body, orelse=orelse):
            return _makes(body) and _makes(orelse)
    return False
