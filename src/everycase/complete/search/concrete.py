"""Evaluates the coverage conditions: is this value promised, made by the next step, really made?"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from everycase.complete.clock import Clock
from everycase.complete.frontend.program import AssumeStep, DrawStep, Generator, Path
from everycase.complete.language import expressions as x
from everycase.complete.language.evaluate import Evaluator, mangle
from everycase.complete.language.expressions import Expr, conjuncts, variables
from everycase.complete.language.types import INT, Value
from everycase.complete.search.coverage import PathCover, covering
from everycase.complete.search.ranges import next_range
from everycase.complete.search.worlds import World

STEPS = 50_000  # values tried for the unknowns of one question
FORWARD_STEPS = 20_000  # values drawn on one path


class StepBudget:
    """Counted work instead of the clock, so that a verdict is the same on every machine."""

    def __init__(self, steps: int) -> None:
        self.steps = self.left = steps

    def refill(self) -> None:
        self.left = self.steps


class CoverSearch:
    """A compiled disjunction of coverings. ``doubt`` says whether a "no" means only "not found"."""

    def __init__(
        self,
        generator: Generator,
        coverings: list[PathCover],
        evaluator: Evaluator,
        world: World,
        budget: StepBudget | None = None,
    ) -> None:
        self.doubt = False
        self._clock = generator.program.clock
        self.spent = 0  # steps of all questions together
        self._shared = budget is not None
        self._budget = budget or StepBudget(STEPS)
        params = (*generator.params, generator.value)
        plain = x.or_(*(c.condition for c in coverings if not c.unknowns))
        self._plain = evaluator.compile(params, plain)
        self._searches = [self._searcher(params, c, evaluator, world) for c in coverings if c.unknowns]

    def __call__(self, *args: Value) -> bool:
        """Arguments, then the value."""
        self.doubt = False
        if not self._shared:
            self.spent += self._budget.steps - self._budget.left
            self._budget.refill()
        return bool(self._plain(*args)) or any(search(*args) for search in self._searches)

    def _searcher(
        self, params: tuple[Expr, ...], c: PathCover, evaluator: Evaluator, world: World
    ) -> Callable[..., bool]:
        waiting, known, unknowns = list(conjuncts(c.condition)), set(params), list(c.unknowns)
        name = evaluator.unique("search")
        lines = [f"def {name}({', '.join(mangle(p.data) for p in params)}):"]
        pad, exact = "    ", True
        steps = evaluator.unique("steps")
        constants: dict[str, Any] = {steps: self._steps}
        while True:
            for e in [e for e in waiting if set(variables(e)) <= known]:
                lines.append(
                    f"{pad}if not {evaluator.text(e)}: {'continue' if len(pad) > 4 else 'return False'}"
                )
                waiting.remove(e)
            if not unknowns:
                break
            found = next_range(unknowns, waiting, known)
            unknown = found.unknown
            unknowns.remove(unknown)
            known.add(unknown)
            exact = exact and found.exact
            if unknown.type is INT and found.exact:
                low, high = (", ".join(evaluator.text(e) for e in side) for side in (found.lows, found.highs))
                loop = f"range(max({low}, {low}), min({high}, {high}) + 1)"
            else:
                spot = evaluator.unique("domain")
                constants[spot] = _domain(world, unknown)
                loop = spot
            lines.append(f"{pad}for {mangle(unknown.data)} in {steps}({loop}):")
            pad += "    "
        lines.append(f"{pad}return True")
        if not exact:
            spot = evaluator.unique("doubt")
            constants[spot] = self._doubtful
            lines.append(f"    {spot}()")
        lines.append("    return False")
        return evaluator.execute(name, "\n".join(lines), constants)

    def _steps(self, values: Iterable[Value]) -> Iterator[Value]:
        for value in values:
            if self._budget.left <= 0:
                self.doubt = True
                return
            if self._budget.left % 256 == 0:
                self._clock.check()
            self._budget.left -= 1
            yield value

    def _doubtful(self) -> None:
        self.doubt = True


def _domain(world: World, unknown: Expr) -> list[Value]:
    if unknown.type is INT:
        # wider than the values: 3x + 2y == 1 needs x = 1, y = -1
        top = max(8, 2 * max(abs(n) for n in world.integers if abs(n) < 50))
        return sorted(range(-top, top + 1), key=abs)
    return world.values(unknown.type, 2, cap=60)


class Reality:
    """What generators really make, by running their paths backwards from the value (including recursive
    calls).

    A "yes" is certain. A "no" is certain unless ``doubt`` is set: an unbounded draw was only searched within
    bounds, or the recursion did not get smaller.
    """

    def __init__(self, world: World, facts: dict[Generator, Expr] | None = None) -> None:
        self.world, self.facts = world, facts or {}
        self.doubt = False
        self._budget = StepBudget(STEPS)
        self._evaluator = Evaluator(self.makes)
        self._searches: dict[Generator, CoverSearch] = {}
        self._known: dict[Any, tuple[bool, bool, tuple[Value, ...]]] = {}
        self._open: set[Any] = set()

    def makes(self, generator: Generator, *args: Value) -> bool:
        """Can the generator, called with these arguments, make the last one?"""
        # by identity: the parts of one value are looked up again and again, and hashing a long list costs as
        # much as walking through it
        key = (generator, *(id(a) if type(a) is tuple else a for a in args))
        if key in self._open:
            self.doubt = True
            return False
        if key not in self._known:
            generator.program.clock.check()
            if generator not in self._searches:
                found = [c for p in generator.paths for c in covering(generator, p, True, self.facts)]
                self._searches[generator] = CoverSearch(
                    generator, found, self._evaluator, self.world, self._budget
                )
            search = self._searches[generator]
            outer, self.doubt = self.doubt, False
            before = search.doubt  # of the question that this one is a part of
            self._open.add(key)
            try:
                made = search(*args)
            except (RecursionError, IndexError):  # a predicate that is not defined for this value
                made, self.doubt = False, True
            finally:
                self._open.discard(key)
            # with the arguments, which must live as long as their identity is used
            self._known[key] = (made, not made and (self.doubt or search.doubt), args)
            self.doubt, search.doubt = outer, before
        made, doubt, _ = self._known[key]
        self.doubt = self.doubt or doubt
        return made

    def forget(self) -> None:
        """Drop the results so far, which fill the memory when many large values are checked."""
        self._known.clear()

    def certainly_not(self, generator: Generator, *args: Value) -> bool:
        """Is it certain that the generator cannot make this value?"""
        self.doubt = False
        self._budget.refill()
        return not self.makes(generator, *args) and not self.doubt


def _counted(values: Iterable[Value], left: list[int]) -> Iterator[Value]:
    for value in values:
        if left[0] <= 0:
            return
        left[0] -= 1
        yield value


class Forward:
    """What a generator makes in a world, by running its paths forwards; used for unsound values and for
    synthesis. ``calls`` gives the values of a draw from another generator."""

    def __init__(self, evaluator: Evaluator, world: World, calls: Callable[..., Any]) -> None:
        self.evaluator, self.world, self.calls = evaluator, world, calls

    def compile(
        self,
        params: tuple[Expr, ...],
        path: Path,
        outputs: tuple[Expr, ...],
        only: tuple[Expr, ...] = (),
    ) -> Callable[..., Iterator[Value]]:
        """A generator function of the parameters that yields the outputs for every way to draw.

        If ``only`` names drawn variables, the function has one more parameter, the values that these may have.
        """
        evaluator = self.evaluator
        name, spot, steps = (evaluator.unique(stem) for stem in ("forward", "calls", "steps"))
        spots = [mangle(p.data) for p in params] + (["wanted"] if only else [])
        lines = [f"def {name}({', '.join(spots)}):", f"    left = [{FORWARD_STEPS}]"]
        pad, constants = "    ", {spot: self.calls, steps: _counted}
        for step in path.steps:
            if isinstance(step, AssumeStep):
                lines.append(f"{pad}if {evaluator.text(step.condition)}:")
            else:
                loop = self._loop(step, spot, constants)
                if step.variable in only:
                    loop = self._among_wanted(step, loop)
                lines.append(f"{pad}for {mangle(step.variable.data)} in {steps}({loop}, left):")
            pad += "    "
        texts = [evaluator.text(e) for e in outputs]
        several = f"({', '.join(texts)},)" if texts else "()"
        lines.append(f"{pad}yield {texts[0] if len(texts) == 1 else several}")
        return evaluator.execute(name, "\n".join(lines), constants)

    def _among_wanted(self, step: DrawStep, loop: str) -> str:
        if step.generator is not None or step.variable.type is not INT:
            return f"[i for i in {loop} if i in wanted]"
        low = f" and i >= {self.evaluator.text(step.low)}" if step.low is not None else ""
        high = f" and i <= {self.evaluator.text(step.high)}" if step.high is not None else ""
        return f"[i for i in wanted if type(i) is int{low}{high}]"

    def _loop(self, step: DrawStep, spot: str, constants: dict[str, Any]) -> str:
        text = self.evaluator.text
        if step.generator is not None:
            name = self.evaluator.unique("callee")
            constants[name] = step.generator
            return f"{spot}({', '.join([name, *(text(a) for a in step.args)])})"
        if step.low is not None and step.high is not None:
            return f"range({text(step.low)}, {text(step.high)} + 1)"
        pool = self.evaluator.unique("pool")
        kind = step.variable.type
        constants[pool] = list(self.world.integers) if kind is INT else self.world.values(kind, 2, cap=60)
        if step.low is not None:
            return f"[i for i in {pool} if i >= {text(step.low)}] + [{text(step.low)}]"
        return (
            f"[i for i in {pool} if i <= {text(step.high)}] + [{text(step.high)}]"
            if step.high is not None
            else pool
        )


class RealSets:
    """Values that generators really make in a world, memoised; an under-approximation, never wrong."""

    LIMIT = 1_500
    DEPTH = 12

    def __init__(self, world: World, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.forward = Forward(Evaluator(), world, self.values)
        self._known: dict[Any, list[Value]] = {}
        self._compiled: dict[Generator, list[Callable[..., Iterator[Value]]]] = {}
        self._depth = 0

    def values(self, generator: Generator, *args: Value) -> list[Value]:
        key = (generator, args)
        if key not in self._known:
            if self._depth > self.DEPTH:
                return []
            self._known[key] = []  # a call that leads back to itself adds nothing new
            if generator not in self._compiled:
                self._compiled[generator] = [
                    self.forward.compile(generator.params, p, (p.result,))
                    for p in generator.paths
                    if p.result is not None
                ]
            self._depth += 1
            found: dict[Value, None] = {}
            for path in self._compiled[generator]:
                try:
                    for value in itertools.islice(path(*args), self.LIMIT):
                        self.clock.check()
                        found[value] = None
                except (RecursionError, IndexError, TypeError):
                    pass  # user code that has no answer here; the results so far stay true
            self._depth -= 1
            self._known[key] = list(found)
        return self._known[key]
