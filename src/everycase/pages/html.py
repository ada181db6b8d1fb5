"""Writing HTML: pieces that are safe to put together, and the shell of a page that needs nothing from elsewhere."""

from __future__ import annotations

from html import escape
from string import Template
from typing import Any

from everycase._version import __version__

VOID = frozenset({"br", "hr", "img", "meta", "line", "circle", "rect", "path", "polyline"})


class Safe(str):
    """Text that is already HTML. Everything else is escaped when it is put into a page."""

    __slots__ = ()


def safe(piece: object) -> Safe:
    """Any text as HTML.

    >>> safe("<script>"), safe(Safe("<b>"))
    ('&lt;script&gt;', '<b>')
    """
    if isinstance(piece, Safe):
        return piece
    # Characters that no page may contain are shown as their escapes in Python.
    text = "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in str(piece))
    return Safe(escape(text))


def tag(name: str, *children: object, **attributes: Any) -> Safe:
    """An element. An attribute that is None is left out; ``class_`` stands for class, and ``_`` for the hyphen.

    >>> tag("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{safe(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID and not children:
        return Safe(f"<{name}{given}/>")
    return Safe(f"<{name}{given}>{joined(*children)}</{name}>")


def pre(*children: object, class_: str) -> Safe:
    """Code or output as it is. If it is too wide, it can be scrolled with the keyboard."""
    return tag("pre", *children, class_=class_, tabindex="0")


def joined(*pieces: object) -> Safe:
    """Pieces one after the other; those that are None are left out."""
    return Safe("".join(safe(piece) for piece in pieces if piece is not None))


def table(head: list[str], rows: list[list[object]], caption: str) -> Safe:
    """A table whose first column names the rows. If it is too wide, it scrolls separately."""
    body = [
        tag("tr", tag("th", row[0], scope="row"), *[tag("td", cell, class_=_align(cell)) for cell in row[1:]])
        for row in rows
    ]
    columns = tag("tr", *[tag("th", title, scope="col") for title in head])
    inner = tag("table", tag("caption", caption), tag("thead", columns), tag("tbody", *body))
    return tag("div", inner, class_="scroll", tabindex="0", role="group", aria_label=caption)


def _align(cell: object) -> str | None:
    text = str(cell)
    return "number" if text[:1].isdigit() or text[:1] == "-" else None


def cut(text: str, most: int) -> str:
    """A text as it is, or its beginning and how much is left out.

    >>> cut("abcdef", 3)
    'abc… (3 more characters)'
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"


def details(summary: str, *children: object) -> Safe:
    """Content that is collapsed until the reader opens it."""
    return tag("details", tag("summary", summary), *children)


def page(title: str, intro: object, body: object, extra_style: str = "") -> str:
    """A whole page."""
    return _PAGE.substitute(
        title=safe(title),
        intro=safe(intro),
        body=safe(body),
        version=safe(__version__),
        style=_STYLE,
        extra=extra_style,
    )


def fragment(body: object) -> str:
    """A piece of HTML with the style that it needs, for a notebook."""
    return f'<div class="everycase"><style>{_scoped()}</style>{safe(body)}</div>'


def _scoped() -> str:
    """The style for an element inside another page, such as a notebook."""
    return f".everycase {{ {_COLORS} color: inherit; }} {_PIECES}"


_COLORS = """
  --paper: #fbfaf7; --card: #ffffff; --ink: #1d2330; --soft: #565f70; --line: #dedbd2; --faint: #efede6;
  --accent: #0b6578; --accent-soft: #e3f2f4; --code: #f6f5f1; --good: #1b7a3d; --bad: #b3261e; --open: #8a5a00;
  --good-soft: #e6f4ea; --bad-soft: #fce8e6; --open-soft: #fdf1dc;
  --mark-1: #0072b2; --mark-2: #d55e00; --mark-3: #009e73; --mark-4: #a85580;
"""
_DARK = """
  --paper: #14171d; --card: #1b1f27; --ink: #e6e8ec; --soft: #a5adbb; --line: #323946; --faint: #262b35;
  --accent: #62cfe1; --accent-soft: #17343a; --code: #15181f; --good: #6fd08c; --bad: #ff9a90; --open: #f0b95b;
  --good-soft: #16301f; --bad-soft: #3a1f1d; --open-soft: #352910;
  --mark-1: #56b4e9; --mark-2: #f0884a; --mark-3: #35c79b; --mark-4: #d99abf;
"""
#: The style of the pieces of a report, wherever they are used.
_PIECES = """
.everycase, .everycase * { box-sizing: border-box; }
.everycase h2 { margin: 0; font-size: 1.2rem; overflow-wrap: anywhere; }
.everycase h3 { margin: 1.6rem 0 .5rem; font-size: 1rem; }
.everycase p { margin: .4rem 0; max-width: 60rem; overflow-wrap: anywhere; }
.everycase .soft { color: var(--soft); font-size: .9rem; }
.everycase .badge { display: inline-block; border-radius: 999px; padding: .1rem .7rem; font-weight: 600; font-size: .85rem; white-space: nowrap; }
.everycase .good { color: var(--good); } .everycase .bad { color: var(--bad); } .everycase .open { color: var(--open); }
.everycase .badge.good { background: var(--good-soft); } .everycase .badge.bad { background: var(--bad-soft); }
.everycase .badge.open { background: var(--open-soft); }
.everycase .verdict { font-size: 1.02rem; }
.everycase pre { margin: .5rem 0; padding: .8rem 1rem; border-radius: 8px; overflow-x: auto; background: var(--code);
  font: 13px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; color: var(--ink); }
.everycase pre.failing { border-left: 3px solid var(--bad); }
.everycase pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
.everycase .idle { color: var(--soft); background: var(--faint); border-radius: 3px; font-style: italic; }
.everycase .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1rem 1.5rem; }
.everycase figure { margin: .6rem 0 0; min-width: 0; }
.everycase figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .3rem; overflow-wrap: anywhere; }
.everycase figcaption span { font-weight: 400; color: var(--soft); }
.everycase svg { width: 100%; height: auto; display: block; max-width: 27rem; }
.everycase svg.wide { max-width: none; }
.everycase svg text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: var(--ink); }
.everycase svg .tick { fill: var(--soft); font-size: 14px; }
.everycase svg .mono { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; }
.everycase svg .grid { stroke: var(--line); stroke-width: 1; }
.everycase svg .axis { stroke: var(--soft); stroke-width: 1; }
.everycase svg .bar { fill: var(--mark-1); }
.everycase .scroll { overflow-x: auto; max-width: 100%; }
.everycase table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
.everycase caption { text-align: left; color: var(--soft); font-size: .85rem; padding-bottom: .2rem; }
.everycase th, .everycase td { text-align: left; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
.everycase thead th { font-weight: 600; color: var(--soft); font-size: .85rem; }
.everycase .scroll td:not(.number) { min-width: 5.5rem; }
.everycase td.number { text-align: right; white-space: nowrap; }
.everycase td.value { overflow-wrap: anywhere; min-width: 12rem; }
.everycase .bars { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(3rem, 1fr) max-content; gap: .25rem .7rem; align-items: center; font-size: .9rem; margin: 0; }
.everycase .bars dt { overflow-wrap: anywhere; max-width: 22rem; }
.everycase .bars dd { margin: 0; display: contents; }
.everycase .bars i { display: block; height: .8rem; background: var(--mark-1); border-radius: 2px; min-width: 1px; }
.everycase .bars i.asked { background: var(--mark-2); }
.everycase .bars b { font-weight: 500; font-variant-numeric: tabular-nums; text-align: right; }
.everycase details { margin: .4rem 0; } .everycase .charts + details, .everycase figure + details { margin-top: 1rem; }
.everycase figure + .scroll, .everycase .charts + .scroll, .everycase .scroll + .scroll { margin-top: 1rem; }
.everycase summary { cursor: pointer; color: var(--accent); font-size: .9rem; }
.everycase code { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .88em; overflow-wrap: anywhere; }
.everycase ul.plain { margin: .4rem 0; padding-left: 1.2rem; }
.everycase .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .85rem; color: var(--soft); margin: .2rem 0 0; padding: 0; list-style: none; }
.everycase .legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .35rem; vertical-align: -1px; border: 1px solid var(--soft); }
"""
_STYLE = f"""
:root {{ color-scheme: light dark; {_COLORS} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}
{_PIECES}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }}
main {{ max-width: 74rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }}
header h1 {{ margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; overflow-wrap: anywhere; }}
header p {{ margin: .4rem 0 0; color: var(--soft); max-width: 46rem; }}
nav {{ display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.2rem 0 0; }}
nav a {{ color: var(--accent); background: var(--accent-soft); text-decoration: none; font-size: .88rem; padding: .25rem .7rem;
  border-radius: 999px; overflow-wrap: anywhere; }}
nav a:hover, nav a:focus-visible {{ text-decoration: underline; }}
section.property {{ background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.3rem 1.6rem; margin-top: 1.4rem; }}
.heading {{ display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; }}
footer {{ margin-top: 2rem; color: var(--soft); font-size: .88rem; }}
@media (max-width: 40rem) {{ main {{ padding: 1.2rem .8rem 3rem; }} section.property {{ padding: 1rem .9rem; }}
  .everycase .bars {{ grid-template-columns: minmax(4rem, 10rem) minmax(2rem, 1fr) max-content; }} }}
@media print {{ body {{ background: #fff; }} nav {{ display: none; }} section.property {{ border: none; padding: 0; }}
  figure, pre, table {{ break-inside: avoid; }} .everycase pre, .everycase .scroll {{ white-space: pre-wrap; overflow: visible; }} }}
"""

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>$title</title>
<style>
$style
$extra
</style>
</head>
<body class="everycase">
<main>
<header>
<h1>$title</h1>
$intro
</header>
$body
<footer>Written by everycase $version.</footer>
</main>
</body>
</html>
""")
