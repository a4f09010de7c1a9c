"""Whom a call trusts: the authorities of a bundle, or those of the system."""

from __future__ import annotations

import re
import ssl
from contextlib import suppress
from typing import Final

_CERTIFICATE: Final = re.compile(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n?", re.DOTALL)


def trusting(bundle: bytes) -> ssl.SSLContext:
    """A context that trusts every certificate of a bundle that is one; those of the system without a bundle."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.hostname_checks_common_name = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if not bundle:
        context.load_default_certs()
    for certificate in _CERTIFICATE.findall(bundle.decode(errors="replace")):
        with suppress(ssl.SSLError, ValueError):
            context.load_verify_locations(cadata=certificate)
    return context
