"""Generators as people write them, each with a twin that misses a known value; see :mod:`.suite`."""
