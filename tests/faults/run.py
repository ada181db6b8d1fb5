"""Run a fault trial: ``python tests/faults/run.py kill 300``. Prints the failures; the exit code says whether there are any.

``all`` runs every trial with the counts from the table in the release notes; that takes hours.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent

#: Each trial, with the number of a whole one.
TRIALS = {
    "blobs": 10_000,
    "interrupts": 150,
    "damaged_stores": 200,
    "settings_at_random": 3000,
    "impure": 5000,
    "kill": 300,
    "concurrent_stores": 2000,
    "completeness": 200,
    "time_limits": 850,
    "slow_user_code": 708,
    "impure_campaigns": 600,
    "validity": 5000,
}


def validity(count: int, seed: int) -> list[str]:
    """Values of random nestings that their description does not allow, in every way of making them."""
    sys.path.insert(0, str(HERE.parent / "contract"))
    faults = importlib.import_module("validity").faults
    numbers = range(seed * 10**6, seed * 10**6 + count)
    return [
        f"nesting {number}, {way}: {what}"
        for number in numbers
        for way, what in faults(number, limit=True).items()
    ]


def completeness(count: int, seed: int) -> list[str]:
    """Wrong verdicts on programs that are easy to misread; the oracle runs the real generator."""
    sys.path.insert(0, str(HERE.parent / "complete"))
    adversarial = importlib.import_module("test_adversarial")
    programs = {**adversarial.PROGRAMS, **adversarial.MORE}
    verdicts = ((name, adversarial.checked(text)) for name, text in list(programs.items())[:count])
    return [f"{name}: {what}" for name, what in verdicts if what is not None]


def run(name: str, count: int, seed: int) -> bool:
    """Run one trial and print the result; returns whether anything failed."""
    started = time.monotonic()
    own = {"validity": validity, "completeness": completeness}
    bad = (own[name] if name in own else importlib.import_module(name).trial)(count, seed)
    for line in bad[:20]:
        print(line)
    print(f"{name}: {len(bad)} bad of {count} in {time.monotonic() - started:.0f} s", flush=True)
    return bool(bad)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trial", choices=[*TRIALS, "all"])
    parser.add_argument("count", type=int, nargs="?", help="the default is that of a whole trial")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    sys.path.insert(0, str(HERE))
    names = list(TRIALS) if chosen.trial == "all" else [chosen.trial]
    # All of them are run, even if the first fails.
    return int(sum(run(name, chosen.count or TRIALS[name], chosen.seed) for name in names) > 0)


if __name__ == "__main__":
    sys.exit(main())
