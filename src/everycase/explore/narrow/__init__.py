"""Pruning explorers: Narrow and Patterns."""
