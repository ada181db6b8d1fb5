"""Orders(strength=t): every t rules in every order, checked from outside by recording the runs."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

from everycase import check, gen
from everycase.errors import InvalidArgument
from everycase.explore import Orders
from everycase.stateful import Bundle, RuleBasedStateMachine, initialize, precondition, rule


def machine(names, log, conditions=None):
    """A machine whose rules only record that they ran."""

    def make(name):
        def step(self):
            self.done.append(name)

        step.__name__ = name
        made = rule()(step)
        condition = (conditions or {}).get(name)
        return made if condition is None else precondition(lambda self: condition(self.done))(made)

    def begin(self):
        self.done = []

    def end(self):
        log.append(tuple(self.done))

    body = {name: make(name) for name in names}
    return type("Logged", (RuleBasedStateMachine,), {"__init__": begin, "teardown": end, **body})


def orders_of(log, t):
    """The orders of first occurrences, as positions."""
    found = set()
    for row in log:
        first = {name: row.index(name) for name in row}
        found |= {
            order for order in permutations(first, t) if all(first[a] < first[b] for a, b in pairwise(order))
        }
    return found


@pytest.mark.parametrize("n, t, most", [(6, 3, 10), (8, 3, 12), (10, 3, 14), (6, 4, 38)])
def test_free_rules_are_covered_in_few_sequences(n, t, most):
    log = []
    names = [f"rule_{i}" for i in range(n)]
    report = check(machine(names, log), explore=Orders(strength=t), database=None, seed=0)
    assert report.status == "passed" and report.examples == len(log) <= most
    assert orders_of(log, t) == set(permutations(names, t))
    assert all(len(row) == n for row in log), "a rule that needs nothing runs once"
    total = len(set(permutations(names, t)))
    assert f"{total:,} of {total:,} orders of {t} rules covered" in str(report)
    assert "0 infeasible, 0 not reached" in str(report)


FILE = {
    "open": lambda done: done.count("open") == done.count("close"),
    "write": lambda done: done.count("open") > done.count("close"),
    "read": lambda done: done.count("open") > done.count("close") and "write" in done,
    "close": lambda done: done.count("open") > done.count("close"),
}


def test_preconditions_are_constraints_and_what_is_not_reached_is_said():
    log = []
    report = check(machine([*FILE, "stat"], log, FILE), explore=Orders(strength=3), database=None, seed=0)
    covered = orders_of(log, 3)
    figures = report.figures
    left = {tuple(order) for order in figures["orders_not_reached"]}
    assert figures["orders_infeasible"] == [] and len(covered) + len(left) == 60 and not covered & left
    assert figures["orders_covered"] == len(covered) and f"{len(left)} not reached" in report.covered
    # open is the first of the four, and write comes before read
    possible = {
        order
        for order in permutations([*FILE, "stat"], 3)
        if not any(order.index("open") > order.index(x) for x in order if "open" in order and x in FILE)
        and not ("read" in order and "write" in order and order.index("read") < order.index("write"))
    }
    assert covered == possible
    assert ("close", "write", "read") in covered, "after a second open"


def test_a_declared_model_tells_which_orders_are_infeasible():
    class Modelled(machine([*FILE, "stat"], [], FILE)):
        def __model__(self):
            return self.done.count("open") > self.done.count("close"), "write" in self.done

    report = check(Modelled, explore=Orders(strength=2), database=None, seed=0)
    assert report.figures["orders_not_reached"] == []
    assert {tuple(order) for order in report.figures["orders_infeasible"]} == {
        ("write", "open"),
        ("read", "open"),
        ("close", "open"),
        ("read", "write"),
    }
    assert "16 of 20 orders of 2 rules covered" in report.covered and "4 infeasible" in report.covered


def test_bundles_arguments_and_initializers_work_and_a_bug_of_one_order_is_found():
    class Broken(RuleBasedStateMachine):
        things = Bundle("things")

        @initialize()
        def start(self):
            self.log = []

        @rule(target=things, n=gen.integers())
        def make(self, n):
            self.log.append("make")
            return n

        @rule(thing=things)
        def use(self, thing):
            self.log.append("use")

        @rule()
        def lock(self):
            self.log.append("lock")

        @rule()
        def flush(self):
            assert not (self.log and self.log[0] == "lock" and "use" in self.log)

    report = check(Broken, explore=Orders(strength=3), database=None, seed=1)
    assert report.status == "failed"
    assert str(report.counterexample[0]).splitlines() == [
        "state = Broken()",
        "state.start()",
        "state.lock()",
        "things_0 = state.make(n=0)",
        "state.use(thing=things_0)",
        "state.flush()",
    ]


def test_mistakes():
    with pytest.raises(InvalidArgument, match="for state machines"):
        check(lambda n: True, gen.integers(), explore=Orders(strength=2))
    with pytest.raises(InvalidArgument, match="needs at least"):
        check(machine(["one"], []), explore=Orders(strength=2))
    with pytest.raises(InvalidArgument, match="at least 1"):
        Orders(strength=0)
