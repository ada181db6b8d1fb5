"""The generators of the completeness benchmark, one module per family. Removing labelled branches (``# A``) makes the
incomplete variants.
"""
