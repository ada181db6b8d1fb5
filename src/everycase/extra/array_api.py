"""The names of ``hypothesis.extra.array_api``, as generators."""

from typing import Any

from everycase.bridges.hypothesis.handing_over import names_of, read

_SOURCE = "hypothesis.extra.array_api"


def __getattr__(name: str) -> Any:
    return read(_SOURCE, name)


def __dir__() -> list[str]:
    return names_of(_SOURCE)
