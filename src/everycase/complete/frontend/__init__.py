"""From Python source to the small language: finding the source, reading generators, translating predicates."""
