"""Random shapes of a given size: the size is shared out among the parts before any of them is looked at.

In a random order that knows only how much is left over, the part that is looked at first takes nearly everything, and
what must be balanced never is. Here each recursive part gets a share of its own, and is as large as that; only what is not
recursive (colours, numbers) is searched. Every cut is about equally likely, or, in every other shape, all shares are about
equal: among all shapes those that are balanced are rare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from everycase.choices.dice import split
from everycase.gen.facts import facts
from everycase.narrow.lazy.objects import Lazy, dict_of
from everycase.narrow.lazy.slots import Slot, Sub
from everycase.narrow.lazy.unions import One
from everycase.narrow.orders import Shuffled
from everycase.narrow.trail import Alternative, Decisions, Place

#: How likely it is that the parts of a shape are about equally large.
EVEN = 0.5


class Sized(Shuffled):
    """An order that makes one random shape of a size, and leaves out all others."""

    leaves_out = True

    def __init__(self, random: Callable[[], float], size: int, held: list[Any], state: Decisions) -> None:
        super().__init__(random)
        self.size = size
        #: all shares are about equal
        self.even = random() < EVEN
        self.held = held
        self.state = state
        #: by the id of a container (which is kept, so that it stays its own), the shares of its parts
        self._shares: dict[int, tuple[Any, dict[Any, int]]] = {}
        #: containers and keys whose objects were not there yet when their shares were cut
        self._pending: list[tuple[Any, Any, dict[Any, int]]] = []

    def arrange(self, place: Place, alternatives: Sequence[Alternative]) -> Sequence[Alternative]:
        target = self.state.target
        if type(target) is not Slot:
            return super().arrange(place, alternatives)
        goes = [one for one in alternatives if _recursive_fields(one)]
        if not goes:
            return super().arrange(place, alternatives)
        share = self._share(target.container, target.key)
        goes = [one for one in goes if one.extra <= share]
        if not goes:
            stops = [one for one in alternatives if not _recursive_fields(one)]
            return super().arrange(place, stops or alternatives)
        chosen = goes[int(self.random() * len(goes))]
        names = _recursive_fields(chosen)
        cut = self._cut(share - chosen.extra, len(names))
        self._pending.append((target.container, target.key, dict(zip(names, cut))))
        return [chosen]

    def _cut(self, room: int, parts: int) -> list[int]:
        """Shares of the parts."""
        if not self.even:
            return split(room, parts, self.random)
        first, more = int(self.random() * parts), room % parts
        return [room // parts + ((place - first) % parts < more) for place in range(parts)]

    def _share(self, container: Any, key: Any) -> int:
        if container is self.held:
            return self.size
        known = self._shares.get(id(container))
        if known is None:
            self._resolve()
            known = self._shares.get(id(container))
        return 0 if known is None else known[1].get(key, 0)

    def _resolve(self) -> None:
        for container, key, cut in self._pending:
            try:
                made = container[key]
            except (KeyError, IndexError):
                continue
            if issubclass(type(made), Lazy):
                own = dict_of(made)
                self._shares[id(own)] = own, cut
        self._pending.clear()


def _recursive_fields(alternative: Alternative) -> list[str]:
    """The fields of what an alternative makes that may hold more of the same; none if it is no object."""
    if not isinstance(alternative, Sub) or not isinstance(alternative.plan, One):
        return []
    shape = alternative.plan.shape
    return [name for name, part in zip(shape.layout.names, shape.build.parts) if facts(part).recursive]
