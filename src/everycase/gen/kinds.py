"""The closed set of node kinds that every generator is made of.

A node says what there is to choose, never how to choose it. Sampling, replaying, neighbouring, shrinking,
counting and narrowing are interpreters of these nodes in other packages, each with one rule per kind.
Everything built from these kinds works with all of them, so a new public generator is nearly always a
function that combines kinds, and hardly ever a new class.

Nodes are immutable. The slots that begin with an underscore are caches that an interpreter fills in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from everycase.gen.base import Gen

T = TypeVar("T")


class Const(Gen[T], Generic[T]):
    """Nothing to choose: always the same object."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        super().__init__()
        self.value = value


class Int(Gen[int]):
    """An integer between two bounds, either of which may be absent.

    ``towards`` is the simplest value; ``edges`` are values that random testing should see more often than by
    pure chance (one in eight draws takes one). They affect sampling only. ``landmarks`` are for numbers that
    stand for something else, such as the days of the calendar: values that shrinking tries directly, the
    simplest first, because the values between them say little about them.
    """

    __slots__ = ("_nodes", "edges", "hi", "landmarks", "lo", "share", "towards")

    def __init__(
        self,
        lo: int | None,
        hi: int | None,
        towards: int,
        edges: Sequence[int] = (),
        share: float = 1 / 8,
        landmarks: tuple[int, ...] = (),
    ) -> None:
        super().__init__()
        self.lo = lo
        self.hi = hi
        self.towards = towards
        self.edges = edges
        self.share = share if edges else 0.0
        self.landmarks = landmarks
        #: by index, the traces of a small range; None if they are not kept
        self._nodes: dict[int, Any] | None = None

    def fits(self, choice: object) -> bool:
        return (
            type(choice) is int
            and (self.lo is None or self.lo <= choice)
            and (self.hi is None or choice <= self.hi)
        )


class Float(Gen[float]):
    """A floating point number from a range, with or without nan, infinities and subnormals.

    It is a separate kind because its order of simplicity (0.0, 1.0, 2.0, ..., 0.5, ..., inf, nan) is not that
    of any integer encoding that would also sample well.
    """

    __slots__ = ("edges", "hi", "infinities", "lo", "nan", "subnormal", "width")

    def __init__(
        self,
        lo: float,
        hi: float,
        *,
        nan: bool,
        infinities: tuple[float, ...],
        subnormal: bool,
        width: int,
        edges: tuple[float, ...],
    ) -> None:
        super().__init__()
        self.lo = lo  # finite and inclusive, as is hi
        self.hi = hi
        self.nan = nan
        self.infinities = infinities
        self.subnormal = subnormal
        self.width = width
        self.edges = edges

    def fits(self, choice: object) -> bool:
        from everycase.gen.floating import fits

        return type(choice) is float and fits(self, choice)


class Union(Gen[T], Generic[T]):
    """One of several generators. The first is the simplest.

    ``weights`` and ``limit`` (the largest size budget that is passed on below) affect sampling only.
    """

    __slots__ = ("limit", "options", "weights")

    def __init__(
        self,
        options: tuple[Gen[T], ...],
        weights: tuple[float, ...] | None = None,
        *,
        limit: int | None = None,
    ) -> None:
        super().__init__(*options)
        self.options = options
        self.weights = weights
        self.limit = limit

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return self.options


class Build(Gen[T], Generic[T]):
    """A constructor applied to parts: a class, a tuple, any function of independent values.

    The last ``len(names)`` parts are passed by keyword. ``constructs`` is the class whose instances can be
    taken apart into exactly these parts (``fields`` names the attributes), or None for a function, which may
    have an ``inverse`` from a value to its parts. ``share`` means that equal values may be one object
    (immutable classes, or the user allowed it).
    """

    __slots__ = ("constructs", "fields", "inverse", "make", "names", "parts", "share")

    def __init__(
        self,
        make: Callable[..., T],
        parts: tuple[Gen[Any], ...],
        names: tuple[str, ...] = (),
        *,
        constructs: type | None = None,
        fields: tuple[str, ...] = (),
        share: bool = False,
        inverse: Callable[[T], Sequence[Any]] | None = None,
    ) -> None:
        super().__init__(*parts)
        self.inverse = inverse
        self.make = make
        self.parts = parts
        self.names = names
        self.constructs = constructs
        self.fields = fields
        self.share = share

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return self.parts

    def construct(self, values: Sequence[Any]) -> T:
        """The value made from the values of all parts, in order."""
        if self.names:
            first = len(values) - len(self.names)
            return self.make(*values[:first], **dict(zip(self.names, values[first:])))
        return self.make(*values)


class List(Gen[list[T]], Generic[T]):
    """A list of independent elements, optionally distinct by a key, or by each of several keys.

    Uniqueness is an option here and not a filter on top, because dropping the repeated element keeps all
    other choices in place, while a filter could only throw the whole list away. ``unordered`` means that the
    result does not depend on the order of the list (a set, a dictionary), so that counting takes one order
    only.
    """

    __slots__ = ("element", "max_size", "min_size", "unique_by", "unordered")

    def __init__(
        self,
        element: Gen[T],
        min_size: int,
        max_size: int | None,
        unique_by: Callable[[T], Any] | tuple[Callable[[T], Any], ...] | None = None,
        *,
        unordered: bool = False,
    ) -> None:
        super().__init__(element)
        self.element = element
        self.min_size = min_size
        self.max_size = max_size
        self.unique_by = unique_by
        self.unordered = unordered

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return (self.element,)


class Map(Gen[T], Generic[T]):
    """A function of a value. ``share`` means that the results are immutable (text made of characters,
    ...)."""

    __slots__ = ("f", "inverse", "share", "source")

    def __init__(
        self,
        source: Gen[Any],
        f: Callable[[Any], T],
        inverse: Callable[[T], Any] | None = None,
        *,
        share: bool = False,
    ) -> None:
        super().__init__(source)
        self.source = source
        self.f = f
        self.inverse = inverse
        self.share = share

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return (self.source,)


class Filter(Gen[T], Generic[T]):
    """The values of another generator that satisfy a predicate."""

    __slots__ = ("predicate", "source")

    def __init__(self, source: Gen[T], predicate: Callable[[T], object]) -> None:
        super().__init__(source)
        self.source = source
        self.predicate = predicate

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return (self.source,)


class Bind(Gen[T], Generic[T]):
    """A value, then a generator that depends on it. Unlike Composite, it can be counted.

    ``outer_of`` reads the outer value off a result, so that values can be traced back to their choices without
    trying every outer one."""

    __slots__ = ("f", "outer_of", "source")

    def __init__(
        self, source: Gen[Any], f: Callable[[Any], Gen[T]], outer_of: Callable[[T], Any] | None = None
    ) -> None:
        super().__init__(source)
        self.source = source
        self.f = f
        self.outer_of = outer_of

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return (self.source,)

    def inner(self, outer: Any) -> Gen[T]:
        """The generator for this outer value, checked."""
        result = self.f(outer)
        if not isinstance(result, Gen):
            from everycase.gen.validate import as_gen

            return as_gen(f"what the function given to flatmap returned for {outer!r}", result)
        return result


class Defer(Gen[T], Generic[T]):
    """A generator that is defined later: the only way to write a recursion. Every technique sees through
    it."""

    __slots__ = ("_target", "thunk")

    def __init__(self, thunk: Callable[[], Gen[T]]) -> None:
        super().__init__()
        self.thunk = thunk
        self._target: Gen[T] | None = None
        self.has_defer = True

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        return (self.target,)

    @property
    def target(self) -> Gen[T]:
        if self._target is None:
            from everycase.gen.validate import check_deferred

            self._target = check_deferred(self)
        return self._target


class Composite(Gen[T], Generic[T]):
    """A function that draws while it runs, so its choices are known only by running it: it cannot be
    counted."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self.function = function
        self.args = args
        self.kwargs = kwargs


class Live(Gen[T], Generic[T]):
    """Draws that happen during the test (``data()``, ``functions()``): the value itself can draw.

    ``make`` turns a draw function into the object that the test gets. Runs that contain one always record,
    because the dice rolled during a test cannot be rolled again without running the test. ``steps`` is for
    draws that are the independent steps of a sequence: one can be removed, inserted or moved, like an element
    of a list.
    """

    __slots__ = ("make", "steps")

    def __init__(self, make: Callable[[Callable[..., Any]], T], steps: Steps | None = None) -> None:
        super().__init__()
        self.make = make
        self.steps = steps


class Steps(Protocol):
    """Knows how to take the steps of a sequence (see :mod:`everycase.stateful`)."""

    #: the maximum number of steps
    limit: int
    #: the names of the kinds of steps, by number
    rule_names: list[str]

    def sample(self, random: Callable[[], float], size: int) -> Any:
        """A sequence whose steps are decided by dice, without a record."""

    def enact(self, gen: Any, partial: Any, random: Callable[[], float], size: int) -> Any:
        """The trace of a sequence that follows a partial one; it is complete when the test has ended."""

    #: which ways to take the same steps ``driven`` covers, in words; "" if there is only one
    ways: str

    def driven(self, parts: Any, pick: Callable[[int], int], depth: int) -> Any:
        """The traces of all arguments, the first of which is a sequence of ``depth`` steps, decided by
        ``pick(number of possibilities)``."""

    def guided(self, gen: Any, choose: Callable[[list[int]], int | None], random: Callable[[], float]) -> Any:
        """The trace of a sequence whose kinds of steps are chosen among the possible ones; None ends it."""

    def recorded(self, gen: Any, sampled: Any) -> Any:
        """The trace of a sampled sequence that was run: it is run again."""


#: The kinds whose choices are known only by running user code: they choose a generator, or draw while they
#: run.
RUNS_CODE = (Bind, Composite, Live)
