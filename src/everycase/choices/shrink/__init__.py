"""Shrinking: the search for a simpler trace (``shrinker``), and its passes over shapes (``shapes``) and
numbers (``numbers``), which are built from ``moves``."""
