"""Constraints on a model: predicates over named columns, implications, forbidden combinations.

A predicate's own parameter names say which columns it reads, so ``lambda os, browser: ...`` needs no further
declaration. A constraint is evaluated once on the combinations of the columns it reads and becomes a table of
forbidden ones; after that it is data, which the solver, the verifier and the measure share.
"""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from everycase.arrays.domain import Domain
from everycase.errors import InvalidArgument
from everycase.gen.validate import as_sequence

Predicate = Callable[..., Any]
Condition = Predicate | Mapping[str, Any]

MAX_COMBINATIONS = 2_000_000
"""Maximum number of combinations on which one constraint is evaluated: about a second of calls."""


class Constraint:
    """A condition that every row must meet, over the columns that it names.

    Rows with an invalid value exist to be rejected, so a predicate is not evaluated on them unless
    ``judges_invalid``.

    >>> c = Constraint(lambda os, browser: not (os == "linux" and browser == "safari"))
    >>> c.reads
    ('os', 'browser')
    """

    def __init__(
        self,
        predicate: Predicate,
        reads: Sequence[str] | None = None,
        name: str | None = None,
        judges_invalid: bool = False,
    ) -> None:
        self.predicate = predicate
        self.reads, self._optional = _parameters_of(predicate) if reads is None else (_names(reads), ())
        self.name = name or _name_of(predicate, self.reads)
        self.judges_invalid = judges_invalid

    def __repr__(self) -> str:
        return f"<constraint {self.name}>"

    def used(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns it reads in a model with these names; an error with a suggestion if a name is
        misspelt."""
        for name in self.reads:
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1)
                hint = (
                    f"; did you mean {close[0]!r}?" if close else f"; the parameters are {', '.join(names)}"
                )
                raise InvalidArgument(
                    f"constraint {self.name} reads {name!r}, which is not a parameter{hint}"
                )
        return self.reads + tuple(name for name in self._optional if name in names)

    def columns(self, names: Sequence[str]) -> tuple[int, ...]:
        """Positions of the columns it reads."""
        return tuple(names.index(name) for name in self.used(names))

    def table(self, domains: Sequence[Domain]) -> NDArray[np.bool_]:
        """Which combinations it forbids."""
        counts = [domain.size if self.judges_invalid else domain.valid for domain in domains]
        total = math.prod(counts)
        if total > MAX_COMBINATIONS:
            raise InvalidArgument(
                f"constraint {self.name} reads {len(domains)} columns with {total:,} combinations, more than "
                f"the maximum of {MAX_COMBINATIONS:,}; split it, or give its columns fewer values"
            )
        forbidden = np.zeros([domain.size for domain in domains], dtype=np.bool_)
        forbidden[tuple(slice(0, count) for count in counts)] = self.evaluate(domains, counts)
        return forbidden

    def evaluate(self, domains: Sequence[Domain], counts: Sequence[int]) -> NDArray[np.bool_]:
        """Which combinations of the first values of each column it forbids; the arguments say how many
        values."""
        values = [[domain.at(level) for level in range(count)] for domain, count in zip(domains, counts)]
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
        return np.array(flags, dtype=np.bool_).reshape(counts)


class _Exactly(Constraint):
    """Columns that must have given values, decided without calling anything."""

    def __init__(self, combination: Mapping[str, Any], name: str) -> None:
        self.combination = dict(combination)
        super().__init__(_never_called, tuple(self.combination), name)

    def evaluate(self, domains: Sequence[Domain], counts: Sequence[int]) -> NDArray[np.bool_]:
        forbidden = np.ones(counts, dtype=np.bool_)
        levels = tuple(self._level(domain) for domain in domains)
        for domain, level, count in zip(domains, levels, counts):
            if level >= count:
                raise InvalidArgument(
                    f"implies() names {self.combination[domain.name]!r}, an invalid value of {domain.name!r}; rows "
                    "with an invalid value need not meet constraints. Use forbid(...) to keep it away from other values"
                )
        forbidden[levels] = False
        return forbidden

    def _level(self, domain: Domain) -> int:
        try:
            return domain.level(self.combination[domain.name])
        except InvalidArgument as error:
            raise InvalidArgument(f"constraint {self.name}: {error}") from None


class Forbidden(_Exactly):
    """One forbidden combination; unlike other constraints it may name invalid values."""

    def __init__(self, combination: Mapping[str, Any]) -> None:
        if not isinstance(combination, Mapping) or not combination:
            raise InvalidArgument(
                f"{combination!r} is not a combination to forbid; name at least one column, for example os='linux'"
            )
        super().__init__(combination, f"forbid({_shown(combination)})")

    def evaluate(self, domains: Sequence[Domain], counts: Sequence[int]) -> NDArray[np.bool_]:
        return ~super().evaluate(domains, counts)

    def table(self, domains: Sequence[Domain]) -> NDArray[np.bool_]:
        forbidden = np.zeros([domain.size for domain in domains], dtype=np.bool_)
        forbidden[tuple(self._level(domain) for domain in domains)] = True
        return forbidden


class _Implication(Constraint):
    """Two constraints, the second of which must hold only if the first does; each is evaluated on its own
    columns."""

    def __init__(self, condition: Constraint, consequence: Constraint) -> None:
        self.parts = (condition, consequence)
        reads = tuple(dict.fromkeys(condition.reads + consequence.reads))
        super().__init__(_never_called, reads, f"{condition.name} implies {consequence.name}")

    def used(self, names: Sequence[str]) -> tuple[str, ...]:
        super().used(names)  # a misspelt name is an error of the whole
        return tuple(dict.fromkeys(name for part in self.parts for name in part.used(names)))

    def evaluate(self, domains: Sequence[Domain], counts: Sequence[int]) -> NDArray[np.bool_]:
        condition, consequence = (self._spread(part, domains, counts) for part in self.parts)
        return ~condition & consequence

    def _spread(
        self, part: Constraint, domains: Sequence[Domain], counts: Sequence[int]
    ) -> NDArray[np.bool_]:
        """What a part forbids, as a table over all columns of both parts."""
        names = [domain.name for domain in domains]
        axes = [names.index(name) for name in part.used(names)]
        forbidden = part.evaluate([domains[a] for a in axes], [counts[a] for a in axes])
        shape = [count if axis in axes else 1 for axis, count in enumerate(counts)]
        return np.broadcast_to(forbidden.transpose(np.argsort(axes)).reshape(shape), counts)


def forbid(**combination: Any) -> Constraint:
    """A combination that no row may contain.

    >>> forbid(os="linux", browser="safari")
    <constraint forbid(os='linux', browser='safari')>
    """
    return Forbidden(combination)


def implies(condition: Condition, consequence: Condition) -> Constraint:
    """If the condition holds, the consequence must hold too; each is a predicate or a mapping of columns to
    values.

    >>> implies({"os": "windows"}, lambda fs: fs in ("ntfs", "fat")).reads
    ('os', 'fs')
    """
    return _Implication(_as_constraint(condition, "condition"), _as_constraint(consequence, "consequence"))


def constraint(name: str) -> Callable[[Predicate], Constraint]:
    """Decorator that gives a predicate a name, for error messages.

    >>> @constraint("safari runs on a mac")
    ... def safari(os, browser):
    ...     return browser != "safari" or os == "mac"
    >>> safari
    <constraint safari runs on a mac>
    """
    if not isinstance(name, str):
        raise InvalidArgument("constraint(...) takes a name; write @constraint('a description')")
    return lambda predicate: Constraint(predicate, name=name)


def as_constraints(given: Any) -> tuple[Constraint, ...]:
    """The ``constraints=`` argument of a model, checked."""
    if isinstance(given, Constraint | Mapping) or callable(given):
        given = [given]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InvalidArgument(f"constraints is {given!r}; write a list of constraints")
    found: list[Constraint] = []
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
        if not given:
            raise InvalidArgument(f"the {role} of implies() is empty; name at least one column")
        return _Exactly(given, _shown(given))
    if callable(given):
        return Constraint(given)
    raise InvalidArgument(f"the {role} of implies() is {given!r}; write a function or a mapping of values")


def _never_called(**_: Any) -> bool:
    raise AssertionError("this constraint is known from its tables")


def _shown(combination: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in combination.items())


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


def _names(reads: Iterable[str]) -> tuple[str, ...]:
    names = () if isinstance(reads, str) else as_sequence("reads", reads)
    if not all(isinstance(name, str) for name in names) or isinstance(reads, str):
        raise InvalidArgument(
            f"reads is {reads!r}; write the names of columns, for example reads=['os', 'browser']"
        )
    return names


def _name_of(predicate: Predicate, reads: Sequence[str]) -> str:
    name = getattr(predicate, "__name__", type(predicate).__name__)
    if name != "<lambda>":
        return str(name)
    code = predicate.__code__
    return f"lambda {', '.join(reads)} ({Path(code.co_filename).name}:{code.co_firstlineno})"
