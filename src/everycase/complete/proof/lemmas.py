"""Facts about predicates that a single unfolding does not show: guessed from templates, filtered by running,
proved by induction. ``length(l) >= 0`` is the typical one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.expressions import BOOL, INT, Expr, Function, functions_in, subterms
from everycase.complete.language.types import TEXT, DataType
from everycase.complete.proof.pointwise import about_elements
from everycase.complete.proof.smt import Solver
from everycase.complete.search.worlds import World

TOGETHER = 40  # claims that are proved by one induction


@dataclass(frozen=True)
class Lemma:
    """``claim`` holds for all values of the variables; ``patterns`` are the calls in it."""

    patterns: tuple[Expr, ...]
    claim: Expr

    def instances(self, calls: Iterable[Expr]) -> Iterator[Expr]:
        """The claim for calls that occur in a query."""
        calls = list(calls)
        for chosen in itertools.product(*([c for c in calls if c.data is p.data] for p in self.patterns)):
            binding: dict[Expr, Expr] = {}
            pairs = [(v, t) for p, c in zip(self.patterns, chosen) for v, t in zip(p.args, c.args)]
            if all(binding.setdefault(v, t) == t for v, t in pairs):
                yield x.substitute(self.claim, binding)


def unfold(formulas: list[Expr], rounds: int, lemmas: Iterable[Lemma] = ()) -> list[Expr]:
    """Definitions of the calls that occur, ``rounds`` deep, and the lemmas about all of them."""
    made: list[Expr] = []
    seen: dict[Expr, None] = {}
    fresh = [e for e in subterms(*formulas) if e.op == "call"]
    for _ in range(rounds):
        found: list[Expr] = []
        for e in fresh:
            if e in seen:
                continue
            seen[e] = None
            if e.data.body is not None:
                found.append(x.eq(e, x.substitute(e.data.body, dict(zip(e.data.params, e.args)))))
        made += found
        fresh = [e for e in subterms(*found) if e.op == "call" and e not in seen]
    calls = [*seen, *dict.fromkeys(fresh)]
    added = [i for lemma in lemmas for i in lemma.instances(calls) if i != x.TRUE]
    return made + added + _evaluated(added, {*seen}) + _lengths_of_strings([*formulas, *made])


def _lengths_of_strings(formulas: list[Expr]) -> list[Expr]:
    """What is known of ``len`` of strings: those of the constants, and that only the empty one has none."""
    parts = list(subterms(*formulas))
    asked = [e for e in parts if e.op == "call" and e.data.native is len and e.args[0].type is TEXT]
    if not asked:
        return []
    empty, zero = x.const("", TEXT), x.integer(0)
    found = [x.and_(x.le(zero, e), x.eq(x.eq(e, zero), x.eq(e.args[0], empty))) for e in asked]
    texts = [e for e in parts if e.op == "const" and e.type is TEXT]
    return found + [x.eq(x.call(asked[0].data, t), x.integer(len(t.data))) for t in (empty, *texts)]


def _evaluated(formulas: list[Expr], seen: set[Expr], rounds: int = 3) -> list[Expr]:
    """Definitions of new calls about something written out, such as ``len([x])``."""
    made: list[Expr] = []
    fresh = formulas
    for _ in range(rounds):
        calls = [e for e in subterms(*fresh) if e.op == "call" and e.data.body is not None and e not in seen]
        calls = [e for e in calls if any(a.op == "con" for a in e.args)]
        seen.update(calls)
        fresh = [x.eq(e, x.substitute(e.data.body, dict(zip(e.data.params, e.args)))) for e in calls]
        made += fresh
    return made


def unfold_within(formulas: list[Expr], depth: int, variables: list[Expr], limit: int = 500) -> list[Expr]:
    """Definitions of all calls that can matter when the variables have at most this depth."""
    bounds = {v: depth for v in variables if isinstance(v.type, DataType)}
    memo: dict[Expr, int] = {}

    def bound(e: Expr) -> int:
        if e not in memo:
            if e.op == "var":
                memo[e] = bounds.get(e, depth)
            elif e.op == "field":
                memo[e] = bound(e.args[0]) - 1
            elif e.op == "con":
                memo[e] = max((bound(a) + 1 for a in e.args if isinstance(a.type, DataType)), default=0)
            elif e.op == "ite":
                memo[e] = max(bound(e.args[1]), bound(e.args[2]))
            else:
                memo[e] = (
                    depth  # results of functions are assumed to be no deeper; a wrong guess is noticed later
                )
        return memo[e]

    made: list[Expr] = []
    seen: set[Expr] = set()
    fresh = [e for e in subterms(*formulas) if e.op == "call"]
    for _ in range(2 * depth + 3):
        if len(made) > limit:
            break
        found = []
        for e in fresh:
            reachable = all(bound(a) >= 0 for a in e.args if isinstance(a.type, DataType))
            if e in seen or e.data.body is None or not reachable:
                continue
            seen.add(e)
            found.append(x.eq(e, x.substitute(e.data.body, dict(zip(e.data.params, e.args)))))
        made += found
        fresh = [e for e in subterms(*found) if e.op == "call" and e not in seen]
    return made


class Miner:
    """Finds the lemmas for a set of predicates; the deeper templates only when asked."""

    def __init__(self, roots: list[Expr], solver: Solver, world: World) -> None:
        self.solver, self.world = solver, world
        self.evaluator = Evaluator()
        self.functions = [f for f in functions_in(roots) if f.recursive and f.body is not None]
        self.functions += [end for f in self.functions for end in f.ends or () if end not in self.functions]
        self._simple: list[Lemma] | None = None
        self._deep: list[Lemma] | None = None

    def simple(self) -> list[Lemma]:
        """``f(...) >= 0`` and ``p(..., n) implies n >= 0``."""
        if self._simple is None:
            self._simple = [lemma for lemma in self._simple_candidates() if self._holds(lemma)]
            self._simple = self._inductive(self._simple, [])
        return self._simple

    def deep(self) -> list[Lemma]:
        """Implications between two predicates of the same value, possibly under a comparison of numbers."""
        if self._deep is None:
            known = self.simple()
            found = [lemma for lemma in self._deep_candidates() if self._holds(lemma)]
            proved = self._inductive(found, known)
            if any(
                f is not g and g in calls[f] and f in calls[g]
                for calls in (self._calls(),)
                for f in calls
                for g in calls
            ):
                found += [lemma for lemma in self._always_candidates() if self._holds(lemma)]
                proved += self._together([c for c in found if c not in proved][:TOGETHER], known + proved)
            self._deep = known + proved
        return self._deep

    def _calls(self) -> dict[Function, list[Function]]:
        """The functions that each function calls, directly or not."""
        return {f: functions_in([f.body]) for f in self.functions if f.body is not None}

    def _always_candidates(self) -> Iterator[Lemma]:
        """p(t), for all values: everything of a type is made."""
        for f in self.functions:
            if (
                f.result is BOOL
                and all(isinstance(p.type, DataType) for p in f.params)
                and len(f.params) == 1
            ):
                yield Lemma((x.call(f, *f.params),), x.call(f, *f.params))

    def _together(self, candidates: list[Lemma], known: list[Lemma]) -> list[Lemma]:
        """Those claims, on values inside each other's, that one step of induction proves if all of them hold for the
        parts."""
        kept = list(candidates)
        while True:
            left = [c for c in kept if self._step(c, known, kept)]
            if len(left) == len(kept):
                return left
            kept = left

    def _simple_candidates(self) -> Iterator[Lemma]:
        for f in self.functions:
            pattern = x.call(f, *f.params)
            if f.result is INT:
                yield Lemma((pattern,), x.le(x.integer(0), pattern))
            if f.result is BOOL:
                for p in f.params:
                    if p.type is INT:
                        yield Lemma((pattern,), x.or_(x.not_(pattern), x.le(x.integer(0), p)))
            none = f.result.of_kind("none") if isinstance(f.result, DataType) else None
            for p in f.params if none is not None else ():
                if p.type is INT:
                    yield from self._found_candidates(f, x.is_con(none, pattern), p)  # type: ignore[arg-type]

        for f in self.functions:
            if f.ends is not None:
                yield from self._append_candidates(f, *f.ends)

    def _append_candidates(self, append: Function, before: Function, last: Function) -> Iterator[Lemma]:
        """How a list and its last element relate to the rest: lengths add up, ``all`` holds for both."""
        t, more = (x.var(name, before.result) for name in ("t'", "more'"))
        assert isinstance(before.result, DataType)
        nil = x.is_con(before.result.constructors[0], t)
        rest, end, whole = x.call(before, t), x.call(last, t), x.call(append, t, more)
        for g in self.functions:
            if g in (append, before, last) or g.params[0].type is not before.result:
                continue
            extra = g.params[1:]
            of_t, of_rest, of_whole, of_more = (x.call(g, e, *extra) for e in (t, rest, whole, more))
            if g.result is INT and not extra:
                yield Lemma((whole,), x.eq(of_whole, x.add(of_t, of_more)))
                yield Lemma((rest,), x.or_(nil, x.eq(x.add(of_rest, x.integer(1)), of_t)))
                if before.result.element is INT:
                    yield Lemma((rest,), x.or_(nil, x.eq(x.add(of_rest, end), of_t)))
            elif g.result is BOOL:
                yield Lemma((rest, of_t), x.or_(x.not_(of_t), of_rest))
                yield Lemma((whole, of_t), x.eq(of_whole, x.and_(of_t, of_more)))
                for test in of_head(g):
                    at_end = x.substitute(test, {_head(g): end})
                    if not x.occurs(g.params[0], at_end):
                        yield Lemma((end, of_t), x.or_(nil, x.not_(of_t), at_end))

    def _found_candidates(self, f: Function, nothing: Expr, number: Expr) -> Iterator[Lemma]:
        """Facts about lookups: a result means that the index is in range."""
        pattern = x.call(f, *f.params)
        yield Lemma((pattern,), x.or_(nothing, x.le(x.integer(0), number)))
        for g in self.functions:
            if g.result is INT and len(g.params) == 1:
                for p in f.params:
                    if p.type is g.params[0].type:
                        yield Lemma((pattern,), x.or_(nothing, x.lt(number, x.call(g, p))))

    def _deep_candidates(self) -> Iterator[Lemma]:
        """p(t, a) and q(t, b) implies r(t, c), and monotonicity: p(t, a) and a <= b implies p(t, b)."""
        by_kind: dict[DataType, list[Expr]] = {}
        for f in self.functions:
            if (
                f.result is BOOL
                and isinstance(f.params[0].type, DataType)
                and all(p.type is INT for p in f.params[1:])
            ):
                subject = x.var("t", f.params[0].type)
                for suffix in ("", "'"):
                    extra = [x.var(f"{f.name}{i}{suffix}", INT) for i, _ in enumerate(f.params[1:])]
                    by_kind.setdefault(f.params[0].type, []).append(x.call(f, subject, *extra))
                    if not extra:
                        break
        for calls in by_kind.values():
            for p, r in itertools.permutations(calls, 2):
                for premise in _premises(p, r):
                    yield Lemma((p, r), x.or_(x.not_(x.and_(p, premise)), r))
            for p, q, r in itertools.permutations(calls, 3):
                if all(about_elements(call.data) for call in (p, q, r)):
                    continue  # what holds for each element is found without lemmas
                if len({p.data, q.data, r.data}) == 3 and calls.index(p) < calls.index(q):
                    for premise in _premises(p, r) if len(r.args) > 1 else [x.TRUE]:
                        yield Lemma((p, q, r), x.or_(x.not_(x.and_(p, q, premise)), r))

    def _holds(self, lemma: Lemma) -> bool:
        """No counterexample in the world (cheap, and rejects nearly all wrong guesses)."""
        free = x.variables(lemma.claim)
        test = self.evaluator.compile(free, lemma.claim)
        pools = [
            list(range(-2, 4))
            if v.type is INT
            else self.world.values(v.type, 3, cap=60 if len(free) > 2 else 200)
            for v in free
        ]
        try:
            return all(test(*case) for case in itertools.islice(itertools.product(*pools), 20_000))
        except (IndexError, TypeError, RecursionError):
            return False

    def _inductive(self, candidates: list[Lemma], known: list[Lemma]) -> list[Lemma]:
        """Keep the claims that one step of structural induction proves, assuming those proved before."""
        proved: list[Lemma] = []
        waiting, progress = list(candidates), True
        while progress:
            progress = False
            for lemma in list(waiting):
                if self._step(lemma, known + proved):
                    proved.append(lemma)
                    waiting.remove(lemma)
                    progress = True
        return proved

    def _step(self, lemma: Lemma, known: list[Lemma], others: Iterable[Lemma] = ()) -> bool:
        """Is the claim true for each constructor if it and the others are true for the parts (with any other
        arguments)?"""
        subject = _subject(lemma)
        if subject is None:
            return False
        assert isinstance(subject.type, DataType)
        for c in subject.type.constructors:
            parts = [x.var(f"{subject.data}.{i}", t) for i, (_, t) in enumerate(c.fields)]
            goal = x.not_(x.substitute(lemma.claim, {subject: x.con(c, *parts)}))
            definitions = unfold([goal], 1, known)
            calls = [e for e in subterms(goal, *definitions) if e.op == "call"]
            hypotheses = [
                i
                for part in parts
                for claim in dict.fromkeys([lemma, *others])
                for i in _about(claim, part, calls)
            ]
            if self.solver.ask([goal, *definitions, *hypotheses], label="lemma").verdict != "unsat":
                return False
        return True


def _subject(lemma: Lemma) -> Expr | None:
    """The value that a claim is about."""
    return next((a for a in lemma.patterns[0].args if isinstance(a.type, DataType)), None)


def _about(claim: Lemma, part: Expr, calls: list[Expr]) -> Iterator[Expr]:
    """The claim for a part of a value, for the calls that occur."""
    subject = _subject(claim)
    if subject is None or part.type is not subject.type or any(subject not in p.args for p in claim.patterns):
        return
    places = [(p.data, p.args.index(subject)) for p in claim.patterns]
    yield from claim.instances(
        [e for e in calls if any(e.data is f and e.args[place] == part for f, place in places)]
    )


def _head(f: Function) -> Expr:
    kind = f.params[0].type
    assert isinstance(kind, DataType)
    return x.field(kind.constructors[1], 0, f.params[0])


def of_head(f: Function) -> list[Expr]:
    """What a function that states something about all elements states about the first one."""
    kind = f.params[0].type
    if f.body is None or f.body.op != "or" or not isinstance(kind, DataType) or not kind.is_list:
        return []
    empty, *others = f.body.args
    if empty != x.is_con(kind.constructors[0], f.params[0]) or len(others) != 1:
        return []
    return [
        part
        for part in x.conjuncts(others[0])
        if not any(e.op == "call" and e.data is f for e in subterms(part))
    ]


def _premises(p: Expr, r: Expr) -> list[Expr]:
    """Comparisons between the numbers of two calls that could make one imply the other."""
    left, right = p.args[1:], r.args[1:]
    if not right:
        return [x.TRUE]
    if not left:
        return []
    if len(left) == len(right) and p.data is r.data:
        options = [(x.le(a, b), x.le(b, a), x.eq(a, b)) for a, b in zip(left, right)]
        return [
            x.and_(*choice) for choice in itertools.product(*options) if any(c.op != "eq" for c in choice)
        ]
    return [test for a in left for b in right for test in (x.le(a, b), x.le(b, a))]
