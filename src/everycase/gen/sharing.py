"""``shared``: the same value in several places of one input."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.graph import nodes
from everycase.gen.kinds import RUNS_CODE, Build, Composite
from everycase.gen.show import described
from everycase.gen.validate import as_gen

T = TypeVar("T")

#: The values drawn for each key in the current input, which is being made or tested.
_drawn: ContextVar[dict[Any, Any] | None] = ContextVar("everycase_shared", default=None)


def shared(base: Gen[T], *, key: Hashable | None = None) -> Gen[T]:
    """One value of ``base``, the same wherever it is drawn within one input, also in other arguments.

    Generators with the same ``key`` share their value; without a key, those with the same ``base`` object.
    Such generators cannot be counted.

    >>> from everycase import check, gen
    >>> width = gen.shared(gen.integers(1, 5), key="width")
    >>> rows = width.flatmap(lambda n: gen.lists(gen.booleans(), min_size=n, max_size=n))
    >>> check(lambda a, b: len(a) == len(b), rows, rows).status
    'passed'
    """
    base = as_gen("base", base)
    if isinstance(key, Gen):
        raise InvalidArgument(f"key must be a value, such as a string, not the generator {key!r}")
    try:
        hash(key)
    except TypeError:
        raise InvalidArgument(f"key must be hashable, such as a string, not {key!r}") from None
    _EVER.used = True
    name = ("base", id(base)) if key is None else ("key", key)
    node: Gen[T] = Composite(_draw_shared, (base, name), {})
    return described(node, "shared", base, key=key)


def _draw_shared(draw: Any, base: Gen[T], name: Any) -> T:
    drawn = _drawn.get()
    if drawn is None:
        return draw(base)  # type: ignore[no-any-return]
    if name not in drawn:
        drawn[name] = draw(base)
    return drawn[name]  # type: ignore[no-any-return]


#: Generators of more nodes than this are not looked through.
MOST_LOOKED_AT = 10_000


def one_input(parts: tuple[Gen[Any], ...], tuples: Gen[Any]) -> Gen[Any]:
    """``tuples`` of these parts as one input: shared values are shared among them.

    Whoever makes a value of such a node calls :func:`begin_input` first. Its traces are those of the tuples.
    """
    if not _EVER.used or not any(map(_may_share, parts)) or not isinstance(tuples, Build):
        return tuples
    whole: Build[Any] = Build(tuples.make, parts, constructs=tuples.constructs, share=tuples.share)
    whole.begins_input = True
    return whole


def begin_input() -> None:
    """A new input is made: nothing is shared with the one before. It ends with the run
    (:func:`forget_shared`), because draws during the test belong to it, too."""
    _drawn.set({})


@contextmanager
def own_input(node: Gen[Any]) -> Iterator[None]:
    """A value made outside of any property is an input of its own."""
    if not _EVER.used or node.begins_input:
        yield
        return
    token = _drawn.set({})
    try:
        yield
    finally:
        _drawn.reset(token)


def forget_shared() -> None:
    """No input is being made or tested any longer."""
    if _EVER.used:
        _drawn.set(None)


def _may_share(part: Gen[Any]) -> bool:
    """Whether a shared value may be drawn; functions that draw or make generators may do so, and so may what
    is too large to look through (a definition may have no end)."""
    return any(isinstance(node, RUNS_CODE) or i > MOST_LOOKED_AT for i, node in enumerate(nodes(part)))


def is_shared(gen: Gen[Any]) -> bool:
    """Whether shared values are among the parts that are known before anything is drawn."""
    return _EVER.used and any(getattr(node, "function", None) is _draw_shared for node in nodes(gen))


class _Ever:
    """Whether anything was ever shared in this process, so that others pay nothing."""

    used = False


_EVER = _Ever()
