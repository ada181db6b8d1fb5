"""State machines: tests whose input is a sequence of steps.

The names are those of ``hypothesis.stateful``, with the same meaning: to move a machine here, change the
import.

>>> from everycase import check, gen
>>> from everycase.stateful import RuleBasedStateMachine, rule
>>> class Counter(RuleBasedStateMachine):
...     n = 0
...     @rule()
...     def up(self):
...         self.n += 1
...         assert self.n < 3
>>> print(check(Counter, seed=0).counterexample[0])
state = Counter()
state.up()
state.up()
state.up()
"""

from everycase.gen.instance import runner
from everycase.stateful.bundles import Bundle, MultipleResults, consumes, multiple
from everycase.stateful.definition import initialize, invariant, precondition, rule
from everycase.stateful.interleaved import interleaved
from everycase.stateful.machine import RuleBasedStateMachine
from everycase.stateful.parallel import parallel
from everycase.stateful.schedule import yield_point
from everycase.stateful.testing import run_state_machine_as_test

__all__ = [
    "Bundle",
    "MultipleResults",
    "RuleBasedStateMachine",
    "consumes",
    "initialize",
    "interleaved",
    "invariant",
    "multiple",
    "parallel",
    "precondition",
    "rule",
    "run_state_machine_as_test",
    "runner",
    "yield_point",
]
