"""Counted spaces: a generator as indexed values, one module per family of spaces."""
