"""Models read from files, and rows written for other tools: one file per format.

>>> from everycase.arrays.formats import read_model
>>> read_model("os: linux, windows\\ndebug: yes, no").model.names
('os', 'debug')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from everycase.arrays.formats import tables
from everycase.arrays.formats.acts import read_acts, write_acts
from everycase.arrays.formats.ctwedge import read_ctwedge, write_ctwedge
from everycase.arrays.formats.model_file import ModelFile
from everycase.arrays.formats.pict import read_pict, read_pict_file
from everycase.arrays.formats.toml import read_toml
from everycase.arrays.model import Model

__all__ = [
    "MODEL_FORMATS",
    "ModelFile",
    "read_acts",
    "read_ctwedge",
    "read_model",
    "read_pict",
    "read_toml",
    "tables",
    "write_acts",
    "write_ctwedge",
]

MODEL_FORMATS: dict[str, Callable[[Model, int, Any], str]] = {
    "acts": lambda model, strength, rows: write_acts(model, strength, rows=rows),
    "ctwedge": lambda model, strength, rows: write_ctwedge(model),
}
"""Formats that contain the model; the ACTS format also contains the rows."""


def read_model(text: str, suffix: str = "", pict_options: str = "") -> ModelFile:
    """The model in a file with this text; TOML is known by the suffix of the file, the others by how they begin."""
    if suffix == ".toml":
        return read_toml(text)
    if re.search(r"^\s*\[parameters?\]\s*$", text, re.MULTILINE | re.IGNORECASE):
        return read_acts(text)
    if re.match(r"\s*Model\s+\w+\s+Parameters\s*:", text):
        return read_ctwedge(text)
    return read_pict_file(text, pict_options)
