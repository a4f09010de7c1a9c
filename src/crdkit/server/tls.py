"""The server's identity: certificates kept in a directory, and made when there are none that serve."""

from __future__ import annotations

import json
import shutil
import ssl
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from crdkit.meta.records import record

LOCAL: Final = ("localhost", "127.0.0.1", "::1")


@record
class Identity:
    """What a server shows to its clients, and what these trust it by."""

    certificate: Path
    authority: Path

    def context(self, client_authorities: Path | None = None) -> ssl.SSLContext:
        """How to serve by it. Clients may show certificates of the authorities in a file; who shows another is not served.

        Raises `OSError` for a file without certificates, naming it.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate)
        context.set_alpn_protocols(["http/1.1"])
        if client_authorities is not None:
            _trust(context, client_authorities)
            context.verify_mode = ssl.CERT_OPTIONAL
        return context


def _trust(context: ssl.SSLContext, authorities: Path) -> None:
    try:
        context.load_verify_locations(authorities)
    except ssl.SSLError as error:
        raise OSError(error.errno, "there are no certificates in it", str(authorities)) from error


def identity(directory: Path, host: str) -> Identity:
    """The identity kept in a directory, made anew if it is for other hosts or cannot be used. Servers may share a directory."""
    hosts = _hosts(host)
    kept = Identity(directory / "server.crt", directory / "ca.crt")
    if not _serves(kept, directory, hosts):
        _replace(directory, hosts)
    return kept


def _replace(directory: Path, hosts: Sequence[str]) -> None:
    """Make an identity and put it in place whole: another server may be doing the same."""
    from crdkit.server import certificates  # noqa: PLC0415 (its library takes longer to load than all else; most starts need none)

    directory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    certificates.issue(unfinished, hosts)
    (unfinished / "hosts.json").write_text(json.dumps(hosts))
    if directory.exists():
        shutil.rmtree(directory, ignore_errors=True)
    try:
        unfinished.rename(directory)
    except OSError:
        shutil.rmtree(unfinished)
        if not directory.exists():
            raise


def _hosts(host: str) -> list[str]:
    return sorted({*LOCAL, host} - {"", "0.0.0.0", "::"})  # noqa: S104 (compared, not listened on)


def _serves(kept: Identity, directory: Path, hosts: Sequence[str]) -> bool:
    """Whether what is kept can be loaded and names these hosts."""
    try:
        known = json.loads((directory / "hosts.json").read_text())
        kept.context()
        return kept.authority.exists() and set(hosts) <= set(known)
    except (OSError, ValueError, ssl.SSLError):
        return False
