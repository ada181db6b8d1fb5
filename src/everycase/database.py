"""The names of ``hypothesis.database`` that most files use, as our stores.

``settings(database=...)`` takes them. The files have a different format from those of Hypothesis, so they are
kept separately.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from everycase.run.store import MemoryStore, Store, open_store

__all__ = ["DirectoryBasedExampleDatabase", "ExampleDatabase", "InMemoryExampleDatabase"]

ExampleDatabase = Store


class InMemoryExampleDatabase(MemoryStore):
    """A store that lasts as long as the object."""


def DirectoryBasedExampleDatabase(path: str | os.PathLike[str]) -> Any:  # noqa: N802 (a class in Hypothesis)
    """A store in a folder."""
    return open_store(Path(path) / "everycase.sqlite")
