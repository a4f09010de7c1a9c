"""What the server publishes about its own API: OpenAPI v3 by group and version, and all of it as OpenAPI v2."""
