"""Shared fixtures. The suite must not depend on the state of the machine it runs on."""

import gc
import os
import sys

pytest_plugins = ["pytester"]

# Every worker imports all tests, and many tests start an interpreter. Where the environment forbids bytecode, each of them
# would compile the same modules again, which takes longer than the work that they are started for.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

try:
    import hypothesis
except ImportError:
    pass
else:
    # As on a build server, wherever the tests run: no verdict of Hypothesis depends on how busy the machine is.
    hypothesis.settings.load_profile("ci")


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end, so the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()
