"""The conditions of a property: what an input must satisfy so that the test tests it.

There are several places for them: ``given(...).where(p)``, filters around the generators, and the beginning
of the test itself (``assume(...)``, a guard that returns, or a helper that is called first), where they are
read by :mod:`everycase.run.leading`. All of them are shown in the report.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from everycase.explore.protocol import Space
from everycase.gen.kinds import Filter
from everycase.gen.sources import tree_of
from everycase.narrow.arguments import unwrapped
from everycase.run.leading import MOST_TEXT, Condition, Leading, leading_conditions
from everycase.run.property import Property


class Conditions:
    """All conditions of one property; ``given`` are the arguments of the test that are not generated, and those in
    ``renewed`` may be others for each call."""

    def __init__(
        self, prop: Property, given: Mapping[str, Any] | None = None, renewed: Collection[str] = ()
    ) -> None:
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
        #: those that were read in the test
        self.leading: list[Leading] = []
        for found in leading_conditions(prop, given or {}, renewed):
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
    text = ast.unparse(tree.body) if isinstance(tree, ast.Lambda) else name
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 3]}..."


def _location(check: Any) -> str:
    code = getattr(check, "__code__", None)
    return "" if code is None else f"{Path(code.co_filename).name}:{code.co_firstlineno}"
