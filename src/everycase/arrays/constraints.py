"""Constraints on a model: predicates over named columns, implications, forbidden combinations.

A predicate's own parameter names say which columns it reads, so ``lambda os, browser: ...`` needs no further
declaration. A constraint is evaluated once on the combinations of the columns it reads and becomes a table of
forbidden ones; after that it is data, which the solver, the verifier and the measure share.
"""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.domain import Domain
from everycase.errors import InvalidArgument

Predicate = Callable[..., Any]
Condition = Predicate | Mapping[str, Any]

MAX_COMBINATIONS = 2_000_000
"""The most combinations on which one constraint is evaluated: about a second of calls."""


class Constraint:
    """A condition that every row must meet, over the columns that it names.

    >>> c = Constraint(lambda os, browser: not (os == "linux" and browser == "safari"))
    >>> c.reads
    ('os', 'browser')
    """

    def __init__(
        self, predicate: Predicate, reads: Sequence[str] | None = None, name: str | None = None
    ) -> None:
        self.predicate = predicate
        self.reads, self._optional = _parameters_of(predicate) if reads is None else (tuple(reads), ())
        self.name = name or _name_of(predicate, self.reads)

    def __repr__(self) -> str:
        return f"<constraint {self.name}>"

    def columns(self, names: Sequence[str]) -> tuple[int, ...]:
        """Positions of the columns it reads; an error that guesses what a misspelt one meant."""
        for name in self.reads:
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1)
                hint = (
                    f"; did you mean {close[0]!r}?" if close else f"; the parameters are {', '.join(names)}"
                )
                raise InvalidArgument(f"constraint {self.name} reads {name!r}, which is no parameter{hint}")
        used = self.reads + tuple(name for name in self._optional if name in names)
        return tuple(names.index(name) for name in used)

    def table(self, domains: Sequence[Domain]) -> NDArray[np.bool_]:
        """Which combinations it forbids. Those with an invalid value are left alone: they test the rejection."""
        total = math.prod(domain.valid for domain in domains)
        if total > MAX_COMBINATIONS:
            raise InvalidArgument(
                f"constraint {self.name} reads {len(domains)} columns with {total:,} combinations, more than "
                f"the {MAX_COMBINATIONS:,} it can be tabulated on; split it, or give its columns fewer values"
            )
        forbidden = np.zeros([domain.size for domain in domains], dtype=np.bool_)
        inside = tuple(slice(0, domain.valid) for domain in domains)
        forbidden[inside] = self._evaluate(domains)
        return forbidden

    def _evaluate(self, domains: Sequence[Domain]) -> NDArray[np.bool_]:
        values = [[domain.at(level) for level in range(domain.valid)] for domain in domains]
        names = [domain.name for domain in domains]
        holds = self.predicate
        flags = []
        for combination in product(*values):
            try:
                flags.append(not holds(**dict(zip(names, combination))))
            except Exception as error:
                shown = ", ".join(f"{n}={v!r}" for n, v in zip(names, combination))
                raise InvalidArgument(
                    f"constraint {self.name} raised {type(error).__name__}: {error}, on {shown}; "
                    "a constraint must answer for every combination of the columns it reads"
                ) from error
        return np.array(flags, dtype=np.bool_).reshape([len(v) for v in values])


class Forbidden(Constraint):
    """One forbidden combination, known without calling anything."""

    def __init__(self, combination: Mapping[str, Any], name: str | None = None) -> None:
        self.combination = dict(combination)
        shown = ", ".join(f"{n}={v!r}" for n, v in self.combination.items())
        super().__init__(lambda **_: True, tuple(self.combination), name or f"forbid({shown})")

    def table(self, domains: Sequence[Domain]) -> NDArray[np.bool_]:
        forbidden = np.zeros([domain.size for domain in domains], dtype=np.bool_)
        forbidden[tuple(domain.level(self.combination[domain.name]) for domain in domains)] = True
        return forbidden


def forbid(**combination: Any) -> Constraint:
    """A combination that no row may hold.

    >>> forbid(os="linux", browser="safari")
    <constraint forbid(os='linux', browser='safari')>
    """
    if not combination:
        raise InvalidArgument("forbid() needs at least one column, for example forbid(os='linux', fs='ntfs')")
    return Forbidden(combination)


def implies(condition: Condition, consequence: Condition) -> Constraint:
    """Where the condition holds, the consequence must; each is a predicate or a mapping of columns to values.

    >>> implies({"os": "windows"}, lambda fs: fs in ("ntfs", "fat")).reads
    ('os', 'fs')
    """
    first, then = _as_constraint(condition, "condition"), _as_constraint(consequence, "consequence")
    reads = tuple(dict.fromkeys(first.reads + then.reads))

    def holds(**values: Any) -> bool:
        if not first.predicate(**{name: values[name] for name in first.reads}):
            return True
        return bool(then.predicate(**{name: values[name] for name in then.reads}))

    return Constraint(holds, reads, f"{first.name} implies {then.name}")


def constraint(name: str) -> Callable[[Predicate], Constraint]:
    """Decorator that gives a predicate the name under which errors speak of it.

    >>> @constraint("safari runs on a mac")
    ... def safari(os, browser):
    ...     return browser != "safari" or os == "mac"
    >>> safari
    <constraint safari runs on a mac>
    """
    if not isinstance(name, str):
        raise InvalidArgument("constraint(...) takes a name; write @constraint('what it says')")
    return lambda predicate: Constraint(predicate, name=name)


def as_constraints(given: Any) -> tuple[Constraint, ...]:
    """The ``constraints=`` argument of a model, checked."""
    if isinstance(given, Constraint) or callable(given):
        given = [given]
    found = []
    for i, item in enumerate(given):
        if isinstance(item, Constraint):
            found.append(item)
        elif isinstance(item, Mapping):
            found.append(Forbidden(item))
        elif callable(item):
            found.append(Constraint(item))
        else:
            raise InvalidArgument(
                f"constraints[{i}] is {item!r}; write a function of the columns it reads, forbid(...), "
                "implies(...), or a mapping {column: value} to forbid"
            )
    return tuple(found)


def _as_constraint(given: Condition, role: str) -> Constraint:
    if isinstance(given, Constraint):
        return given
    if isinstance(given, Mapping):
        wanted = dict(given)
        shown = ", ".join(f"{n}={v!r}" for n, v in wanted.items())
        return Constraint(lambda **values: values == wanted, tuple(wanted), shown)
    if callable(given):
        return Constraint(given)
    raise InvalidArgument(f"the {role} of implies() is {given!r}; write a function or a mapping of values")


def _parameters_of(predicate: Predicate) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names it must be given, and names with a default (columns only if the model has them)."""
    try:
        parameters = inspect.signature(predicate).parameters.values()
    except (TypeError, ValueError):
        raise InvalidArgument(
            f"cannot read the parameter names of {predicate!r}; wrap it in a lambda"
        ) from None
    required: list[str] = []
    optional: list[str] = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise InvalidArgument(
                f"constraint {predicate!r} has the parameter {parameter}; name the columns it reads instead"
            )
        (required if parameter.default is parameter.empty else optional).append(parameter.name)
    if not required:
        raise InvalidArgument(f"constraint {predicate!r} reads no column; name at least one as its parameter")
    return tuple(required), tuple(optional)


def _name_of(predicate: Predicate, reads: Sequence[str]) -> str:
    name = getattr(predicate, "__name__", type(predicate).__name__)
    if name != "<lambda>":
        return str(name)
    code = predicate.__code__
    return f"lambda {', '.join(reads)} ({Path(code.co_filename).name}:{code.co_firstlineno})"
