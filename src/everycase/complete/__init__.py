"""Completeness of generators."""
