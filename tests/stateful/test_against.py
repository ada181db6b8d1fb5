"""Machine.against: one machine, several implementations."""

from __future__ import annotations

import pytest

from everycase import check, gen
from everycase.errors import InvalidArgument, InvalidDefinition
from everycase.explore import Exhaustive, Orders
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)
        return len(self.items)

    def pop(self):
        return self.items.pop()


class Linked:
    def __init__(self):
        self.top = None
        self.size = 0

    def push(self, x):
        self.top = (x, self.top)
        self.size += 1
        return self.size

    def pop(self):
        if self.top is None:
            raise IndexError("empty")
        x, self.top = self.top
        self.size -= 1
        return x


class Forgetful(Linked):
    def push(self, x):
        return super().push(None if self.size == 2 else x)


class Stacks(RuleBasedStateMachine):
    def __init__(self, make):
        super().__init__()
        self.stack = make()

    @rule(x=gen.integers())
    def push(self, x):
        return self.stack.push(x)

    @rule()
    def pop(self):
        try:
            return self.stack.pop()
        except IndexError as error:
            return type(error).__name__


def test_equal_implementations_pass_in_every_mode():
    same = Stacks.against(Stack, Linked)
    assert check(same, seed=0, database=None, max_examples=50).status == "passed"
    assert check(same, explore=Orders(strength=2), database=None).status == "passed"
    assert check(same, explore=Exhaustive(max_size=2), database=None).status == "passed"


def test_a_difference_is_the_shortest_program_and_can_be_pasted():
    report = check(Stacks.against(Stack, Forgetful), seed=0, database=None)
    program = report.counterexample[0]
    assert str(program).splitlines() == [
        "state = Stacks.against(Stack, Forgetful)()",
        "state.push(x=0)",
        "state.push(x=0)",
        "state.push(x=0)",
        "state.pop()",
    ]
    assert "pop returned 0 with Stack, and None with Forgetful" in str(report.error)
    with pytest.raises(AssertionError, match="pop returned"):
        exec(str(program), {"Stacks": Stacks, "Stack": Stack, "Forgetful": Forgetful})


def test_three_implementations_and_exceptions():
    class Raising(Linked):
        def pop(self):
            if self.size > 1:
                raise KeyError
            return super().pop()

    class Bare(Stacks):
        @rule()
        def pop(self):
            return self.stack.pop()

    report = check(Stacks.against(Stack, Linked, Raising), seed=0, database=None)
    assert "pop returned 0 with Stack, and raises KeyError with Raising" in str(report.error)
    # all raise the same: the rule itself fails
    assert isinstance(check(Bare.against(Stack, Linked), seed=0, database=None).error, IndexError)


def test_things_of_one_implementation_are_not_given_to_another():
    class Node:
        def __init__(self):
            self.children = []

    class Other(Node):
        pass

    class Trees(RuleBasedStateMachine):
        nodes = Bundle("nodes")

        def __init__(self, kind):
            super().__init__()
            self.kind = kind
            self.made = 0

        @rule(target=nodes)
        def make(self):
            self.made += 1
            return self.kind()

        @rule(target=nodes)
        def two(self):
            return multiple(self.kind(), self.kind())

        @rule(parent=nodes, children=gen.lists(nodes, max_size=3))
        def hang(self, parent, children):
            assert all(isinstance(node, self.kind) for node in [parent, *children])
            parent.children += children
            return len(parent.children)

        @rule(node=consumes(nodes), more=gen.lists(gen.integers()))
        def drop(self, node, more):
            more.append(1)
            return len(node.children), more

        @precondition(lambda self: self.made > 2)
        @rule()
        def count(self):
            return self.made

        @invariant()
        def counted(self):
            assert self.made >= 0

    report = check(Trees.against(Node, Other), seed=0, database=None, max_examples=100)
    assert report.status == "passed", report


def test_a_class_attribute_is_the_place_for_the_system():
    class Sized(RuleBasedStateMachine):
        system = None

        @rule(x=gen.integers())
        def push(self, x):
            return self.system.push(x)

    assert check(Sized.against(Stack, Linked), database=None, max_examples=20).status == "passed"


def test_mistakes():
    class Placeless(RuleBasedStateMachine):
        @rule()
        def step(self):
            pass

    with pytest.raises(InvalidArgument, match="at least two"):
        Stacks.against(Stack)
    with pytest.raises(InvalidArgument, match="must be a class, or a function"):
        Stacks.against(Stack, 3)
    report = check(Placeless.against(Stack, Linked), database=None)
    assert isinstance(
        report.error, InvalidDefinition
    ) and "does not know where to put the implementation" in str(report.error)
