"""OpenAPI schemas as types, and JSON that fits them as values of the language.

The schemas are structural: plain JSON objects, as a definition carries them.
"""
