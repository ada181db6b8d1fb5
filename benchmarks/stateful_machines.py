"""Machines with planted bugs, each written once for both libraries: ``machines(stateful, strategies)``.

The docstring of each machine describes its bug. ``SHORTEST`` has the number of steps of the shortest failing sequence
(not counting initializers), confirmed by an exhaustive search.
"""

from __future__ import annotations

import threading
from typing import Any

#: The number of steps of the shortest failing sequence.
SHORTEST = {
    "Lru": 4,
    "Ring": 10,
    "Rollback": 4,
    "UndoRedo": 4,
    "Allocator": 6,
    "TreeMove": 3,
    "Tokens": 3,
    "PubSub": 4,
    "Sheet": 4,
    "InOrder": 3,
    "Twelve": 12,
    "Bank": 2,
    "Heap": 7,
    "Table": 4,
    "GapBuffer": 3,
    "DieHard": 6,
    "Files": 4,
    "Lease": 4,
    "Jobs": 4,
    "Limiter": 5,
    "Pool": 5,
    "Snapshots": 3,
    "Growing": 17,
    "Airlock": 7,
    "Groups": 5,
    "Editor": 4,
}


def machines(s: Any, st: Any) -> dict[str, type]:
    """The machines by name, given the names of ``hypothesis.stateful`` and the strategies of one library."""
    made = [*_containers(s, st), *_systems(s, st), *_long(s, st)]
    return {**{machine.__name__: machine for machine in made}, **held_out(s, st)}


def _containers(s: Any, st: Any) -> list[type]:
    rule, precondition, invariant = s.rule, s.precondition, s.invariant

    class Lru(s.RuleBasedStateMachine):
        """Reading does not make an entry the most recent one."""

        def __init__(self) -> None:
            super().__init__()
            self.cache: dict[int, int] = {}
            self.recent: list[int] = []
            self.expected: dict[int, int] = {}

        @rule(key=st.integers(0, 20), value=st.integers())
        def put(self, key, value):
            if key in self.recent:
                self.recent.remove(key)
                self.cache.pop(key, None)
            self.recent.append(key)
            self.expected[key] = value
            self.cache[key] = value
            if len(self.recent) > 2:
                del self.expected[self.recent.pop(0)]
            if len(self.cache) > 2:
                del self.cache[next(iter(self.cache))]

        @rule(key=st.integers(0, 20))
        def get(self, key):
            if key in self.recent:
                self.recent.remove(key)
                self.recent.append(key)

        @invariant()
        def same(self):
            assert set(self.cache) == set(self.expected)

    class Ring(s.RuleBasedStateMachine):
        """A full queue whose head is not at the beginning loses an element."""

        def __init__(self) -> None:
            super().__init__()
            self.slots: list[Any] = [None] * 4
            self.head = self.count = 0
            self.expected: list[int] = []

        @precondition(lambda self: len(self.expected) < 4)
        @rule(x=st.integers())
        def put(self, x):
            self.slots[(self.head + self.count) % 4] = x
            self.count += 1
            if self.head == 1 and self.count == 4:
                self.slots[0] = self.slots[1]
            self.expected.append(x)

        @precondition(lambda self: self.expected)
        @rule()
        def get(self):
            x = self.slots[self.head]
            self.head = (self.head + 1) % 4
            self.count -= 1
            assert x == self.expected.pop(0)

        @rule()
        def size(self):
            assert self.count == len(self.expected)

    class Heap(s.RuleBasedStateMachine):
        """Sifting down never looks at the right child at the third level."""

        def __init__(self) -> None:
            super().__init__()
            self.items: list[int] = []

        @rule(x=st.integers(0, 100))
        def push(self, x):
            items = self.items
            items.append(x)
            i = len(items) - 1
            while i and items[(i - 1) // 2] > items[i]:
                items[(i - 1) // 2], items[i] = items[i], items[(i - 1) // 2]
                i = (i - 1) // 2

        @precondition(lambda self: self.items)
        @rule()
        def pop(self):
            items = self.items
            expected = min(items)
            last = items.pop()
            found = last
            if items:
                found, items[0] = items[0], last
                i = 0
                while 2 * i + 1 < len(items):
                    child = 2 * i + 1
                    if i == 0 and child + 1 < len(items) and items[child + 1] < items[child]:
                        child += 1
                    if items[i] <= items[child]:
                        break
                    items[i], items[child] = items[child], items[i]
                    i = child
            assert found == expected

        @invariant()
        def is_heap(self):
            assert len(self.items) < 4 or self.items[3] >= self.items[1] or True
            assert all(self.items[(i - 1) // 2] <= self.items[i] for i in range(1, len(self.items)))

    class Table(s.RuleBasedStateMachine):
        """Deleting an entry breaks the probe chain of the entries that collided with it."""

        def __init__(self) -> None:
            super().__init__()
            self.slots: list[Any] = [None] * 8
            self.expected: dict[int, int] = {}

        def place(self, key):
            i = key % 8
            for _ in range(8):
                if self.slots[i] is None or self.slots[i][0] == key:
                    break
                i = (i + 1) % 8
            return i

        @precondition(lambda self: len(self.expected) < 6)
        @rule(key=st.integers(0, 1000), value=st.integers())
        def put(self, key, value):
            self.slots[self.place(key)] = (key, value)
            self.expected[key] = value

        @rule(key=st.integers(0, 1000))
        def delete(self, key):
            self.slots[self.place(key)] = None
            self.expected.pop(key, None)

        @precondition(lambda self: self.expected)
        @rule(data=st.data())
        def get(self, data):
            key = data.draw(st.sampled_from(sorted(self.expected)))
            assert self.slots[self.place(key)] == (key, self.expected[key])

    class GapBuffer(s.RuleBasedStateMachine):
        """Deleting at the very end deletes the character before it."""

        def __init__(self) -> None:
            super().__init__()
            self.left: list[str] = []
            self.right: list[str] = []
            self.text, self.cursor = "", 0

        @rule(text=st.text(max_size=3))
        def insert(self, text):
            self.left += text
            self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
            self.cursor += len(text)

        @rule(place=st.integers(0, 10))
        def move(self, place):
            place = min(place, len(self.text))
            whole = self.left + self.right
            self.left, self.right = whole[:place], whole[place:]
            self.cursor = place

        @rule()
        def delete(self):
            if self.right:
                self.right.pop(0)
            elif len(self.left) > 1:
                self.left.pop()
            self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

        @rule()
        def read(self):
            assert "".join(self.left + self.right) == self.text

    return [Lru, Ring, Heap, Table, GapBuffer]


def _systems(s: Any, st: Any) -> list[type]:
    rule, precondition, invariant, bundle = s.rule, s.precondition, s.invariant, s.Bundle

    class Rollback(s.RuleBasedStateMachine):
        """Rolling back brings changed keys back, but not deleted ones."""

        def __init__(self) -> None:
            super().__init__()
            self.data: dict[str, int] = {}
            self.log: list[tuple[str, Any]] | None = None
            self.saved: dict[str, int] = {}

        @rule(key=st.sampled_from("abc"), value=st.integers())
        def put(self, key, value):
            if self.log is not None:
                self.log.append((key, self.data.get(key)))
            self.data[key] = value

        @rule(key=st.sampled_from("abc"))
        def delete(self, key):
            self.data.pop(key, None)

        @precondition(lambda self: self.log is None)
        @rule()
        def begin(self):
            self.log, self.saved = [], dict(self.data)

        @precondition(lambda self: self.log is not None)
        @rule()
        def commit(self):
            self.log = None

        @precondition(lambda self: self.log is not None)
        @rule()
        def rollback(self):
            for key, value in reversed(self.log):
                if value is None:
                    self.data.pop(key, None)
                else:
                    self.data[key] = value
            self.log = None
            assert self.data == self.saved

    class UndoRedo(s.RuleBasedStateMachine):
        """After an undo, a new edit leaves the undone edit on the redo stack."""

        def __init__(self) -> None:
            super().__init__()
            self.text: list[int] = []
            self.done: list[list[int]] = []
            self.undone: list[list[int]] = []
            self.may_redo = 0

        @rule(x=st.integers())
        def edit(self, x):
            self.done.append(list(self.text))
            self.text.append(x)
            self.may_redo = 0

        @precondition(lambda self: self.done)
        @rule()
        def undo(self):
            self.undone.append(self.text)
            self.text = self.done.pop()
            self.may_redo += 1

        @rule()
        def redo(self):
            if self.undone:
                assert self.may_redo, "redo after an edit"
                self.done.append(self.text)
                self.text = self.undone.pop()
                self.may_redo -= 1

    class Allocator(s.RuleBasedStateMachine):
        """Freeing a block joins it with the next free block even if they are not adjacent."""

        blocks = bundle("blocks")

        def __init__(self) -> None:
            super().__init__()
            self.free = [(0, 64)]
            self.used: dict[int, int] = {}

        @rule(target=blocks, size=st.integers(1, 16))
        def allocate(self, size):
            for i, (start, length) in enumerate(self.free):
                if length >= size:
                    self.free[i : i + 1] = [(start + size, length - size)] if length > size else []
                    for other, taken in self.used.items():
                        assert start + size <= other or other + taken <= start, "overlap"
                    self.used[start] = size
                    return start
            return s.multiple()

        @rule(block=s.consumes(blocks))
        def release(self, block):
            size = self.used.pop(block)
            self.free = sorted([*self.free, (block, size)])
            i = self.free.index((block, size))
            if i + 1 < len(self.free) and i:
                start, length = self.free[i - 1]
                self.free[i - 1 : i + 1] = [(start, length + size)]

    class TreeMove(s.RuleBasedStateMachine):
        """A node can be moved below its own descendant."""

        nodes = bundle("nodes")

        def __init__(self) -> None:
            super().__init__()
            self.parent: dict[int, int | None] = {0: None}

        @s.initialize(target=nodes)
        def root(self):
            return 0

        @rule(target=nodes, parent=nodes)
        def add(self, parent):
            node = len(self.parent)
            self.parent[node] = parent
            return node

        @rule(node=nodes, to=nodes)
        def move(self, node, to):
            if node not in (0, to):
                self.parent[node] = to

        @invariant()
        def no_cycles(self):
            for node in self.parent:
                seen = set()
                at: int | None = node
                while at is not None:
                    assert at not in seen
                    seen.add(at)
                    at = self.parent[at]

    class Tokens(s.RuleBasedStateMachine):
        """Refreshing brings an expired token back to life."""

        tokens = bundle("tokens")

        def __init__(self) -> None:
            super().__init__()
            self.now = 0
            self.expires: dict[int, int] = {}
            self.dead: set[int] = set()

        @rule(target=tokens, lifetime=st.integers(1, 1000))
        def issue(self, lifetime):
            token = len(self.expires)
            self.expires[token] = self.now + lifetime
            return token

        @rule(seconds=st.integers(1, 500))
        def wait(self, seconds):
            self.now += seconds
            self.dead |= {token for token, end in self.expires.items() if end <= self.now}

        @rule(token=tokens)
        def refresh(self, token):
            self.expires[token] = self.now + 100

        @rule(token=tokens)
        def use(self, token):
            if self.expires[token] > self.now and token in self.dead:
                raise AssertionError("an expired token was accepted")

        @invariant()
        def dead_stay_dead(self):
            assert all(self.expires[token] <= self.now for token in self.dead)

    class PubSub(s.RuleBasedStateMachine):
        """A client that subscribes twice and unsubscribes once still gets messages."""

        def __init__(self) -> None:
            super().__init__()
            self.subscribers: dict[str, list[int]] = {}
            self.wanted: dict[str, set[int]] = {}

        @rule(topic=st.sampled_from(["a", "b", "c"]), who=st.integers(0, 9))
        def subscribe(self, topic, who):
            self.subscribers.setdefault(topic, []).append(who)
            self.wanted.setdefault(topic, set()).add(who)

        @rule(topic=st.sampled_from(["a", "b", "c"]), who=st.integers(0, 9))
        def unsubscribe(self, topic, who):
            if who in self.subscribers.get(topic, []):
                self.subscribers[topic].remove(who)
                self.wanted[topic].discard(who)

        @rule(topic=st.sampled_from(["a", "b", "c"]))
        def publish(self, topic):
            assert set(self.subscribers.get(topic, [])) == self.wanted.get(topic, set())

    class Sheet(s.RuleBasedStateMachine):
        """A change reaches the cells that depend on it directly, but not those that depend on these."""

        def __init__(self) -> None:
            super().__init__()
            self.formula: dict[str, Any] = dict.fromkeys("ABCD", 0)
            self.cached: dict[str, int] = dict.fromkeys("ABCD", 0)

        def value(self, cell):
            formula = self.formula[cell]
            return self.value(formula) + 1 if isinstance(formula, str) else formula

        @rule(cell=st.sampled_from("ABCD"), number=st.integers())
        def set_number(self, cell, number):
            self.formula[cell] = number
            self.update(cell)

        @rule(cell=st.sampled_from("BCD"), other=st.sampled_from("ABC"))
        def set_formula(self, cell, other):
            if other < cell:
                self.formula[cell] = other
                self.update(cell)

        def update(self, cell):
            self.cached[cell] = self.value(cell)
            for other, formula in self.formula.items():
                if formula == cell:
                    self.cached[other] = self.value(other)

        @rule(cell=st.sampled_from("ABCD"))
        def show(self, cell):
            assert self.cached[cell] == self.value(cell)

    class Bank(s.RuleBasedStateMachine):
        """A transfer from an account to itself creates money."""

        accounts = bundle("accounts")

        def __init__(self) -> None:
            super().__init__()
            self.balance: dict[int, int] = {}
            self.total = 0

        @rule(target=accounts, amount=st.integers(0, 1000))
        def open(self, amount):
            number = len(self.balance)
            self.balance[number] = amount
            self.total += amount
            return number

        @rule(source=accounts, to=accounts, amount=st.integers(1, 1000))
        def transfer(self, source, to, amount):
            if self.balance[source] >= amount:
                before = self.balance[to]
                self.balance[source] -= amount
                self.balance[to] = before + amount

        @invariant()
        def money_stays(self):
            assert sum(self.balance.values()) == self.total

    class Files(s.RuleBasedStateMachine):
        """A file renamed over an open one leaves its handle pointing at the wrong content."""

        handles = bundle("handles")

        def __init__(self) -> None:
            super().__init__()
            self.files: dict[str, list[str]] = {}
            self.opened: list[tuple[str, list[str]]] = []

        @rule(name=st.sampled_from(["x", "y", "z"]), text=st.text(max_size=5))
        def write(self, name, text):
            self.files[name] = [text]

        @rule(target=handles, name=st.sampled_from(["x", "y", "z"]))
        def open(self, name):
            if name not in self.files:
                return s.multiple()
            self.opened.append((name, self.files[name]))
            return len(self.opened) - 1

        @rule(source=st.sampled_from(["x", "y", "z"]), to=st.sampled_from(["x", "y", "z"]))
        def rename(self, source, to):
            if source in self.files and source != to:
                self.files[to] = self.files.pop(source)

        @rule(handle=handles)
        def read(self, handle):
            name, content = self.opened[handle]
            if name not in self.files and any(other is content for other in self.files.values()):
                raise AssertionError("the handle of a renamed file is lost")

    class Lease(s.RuleBasedStateMachine):
        """A renewal by the former owner takes the lease from the new one."""

        def __init__(self) -> None:
            super().__init__()
            self.owner: str | None = None
            self.former: set[str] = set()

        @precondition(lambda self: self.owner is None)
        @rule(who=st.sampled_from(["ann", "bob", "cid"]))
        def acquire(self, who):
            self.owner = who

        @rule(who=st.sampled_from(["ann", "bob", "cid"]))
        def release(self, who):
            if self.owner == who:
                self.owner = None
                self.former.add(who)

        @rule(who=st.sampled_from(["ann", "bob", "cid"]))
        def renew(self, who):
            if self.owner is not None and who != self.owner and who in self.former:
                raise AssertionError(f"{who} took the lease of {self.owner}")

    class Jobs(s.RuleBasedStateMachine):
        """A job that is cancelled while it runs is never removed from the list of running jobs."""

        jobs = bundle("jobs")

        def __init__(self) -> None:
            super().__init__()
            self.state: dict[int, str] = {}
            self.slots: set[int] = set()

        @rule(target=jobs, priority=st.integers(0, 9))
        def submit(self, priority):
            job = len(self.state)
            self.state[job] = "waiting"
            return job

        @rule(job=jobs)
        def start(self, job):
            if self.state[job] == "waiting" and len(self.slots) < 2:
                self.state[job] = "running"
                self.slots.add(job)

        @rule(job=jobs)
        def finish(self, job):
            if self.state[job] == "running":
                self.state[job] = "done"
                self.slots.discard(job)

        @rule(job=jobs)
        def cancel(self, job):
            if self.state[job] in ("waiting", "running"):
                self.state[job] = "cancelled"

        @rule()
        def clean(self):
            assert all(self.state[job] == "running" for job in self.slots)

    class Pool(s.RuleBasedStateMachine):
        """A connection that is released twice is handed to two users."""

        held = bundle("held")

        def __init__(self) -> None:
            super().__init__()
            self.idle: list[int] = []
            self.made = 0
            self.users: dict[int, int] = {}

        @rule(target=held)
        def acquire(self):
            if self.idle:
                connection = self.idle.pop()
            else:
                connection, self.made = self.made, self.made + 1
            self.users[connection] = self.users.get(connection, 0) + 1
            assert self.users[connection] == 1
            return connection

        @rule(connection=held)
        def release(self, connection):
            self.idle.append(connection)
            self.users[connection] = max(0, self.users[connection] - 1)

    class Snapshots(s.RuleBasedStateMachine):
        """A snapshot shares its lists with the store."""

        snapshots = bundle("snapshots")

        def __init__(self) -> None:
            super().__init__()
            self.store: dict[str, list[int]] = {"a": [], "b": []}

        @rule(key=st.sampled_from("ab"), x=st.integers())
        def append(self, key, x):
            self.store[key].append(x)

        @rule(target=snapshots)
        def snapshot(self):
            return dict(self.store), {key: list(value) for key, value in self.store.items()}

        @rule(key=st.sampled_from("ab"))
        def clear(self, key):
            self.store[key] = []

        @rule(taken=snapshots)
        def compare(self, taken):
            shared, copied = taken
            assert shared == copied

    class Groups(s.RuleBasedStateMachine):
        """A member removed from a group keeps the permissions that were granted to the group before."""

        def __init__(self) -> None:
            super().__init__()
            self.members: dict[str, set[int]] = {"red": set(), "blue": set()}
            self.grants: dict[str, set[str]] = {"red": set(), "blue": set()}
            self.cached: dict[int, set[str]] = {}

        @rule(user=st.integers(0, 5), group=st.sampled_from(["red", "blue"]))
        def join(self, user, group):
            self.members[group].add(user)
            self.cached.pop(user, None)

        @rule(group=st.sampled_from(["red", "blue"]), right=st.sampled_from(["read", "write"]))
        def grant(self, group, right):
            self.grants[group].add(right)
            self.cached.clear()

        @rule(user=st.integers(0, 5), group=st.sampled_from(["red", "blue"]))
        def leave(self, user, group):
            self.members[group].discard(user)

        @rule(user=st.integers(0, 5))
        def ask(self, user):
            rights = {
                right for group in self.grants for right in self.grants[group] if user in self.members[group]
            }
            if user not in self.cached:
                self.cached[user] = rights
            assert self.cached[user] == rights

    return [
        Rollback,
        UndoRedo,
        Allocator,
        TreeMove,
        Tokens,
        PubSub,
        Sheet,
        Bank,
        Files,
        Lease,
        Jobs,
        Pool,
        Snapshots,
        Groups,
    ]


def _long(s: Any, st: Any) -> list[type]:
    rule, precondition, invariant = s.rule, s.precondition, s.invariant

    class InOrder(s.RuleBasedStateMachine):
        """Fails when three of its eight rules run in one particular order."""

        def __init__(self) -> None:
            super().__init__()
            self.stage = 0

        @rule(x=st.integers())
        def one(self, x):
            self.stage = 1

        @rule()
        def two(self):
            self.stage = 2 if self.stage == 1 else 0

        @rule()
        def three(self):
            assert self.stage != 2

        @rule()
        def four(self):
            self.stage = 0

        @rule()
        def five(self):
            self.stage = 0

        @rule()
        def six(self):
            self.stage = 0

        @rule(x=st.booleans())
        def seven(self, x):
            self.stage = 0

        @rule()
        def eight(self):
            self.stage = 0

    class Twelve(s.RuleBasedStateMachine):
        """Fails after twelve increments without a reset."""

        def __init__(self) -> None:
            super().__init__()
            self.n = 0

        @rule()
        def up(self):
            self.n += 1
            assert self.n < 12

        @rule()
        def reset(self):
            self.n = 0

        @rule(x=st.integers())
        def look(self, x):
            pass

    class DieHard(s.RuleBasedStateMachine):
        """Measure four litres with jugs of three and five litres."""

        def __init__(self) -> None:
            super().__init__()
            self.small = self.big = 0

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
        def small_into_big(self):
            before = self.big
            self.big = min(5, self.big + self.small)
            self.small -= self.big - before

        @rule()
        def big_into_small(self):
            before = self.small
            self.small = min(3, self.small + self.big)
            self.big -= self.small - before

        @invariant()
        def physics(self):
            assert 0 <= self.small <= 3 and 0 <= self.big <= 5

        @invariant()
        def not_solved(self):
            assert self.big != 4

    class Limiter(s.RuleBasedStateMachine):
        """A fourth call within a second is let through if another call was refused in that second."""

        def __init__(self) -> None:
            super().__init__()
            self.now = 0
            self.calls: list[int] = []
            self.allowed: list[int] = []

        @rule(ms=st.integers(0, 2000))
        def wait(self, ms):
            self.now += ms

        @rule()
        def call(self):
            recent = [t for t in self.calls if t > self.now - 1000]
            if len(recent) < 3:
                self.calls.append(self.now)
                self.allowed.append(self.now)
            else:
                self.calls = recent[1:]
            within = [t for t in self.allowed if t > self.now - 1000]
            assert len(within) <= 3

    class Growing(s.RuleBasedStateMachine):
        """A stack that loses an element when it grows beyond sixteen."""

        def __init__(self) -> None:
            super().__init__()
            self.items: list[int] = []
            self.expected: list[int] = []

        @rule(x=st.integers())
        def push(self, x):
            self.expected.append(x)
            self.items.append(x)
            if len(self.expected) == 17:
                del self.items[0]

        @precondition(lambda self: self.expected)
        @rule()
        def pop(self):
            self.expected.pop()
            self.items.pop()

        @rule()
        def peek(self):
            pass

        @invariant()
        def same_size(self):
            assert len(self.items) == len(self.expected)

    class Airlock(s.RuleBasedStateMachine):
        """Seven steps that are only possible one after the other, among other steps that lead back."""

        def __init__(self) -> None:
            super().__init__()
            self.stage = 0

        @precondition(lambda self: self.stage == 0)
        @rule()
        def request(self):
            self.stage = 1

        @precondition(lambda self: self.stage == 1)
        @rule(code=st.integers(0, 5))
        def enter_code(self, code):
            self.stage = 2 if code == 3 else 0

        @precondition(lambda self: self.stage == 2)
        @rule()
        def close_inner(self):
            self.stage = 3

        @precondition(lambda self: self.stage == 3)
        @rule()
        def pump(self):
            self.stage = 4

        @precondition(lambda self: self.stage == 4)
        @rule()
        def open_outer(self):
            self.stage = 5

        @precondition(lambda self: self.stage == 5)
        @rule()
        def leave(self):
            self.stage = 6

        @precondition(lambda self: self.stage >= 6)
        @rule()
        def open_inner(self):
            raise AssertionError("both doors are open")

        @precondition(lambda self: self.stage > 0)
        @rule()
        def abort(self):
            self.stage = 0

    class Editor(s.RuleBasedStateMachine):
        """Pasting after a cut and an undo pastes the text again although it is still there."""

        def __init__(self) -> None:
            super().__init__()
            self.text = ""
            self.clipboard: str | None = None
            self.before: str | None = None
            self.cut_undone = False

        @rule(word=st.text(min_size=1, max_size=4))
        def write(self, word):
            self.before = self.text
            self.text += word
            self.cut_undone = False

        @precondition(lambda self: self.text)
        @rule()
        def cut(self):
            self.before, self.clipboard, self.text = self.text, self.text, ""

        @precondition(lambda self: self.before is not None)
        @rule()
        def undo(self):
            self.cut_undone = self.clipboard is not None and self.before == self.clipboard
            self.text, self.before = self.before, None

        @precondition(lambda self: self.clipboard is not None)
        @rule()
        def paste(self):
            assert not (self.cut_undone and self.text == self.clipboard)
            self.text += self.clipboard

    return [InOrder, Twelve, DieHard, Limiter, Growing, Airlock, Editor]


#: The same for the held-out machines, which were written after everything was chosen and run once.
HELD_OUT = {"Cart": 3, "Trie": 4, "Elevator": 7, "Ledger": 6, "Playlist": 4, "Inbox": 6}


def held_out(s: Any, st: Any) -> dict[str, type]:
    """Held-out machines: nothing was tuned on them."""
    rule, precondition, bundle = s.rule, s.precondition, s.Bundle

    class Cart(s.RuleBasedStateMachine):
        """A coupon that is entered twice counts twice."""

        def __init__(self) -> None:
            super().__init__()
            self.price, self.coupons = 0, []

        @rule(price=st.integers(1, 500))
        def add(self, price):
            self.price += price

        @rule(code=st.text(max_size=4))
        def coupon(self, code):
            if code in self.coupons:
                self.price -= 10
            self.coupons.append(code)

        @rule()
        def pay(self):
            assert self.price >= 0

    class Trie(s.RuleBasedStateMachine):
        """Deleting a word also deletes the longer words that begin with it."""

        def __init__(self) -> None:
            super().__init__()
            self.words, self.expected = set(), set()

        @rule(word=st.text("ab", max_size=4))
        def add(self, word):
            self.words.add(word)
            self.expected.add(word)

        @rule(word=st.text("ab", min_size=1, max_size=4))
        def delete(self, word):
            if word in self.words:
                self.words = {other for other in self.words if not other.startswith(word)}
            self.expected.discard(word)

        @rule()
        def count(self):
            assert self.words == self.expected

    class Elevator(s.RuleBasedStateMachine):
        """The door opens while the lift moves, if the lift was called to the floor it has just left."""

        def __init__(self) -> None:
            super().__init__()
            self.floor, self.moving, self.left_from, self.queue = 0, False, None, []

        @rule(floor=st.integers(0, 5))
        def call(self, floor):
            self.queue.append(floor)

        @precondition(lambda self: self.queue and not self.moving)
        @rule()
        def start(self):
            self.left_from, self.moving = self.floor, self.queue[0] != self.floor

        @precondition(lambda self: self.moving)
        @rule()
        def arrive(self):
            self.floor, self.moving = self.queue.pop(0), False

        @rule()
        def open(self):
            assert not (self.moving and self.left_from in self.queue[1:] and self.floor > 0)

    class Ledger(s.RuleBasedStateMachine):
        """A booking can be reversed twice."""

        bookings = bundle("bookings")

        def __init__(self) -> None:
            super().__init__()
            self.amounts, self.reversed = [], []

        @rule(target=bookings, amount=st.integers(1, 100))
        def book(self, amount):
            self.amounts.append(amount)
            return len(self.amounts) - 1

        @rule(booking=bookings)
        def reverse(self, booking):
            if self.reversed[-1:] != [booking]:
                self.reversed.append(booking)

        @rule()
        def close(self):
            assert len(set(self.reversed)) == len(self.reversed)

    class Playlist(s.RuleBasedStateMachine):
        """Removing a song before the current one makes the player skip a song."""

        songs = bundle("songs")

        def __init__(self) -> None:
            super().__init__()
            self.order, self.at, self.playing = [], 0, None

        @rule(target=songs, name=st.text())
        def add(self, name):
            self.order.append(object())
            return self.order[-1]

        @rule(song=songs)
        def play(self, song):
            if song in self.order:
                self.at, self.playing = self.order.index(song), song

        @rule(song=songs)
        def remove(self, song):
            if song in self.order and song is not self.playing:
                self.order.remove(song)
                if self.playing is not None:
                    assert self.order[self.at : self.at + 1] == [self.playing]

    class Inbox(s.RuleBasedStateMachine):
        """A message that is archived while unread counts as unread forever."""

        messages = bundle("messages")

        def __init__(self) -> None:
            super().__init__()
            self.unread, self.here, self.seen = 0, set(), set()

        @rule(target=messages)
        def receive(self):
            message = object()
            self.here.add(message)
            self.unread += 1
            return message

        @rule(message=messages)
        def read(self, message):
            if message in self.here and message not in self.seen:
                self.seen.add(message)
                self.unread -= 1

        @rule(message=messages)
        def archive(self, message):
            self.here.discard(message)

        @rule()
        def empty(self):
            if not self.here and len(self.seen) > 0:
                assert self.unread == 0

    return {machine.__name__: machine for machine in [Cart, Trie, Elevator, Ledger, Playlist, Inbox]}


def racing_machines(s: Any, st: Any) -> list[type]:
    """Machines that lose an update when two threads use them."""
    rule = s.rule

    class Counter(s.RuleBasedStateMachine):
        """Reading and writing are two separate steps."""

        def __init__(self) -> None:
            super().__init__()
            self.n = 0

        @rule()
        def increment(self):
            before = self.n
            self.n = before + 1
            return before

    class Account(s.RuleBasedStateMachine):
        """The balance may change between the check and the payment; only a later check reveals it."""

        def __init__(self) -> None:
            super().__init__()
            self.balance = 0

        @rule(amount=st.integers(1, 100))
        def deposit(self, amount):
            self.balance = self.balance + amount

        @rule()
        def look(self):
            return self.balance

    class Stock(s.RuleBasedStateMachine):
        """The last item is sold twice, after some items were stocked."""

        def __init__(self) -> None:
            super().__init__()
            self.items: dict[str, int] = {}

        @rule(item=st.sampled_from(["a", "b"]), count=st.integers(1, 3))
        def deliver(self, item, count):
            items = dict(self.items)
            items[item] = items.get(item, 0) + count
            self.items = items

        @rule(item=st.sampled_from(["a", "b"]))
        def sell(self, item):
            left = self.items.get(item, 0)
            if left:
                self.items[item] = left - 1
            return bool(left)

        @rule(item=st.sampled_from(["a", "b"]))
        def count(self, item):
            return self.items.get(item, 0)

    return [Counter, Account, Stock]


def locked_counter(s: Any) -> type:
    """A thread-safe counter."""

    class Locked(s.RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.n = 0
            self.lock = threading.Lock()

        @s.rule()
        def increment(self):
            with self.lock:
                before = self.n
                self.n = before + 1
            return before

    return Locked
