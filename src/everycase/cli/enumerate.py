"""``everycase enumerate FILE::GEN``: count a generator's values, show some by index or size, or sample
them."""

from __future__ import annotations

import json
import math
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from everycase.cli.common import FINE, find_generator, load
from everycase.enumeration import walk
from everycase.enumeration.big_numbers import as_literal
from everycase.enumeration.sequence import OutOfRange
from everycase.errors import InvalidArgument, NotCountable
from everycase.gen.base import Gen
from everycase.run.source_text.printer import code

T = TypeVar("T")

#: Progress is shown for more than this many values.
LONG = 1000

EXAMPLE = """\b
Examples:
  everycase enumerate shapes.py::trees --count
  everycase enumerate shapes.py::trees --size 4
  everycase enumerate shapes.py::trees --at 1000000000000
  everycase enumerate shapes.py::trees --slice 10:20 --json
  everycase enumerate shapes.py::trees --size 20 --sample 5 --seed 1
"""


@click.command("enumerate", epilog=EXAMPLE)
@click.argument("target", metavar="FILE::GEN")
@click.option("--count", "what", flag_value="count", help="How many values there are.")
@click.option("--at", "at", type=int, metavar="I", help="The value with this index.")
@click.option("--slice", "piece", metavar="A:B", help="The values with indices from A up to B, without B.")
@click.option("--size", type=click.IntRange(min=0), metavar="N", help="The values of exactly this size.")
@click.option(
    "--sample", type=click.IntRange(min=0), metavar="N", help="N random values, each equally likely."
)
@click.option("--seed", type=int, help="The random seed of the sample.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per line, with the index and the value."
)
def command(
    target: str,
    what: str | None,
    at: int | None,
    piece: str | None,
    size: int | None,
    sample: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Count the values of a generator, or show them.

    GEN is a generator, or a function without parameters that returns one. Without an option the values are shown in
    order, smallest first, until you stop it. --size restricts the others to one size. Exit codes: 0, or 2 for misuse.
    """
    gen = find_generator(target, load(target).value)
    chosen = [
        name for name, value in (("--at", at), ("--slice", piece), ("--sample", sample)) if value is not None
    ]
    if len(chosen) + (what is not None) > 1:
        raise InvalidArgument(
            "give only one of --count, --at, --slice and --sample; each can be combined with --size"
        )
    if size is not None:
        gen = gen.of_size(size)
    if what == "count":
        show_count(gen, as_json)
    elif at is not None:
        show([(at, value_at(gen, at))], None, as_json)
    elif piece is not None:
        start, stop = bounds(piece)
        values = enumerate(values_of(gen, start, stop), start)
        show(values, max(0, stop - start) if stop is not None else None, as_json)
    elif sample is not None:
        show(((None, value) for value in sampled(gen, sample, seed)), sample, as_json)
    else:
        show(enumerate(values_of(gen, 0, None)), total_of(gen), as_json)
    raise SystemExit(FINE)


def bounds(piece: str) -> tuple[int, int | None]:
    """The two numbers of ``A:B``; A is 0 if it is left out."""
    first, colon, last = piece.partition(":")
    try:
        start, stop = int(first or 0), int(last) if last else None
    except ValueError:
        start, colon, stop = 0, "", None
    if not colon or start < 0 or (stop is not None and stop < 0):
        raise InvalidArgument(f"--slice {piece}: write two numbers, such as 10:20")
    return start, stop


def values_of(gen: Gen[Any], start: int, stop: int | None) -> Iterable[Any]:
    """The values with these indices. A generator that cannot be counted is walked choice by choice."""
    try:
        return gen[start:stop] if start or stop is not None else iter(gen)
    except NotCountable:
        return walked(gen, start, stop)


def value_at(gen: Gen[Any], number: int) -> Any:
    try:
        try:
            return gen[number]
        except NotCountable:
            if number < 0:
                raise
            for value in walked(gen, number, number + 1):
                return value
            raise OutOfRange(f"{gen!r} has fewer values") from None
    except OutOfRange as problem:
        raise InvalidArgument(f"--at {as_literal(number)}: {problem}") from None


def walked(gen: Gen[Any], start: int, stop: int | None) -> Iterator[Any]:
    """The values with these indices in the order of ``walk``, which has to visit all values before them."""
    traces: Iterator[Any] = walk(gen)
    # islice cannot count further than this, and no one needs it.
    start, stop = min(start, sys.maxsize), None if stop is None else min(stop, sys.maxsize)
    if start > LONG:
        before: Iterable[Any] = islice(traces, start)
        console = Console(stderr=True)
        if console.is_terminal:
            before = with_progress(before, start, console)
        deque(before, 0)
        start, stop = 0, None if stop is None else max(0, stop - start)
    return (trace.value for trace in islice(traces, start, stop))


def sampled(gen: Gen[Any], n: int, seed: int | None) -> list[Any]:
    """Equally likely values; if they cannot be counted or are infinitely many, values as random tests draw
    them."""
    with suppress(NotCountable, InvalidArgument):
        gen = gen.uniform()
    return gen.sample(n, seed)


def total_of(gen: Gen[Any]) -> int | None:
    try:
        total = gen.cardinality
    except NotCountable:
        return None
    return None if total == math.inf else int(total)


def show_count(gen: Gen[Any], as_json: bool) -> None:
    total = gen.cardinality
    if total == math.inf:
        click.echo(json.dumps({"count": None, "infinite": True}) if as_json else "infinitely many")
        return
    exact = int(total)
    digits = hex(exact) if exact.bit_length() > 10_000 else f"{exact}"
    if as_json:
        click.echo(
            json.dumps({"count": exact if exact.bit_length() <= 10_000 else digits, "infinite": False})
        )
    else:
        click.echo(digits if exact.bit_length() > 10_000 else f"{exact:,}")


def show(values: Iterable[tuple[int | None, Any]], total: int | None, as_json: bool) -> None:
    """One line per value. When the lines go to a file, progress is shown on the terminal."""
    console = Console(stderr=True)
    if console.is_terminal and not Console().is_terminal and (total is None or total > LONG):
        values = with_progress(values, total, console)
    try:
        for number, value in values:
            click.echo(line(number, value) if as_json else value_text(value))
    except BrokenPipeError:
        raise SystemExit(FINE) from None


def with_progress(values: Iterable[T], total: int | None, console: Console) -> Iterator[T]:
    columns = (TextColumn("values"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("values", total=total)
        stream = iter(values)
        while block := list(islice(stream, 500)):
            yield from block
            progress.advance(task, len(block))


def value_text(value: Any) -> str:
    """The repr of a value on one line, or the reason why there is none."""
    try:
        return repr(value)
    except RecursionError:
        return f"<{type(value).__name__}, nested too deeply for Python to print it>"
    except ValueError:  # a number of thousands of digits
        return code(value, width=sys.maxsize)


def line(number: int | None, value: Any) -> str:
    """A value as one line of JSON: its repr, and the value itself if it is plain data."""
    entry: dict[str, Any] = {} if number is None else {"index": number}
    entry["repr"] = value_text(value)
    try:
        entry["value"] = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        entry["value"] = None
    return json.dumps(entry, ensure_ascii=False)
