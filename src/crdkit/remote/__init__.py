"""Servers that run, seen from outside: what commands need to work on them as any client does."""
