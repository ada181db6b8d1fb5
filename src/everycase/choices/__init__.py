"""What a value is decided by: traces, and the interpreters that make, follow, vary and simplify them."""
