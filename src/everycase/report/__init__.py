"""Reports of a run: JSON lines for tools, HTML pages for people. Nothing here runs a test."""
