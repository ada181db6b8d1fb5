"""What people write in a composite: one tiny generator for each construct."""
