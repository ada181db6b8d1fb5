"""The entry point that Hypothesis runs when it is imported: registers our backend, by name only.

It runs in every process that uses Hypothesis if everycase is installed, so it imports nothing of everycase.
"""

from __future__ import annotations


def register() -> None:
    """Tell Hypothesis where the backend is."""
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["everycase"] = "everycase.bridges.hypothesis.backend.Provider"
