"""The promise of a generator as functions: its translation, and the user's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.types import Value
from everycase.complete.language.values import size_of, to_python
from everycase.complete.specification import PredicateFailed

#: Arguments, then a value.
Case = tuple[Value, ...]


class Specified:
    """The promise of a generator as a function; an error says where it has no answer."""

    def __init__(self, generator: Generator, evaluator: Evaluator) -> None:
        self.generator = generator
        params = generator.params
        self._requires = evaluator.compile(params, generator.requires)
        self._covers = evaluator.compile((*params, generator.value), generator.covers)

    def requires(self, *args: Value) -> bool:
        """Are these arguments allowed? A condition that raises is an error in the specification."""
        try:
            return bool(self._requires(*args))
        except (IndexError, TypeError, RecursionError) as error:
            g = self.generator
            shown = tuple(to_python(p.type, a) for p, a in zip(g.params, args))
            raise PredicateFailed(
                f"requires of {g.name} {_what_happens(error)} for the arguments {shown!r}; it must answer True or "
                "False for all arguments of their types"
            ) from None

    def covers(self, *args: Value) -> bool:
        """Arguments, then the value; a predicate that raises is an error in the specification."""
        try:
            return bool(self._covers(*args))
        except (IndexError, TypeError, RecursionError) as error:
            g = self.generator
            shown = [to_python(p.type, a) for p, a in zip((*g.params, g.value), args)]
            raise PredicateFailed(
                f"the predicate of {g.name} {_what_happens(error)} for the value {shown[-1]!r} and the arguments "
                f"{tuple(shown[:-1])!r}; a predicate must answer True or False for every value of its type"
            ) from None


def _what_happens(error: Exception) -> str:
    return "does not terminate" if isinstance(error, RecursionError) else f"raises {type(error).__name__}"


def size_of_case(generator: Generator, case: Case) -> int:
    """Smaller is easier to read: both the value and the arguments count."""
    kinds = [*(p.type for p in generator.params), generator.result]
    return sum(size_of(k, v) for k, v in zip(kinds, case))


def native_case(generator: Generator, case: Case) -> tuple[dict[str, Any], Any]:
    """Arguments and value as the user's Python objects."""
    arguments = {p.data: to_python(p.type, v) for p, v in zip(generator.params, case)}
    return arguments, to_python(generator.result, case[-1])


def natively_valid(generator: Generator, case: Case, made: bool = False) -> bool:
    """Ask the user's own functions, not their translation; they must have an answer for what is ``made``."""
    generator.program.clock.check()  # each call may take long
    arguments, value = native_case(generator, case)
    given = generator.specification
    try:
        if given.requires is not None and not ask(given.requires, (), arguments):
            return False
        return bool(ask(given.predicate, (value,), arguments))
    except KeyError:  # a dictionary without a key that the predicate looks up
        return False
    except Exception as error:
        if generator.program.lenient and not made and not isinstance(error, RecursionError):
            generator.program.unanswered.append(
                f"the predicate raises {type(error).__name__} for {value!r}, so such values count as invalid"
            )
            return False
        raise PredicateFailed(
            f"the specification of {generator.name} raises {type(error).__name__}: {error} "
            f"for the value {value!r} and the arguments {arguments!r}"
        ) from error


def ask(function: Callable[..., Any], first: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
    spots = list(inspect.signature(function).parameters.values())[len(first) :]
    if all(p.name in arguments for p in spots):
        named = {p.name: arguments[p.name] for p in spots if p.kind is p.KEYWORD_ONLY}
        return function(*first, *(arguments[p.name] for p in spots if p.name not in named), **named)
    return function(*first, *arguments.values())
