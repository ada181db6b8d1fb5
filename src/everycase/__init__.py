"""everycase: describe an input once; test it at random, by search, exhaustively, by combination, by pruning.

>>> from everycase import check, gen
>>> check(lambda a, b: a + b == b + a, gen.integers(), gen.integers()).status
'passed'

The names below are imported on first use: the pytest plugin is in this package, and a test run that does not
use everycase should not pay for it.

PYTEST_DONT_REWRITE (pytest rewrites the asserts of packages with a plugin, and warns of those imported before)
"""

from everycase._version import __version__

TYPE_CHECKING = False  # type checkers take it for True; the real one costs the import of typing
if TYPE_CHECKING:
    from everycase import campaign as campaign  # a package whose names are imported from there, too
    from everycase import errors, gen
    from everycase import explore as explore  # a package like gen, whose names are imported from there
    from everycase import strategies as strategies
    from everycase.complete.specification import covers
    from everycase.gen.randomness import register_random
    from everycase.run.api import check, exists, find, not_exists
    from everycase.run.context import assume, event, maximize, minimize, note, reject, reset_search
    from everycase.run.hypothesis_names import (
        currently_in_test_context,
        infer,
        is_hypothesis_test,
        reproduce_failure,
        seed,
        target,
    )
    from everycase.run.labels import classify, tabulate
    from everycase.run.property import example, given, reproduce
    from everycase.run.report import Report
    from everycase.run.settings import HealthCheck, Phase, Verbosity, settings

#: The module of each name. A test compares it with the imports above.
_HOMES = {
    "campaign": "everycase.campaign",
    "errors": "everycase.errors",
    "explore": "everycase.explore",
    "gen": "everycase.gen",
    "strategies": "everycase.strategies",
    "covers": "everycase.complete.specification",
    "register_random": "everycase.gen.randomness",
    "check": "everycase.run.api",
    "exists": "everycase.run.api",
    "find": "everycase.run.api",
    "not_exists": "everycase.run.api",
    "assume": "everycase.run.context",
    "event": "everycase.run.context",
    "maximize": "everycase.run.context",
    "minimize": "everycase.run.context",
    "note": "everycase.run.context",
    "reject": "everycase.run.context",
    "reset_search": "everycase.run.context",
    "currently_in_test_context": "everycase.run.hypothesis_names",
    "infer": "everycase.run.hypothesis_names",
    "is_hypothesis_test": "everycase.run.hypothesis_names",
    "reproduce_failure": "everycase.run.hypothesis_names",
    "seed": "everycase.run.hypothesis_names",
    "target": "everycase.run.hypothesis_names",
    "classify": "everycase.run.labels",
    "tabulate": "everycase.run.labels",
    "example": "everycase.run.property",
    "given": "everycase.run.property",
    "reproduce": "everycase.run.property",
    "Report": "everycase.run.report",
    "HealthCheck": "everycase.run.settings",
    "Phase": "everycase.run.settings",
    "Verbosity": "everycase.run.settings",
    "settings": "everycase.run.settings",
}

__all__ = [
    "HealthCheck",
    "Phase",
    "Report",
    "Verbosity",
    "__version__",
    "assume",
    "check",
    "classify",
    "covers",
    "currently_in_test_context",
    "errors",
    "event",
    "example",
    "exists",
    "find",
    "gen",
    "given",
    "infer",
    "is_hypothesis_test",
    "maximize",
    "minimize",
    "not_exists",
    "note",
    "register_random",
    "reject",
    "reproduce",
    "reproduce_failure",
    "reset_search",
    "seed",
    "settings",
    "strategies",
    "tabulate",
    "target",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'everycase' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(home)
    value = module if home == f"everycase.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
