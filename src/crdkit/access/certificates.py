"""Users who show a client certificate: its common name is theirs, its organizations are their groups (apiserver's request/x509)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from crdkit.access.user import AUTHENTICATED, User

CREDENTIAL: Final = "authentication.kubernetes.io/credential-id"


def user_of(certificate: Mapping[str, Any], encoded: bytes) -> User | None:
    """The user of a certificate that has been verified (as `ssl` tells it, and its DER); None if it names nobody."""
    name = ""
    groups: list[str] = []
    for part in certificate.get("subject", ()):
        for field, value in part:
            if field == "commonName":
                name = value
            elif field == "organizationName":
                groups.append(value)
    if not name:
        return None
    if AUTHENTICATED not in groups:
        groups.append(AUTHENTICATED)
    return User(name, tuple(groups), extra={CREDENTIAL: (f"X509SHA256={hashlib.sha256(encoded).hexdigest()}",)})
