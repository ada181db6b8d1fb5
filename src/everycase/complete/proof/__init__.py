"""Proofs by Z3: completeness for all arguments, soundness, termination, and mined lemmas."""
