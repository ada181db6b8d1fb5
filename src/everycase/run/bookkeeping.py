"""Recording test cases in the report: how many there were, what they reported, and which failed."""

from __future__ import annotations

from everycase.errors import InvalidArgument
from everycase.explore.case import RANDOM
from everycase.explore.protocol import Case, Outcome, Status
from everycase.run.best_inputs import BestInputs
from everycase.run.failures import Failures
from everycase.run.labels import Labels
from everycase.run.report import Report


class Bookkeeping:
    """Records the test cases of one run. ``signs`` says of each label whether it is maximized or
    minimized."""

    def __init__(
        self,
        report: Report,
        failures: Failures,
        names: list[str],
        signs: dict[str, int],
        labels: Labels,
        observe: bool,
    ) -> None:
        self.report = report
        self.failures = failures
        self.names = names
        self.signs = signs
        self.labels = labels
        self.observe = observe
        self.best = BestInputs()

    def count(self, case: Case, outcome: Outcome) -> None:
        """Record one test case."""
        report = self.report
        if outcome.status is Status.discarded:
            report.discarded += 1
        else:
            report.examples += 1
        if outcome.utilities and not outcome.guessed:
            self._measure(case, outcome)
        if outcome.status is not Status.discarded:
            if outcome.events:
                report.events.update(outcome.events)
            if outcome.labels or outcome.rows:
                self.labels.book(outcome.labels, outcome.rows, drawn=case.how == RANDOM)
        if outcome.status is Status.failed and outcome.error is not None:
            self._check_arguments(case)
            self.failures.see(case, outcome)

    def _measure(self, case: Case, outcome: Outcome) -> None:
        """Record what a test reported with ``maximize`` and ``minimize``."""
        report, signs = self.report, self.signs
        number, improved = report.examples + report.discarded, []
        for label, utility in outcome.utilities.items():
            sign = signs[label]
            best = report.best.get(label)
            if best is None or utility > sign * best:
                report.best[label] = sign * utility
                report.trajectory.append((number, label, sign * utility))
                improved.append(label)
        if improved or len(report.best) > 1:  # otherwise there is one label, which did not improve
            self.best.see(case, outcome, improved)
        if self.observe:
            said = {label: signs[label] * utility for label, utility in outcome.utilities.items()}
            report.utilities.append((number, said))

    def _check_arguments(self, case: Case) -> None:
        """If an explorer makes a wrong case, every test fails. So this is only checked then, and costs
        nothing otherwise."""
        names, args = self.names, case.args
        if not isinstance(args, tuple) or len(args) != len(names):
            raise InvalidArgument(
                f"the explorer {self.report.explorer} must give a case a tuple of {len(names)} arguments "
                f"({', '.join(names)}), but it gave {args!r}"
            )
