"""Labels: what a test reports about its inputs with ``classify`` and ``tabulate``, counted and judged.

The reports of one test wait in the scope until the test is over: those of a discarded test do not count. A
label with a demand (``at_least=``) is judged by :mod:`everycase.run.shares` if inputs are drawn at random,
and by plain counting if every value was tested. In other runs it is not judged: the share among the inputs of
a search means nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from everycase.errors import InvalidArgument
from everycase.pages.figures import percent
from everycase.run.context import Scope, current, current_scope
from everycase.run.shares import ShareTest

#: While a demanded share is undecided, a run makes up to this many times its usual number of tests.
GROWTH = 20

#: Maximum number of different values of one table to distinguish.
MOST_ROWS = 10_000
OTHERS = "(others)"

#: The share of a label is checked after every test at first, then each time the tests have grown by one in
#: this many.
LOOK = 64

#: The possible verdicts on a demanded label.
MET, MISSED, UNDECIDED, IMPOSSIBLE, POSSIBLE = "met", "not met", "undecided", "impossible", "possible"


def classify(label: str, condition: object = True, at_least: float | None = None) -> None:
    """Count in how many tests a condition holds; with ``at_least``, demand at least this share.

    The run then continues until it is clear whether the demand is met, for up to 20 times as many tests, and
    fails if it is not met. A label counts once per test; discarded tests do not count.

    >>> from everycase import check, gen
    >>> def sorts(xs):
    ...     classify("short", len(xs) < 3, at_least=0.1)
    ...     assert sorted(sorted(xs)) == sorted(xs)
    >>> report = check(sorts, gen.lists(gen.integers()), seed=1)
    >>> report.status, report.labels["short"].verdict
    ('passed', 'met')
    """
    scope = current_scope() or current("classify")
    labels = scope.labels
    if label in labels:
        if condition:
            labels[label] = True
    else:
        if type(label) is not str:
            raise InvalidArgument(f"the label given to classify must be a string, not {label!r}")
        labels[label] = bool(condition)
        scope.touched = scope.labelled = True
    if at_least is not None and scope.demands.get(label) != at_least:
        _demand(scope, label, at_least)


def _demand(scope: Scope, label: str, at_least: float) -> None:
    """Record a demand, which is the same in all tests."""
    number = isinstance(at_least, int | float) and not isinstance(at_least, bool)
    if not (number and 0 < at_least <= 1):
        raise InvalidArgument(
            f"at_least must be a share of the tests, above 0 and at most 1, not {at_least!r}; "
            "for five percent write at_least=0.05"
        )
    if scope.demands.setdefault(label, at_least) != at_least:
        raise InvalidArgument(
            f"two demands name the label {label!r}: at least {scope.demands[label]:g} of the tests, and at least "
            f"{at_least:g}; give each demand its own label"
        )


def tabulate(name: str, value: object) -> None:
    """Count a value in the table of this name; the report shows how often each came up.

    >>> from everycase import check, gen
    >>> report = check(lambda xs: tabulate("length", len(xs)), gen.lists(gen.booleans(), max_size=2))
    >>> dict(report.tables["length"])
    {'0': 1, '1': 2, '2': 4}
    """
    scope = current_scope() or current("tabulate")
    if not isinstance(name, str):
        raise InvalidArgument(f"the name given to tabulate must be a string, not {name!r}")
    scope.rows.append((name, value if isinstance(value, str) else repr(value)))
    scope.touched = scope.labelled = True


@dataclass
class Label:
    """What a run knows of one label."""

    label: str
    #: in how many of how many tests it held
    hits: int
    tests: int
    #: the share that was demanded, if one was
    at_least: float | None = None
    #: of a demanded label: "met", "not met", "undecided", "impossible" or "possible"; else empty
    verdict: str = ""
    #: whether ``hits`` of ``tests`` is the share among all possible values, each tested once
    exact: bool = False
    #: an input that has the label, if none came up by itself
    example: str = ""
    #: whether it is known that a demand is not met
    missed: bool = False

    @property
    def share(self) -> float:
        return self.hits / self.tests if self.tests else 0.0

    @property
    def words(self) -> str:
        """The verdict in one line."""
        among = f"all {self.tests:,} values" if self.exact else f"{self.tests:,} tests"
        text = f"{self.hits:,} of {among} ({percent(self.share)})"
        if self.at_least is not None:
            text += f", at least {percent(self.at_least)} required"
        match self.verdict:
            case "impossible":
                return f"{text}: impossible, because no value has it"
            case "possible":
                return f"{text}: possible, but rare; for example {self.example}"
            case "undecided":
                return f"{text}: undecided after {self.tests:,} tests"
            case "":
                return text
            case _:
                return f"{text}: {self.verdict}"


def count_tables(tables: dict[str, Counter[str]], more: Mapping[str, Mapping[str, int]]) -> None:
    """Add the counts of other tables, with a bounded number of rows each."""
    for name, rows in more.items():
        table = tables.setdefault(name, Counter())
        for value, count in rows.items():
            table[value if value in table or len(table) < MOST_ROWS else OTHERS] += count


#: In how many tests anything was said, how often each label held, and the tables.
LabelCounts = tuple[int, dict[str, int], dict[str, Counter[str]]]


class Labels:
    """The labels of one run."""

    def __init__(self, demands: dict[str, float]) -> None:
        self._demands = demands
        self.hits: Counter[str] = Counter()
        self.tables: dict[str, Counter[str]] = {}
        #: how many counted tests reported anything
        self.booked = 0
        #: how many valid inputs were drawn at random, and the labels of those only
        self.drawn = 0
        self._drawn_hits: Counter[str] = Counter()
        self._tests: dict[str, ShareTest] = {}
        self._decided: dict[str, bool] = {}
        self._look_at = 1
        #: inputs that were searched for labels that did not come up by themselves, as code
        self.found: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self.hits) or bool(self.tables)

    def begin(self) -> None:
        """Exploring begins: the labels of explicit examples say nothing about a share."""
        self.hits.clear()
        self.tables.clear()
        self.booked = 0
        self.drawn = 0
        self._drawn_hits.clear()

    @property
    def demanded(self) -> bool:
        """Whether a share was demanded of any label."""
        return bool(self._demands)

    @property
    def counts(self) -> LabelCounts:
        """What was counted, to be sent to another process."""
        return self.booked, dict(self.hits), self.tables

    def add(self, counts: LabelCounts) -> None:
        """Count what tests said in another process."""
        booked, hits, tables = counts
        self.booked += booked
        self.hits.update(hits)
        count_tables(self.tables, tables)

    def book(self, labels: dict[str, bool], rows: Iterable[tuple[str, str]], *, drawn: bool) -> None:
        """Count the reports of one valid test."""
        self.booked += 1
        hits = self.hits
        for label, holds in labels.items():
            hits[label] += holds
        for name, value in rows:
            table = self.tables.setdefault(name, Counter())
            table[value if value in table or len(table) < MOST_ROWS else OTHERS] += 1
        if drawn:
            for label in self._demands:
                self._drawn_hits[label] += labels.get(label, False)

    @property
    def drawn_hits(self) -> dict[str, int]:
        """How many of the inputs that were drawn at random have each demanded label."""
        return {label: self._drawn_hits[label] for label in self._demands}

    def wants_more(self) -> bool:
        """Whether random tests still have to decide a demand."""
        return bool(self._demands) and bool(self.drawn) and not self.all_decided()

    def all_decided(self) -> bool:
        """Whether every demand is decided. The shares are only checked now and then, which does not change a
        decision."""
        if len(self._decided) == len(self._demands):
            return True
        if self.drawn < self._look_at:
            return False
        self._look_at = self.drawn + 1 + self.drawn // LOOK
        for label, share in self._demands.items():
            if label not in self._decided:
                test = self._tests.get(label) or self._tests.setdefault(label, ShareTest(share))
                verdict = test.verdict(self.drawn, self._drawn_hits[label])
                if verdict is not None:
                    self._decided[label] = verdict
        return len(self._decided) == len(self._demands)

    def concluded(self, tests: int, *, exhaustive: bool) -> dict[str, Label]:
        """All labels as a report shows them, the most frequent first."""
        self._look_at = 0
        self.all_decided()
        labels = [
            self._with_verdict(Label(label, hits, tests, self._demands.get(label)), exhaustive)
            for label, hits in self.hits.items()
        ]
        return {label.label: label for label in sorted(labels, key=lambda one: (-one.hits, one.label))}

    def _with_verdict(self, label: Label, exhaustive: bool) -> Label:
        if label.at_least is None:
            label.exact = exhaustive
        elif exhaustive:
            exact_verdict(label)
        else:
            decided = self._decided.get(label.label)
            label.verdict = UNDECIDED if decided is None else MET if decided else MISSED
            label.missed = decided is False
        if not label.hits and exhaustive:
            label.verdict = IMPOSSIBLE
        elif label.label in self.found:
            label.verdict, label.example = POSSIBLE, self.found[label.label]
        return label


def exact_verdict(label: Label) -> None:
    """The verdict on a demanded label if every possible value was tested."""
    label.exact = True
    assert label.at_least is not None
    if not label.hits:
        label.verdict = IMPOSSIBLE
    else:
        label.verdict = MET if label.hits >= label.at_least * label.tests else MISSED
    label.missed = label.verdict != MET
