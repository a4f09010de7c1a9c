"""Value validation: is a value as its schema says, and if not, where and in which words."""
