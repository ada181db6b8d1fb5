"""Numbers, blobs, samples, shrunk values and report texts equal the recorded ones."""

from __future__ import annotations

import json
import unicodedata

import pytest
from golden import FILE, PARTS, observe
from table import CASES, Case, canonical

GOLDEN = json.loads(FILE.read_text())

#: Which characters these choose from depends on Unicode's tables, and those on the version of Python.
BY_UNICODE = {"from_regex: found"}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_people_keep_has_not_changed(case: Case) -> None:
    if case.name in BY_UNICODE and unicodedata.unidata_version != "14.0.0":
        pytest.skip("the golden file was written with the tables of Unicode 14.0.0")
    seen = observe(case, canonical)
    for part in PARTS:
        assert seen[part] == GOLDEN[case.name][part], f"{part} of {case.name} changed; see golden.py"
