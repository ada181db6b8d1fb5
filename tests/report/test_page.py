"""The page, its data, the command and the notebook."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from everycase import Phase, assume, check, classify, event, gen, maximize, note, tabulate
from everycase.arrays import covering_array
from everycase.cli.root import root
from everycase.explore import Covering, Narrow, Patterns, Random
from everycase.report.diff import differences
from everycase.stateful import RuleBasedStateMachine, parallel, rule
from sample_types import Point

NASTY = "<script>alert(1)</script>"


class Structure(HTMLParser):
    """Checks that elements are closed in order, and collects text and names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.text = ""
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page_of(report: Any, tmp_path: Path) -> str:
    report.to_html(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#)', text), "something from elsewhere"
    assert "script" not in Structure(text).names
    json.dumps(report.to_json(), allow_nan=False)
    return text


def test_a_failing_run(tmp_path: Path) -> None:
    def test(xs: list[int], p: Point) -> None:
        assume(len(xs) != 1)
        note(NASTY)
        classify(NASTY, True)
        tabulate("length", len(xs))
        event("odd", len(xs) % 2)
        assert sum(xs) < 1000, NASTY

    points = gen.builds(Point, gen.integers(), gen.text())
    report = check(test, gen.lists(gen.integers(0, 500)), points, seed=1, database=None, statistics=True)
    text = page_of(report, tmp_path)
    assert NASTY not in text
    shown = Structure(text).text
    assert NASTY in shown
    assert report.to_json()["verdict"][1:] in shown
    for words in (
        "Shrinking",
        "Sizes of the inputs",
        "Distinct inputs",
        "slowest inputs",
        "Preconditions",
        "Labels",
    ):
        assert words in shown
    assert 'class="idle"' in text
    assert "assume() in test_page.py" in shown


def test_an_input_that_is_a_script_is_shown_and_does_not_run(tmp_path: Path) -> None:
    report = check(lambda s: "<" not in s, gen.just(NASTY), database=None, statistics=True)
    text = page_of(report, tmp_path)
    assert NASTY not in text
    assert NASTY in Structure(text).text


def test_a_search_with_two_goals(tmp_path: Path) -> None:
    def test(xs: list[int]) -> None:
        maximize(sum(xs), "sum")
        maximize(-len(xs), "shortness")

    report = check(
        test, gen.lists(gen.integers(0, 9)), seed=1, max_examples=300, database=None, observe=tmp_path
    )
    shown = Structure(page_of(report, tmp_path)).text
    assert "Best sum so far" in shown and "beaten by no other test" in shown
    assert f"The highest sum is {report.best['sum']:,.0f}" in shown


def test_a_covering_run(tmp_path: Path) -> None:
    report = check(
        lambda a, b, c: True,
        gen.sampled_from("xyz"),
        gen.booleans(),
        gen.booleans(),
        explore=Covering(strength=2),
        database=None,
    )
    shown = Structure(page_of(report, tmp_path)).text
    assert "Pairs of parameters" in shown and "6 of 6" in shown and "4 of 4" in shown


def test_columns_are_named_as_in_the_test(tmp_path: Path) -> None:
    report = check(
        lambda os, tls, at, xs: True,
        gen.sampled_from(["linux", "mac"]),
        gen.booleans(),
        gen.builds(Point, gen.integers(0, 2), gen.sampled_from("ab")),
        gen.tuples(gen.booleans(), gen.booleans()),
        explore=Covering(strength=2),
        database=None,
    )
    head = re.findall('<th scope="col">(.*?)</th>', page_of(report, tmp_path))
    assert head[:6] == ["parameter", "tls", "at.x", "at.y", "xs[0]", "xs[1]"]


def test_a_covering_run_with_a_constraint_shows_what_is_infeasible(tmp_path: Path) -> None:
    from everycase import given, settings

    @settings(explore=Covering(strength=2), database=None)
    @given(a=gen.sampled_from("xyz"), b=gen.booleans(), c=gen.booleans()).where(lambda a, b: a != "x" or b)
    def test(a: str, b: bool, c: bool) -> None:
        pass

    shown = Structure(page_of(check(test), tmp_path)).text
    assert "5 of 5 (1 infeasible)" in shown


def test_a_pruning_run(tmp_path: Path) -> None:
    ascending = gen.lists(gen.integers(0, 9)).filter(lambda xs: xs == sorted(xs))
    report = check(lambda xs: True, ascending, explore=Narrow(max_size=3), database=None)
    shown = Structure(page_of(report, tmp_path)).text
    assert "Where the precondition looked" in shown and "times per input" in shown


class Register(RuleBasedStateMachine):
    """Adds in two steps, so two threads can interleave."""

    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    @rule(result=gen.just(1))
    def add(self, result: int) -> int:
        n = self.n
        n += result
        self.n = n
        return n


class Broken(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.n = 0

    @rule(by=gen.integers(1, 9))
    def add(self, by: int) -> None:
        self.n += by
        assert self.n < 12


def test_a_state_machine_is_a_sequence(tmp_path: Path) -> None:
    shown = Structure(page_of(check(Broken, seed=0, database=None), tmp_path)).text
    assert "The steps, in order" in shown and "fails here" in shown and "add(by=" in shown


def test_a_short_input_has_no_chart_of_shrinking(tmp_path: Path) -> None:
    report = check(lambda n: n < 1000, gen.integers(0, 10_000), seed=1, database=None)
    assert "characters" not in Structure(page_of(report, tmp_path)).text
    report = check(lambda xs: len(xs) < 3, gen.lists(gen.integers(), min_size=0), seed=1, database=None)
    assert ("characters" in Structure(page_of(report, tmp_path)).text) == (
        len(report.failures[0].original) >= 60
    )


def test_patterns_say_that_they_prune() -> None:
    tree = gen.recursive(gen.integers(0, 9), lambda t: gen.builds(Point, t, t))
    wide = tree.filter(lambda t: isinstance(t, Point) and isinstance(t.x, Point))
    report = check(lambda t: True, wide, explore=Patterns(max_size=6), max_examples=50, database=None)
    assert [one.used for one in report.conditions] == ["searched for by pruning"]


def test_threads_are_lanes(tmp_path: Path) -> None:
    report = check(parallel(Register, threads=2), seed=0, database=None, max_examples=2000)
    assert report.status == "failed"
    shown = Structure(page_of(report, tmp_path)).text
    assert "At the same time, by thread" in shown and "thread 2" in shown
    assert "not seem to matter" not in shown  # the choices behind the schedule have no name in the program


def test_the_page_stays_small(tmp_path: Path) -> None:
    def test(xs: list[int]) -> None:
        tabulate("first", xs[:1])
        maximize(sum(xs))

    report = check(
        test,
        gen.lists(gen.integers()),
        seed=1,
        database=None,
        max_examples=3000,
        explore=Random(),
        observe=tmp_path / "o",
    )
    assert len(page_of(report, tmp_path)) < 400_000


@pytest.mark.slow
def test_the_page_stays_small_whatever_the_test_says(tmp_path: Path) -> None:
    count = 0

    def test(xs: list[str]) -> None:
        nonlocal count
        count += 1
        event(f"event {count} {'x' * 5_000}")
        classify(f"label {count} {'y' * 5_000}")
        tabulate(f"table {count} {'z' * 5_000}", "w" * 5_000)
        for _ in range(30):
            note("n" * 10_000)
        if count > 150:
            raise ValueError("e" * 10**6)

    texts = gen.text(min_size=3_000, max_size=4_000).map(lambda text: [text])
    report = check(
        test, texts, max_examples=200, seed=1, phases=[Phase.explore], database=None, observe=tmp_path
    )
    page = page_of(report, tmp_path)
    assert len(page.encode()) < 2_000_000
    assert "more characters" in page and "more labels left out" in page and "more tables" in page


def test_strict_json_whatever_a_test_reports() -> None:
    report = check(lambda x: maximize(1e308) or maximize(x, "x"), gen.floats(0, 1), database=None, seed=0)
    report.figures["odd"] = float("inf")
    json.dumps(report.to_json(), allow_nan=False)


# --- the command, pytest, notebooks -------------------------------------------------------------------------


def run_command(*arguments: object) -> Any:
    return CliRunner().invoke(root, ["report", *map(str, arguments)])


def test_the_command_reads_lines(tmp_path: Path) -> None:
    check(lambda n: n < 7, gen.integers(0, 20), seed=1, observe=tmp_path / "a", database=None)
    result = run_command(tmp_path / "a", "--html", tmp_path / "page.html")
    assert result.exit_code == 1
    assert "failed at test" in result.output
    assert "failed at test" in Structure((tmp_path / "page.html").read_text()).text.lower()
    assert json.loads(run_command(tmp_path / "a", "--json").output)[0]["status"] == "failed"


def test_the_command_says_what_has_changed(tmp_path: Path) -> None:
    def test(n: int, most: int) -> None:
        classify("small", n < 5)
        assert n < most

    for most, folder in ((50, "a"), (10**9, "b")):
        check(test, gen.integers(0, 100), gen.just(most), seed=1, observe=tmp_path / folder, database=None)
    result = run_command(tmp_path / "b", "--against", tmp_path / "a", "--html", tmp_path / "page.html")
    assert "status: failed -> passed" in result.output
    assert "What has changed" in Structure((tmp_path / "page.html").read_text()).text


@pytest.mark.slow
def test_the_command_shows_a_campaign(tmp_path: Path) -> None:
    from everycase import campaign

    (tmp_path / "properties.py").write_text(SUITE)
    found = campaign.run(
        [f"{tmp_path / 'properties.py'}::test_two"], into=tmp_path / "c", workers=1, max_examples=100
    )
    assert found.status == "failed"
    result = run_command(tmp_path / "c", "--html", tmp_path / "page.html")
    assert result.exit_code == 1, result.output
    shown = Structure((tmp_path / "page.html").read_text()).text
    for words in ("The campaign", "Workers", "test_two(n=50)", "Failures by origin"):
        assert words in shown
    assert json.loads(run_command(tmp_path / "c", "--json").output)["status"] == "failed"


def test_wrong_paths_are_misuse(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "nothing", "there is no file or folder"),
        (tmp_path, "holds no lines about runs"),
    ):
        result = run_command(path)
        assert result.exit_code == 2
        assert words in result.output


def test_lines_that_say_too_little_are_left_out(tmp_path: Path) -> None:
    check(lambda n: True, gen.integers(0, 3), observe=tmp_path, database=None)
    (tmp_path / "odd.jsonl").write_text(
        '{"type": "test_case", "property": "p", "status": "odd"}\n'
        '{"type": "test_case", "property": "p", "run_start": "x", "status": "passed", "how_generated": "", "representation": ""}\n'
        '{"type": "info", "title": "everycase report", "content": {}}\n' + "[" * 100_000
    )
    result = run_command(tmp_path, "--html", tmp_path / "new" / "page.html")
    assert result.exit_code == 0 and (tmp_path / "new" / "page.html").exists()
    assert result.output.count("exhaustive: 4 of 4") == 1 and "p:" not in result.output
    unwritten = run_command(tmp_path, "--html", tmp_path / "odd.jsonl" / "page.html")
    assert unwritten.exit_code == 2 and "cannot be written" in unwritten.output


def test_differences_of_runs() -> None:
    one = check(lambda n: n < 7, gen.integers(0, 20), seed=1, database=None).to_json()
    assert differences([one], [one]) == {one["name"]: []}
    assert differences([], [one]) == {one["name"]: [("property", "not there", "failed")]}


SUITE = """
import pytest
from everycase import given, gen, settings, classify

@settings(database=None)
@given(gen.lists(gen.integers(0, 99)))
def test_one(xs):
    classify("short", len(xs) < 3, at_least=.1)

@settings(database=None)
@given(gen.integers(0, 99))
def test_two(n):
    assert n < 50

@given(gen.nothing())
def test_three(n):
    pass

@given(gen.integers())
def test_four(n):
    pytest.skip("not here")

def test_plain():
    pass
"""


@pytest.mark.parametrize("workers", [[], pytest.param(["-n", "1"], marks=pytest.mark.slow)])
def test_pytest_writes_a_page(workers: list[str], tmp_path: Path) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--everycase-report=out/page.html"]
        + ["--everycase-observe=lines", *workers],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "a page about 4 properties is in out/page.html" in done.stdout, done.stdout + done.stderr
    shown = Structure((tmp_path / "out" / "page.html").read_text()).text
    assert "test_suite.py::test_one" in shown and "test_suite.py::test_two" in shown and "short" in shown
    assert "1 passed, 1 failed, 1 error, 1 skipped" in shown and "not here" in shown
    assert len(list((tmp_path / "lines").glob("*.jsonl"))) == 2


def test_notebooks() -> None:
    for thing in (
        gen.lists(gen.integers()),
        gen.integers(0, 9).filter(lambda n: False),
        gen.just(NASTY),
        covering_array({"a": [1, 2, 3], "b": [NASTY, ""]}),
        check(lambda b: True, gen.booleans(), database=None),
    ):
        shown = Structure(thing._repr_html_())
        assert "script" not in shown.names
