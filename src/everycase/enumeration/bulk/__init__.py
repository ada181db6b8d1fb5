"""All values of a space in order, fast (``values``), and the building blocks of its loops."""
