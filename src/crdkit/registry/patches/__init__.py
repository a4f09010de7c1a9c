"""Patches: JSON patch (RFC 6902) and JSON merge patch (RFC 7386), as the real server's libraries apply them."""
