"""The second verdict: makes only valid values. It is refuted only by a value that the running generator makes."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from samples import module

from everycase.cli.root import root
from everycase.complete import gaps


def verdict_on(predicate, body, kind="int", parameters="", requires=""):
    text = (
        f"@covers(lambda {predicate}{', requires=lambda ' + requires if requires else ''})\n@gen.composite\n"
    )
    return gaps(module(f"{text}def f(draw{parameters}) -> {kind}:\n    {body}\n")["f"])


def test_the_two_verdicts_are_independent():
    words = {}
    for low, high in ((0, 3), (0, 2), (-1, 3), (1, 4)):
        verdict = verdict_on("v: 0 <= v <= 3", f"return draw(gen.integers({low}, {high}))")
        words[low, high] = (verdict.status, verdict.soundness)
    assert words == {
        (0, 3): ("proved", "proved"),
        (0, 2): ("missing", "proved"),
        (-1, 3): ("proved", "refuted"),
        (1, 4): ("missing", "refuted"),
    }


def test_a_violation_far_from_small_numbers_is_found():
    verdict = verdict_on("v: v != 123_457", "return draw(gen.integers())")
    assert (verdict.soundness, verdict.unsound) == ("refuted", ({}, 123_457))
    verdict = verdict_on(
        "v: v[0] + v[1] != 9_999", "return (draw(gen.integers()), draw(gen.integers()))", "tuple[int, int]"
    )
    assert verdict.soundness == "refuted" and sum(verdict.unsound[1]) == 9_999


def test_a_violation_that_no_draws_lead_to_is_none():
    verdict = verdict_on("v: v % 2 == 0", "return 2 * draw(gen.integers())")
    assert (verdict.status, verdict.soundness) == ("proved", "proved")


def test_only_allowed_arguments_count():
    body, parameters = "return draw(gen.integers(0, n))", ", n: int"
    assert (
        verdict_on("v, n: v <= 5", body, parameters=parameters, requires="n: 0 <= n <= 5").soundness
        == "proved"
    )
    verdict = verdict_on("v, n: v <= 5", body, parameters=parameters, requires="n: 0 <= n <= 6")
    assert verdict.unsound == ({"n": 6}, 6)


def test_what_cannot_be_read_is_refuted_by_running_and_never_proved():
    body = "return set(map(abs, [draw(gen.integers(0, 2))]))"
    assert (
        verdict_on("v: len(v) == 1 and v < {0, 1, 2, 3}", body, "set[int]").soundness == "no violation found"
    )
    verdict = verdict_on("v: 2 not in v", body, "set[int]")
    assert (verdict.soundness, verdict.unsound) == ("refuted", ({}, {2}))


def test_nothing_is_said_of_what_depends_on_more_than_draws():
    text = """
import random
@covers(lambda v: v >= 0)
@gen.composite
def f(draw) -> int:
    return random.randrange(10)
"""
    assert gaps(module(text)["f"]).soundness == "not checked"


def test_without_proofs_nothing_is_proved():
    text = "@covers(lambda v: v >= 0)\n@gen.composite\ndef f(draw) -> int:\n    return draw(gen.integers(0, None))\n"
    verdict = gaps(module(text)["f"], prove=False)
    assert (verdict.status, verdict.soundness) == ("no gap found", "no violation found")
    assert "no invalid value was made within these bounds" in str(verdict)


def test_recursive_generators():
    text = """
@covers(lambda v, n: len(v) <= n and all(x >= 0 for x in v), requires=lambda n: n >= 0)
@gen.composite
def f(draw, n: int) -> list[int]:
    if n == 0 or draw(gen.booleans()):
        return []
    return [draw(gen.integers(LOW, None)), *draw(f(n - 1))]
"""
    assert gaps(module(text.replace("LOW", "0"))["f"]).soundness == "proved"
    verdict = gaps(module(text.replace("LOW", "-1"))["f"])
    assert verdict.soundness == "refuted" and -1 in verdict.unsound[1]


SUITE = """
from everycase import covers, gen

@covers(lambda v: 0 <= v <= 3)
@gen.composite
def wide(draw) -> int:
    return draw(gen.integers(0, 4))

@covers(lambda v: 0 <= v <= 3)
@gen.composite
def right(draw) -> int:
    return draw(gen.integers(0, 3))
"""


@pytest.fixture
def suite(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "only_valid_sample.py").write_text(SUITE)


def run(*arguments):
    return CliRunner().invoke(root, ["gaps", *arguments])


def test_the_command_line_says_both(suite):
    result = run("only_valid_sample.py")
    assert result.exit_code == 1
    head, wide, right, total = result.output.splitlines()[-4:]
    assert "every valid value" in head and "only valid values" in head
    assert wide.split()[1:4] == ["wide", "proved", "refuted"] and "4" in wide
    assert right.split()[1:4] == ["right", "proved", "proved"]
    assert total == "2 generators: 2 proved; 1 of them makes invalid values"


def test_json_and_sarif_say_both(suite):
    rows = {row["name"]: row for row in json.loads(run("only_valid_sample.py", "--json").output)}
    assert {name: row["soundness"] for name, row in rows.items()} == {"wide": "refuted", "right": "proved"}
    assert rows["wide"]["unsound"] == {"arguments": {}, "value": "4"}
    results = json.loads(run("only_valid_sample.py", "--sarif").output)["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["unsound"]
    assert results[0]["message"]["text"] == "wide makes 4, which its specification rejects"
