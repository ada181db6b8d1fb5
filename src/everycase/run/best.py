"""The best inputs of a run: kept by their choices while it goes on, made again when it is over."""

from __future__ import annotations

from typing import Any

from everycase.choices.enact import replay
from everycase.explore.protocol import Case, Outcome
from everycase.explore.targeted.front import Front
from everycase.gen.base import Gen
from everycase.run.report import Report


class BestInputs:
    """For each label the input that reached the best utility, and the inputs that no other beats in every label."""

    def __init__(self) -> None:
        self._cases: dict[str, Case] = {}
        self._front: Front[Case] = Front()
        self._labels: set[str] = set()

    def see(self, case: Case, outcome: Outcome, improved: list[str]) -> None:
        """A test reported utilities, and these labels are better than ever."""
        for label in improved:
            self._cases[label] = case
        self._labels.update(outcome.utilities)
        # With one label the front is the best input, which is known already.
        if len(self._labels) > 1 or improved:
            self._front.add(case, outcome.utilities)

    @property
    def cases(self) -> dict[str, Case]:
        """By label, the case that reached the best utility."""
        return self._cases

    def conclude(self, gen: Gen[Any], signs: dict[str, int], report: Report) -> None:
        """Put the inputs into the report, with the utilities as the test gave them."""
        report.best_input = {label: _made_again(gen, case) for label, case in self._cases.items()}
        report.front = [
            (
                {label: signs[label] * worth for label, worth in member.utilities.items()},
                _made_again(gen, member.item),
            )
            for member in sorted(self._front, key=lambda member: member.worth, reverse=True)
        ]


def _made_again(gen: Gen[Any], case: Case) -> tuple[Any, ...]:
    """The arguments as they were made: the test may have changed the ones that it got."""
    try:
        trace = case.trace
        if trace is not None:
            made: tuple[Any, ...] = replay(gen, trace).value
            return made
    except Exception:
        pass  # what cannot be made again is shown as the test left it
    return case.args or ()
