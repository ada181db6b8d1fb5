"""The generators of the completeness benchmark: one module per family, the labelled branches (``# A``) can be
taken out to make the incomplete variants."""
