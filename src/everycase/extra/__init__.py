"""The names of ``hypothesis.extra``: strategies for numpy, pandas, dateutil, pytz, lark, django and others.

They are Hypothesis' own, read through the bridge, so Hypothesis has to be installed. Each module here has the
names of the module of the same name there. Functions that return a strategy there return a generator here.
"""

from __future__ import annotations

from typing import Any

#: The modules of hypothesis.extra that contain strategies.
MODULES = ("array_api", "dateutil", "django", "lark", "numpy", "pandas", "pytz", "redis")


def __getattr__(name: str) -> Any:
    if name in MODULES:
        from importlib import import_module

        return import_module(f"everycase.extra.{name}")
    raise AttributeError(
        f"module 'everycase.extra' has no attribute {name!r}; there are {', '.join(MODULES)}"
    )
