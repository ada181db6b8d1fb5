"""The group of commands: imports a command when it is used, and turns our errors into one line and exit code
2."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
import rich  # noqa: F401 (its absence must show here, where main() explains it)

from everycase._version import __version__
from everycase.cli import COMMANDS
from everycase.errors import EverycaseError

#: The exit code of an interrupted command, as shells have it.
INTERRUPTED = 130


class LazyCommands(click.Group):
    """A group that knows its commands by name only, until one is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"everycase.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except EverycaseError as problem:
            raise Misuse(str(problem), ctx) from None
        except click.UsageError:
            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(COMMANDS)}"
            raise Misuse(f"there is no command {args[0]!r}; {hint}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # click would import every command to ask for its help.
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EverycaseError as problem:
            raise Misuse(str(problem), self._of_command(ctx)) from None
        except KeyboardInterrupt:  # 1, which click would end with, means that something was found
            click.echo("Interrupted.", err=True)
            raise SystemExit(INTERRUPTED) from None

    def _of_command(self, ctx: click.Context) -> click.Context:
        """The context of the command that was called, so that an error shows its usage and not that of the group."""
        name = ctx.invoked_subcommand
        command = None if name is None else self.get_command(ctx, name)
        return ctx if command is None else click.Context(command, parent=ctx, info_name=name)


class Misuse(click.UsageError):
    """A wrong call: one line, and exit code 2."""


@click.group(
    cls=LazyCommands,
    epilog="Exit codes: 0 fine, 1 found something, 2 misuse, 130 interrupted.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="everycase")
def root() -> None:
    """Property-based testing: describe an input once, then test it in many ways."""
