"""The conditions of a property: what an input must satisfy so that the test tests it.

There are several places for them: ``given(...).where(p)``, filters around the generators, and the beginning
of the test itself (see :mod:`everycase.run.condition_reader`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any

from everycase.explore.protocol import Space
from everycase.gen.kinds import Filter
from everycase.gen.sources import tree_of
from everycase.narrow.arguments import unwrapped
from everycase.run.outcome import is_discard
from everycase.run.property import Property
from everycase.run.report import Condition

#: Maximum number of characters of a condition to show.
MOST_TEXT = 80


class Leading:
    """A condition at the beginning of a test, as a predicate of some generated arguments.

    ``whole`` is everything that the test does up to there, and ``function`` leaves out what the condition does not need: that
    would only decide more of a half-decided input. If ``whole`` raises, the test would raise too, so such an input is tested.
    """

    def __init__(
        self, function: FunctionType, whole: FunctionType, places: tuple[int, ...], shown: Condition
    ) -> None:
        self.function = function
        self.whole = whole
        self.places = places
        self.shown = shown
        #: the classes of further arguments that it reads
        self.classes: list[type] = [type(one) for one in function.__defaults__ or ()]
        self.__name__ = shown.text
        self.__wrapped__ = function

    def __call__(self, *args: Any) -> object:
        try:
            return self.function(*args)
        except BaseException as problem:
            if is_discard(problem):
                return False
            raise

    def on_real(self, *args: Any) -> object:
        """Whether a whole input satisfies it. What this raises, the test raises as well."""
        for one in args:
            if hasattr(type(one), "__next__"):
                return True  # evaluating the condition would use up what the test is to get
        try:  # not in a function of its own: this is done for every sampled input
            return self.whole(*args)
        except BaseException as problem:
            if is_discard(problem):
                return False
            raise


class Conditions:
    """All conditions of one property; ``read`` are those that were read in the test."""

    def __init__(self, prop: Property, read: Iterable[Leading | Condition] = ()) -> None:
        #: each with the predicate that evaluates it, if there is one
        self._checks: list[tuple[Condition, Any]] = []
        for check in prop.preconditions:
            self._checks.append((Condition(_name(check), "where", _location(check)), check))
        for gen in prop.gens.values():
            for layer in unwrapped(gen)[1]:
                if isinstance(layer, Filter):
                    predicate = layer.predicate
                    self._checks.append(
                        (Condition(_name(predicate), "filter", _location(predicate)), predicate)
                    )
        #: those at the beginning of the test
        self.leading: list[Leading] = []
        for found in read:
            if isinstance(found, Leading):
                self.leading.append(found)
                self._checks.append((found.shown, found))
            else:
                self._checks.append((found, None))
        self.shown = [shown for shown, _ in self._checks]

    def concluded(self, space: Space, figures: dict[str, Any]) -> list[Condition]:
        """The conditions as the report shows them, after a run."""
        pruned = figures.get("conditions", {})
        for shown, check in self._checks:
            shown.asked, shown.passed = space.findings.tallies.get(id(check), (0, 0))
            shown.evaluations = shown.asked + pruned.get(id(check), 0)
            if shown.used:
                continue
            if id(check) in pruned and figures.get("by_filtering"):
                shown.used = "evaluated on whole values only: it cannot be trusted on half-decided ones"
            elif id(check) in pruned:
                shown.used = "searched for by pruning"
            elif shown.kind == "filter":
                shown.used = "values that do not satisfy it were drawn again"
            elif shown.kind == "guard":
                shown.used = "checked by the test, which returns early for other inputs"
            else:
                shown.used = "inputs that do not satisfy it were discarded"
        figures.pop("conditions", None)
        return self.shown

    def guards(self) -> list[tuple[Callable[..., object], tuple[int, ...]]]:
        """Those that were read from the test, in the form that an explorer needs."""
        return [(one, one.places) for one in self.leading]


def _name(check: Any) -> str:
    name: str = getattr(check, "__name__", type(check).__name__)
    if name != "<lambda>":
        return name
    tree = tree_of(check)
    return shortened(ast.unparse(tree.body)) if isinstance(tree, ast.Lambda) else name


def shortened(text: str) -> str:
    """The text of a condition as it is shown."""
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def _location(check: Any) -> str:
    code = getattr(check, "__code__", None)
    return "" if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"
