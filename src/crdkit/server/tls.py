"""The server's identity: certificates kept in a directory, and made when there are none that serve."""

from __future__ import annotations

import json
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCAL: Final = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a server shows to its clients, and what these trust it by."""

    certificate: Path
    authority: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(self.certificate)
        context.set_alpn_protocols(["http/1.1"])
        return context


def identity(directory: Path, host: str) -> Identity:
    """The identity kept in a directory, made anew if it is for other hosts or cannot be used."""
    hosts = _hosts(host)
    kept = Identity(directory / "server.crt", directory / "ca.crt")
    if not _serves(kept, directory, hosts):
        from crdkit.server import certificates  # noqa: PLC0415 (its library takes longer to load than all else; most starts need none)

        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        certificates.issue(directory, hosts)
        (directory / "hosts.json").write_text(json.dumps(hosts))
    return kept


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
