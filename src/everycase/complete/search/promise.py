"""The promise of a generator as functions that run."""

from __future__ import annotations

from everycase.complete.frontend.program import Generator
from everycase.complete.language.evaluate import Evaluator
from everycase.complete.language.types import Value
from everycase.complete.language.values import to_python
from everycase.complete.specification import PredicateFailed


class Specified:
    """The promise of a generator as a function, an error says where it has no answer."""

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
