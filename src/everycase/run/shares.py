"""Is a share large enough? A sequential test that may be looked at after every draw.

**The claim.** A label holds with probability ``p`` in each test, independent of earlier tests, and the user
demands ``p >= a``. After ``n`` tests, ``k`` of which had the label, we want to say "too rare" (wrongly at
most once in :data:`ODDS` runs, however often and whenever we look), or "often enough" (wrongly equally
rarely), or nothing yet.

**The construction.** For some ``q < a`` compare how well ``q`` and ``a`` explain what was seen::

    W_n = (q / a) ** k * ((1 - q) / (1 - a)) ** (n - k)

*Proof sketch.* One more test multiplies ``W`` by ``q / a`` with probability ``p`` and by ``(1 - q) / (1 - a)`` otherwise. The
expected factor, ``p * q / a + (1 - p) * (1 - q) / (1 - a)``, is linear in ``p``, is 1 at ``p = a`` and falls with ``p``, since
``q < a``. So if the demand is met (``p >= a`` in every test, given all earlier ones), ``W`` is a nonnegative supermartingale
that starts at 1, and so is every average of such ``W`` over several ``q``. By Ville's inequality it ever reaches
:data:`ODDS` with probability at most ``1 / ODDS``. Nothing was assumed about when we look or stop. For "often enough" the same
is done with ``q > a``: ``W`` is then a supermartingale for every ``p <= a``. The average is over :data:`BETS`, which are spread
so that a share of half, a fifth or a tenth of what was demanded is found out nearly as fast as if ``p`` had been known.
"""

from __future__ import annotations

from math import exp, inf, log, log1p

#: a verdict is wrong at most once in this number of runs
ODDS = 1_000_000

#: the shares to bet on, as parts of the demanded odds, for "too rare"; and the inverse for "often enough"
BETS = (0.02, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9)


class ShareTest:
    """The test for one demanded share, from 0 to 1.

    >>> test = ShareTest(0.1)
    >>> test.verdict(1000, 20), test.verdict(1000, 90), test.verdict(1000, 400)
    (False, None, True)
    """

    def __init__(self, demanded: float, odds: float = ODDS) -> None:
        self.demanded = demanded
        self._threshold = log(odds) + log(len(BETS))  # each bet has an equal part of the stake
        bets = BETS if 0 < demanded < 1 else ()
        self._rarer = [_factors(demanded, bet) for bet in bets]
        self._oftener = [_factors(demanded, 1 / bet) for bet in bets]

    def verdict(self, tests: int, hits: int) -> bool | None:
        """True if the share is as large as demanded, False if it is not; None while that is open."""
        if not 0 < self.demanded < 1:
            # No hit is needed for a share of 0; for a share of 1, all must be hits.
            return True if self.demanded <= 0 else False if hits < tests else None
        if hits < self.demanded * tests:
            return False if _evidence(self._rarer, tests, hits) >= self._threshold else None
        return True if _evidence(self._oftener, tests, hits) >= self._threshold else None


def _factors(demanded: float, bet: float) -> tuple[float, float]:
    """By how much a hit and a miss change the logarithm of the stake of one bet. The bet is on the odds and
    not on the share, so that it lies between 0 and 1 for every demand."""
    bet_on = log1p(demanded / (1 - demanded) * bet)  # the logarithm of 1 + odds
    miss = -log1p(-demanded) - bet_on
    return log(bet) + miss, miss


def _evidence(bets: list[tuple[float, float]], tests: int, hits: int) -> float:
    """The logarithm of the sum of all stakes."""
    misses = tests - hits
    stakes = [hits * hit + misses * miss for hit, miss in bets]
    most = max(stakes, default=-inf)
    return most + log(sum(exp(stake - most) for stake in stakes))
