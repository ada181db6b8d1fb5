"""The only module that uses private names of Hypothesis.

Everything that may change between versions of Hypothesis is here: the names of its classes and attributes,
how its engine is driven, where a test keeps its strategies. ``tests/bridges/hypothesis/test_private.py``
checks each of them, on the oldest supported version and on the newest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from everycase.errors import missing_extra

try:
    import hypothesis
except ImportError:
    raise missing_extra("hypothesis", "the bridge to Hypothesis") from None

from hypothesis import strategies as st
from hypothesis.control import BuildContext, _current_build_context
from hypothesis.errors import StopTest, UnsatisfiedAssumption
from hypothesis.internal.conjecture.choice import choice_permitted
from hypothesis.internal.conjecture.data import ConjectureData, Status
from hypothesis.internal.conjecture.providers import HypothesisProvider, PrimitiveProvider
from hypothesis.reporting import with_reporter
from hypothesis.strategies._internal.deferred import DeferredStrategy
from hypothesis.strategies._internal.lazy import LazyStrategy
from hypothesis.utils.conventions import not_set

__all__ = [
    "ConjectureData",
    "HypothesisProvider",
    "PrimitiveProvider",
    "Status",
    "StopTest",
    "UnsatisfiedAssumption",
    "hypothesis",
    "not_set",
    "st",
]

Strategy = st.SearchStrategy[Any]


class StrategyCall(NamedTuple):
    """A strategy as the call of a public function that made it, and the maps and filters on top."""

    name: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    transformations: tuple[tuple[str, Callable[[Any], Any]], ...]


def call_of(strategy: Strategy) -> StrategyCall | None:
    """The call behind a strategy, if it was made by a function of Hypothesis itself (or by user code under
    ``composite``: then the name is empty)."""
    if not isinstance(strategy, LazyStrategy):
        return None
    function = strategy.function
    own = str(getattr(function, "__module__", "")).startswith("hypothesis.")
    return StrategyCall(
        function.__name__ if own else "",
        tuple(getattr(strategy, "_LazyStrategy__args")),  # noqa: B009 (mangled otherwise)
        dict(getattr(strategy, "_LazyStrategy__kwargs")),  # noqa: B009
        transformations_of(strategy),
    )


def transformations_of(strategy: Strategy) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The maps and filters that a strategy stores. Newer versions also remember where each was written."""
    return tuple((each[0], each[1]) for each in getattr(strategy, "_transformations", ()))


def unwrapped(strategy: Strategy) -> Strategy:
    """The result of a call, without the maps and filters on top of it."""
    assert isinstance(strategy, LazyStrategy)
    call = call_of(strategy)
    assert call is not None
    if not call.transformations:
        return strategy.wrapped_strategy
    return LazyStrategy(strategy.function, call.args, dict(call.kwargs)).wrapped_strategy


def is_deferred(strategy: Strategy) -> bool:
    return isinstance(strategy, DeferredStrategy)


def definition_of(strategy: Strategy) -> Strategy:
    """The definition of a deferred strategy."""
    result: Strategy = strategy.wrapped_strategy  # type: ignore[attr-defined]
    return result


# --- driving the engine ----------------------------------------------------------------------------------------


def _no_test() -> None:
    """A placeholder for the test if there is none."""


@contextmanager
def building(data: ConjectureData | None = None) -> Iterator[Any]:
    """What ``assume``, ``event`` and the like of Hypothesis need around them."""
    data = ConjectureData(random=Random(0)) if data is None else data
    with BuildContext(data, wrapped_test=_no_test) as context:
        yield context


@contextmanager
def allowing_assume() -> Iterator[None]:
    """Let a function that was written for Hypothesis call ``assume``; cheap, because every draw of a
    composite pays for it."""
    if _current_build_context.value is not None:
        yield
        return
    with _current_build_context.with_value(_somewhere()):
        yield


_context: list[Any] = []


def _somewhere() -> Any:
    if not _context:
        _context.append(BuildContext(ConjectureData(random=Random(0)), wrapped_test=_no_test))
    return _context[0]


def draw_with(provider: PrimitiveProvider, strategy: Strategy) -> Any:
    """One value of a strategy whose choices a provider makes. ``StopTest`` or ``UnsatisfiedAssumption`` if there is none."""
    data = ConjectureData(random=Random(0), provider=provider)
    with building(data):
        return data.draw(strategy)


def current_data() -> ConjectureData | None:
    """The test case that is being made or run, if any."""
    context = _current_build_context.value
    return None if context is None else context.data


def permitted(kind: str, value: Any, constraints: dict[str, Any]) -> bool:
    """Whether a value is allowed for a choice."""
    if kind == "boolean":
        return bool(choice_permitted(bool(value), constraints))  # type: ignore[arg-type]
    return bool(choice_permitted(value, constraints))  # type: ignore[arg-type]


# --- tests under hypothesis.given --------------------------------------------------------------------------------


class GivenTest(NamedTuple):
    """What is known of a test under ``hypothesis.given``."""

    inner: Callable[..., Any]
    strategies: dict[str, Strategy]
    settings: Any
    examples: list[Any]
    seed: Any
    reproduces: bool


def given_test(function: Any) -> GivenTest | None:
    """The parts of a test under ``hypothesis.given``; None if it is not one, or its parts cannot be seen."""
    handle = getattr(function, "hypothesis", None)
    strategies = getattr(handle, "_given_kwargs", None)
    if not getattr(function, "is_hypothesis_test", False) or strategies is None:
        return None
    return GivenTest(
        handle.inner_test,  # type: ignore[union-attr]
        dict(strategies),
        getattr(function, "_hypothesis_internal_use_settings", None) or hypothesis.settings.default,
        list(reversed(getattr(function, "hypothesis_explicit_examples", ()))),
        getattr(function, "_hypothesis_internal_use_seed", None),
        getattr(function, "_hypothesis_internal_use_reproduce_failure", None) is not None,
    )


class Said:
    """The reports of a test: Hypothesis' ``event``, ``target`` and ``note`` write them here."""

    def __init__(self) -> None:
        self._data = ConjectureData(random=Random(0))
        self.notes: list[str] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Run one test case inside."""
        self.notes.clear()
        self._data.events = {}
        self._data.target_observations = {}
        with BuildContext(self._data, is_final=True, wrapped_test=_no_test), with_reporter(self._hear):
            yield

    def _hear(self, text: object) -> None:
        self.notes.append(str(text))

    @property
    def events(self) -> dict[str, Any]:
        return dict(self._data.events)

    @property
    def targets(self) -> dict[str, float]:
        return dict(self._data.target_observations)


def has_executor(instance: Any) -> bool:
    """Whether a test class defines itself how its test cases are run."""
    return any(hasattr(instance, name) for name in ("execute_example", "setup_example", "teardown_example"))
