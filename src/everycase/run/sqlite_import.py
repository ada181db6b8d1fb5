"""The examples that an earlier everycase kept in an SQLite file: read once, never written."""

from __future__ import annotations

import os
import time
from pathlib import Path

APPLICATION = 0x65766361  # "evca": distinguishes our files from others
#: A file that takes longer than this is not one of ours, or damaged.
PATIENCE = 0.5
MOST_EXAMPLES = 2000
LARGEST = 1_000_000


def examples_in(path: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Keys and blobs, the oldest first; as many as can be read from a damaged file."""
    try:
        import sqlite3
    except ImportError:
        return []
    found: list[tuple[str, str]] = []
    end = time.monotonic() + PATIENCE
    try:
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
        try:
            connection.set_progress_handler(lambda: time.monotonic() > end, 1000)
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (kind,) = connection.execute(
                "SELECT type FROM sqlite_master WHERE name = 'examples'"
            ).fetchone() or (None,)
            if application != APPLICATION or kind != "table":
                return []
            rows = connection.execute(
                "SELECT key, blob FROM examples WHERE typeof(key) = 'blob' AND typeof(blob) = 'blob' "
                "AND length(key) <= ? AND length(blob) <= ? ORDER BY used LIMIT ?",
                (LARGEST, LARGEST, MOST_EXAMPLES),
            )
            for key, blob in rows:
                found.append((key.decode("utf-8", "surrogatepass"), blob.decode("utf-8", "surrogatepass")))
        finally:
            connection.close()
    except (sqlite3.Error, OSError, ValueError, TypeError):
        pass
    return found
