"""The differences between two runs of the same properties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everycase.pages.figures import duration, number, percent
from everycase.pages.html import Safe, joined, table, tag

Data = Mapping[str, Any]


def differences(before: Sequence[Data], after: Sequence[Data]) -> dict[str, list[tuple[str, str, str]]]:
    """By property, the changes: (what, before, after). A property that is in only one of them is a change by
    itself."""
    old, new = {run["name"]: run for run in before}, {run["name"]: run for run in after}
    found: dict[str, list[tuple[str, str, str]]] = {}
    for name in [*new, *(name for name in old if name not in new)]:
        if name not in old:
            changes = [("property", "not there", _status(new[name]))]
        elif name not in new:
            changes = [("property", _status(old[name]), "not there")]
        else:
            changes = [row for row in _rows(old[name], new[name]) if row[1] != row[2]]
        found[name] = changes
    return found


def _rows(old: Data, new: Data) -> list[tuple[str, str, str]]:
    rows = [("status", _status(old), _status(new))]
    rows += [
        (word, number(old.get(key) or 0), number(new.get(key) or 0))
        for word, key in (("tests", "examples"), ("discarded", "discarded"))
    ]
    if abs((old.get("seconds") or 0) - (new.get("seconds") or 0)) > 0.2 * max(old.get("seconds") or 0, 0.05):
        rows.append(("time", duration(old.get("seconds") or 0), duration(new.get("seconds") or 0)))
    rows += _keyed("best", old.get("best") or {}, new.get("best") or {}, number)
    rows += _keyed("share of", _shares(old), _shares(new), percent)
    gone, come = _errors(old) - _errors(new), _errors(new) - _errors(old)
    rows += [("failure", error, "gone") for error in sorted(gone)]
    rows += [("failure", "not there", error) for error in sorted(come)]
    distinct = [str((run.get("tally") or {}).get("distinct", "")) for run in (old, new)]
    if all(distinct):
        rows.append(("distinct inputs", distinct[0], distinct[1]))
    return rows


def _keyed(word: str, old: Data, new: Data, shown: Any) -> list[tuple[str, str, str]]:
    keys = list(dict.fromkeys([*old, *new]))
    return [
        (
            f"{word} {key}".strip(),
            shown(old[key]) if key in old else "",
            shown(new[key]) if key in new else "",
        )
        for key in keys
    ]


def _shares(run: Data) -> dict[str, float]:
    shares = {one["label"]: one["share"] for one in run.get("labels") or []}
    shares.update(
        {event: count / max(1, run["examples"]) for event, count in (run.get("events") or {}).items()}
    )
    return shares


def _errors(run: Data) -> set[str]:
    return {failure["error"].splitlines()[0] for failure in run["failures"] if failure["error"]}


def _status(run: Data) -> str:
    return str(run["status"]).replace("_", " ")


def diff_section(
    before: Sequence[Data], after: Sequence[Data], words: tuple[str, str] = ("before", "after")
) -> Safe:
    """The differences, for the top of a page about the second runs."""
    found = differences(before, after)
    parts: list[object] = [tag("h2", f"What has changed: {words[0]} and {words[1]}")]
    for name, changes in found.items():
        if changes:
            rows: list[list[object]] = [[what, old, new] for what, old, new in changes]
            parts += [tag("h3", name), table(["what", *words], rows, f"{name}: what has changed")]
    same = [name for name, changes in found.items() if not changes]
    if same:
        parts.append(tag("p", f"The same in both: {', '.join(same)}.", class_="soft"))
    return tag("section", joined(*parts), class_="property")
