"""Certificates and their keys, as Go's crypto/tls pairs them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from crdkit.meta import pem

_CERTIFICATE: Final = "CERTIFICATE"
_KEY: Final = "PRIVATE KEY"
_NO_PEM: Final = "tls: failed to find any PEM data in {} input"
_SKIPPED: Final = "input after skipping PEM blocks of the following types"


def fault(certificate: bytes, key: bytes) -> str | None:
    """Why a certificate and a private key in PEM are no pair; None if they are one."""
    certificates, skipped = _chosen(certificate, lambda kind: kind == _CERTIFICATE)
    if not certificates:
        return _no_certificate(skipped)
    keys, skipped = _chosen(key, lambda kind: kind == _KEY or kind.endswith(f" {_KEY}"))
    return _mismatch(certificates[0], keys[0]) if keys else _no_key(skipped)


def _chosen(data: bytes, wanted: Callable[[str], bool]) -> tuple[list[bytes], list[str]]:
    """What blocks of the types wanted hold, and the other types."""
    found = [block for block in pem.blocks(data) if block.body is not None]
    return [block.body for block in found if block.body is not None and wanted(block.type)], [b.type for b in found if not wanted(b.type)]


def _no_certificate(skipped: list[str]) -> str:
    if not skipped:
        return _NO_PEM.format("certificate")
    if len(skipped) == 1 and skipped[0].endswith(_KEY):
        found = "tls: failed to find certificate PEM data in certificate input, but did find a private key"
        return f"{found}; PEM inputs may have been switched"
    return f'tls: failed to find "{_CERTIFICATE}" PEM block in certificate {_SKIPPED}: [{" ".join(skipped)}]'


def _no_key(skipped: list[str]) -> str:
    if not skipped:
        return _NO_PEM.format("key")
    if skipped == [_CERTIFICATE]:
        return "tls: found a certificate rather than a key in the PEM for the private key"
    return f'tls: failed to find PEM block with type ending in "{_KEY}" in key {_SKIPPED}: [{" ".join(skipped)}]'


def _mismatch(certificate: bytes, key: bytes) -> str | None:
    from cryptography import x509  # noqa: PLC0415 (it takes long to load, and few secrets are pairs)
    from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415 (likewise)
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 (likewise)

    try:
        public = x509.load_der_x509_certificate(certificate).public_key()
    except (ValueError, UnsupportedAlgorithm):
        return "x509: malformed certificate"
    try:
        own = serialization.load_der_private_key(key, password=None).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm):
        return "tls: failed to parse private key"
    if type(own) is not type(public):
        return "tls: private key type does not match public key type"
    return None if own == public else "tls: private key does not match public key"
