"""everycase: describe an input once; test it at random, by search, exhaustively, by combination, by pruning.

>>> from everycase import check, gen
>>> check(lambda a, b: a + b == b + a, gen.integers(), gen.integers()).status
'passed'
"""

from everycase import errors, gen
from everycase._version import __version__
from everycase.run.api import check, exists, find, not_exists
from everycase.run.context import assume, event, maximize, minimize, note, reject, reset_search
from everycase.run.property import example, given, reproduce
from everycase.run.report import Report
from everycase.run.settings import HealthCheck, Phase, Verbosity, settings

__all__ = [
    "HealthCheck",
    "Phase",
    "Report",
    "Verbosity",
    "__version__",
    "assume",
    "check",
    "errors",
    "event",
    "example",
    "exists",
    "find",
    "gen",
    "given",
    "maximize",
    "minimize",
    "not_exists",
    "note",
    "reject",
    "reproduce",
    "reset_search",
    "settings",
]
