"""``from_strategy``: a Hypothesis strategy as a generator.

If its structure is known, each part becomes the generator with the same meaning, so such generators can be
counted, indexed, enumerated, covered and pruned. Most strategies remember the public call that made them,
which is translated to our function of that name. The others are translated by their class. Any other strategy
becomes a generator that drives Hypothesis choice by choice (see ``opaque``). ``explain`` says which parts
were translated in which way.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from everycase import strategies as ours
from everycase.bridges.hypothesis import private
from everycase.bridges.hypothesis.opaque import drive, float_choice, opaque
from everycase.bridges.hypothesis.private import Strategy, StrategyCall, UnsatisfiedAssumption
from everycase.errors import EverycaseWarning, FailedAssumption, GeneratorError, InvalidArgument
from everycase.gen import unicode
from everycase.gen.base import Gen
from everycase.gen.building import builds
from everycase.gen.collections import fixed_dictionaries, lists, permutations, tuples
from everycase.gen.composition import one_of, recursive
from everycase.gen.drawing import data
from everycase.gen.graph import nodes
from everycase.gen.instance import runner
from everycase.gen.internet import domains, urls
from everycase.gen.kinds import Bind, Build, Composite, Defer, Filter, Int, Map
from everycase.gen.scalars import booleans, integers, just, nothing, of_range, pick, place_of
from everycase.gen.sharing import shared
from everycase.gen.strings import binary, from_alphabet, text
from everycase.gen.validate import not_a_gen

#: The attribute of a strategy that caches its generator: the same strategy is the same generator.
_KEPT = "_everycase_generator"

#: Public functions whose call means the same here, if strategies in the arguments are also translated.
_SAME = frozenset(
    [
        "binary",
        "booleans",
        "characters",
        "complex_numbers",
        "dates",
        "datetimes",
        "decimals",
        "dictionaries",
        "emails",
        "fixed_dictionaries",
        "floats",
        "fractions",
        "from_regex",
        "frozensets",
        "functions",
        "integers",
        "ip_addresses",
        "iterables",
        "lists",
        "none",
        "nothing",
        "permutations",
        "random_module",
        "randoms",
        "sets",
        "slices",
        "text",
        "timedeltas",
        "times",
        "timezone_keys",
        "timezones",
        "tuples",
        "uuids",
    ]
)
_ELSEWHERE: dict[str, Callable[..., Gen[Any]]] = {"urls": urls, "domains": domains}


def from_strategy(strategy: Any) -> Gen[Any]:
    """The generator of the values of a Hypothesis strategy.

    >>> import hypothesis.strategies as st
    >>> pairs = from_strategy(st.tuples(st.booleans(), st.sampled_from("abc")))
    >>> len(pairs), pairs[4]
    (6, (True, 'b'))
    """
    if isinstance(strategy, Gen):
        return strategy
    if not isinstance(strategy, private.st.SearchStrategy):
        raise not_a_gen(strategy, "the argument of from_strategy")
    known: Gen[Any] | None = strategy.__dict__.get(_KEPT)
    if known is None:
        known = _read(strategy)
        strategy.__dict__[_KEPT] = known
    return known


def _read(strategy: Strategy) -> Gen[Any]:
    try:
        return _structure(strategy) or opaque(strategy)
    except AttributeError as problem:
        warnings.warn(
            f"Hypothesis {private.hypothesis.__version__} has changed: {type(strategy).__name__} is not "
            "translated by its "
            f"structure ({problem}), so everycase drives it choice by choice",
            EverycaseWarning,
            stacklevel=3,
        )
        return opaque(strategy)


def _structure(strategy: Strategy) -> Gen[Any] | None:
    """The generator of a strategy whose structure is known."""
    if private.is_deferred(strategy):
        # Stored before it is examined, so that a cycle comes back here.
        return Defer(lambda: from_strategy(private.definition_of(strategy)))
    call = private.call_of(strategy)
    if call is None:
        rule = _CLASSES.get(type(strategy).__name__)
        if rule is None or not type(strategy).__module__.startswith("hypothesis."):
            return None
        return rule(strategy)
    node = _called(call)
    if node is None:
        node = from_strategy(private.unwrapped(strategy))
    return _transformed(node, call.transformations)


def _called(call: StrategyCall) -> Gen[Any] | None:
    """The result of our function of the same name; None if it means something else, or rejects the
    arguments."""
    if call.name == "recursive":
        return _recursive(*call.args, **call.kwargs)
    function = getattr(ours, call.name) if call.name in _SAME else _ELSEWHERE.get(call.name)
    if function is None:
        return None
    try:
        args = [_converted(argument) for argument in call.args]
        kwargs = {name: _converted(argument) for name, argument in call.kwargs.items()}
        node: Gen[Any] = function(*args, **kwargs)
    except (InvalidArgument, TypeError):
        return None  # Hypothesis may accept it; if it does not, it reports that itself
    return node


def _converted(argument: Any) -> Any:
    if isinstance(argument, private.st.SearchStrategy):
        return from_strategy(argument)
    if isinstance(argument, Mapping) and any(_is_strategy(value) for value in argument.values()):
        return {key: _converted(value) for key, value in argument.items()}
    return argument


def _is_strategy(value: object) -> bool:
    return isinstance(value, private.st.SearchStrategy)


def _transformed(node: Gen[Any], transformations: tuple[tuple[str, Callable[[Any], Any]], ...]) -> Gen[Any]:
    for method, function in transformations:
        if method == "map":
            node = Map(node, discarding(function))
        elif method == "filter":
            node = Filter(node, discarding(function))
        else:
            raise AttributeError(f"a transformation {method!r}")
    return node


def discarding(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that was written for Hypothesis: values that it rejects are discarded here."""
    if isinstance(function, type) and function.__module__ == "builtins":
        return function

    @functools.wraps(function, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except UnsatisfiedAssumption as problem:
            raise FailedAssumption(str(problem)) from None

    return call


# --- by class ----------------------------------------------------------------------------------------------------


def _sampled(strategy: Any) -> Gen[Any]:
    elements = strategy.elements
    node: Gen[Any]
    if isinstance(elements, range):
        node = of_range(elements, "sampled_from")
    elif len(elements) <= 10_000:
        node = pick(tuple(elements), "sampled_from", list(elements))
    else:
        node = Map(
            Int(0, len(elements) - 1, 0),
            elements.__getitem__,
            lambda value: place_of(value, elements),
            share=True,
        )
    return _transformed(node, private.transformations_of(strategy))


def _just(strategy: Any) -> Gen[Any]:
    return _transformed(just(strategy.value), private.transformations_of(strategy))


def _mapped(strategy: Any) -> Gen[Any]:
    return Map(from_strategy(strategy.mapped_strategy), discarding(strategy.pack))


def _filtered(strategy: Any) -> Gen[Any]:
    node = from_strategy(strategy.filtered_strategy)
    for condition in strategy.flat_conditions:
        node = Filter(node, discarding(condition))
    return node


def _flatmapped(strategy: Any) -> Gen[Any]:
    expand = discarding(getattr(strategy, "expand"))  # noqa: B009 (an AttributeError is caught above)
    base = strategy.base if hasattr(strategy, "base") else strategy.flatmapped_strategy
    return Bind(from_strategy(base), lambda value: from_strategy(expand(value)))


def _built(strategy: Any) -> Gen[Any]:
    args = tuple(from_strategy(part) for part in strategy.args)
    kwargs = {name: from_strategy(part) for name, part in strategy.kwargs.items()}
    target = strategy.target if isinstance(strategy.target, type) else discarding(strategy.target)
    try:
        return builds(target, *args, **kwargs)
    except (InvalidArgument, GeneratorError):
        # Its signature cannot be read; Hypothesis calls it anyway.
        return Build(target, (*args, *kwargs.values()), tuple(kwargs))


def _composite(strategy: Any) -> Gen[Any]:
    definition = strategy.definition

    @functools.wraps(definition)
    def function(draw: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        with private.allowing_assume():
            try:
                return definition(draw, *args, **kwargs)
            except UnsatisfiedAssumption as problem:
                raise FailedAssumption(str(problem)) from None

    return Composite(function, tuple(strategy.args), dict(strategy.kwargs))


def _recursive(
    base: Strategy,
    extend: Callable[[Strategy], Strategy],
    *,
    min_leaves: int | None = None,
    max_leaves: int = 100,
) -> Gen[Any]:
    def extended(whole: Gen[Any]) -> Gen[Any]:
        # The function was written for strategies, so it gets one that stands for the generator.
        stand_in = private.st.deferred(lambda: base)
        stand_in.__dict__[_KEPT] = whole
        return from_strategy(extend(stand_in))

    if min_leaves is not None:
        return ours.recursive(from_strategy(base), extended, min_leaves=min_leaves, max_leaves=max_leaves)
    return recursive(from_strategy(base), extended, max_leaves=max_leaves)


def _list(strategy: Any) -> Gen[Any]:
    return lists(from_strategy(strategy.element_strategy), **_sizes(strategy))


def _unique_list(strategy: Any) -> Gen[Any]:
    element = from_strategy(strategy.element_strategy)
    node = lists(element, **_sizes(strategy), unique_by=tuple(strategy.keys))
    suffix = getattr(strategy, "tuple_suffixes", None)
    if suffix is None:
        return node
    # Keys of a dictionary in the elements, and the rest of each item beside them.
    pairs = tuples(element, from_strategy(suffix)).map(lambda pair: (pair[0], *pair[1]))
    return lists(pairs, **_sizes(strategy), unique_by=tuple(strategy.keys))


def _sizes(strategy: Any) -> dict[str, Any]:
    longest = strategy.max_size
    return {"min_size": strategy.min_size, "max_size": None if longest == math.inf else int(longest)}


def _fixed_dictionary(strategy: Any) -> Gen[Any]:
    mapping = {key: from_strategy(value) for key, value in strategy.mapping.items()}
    optional = {key: from_strategy(value) for key, value in (strategy.optional or {}).items()}
    return fixed_dictionaries(mapping, optional=optional or None)


def _float(strategy: Any) -> Gen[Any]:
    smallest = strategy.smallest_nonzero_magnitude
    return float_choice(repr(strategy.min_value), repr(strategy.max_value), strategy.allow_nan, smallest)


def _characters(strategy: Any) -> Gen[str]:
    return from_alphabet(
        unicode.Alphabet(tuple((low, high + 1) for low, high in strategy.intervals.intervals))
    )


def _shared(strategy: Any) -> Gen[Any]:
    # Without a key, Hypothesis shares by the strategy itself.
    return shared(from_strategy(strategy.base), key=strategy.key or id(strategy))


def _runner(strategy: Any) -> Gen[Any]:
    return runner() if strategy.default is private.not_set else runner(default=strategy.default)


_CLASSES: dict[str, Callable[[Any], Gen[Any]]] = {
    "BooleansStrategy": lambda strategy: booleans(),
    "BuildsStrategy": _built,
    "BytesStrategy": lambda strategy: binary(**_sizes(strategy)),
    "CompositeStrategy": _composite,
    "DataStrategy": lambda strategy: data(),
    "FilteredStrategy": _filtered,
    "FixedDictStrategy": _fixed_dictionary,
    "FlatMapStrategy": _flatmapped,
    "FloatStrategy": _float,
    "IntegersStrategy": lambda strategy: integers(strategy.start, strategy.end),
    "JustStrategy": _just,
    "LimitedStrategy": lambda strategy: from_strategy(strategy.base_strategy),
    "ListStrategy": _list,
    "MappedStrategy": _mapped,
    "Nothing": lambda strategy: nothing(),
    "OneCharStringStrategy": _characters,
    "OneOfStrategy": lambda strategy: one_of([from_strategy(each) for each in strategy.original_strategies]),
    "PermutationStrategy": lambda strategy: permutations(strategy.values),
    "RecursiveStrategy": lambda strategy: _recursive(
        strategy.base, strategy.extend, max_leaves=strategy.max_leaves
    ),
    "RunnerStrategy": _runner,
    "SampledFromStrategy": _sampled,
    "SharedStrategy": _shared,
    "TextStrategy": lambda strategy: text(from_strategy(strategy.element_strategy), **_sizes(strategy)),
    "TupleStrategy": lambda strategy: tuples(*map(from_strategy, strategy.element_strategies)),
    "UniqueListStrategy": _unique_list,
    "UniqueSampledListStrategy": _unique_list,
}


# --- explain ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Explanation:
    """How a strategy was translated: ``opaque`` are the parts that Hypothesis draws itself, choice by
    choice."""

    generator: Gen[Any]
    opaque: tuple[str, ...]
    #: functions that make or draw further parts while values are made, which are translated then
    later: tuple[str, ...]

    @property
    def structural(self) -> bool:
        """Whether every visible part was translated by its structure."""
        return not self.opaque

    def __str__(self) -> str:
        lines = [f"read as {self.generator!r}"]
        if self.opaque:
            lines.append("driven by Hypothesis, choice by choice: " + ", ".join(self.opaque))
        if self.later:
            lines.append("known only while values are made:  " + ", ".join(self.later))
        return "\n".join(lines)


def explain(strategy: Any) -> Explanation:
    """How a strategy is translated.

    >>> import hypothesis.strategies as st
    >>> print(explain(st.lists(st.integers(0, 9))))
    read as lists(integers(0, 9))
    """
    generator = from_strategy(strategy)
    opaque: dict[str, None] = {}
    later: dict[str, None] = {}
    for node in nodes(generator):
        if isinstance(node, Composite) and node.function is drive:
            opaque[repr(node.args[0])] = None
        elif isinstance(node, Composite | Bind) and not _is_ours(node):
            later[repr(node)] = None
    return Explanation(generator, tuple(opaque), tuple(later))


def _is_ours(node: Any) -> bool:
    """Whether a function that draws is one of everycase, whose draws are known."""
    function = node.function if isinstance(node, Composite) else node.f
    return str(getattr(function, "__module__", "")).startswith("everycase.gen")
