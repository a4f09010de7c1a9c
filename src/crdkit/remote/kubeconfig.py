"""Reading a kubeconfig: where a server is, whom to trust there, and who asks."""

from __future__ import annotations

import base64
import os
import ssl
import tempfile
from dataclasses import field
from pathlib import Path

from crdkit.meta import yaml
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.yaml import YamlError


class NoAccess(Exception):
    """The kubeconfig leads to no server; ``str()`` tells why."""


@record
class Access:
    """How to ask a server. Without a context it is spoken to in plain HTTP."""

    url: str
    context: ssl.SSLContext | None = None
    headers: dict[str, str] = field(default_factory=dict)


def default_path() -> Path:
    """The kubeconfig that kubectl reads: the first that ``KUBECONFIG`` names, or that of the user."""
    named = [part for part in os.environ.get("KUBECONFIG", "").split(os.pathsep) if part]
    return Path(named[0]) if named else Path.home() / ".kube" / "config"


def access(path: Path, context: str | None = None) -> Access:
    """The way to the server of a context, by default the current one. Raises `NoAccess`."""
    try:
        config = yaml.decode(path.read_bytes())[0]
    except OSError as error:
        raise NoAccess(f"cannot read {path}: {error.strerror}") from error
    except YamlError as error:
        raise NoAccess(f"cannot read {path}: {error}") from error
    if not isinstance(config, dict):
        raise NoAccess(f"{path} is no kubeconfig")
    name = context or config.get("current-context") or ""
    chosen = _named(config, "contexts", name, "context")
    cluster = _named(config, "clusters", chosen.get("cluster") or "", "cluster")
    user = _named(config, "users", chosen["user"], "user") if chosen.get("user") else {}
    url = str(cluster.get("server") or "")
    if not url.startswith(("https://", "http://")):
        raise NoAccess(f"the server of context {name!r} has no URL")
    try:
        trusted = _context(cluster, user, path.parent) if url.startswith("https://") else None
        return Access(url.rstrip("/"), trusted, _headers(user, path.parent))
    except (OSError, ValueError) as error:
        raise NoAccess(f"the certificates or the token of context {name!r} cannot be used: {error}") from error


def _named(config: JsonObject, section: str, name: str, kind: str) -> JsonObject:
    for entry in config.get(section) or ():
        if entry.get("name") == name:
            found: JsonObject = entry.get(kind) or {}
            return found
    raise NoAccess(f"the kubeconfig has no {kind} named {name!r}")


def _context(cluster: JsonObject, user: JsonObject, home: Path) -> ssl.SSLContext:
    authority = _data(cluster, "certificate-authority", home)
    context = ssl.create_default_context(cadata=authority.decode() if authority else None)
    if cluster.get("insecure-skip-tls-verify"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    certificate, key = _data(user, "client-certificate", home), _data(user, "client-key", home)
    if certificate and key:
        with tempfile.NamedTemporaryFile(suffix=".pem") as pair:  # ssl reads certificates from files alone
            pair.write(certificate + b"\n" + key)
            pair.flush()
            context.load_cert_chain(pair.name)
    return context


def _headers(user: JsonObject, home: Path) -> dict[str, str]:
    token = user.get("token") or ""
    if not token and user.get("tokenFile"):
        token = (home / user["tokenFile"]).read_text().strip()
    if token:
        return {"Authorization": f"Bearer {token}"}
    if user.get("username"):
        pair = f"{user['username']}:{user.get('password', '')}".encode()
        return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
    if user.get("exec") or user.get("auth-provider"):
        msg = "users whose credentials another program provides are not supported"
        raise ValueError(msg)
    return {}


def _data(section: JsonObject, name: str, home: Path) -> bytes:
    """What stands in the kubeconfig itself, or in a file beside it."""
    if inline := section.get(f"{name}-data"):
        return base64.b64decode(inline)
    return (home / section[name]).read_bytes() if section.get(name) else b""
