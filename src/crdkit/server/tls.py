"""The server's identity: certificates kept in a directory, and made when there are none that serve."""

from __future__ import annotations

import contextlib
import json
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Final

from crdkit.server.directories import AUTHORITY, CERTIFICATE, HOSTS, IDENTITY

PATIENCE: Final = 30.0
"""Seconds that another process has to make certificates."""
LOCAL: Final = ("localhost", "127.0.0.1", "::1")


class Identity:
    """The identity kept in a directory: made anew if it is for other hosts or nobody could trust it. Servers may share one.

    Certificates are made in another process: their library takes 13 MiB here, which nothing would use again. They are made here where the
    library is there anyway, or no other process can do it: not all programs with a Python in them are one.
    """

    def __init__(self, directory: Path, host: str) -> None:
        self._directory = directory
        self._hosts = _hosts(host)
        self._making: subprocess.Popen[bytes] | None = None

    @property
    def authority(self) -> Path:
        """The certificate that clients trust."""
        return self._directory / AUTHORITY

    def begin(self) -> None:
        """Have it made, if there is none, while the caller goes on: `serving_context` waits for it."""
        if not self._names_hosts():
            self._begin_making()

    def _begin_making(self) -> None:
        if "cryptography" in sys.modules or not Path(sys.executable).name.startswith("python"):
            return
        command = [sys.executable, "-P", "-m", "crdkit.server.certificates", str(self._directory), *self._hosts]
        silent = subprocess.DEVNULL
        with contextlib.suppress(OSError):
            self._making = subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent)  # noqa: S603

    def serving_context(self, client_authorities: Path | None = None) -> ssl.SSLContext:
        """How to serve by it. Clients may show certificates of the authorities in a file; who shows another is not served.

        Raises `OSError` for a file without certificates, naming it, and where no identity can be kept.
        """
        context = self._made() or self._kept()
        if context is None:
            self._begin_making()
            context = self._made()
        if context is None:
            from crdkit.server import certificates  # noqa: PLC0415 (its library takes longer to load than all else)

            certificates.make(self._directory, self._hosts)
            context = _context(self._directory)
        if client_authorities is not None:
            _trust(context, client_authorities)
        return context

    def _made(self) -> ssl.SSLContext | None:
        """By what another process makes; None if none does, or it failed."""
        making, self._making = self._making, None
        if making is None:
            return None
        try:
            making.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            making.kill()
            making.wait()
        return self._kept()

    def _kept(self) -> ssl.SSLContext | None:
        """By what is kept, if it names these hosts, and who trusts the authority trusts the server."""
        if not self._names_hosts():
            return None
        try:
            context = _context(self._directory)
            _greet(context, self.authority)
        except OSError:  # which those of TLS are, too
            return None
        return context

    def _names_hosts(self) -> bool:
        """Whether there is one that names these hosts; whether it serves is another question."""
        try:
            return set(self._hosts) <= set(json.loads((self._directory / HOSTS).read_text()))
        except (OSError, ValueError, TypeError):
            return False


def own_identity(directory: Path, host: str) -> Identity:
    """That of a server which has a data directory to itself."""
    return Identity(directory / IDENTITY, host)


def _context(directory: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(directory / CERTIFICATE)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _greet(context: ssl.SSLContext, authority: Path) -> None:
    """Let a client that trusts the authority meet a server, without a network. Raises `OSError` where it would go away."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(authority)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(back, there, server_hostname=LOCAL[0])
    server = context.wrap_bio(there, back, server_side=True)
    for side in (client, server):
        with contextlib.suppress(ssl.SSLWantReadError):
            side.do_handshake()
    client.do_handshake()  # it has heard all it judges by


def _trust(context: ssl.SSLContext, authorities: Path) -> None:
    try:
        context.load_verify_locations(authorities)
        context.verify_mode = ssl.CERT_OPTIONAL
    except ssl.SSLError as error:
        raise OSError(error.errno, "there are no certificates in it", str(authorities)) from error


def _hosts(host: str) -> list[str]:
    return sorted({*LOCAL, host} - {"", "0.0.0.0", "::"})  # noqa: S104 (compared, not listened on)
