"""``everycase cover MODEL``: rows that contain every combination of any t parameters, or the coverage of
given rows."""

from __future__ import annotations

import ast
import csv
import sys
from collections.abc import Callable, Mapping, Sequence
from keyword import kwlist
from pathlib import Path
from typing import Any, Never

import click
from rich.console import Console
from rich.progress import Progress

from everycase.arrays import CoveringArray, Model, Radix, coverage, covering_array, infeasible, why_infeasible
from everycase.arrays.effort import SECONDS
from everycase.arrays.formats import MODEL_FORMATS, ModelFile, read_model, tables
from everycase.arrays.sequences import sequence_covering_array
from everycase.cli.common import FINE, FOUND, json_option, load, print_json
from everycase.errors import InvalidArgument
from everycase.run.source_text.printer import code, imports_needed

EXAMPLE = """\b
Examples:
  everycase cover browsers.toml -t 2
  everycase cover browsers.toml -t 3 --format csv > rows.csv
  everycase cover volumes.pict --format pytest
  everycase cover ci.py::model --format github
  everycase cover browsers.toml --measure rows.csv
  everycase cover --measure rows.csv
  everycase cover --orders open,read,write,close -t 3 --before open,close
"""


def as_pytest(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A parametrized test to fill in.

    >>> print(as_pytest(["os", "debug"], [("linux", True)]))
    import pytest
    <BLANKLINE>
    <BLANKLINE>
    @pytest.mark.parametrize(
        ("os", "debug"),
        [
            ("linux", True),
        ],
    )
    def test_combination(os, debug): ...
    """
    arguments = tables.identifiers(names, {*kwlist, "request"})  # pytest keeps "request" for itself
    quoted = ", ".join(f'"{name}"' for name in arguments) + ("," if len(names) == 1 else "")
    lines = [code(tuple(row), width=10**6) for row in rows]
    for row, line in zip(rows, lines):
        _refuse_unwritable(names, row, line)
    imports = "".join(
        f"{line}\n" for line in sorted({*imports_needed(list(map(tuple, rows))), "import pytest"})
    )
    body = "".join(f"        {line},\n" for line in lines)
    return (
        f"{imports}\n\n@pytest.mark.parametrize(\n    ({quoted}),\n    [\n{body}    ],\n)\n"
        f"def test_combination({', '.join(arguments)}): ..."
    )


def _refuse_unwritable(names: Sequence[str], row: Sequence[Any], line: str) -> None:
    if _is_expression(line):
        return
    for name, value in zip(names, row):
        if not _is_expression(code(value)):
            raise InvalidArgument(
                f"{value!r}, a value of {name!r}, cannot be written as Python source; call covering_array(...) in "
                "the test module instead, and give its .tuples() to pytest.mark.parametrize"
            )


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


FORMATS = {**tables.FORMATS, "pytest": as_pytest}

ORDERS_EFFORT = {"quick": 1.0, "good": 5.0, "best": 20.0}

SHOWN = 20
"""Maximum number of missing combinations to list, unless --json asks for all."""

EXAMPLES = 3
"""Maximum number of combinations to show for a row that is the only one to contain them."""


@click.command("cover", epilog=EXAMPLE)
@click.argument("source", metavar="[MODEL]", required=False)
@click.option(
    "-t", "--strength", type=int, help="Cover every combination of this many parameters (default 2)."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, *MODEL_FORMATS]),
    default="table",
    help="How to print the rows.",
)
@click.option(
    "--measure", metavar="ROWS.csv", help="Measure the coverage of these rows instead of making rows."
)
@click.option("--extend", metavar="ROWS.csv", help="Keep these rows and add only rows for what they miss.")
@click.option(
    "--seed-rows",
    metavar="ROWS",
    help="Begin with these rows, as far as they still fit the model (PICT's /e).",
)
@click.option("--exclude", metavar="ROWS.csv", help="No row may contain any of these combinations.")
@click.option(
    "--infeasible",
    "list_infeasible",
    is_flag=True,
    help="List the combinations that the constraints exclude, and stop.",
)
@click.option(
    "--orders", metavar="EVENTS", help="Print sequences that contain any t of these events in every order."
)
@click.option(
    "--before", multiple=True, metavar="A,B", help="With --orders: A always comes before B. Can be repeated."
)
@click.option("--radix", help="Split parameters with many values: auto, or a base.")
@click.option("--seed", type=int, default=0, show_default=True, help="The random seed.")
@click.option(
    "--effort",
    default="quick",
    show_default=True,
    metavar="EFFORT",
    help="How long to look for fewer rows: quick, good, best, or a number of seconds.",
)
@click.option(
    "--pict-options",
    default="",
    metavar="OPTIONS",
    help="Options of PICT that change how its files are read: /d:C, /a:C, /n:C, /c.",
)
@click.option(
    "--explain", is_flag=True, help="Say what each row is for, and why combinations are infeasible."
)
@json_option
def command(
    source: str | None,
    strength: int | None,
    form: str,
    measure: str | None,
    extend: str | None,
    seed_rows: str | None,
    exclude: str | None,
    list_infeasible: bool,
    orders: str | None,
    before: tuple[str, ...],
    radix: str | None,
    seed: int,
    effort: str,
    pict_options: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Print few rows that contain every combination of any t parameters.

    MODEL is a TOML file, an ACTS, CTWedge or PICT model (any other text file), or FILE.py::NAME of a Model.
    The rows go to standard output, a summary line to standard error. With --measure the exit code is 1 if
    combinations are missing, and MODEL may be left out: every column then has the values that occur in it.
    """
    if orders is not None:
        if source is not None or measure is not None or extend is not None:
            raise InvalidArgument("--orders takes only events: leave out MODEL, --measure and --extend")
        times = ORDERS_EFFORT[effort] if effort in ORDERS_EFFORT else _number(effort)
        _cover_orders(orders, before, 3 if strength is None else strength, seed, times, form, as_json)
    if before:
        raise InvalidArgument("--before only works with --orders")
    if source is not None:
        file = model_named(source, pict_options)
    elif measure is not None:
        file = ModelFile(_model_of_rows(measure))
    else:
        raise InvalidArgument("name a MODEL: a TOML file, a PICT model, or FILE.py::NAME (see --help)")
    if exclude is not None:
        file = file.excluding(_rows(exclude, file.model))
    chosen = strength if strength is not None else file.strength
    if list_infeasible:
        _list_infeasible(file.model, chosen, as_json)
        return
    if measure is not None:
        raise SystemExit(_measure(file.model, chosen, _rows(measure, file.model), as_json))
    include = [*file.include, *(_seeds(seed_rows, file) if seed_rows is not None else ())]
    array = _with_progress(
        lambda progress: covering_array(
            file.model,
            chosen,
            seed=seed,
            must_include=include,
            extend=_rows(extend, file.model) if extend is not None else (),
            radix=_radix(radix) if radix is not None else file.radix,
            effort=effort if effort in SECONDS else _number(effort),
            progress=progress,
        ),
        quiet=as_json,
    )
    if explain:
        _explain(array, as_json)
        raise SystemExit(FINE)
    if form in MODEL_FORMATS and not as_json:
        click.echo(MODEL_FORMATS[form](file.model, chosen, file.shown(array)))
    else:
        click.echo(FORMATS["json" if as_json else form](file.model.names, file.shown(array)))
    if not as_json:
        click.echo(array.describe(), err=True)
    if form == "github" and len(array) > tables.GITHUB_JOBS:
        click.echo(f"warning: GitHub Actions runs at most {tables.GITHUB_JOBS} jobs of a matrix", err=True)
    raise SystemExit(FINE)


def model_named(source: str, pict_options: str = "") -> ModelFile:
    """The model that the argument names, in any kind of file."""
    if "::" in source or (":" in source and not Path(source).exists()):
        value = load(source).value
        if not isinstance(value, Model | dict):
            raise InvalidArgument(
                f"{source} is {value!r}, but a model must be a Model or a mapping of parameters"
            )
        return ModelFile(value if isinstance(value, Model) else Model(value))
    text = _text(source)
    if source.endswith(".py"):
        raise InvalidArgument(f"{source} is a Python file; say which model in it, as {source}::NAME")
    try:
        return read_model(text, Path(source).suffix, pict_options)
    except InvalidArgument as problem:
        raise InvalidArgument(f"{source}: {problem}") from None


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")  # Excel and Notepad write a byte order mark
    except OSError as problem:
        raise InvalidArgument(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidArgument(f"{path} is not a text file") from None


def _rows(path: str, model: Model) -> list[dict[str, Any]]:
    """Rows of a CSV file as values of the model; an empty cell is left open unless it is a value."""
    empty = {domain.name for domain in model.domains if domain.has_text("")}
    stars = {domain.name for domain in model.domains if not domain.has_text("*")}
    found = []
    for number, row in enumerate(tables.read_csv(_text(path)), start=1):
        # ACTS writes * where any value will do.
        cells = {
            name: cell
            for name, cell in row.items()
            if (cell and not (cell == "*" and name in stars)) or name in empty or name not in model.names
        }
        levels = model.levels_of(cells, f"row {number} of {path}", text=True)
        found.append({d.name: d.at(level) for d, level in zip(model.domains, levels) if level >= 0})
    return found


def _seeds(path: str, file: ModelFile) -> list[dict[str, Any]]:
    """Rows of an earlier output, as far as they still fit; a warning for each thing that does not."""
    found, said = file.seeds(tables.read_csv(_text(path)))
    for each in said:
        click.echo(f"warning: {path}: {each}, so it is skipped", err=True)
    return found


def _model_of_rows(path: str) -> Model:
    """A model of a CSV file's own columns and the values that occur in them."""
    rows = tables.read_csv(_text(path))
    if not rows:
        raise InvalidArgument(f"{path} has no rows; give a MODEL to say which values are possible")
    return Model({name: list(dict.fromkeys(row[name] for row in rows if row[name])) for name in rows[0]})


def _radix(given: str) -> Any:
    if given == "auto":
        return "auto"
    if not given.isdigit():
        raise InvalidArgument(f"--radix {given}: write auto or a base, such as 10")
    return Radix(base=int(given))


def _measure(model: Model, strength: int, rows: list[dict[str, Any]], as_json: bool) -> int:
    measured = coverage(rows, model, strength)
    if as_json:
        print_json(
            {
                "rows": measured.rows,
                "strength": strength,
                "covered": measured.covered,
                "feasible": measured.feasible,
                "infeasible": measured.infeasible,
                "fraction": measured.fraction,
                "invalid": [{"row": number + 1, "breaks": names} for number, names in measured.invalid],
                "missing": tables.plain(list(measured.missing())),
            }
        )
    else:
        click.echo(measured.describe())
        for number, names in measured.invalid:
            click.echo(f"row {number + 1} does not count: it breaks {'; '.join(names)}")
        for missing, _ in zip(measured.missing(), range(SHOWN)):
            click.echo("missing: " + ", ".join(f"{name}={value!r}" for name, value in missing.items()))
        if measured.missing_count > SHOWN:
            click.echo(f"... and {measured.missing_count - SHOWN:,} more (--json lists all)")
    return FINE if measured.complete and not measured.invalid else FOUND


def _explain(array: CoveringArray, as_json: bool) -> None:
    """What each row is for; which combinations no row can contain, and why."""
    rows = [(array.first_in(number), array.only_in(number)) for number in range(len(array))]
    excluded = [(one, array.why_infeasible(one)) for one in array.infeasible]
    if as_json:
        print_json(
            tables.plain(
                {
                    "rows": [
                        {"values": values, "first": first, "only": only}
                        for values, (first, only) in zip(array, rows)
                    ],
                    "infeasible": [{"combination": one, "because": names} for one, names in excluded],
                }
            )
        )
        return
    for number, (values, (first, only)) in enumerate(zip(array, rows), start=1):
        click.echo(f"row {number}: {_shown(values)}")
        click.echo(f"  {len(first):,} combinations for the first time, {len(only):,} in no other row")
        for one in only[:EXAMPLES]:
            click.echo(f"  only here: {_shown(one)}")
    for one, names in excluded:
        click.echo(f"infeasible: {_shown(one)}, because of {'; '.join(names)}")
    click.echo(array.describe(), err=True)


def _shown(combination: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in combination.items())


def _number(effort: str) -> float:
    try:
        return float(effort)
    except ValueError:
        raise InvalidArgument(f"--effort {effort}: write quick, good, best, or a number of seconds") from None


def _list_infeasible(model: Model, strength: int, as_json: bool) -> None:
    found = infeasible(model, strength)
    if as_json:
        print_json(tables.plain(found))
        return
    for one in found:
        click.echo(f"{_shown(one)}: {'; '.join(why_infeasible(model, one))}")
    click.echo(f"{len(found):,} {strength}-way combinations are infeasible", err=True)


def _with_progress(work: Callable[[Any], CoveringArray], quiet: bool) -> CoveringArray:
    """Run it with a progress bar on the terminal, which is removed at the end."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        return work(None)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("combining", total=None)

        def progress(what: str, done: int, total: int) -> None:
            bar.update(task, description=f"combining, {what}", completed=done, total=total)

        return work(progress)


# --- orders ------------------------------------------------------------------------------------------------


def _cover_orders(
    events: str,
    before: tuple[str, ...],
    strength: int,
    seed: int,
    effort: float,
    form: str,
    as_json: bool,
) -> Never:
    """Print the sequences, and a summary line to standard error."""
    if form not in ("table", "csv", "json"):
        raise InvalidArgument(f"--orders prints a table, csv or json, not {form}")
    names = [name.strip() for name in events.split(",") if name.strip()]
    array = sequence_covering_array(
        names, strength, constraints=[_pair(text) for text in before], seed=seed, effort=effort
    )
    if as_json or form == "json":
        print_json(
            {
                "sequences": [list(row) for row in array],
                "orders": array.total,
                "covered": array.covered,
                "infeasible": [list(order) for order in array.infeasible],
                "not_reached": [list(order) for order in array.not_reached],
            }
        )
        raise SystemExit(FINE)
    if form == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(array)
    else:
        widths = [max(len(row[i]) for row in array) for i in range(len(names))]
        for row in array:
            click.echo("  ".join(name.ljust(width) for name, width in zip(row, widths)).rstrip())
    click.echo(str(array), err=True)
    raise SystemExit(FINE)


def _pair(text: str) -> tuple[str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise InvalidArgument(f"--before {text}: two events are needed, such as --before open,close")
    return parts[0], parts[1]
