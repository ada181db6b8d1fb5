"""All values of a space in order, fast (``values``), and what its loops are made of."""
