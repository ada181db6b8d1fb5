"""Shared fixtures. The suite must not depend on the state of the machine it runs on."""

pytest_plugins = ["pytester"]
