"""Covering: the explorer, the columns it makes of a generator, and preconditions as constraints."""
