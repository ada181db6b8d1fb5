"""The choices behind values: traces, and the interpreters that make, replay, vary and simplify them."""
