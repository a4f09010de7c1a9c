"""Reading a kubeconfig: where a server is, whom to trust there, and who asks."""

from __future__ import annotations

import base64
import os
import ssl
import tempfile
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from crdkit.meta import yaml
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.yaml import YamlError

_SECTIONS: Final = {"clusters": "cluster", "users": "user", "contexts": "context"}
"""The lists of a kubeconfig, and what their entries hold beside a name."""


class NoAccess(Exception):
    """The kubeconfig leads to no server; ``str()`` tells why."""


@record
class Access:
    """How to ask a server. Without a context it is spoken to in plain HTTP."""

    url: str
    context: ssl.SSLContext | None = None
    headers: dict[str, str] = field(default_factory=dict)


@record
class _Entry:
    """A cluster, a user or a context. What it names by relative paths lies beside the file that it stands in."""

    fields: JsonObject
    home: Path = Path()


def default_paths() -> list[Path]:
    """The kubeconfigs that kubectl reads: those that ``KUBECONFIG`` names, or that of the user. Several need not all be there."""
    named = [Path(part) for part in os.environ.get("KUBECONFIG", "").split(os.pathsep) if part]
    return [path for path in named if path.exists()] or named[:1] or [Path.home() / ".kube" / "config"]


def access(paths: Sequence[Path], context: str | None = None) -> Access:
    """The way to the server of a context, by default the current one, as these files together tell it. Raises `NoAccess`."""
    configs = [(_read(path), path.parent) for path in paths]
    name = context or next((config["current-context"] for config, _ in configs if config.get("current-context")), "")
    if not name:
        raise NoAccess("the kubeconfig has no current context: --context names one")
    chosen = _named(configs, "contexts", name).fields
    cluster = _named(configs, "clusters", chosen.get("cluster") or "")
    user = _named(configs, "users", chosen["user"]) if chosen.get("user") else _Entry({})
    url = str(cluster.fields.get("server") or "")
    if not url.startswith(("https://", "http://")):
        raise NoAccess(f"the server of context {name!r} has no URL")
    try:
        trusted = _context(cluster, user) if url.startswith("https://") else None
        return Access(url.rstrip("/"), trusted, _headers(user.fields, user.home))
    except (OSError, ValueError) as error:
        raise NoAccess(f"the certificates or the token of context {name!r} cannot be used: {error}") from error


def _read(path: Path) -> JsonObject:
    try:
        config = yaml.decode(path.read_bytes())[0]
    except OSError as error:
        raise NoAccess(f"cannot read {path}: {error.strerror}") from error
    except YamlError as error:
        raise NoAccess(f"cannot read {path}: {error}") from error
    if not isinstance(config, dict):
        raise NoAccess(f"{path} is no kubeconfig")
    return config


def _named(configs: Sequence[tuple[JsonObject, Path]], section: str, name: str) -> _Entry:
    """The entry of the first file that has one of that name."""
    kind = _SECTIONS[section]
    for config, home in configs:
        for entry in config.get(section) or ():
            if entry.get("name") == name:
                return _Entry(entry.get(kind) or {}, home)
    raise NoAccess(f"the kubeconfig has no {kind} named {name!r}")


def _context(cluster: _Entry, user: _Entry) -> ssl.SSLContext:
    authority = _data(cluster, "certificate-authority")
    context = ssl.create_default_context(cadata=authority.decode() if authority else None)
    if cluster.fields.get("insecure-skip-tls-verify"):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    certificate, key = _data(user, "client-certificate"), _data(user, "client-key")
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


def _data(entry: _Entry, name: str) -> bytes:
    """What stands in the kubeconfig itself, or in a file beside it."""
    if inline := entry.fields.get(f"{name}-data"):
        return base64.b64decode(inline)
    return (entry.home / entry.fields[name]).read_bytes() if entry.fields.get(name) else b""
