"""The promise of a generator: the ``covers`` decorator and its data.

This module is imported with every generator under ``@covers``, so it imports only the errors. The
specification is stored on the function, and read only when its gaps are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from everycase.errors import EverycaseError, InvalidArgument

F = TypeVar("F", bound=Callable[..., Any])

ATTRIBUTE = "__everycase_covers__"


class Unsupported(EverycaseError):
    """A construct outside the supported subset; says where it is and what it is."""

    def __init__(self, file: str, line: int, construct: str) -> None:
        self.file, self.line, self.construct = file, line, construct
        super().__init__(f"unsupported: {file}, line {line}, {construct}")


class PredicateFailed(EverycaseError):
    """The specification itself raised an exception, so completeness cannot be judged."""


@dataclass(frozen=True)
class Specification:
    """The promise: for all arguments with ``requires``, every value with ``predicate`` can be made."""

    predicate: Callable[..., bool]
    requires: Callable[..., bool] | None
    decreases: str | tuple[str, ...] | Callable[..., Any] | None
    calls: tuple[Mapping[str, Any], ...] = ()
    """The only arguments that ``requires`` allows, if these are known: they show the types of parameters."""


def covers(
    predicate: Callable[..., bool],
    requires: Callable[..., bool] | None = None,
    decreases: str | tuple[str, ...] | Callable[..., Any] | None = None,
) -> Callable[[F], F]:
    """State which values a generator must be able to make.

    ``predicate(value, *arguments)`` says which values are valid, ``requires(*arguments)`` which arguments are
    allowed, ``decreases`` which argument gets smaller (never below zero) in each recursive call: a name, a
    tuple of names compared lexicographically, or a function of the arguments. Parameters are matched by name,
    so a predicate may omit arguments that it does not need (or by position, if all are there under other
    names). The decorated generator is returned unchanged.

    >>> @covers(lambda v, n: 0 <= v < n, requires=lambda n: n > 0)
    ... def below(n): ...
    >>> specification_of(below).decreases is None
    True
    """
    for name, given in (("predicate", predicate), ("requires", requires)):
        if given is not None and not callable(given):
            raise InvalidArgument(
                f"covers: {name} must be a function, not {given!r}; write `lambda v, n: ...`"
            )
    if decreases is not None and not callable(decreases):
        names = (decreases,) if isinstance(decreases, str) else decreases
        if not isinstance(names, tuple | list) or not names or not all(isinstance(n, str) for n in names):
            raise InvalidArgument(
                f"covers: decreases must name parameters, not {decreases!r}; write decreases='n' or ('n', 'm')"
            )

    def note(function: F) -> F:
        if not callable(function):
            raise InvalidArgument(
                f"covers decorates a generator, not {function!r}; write @covers(...) above its def"
            )
        setattr(function, ATTRIBUTE, Specification(predicate, requires, decreases))
        return function

    return note


def specification_of(function: Callable[..., Any]) -> Specification | None:
    """The promise stored on a generator, or None."""
    found = getattr(function, ATTRIBUTE, None)
    return found if isinstance(found, Specification) else None
