"""Targeted search: climbing, annealing, restarts, step sizes and line search."""
