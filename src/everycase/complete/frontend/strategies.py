"""Generators as values: assigned to names, changed by ``.map``, ``.filter`` and ``.flatmap``, or of whole
lists.

A list is drawn as one unknown with conditions: its length, and a condition on each element. That condition is
found by reading the generator of the elements and eliminating its draws, so it is exact, or the list is not
read at all.
"""

from __future__ import annotations

import ast
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from everycase.complete.frontend.local_functions import as_lambda
from everycase.complete.frontend.program import AssumeStep, DrawStep, Step
from everycase.complete.frontend.reading import Drawer, Drawn, Reading, ReadState
from everycase.complete.frontend.source import FunctionSource, is_composite, is_generator, source_of
from everycase.complete.language import expressions as x
from everycase.complete.language.definedness import needed
from everycase.complete.language.elimination import solve
from everycase.complete.language.expressions import BOOL, Expr, Function
from everycase.complete.language.list_functions import distinct, for_all, length, text_length
from everycase.complete.language.types import INT, TEXT, DataType, Type, UnknownType
from everycase.complete.language.wrapped import CODE, is_among, is_character
from everycase.complete.specification import specification_of
from everycase.errors import EverycaseError

METHODS = ("map", "filter", "flatmap")
_OF_MANY = ("lists", "sets", "frozensets", "dictionaries")
RECURSIVE, LIMITED = "made_by_recursive", "made_within_limits"


@dataclass(frozen=True)
class Held:
    """A generator with a name: its source, and the meaning of the names in it at that place."""

    node: ast.expr
    env: Mapping[str, Expr]
    strategies: Mapping[str, Held]
    drawer: Drawer
    """Reads the function that contains it, which need not be the one that draws from it."""


class Strategies:
    """Reads generator expressions that are more than one call of the library."""

    def __init__(self, reader: Reading, drawer: Drawer) -> None:
        self.reader, self.drawer = reader, drawer
        self.pure, self.scope, self.values = self.reader.pure, self.reader.scope, self.reader.values

    def is_strategy(self, node: ast.expr, state: ReadState) -> bool:
        """Does the expression stand for a generator?"""
        match node:
            case ast.Name(id=name) if name in state.strategies:
                return True
            case ast.Name() | ast.Attribute() if self.scope.is_constant(node, state.env):
                try:
                    return is_generator(self.scope.constant(node))
                except Exception:
                    return False
            case ast.Call(func=ast.Attribute(value=inside, attr=attr)) if attr in METHODS:
                return self.is_strategy(inside, state)
            case ast.Call(func=ast.Name() | ast.Attribute() as called) if self.scope.is_constant(
                called, state.env
            ):
                target = self.scope.constant(called)
                if self.gives_generator(node, state):
                    return True
                return bool(self.drawer.library_name(node)) or _is_generator_function(target)
            case ast.BinOp(left=left, op=ast.BitOr()):
                return self.is_strategy(left, state)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_strategy(body, state) and self.is_strategy(orelse, state)
        return False

    def hold_several(self, name: str, node: ast.List | ast.Tuple, state: ReadState) -> Iterator[ReadState]:
        """``options = [generator, generator]``: each of them gets a name, and so does the list."""

        def each(i: int, current: ReadState) -> Iterator[ReadState]:
            if i == len(node.elts):
                held = {**current.strategies, name: Held(node, current.env, current.strategies, self.drawer)}
                yield replace(current, strategies=held)
                return
            for after, held_one in self.hold(node.elts[i], current):
                yield from each(
                    i + 1, replace(after, strategies={**after.strategies, f"{name}'{i}": held_one})
                )

        yield from each(0, state)

    def is_list_of_strategies(self, node: ast.expr, state: ReadState) -> bool:
        """Is this ``[generator, generator]``?"""
        return (
            isinstance(node, ast.List | ast.Tuple)
            and bool(node.elts)
            and all(self.is_strategy(e, state) for e in node.elts)
        )

    def sample(
        self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn | None:
        """Every way to draw from one of the forms that are read here; None for all others."""
        match node:
            case ast.Name(id=held) if held in state.strategies:
                return self._held(state.strategies[held], state, expected, name)
            case ast.Call() if self.gives_generator(node, state):
                return self._given_by(self.scope.constant(node.func), node, state, expected, name)
            case ast.Name(id=held) if self.scope.is_constant(node, state.env):
                found = self._of_module(held, node)
                return self._held(found, state, expected, name) if found else None
            case ast.Call(func=ast.Attribute(value=inside, attr=attr)) if (
                attr in METHODS and self.is_strategy(inside, state)
            ):
                if len(node.args) != 1 or node.keywords:
                    self.scope.fail(node, f"the arguments of {attr}")
                return getattr(self, f"_{attr}")(inside, node.args[0], state, expected, name)  # type: ignore[no-any-return]
        return None

    # --- functions that give a generator ----------------------------------------------------------------

    def gives_generator(self, call: ast.Call, state: ReadState) -> bool:
        """Is this a call of user code that consists of one ``return`` of a generator?"""
        if not self.scope.is_constant(call.func, state.env):
            return False
        target = self.scope.constant(call.func)
        home = (getattr(target, "__module__", None) or "").split(".")[0]
        if (
            not isinstance(target, types.FunctionType)
            or home in ("everycase", "hypothesis")
            or is_composite(target)
        ):
            return False
        body = _only_return(target)
        if body is None:
            return False
        source, returned = body
        inner = self.reader.helper(source)
        given = dict(zip(source.parameters, call.args)) | {k.arg: k.value for k in call.keywords if k.arg}
        generators = {n: g for n, g in given.items() if self.is_strategy(g, state)}
        return inner.drawer.is_strategy(returned, ReadState({}, (), strategies=generators))

    def _given_by(
        self, target: Any, node: ast.Call, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn:
        found = _only_return(target)
        assert found is not None
        source, returned = found
        names = tuple(source.parameters)
        given = self.pure.calls.with_defaults(
            target, names, self.pure.calls.arguments(node, names, node.args), node
        )
        inner = self.reader.helper(source)

        def fill(i: int, current: ReadState, env: dict[str, Expr], held: dict[str, Held]) -> Drawn:
            if i < len(names):
                for after, one in self.given_generator(given[names[i]], current):
                    yield from fill(i + 1, after, env, {**held, names[i]: one})
                if not self.is_strategy(given[names[i]], current):
                    for after, value in self.reader.expression(given[names[i]], current, None):
                        yield from fill(i + 1, after, {**env, names[i]: value}, held)
                return
            inside = replace(current, env=env, strategies=held)
            for after, value in inner.drawer.sample(returned, inside, expected, name):
                yield replace(after, env=state.env, strategies=state.strategies), value

        yield from fill(0, state, {}, {})

    def given_generator(self, node: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, Held]]:
        """An argument that is a generator; nothing for any other argument."""
        if self.is_strategy(node, state):
            yield from self.hold(node, state)

    # --- names ------------------------------------------------------------------------------------------

    def hold(self, node: ast.expr, state: ReadState) -> Iterator[tuple[ReadState, Held]]:
        """Record a generator that gets a name; everycase rejects an impossible one right there."""
        conditions = self.drawer.makes_sense(node, state) if self.reader.eager else []
        for after in state.assume(x.and_(*conditions)):
            yield after, Held(node, after.env, after.strategies, self.drawer)

    def _held(self, held: Held, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        inside = replace(state, env=held.env, strategies=held.strategies)
        for after, value in held.drawer.sample(held.node, inside, expected, name):
            yield replace(after, env=state.env, strategies=state.strategies), value

    def _of_module(self, name: str, node: ast.AST) -> Held | None:
        """A generator that is assigned once, at the top level of the module."""
        source = self.reader.source
        if not is_generator(source.scope.get(name)):
            return None
        found = []
        for statement in ast.walk(ast.parse(source.text)):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                found.append(statement.value)  # type: ignore[attr-defined]
        if len(found) != 1:
            self.scope.fail(node, f"the generator {name}, whose definition was not found")
        return Held(found[0], {}, {}, self.drawer)

    # --- methods ----------------------------------------------------------------------------------------

    def _map(
        self, inside: ast.expr, function: ast.expr, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn:
        for after, value in self.drawer.sample(inside, state, None, name):
            for last, node in self._applied(function, value, after):
                for done, made in self.reader.expression(node, last, expected):
                    yield replace(done, env=state.env), made

    def _filter(
        self, inside: ast.expr, function: ast.expr, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn:
        for after, value in self.drawer.sample(inside, state, expected, name):
            for last, node in self._applied(function, value, after):
                test = self.pure.truth(node, last.env)
                for sure in last.assume(x.and_(*needed(test, last.conditions))):
                    for kept in sure.assume(test):
                        yield replace(kept, env=state.env), value

    def _flatmap(
        self, inside: ast.expr, function: ast.expr, state: ReadState, expected: Type | None, name: str | None
    ) -> Drawn:
        for after, value in self.drawer.sample(inside, state, None, name):
            for last, node in self._applied(function, value, after):
                for done, made in self.drawer.sample(node, last, expected, name):
                    yield replace(done, env=state.env), made

    def _applied(
        self, function: ast.expr, value: Expr, state: ReadState
    ) -> Iterator[tuple[ReadState, ast.expr]]:
        """The result of a function of a value, as an expression."""
        function = as_lambda(function, state)
        match function:
            case ast.Lambda(args=ast.arguments(args=[only], posonlyargs=[], kwonlyargs=[], defaults=[])):
                self._steady(function, state)
                yield state.bind(only.arg, value), function.body
            case ast.Name() | ast.Attribute():
                spot = f"given'{next(self.reader.counter)}"
                call = ast.Call(function, [ast.Name(spot, ast.Load())], [])
                yield state.bind(spot, value), ast.fix_missing_locations(ast.copy_location(call, function))
            case _:
                self.scope.fail(function, f"the function {ast.unparse(function)}")

    def _steady(self, function: ast.Lambda, state: ReadState) -> None:
        """A lambda uses the meaning of names at its call, which must be the same as where it is defined."""
        stores = [n.id for n in ast.walk(self.reader.source.node) if isinstance(n, ast.Name) and _stored(n)]
        own = {a.arg for a in function.args.args}
        for n in ast.walk(function.body):
            if isinstance(n, ast.Name) and n.id not in own and stores.count(n.id) > 1:
                self.scope.fail(function, f"a function of {n.id}, which gets several values")

    # --- lists and text ---------------------------------------------------------------------------------

    def lists(self, node: ast.Call, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """``lists(elements, min_size=, max_size=, unique=)``."""
        given = self.pure.calls.arguments(node, ("elements",), node.args)
        if (
            set(given) - {"elements", "min_size", "max_size", "unique", "unique_by"}
            or "elements" not in given
        ):
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        by = as_lambda(given["unique_by"], state) if "unique_by" in given else None
        if by is not None and not isinstance(by, ast.Lambda):
            self.scope.fail(by, "unique_by= that is not a lambda")
        unique = given.get("unique", ast.Constant(False))
        if not isinstance(unique, ast.Constant):
            self.scope.fail(unique, "unique= that is not True or False")
        inside = self.drawer.makes_sense(given["elements"], state)  # also if the list is empty
        for possible in state.assume(x.and_(*inside)):
            yield from self._drawn(given, possible, expected, name, bool(unique.value), by)

    def _drawn(
        self,
        given: dict[str, ast.expr],
        state: ReadState,
        expected: Type | None,
        name: str | None,
        unique: bool,
        by: ast.Lambda | None,
    ) -> Drawn:
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                least = low or x.integer(0)
                done, made = self.drawn_list(given["elements"], least, high, last, expected, name, unique)
                if by is not None:
                    done = self._distinct_by(by, made, done)
                yield done, made

    def _distinct_by(self, by: ast.Lambda, made: Expr, state: ReadState) -> ReadState:
        """``unique_by=lambda item: key``: no two elements have the same key."""
        if len(by.args.args) != 1:
            self.scope.fail(by, "unique_by= of more than one argument")
        self._steady(by, state)
        spot = f"unique'{next(self.reader.counter)}"
        target = ast.Name(by.args.args[0].arg, ast.Store())
        loop = ast.comprehension(target, ast.Name(spot, ast.Load()), [], 0)
        keys = ast.fix_missing_locations(ast.copy_location(ast.ListComp(by.body, [loop]), by))
        listed = self.pure.expr(keys, {**state.env, spot: made})
        self.values.same(listed, listed, by)
        return next(iter(state.assume(distinct(self.reader.program.library.functions, listed))))

    def drawn_list(
        self,
        elements: ast.expr | tuple[ast.expr, ast.expr],
        low: Expr,
        high: Expr | None,
        state: ReadState,
        expected: Type | None,
        name: str | None,
        unique: bool = False,
    ) -> tuple[ReadState, Expr]:
        """One unknown list, with its conditions; of pairs, if there are two generators."""
        wanted = expected.element if isinstance(expected, DataType) and expected.is_list else None
        element, condition = self.membership(elements, state, wanted)
        return self._list_of(element, condition, (low, high), state, name, unique)

    def list_of_ways(
        self,
        ways: list[tuple[ReadState, Expr]],
        count: Expr,
        state: ReadState,
        expected: Type | None,
        node: ast.AST,
    ) -> Drawn:
        """A list of ``count`` elements, each of which is made in one of these ways."""
        yield self._list_of(*self._any_of(ways, expected, node), (count, count), state, None)

    def _list_of(
        self,
        element: Expr,
        condition: Expr,
        sizes: tuple[Expr, Expr | None],
        state: ReadState,
        name: str | None,
        unique: bool = False,
    ) -> tuple[ReadState, Expr]:
        library, (low, high) = self.reader.program.library, sizes
        made = self.drawer.fresh(name, library.types.list_of(element.type))
        size = length(library.functions, made)
        conditions = [x.le(low, size), x.le(size, high) if high is not None else x.TRUE]
        conditions.append(for_all(library.functions, made, element, condition))
        if unique:
            conditions.append(distinct(library.functions, made))
        conditions += [  # of values of a recursive generator
            x.le(size, e.args[-1]) for e in x.subterms(condition) if e.op == "call" and e.data.name == LIMITED
        ]
        steps: tuple[Step, ...] = (DrawStep(made), *(AssumeStep(c) for c in x.conjuncts(x.and_(*conditions))))
        return replace(state, steps=(*state.steps, *steps)), made

    def membership(
        self, elements: ast.expr | tuple[ast.expr, ast.expr], state: ReadState, expected: Type | None
    ) -> tuple[Expr, Expr]:
        """A variable, and the condition that it is a value of the generator."""
        inside = replace(state, steps=(), drawn=(), computed=())
        node = elements[0] if isinstance(elements, tuple) else elements
        if isinstance(elements, tuple):
            ways = list(self._pairs(elements, inside, expected))
        else:
            ways = list(self.drawer.sample(node, inside, expected, "element"))
        if not ways:
            self.scope.fail(node, f"elements from {ast.unparse(node)}, which makes nothing")
        return self._any_of(ways, expected, node)

    def _any_of(
        self, ways: list[tuple[ReadState, Expr]], expected: Type | None, node: ast.AST
    ) -> tuple[Expr, Expr]:
        """A variable, and the condition that it is made in one of these ways."""
        kind = expected or self._joined([value.type for _, value in ways])
        element = x.var(f"element'{next(self.reader.counter)}", kind)
        parts: list[Expr] = []
        for after, value in ways:
            conditions = [x.eq(element, self.values.coerce(value, kind, node))]
            for step in after.steps:
                if isinstance(step, AssumeStep):
                    conditions.append(step.condition)
                    continue
                if step.generator is not None:
                    self.scope.fail(node, f"a list of values of the generator {step.generator.name}")
                conditions += [x.le(step.low, step.variable)] if step.low is not None else []
                conditions += [x.le(step.variable, step.high)] if step.high is not None else []
            unknowns = [s.variable for s in after.steps if isinstance(s, DrawStep)]
            for left, condition in solve(unknowns, conditions, self.reader.program.clock):
                if left:
                    shown = ast.unparse(node).partition("\n")[0]
                    self.scope.fail(node, f"elements from {shown}, whose draws cannot be read off")
                parts.append(condition)
        return element, x.or_(*parts)

    def _joined(self, kinds: list[Type]) -> Type:
        """The type of values that are made in several ways: ``int | None``; the first if there is no such type."""
        plain: dict[Type, Any] = {INT: int, BOOL: bool, TEXT: str}
        members: list[Any] = []
        for kind in dict.fromkeys(kinds):
            if kind in plain:
                members.append(plain[kind])
            elif isinstance(kind, DataType) and kind.constructors[0].kind == "text":
                members.append(str)
            elif isinstance(kind, DataType) and all(c.kind in ("none", "class") for c in kind.constructors):
                members += [c.native for c in kind.constructors]
            else:
                return kinds[0]
        if len(members) < 2 or members == [None]:
            return kinds[0]
        try:
            return self.reader.program.library.types.resolve(typing.Union[tuple(members)], {})  # noqa: UP007
        except UnknownType:
            return kinds[0]

    # --- recursive --------------------------------------------------------------------------------------

    def recursive(self, node: ast.Call, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """``recursive(base, extend, max_leaves=)``: a value for which a function says that it is made.

        The function ignores the limits of the size; its twin has a greatest depth, so small that no value reaches
        the limits.
        """
        given = self.pure.calls.arguments(node, ("base", "extend"), node.args)
        leaves = given.pop("max_leaves", ast.Constant(100))
        most = leaves.value if isinstance(leaves, ast.Constant) else None
        if set(given) != {"base", "extend"} or not isinstance(most, int):
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        if not isinstance(expected, DataType):
            self.scope.fail(
                node, "recursive, if the type of its values is not known; annotate the return type"
            )
        extend = self._function_of_one(given["extend"], state)
        functions = self.reader.program.library.functions
        key = ("recursive", expected, ast.dump(node), node.lineno)
        if key not in functions:
            whole, depth, wide = x.var("whole", expected), x.var("depth", INT), x.var("wide", INT)
            plain = functions[key] = Function(RECURSIVE, (whole,), BOOL)
            limited = Function(LIMITED, (whole, depth, wide), BOOL)
            below = (x.sub(depth, x.integer(1)), wide)
            for function, further in ((plain, ()), (limited, below)):
                function.recursive = True
                child = _Smaller(self, expected, function, further)
                base = self._is_made(given["base"], state, whole)
                held = {**state.strategies, extend.args.args[0].arg: Held(node, {}, {}, child)}
                more = self._is_made(extend.body, replace(state, strategies=held), whole)
                function.body = x.or_(base, x.and_(x.lt(x.integer(0), depth), more) if further else more)
                if set(x.variables(function.body)) - set(function.params):
                    self.scope.fail(node, "recursive with parts that depend on other values")
            if not self.reader.eager:  # Hypothesis' limits are strict, ours are those of random values
                plain.within = limited, tuple(self._limits(extend, most))
        made = self.drawer.fresh(name, expected)
        for after in state.draw(DrawStep(made)).assume(x.call(functions[key], made)):
            yield after, made

    def _limits(self, extend: ast.Lambda, leaves: int) -> Iterator[tuple[int, int]]:
        """Depths, each with the longest lists of smaller values for which no value has more leaves than allowed."""
        name = extend.args.args[0].arg
        for depth in range(leaves.bit_length() + 1):
            for longest in range(leaves, 0, -1):
                width = self._width(extend.body, name, longest)
                if width is not None and width**depth <= leaves:
                    yield depth, longest
                    break

    def _width(self, node: ast.expr, name: str, longest: int) -> int | None:
        """How many smaller values there are in one at most; None if that is not known."""
        if not any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node)):
            return 0
        match node:
            case ast.Name():
                return 1
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                parts, together = [left, right], max
            case ast.Call(func=ast.Attribute(value=inside, attr="map" | "filter")) if (
                not self.drawer.library_name(node)
            ):
                return self._width(inside, name, longest)
            case ast.Call(args=args, keywords=named):
                parts = [*args, *(k.value for k in named)]
                kind = self.drawer.library_name(node)
                if kind not in ("one_of", "tuples", "builds", *_OF_MANY):
                    return None
                together = max if kind == "one_of" else sum  # type: ignore[assignment]
                if kind in _OF_MANY:
                    found = [self._width(p, name, longest) for p in parts]
                    return None if None in found else longest * sum(found)  # type: ignore[arg-type]
            case _:
                return None
        found = [self._width(p, name, longest) for p in parts]
        return None if None in found else together(found)  # type: ignore[type-var]

    def _is_made(self, node: ast.expr, state: ReadState, whole: Expr) -> Expr:
        """The condition that a value is one of a generator's."""
        element, condition = self.membership(node, state, whole.type)
        return x.substitute(condition, {element: whole})

    def _function_of_one(self, node: ast.expr, state: ReadState) -> ast.Lambda:
        function = as_lambda(node, state)
        if isinstance(function, ast.Name) and self.scope.is_constant(function, state.env):
            found = _only_return(self.scope.constant(function))
            if found is not None:
                source, returned = found
                spots = [ast.arg(n) for n in source.parameters]
                function = ast.Lambda(ast.arguments([], spots, None, [], [], None, []), returned)
        match function:
            case ast.Lambda(args=ast.arguments(args=[_], posonlyargs=[], kwonlyargs=[], defaults=[])):
                return function
        self.scope.fail(node, f"the function {ast.unparse(node)}")

    # --- characters -------------------------------------------------------------------------------------

    def _characters(
        self, node: ast.Call, given: dict[str, ast.expr], state: ReadState, name: str | None
    ) -> Drawn:
        """``text(alphabet=, min_size=, max_size=)`` as a list of characters."""
        library = self.reader.program.library
        if set(given) - {"alphabet", "min_size", "max_size"}:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        allowed = self._alphabet(given.get("alphabet"), state, node)
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                made = self.drawer.fresh(name, library.types.list_of(INT))
                size = length(library.functions, made)
                conditions = [
                    x.le(low or x.integer(0), size),
                    x.le(size, high) if high is not None else x.TRUE,
                ]
                conditions.append(for_all(library.functions, made, CODE, allowed, "characters"))
                steps: tuple[Step, ...] = (
                    DrawStep(made),
                    *(AssumeStep(c) for c in x.conjuncts(x.and_(*conditions))),
                )
                value = x.con(library.types.text.constructors[0], made)
                yield replace(last, steps=(*last.steps, *steps)), value

    def _alphabet(self, node: ast.expr | None, state: ReadState, call: ast.Call) -> Expr:
        """Which characters a string is made of: all, those of a constant, or those that ``characters(...)`` allows."""
        if node is None:
            return is_character(CODE)
        if isinstance(node, ast.Name) and node.id in state.strategies:
            held = state.strategies[node.id]
            return self._alphabet(held.node, replace(state, env=held.env, strategies=held.strategies), call)
        if isinstance(node, ast.Call) and self.drawer.library_name(node) == "characters":
            return self.characters_between(node, state)
        if (
            isinstance(node, ast.Call)
            and self.drawer.library_name(node) == "sampled_from"
            and len(node.args) == 1
        ):
            return self._alphabet(node.args[0], state, call)
        letters = self.scope.fixed(node, state.env)
        if letters is None and isinstance(node, ast.Constant):
            return is_character(CODE)
        if (
            not isinstance(letters, str | list | tuple)
            or not letters
            or any(not isinstance(c, str) or len(c) != 1 for c in letters)
        ):
            self.scope.fail(call, f"the arguments of {ast.unparse(call)}")
        return is_among(CODE, letters)

    def characters_between(self, node: ast.Call, state: ReadState) -> Expr:
        """``characters(min_codepoint=, max_codepoint=, exclude_characters=)``."""
        given = {k.arg: self.scope.fixed(k.value, state.env) for k in node.keywords}
        known = {"min_codepoint", "max_codepoint", "exclude_characters", "blacklist_characters"}
        if node.args or not set(given) <= known or None in given.values():
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        tests = [is_character(CODE)]
        if "min_codepoint" in given:
            tests.append(x.le(x.integer(given["min_codepoint"]), CODE))
        if "max_codepoint" in given:
            tests.append(x.le(CODE, x.integer(given["max_codepoint"])))
        for name in ("exclude_characters", "blacklist_characters"):
            tests += [x.not_(x.eq(CODE, x.integer(ord(c)))) for c in given.get(name, "")]
        return x.and_(*tests)

    def _pairs(self, parts: tuple[ast.expr, ast.expr], state: ReadState, expected: Type | None) -> Drawn:
        """The items of a dictionary."""
        made = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        wanted = [t for _, t in made.fields] if made is not None else [None, None]
        for after, key in self.drawer.sample(parts[0], state, wanted[0], "key"):
            for last, value in self.drawer.sample(parts[1], after, wanted[1], "value"):
                kind = (
                    made or self.reader.program.library.types.tuple_of((key.type, value.type)).constructors[0]
                )
                given = [self.values.coerce(e, t, parts[0]) for e, (_, t) in zip((key, value), kind.fields)]
                yield last, x.con(kind, *given)

    def text(self, node: ast.Call, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """``text(min_size=, max_size=)``: strings of which only the length is known."""
        given = self.pure.calls.arguments(node, ("alphabet",), node.args)
        if self.reader.program.library.types.open_text and expected is not TEXT:
            yield from self._characters(node, given, state, name)
            return
        if set(given) - {"min_size", "max_size"}:
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        for after, low in self.drawer.bound(given.get("min_size"), state):
            for last, high in self.drawer.bound(given.get("max_size"), after):
                made = self.drawer.fresh(name, TEXT)
                size = text_length(self.reader.program.library.functions, made)
                conditions = [x.le(low, size)] if low is not None and low != x.integer(0) else []
                conditions += [x.le(size, high)] if high is not None else []
                yield replace(last, steps=(*last.steps, DrawStep(made), *map(AssumeStep, conditions))), made


class _Smaller:
    """Draws what a recursive generator builds on: a value for which a function says that it is made."""

    def __init__(
        self, strategies: Strategies, kind: Type, function: Function, further: tuple[Expr, ...]
    ) -> None:
        self.strategies, self.kind, self.function, self.further = strategies, kind, function, further

    def sample(self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """Any smaller value."""
        made = self.strategies.drawer.fresh(name, self.kind)
        for after in state.draw(DrawStep(made)).assume(x.call(self.function, made, *self.further)):
            yield after, made

    def __getattr__(self, name: str) -> Any:
        return getattr(self.strategies.drawer, name)


def _only_return(target: Any) -> tuple[FunctionSource, ast.expr] | None:
    """The source of a function whose body is one ``return``, and what it returns."""
    try:
        source = source_of(target)
    except EverycaseError:
        return None
    if not isinstance(source.node, ast.FunctionDef) or source.node.decorator_list:
        return None
    body = [
        s for s in source.node.body if not isinstance(s, ast.Expr) or not isinstance(s.value, ast.Constant)
    ]
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            return source, value
    return None


def _is_generator_function(target: Any) -> bool:
    return is_composite(target) or specification_of(target) is not None


def _stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)
