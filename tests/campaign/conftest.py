"""Fixtures shared by several files."""

from __future__ import annotations

import pytest
from campaign_running import run


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The report of an undisturbed campaign, to compare with campaigns that are killed. One property kills its process."""
    return run(tmp_path_factory.mktemp("undisturbed"), "told", "fails", "segfaults", "climbs")
