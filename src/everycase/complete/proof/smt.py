"""The only module that uses Z3. It translates expressions, asks, and reads models back.

Constructors become algebraic datatypes, predicates uninterpreted functions (the caller adds their definitions
where they are needed), Python's ``//`` and ``%`` the solver's with the sign corrected. Queries are limited by
the solver's own step counter, not by the clock, so that answers do not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.language.expressions import (
    Expr,
    Function,
    functions_in,
    substitute,
    subterms,
    variables,
)
from everycase.complete.language.linear import without_floors
from everycase.complete.language.types import BOOL, INT, TEXT, DataType, Type, Value
from everycase.errors import InvalidArgument, missing_extra

STEPS = 6_000_000  # of the solver's resource counter; about four seconds
CLOCK = 20_000  # milliseconds for eliminating quantifiers
LONGEST = 2**31 - 1  # milliseconds that the solver understands


@dataclass(frozen=True)
class Answer:
    """``unsat``, ``sat`` with a model, or ``unknown``."""

    verdict: str
    model: dict[Expr, Value]


class Queries:
    """A directory for queries and their answers; ``index.txt`` lists those of the last question."""

    def __init__(self, directory: str | Path, asker: str) -> None:
        self.directory, self.count = Path(directory), 0
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            (self.directory / "index.txt").write_text("")
        except OSError as error:
            raise InvalidArgument(
                f"{asker}: smt_out must be a directory to write to, but {str(directory)!r} cannot be one: {error}"
            ) from error

    def write(self, label: str, text: str, answer: str) -> None:
        """One query; only the answer "unsat" is ever taken for a fact."""
        self.count += 1
        name = f"{self.count:04d}-{label}.smt2"
        (self.directory / name).write_text(f"; {label}: {answer}\n{text}")
        with (self.directory / "index.txt").open("a") as index:
            index.write(f"{name} {answer}\n")


class Solver:
    """Counts its queries, and writes them to a directory if requested.

    Its limit is counted in steps, not by the clock. But some of its work is not counted, and may never end:
    ``clock`` says when to give up anyway, and ``late`` that this happened.
    """

    def __init__(self, out: Queries | None = None, steps: int = STEPS, clock: Clock | None = None) -> None:
        try:
            import z3  # type: ignore[import-untyped]
        except ImportError:
            raise missing_extra("prove", "a proof of completeness") from None
        self.z3: Any = z3
        self.context: Any = z3.Context()  # its own, so that earlier questions do not change the answers
        self.queries = 0
        self.out, self.steps, self.clock = out, steps, clock or Clock()
        self.late = False
        self._sorts: dict[Type, Any] = {}
        self._functions: dict[Function, Any] = {}
        self._terms: dict[Expr, Any] = {}
        self._texts: dict[str, Fraction] = {}

    def ask(
        self,
        formulas: Iterable[Expr],
        never: Sequence[tuple[tuple[Expr, ...], Expr]] = (),
        wanted: Sequence[Expr] = (),
        label: str = "query",
    ) -> Answer:
        """Can all formulas hold together, while none of ``never`` holds for any values of the unknowns?

        ``unsat`` is certain. ``sat`` is a hint: definitions may be missing, and a "never" whose unknowns
        could not be eliminated is checked only for some values.
        """
        if self._milliseconds_left() == 0:
            return Answer("unknown", {})
        formulas = list(formulas)
        self._declare([*formulas, *(f for _, f in never), *wanted])
        solver = self.z3.Solver(ctx=self.context)
        solver.set("rlimit", self.steps)
        for f in formulas:
            solver.add(self.term(f))
        for unknowns, f in never:
            for part in self._never(unknowns, f, formulas):
                solver.add(part)
        self.queries += 1
        solver.set("timeout", max(1, self._milliseconds_left()))
        text = solver.to_smt2() if self.out is not None else ""
        verdict = str(solver.check())
        self._milliseconds_left()
        if self.out is not None:
            self.out.write(label, text, verdict)
        if verdict != "sat":
            return Answer(verdict, {})
        model = solver.model()
        return Answer(
            "sat", {w: self._read(w.type, model.eval(self.term(w), model_completion=True)) for w in wanted}
        )

    def _milliseconds_left(self) -> int:
        """None once it is too late, which it notes."""
        left = self.clock.by_the_wall()
        self.late = self.late or left <= 0
        return 0 if self.late else min(LONGEST, 1 + int(1000 * min(left, LONGEST)))

    # --- unknowns that could not be solved --------------------------------------------------------------

    def _never(self, unknowns: tuple[Expr, ...], f: Expr, context: list[Expr]) -> list[Any]:
        if not unknowns:
            return [self.z3.Not(self.term(f))]
        hidden = [e for e in subterms(f) if e.op == "call" and any(v in unknowns for v in variables(e))]
        if all(u.type is INT or u.type is BOOL for u in unknowns) and not hidden:
            eliminated = self._eliminate(unknowns, without_floors(f))
            if eliminated is not None:
                return [self.z3.Not(eliminated)]
        return [self.z3.Not(self.term(e)) for e in _instances(unknowns, f, context)]

    def _eliminate(self, unknowns: tuple[Expr, ...], f: Expr) -> Any:
        """Quantifier elimination over the integers; other terms are opaque to it."""
        z3 = self.z3
        opaque: dict[Expr, Expr] = {}
        for e in subterms(f):
            if (
                e.op in ("call", "field", "is")
                and e.type in (INT, BOOL)
                and not any(v in unknowns for v in variables(e))
            ):
                opaque[e] = Expr("var", (), e.type, f"opaque{len(opaque)}")
        if any(e.type not in (INT, BOOL) for e in subterms(substitute(f, opaque))):
            return None
        products = [e for e in subterms(f) if e.op == "mul" and e.args[0].op != "const"]
        if any(v in unknowns for v in variables(*products)):
            return None  # not linear: the tactic may never end, and then does not check the clock either
        # this tactic has no step counter; the clock is only for cases that would never end
        tactic = z3.TryFor(
            z3.Then("simplify", "qe", ctx=self.context),
            max(1, min(CLOCK, self._milliseconds_left())),
            ctx=self.context,
        )
        goal = z3.Goal(ctx=self.context)
        goal.add(z3.Exists([self.term(u) for u in unknowns], self.term(substitute(f, opaque))))
        try:
            result = tactic(goal).as_expr()
        except z3.Z3Exception:
            return None
        if _has_quantifier(z3, result):
            return None
        return z3.substitute(result, *[(self.term(v), self.term(e)) for e, v in opaque.items()])

    # --- translation ------------------------------------------------------------------------------------

    def _declare(self, roots: list[Expr]) -> None:
        """Create the sorts of all reachable datatypes (together, because they may refer to each other)."""
        bodies = [f.body for f in functions_in(roots) if f.body is not None]
        found: list[DataType] = []
        waiting = [e.type for e in subterms(*roots, *bodies)]
        while waiting:
            kind = waiting.pop(0)
            if isinstance(kind, DataType) and kind not in found and kind not in self._sorts:
                found.append(kind)
                waiting += [t for c in kind.constructors for _, t in c.fields]
        if not found:
            return
        drafts = {}
        for number, kind in enumerate(found, start=len(self._sorts)):
            drafts[kind] = self.z3.Datatype(symbol(f"{kind.name}#{number}"), ctx=self.context)
        for kind, draft in drafts.items():
            for c in kind.constructors:
                home = f"{draft.name}.{symbol(c.name)}#{c.index}"
                fields = [
                    (f"{home}.{symbol(name)}#{i}", drafts[t] if t in drafts else self.sort(t))
                    for i, (name, t) in enumerate(c.fields)
                ]
                draft.declare(home, *fields)
        for kind, sort in zip(drafts, self.z3.CreateDatatypes(*drafts.values())):
            self._sorts[kind] = sort

    def _place_of(self, text: str) -> Fraction:
        """A number for a string, in the order of strings."""
        if text not in self._texts:
            before = max((p for t, p in self._texts.items() if t < text), default=None)
            after = min((p for t, p in self._texts.items() if t > text), default=None)
            if before is not None and after is not None:
                self._texts[text] = (before + after) / 2
            elif before is not None:
                self._texts[text] = before + 1
            else:
                self._texts[text] = after - 1 if after is not None else Fraction(0)
        return self._texts[text]

    def sort(self, kind: Type) -> Any:
        if kind is BOOL:
            return self.z3.BoolSort(self.context)
        if kind is INT:
            return self.z3.IntSort(self.context)
        if kind is TEXT:  # strings are opaque: only compared, and there may be others between any two
            return self.z3.RealSort(self.context)
        if kind not in self._sorts:
            self._declare([Expr("var", (), kind, "_")])
        return self._sorts[kind]

    def term(self, e: Expr) -> Any:
        """The solver's version of an expression."""
        for sub in subterms(e):
            if sub not in self._terms:
                self._terms[sub] = self._term(sub, [self._terms[a] for a in sub.args])
        return self._terms[e]

    def _term(self, e: Expr, a: list[Any]) -> Any:
        z3 = self.z3
        match e.op:
            case "var":
                sort = self.sort(e.type)
                return z3.Const(f"{symbol(e.data)}:{e.type.name if e.type is TEXT else sort.name()}", sort)
            case "const":
                if e.type is TEXT:
                    return z3.Q(*self._place_of(e.data).as_integer_ratio(), self.context)
                return z3.BoolVal(e.data, self.context) if e.type is BOOL else z3.IntVal(e.data, self.context)
            case "con":
                made = self.sort(e.type).constructor(e.data.index)
                return made(*a) if a else made()
            case "is":
                return self.sort(e.data.owner).recognizer(e.data.index)(a[0])
            case "field":
                return self.sort(e.data[0].owner).accessor(e.data[0].index, e.data[1])(a[0])
            case "call":
                return self._function(e.data)(*a)
            case "add":
                return a[0] + a[1]
            case "sub":
                return a[0] - a[1]
            case "mul":
                return a[0] * a[1]
            case "div":
                return a[0] / a[1] if e.args[1].data > 0 else (-a[0]) / (-a[1])
            case "mod":
                return a[0] % a[1] if e.args[1].data > 0 else -((-a[0]) % (-a[1]))
            case "lt":
                return a[0] < a[1]
            case "le":
                return a[0] <= a[1]
            case "eq":
                return a[0] == a[1]
            case "not":
                return z3.Not(a[0])
            case "and":
                return z3.And(*a)
            case "or":
                return z3.Or(*a)
            case _:
                return z3.If(a[0], a[1], a[2])

    def _function(self, function: Function) -> Any:
        if function not in self._functions:
            sorts = [self.sort(p.type) for p in function.params]
            name = symbol(f"{function.name}#{len(self._functions)}")
            self._functions[function] = self.z3.Function(name, *sorts, self.sort(function.result))
        return self._functions[function]

    def _read(self, kind: Type, term: Any) -> Value:
        if kind is BOOL:
            return bool(self.z3.is_true(term))
        if kind is INT:
            return int(term.as_long())
        if kind is TEXT:
            number = Fraction(int(term.numerator_as_long()), int(term.denominator_as_long()))
            return next((text for text, place in self._texts.items() if place == number), f"text{number}")
        assert isinstance(kind, DataType)
        index = next(
            c.index for c in kind.constructors if term.decl().eq(self.sort(kind).constructor(c.index))
        )
        parts = zip(kind.constructors[index].fields, term.children())
        return (index, *(self._read(t, part) for (_, t), part in parts))


def symbol(name: str) -> str:
    """A name that is valid between bars in SMT-LIB: printable ASCII without bars and backslashes."""
    return "".join(
        c if c.isascii() and c.isprintable() and c not in "|\\" else f"_{ord(c):x}_"
        for c in name.replace(" | ", "/")
    )


def _has_quantifier(z3: Any, term: Any) -> bool:
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        t = waiting.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        if z3.is_quantifier(t):
            return True
        waiting += t.children()
    return False


def _instances(unknowns: tuple[Expr, ...], f: Expr, context: list[Expr]) -> list[Expr]:
    """The formula for some likely values of the unknowns: terms that the query talks about, and constants."""
    made = [f]
    for unknown in unknowns:
        pool: list[Expr] = []
        if isinstance(unknown.type, DataType):
            pool += [Expr("con", (), unknown.type, c) for c in unknown.type.constructors if not c.fields]
        elif unknown.type is INT:
            pool += [Expr("const", (), INT, n) for n in (0, 1, -1)]
        for e in subterms(f, *context):
            if e.type is unknown.type and e not in pool and not any(v in unknowns for v in variables(e)):
                pool.append(e)
        made = [substitute(m, {unknown: p}) for m in made for p in pool[:12]][:400]
    return made
