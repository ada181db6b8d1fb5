"""Failing lanes as text: what was called before, then a column for each thread or task, then what came after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from everycase.run.source_text.printer import call
from everycase.stateful.choosing import Step
from everycase.stateful.explaining import Result
from everycase.stateful.narration import Narration


class LaneReport:
    """Written while the lanes run."""

    def __init__(self, word: str, narration: Narration | None) -> None:
        self.word = word
        self.narration = narration
        self.steps: list[tuple[str, dict[str, str]]] = []
        #: the lanes in the order in which they went on
        self.turns: list[int] = []
        self._before: list[str] = []
        self._calls: list[list[str]] = []
        #: lane, call and result, in the order in which calls returned
        self._rows: list[tuple[int, str, str]] = []
        self._after: list[str] = []

    def begin(self, lanes: list[list[Step]]) -> None:
        """The calls are written down before they are made, since they may change their arguments."""
        narration = self.narration
        if narration is None:
            return
        self._before = narration.lines()
        self.steps = list(narration.steps)
        for lane in lanes:
            calls = []
            for rule, arguments in lane:
                narration.call(rule, arguments, list(self._things(narration, arguments)))
                self.steps.append(narration.steps[-1])
                calls.append(narration.lines()[-1])
            self._calls.append(calls)

    def _things(self, narration: Narration, arguments: dict[str, Any]) -> Sequence[Any]:
        from everycase.stateful.bundles import running

        run: Any = running.get()
        return [thing for things in run.bundles.values() for thing in things] if run is not None else []

    def returned(self, lane: int, place: int, result: Result) -> None:
        if self.narration is not None:
            self._rows.append((lane, self._calls[lane][place], str(result)))

    def after(self, results: list[Result]) -> None:
        if self.narration is not None:
            self._after = [f"{text}  # -> {result}" for text, result in zip(self._calls[-1], results)]

    @property
    def rows(self) -> list[tuple[int, str, str]]:
        """Lane, call and result, in the order in which calls returned."""
        return self._rows

    @property
    def count(self) -> int:
        """How many lanes there are."""
        return len(self._calls) - 1

    def text(self) -> str:
        """The whole program."""
        lines = list(self._before)
        lanes = len(self._calls) - 1
        if self._rows:
            width = max(len(f"{text} -> {result}") for _, text, result in self._rows) + 3
            titles = "".join(f"{self.word} {lane + 1}".ljust(width) for lane in range(lanes))
            lines.append(f"# at the same time: {titles}".rstrip())
            margin = "#" + " " * (len("# at the same time: ") - 1)
            for lane, text, result in self._rows:
                lines.append(f"{margin}{' ' * (width * lane)}{text} -> {result}")
            if len(self.turns) > 1:
                lines.append(
                    f"# {self.word}s went on in this order: {', '.join(str(turn + 1) for turn in self.turns)}"
                )
        return "\n".join([*lines, *self._after])

    def complaint(self, results: Sequence[Sequence[Result]], after: Sequence[Result]) -> str:
        shown = "; ".join(
            f"{self.word} {lane + 1}: {', '.join(map(str, found))}"
            for lane, found in enumerate(results)
            if found
        )
        end = f"; after them: {', '.join(map(str, after))}" if after else ""
        return f"no order of these calls, one after the other, gives these results: {shown}{end}"


__all__ = ["LaneReport", "call"]
