"""Checks of arguments, in one place so that all messages have the same style: what, where, and what to write
instead."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from inspect import CO_VARARGS
from types import FunctionType
from typing import Any, TypeVar

from everycase.errors import GeneratorError, InvalidArgument
from everycase.gen.base import Gen

T = TypeVar("T")

#: A chain of generators that only refer to the next one is assumed to be endless after this number.
MOST_DEFERRED = 100_000


def not_a_gen(value: object, where: str) -> InvalidArgument:
    """The error for something that should have been a generator, with a guess at what was meant."""
    shown = _short(value)
    if isinstance(value, type):
        hint = f"Did you mean gen.from_type({value.__name__})?"
    elif callable(value):
        name = getattr(value, "__name__", "f")
        hint = (
            f"It is a function: did you mean to call it, {name}(...), or to decorate it with gen.composite?"
        )
    elif isinstance(value, list | tuple | set | frozenset | range | str):
        hint = f"Did you mean gen.sampled_from({shown}), or gen.just({shown})?"
    else:
        hint = f"Did you mean gen.just({shown})?"
    return InvalidArgument(f"{where} must be a generator, not {shown} ({type(value).__name__}). {hint}")


def as_gen(name: str, value: object) -> Gen[Any]:
    """A generator as it is, or one made from an object of another library; an error for anything else."""
    if isinstance(value, Gen):
        return value
    read = Gen._reader_of(value)
    if read is None:
        raise not_a_gen(value, name)
    result: Gen[Any] = read(value)
    return result


def is_description(value: object) -> bool:
    """Whether :func:`as_gen` accepts it."""
    return isinstance(value, Gen) or Gen._reader_of(value) is not None


def refuse_bare(name: str, example: str, *args: object) -> None:
    """Raise at once if a decorator was written without parentheses: what it makes would stand in the place of
    the test, and pytest would pass over it."""
    if len(args) == 1 and inspect.isfunction(args[0]) and args[0].__name__.startswith("test"):
        raise InvalidArgument(
            f"{name} is a decorator with arguments, and {args[0].__name__}() is not one of them; "
            f"write for example @{example}"
        )


def require_callable(name: str, value: object, example: str, arguments: int | None = None) -> None:
    """A function; with ``arguments``, one that can be called with this number of them."""
    if isinstance(value, Gen):
        raise InvalidArgument(
            f"{name} must be a function, not the generator {value!r}; for example {example}"
        )
    if not callable(value):
        raise InvalidArgument(f"{name} must be a function, not {_short(value)}; for example {example}")
    if arguments is not None and isinstance(value, FunctionType) and not _takes(value, arguments):
        count = ("no argument", "one argument")[arguments]
        tuples = ""
        if arguments and value.__code__.co_argcount > 1:
            tuples = ". A tuple is one argument: write lambda pair: pair[0] instead of lambda a, b: a"
        shown = inspect.signature(value, follow_wrapped=False)
        raise InvalidArgument(
            f"{name} is called with {count}, but {value.__name__} takes {shown}; for example {example}{tuples}"
        )


def _takes(function: FunctionType, count: int) -> bool:
    """Whether a function can be called with this number of positional arguments."""
    code = function.__code__
    needed = code.co_argcount - len(function.__defaults__ or ())
    named = code.co_kwonlyargcount - len(function.__kwdefaults__ or ())
    return not named and needed <= count and (count <= code.co_argcount or bool(code.co_flags & CO_VARARGS))


def require_predicate(name: str, value: object, example: str, arguments: int | None = None) -> None:
    require_callable(name, value, example, arguments)
    if inspect.iscoroutinefunction(value):
        shown = getattr(value, "__name__", value)
        raise InvalidArgument(
            f"{name} must not be async, but {shown} is a coroutine function, whose result is always true; write def "
            "instead of async def"
        )


def require_arguments(name: str, function: Callable[..., Any], takes: str) -> None:
    """A function that can be called with this number of positional arguments; ``takes`` names them."""
    try:
        # A wrapper is called, not the function it wraps: a composite takes no ``draw`` from its caller.
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return  # some builtins have no readable signature
    try:
        signature.bind(*takes.split(", "))
    except TypeError:
        raise InvalidArgument(
            f"{name} is called with ({takes}), but {_short(function)} takes {signature}"
        ) from None


def require_int(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidArgument(_not_of_type(name, value, "an int"))


def require_real(name: str, value: object) -> None:
    """A number to compare with floats: int, float, Fraction or Decimal."""
    number = isinstance(value, int | float) or hasattr(type(value), "as_integer_ratio")
    if isinstance(value, bool) or not number:
        raise InvalidArgument(_not_of_type(name, value, "a number"))


def require_count(name: str, value: object) -> None:
    require_int(name, value)
    if value < 0:  # type: ignore[operator]
        raise InvalidArgument(f"{name}={value} must not be negative")


def require_bool(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise InvalidArgument(_not_of_type(name, value, "True or False"))


def require_seed(seed: object) -> None:
    if seed is not None:
        require_int("seed", seed)


def require_ordered(low_name: str, low: Any, high_name: str, high: Any) -> None:
    if low is not None and high is not None and low > high:
        raise InvalidArgument(
            f"{low_name}={low!r} is greater than {high_name}={high!r}, so there is no value in between; "
            "swap them or widen the range"
        )


def require_sizes(min_size: object, max_size: object) -> None:
    require_count("min_size", min_size)
    if max_size is not None:
        require_count("max_size", max_size)
    require_ordered("min_size", min_size, "max_size", max_size)


def require_instance(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    if not isinstance(value, kinds):
        raise InvalidArgument(_not_of_type(name, value, wanted))


def as_sequence(name: str, values: Iterable[T]) -> tuple[T, ...]:
    """A tuple of the given values, for constructors that need them in a stable order."""
    if isinstance(values, Gen):
        raise InvalidArgument(f"{name} must be a collection of values, not the generator {values!r}")
    if isinstance(values, set | frozenset):
        raise InvalidArgument(
            f"{name} must have an order, but the order of a set varies from run to run; write sorted({_short(values)})"
        )
    try:
        return tuple(values)
    except TypeError:
        raise InvalidArgument(_not_of_type(name, values, "a sequence of values")) from None


def check_deferred(node: Any) -> Gen[Any]:
    """The generator that the function given to ``deferred`` refers to."""
    chain: dict[
        int, tuple[Any, Gen[Any]]
    ] = {}  # deferred ones that refer to the next, with what they refer to
    end: Any = node
    while type(end) is type(node):
        if id(end) in chain:
            raise InvalidArgument("deferred refers only to itself; it must return another generator")
        if len(chain) >= MOST_DEFERRED:
            raise GeneratorError(
                f"{node!r} only refers to another generator, which refers to another, and so on for more "
                f"than {MOST_DEFERRED:,} of "
                "them: its definition seems to have no end. Let a parameter decrease to a base case."
            )
        target = end._target if end._target is not None else end.thunk()
        target = as_gen("what the function given to deferred returned", target)
        chain[id(end)] = end, target
        end = target
    # All of them end there, so none has to be followed again.
    for deferred, target in chain.values():
        deferred._target = target
    result: Gen[Any] = node._target
    return result


def _not_of_type(name: str, value: object, wanted: str) -> str:
    if isinstance(value, Gen):
        return (
            f"{name} must be {wanted}, not the generator {value!r}; to use a generated value here, "
            "write gen.flatmap or gen.composite"
        )
    return f"{name} must be {wanted}, not {_short(value)} ({type(value).__name__})"


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # it is wrong anyway
        text = object.__repr__(value)
    return text if len(text) <= 60 else text[:57] + "..."
