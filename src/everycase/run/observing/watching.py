"""The observer of a run: it writes a line for every test, in the format of Hypothesis and Tyche, and counts.

An input is printed before its test runs, because the test may change it. Most parts of a line are the same
for the whole run and are composed once, so observing costs a few microseconds per test. Only tests that
report something (a failure, notes, utilities) take the slow path through dictionaries.
"""

from __future__ import annotations

import gc
import json
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from json.encoder import c_make_encoder  # type: ignore[attr-defined]
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import Any

from everycase.choices.time_limit import LIMIT, watched, within_run
from everycase.enumeration.big_numbers import as_literal
from everycase.explore.protocol import Case, Outcome
from everycase.gen.kinds import Live
from everycase.gen.plain import MOST_PARTS, plain, shown, strict_json
from everycase.run.frames import origin
from everycase.run.observing.line_files import LineFiles
from everycase.run.observing.measure import LEAVES, measure
from everycase.run.observing.observer import EXPLICIT, Observer
from everycase.run.observing.tally import Tally
from everycase.run.property import Property
from everycase.run.render import watched_repr
from everycase.run.report import Report
from everycase.run.settings import Resolved

_imported_at = time.time()

#: Hypothesis' names and numbers for the outcome of a test.
STATUS = {"passed": "passed", "failed": "failed", "discarded": "gave_up"}
NUMBER = {"passed": 2, "failed": 3, "gave_up": 1}

#: Phases whose tests are about a failure that was already found, so they are not counted.
AFTERWARDS = ("shrink", "explain", None)

#: The description of a case that has none.
UNKNOWN = "proposed by the explorer"


#: A test that was called but not written yet: text, arguments as JSON, (size, depth, classes), seconds,
#: seconds of garbage collection.
Pending = tuple[str, str, tuple[int, int, dict[str, int] | None], float, float]

NOTHING: Pending = ("", "", (0, 0, None), 0.0, 0.0)


def _encoder() -> Callable[[Any], str]:
    """From plain data to JSON. The encoder in C is made once; ``json`` would make one for each call."""
    plain_json = json.JSONEncoder(allow_nan=False, check_circular=False)
    if c_make_encoder is None:
        return plain_json.encode
    pieces = c_make_encoder(None, plain_json.default, quoted, None, ": ", ", ", False, False, False)
    return lambda value: "".join(pieces(value, 0))


class Watching(Observer):
    """The observer of one run."""

    active = True

    def __init__(self, prop: Property, options: Resolved, signs: dict[str, int], root: Path | None) -> None:
        self.prop = prop
        self._signs = signs
        self.tally = Tally()
        self._files = LineFiles.for_run(options.observe, root) if options.observe else None
        self._names = tuple(prop.gens)
        short = prop.name.rsplit(".", 1)[-1].replace("%", "%%")
        self._template = f"{short}({', '.join(f'{name}=%r' for name in self._names)})"
        #: steps and ``data()`` are decided by the test itself, and can be shown only when it is over
        self._live = any(type(gen) is Live for gen in prop.gens.values())
        self._generate = f"generate:{', '.join(self._names)}"
        self._encode = _encoder()
        self._clock = time.perf_counter
        self._run_start = time.time()
        self._phase: str | None = "generate"
        self._how = ""
        self._blob: str | None = None
        self._case_how = UNKNOWN
        self._making = 0.0
        self._garbage = 0.0
        self._collecting = 0.0
        #: the test that was called last
        self._pending: Pending | None = None
        #: what it raised
        self._raised: BaseException | None = None
        self._head = (
            f'{{"type": "test_case", "property": {quoted(prop.name)}, "run_start": {self._run_start!r}, '
            '"status": "passed", "status_reason": "", "representation": '
        )
        self._compose()
        gc.callbacks.append(self._on_garbage)

    # --- what the run says ------------------------------------------------------------------------------

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        clock, template, names = self._clock, self._template, self._names
        encode, live, writes = self._encode, self._live, self._files is not None
        leaves, count = LEAVES, len(names)

        def watched(*args: Any) -> Any:
            if self._pending is not None:
                self._passed()
            if live:
                return self._watch_live(call, args)
            # Printing belongs to making the input, so the time limit of the run applies.
            limited = LIMIT.outside < math.inf and not leaves.issuperset(map(type, args))
            try:
                text = within_run(_call_text)(self.prop.name, names, args) if limited else template % args
            except Exception:
                text = _shown_call(self.prop.name, names, args)
            data = ""
            if writes:
                try:
                    data = encode(dict(zip(names, args)))
                except Exception:
                    show = within_run(_watched_plain) if limited else plain
                    data = strict_json({name: show(value) for name, value in zip(names, args)})
            # Most tests of one or two arguments get plain numbers and texts, which have no parts to examine.
            measured = (count, 0, None) if leaves.issuperset(map(type, args)) else measure(args)
            garbage = self._garbage
            begin = clock()
            try:
                result = call(*args)
            except BaseException as problem:
                self._pending = (text, data, measured, clock() - begin, self._garbage - garbage)
                self._raised = problem
                raise
            self._pending = (text, data, measured, clock() - begin, self._garbage - garbage)
            return result

        return watched

    def _watch_live(self, call: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Run a test whose arguments are decided while it runs, and examine them afterwards."""
        for value in args:
            if hasattr(value, "narrate"):
                value.narrate()
        garbage = self._garbage
        begin = self._clock()
        try:
            return call(*args)
        except BaseException as problem:
            self._raised = problem
            raise
        finally:
            seconds = self._clock() - begin
            text = _shown_call(self.prop.name, self._names, args)
            steps = [getattr(value, "steps", None) or getattr(value, "drawn", None) or () for value in args]
            data = strict_json({name: shown(value) for name, value in zip(self._names, args)})
            size = sum(map(len, steps))
            self._pending = (text, data, (size, 0, None), seconds, self._garbage - garbage)

    def proposed(self, case: Case, seconds: float) -> None:
        how = case.how or (UNKNOWN if case.index is None else f"exhaustive #{as_literal(case.index)}")
        count = len(case.values) if hasattr(case, "values") else 1
        self._making = seconds / max(1, count)
        if how != self._case_how:
            if self._pending is not None:
                self._passed()
            self._case_how = how
            self._compose()

    def enter(self, phase: str | None, how: str = "", blob: str | None = None) -> None:
        if self._pending is not None:
            self._passed()
        self._phase, self._how, self._blob = phase, how, blob
        self._making = 0.0
        self._compose()

    def ended(self, outcome: Outcome) -> None:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            self._write(pending, outcome)

    def not_made(self) -> None:
        if self._pending is not None:
            self._passed()
        reason = "the generator discarded its own attempt: a filter, or an assumption in a function that makes values"
        self._count("gave_up", NOTHING, reason)
        if self._files is not None:
            line = self._line(NOTHING, "gave_up", reason)
            line["timing"] = {}
            self._files.test_case(strict_json(line))

    def finish(self, report: Report) -> None:
        if self._pending is not None:
            self._passed()
        report.tally = self.tally.as_data()
        if self._files is not None:
            info = {"type": "info", "property": self.prop.name, "run_start": self._run_start}
            content = plain(report.to_json())
            self._files.info(strict_json({**info, "title": "everycase report", "content": content}))

    def close(self) -> None:
        if self._on_garbage in gc.callbacks:
            gc.callbacks.remove(self._on_garbage)
        if self._pending is not None:
            self._passed()
        if self._files is not None:
            self._files.close()

    # --- lines ------------------------------------------------------------------------------------------

    def _compose(self) -> None:
        """The parts of a line of a passing test that stay the same as long as inputs are made in the same
        way."""
        end = self._line(NOTHING, "passed", "")
        metadata = strict_json(end["metadata"])
        self._middle = _middle(self._how or self._case_how)
        own = strict_json(end["metadata"]["everycase"])
        self._tail = f'}}, "metadata": {metadata.removesuffix(own + "}")}'
        self._way = self._how or self._case_how
        self._counts_tests = self._phase not in AFTERWARDS or self._how == EXPLICIT

    def _passed(self) -> None:
        """The last test has passed and reported nothing."""
        assert self._pending is not None
        pending, self._pending = self._pending, None
        text, data, (size, depth, classes), seconds, garbage = pending
        if self._counts_tests:
            self.tally.passed(self._way, text, size, depth, classes, seconds)
        if self._files is not None:
            shown = json.dumps(classes) if classes else "{}"
            self._files.test_case(
                f'{self._head}{quoted(text)}, "arguments": {data}{self._middle}{seconds}, "overall:gc": {garbage}, '
                f'"{self._generate}": {self._making}{self._tail}{{"size": {size}, "depth": {depth}, "constructors": {shown}}}}}}}'
            )

    def _write(self, pending: Any, outcome: Outcome) -> None:
        """A test that did not simply pass."""
        status = STATUS[str(outcome.status)]
        error = outcome.error
        reason, where = _reason(outcome, self._raised)
        self._raised = None
        self._count(status, pending, reason)
        if self._files is None:
            return
        line = self._line(pending, status, reason)
        signs = self._signs
        line["features"] = {
            **{
                f"target:{label}".strip(":"): signs.get(label, 1) * worth
                for label, worth in ({} if outcome.guessed else outcome.utilities).items()
            },
            **dict.fromkeys(outcome.events, ""),
            **(outcome.labels or {}),
        }
        metadata = line["metadata"]
        metadata["notes"] = list(outcome.notes)
        metadata["status_reason_location"] = where or None
        if status == "gave_up":
            metadata["predicates"] = {reason: {"satisfied": 0, "unsatisfied": 1}}
        if error is not None:
            kind, file, number = origin(error)
            metadata["traceback"] = _traceback(error)
            metadata["reproduction_decorator"] = self._blob and f'@reproduce("{self._blob}")'
            metadata["interesting_origin"] = {
                "exc_type": kind,
                "filename": file or None,
                "lineno": number or None,
                "context": [],
                "group_elems": [],
            }
        self._files.test_case(strict_json(line))

    def _line(self, pending: Any, status: str, reason: str) -> dict[str, Any]:
        text, data, (size, depth, classes), seconds, garbage = pending
        return {
            "type": "test_case",
            "property": self.prop.name,
            "run_start": self._run_start,
            "status": status,
            "status_reason": reason,
            "representation": text,
            "arguments": json.loads(data) if data else {},
            "how_generated": self._how or self._case_how,
            "features": {},
            "coverage": None,
            "timing": {"execute:test": seconds, "overall:gc": garbage, self._generate: self._making},
            "metadata": {
                "traceback": None,
                "reproduction_decorator": None,
                "notes": [],
                "predicates": {},
                "backend": {},
                "sys.argv": sys.argv,
                "os.getpid()": os.getpid(),
                "imported_at": _imported_at,
                "data_status": NUMBER[status],
                "phase": self._phase,
                "interesting_origin": None,
                "status_reason_location": None,
                "choice_nodes": None,
                "choice_spans": None,
                "everycase": {"size": size, "depth": depth, "constructors": classes or {}},
            },
        }

    def _count(self, status: str, pending: Any, reason: str) -> None:
        if self._counts_tests:
            text, _, (size, depth, classes), seconds, _ = pending
            why = reason if status == "gave_up" else ""
            self.tally.add(status, self._way, text, size, depth, classes, seconds, why)

    def _on_garbage(self, phase: str, info: object) -> None:
        if phase == "start":
            self._collecting = self._clock()
        elif self._collecting:
            self._garbage += self._clock() - self._collecting
            self._collecting = 0.0


def _middle(how: str) -> str:
    """The part of a line between the arguments and the time of the test."""
    return (
        f', "how_generated": {quoted(how)}, "features": {{}}, "coverage": null, "timing": {{"execute:test": '
    )


def _shown_call(name: str, names: tuple[str, ...], args: tuple[Any, ...]) -> str:
    short = name.rsplit(".", 1)[-1]
    return f"{short}({', '.join(f'{key}={shown(value)}' for key, value in zip(names, args))})"


def _call_text(name: str, names: tuple[str, ...], args: tuple[Any, ...]) -> str:
    """The same, looking at the clock between the elements of lists, which user code may print."""
    short = name.rsplit(".", 1)[-1]
    return f"{short}({', '.join(f'{key}={watched_repr(value)}' for key, value in zip(names, args))})"


def _watched_plain(value: Any) -> Any:
    if type(value) is list and len(value) <= MOST_PARTS:
        return [plain(part, 1) for part in watched(value)]
    return plain(value)


def _reason(outcome: Outcome, raised: BaseException | None) -> tuple[str, str]:
    """Why a test ended as it did, and where in the code."""
    if outcome.error is not None:
        kind, file, line = origin(outcome.error)
        return f"{kind.rsplit('.', 1)[-1]} at {file}:{line}", f"{file}:{line}"
    if outcome.status != "discarded":
        return "", ""
    if raised is None:
        return "discarded", ""
    _, file, line = origin(raised)
    word = str(raised)
    if word == "where" or not file:
        return "a precondition given to where() does not hold", ""
    call = f"{word}()" if word in ("assume", "reject") else "an assumption"
    return f"{call} in {Path(file).name}, line {line}", f"{file}:{line}"


def _traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except Exception as problem:  # an exception class may refuse to be printed
        return f"{type(error).__name__} (printing it raises {type(problem).__name__})"
