"""The moves of the shrinker for the steps of a state machine: how to do with fewer of them."""

from __future__ import annotations

import math
import random as stdlib_random
import time
from collections.abc import Iterator
from itertools import combinations

from everycase.choices.shrink.moves import Node, Path, numbers_of, with_children, with_number, without
from everycase.choices.shrink.shrinker import Shrinker, comparable
from everycase.gen.kinds import Union

#: Maximum length of sequences from which any two, or any three, steps are deleted at once.
MOST_FOR_PAIRS = 40
MOST_FOR_TRIPLES = 14
MOST_TO_REDIRECT = 8

#: Maximum number of steps, and of kinds of steps, for which other kinds are also tried.
FEW_STEPS = 5
MOST_KINDS = 24

#: Maximum length of sequences that are redrawn with fewer steps, and the maximum number of failed attempts.
MOST_TO_REDRAW = 20
REDRAWS = 200

#: Maximum number of steps whose arguments others are given, and the longest sequence in which they are given one by one.
MOST_MODELS = 8
MOST_ONE_BY_ONE = 60
#: Maximum length to which the collections among their arguments are extended.
MOST_ELEMENTS = 20

#: Maximum length of sequences for which all shorter ones are tried, with limits of runs and seconds.
MOST_TO_SEARCH = 12
RUNS = 2000
SECONDS = 2.0


def delete_steps(s: Shrinker, path: Path, node: Node) -> None:
    """Delete some steps of a sequence at once: a stretch of them, or two or three that need not be adjacent,
    because one may undo what another did."""
    if node.gen.steps is None:  # type: ignore[union-attr]
        return
    _delete_stretches(s, path, node)
    _delete_and_redirect(s, path)
    for together, most in ((2, MOST_FOR_PAIRS), (3, MOST_FOR_TRIPLES)):
        now = s.best.at(path)
        while now is not None and together <= len(now.children) <= most:
            for gone in combinations(range(len(now.children)), together):
                children = [child for i, child in enumerate(now.children) if i not in gone]
                if s.try_edit(with_children(s.best, path, children)):
                    now = s.best.at(path)
                    break
            else:
                break


def _delete_stretches(s: Shrinker, path: Path, node: Node) -> None:
    count = len(node.children)
    length = min(count // 2, MOST_FOR_PAIRS)
    while length > 1:
        now = s.best.at(path)
        if now is None or len(now.children) > 2 * MOST_FOR_PAIRS:
            return
        for i in range(len(now.children) - length + 1):
            if s.try_edit(with_children(s.best, path, without(now.children, i, i + length))):
                break
        else:
            length -= 1


def _delete_and_redirect(s: Shrinker, path: Path) -> None:
    """Delete a step and let another one refer to something else, or change any other small number."""
    now = s.best.at(path)
    while now is not None and 1 < len(now.children) <= MOST_TO_REDIRECT:
        for edited in _redirected(s.best, path, len(now.children)):
            if s.try_edit(edited):
                now = s.best.at(path)
                break
        else:
            return


def _redirected(trace: Node, path: Path, count: int) -> Iterator[Node]:
    small = [
        number
        for number in numbers_of(trace)
        if number.gen.lo is not None and number.gen.hi is not None and number.gen.hi - number.gen.lo < 8
    ]
    singles = [(i,) for i in reversed(range(count))]
    for gone in [*singles, *combinations(range(count), 2)]:
        for number in small:
            if number.path[: len(path)] == path and number.path[len(path)] in gone:
                continue
            for value in range(number.gen.lo, number.gen.hi + 1):  # type: ignore[arg-type, operator]
                if value != number.value:
                    changed = with_number(trace, number.path, value)
                    steps = changed.at(path)
                    assert steps is not None
                    kept = [child for i, child in enumerate(steps.children) if i not in gone]
                    yield with_children(changed, path, kept)
    if count <= FEW_STEPS:
        yield from _of_another_kind(trace, path, count)


def _of_another_kind(trace: Node, path: Path, count: int) -> Iterator[Node]:
    """One step less, and another one of a different kind, or in another thread."""
    for i in reversed(range(count)):
        for j in range(count):
            step = trace.at((*path, j))
            if (
                i == j
                or step is None
                or not isinstance(step.gen, Union)
                or len(step.gen.options) > MOST_KINDS
            ):
                continue
            for option in range(len(step.gen.options)):
                if option != step.choice:
                    changed = trace.replace((*path, j), step.with_choice(option))
                    steps = changed.at(path)
                    assert steps is not None
                    yield with_children(changed, path, without(steps.children, i, i + 1))


def redraw_steps(s: Shrinker, path: Path, node: Node) -> None:
    """Look for a shorter sequence near this one: leave out some steps, and redraw arguments of others.

    The only move that rolls dice: whether fewer steps are enough may depend on several arguments at once.
    """
    if node.gen.steps is None or len(node.children) == s.redrawn:  # type: ignore[union-attr]
        return
    random = stdlib_random.Random(s.calls).random
    fruitless = 0
    now: Node | None = node
    while now is not None and 1 < len(now.children) <= MOST_TO_REDRAW and fruitless < REDRAWS:
        fruitless += 1
        steps = list(now.children)
        for _ in range(1 if random() < 0.7 else 2):
            del steps[int(random() * len(steps))]
        share = random()
        redrawn = [_with_other_arguments(step, random()) if random() < share else step for step in steps]
        if s.try_edit(with_children(s.best, path, redrawn), random):
            fruitless, now = 0, s.best.at(path)
    s.redrawn = 0 if now is None else len(now.children)


def raise_steps(s: Shrinker, path: Path, node: Node) -> None:
    """Give the steps of a rule larger arguments, and then do with fewer steps.

    Larger arguments make nothing simpler by themselves, so no other move leads there: four steps that add 1 may have
    become as many as one that adds 4.
    """
    if node.gen.steps is None or len(node.children) == s.raised:  # type: ignore[union-attr]
        return
    now: Node | None = node
    while now is not None and len(now.children) > 2:
        count = len(now.children)
        if not any(_raised(s, path, now, model) for model in _models(now)):
            break
        now = s.best.at(path)
        if now is None or len(now.children) >= count:
            break
    s.raised = 0 if now is None else len(now.children)


def _models(node: Node) -> list[Node]:
    """The steps whose arguments other steps of their rules may be given: those there are, and with each number at the end of
    its range and each collection as long as it may be; the least simple first."""
    found: dict[str, Node] = {}
    for step in node.children:
        if step is None or step.choice is None:
            continue
        largest = step
        for number in numbers_of(step):
            low, high, simplest = number.gen.lo, number.gen.hi, number.gen.towards
            if low is not None and high is not None:
                end = high if high - simplest >= simplest - low else low
                largest = with_number(largest, number.path, end)
        for place, part in step.walk():
            room = getattr(part.gen, "max_size", None)
            if room is not None and 0 < len(part.children) < room <= MOST_ELEMENTS:
                elements = [*part.children, *[part.children[-1]] * (room - len(part.children))]
                largest = with_children(largest, place, elements)
        for each in (largest, step):
            found.setdefault(repr(each.to_json()), each)
    ordered = sorted(found.values(), key=comparable, reverse=True)
    return ordered[:MOST_MODELS]


def _raised(s: Shrinker, path: Path, node: Node, model: Node) -> bool:
    """Whether fewer steps fail after others of the same rule have become like the model."""
    same = [i for i, step in enumerate(node.children) if step is not None and step.choice == model.choice]
    if len(same) < 2:
        return False
    steps: list[Node | None] = list(node.children)
    for i in same:
        steps[i] = model

    def fail(steps: list[Node | None]) -> bool:
        s.spend()
        return s.fails(with_children(s.best, path, steps)) is True

    if not fail(steps):
        if len(node.children) > MOST_ONE_BY_ONE:
            return False
        steps = list(node.children)
        for i in same:
            changed = [*steps[:i], model, *steps[i + 1 :]]
            if fail(changed):
                steps = changed
    length = len(steps) // 2
    while length:
        i = 0
        while i + length <= len(steps):
            fewer = steps[:i] + steps[i + length :]
            if fail(fewer):
                steps = fewer
            else:
                i += length
        length //= 2
    return len(steps) < len(node.children) and s.try_edit(with_children(s.best, path, steps))


def search_steps(s: Shrinker, path: Path, node: Node) -> None:
    """Look for the shortest sequence among all that are made of few steps: those of this one, and the
    simplest others.

    Breadth first; of sequences that lead to states that look the same, only one is extended. It is the last
    move, because it costs most.
    """
    steps = node.gen.steps  # type: ignore[union-attr]
    if steps is None or steps.ways or s.patience < math.inf or len(node.children) == s.searched:
        return
    s.searched = len(node.children)
    first = steps.first_step(node.children)
    longest = len(node.children) - first - 1
    if not 2 <= longest < MOST_TO_SEARCH:
        return
    search = _StepSearch(s, path, node, first)
    level: list[tuple[Node | None, ...]] = [()]
    seen = {search.state(())}
    for _ in range(longest):
        level = search.level(level, seen)
        if search.ended or not search.affords(len(level)):
            return


class _StepSearch:
    """The runs of one search for a shorter sequence."""

    def __init__(self, s: Shrinker, path: Path, node: Node, first: int) -> None:
        self._s = s
        self._path = path
        self._steps = node.gen.steps  # type: ignore[union-attr]
        self._head = tuple(node.children[:first])
        self._left = RUNS
        self._clock = time.perf_counter
        self._end = self._clock() + SECONDS
        #: what a step may be
        self.options: list[Node] = self._steps.few_steps(node.children[first:])
        #: whether a shorter one was found, or the budget is used up
        self.ended = False

    def affords(self, count: int) -> bool:
        """Whether this number of sequences can be extended by a step."""
        return 0 < count * len(self.options) < self._left

    def level(
        self, shorter: list[tuple[Node | None, ...]], seen: set[object]
    ) -> list[tuple[Node | None, ...]]:
        """The sequences of one step more that lead to new states."""
        longer = []
        for beginning in shorter:
            for option in self.options:
                sequence = (*beginning, option)
                state = self.state(sequence)
                if self.ended:
                    return []
                if state is not None and state not in seen:
                    seen.add(state)
                    longer.append(sequence)
        return longer

    def state(self, sequence: tuple[Node | None, ...]) -> object:
        """The state after a sequence; None if the sequence cannot be taken."""
        edited = with_children(self._s.best, self._path, [*self._head, *sequence])
        self._left -= 1
        if not self._left or self._clock() > self._end:
            self.ended = True
            return None
        with self._steps.watched() as watched:
            fails = self._s.fails(edited)
        if fails:
            self.ended = self._s.try_edit(edited)
            return None
        return watched.state if fails is False else None


def _with_other_arguments(step: Node | None, luck: float) -> Node | None:
    """A step whose arguments are to be drawn, or now and then one of any kind."""
    return None if step is None or luck < 0.1 else step.with_children(())
