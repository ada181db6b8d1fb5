"""Sequences of calls as diagrams: the steps of a state machine, and calls of several threads at once."""

from __future__ import annotations

from collections.abc import Sequence

from everycase.pages.html import Safe, tag

#: The height of one call, and how many characters of one are drawn.
ROW = 30
LONGEST = 60
#: About how wide a character is.
CHARACTER = 7.4


def sequence(machine: str, calls: Sequence[str], fails: bool) -> Safe:
    """The calls that a test makes on a machine, one after the other; the last one fails."""
    shown = [_cut(call) for call in calls]
    reach = max(140.0, max((len(call) for call in shown), default=0) * CHARACTER + 40)
    left, right = 50.0, 50.0 + reach
    height = 50 + ROW * len(shown) + 16
    parts: list[Safe] = []
    for x, name in ((left, "test"), (right, machine)):
        parts.append(tag("text", name, x=x, y=20, text_anchor="middle"))
        parts.append(tag("line", x1=x, x2=x, y1=28, y2=height - 6, class_="grid", stroke_dasharray="3 3"))
    for place, call in enumerate(shown):
        y = 56 + ROW * place
        last = fails and place == len(shown) - 1
        color = "var(--bad)" if last else "var(--mark-1)"
        parts += [
            tag("text", call, x=(left + right) / 2, y=y - 5, text_anchor="middle", class_="mono"),
            tag("line", x1=left, x2=right - 7, y1=y, y2=y, stroke=color, stroke_width=1.5),
            tag("path", d=f"M{right - 8:.0f} {y - 4}l8 4l-8 4z", fill=color),
            tag("text", f"{place + 1}", x=left - 12, y=y + 4, text_anchor="end", class_="tick"),
        ]
        if last:
            parts.append(tag("text", "✕ fails here", x=right + 8, y=y + 4, fill="var(--bad)"))
    width = right + max(110.0, len(machine) * CHARACTER / 2 + 10)
    title = f"{len(shown)} calls of {machine}" + (", the last of which fails" if fails else "")
    return _diagram("The steps, in order", title, parts, width, height)


def lanes(word: str, rows: Sequence[tuple[int, str, str]], count: int) -> Safe:
    """Calls that were made at the same time, a column for each thread or task, in the order in which they returned."""
    shown = [(lane, _cut(f"{call} → {result}")) for lane, call, result in rows]
    column = max(150.0, max((len(text) for _, text in shown), default=0) * CHARACTER + 24)
    height = 40 + ROW * len(shown) + 10
    parts: list[Safe] = []
    for lane in range(count):
        x = 30 + column * lane
        parts.append(tag("text", f"{word} {lane + 1}", x=x + 6, y=20))
        parts.append(tag("line", x1=x, x2=x, y1=28, y2=height - 6, class_="axis"))
    for place, (lane, text) in enumerate(shown):
        x, y = 30 + column * lane, 52 + ROW * place
        color = f"var(--mark-{lane % 4 + 1})"
        parts += [
            tag("text", f"{place + 1}", x=22, y=y + 4, text_anchor="end", class_="tick"),
            tag("circle", cx=x, cy=y, r=5, fill=color),
            tag("text", text, x=x + 10, y=y + 4, class_="mono"),
        ]
    title = f"{len(shown)} calls of {count} {word}s at the same time, in the order in which they returned"
    return _diagram(f"At the same time, by {word}", title, parts, 40 + column * count, height)


def _diagram(caption: str, title: str, parts: Sequence[Safe], width: float, height: float) -> Safe:
    # As wide as it needs to be: it is scrolled rather than made too small to read.
    picture = tag(
        "svg",
        *parts,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_label=title,
        class_="wide",
        style=f"width:{width:.0f}px",
    )
    box = tag("div", picture, class_="scroll", tabindex="0", role="group", aria_label=title)
    return tag("figure", tag("figcaption", caption), box)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
