"""What a webhook's address may look like (apiserver's util/webhook): shared by conversion and admission."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from crdkit.meta import errors, golang, gourl, names, pem
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion

_FORM: Final = "; desired format: https://host[/path]"
_MISSING: Final = ((KubeVersion(1, 34), ""), (KubeVersion(1, 0), "service {field} is required"))
"""What is said of a service without a name or namespace."""
_MAX_PORT: Final = 65535


def check_url(text: str, at: FieldPath) -> Iterator[FieldError]:
    """Only https, a host, and nothing but a path behind it."""
    try:
        url = gourl.parse(text)
    except gourl.UrlError as error:
        yield errors.required(at, f"url must be a valid URL: {error}{_FORM}")
        return
    if url.scheme != "https":
        yield errors.invalid(at, url.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    if not url.host:
        yield errors.invalid(at, url.host, f"host must be specified{_FORM}")
    if url.user is not None:
        yield errors.invalid(at, url.user, "user information is not permitted in the URL")
    if url.fragment:
        yield errors.invalid(at, url.fragment, "fragments are not permitted in the URL")
    if url.query:
        yield errors.invalid(at, url.query, "query parameters are not permitted in the URL")


def check_service(service: JsonObject, at: FieldPath, kube: KubeVersion) -> Iterator[FieldError]:
    """The service's name and namespace must be given, of whatever form; its port is defaulted by then.

    The real server takes one for the other, and says that the name is missing where the namespace is.
    """
    missing = next(text for first, text in _MISSING if kube >= first)
    for field, other in (("name", "namespace"), ("namespace", "name")):
        if not service.get(other):
            yield errors.required(at / field, missing.format(field=field))
    port = service.get("port") or 0
    if not 1 <= port <= _MAX_PORT:
        yield errors.invalid(at / "port", port, "port is not valid: must be between 1 and 65535, inclusive")
    yield from _check_path(service.get("path") or "", at / "path")


def _check_path(path: str, at: FieldPath) -> Iterator[FieldError]:
    if path in ("", "/"):
        return
    if path == "//":
        yield errors.invalid(at, path, "segment[0] may not be empty")
        return
    if not path.startswith("/"):
        yield errors.invalid(at, path, "must start with a '/'")
    for position, segment in enumerate(path[1:].removesuffix("/").split("/")):
        if not segment:
            yield errors.invalid(at, path, f"segment[{position}] may not be empty")
        else:
            faults = names.dns1123_subdomain(segment)
            yield from (errors.invalid(at, path, f"segment[{position}]: {fault}") for fault in faults)


def check_ca_bundle(bundle: str, at: FieldPath) -> Iterator[FieldError]:
    """A bundle (base64) must hold a certificate; none at all is fine, the system's authorities count then."""
    data = base64.b64decode(bundle)
    if fault := _bundle_fault(data):
        written = golang.Typed(bundle, "[]byte{" + ", ".join(f"0x{byte:x}" for byte in data) + "}")
        yield errors.invalid(at, written, f"unable to load root certificates: {fault}")


def _bundle_fault(data: bytes) -> str:
    if not data:
        return ""
    from cryptography import x509  # noqa: PLC0415 (it takes long to load, and few definitions have bundles)

    blocks = pem.blocks(data)
    fault = "no valid certificate authority data seen" if blocks else "unable to parse bytes as PEM block"
    for block in blocks:
        if block.type != "CERTIFICATE" or block.headed:
            continue
        try:
            x509.load_der_x509_certificate(block.body or b"")
        except ValueError:
            fault = "failed to parse certificate: x509: malformed certificate"
        else:
            return ""
    return fault
