"""A report as the text that a person reads."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any

from everycase.choices.shrink.shrinker import ShrinkEnd
from everycase.choices.time_limit import limited, watched
from everycase.enumeration.big_numbers import as_literal
from everycase.explore.findings import Stopped
from everycase.gen.drawing import Data
from everycase.pages.figures import others_failed
from everycase.run.report import Failure, FailureSource, Idle, NotShrunk, Report, ReportStatus
from everycase.run.source_text.printer import call, imports_needed
from everycase.run.source_text.shapes import Shape

#: the usual types of parameters of a test, which read well in a call
PLAIN = (bool, int, float, complex, str, bytes, Enum)
#: about how many lines an input is shown on; a longer input is cut to a number of parts, and texts to a
#: number of characters
MOST_LINES = 30
CUTS = ((1000, 4000), (300, 1000), (100, 300), (40, 100), (15, 50))
#: a blob of more characters is not printed
LONGEST_BLOB = 1000
#: Maximum number of characters to show of the input before shrinking.
MOST_ORIGINAL = 2000
#: how many constructor patterns are listed
MOST_PATTERNS = 10

#: Why exploring ended. The names in braces are details of the stop, or fields of the report.
STOPPED = {
    Stopped.nothing_left: "there was nothing left to test",
    Stopped.budget: "the budget of {tests:,} tests was used up",
    Stopped.max_seconds: "max_seconds={limit:g} was reached",
    Stopped.usual_seconds: "no more tests fit into about a second (ask for more with max_examples or max_seconds)",
    Stopped.interrupted: "the run was interrupted",
    Stopped.failure: "a failure was found",
    Stopped.example_failed: "an explicit example failed",
    Stopped.remembered_failed: "a failure remembered from an earlier run failed again",
    Stopped.blob_only: "only the given blob was run",
    Stopped.generator_raised: "the generator raised an exception",
    Stopped.alarm: "an alarm interrupted the test",
    Stopped.discards: "{discarded:,} inputs were discarded",
    Stopped.too_deep: "all inputs were nested too deeply",
    Stopped.endless: "the generator never stopped drawing",
    Stopped.worker_died: "a worker died",
    Stopped.no_examples: "there were no given or remembered examples, and the explore phase is off",
    Stopped.only_repeats: "the search only found values that it had tested before",
    Stopped.no_others: "pruning found no other inputs that satisfy {predicate}",
    Stopped.empty_sizes: "there was no value in {sizes:,} sizes in a row, up to {up_to:,}",
    Stopped.left_out: "the order leaves out all other values",
    Stopped.empty_patterns: "no pattern had a value in its last turn",
}

#: How shrinking ended, or why it did not happen.
SHRUNK = {
    ShrinkEnd.minimal: "shrunk in {calls}, until no step made it simpler",
    ShrinkEnd.calls: "shrinking stopped after {calls}, so a simpler input may exist",
    ShrinkEnd.time: "shrinking ran out of time after {calls}, so a simpler input may exist",
    ShrinkEnd.interrupted: "shrinking was interrupted after {calls}; this is the best so far",
    NotShrunk.by_hand: "given by hand, so not shrunk",
    NotShrunk.blob: "given by a blob, so not shrunk",
    NotShrunk.phase_off: "the shrink phase is off",
    NotShrunk.flaky: "flaky, so not shrunk",
    NotShrunk.not_made_again: "not shrunk, because its input could not be made again from its choices",
    NotShrunk.too_deep: "nested too deeply to be recorded, so not shrunk",
    NotShrunk.opaque: (
        "not shrunk, because a hand-written neighbourhood made it and its choices are not known "
        "(give map an inverse=, or builds a class)"
    ),
    NotShrunk.alarm: "interrupted by an alarm, so not run again",
    NotShrunk.no_time: "not run again, because there was no time left",
    NotShrunk.interrupted_early: "interrupted before it was run again",
}


def failure_text(report: Report, failure: Failure) -> str:
    """The details of one failure: the input as code, notes, how it was found and how to run it again."""
    name = report.name.rsplit(".", 1)[-1]
    if failure.source is FailureSource.worker:
        lines = ["Only a worker of the executor saw it, so there is no input to show."]
    elif failure.source is FailureSource.generator:
        lines = [
            f"Raised by a generator or precondition before {name} had an input, so there is no input to show."
        ]
    else:
        program = program_of(failure)
        lines = (
            _falsifying_input(name, arguments_shown(report, failure), report.detail)
            if program is None
            else [f"{'Steps when repeated' if failure.flaky else 'Falsifying steps'}:", _indent(str(program))]
        )
    imports = needed_by(report, failure)
    if imports:
        lines += ["with", *[_indent(line) for line in imports]]
    lines += _idle(failure)
    lines += [f"note: {text}" for text in notes_shown(failure)]
    lines += [f"{_goal(label)}: {_number(value)}" for label, value in failure.utilities.items()]
    if report.quiet:
        return "\n".join(lines)
    if report.detail and failure.original and failure.shrink_calls:
        lines += ["Before shrinking:", _indent(failure.original[:MOST_ORIGINAL])]
    lines.append(failure_found(report, failure))
    return "\n".join([*lines, *_how_to_repeat(report, failure)])


def _falsifying_input(name: str, arguments: dict[str, Any], detail: int) -> list[str]:
    """The failing call, cut to a screenful unless the user asked for all of it."""
    if detail > 1:
        return ["Falsifying input:", _indent(call(name, arguments, parts=sys.maxsize, text=sys.maxsize))]
    shown = _screenful(name, arguments)
    lines = ["Falsifying input:", _indent(shown)]
    if shown != call(name, arguments):
        lines.append("(shortened; pytest -vv shows all of it)")
    return lines


def _how_to_repeat(report: Report, failure: Failure) -> list[str]:
    """One line, and the number of the value found first, if it has one."""
    ways = []
    if failure.blob is not None and report.shows_blob and len(failure.blob) <= LONGEST_BLOB:
        ways.append(f'To run only this input again: @reproduce("{failure.blob}")')
    if failure.source in (FailureSource.explored, FailureSource.generator):
        word = "the whole search" if ways else "To repeat the whole search"
        option = f"--everycase-seed={report.seed}"
        ways.append(
            f"{word}: pytest --everycase-adopt {option}"
            if report.adopted
            else f"{word}: @settings(seed={report.seed}) or {option}"
        )
    lines = ["; ".join(ways)] if ways else []
    if failure.index is not None:
        number = as_literal(failure.index)
        lines.append(f"The value found first has number {number}: Exhaustive(start={number})")
    return lines


def _idle(failure: Failure) -> list[str]:
    """Which parts of the input do not matter, as far as other values were tried."""
    idle_parts = idle_shown(failure)
    if not idle_parts:
        return []
    parts = [idle.part for idle in idle_parts]
    shown = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    verb = "seems" if len(parts) == 1 else "seem"
    return [f"{shown} {verb} not to matter: {others_failed([idle.others for idle in idle_parts])}"]


def idle_shown(failure: Failure) -> list[Idle]:
    """The parts that do not seem to matter. A program shows its steps, not the choices behind them."""
    return [] if program_of(failure) is not None else failure.idle


def notes_shown(failure: Failure) -> list[str]:
    """The notes, without those on labelled draws that only repeat the call."""
    named = {
        note
        for value in failure.arguments.values()
        if issubclass(type(value), Data) and value.as_arguments() is not None
        for note in value.labelled()
    }
    return [note for note in failure.notes if note not in named]


def program_of(failure: Failure) -> Any:
    """The argument that is a program by itself: the steps of a state machine. None for other tests."""
    return next(
        (
            value
            for value in failure.arguments.values()
            if hasattr(type(value), "draw_again") and hasattr(value, "steps")
        ),
        None,
    )


def needed_by(report: Report, failure: Failure) -> list[str]:
    """The imports that a pasted failing input needs."""
    program = program_of(failure)
    if program is not None:
        return list(program.imports)
    return imports_needed(list(arguments_shown(report, failure).values()))


def arguments_shown(report: Report, failure: Failure) -> dict[str, Any]:
    """All arguments of the failing call. An argument that was not generated is shown as a plain value, or by
    name if it is a fixture."""
    fixed = {
        name: value if value is None or isinstance(value, PLAIN) else Shape(name)
        for name, value in report.fixed.items()
    }
    return fixed | failure.arguments


def _screenful(name: str, arguments: dict[str, Any]) -> str:
    """The call cut to fit on a screen; a comment says where it was cut."""
    text = call(name, arguments)
    for parts, longest in CUTS:
        if text.count("\n") < MOST_LINES and len(text) < 100 * MOST_LINES:
            break
        text = call(name, arguments, parts=parts, text=longest)
    return text


def summary(report: Report) -> str:
    """A report in a few lines."""
    lines = [f"{report.name}: {verdict(report)}"]
    for failure in report.failures:
        lines += [error_text(failure.error), failure_text(report, failure)]
    if report.problem is not None and not report.failures:
        lines.append(error_text(report.problem))
    lines += _best(report)
    lines += [f"label {label.label!r}: {label.words}" for label in report.labels.values() if label.verdict]
    if report.covered and not report.exhaustive:  # else the verdict says it already
        lines.append(f"covered: {report.covered}")
    lines += [f"warning: {warning}" for warning in report.warnings]
    return "\n".join(lines)


def shortened(args: tuple[Any, ...], names: list[str], most: int = 10_000) -> str:
    """Arguments in one line, cut if they are very long, whatever their classes do when they are printed."""
    try:
        text = ", ".join(f"{name}={watched_repr(value)}" for name, value in zip(names, args))
    except Exception:
        return "(an input that cannot be printed)"
    return text if len(text) <= most else f"{text[:most]} ... and {len(text) - most:,} more characters"


def watched_repr(value: Any) -> str:
    """``repr``, which looks at the clock between the elements of a list or tuple: each may be printed by user code."""
    if not limited() or type(value) not in (list, tuple) or not value:
        return repr(value)
    inner = ", ".join([watched_repr(part) for part in watched(value)])
    if type(value) is list:
        return f"[{inner}]"
    return f"({inner},)" if len(value) == 1 else f"({inner})"


_NAME = type.__dict__["__name__"].__get__


def error_text(error: BaseException) -> str:
    """An exception in one line, whatever its class does when it is printed."""
    try:
        text = str(error)
    except Exception as problem:
        text = f"(printing it raises {type(problem).__name__})"
    name = _NAME(type(error))  # a metaclass may hide __name__
    return f"{name}: {text}" if text else name


def verdict(report: Report) -> str:
    """One honest line: what was tested, and how much of it.

    >>> from everycase import check, gen
    >>> verdict(check(lambda b: True, gen.booleans()))
    'passed, exhaustive: 2 of 2'
    """
    discards = ""
    if report.discarded:
        total = report.examples + report.discarded
        discards = f", {report.discarded:,} of {total:,} inputs discarded ({report.discarded / total:.0%})"
    tests = tests_text(report)
    match report.status:
        case ReportStatus.passed if report.exhaustive:
            total = report.examples + report.discarded - report.given
            more = f", and {report.given:,} given or remembered" if report.given else ""
            if "machine_steps" in report.figures:
                return f"passed, exhaustive: {report.covered}{more}{discards}"
            if "valid_inputs" in report.figures:
                valid = report.figures["valid_inputs"]
                return f"passed, exhaustive: {valid:,} of {valid:,} valid inputs{more}{discards}"
            return f"passed, exhaustive: {total:,} of {total:,}{more}{discards}"
        case ReportStatus.passed:
            caveat = f", {report.caveat}" if report.caveat else ""
            return f"passed {tests}{caveat}{discards}" + (f"; {report.stopped}" if report.stopped else "")
        case ReportStatus.gave_up if not report.examples and not report.discarded:
            return f"nothing was tested{discards}" + (f"; {report.stopped}" if report.stopped else "")
        case ReportStatus.gave_up:
            return f"gave up after {tests}{discards}"
        case ReportStatus.flaky:
            return f"flaky: failed at test {report.failed_at:,} and passed when repeated"
        case _ if not report.failures:
            missed = [repr(label.label) for label in report.labels.values() if label.missed]
            return f"failed: {' and '.join(missed)} came up too rarely in {tests}{discards}"
        case _:
            count = len(report.failures)
            more = f", {count} distinct failures" if count > 1 else ""
            return f"failed at test {report.failed_at:,}{more}{discards}"


def tests_text(report: Report) -> str:
    return f"{report.examples:,} test{'' if report.examples == 1 else 's'}"


def statistics(report: Report) -> str:
    """Events and sizes, for the terminal summary."""
    lines = [
        f"{report.name}: {verdict(report)} in {report.seconds:.2f} s ({report.explorer}, seed {report.seed})"
    ]
    if report.covered and not report.exhaustive:  # else the verdict says it already
        lines.append(f"  covered: {report.covered}")
    lines += [f"  {line}" for line in _pruning(report.figures)]
    lines += [f"  {line}" for line in _machine(report.figures)]
    lines += [f"  warning: {warning}" for warning in report.warnings]
    lines += [f"  {line}" for line in _best(report)]
    lines += [f"  label {label.label!r}: {label.words}" for label in report.labels.values()]
    for name, table in report.tables.items():
        lines.append(f"  {name}:")
        total = sum(table.values())
        lines += [f"    {count / total:6.1%}  {value}" for value, count in table.most_common(MOST_PATTERNS)]
        if len(table) > MOST_PATTERNS:
            lines.append(f"    and {len(table) - MOST_PATTERNS:,} other values")
    for label, count in sorted(report.events.items(), key=lambda item: (-item[1], item[0])):
        lines.append(f"  {count / max(1, report.examples):6.1%}  {label}")
    if report.sizes:
        sizes = sorted(report.sizes.elements())
        quantiles = ", ".join(
            f"{sizes[min(len(sizes) - 1, len(sizes) * q // 100)]:,}" for q in (0, 25, 50, 75, 100)
        )
        lines.append(f"  choices per input (min, quartiles, max): {quantiles}")
    return "\n".join(lines)


def failure_found(report: Report, failure: Failure) -> str:
    shrunk = shrink_text(failure)
    match failure.source:
        case FailureSource.remembered:
            return f"Remembered from an earlier run; {shrunk}"
        case FailureSource.example:
            return "Given by @example"
        case FailureSource.blob:
            return "Given by @reproduce"
        case FailureSource.generator:
            return f"Found by {report.explorer} after {report.examples:,} tests"
    found = f"Found by {report.explorer} at test {failure.failed_at:,} of {report.examples:,}; {shrunk}"
    return f"{found}; stopped because {report.stopped}" if report.detail else found


def stop_text(report: Report) -> str:
    """Why exploring ended, in words; empty if it did not begin."""
    stop = report.stop
    if stop is None:
        return ""
    if stop.reason is Stopped.evaluations:
        return f"the search ended after {_spent(**stop.details)}"
    return STOPPED[stop.reason].format(**{"discarded": report.discarded, **stop.details})


def _spent(evaluations: int, predicate: str, dead_ends: int, too_small: int) -> str:
    """The effort of a search for valid inputs."""
    parts = [f"{evaluations:,} evaluations of {predicate}"]
    if dead_ends:
        parts.append(f"{dead_ends:,} dead ends inside the generator")
    if too_small:
        parts.append(f"{too_small:,} smaller values skipped")
    return " and ".join(parts)


def shrink_text(failure: Failure) -> str:
    """How far a failing input was shrunk, in words."""
    if failure.shrink_reason is None:
        return ""
    if failure.shrink_reason is ShrinkEnd.minimal and not failure.shrink_calls:
        return "there was nothing to shrink"
    calls = f"{failure.shrink_calls:,} call{'s' * (failure.shrink_calls != 1)}"
    return SHRUNK[failure.shrink_reason].format(calls=calls)


def _pruning(figures: dict[str, Any]) -> list[str]:
    """The cost of a search for valid inputs, and where its predicate looked."""
    if "evaluations" not in figures:
        return []
    lines = [
        f"evaluations of the precondition: {figures['evaluations']:,}, {figures['per_value']:.1f} per input"
    ]
    if figures.get("pruned") is not None:
        share, values = figures["pruned"], f"{figures['values_up_to_size']:,} values"
        lines[0] += (
            f"; {share:.0%} of {values} were never made" if share else f"; {values} in no fewer of them"
        )
    if figures.get("looked_at"):
        most = ", ".join(f"{place} ({share:.0%})" for place, share in figures["looked_at"][:3])
        lines.append(f"it looked most often at {most}")
    patterns = figures.get("patterns", [])
    for row in patterns[:MOST_PATTERNS]:
        complete = ", which is all" if row["complete"] else ""
        lines.append(f"{row['pattern']}: {row['values']:,} value{'s' * (row['values'] != 1)}{complete}")
    if len(patterns) > MOST_PATTERNS:
        lines.append(f"and {len(patterns) - MOST_PATTERNS:,} more patterns (report.figures has them)")
    return lines


def _machine(figures: dict[str, Any]) -> list[str]:
    """What the runs of a state machine did."""
    if "machine_steps" not in figures:
        return []
    steps, runs, refused = figures["machine_steps"], figures["machine_runs"], figures["refused"]
    lines = [f"{steps:,} steps in {runs:,} runs (those for shrinking included)"]
    for name, count in figures["rules"].items():
        asked = refused.get(name, 0)
        why = f"; its precondition was false {asked:,} times" if asked else ""
        lines.append(f"{count:10,}  {name}{why}")
    return lines


def _best(report: Report) -> list[str]:
    """The best utility per label and the test at which it was reached."""
    total = report.examples + report.discarded
    # "test 3" is the third valid one everywhere else, but a search also learns from discarded ones.
    place = "test {:,}" if not report.discarded else f"input {{:,}} of {total:,}"
    return [
        f"best {_goal(label)}: {_number(report.best[label])} at {place.format(number)}"
        for label, number in report.best_at.items()
    ]


def _goal(label: str) -> str:
    """The name of a goal within a line."""
    readable = label.isprintable() and label == label.strip()
    return label or "utility" if readable else repr(label)


def _number(utility: float) -> str:
    """A utility for people: whole numbers with all of their digits."""
    return f"{utility:,.0f}" if utility.is_integer() and abs(utility) < 1e15 else f"{utility:g}"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
