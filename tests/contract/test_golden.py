"""Numbers, blobs, samples, shrunk values and report texts are those of the last version."""

from __future__ import annotations

import json

import pytest
from golden import FILE, PARTS, observe
from table import CASES, Case, canonical

GOLDEN = json.loads(FILE.read_text())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_people_keep_has_not_changed(case: Case) -> None:
    seen = observe(case, canonical)
    for part in PARTS:
        assert seen[part] == GOLDEN[case.name][part], f"{part} of {case.name} changed; see golden.py"
