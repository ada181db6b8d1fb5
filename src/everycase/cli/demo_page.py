"""The demo as one HTML file without anything from elsewhere, in light and dark."""

from __future__ import annotations

from html import escape
from string import Template

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from everycase._version import __version__
from everycase.cli.demos import Scene

_LIGHT = HtmlFormatter(style="friendly", nowrap=True)
_DARK = HtmlFormatter(style="monokai", nowrap=True)


def page(scenes: list[Scene]) -> str:
    """The whole page."""
    return _PAGE.substitute(
        version=escape(__version__),
        nav="".join(f'<a href="#scene-{i}">{escape(s.technique)}</a>' for i, s in enumerate(scenes)),
        scenes="\n".join(_scene(i, s) for i, s in enumerate(scenes)),
        light=_LIGHT.get_style_defs("pre.code"),
        dark=_DARK.get_style_defs("pre.code"),
    )


def _scene(number: int, scene: Scene) -> str:
    facts = "".join(
        f'<div class="fact"><b>{escape(figure)}</b><span>{escape(what)}</span></div>'
        for what, figure in scene.facts
    )
    verdict, _, rest = scene.outcome.partition("\n")
    return f"""<section id="scene-{number}">
  <h2>{escape(scene.technique)}</h2>
  <p>{escape(scene.story)}</p>
  <div class="columns">
    <pre class="code">{highlight(scene.code, PythonLexer(), _LIGHT)}</pre>
    <div class="side">
      <pre class="outcome"><strong>{escape(verdict)}</strong>{escape(chr(10) + rest if rest else "")}</pre>
      {_bars(scene)}
      <div class="facts">{facts}</div>
    </div>
  </div>
</section>"""


def _bars(scene: Scene) -> str:
    if not scene.bars:
        return ""
    largest = max(number for _, number in scene.bars)
    rows = "".join(
        f'<div class="row"><span>{escape(label)}</span>'
        f'<i style="width:{max(0.5, 100 * number / largest):.1f}%"></i>'
        f"<b>{number:,.0f}</b></div>"
        for label, number in scene.bars
    )
    return f'<div class="bars">{rows}<small>{escape(scene.unit)}</small></div>'


_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>everycase demo</title>
<style>
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d2330; --soft: #5c6576; --line: #e3e1da;
  --accent: #0b7285; --accent-soft: #e3f2f4; --code: #f6f5f1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171d; --card: #1b1f27; --ink: #e6e8ec; --soft: #9aa3b2; --line: #2c323d;
    --accent: #4fc3d6; --accent-soft: #17343a; --code: #15181f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main { max-width: 74rem; margin: 0 auto; padding: 3rem 1.5rem 5rem; }
header h1 { margin: 0; font-size: 2.2rem; letter-spacing: -0.02em; }
header p { margin: .4rem 0 0; color: var(--soft); max-width: 46rem; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.5rem 0 0; }
nav a {
  color: var(--accent); background: var(--accent-soft); text-decoration: none; font-size: .88rem;
  padding: .25rem .7rem; border-radius: 999px;
}
nav a:hover, nav a:focus-visible { text-decoration: underline; }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 1.5rem 1.75rem; margin-top: 1.75rem;
}
h2 { margin: 0 0 .4rem; font-size: 1.25rem; }
section > p { margin: 0 0 1rem; color: var(--soft); max-width: 52rem; }
.columns { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.25rem; align-items: start; }
@media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
pre {
  margin: 0; padding: 1rem 1.1rem; border-radius: 8px; overflow-x: auto;
  font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
pre.code { background: var(--code); }
pre.outcome {
  background: var(--accent-soft); border-left: 3px solid var(--accent); white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.facts { display: flex; flex-wrap: wrap; gap: 1rem 1.75rem; margin-top: 1rem; }
.fact { display: flex; flex-direction: column; }
.fact b { font-size: 1.4rem; font-variant-numeric: tabular-nums; line-height: 1.2; }
.fact span { color: var(--soft); font-size: .85rem; }
.bars { margin-top: 1rem; }
.row { display: grid; grid-template-columns: 6rem minmax(0, 1fr) 5rem; gap: .6rem; align-items: center; margin: .35rem 0; }
.row i { display: block; height: .9rem; border-radius: 3px; background: var(--accent); }
.row b { font-variant-numeric: tabular-nums; text-align: right; }
.bars small { color: var(--soft); }
footer { margin-top: 2rem; color: var(--soft); font-size: .88rem; }
$light
@media (prefers-color-scheme: dark) {
$dark
}
pre.code { background: var(--code); color: var(--ink); }
</style>
</head>
<body>
<main>
<header>
  <h1>everycase</h1>
  <p>Describe an input once, then test it in many ways. Each part below ran when this page was written: the code, and
  what came out.</p>
  <nav>$nav</nav>
</header>
$scenes
<footer>everycase $version</footer>
</main>
</body>
</html>
""")
