"""A report as plain data: the result of ``Report.to_json``, and the only input of a page."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

from everycase.enumeration.big_numbers import as_literal
from everycase.gen.plain import plain, shown
from everycase.run.labels import Label
from everycase.run.render import (
    arguments_shown,
    error_text,
    failure_found,
    idle_shown,
    needed_by,
    notes_shown,
    program_of,
    verdict,
)
from everycase.run.report import Failure, Report
from everycase.run.source_text.printer import call, code
from everycase.run.source_text.shapes import Shape

#: Marks around the parts of a call that do not matter; no printed value contains them as they are.
OPEN, CLOSE = "\ue000", "\ue001"

#: Maximum number of tests whose utilities are kept.
MOST_UTILITIES = 3_000

#: A longer input is cut to this number of parts and of characters.
MOST_PARTS, LONGEST = 80, 2_000


def data_of(report: Report) -> dict[str, Any]:
    """The report as JSON-compatible data; values are shown as code."""
    data = report_as_data(report)
    for failure, told in zip(report.failures, data["failures"]):
        told.update(_failure(report, failure))
    step = max(1, len(report.utilities) // MOST_UTILITIES)
    data.update(
        arguments=report.arguments,
        conditions=[_condition(one) for one in report.conditions],
        labels=[label_data(one) for one in report.labels.values()],
        tables={name: dict(counts.most_common(200)) for name, counts in report.tables.items()},
        best_input={name: _input(report, args) for name, args in report.best_input.items()},
        front=[
            {"utilities": utilities, "input": _input(report, args)} for utilities, args in report.front[:200]
        ],
        utilities=[[number, said] for number, said in report.utilities[::step]],
        tally=report.tally,
    )
    strict: dict[str, Any] = plain(data)
    return strict


def report_as_data(report: Report) -> dict[str, Any]:
    """The report as data that :func:`json.dumps` takes; values are shown as code."""
    data = {
        "name": report.name,
        "status": report.status,
        "verdict": verdict(report),
        "exhaustive": report.exhaustive,
        "examples": report.examples,
        "discarded": report.discarded,
        "failed_at": report.failed_at,
        "seed": report.seed,
        "explorer": report.explorer,
        "seconds": round(report.seconds, 6),
        "stopped": report.stopped,
        "caveat": report.caveat,
        "covered": report.covered,
        "figures": report.figures,
        "warnings": report.warnings,
        "best": report.best,
        "best_at": report.best_at,
        "trajectory": report.trajectory,
        "events": dict(report.events),
        "problem": None if report.problem is None else str(report.problem),
        "failures": [
            {
                "error": error_text(failure.error),
                "source": failure.source,
                "call": str(
                    program_of(failure)
                    or call(report.name.rsplit(".", 1)[-1], arguments_shown(report, failure))
                ),
                "blob": failure.blob,
                "failed_at": failure.failed_at,
                "index": _index(failure.index),
                "idle": [{"part": idle.part, "others": idle.others} for idle in idle_shown(failure)],
                "shrink_calls": failure.shrink_calls,
                "shrink_reason": failure.shrink_reason,
                "flaky": failure.flaky,
                "notes": list(failure.notes),
                "utilities": failure.utilities,
            }
            for failure in report.failures
        ],
    }
    json.dumps(data)  # fails here, not in a user's pipeline, should a field ever hold an object
    return data


def _index(number: int | None) -> int | str | None:
    """JSON holds integers of any length, but Python does not write those of thousands of digits."""
    if number is None:
        return None
    shown = as_literal(number)
    return shown if shown.startswith("0x") else number


def _failure(report: Report, failure: Failure) -> dict[str, Any]:
    program = program_of(failure)
    told: dict[str, Any] = {
        "found": failure_found(report, failure),
        "imports": needed_by(report, failure),
        "notes": notes_shown(failure),
        "original": failure.original,
        "shrink_trail": failure.shrink_trail,
    }
    if program is None:
        told["call_parts"] = _call_parts(report, failure)
        return told
    told["machine"] = report.name.rsplit(".", 1)[-1]
    told["steps"] = [list(step) for step in program.steps]
    lanes = getattr(program, "lanes", None)
    if lanes is not None and lanes.rows:
        told["lanes"] = {"word": lanes.word, "rows": lanes.rows, "count": lanes.count}
    return told


def _call_parts(report: Report, failure: Failure) -> list[tuple[str, bool]]:
    """The failing call as pieces of text, each with whether it does not matter."""
    if not failure.arguments:
        return []
    arguments = arguments_shown(report, failure)
    name = report.name.rsplit(".", 1)[-1]
    for idle in failure.idle:
        try:
            arguments = _marked(arguments, idle.part)
        except Exception:
            continue  # if it cannot be copied, it is shown like the rest
    text = call(name, arguments, parts=MOST_PARTS, text=LONGEST)
    pieces = re.split(f"{OPEN}(.*?){CLOSE}", text, flags=re.DOTALL)
    return [(piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece]


def _marked(arguments: dict[str, Any], part: str) -> dict[str, Any]:
    """The arguments with one part (``xs``, ``xs[0]``, ``point.x``) marked."""
    name, *path = re.findall(r"\w+", part)
    return {**arguments, name: _mark(arguments[name], path)}


def _mark(value: Any, path: list[str]) -> Any:
    if not path:
        return Shape(f"{OPEN}{code(value)}{CLOSE}")
    if isinstance(value, list | tuple):
        parts = list(value)
        parts[int(path[0])] = _mark(parts[int(path[0])], path[1:])
        return type(value)(parts)
    changed = copy.copy(value)
    object.__setattr__(changed, path[0], _mark(getattr(value, path[0]), path[1:]))
    return changed


def _input(report: Report, args: tuple[Any, ...]) -> str:
    """Arguments as a call, cut if they are long."""
    name = report.name.rsplit(".", 1)[-1]
    if len(report.arguments) != len(args):
        return ", ".join(map(shown, args))
    try:
        return call(name, dict(zip(report.arguments, args)), parts=MOST_PARTS, text=LONGEST)
    except Exception:
        return f"{name}({', '.join(map(shown, args))})"


def _condition(one: Any) -> dict[str, Any]:
    return {
        "text": one.text,
        "kind": one.kind,
        "found_at": one.found_at,
        "used": one.used,
        "evaluations": one.evaluations,
        "share": one.share,
    }


def label_data(one: Label) -> dict[str, Any]:
    return {
        "label": one.label,
        "hits": one.hits,
        "tests": one.tests,
        "share": one.share,
        "at_least": one.at_least,
        "verdict": one.verdict,
        "exact": one.exact,
        "example": one.example,
        "words": one.words,
    }
