"""Properties and their runs: decorators, settings, the runner, the example store, and the report."""
