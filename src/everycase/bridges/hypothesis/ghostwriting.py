"""Writing property tests, by Hypothesis' ghostwriter.

It knows which functions belong together (``encode`` and ``decode``, ``add`` and ``remove``), reads
annotations and docstrings for the arguments and exceptions of a function, and formats its output. Its tests
are for Hypothesis, whose names are also ours, so only the imports have to be changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from everycase.errors import InvalidArgument, MissingExtra


def ghostwrite(
    targets: Sequence[Any], how: str = "magic", raises: Sequence[type[Exception]] = (), style: str = "pytest"
) -> str:
    """The source of tests of functions or modules.

    ``how``: "magic" looks for pairs and operations by their names; "fuzz" only calls, "idempotent", "roundtrip" and
    "equivalent" say what to test. ``raises`` are exceptions that a call may raise.
    """
    ghostwriter = _ghostwriter()
    if how not in ("magic", "fuzz", "idempotent", "roundtrip", "equivalent"):
        raise InvalidArgument(f"how={how!r} must be magic, fuzz, idempotent, roundtrip or equivalent")
    if how != "magic" and any(isinstance(target, ModuleType) for target in targets):
        raise InvalidArgument(f"{how} needs functions; name them: MODULE.FUNCTION")
    if how in ("fuzz", "idempotent") and len(targets) != 1:
        raise InvalidArgument(f"{how} needs exactly one function, not {len(targets)}")
    write: Callable[..., str] = getattr(ghostwriter, how)
    try:
        source = write(*targets, except_=tuple(raises), style=style)
    except private_errors() as problem:
        raise InvalidArgument(f"no test can be written: {problem}") from None
    return _ours(source)


def private_errors() -> tuple[type[Exception], ...]:
    """The exceptions of the ghostwriter when it cannot write a test."""
    from everycase.bridges.hypothesis.private import hypothesis

    return (hypothesis.errors.HypothesisException, TypeError, ValueError)


def _ghostwriter() -> Any:
    from everycase.bridges.hypothesis import private  # noqa: F401 (says which extra is missing)

    try:
        from hypothesis.extra import ghostwriter
    except ImportError as problem:
        raise MissingExtra(
            f"writing tests needs the extra write ({problem}): pip install '.[write]' in a checkout of everycase"
        ) from None
    return ghostwriter


def _ours(source: str) -> str:
    """The same tests with our generators."""
    source = re.sub(r"\bfrom hypothesis import ([^\n]*)", _import, source)
    source = source.replace("from hypothesis.strategies import", "from everycase.strategies import")
    source = re.sub(r"\bfrom hypothesis\b", "from everycase", source)
    source = re.sub(r"^import hypothesis\b", "import everycase as hypothesis", source, flags=re.M)
    source = re.sub(r"\bst\.(?=\w)", "gen.", source)
    source = source.replace("`hypothesis write`", "`everycase write`").replace(
        "appropriate strateg", "appropriate generator"
    )
    source = source.replace("generatories", "generators").replace("generatory", "generator")
    return re.sub(r"the `hypothesis\.extra\.ghostwriter` module", "`everycase write`", source)


def _import(match: re.Match[str]) -> str:
    names = [name.strip() for name in match[1].split(",")]
    ours = ["gen" if name == "strategies as st" else name for name in names]
    return f"from everycase import {', '.join(sorted(ours))}"
