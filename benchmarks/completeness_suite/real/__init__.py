"""Generators as people write them, each with a twin that misses something known; see :mod:`.suite`."""
