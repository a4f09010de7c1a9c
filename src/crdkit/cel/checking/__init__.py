"""Type checking: names resolved, a type for every node, the overloads that each call may mean."""
