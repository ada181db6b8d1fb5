"""Every example in a docstring is run, in every module of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import everycase

MODULES = ["everycase"] + sorted(
    module.name
    for module in pkgutil.walk_packages(everycase.__path__, "everycase.")
    if not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert failed == 0
