"""Modules of Hypothesis' extras with our generators in place of strategies."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from everycase.bridges.hypothesis.private import st
from everycase.bridges.hypothesis.reading import from_strategy
from everycase.bridges.hypothesis.writing import to_strategy
from everycase.errors import MissingExtra
from everycase.gen.base import Gen


def read(module: str, name: str) -> Any:
    """A name of a module of Hypothesis: functions take generators as well as strategies, and return generators."""
    if name.startswith("__"):
        raise AttributeError(name)
    value = getattr(_module(module), name)
    if callable(value) and not isinstance(value, type):
        return handed_over(value)
    return from_strategy(value) if isinstance(value, st.SearchStrategy) else value


def names_of(module: str) -> list[str]:
    """The public names of a module of Hypothesis."""
    source = _module(module)
    return list(
        getattr(source, "__all__", None) or [name for name in dir(source) if not name.startswith("_")]
    )


def handed_over(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of strategies as a function of generators."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(
            *[_outwards(argument) for argument in args],
            **{name: _outwards(argument) for name, argument in kwargs.items()},
        )
        return from_strategy(result) if isinstance(result, st.SearchStrategy) else result

    return call


def _outwards(argument: Any) -> Any:
    """An argument with strategies in place of generators, also inside lists and dictionaries."""
    if isinstance(argument, Gen):
        return to_strategy(argument)
    if type(argument) in (list, tuple):
        return type(argument)(map(_outwards, argument))
    if type(argument) is dict:
        return {key: _outwards(value) for key, value in argument.items()}
    return argument


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as problem:
        raise MissingExtra(f"{name} cannot be imported: {problem}") from None
