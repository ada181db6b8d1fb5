"""What a run did, to be looked at: lines for tools, and pages for people. Everything here reads reports; nothing tests."""
