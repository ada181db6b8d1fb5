"""Places that hold one of several different kinds of things, and are decided when they are read."""

from __future__ import annotations

from typing import Any

from everycase.choices.trace import Trace
from everycase.gen.kinds import Int, Map
from everycase.narrow.lazy.unions import ObjectPlan
from everycase.narrow.lazy.whole import WholePart
from everycase.narrow.plan import Context, Decided, Path, Plan, WholePlan, wrapped
from everycase.narrow.trail import Alternative, Dead, Place, affordable
from everycase.sizes.numbers import is_small


class Slot:
    """The target of a decision about the content of a container."""

    __slots__ = ("container", "empty", "key")

    def __init__(self, container: Any, key: Any, empty: Any) -> None:
        self.container = container
        self.key = key
        self.empty = empty


class InSlot(Alternative):
    """A possible content of a slot."""

    __slots__ = ("path",)

    path: Path

    def release(self, target: Slot) -> None:
        if target.empty is None:
            target.container.pop(target.key, None)
        else:
            target.container[target.key] = target.empty

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        raise NotImplementedError


class Value(InSlot):
    """A real value; ``number`` is the choice behind a pick."""

    __slots__ = ("gen", "number")

    ends = True

    def __init__(self, path: Path, gen: Any, value: Any, extra: int, number: int | None = None) -> None:
        self.path = path
        self.gen = gen
        self.label = value
        self.extra = extra
        self.number = number

    def place(self, target: Slot) -> None:
        target.container[target.key] = self.label

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        below = () if self.number is None else (Trace(self.number, (), self.gen.source, clean=False),)
        return wrapped(self.path, Trace(None, below, self.gen, clean=False))


class Subplan(InSlot):
    """Something that is decided further: an object, an interval, a list, or an opaque part."""

    __slots__ = ("plan", "site", "state")

    def __init__(self, context: Context, path: Path, plan: Plan, extra: int, place: Place) -> None:
        self.path = path
        self.plan = plan
        self.extra = extra
        self.state = context.state
        self.site = place
        self.label = plan.label if isinstance(plan, ObjectPlan) else type(plan).__name__

    def place(self, target: Slot) -> None:
        container, key = target.container, target.key
        if isinstance(self.plan, WholePlan):
            WholePart(self.plan.gen, container, key, target.empty, self.site, self.state).make_again()
        else:
            container[key] = self.plan.fresh(container, key)

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        return wrapped(self.path, self.plan.choices(container, key, decided))


class ChoicePlan(Plan):
    """One of several different kinds of things: decided when it is read."""

    waits = True

    def __init__(self, context: Context, alternatives: list[Alternative], place: Place, base: int) -> None:
        self.least = base
        self.state = context.state
        self.place = place
        self.alternatives = alternatives
        _, self.within = affordable(alternatives)

    def decide(self, container: Any, key: Any, empty: Any = None) -> Any:
        state = self.state
        state.push(Slot(container, key, empty), self.within(state.slack), self.place)
        if state.dead:
            raise Dead
        return container[key]

    def choices(self, container: Any, key: Any, decided: Decided) -> Trace[Any] | None:
        found: InSlot = decided[id(container), key, "slot"]
        return found.choices(container, key, decided)


def is_pick(gen: Map[Any]) -> bool:
    """Whether this is one of a few given values: ``sampled_from``, ``booleans``, an enum."""
    source = gen.source
    return (
        isinstance(source, Int)
        and gen.share
        and is_small(source)
        and source.hi is not None
        and source.lo is not None
        and source.hi - source.lo < 256
    )


def picks(gen: Map[Any], path: Path = (), base: int = 0) -> list[Value]:
    source = gen.source
    assert isinstance(source, Int) and source.lo is not None and source.hi is not None
    return [Value(path, gen, gen.f(i), -base, i) for i in range(source.lo, source.hi + 1)]
