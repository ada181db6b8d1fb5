"""What a value must satisfy, taken off the generators that say it: filters around arguments, and preconditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.kinds import Defer, Filter

#: A predicate, and which of the arguments it takes.
Guard = tuple[Callable[..., object], tuple[int, ...]]


def without_filters(gen: Gen[Any]) -> tuple[Gen[Any], list[Callable[[Any], object]]]:
    """The generator inside the filters around it, and their predicates, the innermost first."""
    predicates: list[Callable[[Any], object]] = []
    while True:
        if isinstance(gen, Defer) and isinstance(gen.target, Filter):
            gen = gen.target
        if not isinstance(gen, Filter):
            return gen, predicates[::-1]
        predicates.append(gen.predicate)
        gen = gen.source


def conjunction(guards: Sequence[Guard], arguments: int) -> Callable[..., object]:
    """One function of all arguments that is true if every guard is. Not called for what an earlier one rejected."""
    if not guards:
        return lambda *args: True
    if len(guards) == 1 and guards[0][1] == tuple(range(arguments)):
        return guards[0][0]

    def satisfied(*args: Any) -> bool:
        return all(check(*[args[place] for place in places]) for check, places in guards)

    return satisfied


def names_of(guards: Sequence[Guard]) -> str:
    """The predicates in words."""
    names = [getattr(check, "__name__", type(check).__name__) for check, _ in guards]
    return " and ".join(dict.fromkeys("the precondition" if name == "<lambda>" else name for name in names))
