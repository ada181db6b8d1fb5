"""The small typed language that generators and predicates are translated to, with its types and values."""
