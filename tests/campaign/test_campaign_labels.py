"""``classify`` and ``tabulate`` in a campaign."""

from __future__ import annotations

import json

from everycase import campaign
from everycase.report.campaign_page import campaign_page

SUITE = """
from everycase import classify, gen, given, tabulate

@given(gen.integers(0, 999))
def high(n):
    classify("high", n >= 900, at_least=0.05)
    classify("<script>", n == 0)
    tabulate("last digit", n % 10)
"""


RARE = """
from everycase import classify, gen, given, settings, maximize
from everycase.explore import Climb, Exhaustive, Random

@settings(database=None)
@given(gen.integers(0, 999))
def exactly(n):
    classify("enough", n >= 900, at_least=0.1)
    classify("rare", n >= 900, at_least=0.101)

@settings(database=None, explore=Random(), max_examples=5000)
@given(gen.integers(0, 9), gen.integers(0, 2**64))
def drawn(n, m):
    classify("enough", n < 5, at_least=0.3)
    classify("rare", n == 0, at_least=0.5)

@settings(database=None, explore=Random(), max_examples=3000)
@given(gen.integers(0, 2**64))
def met(n):
    classify("even", n % 2 == 0, at_least=0.2)

@settings(database=None, explore=Climb(), max_examples=200)
@given(gen.integers(0, 2**64))
def climbs(n):
    maximize(n)
    classify("even", n % 2 == 0, at_least=0.9)
"""


def test_a_campaign_judges_demands_as_a_whole(tmp_path, monkeypatch):
    (tmp_path / "rare_suite.py").write_text(RARE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    targets = [f"rare_suite:{name}" for name in ("exactly", "drawn", "met", "climbs")]
    report = campaign.run(targets, into=tmp_path / "into", workers=2, seed=1)
    exactly, drawn, met, climbs = report.properties
    assert exactly.verdict == "failed (label too rare)"
    assert exactly.demands == {
        "enough": "100 of all 1,000 values (10 %), at least 10 % required: met",
        "rare": "100 of all 1,000 values (10 %), at least 10.1 % required: not met",
    }
    assert "'rare': 100 of all 1,000 values" in exactly.words
    assert drawn.verdict == "failed (label too rare)"
    assert drawn.demands["enough"].endswith(": met") and drawn.demands["rare"].endswith(": not met")
    assert met.verdict == "passed" and met.demands["even"].endswith(": met")
    assert climbs.verdict == "passed" and not climbs.demands
    assert climbs.warnings == [
        "at_least of the label 'even' is not judged, because the inputs are not a random sample"
    ]
    assert [each.demands for each in campaign.read(tmp_path / "into").properties] == [
        each.demands for each in report.properties
    ]


def test_labels_and_tables_are_counted(tmp_path, monkeypatch):
    (tmp_path / "labelled_suite.py").write_text(SUITE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    report = campaign.run("labelled_suite:high", into=tmp_path / "into", workers=1)
    (each,) = report.properties
    assert (each.status, each.tests) == ("passed", 1000)
    assert each.labels == {"high": 100, "<script>": 1}
    assert each.tables == {"last digit": {str(digit): 100 for digit in range(10)}}
    assert each.demands == {"high": "100 of all 1,000 values (10 %), at least 5 % required: met"}
    (again,) = campaign.read(tmp_path / "into").properties
    assert (again.labels, again.tables) == (each.labels, each.tables)
    page = campaign_page(json.loads(json.dumps(report.to_json())))
    assert "100 of 1,000" in page and "last digit" in page and "&lt;script&gt;" in page
    assert "<td><script>" not in page
