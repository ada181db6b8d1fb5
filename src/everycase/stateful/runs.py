"""One run of a machine: its state while the steps are taken, and its text afterwards."""

from __future__ import annotations

from collections.abc import Callable
from types import CoroutineType
from typing import Any, NamedTuple

from everycase.choices.trace import Trace
from everycase.errors import Discarded, InvalidArgument, InvalidDefinition
from everycase.gen.instance import tested_on
from everycase.gen.kinds import Int
from everycase.run.source_text.printer import code
from everycase.stateful.bundles import MultipleResults, Thing
from everycase.stateful.machine_plan import MachinePlan, PlannedRule
from everycase.stateful.program_text import ProgramText

#: What a rule may return by accident.
_NO_THINGS = (CoroutineType, MultipleResults)


class Reference(NamedTuple):
    """A reference of a step to a bundle: the index of the thing when the step was taken, and which thing it
    was."""

    place: int
    bundle: str
    consume: bool
    maker: object
    rank: int


class StepMemory:
    """The memory of the trace of a step. ``identity`` is the same in all edited copies of the trace, so that
    references of later steps are found again wherever the step has moved, and whatever was removed before
    it."""

    __slots__ = ("identity", "references")

    def __init__(self, identity: object, references: dict[tuple[int, ...], Reference]) -> None:
        self.identity = identity
        #: by the path of the number in the trace of the step
        self.references = references


class Run:
    """The state of one run: the machine, its bundles, and the initializers that have not run yet."""

    def __init__(self, plan: MachinePlan, *, records: bool, narration: ProgramText | None = None) -> None:
        self.plan = plan
        self.machine: Any = None
        self.bundles: dict[str, list[Thing]] = {}
        self.pending: list[PlannedRule] = list(plan.initializers)
        self.narration = narration
        #: the draws from bundles for the current step, and the removed things, with their positions
        self.picked: list[Thing] = []
        self.taken: list[tuple[list[Thing], int, Thing]] = []
        self._records = records
        self._references: dict[int, tuple[Int, Reference]] = {}
        #: the identity of the current step, for its results
        self.step: object = None
        #: whether draws only look, and nothing is removed
        self.looks = False
        self._made: dict[str, int] = {}
        #: the rule whose precondition has raised an exception
        self.asked: PlannedRule | None = None
        #: how many steps were taken
        self.steps = 0
        self._loop: Any = None
        self._tested: Any = None

    def begin(self) -> None:
        """Make the machine, which is then ``runner()``."""
        self.machine = self.plan.make()
        self._tested = tested_on(self.machine)
        self._tested.__enter__()

    # --- bundles ----------------------------------------------------------------------------------------

    def pick(self, draw: Callable[..., Any], bundle: str, consume: bool) -> Any:
        """One of the things in a bundle."""
        things = self.bundles.get(bundle)
        if not things:
            raise Discarded(f"there is nothing in the bundle {bundle!r}")
        count = len(things)
        # If steps are recorded: a separate generator, by which the number is recognised in the trace.
        numbers = Int(0, count - 1, 0) if self._records else _places(count)
        place = draw(numbers)
        thing = things[place]
        if self._records:
            known = Reference(place, bundle, consume, thing.maker, thing.rank)
            self._references[id(numbers)] = numbers, known
        if consume and not self.looks:
            del things[place]
            self.taken.append((things, place, thing))
        self.picked.append(thing)
        return thing.value

    def things(self, bundle: str) -> list[Thing]:
        """What is in a bundle now."""
        return self.bundles.get(bundle, [])

    def put_back(self, first: int = 0, last: int | None = None) -> None:
        """Put removed things back, from the last to the first."""
        for things, place, thing in reversed(self.taken[first:last]):
            things.insert(place, thing)
        del self.taken[first:last]

    def references_in(self, args: Trace[Any]) -> dict[tuple[int, ...], Reference]:
        """Where the trace of the arguments of a step refers to things, and to which."""
        if not self._references:
            return {}
        found = {
            (0, *path): self._references[id(node.gen)][1]
            for path, node in args.walk()
            if id(node.gen) in self._references
        }
        self._references.clear()
        return found

    def redirected(self, step: Trace[Any]) -> Trace[Any]:
        """The recorded trace of a step, with the current positions of the things that it refers to.

        A number that was edited since is left alone, and so is one whose thing no longer exists.
        """
        memory = step.memory
        if type(memory) is not StepMemory:
            return step
        gone: list[Thing] = []
        for path, known in memory.references.items():
            node = step.at(path)
            if node is None or node.choice != known.place:
                continue
            things = [thing for thing in self.bundles.get(known.bundle, ()) if thing not in gone]
            for place, thing in enumerate(things):
                if thing.maker is known.maker and thing.rank == known.rank:
                    if place != known.place:
                        step = step.replace(path, node.with_choice(place))
                    if known.consume:
                        gone.append(thing)
                    break
        return step

    def begin_step(self) -> None:
        if self.picked:
            self.picked.clear()
        if self.taken:
            self.taken.clear()

    # --- steps ------------------------------------------------------------------------------------------

    def can(self, rule: PlannedRule) -> bool:
        """Whether a rule can run now."""
        for name in rule.needs:
            if not self.bundles.get(name):
                self.plan.empty[rule.number] += 1
                return False
        try:
            for condition in rule.preconditions:
                if not condition(self.machine):
                    self.plan.refused[rule.number] += 1
                    return False
        except BaseException:
            self.asked = rule
            if self.narration is not None:
                self.narration.asked(rule.name)
            raise
        return True

    def take(self, rule: PlannedRule, arguments: dict[str, Any]) -> Any:
        """Take a step: call the rule, and put its result into bundles."""
        narration = self.narration
        if narration is not None:
            narration.call(rule, arguments, self.picked)
        try:
            result = rule.function(self.machine, **arguments)
            if rule.awaits:
                result = self.wait(result)
        except Discarded:
            self.plan.rejected[rule.number] += 1
            raise
        self.plan.ran[rule.number] += 1
        if rule.targets:
            self.keep(rule, result)
        elif type(result) is MultipleResults:
            raise InvalidDefinition(
                f"the rule {rule.name} of {self.plan.name} returned {result!r} and has no target; give it target= or "
                "targets="
            )
        self.steps += 1
        return result

    def keep(self, rule: PlannedRule, result: Any) -> None:
        values = result.values if type(result) is MultipleResults else (result,)
        for value in values:
            if type(value) in _NO_THINGS:
                self._refuse(rule, value)
        for target in rule.targets:
            things = self.bundles.setdefault(target, [])
            for rank, value in enumerate(values):
                number = self._made.get(target, 0)
                self._made[target] = number + 1
                things.append(Thing(value, target, number, self.step, rank))
        if self.narration is not None and values:
            made = [self.bundles[target][-len(values) :] for target in rule.targets]
            self.narration.returned(made, several=type(result) is MultipleResults)

    def _refuse(self, rule: PlannedRule, value: Any) -> None:
        if type(value) is MultipleResults:
            raise InvalidDefinition(
                f"the rule {rule.name} of {self.plan.name} returned {value!r} within another multiple(...); "
                "put all values into one"
            )
        value.close()
        raise InvalidDefinition(
            f"the rule {rule.name} of {self.plan.name} returned a coroutine that is never awaited; define the rule with async def"
        )

    def wait(self, result: Any) -> Any:
        """The result of a coroutine, on the event loop of this run."""
        if self._loop is None:
            self._loop = _event_loop()
        return self._loop.run(result)

    def check_invariants(self) -> None:
        """Call every invariant whose precondition holds."""
        machine = self.machine
        for invariant in self.plan.invariants:
            if self.pending and not invariant.check_during_init:
                continue
            if invariant.preconditions:
                try:
                    if not all(holds(machine) for holds in invariant.preconditions):
                        continue
                except BaseException:
                    if self.narration is not None:
                        self.narration.asked(invariant.name)
                    raise
            awaits = False
            try:
                result = invariant.function(machine)
                if result is not None and hasattr(result, "__await__"):
                    awaits = True
                    result = self.wait(result)
                if result is not None and invariant.name not in self.plan.returned:
                    self.plan.returned[invariant.name] = code(result)
            except BaseException:
                if self.narration is not None:
                    self.narration.check(invariant, awaits=awaits)
                raise

    def end(self) -> None:
        """Tear the machine down."""
        try:
            if self.machine is not None:
                awaits = False
                try:
                    result = self.machine.teardown()
                    if result is not None and hasattr(result, "__await__"):
                        awaits = True
                        self.wait(result)
                except BaseException:
                    if self.narration is not None:
                        self.narration.torn_down(awaits=awaits)
                    raise
        finally:
            if self._tested is not None:
                self._tested.__exit__(None, None, None)
                self._tested = None
            if self._loop is not None:
                self._loop.close()
                self._loop = None


def _event_loop() -> Any:
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.Runner()
    raise InvalidArgument(
        "a machine with asynchronous rules was run inside a running event loop, which cannot wait for it; "
        "run it from a "
        "plain function"
    )


#: Generators of an index among few things.
_FEW = [Int(0, count, 0) for count in range(64)]


def _places(count: int) -> Int:
    return _FEW[count - 1] if count <= len(_FEW) else Int(0, count - 1, 0)
