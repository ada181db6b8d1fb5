"""Covering: the explorer, and the columns that it derives from a generator."""
