"""``Gen``: an immutable description of values, and the methods of every description.

The methods here only delegate. Each technique is implemented in its own package and imported when it is first
used, so that describing inputs is cheap.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from everycase.choices.distribution import Distribution
    from everycase.choices.trace import Trace

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")


class Gen(Generic[T_co]):
    """A description of values: what there is to choose, and which value each choice leads to.

    Generators are made by the functions in :mod:`everycase.gen` and combined with the methods below.

    >>> from everycase import gen
    >>> gen.integers(0, 9).map(lambda n: n * n).sample(3, seed=1)
    [64, 4, 16]
    """

    __slots__ = (
        "_dice",
        "_facts",
        "_filtering",
        "_lazy_sequence",
        "_least",
        "_maker",
        "_sampler",
        "_space",
        "_text",
        "_tiers",
        "_uncounted",
        "begins_input",
        "has_defer",
        "remark",
    )

    # NumPy would otherwise try to broadcast ``array * gen``.
    __array_ufunc__ = None

    def __init__(self, *parts: Gen[Any]) -> None:
        self._sampler: Callable[[Callable[[], float], int], Any] | None = None
        self._dice: Callable[[Callable[[], float], int], Any] | None = None
        self._facts: Any = None
        self._maker: Any = None
        self._least: Any = None
        self._space: Any = None
        self._uncounted: Any = None
        self._filtering: bool | None = None
        self._lazy_sequence: Any = None
        self._tiers: Any = None
        self._text: tuple[str, tuple[Any, ...], dict[str, Any]] | None = None
        # Annotations about the neighbourhood, see everycase.gen.annotate.
        self.remark: Any = None
        # Whether there may be a recursion below: cheap to know at once, and it saves most generators any
        # analysis.
        self.has_defer = False
        # Whether its values are whole inputs, see everycase.gen.sharing.
        self.begins_input = False
        for part in parts:
            if part.has_defer:
                self.has_defer = True

    @property
    def children(self) -> tuple[Gen[Any], ...]:
        """The generators that this one is made of, as far as they are known before any choice is made."""
        return ()

    # --- combining --------------------------------------------------------------------------------------

    def map(
        self, f: Callable[[T_co], U], inverse: Callable[[U], Any] | None = None, *, share: bool = False
    ) -> Gen[U]:
        """The values of this generator with ``f`` applied.

        ``inverse`` takes a result back to the value it came from; ``index`` and ``in`` need it. ``share=True`` says that
        tests do not change the results, so that iteration may put one object into many values.

        >>> from everycase import gen
        >>> evens = gen.integers(0, 4).map(lambda n: 2 * n, inverse=lambda n: n // 2)
        >>> list(evens)
        [0, 2, 4, 6, 8]
        """
        from everycase.gen.composition import mapped

        return mapped(self, f, inverse, share)

    def filter(self, predicate: Callable[[T_co], object]) -> Gen[T_co]:
        """The values of this generator that satisfy ``predicate``.

        >>> from everycase import gen
        >>> all(n % 3 for n in gen.integers(0, 100).filter(lambda n: n % 3).sample(50, seed=0))
        True
        """
        from everycase.gen.composition import filtered

        return filtered(self, predicate)

    def flatmap(self, f: Callable[[T_co], Gen[U]]) -> Gen[U]:
        """Draw a value, then draw from the generator that ``f`` returns for it.

        >>> from everycase import gen
        >>> pairs = gen.integers(1, 5).flatmap(lambda hi: gen.tuples(gen.just(hi), gen.integers(0, hi)))
        >>> all(low <= hi for hi, low in pairs.sample(50, seed=0))
        True
        """
        from everycase.gen.composition import bound

        return bound(self, f)

    def __or__(self, other: Gen[U]) -> Gen[T_co | U]:
        """``a | b``: a value of either."""
        from everycase.gen.composition import one_of
        from everycase.gen.validate import is_description

        return one_of(self, other) if is_description(other) else NotImplemented

    def __mul__(self, other: Gen[U]) -> Gen[tuple[T_co, U]]:
        """``a * b``: the pairs. It is strictly binary: ``(a * b) * c`` makes pairs whose first part is a
        pair."""
        from everycase.gen.collections import tuples
        from everycase.gen.validate import is_description

        if not is_description(other):
            return NotImplemented

        return tuples(self, other)

    # --- sampling ---------------------------------------------------------------------------------------

    def sample(self, n: int, seed: int | None = None) -> list[T_co]:
        """``n`` random values; the same values for the same seed.

        >>> from everycase import gen
        >>> gen.booleans().sample(5, seed=3) == gen.booleans().sample(5, seed=3)
        True
        """
        from everycase.choices.sample import sample

        return sample(self, n, seed)

    def example(self, seed: int | None = None) -> T_co:
        """One random value, to see in a shell what a generator makes. Do not use it in tests: use
        ``given``."""
        return self.sample(1, seed)[0]

    def describe(self, n: int = 1000, seed: int | None = None) -> Distribution:
        """A summary of what a generator makes: sizes, depths, frequent values, edge cases and examples of
        ``n`` values.

        >>> from everycase import gen
        >>> print(gen.lists(gen.booleans(), max_size=2).describe(400, seed=0))  # doctest: +ELLIPSIS
        lists(booleans(), max_size=2): 400 values, 1.8% of them different
        <BLANKLINE>
        length: mean 1..., at most 2
        ...
        """
        from everycase.choices.distribution import distribution

        return distribution(self, n, seed)

    # --- traces -----------------------------------------------------------------------------------------

    def record(self, seed: int | None = None) -> Trace[T_co]:
        """One random value with the tree of choices that made it."""
        from everycase.choices.enact import record

        return record(self, seed)

    def replay(self, trace: Trace[Any]) -> Trace[T_co]:
        """Make the value of a recorded trace again; :class:`~everycase.errors.DoesNotFit` if the trace does
        not fit this generator."""
        from everycase.choices.enact import replay

        return replay(self, trace)

    # --- neighbours -------------------------------------------------------------------------------------

    def with_neighbor(self, f: Callable[[Any, float], Any]) -> Gen[T_co]:
        """The same values with a hand-written neighbourhood for targeted search.

        ``f(value, temperature)`` returns a value of this generator, or a generator of values. The temperature
        is between 0 and 1. ``f`` may use the constructed neighbourhood: ``g.neighbor(value, temperature)``.

        >>> from everycase import gen
        >>> digits = gen.integers(0, 9).with_neighbor(lambda n, temperature: (n + 1) % 10)
        >>> digits.neighbor(9, 1.0, seed=0)
        0
        """
        from everycase.gen.annotate import with_neighbor

        return with_neighbor(self, f)

    def fresh(self) -> Gen[T_co]:
        """The same values, redrawn in every test of a search, while the rest of the input is searched.

        >>> from everycase import gen
        >>> gen.tuples(gen.integers(), gen.booleans().fresh())
        tuples(integers(), booleans().fresh())
        """
        from everycase.gen.annotate import fresh

        return fresh(self)

    def neighbor(self, value: Any, temperature: float = 1.0, seed: int | None = None) -> Any:
        """A value near another one; for a :class:`Trace`, another trace.

        The temperature, between 0 and 1, says how far away. At 0 everything valid is kept.

        >>> from everycase import gen
        >>> g = gen.lists(gen.integers(0, 9))
        >>> g.neighbor([1, 2, 3], 0.0)
        [1, 2, 3]
        """
        from everycase.choices.neighbor.edits import neighbor_of

        return neighbor_of(self, value, temperature, seed)

    def explain_neighbor(self) -> None:
        """Print which rule makes neighbours of each part of a value.

        >>> from everycase import gen
        >>> gen.lists(gen.booleans()).explain_neighbor()
        lists(booleans()): insert, delete, duplicate, swap, move or reverse elements
          booleans(): like its source
            integers(0, 1): another value
        """
        from everycase.choices.neighbor.explain import explain

        print(explain(self))

    # --- the generator as a sequence --------------------------------------------------------------------

    @property
    def cardinality(self) -> float:
        """How many values there are, counted as choices: an exact int, or ``math.inf``."""
        from everycase.enumeration import cardinality

        return cardinality(self)

    def __len__(self) -> int:
        from everycase.enumeration import length

        return length(self)

    def __bool__(self) -> bool:
        return True  # ``if gen:`` asks whether there is a generator, not whether it has values

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> Any: ...
    def __getitem__(self, index: Any) -> Any:
        from everycase.enumeration import item

        return item(self, index)

    def __iter__(self) -> Iterator[T_co]:
        from everycase.enumeration import iterate

        return iterate(self)

    def __contains__(self, value: object) -> bool:
        from everycase.enumeration import contains

        return contains(self, value)

    def index(self, value: Any) -> int:
        """The index of a value: ``g[g.index(value)] == value``.

        Raises :class:`~everycase.errors.NoSuchValue` if the generator does not make the value, and
        :class:`~everycase.errors.NotInvertible` if a ``map`` has no ``inverse=``.

        >>> from everycase import gen
        >>> (gen.booleans() * gen.integers(0, 9)).index((True, 3))
        13
        """
        from everycase.enumeration import index

        return index(self, value)

    def of_size(self, n: int) -> Gen[T_co]:
        """The values of exactly this size, each equally likely. The size is the number of constructors, list
        elements and bits of unbounded integers in a value.

        >>> from everycase import gen
        >>> trees = gen.deferred(lambda: gen.none() | gen.tuples(trees, trees))
        >>> [len(trees.of_size(n)) for n in range(8)]
        [1, 1, 2, 5, 14, 42, 132, 429]
        """
        from everycase.enumeration.restrict import of_size

        return of_size(self, n)

    def up_to_size(self, n: int) -> Gen[T_co]:
        """The values of at most this size, smallest first, each equally likely.

        >>> from everycase import gen
        >>> list(gen.lists(gen.booleans()).up_to_size(1))
        [[], [False], [True]]
        """
        from everycase.enumeration.restrict import up_to_size

        return up_to_size(self, n)

    def uniform(self) -> Gen[T_co]:
        """The same values, each equally likely when sampled (they are drawn by index).

        >>> from everycase import gen
        >>> words = gen.lists(gen.sampled_from("ab"), max_size=9).uniform()
        >>> sum(len(word) == 9 for word in words.sample(100, seed=0)) > 30
        True
        """
        from everycase.enumeration.restrict import uniform

        return uniform(self)

    def chain(self, family: Callable[[Any], Gen[U]]) -> Gen[tuple[T_co, U]]:
        """Pairs of a parameter from this generator and a value of the family's generator for this parameter.

        Like ``flatmap``, but keeps the parameter.

        >>> from everycase import gen
        >>> list(gen.integers(1, 2).chain(lambda n: gen.integers(0, n)))
        [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
        """
        from everycase.gen.dependent import chained

        return chained(self, family)

    # --- objects of another library ---------------------------------------------------------------------

    @staticmethod
    def _reader_of(value: object) -> Callable[[Any], Gen[Any]] | None:
        """The function that turns a strategy of Hypothesis into a generator; None for any other object."""
        # There are strategies only after their module was imported, so a library that is not used stays out.
        strategy = getattr(sys.modules.get("hypothesis.strategies"), "SearchStrategy", None)
        if strategy is None or not isinstance(value, strategy):
            return None
        from everycase.bridges.hypothesis import from_strategy

        return from_strategy

    # --- showing ----------------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        """The representation in a notebook: some values."""
        from everycase.gen.notebook import gen_html

        return gen_html(self)

    def __repr__(self) -> str:
        from everycase.gen.show import describe

        return describe(self)

    def __copy__(self) -> Gen[T_co]:
        return self

    def __deepcopy__(self, memo: Any) -> Gen[T_co]:
        return self
