"""Settings of a run, as a value: ``settings(max_examples=100)`` is also the decorator that attaches it to a test.

Only what is given is remembered. At run time the layers are put on top of each other: the defaults, the profile in
force, the command line, the test's own decorators, the arguments of ``check``.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Never, TypeVar

from everycase.errors import InvalidArgument
from everycase.explore.base import Explorer
from everycase.gen.validate import require_bool, require_int, require_real, require_seed
from everycase.run.host import current_host

if TYPE_CHECKING:
    from concurrent.futures import Executor

F = TypeVar("F", bound=Callable[..., Any])


class Phase(Enum):
    """The parts of a run."""

    explicit = "explicit"  #: the inputs given by ``@example``
    reuse = "reuse"  #: failures remembered from earlier runs
    explore = "explore"  #: the search for new failures
    shrink = "shrink"  #: making failures small


class HealthCheck(Enum):
    """What a run complains about because it makes testing useless or slow."""

    too_slow = "too_slow"
    too_much_discarded = "too_much_discarded"
    too_large = "too_large"


class Verbosity(Enum):
    """How much a run says."""

    quiet = 0
    normal = 1
    verbose = 2  #: shows every test case


@dataclass(frozen=True)
class Resolved:
    """All settings of one run, each with a value."""

    max_examples: int = 1000
    max_seconds: float | None = None
    explore: Explorer | None = None  # None is Auto()
    seed: int | None = None
    derandomize: bool = False
    deadline: float | None = None  # milliseconds
    database: Any = ...  # what the environment says, else the project's own
    executor: Executor | None = None
    verbosity: Verbosity = Verbosity.normal
    suppress_health_check: tuple[HealthCheck, ...] = ()
    phases: tuple[Phase, ...] = tuple(Phase)
    print_blob: bool = True
    statistics: bool = False
    keep_utility: bool | float | Mapping[str, float] = False
    limited: bool = False  # not a setting of its own: whether somebody said max_examples


NAMES = tuple(field.name for field in fields(Resolved) if field.name != "limited")

_UNSET: Any = object()


class settings:  # noqa: N801 (a decorator, named as in Hypothesis)
    """Settings for one test, or a profile of settings.

    ``max_examples``: how many test cases to run (default 1000).
    ``max_seconds``: stop exploring after this long.
    ``explore``: the explorer, such as ``Random()`` or ``Exhaustive()``; by default ``Auto()`` chooses.
    ``seed``: decides everything that is random; by default another one for every run.
    ``derandomize``: take the seed from the name of the test (the default where the variable CI is set).
    ``deadline``: milliseconds (or a timedelta) that one test case may take.
    ``database``: where failures are remembered: a path, a store, or None for nowhere.
    ``executor``: a ``concurrent.futures.Executor`` to spread an exhaustive run over.
    ``suppress_health_check``: complaints to leave out, such as ``[HealthCheck.too_slow]``.
    ``phases``: the parts of a run to do, out of ``Phase``.
    ``print_blob``: whether a failure shows the blob that reproduces it.
    ``keep_utility``: whether shrinking keeps what ``maximize`` and ``minimize`` reported as bad as it was found, or
    beyond a given bound (one for all labels, or a dict of them): the report then shows how bad it gets, and not where
    it begins to fail.
    ``statistics``: whether sizes of the inputs are measured (slower).
    ``verbosity``: ``Verbosity.verbose`` shows every test case.

    >>> settings(max_examples=10, seed=1)
    settings(max_examples=10, seed=1)
    """

    #: named sets of settings; "default" is what everycase ships, "ci" is for build servers
    profiles: ClassVar[dict[str, settings]] = {}
    #: the name of the profile in force
    profile: ClassVar[str] = "default"

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
        keep_utility: bool | float | Mapping[str, float] = _UNSET,
        **unknown: Never,
    ) -> None:
        _refuse_unknown(unknown)
        if parent is not None and not isinstance(parent, settings):
            raise InvalidArgument(f"parent must be a settings(...) object, not {parent!r}")
        given = {name: value for name, value in locals().items() if name in NAMES and value is not _UNSET}
        self.given: dict[str, Any] = parent.given.copy() if parent else {}
        self.given.update((name, _checked(name, value)) for name, value in given.items())

    def __call__(self, test: F) -> F:
        """Attach these settings to a test (above or below ``@given``)."""
        from everycase.run.property import spec_of

        spec = spec_of(test, "settings(...)")
        # The decorator that is applied last stands on top, where the reader looks first, and wins.
        spec.settings = settings.combine(spec.settings, self)
        return test

    def __repr__(self) -> str:
        return f"settings({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"

    def resolve(self) -> Resolved:
        """These settings on top of the command line, the profile in force and the defaults."""
        host = current_host()
        profile = settings.profiles[host.profile or settings.profile]
        defaults = Resolved(derandomize=bool(os.environ.get("CI")))
        given = {**profile.given, **host.options, **self.given}
        return replace(defaults, **given, limited="max_examples" in given)

    @staticmethod
    def combine(*layers: settings) -> settings:
        """Several layers as one; later ones win."""
        result = settings()
        for layer in layers:
            result.given.update(layer.given)
        return result

    @staticmethod
    def from_keywords(given: dict[str, Any], parent: settings | None = None) -> settings:
        """Settings from a dictionary, with an error that guesses the name that was meant."""
        return settings(parent, **given)

    @staticmethod
    def register_profile(name: str, parent: settings | None = None, **given: Any) -> None:
        """Name a set of settings, usually in conftest.py.

        >>> settings.register_profile("thorough", max_examples=100_000)
        """
        if not isinstance(name, str):
            raise InvalidArgument(f"name must be a string, not {name!r}")
        settings.profiles[name] = settings.from_keywords(given, parent)

    @staticmethod
    def load_profile(name: str) -> None:
        """Put a profile in force for all runs of this process."""
        if not isinstance(name, str) or name not in settings.profiles:
            raise InvalidArgument(
                f"there is no profile {name!r}; registered are {', '.join(sorted(settings.profiles))}"
            )
        settings.profile = name


def _refuse_unknown(names: Iterable[str]) -> None:
    """An error that guesses the name that was meant."""
    for name in names:
        near = get_close_matches(name, NAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        raise InvalidArgument(f"{name!r} is not a setting; {hint}")


def _checked(name: str, value: Any) -> Any:
    """The value of one setting, normalised; an error that names the setting if it makes no sense."""
    match name:
        case "max_examples":
            require_int(name, value)
            if value < 1:
                raise InvalidArgument(f"max_examples={value} must be at least 1")
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
        case "derandomize" | "print_blob" | "statistics":
            require_bool(name, value)
        case "explore":
            if value is not None and not isinstance(value, Explorer):
                hint = f"; did you mean {value.__name__}()?" if isinstance(value, type) else ""
                raise InvalidArgument(f"explore must be an explorer such as Random(), not {value!r}{hint}")
        case "verbosity":
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


def _check_bounds(name: str, value: Any) -> None:
    """A bound for utilities, or one by label."""
    if isinstance(value, Mapping):
        for label, bound in value.items():
            if not isinstance(label, str):
                raise InvalidArgument(
                    f"{name} must have the label of a utility (a string) as each key, not {label!r}"
                )
            _check_bounds(f"{name}[{label!r}]", bound)
        return
    require_real(name, value)
    if not math.isfinite(value):
        raise InvalidArgument(f"{name} must be a finite number, not {value!r}")


def _members(name: str, values: Any, kind: type[Enum]) -> tuple[Any, ...]:
    members = (values,) if isinstance(values, Enum) or not isinstance(values, Iterable) else tuple(values)
    for member in members:
        if not isinstance(member, kind):
            raise InvalidArgument(
                f"{name} must be a list of {kind.__name__} members such as "
                f"{kind.__name__}.{next(iter(kind)).name}, not {values!r}"
            )
    return members


settings.profiles = {"default": settings(), "ci": settings(derandomize=True, deadline=None)}
