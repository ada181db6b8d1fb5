"""Tables of rules: what an interpreter does with each kind of node, checked to be complete.

The kinds of nodes are a closed set, and each interpreter (sampling, counting, inverting, ...) has one rule
for each kind. :func:`total` checks this when the table is made, so a new kind without a rule fails at import
and names the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from everycase.gen import kinds
from everycase.gen.base import Gen

Rule = TypeVar("Rule")

#: All kinds of nodes. A kind is a class of :mod:`everycase.gen.kinds` that describes values.
KINDS: tuple[type[Gen[Any]], ...] = tuple(
    kind
    for kind in vars(kinds).values()
    if isinstance(kind, type) and issubclass(kind, Gen) and kind is not Gen
)


def total(
    name: str, rules: Mapping[type[Any], Rule], *, without: Iterable[type[Any]] = ()
) -> dict[type[Any], Rule]:
    """The table ``rules``, which must have a rule for every kind except those in ``without``.

    >>> total("numbers of parts", {kinds.Const: 0, kinds.Build: 2})
    Traceback (most recent call last):
    TypeError: the table "numbers of parts" has no rule for Int, Float, Union, List, Map, Filter, Bind, Defer, Composite, Live
    """
    left_out = tuple(without)
    missing = [kind.__name__ for kind in KINDS if kind not in rules and kind not in left_out]
    if missing:
        raise TypeError(f'the table "{name}" has no rule for {", ".join(missing)}')
    surplus = [kind.__name__ for kind in rules if kind not in KINDS or kind in left_out]
    if surplus:
        raise TypeError(
            f'the table "{name}" has rules for what is not a kind, or for kinds left out: {", ".join(surplus)}'
        )
    return dict(rules)
