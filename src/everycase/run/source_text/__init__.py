"""Values as Python source that can be pasted: the printer, the shapes of values, and names with imports."""
