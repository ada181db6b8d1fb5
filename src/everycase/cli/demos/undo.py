"""A sequence of steps that breaks an editor, as a program."""

from __future__ import annotations

from everycase import check, gen
from everycase.cli.demos import Scene, source
from everycase.explore import Exhaustive
from everycase.run.render import verdict
from everycase.stateful import RuleBasedStateMachine, precondition, rule


class Editor(RuleBasedStateMachine):
    """The bug: typing after an undo does not clear the redo history."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.done, self.undone = "", [], []  # type: ignore[var-annotated]

    @rule(letter=gen.sampled_from("xy"))
    def write(self, letter: str) -> None:
        self.done.append(self.text)
        self.text += letter

    @precondition(lambda self: self.done)
    @rule()
    def undo(self) -> None:
        self.undone.append(self.text)
        self.text = self.done.pop()

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        again = self.undone.pop()
        assert again.startswith(self.text), (self.text, again)
        self.done.append(self.text)
        self.text = again


def demo() -> Scene:
    report = check(Editor, seed=0, database=None)
    three = check(Editor, explore=Exhaustive(max_size=3), database=None)
    return Scene(
        technique="State machines",
        story="An editor with undo and redo. Its rules are the steps. everycase looks for a failing "
        "sequence of steps, shrinks "
        "it and shows it as a program. Trying all shorter sequences shows that none of them fails.",
        code=source(Editor.redo),
        outcome=f"{report.counterexample[0]}\n{report.error}\nthree steps: {verdict(three)}"
        if report.counterexample
        else "nothing was found",
        facts=[("steps", f"{len(report.counterexample[0])}" if report.counterexample else "none")],
        works=report.status == "failed" and three.exhaustive,
    )
