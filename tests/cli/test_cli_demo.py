"""``everycase demo``: each demo shows what it promises, on the terminal, as JSON and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from everycase.cli.demo import page
from everycase.cli.demos import DEMOS, Scene, load_demo
from everycase.errors import missing_extra

#: left out here because it only measures, which takes seconds
QUICK = [name for name in DEMOS if name != "speed"]


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_each_demo_shows_what_it_promises(name: str) -> None:
    scene = load_demo(name)()
    assert scene.works, scene.outcome
    assert scene.code and scene.story and scene.outcome
    assert all(len(line) <= 74 for line in scene.code.splitlines()), "a line is cut off on 80 columns"


def test_the_terminal_and_the_page(call: Any, tmp_path: Path) -> None:
    result = call("demo", "random", "replay", "--html", "page.html")
    assert result.exit_code == 0
    assert "Random testing, and shrinking" in result.stdout
    assert "merge(intervals=[(0, 2), (1, 1)])" in result.stdout
    assert f"2 of {len(DEMOS)} demos in" in result.stdout
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "merge(intervals=[(0, 2), (1, 1)])" in html


def test_json(call: Any) -> None:
    result = call("demo", "random", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert [scene["technique"] for scene in data["scenes"]] == ["Random testing, and shrinking"]
    assert data["left_out"] == []


def test_list(call: Any) -> None:
    assert call("demo", "--list").stdout.split() == list(DEMOS)
    assert json.loads(call("demo", "--list", "--json").stdout) == list(DEMOS)


def test_an_unknown_demo(call: Any) -> None:
    result = call("demo", "randon")
    assert result.exit_code == 2
    assert "there is no demo 'randon'; did you mean 'random'?" in result.stderr


def test_a_demo_that_does_not_show_what_it_promises_is_exit_code_1(
    call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene("Nothing", "Nothing is found.", "pass", "nothing", works=False)
    monkeypatch.setattr("everycase.cli.demo.load_demo", lambda name: lambda: scene)
    result = call("demo", "random")
    assert result.exit_code == 1
    assert "the demo did not show what it should" in result.stdout


def test_a_missing_extra_leaves_one_demo_out(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def unavailable() -> Scene:
        raise missing_extra("prove", "proving")

    monkeypatch.setattr("everycase.cli.demo.load_demo", lambda name: unavailable)
    result = call("demo", "random")
    assert result.exit_code == 0
    assert "left out: proving needs the extra prove" in result.stdout


class _Links(HTMLParser):
    """Collects everything that a page would load or link to, and checks that tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href"):
                self.targets.append(value or "")
            if name == "id":
                self.ids.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_from_elsewhere() -> None:
    scene = Scene(
        "<b>&",
        "a < b",
        "x = '<script>'",
        "1 < 2\nmore",
        [("n", "<3")],
        [("a", 3.0), ("b", 1.0)],
        "tests a second",
    )
    text = page([scene])
    parser = _Links()
    parser.feed(text)
    assert parser.open == []
    assert all(target.startswith("#") and target[1:] in parser.ids for target in parser.targets)
    assert "<script" not in text and "url(" not in text and "@import" not in text
    assert "prefers-color-scheme: dark" in text
