"""Every exception that everycase raises on purpose, under one base class.

Catch :class:`EverycaseError` to catch them all. Each class stands for one kind of error or one kind of
verdict, so that tests and tools can distinguish them without reading the message.
"""

from __future__ import annotations


class EverycaseError(Exception):
    """Base class of all exceptions raised by everycase."""


class EverycaseWarning(UserWarning):
    """Something is wrong, but the run continues: a store that cannot be written, for example."""


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
    """A state machine that cannot be run: it has no rules, a bundle that no rule fills, or a method with two
    roles."""


class OutsideRun(EverycaseError, RuntimeError):
    """``assume``, ``note``, ``event``, ``maximize`` ... were called while no property was running."""


class MissingExtra(EverycaseError, ImportError):
    """A feature needs an optional dependency that is not installed; the message names the extra."""


# --- what a generator cannot do -------------------------------------------------------------------------


class GeneratorError(EverycaseError):
    """A generator cannot make a value: it has no base case, never passes its filter, or is used wrongly."""


class NotCountable(GeneratorError, TypeError):
    """The values of a generator cannot be counted or indexed (see docs: enumeration)."""


class NotInvertible(GeneratorError, TypeError):
    """A value cannot be traced back to the choices that make it (a ``map`` without ``inverse=``)."""


class NoSuchValue(GeneratorError, LookupError):
    """``index`` or a similar method got a value that this generator does not make."""


class Untrusted(EverycaseError):
    """A predicate answers differently on half-decided values than on real ones, so it cannot be used for
    pruning. The message says what was seen and what to write instead."""


# --- control flow of a run ------------------------------------------------------------------------------


class Discarded(EverycaseError):
    """The current test case is discarded: ``assume(False)``, or a filter that found nothing."""


class FailedAssumption(Discarded):
    """Raised by ``assume`` or ``reject``. A composite is drawn again a few times before the whole input is
    discarded."""

    tried = False


class FailedPrecondition(Discarded):
    """A precondition given to ``where`` rejects the input before the test sees it."""


class TooManyDraws(Discarded):
    """One input took too many draws; its generator is assumed to draw without end."""


class DoesNotFit(EverycaseError):
    """A recorded trace does not fit the generator it is replayed on."""


# --- verdicts of a run ----------------------------------------------------------------------------------


class BrokenException(EverycaseError):
    """Raised instead of an exception whose attributes cannot be read, so that it cannot be shown."""


class PropertyFalse(EverycaseError, AssertionError):
    """A property returned False."""


class NoSuchExample(EverycaseError, AssertionError):
    """``find`` or ``exists`` found no value that satisfies the predicate."""


class WitnessFound(EverycaseError, AssertionError):
    """``not_exists`` found a value that satisfies the predicate."""


class NotLinearizable(EverycaseError, AssertionError):
    """No order of the calls of threads or tasks, one after the other, explains their results."""


class GaveUp(EverycaseError):
    """Too few test cases were valid for a verdict."""


class LabelTooRare(EverycaseError, AssertionError):
    """A label comes up less often than ``classify(..., at_least=...)`` demands."""


class Flaky(EverycaseError):
    """A test failed, and passed when it was run again on the same input."""


class HealthCheckFailed(EverycaseError):
    """Something about the test makes a run useless or very slow; the message says what to do about it."""


class DeadlineExceeded(EverycaseError):
    """One test case took longer than the ``deadline`` setting allows."""


class CannotReproduce(EverycaseError):
    """A blob given to ``reproduce`` is damaged, of another version, or no longer fits the test."""


class CampaignProblem(EverycaseError):
    """A campaign cannot start or continue because of its folder, its workers or its targets. Nothing is
    lost."""


def missing_extra(extra: str, what: str) -> MissingExtra:
    """The message for a missing optional dependency.

    >>> print(missing_extra("cli", "the command line"))
    the command line needs the extra cli: pip install '.[cli]' in a checkout of everycase
    """
    return MissingExtra(
        f"{what} needs the extra {extra}: pip install '.[{extra}]' in a checkout of everycase"
    )


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

#: Exceptions of Hypothesis' engine and its backends. Nothing here raises them; they exist so that they can be
#: caught.
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
