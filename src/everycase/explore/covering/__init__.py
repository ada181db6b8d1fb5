"""Covering: the explorer, and the columns it makes of a generator."""
