"""Noninterference: does an information-flow machine keep its secrets?

A small stack machine labels every number as low (public) or high (secret) and is supposed to keep high numbers from
influencing low ones. Two runs of programs that differ only in secrets must end with memories that look the
same to an observer who may read low numbers. Six versions of the machine have one bug each.

Programs that do anything interesting are rare among random ones: most crash within a few steps. So a search maximizes
either the number of steps that were executed, as the papers do (`runs_long`), or also how far the secrets got on their way
into the memory (`spreads_secrets`). A program that crashes is discarded, but what it reported before
still guides the search.

The machine is that of "Testing noninterference, quickly" (Hritcu and others), used in both papers on targeted search.

    python examples/noninterference.py            (a glance; with "30 20000": thirty runs of at most 20,000 tests)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from comparing import summary, tests_to_failure

from everycase import gen, maximize, reject, reset_search
from everycase.explore import Climb, Random
from everycase.gen import Gen

MOST_STEPS = 50
OPERANDS = {"Pop": 1, "Add": 2, "Load": 1, "Store": 2}
BUGS = ("ADD", "PUSH", "LOAD", "STORE A", "STORE B", "STORE C")


class Atom(NamedTuple):
    """A number and whether it is high."""

    value: int
    high: bool


UNWRITTEN = Atom(0, False)


class Instruction(NamedTuple):
    """An instruction; a push has an atom, and the value that it has in the second run if it is high."""

    name: str
    atom: Atom = Atom(0, False)
    other: int = 0


class Program(NamedTuple):
    memory: int
    code: list[Instruction]


@dataclass
class Machine:
    """The state of a machine that has not stopped."""

    memory: list[Atom]
    stack: list[Atom]
    bug: str

    def can(self, name: str) -> bool:
        """Whether the machine can execute such an instruction now, or is stuck."""
        stack = self.stack
        if len(stack) < OPERANDS.get(name, 0):
            return False
        if name == "Load":
            return 0 <= stack[-1].value < len(self.memory)
        return name != "Store" or self.may_store(stack[-1])

    def step(self, instruction: Instruction, second: bool) -> bool:
        """Execute one instruction; False if the machine is stuck. (``Halt`` never comes here.)"""
        stack, memory, bug = self.stack, self.memory, self.bug
        name = instruction.name
        if name == "Push":
            value, high = instruction.atom
            if second and high:
                value = instruction.other
            stack.append(Atom(value, high and bug != "PUSH"))
        elif not self.can(name):
            return False
        elif name == "Pop":
            stack.pop()
        elif name == "Add":
            a, b = stack.pop(), stack.pop()
            stack.append(Atom(a.value + b.value, (a.high or b.high) and bug != "ADD"))
        elif name == "Load":
            pointer = stack.pop()
            found = memory[pointer.value]
            stack.append(Atom(found.value, found.high or (pointer.high and bug != "LOAD")))
        elif name == "Store":
            stored = self.to_be_stored()
            pointer, _ = stack.pop(), stack.pop()
            memory[pointer.value] = stored
        return True

    def to_be_stored(self) -> Atom:
        """What a Store would write now."""
        atom, pointer = self.stack[-2:]
        if self.bug == "STORE C":
            return Atom(atom.value, False)
        return Atom(atom.value, atom.high or (pointer.high and self.bug != "STORE A"))

    def may_store(self, pointer: Atom) -> bool:
        if not 0 <= pointer.value < len(self.memory):
            return False
        # No sensitive upgrade: a high pointer must not decide which low cell becomes high.
        return not pointer.high or self.memory[pointer.value].high or self.bug == "STORE B"


def start(memory: int, bug: str) -> Machine:
    return Machine([UNWRITTEN] * memory, [], bug)


#: The same place of the stack or of the memory in both runs.
Pair = tuple[Atom, Atom]


@dataclass
class Runs:
    """The two runs of a program: how many steps both made, whether they halted, and what they left."""

    steps: int
    halted: bool
    one: list[Atom]
    other: list[Atom]
    stacks: list[Pair]
    #: for each step after which both machines could have executed a Store, the cells that it would have changed
    chances: list[list[Pair]]


def run(program: Program, bug: str) -> Runs:
    """Run a program with both sets of secrets, step by step side by side, until one of the machines stops."""
    first, second = start(program.memory, bug), start(program.memory, bug)
    steps, halted = 0, False
    chances = []
    for instruction in program.code[:MOST_STEPS]:
        name = instruction.name
        halted = name == "Halt"
        # Neither goes on where the other cannot, or they would differ only by that.
        if halted or not (first.can(name) and second.can(name)):
            break
        first.step(instruction, second=False)
        second.step(instruction, second=True)
        steps += 1
        if name != "Noop" and first.can("Store") and second.can("Store"):
            chances.append(cells_of_a_store(first, second))
    stacks = list(zip(first.stack, second.stack))
    return Runs(steps, halted, first.memory, second.memory, stacks, chances)


def cells_of_a_store(first: Machine, second: Machine) -> list[Pair]:
    """The cells that a Store would change now in one run or the other, as they would be then."""
    one, other = first.to_be_stored(), second.to_be_stored()
    here, there = first.stack[-1].value, second.stack[-1].value
    if here == there:
        return [(one, other)]
    return [(one, second.memory[here]), (first.memory[there], other)]


def depends_on_secrets(pair: Pair) -> bool:
    """Whether the values differ. Labels are ignored, because they are under test."""
    return pair[0].value != pair[1].value


def is_seen(pair: Pair) -> bool:
    """Whether an observer who may read low numbers sees a difference."""
    one, other = pair
    return one.high != other.high or (not one.high and one.value != other.value)


def look_the_same(one: list[Atom], other: list[Atom]) -> bool:
    return not any(map(is_seen, zip(one, other)))


# --- the property, and two utilities for it -------------------------------------------------------------


def runs_long(runs: Runs) -> None:
    """The papers' utility: a program that crashes at once cannot leak, and one that never halts is given up."""
    maximize(runs.steps, "steps")
    if runs.steps >= MOST_STEPS:
        reset_search()


def spreads_secrets(runs: Runs) -> None:
    """Our utility: rewards the steps towards a leak.

    A leak shows in the memory, so the program should write to memory, preferably data that depends on a
    secret. Before that, a secret has to be where a Store would write it. A difference that an observer could
    only see on the stack, or that a Store would have shown, is close to a leak. A difference in the memory is
    a leak as soon as the program halts. Steps count too, because otherwise a search would not know how to
    begin, but only up to a limit, so that programs still halt.
    """
    cells = list(zip(runs.one, runs.other))
    written = sum(cell != (UNWRITTEN, UNWRITTEN) for cell in cells)
    secret = sum(map(depends_on_secrets, cells))
    storable = sum(any(map(depends_on_secrets, chance)) for chance in runs.chances)
    close = sum(map(is_seen, runs.stacks)) + 2 * sum(any(map(is_seen, chance)) for chance in runs.chances)
    leaked = sum(map(is_seen, cells))
    progress = written + secret + min(storable, 5) + close + 12 * leaked
    maximize(5 * progress + min(runs.steps, MOST_STEPS // 4), "steps and secrets")


def keeps_secrets(bug: str, utility: Callable[[Runs], None] = spreads_secrets) -> Callable[[Program], None]:
    """The property, for the machine with this bug."""

    def property(program: Program) -> None:
        runs = run(program, bug)
        utility(runs)
        if not runs.halted:
            reject()
        assert look_the_same(runs.one, runs.other)

    return property


# --- generators -----------------------------------------------------------------------------------------

small = gen.integers(-10, 10)
#: Uniform below a bound that is itself uniform, as QuickCheck's growing size makes it; as a single choice, since a search
#: would seldom change the bound that a small memory comes from.
memory_size = gen.frequency(
    *((sum(1 / (bound + 1) for bound in range(size, 100)), gen.just(size)) for size in range(100))
)


def push(values: Gen[int], others: Gen[int]) -> Gen[Instruction]:
    return gen.tuples(values, gen.booleans(), others).map(
        lambda drawn: Instruction("Push", Atom(drawn[0], drawn[1]), drawn[2])
    )


def plain(name: str) -> Gen[Instruction]:
    return gen.just(Instruction(name))


def instructions(weight_of_push: int, weight_of_halt: int, pushes: Gen[Instruction]) -> Gen[Instruction]:
    """A push, or one of the others: a search then changes a push into one of these, and these into each other."""
    others = gen.frequency(
        (weight_of_halt, plain("Halt")),
        *((40, plain(name)) for name in ("Noop", "Add", "Pop", "Store", "Load")),
    )
    return gen.frequency((weight_of_push, pushes), (weight_of_halt + 5 * 40, others))


def programs(instruction: Gen[Instruction]) -> Gen[Program]:
    return gen.tuples(memory_size, gen.lists(instruction, min_size=20, max_size=50)).map(
        lambda drawn: Program(*drawn)
    )


any_atom = gen.sampled_from([Atom(value, high) for value in range(-10, 11) for high in (False, True)])
push_any = gen.tuples(any_atom, small).map(lambda drawn: Instruction("Push", *drawn))
naive = programs(instructions(40, 40, push_any))
any_instruction = instructions(400, 70, push_any)
weighted = programs(any_instruction)


@gen.composite
def sequence(draw: gen.Draw) -> Program:
    """Useful sequences of instructions, and addresses that exist more often than not."""
    memory = draw(memory_size)
    address = gen.integers(0, max(0, memory - 1))
    smart = small | address
    single = instructions(400, 120, push(smart, smart)).map(lambda one: [one])
    pushed = push(smart, smart)
    groups = gen.frequency(
        (10, single),
        (1, gen.tuples(pushed, pushed).map(lambda two: [*two, Instruction("Add")])),
        (1, push(address, address).map(lambda one: [one, Instruction("Load")])),
        (1, gen.tuples(pushed, push(address, address)).map(lambda two: [*two, Instruction("Store")])),
    )
    length = draw(gen.integers(20, 50))
    code: list[Instruction] = []
    while len(code) < length:
        code = draw(groups) + code
    return Program(memory, code)


def by_execution(bug: str) -> Gen[Program]:
    """Only instructions that do not crash the machine in its current state."""
    return _by_execution(bug)


@gen.composite
def _by_execution(draw: gen.Draw, bug: str) -> Program:
    memory = draw(memory_size)
    length = draw(gen.integers(20, 50))
    machine = start(memory, bug)
    code: list[Instruction] = []
    draws = 0
    while len(code) < length:
        group = draw(_next_instructions(machine, length - len(code), draws))
        draws += 1
        code += group
        for instruction in group:
            if instruction.name == "Halt" or not machine.step(instruction, second=False):
                return Program(memory, code + [Instruction("Noop")] * (length - len(code)))
    return Program(memory, code)


def _addresses(memory: int) -> Gen[int]:
    """Mostly the first three cells."""
    if not memory:
        return small
    return gen.frequency((9, gen.integers(0, min(2, memory - 1))), (1, gen.integers(0, memory - 1)))


def _next_instruction(machine: Machine, left: int, halt: int) -> Gen[Instruction]:
    """One instruction that does not crash the machine; ``halt`` is the weight of a Halt."""
    memory, stack = len(machine.memory), machine.stack
    options: list[tuple[float, Gen[Instruction]]] = [(1, plain("Noop"))]
    if halt:
        options.append((halt, plain("Halt")))
    if left > 1:
        options.append((300, _push_varied(small | _addresses(memory), gen.booleans(), memory)))
        if len(stack) >= 2:
            options.append((40, plain("Add")))
        if stack:
            options.append((40, plain("Pop")))
        if len(stack) >= 2 and machine.may_store(stack[-1]):
            options.append((60, plain("Store")))
        if stack and 0 <= stack[-1].value < memory:
            options.append((60, plain("Load")))
    return gen.frequency(*options)


def _next_instructions(machine: Machine, left: int, draws: int) -> Gen[list[Instruction]]:
    memory, stack = len(machine.memory), machine.stack
    one = _next_instruction(machine, left, 5 + 10 * draws).map(lambda one: [one])
    if left <= 2 or not memory:
        return one
    to_address = _push_varied(_addresses(memory), gen.booleans(), memory)
    groups: list[tuple[float, Gen[list[Instruction]]]] = [
        (10, one),
        (1, to_address.map(lambda one: [one, Instruction("Load")])),
    ]
    if stack:
        pointers: list[tuple[float, Gen[Instruction]]] = [(1, to_address)]
        for high, weight in ((False, 200), (True, 5)):
            legal = [cell for cell in range(min(3, memory)) if machine.may_store(Atom(cell, high))]
            if legal:
                pointers.append((weight, _push_varied(gen.sampled_from(legal), gen.just(high), memory)))
        groups.append((3, gen.frequency(*pointers).map(lambda one: [one, Instruction("Store")])))
    return gen.frequency(*groups)


def _push_varied(values: Gen[int], labels: Gen[bool], memory: int) -> Gen[Instruction]:
    """A push whose value, if it is an address and high, is most often another address in the second run."""
    anywhere = gen.frequency((10, gen.integers(0, memory - 1)), (1, small)) if memory else small

    def instruction(drawn: tuple[int, bool, int, int]) -> Instruction:
        value, high, address, number = drawn
        return Instruction("Push", Atom(value, high), address if 0 <= value < memory else number)

    return gen.tuples(values, labels, anywhere, small).map(instruction)


# --- the papers' hand-written neighbourhoods ------------------------------------------------------------


@gen.composite
def remove_and_add(draw: gen.Draw, program: Program, temperature: float) -> Program:
    """Table III of the 2018 paper: remove some instructions, add new ones; those that stay are not modified.

    The paper does not say how many. Here it is at least one of each, and up to a fifth of the program at
    temperature 1.
    """
    code = list(program.code)
    most = 1 + int(0.2 * temperature * len(code))
    for _ in range(draw(gen.integers(0, most))):
        if code:
            del code[draw(gen.integers(0, len(code) - 1))]
    for _ in range(draw(gen.integers(0, most))):
        code.insert(draw(gen.integers(0, len(code))), draw(any_instruction))
    return Program(program.memory, code)


#: Lists of instructions with that neighbourhood.
targeted_list = gen.targeted(first=weighted, next=remove_and_add)


def targeted_one_more(bug: str) -> Gen[Program]:
    """ByExec of the 2017 paper: begin with no instruction at all, and add one after the other that neither crashes nor
    halts the machine. Every program on the way is a test, closed by a Halt."""
    return gen.targeted(
        first=memory_size.map(lambda memory: Program(memory, [Instruction("Halt")])),
        next=lambda program, temperature: _one_more(bug, program),
    )


@gen.composite
def _one_more(draw: gen.Draw, bug: str, program: Program) -> Program:
    machine = start(program.memory, bug)
    code = program.code[:-1]
    for instruction in code:
        machine.step(instruction, second=False)
    return Program(
        program.memory,
        [*code, draw(_next_instruction(machine, MOST_STEPS, halt=0)), Instruction("Halt")],
    )


# --- a neighbourhood of our own: extend the program to its end by instructions that do not crash it -----


def goes_on(bug: str) -> Callable[[Program, float], Gen[Program]]:
    """Keep the beginning of a program, up to anywhere before it stops, and continue from the state it has
    reached.

    One time in four nothing is kept, not even the size of the memory, because nothing can be found without
    memory.
    """
    return lambda program, temperature: gen.frequency(
        (3, _continued(bug, program)),
        (1, memory_size.flatmap(lambda memory: _continued(bug, Program(memory, [])))),
    )


@gen.composite
def _continued(draw: gen.Draw, bug: str, program: Program) -> Program:
    kept = draw(gen.integers(0, run(program, bug).steps))
    machine = start(program.memory, bug)
    code = list(program.code[:kept])
    for instruction in code:
        machine.step(instruction, second=False)
    # One step of the fifty is left for the Halt at the end.
    while len(code) < MOST_STEPS - 1:
        group = draw(_next_instructions(machine, MOST_STEPS - len(code), 0))
        for instruction in group:
            if instruction.name != "Halt" and machine.step(instruction, second=False):
                code.append(instruction)
    return Program(program.memory, [*code[: MOST_STEPS - 1], Instruction("Halt")])


def targeted_by_execution(bug: str) -> Gen[Program]:
    """Begin with a program made by execution, then continue from somewhere in it with instructions that do
    not crash, until the steps are used up."""
    return gen.targeted(first=by_execution(bug), next=goes_on(bug))


def main(seeds: int = 1, cap: int = 300) -> None:
    print(f"tests (discarded ones counted) until a leak is found, {seeds} runs of at most {cap:,} tests")
    for bug in BUGS:
        papers, ours = keeps_secrets(bug, runs_long), keeps_secrets(bug, spreads_secrets)
        rows: list[tuple[str, Callable[[Program], None], Gen[Program], Any]] = [
            ("Naive, random", ours, naive, Random()),
            ("Weighted, random", ours, weighted, Random()),
            ("Sequence, random", ours, sequence(), Random()),
            ("ByExec, random", ours, by_execution(bug), Random()),
            ("by hand, towards steps", papers, targeted_list, Climb()),
            ("Weighted, towards steps", papers, weighted, Climb()),
            ("Weighted, towards steps and secrets", ours, weighted, Climb()),
            ("ByExec as in the paper, towards steps", papers, targeted_one_more(bug), Climb(fresh=False)),
            ("ByExec, towards steps", papers, targeted_by_execution(bug), Climb()),
            ("ByExec, towards steps and secrets", ours, targeted_by_execution(bug), Climb()),
        ]
        for name, test, inputs, explorer in rows:
            found = tests_to_failure(test, inputs, explorer, seeds=range(seeds), cap=cap)
            print(f"{bug:8} {name:38} {summary(found, cap)}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
