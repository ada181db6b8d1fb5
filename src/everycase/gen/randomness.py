"""Sources of randomness for the code under test."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from everycase.gen.base import Gen
from everycase.gen.drawing import replaying
from everycase.gen.kinds import Int, Live, Map
from everycase.gen.scalars import integers
from everycase.gen.show import described
from everycase.gen.validate import require_bool

_SEEDS = Int(0, 2**32 - 1, 0)


class DrawnRandom(random.Random):
    """A ``random.Random`` whose results are drawn, so that they shrink: towards 0, the first choice, no shuffle."""

    def __init__(self, draw: Callable[..., Any], shows_calls: bool = False) -> None:
        self._draw = draw
        self._shows_calls = shows_calls
        #: what was drawn so far
        self.drawn: list[Any] = []
        super().__init__(0)

    def _next(self, source: Gen[Any]) -> Any:
        value = self._draw(source, None)
        self.drawn.append(value)
        return value

    def random(self) -> float:
        """A number from 0 to 1, exclusive."""
        return int(self._next(_FRACTIONS)) / 2**53

    def getrandbits(self, k: int, /) -> int:
        """A number of at most ``k`` bits."""
        return int(self._next(integers(0, 2**k - 1)))

    def _randbelow(self, n: int) -> int:
        return int(self._next(integers(0, n - 1)))

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Nothing: what this object returns is drawn."""

    def getstate(self) -> Any:
        """How much was drawn; there is no other state."""
        return len(self.drawn)

    def setstate(self, state: Any) -> None:
        """Nothing, as for ``seed``."""

    def __copy__(self) -> DrawnRandom:
        return self

    def __deepcopy__(self, memo: Any) -> DrawnRandom:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a drawn Random cannot be pickled; use gen.randoms(use_true_random=True)")

    @classmethod
    def of(cls, *drawn: Any) -> DrawnRandom:
        """Returns these results, in this order: how a failure report writes one.

        >>> DrawnRandom.of(3).randint(1, 6)
        4
        """
        return cls(replaying(drawn))

    def draw_again(self, used: DrawnRandom, sources: Sequence[Gen[Any]]) -> None:
        """Repeat the draws of another one."""
        for source in sources:
            self._next(source)

    def __repr__(self) -> str:
        return (
            f"<Random: {', '.join(map(str, self.drawn)) or 'not used'}>" if self._shows_calls else "<Random>"
        )


_FRACTIONS = integers(0, 2**53 - 1)


def randoms(*, note_method_calls: bool = False, use_true_random: bool = False) -> Gen[random.Random]:
    """Objects like ``random.Random``. Their results are drawn while the test runs, so a failure is reported
    with the simplest results that show it.

    ``note_method_calls`` shows the results in the report. ``use_true_random`` makes ordinary ones from a
    drawn seed, for code that needs values that look random, because shrunk ones do not.

    >>> dice = randoms().example(seed=0)
    >>> 1 <= dice.randint(1, 6) <= 6
    True
    >>> randoms(use_true_random=True)[7].random() == random.Random(7).random()
    True
    """
    require_bool("note_method_calls", note_method_calls)
    require_bool("use_true_random", use_true_random)
    node: Gen[random.Random]
    if use_true_random:
        node = Map(_SEEDS, random.Random)
    else:
        node = Live(lambda draw: DrawnRandom(draw, note_method_calls))
    return described(
        node, "randoms", note_method_calls=note_method_calls or None, use_true_random=use_true_random or None
    )


class RandomSeeder:
    """The seed for the global random number generators."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        for source in sources_of_randomness():
            source.seed(seed)

    def __repr__(self) -> str:
        return f"RandomSeeder({self.seed})"


def random_module() -> Gen[RandomSeeder]:
    """Seeds the ``random`` module (and NumPy's global generator, and those of ``register_random``) with a drawn seed.

    >>> random_module()[3]
    RandomSeeder(3)
    """
    return _RANDOM_MODULE


_RANDOM_MODULE: Gen[RandomSeeder] = described(Map(_SEEDS, RandomSeeder), "random_module")


class _NumPy:
    """NumPy's global generator as a source; nothing if NumPy was not imported."""

    def seed(self, seed: int) -> None:
        import sys

        numpy = sys.modules.get("numpy.random")
        if numpy is not None:
            numpy.seed(seed)


#: Random number generators that code under test may use. They belong to the process, so there is one list.
_REGISTERED: list[Any] = []


def register_random(source: Any) -> None:
    """Register your own random number generator (an object with ``seed``, ``getstate`` and ``setstate``), so
    that :func:`random_module` seeds it too.

    >>> register_random(random.Random())
    """
    from everycase.errors import InvalidArgument

    for method in ("seed", "getstate", "setstate"):
        if not callable(getattr(source, method, None)):
            raise InvalidArgument(
                f"source must have the methods seed, getstate and setstate, like random.Random; {source!r} "
                f"has no {method}"
            )
    if not any(known is source for known in _REGISTERED):
        _REGISTERED.append(source)


def sources_of_randomness() -> list[Any]:
    """The global generator, NumPy's and the registered ones."""
    return [random, _NumPy(), *_REGISTERED]
