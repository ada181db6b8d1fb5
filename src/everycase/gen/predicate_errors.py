"""Exceptions of predicates get a note that names the value."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from everycase.errors import EverycaseError

E = TypeVar("E", bound=Exception)

#: Maximum number of characters of a value to show.
LONGEST = 300


class PredicateNote(str):
    """A note that everycase has put on an exception; users may write notes of their own."""


def naming(problem: E, predicate: Callable[..., Any], *values: Any) -> E:
    """The same exception, with a note that names the argument of the predicate.

    >>> try:
    ...     1 // 0
    ... except ZeroDivisionError as problem:
    ...     naming(problem, lambda n: 1 // n, 0).__notes__
    ['raised by the predicate <lambda> for 0']
    """
    return naming_by(
        problem, f"the predicate {getattr(predicate, '__name__', type(predicate).__name__)}", *values
    )


def naming_by(problem: E, predicate: str, *values: Any) -> E:
    """The same, for a predicate that is called this."""
    if issubclass(type(problem), EverycaseError):
        return problem
    with suppress(Exception):  # an exception class, or a value, may raise here
        if not any(isinstance(note, PredicateNote) for note in getattr(problem, "__notes__", ())):
            shown = ", ".join(_shown(value) for value in values)
            problem.add_note(PredicateNote(f"raised by {predicate} for {shown}"))
    return problem


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as problem:
        return f"a {type(value).__name__} whose repr raises {type(problem).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
