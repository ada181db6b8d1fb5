"""What Hypothesis runs when it is imported (its entry point): makes our backend known, by name only.

It is run in every process that uses Hypothesis where everycase is installed, so it imports nothing of everycase.
"""

from __future__ import annotations


def register() -> None:
    """Tell Hypothesis where the backend is."""
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["everycase"] = "everycase.bridges.hypothesis.backend.Provider"
