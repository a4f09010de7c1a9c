"""The pytest plugin: fixtures that run a server."""
