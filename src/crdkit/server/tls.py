"""The server's identity: certificates kept in a directory, and made when there are none that serve."""

from __future__ import annotations

import json
import ssl
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CERTIFICATE: Final = "server.crt"
AUTHORITY: Final = "ca.crt"
PATIENCE: Final = 30.0
"""Seconds that another process has to make certificates."""
LOCAL: Final = ("localhost", "127.0.0.1", "::1")


def serving_context(directory: Path, host: str, client_authorities: Path | None = None) -> ssl.SSLContext:
    """How to serve by the identity kept in a directory, made anew if it is for other hosts or cannot be used. Servers may share one.

    Clients may show certificates of the authorities in a file; who shows another is not served. Raises `OSError` for a file without
    certificates, naming it.
    """
    hosts = _hosts(host)
    context = _kept(directory, hosts)
    if context is None:
        _replace(directory, hosts)
        context = _context(directory)
    if client_authorities is not None:
        _trust(context, client_authorities)
    return context


def _context(directory: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(directory / CERTIFICATE)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _trust(context: ssl.SSLContext, authorities: Path) -> None:
    try:
        context.load_verify_locations(authorities)
        context.verify_mode = ssl.CERT_OPTIONAL
    except ssl.SSLError as error:
        raise OSError(error.errno, "there are no certificates in it", str(authorities)) from error


def _replace(directory: Path, hosts: Sequence[str]) -> None:
    """Make an identity and put it in place whole: another server may be doing the same."""
    import shutil  # noqa: PLC0415 (most starts need none of these)
    import tempfile  # noqa: PLC0415

    directory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    _issue(unfinished, hosts)
    (unfinished / "hosts.json").write_text(json.dumps(hosts))
    if directory.exists():
        shutil.rmtree(directory, ignore_errors=True)
    try:
        unfinished.rename(directory)
    except OSError:
        shutil.rmtree(unfinished)
        if not directory.exists():
            raise


def _issue(directory: Path, hosts: Sequence[str]) -> None:
    """Have another process make the certificates: their library takes 13 MiB here, which nothing would use again.

    It is done here where the library is there anyway, or no other process can do it: not all programs with a Python in them are one.
    """
    if "cryptography" not in sys.modules and Path(sys.executable).name.startswith("python"):
        import subprocess  # noqa: PLC0415 (most starts need none of these)

        command = [sys.executable, "-P", "-m", "crdkit.server.certificates", str(directory), *hosts]
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=PATIENCE)  # noqa: S603
        except (OSError, subprocess.SubprocessError):
            pass
        else:
            return
    from crdkit.server import certificates  # noqa: PLC0415 (its library takes longer to load than all else)

    certificates.issue(directory, hosts)


def _hosts(host: str) -> list[str]:
    return sorted({*LOCAL, host} - {"", "0.0.0.0", "::"})  # noqa: S104 (compared, not listened on)


def _kept(directory: Path, hosts: Sequence[str]) -> ssl.SSLContext | None:
    """By what is kept, if it can be loaded and names these hosts."""
    try:
        known = json.loads((directory / "hosts.json").read_text())
        context = _context(directory)
    except (OSError, ValueError, ssl.SSLError):
        return None
    return context if (directory / AUTHORITY).exists() and set(hosts) <= set(known) else None
