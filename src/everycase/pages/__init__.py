"""HTML pages and charts, drawn from plain data."""
