"""The file by which clients find the server and show who they are."""

from __future__ import annotations

import base64
import os
from pathlib import Path


def write(path: Path, *, url: str, token: str, authority: bytes | None) -> None:
    """Write a kubeconfig for one server and one user; only its owner can read it. JSON is YAML enough for every client."""
    from crdkit.meta import json  # noqa: PLC0415 (loaded with the server, and not where certificates are made)

    cluster: dict[str, str] = {"server": url}
    if authority is not None:
        cluster["certificate-authority-data"] = base64.b64encode(authority).decode()
    document = json.encode(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "crdkit", "cluster": cluster}],
            "users": [{"name": "admin", "user": {"token": token}}],
            "contexts": [{"name": "crdkit", "context": {"cluster": "crdkit", "user": "admin", "namespace": "default"}}],
            "current-context": "crdkit",
        }
    )
    write_private(path, document + b"\n")


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, in one piece."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    unfinished.replace(path)
