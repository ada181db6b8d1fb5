"""What ``draw(...)`` can return: every kind of generator expression that is understood."""

from __future__ import annotations

import ast
import datetime
import enum
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from everycase.complete.frontend.calls import constructed
from everycase.complete.frontend.program import AssumeStep, DrawStep
from everycase.complete.frontend.reading import Drawn, Reading, ReadState
from everycase.complete.frontend.strategies import METHODS, Strategies
from everycase.complete.frontend.typed_draws import TypedDraws
from everycase.complete.language import expressions as x
from everycase.complete.language.classes import parts_of_class
from everycase.complete.language.definedness import needed
from everycase.complete.language.expressions import FALSE, Expr
from everycase.complete.language.list_functions import listed, member, text_length
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type, UnknownType
from everycase.complete.language.wrapped import CODE, KINDS, in_range, invariant
from everycase.gen.records import NO_DEFAULT

PERMUTED = 4  # values in every order
FEW = 8  # options that are looked at one by one
LISTED = 128  # options that are written out


class Drawing:
    """The draws of one generator; each method yields every way to draw, with the value that it gives."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.pure, self.program = reader, reader.pure, reader.program
        self.scope, self.values = reader.scope, reader.values
        self.strategies = Strategies(reader, self)
        self.drawn_list, self.list_of_ways = self.strategies.drawn_list, self.strategies.list_of_ways
        self.is_strategy = self.strategies.is_strategy
        typed = TypedDraws(reader, self)
        self._known: dict[str, Callable[..., Drawn]] = {
            "integers": self._integers,
            "booleans": self._booleans,
            "text": self.strategies.text,
            "characters": self._one_character,
            "binary": typed.binary,
            "lists": self.strategies.lists,
            "recursive": self.strategies.recursive,
            "floats": typed.floats,
            "dates": typed.stamps,
            "datetimes": typed.stamps,
            "times": typed.stamps,
            "timedeltas": typed.stamps,
            "sets": typed.sets,
            "frozensets": typed.sets,
            "dictionaries": typed.dictionaries,
            "fixed_dictionaries": typed.fixed_dictionaries,
            "from_type": self._from_type,
            "just": self._just,
            "none": self._none,
            "nothing": self._nothing,
            "one_of": self._one_of,
            "sampled_from": self._sampled_from,
            "enums": self._sampled_from,
            "tuples": self._tuples,
            "builds": self._builds,
            "permutations": self._permutations,
        }

    def sample(self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None) -> Drawn:
        """Every way to draw from a generator expression."""
        found = self.strategies.sample(node, state, expected, name)
        if found is not None:
            yield from found
            return
        if isinstance(node, ast.IfExp):
            for after, condition in self.reader.condition(node.test, state):
                for yes in after.assume(condition):
                    yield from self.sample(node.body, yes, expected, name)
                for no in after.assume(x.not_(condition)):
                    yield from self.sample(node.orelse, no, expected, name)
            return
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            yield from self._alternatives([node.left, node.right], state, expected, name)
            return
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            self.scope.fail(node, f"a draw from {ast.unparse(node)}")
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
            self.scope.fail(node, f"a draw from {ast.unparse(node)}")
        node = self._one_by_one(node, state)
        target = self.scope.constant(node.func)
        method = self._known.get(self.library_name(node))
        if method is not None:
            yield from method(node, state, expected, name)
        else:
            yield from self._call(target, node, state, name)

    def _one_by_one(self, node: ast.Call, state: ReadState) -> ast.Call:
        """``tuples(*[integers(0, i) for i in range(3)])`` with its arguments written out, if they are known."""
        args: list[ast.expr] = []
        for arg in node.args:
            inside = arg.value if isinstance(arg, ast.Starred) else None
            if isinstance(inside, ast.List | ast.Tuple) and inside.elts:
                args += inside.elts
            elif isinstance(inside, ast.ListComp | ast.GeneratorExp):
                args += self.reader.written_out(inside, state) or [arg]
            else:
                args.append(arg)
        return (
            node if args == node.args else ast.copy_location(ast.Call(node.func, args, node.keywords), node)
        )

    def library_name(self, node: ast.Call) -> str:
        """The name of the library function that is called; empty for user code."""
        base = node.func
        while isinstance(base, ast.Attribute):
            base = base.value
        if not isinstance(base, ast.Name):  # a method of what another call gives
            return ""
        target = self.scope.constant(node.func)
        home = (getattr(target, "__module__", "") or "").split(".")[0]
        return str(getattr(target, "__name__", "")) if home in ("everycase", "hypothesis") else ""

    # --- everycase's and Hypothesis' own ----------------------------------------------------------------

    def fresh(self, name: str | None, kind: Type) -> Expr:
        return x.var(f"{name or 'drawn'}'{next(self.reader.counter)}", kind)

    def _any(self, kind: Type, state: ReadState, name: str | None) -> Drawn:
        made = self.fresh(name, kind)
        for after in state.draw(DrawStep(made)).assume(invariant(self.program.library.functions, made)):
            yield after, made

    def _exactly(self, node: ast.Call, count: int) -> list[ast.expr]:
        """The arguments of a call that takes this many, by position."""
        if len(node.args) != count or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
        return node.args

    def _integers(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        given = self.pure.calls.arguments(node, ("min_value", "max_value"), node.args)
        if set(given) - {"min_value", "max_value"}:
            self.scope.fail(node)
        for after, low in self.bound(given.get("min_value"), state):
            for last, high in self.bound(given.get("max_value"), after):
                made = self.fresh(name, INT)
                yield last.draw(DrawStep(made, low, high)), made

    def bound(self, node: ast.expr | None, state: ReadState) -> Iterator[tuple[ReadState, Expr | None]]:
        if node is None or _is_none(node):
            yield state, None
            return
        for after, given in self.reader.expression(node, state, None):
            missing = given.type.of_kind("none") if isinstance(given.type, DataType) else None
            if missing is None:
                yield after, self.values.coerce(given, INT, node)
                continue
            for without in after.assume(x.is_con(missing, given)):
                yield without, None
            for limited in after.assume(x.not_(x.is_con(missing, given))):
                yield limited, self.values.coerce(given, INT, node)

    def _booleans(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        self._exactly(node, 0)
        yield from self._any(BOOL, state, name)

    def _one_character(self, node: ast.Call, state: ReadState, expected: Any, name: str | None) -> Drawn:
        """``characters(...)``: a string of one character."""
        if not self.program.library.types.open_text:
            made = self.fresh(name, TEXT)
            size = text_length(self.program.library.functions, made)
            if node.args or node.keywords:
                self.scope.fail(node, f"the arguments of {ast.unparse(node)}")
            for after in state.draw(DrawStep(made)).assume(x.eq(size, x.integer(1))):
                yield after, made
            return
        code = self.fresh(name, INT)
        allowed = x.substitute(self.strategies.characters_between(node, state), {CODE: code})
        for after in state.draw(DrawStep(code)).assume(allowed):
            yield after, self.pure.containers.character(code)

    def _from_type(self, node: ast.Call, state: ReadState, _: Any, name: str | None) -> Drawn:
        (annotation,) = self._exactly(node, 1)
        kind = self.program.library.annotation(annotation, self.reader.source)
        if any(_registered(plain) for plain in (int, bool, str, list, tuple)):
            self.scope.fail(node, "from_type, when a generator was registered for a type of Python's own")
        for part in kind.parts if isinstance(kind, DataType) else ():
            if part.by_inheritance:
                self.scope.fail(node, f"from_type of {part.name}, which does not make values of subclasses")
            for c in part.constructors:
                if c.kind in ("class", "enum", *KINDS) and _registered(c.native):
                    self.scope.fail(node, f"from_type of {c.name}, for which a generator was registered")
        yield from self._any(kind, state, name)

    def _just(self, node: ast.Call, state: ReadState, expected: Any, _: str | None) -> Drawn:
        yield from self.reader.expression(self._exactly(node, 1)[0], state, expected)

    def _none(self, node: ast.Call, state: ReadState, expected: Any, _: str | None) -> Drawn:
        self._exactly(node, 0)
        yield from self.reader.value(ast.copy_location(ast.Constant(None), node), state, expected)

    def _nothing(self, *_: Any) -> Drawn:
        return iter(())

    def _one_of(self, node: ast.Call, state: ReadState, expected: Any, name: str | None) -> Drawn:
        if node.keywords:
            self.scope.fail(node)
        yield from self._alternatives(self._options(node, state), state, expected, name)

    def _options(self, node: ast.Call, state: ReadState) -> list[ast.expr]:
        """The generators given to one_of, in a row or as one list, which may have a name."""
        only = node.args[0] if len(node.args) == 1 else None
        only = only.value if isinstance(only, ast.Starred) else only
        if isinstance(only, ast.Name) and only.id in state.strategies:
            held = state.strategies[only.id].node
            if isinstance(held, ast.List | ast.Tuple):
                names = {f"{only.id}'{i}" for i in range(len(held.elts))}
                return [ast.copy_location(ast.Name(n, ast.Load()), node) for n in sorted(names)]
        return list(only.elts) if isinstance(only, ast.List | ast.Tuple) else list(node.args)

    def _alternatives(
        self, parts: list[ast.expr], state: ReadState, expected: Any, name: str | None
    ) -> Drawn:
        """One of several generators; all of them are made first, so an impossible one is an error for all."""
        for part in parts:
            if any(self.reader.is_draw(n) for n in ast.walk(part)):
                self.scope.fail(part, "a draw inside one of several generators; give it a name first")
        for possible in state.assume(x.and_(*(c for p in parts for c in self.makes_sense(p, state)))):
            for part in parts:
                yield from self.sample(part, possible, expected, name)

    def makes_sense(self, node: ast.expr, state: ReadState) -> list[Expr]:
        """When Python can make this generator: ``integers(1, n)`` is an error if n is 0."""
        if isinstance(node, ast.BinOp):
            return self.makes_sense(node.left, state) + self.makes_sense(node.right, state)
        if not isinstance(node, ast.Call):
            return []
        called = node.func
        if (
            isinstance(called, ast.Attribute)
            and called.attr in METHODS
            and self.strategies.is_strategy(called.value, state)
        ):
            return self.makes_sense(called.value, state)
        parts = [*node.args, *(k.value for k in node.keywords)]
        match self.library_name(node):
            case "one_of":
                return [c for part in self._options(node, state) for c in self.makes_sense(part, state)]
            case "tuples" | "builds":
                return [c for part in parts for c in self.makes_sense(part, state)]
            case "lists":
                sizes = [k.value for k in node.keywords if k.arg in ("min_size", "max_size")]
                inside = [*node.args, *(k.value for k in node.keywords if k.arg == "elements")]
                found = [c for part in inside for c in self.makes_sense(part, state)]
                return found + self._computable(sizes, state) + self._sizes(node, state)
            case "from_type" | "enums":
                return []
            case "recursive":
                return self.makes_sense(parts[0], state)
            case "integers":
                given = self.pure.calls.arguments(node, ("min_value", "max_value"), node.args)
                low, high = (given.get(k) for k in ("min_value", "max_value"))
                bounds = [b for b in (low, high) if b is not None and not _is_none(b)]
                numbers = [self.pure.expr(b, state.env, INT) for b in bounds]
                return self._computable(bounds, state) + ([x.le(*numbers)] if len(numbers) == 2 else [])
            case "sampled_from":
                return self._some_option(parts, state)
        generators = [p for p in parts if self.is_strategy(p, state)]
        found = [c for part in generators for c in self.makes_sense(part, state)]
        return found + self._computable([p for p in parts if p not in generators], state)

    def _sizes(self, node: ast.Call, state: ReadState) -> list[Expr]:
        """``min_size`` must not be negative, nor above ``max_size``."""
        given = {k.arg: k.value for k in node.keywords if k.arg in ("min_size", "max_size")}
        known = {n: self.pure.expr(v, state.env) for n, v in given.items() if not _is_none(v)}
        low, high = known.get("min_size", x.integer(0)), known.get("max_size")
        if any(e.type is not INT for e in known.values()):
            return []
        return [x.le(x.integer(0), low), *([x.le(low, high)] if high is not None else [])]

    def _computable(self, nodes: list[ast.expr], state: ReadState) -> list[Expr]:
        """When Python can compute these; only field access and calls can fail."""
        risky = (ast.Subscript, ast.Attribute, ast.Call)
        found = [
            self.pure.expr(n, state.env) for n in nodes if any(isinstance(m, risky) for m in ast.walk(n))
        ]
        return [c for e in found for c in needed(e, state.conditions)]

    def _some_option(self, parts: list[ast.expr], state: ReadState) -> list[Expr]:
        """There must be something to sample from."""
        match parts:
            case [ast.List(elts=options) | ast.Tuple(elts=options)]:
                return self._computable(options, state) if options else [FALSE]
            case [ast.Call(args=[*bounds])] if self.scope.is_builtin(parts[0].func, range, state.env):  # type: ignore[attr-defined]
                ends = [self.pure.expr(b, state.env, INT) for b in bounds]
                return [x.lt(ends[0] if len(ends) == 2 else x.integer(0), ends[-1])]
            case [ast.expr() as only] if (known := self.scope.evaluated(only, state.env)) is not None:
                return [] if known else [FALSE]
            case [ast.expr() as only] if not self.scope.is_constant(only, state.env):
                items = self.pure.expr(only, state.env)
                if isinstance(items.type, DataType) and items.type.is_list:
                    return [*needed(items, state.conditions), x.is_con(items.type.constructors[1], items)]
        return []

    def _sampled_from(self, node: ast.Call, state: ReadState, expected: Any, name: str | None) -> Drawn:
        (values,) = self._exactly(node, 1)
        many = self._one_of_many(values, state, name)
        if many is not None:
            yield many
            return
        match values:
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                for part in parts:
                    yield from self.reader.expression(part, state, expected)
            case ast.Call(args=[*bounds], keywords=[]) if 1 <= len(bounds) <= 2 and self.scope.is_builtin(
                values.func, range, state.env
            ):
                low = bounds[0] if len(bounds) == 2 else ast.copy_location(ast.Constant(0), node)
                for after, first in self.reader.expression(low, state, INT):
                    for last, end in self.reader.expression(bounds[-1], after, INT):
                        made = self.fresh(name, INT)
                        yield last.draw(DrawStep(made, first, x.sub(end, x.integer(1)))), made
            case ast.Constant(value=str() as letters) if letters:
                for letter in letters:
                    yield state, self.values.embed(letter, expected, node)
            case ast.Name() | ast.Attribute() if self.scope.is_constant(values, state.env):
                options = self.scope.constant(values)
                if isinstance(options, type):
                    yield from self._any(
                        self.program.library.annotation(values, self.reader.source), state, name
                    )
                    return
                if not isinstance(options, list | tuple | range | set | frozenset | str | dict):
                    self.scope.fail(node)
                for value in options:
                    yield state, self.values.embed(value, expected, node)
            case ast.Name(id=held) if (several := self._known_options(held, state)) is not None:
                for one in several:
                    yield state, self.values.coerce(one, expected, node) if expected else one
            case _ if (options := self.scope.evaluated(values, state.env)) is not None:
                for value in options:
                    found = (
                        None if isinstance(value, enum.Enum) else self.pure.containers.constant(value, node)
                    )
                    yield state, found or self.values.embed(value, expected, node)
            case _:
                for after, items in self.reader.expression(values, state, None):
                    if not isinstance(items.type, DataType) or not items.type.is_list:
                        self.scope.fail(node)
                    kind: DataType = items.type
                    if self.reader.spreading.is_short(items, after):
                        for known, options in self.reader.spreading.elements(items, after, node):
                            for option in options:
                                yield known, option
                        continue
                    made = self.fresh(name, kind.element)
                    inside = AssumeStep(member(self.program.library.functions, items, made))
                    yield replace(after, steps=(*after.steps, DrawStep(made), inside)), made

    def _known_options(self, name: str, state: ReadState) -> list[Expr] | None:
        """The parts of a tuple that has a name; None for anything else."""
        e = state.env.get(name)
        if e is None or not isinstance(e.type, DataType) or len(e.type.constructors) != 1:
            return None
        made = e.type.as_tuple
        return [x.field(made, i, e) for i in range(len(made.fields))] if made is not None else None

    def _one_of_many(
        self, node: ast.expr, state: ReadState, name: str | None
    ) -> tuple[ReadState, Expr] | None:
        """One draw for many numbers or strings, instead of one path for each of them."""
        options = self.scope.fixed(node, state.env)
        if not isinstance(options, list | tuple | str) or not FEW < len(options) <= LISTED:
            return None
        types_, opened = {type(o) for o in options}, self.program.library.types.open_text
        if types_ == {int}:
            made, tests = (drawn := self.fresh(name, INT)), [x.eq(drawn, x.integer(int(o))) for o in options]
        elif types_ == {str} and not opened:
            made, tests = (drawn := self.fresh(name, TEXT)), [x.eq(drawn, x.const(o, TEXT)) for o in options]
        elif types_ == {str} and all(len(o) == 1 for o in options):
            drawn = self.fresh(name, INT)
            made = self.pure.containers.character(drawn)
            tests = [x.eq(drawn, x.integer(ord(str(o)))) for o in options]
        else:
            return None
        steps = (*state.steps, DrawStep(drawn), AssumeStep(x.or_(*dict.fromkeys(tests))))
        return replace(state, steps=steps), made

    def _permutations(self, node: ast.Call, state: ReadState, expected: Any, _: str | None) -> Drawn:
        """Every order of a few values that are known one by one."""
        (values,) = self._exactly(node, 1)
        for after, items in self.reader.cases(values, state, node):
            if len(items) > PERMUTED:
                self.scope.fail(node, f"permutations of more than {PERMUTED} values")
            kind = expected if isinstance(expected, DataType) and expected.is_list else None
            if kind is None and not items:
                self.scope.fail(node, "an empty list whose element type is not known here")
            kind = kind or self.program.library.types.list_of(items[0].type)
            for order in dict.fromkeys(itertools.permutations(items)):
                yield after, listed([self.values.coerce(e, kind.element, node) for e in order], kind)

    def _tuples(self, node: ast.Call, state: ReadState, expected: Any, _: str | None) -> Drawn:
        self._exactly(node, len(node.args))
        wanted = expected.of_kind("tuple") if isinstance(expected, DataType) else None
        kinds: list[Type | None] = [None] * len(node.args)
        if wanted is not None and len(wanted.fields) == len(node.args):
            kinds = [t for _, t in wanted.fields]
        for after, parts in self._each(list(node.args), kinds, state):
            kind = self.program.library.types.tuple_of(tuple(p.type for p in parts))
            yield after, x.con(kind.constructors[0], *parts)

    def _builds(self, node: ast.Call, state: ReadState, expected: Any, _: str | None) -> Drawn:
        if not node.args or isinstance(node.args[0], ast.Starred):
            self.scope.fail(node)
        cls = self.scope.constant(node.args[0])
        if isinstance(cls, types.FunctionType):
            yield from self._built_by(cls, node, state, expected)
            return
        kind: Type | None = expected if isinstance(expected, DataType) and expected.by_class(cls) else None
        try:
            kind = kind or self.program.library.types.resolve(cls, self.reader.source.scope)
        except UnknownType as error:
            self.scope.fail(node, str(error))
        made = kind.by_class(cls) if isinstance(kind, DataType) else None
        if made is None:
            self.scope.fail(node, f"builds of {ast.unparse(node.args[0])}")
        given = self.pure.calls.arguments(node, made.positional, node.args[1:])
        every = [(n, t) for n, (_, t) in zip(made.parameters, made.given_fields)]
        left = [(n, t) for n, t in every if n not in given]
        defaults = {p.parameter: p.default for p in parts_of_class(cls)}
        fixed = {
            n: self.pure.calls.default(defaults[n], n, t, node)
            for n, t in left
            if defaults[n] is not NO_DEFAULT
        }
        left = [(n, t) for n, t in left if n not in fixed]
        if set(given) - set(made.parameters) or any(not self._is_plain(cls, n, t) for n, t in left):
            self.scope.fail(node, f"builds of {cls.__name__} without a generator for every field")
        fields = [(n, t) for n, t in every if n in given]
        for after, parts in self._each([given[n] for n, _ in fields], [t for _, t in fields], state):
            for last, more in self._each_of_any([t for _, t in left], after):
                found = {**fixed, **dict(zip([n for n, _ in [*fields, *left]], [*parts, *more]))}
                value = constructed(made, [found[n] for n in made.parameters])
                allowed = in_range(self.program.library.functions, value)
                yield from ((done, value) for done in last.assume(x.and_(*allowed)))

    def _is_plain(self, cls: Any, name: str, kind: Type) -> bool:
        """A field without a default, which ``builds`` fills with any number, boolean or string."""
        default = {p.parameter: p.default for p in parts_of_class(cls)}[name]
        native = {INT: int, BOOL: bool, TEXT: str}.get(kind)  # type: ignore[call-overload]
        return native is not None and default is NO_DEFAULT and not _registered(native)

    def _each_of_any(self, kinds: list[Type], state: ReadState) -> Iterator[tuple[ReadState, list[Expr]]]:
        if not kinds:
            yield state, []
            return
        for after, first in self._any(kinds[0], state, None):
            for last, more in self._each_of_any(kinds[1:], after):
                yield last, [first, *more]

    def _built_by(self, function: Any, node: ast.Call, state: ReadState, expected: Any) -> Drawn:
        """``builds(function, generators)``."""
        names = tuple(self.scope.source_of(function, node).parameters)
        given = self.pure.calls.arguments(node, names, node.args[1:])
        if set(given) != set(names):
            self.scope.fail(node, f"builds of {function.__name__} without a generator for every parameter")
        for after, parts in self._each([given[n] for n in names], [None] * len(names), state):
            spots = [f"built'{next(self.reader.counter)}" for _ in names]
            env = {**after.env, **dict(zip(spots, parts))}
            call = ast.Call(node.args[0], [ast.Name(s, ast.Load()) for s in spots], [])
            ast.fix_missing_locations(ast.copy_location(call, node))
            for done, made in self.reader.value(call, replace(after, env=env), expected):
                yield replace(done, env=after.env), made

    def _each(
        self, nodes: list[ast.expr], kinds: list[Any], state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        if not nodes:
            yield state, []
            return
        for after, first in self.sample(nodes[0], state, kinds[0], None):
            made = self.values.coerce(first, kinds[0], nodes[0]) if kinds[0] else first
            for last, more in self._each(nodes[1:], kinds[1:], after):
                yield last, [made, *more]

    # --- generators of the user -------------------------------------------------------------------------

    def _call(self, target: Any, node: ast.Call, state: ReadState, name: str | None) -> Drawn:
        """A call of another generator: by its promise if it has one, else by its body."""
        for drawn, call in self.reader.children(node, state):
            assert isinstance(call, ast.Call)
            generator = self.program.called(target, self.reader.source, node)
            if generator is not None:
                names, kinds = [p.data for p in generator.params], [p.type for p in generator.params]
                for after, args in self._arguments(target, call, names, kinds, drawn):
                    made = self.fresh(name, generator.result)
                    yield after.draw(DrawStep(made, generator=generator, args=tuple(args))), made
                continue
            yield from self._read_call(target, node, call, drawn)

    def _read_call(self, target: Any, node: ast.Call, call: ast.Call, state: ReadState) -> Drawn:
        """A call of a generator without a promise; some of its arguments may be generators."""
        source = self.scope.source_of(target, node)
        every = tuple(source.parameters[1:])
        given = self.pure.calls.arguments(call, every, call.args)
        if source.file == self.reader.source.file:  # a default that is a generator, which means the same here
            usual = {
                n: d for n, d in source.defaults.items() if self.is_strategy(d, replace(state, strategies={}))
            }
            given = {**{n: d for n, d in usual.items() if n in every}, **given}
        given = self.pure.calls.with_defaults(target, every, given, call)
        generators = [n for n in every if n in given and self.is_strategy(given[n], state)]
        names = [n for n in every if n not in generators]

        def hold(i: int, current: ReadState, held: dict[str, Any]) -> Drawn:
            if i < len(generators):
                for after, one in self.strategies.given_generator(given[generators[i]], current):
                    yield from hold(i + 1, after, {**held, generators[i]: one})
                return
            kinds: list[Type | None] = []
            if not generators:
                kinds += self.program.parameter_types(source, target)
            else:  # it cannot be run to infer anything: a value has the type that it has
                written = {s.arg: s.annotation for s in source.spots}
                library = self.program.library
                kinds += [library.annotation(a, source) if (a := written[n]) else None for n in names]
            for after, args in self._filled([given[n] for n in names], kinds, current):
                yield from self._read(target, dict(zip(names, args)), held, node, after)

        yield from hold(0, state, {})

    def _read(
        self, target: Any, env: dict[str, Expr], held: dict[str, Any], node: ast.AST, state: ReadState
    ) -> Drawn:
        source = self.scope.source_of(target, node)
        assert isinstance(source.node, ast.FunctionDef)
        # the result of generators that are passed as arguments has the type that they decide
        result = None if held else self.program.result_type(source, target)
        with self.program.inlining(target, self.reader.source, node):
            paths = list(self.reader.inside(source, result, env, held))  # what follows is not inside of it
        for path in paths:
            if path.ending == "hole":
                self.scope.fail(node, "a call of a generator with holes and without covers")
            if path.result is not None:
                steps, computed = state.steps + path.steps, state.computed + path.computed
                yield replace(state, steps=steps, computed=computed), path.result

    def _arguments(
        self, target: Any, call: ast.Call, names: list[str], kinds: list[Type], state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        spots = tuple(names)
        given = self.pure.calls.with_defaults(
            target, spots, self.pure.calls.arguments(call, spots, call.args), call
        )
        yield from self._filled([given[n] for n in names], kinds, state)

    def _filled(
        self, nodes: list[ast.expr], kinds: Sequence[Type | None], state: ReadState
    ) -> Iterator[tuple[ReadState, list[Expr]]]:
        """The values of arguments, from left to right."""
        if not nodes:
            yield state, []
            return
        for after, value in self.reader.value(nodes[0], state, kinds[0]):
            for last, more in self._filled(nodes[1:], kinds[1:], after):
                yield last, [value, *more]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _registered(cls: Any) -> bool:
    """Was another generator registered for this type with ``from_type``?"""
    from everycase.gen.types import REGISTRY

    kind = cls if isinstance(cls, type) else type(cls)
    return REGISTRY.told(kind) is not None or _registered_with_hypothesis(kind)


#: how Hypothesis prints its own strategies for these types, unless others were registered
_BY_DEFAULT = {
    int: "integers()",
    bool: "booleans()",
    str: "text()",
    float: "floats()",
    datetime.date: "dates()",
    datetime.datetime: "datetimes()",
    datetime.time: "times()",
    datetime.timedelta: "timedeltas()",
}


def _registered_with_hypothesis(kind: type) -> bool:
    home = sys.modules.get("hypothesis.strategies._internal.types")
    lookup = getattr(home, "_global_type_lookup", {})
    if kind in _BY_DEFAULT:
        return kind in lookup and repr(lookup[kind]) != _BY_DEFAULT[kind]
    if kind in (list, tuple, set, frozenset, dict):
        maker = getattr(lookup.get(kind), "__module__", None) or "hypothesis"
        return kind in lookup and not maker.startswith("hypothesis")
    return kind in lookup
