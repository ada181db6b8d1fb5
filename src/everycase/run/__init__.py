"""Properties and their runs: decorators, settings, the runner, what is remembered, and the report."""
