"""The demo as a page, drawn by the renderer of all reports."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from everycase.cli.demos import Scene
from everycase.report import charts
from everycase.report.html import Safe, joined, tag
from everycase.report.html import page as whole_page

_LIGHT = HtmlFormatter(style="xcode", nowrap=True)
_DARK = HtmlFormatter(style="monokai", nowrap=True)


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
