"""A certificate authority of our own and the certificate it gives the server.

``python -m crdkit.server.certificates DIRECTORY HOST …`` does the same in a process of its own.
"""

from __future__ import annotations

import datetime as dt
import ipaddress
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from crdkit.server.directories import AUTHORITY, CERTIFICATE, HOSTS
from crdkit.server.kubeconfig import write_private

YEARS: Final = dt.timedelta(days=10 * 365)
SKEW: Final = dt.timedelta(days=1)


def make(directory: Path, hosts: Sequence[str]) -> None:
    """Put an identity for these hosts in place, whole: another server may be doing the same. Raises `OSError`."""
    directory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    _issue(unfinished, hosts)
    (unfinished / HOSTS).write_text(json.dumps(hosts))
    if directory.exists():
        shutil.rmtree(directory, ignore_errors=True)
    try:
        unfinished.rename(directory)
    except OSError:
        shutil.rmtree(unfinished)
        if not directory.exists():
            raise


def _issue(directory: Path, hosts: Sequence[str]) -> None:
    """Write the authority's certificate, and the server's (with its key) for these names and addresses. The authority's key is kept nowhere."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    server_key = ec.generate_private_key(ec.SECP256R1())
    authority = _builder(_name("crdkit"), _name("crdkit"), authority_key.public_key()).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    authority = authority.add_extension(_key_usage(sign_certificates=True), critical=True)
    server = _builder(_name("crdkit server"), _name("crdkit"), server_key.public_key())
    server = server.add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=False)
    server = server.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    server = server.add_extension(_key_usage(sign_certificates=False), critical=True)
    server = server.add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
    signed_authority = authority.sign(authority_key, hashes.SHA256())
    signed_server = server.sign(authority_key, hashes.SHA256())
    write_private(directory / CERTIFICATE, _pem(signed_server) + _pem_key(server_key))
    (directory / AUTHORITY).write_bytes(_pem(signed_authority))


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - SKEW).not_valid_after(now + YEARS)
    return builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(*, sign_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=sign_certificates,
        crl_sign=sign_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _pem_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2:])
