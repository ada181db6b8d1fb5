"""Values as Python source that can be pasted: the printer, one level of each kind of value, and names with imports."""
