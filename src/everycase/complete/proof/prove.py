"""Proofs: completeness for all arguments, soundness, and the facts that make a "missing" certain."""

from __future__ import annotations

from dataclasses import dataclass, field

from everycase.complete.frontend.program import AssumeStep, Generator, Path
from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import FALSE, INT, TRUE, Expr, conjuncts, functions_in
from everycase.complete.language.types import DataType, Type, Value
from everycase.complete.language.unfolding import Unless, by_length, short_list, unfolded
from everycase.complete.proof.lemmas import Miner, unfold, unfold_within
from everycase.complete.proof.pointwise import implied
from everycase.complete.proof.smt import Solver
from everycase.complete.proof.termination import endless, partial
from everycase.complete.search.concrete import CoverSearch
from everycase.complete.search.coverage import PathCover, constraints, covering
from everycase.complete.search.promise import Specified
from everycase.complete.search.worlds import World, formulas_of
from everycase.complete.specification import PredicateFailed

Case = tuple[Value, ...]

#: How far definitions are unfolded, and which lemmas are added: at first none, then simple ones, then deep ones.
PLAIN = [(1, 0), (1, 1), (2, 1)]
QUESTIONS = 80  # for a proof by the lengths of lists
FEW = 60  # calls that are computed in a formula of a proof of soundness
GROWTH = 3  # how many times larger a formula may become when calls in it are computed
DEPTH = 3  # maximum depth of requested counterexamples


@dataclass
class Proof:
    """``proved``, ``refuted`` by arguments and a value that one step does not reach, or ``unknown``."""

    verdict: str
    case: tuple[Value, ...] = ()
    tried: list[tuple[Value, ...]] = field(default_factory=list)


class Prover:
    """Proves things about one generator and those that it calls."""

    def __init__(self, solver: Solver, world: World) -> None:
        self.solver, self.world = solver, world
        self._miners: dict[Generator, Miner] = {}
        self._doubts: dict[Generator, str | None] = {}

    def doubt(self, generator: Generator) -> str | None:
        """Why nothing can be proved about this generator: a function that may not end, or may raise."""
        if generator not in self._doubts:
            made = [e for p in generator.paths for e in p.expressions]
            roots = [*made, *generator.measure, generator.requires, generator.covers]
            for callee in generator.callees():
                roots += [*callee.measure, callee.requires, callee.covers]
            found = None
            if (name := endless(roots, self.solver)) is not None:
                found = f"{name} is not known to end: a recursive call should get a part of its argument"
            elif (name := partial(made, self.solver)) is not None:
                found = f"{name}, which the generator calls, may raise an error"
            self._doubts[generator] = found
        return self._doubts[generator]

    def _miner(self, generator: Generator) -> Miner:
        if generator not in self._miners:
            roots: list[Expr] = []
            for callee in generator.callees():
                roots += [callee.requires, callee.covers, *callee.measure]
            roots += formulas_of(generator)
            self._miners[generator] = Miner(roots, self.solver, self.world)
        return self._miners[generator]

    def complete(
        self, generator: Generator, coverings: list[PathCover] | None = None, deep: bool = True
    ) -> Proof:
        """Is every valid value reached, if smaller calls keep the promise?"""
        if self.doubt(generator) is not None:
            return Proof("unknown")
        if coverings is None:
            coverings = [c for p in generator.paths for c in covering(generator, p)]
        goal = [generator.requires, generator.covers]
        never = [(c.unknowns, within_limits(c.condition)) for c in coverings]
        if any(f.within for f in functions_in([c for _, c in never])):
            return Proof("unknown")
        wanted = [*generator.params, generator.value]
        evaluator = Evaluator()
        specified = Specified(generator, evaluator)
        search = CoverSearch(generator, coverings, evaluator, self.world)
        tried: list[tuple[Value, ...]] = []
        more: list[Expr] = []
        for number, (rounds, stage) in enumerate(self._plan(deep)):
            if number == len(PLAIN) and self._short_lists(goal, never):
                return Proof("proved", tried=tried)
            if number == 1:
                more = self._implied(generator, goal, [f for _, f in never])
            if number == len(PLAIN):  # before the lemmas that take long
                small = self._small_counterexample(generator, goal, never, specified, search)
                if small is not None:
                    return Proof("refuted", small, tried)
            lemmas = (
                []
                if stage == 0
                else self._miner(generator).simple()
                if stage == 1
                else self._miner(generator).deep()
            )
            if stage == 2 and len(lemmas) == len(self._miner(generator).simple()):
                continue
            definitions = unfold([*goal, *(f for _, f in never)], rounds, lemmas) + more
            answer = self.solver.ask([*goal, *definitions], never, wanted, f"complete-{generator.name}")
            if answer.verdict == "unsat":
                return Proof("proved", tried=tried)
            if answer.verdict == "sat":
                case = tuple(answer.model[w] for w in wanted)
                tried.append(case)
                if self._genuine(case, specified, search):
                    near = [
                        x.and_(x.le(x.integer(-6), p), x.le(p, x.integer(6))) for p in wanted if p.type is INT
                    ]
                    again = self.solver.ask(
                        [*goal, *definitions, *near], never, wanted, "smaller-counterexample"
                    )
                    if again.verdict == "sat":
                        small_case = tuple(again.model[w] for w in wanted)
                        if self._genuine(small_case, specified, search):
                            case = small_case
                    return Proof("refuted", case, tried)
        if not deep:
            small = self._small_counterexample(generator, goal, never, specified, search)
            if small is not None:
                return Proof("refuted", small, tried)
        return Proof("unknown", tried=tried)

    def _implied(self, generator: Generator, known: list[Expr], asked: list[Expr]) -> list[Expr]:
        """What else holds for all elements of lists."""

        def refuted(formulas: list[Expr]) -> bool:
            if x.and_(*formulas) == FALSE:
                return True
            for rounds, simple in ((1, False), (2, True)):
                lemmas = self._miner(generator).simple() if simple else []
                definitions = unfold(formulas, rounds, lemmas)
                if self.solver.ask([*formulas, *definitions], label="element").verdict == "unsat":
                    return True
            return False

        return implied(known, asked, refuted)

    def _short_lists(self, goal: list[Expr], never: list[Unless]) -> bool:
        """Is there nothing that satisfies the goal but none of ``never``, by the lengths of short lists?"""
        left = QUESTIONS

        def impossible(goal: list[Expr], never: list[Unless]) -> bool:
            nonlocal left
            if FALSE in goal or any(condition == TRUE for _, condition in never):
                return True
            found = short_list(goal)
            if found is not None:
                return all(impossible(*case) for case in by_length(goal, never, *found))
            for rounds in (1, 3):
                left -= 1
                if left < 0:
                    return False
                definitions = unfold([*goal, *(c for _, c in never)], rounds)
                if self.solver.ask([*goal, *definitions], never, label="short-lists").verdict == "unsat":
                    return True
            return False

        return short_list(goal) is not None and impossible(goal, never)

    def _genuine(self, case: Case, specified: Specified, search: CoverSearch) -> bool:
        """Allowed, valid, and not reached: checked by running, because a model may be wrong about
        predicates."""
        try:
            return bool(specified.requires(*case[:-1]) and specified.covers(*case) and not search(*case))
        except (RecursionError, PredicateFailed):
            return False

    def _small_counterexample(
        self,
        generator: Generator,
        goal: list[Expr],
        never: list[tuple[tuple[Expr, ...], Expr]],
        specified: Specified,
        search: CoverSearch,
    ) -> tuple[Value, ...] | None:
        """Ask for a counterexample of bounded depth: then enough definitions are known to make it genuine."""
        wanted = [*generator.params, generator.value]
        for depth in range(1, DEPTH + 1):
            small = [shallow(w, depth) for w in wanted]
            definitions = unfold_within([*goal, *(f for _, f in never)], depth, wanted)
            answer = self.solver.ask(
                [*goal, *small, *definitions], never, wanted, f"counterexample-{generator.name}"
            )
            if answer.verdict == "sat":
                case = tuple(answer.model[w] for w in wanted)
                try:
                    if specified.requires(*case[:-1]) and specified.covers(*case) and not search(*case):
                        return case
                except (RecursionError, PredicateFailed):
                    return None
        return None

    def _plan(self, deep: bool) -> list[tuple[int, int]]:
        return [*PLAIN, (1, 2), (2, 2), (3, 2), (3, 1), (5, 1)] if deep else PLAIN

    def facts(self, generators: list[Generator]) -> dict[Generator, Expr]:
        """Parts of each promise that hold for everything the generators make (for allowed arguments).

        Starts from all conjuncts and drops those that a path may violate, until the rest supports itself.
        """
        if any(self.doubt(g) is not None for g in generators):
            return dict.fromkeys(generators, TRUE)
        kept = {g: list(conjuncts(g.covers)) for g in generators}
        changed = True
        while changed:
            changed = False
            for g in generators:
                for fact in list(kept[g]):
                    if not all(self._keeps(g, p, fact, kept) for p in g.paths if p.result is not None):
                        kept[g].remove(fact)
                        changed = True
        return {g: x.and_(*parts) for g, parts in kept.items()}

    def calls_allowed(self, generator: Generator) -> bool:
        """Do all draws from other generators respect their requirements?"""
        if self.doubt(generator) is not None:
            return False
        for path in generator.paths:
            before: list[Expr] = [generator.requires]
            for step in path.steps:
                if isinstance(step, AssumeStep):
                    before.append(step.condition)
                    continue
                before += [x.le(step.low, step.variable)] if step.low is not None else []
                before += [x.le(step.variable, step.high)] if step.high is not None else []
                if step.generator is not None:
                    by = dict(zip(step.generator.params, step.args))
                    wrong = x.not_(x.substitute(step.generator.requires, by))
                    if wrong != FALSE and not self.impossible(generator, [*before, wrong]):
                        return False
        return True

    def unsound_case(self, generator: Generator, path: Path) -> tuple[Case, list[tuple[Type, Value]]] | None:
        """Arguments, and drawn values, for which a path makes something invalid (calls keep their
        promise)."""
        assert path.result is not None
        wrong = x.not_(x.substitute(generator.covers, {generator.value: path.result}))
        formulas = [generator.requires, *constraints(generator, path, False, {}), wrong]
        if x.and_(*formulas) == FALSE:
            return None
        wanted = [*generator.params, *(d.variable for d in path.draws)]
        evaluator = Evaluator()
        bad = evaluator.compile(wanted, x.and_(*formulas))
        for depth in range(1, DEPTH + 1):
            small = [shallow(w, depth) for w in wanted]
            definitions = unfold_within(formulas, depth, wanted)
            answer = self.solver.ask([*formulas, *small, *definitions], (), wanted, "unsound")
            if answer.verdict == "sat":
                case = [answer.model[w] for w in wanted]
                try:
                    genuine = bad(*case)
                except (RecursionError, IndexError, TypeError):
                    genuine = False
                if genuine:
                    count = len(generator.params)
                    return tuple(case[:count]), [(w.type, v) for w, v in zip(wanted[count:], case[count:])]
        return None

    def never(self, generator: Generator, case: Case, facts: dict[Generator, Expr]) -> bool:
        """Is it proved that no path makes this value with these arguments?

        Draws from other generators may be anything that the ``facts`` about them allow, which is more than
        they make.
        """
        if self.doubt(generator) is not None:
            return False
        made = x.literal(case[-1], generator.result)
        given = {p: x.literal(a, p.type) for p, a in zip(generator.params, case)}
        for path in generator.paths:
            if path.result is None:
                continue
            found = [c for c in constraints(generator, path, True, facts) if c.op != "makes"]
            formulas = [x.substitute(e, given) for e in (*found, x.eq(made, path.result))]
            if x.and_(*formulas) != FALSE and not any(
                self.solver.ask([*formulas, *unfold(formulas, rounds)], label="never").verdict == "unsat"
                for rounds in (1, 3)
            ):
                return False
        return True

    def _keeps(self, generator: Generator, path: Path, fact: Expr, kept: dict[Generator, list[Expr]]) -> bool:
        known = {g: x.and_(*parts) for g, parts in kept.items()}
        found = [c for c in constraints(generator, path, True, known) if c.op != "makes"]
        assert path.result is not None
        wrong = x.not_(x.substitute(fact, {generator.value: path.result}))
        return self.impossible(generator, [generator.requires, *found, wrong])

    def impossible(self, generator: Generator, formulas: list[Expr]) -> bool:
        """Is it proved that these cannot all hold?"""
        if x.and_(*formulas) == FALSE:
            return True
        formulas = [_computed(e) for e in formulas]
        formulas += self._implied(generator, formulas, formulas)
        for rounds, lemmas in ((1, []), (2, self._miner(generator).simple())):
            definitions = unfold(formulas, rounds, lemmas)
            if self.solver.ask([*formulas, *definitions], label="sound").verdict == "unsat":
                return True
        return False


def within_limits(e: Expr) -> Expr:
    """Values of recursive generators only as far as their limits allow."""
    by = {}
    for call in x.subterms(e):
        if call.op == "call" and call.data.within is not None:
            limited, limits = call.data.within
            by[call] = x.or_(*(x.call(limited, *call.args, *map(x.integer, limit)) for limit in limits))
    return x.substitute(e, by) if by else e


def shallow(e: Expr, depth: int) -> Expr:
    """The value has at most this many constructors on top of each other."""
    if not isinstance(e.type, DataType):
        return TRUE
    return x.or_(
        *(
            x.and_(x.is_con(c, e), *(shallow(x.field(c, i, e), depth - 1) for i in range(len(c.fields))))
            for c in e.type.constructors
            if depth > 0 or not any(isinstance(t, DataType) for _, t in c.fields)
        )
    )


def _computed(e: Expr) -> Expr:
    """The formula with what is known of lists that are written out, unless it becomes much larger: then the solver
    takes longer than it gains."""
    made, before = unfolded(e, FEW), sum(1 for _ in x.subterms(e))
    return made if sum(1 for _ in x.subterms(made)) <= GROWTH * before else e
