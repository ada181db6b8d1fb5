"""Whether the answers of a predicate on half-decided values can be believed: audits at run time (``audit``), and a reading
of its code (``lint``)."""
