"""Settings of a run, as a value: ``settings(max_examples=100)`` is also the decorator that attaches it to a test.

Only explicitly given settings are stored. At run time the layers are put on top of each other: the defaults,
the current profile, the command line, the test's own decorators, the arguments of ``check``.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Never, TypeVar
from warnings import warn

from everycase.choices.dice import FULL_SIZE, LARGEST_SIZE
from everycase.errors import EverycaseWarning, InvalidArgument
from everycase.explore.protocol import Explorer
from everycase.gen.base import Gen
from everycase.gen.validate import refuse_bare, require_bool, require_int, require_real, require_seed
from everycase.run.host import current_host

if TYPE_CHECKING:
    from concurrent.futures import Executor

#: Minimum and maximum number of tests in a run by default.
ENOUGH, USUAL_TESTS = 100, 1000

#: A guess of how many tests fit into a second, for explorers that plan ahead.
TESTS_PER_SECOND = 2000

F = TypeVar("F", bound=Callable[..., Any])


class Phase(Enum):
    """The parts of a run."""

    explicit = "explicit"  #: the inputs given by ``@example``
    reuse = "reuse"  #: failures remembered from earlier runs
    explore = "explore"  #: the search for new failures
    generate = "explore"  # noqa: PIE796 (the same, as Hypothesis calls it)
    target = "target"  #: letting ``maximize`` and ``minimize`` guide the default explorer
    shrink = "shrink"  #: making failures small
    explain = "explain"  #: saying which parts of a failure do not matter


class HealthCheck(Enum):
    """Problems that make testing useless or slow, which a run reports as errors."""

    too_slow = "too_slow"
    too_much_discarded = "too_much_discarded"
    too_large = "too_large"
    never_ran = "never_ran"  #: a rule of a state machine whose precondition never holds
    # The names of Hypothesis for the same ...
    filter_too_much = "too_much_discarded"  # noqa: PIE796
    data_too_large = "too_large"  # noqa: PIE796
    # ... and for what is not a problem here: fixtures and instances are renewed for every test case, the
    # simplest input may be large, and runs may be nested.
    large_base_example = "large_base_example"
    function_scoped_fixture = "function_scoped_fixture"
    differing_executors = "differing_executors"
    nested_given = "nested_given"
    return_value = "return_value"
    not_a_test_method = "not_a_test_method"

    @classmethod
    def all(cls) -> list[HealthCheck]:
        """All of them; the same as ``list(HealthCheck)``."""
        return list(cls)


class Verbosity(Enum):
    """How much output a run produces."""

    quiet = 0
    normal = 1
    verbose = 2  #: shows every test case
    debug = 3  #: the same


@dataclass(frozen=True)
class Resolved:
    """All settings of one run, each with a value."""

    max_examples: int = USUAL_TESTS
    max_seconds: float | None = None
    explore: Explorer | None = None  # None is Auto()
    seed: int | None = None
    derandomize: bool = False
    deadline: float | None = None  # milliseconds
    database: Any = ...  # the environment variable, else the project's own store
    executor: Executor | None = None
    verbosity: Verbosity = Verbosity.normal
    suppress_health_check: tuple[HealthCheck, ...] = ()
    phases: tuple[Phase, ...] = tuple(Phase)
    print_blob: bool = True
    statistics: bool = False
    observe: bool | str = False
    goals: bool = True
    keep_utility: bool | float | Mapping[str, float] = False
    report_multiple_bugs: bool = True
    stateful_step_count: int = 50
    size: int = FULL_SIZE
    backend: str = "everycase"
    limited: bool = False  # not a setting of its own: whether max_examples was given

    @property
    def planned(self) -> int:
        """How many tests an explorer should plan for; if only seconds are given, a rough guess."""
        if self.limited or self.max_seconds is None:
            return self.max_examples
        return max(USUAL_TESTS, int(TESTS_PER_SECOND * self.max_seconds))

    @property
    def demanded(self) -> int | None:
        """How many tests the run makes if the settings say so; None if seconds or the run itself decide."""
        return self.max_examples if self.limited and self.max_seconds is None else None


NAMES = tuple(field.name for field in fields(Resolved) if field.name != "limited")

_UNSET: Any = object()


class _Profiles(type):
    """The attributes of the class ``settings`` itself."""

    @property
    def default(cls) -> settings:
        """The current profile."""
        return settings.get_profile(settings.get_current_profile_name())


class settings(metaclass=_Profiles):  # noqa: N801 (a decorator, named as in Hypothesis)
    """Settings for one test, or a profile of settings.

    ``max_examples``: maximum number of test cases. By default at least 100, and up to 1,000 while they fit
    into about a second (all 1,000 if the seed is fixed: with ``seed``, ``derandomize``, and on build
    servers).
    ``max_seconds``: run for this long, however many tests that are; with ``max_examples``, until either limit
    is reached.
    ``explore``: the explorer, such as ``Random()`` or ``Exhaustive()``; by default ``Auto()`` chooses.
    ``seed``: the random seed; by default a new one for every run.
    ``derandomize``: take the seed from the name of the test (the default if the variable CI is set).
    ``deadline``: milliseconds (or a timedelta) that one test case may take.
    ``database``: where failures are remembered: a path, a store, or None for nowhere.
    ``executor``: a ``concurrent.futures.Executor`` whose workers run most of the tests; the result is that of
    one process.
    ``suppress_health_check``: health checks to skip, such as ``[HealthCheck.too_slow]``.
    ``phases``: the parts of a run, as a list of ``Phase`` members.
    ``print_blob``: whether a failure shows the blob that reproduces it.
    ``keep_utility``: whether shrinking keeps the utilities of ``maximize`` and ``minimize`` as bad as they
    were found, or beyond a given bound (one for all labels, or a dict of them). The report then shows how bad
    it gets, not the threshold at which it begins to fail.
    ``statistics``: whether sizes of the inputs are measured (slower).
    ``goals``: whether a test that does not call ``maximize`` or ``minimize`` is also searched by how far the
    numbers that its assertions compare are from failing.
    ``observe``: whether every test is recorded: one line of JSON each, in the format of Hypothesis and Tyche,
    in the directory ``.everycase/observed`` or in the one given here. The report then has more data
    (``report.tally``, ``report.utilities``).
    ``stateful_step_count``: maximum number of steps in a run of a state machine.
    ``size``: how large sampled inputs become if their generators set no bound: at most about this number of
    elements, or nodes of a recursive value (150). Small inputs stay frequent, because sizes are spread over
    the orders of magnitude.
    ``verbosity``: ``Verbosity.verbose`` shows every test case.
    ``report_multiple_bugs``: whether a run searches a little further for other failures, and reports each.
    ``backend``: how Hypothesis picks inputs. Accepted for compatibility, but without effect: use ``explore``.

    Each setting can be read as an attribute, which is its current value.

    >>> settings(max_examples=10, seed=1)
    settings(max_examples=10, seed=1)
    >>> settings(max_examples=10).max_examples
    10
    """

    #: named sets of settings; "default" is what everycase ships, "ci" is for build servers
    profiles: ClassVar[dict[str, settings]] = {}
    #: the name of the current profile
    profile: ClassVar[str] = "default"
    #: what is wrong with these settings, to be reported at the test that they belong to
    _mistake: InvalidArgument | None = None

    def __init__(
        self,
        parent: settings | None = None,
        *,
        max_examples: int = _UNSET,
        max_seconds: float | None = _UNSET,
        explore: Explorer | None = _UNSET,
        seed: int | None = _UNSET,
        derandomize: bool = _UNSET,
        deadline: float | timedelta | None = _UNSET,
        database: Any = _UNSET,
        executor: Executor | None = _UNSET,
        verbosity: Verbosity = _UNSET,
        suppress_health_check: Iterable[HealthCheck] = _UNSET,
        phases: Iterable[Phase] = _UNSET,
        print_blob: bool = _UNSET,
        statistics: bool = _UNSET,
        observe: bool | str | os.PathLike[str] = _UNSET,
        goals: bool = _UNSET,
        keep_utility: bool | float | Mapping[str, float] = _UNSET,
        report_multiple_bugs: bool = _UNSET,
        stateful_step_count: int = _UNSET,
        size: int = _UNSET,
        backend: str = _UNSET,
        **unknown: Never,
    ) -> None:
        refuse_bare("settings", "settings(max_examples=200)", parent)
        given = {name: value for name, value in locals().items() if name in NAMES and value is not _UNSET}
        self.given: dict[str, Any] = {}
        try:
            self._read(parent, given, unknown)
        except InvalidArgument as problem:
            if not current_host().collecting:
                raise
            self._mistake = problem

    def _read(self, parent: settings | None, given: Mapping[str, Any], unknown: Mapping[str, object]) -> None:
        _refuse_unknown(unknown)
        if parent is not None and not isinstance(parent, settings):
            if type(parent).__module__.startswith("hypothesis"):
                raise InvalidArgument(
                    "parent is a settings object of Hypothesis; write from everycase import settings, and give it the same "
                    "arguments"
                )
            raise InvalidArgument(f"parent must be a settings(...) object, not {parent!r}")
        if parent is not None:
            self.given.update(parent.checked().given)
        self.given.update((name, _checked(name, value)) for name, value in given.items())

    def checked(self) -> settings:
        """These settings; raises if something is wrong with them that has not been reported yet."""
        if self._mistake is not None:
            raise self._mistake
        return self

    def __call__(self, test: F) -> F:
        """Attach these settings to a test (above or below ``@given``)."""
        from everycase.run.property import mistaken, spec_of

        spec = spec_of(test, "settings(...)")
        if self._mistake is not None:
            return mistaken(test, self._mistake)
        # The decorator that is applied last is the topmost, where the reader looks first. It wins.
        spec.settings = settings.combine(spec.settings, self)
        return test

    def __repr__(self) -> str:
        return f"settings({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"

    def __getattr__(self, name: str) -> Any:
        if name in NAMES:
            return getattr(self.resolve(), name)
        raise AttributeError(f"settings has no attribute {name!r}")

    def resolve(self) -> Resolved:
        """These settings on top of the command line, the current profile and the defaults."""
        self.checked()
        host = current_host()
        profile = settings.profiles[host.profile or settings.profile]
        defaults = Resolved(derandomize=bool(os.environ.get("CI")), observe=_observed_by_default())
        given = {**profile.given, **host.options, **self.given}
        limited = "max_examples" in given
        if not limited and given.get("max_seconds") is not None:
            given["max_examples"] = sys.maxsize  # only the seconds count
        return replace(defaults, **given, limited=limited)

    @staticmethod
    def combine(*layers: settings) -> settings:
        """Merge several layers; later ones win."""
        result = settings()
        for layer in layers:
            result.given.update(layer.checked().given)
        return result

    @staticmethod
    def from_keywords(given: dict[str, Any], parent: settings | None = None) -> settings:
        """Settings from a dictionary; an unknown name raises an error that suggests the closest name."""
        if "parent" in given:
            raise InvalidArgument("parent is no setting of a run; write settings(parent, ...) as a decorator")
        return settings(parent, **given)

    @staticmethod
    def register_profile(name: str, parent: settings | None = None, **given: Any) -> None:
        """Name a set of settings, usually in conftest.py.

        >>> settings.register_profile("thorough", max_examples=100_000)
        """
        if not isinstance(name, str):
            raise InvalidArgument(f"name must be a string, not {name!r}")
        settings.profiles[name] = settings.from_keywords(given, parent).checked()

    @staticmethod
    def get_profile(name: str) -> settings:
        """A profile by its name.

        >>> settings.get_profile("ci").derandomize
        True
        """
        _require_profile(name)
        return settings.profiles[name]

    @staticmethod
    def get_current_profile_name() -> str:
        """The name of the current profile."""
        return current_host().profile or settings.profile

    @staticmethod
    def load_profile(name: str) -> None:
        """Make a profile the current one for all runs of this process."""
        _require_profile(name)
        settings.profile = name


#: The environment variable that switches observing on: 1, or a directory.
OBSERVE = "EVERYCASE_OBSERVE"


def _observed_by_default() -> bool | str:
    given = os.environ.get(OBSERVE, "")
    if given.lower() in ("", "0", "false", "no", "off"):
        return False
    return True if given.lower() in ("1", "true", "yes", "on") else given


def _checked_observe(value: Any) -> bool | str:
    if isinstance(value, bool):
        return value
    if isinstance(value, str | os.PathLike) and os.fspath(value):
        return str(os.fspath(value))
    raise InvalidArgument(f"observe must be True, False or a directory to write into, not {value!r}")


def _require_profile(name: object) -> None:
    if not isinstance(name, str) or name not in settings.profiles:
        raise InvalidArgument(
            f"there is no profile {name!r}; registered are {', '.join(sorted(settings.profiles))}"
        )


def _refuse_unknown(names: Iterable[str]) -> None:
    """An error that suggests the closest name."""
    for name in names:
        near = get_close_matches(name, NAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise InvalidArgument(f"{name!r} is not a setting; {hint}")


def _checked(name: str, value: Any) -> Any:
    """The value of one setting, normalised; an error that names the setting if it makes no sense."""
    match name:
        case "max_examples" | "stateful_step_count":
            require_int(name, value)
            if value < 1:
                raise InvalidArgument(f"{name}={value} must be at least 1")
        case "size":
            require_int(name, value)
            if not 1 <= value <= LARGEST_SIZE:
                raise InvalidArgument(f"size={value} must be from 1 to {LARGEST_SIZE:,}")
        case "backend":
            _check_backend(value)
        case "max_seconds" | "deadline":
            if isinstance(value, timedelta):
                value = value.total_seconds() * (1000 if name == "deadline" else 1)
            if value is not None and (
                isinstance(value, bool) or not isinstance(value, int | float) or not value > 0
            ):
                raise InvalidArgument(f"{name} must be a positive number or None, not {value!r}")
        case "seed":
            require_seed(value)
        case "keep_utility":
            if not isinstance(value, bool):
                _check_bounds(name, value)
        case "derandomize" | "print_blob" | "statistics" | "goals" | "report_multiple_bugs":
            require_bool(name, value)
        case "observe":
            return _checked_observe(value)
        case "explore":
            if value is not None and not isinstance(value, Explorer):
                hint = f"; did you mean {value.__name__}()?" if isinstance(value, type) else ""
                raise InvalidArgument(f"explore must be an explorer such as Random(), not {value!r}{hint}")
        case "verbosity":
            value = _namesake(value, Verbosity)
            if not isinstance(value, Verbosity):
                raise InvalidArgument(
                    f"verbosity must be a Verbosity such as Verbosity.verbose, not {value!r}"
                )
        case "suppress_health_check":
            return _members(name, value, HealthCheck)
        case "phases":
            return _members(name, value, Phase)
        case "executor":
            if value is not None and not callable(getattr(value, "submit", None)):
                raise InvalidArgument(f"executor must be a concurrent.futures.Executor, not {value!r}")
        case "database":
            if not (
                value is None
                or value is ...
                or isinstance(value, str | os.PathLike)
                or hasattr(value, "fetch")
            ):
                raise InvalidArgument(f"database must be a path, a store or None, not {value!r}")
    return value


def _check_backend(value: object) -> None:
    if not isinstance(value, str):
        raise InvalidArgument(f"backend must be the name of a Hypothesis backend, not {value!r}")
    if value not in ("everycase", "hypothesis"):
        warn(
            f"backend={value!r} is for Hypothesis and has no effect here; use settings(explore=...) to "
            "choose how inputs are picked",
            EverycaseWarning,
            stacklevel=5,
        )


def _check_bounds(name: str, value: Any) -> None:
    """A bound for utilities, or one by label."""
    if isinstance(value, Mapping):
        for label, bound in value.items():
            if not isinstance(label, str):
                raise InvalidArgument(
                    f"{name} must have labels of utilities (strings) as keys, not {label!r}"
                )
            _check_bounds(f"{name}[{label!r}]", bound)
        return
    require_real(name, value)
    if not math.isfinite(value):
        raise InvalidArgument(f"{name} must be a finite number, not {value!r}")


def _members(name: str, values: Any, kind: type[Enum]) -> tuple[Any, ...]:
    several = isinstance(values, Iterable) and not isinstance(values, Enum | Gen)
    given = tuple(values) if several else (values,)
    if all(type(member) is kind for member in given):  # as nearly always
        return given
    members = tuple(_namesake(member, kind) for member in given)
    for member in members:
        if not isinstance(member, kind):
            raise InvalidArgument(
                f"{name} must be a list of {kind.__name__} members such as "
                f"{kind.__name__}.{next(iter(kind)).name}, not {values!r}"
            )
    return members


def _namesake(member: Any, kind: type[Enum]) -> Any:
    """Our member with the same name as one of Hypothesis, for files that import from both."""
    foreign = isinstance(member, Enum) and type(member).__name__ == kind.__name__
    return kind[member.name] if foreign and member.name in kind.__members__ else member


settings.profiles = {"default": settings(), "ci": settings(derandomize=True, deadline=None)}
