"""The names of ``hypothesis.extra.dateutil``, as generators."""

from typing import Any

from everycase.bridges.hypothesis.handing_over import names_of, read

_SOURCE = "hypothesis.extra.dateutil"


def __getattr__(name: str) -> Any:
    return read(_SOURCE, name)


def __dir__() -> list[str]:
    return names_of(_SOURCE)
