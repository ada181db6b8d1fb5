"""The gallery: a default run finds each bug. Packages that are not installed are skipped."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import pytest
from found_in_the_wild import FOUND

from everycase import check

#: The releases that have the bugs.
RELEASES = {"durationpy": "0.11", "toml": "0.10.2", "configobj": "5.0.9", "humanfriendly": "10.0"}


@pytest.mark.parametrize("name", FOUND)
def test_a_default_run_finds_it(name: str) -> None:
    package, test, gens = FOUND[name]
    try:
        if version(package) != RELEASES[package]:
            pytest.skip(f"another release of {package}")
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    assert check(test, *gens, seed=1, database=None).status == "failed"
