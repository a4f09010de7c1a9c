"""Vectors: expressions with what a real server answers for them, and what compares our answers with those."""
