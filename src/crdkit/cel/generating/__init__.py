"""Python source for expressions that are evaluated often: the straight way through them.

Generated code knows only the case in which all goes well: where a value is missing, is of another kind than declared,
or an operation fails, it gives up by raising `Leave`, and the closures evaluate the expression again from the start.
So it needs no rules for errors, and both agree on every value and every cost.
"""
