"""What happens when a value of a class is made: errors for some arguments, and attributes that are computed.

``__post_init__`` and validators that raise leave fewer values than the fields have; ``self.area = w * h`` is a
part of the value that no argument gives. Both are conditions on the parts of a value, like those of
:mod:`everycase.complete.language.wrapped`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from everycase.complete.language import expressions as x
from everycase.complete.language.expressions import TRUE, Expr
from everycase.complete.language.types import Constructor


@dataclass(frozen=True)
class Making:
    """How the parts of a value depend on each other."""

    given: tuple[Expr, ...] = ()
    """A variable for each part that is an argument."""
    allowed: Expr = TRUE
    """Is a value made of these arguments, rather than an error raised?"""
    computed: tuple[tuple[str, Expr], ...] = field(default=())
    """The other parts, in order after those given."""

    @property
    def is_plain(self) -> bool:
        """Is every combination of parts a value?"""
        return self.allowed == TRUE and not self.computed

    def parts(self, given: Sequence[Expr]) -> list[Expr]:
        """All parts of a value, from its arguments."""
        known = dict(zip(self.given, given))
        return [*given, *(x.substitute(e, known) for _, e in self.computed)]

    def condition(self, parts: Sequence[Expr]) -> Expr:
        """Do these parts belong to a value?"""
        count = len(self.given)
        same = [x.eq(a, b) for a, b in zip(parts[count:], self.parts(parts[:count])[count:])]
        return x.and_(x.substitute(self.allowed, dict(zip(self.given, parts))), *same)


def constructed(made: Constructor, given: list[Expr]) -> Expr:
    """A value of a class, from its arguments."""
    return x.con(made, *(given if made.making is None else made.making.parts(given)))
