"""From values back to their choices, and from choices to their number.

``trace_of`` takes a value apart: constructors by their fields, ``map`` by its inverse, unions by trying their
options, lists element by element. ``rank`` numbers a trace in a space. Both keep their own stack.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from everycase.choices.trace import Trace
from everycase.enumeration.count import space_of
from everycase.enumeration.decode import record_at
from everycase.enumeration.spaces import SCAN_LIMIT, Ranking, Space
from everycase.enumeration.tiers import sizes
from everycase.errors import EverycaseError, NoSuchValue, NotCountable, NotInvertible
from everycase.gen.base import Gen
from everycase.gen.dependent import ChainStep
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

T = TypeVar("T")

Inverting = Generator[tuple[Gen[Any], Any], Trace[Any], Trace[Any]]


def rank(space: Space, trace: Trace[Any]) -> int:
    """The number that a trace has in a space."""
    by_id = sizes(trace)

    def size(node: Trace[Any]) -> int:
        return by_id[id(node)]

    stack: list[Ranking] = [space.rank(trace, size)]
    answer: Any = None
    while stack:
        try:
            below, node = stack[-1].send(answer)
        except StopIteration as finished:
            stack.pop()
            answer = finished.value
            continue
        stack.append(below.rank(node, size))
        answer = None
    result: int = answer
    return result


def trace_of(gen: Gen[T], value: Any) -> Trace[T]:
    """The choices that make a value: the inverse of replaying them.

    Raises :class:`NoSuchValue` if the generator does not make it, and :class:`NotInvertible` where that cannot be
    known: at a ``map`` without ``inverse=``, a ``builds`` of a plain function, a composite.

    >>> from everycase import gen
    >>> trace_of(gen.lists(gen.booleans()), [True, False]).to_json()
    [[1], [0]]
    """
    stack: list[Inverting] = []
    request: tuple[Gen[Any], Any] | None = (gen, value)
    answer: Any = None
    problem: EverycaseError | None = None
    while True:
        if request is not None:
            node, part = request
            stack.append(INVERT[type(node)](node, part))
            request, answer = None, None
        try:
            if problem is not None:
                thrown, problem = problem, None
                request = stack[-1].throw(thrown)
            else:
                request = stack[-1].send(answer)
        except StopIteration as finished:
            stack.pop()
            answer = finished.value
            if not stack:
                return answer  # type: ignore[no-any-return]
        except (NoSuchValue, NotInvertible) as failure:
            stack.pop()
            if not stack:
                # Said once, here: unions try their options, and most of those fail.
                raise (_no_such(gen, value) if isinstance(failure, NoSuchValue) else failure) from None
            problem = failure


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same to a generator: of one type and equal (1 is not True, and not 1.0)."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) is float:
        return repr(one) == repr(other)  # 0.0 is not -0.0
    try:
        return bool(one == other)
    except Exception:
        return False


def _differs(made: Any, value: Any) -> bool:
    """Whether what an inverse led to is something else for certain. Classes without ``==`` cannot tell."""
    equals: Any = type(made).__eq__
    if type(made) is type(value) and equals is object.__eq__:
        return False
    try:
        return not (type(made) is type(value) and (made is value or made == value))
    except Exception:
        return False


def _no_such(gen: Gen[Any], value: Any) -> NoSuchValue:
    try:
        shown = repr(value)
    except RecursionError:
        shown = f"a very deep {type(value).__name__}"
    shown = shown if len(shown) <= 80 else shown[:77] + "..."
    return NoSuchValue(f"{gen!r} does not make {shown}")


def _const(gen: Const[Any], value: Any) -> Inverting:
    if not same(gen.value, value):
        raise NoSuchValue
    return Trace(None, (), gen, value)
    yield


def _number(gen: Int | Float, value: Any) -> Inverting:
    if not gen.fits(value):
        raise NoSuchValue
    return Trace(value, (), gen, value)
    yield


def _union(gen: Union[Any], value: Any) -> Inverting:
    unknown: NotInvertible | None = None
    for option, part in enumerate(gen.options):
        try:
            below = yield part, value
        except NoSuchValue:
            continue
        except NotInvertible as problem:
            unknown = unknown or problem
            continue
        return Trace(option, (below,), gen, value)
    raise unknown or NoSuchValue()


def _build(gen: Build[Any], value: Any) -> Inverting:
    if gen.constructs is tuple:
        if type(value) is not tuple or len(value) != len(gen.parts):
            raise NoSuchValue
        parts = list(value)
    elif gen.inverse is not None:
        try:
            parts = list(gen.inverse(value))
        except Exception:
            raise NoSuchValue from None  # a value that the function never makes need not suit its inverse
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
                f"{gen!r} cannot be taken apart again: {missing}. Keep each argument of the constructor in an "
                "attribute of the same name."
            ) from None
    kids = []
    for part, below in zip(gen.parts, parts):
        kids.append((yield part, below))
    if gen.inverse is not None and _differs(gen.construct(parts), value):
        raise NoSuchValue
    return Trace(None, kids, gen, value)


def _fields(gen: Build[Any]) -> tuple[type, tuple[str, ...]]:
    """The class that a node builds, and the attribute that holds each part."""
    if gen.constructs is not None:
        return gen.constructs, gen.fields
    if not isinstance(gen.make, type):
        raise NotInvertible(
            f"{gen!r} cannot be taken apart again, since it is made by a function; use a class, or "
            "gen.tuples(...).map(f, inverse=...)"
        )
    positional = len(gen.parts) - len(gen.names)
    try:
        parameters = tuple(inspect.signature(gen.make).parameters)
    except ValueError:
        parameters = ()
    if len(parameters) < positional:
        raise NotInvertible(
            f"{gen!r} cannot be taken apart again: which attributes hold its parts is unknown"
        )
    return gen.make, parameters[:positional] + gen.names


def _list(gen: List[Any], value: Any) -> Inverting:
    if (
        type(value) is not list
        or len(value) < gen.min_size
        or (gen.max_size is not None and len(value) > gen.max_size)
    ):
        raise NoSuchValue
    if gen.unique_by is not None:
        keys = gen.unique_by if isinstance(gen.unique_by, tuple) else (gen.unique_by,)
        try:
            distinct = all(len({key(element) for element in value}) == len(value) for key in keys)
        except Exception:
            distinct = False  # the keys do not suit these elements
        if not distinct:
            raise NoSuchValue
    kids = []
    for element in value:
        kids.append((yield gen.element, element))
    return Trace(None, kids, gen, value)


def _map(gen: Map[Any], value: Any) -> Inverting:
    if gen.inverse is None:
        raise NotInvertible(
            f"{gen!r} cannot be taken back to the value it came from; give map its inverse=, "
            "or a class to gen.builds"
        )
    try:
        source = gen.inverse(value)
    except Exception:
        # A value that the function never makes need not suit its inverse.
        raise NoSuchValue from None
    below = yield gen.source, source
    if _differs(gen.f(source), value):
        raise NoSuchValue
    return Trace(None, (below,), gen, value)


def _filter(gen: Filter[Any], value: Any) -> Inverting:
    below = yield gen.source, value
    if not gen.predicate(value):
        raise NoSuchValue
    return Trace(None, (below,), gen, value)


def _bind(gen: Bind[Any], value: Any) -> Inverting:
    """Which outer value belongs to this one is found by trying all of them."""
    if isinstance(gen.f, ChainStep):
        # The outer value is the first of the pair.
        if type(value) is not tuple or len(value) != 2:
            raise NoSuchValue
        outer = yield gen.source, value[0]
        inner_gen = gen.inner(value[0])
        inner = yield inner_gen, value
        return Trace(None, (outer, inner), gen, value, memory=(outer, inner_gen))
    try:
        source = space_of(gen.source)
    except NotCountable:
        source = None
    if source is None or source.count > SCAN_LIMIT:
        raise NotInvertible(
            f"{gen!r} cannot be taken back to the outer value, of which there are too many to try; "
            "chain keeps it: params.chain(family)"
        )
    unknown: NotInvertible | None = None
    for i in range(source.count):
        outer = record_at(source, i)
        inner_gen = gen.inner(outer.value)
        try:
            inner = yield inner_gen, value
        except NoSuchValue:
            continue
        except NotInvertible as problem:
            unknown = unknown or problem
            continue
        return Trace(None, (outer, inner), gen, value, memory=(outer, inner_gen))
    raise unknown or NoSuchValue()


def _defer(gen: Defer[Any], value: Any) -> Inverting:
    return (yield gen.target, value)


def _never(gen: Gen[Any], value: Any) -> Inverting:
    raise NotInvertible(f"{gen!r} cannot be taken back to its choices: they are known only by running it")
    yield


INVERT: dict[type[Any], Callable[[Any, Any], Inverting]] = {
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
}
