"""Pruning: values that satisfy a predicate, found by running it on values that are decided only where it
looks.

:class:`Narrowing` reads generators (one per argument) and searches:

>>> from everycase import gen
>>> lazy = Narrowing([gen.lists(gen.integers(0, 3)).filter(lambda xs: xs == sorted(xs))])
>>> [found.value for found in lazy.search(max_size=2)][:5]
[[], [0], [1], [2], [3]]

``search(max_size, predicate=None, exactly=False, arrange=None, lazy=True)`` is an iterator of :class:`Found`
(``.args``, ``.value``, ``.size``, ``.trace()``) and yields each value once. ``search(n, p, exactly=True)`` for n = 0, 1,
2, ... is the small-first exhaustive search. Each search may have a predicate of its own, on the same ``Narrowing``;
searches are abandoned by dropping the iterator or starting another one. ``arrange=order.arrange`` lets an
:class:`Order` arrange the alternatives of every decision: it gets the :class:`Place` (``owner`` class, field
``name``) and the affordable :class:`Alternative` s (``label`` is the class or value, ``extra`` the price).
``.statistics`` counts over all searches. :class:`Untrusted` is raised when the predicate cannot be trusted on partial
values; ``lazy=False`` then filters.

One word for each thing:

================  ====================================================================================================
word              meaning
================  ====================================================================================================
undecided         a part that the predicate has not looked at
half decided      a value of which some parts are undecided; also called partial
lazy              a Python object that stands for a part while it is undecided (``LazyInt``, ``LazyList``)
face              the lazy object of a class instance: it looks like one but is not
hole              an undecided object before it is known which class it has
real              a value without lazy objects, as a test gets it
made whole        said of a part that cannot be half decided: all of it is decided at the first look
plan              how the part at one place is decided (``IntPlan``, ``ListPlan``, ``WholePlan``)
place             where a decision is taken: a field, an element, an argument
decision          one entry of the trail: a target, its alternatives, and which of them is taken
trail             the decisions so far, in order
slack             how much larger the value may become
dead end          decisions that no value follows from
condition         a predicate with the arguments that it reads
conjunct          one part of a condition that says ``and``
class of values   all completions of a half-decided value that was accepted
audit             a check that an answer about a half-decided value can be trusted
================  ====================================================================================================

Start reading at ``search.py`` (the loop), ``trail.py`` (decisions), ``planner.py`` (which generator gets
which plan); ``lazy/`` has one file for each kind of lazy object, ``trust/`` the audits.
"""

from everycase.errors import Untrusted
from everycase.narrow.found import Found
from everycase.narrow.orders import Order, Shuffled
from everycase.narrow.search import Narrowing
from everycase.narrow.trail import Alternative, Place

__all__ = ["Alternative", "Found", "Narrowing", "Order", "Place", "Shuffled", "Untrusted"]
