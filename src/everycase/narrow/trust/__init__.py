"""Whether the answers of a predicate on half-decided values can be believed: audits at run time (``audit``), a reading of
its code (``lint``), and the exceptions it catches (``exceptions``)."""
