"""everycase: describe an input once, test it in every way."""

from everycase._version import __version__

__all__ = ["__version__"]
