"""Runs read back from their lines, pages of several runs and of campaigns, the progress line. Nothing here runs a test."""
