"""Half-decided values: the stand-ins for objects, lists and integers that are decided only where a predicate
looks."""
