"""Functions that draw: composites while they make a value, tests while they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from keyword import iskeyword
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from everycase.errors import DoesNotFit, InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.building import signature_of
from everycase.gen.kinds import Composite, Live
from everycase.gen.scalars import none
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_bool, require_callable

T = TypeVar("T")
P = ParamSpec("P")


class Draw(Protocol):
    """The type of the function that a composite draws with."""

    def __call__(self, source: Gen[T], label: str | None = None) -> T: ...


class CompositeFunction(Generic[P, T]):
    """A composite made by ``composite``: call it with the remaining arguments to get a generator."""

    __wrapped__: Callable[..., T]

    def __init__(self, function: Callable[Concatenate[Draw, P], T]) -> None:
        update_wrapper(self, function)
        self.function = function
        #: the shapes of calls that are known to match the function's parameters
        self._shapes: set[tuple[Any, ...]] = set()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Gen[T]:
        shape = (len(args), *kwargs)
        if shape not in self._shapes:
            self._check_call(args, kwargs)
            self._shapes.add(shape)
        return Composite(self.function, args, kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """As a method: ``self`` is passed on after ``draw``."""
        if instance is None:
            return self
        return partial(self, instance)  # type: ignore[arg-type]  # the instance is the first of P.args

    def _check_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        from inspect import signature

        try:
            signature(self.function).bind(None, *args, **kwargs)
        except TypeError as problem:
            name = getattr(self.function, "__name__", "the composite")
            raise InvalidArgument(
                f"{name} was called with wrong arguments: {problem}. everycase passes draw itself; "
                f"call {name} with the other parameters only"
            ) from None


def composite(function: Callable[Concatenate[Draw, P], T]) -> CompositeFunction[P, T]:
    """Write a generator as a function that draws.

    The function's first parameter is ``draw``, which takes a generator and returns one of its values (a method
    has ``self`` after it). Calling the decorated function with the other parameters gives the generator.

    >>> from everycase import gen
    >>> @gen.composite
    ... def intervals(draw, limit):
    ...     low = draw(gen.integers(0, limit))
    ...     return low, draw(gen.integers(low, limit))
    >>> all(low <= high for low, high in intervals(9).sample(50, seed=0))
    True
    """
    if isinstance(function, classmethod | staticmethod):
        return type(function)(composite(function.__func__))  # type: ignore[return-value]
    from inspect import Parameter, signature

    require_callable("function", function, "@gen.composite above def pairs(draw): ...")
    name = getattr(function, "__name__", "function")
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = None  # a builtin whose signature is unknown
    if parameters is not None:
        positional = (
            Parameter.POSITIONAL_ONLY,
            Parameter.POSITIONAL_OR_KEYWORD,
            Parameter.VAR_POSITIONAL,
        )
        if not parameters or parameters[0].kind not in positional:
            raise InvalidArgument(
                f"function: {name} given to composite must take draw as its first parameter; "
                f"write def {name}(draw, ...)"
            )
        if parameters[0].default is not Parameter.empty:
            raise InvalidArgument(
                f"function: composite passes draw as the first parameter of {name}, so it must not "
                f"have a default; write def {name}(draw, {parameters[0]}, ...)"
            )
    return CompositeFunction(function)


# --- drawing during the test ----------------------------------------------------------------------------


class Data:
    """Draws values while the test runs; the failure report shows them."""

    def __init__(self, draw: Callable[..., Any]) -> None:
        self._draw = draw
        #: the label (or None) and the value of each draw so far
        self.drawn: list[tuple[str | None, Any]] = []

    def draw(self, source: Gen[T], label: str | None = None) -> T:
        """A value of ``source``; the report shows it under ``label``."""
        try:
            value: T = self._draw(source, label)
        except DoesNotFit as problem:
            if not self.drawn:
                raise
            made = f"{len(self.drawn)} draws" if len(self.drawn) > 1 else "1 draw"
            raise DoesNotFit(
                f"{problem}; this data() has made {made} so far, and recorded draws are made only once"
            ) from None
        self.drawn.append((label, value))
        return value

    def draw_again(self, used: Data, sources: Sequence[Gen[Any]]) -> None:
        """Repeat the draws of another one, to get the values as they were before a test changed them."""
        drawn = list(used.drawn)
        try:
            for source, (label, _) in zip(sources, drawn):
                self.draw(source, label)
        except DoesNotFit:  # a draw inside of a draw cannot be repeated by itself
            self.drawn = drawn

    def labelled(self) -> list[str]:
        """The draws that have a label, a line each."""
        return [f"{label} = {value!r}" for label, value in self.drawn if label is not None]

    def as_arguments(self) -> list[tuple[str, Any]] | None:
        """The draws as arguments of :meth:`of` under their labels; None if that would not be valid Python."""
        labels = [label for label, _ in self.drawn if label is not None]
        # Keywords come last in a call, and each only once.
        last = all(label is not None for label, _ in self.drawn[len(self.drawn) - len(labels) :])
        names = all(label.isidentifier() and not iskeyword(label) for label in labels)
        if not (last and names and len(set(labels)) == len(labels)):
            return None
        return [(label or "", value) for label, value in self.drawn]

    @classmethod
    def of(cls, /, *values: Any, **labelled: Any) -> Data:
        """Draws these values, whatever generator is passed: how a failure report writes the draws of a test.

        >>> from everycase import gen
        >>> recorded = Data.of(5, [1, 2])
        >>> recorded.draw(gen.integers()), recorded.draw(gen.lists(gen.integers()))
        (5, [1, 2])
        """
        return cls(replaying((*values, *labelled.values())))

    def __repr__(self) -> str:
        shown = [f"{label}={value!r}" if label else repr(value) for label, value in self.drawn]
        return f"data({', '.join(shown)})"


def replaying(values: tuple[Any, ...]) -> Callable[..., Any]:
    """A draw that ignores the generator and returns the earlier draws."""
    left = iter(values)

    def draw(source: Gen[Any], label: str | None = None) -> Any:
        for value in left:
            return value
        raise InvalidArgument(f"the test draws more often than the {len(values)} recorded draws")

    return draw


def data() -> Gen[Data]:
    """An object whose ``draw`` method draws during the test, for inputs that depend on earlier results of the
    test.

    >>> from everycase import gen
    >>> source = data().example(seed=0)
    >>> n = source.draw(gen.integers(5, 5), label="n")
    >>> n, source
    (5, data(n=5))
    """
    return _DATA


_DATA: Gen[Data] = described(Live(Data), "data")


class DrawnFunction:
    """A function whose results are drawn when it is called."""

    def __init__(
        self, draw: Callable[..., Any], like: Callable[..., Any], returns: Gen[Any], pure: bool
    ) -> None:
        from inspect import signature

        self._draw = draw
        self._returns = returns
        self.pure = pure
        self.like = like
        self.__name__ = getattr(like, "__name__", "f")
        self.__signature__ = signature(like)
        #: the arguments and the result of each call so far
        self.calls: list[tuple[tuple[Any, ...], dict[str, Any], Any]] = []
        self._known: dict[Any, Any] = {}

    def draw_again(self, used: DrawnFunction, sources: Sequence[Gen[Any]]) -> None:
        """Repeat the calls of another one, to get its results as they were before a test changed them."""
        for args, kwargs, _ in used.calls:
            self._new_result(args, kwargs)

    @classmethod
    def of(cls, *results: Any, like: Callable[..., Any], pure: bool = False) -> DrawnFunction:
        """Returns these results, in this order: how a failure report writes a function."""
        return cls(replaying(results), like, none(), pure)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self.__signature__.bind(*args, **kwargs)
        if not self.pure:
            return self._new_result(args, kwargs)
        given.apply_defaults()
        # By repr: arguments may be unhashable, and 1, True and 1.0 are different arguments.
        key = repr((given.args, sorted(given.kwargs.items())))
        if key not in self._known:
            self._known[key] = self._new_result(args, kwargs)
        return self._known[key]

    def _new_result(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self._draw(self._returns, None)
        self.calls.append((args, kwargs, result))
        return result

    def __repr__(self) -> str:
        shown = []
        for args, kwargs, result in self.calls:
            given = [repr(arg) for arg in args] + [f"{name}={arg!r}" for name, arg in kwargs.items()]
            shown.append(f"({', '.join(given)}) -> {result!r}")
        return f"<{self.__name__}: {'; '.join(shown) or 'not called'}>"


def _no_arguments() -> None:
    """The default of ``like``."""


def functions(
    *,
    like: Callable[..., Any] = _no_arguments,
    returns: Gen[Any] | None = None,
    pure: bool = False,
) -> Gen[Callable[..., Any]]:
    """Functions with the parameters of ``like`` whose results are drawn from ``returns`` when they are called.

    Without ``returns`` the results come from the return annotation of ``like``. ``pure`` functions return the
    same result for the same arguments. They can be called while the test runs, and their repr shows what they
    returned.

    >>> from everycase import gen
    >>> f = functions(like=lambda x: ..., returns=gen.integers(7, 7)).example(seed=0)
    >>> f(1), f
    (7, <<lambda>: (1) -> 7>)
    """
    require_callable("like", like, "gen.functions(like=lambda x, y: ..., returns=gen.booleans())")
    require_bool("pure", pure)
    if signature_of(like) is None:
        raise InvalidArgument(
            f"like={like!r} does not say which parameters it has; write like=lambda x, y: ..."
        )
    shown = returns
    if returns is None:
        returns = _returned_by(like)
    results = as_gen("returns", returns)
    node: Gen[Callable[..., Any]] = Live(lambda draw: DrawnFunction(draw, like, results, pure))
    return described(
        node, "functions", like=None if like is _no_arguments else like, returns=shown, pure=pure or None
    )


def _returned_by(like: Callable[..., Any]) -> Gen[Any]:
    from everycase.gen.hints import hints_of
    from everycase.gen.types import from_type

    hints = hints_of(like)
    return from_type(hints["return"]) if "return" in hints else none()
