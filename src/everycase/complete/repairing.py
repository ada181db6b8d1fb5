"""``repair``: find the places, search for patches, choose, write, prove; learn from counterexamples."""

from __future__ import annotations

import ast
import itertools
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from everycase.complete.check import EVALUATIONS, Case, Examination, family, size_of_case, survey
from everycase.complete.components import Kit, Price, names_of
from everycase.complete.cover import choose
from everycase.complete.describe import describe
from everycase.complete.patch import Branch, Change, apply, reread
from everycase.complete.places import ENVIRONMENTS, Place, Promised, fill_environments, places_of
from everycase.complete.program import Generator, Program
from everycase.complete.repaired import Repair
from everycase.complete.synthesis import Candidate, Need, Statistics, Workshop, extended
from everycase.complete.terms import Component, Names, Term
from everycase.complete.types import INT, DataType
from everycase.complete.universe import Level, level_of_big_arguments, levels
from everycase.errors import InvalidArgument

ROUNDS = 20  # counterexamples that are learnt from
PATIENCE = 4
ARGUMENTS = 24  # argument lists that patches are judged on
NEEDS = 120  # missing cases that a patch must make
AFTERWARDS = 2  # costs to look further once a patch is found: a slightly dearer one may fit more tightly
PRELUDE_COST = 9  # from this cost on, draws may get names

STRATEGIES = ("balanced", "complete", "safe")


@dataclass
class _Task:
    """Everything that stays the same while one generator is repaired."""

    model: Generator
    kit: Kit
    names: Names
    max_cost: int
    deadline: float
    smt_out: Path | None
    statistics: Statistics = field(default_factory=Statistics)
    queries: int = 0
    hit: str | None = None
    refuted: int = 0
    unsafe: int = 0


def repair(
    generator: Callable[..., Any],
    *,
    components: Iterable[Any] = (),
    atoms: Iterable[Callable[..., Any]] = (),
    cost: Price | None = None,
    max_cost: int = 40,
    max_seconds: float = 60.0,
    strategy: str = "balanced",
    smt_out: str | Path | None = None,
) -> Repair:
    """Write the branches that a generator is missing, and prove that nothing is missing then.

    Holes (``...``) are filled first; then alternatives are added where valid values are lost. Patches are made
    of what is in scope: parameters, locals, draws, constructors, recursive calls, covered helpers, and the
    ``components`` given here (dataclasses, pure functions, covered generators, numbers). ``cost(name)`` may
    return the price of a component (smaller is tried earlier) or None. ``strategy="complete"`` puts the default
    generator of the type into every hole, ``"safe"`` the smallest term that makes only valid values.
    """
    if strategy not in STRATEGIES:
        raise InvalidArgument(f"repair: strategy must be one of {', '.join(STRATEGIES)}, not {strategy!r}")
    if max_cost < 1 or max_seconds <= 0:
        raise InvalidArgument("repair: max_cost must be at least 1 and max_seconds positive")
    started, clock = time.process_time(), time.monotonic()
    model = Program().generator(generator)
    places = places_of(model)
    exam = Examination(model, max_seconds, True, Path(smt_out) if smt_out else None)
    gap, _ = exam.gap()
    holes = [p for p in places if p.ending == "hole"]
    assert exam.last is not None
    text = model.source.text
    if gap is None and not holes:
        return _nothing(exam, model, text, started)
    reached = [c for c in exam.last.valid if c not in set(exam.last.unreached)]
    description = describe(model, exam.last.unreached, reached, atoms) if exam.last.unreached else None
    abduction = time.process_time() - started
    kit = Kit(model, components, cost)
    task = _Task(
        model, kit, names_of(model), max_cost, clock + max_seconds, Path(smt_out) if smt_out else None
    )
    if strategy != "balanced":
        changes = _simple_strategy(task, places, strategy, _level(model, 2))
        result = _finish(task, changes, text)
    else:
        result = _search(task, places, text)
    result.description = description
    result.holes = max(len(holes), result.holes)
    result.terms = task.statistics.terms
    result.queries = task.queries
    result.abduction_seconds = abduction
    result.seconds = time.process_time() - started
    result.synthesis_seconds = result.seconds - abduction
    return result


def _nothing(exam: Examination, model: Generator, text: str, started: float) -> Repair:
    from everycase.complete.check import examine

    verdict = examine(model, exam.seconds, True, exam.out, ())
    status = "nothing to repair" if verdict.status == "proved" else "not repaired"
    made = Repair(
        model.name, status, _file(model), text, text, verdict, seconds=time.process_time() - started
    )
    made.notes.append(verdict.headline)
    return made


def _file(model: Generator) -> str:
    return Path(model.source.file).name


def _level(model: Generator, number: int) -> Level:
    exam = Examination(model, 1.0, False)
    return next(level for level in levels(model, exam.evaluator) if level.number == number)


# --- the search ------------------------------------------------------------------------------------------


def _search(task: _Task, places: list[Place], text: str) -> Repair:
    """Synthesise, verify, learn from what was wrong, again."""
    model = task.model
    level = _first_level_with_gaps(model)
    promised = Promised(level.world, level.number)
    learnt: list[Case] = []  # missing cases that a previous patch did not make
    careful: list[Case] = []  # arguments for which a previous patch was not safe
    last: list[Change] | None = None  # the best patch so far
    for _ in range(ROUNDS):
        need, arguments = _needs(task, level, promised, learnt, careful)
        chosen, fills = _candidates(task, places, promised, need, arguments)
        if chosen is None:
            break
        changes = _changes(task, places, chosen, fills)
        attempt = _Attempt.of(task, changes, text)
        missing, unsafe = attempt.lessons(promised)
        task.refuted += 1
        task.unsafe += bool(unsafe)
        if attempt.proved and not unsafe:
            if (
                fills and not attempt.sound()
            ):  # a hole that nothing needed was filled with a guess: reject there
                changes = _changes(task, places, chosen, {})
            return _finish(task, changes, text)
        missing = [c for c in missing if c not in learnt]
        unsafe = [a for a in unsafe if a not in careful]
        if attempt.proved or (not attempt.still_missing and last is None):
            last = changes
        if not missing and not unsafe:
            last = last or changes
            break
        for case in missing:
            promised.add(model.result, case[-1])
        learnt += missing
        careful += unsafe
        if time.monotonic() > task.deadline:
            task.hit = "max_seconds"
            break
    return _finish(task, last, text) if last is not None else _give_up(task, places, text)


def _first_level_with_gaps(model: Generator) -> Level:
    """The smallest world, from the second on, that shows what is missing."""
    exam = Examination(model, 1.0, False)
    level = None
    for level in levels(model, exam.evaluator):
        if level.number >= 2 and survey(model, level, exam.evaluator).unreached:
            break
    assert level is not None
    return level


def _spread(items: list[Case], count: int) -> list[Case]:
    """Some of the items, from the first to the last."""
    if len(items) <= count:
        return items
    return [items[i * len(items) // count] for i in range(count)]


def _give_up(task: _Task, places: list[Place], text: str) -> Repair:
    """Nothing fits within the bounds: fill holes with what is safe, and say what could not be done."""
    from everycase.complete.check import examine

    verdict = examine(task.model, 5.0, True, None, ())
    made = Repair(task.model.name, "not repaired", _file(task.model), text, text, verdict)
    bound = task.hit or "max_cost"
    limit = f"--max-cost {task.max_cost}" if bound == "max_cost" else "--max-seconds"
    made.notes.append(f"no patch was found before the bound {limit} was hit; {verdict.headline}")
    return made


def _needs(
    task: _Task, level: Level, promised: Promised, learnt: list[Case], careful: list[Case]
) -> tuple[Need, list[Case]]:
    """The missing cases of a small world and what was learnt, and the arguments to judge patches on."""
    model = task.model
    exam = Examination(model, 1.0, False)
    found = survey(model, level, exam.evaluator)
    missing = sorted(found.unreached, key=lambda c: size_of_case(model, c))
    by_args: dict[Case, list[Case]] = {}
    for case in missing:
        by_args.setdefault(case[:-1], []).append(case)
    wanted = list(by_args)[:ARGUMENTS]
    # arguments where nothing is missing, and larger ones: a patch must be safe there too
    larger = [a for a in _level(model, 4).arguments if a not in by_args]
    others = [a for a in level.arguments if a not in by_args][: ARGUMENTS // 3] + _spread(
        larger, ARGUMENTS // 2
    )
    arguments = list(dict.fromkeys([*(c[:-1] for c in learnt), *careful, *wanted, *others]))
    cases = [c for a in wanted for c in by_args[a][: max(4, NEEDS // max(1, len(wanted)))]]
    for case in cases:
        promised.add(model.result, case[-1])
    return Need([*learnt, *cases]), arguments


def _candidates(
    task: _Task, places: list[Place], promised: Promised, need: Need, arguments: list[Case]
) -> tuple[list[Candidate] | None, dict[ast.stmt, Candidate]]:
    """Grow all places together by cost until some selection makes everything that is needed."""
    for place in places:
        fill_environments(task.model, place, arguments, promised, need.cases)
    holes = [p for p in places if p.ending == "hole"]
    reachable = {args for p in holes for args, _ in p.environments}
    enough = holes and all(c[:-1] in reachable for c in need.cases)
    needy = {c[:-1] for c in need.cases}
    active = (
        holes if enough else [p for p in places if p in holes or any(a in needy for a, _ in p.environments)]
    )
    shops = _workshops(task, active, promised, need)
    named: list[Workshop] = []
    stop = task.max_cost
    for cost in range(1, task.max_cost + 1):
        if cost == PRELUDE_COST and stop == task.max_cost:
            named = [w for shop in shops for w in _with_preludes(task, shop)]
        for shop in [*shops, *named]:
            if not shop.reach(cost):
                task.hit = "max_seconds"
                return None, {}
        found = [c for shop in [*shops, *named] for c in shop.candidates]
        chosen = choose(found, need.everything)
        if chosen is not None:
            # patches that were refuted several times are too special: look longer for a single general one
            single = len(chosen) <= len({c.place.node for c in chosen})
            stop = min(stop, cost + (AFTERWARDS if task.refuted < PATIENCE or single else 14))
        if chosen is not None and cost >= stop:
            fills = {
                shop.place.node: min(shop.candidates, key=lambda c: (c.cost, -c.makes))
                for shop in shops
                if shop.candidates and shop.place.ending == "hole" and task.unsafe < 2
            }
            return chosen, fills
    task.hit = "max_cost"
    return None, {}


def _workshops(task: _Task, places: list[Place], promised: Promised, need: Need) -> list[Workshop]:
    shops = []
    for place in places:
        if place.environments:
            parts = [*task.kit.locals(place.locals), *task.kit.fixed]
            shops.append(Workshop(task.model, place, parts, promised, need, task.statistics, task.deadline))
    return shops


def _with_preludes(task: _Task, shop: Workshop) -> list[Workshop]:
    """The same place after naming one or two draws: a value of a parameter's type, a number below a parameter."""
    options: list[tuple[str, Term, Any]] = []
    taken = {*shop.place.locals, *task.model.source.scope}
    for kind in dict.fromkeys(p.type for p in task.model.params):
        if isinstance(kind, DataType) and not kind.is_list:
            any_ = next((c for c in shop.components if c.kind == "any" and c.result is kind), None)
            if any_ is not None:
                sets = tuple(tuple(promised)[:3] for promised in (shop.leaf(any_) or ()))
                options.append((_name(kind.name, taken), Term(any_, (), any_.price), sets))
    for measure in task.model.measure:
        if measure.op == "var":
            low = Term(_constant(0), (), 1)
            local = next(c for c in shop.components if c.kind == "local" and c.name == measure.data)
            minus = next(c for c in shop.components if c.name == "subtract 1")
            high = Term(minus, (Term(local, (), 1),), 2)
            between = next(c for c in shop.components if c.kind == "range")
            sets_ = shop.apply(between, (_sets(shop, low), _sets(shop, high)))
            if sets_ is not None:
                options.append((_name("n", taken), Term(between, (low, high), 4), sets_))
    made = []
    for count in (1, 2):
        for draws in itertools.combinations(options, count):
            place = extended(shop.place, list(draws))
            place.environments = place.environments[: ENVIRONMENTS * 6]
            parts = [
                *task.kit.locals(place.locals),
                *task.kit.fixed,
            ]
            prelude = tuple((name, term) for name, term, _ in draws)
            made.append(
                Workshop(
                    task.model,
                    place,
                    parts,
                    shop.promised,
                    shop.need,
                    task.statistics,
                    task.deadline,
                    prelude,
                )
            )
    return made


def _sets(shop: Workshop, term: Term) -> Any:
    if not term.args:
        return shop.leaf(term.component)
    return shop.apply(term.component, tuple(_sets(shop, a) for a in term.args))


def _constant(value: int) -> Component:
    from everycase.complete import expressions as x

    return Component("constant", str(value), INT, (), 1, expression=x.integer(value))


def _name(stem: str, taken: set[str]) -> str:
    """A fresh, readable name for a drawn value."""
    base = stem.split(" ")[0].lower() if stem.isidentifier() else stem[:1].lower()
    base = base if base.isidentifier() else "value"
    name = next(
        n for n in itertools.chain([base], (f"{base}{i}" for i in itertools.count(2))) if n not in taken
    )
    taken.add(name)
    return name


# --- from candidates to text ---------------------------------------------------------------------------


def _changes(
    task: _Task, places: list[Place], chosen: list[Candidate], fills: dict[ast.stmt, Candidate]
) -> list[Change]:
    """Give every place its branches; holes that see the same environments share the work."""
    by_node = {p.node: p for p in places}
    picked: dict[ast.stmt, list[Candidate]] = {}
    for c in chosen:
        picked.setdefault(c.place.node, []).append(c)
    holes = [p for p in places if p.ending == "hole"]
    for place in holes:
        twins = [p for p in holes if p.key == place.key]
        if twins[0] is place and len(twins) > 1:
            together = [c for p in twins for c in picked.pop(p.node, [])]
            for i, c in enumerate(together):
                picked.setdefault(twins[i % len(twins)].node, []).append(c)
            for p in twins[len(together) :]:
                picked[p.node] = together[:1]
    changes = []
    for node, place in by_node.items():
        if picked.get(node):
            changes.append(Change(place, tuple(_branch(task, c) for c in picked[node])))
        elif place.ending == "hole":
            fill = fills.get(node)
            branch = _branch(task, fill) if fill is not None else Branch((), None, False)
            changes.append(Change(place, (branch,)))
    return changes


def _branch(task: _Task, c: Candidate) -> Branch:
    used = tuple((name, term) for name, term in c.prelude if _mentions(c.term, name))
    return Branch(used, c.term, c.term.recursive(task.model))


def _mentions(term: Term, name: str) -> bool:
    own = term.component.kind == "local" and term.component.name == name
    return own or any(_mentions(a, name) for a in term.args)


def _finish(task: _Task, changes: list[Change], text: str) -> Repair:
    """Write the patch, read it back as Python, and examine what was read."""
    from everycase.complete.check import examine

    new = apply(text, changes, task.model, task.names)
    program = Program()
    patched = program.replace(task.model.native, reread(task.model.source, new))
    left = max(2.0, task.deadline - time.monotonic())
    verdict = examine(patched, min(left, 10.0), True, task.smt_out, ())
    task.queries += verdict.queries
    status = {"proved": "repaired", "missing": "not repaired"}.get(verdict.status, "repaired within bounds")
    if verdict.suspected is not None:
        status = "not repaired"
    made = Repair(task.model.name, status, _file(task.model), text, new, verdict)
    made.holes = len(changes)
    made.size = sum(b.term.size for c in changes for b in c.branches if b.term is not None)
    made.size += sum(1 + t.size for c in changes for b in c.branches for _, t in b.prelude)
    made.notes.append(verdict.headline)
    if verdict.unsound is not None:
        made.notes.append(f"makes a value that the predicate refuses: {verdict.unsound[1]!r}")
    return made


@dataclass
class _Attempt:
    """A patch under examination: read back from its text, surveyed, and if that shows nothing, proved."""

    task: _Task
    patched: Generator
    exam: Examination
    proved: bool = False
    still_missing: bool = False

    @staticmethod
    def of(task: _Task, changes: list[Change], text: str) -> _Attempt:
        new = apply(text, changes, task.model, task.names)
        patched = Program().replace(task.model.native, reread(task.model.source, new))
        return _Attempt(task, patched, Examination(patched, 10.0, True, task.smt_out))

    def lessons(self, promised: Promised) -> tuple[list[Case], list[Case]]:
        """What the next attempt must do better: cases that are still missing, arguments that were not safe."""
        missing = self._missing()
        self.still_missing = bool(missing)
        unsafe = [] if missing else self._unsafe(promised)
        self.task.queries += self.exam.solver.queries if self.exam.solver else 0
        return missing, unsafe

    def sound(self) -> bool:
        """Is it proved that only valid values are made?"""
        assert self.exam.prover is not None
        members = family(self.patched)
        if not all(self.exam.prover.calls_allowed(g) for g in members):
            return False
        return self.exam.prover.facts(members)[self.patched] == self.patched.covers

    def _missing(self) -> list[Case]:
        for level in levels(self.patched, self.exam.evaluator):
            self.exam.last = survey(self.patched, level, self.exam.evaluator)
            if self.exam.last.unreached:
                return self._telling(self.exam.last.unreached)
            if level.number == 3:
                break
        proof = self.exam.proof()
        self.proved = proof.verdict == "proved"
        if proof.verdict == "unknown":
            last = level_of_big_arguments(self.patched, self.exam.evaluator)
            if last is not None:
                return self._telling(
                    survey(self.patched, last, self.exam.evaluator, 2 * EVALUATIONS).unreached
                )
        return [proof.case] if proof.verdict == "refuted" else []

    def _telling(self, cases: list[Case]) -> list[Case]:
        """A few small cases; one per argument list says more than many of the same."""
        found = sorted(cases, key=lambda c: size_of_case(self.patched, c))
        different = {c[:-1]: c for c in reversed(found)}
        return list(dict.fromkeys([*found[:2], *list(reversed(different.values()))[:3]]))

    def _unsafe(self, promised: Promised) -> list[Case]:
        """Arguments for which a new path makes something invalid; the values drawn join the universe."""
        assert self.exam.prover is not None
        found: list[Case] = []
        old = {ast.unparse(p.node) for p in self.task.model.paths}
        for path in self.patched.paths:
            if path.result is not None and ast.unparse(path.node) not in old:
                bad = self.exam.prover.unsound_case(self.patched, path)
                if bad is not None:
                    found.append(bad[0])
                    for kind, value in bad[1]:
                        if isinstance(kind, DataType):
                            promised.add(kind, value)
        if not found:
            case = self.exam.unsound()
            if case is not None and not self._was_unsound():
                found.append(case[:-1])
                promised.add(self.patched.result, case[-1])
        return found

    def _was_unsound(self) -> bool:
        """Did the generator make invalid values before? Then this is not the patch's fault."""
        before = Examination(self.task.model, 5.0, False)
        before.last = self.exam.last
        return before.unsound() is not None


def _simple_strategy(task: _Task, places: list[Place], strategy: str, level: Level) -> list[Change]:
    """The two simple ways to repair that the literature compares with."""
    model = task.model
    spots = [p for p in places if p.ending == "hole"] or [
        p for p in places if p.ending in ("return", "reject")
    ]
    any_value = Component("any", "any value", model.result, (), 1)
    if strategy == "complete":
        return [Change(p, (Branch((), Term(any_value, (), 1), False),)) for p in spots]
    promised = Promised(level.world, 2)
    changes = []
    for place in spots:
        fill_environments(model, place, level.arguments[:ARGUMENTS], promised, [])
        term: Term | None = None
        if place.environments:
            shop = _workshops(task, [place], promised, Need([]))[0]
            for cost in range(1, task.max_cost + 1):
                if not shop.grow(cost) or shop.candidates:
                    break
            term = shop.candidates[0].term if shop.candidates else None
        changes.append(Change(place, (Branch((), term, term is not None and term.recursive(model)),)))
    return changes
