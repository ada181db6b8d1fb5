"""Ways to combine generators: functions of a value, choice, dependence and recursion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.intern import interned
from everycase.gen.kinds import Bind, Build, Defer, Filter, List, Map, Union
from everycase.gen.scalars import nothing
from everycase.gen.show import described
from everycase.gen.validate import as_gen, require_callable, require_count, require_predicate

T = TypeVar("T")
U = TypeVar("U")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
E = TypeVar("E")


def mapped(
    source: Gen[T], f: Callable[[T], U], inverse: Callable[[U], Any] | None = None, share: bool = False
) -> Gen[U]:
    """Implements ``source.map(f)``."""
    require_callable("the function given to map", f, "g.map(lambda n: n * 2)", 1)
    if inverse is not None:
        require_callable("inverse", inverse, "g.map(lambda n: n * 2, inverse=lambda n: n // 2)", 1)
    return Map(source, f, inverse, share=share)


def filtered(source: Gen[T], predicate: Callable[[T], object]) -> Gen[T]:
    """Implements ``source.filter(predicate)``."""
    require_predicate("the predicate given to filter", predicate, "g.filter(lambda n: n > 0)", 1)
    return Filter(source, predicate)


def bound(source: Gen[T], f: Callable[[T], Gen[U]]) -> Gen[U]:
    """Implements ``source.flatmap(f)``."""
    require_callable(
        "the function given to flatmap", f, "g.flatmap(lambda n: gen.lists(gen.booleans(), max_size=n))", 1
    )
    return Bind(source, f)


# --- choice ---------------------------------------------------------------------------------------------


@overload
def one_of(a: Gen[A], /) -> Gen[A]: ...
@overload
def one_of(a: Gen[A], b: Gen[B], /) -> Gen[A | B]: ...
@overload
def one_of(a: Gen[A], b: Gen[B], c: Gen[C], /) -> Gen[A | B | C]: ...
@overload
def one_of(a: Gen[A], b: Gen[B], c: Gen[C], d: Gen[D], /) -> Gen[A | B | C | D]: ...
@overload
def one_of(a: Gen[A], b: Gen[B], c: Gen[C], d: Gen[D], e: Gen[E], /) -> Gen[A | B | C | D | E]: ...
@overload
def one_of(*options: Gen[T]) -> Gen[T]: ...
@overload
def one_of(options: Iterable[Gen[T]], /) -> Gen[T]: ...
def one_of(*options: Any) -> Gen[Any]:
    """A value of one of the generators, each equally likely; earlier ones are simpler. Also takes a list of them.

    >>> from everycase.gen import integers, just
    >>> set(one_of(just("x"), integers(1, 2)).sample(50, seed=0)) == {"x", 1, 2}
    True
    """
    if len(options) == 1 and not isinstance(options[0], Gen):
        options = _listed("one_of", options[0])
    return _one_of(*options)


@interned
def _one_of(*options: Gen[Any]) -> Gen[Any]:
    flat: list[Gen[Any]] = []
    for i, option in enumerate(options):
        option = as_gen(f"argument {i + 1} of one_of", option)
        # Unions without weights are flattened: ``a | b | c`` is one choice among three.
        plain = option.remark is None
        if plain and isinstance(option, Union) and option.weights is None and option.limit is None:
            flat.extend(option.options)
        else:
            flat.append(option)
    if not flat:
        return nothing()
    return flat[0] if len(flat) == 1 else Union(tuple(flat))


def frequency(*pairs: tuple[float, Gen[T]]) -> Gen[T]:
    """A value of one of the generators, with probabilities in proportion to the weights; earlier ones are
    simpler.

    Weights affect random values only: the possible values are the same as with :func:`one_of`.

    >>> from everycase.gen import integers, just
    >>> sizes = frequency((9, integers(0, 9)), (1, integers(10, 10**6)))
    >>> 50 < sum(n < 10 for n in sizes.sample(100, seed=0)) < 100
    True
    """
    given: Any = pairs
    if len(pairs) == 1 and isinstance(pairs[0], list):
        given = pairs[0]
    options: list[Gen[T]] = []
    weights: list[float] = []
    for i, pair in enumerate(given):
        if not isinstance(pair, tuple) or len(pair) != 2 or isinstance(pair[0], Gen):
            raise InvalidArgument(
                f"argument {i + 1} of frequency must be a pair (weight, generator), not {pair!r}; "
                "for example frequency((9, gen.integers()), (1, gen.none()))"
            )
        weight, option = pair
        option = as_gen(f"the generator of pair {i + 1} of frequency", option)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < math.inf:
            raise InvalidArgument(
                f"the weight of pair {i + 1} of frequency must be a positive number, not {weight!r}; "
                "leave an option out instead of giving it weight 0"
            )
        options.append(option)
        weights.append(weight)
    if not options:
        raise InvalidArgument("frequency needs at least one pair (weight, generator)")
    return described(Union(tuple(options), tuple(weights)), "frequency", *zip(weights, options))


# --- recursion ------------------------------------------------------------------------------------------


def deferred(definition: Callable[[], Gen[T]]) -> Gen[T]:
    """A generator that is defined later, so that it can refer to itself.

    The recursion needs a way to end: one alternative that does not recurse.

    >>> from everycase.gen import just, tuples
    >>> trees = deferred(lambda: just(None) | tuples(trees, trees))
    >>> all(tree is None or len(tree) == 2 for tree in trees.sample(50, seed=0))
    True
    """
    require_callable("definition", definition, "gen.deferred(lambda: leaves | nodes)", 0)
    return Defer(definition)


def recursive(base: Gen[T], extend: Callable[[Gen[Any]], Gen[Any]], *, max_leaves: int = 100) -> Gen[Any]:
    """Values of ``base``, and values that ``extend`` builds from a generator of smaller such values.

    A random value contains at most ``max_leaves`` values of ``base`` (unless ``extend`` uses ``flatmap`` or
    ``composite``, which may draw any number of them). Values that are counted, searched for or pruned may contain more:
    ``g[i]``, neighbours, and inputs that are made to satisfy a precondition.

    >>> from everycase.gen import booleans, lists
    >>> json = recursive(booleans(), lambda values: lists(values))
    >>> all(isinstance(value, bool | list) for value in json.sample(50, seed=0))
    True
    """
    base = as_gen("base", base)
    require_callable("extend", extend, "gen.recursive(gen.integers(), lambda inner: gen.lists(inner))", 1)
    require_count("max_leaves", max_leaves)
    if max_leaves == 0:
        raise InvalidArgument("max_leaves=0 allows no value; give at least 1")
    whole: Gen[Any] = Defer(lambda: union)
    extended = as_gen("what the function given to recursive returned", extend(whole))
    # Each recursive step replaces one value by up to ``width`` values, so it adds one less than that.
    steps = (max_leaves - 1) // max(1, _width(extended) - 1)
    union: Gen[Any] = Union((base, extended), limit=steps)
    shown = None if max_leaves == 100 else max_leaves
    described(whole, "recursive", base, extend, max_leaves=shown)
    return described(union, "recursive", base, extend, max_leaves=shown)


def _width(extended: Gen[Any]) -> int:
    """Into how many recursive parts a value may be forced to branch at once."""
    widest = 1
    for node in nodes(extended, lambda node: not isinstance(node, Defer)):
        if isinstance(node, Build):
            widest = max(widest, sum(part.has_defer for part in node.parts))
        elif isinstance(node, List) and node.has_defer:
            widest = max(widest, node.min_size)
    return widest


def _listed(name: str, options: Any) -> tuple[Any, ...]:
    if isinstance(options, Iterable) and not isinstance(options, str | bytes):
        return tuple(options)
    return (as_gen(f"argument 1 of {name}", options),)
