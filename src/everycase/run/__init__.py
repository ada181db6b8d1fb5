"""Running properties: what is run, with which settings, what is remembered, and what is said about it afterwards."""
