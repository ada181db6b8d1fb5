"""The page about runs. It is made from plain data only, so runs of other processes look the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from everycase.pages import charts, diagrams
from everycase.pages.figures import duration, number, others_failed, percent
from everycase.pages.html import Safe, cut, details, fragment, joined, page, pre, table, tag

#: By status: the word on the badge, and its colour.
BADGES = {
    "passed": ("passed", "good"),
    "failed": ("failed", "bad"),
    "flaky": ("flaky", "bad"),
    "error": ("error", "bad"),
    "gave_up": ("gave up", "open"),
    "skipped": ("skipped", "open"),
    "unfinished": ("unfinished", "open"),
}
#: Maximum number of links at the top.
MOST_LINKS = 60

#: Longer texts are cut to this number of characters, so that a page stays small for all inputs.
LONGEST_NAME, LONGEST_ERROR, LONGEST_INPUT = 200, 4_000, 20_000

#: Maximum numbers of things of one kind that are shown.
MOST_NOTES, MOST_LABELS, MOST_TABLES, MOST_CALLS = 20, 100, 20, 200

#: A chart of shrinking is drawn for inputs of at least this number of characters.
LONG_ENOUGH = 60

#: By aim: the word for the best value, and what to say on an axis.
AIMS = {1: ("highest", " (more is better)"), -1: ("lowest", " (less is better)"), 0: ("best", "")}

Data = Mapping[str, Any]


def report_page(runs: Sequence[Data], title: str = "What the runs did", before: object = None) -> str:
    """A page about any number of runs, those that failed first."""
    order = {"failed": 0, "flaky": 1, "error": 2, "gave_up": 3}
    runs = sorted(runs, key=lambda run: order.get(run["status"], 4))
    links = [tag("a", short_name(run["name"]), href=f"#run-{place}") for place, run in enumerate(runs)]
    more = len(links) - MOST_LINKS
    nav = tag(
        "nav", *links[:MOST_LINKS], tag("span", f"and {more:,} more") if more > 0 else None, aria_label="runs"
    )
    sections = [
        tag("section", run_section(run), class_="property", id=f"run-{place}")
        for place, run in enumerate(runs)
    ]
    intro = joined(tag("p", _summary(runs)), nav if len(runs) > 1 else None)
    return page(title, intro, joined(before, *sections))


def short_name(name: str) -> str:
    """The last part of the name of a test, as pytest or Python writes it.

    >>> short_name("tests/test_x.py::TestIt::test_a[1.5]"), short_name("package.module.test_a")
    ('test_a[1.5]', 'test_a')
    """
    if "::" in name:
        last = name.rsplit("::", 1)[-1]
        return name.rsplit("::", 2)[-2] if last == "runTest" else last
    return name.rsplit(".", 1)[-1]


def run_fragment(run: Data) -> str:
    """One run, for a notebook."""
    return fragment(run_section(run))


def _summary(runs: Sequence[Data]) -> str:
    words = []
    for status, (word, _) in BADGES.items():
        count = sum(run["status"] == status for run in runs)
        if count:
            words.append(f"{count:,} {word}")
    tests = sum(run["examples"] for run in runs)
    what = "1 property" if len(runs) == 1 else f"{len(runs):,} properties"
    return f"{what}: {', '.join(words) or 'nothing was run'}; {tests:,} tests in all."


def run_section(run: Data) -> Safe:
    """All data of one run."""
    word, kind = BADGES.get(run["status"], (run["status"], "open"))
    heading = tag("div", tag("h2", run["name"]), tag("span", word, class_=f"badge {kind}"), class_="heading")
    rests = [
        f"by {run['explorer']}" if run.get("explorer") else "",
        f"seed {run['seed']}" if run.get("seed") is not None else "",
    ]
    rests.append(f"in {duration(run['seconds'])}" if run.get("seconds") else "")
    parts = [
        heading,
        tag("p", _upper(run["verdict"]) + ".", class_="verdict"),
        tag("p", ", ".join(filter(None, rests)), class_="soft"),
        tag("p", f"Covered: {run['covered']}.")
        if run.get("covered") and run["covered"] not in run["verdict"]
        else None,
        tag("p", _upper(run["problem"].rstrip(".")) + ".", class_="bad") if run.get("problem") else None,
        *[tag("p", f"Warning: {warning}", class_="open") for warning in run.get("warnings", ())],
        *[_failure(failure, run, place) for place, failure in enumerate(run["failures"])],
        _labels(run),
        _conditions(run),
        _charts(run),
        _best(run),
        _covering(run),
        _pruning(run),
        _slowest(run),
    ]
    return joined(*parts)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- failures -----------------------------------------------------------------------------------------------


def _failure(failure: Data, run: Data, place: int) -> Safe:
    title = "What fails" if len(run["failures"]) == 1 else f"Failure {place + 1} of {len(run['failures'])}"
    code = joined(
        *[
            tag("span", text, class_="idle", title="this part does not seem to matter") if idle else text
            for text, idle in failure.get("call_parts") or [(cut(failure["call"], LONGEST_INPUT), False)]
        ]
    )
    imports, notes = failure.get("imports") or [], failure.get("notes") or []
    # The columns of a program stay aligned.
    style = "failing" if failure.get("machine") else "wrapped failing"
    parts = [
        tag("h3", title),
        pre(cut(failure["error"], LONGEST_ERROR), class_="wrapped bad"),
        pre(joined("\n".join(imports), "\n\n" if imports else "", code), class_=style)
        if failure["call"]
        else None,
        _idle(failure.get("idle") or []),
        *[tag("p", f"note: {cut(text, LONGEST_ERROR)}") for text in notes[:MOST_NOTES]],
        tag("p", f"and {len(notes) - MOST_NOTES:,} more notes", class_="soft")
        if len(notes) > MOST_NOTES
        else None,
        _steps(failure),
        tag("p", failure["found"] + ".") if failure.get("found") else None,
        _shrinking(failure),
        details(
            "the input as it was found first", pre(cut(failure["original"], LONGEST_INPUT), class_="wrapped")
        )
        if failure.get("original")
        else None,
        details("run only this input again", pre(f'@reproduce("{failure["blob"]}")', class_="wrapped"))
        if failure.get("blob") and len(failure["blob"]) <= LONGEST_INPUT
        else None,
    ]
    return joined(*parts)


def _idle(idle: Sequence[Data]) -> Safe | None:
    """The same words as in the terminal: the parts that do not seem to matter, and how many other values were tried."""
    if not idle:
        return None
    places: list[object] = []
    for place, part in enumerate(idle):
        between = "" if not place else " and " if place == len(idle) - 1 else ", "
        places += [between, tag("code", part["part"])]
    return tag(
        "p",
        tag("span", "Greyed", class_="idle"),
        " parts do not seem to matter (",
        *places,
        f"): {others_failed([part['others'] for part in idle])}.",
        class_="soft",
    )


def _steps(failure: Data) -> Safe | None:
    if failure.get("lanes"):
        told = failure["lanes"]
        rows = [tuple(row) for row in told["rows"][-MOST_CALLS:]]
        return diagrams.lanes(told["word"], rows, told["count"])
    if failure.get("steps"):
        calls = [
            f"{name}({', '.join(f'{key}={value}' for key, value in given.items())})"
            for name, given in failure["steps"][-MOST_CALLS:]
        ]
        return diagrams.sequence(failure.get("machine") or "machine", calls, True)
    return None


def _shrinking(failure: Data) -> Safe | None:
    trail = failure.get("shrink_trail") or []
    # The printed length means nothing for short inputs: a simpler number may have more digits.
    if len(trail) < 2 or trail[0][1] < LONG_ENOUGH or trail[-1][1] > 0.7 * trail[0][1]:
        return None
    return charts.line(
        "Shrinking",
        [(calls, size) for calls, size in trail],
        "calls of the test",
        "characters",
        steps=True,
        note="how long the input is, printed",
    )


# --- what was tested ----------------------------------------------------------------------------------------


def _labels(run: Data) -> Safe | None:
    labels, tables, events = run.get("labels") or [], run.get("tables") or {}, run.get("events") or {}
    if not (labels or tables or events):
        return None
    parts: list[object] = [tag("h3", "Labels")]
    if labels:
        parts.append(_classified(labels))
        parts += [
            tag("p", cut(f"{one['label']}: {one['words']}", LONGEST_ERROR), class_="soft")
            for one in labels[:MOST_LABELS]
            if one["verdict"] in ("impossible", "possible", "undecided")
        ]
    groups = [_table(cut(name, LONGEST_NAME), tables[name]) for name in list(tables)[:MOST_TABLES]]
    if len(tables) > MOST_TABLES:
        groups.append(tag("p", f"and {len(tables) - MOST_TABLES:,} more tables", class_="soft"))
    if events:
        groups.append(charts.bars("Events", _most(events), "tests", run["examples"] or 1))
    return joined(*parts, tag("div", *groups, class_="charts") if groups else None)


def _classified(labels: Sequence[Data]) -> Safe:
    """The counts of ``classify``. Demands and verdicts are columns if there are any."""
    asked = any(one["at_least"] is not None for one in labels)
    judged = any(one["verdict"] for one in labels)
    rows: list[list[object]] = []
    for one in labels[:MOST_LABELS]:
        exact = "of all values" if one["exact"] else "of the tests"
        row: list[object] = [
            cut(one["label"], LONGEST_NAME),
            f"{one['hits']:,} of {one['tests']:,}",
            f"{percent(one['share'])} {exact}",
        ]
        if asked:
            row.append("" if one["at_least"] is None else f"at least {percent(one['at_least'])}")
        if judged:
            kind = "good" if one["verdict"] == "met" else "bad"
            if one["verdict"] == "undecided" or one["at_least"] is None:
                kind = "open"  # nothing was demanded, so nothing has failed
            row.append(tag("span", one["verdict"], class_=f"badge {kind}") if one["verdict"] else "")
        rows.append(row)
    head = ["label", "held in", "share", *(["asked"] if asked else []), *(["verdict"] if judged else [])]
    more = f", {len(labels) - MOST_LABELS:,} more labels left out" if len(labels) > MOST_LABELS else ""
    return table(head, rows, f"What classify counted{more}")


def _table(name: str, counts: Mapping[str, int]) -> Safe:
    """The counts of ``tabulate``: numbers in their order, else the most frequent first."""
    try:
        numbers = {int(value): count for value, count in counts.items()}
    except ValueError:
        return charts.bars(name, _most(counts), "times", sum(counts.values()))
    return charts.histogram(name, numbers, name, "times")


def _most(counts: Mapping[str, int], most: int = 20) -> list[tuple[str, float]]:
    """The most frequent ones, and all others together."""
    rows: list[tuple[str, float]] = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if len(rows) > most:
        rows = [
            *rows[: most - 1],
            (f"{len(rows) - most + 1:,} others", sum(count for _, count in rows[most - 1 :])),
        ]
    return rows


def _conditions(run: Data) -> Safe | None:
    conditions = run.get("conditions") or []
    if not conditions:
        return None
    shares = any(one["share"] is not None for one in conditions)
    rows: list[list[object]] = [
        [
            tag("code", one["text"]),
            one["found_at"],
            *(["" if one["share"] is None else percent(one["share"])] if shares else []),
            one["used"],
        ]
        for one in conditions
    ]
    head = ["condition", "where", *(["satisfied by"] if shares else []), "how it was used"]
    return joined(tag("h3", "Preconditions"), table(head, rows, "What inputs must satisfy"))


def _charts(run: Data) -> Safe | None:
    tally = run.get("tally") or {}
    found: list[Safe] = []
    sizes = _counts(tally.get("sizes"))
    if len(sizes) > 1:
        unit = "steps" if "rules" in (run.get("figures") or {}) else "parts"
        found.append(charts.histogram("Sizes of the inputs", sizes, unit))
    depths = _counts(tally.get("depths"))
    if len(depths) > 1:
        found.append(charts.histogram("How deeply they are nested", depths, "levels"))
    curve = tally.get("distinct_over_tests") or []
    if tally.get("tests", 0) > 5 and len(curve) > 1:
        found.append(
            charts.line(
                "Distinct inputs",
                [tuple(p) for p in curve],
                "tests",
                "distinct inputs",
                note=f"{tally['distinct']:,} of {tally['tests']:,} inputs",
            )
        )
    for title, key in (
        ("How inputs were made", "ways"),
        ("Objects by class", "classes"),
        ("Why inputs were discarded", "discards"),
    ):
        counts = tally.get(key) or {}
        if counts and (key != "ways" or len(counts) > 1):
            found.append(
                charts.bars(
                    title, _most(counts), "inputs" if key != "classes" else "objects", sum(counts.values())
                )
            )
    rules = (run.get("figures") or {}).get("rules")
    if rules:
        found.append(charts.bars("Steps by rule", _most(rules), "steps", sum(rules.values()) or 1))
    return joined(tag("h3", "What was tested"), tag("div", *found, class_="charts")) if found else None


def _counts(given: Mapping[str, int] | None) -> dict[int, int]:
    return {int(key): count for key, count in (given or {}).items()}


# --- searching ----------------------------------------------------------------------------------------------


def _best(run: Data) -> Safe | None:
    if not run.get("best"):
        return None
    parts: list[object] = [tag("h3", "Utilities")]
    total = run["examples"] + run["discarded"]
    found = []
    for label, value in run["best"].items():
        points = [(n, utility) for n, name, utility in run["trajectory"] if name == label]
        if len(points) > 1:
            title = f"Best {label or 'utility'} so far"
            found.append(
                charts.line(
                    title, [*points, (total, points[-1][1])], "inputs", label or "utility", steps=True
                )
            )
        shown = (run.get("best_input") or {}).get(label)
        parts.append(
            tag(
                "p",
                f"The {AIMS[_aim(run, label)][0]} {label or 'utility'} is {number(value)}",
                ", with" if shown else ".",
            )
        )
        if shown:
            parts.append(pre(shown, class_="wrapped"))
    front = run.get("front") or []
    names = list(run["best"])
    for a, b in list(pairwise(names))[:3]:
        pairs = [
            (m["utilities"][a], m["utilities"][b])
            for m in front
            if a in m["utilities"] and b in m["utilities"]
        ]
        every = [(u[a], u[b]) for _, u in run.get("utilities") or [] if a in u and b in u]
        if pairs:
            x, y = (f"{label or 'utility'}{AIMS[_aim(run, label)][1]}" for label in (a, b))
            found.append(charts.scatter(f"{a} and {b}", every, pairs, x, y, len(names)))
    return joined(*parts, tag("div", *found, class_="charts") if found else None)


def _aim(run: Data, label: str) -> int:
    """1 if larger is better, -1 if smaller is, and 0 if the run does not say."""
    values = [utility for _, name, utility in run["trajectory"] if name == label]
    return 0 if len(values) < 2 else 1 if values[-1] > values[0] else -1


def _covering(run: Data) -> Safe | None:
    told = (run.get("figures") or {}).get("pairs")
    if not told:
        return None
    cells = {(i, j): (covered, possible, infeasible) for i, j, covered, possible, infeasible in told["cells"]}
    names = [_column(column, run.get("arguments") or []) for column in told["columns"]]
    more = told.get("left_out") or 0
    return joined(
        tag("h3", "Combinations"),
        charts.matrix("Pairs of parameters", names, cells),
        tag("p", f"{more:,} more parameters are left out here.", class_="soft") if more else None,
    )


def _column(column: tuple[int, str], names: Sequence[str]) -> str:
    argument, place = column
    return (names[argument] if argument < len(names) else "input") + place


def _pruning(run: Data) -> Safe | None:
    figures = run.get("figures") or {}
    if "evaluations" not in figures:
        return None
    facts = [
        f"The precondition was evaluated {number(figures['evaluations'])} times, "
        f"{figures['per_value']:.1f} times per input."
    ]
    if figures.get("pruned"):
        facts.append(
            f"{percent(figures['pruned'])} of {number(figures['values_up_to_size'])} values were never made."
        )
    parts: list[object] = [tag("h3", "Pruning"), *[tag("p", fact) for fact in facts]]
    looked = figures.get("looked_at") or []
    if looked:
        rows = [(place, round(100 * share, 2)) for place, share in looked[:20]]
        bars = charts.bars("Where the precondition looked", rows, "% of the looks")
        parts.append(tag("div", bars, class_="charts"))
    patterns = figures.get("patterns") or []
    if patterns:
        shown: list[list[object]] = [
            [tag("code", row["pattern"]), f"{row['values']:,}", "all" if row["complete"] else ""]
            for row in patterns[:50]
        ]
        parts.append(table(["pattern", "values", "complete"], shown, "Constructor patterns"))
    return joined(*parts)


def _slowest(run: Data) -> Safe | None:
    slow = (run.get("tally") or {}).get("slowest") or []
    if not slow:
        return None
    rows: list[list[object]] = [
        [duration(one["seconds"]), f"{one['test']:,}", tag("code", one["input"][:300])] for one in slow
    ]
    return details("slowest inputs", table(["time", "test", "input"], rows, "The tests that took longest"))
