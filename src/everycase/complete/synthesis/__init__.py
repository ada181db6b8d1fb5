"""Repair: synthesis of patches, the loop that learns from counterexamples, and writing the result."""
