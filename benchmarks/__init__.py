"""How fast crdkit is: one benchmark per claim; ``python -m benchmarks`` runs them, and the tests run each once."""
