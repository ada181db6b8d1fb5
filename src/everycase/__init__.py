"""everycase: describe an input once; test it at random, by search, exhaustively, by combination, by pruning.

>>> from everycase import check, gen
>>> check(lambda a, b: a + b == b + a, gen.integers(), gen.integers()).status
'passed'

The names below are imported when they are first used: the pytest plugin lives in this package, and a test run that
does not use everycase should not pay for it.

PYTEST_DONT_REWRITE (pytest rewrites the asserts of packages with a plugin, and warns of those imported before)
"""

from everycase._version import __version__

TYPE_CHECKING = False  # type checkers take it for True; the real one costs the import of typing
if TYPE_CHECKING:
    from everycase import errors, gen
    from everycase import explore as explore  # a room like gen, whose names are imported from there
    from everycase.complete.specification import covers
    from everycase.run.api import check, exists, find, not_exists
    from everycase.run.context import assume, event, maximize, minimize, note, reject, reset_search
    from everycase.run.property import example, given, reproduce
    from everycase.run.report import Report
    from everycase.run.settings import HealthCheck, Phase, Verbosity, settings

#: Where each name lives. A test compares it with the imports above.
_HOMES = {
    "errors": "everycase.errors",
    "explore": "everycase.explore",
    "gen": "everycase.gen",
    "covers": "everycase.complete.specification",
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
    "covers",
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
