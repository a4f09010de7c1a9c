"""What is said of certificates and keys that are no pair."""

from __future__ import annotations

import base64
import datetime as dt
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from crdkit.builtin import keypairs, secrets
from crdkit.meta.version import V1_36

NAME: Final = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "kite")])


def written(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def certificate(key: ec.EllipticCurvePrivateKey) -> bytes:
    now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    builder = x509.CertificateBuilder(NAME, NAME, key.public_key(), 1, now, now + dt.timedelta(1))
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


KEY: Final = ec.generate_private_key(ec.SECP256R1())
CERTIFICATE: Final = certificate(KEY)
OTHER: Final = b"-----BEGIN OTHER-----\neA==\n-----END OTHER-----\n"


@pytest.mark.parametrize(
    ("cert", "key", "fault"),
    [
        (CERTIFICATE, written(KEY), None),
        (b"x", b"y", "tls: failed to find any PEM data in certificate input"),
        (
            written(KEY),
            CERTIFICATE,
            "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
        ),
        (
            OTHER,
            b"",
            'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [OTHER]',
        ),
        (CERTIFICATE, b"", "tls: failed to find any PEM data in key input"),
        (CERTIFICATE, CERTIFICATE, "tls: found a certificate rather than a key in the PEM for the private key"),
        (CERTIFICATE, written(ec.generate_private_key(ec.SECP256R1())), "tls: private key does not match public key"),
        (CERTIFICATE, written(ed25519.Ed25519PrivateKey.generate()), "tls: private key type does not match public key type"),
        (OTHER.replace(b"OTHER", b"CERTIFICATE"), written(KEY), "x509: malformed certificate"),
        (CERTIFICATE, OTHER.replace(b"OTHER", b"RSA PRIVATE KEY"), "tls: failed to parse private key"),
    ],
)
def test_a_pair_is_told_from_what_is_none(cert: bytes, key: bytes, fault: str | None) -> None:
    assert keypairs.fault(cert, key) == fault


def test_a_secret_of_another_type_may_hold_anything() -> None:
    data = {key: base64.b64encode(b"x").decode() for key in ("tls.crt", "tls.key")}
    assert secrets.warnings({"type": "Opaque", "data": data}, None, V1_36) == []
    assert secrets.warnings({"type": "kubernetes.io/tls", "data": data}, None, V1_36) == [
        "tls: failed to find any PEM data in certificate input"
    ]
