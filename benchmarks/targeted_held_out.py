"""Search problems that nothing was tuned on: sets that were written first and are run once, on finished code.

python benchmarks/targeted_held_out.py                     # all sets, in the order in which they were written
python benchmarks/targeted_held_out.py seventh             # one of them
python benchmarks/targeted_held_out.py seventh --witness   # only check that each problem has an answer
python benchmarks/targeted_held_out.py seventh --help      # the options of that set
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

SETS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    for name in [sys.argv.pop(1)] if sys.argv[1:2] and sys.argv[1] in SETS else SETS:
        print(f"== {name} set", flush=True)
        importlib.import_module(f"targeted_sets.{name}").run()


if __name__ == "__main__":
    main()
