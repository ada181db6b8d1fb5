"""Read a generator: follow its statements, and keep every way through them. Draws inside expressions are read in ``hoisting``."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.by_cases import ByCases
from everycase.complete.frontend.comprehensions import Comprehensions
from everycase.complete.frontend.draws import Drawing
from everycase.complete.frontend.hoisting import Hoisting
from everycase.complete.frontend.limits import impossible
from everycase.complete.frontend.local_functions import LocalFunctions, LocalReturn
from everycase.complete.frontend.loops import Loops
from everycase.complete.frontend.mutation import CHANGES, Mutation
from everycase.complete.frontend.patterns import exhaustive
from everycase.complete.frontend.program import Generator, Infer, Path, Program
from everycase.complete.frontend.reading import Drawn, ReadState, Ways
from everycase.complete.frontend.rewriting import Errors, Rewriting, stays
from everycase.complete.frontend.source import FunctionSource, source_of
from everycase.complete.frontend.spreading import Spreading
from everycase.complete.frontend.strategies import Held
from everycase.complete.frontend.translate import Statements, rebound
from everycase.complete.language import expressions as x
from everycase.complete.language.definedness import needed
from everycase.complete.language.expressions import FALSE, Env, Expr
from everycase.complete.language.list_functions import listed
from everycase.complete.language.types import INT, TEXT, DataType, Type, UnknownType
from everycase.complete.language.wrapped import in_range
from everycase.complete.specification import Unsupported
from everycase.errors import EverycaseError

NO_DRAW = "no draw'"  # the name of what a function without draw draws with
#: Functions that tell a person something, or guide a search.
_TELLING = ("note", "event", "target", "maximize", "minimize", "label", "classify", "collect", "tabulate")

LIMIT = 400  # maximum number of paths; more than a person writes by hand


def new_program(
    clock: Clock | None = None,
    infer: Infer | None = None,
    open_text: bool = False,
    lenient: bool = False,
    case_by_case: bool = False,
) -> Program:
    """A program without generators yet; they are read from their sources as they are asked for."""
    return Program(read, clock, infer, open_text, lenient, case_by_case)


def read(generator: Generator) -> list[Path]:
    """Every way through the body of a generator."""
    reader = GeneratorReader(generator.program, generator.source, generator.result, itertools.count(1))
    env = {p.data: p for p in generator.params}
    generators = {}
    for name, node in generator.fixed.items():
        if reader.drawer.is_strategy(node, ReadState({}, ())):
            generators[name] = Held(node, {}, {}, reader.drawer)
        else:
            env[name] = reader.pure.expr(node, {})
    return reader.paths(env, generators)


class GeneratorReader:
    """Walks one generator's body. Draws inside expressions are taken out, left to right, before the rest of
    the expression is translated as a pure one."""

    def __init__(
        self,
        program: Program,
        source: FunctionSource,
        result: Type | None,
        counter: Iterator[int],
        draw: str = "",
    ) -> None:
        assert isinstance(source.node, ast.FunctionDef)
        self.program, self.source, self.result = program, source, result
        self.statements = Statements(program.library, source)
        self.pure = self.statements.expressions
        self.scope, self.values = self.pure.scope, self.pure.values
        self.draw = draw or source.spots[0].arg
        #: everycase rejects an impossible generator where it is made, Hypothesis where it is drawn from
        self.eager = not _uses_hypothesis(source)
        self.counter = counter
        self.drawer = Drawing(self)
        self.spreading, self.local_functions = Spreading(self), LocalFunctions(self)
        self.by_cases, self.rewriting = ByCases(self, self.spreading), Rewriting(self)
        self.errors = Errors(self, self.by_cases)
        self.loops, self.mutation = Loops(self), Mutation(self, self.spreading)
        self.comprehensions = Comprehensions(self, self.loops, self.spreading)
        self.hoisting = Hoisting(
            self, self.draw, self.drawer, self.comprehensions, self.local_functions, self.mutation
        )
        self.children, self.written_out = self.hoisting.children, self.comprehensions.written_out
        self.cases = self.loops.cases

    def paths(self, env: Env, generators: Mapping[str, Any] | None = None) -> list[Path]:
        """All paths, in the order of the source."""
        found = []
        assert isinstance(self.source.node, ast.FunctionDef)
        start = ReadState(env, (), strategies=generators or {})
        for state, path in self.block(self.source.node.body, start):
            if path is None:
                self.scope.fail(self.source.node, "a generator that can end without return")
            else:
                self.program.clock.check()
                done = replace(path, steps=state.steps, locals=state.env, scripted=state.scripted)
                done = replace(done, computed=state.computed, drawn=state.drawn, spread=state.spread)
                if any(x.occurs(h, e) for h in state.hidden for e in done.expressions):
                    self.scope.fail(
                        path.node,
                        "a drawn list that is used both as it is and sorted, filtered or taken apart",
                    )
                if path.ending in ("break", "continue"):
                    self.scope.fail(path.node)
                found.append(done)
            if len(found) > LIMIT:
                self.scope.fail(self.source.node, f"a generator with more than {LIMIT} paths")
        return found

    def inside(
        self, source: FunctionSource, result: Type | None, env: Env, generators: Mapping[str, Any]
    ) -> list[Path]:
        """The paths of another generator that is read as a part of this one, and may get generators as
        arguments."""
        return GeneratorReader(self.program, source, result, self.counter).paths(env, generators)

    def helper(
        self, source: FunctionSource, result: Type | None = None, draw: str = NO_DRAW
    ) -> GeneratorReader:
        """A reader of a plain function that returns a generator, or that gets ``draw``."""
        return GeneratorReader(self.program, source, result, self.counter, draw=draw)

    # --- statements -------------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt], state: ReadState) -> Ways:
        if not statements:
            yield state, None
            return
        for after, path in self.statement(statements[0], state):
            if path is None:
                yield from self.block(statements[1:], after)
            else:
                yield after, path

    def statement(self, node: ast.stmt, state: ReadState) -> Ways:
        if (simpler := self.rewriting.simpler(node, state)) is not None:
            yield from self.block(simpler, state)
            return
        match node:
            case LocalReturn():
                yield from self.local_functions.returned(node, state)
            case ast.FunctionDef():
                yield self.local_functions.define(node, state), None
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                yield self.local_functions.name_lambda(name, function, state), None
            case ast.Return(value=ast.Constant(value=v)) | ast.Expr(value=ast.Constant(value=v)) if (
                v is Ellipsis
            ):
                yield state, Path((), None, "hole", node, {})
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                yield state, None
            case ast.Expr(value=ast.Call() as call) if self._only_tells(call, state):
                yield state, None
            case (
                ast.Expr(value=ast.Call() as call)
                | ast.Return(value=ast.Call() as call)
                | ast.Assign(targets=[ast.Name(id="_")], value=ast.Call() as call)
            ) if (giving_up := self._giving_up(call)) is not None:
                yield from self._give_up(giving_up, call, node, state)
            case ast.Return(value=ast.expr() as value):
                for after, made in self.expression(value, state, self.result):
                    for last, settled in self.spreading.settled(made, after):
                        yield last, Path((), settled, "return", node, {})
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Delete() | ast.Expr():
                yield from self._assignment(node, state)
            case ast.Assert(test=test):  # an assertion that fails makes no value
                for after, holds in self.condition(test, state):
                    for kept in after.assume(holds):
                        yield kept, None
            case ast.Raise():  # no value is made where an error is raised
                if node.exc is None:
                    self.scope.fail(node)
                for after, _ in self.hoisting.hoist(node.exc, state, None):
                    yield after, Path((), None, "reject", node, {})
            case ast.For():
                yield from self.loops.for_loop(node, state)
            case ast.While():
                yield from self.loops.while_loop(node, state)
            case ast.Break() | ast.Continue():
                ending = "break" if isinstance(node, ast.Break) else "continue"
                yield state, Path((), None, ending, node, {})
            case ast.If():
                for after, condition in self.condition(node.test, state):
                    for outcome, body in ((condition, node.body), (x.not_(condition), node.orelse)):
                        for branch in after.assume(outcome) if not impossible(outcome, after) else ():
                            yield from self.block(body, branch)
            case ast.Try():
                yield from self.errors.handled(node, state)
            case ast.Match():
                for after, subject in self.expression(node.subject, state, None):
                    yield from self._match(node, subject, after)
            case _:
                self.scope.fail(node)

    def _assignment(self, node: ast.stmt, state: ReadState) -> Ways:
        """Names that get a value or a generator, and values that are changed in place."""
        changed = self._changed(node, state)
        if changed is not None:
            yield from changed
            return
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if self.drawer.strategies.is_strategy(
                value, state
            ):
                for after, rest in self.hoisting.hoist(value, state, None):
                    for held, generator in self.drawer.strategies.hold(rest, after):
                        env = {k: v for k, v in held.env.items() if k != name}
                        yield replace(held, env=env, strategies={**held.strategies, name: generator}), None
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as value) if (
                self.drawer.strategies.is_list_of_strategies(value, state)
            ):
                for held in self.drawer.strategies.hold_several(name, value, state):
                    yield replace(held, env={k: v for k, v in held.env.items() if k != name}), None
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(args=[ast.Call(args=[ast.List() | ast.Tuple() as options]) as inner]) as drawn,
            ) if (
                self.is_draw(drawn)
                and self.drawer.library_name(inner) == "sampled_from"
                and self.drawer.strategies.is_list_of_strategies(options, state)
            ):
                for option in options.elts:
                    for held, generator in self.drawer.strategies.hold(option, state):
                        env = {k: v for k, v in held.env.items() if k != name}
                        chosen = replace(held, env=env, strategies={**held.strategies, name: generator})
                        yield replace(chosen, scripted=False), None
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="pop")) as call) if self.hoisting.is_pop(
                call, state
            ):
                for after, _ in self.hoisting.hoist(call, state, None):
                    yield after, None
            case ast.Assign(targets=[ast.Tuple(elts=spots)], value=ast.Tuple(elts=values)) if _independent(
                spots, values
            ):
                each = [ast.Assign([s], v) for s, v in zip(spots, values)]
                yield from self.block(
                    [ast.fix_missing_locations(ast.copy_location(s, node)) for s in each], state
                )
            case ast.Assign(targets=[target], value=value):
                names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
                for after, made in self.expression(value, state, None, target):
                    for last, whole in self._unpacked(target, made, after):
                        bound = replace(last, env=self.pure.bind(target, whole, last.env))
                        yield bound.without(names), None
            case ast.Assign(targets=[_, _, *_] as targets, value=value):
                spot = f"same'{next(self.counter)}"
                for after, made in self.expression(value, state, None):
                    if not stays(made.type):
                        self.scope.fail(node, f"several names for one value of type {made.type}")
                    each = [ast.Assign([t], ast.Name(spot, ast.Load())) for t in targets]
                    copies = [ast.fix_missing_locations(ast.copy_location(s, node)) for s in each]
                    yield from self.block([*copies], after.bind(spot, made))
            case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value):
                kind = self.program.library.annotation(node.annotation, self.source)
                for after, made in self.expression(value, state, kind, target):
                    yield after.bind(name, made), None
            case ast.AugAssign(target=ast.Name() as target):
                value = self.statements.updated(node, state.env)
                for after, made in self.expression(value, state, INT):
                    yield after.bind(target.id, made), None
            case _:
                self.scope.fail(node)

    def _changed(self, node: ast.stmt, state: ReadState) -> Ways | None:
        """A change of a list, a set, a dictionary or a record in place; None for any other statement."""
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=args, keywords=[])
            ) if name in state.env and attr in CHANGES and len(args) == CHANGES[attr]:
                is_set = self.pure.containers.of_kind(state.env[name], "set")
                change = self.mutation.change_set if is_set else self.mutation.change
                return change(name, attr, args, node, state)
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)]) if name in state.env:
                return self.mutation.set_field(name, attr, node.value, node, state)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)]) if (
                name in state.env and self.mutation.is_dictionary(state.env[name])
            ):
                return self.mutation.set_key(name, key, node.value, node, state)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as place))]
            ):
                return self.mutation.put(name, place, node.value, node, state)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=place)]) if (
                name in state.env and not isinstance(place, ast.Slice)
            ):
                return self.mutation.put_somewhere(name, place, node.value, node, state)
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name), slice=place)]) if (
                name in state.env and not isinstance(place, ast.Slice)
            ):
                return ((after, None) for after, _ in self.mutation.taken(name, place, node, state))
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")) as call
            ) if name in state.env and self.mutation.is_dictionary(state.env[name]):
                return self.block(self.mutation.updates(name, call, node), state)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if (
                before := state.env.get(name)
            ) is not None and self.pure.containers.items(before) is before:
                return self.mutation.change(name, "extend", [value], node, state)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item], keywords=[]
                )
            ) if name in state.env:
                return self.mutation.append(name, item, node, state)
        return None

    def _unpacked(self, target: ast.expr, value: Expr, state: ReadState) -> Iterator[tuple[ReadState, Expr]]:
        """``a, b = xs``: a list with exactly that many elements can be unpacked like a tuple."""
        kind = value.type
        if not isinstance(target, ast.Tuple) or not isinstance(kind, DataType) or not kind.is_list:
            yield state, value
            return
        nil, cons = kind.constructors
        if any(isinstance(part, ast.Starred) for part in target.elts):
            yield from self._unpacked_with_star(target, value, state)
            return
        items, shape, rest = [], [], value
        for _ in target.elts:
            shape.append(x.is_con(cons, rest))
            items.append(x.field(cons, 0, rest))
            rest = x.field(cons, 1, rest)
        made = self.program.library.types.tuple_of((kind.element,) * len(items))
        for after in state.assume(x.and_(*shape, x.is_con(nil, rest))):
            yield after, x.con(made.constructors[0], *items)

    def _unpacked_with_star(
        self, target: ast.Tuple, value: Expr, state: ReadState
    ) -> Iterator[tuple[ReadState, Expr]]:
        """``first, *rest = xs``."""
        kind = value.type
        assert isinstance(kind, DataType)
        places = [i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)]
        if places != [len(target.elts) - 1]:
            behind = len(target.elts) - places[0] - 1
            for after, known in self.loops.shapes(value, state, target):
                if len(known) >= len(target.elts) - 1:
                    middle = listed(known[places[0] : len(known) - behind], kind)
                    whole = [*known[: places[0]], middle, *known[len(known) - behind :]]
                    several = self.program.library.types.tuple_of(tuple(e.type for e in whole))
                    yield after, x.con(several.constructors[0], *whole)
            return
        front = target.elts[:-1]
        cons = kind.constructors[1]
        items, shape = [], []
        for _ in front:
            shape.append(x.is_con(cons, value))
            items.append(x.field(cons, 0, value))
            value = x.field(cons, 1, value)
        made = self.program.library.types.tuple_of((*(e.type for e in items), kind))
        for after in state.assume(x.and_(*shape)):
            yield after, x.con(made.constructors[0], *items, value)

    def _match(self, node: ast.Match, subject: Expr, state: ReadState) -> Ways:
        tests: list[Expr] = []
        for case in node.cases:
            test, env = self.statements.patterns.pattern(case.pattern, subject, state.env)
            fits = test
            earlier = [x.not_(t) for t in tests]
            useful = [t for t in earlier if not _disjoint(test, t)]
            if case.guard is not None:
                guard = self.pure.truth(case.guard, env)
                wrong = needed(guard, (*state.conditions, *x.conjuncts(test)))
                if wrong:
                    self.scope.fail(case.guard, "a guard that can raise an error")
                test = x.and_(test, guard)
            tests.append(test)
            for inside in replace(state, env=env).assume(x.and_(test, *useful)):
                yield from self.block(case.body, inside)
            if case.guard is not None:
                state = replace(state, env=rebound(state.env, env, fits))
        if not exhaustive(tests, subject):
            for left in state.assume(x.and_(*(x.not_(t) for t in tests))):
                yield left, None

    def _only_tells(self, call: ast.Call, state: ReadState) -> bool:
        """``print(...)``, ``note(...)``, ``event(...)`` and ``target(...)``, which change nothing that is made."""
        if not self.scope.is_constant(call.func, state.env) or any(self.is_draw(n) for n in ast.walk(call)):
            return False
        told = self.scope.constant(call.func)
        home = (getattr(told, "__module__", None) or "").split(".")[0]
        ours = home in ("everycase", "hypothesis") and getattr(told, "__name__", "") in _TELLING
        return (ours or told is print) and not any(
            isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(call) if n is not call
        )

    def _give_up(self, how: str, call: ast.Call, node: ast.stmt, state: ReadState) -> Ways:
        """``assume(condition)`` and ``reject()``."""
        if call.keywords or len(call.args) != (how == "assume"):
            self.scope.fail(node)
        if how == "reject":
            yield state, Path((), None, "reject", node, {})
            return
        if isinstance(node, ast.Return):
            self.scope.fail(node)
        for after, condition in self.condition(call.args[0], state):
            if condition == FALSE:
                yield after, Path((), None, "reject", node, {})
            for kept in after.assume(condition):
                yield kept, None

    def _giving_up(self, call: ast.Call) -> str | None:
        """``assume`` or ``reject`` if the call is one of these, of everycase, Hypothesis or the user."""
        if not isinstance(call.func, ast.Name | ast.Attribute):
            return None
        try:
            target = self.scope.constant(call.func)
        except EverycaseError:
            return None
        name, home = getattr(target, "__name__", ""), getattr(target, "__module__", None) or ""
        if home.split(".")[0] in ("everycase", "hypothesis"):
            return name if name in ("assume", "reject") else None
        return _written_by_hand(target)

    # --- expressions ------------------------------------------------------------------------------------

    def expression(
        self, node: ast.expr, state: ReadState, expected: Type | None, target: ast.expr | None = None
    ) -> Iterator[tuple[ReadState, Expr]]:
        """Take the draws out, then translate the rest; a choice gives several results."""
        name = target.id if isinstance(target, ast.Name) else None
        vague = self._is_empty(node, state) or isinstance(node, ast.Dict)
        if expected is None and name is not None and vague:
            expected = self._open(self._type_of_name(name), node)
        yield from self._read(
            node, state, expected, name, lambda rest, after: self.value(rest, after, expected)
        )

    def _read(
        self,
        node: ast.expr,
        state: ReadState,
        expected: Type | None,
        name: str | None,
        translated: Callable[[ast.expr, ReadState], Drawn],
    ) -> Drawn:
        """Take out the draws, ``sorted`` and places in lists that are only known case by case; what is left is translated, or
        computed by Python if there are few cases."""
        try:
            hoisted = list(self.hoisting.hoist(node, state, expected, name))
        except Unsupported:
            if (
                self.hoisting.draws(node, state)
                or (made := self._by_cases(node, state, expected, name)) is None
            ):
                raise
            yield from made
            return
        for after, rest in hoisted:
            first = self.program.case_by_case and _is_computed(rest)
            if first and (made := self._by_cases(rest, after, expected, name)) is not None:
                yield from made
                continue
            try:
                ways = list(self._translated(rest, after, translated))
            except Unsupported:
                if (made := self._by_cases(rest, after, expected, name)) is None:
                    raise
                ways = made
            yield from ways

    def _translated(
        self, node: ast.expr, state: ReadState, translated: Callable[[ast.expr, ReadState], Drawn]
    ) -> Drawn:
        for after, rest in self.comprehensions.pick(*self.comprehensions.sort(node, state)[::-1]):
            yield from translated(rest, after)

    def _by_cases(
        self, node: ast.expr, state: ReadState, expected: Type | None, name: str | None
    ) -> list[tuple[ReadState, Expr]] | None:
        """The results that Python computes; an empty list has the type of what the name is used for."""
        likely = self._type_of_name(name) if expected is None and name is not None else None
        return self.by_cases.expression(node, state, expected, likely)

    def _open(self, kind: Type | None, node: ast.expr) -> Type | None:
        """The type of a dictionary that does not have all of its keys yet: those that it has may be any."""
        made = kind.constructors[0] if isinstance(kind, DataType) else None
        if made is None or made.kind != "keys":
            return kind
        if isinstance(node, ast.Dict):
            given = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            if {*given} == {name for name, _ in made.fields}:
                return kind
        types = self.program.library.types
        inside = {t for _, t in made.fields}
        return types.wrapped_list(dict, types.tuple_of((TEXT, inside.pop()))) if len(inside) == 1 else kind

    def _is_empty(self, node: ast.expr, state: ReadState) -> bool:
        """``[]``, ``{}``, ``set()`` or what may turn out to be ``[]``."""
        match node:
            case ast.IfExp(body=one, orelse=other):
                return self._is_empty(one, state) or self._is_empty(other, state)
            case ast.List(elts=[]) | ast.Dict(keys=[]) | ast.ListComp():
                return True
            case ast.Call(func=ast.Name() as called, args=[], keywords=[]):
                return any(self.scope.is_builtin(called, kind, state.env) for kind in (list, dict, set))
        return False

    def _type_of_name(self, name: str) -> Type | None:
        """The type of ``name = []``, by where the name is returned, or put into a record."""
        for n in ast.walk(self.source.node):
            found = None
            match n:
                case ast.Return(value=ast.Tuple(elts=parts)) if isinstance(self.result, DataType):
                    made = self.result.as_tuple
                    if made is not None and len(made.fields) == len(parts):
                        at = (self._at(part, t, name) for part, (_, t) in zip(parts, made.fields))
                        found = next((t for t in at if t is not None), None)
                case ast.Return(value=ast.expr() as returned) if self.result is not None:
                    found = self._at(returned, self.result, name)
            if found is None and isinstance(n, ast.Call):
                found = self._field_of(n, name)
            if found is not None:
                return found
        return None

    def _at(self, node: ast.expr, kind: Type, name: str) -> Type | None:
        """The type of the name if ``node``, a value of this type, is the name or a copy of it: ``tuple(name)``."""
        match node:
            case ast.Name(id=same) if same == name:
                return kind
            case ast.Call(func=called, args=[ast.Name(id=same)]) if same == name and any(
                self.scope.is_builtin(called, copied, {}) for copied in (tuple, list, sorted, set, frozenset)
            ):
                return self._list_behind(kind)
        return None

    def _list_behind(self, kind: Type) -> Type | None:
        """The type of the list that a list, a tuple or a set of this type is made from."""
        if not isinstance(kind, DataType) or kind.is_list:
            return kind
        if kind.constructors[0].kind in ("sequence", "set"):
            return kind.constructors[0].fields[0][1]
        parts = {t for _, t in made.fields} if (made := kind.of_kind("tuple")) is not None else set()
        return self.program.library.types.list_of(parts.pop()) if len(parts) == 1 else None

    def _field_of(self, call: ast.Call, name: str) -> Type | None:
        """The type of the field that a constructor is given this name for."""
        called = call.func
        if not isinstance(called, ast.Name | ast.Attribute) or not self.scope.is_constant(called, {}):
            return None
        if not isinstance(cls := self.scope.constant(called), type):
            return None
        with contextlib.suppress(UnknownType):
            kind = self.program.library.types.resolve(cls, self.source.scope)
            made = kind.by_class(cls) if isinstance(kind, DataType) else None
            if made is not None:
                given = [*zip(made.positional, call.args), *((k.arg, k.value) for k in call.keywords)]
                types = {n: t for n, (_, t) in zip(made.parameters, made.fields)}
                at = (self._at(node, types[f], name) for f, node in given if f in types)
                return next((t for t in at if t is not None), None)
        return None

    def value(
        self, node: ast.expr, state: ReadState, expected: Type | None
    ) -> Iterator[tuple[ReadState, Expr]]:
        """A pure expression; the path continues only where Python can compute it."""
        yield from self._computed(self.pure.expr(node, state.env, expected), state)

    def condition(self, node: ast.expr, state: ReadState) -> Drawn:
        """An expression of which only the truth counts: the parts of ``xs and xs[0] > 1`` need not have one type."""
        asked = self._read(
            node,
            state,
            None,
            None,
            lambda rest, after: self._computed(self.pure.truth(rest, after.env), after),
        )
        for after, holds in asked:
            yield after, self.values.truth_of(holds, node)

    def _computed(self, made: Expr, state: ReadState) -> Drawn:
        """The path continues only where Python can compute this."""
        for after in state.assume(
            x.and_(*needed(made, state.conditions), *in_range(self.program.library.functions, made))
        ):
            yield (after.compute(made) if any(e.op == "call" for e in x.subterms(made)) else after), made

    def is_draw(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self.draw


def _is_computed(node: ast.expr) -> bool:
    """Is this more than a name, a constant, or a tuple or a list of them?"""
    plain = (ast.Name, ast.Constant, ast.expr_context, ast.Tuple, ast.List)
    return any(not isinstance(n, plain) for n in ast.walk(node))


def _uses_hypothesis(source: FunctionSource) -> bool:
    """Does the function see Hypothesis' strategies?"""
    names = {n.id for n in ast.walk(source.node) if isinstance(n, ast.Name)}
    homes = [getattr(source.scope.get(n), "__name__", "") or "" for n in names]
    homes += [getattr(source.scope.get(n), "__module__", "") or "" for n in names]
    return any(isinstance(h, str) and h.split(".")[0] == "hypothesis" for h in homes)


def _independent(spots: list[ast.expr], values: list[ast.expr]) -> bool:
    """Is ``a, b = x, y`` the same as ``a = x`` and then ``b = y``?"""
    names = {s.id for s in spots if isinstance(s, ast.Name)}
    read = {n.id for v in values for n in ast.walk(v) if isinstance(n, ast.Name)}
    starred = any(isinstance(v, ast.Starred) for v in values)
    return len(names) == len(spots) == len(values) and not names & read and not starred


def _disjoint(test: Expr, negated: Expr) -> bool:
    """Is ``negated`` implied because the two tests are for different constructors of the same term?"""
    other = x.not_(negated)
    ours = {e.args[0]: e.data for e in x.conjuncts(test) if e.op == "is"}
    return any(e.op == "is" and ours.get(e.args[0], e.data) is not e.data for e in x.conjuncts(other))


def _written_by_hand(target: Any) -> str | None:
    """The user's own ``assume`` (``if not condition: raise ...``) or ``reject`` (``raise ...``)."""
    if getattr(target, "__code__", None) is None:
        return None
    try:
        source = source_of(target)
        names = source.parameters
    except EverycaseError:
        return None
    if not isinstance(source.node, ast.FunctionDef) or source.node.decorator_list:
        return None
    body = [
        s for s in source.node.body if not isinstance(s, ast.Expr) or not isinstance(s.value, ast.Constant)
    ]
    match body, names:
        case [ast.Raise()], []:
            return "reject"
        case (
            [
                ast.If(
                    test=ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)), body=[ast.Raise()], orelse=[]
                )
            ],
            [only],
        ) if name == only:
            return "assume"
    return None
