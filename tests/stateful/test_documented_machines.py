"""Machines as documented elsewhere, with `hypothesis` replaced by `everycase` in the imports."""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict

import pytest

from everycase import settings
from everycase import strategies as st
from everycase.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
    run_state_machine_as_test,
)

SETTINGS = settings(database=None, seed=0, max_examples=2000)


def failing_program(machine, chosen=SETTINGS):
    with pytest.raises(Exception) as caught:
        run_state_machine_as_test(machine, settings=chosen)
    notes = caught.value.__notes__
    first = notes.index("Falsifying steps:") + 1
    return caught.value, [line.strip() for line in notes[first:] if line.startswith("    ")]


def test_die_hard():
    class DieHardProblem(RuleBasedStateMachine):
        small = 0
        big = 0

        @rule()
        def fill_small(self):
            self.small = 3

        @rule()
        def fill_big(self):
            self.big = 5

        @rule()
        def empty_small(self):
            self.small = 0

        @rule()
        def empty_big(self):
            self.big = 0

        @rule()
        def pour_small_into_big(self):
            old_big = self.big
            self.big = min(5, self.big + self.small)
            self.small = self.small - (self.big - old_big)

        @rule()
        def pour_big_into_small(self):
            old_small = self.small
            self.small = min(3, self.small + self.big)
            self.big = self.big - (self.small - old_small)

        @invariant()
        def physics_of_jugs(self):
            assert 0 <= self.small <= 3
            assert 0 <= self.big <= 5

        @invariant()
        def die_hard_problem_not_solved(self):
            assert self.big != 4

    _, lines = failing_program(DieHardProblem)
    assert lines == [
        "state = DieHardProblem()",
        "state.fill_big()",
        "state.pour_big_into_small()",
        "state.empty_small()",
        "state.pour_big_into_small()",
        "state.fill_big()",
        "state.pour_big_into_small()",
        "state.die_hard_problem_not_solved()",
    ]


def test_the_database_comparison():
    # The system under test is Hypothesis' own.
    DirectoryBasedExampleDatabase = pytest.importorskip("hypothesis.database").DirectoryBasedExampleDatabase  # noqa: N806

    class DatabaseComparison(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.tempd = tempfile.mkdtemp()
            self.database = DirectoryBasedExampleDatabase(self.tempd)
            self.model = defaultdict(set)

        keys = Bundle("keys")
        values = Bundle("values")

        @rule(target=keys, k=st.binary())
        def add_key(self, k):
            return k

        @rule(target=values, v=st.binary())
        def add_value(self, v):
            return v

        @rule(k=keys, v=values)
        def save(self, k, v):
            self.model[k].add(v)
            self.database.save(k, v)

        @rule(k=keys, v=values)
        def delete(self, k, v):
            self.model[k].discard(v)
            self.database.delete(k, v)

        @rule(k=keys)
        def values_agree(self, k):
            assert set(self.database.fetch(k)) == self.model[k]

        def teardown(self):
            shutil.rmtree(self.tempd)

    run_state_machine_as_test(DatabaseComparison, settings=settings(SETTINGS, max_examples=20))


def test_heap():
    class HeapMachine(RuleBasedStateMachine):
        Heaps = Bundle("heaps")

        @rule(target=Heaps)
        def newheap(self):
            return []

        @rule(heap=Heaps, value=st.integers())
        def push(self, heap, value):
            heap.append(value)
            heap.sort()
            if len(heap) > 2:
                heap[0], heap[-1] = heap[-1], heap[0]

        @rule(heap=Heaps.filter(bool))
        def pop(self, heap):
            correct = min(heap)
            result = heap.pop(0)
            assert correct == result

    _, lines = failing_program(HeapMachine)
    assert lines == [
        "state = HeapMachine()",
        "heaps_0 = state.newheap()",
        "state.push(heap=heaps_0, value=0)",
        "state.push(heap=heaps_0, value=0)",
        "state.push(heap=heaps_0, value=1)",
        "state.pop(heap=heaps_0)",
    ]


def test_rose_tree():
    class BalancedTrees(RuleBasedStateMachine):
        trees = Bundle("BinaryTree")
        stop = Bundle("stop")

        @rule(target=trees, x=st.booleans())
        def leaf(self, x):
            return ("leaf", x)

        @rule(target=trees, left=trees, right=trees)
        def branch(self, left, right):
            return ("branch", left, right)

        @rule(tree=trees)
        def bounded_depth(self, tree):
            def depth(tree):
                return 0 if tree[0] == "leaf" else 1 + max(depth(tree[1]), depth(tree[2]))

            assert depth(tree) < 3

    _, lines = failing_program(BalancedTrees)
    assert len(lines) == 6 and lines[1] == "BinaryTree_0 = state.leaf(x=False)"
    assert lines[-1] == "state.bounded_depth(tree=BinaryTree_3)"


def test_numbers_that_are_modified():
    class NumberModifier(RuleBasedStateMachine):
        folders = Bundle("folders")
        files = Bundle("files")

        @initialize(target=folders)
        def init_folders(self):
            return "/"

        @rule(target=folders, parent=folders, name=st.text("ab", min_size=1))
        def create_folder(self, parent, name):
            return f"{parent}/{name}"

        @rule(target=files, name=st.text("ab", min_size=1))
        def create_file(self, name):
            return name

        @rule(target=files, parent=consumes(folders).filter(lambda path: path != "/"))
        def delete_folder(self, parent):
            return multiple()

        @precondition(lambda self: True)
        @rule(runner=st.runner(), data=st.data())
        def look(self, runner, data):
            assert runner is self
            data.draw(st.integers())

    run_state_machine_as_test(NumberModifier, settings=settings(SETTINGS, max_examples=30))
