"""An exhaustive run on many workers, with the same result as on one.

The numbers of the values are cut into pieces that the workers of a ``concurrent.futures.Executor`` test, in any order;
what they report is booked in the order of the numbers. From the first piece in which something fails the run goes on
in this process, so that it finds, counts and shrinks exactly what it would have found alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

from everycase.errors import InvalidArgument
from everycase.explore.auto import Auto
from everycase.explore.base import Case, Explorer, Outcome
from everycase.explore.exhaustive import Exhaustive, Plan
from everycase.run.property import PROPERTY, Property

if TYPE_CHECKING:
    from everycase.run.runner import Runner

#: How many values one worker tests at a time: enough that handing them out costs nothing.
PIECE = 2000


class Rest(Explorer):
    """The part of a plan that is left after the workers."""

    def __init__(self, plan: Plan, place: int) -> None:
        self._plan = plan
        self._place = place

    def explore(self, space: Any) -> Generator[Case, Outcome, None]:
        yield from self._plan.cases(space, self._place)


def explore_in_pieces(runner: Runner) -> Explorer:
    """Let the executor test all pieces that pass; the explorer for what is left.

    Only exhaustive runs can be cut into pieces by number; any other goes on alone.
    """
    explorer = runner.explorer
    if isinstance(explorer, Auto):
        explorer = explorer.choose(runner.space)
    if not isinstance(explorer, Exhaustive):
        return explorer
    plan = explorer.plan(runner.space)
    if plan is None:
        return explorer
    job = _job(runner, explorer)
    executor = runner.options.executor
    assert executor is not None
    report, budget = runner.report, runner.options.max_examples
    total = int(min(plan.count, 20 * budget))
    pieces = ((place, min(place + PIECE, total)) for place in range(0, total, PIECE))
    waiting: deque[tuple[int, int, Future[Any]]] = deque()
    seed = report.seed
    done = 0

    def submit() -> None:
        piece = next(pieces, None)
        if piece is not None:
            waiting.append((*piece, executor.submit(_test_piece, job, seed, budget, *piece)))

    for _ in range(2 * (getattr(executor, "_max_workers", None) or 2)):
        submit()
    while waiting:
        _, end, future = waiting.popleft()
        examples, discarded, events, clean = future.result()
        if not clean or report.examples + examples > budget:
            break
        report.examples += examples
        report.discarded += discarded
        report.events.update(events)
        done = end
        submit()
    for _, _, future in waiting:
        future.cancel()
    return Rest(plan, done)


def _job(runner: Runner, explorer: Exhaustive) -> Any:
    """What a worker needs: in this process the runner itself, in another one something that can be sent there."""
    if isinstance(runner.options.executor, ThreadPoolExecutor):
        return (runner.prop, explorer)
    function = runner.prop.function
    name = (getattr(function, "__module__", ""), getattr(function, "__qualname__", ""))
    try:
        found = _find(*name)
    except (ImportError, AttributeError):
        found = None
    if found is not runner.prop:
        raise InvalidArgument(
            f"{runner.prop.name} cannot be found by other processes; with executor= a test must be a function under "
            "@given at the top of a module"
        )
    return (name, explorer)


def _find(module: str, name: str) -> Property | None:
    """The property of the decorated test that has this name."""
    value: Any = import_module(module)
    for part in name.split("."):
        value = getattr(value, part)
    return getattr(value, PROPERTY, None)


def _test_piece(
    job: Any, seed: int, budget: int, place: int, end: int
) -> tuple[int, int, dict[str, int], bool]:
    """Test the values of a piece: how many counted, how many were discarded, their events, and whether all is well.

    Whatever needs more than counting (a failure, a utility) is left to the process that asked.
    """
    from everycase.explore.base import DISCARDED, Space
    from everycase.run.context import enter, leave
    from everycase.run.runner import Runner
    from everycase.run.settings import settings

    target, explorer = job
    prop = target if isinstance(target, Property) else _find(*target)
    assert prop is not None
    runner = Runner(prop, prop.caller({}), settings(seed=seed, database=None).resolve())
    space = Space(prop.gen, seed, budget)
    plan = explorer.plan(space)
    assert plan is not None
    report = runner.report
    token = enter(runner.scope)
    try:
        for _, case in zip(range(end - place), plan.cases(space, place)):
            outcome = DISCARDED if case.args is None else runner.execute(case.args)
            if outcome.status == "failed" or outcome.utilities:
                return 0, 0, {}, False
            runner._count(case, outcome)
    finally:
        leave(token)
    return report.examples, report.discarded, dict(report.events), True
