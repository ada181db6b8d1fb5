"""Half-decided values: what a predicate sees of objects, lists and integers that are decided only where it looks."""
