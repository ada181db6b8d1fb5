"""How a test ends: by raising what its run found, or by warnings about the run."""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import Any

from everycase.errors import BrokenException, EverycaseWarning
from everycase.run.frames import callers_line
from everycase.run.labels import UNDECIDED
from everycase.run.render import failure_text, tests_text
from everycase.run.report import Report, ReportStatus


def conclude(report: Report, function: Any) -> None:
    """End a test: raise what was found, or else show warnings."""
    __tracebackhide__ = True
    raise_failures(report)
    code = getattr(function, "__code__", None)
    if code is None:
        warn(report, *callers_line())
    else:
        warn(report, code.co_filename, code.co_firstlineno, function.__globals__)


def raise_failures(report: Report) -> None:
    """Raise the error of a failing report, with everything a person needs as notes on the exception."""
    __tracebackhide__ = True
    warned = [f"warning: {warning}" for warning in report.warnings]
    if report.problem is not None and not report.failures:
        for line in warned:
            report.problem.add_note(line)
        raise report.problem
    if not report.failures:
        return
    errors = [_showable(failure.error) for failure in report.failures]
    for failure, error in zip(report.failures, errors):
        for line in [*failure_text(report, failure).splitlines(), *warned]:
            with suppress(Exception):  # a user's exception class may raise here
                error.add_note(line)
    if len(report.failures) == 1:
        raise errors[0]
    raise BaseExceptionGroup(f"{report.name} found {len(errors)} distinct failures", errors)


def _showable(error: BaseException) -> BaseException:
    """The exception, or one in its place if its attributes cannot be read, because pytest would crash."""
    try:
        for name in ("__traceback__", "__cause__", "__context__", "__suppress_context__", "__class__"):
            getattr(error, name)
    except Exception as problem:
        kind = type(error)
        return BrokenException(
            f"the test raised {kind.__module__}.{kind.__qualname__}, whose attributes cannot be read "
            f"({type(problem).__name__})"
        )
    return error


def warn(report: Report, file: str, line: int, module: dict[str, Any]) -> None:
    """Show the warnings of a run whose report is not shown, once for each line of a module with these
    globals. (Failed attempts of the default explorer are not mentioned, because the user did not ask for
    them. But it is worth knowing that it found few inputs, or only small ones.)"""
    said = module.setdefault("__warningregistry__", {})
    found = [] if report.by_default else report.warnings
    if report.caveat and report.status is ReportStatus.passed and report.by_default:
        found = [f"{report.name.rsplit('.', 1)[-1]} passed {tests_text(report)}, {report.caveat}"]
    found = found + [
        f"{report.name.rsplit('.', 1)[-1]}: the label {label.label!r} held in {label.words}"
        for label in report.labels.values()
        if label.verdict == UNDECIDED
    ]
    for warning in found:
        warnings.warn_explicit(warning, EverycaseWarning, file, line, registry=said)
