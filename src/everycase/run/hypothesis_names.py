"""Decorators and functions that Hypothesis has at its top level, defined in terms of ours."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from everycase.errors import InvalidArgument
from everycase.gen.validate import refuse_bare
from everycase.run.context import maximize, nested
from everycase.run.property import PROPERTY, reproduce, spec_of
from everycase.run.settings import settings

F = TypeVar("F", bound=Callable[..., Any])
N = TypeVar("N", int, float)

#: Given for an argument, it is taken from its type annotation.
infer = ...


def target(observation: N, *, label: str = "") -> N:
    """Tell the search how good this test case is: :func:`everycase.maximize`, and return the number."""
    maximize(observation, label)
    return observation


def seed(seed: Hashable) -> Callable[[F], F]:
    """Start the test from this seed: ``settings(seed=...)`` as a decorator of its own, for any hashable value.

    >>> from everycase import gen, given
    >>> @seed(7)
    ... @given(gen.integers())
    ... def test_absolute(n):
    ...     assert abs(n) >= 0
    """
    refuse_bare("seed", "seed(7)", seed)
    number = seeded(seed)

    def decorate(test: F) -> F:
        spec = spec_of(test, "seed(...)")
        spec.settings = settings.combine(spec.settings, settings(seed=number))
        return test

    return decorate


def seeded(seed: Hashable) -> int:
    """The number that stands for any hashable seed, the same one in every process."""
    return seed if type(seed) is int else int.from_bytes(hashlib.sha256(repr(seed).encode()).digest()[:8])


def reproduce_failure(version: str, blob: str | bytes) -> Callable[[F], F]:
    """Run only the input of a blob: :func:`everycase.reproduce`, whose blobs know their version.

    A blob that Hypothesis printed cannot be read here; the test then says so.
    """
    if not isinstance(version, str):
        raise InvalidArgument(f"version must be a string, not {version!r}")
    return reproduce(blob.decode("latin-1") if isinstance(blob, bytes) else blob)


def is_hypothesis_test(function: Any) -> bool:
    """Whether a function is under ``given``."""
    try:
        return hasattr(function, PROPERTY) or getattr(function, "is_hypothesis_test", False) is True
    except Exception:  # an object with attributes of its own making
        return False


def currently_in_test_context() -> bool:
    """Whether a property is running."""
    return nested()
