"""Counted spaces: a generator as numbered values, one module per family of spaces."""
