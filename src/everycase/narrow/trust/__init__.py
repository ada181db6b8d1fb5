"""Whether the answers of a predicate on half-decided values can be trusted: audits at run time (``audit``),
and an inspection of its code (``lint``)."""
