"""Why a webhook's certificate is not trusted, as Go's crypto/x509 tells it: found out by another handshake, which sends nothing."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

_UNKNOWN: Final = "x509: certificate signed by unknown authority"
_SECONDS: Final = 5.0


async def explain(host: str, port: int, name: str, bundle: bytes) -> str:
    """What is wrong with the certificate shown there, for whoever wants one that is valid for ``name``."""
    try:
        certificate = await asyncio.wait_for(_shown(host, port, name), _SECONDS)
    except (OSError, TimeoutError, ValueError):
        return _UNKNOWN
    return _expired(certificate) or _wrong_name(certificate, name) or _unknown(certificate, bundle)


async def _shown(host: str, port: int, name: str) -> x509.Certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    _, writer = await asyncio.open_connection(host, port, ssl=context, server_hostname=name)
    try:
        return x509.load_der_x509_certificate(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
    finally:
        writer.transport.abort()


def _expired(certificate: x509.Certificate) -> str:
    now = datetime.now(UTC)
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    if begin <= now <= end:
        return ""
    order, limit = ("before", begin) if now < begin else ("after", end)
    return f"x509: certificate has expired or is not yet valid: current time {_time(now)} is {order} {_time(limit)}"


def _time(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def _wrong_name(certificate: x509.Certificate, name: str) -> str:
    names = _alternative_names(certificate)
    if names is None:
        if _common_name(certificate.subject) == name:
            return "x509: certificate relies on legacy Common Name field, use SANs instead"
        dns: Sequence[str] = ()
        addresses: Sequence[str] = ()
    else:
        dns = names.get_values_for_type(x509.DNSName)
        addresses = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    address = _address(name)
    valid = dns if address is None else addresses
    if (address or name.lower()) in valid or (address is None and _matches_wildcard(name, dns)):
        return ""
    if address is not None and not addresses:
        return f"x509: cannot validate certificate for {name} because it doesn't contain any IP SANs"
    if not valid:
        return f"x509: certificate is not valid for any names, but wanted to match {name}"
    return f"x509: certificate is valid for {', '.join(valid)}, not {name}"


def _alternative_names(certificate: x509.Certificate) -> x509.SubjectAlternativeName | None:
    try:
        return certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return None


def _address(name: str) -> str | None:
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        return None


def _matches_wildcard(name: str, patterns: Sequence[str]) -> bool:
    """A star stands for the first label."""
    first, _, rest = name.lower().partition(".")
    return bool(first) and f"*.{rest}" in (pattern.lower() for pattern in patterns)


def _unknown(certificate: x509.Certificate, bundle: bytes) -> str:
    """An authority of the issuer's name that did not sign it is told of: most often it has been made anew."""
    if not bundle:
        return _UNKNOWN
    for authority in x509.load_pem_x509_certificates(bundle):
        if authority.subject == certificate.issuer:
            named = _common_name(authority.subject) or f"serial:{authority.serial_number}"
            why = f'possibly because of "{_mismatch(authority)}" while trying to verify candidate authority certificate "{named}"'
            return f"{_UNKNOWN} ({why})"
    return _UNKNOWN


def _mismatch(authority: x509.Certificate) -> str:
    match authority.public_key():
        case rsa.RSAPublicKey():
            return "crypto/rsa: verification error"
        case ec.EllipticCurvePublicKey():
            return "x509: ECDSA verification failure"
        case ed25519.Ed25519PublicKey():
            return "x509: Ed25519 verification failure"
    return "x509: cannot verify signature: algorithm unimplemented"


def _common_name(name: x509.Name) -> str:
    found = name.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[0].value) if found else ""
