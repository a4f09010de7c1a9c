"""How an etcd is reached, and what of it is ours."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crdkit.meta.records import record

ROOT: Final = "/registry"
"""Where kube-apiserver has its objects, and how every key begins above the driver."""

_PORT: Final = 2379


class BadEndpoint(ValueError):
    """The text is no address of an etcd."""


@record
class Endpoint:
    """One member: ``host:port``, and whether it is spoken to by TLS."""

    target: str
    encrypted: bool

    @classmethod
    def parse(cls, text: str) -> Endpoint:
        """Read ``http://host:port``, ``https://host:port`` or ``host:port``. Raises `BadEndpoint`."""
        url = urlsplit(text if "://" in text else f"http://{text}")
        try:
            port = url.port or _PORT
        except ValueError as error:
            raise BadEndpoint(f"{text!r} is no address of an etcd: {error}") from error
        if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/"):
            raise BadEndpoint(f"{text!r} is no address of an etcd: it looks like https://host:2379")
        host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
        return cls(f"{host}:{port}", url.scheme == "https")


@record(kw_only=True)
class EtcdSettings:
    """What a driver is started with. ``root`` takes the place of `ROOT` in etcd's keys."""

    endpoints: tuple[Endpoint, ...]
    root: str = ROOT
    authorities: Path | None = None
    """Certificates that the members' are signed by, if not those that the system trusts."""
    certificate: Path | None = None
    key: Path | None = None
    username: str = ""
    password: str = ""
    compacts: bool = True
    """Whether old history is forgotten: not where somebody else's server sees to it."""

    def __str__(self) -> str:
        return f"etcd at {', '.join(endpoint.target for endpoint in self.endpoints)} under {self.root}"
