"""Where a webhook is, and whom to trust there."""

from __future__ import annotations

import base64
import posixpath
from typing import Final

from crdkit.meta import gourl
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject

DEFAULT_PORT: Final = 443


@record
class Service:
    """A service of the cluster, which has no network here: a `ServiceResolver` tells where it really is."""

    namespace: str
    name: str
    port: int = DEFAULT_PORT

    @property
    def host(self) -> str:
        """The name that its certificate must be valid for."""
        return f"{self.name}.{self.namespace}.svc"


@record
class Address:
    """A webhook as a configuration names it: ``host`` may have a port. Without a bundle the system's authorities are trusted."""

    host: str
    path: str = "/"
    service: Service | None = None
    bundle: bytes = b""

    @classmethod
    def of(cls, client_config: JsonObject) -> Address:
        """The address in a ``clientConfig`` that has been validated."""
        bundle = base64.b64decode(client_config.get("caBundle") or "")
        bundle = bundle if bundle.strip() else b""
        if (named := client_config.get("service")) is not None:
            service = Service(named["namespace"], named["name"], named.get("port") or DEFAULT_PORT)
            return cls(f"{service.host}:{service.port}", _clean(named.get("path") or ""), service, bundle)
        url = gourl.parse(client_config["url"])
        return cls(url.host, _clean(gourl.Url(path=url.path).escaped_path), None, bundle)

    def url(self, seconds: float) -> str:
        """The URL of a call that may take so long, which the webhook is told."""
        return f"https://{self.host}{self.path}?timeout={seconds:g}s"


def _clean(path: str) -> str:
    """A path without empty and dotted segments and without a slash at its end."""
    return posixpath.normpath("/" + path.lstrip("/"))
