"""Run a trial of faults: ``python tests/faults/run.py kill 300``. Prints what was bad; the exit code says whether anything was."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

TRIALS = ("kill", "concurrent_stores", "damaged_stores", "blobs", "settings_at_random", "interrupts")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trial", choices=TRIALS)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    started = time.monotonic()
    bad = importlib.import_module(chosen.trial).trial(chosen.count, chosen.seed)
    for line in bad[:20]:
        print(line)
    print(f"{chosen.trial}: {len(bad)} bad of {chosen.count} in {time.monotonic() - started:.0f} s")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
