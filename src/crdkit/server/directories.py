"""Where a server keeps its state, its certificates and its kubeconfig."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

NAME: Final = "crdkit"
STORE: Final = "store"
"""The directory within the data directory that objects are kept in."""
IDENTITY: Final = "certificates"
"""Another one in it, with the files that follow."""
AUTHORITY: Final = "ca.crt"
CERTIFICATE: Final = "server.crt"
"""With its key."""
HOSTS: Final = "hosts.json"
"""The names and addresses that the certificate is for."""


def default_data_directory() -> Path:
    """The place that the platform has for an application's data."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / NAME
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / NAME


def default_cache_directory() -> Path:
    """The place for what can be made again."""
    if sys.platform == "win32":
        return default_data_directory() / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / NAME
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / NAME
