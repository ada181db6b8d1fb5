"""Calls: of Python's own functions, of methods, of classes, and of other pure functions."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import datetime
import enum
import functools
import inspect
import math
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any, NewType

from everycase.complete.frontend.containers import OF_CHARACTERS
from everycase.complete.frontend.conversions import Conversions
from everycase.complete.frontend.expression_reader import ExpressionReader
from everycase.complete.frontend.quantifiers import Quantifiers, one_with_elements
from everycase.complete.frontend.scope import short
from everycase.complete.frontend.source import is_installed, undecorated
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import parts_of_class
from everycase.complete.language.expressions import Env, Expr
from everycase.complete.language.list_functions import (
    append,
    elements_of,
    extreme,
    length,
    occurrences,
    sorted_list,
    text_length,
    total,
)
from everycase.complete.language.types import BOOL, INT, TEXT, Constructor, DataType, Type, UnknownType
from everycase.complete.language.unfolding import unfolded
from everycase.complete.language.values import from_python
from everycase.complete.language.wrapped import items_of
from everycase.complete.specification import Unsupported
from everycase.gen.records import NO_DEFAULT

#: Methods of strings that give another string, and the same one for the same arguments.
COMPUTED = (
    "upper", "lower", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip", "zfill",
    "center", "ljust", "rjust", "replace", "removeprefix", "removesuffix",
)  # fmt: skip


class Calls:
    """Translates the calls of one function."""

    def __init__(self, pure: ExpressionReader, quantifiers: Quantifiers) -> None:
        self.quantifiers = quantifiers
        self.pure, self.library, self.source = pure, pure.library, pure.source
        self.scope, self.values, self.containers = pure.scope, pure.values, pure.containers

    def call(self, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        """A call with its arguments."""
        if not isinstance(node.func, ast.Name | ast.Attribute):
            self.scope.fail(node)
        node, env = self.spread(node, env)
        if isinstance(node.func, ast.Name) and node.func.id in env:
            self.scope.fail(node, f"a call of the local {node.func.id}")
        if isinstance(node.func, ast.Attribute) and not self.scope.is_constant(node.func, env):
            return self._method(node.func, node, env)
        target = self.scope.constant(node.func)
        written_out = self._of_constants(node, env, expected)
        if written_out is not None:
            return written_out
        made = self._of_container(target, node, env, expected)
        if made is not None:
            return made
        if target in (dataclasses.replace, attrs_evolve()) and len(node.args) == 1:
            return self._replaced(self.pure.expr(node.args[0], env), node, env)
        if isinstance(target, NewType) and len(node.args) == 1 and not node.keywords:
            return self.pure.expr(node.args[0], env, expected)
        if inspect.ismethoddescriptor(target) and getattr(target, "__objclass__", None) is str and node.args:
            inside = ast.Attribute(node.args[0], target.__name__, ast.Load())  # `str.isalpha(c)`
            call = ast.Call(ast.copy_location(inside, node), node.args[1:], node.keywords)
            return self.call(ast.copy_location(call, node), env, expected)
        if isinstance(target, type) and target not in (
            int,
            bool,
            str,
            bytes,
            list,
            tuple,
            set,
            frozenset,
            dict,
        ):
            return self.construct(target, node, env, expected)
        if hasattr(target, "__code__") or hasattr(target, "__wrapped__"):
            names = tuple(self.scope.source_of(target, node).parameters)
            given = self.with_defaults(target, names, self.arguments(node, names, node.args), node)
            return self.apply(target, [self.pure.expr(given[n], env) for n in names], node)
        if target is dict and node.keywords and not node.args and all(k.arg for k in node.keywords):
            return self.pure.uncoerced(_as_dict(node), env, expected)
        if target in (max, min) and len(node.args) == 1 and [k.arg for k in node.keywords] == ["default"]:
            return self._extreme_or(target, node, env)
        if node.keywords:
            self.scope.fail(node, f"keyword arguments in {short(node)}")
        node = self._over_keys_or_values(target, node, env)
        if target is sum and len(node.args) == 2:
            first = ast.copy_location(ast.Call(node.func, node.args[:1], []), node)
            return x.add(self.pure.number(first, env), self.pure.number(node.args[1], env))
        if target is isinstance and len(node.args) == 2:
            subject = self.pure.expr(node.args[0], env)
            classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return x.or_(
                *(self.values.is_instance(subject, self.scope.constant(c), node)[0] for c in classes)
            )
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp):
            asked = self._of_comprehension(target, node.args[0], env, node)
            if asked is not None:
                return asked
        args = [self.pure.of_range(a, env) or self.pure.expr(a, env) for a in node.args]
        return self._of_values(target, args, node)

    def spread(self, node: ast.Call, env: Env) -> tuple[ast.Call, Env]:
        """``f(*pair, **options)`` with the arguments one by one, where they are known; otherwise as it is."""
        if not any(isinstance(a, ast.Starred) for a in node.args) and all(k.arg for k in node.keywords):
            return node, env
        args: list[ast.expr] = []
        named: list[ast.keyword] = []
        more = dict(env)

        def held(e: Expr) -> ast.expr:
            name = f"spread'{len(more)}"
            more[name] = e
            return ast.copy_location(ast.Name(name, ast.Load()), node)

        for arg in node.args:
            if not isinstance(arg, ast.Starred):
                args.append(arg)
            elif isinstance(arg.value, ast.List | ast.Tuple):
                args += arg.value.elts
            elif (parts := self._parts_of(self.pure.expr(arg.value, env))) is not None:
                args += map(held, parts)
            else:
                return node, env
        for keyword in node.keywords:
            if keyword.arg is not None:
                named.append(keyword)
            elif (given := self._named_parts(keyword.value, env)) is not None:
                parts_ = [(n, e if isinstance(e, ast.expr) else held(e)) for n, e in given]
                named += [ast.copy_location(ast.keyword(n, e), node) for n, e in parts_]
            else:
                return node, env
        if any(isinstance(a, ast.Starred) for a in args) or len({k.arg for k in named}) < len(named):
            return node, env
        return ast.copy_location(ast.Call(node.func, args, named), node), more

    def _parts_of(self, e: Expr) -> list[Expr] | None:
        """The parts of a tuple, or of a list that is known one by one."""
        made = e.type.as_tuple if isinstance(e.type, DataType) else None
        if made is not None and len(made.owner.constructors) == 1:
            return [x.field(made, i, e) for i in range(len(made.fields))]
        items = self.containers.items(e)
        if items is None or any(
            self.containers.of_kind(e, kind) for kind in ("text", "dict", "set", "bytes")
        ):
            return None
        return elements_of(items)

    def _named_parts(self, node: ast.expr, env: Env) -> list[tuple[str, Any]] | None:
        """The values of a dictionary whose keys are known, by key."""
        if isinstance(node, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            return list(zip(keys, node.values)) if all(type(k) is str for k in keys) else None  # type: ignore[arg-type]
        e = self.pure.expr(node, env)
        if self.containers.of_kind(e, "keys"):
            made = e.type.constructors[0]  # type: ignore[attr-defined]
            return [(n, x.field(made, i, e)) for i, (n, _) in enumerate(made.fields)]
        pairs = elements_of(items_of(e)) if self.containers.of_kind(e, "dict") else None
        if pairs is None or any(self.containers.of_pair(p, 0).op != "const" for p in pairs):
            return None
        return [(self.containers.of_pair(p, 0).data, self.containers.of_pair(p, 1)) for p in pairs]

    def _of_values(self, target: Any, args: list[Expr], node: ast.Call) -> Expr:
        """``len``, ``sum``, ``max``, ``min`` and the like of values."""
        if target in (len, sum) and len(args) == 1:
            args = [one_with_elements(args[0])]
        if target is len and len(args) == 1 and args[0].type is TEXT:
            return text_length(self.library.functions, args[0])
        if target in (len, sum) and len(args) == 1:
            args = [self.containers.items(args[0]) or args[0]]
        if target is len and len(args) == 1 and isinstance(args[0].type, DataType):
            fixed = args[0].type.as_tuple
            if fixed is not None and len(args[0].type.constructors) == 1:
                return x.integer(len(fixed.fields))
        if (
            target in (len, sum)
            and len(args) == 1
            and isinstance(args[0].type, DataType)
            and args[0].type.is_list
            and (target is len or args[0].type.element is INT)
        ):
            return (length if target is len else total)(self.library.functions, args[0])
        if target in (max, min) and len(args) > 2:
            return functools.reduce(lambda a, b: self._extreme_of(target is max, a, b, node), args)
        if target in (max, min) and len(args) == 2:
            return self._extreme_of(target is max, args[0], args[1], node)
        if target is ord and len(args) == 1 and self.containers.of_kind(args[0], "text"):
            return self.containers.code_of(args[0], node)
        if target in (max, min) and len(args) == 1 and (items := self.containers.items(args[0])) is not None:
            return self._extreme(target is max, items, node)
        return self._computed_by(target, args, node)

    def _of_constants(self, node: ast.Call, env: Env, expected: Type | None) -> Expr | None:
        """``list(range(3))``, ``sorted(NAMES)``: a call of Python's own functions whose arguments are all constant."""
        found = self.scope.fixed(node, env)
        if type(found) in (bool, int):
            return x.const(found, BOOL if type(found) is bool else INT)
        if type(found) not in (list, set, frozenset, tuple) or not found:
            return None
        as_written = expected if isinstance(expected, DataType) else None
        if as_written is not None:
            with contextlib.suppress(ValueError, TypeError):
                return x.literal(from_python(as_written, found), as_written)
        return self.containers.constant(found, node)

    def _computed_by(self, target: Any, args: list[Expr], node: ast.Call) -> Expr:
        """``sorted``, ``set``, ``abs``, ``bool``, ``str`` and ``divmod``."""
        if target is sorted and len(args) == 1:
            return self._in_order(args[0], node)
        if target in (set, frozenset) and len(args) == 1:
            return self.containers.as_set(target, args[0], node)
        if target is abs and len(args) == 1 and self.containers.of_kind(args[0], "stamp"):
            return self.containers.positive(args[0], node)
        if target is abs and len(args) == 1:
            only = self.values.coerce(args[0], INT, node)
            return x.ite(x.le(x.integer(0), only), only, x.neg(only))
        if target is str and len(args) == 1 and args[0].type in (INT, TEXT):
            return args[0] if args[0].type is TEXT else self.library.computed("str", str, args)
        if target is divmod and len(args) == 2 and all(e.type is INT for e in args):
            if args[1].op != "const" or args[1].data == 0:
                self.scope.fail(node, "divmod by something other than a constant that is not zero")
            pair = self.library.types.tuple_of((INT, INT)).constructors[0]
            return x.con(pair, x.div(*args), x.mod(*args))
        if target is bool and len(args) == 1:
            return self.pure.truth_of(args[0], node)
        self.scope.fail(node, f"a call of {short(node.func)}")

    def _of_comprehension(
        self, target: Any, inner: ast.GeneratorExp | ast.ListComp, env: Env, node: ast.Call
    ) -> Expr | None:
        """``all``, ``any``, ``sum`` and ``len`` of a comprehension; None for any other function."""
        loop = inner.generators[0]
        if target in (all, any) and len(inner.generators) == 1:
            return self.quantifiers.quantifier(
                target.__name__, loop.target, loop.iter, loop.ifs, inner.elt, env, node
            )
        if target in (all, any):  # the loops after the first one are a question about each of its values
            rest = ast.GeneratorExp(inner.elt, inner.generators[1:])
            asked = ast.copy_location(ast.Call(node.func, [rest], []), node)
            ast.fix_missing_locations(asked)
            return self.quantifiers.quantifier(
                target.__name__, loop.target, loop.iter, loop.ifs, asked, env, node
            )
        if target is sum:
            return self.quantifiers.fold("sum", inner.generators, inner.elt, env, node)
        if target is len:
            one = ast.copy_location(ast.Constant(1), node)
            return self.quantifiers.fold("sum", inner.generators, one, env, node)
        return None

    def _empty(self, target: type, expected: Type | None) -> Expr | None:
        """``list()``, ``dict()`` and ``set()``, if the type is known."""
        if not isinstance(expected, DataType):
            return None
        if target is list and expected.is_list:
            return x.con(expected.constructors[0])
        made = expected.constructors[0]
        if made.kind in ("set", "dict") and made.native is target:
            return self.containers.listed(target, [], made.fields[0][1].element)  # type: ignore[attr-defined]
        return None

    def _extreme_or(self, target: Any, node: ast.Call, env: Env) -> Expr:
        """``max(xs, default=0)``."""
        plain = ast.copy_location(ast.Call(node.func, node.args, []), node)
        found = self.pure.number(plain, env)
        inside = (
            node.args[0].generators[0].iter if isinstance(node.args[0], ast.GeneratorExp) else node.args[0]
        )
        items = self.containers.items(self.pure.expr(inside, env))
        if items is None or (isinstance(node.args[0], ast.GeneratorExp) and node.args[0].generators[0].ifs):
            self.scope.fail(node, f"{short(node)} of something other than a list")
        assert isinstance(items.type, DataType)
        nothing = self.pure.number(node.keywords[0].value, env)
        return x.ite(x.is_con(items.type.constructors[0], items), nothing, found)

    def _over_keys_or_values(self, target: Any, node: ast.Call, env: Env) -> ast.Call:
        """``sum(d.values())`` as ``sum(v for v in d.values())``, if the order does not matter."""
        match node.args:
            case [
                ast.Call(
                    func=ast.Attribute(value=inside, attr="values" | "keys"), args=[], keywords=[]
                ) as over
            ] if target in (sum, len, any, all) and self.containers.of_kind(
                self.pure.expr(inside, env), "dict"
            ):
                each = ast.Name("each'", ast.Load())
                loop = ast.comprehension(ast.Name("each'", ast.Store()), over, [], 0)
                made = ast.Call(node.func, [ast.GeneratorExp(each, [loop])], [])
                return ast.fix_missing_locations(ast.copy_location(made, node))
        return node

    def _extreme(self, greatest: bool, items: Expr, node: ast.AST) -> Expr:
        """``max(xs)`` or ``min(xs)`` of numbers; of an empty list there is none."""
        if items.type.element is not INT:  # type: ignore[attr-defined]
            self.scope.fail(node, f"{short(node)} of a value of type {items.type}")
        cons = items.type.constructors[1]  # type: ignore[attr-defined]
        found = extreme(self.library.functions, items, greatest)
        return x.ite(x.is_con(cons, items), found, x.field(cons, 0, items))

    def _extreme_of(self, greatest: bool, first: Expr, second: Expr, node: ast.AST) -> Expr:
        """``max(first, second)`` or ``min(first, second)`` of numbers, dates and times."""
        if self.containers.of_kind(first, "stamp") and first.type is second.type:
            smaller = self.containers.ordered(first, second, not greatest, node)
            assert smaller is not None
            return x.ite(smaller, second, first) if greatest else x.ite(smaller, first, second)
        first, second = (self.values.coerce(a, INT, node) for a in (first, second))
        swap = x.le(first, second) if greatest else x.lt(second, first)
        return x.ite(swap, second, first)

    def _in_order(self, e: Expr, node: ast.AST) -> Expr:
        """``sorted(e)`` of numbers."""
        if self.containers.of_kind(e, "set"):
            return items_of(e)  # which is kept in order
        items = self.containers.items(e)
        if items is None or items.type.element not in (INT, TEXT) or self.containers.of_kind(e, "text"):  # type: ignore[attr-defined]
            self.scope.fail(node, f"sorted of a value of type {e.type}")
        return sorted_list(self.library.functions, items)

    def _of_container(self, target: Any, node: ast.Call, env: Env, expected: Type | None) -> Expr | None:
        """Dates and durations that are written out, ``tuple(xs)``, ``list(xs)``, ``math.isnan(f)``; None for others."""
        if target in (datetime.date, datetime.datetime, datetime.time) or target is float:
            try:
                given = [ast.literal_eval(a) for a in node.args]
                named = {k.arg: ast.literal_eval(k.value) for k in node.keywords if k.arg}
                return self.containers.constant(target(*given, **named), node)
            except (ValueError, TypeError):
                self.scope.fail(node, f"{short(node)}, which is not written out")
        if target is datetime.timedelta:
            places = ("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks")
            named_parts = self.arguments(node, places, node.args)
            return self.containers.duration({n: self.pure.number(e, env) for n, e in named_parts.items()})
        if target in (list, dict, set) and not node.args and not node.keywords:
            return self._empty(target, expected)
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            return None
        if isinstance(node.args[0], ast.GeneratorExp) and target not in (tuple, list, bytes):
            return None
        if target in (math.isnan, math.isinf, math.isfinite, abs):
            return self.containers.about_float(target, self.pure.expr(node.args[0], env))
        if target is bytes:
            return self.containers.as_bytes(self.pure.expr(node.args[0], env), node)
        if target not in (tuple, list):
            return None
        e = self.pure.of_range(node.args[0], env) or self.pure.expr(node.args[0], env)
        items = self.containers.items(e)
        if items is None or any(self.containers.of_kind(e, kind) for kind in ("dict", "set", "text")):
            return None
        assert isinstance(items.type, DataType)
        if target is list:
            return items
        known = elements_of(items)
        wanted = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        if wanted is not None and known is not None and len(known) == len(wanted.fields):
            return x.con(wanted, *(self.values.coerce(k, t, node) for k, (_, t) in zip(known, wanted.fields)))
        return x.con(self.library.types.wrapped_list(tuple, items.type.element).constructors[0], items)

    def _method(self, called: ast.Attribute, node: ast.Call, env: Env) -> Expr:
        """``e.method(...)`` of a dataclass or a named tuple."""
        owner = self.pure.expr(called.value, env)
        if self.containers.of_kind(owner, "text"):
            match called.attr, node.args:
                case "startswith" | "endswith" as side, [wanted] if not node.keywords:
                    fixed = self.scope.fixed(wanted, env)
                    options = fixed if isinstance(fixed, tuple) else (fixed,)
                    asked = self.containers.begins if side == "startswith" else self.containers.ends
                    if all(isinstance(option, str) for option in options):
                        return x.or_(*(asked(owner, option) for option in options))
                case name, [] if name in OF_CHARACTERS and not node.keywords:
                    return self.containers.about_character(owner, name, node)
        if self.containers.of_kind(owner, "bytes"):
            match called.attr, node.args:
                case "startswith", [ast.Constant(value=bytes() as start)] if not node.keywords:
                    return self.containers.begins(owner, start)
                case "endswith", [ast.Constant(value=bytes() as end)] if not node.keywords:
                    return self.containers.ends(owner, end)
        if owner.type is TEXT and called.attr in COMPUTED and not node.keywords:
            parts = [owner, *(self.pure.expr(a, env) for a in node.args)]
            if all(e.type in (TEXT, INT) for e in parts):
                return self.library.computed(called.attr, getattr(str, called.attr), parts)
        if called.attr == "count" and len(node.args) == 1 and not node.keywords:
            found = self._counted(owner, node.args[0], env, node)
            if found is not None:
                return found
        if called.attr == "format" and owner.op == "const" and owner.type is TEXT and not node.keywords:
            parts = [self.pure.expr(a, env) for a in node.args]
            if all(e.type in (TEXT, INT, BOOL) for e in parts):
                return self.library.computed("format", str.format, [owner, *parts])
        if called.attr == "join" and len(node.args) == 1 and not node.keywords:
            return self._joined(owner, self.pure.expr(node.args[0], env), node)
        if called.attr in ("issubset", "issuperset", "isdisjoint") and len(node.args) == 1:
            return self._compared_sets(owner, called.attr, node.args[0], env, node)
        if called.attr in ("weekday", "isoweekday", "date") and not node.args and not node.keywords:
            found = self.containers.of_day(owner, called.attr)
            if found is not None:
                return found
        if called.attr == "get" and 1 <= len(node.args) <= 2 and not node.keywords:
            found = self._found(owner, node, env)
            if found is not None:
                return found
        if called.attr == "_replace" and not node.args:
            return self._replaced(owner, node, env)
        methods = self._own_functions(owner, called.attr, node)
        ways = [(kinds, self._own_call(f, kinds, owner, node, env)) for kinds, f in methods]
        return by_class(ways, owner, self.values, node)

    def _own_call(self, native: Any, kinds: list[Constructor], owner: Expr, node: ast.Call, env: Env) -> Expr:
        """A method of values of these kinds."""
        names = tuple(self.scope.source_of(native, node).parameters)[1:]
        given = self.with_defaults(native, names, self.arguments(node, names, node.args), node)
        return self.apply(native, [owner, *(self.pure.expr(given[n], env) for n in names)], node, kinds)

    def _counted(self, owner: Expr, wanted: ast.expr, env: Env, node: ast.AST) -> Expr | None:
        """``e.count(item)`` of a list, or of a string and one character."""
        items = self.containers.items(owner)
        if items is None or not isinstance(items.type, DataType):
            return None
        if self.containers.of_kind(owner, "text"):
            letter = self.scope.fixed(wanted, env)
            if not isinstance(letter, str) or len(letter) != 1:
                return None
            item = x.integer(ord(letter))
        elif owner.type is items.type or any(
            self.containers.of_kind(owner, kind) for kind in ("sequence", "bytes")
        ):
            item = self.pure.expr(wanted, env, items.type.element)
            self.values.same(item, item, node)
        else:
            return None
        return occurrences(self.library.functions, items, item)

    def _compared_sets(self, owner: Expr, name: str, given: ast.expr, env: Env, node: ast.Call) -> Expr:
        """``a.issubset(b)``, ``a.issuperset(b)`` and ``a.isdisjoint(b)``."""
        if not self.containers.of_kind(owner, "set"):
            self.scope.fail(node, f"the method {name} of a value of type {owner.type}")
        assert isinstance(node.func, ast.Attribute)
        if name == "isdisjoint":
            return self.containers.apart(
                owner, self.pure.of_range(given, env) or self.pure.expr(given, env), node
            )
        if not isinstance(given, ast.Set):
            given = ast.Call(ast.Name("set", ast.Load()), [given], [])
        compared = ast.Compare(node.func.value, [ast.LtE() if name == "issubset" else ast.GtE()], [given])
        ast.fix_missing_locations(ast.copy_location(compared, node))
        return self.pure.expr(compared, env)

    def _found(self, owner: Expr, node: ast.Call, env: Env) -> Expr | None:
        """``d.get(key)`` and ``d.get(key, default)``; None if the owner is no dictionary."""
        if self.containers.of_kind(owner, "keys") and isinstance(node.args[0], ast.Constant):
            made = owner.type.constructors[0]  # type: ignore[attr-defined]
            names = [name for name, _ in made.fields]
            if node.args[0].value in names:
                return x.field(made, names.index(node.args[0].value), owner)
            return self.pure.expr(node.args[1], env) if len(node.args) == 2 else None
        if not self.containers.of_kind(owner, "dict"):
            return None
        found = self.containers.found(owner, self.pure.expr(node.args[0], env), node)
        if len(node.args) == 1:
            return found
        nothing, something = found.type.constructors  # type: ignore[attr-defined]
        default = self.pure.expr(node.args[1], env, something.fields[0][1])
        return x.ite(x.is_con(nothing, found), default, x.field(something, 0, found))

    def own_function(self, e: Expr, name: str, node: ast.AST) -> Any:
        """The plain method of this name that all values of the type have."""
        found = self._own_functions(e, name, node)
        if len(found) != 1:
            self.scope.fail(node, f"the method {name} of a value of type {e.type}")
        return found[0][1]

    def _own_functions(self, e: Expr, name: str, node: ast.AST) -> list[tuple[list[Constructor], Any]]:
        """The plain methods of this name, each with the kinds of values that have it."""
        found: dict[int, tuple[list[Constructor], Any]] = {}
        for c in e.type.constructors if isinstance(e.type, DataType) else []:
            method = _plain_method(c, name)
            if method is None:
                self.scope.fail(node, f"the method {name} of a value of type {e.type}")
            found.setdefault(id(method), ([], method))[0].append(c)
        if not found:
            self.scope.fail(node, f"the method {name} of a value of type {e.type}")
        return list(found.values())

    def _joined(self, between: Expr, parts: Expr, node: ast.Call) -> Expr:
        """``between.join(parts)`` of strings that are known one by one."""
        known = elements_of(parts) if isinstance(parts.type, DataType) and parts.type.is_list else None
        if known is None or (between.type is not TEXT and not self.containers.of_kind(between, "text")):
            self.scope.fail(node, f"{short(node)} of strings that are not known one by one")
        if not known:
            return self.library.computed(
                "join", _join, [x.literal(from_python(between.type, ""), between.type)]
            )
        if between.type is TEXT:
            return self.library.computed("join", _join, [between, *known])
        made = items_of(known[-1])
        for part in reversed(known[:-1]):
            more = append(self.library.functions, items_of(between), made)
            made = append(self.library.functions, items_of(part), more)
        return x.con(between.type.constructors[0], made)  # type: ignore[attr-defined]

    def _replaced(self, e: Expr, node: ast.Call, env: Env) -> Expr:
        """``dataclasses.replace(e, field=...)``, ``attrs.evolve`` and ``e._replace(field=...)``."""
        made = e.type.constructors[0] if isinstance(e.type, DataType) else None
        given = {k.arg: k.value for k in node.keywords}
        if made is None or made.kind != "class" or len(e.type.constructors) != 1:  # type: ignore[attr-defined]
            self.scope.fail(node, f"{short(node)} of a value of type {e.type}")
        if made.making is not None and isinstance(node.func, ast.Attribute) and node.func.attr == "_replace":
            self.scope.fail(node, f"{short(node)}, which checks nothing")
        if not set(given) <= set(made.parameters):
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        parts = [
            self.pure.expr(given[name], env, t) if name in given else x.field(made, i, e)
            for i, (name, (_, t)) in enumerate(zip(made.parameters, made.given_fields))
        ]
        return constructed(made, parts)

    def apply(
        self, native: Callable[..., Any], args: list[Expr], node: ast.AST, kinds: Sequence[Constructor] = ()
    ) -> Expr:
        """Call a pure function; a function that does not call itself is inlined. A method has values of some ``kinds``
        only."""
        try:
            function = self.library.function(native, tuple(a.type for a in args), self.source, node, kinds)
        except Unsupported:
            if is_installed(native):  # the reported line should be the user's
                self.scope.fail(node, f"a call of {short(node)}")
            raise
        args = [self.values.coerce(a, p.type, node) for a, p in zip(args, function.params)]
        if function.recursive or function.body is None:
            return x.call(function, *args)
        made = x.substitute(function.body, dict(zip(function.params, args)))
        return unfolded(made) if any(a.op == "const" for a in args) else made

    def construct(self, cls: type, node: ast.Call, env: Env, expected: Type | None) -> Expr:
        """A call of a dataclass."""
        made = expected.by_class(cls) if isinstance(expected, DataType) else None
        if made is None:
            try:
                kind = self.library.types.resolve(cls, self.source.scope)
            except UnknownType as error:
                self.scope.fail(node, str(error))
            made = kind.by_class(cls) if isinstance(kind, DataType) else None
        if made is None:
            self.scope.fail(node, f"a call of the class {cls.__name__}")
        given = self.arguments(node, made.positional, node.args)
        defaults = {p.parameter: p.default for p in parts_of_class(cls)}
        left = {name for name in made.parameters if name not in given}
        if set(given) - set(made.parameters) or any(defaults[name] is NO_DEFAULT for name in left):
            self.scope.fail(node, f"{cls.__name__} without a value for every field")
        parts = [
            self.default(defaults[name], name, t, node)
            if name in left
            else self.pure.expr(given[name], env, t)
            for name, (_, t) in zip(made.parameters, made.given_fields)
        ]
        return constructed(made, parts)

    def default(self, value: Any, name: str, kind: Type, node: ast.AST) -> Expr:
        """The default of a field."""
        try:
            return x.literal(from_python(kind, value), kind)
        except (ValueError, AttributeError, TypeError):
            self.scope.fail(node, f"the default of {name}, which is no value of the type {kind}")

    def with_defaults(
        self, native: Callable[..., Any], names: tuple[str, ...], given: dict[str, ast.expr], node: ast.Call
    ) -> dict[str, ast.expr]:
        """The arguments of a call and the defaults of those that are left out, for exactly these parameters."""
        for name, spot in inspect.signature(undecorated(native)).parameters.items():
            if name in names and name not in given and spot.default is not spot.empty:
                given = {**given, name: self._written_out(spot.default, name, node)}
        if set(given) != set(names):
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        return given

    def _written_out(self, value: Any, name: str, node: ast.AST) -> ast.expr:
        """A default as if it were written in the call."""
        if value is not None and type(value) not in (int, bool, str) and not isinstance(value, enum.Enum):
            self.scope.fail(node, f"the default of {name}, which is not a number, a string, a truth or None")
        return ast.copy_location(ast.Constant(value), node)

    def arguments(
        self, node: ast.Call, positional: tuple[str, ...], given: list[ast.expr]
    ) -> dict[str, ast.expr]:
        """The arguments of a call by name; calls that Python would reject, or ``*`` and ``**``, are
        unsupported."""
        if len(given) > len(positional) or any(isinstance(a, ast.Starred) for a in given):
            self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
        found = dict(zip(positional, given))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in found:
                self.scope.fail(node, f"the arguments of this call of {short(node.func)}")
            found[keyword.arg] = keyword.value
        return found


def constructed(made: Constructor, given: list[Expr]) -> Expr:
    """A value of a class, from its arguments."""
    return x.con(made, *(given if made.making is None else made.making.parts(given)))


def _as_dict(node: ast.Call) -> ast.Dict:
    """``dict(a=1)`` as ``{"a": 1}``."""
    keys: list[ast.expr | None] = [ast.copy_location(ast.Constant(k.arg), node) for k in node.keywords]
    return ast.copy_location(ast.Dict(keys, [k.value for k in node.keywords]), node)


def _join(between: str, *parts: str) -> str:
    return between.join(parts)


def attrs_evolve() -> Any:
    """``attrs.evolve``, if attrs is in use."""
    return getattr(sys.modules.get("attr"), "evolve", None)


def _plain_method(c: Constructor, name: str) -> Any:
    found = static_of(c, name)
    return found if isinstance(found, types.FunctionType) else None


def static_of(c: Constructor, name: str) -> Any:
    """What the class of a value has under a name; None if it has nothing."""
    if c.kind not in ("class", "enum"):
        return None
    return inspect.getattr_static(c.native if c.kind == "class" else type(c.native), name, None)


def by_class(
    found: list[tuple[list[Constructor], Expr]], e: Expr, values: Conversions, node: ast.AST
) -> Expr:
    """One expression for each kind of value: the one for the kind that ``e`` is."""
    result = found[-1][1]
    for kinds, made in reversed(found[:-1]):
        test = x.or_(*(x.is_con(c, e) for c in kinds))
        result = x.ite(test, made, values.coerce(result, made.type, node))
    return result
