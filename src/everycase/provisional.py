"""The names of ``hypothesis.provisional``."""

from everycase.gen.internet import domains, urls

__all__ = ["domains", "urls"]
