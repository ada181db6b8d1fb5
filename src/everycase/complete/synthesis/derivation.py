"""A whole generator from its promise alone: the parts of each case are drawn in an order in which all bounds
are known.

A part for which the promise states what the generator itself promises, for other arguments, is drawn by a
recursive call. Numbers are drawn between their bounds; remaining conditions are assumed. The text is only a
proposal: it is read back, proved and run like any other patch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from everycase.complete.frontend.program import Generator
from everycase.complete.language import expressions as x
from everycase.complete.language.elimination import solve
from everycase.complete.language.expressions import FALSE, INT, TEXT, TRUE, Expr
from everycase.complete.language.linear import Linear, not_negative
from everycase.complete.language.list_functions import ascending, distinct
from everycase.complete.language.types import DataType
from everycase.complete.proof.lemmas import of_head
from everycase.complete.proof.prove import Prover
from everycase.complete.synthesis.cases import ValueCase, cases_of, listed
from everycase.complete.synthesis.spelling import NotSpellable, Spelling, python_text
from everycase.complete.synthesis.unification import difference, matches, same_condition


class NotDerivable(Exception):
    """A promise whose cases cannot be drawn part by part."""


@dataclass
class DerivedCase:
    """One way to make a value: when it is possible, the lines before, and the result."""

    guard: Expr
    lines: list[str] = field(default_factory=list)
    result: str = ""
    recursive: bool = False


def derived(generator: Generator, names: Spelling, prover: Prover) -> Iterator[str]:
    """Bodies of the generator, as lines without indentation joined by newlines; the most readable first."""
    listed = _by_lists(generator, names)
    if listed is not None:
        yield listed
    cases = cases_of(generator)
    if not cases:
        return
    try:
        made = [_Schedule(generator, names, prover, cases).drawn(case) for case in cases]
        possible = [a for a in made if not prover.impossible(generator, [generator.requires, a.guard])]
        if possible:
            yield "\n".join(_composed(generator, names, prover, possible))
    except (NotDerivable, NotSpellable):
        return


def is_bare(generator: Generator) -> bool:
    """Is it a sketch that is one hole?"""
    paths = generator.paths
    return len(paths) == 1 and paths[0].ending == "hole" and not paths[0].steps


# --- one case -------------------------------------------------------------------------------------------


class _Schedule:
    """Draws the parts of one case after another."""

    def __init__(self, generator: Generator, names: Spelling, prover: Prover, cases: list[ValueCase]) -> None:
        self.generator, self.names, self.prover = generator, names, prover
        decided = [e for c in cases for e in c.literals if set(x.variables(e)) <= set(generator.params)]
        self.questions = list(dict.fromkeys(q for e in decided for q in (x.not_(e), e)))
        self.known: set[Expr] = set(generator.params)
        self.facts: list[Expr] = [generator.requires]
        self.made = DerivedCase(TRUE)

    def drawn(self, case: ValueCase) -> DerivedCase:
        shape, parts, literals = _solved(case, self.known)
        if FALSE in literals:
            return DerivedCase(FALSE)
        self.literals = literals
        parts = self._shares(parts)
        self._guards()
        calls = {p: self._call(p) for p in parts if isinstance(p.type, DataType)}
        numbers = [p for p in parts if p.type is INT]
        first = [p for p in numbers if not self._needs_inside(p, calls)]
        for part in first:
            self._number(part, [q for q in numbers if q not in self.known and q != part])
        for part in [p for p in parts if p not in numbers]:
            self._other(part, calls.get(part))
        for part in [p for p in numbers if p not in first]:
            self._number(part, [q for q in numbers if q not in self.known and q != part])
        self._assume_known()
        if self.literals:
            raise NotDerivable
        self.made.result = self._text(shape)
        return self.made

    def _shares(self, parts: list[Expr]) -> list[Expr]:
        """``size(left) + size(right) + 1 == n``: the share of the left side becomes a drawn number."""
        model = self.generator
        more: list[Expr] = []
        for e in list(self.literals):
            if e.op not in ("le", "lt", "eq") or e.args[0].type is not INT:
                continue
            inside = {
                p: [t for t in difference(e).terms if x.occurs(p, t)] for p in parts if p.type is model.result
            }
            terms = [t[0] for t in inside.values() if len(t) == 1 and t[0].op == "call"]
            for term in terms[:-1]:
                share = x.var(self._name("share", [*parts, *more]), INT)
                same = x.eq(term, share) if e.op == "eq" else x.le(term, share)
                index = self.literals.index(e)
                e = x.substitute(e, {term: share})
                self.literals[index : index + 1] = [e, same]
                if self.prover.impossible(model, [x.lt(term, x.integer(0))]):
                    self.literals.append(x.le(x.integer(0), share))
                if self.prover.impossible(model, [x.lt(terms[-1], x.integer(0))]):
                    self.literals.append(_least(e, terms[-1]))
                more.append(share)
        return [*more, *parts]

    def _name(self, stem: str, parts: list[Expr]) -> str:
        taken = {p.data for p in (*parts, *self.generator.params)} | set(self.generator.source.scope)
        return next(n for n in (stem, *(f"{stem}_{i}" for i in range(2, 99))) if n not in taken)

    def _needs_inside(self, number: Expr, calls: dict[Expr, list[Expr] | None]) -> bool:
        """Is the number bounded by something inside another part, which must be drawn before it?"""
        for part, args in calls.items():
            promised = self._promised(part, args) if args is not None else []
            if any(x.occurs(number, a) for a in args or ()):
                continue
            about = [e for e in self.literals if x.occurs(part, e) and x.occurs(number, e)]
            if any(not any(same_condition(e, p) for p in promised) for e in about):
                return True
        return False

    def _promised(self, part: Expr, args: list[Expr]) -> list[Expr]:
        by = {**dict(zip(self.generator.params, args)), self.generator.value: part}
        return list(x.conjuncts(x.substitute(self.generator.covers, by)))

    def _guards(self) -> None:
        """The conditions that depend only on the arguments."""
        decided = [e for e in self.literals if set(x.variables(e)) <= set(self.generator.params)]
        self.literals = [e for e in self.literals if e not in decided]
        self._guard(x.and_(*decided))

    def _guard(self, condition: Expr) -> None:
        self.made.guard = x.and_(self.made.guard, condition)
        self.facts += x.conjuncts(condition)

    def _assume_known(self) -> None:
        """Assume the conditions that are known by now and do not follow."""
        for e in [e for e in self.literals if set(x.variables(e)) <= self.known]:
            self.literals.remove(e)
            self._ensure(e)

    def _ensure(self, e: Expr) -> None:
        """Continue only if this holds: a test of the arguments if that is equivalent."""
        if self.prover.impossible(self.generator, [*self.facts, x.not_(e)]):
            return
        if set(x.variables(e)) <= set(self.generator.params):
            self._guard(e)
            return
        for q in self.questions:
            if self.prover.impossible(self.generator, [*self.facts, q, x.not_(e)]) and self.prover.impossible(
                self.generator, [*self.facts, e, x.not_(q)]
            ):
                self._guard(q)
                return
        nothing = f"return {self.names.draw}({self.names.library('nothing')}())"
        self.made.lines += [f"if {self._text(x.not_(e))}:", f"    {nothing}"]
        self.facts.append(e)

    # --- numbers ----------------------------------------------------------------------------------------

    def _number(self, part: Expr, later: list[Expr]) -> None:
        about = [e for e in self.literals if x.occurs(part, e) and _is_plain(e, {*self.known, part, *later})]
        lows: list[Expr] = []
        highs: list[Expr] = []
        for e in self._projected(about, later):
            if not x.occurs(part, e):
                continue
            found = _bound(e, part)
            if found is not None:
                (lows if found[0] else highs).append(found[1])
        lows, highs = _distinct(lows, max), _distinct(highs, min)
        for low in lows:
            for high in highs:
                if not self.prover.impossible(self.generator, [*self.facts, x.lt(high, low)]):
                    self._ensure(x.le(low, high))
        low_text, high_text = self._tightest(lows, "max"), self._tightest(highs, "min")
        given = [low_text or "None", high_text or "None"] if low_text or high_text else []
        self._say(part, self._chosen(part) or f"{self.names.draw}({self.names.integers(*given)})")
        self.facts += [x.le(low, part) for low in lows] + [x.le(part, high) for high in highs]
        closed = [e for e in about if set(x.variables(e)) <= self.known]
        self.literals = [e for e in self.literals if e not in closed]
        for e in closed:
            if _bound(e, part) is None:
                self._ensure(e)
        self._assume_known()

    def _say(self, part: Expr, text: str) -> None:
        self.made.lines.append(f"{part.data} = {text}")
        self.known.add(part)

    def _chosen(self, part: Expr) -> str | None:
        """A draw from the constants that a part may be."""
        for e in self.literals:
            found = listed(e, [part])
            if found is not None:
                self.literals.remove(e)
                self.facts.append(e)
                options = ", ".join(self._text(v) for v in found[1])
                return f"{self.names.draw}({self.names.library('sampled_from')}([{options}]))"
        return None

    def _projected(self, about: list[Expr], later: list[Expr]) -> list[Expr]:
        """The conditions without the numbers that are drawn later."""
        if not any(x.occurs(u, e) for u in later for e in about):
            return about
        everything = [e for e in self.literals if _is_plain(e, {*self.known, *later, *x.variables(*about)})]
        solved = solve(later, everything)
        if len(solved) != 1 or solved[0][0]:
            return [e for e in about if not any(x.occurs(u, e) for u in later)]
        return list(x.conjuncts(solved[0][1]))

    def _tightest(self, bounds: list[Expr], function: str) -> str:
        if not bounds:
            return ""
        text = self._text(bounds[0])
        for other in bounds[1:]:
            text = f"{function}({text}, {self._text(other)})"
        return text

    # --- parts with an inside ---------------------------------------------------------------------------

    def _call(self, part: Expr) -> list[Expr] | None:
        """Arguments for which the generator promises the conditions of the part."""
        model = self.generator
        if part.type is not model.result or not model.params:
            return None
        binding: dict[Expr, Expr] = {}
        asked = [e for e in self.literals if x.occurs(part, e)]
        unmatched = [
            p
            for p in x.conjuncts(model.covers)
            if x.occurs(model.value, p) and not any(matches(p, e, model, part, binding) for e in asked)
        ]
        if len(unmatched) == len(x.conjuncts(model.covers)):
            return None
        by = {p: binding.get(p, p) for p in model.params}
        for p in unmatched:  # it may follow from the rest
            wrong = x.not_(x.substitute(p, {**by, model.value: part}))
            if not self.prover.impossible(model, [*self.facts, *self.literals, wrong]):
                return None
        return list(by.values())

    def _other(self, part: Expr, args: list[Expr] | None) -> None:
        names, model = self.names, self.generator
        about = [e for e in self.literals if x.occurs(part, e)]
        if args is not None:
            for e in x.conjuncts(x.substitute(model.requires, dict(zip(model.params, args)))):
                self._ensure(e)
            promised = self._promised(part, args)
            same = [e for e in about if any(same_condition(e, p) for p in promised)]
            self.literals = [e for e in self.literals if e not in same]
            self.facts += promised
            given = ", ".join(self._text(a) for a in args)
            text = f"{names.draw}({names.spelling(model.native) or model.name}({given}))"
            self.made.recursive = True
        elif about and part.type is not TEXT:
            raise NotDerivable
        else:
            text = self._chosen(part) or names.any(part.type)
        self._say(part, text)
        self._assume_known()

    def python_text(self, e: Expr) -> str:
        return python_text(e, self.generator, self.names)

    def _text(self, e: Expr) -> str:
        return python_text(e, self.generator, self.names)


def _solved(case: ValueCase, params: set[Expr]) -> tuple[Expr, list[Expr], list[Expr]]:
    """Parts that an equation determines are not drawn; of several numbers the last one is what the others
    leave."""
    current = case
    for _ in range(20):
        pair = next((p for e in current.literals if (p := _equation(e, current, params)) is not None), None)
        if pair is None:
            break
        current = current.set(*pair)
    return current.shape, list(current.parts), list(x.conjuncts(x.and_(*current.literals)))


def _equation(e: Expr, case: ValueCase, params: set[Expr]) -> tuple[Expr, Expr] | None:
    """A part, and its value from an equation."""
    if e.op != "eq":
        return None
    for part, value in (e.args, e.args[::-1]):
        if part in case.parts and part.type is TEXT and set(x.variables(value)) <= params:
            return part, value
    numbers = [p for p in case.parts if p.type is INT]
    if e.args[0].type is INT and _is_plain(e, {*params, *numbers}):
        form = Linear.of(x.sub(*e.args))
        for part in reversed(numbers):
            if abs(form.terms.get(part, 0)) == 1 and form.only_outside(part):
                return part, form.without(part).scaled(-form.terms[part]).expression()
    return None


def _least(e: Expr, term: Expr) -> Expr:
    """What follows if the term is not negative, without the term."""
    form = difference(e)
    if e.op == "eq" and form.terms[term] > 0:
        form = form.scaled(-1)
    rest = form.without(term).expression()
    return x.le(x.integer(0), rest) if form.terms[term] < 0 else TRUE


def _distinct(bounds: list[Expr], tightest: Callable[..., int]) -> list[Expr]:
    """Each bound once, and of the constants only the strongest."""
    fixed = [b.data for b in bounds if b.op == "const"]
    others = [b for b in dict.fromkeys(bounds) if b.op != "const"]
    return [*([x.integer(tightest(fixed))] if fixed else []), *others]


def _is_plain(e: Expr, known: set[Expr]) -> bool:
    """A condition on numbers that are known or about to be."""
    return set(x.variables(e)) <= known and all(s.op != "call" for s in x.subterms(e))


def _bound(e: Expr, part: Expr) -> tuple[bool, Expr] | None:
    """``(True, low)`` or ``(False, high)`` if the condition bounds the part on one side."""
    form = not_negative(e)
    if form is None or abs(form.terms.get(part, 0)) != 1 or not form.only_outside(part):
        return None
    rest = form.without(part)
    if form.terms[part] > 0:
        return True, rest.scaled(-1).expression()
    return False, rest.expression()


def _composed(
    generator: Generator, names: Spelling, prover: Prover, alternatives: list[DerivedCase]
) -> Iterator[str]:
    """The alternatives one after another, each if it is possible."""
    waiting = sorted(alternatives, key=lambda a: a.recursive)
    known = [generator.requires]
    measure = generator.measure[0] if generator.measure else None
    weighted = len(waiting) == 2 and waiting[1].recursive and not waiting[0].recursive

    def follows(e: Expr) -> bool:
        return prover.impossible(generator, [*known, x.not_(e)])

    for i, a in enumerate(waiting):
        others = x.or_(*(b.guard for b in waiting[i + 1 :]))
        always = follows(a.guard)
        if i == len(waiting) - 1 and always:
            yield from _lines(a, "")
            return
        tests = [] if always else [python_text(a.guard, generator, names)]
        exclusive = prover.impossible(generator, [*known, a.guard, others])
        if not exclusive:
            coin = f"{names.draw}({names.library('booleans')}())"
            if weighted and measure is not None and measure.op == "var":
                coin = f"{names.draw}({names.integers('0', str(measure.data))}) == 0"
            if not prover.impossible(generator, [*known, a.guard, x.not_(others)]):
                coin = f"{python_text(x.not_(others), generator, names)} or {coin}"
                coin = f"({coin})" if tests else coin
            tests.append(coin)
        needs_brackets = a.guard.op == "or" and len(tests) > 1 and not always
        if needs_brackets:
            tests[0] = f"({tests[0]})"
        yield f"if {' and '.join(tests)}:"
        yield from _lines(a, "    ")
        known.append(x.not_(a.guard) if exclusive else x.or_(x.not_(a.guard), others))
    yield f"return {names.draw}({names.library('nothing')}())"


def _lines(a: DerivedCase, indent: str) -> Iterator[str]:
    lines, result = a.lines, a.result
    if lines and lines[-1].startswith(f"{result} = "):  # a name that is only returned
        lines, result = lines[:-1], lines[-1].removeprefix(f"{result} = ")
    yield from (indent + line for line in lines)
    yield f"{indent}return {result}"


# --- lists that no argument bounds ----------------------------------------------------------------------


def _by_lists(generator: Generator, names: Spelling) -> str | None:
    """``sorted(draw(lists(...)))`` and the like, if they can express everything that the promise asks for."""
    kind, v, library = generator.result, generator.value, generator.program.library
    if not isinstance(kind, DataType) or not kind.is_list or generator.measure:
        return None
    given: dict[str, str] = {}
    element: list[Expr] = []
    order = False
    for e in x.conjuncts(generator.covers):
        form = not_negative(e)
        lengths = [t for t in form.terms if t.op == "call" and t.data.symmetric == "size"] if form else []
        if kind.element is INT and e == ascending(library.functions, v):
            order = True
        elif e == distinct(library.functions, v):
            given["unique"] = "True"
        elif e.op == "call" and e.data.symmetric == "all" and e.args[0] == v:
            element.append(e)
        elif form is not None and len(form.terms) == 1 and lengths and abs(form.terms[lengths[0]]) == 1:
            low = form.terms[lengths[0]] > 0
            given["min_size" if low else "max_size"] = str(-form.constant if low else form.constant)
        else:
            return None
    bounds = _element_bounds(element)
    if bounds is None or (bounds and kind.element is not INT):
        return None
    inside = names.integers(*bounds) if bounds else names.any(kind.element)[len(names.draw) + 1 : -1]
    options = "".join(f", {k}={given[k]}" for k in ("min_size", "max_size", "unique") if k in given)
    text = f"{names.draw}({names.library('lists')}({inside}{options}))"
    return f"return sorted({text})" if order else f"return {text}"


def _element_bounds(conditions: list[Expr]) -> list[str] | None:
    """The bounds that all elements have; None if the promise asks for more."""
    low: str | None = None
    high: str | None = None
    for e in conditions:
        for test in of_head(e.data):
            head = next((s for s in x.subterms(test) if s.op == "field"), None)
            found = _bound(test, head) if head is not None and len(e.args) == 1 else None
            if found is None or found[1].op != "const" or (low if found[0] else high) is not None:
                return None
            if found[0]:
                low = str(found[1].data)
            else:
                high = str(found[1].data)
    return [low or "None", high or "None"] if low or high else []
