"""``everycase demo``: each technique finds something, shown on the terminal and as a page."""

from __future__ import annotations

import time
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path

import click
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from everycase.cli.common import FINE, FOUND, json_option, print_json, write_page
from everycase.cli.demos import DEMOS, Scene, load_demo
from everycase.errors import InvalidArgument, MissingExtra
from everycase.pages import charts
from everycase.pages.html import Safe, joined, tag
from everycase.pages.html import page as whole_page

EXAMPLE = """\b
Examples:
  everycase demo
  everycase demo exhaustive replay
  everycase demo --html everycase-demo.html
"""

_LIGHT = HtmlFormatter(style="xcode", nowrap=True)
_DARK = HtmlFormatter(style="monokai", nowrap=True)


@click.command("demo", epilog=EXAMPLE)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Also write an HTML page.")
@click.option("--list", "show_list", is_flag=True, help="List the demos.")
@json_option
def command(names: tuple[str, ...], html: Path | None, show_list: bool, as_json: bool) -> None:
    """Watch each technique find something.

    Without names, all demos are shown. The exit code is 0 if each demo showed what it should, else 1.
    """
    for name in names:
        if name not in DEMOS:
            near = get_close_matches(name, DEMOS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(DEMOS)}"
            raise InvalidArgument(f"there is no demo {name!r}; {hint}")
    if show_list:
        if as_json:
            print_json(list(DEMOS))
        else:
            click.echo("\n".join(DEMOS))
        return
    scenes, missing = [], []
    console = Console(highlight=False)
    started = time.perf_counter()
    for name in names or DEMOS:
        try:
            scene = load_demo(name)()
        except MissingExtra as problem:
            # A missing extra means that a demo is skipped; it is not an error.
            missing.append(str(problem))
            continue
        scenes.append(scene)
        if not as_json:
            console.print(_panel(scene))
    if html is not None:
        write_page(html, page(scenes))
    if as_json:
        print_json({"scenes": [asdict(scene) for scene in scenes], "left_out": missing})
    else:
        for line in missing:
            console.print(Text(f"left out: {line}", style="yellow"))
        console.print(f"{len(scenes)} of {len(DEMOS)} demos in {time.perf_counter() - started:.1f} s")
        if html is not None:
            console.print(f"also written as a page: {html}")
    raise SystemExit(FINE if all(scene.works for scene in scenes) else FOUND)


def _panel(scene: Scene) -> Panel:
    parts: list[object] = [
        Text(scene.story),
        Padding(Syntax(scene.code, "python", theme="ansi_dark", background_color="default"), (1, 0)),
        Rule(style="dim"),
        Text(scene.outcome),
    ]
    if scene.bars:
        parts.append(_bars(scene))
    if not scene.works:
        parts.append(Text("the demo did not show what it should: please report this", style="bold red"))
    style = "cyan" if scene.works else "red"
    return Panel(
        Group(*parts),  # type: ignore[arg-type]
        title=f"[bold]{scene.technique}[/bold]",
        title_align="left",
        border_style=style,
        padding=(1, 2),
    )


def _bars(scene: Scene, width: int = 40) -> Table:
    largest = max(number for _, number in scene.bars)
    table = Table.grid(padding=(0, 1))
    for label, number in scene.bars:
        bar = "█" * max(1, round(width * number / largest))
        table.add_row(label, Text(bar, style="cyan"), f"{number:,.0f} {scene.unit}")
    return table


# --- as a page --------------------------------------------------------------------------------------------------


def page(scenes: list[Scene]) -> str:
    """The whole page."""
    links = [tag("a", scene.technique, href=f"#scene-{place}") for place, scene in enumerate(scenes)]
    intro = joined(
        tag(
            "p",
            "Describe an input once, then test it in many ways. Each part below ran when this page was written: the code, and "
            "its result.",
        ),
        tag("nav", *links, aria_label="techniques"),
    )
    sections = [
        tag("section", _scene(scene), class_="property", id=f"scene-{place}")
        for place, scene in enumerate(scenes)
    ]
    return whole_page("everycase", intro, joined(*sections), _style())


def _scene(scene: Scene) -> Safe:
    verdict, _, rest = scene.outcome.partition("\n")
    facts = [tag("div", tag("b", figure), tag("span", what), class_="fact") for what, figure in scene.facts]
    code = tag("pre", Safe(highlight(scene.code, PythonLexer(), _LIGHT)), class_="code", tabindex="0")
    side = joined(
        tag("pre", tag("strong", verdict), f"\n{rest}" if rest else None, class_="outcome wrapped"),
        charts.bars(scene.unit[:1].upper() + scene.unit[1:], scene.bars) if scene.bars else None,
        tag("div", *facts, class_="facts"),
    )
    return joined(
        tag("h2", scene.technique),
        tag("p", scene.story),
        tag("div", code, tag("div", side), class_="columns"),
    )


def _style() -> str:
    dark = _DARK.get_style_defs("pre.code")
    return f"""
.columns {{ display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.25rem; align-items: start; }}
@media (max-width: 60rem) {{ .columns {{ grid-template-columns: minmax(0, 1fr); }} }}
pre.outcome {{ background: var(--accent-soft) !important; border-left: 3px solid var(--accent); }}
.facts {{ display: flex; flex-wrap: wrap; gap: 1rem 1.75rem; margin-top: 1rem; }}
.fact {{ display: flex; flex-direction: column; }}
.fact b {{ font-size: 1.4rem; font-variant-numeric: tabular-nums; line-height: 1.2; }}
.fact span {{ color: var(--soft); font-size: .85rem; }}
{_LIGHT.get_style_defs("pre.code")}
@media (prefers-color-scheme: dark) {{ {dark} }}
pre.code {{ background: var(--code) !important; color: var(--ink); }}
"""
