"""Models read from files, and rows written for other tools."""
