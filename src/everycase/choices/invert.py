"""From values back to their choices.

``trace_of`` takes a value apart: constructors by their fields, ``map`` by its inverse, unions by trying their
options, lists element by element. It keeps its own stack.

If unions overlap, there are several ways to make a value, and they may differ in size: ``ways_of`` finds one
of each size. The rules work for both: what they are sent for a part, and return, are its *ways*.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from everycase.choices.by_number import TooMany, all_traces
from everycase.choices.enact import replay
from everycase.choices.time_limit import look, watched
from everycase.choices.trace import Trace, sizes
from everycase.errors import (
    Discarded,
    DoesNotFit,
    EverycaseError,
    GeneratorError,
    NoSuchValue,
    NotCountable,
    NotInvertible,
)
from everycase.gen.base import Gen
from everycase.gen.kinds import (
    Bind,
    Build,
    Composite,
    Const,
    Defer,
    Filter,
    Float,
    Int,
    List,
    Live,
    Map,
    Union,
)
from everycase.gen.reading import total
from everycase.sizes.numbers import size_of_leaf

T = TypeVar("T")

#: Traces that make one value, by their size; if not all sizes are wanted, only the first that is found, under
#: 0.
Ways = dict[int, Trace[Any]]
Inverting = Generator[tuple[Gen[Any], Any], Ways, Ways]


class How(NamedTuple):
    """The goal: ways of every size, or the first that is found; exactly this value, or an equal one."""

    every: bool
    exact: bool


#: Maximum number of outer values of a flatmap to try.
MOST_OUTERS = 2**16
#: A value whose parts are nested deeper than this is assumed to be endless.
MOST_NESTED = 3_000_000


def trace_of(gen: Gen[T], value: Any) -> Trace[T]:
    """The choices that make a value: the inverse of replaying them.

    Raises :class:`NoSuchValue` if the generator does not make the value, and :class:`NotInvertible` if that
    cannot be known: for a ``map`` without ``inverse=``, a ``builds`` of a plain function, or a composite.

    >>> from everycase import gen
    >>> trace_of(gen.lists(gen.booleans()), [True, False]).to_json()
    [[1], [0]]
    """
    (trace,) = _ways(gen, value, every=False).values()
    return trace


def ways_of(gen: Gen[T], value: Any) -> dict[int, Trace[T]]:
    """The choices that make a value, one for every possible size.

    >>> from everycase import gen
    >>> sorted(ways_of(gen.just(7) | gen.integers(), 7))
    [0, 3]
    """
    return _ways(gen, value, every=True)


def _ways(gen: Gen[Any], value: Any, *, every: bool) -> Ways:
    """The ways to make exactly this value, or if there are none, an equal one.

    ``Decimal("0.5")`` is accepted for ``Decimal("0.50")``, but only if it is really made: a filter may accept
    the one and not the other, so the choices that were found are run.
    """
    try:
        return _invert(gen, value, How(every, exact=True))
    except NoSuchValue as problem:
        found = {}
        with suppress(NoSuchValue, NotInvertible):
            for size, trace in _invert(gen, value, How(every, exact=False)).items():
                with suppress(DoesNotFit, Discarded):
                    made = replay(gen, Trace.from_json(trace.to_json()))  # from the choices alone
                    if _compared(made.value, value, True, exact=False):
                        found[size] = made
        if not found:
            raise problem from None
        return found


def _invert(gen: Gen[Any], value: Any, how: How) -> Ways:
    """Run the rules. If all sizes are wanted, the results for parts are cached: overlapping unions reach the
    same part in many ways."""
    stack: list[tuple[tuple[Gen[Any], Any], Inverting]] = []
    known: dict[tuple[int, int], tuple[Any, Ways | EverycaseError]] = {}
    working: set[tuple[int, int]] = (
        set()
    )  # recursions in progress: one that comes back with the same value adds none
    request: tuple[Gen[Any], Any] | None = (gen, value)
    answer: Any = None
    problem: EverycaseError | None = None
    while True:
        if request is not None:
            node, part = request
            before = known.get((id(node), id(part))) if how.every else None
            if before is None and isinstance(node, Defer) and (id(node), id(part)) in working:
                problem = NoSuchValue()
            elif before is None:
                if isinstance(node, Defer):
                    working.add((id(node), id(part)))
                stack.append((request, INVERT[type(node)](node, part, how)))
                if len(stack) > MOST_NESTED:
                    raise _endless(gen)
                answer = None
            elif isinstance(before[1], EverycaseError):
                problem = before[1]
            else:
                answer = before[1]
            request = None
        (node, part), rule = stack[-1]
        try:
            if problem is not None:
                thrown, problem = problem, None
                request = rule.throw(thrown)
            else:
                request = rule.send(answer)
            continue
        except StopIteration as finished:
            answer = finished.value
        except (NoSuchValue, NotInvertible) as failure:
            problem = failure
        stack.pop()
        working.discard((id(node), id(part)))
        if how.every:
            # The part is kept as well, so that no other object gets its id.
            known[id(node), id(part)] = part, answer if problem is None else problem
        if not stack:
            if problem is not None:
                # The error is made once, here: unions try their options, and most of those fail.
                raise (_no_such(gen, value) if isinstance(problem, NoSuchValue) else problem) from None
            return answer  # type: ignore[no-any-return]


def _together(parts: list[Ways], cost: int) -> dict[int, list[Trace[Any]]]:
    """The parts of a constructor or a list, by the size of the whole: one way for each of its parts."""
    found: dict[int, list[Trace[Any]]] = {cost: []}
    for ways in parts:
        if len(ways) == 1:
            ((size, trace),) = ways.items()
            for kids in found.values():
                kids.append(trace)
            if size:
                found = {own + size: kids for own, kids in found.items()}
        else:
            longer: dict[int, list[Trace[Any]]] = {}
            for own, kids in found.items():
                for size, trace in ways.items():
                    longer.setdefault(own + size, [*kids, trace])
            found = longer
    return found


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same for a generator: of the same type and equal (1 is not True, and not
    1.0)."""
    return _compared(one, other, False)


def _differs(made: Any, value: Any, how: How) -> bool:
    """Whether the result of an inverse is certainly different. Classes without ``==`` cannot be compared."""
    return not _compared(made, value, True, exact=how.exact)


#: Equal values of these types may look different: ``-0.0``, ``Decimal("0.00")``, the same moment in another
#: time zone.
_BY_LOOK = frozenset({"float", "complex", "Decimal", "datetime", "time"})


def _compared(one: Any, other: Any, unless_known: bool, exact: bool = True) -> bool:
    """Whether two values are the same, in collections part by part; ``unless_known`` is the answer if this
    cannot be decided. Unless it has to be ``exact``, only floats must look the same."""
    pending = [(one, other)]
    while pending:
        one, other = pending.pop()
        if one is other:
            continue
        kind = type(one)
        if kind is not type(other):
            return False
        if kind is tuple or kind is list:
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other))
        elif kind is float or (exact and kind.__name__ in _BY_LOOK):
            if repr(one) != repr(other):  # 0.0 is not -0.0
                return False
        elif not _equal(one, other, unless_known):
            return False
        elif kind is dict:
            twins = {key: key for key in other}
            pending.extend((key, twins[key]) for key in one)
            pending.extend((part, other[key]) for key, part in one.items())
        elif kind is set or kind is frozenset:
            twins = {key: key for key in other}
            pending.extend((key, twins[key]) for key in one)
    return True


def _equal(one: Any, other: Any, unless_known: bool) -> bool:
    equals: Any = type(one).__eq__
    if equals is object.__eq__:
        return unless_known
    try:
        return bool(one == other)
    except Exception:
        return unless_known


def _endless(gen: Gen[Any]) -> GeneratorError:
    return GeneratorError(
        f"{gen!r} cannot take this value apart: its definition refers to itself again and again without passing "
        "through a constructor. Wrap the recursive part in gen.builds, gen.tuples or gen.lists."
    )


def _no_such(gen: Gen[Any], value: Any) -> NoSuchValue:
    try:
        shown = repr(value)
    except RecursionError:
        shown = f"a very deep {type(value).__name__}"
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return NoSuchValue(f"{gen!r} does not make {shown}")


def _const(gen: Const[Any], value: Any, how: How) -> Inverting:
    if not _compared(gen.value, value, False, exact=how.exact):
        raise NoSuchValue
    return {0: Trace(None, (), gen, value)}
    yield


def _number(gen: Int | Float, value: Any, how: How) -> Inverting:
    if not gen.fits(value):
        raise NoSuchValue
    return {size_of_leaf(gen, value) if how.every else 0: Trace(value, (), gen, value)}
    yield


def _union(gen: Union[Any], value: Any, how: How) -> Inverting:
    unknown: NotInvertible | None = None
    found: Ways = {}
    for option, part in enumerate(gen.options):
        try:
            below = yield part, value
        except NoSuchValue:
            continue
        except NotInvertible as problem:
            unknown = unknown or problem
            continue
        for size, trace in below.items():
            found.setdefault(size, Trace(option, (trace,), gen, value))
        if not how.every:
            break
    if not found:
        raise unknown or NoSuchValue()
    return found


def _build(gen: Build[Any], value: Any, how: How) -> Inverting:
    if gen.constructs is tuple:
        if type(value) is not tuple or len(value) != len(gen.parts):
            raise NoSuchValue
        parts = list(value)
    elif gen.inverse is not None:
        look()
        try:
            parts = list(gen.inverse(value))
        except Exception:
            raise NoSuchValue from None  # the inverse need not accept values that the function never makes
        if len(parts) != len(gen.parts):
            raise NoSuchValue
    else:
        cls, fields = _fields(gen)
        if type(value) is not cls:
            raise NoSuchValue
        try:
            parts = [getattr(value, field) for field in fields]
        except AttributeError as missing:
            raise NotInvertible(
                f"{gen!r} cannot be taken apart: {missing}. Store each argument of the constructor in an "
                "attribute of the same name."
            ) from None
    kids = []
    for part, below in zip(gen.parts, parts):
        kids.append((yield part, below))
    if gen.inverse is not None and _differs(gen.construct(parts), value, how):
        raise NoSuchValue
    whole = _together(kids, 1 if how.every else 0)
    return {size: Trace(None, traces, gen, value) for size, traces in whole.items()}


def _fields(gen: Build[Any]) -> tuple[type, tuple[str, ...]]:
    """The class that a node builds, and the attribute that holds each part."""
    if gen.constructs is not None:
        return gen.constructs, gen.fields
    if not isinstance(gen.make, type):
        raise NotInvertible(
            f"{gen!r} cannot be taken apart, because it is made by a function; use a class, or "
            "gen.tuples(...).map(f, inverse=...)"
        )
    positional = len(gen.parts) - len(gen.names)
    try:
        parameters = tuple(inspect.signature(gen.make).parameters)
    except ValueError:
        parameters = ()
    if len(parameters) < positional:
        raise NotInvertible(f"{gen!r} cannot be taken apart: it is unknown which attributes hold its parts")
    return gen.make, parameters[:positional] + gen.names


def _list(gen: List[Any], value: Any, how: How) -> Inverting:
    if (
        type(value) is not list
        or len(value) < gen.min_size
        or (gen.max_size is not None and len(value) > gen.max_size)
    ):
        raise NoSuchValue
    if gen.unique_by is not None:
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        try:
            distinct = all(len({key(element) for element in watched(value)}) == len(value) for key in keys)
        except Exception:
            distinct = False  # the keys do not work for these elements
        if not distinct:
            raise NoSuchValue
    kids = []
    for element in value:
        kids.append((yield gen.element, element))
    whole = _together(kids, len(value) if how.every else 0)
    return {size: Trace(None, traces, gen, value) for size, traces in whole.items()}


def _map(gen: Map[Any], value: Any, how: How) -> Inverting:
    if gen.inverse is None:
        raise NotInvertible(
            f"{gen!r} cannot be traced back to the value it came from; give map its inverse=, "
            "or a class to gen.builds"
        )
    look()
    try:
        source = gen.inverse(value)
    except NotInvertible:
        raise
    except Exception:
        # The inverse need not accept values that the function never makes.
        raise NoSuchValue from None
    below = yield gen.source, source
    if _differs(gen.f(source), value, how):
        raise NoSuchValue
    return {size: Trace(None, (trace,), gen, value) for size, trace in below.items()}


def _filter(gen: Filter[Any], value: Any, how: How) -> Inverting:
    below = yield gen.source, value
    if how.exact and not gen.predicate(value):
        raise NoSuchValue
    return {size: Trace(None, (trace,), gen, value) for size, trace in below.items()}


def _bind(gen: Bind[Any], value: Any, how: How) -> Inverting:
    """The outer value of this one is read off, or else found by trying all of them."""
    found: Ways = {}
    if gen.outer_of is not None:
        try:
            outer_value = gen.outer_of(value)
        except Exception:
            # As with an inverse, it need not accept values that are never made.
            raise NoSuchValue from None
        outers = yield gen.source, outer_value
        inner_gen = gen.inner(outer_value)
        inners = yield inner_gen, value
        for outer_size, outer in outers.items():
            _depend(found, gen, outer_size, outer, inner_gen, inners)
        return found
    unknown: NotInvertible | None = None
    for outer in _outer_values(gen):
        look()
        inner_gen = gen.inner(outer.value)
        try:
            inners = yield inner_gen, value
        except NoSuchValue:
            continue
        except NotInvertible as problem:
            unknown = unknown or problem
            continue
        _depend(found, gen, sizes(outer)[id(outer)] if how.every else 0, outer, inner_gen, inners)
        if not how.every:
            break
    if not found:
        raise unknown or NoSuchValue()
    return found


def _outer_values(gen: Bind[Any]) -> Iterator[Trace[Any]]:
    try:
        yield from all_traces(gen.source, MOST_OUTERS)
    except (TooMany, NotCountable):
        raise NotInvertible(
            f"{gen!r} cannot be traced back to the outer value, because there are too many to try; "
            "chain keeps it: params.chain(family)"
        ) from None


def _depend(
    found: Ways, gen: Bind[Any], size: int, outer: Trace[Any], inner_gen: Gen[Any], inners: Ways
) -> None:
    """Add the ways to make a value that begin with this outer one."""
    for inner_size, inner in inners.items():
        if size + inner_size not in found:
            found[size + inner_size] = Trace(
                None, (outer, inner), gen, inner.value, memory=(outer, inner_gen)
            )


def _defer(gen: Defer[Any], value: Any, how: How) -> Inverting:
    return (yield gen.target, value)


def _never(gen: Gen[Any], value: Any, how: How) -> Inverting:
    raise NotInvertible(f"{gen!r} cannot be traced back to its choices: they are known only by running it")
    yield


INVERT: dict[type[Any], Callable[[Any, Any, How], Inverting]] = total(
    "from values back to choices",
    {
        Const: _const,
        Int: _number,
        Float: _number,
        Union: _union,
        Build: _build,
        List: _list,
        Map: _map,
        Filter: _filter,
        Bind: _bind,
        Defer: _defer,
        Composite: _never,
        Live: _never,
    },
)
