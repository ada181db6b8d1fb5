"""What several files look at."""

from __future__ import annotations

import pytest
from campaign_running import run


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The report of a campaign that is not killed, on properties that others are killed on. One of them kills its process."""
    return run(tmp_path_factory.mktemp("undisturbed"), "told", "fails", "segfaults", "climbs")
