"""Pruning: values that satisfy a predicate, found by running it on values that are decided only where it looks.

:class:`Narrowing` reads generators (one per argument) and searches:

>>> from everycase import gen
>>> lazy = Narrowing([gen.lists(gen.integers(0, 3)).filter(lambda xs: xs == sorted(xs))])
>>> [found.value for found in lazy.search(max_size=2)][:5]
[[], [0], [1], [2], [3]]

``search(max_size, predicate=None, exactly=False, arrange=None, lazy=True)`` is an iterator of :class:`Found`
(``.args``, ``.value``, ``.size``, ``.trace()``) and yields each value once. ``search(n, p, exactly=True)`` for n = 0, 1,
2, ... is the small-first exhaustive search. A predicate may be given for each search anew, on the same ``Narrowing``;
searches are abandoned by dropping the iterator or starting another one. ``arrange=order.arrange`` puts an
:class:`Order` in charge of the alternatives of every decision: it gets the :class:`Place` (``owner`` class, field
``name``) and the affordable :class:`Alternative` s (``label`` is the class or value, ``extra`` the price).
``.statistics`` counts over all searches. :class:`Untrusted` is raised when the predicate cannot be trusted on partial
values; ``lazy=False`` then filters.
"""

from everycase.errors import Untrusted
from everycase.narrow.orders import Order, Shuffled
from everycase.narrow.search import Found, Narrowing
from everycase.narrow.trail import Alternative, Place

__all__ = ["Alternative", "Found", "Narrowing", "Order", "Place", "Shuffled", "Untrusted"]
