"""What tests say of their inputs with ``classify`` and ``tabulate``, in a campaign."""

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


def test_labels_and_tables_are_counted_and_no_part_judges_a_demand(tmp_path, monkeypatch):
    (tmp_path / "labelled_suite.py").write_text(SUITE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    report = campaign.run("labelled_suite:high", into=tmp_path / "into", workers=1)
    (each,) = report.properties
    assert (each.status, each.tests) == ("passed", 1000)
    assert each.labels == {"high": 100, "<script>": 1}
    assert each.tables == {"last digit": {str(digit): 100 for digit in range(10)}}
    assert any("at_least is not judged" in warning for warning in each.warnings)
    (again,) = campaign.read(tmp_path / "into").properties
    assert (again.labels, again.tables) == (each.labels, each.tables)
    page = campaign_page(json.loads(json.dumps(report.to_json())))
    assert "100 of 1,000" in page and "last digit" in page and "&lt;script&gt;" in page
    assert "<td><script>" not in page
