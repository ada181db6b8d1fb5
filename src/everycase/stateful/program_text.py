"""A run of a machine as a program: the calls in order, with names for their results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from everycase.gen.drawing import Data, DrawnFunction
from everycase.gen.randomness import DrawnRandom
from everycase.run.source_text.printer import call, code, imports_needed
from everycase.run.source_text.shapes import Shape
from everycase.stateful.bundles import Thing, running
from everycase.stateful.definition import Invariant, conditions_hold
from everycase.stateful.linearizability import CallResult
from everycase.stateful.machine_plan import PlannedRule, Step

#: Values that occur in many places: identity says nothing about where they came from.
_COMMON = (int, float, bool, str, bytes, type(None))

#: Values that draw during the call, so that they can be written only after it.
_DRAWS = (Data, DrawnFunction, DrawnRandom)

#: The code that awaits the asynchronous calls of a program: one event loop for all of them, as in the run.
LOOP = ["import asyncio", "run = asyncio.Runner().run"]


class ProgramText:
    """The lines of a program, written while it runs.

    Arguments are written before the call, which may change them in place. Draws during the call are written
    after it.
    """

    def __init__(self, machine: type, tell: Callable[[str], None] | None = None) -> None:
        self.machine = machine
        self._tell = tell
        #: per call: the assignment before it, the call, and arguments that are known only when it is over
        self._calls: list[tuple[list[str], str, dict[str, Any] | None]] = []
        #: the calls that are awaited, by their place
        self._awaited: set[int] = set()
        written_with = getattr(machine, "_written_with", (machine,))
        self.imports: dict[str, None] = dict.fromkeys(
            imports_needed([each for each in written_with if _importable(each)])
        )
        #: the rule of each step, and its arguments
        self._taken: list[tuple[str, dict[str, Any]]] = []
        #: bundles by the beginning of the names that their contents have in the program
        self._bundles: dict[str, str] = {}

    @property
    def steps(self) -> list[tuple[str, dict[str, str]]]:
        """The rule of each step, and its arguments as text."""
        return [
            (rule, {name: code(value) for name, value in written.items()}) for rule, written in self._taken
        ]

    def name(self, thing: Thing) -> str:
        """The variable for a thing. The name of a bundle can be any text, and two may become the same variable."""
        start = re.sub(r"\W", "_", thing.bundle)
        if not f"{start}_".isidentifier():
            start = f"_{start}"
        while self._bundles.setdefault(start, thing.bundle) != thing.bundle:
            start += "_"
        return f"{start}_{thing.number}"

    def call(
        self, rule: PlannedRule, arguments: dict[str, Any], picked: list[Thing], *, in_task: bool = False
    ) -> None:
        written: dict[str, Any] = {}
        names = {part.name: part for part in rule.parts}
        left = list(picked)
        for name, value in arguments.items():
            part = names.get(name)
            if part is not None and part.is_thing:
                # Each once, as they were picked; in branches only the possible picks are known.
                same = (
                    each for each in [*left, *picked] if each.value is value and each.bundle == part.bundle
                )
                thing = next(same)
                if thing in left:
                    left.remove(thing)
                written[name] = Shape(self.name(thing))
                continue
            written[name] = self._written(self._with_names(value, picked))
        if in_task:
            self._calls.append(([], f"{'await ' * rule.awaits}state.{rule.name}", written))
        else:
            self._write(rule.name, written, awaits=rule.awaits)
        self._taken.append((rule.name, written))
        if self._tell is not None:
            self._tell(self.text())

    def _with_names(self, value: Any, picked: Iterable[Thing]) -> Any:
        """The value with the names of things from bundles, inside built-in containers."""
        things = [each for each in picked if not isinstance(each.value, _COMMON)]
        if not things:
            return value

        def named(part: Any, depth: int) -> Any:
            for thing in things:
                if thing.value is part:
                    return Shape(self.name(thing))
            if depth == 0:
                return part
            kind = type(part)
            if kind in (list, tuple):
                return kind([named(each, depth - 1) for each in part])
            if kind is dict:
                return {key: named(each, depth - 1) for key, each in part.items()}
            return part

        return named(value, 6)

    def _written(self, value: Any) -> Any:
        """What stands for an argument until the program is written: its code, because the call may change it, but what
        draws is kept as it is."""
        if isinstance(value, _DRAWS):
            return value
        kind = type(value)
        if kind in (list, tuple) and _has_draws(value):
            return kind([self._written(each) for each in value])
        self.imports.update(dict.fromkeys(imports_needed([value])))
        return Shape(code(value))

    def returned(self, made: list[list[Thing]], *, several: bool) -> None:
        """The results of the last call, by bundle."""
        before, _, _ = self._calls[-1]
        named = [[self.name(thing) for thing in things] for things in made]
        if not named or not named[0]:
            return
        if several:
            before += [", ".join(names) + ("," if len(names) == 1 else "") for names in named]
        else:
            before += [names[0] for names in named]

    def check(self, invariant: Invariant, *, awaits: bool) -> None:
        self._write(invariant.name, {}, awaits=awaits)

    def torn_down(self, *, awaits: bool) -> None:
        self._write("teardown", {}, awaits=awaits)

    def _write(self, name: str, written: dict[str, Any], *, awaits: bool) -> None:
        if awaits:
            self._awaited.add(len(self._calls))
        self._calls.append(([], f"state.{name}", written))

    def asked(self, name: str) -> None:
        """The precondition of a rule or an invariant has raised an exception."""
        self.imports[f"from {conditions_hold.__module__} import {conditions_hold.__name__}"] = None
        self._calls.append(([], f"{conditions_hold.__name__}(state.{name})", None))

    def beginning(self) -> list[str]:
        return [f"state = {self.machine.__name__}()", *(LOOP if self._awaited else ())]

    def lines(self) -> list[str]:
        """The lines after the beginning."""
        lines: list[str] = []
        for place, (before, name, written) in enumerate(self._calls):
            if written is None:
                lines.append(name)
                continue
            for value in written.values():
                if not isinstance(value, Shape):
                    self.imports.update(dict.fromkeys(imports_needed([value])))
            text = call(name, written)
            if place in self._awaited:
                text = f"run({text})"
            lines += (" = ".join([*before, text])).splitlines()
        return lines

    def text(self) -> str:
        """The whole program."""
        return "\n".join([*self.beginning(), *self.lines()])


def _has_draws(value: Any) -> bool:
    return isinstance(value, _DRAWS) or (type(value) in (list, tuple) and any(map(_has_draws, value)))


def _importable(thing: Any) -> bool:
    name = getattr(thing, "__qualname__", "<locals>")
    return "<" not in name and getattr(thing, "__module__", "__main__") != "__main__"


class BranchText:
    """Written while the branches run."""

    def __init__(self, word: str, narration: ProgramText | None) -> None:
        self.word = word
        self.narration = narration
        #: the branches in the order in which they ran
        self.turns: list[int] = []
        self._before: list[str] = []
        self._calls: list[list[str]] = []
        #: branch, call and result, in the order in which calls returned
        self._rows: list[tuple[int, str, str]] = []
        self._after: list[str] = []
        #: how many lines there were when the branches began
        self._told = 0

    def begin(self, branches: list[list[Step]]) -> None:
        """The calls are written down before they are made, because they may change their arguments."""
        narration = self.narration
        if narration is None:
            return
        self._before = narration.lines()
        for place, branch in enumerate(branches):
            calls = []
            for rule, arguments in branch:
                things = list(self._things(narration, arguments))
                narration.call(rule, arguments, things, in_task=place < len(branches) - 1)
                calls.append(narration.lines()[-1])
            self._calls.append(calls)
        self._told = len(narration.lines())

    def _things(self, narration: ProgramText, arguments: dict[str, Any]) -> Sequence[Any]:
        run: Any = running.get()
        return [thing for things in run.bundles.values() for thing in things] if run is not None else []

    def returned(self, branch: int, place: int, result: CallResult) -> None:
        if self.narration is not None:
            self._rows.append((branch, self._calls[branch][place], str(result)))

    def after(self, results: list[CallResult]) -> None:
        if self.narration is not None:
            self._after = [f"{text}  # -> {result}" for text, result in zip(self._calls[-1], results)]

    @property
    def steps(self) -> list[tuple[str, dict[str, str]]]:
        """The rule of each step, and its arguments as text."""
        return [] if self.narration is None else self.narration.steps

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Branch, call and result, in the order in which calls returned."""
        return self._rows

    @property
    def count(self) -> int:
        """How many branches there are."""
        return len(self._calls) - 1

    def text(self) -> str:
        """The whole program."""
        if self.narration is None:
            return ""
        if not self._calls:  # it failed before
            return self.narration.text()
        lines = [*self.narration.beginning(), *self._before]
        branches = len(self._calls) - 1
        if self._rows:
            width = max(len(f"{text} -> {result}") for _, text, result in self._rows) + 3
            titles = "".join(f"{self.word} {branch + 1}".ljust(width) for branch in range(branches))
            lines.append(f"# at the same time: {titles}".rstrip())
            margin = "#" + " " * (len("# at the same time: ") - 1)
            for branch, text, result in self._rows:
                lines.append(f"{margin}{' ' * (width * branch)}{text} -> {result}")
            if len(self.turns) > 1:
                lines.append(
                    f"# the {self.word}s ran in this order: {', '.join(str(turn + 1) for turn in self.turns)}"
                )
        failed = self.narration.lines()[self._told :]
        return "\n".join([*lines, *self._after, *failed])

    def stopped(self) -> None:
        """The branches wait for each other: the calls that do not return are those after the ones that
        did."""
        for branch, calls in enumerate(self._calls[:-1]):
            returned = sum(row[0] == branch for row in self._rows)
            if returned < len(calls):
                self._rows.append((branch, calls[returned], "never returns"))

    def complaint(self, results: Sequence[Sequence[CallResult]], after: Sequence[CallResult]) -> str:
        shown = "; ".join(
            f"{self.word} {branch + 1}: {', '.join(map(str, found))}"
            for branch, found in enumerate(results)
            if found
        )
        end = f"; after them: {', '.join(map(str, after))}" if after else ""
        return f"no order of these calls, one after the other, gives these results: {shown}{end}"
