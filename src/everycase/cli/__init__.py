"""The command line, one file per command. Only this package imports click, and only when a command
runs."""

from __future__ import annotations

import sys

#: Every command: its name, and the line that ``everycase --help`` shows. The module ``everycase.cli.NAME`` holds it as
# : ``command``. It is imported when it is used, so that a command whose extra is missing does not affect the
# others.
COMMANDS = {
    "demo": "Watch each technique find something.",
    "run": "Run one property, without pytest.",
    "campaign": "Test properties on many workers, for hours, through crashes.",
    "sample": "Show what a generator makes: sizes, frequent values, edge cases, examples.",
    "enumerate": "Count a generator's values, or show them by number or size.",
    "gaps": "Report which valid values a generator can never make.",
    "repair": "Write the branches that a generator is missing.",
    "write": "Write property tests for a module or some functions.",
    "report": "Show what runs did, in the terminal or as an HTML page.",
    "cover": "Combine parameters: few rows with every combination of any t of them.",
}


def main() -> None:
    """The entry point of ``everycase``."""
    try:
        from everycase.cli.root import root
    except ModuleNotFoundError as missing:
        if missing.name not in ("click", "rich"):
            raise
        from everycase.errors import missing_extra

        print(missing_extra("cli", "the command line"), file=sys.stderr)
        sys.exit(2)
    root(prog_name="everycase")
