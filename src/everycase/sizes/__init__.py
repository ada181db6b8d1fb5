"""Orders and sizes of leaves and values, shared by pruning and enumeration."""
