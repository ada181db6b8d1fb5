"""The model file on the docs page about combination is valid (tests/docs runs its Python)."""

from __future__ import annotations

import re
from pathlib import Path

from everycase.arrays.formats.toml import read_toml

PAGE = Path(__file__).parents[2] / "docs" / "combination.md"


def blocks(language):
    return re.findall(
        rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def test_the_toml_model_is_one():
    (text,) = blocks("toml")
    assert read_toml(text).model.names == ("os", "python", "numpy", "memory")
