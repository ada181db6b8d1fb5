"""Every exception that everycase raises on purpose, under one base class.

Catch :class:`EverycaseError` to catch them all. Each class stands for one kind of mistake or one kind of
verdict, so that tests and tools can tell them apart without reading the message.
"""

from __future__ import annotations


class EverycaseError(Exception):
    """Base of all exceptions raised by everycase."""


class EverycaseWarning(UserWarning):
    """Something is not as it should be, but the run goes on: a store that cannot be written, for example."""


# --- mistakes in a call ---------------------------------------------------------------------------------


class InvalidArgument(EverycaseError, ValueError):
    """A call got an argument that makes no sense; the message names it and says what to write instead."""


class ContradictoryConstraints(InvalidArgument):
    """Constraints that no row can meet together; ``conflict`` names a minimal set of them."""

    def __init__(self, conflict: list[str]) -> None:
        self.conflict = tuple(conflict)
        super().__init__(
            "no row meets all constraints; these cannot hold together: "
            + "; ".join(self.conflict)
            + ". Drop or weaken one of them"
        )


class InvalidDefinition(InvalidArgument):
    """A state machine that cannot be run: no rules, a bundle that no rule fills, a method that is two things at once."""


class OutsideRun(EverycaseError, RuntimeError):
    """``assume``, ``note``, ``event``, ``maximize`` ... were called while no property was running."""


class MissingExtra(EverycaseError, ImportError):
    """A feature needs an optional dependency that is not installed; the message names the extra."""


# --- what a generator cannot do -------------------------------------------------------------------------


class GeneratorError(EverycaseError):
    """A generator cannot make a value: it has no base case, never passes its filter, or is used wrongly."""


class NotCountable(GeneratorError, TypeError):
    """Counting or indexing was asked of a generator that does not count its values (see docs: enumeration)."""


class NotInvertible(GeneratorError, TypeError):
    """A value cannot be traced back to the choices that make it (a ``map`` without ``inverse=``)."""


class NoSuchValue(GeneratorError, LookupError):
    """A value that this generator does not make was given to ``index`` or the like."""


class Untrusted(EverycaseError):
    """A predicate answers differently on half-decided values than on real ones, so it cannot be used for pruning; the
    message says what was seen and what to write instead."""


# --- control flow of a run ------------------------------------------------------------------------------


class Discarded(EverycaseError):
    """The current test case does not count: ``assume(False)``, or a filter that found nothing."""


class FailedAssumption(Discarded):
    """``assume`` or ``reject`` said so. In a composite it is drawn again a few times before the whole input is given up."""

    tried = False


class TooManyDraws(Discarded):
    """One input took too many draws: its generator is taken to draw without end."""


class DoesNotFit(EverycaseError):
    """A recorded trace does not fit the generator it is replayed on."""


# --- verdicts of a run ----------------------------------------------------------------------------------


class BrokenException(EverycaseError):
    """A test raised an exception whose attributes cannot be read, so that it cannot be shown. Raised in its place."""


class PropertyFalse(EverycaseError, AssertionError):
    """A property returned False."""


class NoSuchExample(EverycaseError, AssertionError):
    """``find`` or ``exists`` found no value that satisfies the predicate."""


class WitnessFound(EverycaseError, AssertionError):
    """``not_exists`` found a value that satisfies the predicate."""


class NotLinearizable(EverycaseError, AssertionError):
    """What threads or tasks did at the same time cannot have been done in any order, one after the other."""


class GaveUp(EverycaseError):
    """Too few test cases were valid for a run to say anything."""


class LabelTooRare(EverycaseError, AssertionError):
    """A label that ``classify(..., at_least=...)`` demands comes up less often than that."""


class Flaky(EverycaseError):
    """A test failed, and passed when it was run again on the same input."""


class HealthCheckFailed(EverycaseError):
    """Something about the test makes a run useless or very slow; the message says what to do about it."""


class DeadlineExceeded(EverycaseError):
    """One test case took longer than the ``deadline`` setting allows."""


class CannotReproduce(EverycaseError):
    """A blob given to ``reproduce`` is damaged, of another version, or does not fit the test any more."""


class CampaignProblem(EverycaseError):
    """A campaign cannot begin or go on: its folder, its workers or its targets are not as they must be. Nothing is lost."""


def missing_extra(extra: str, what: str) -> MissingExtra:
    """The one line to show when an optional dependency is absent.

    >>> print(missing_extra("cli", "the command line"))
    the command line needs an optional dependency: pip install 'everycase[cli]'
    """
    return MissingExtra(f"{what} needs an optional dependency: pip install 'everycase[{extra}]'")


# --- the names of hypothesis.errors ---------------------------------------------------------------------------

HypothesisException = EverycaseError
HypothesisWarning = EverycaseWarning
HypothesisDeprecationWarning = EverycaseWarning
NonInteractiveExampleWarning = EverycaseWarning
HypothesisSideeffectWarning = EverycaseWarning
SmallSearchSpaceWarning = EverycaseWarning
NonRoundTrippableCharactersWarning = EverycaseWarning
FailedHealthCheck = HealthCheckFailed
Unsatisfiable = GaveUp
UnsatisfiedAssumption = Discarded
DidNotReproduce = CannotReproduce
FlakyFailure = Flaky
FlakyReplay = Flaky
FlakyStrategyDefinition = Flaky
ResolutionFailed = InvalidArgument
InvalidState = OutsideRun

#: What Hypothesis' engine and its backends raise among themselves. Nothing here raises them; they can be caught.
_OF_THE_ENGINE = (
    "BackendCannotProceed",
    "CannotInvert",
    "ChoiceTooLarge",
    "FlakyBackendFailure",
    "Found",
    "Frozen",
    "RewindRecursive",
    "StopTest",
)


def __getattr__(name: str) -> type[EverycaseError]:
    if name in _OF_THE_ENGINE:
        return type(
            name, (EverycaseError,), {"__module__": __name__, "__doc__": "Never raised by everycase."}
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
