"""What a definition gets where it says nothing: other names, the conversion, a port, the versions stored."""

from __future__ import annotations

from typing import Final

from crdkit.meta.types import JsonObject

_HTTPS_PORT: Final = 443


def default(definition: JsonObject) -> None:
    """Fill in defaults, in place. The definition is decoded; this happens whenever one is, so an emptied name comes back."""
    spec = definition["spec"]
    _default_names(spec["names"])
    if spec.get("conversion") is None:
        spec["conversion"] = {"strategy": "None"}
    _default_port(spec["conversion"])
    status = definition["status"]
    if not status["storedVersions"]:
        status["storedVersions"] = storage_versions(spec)[:1] or None


def _default_names(names: JsonObject) -> None:
    kind = names["kind"]
    if kind and not names.get("singular"):
        names["singular"] = kind.lower()
    if kind and not names.get("listKind"):
        names["listKind"] = f"{kind}List"


def _default_port(conversion: JsonObject) -> None:
    client = (conversion.get("webhook") or {}).get("clientConfig") or {}
    service = client.get("service")
    if service is not None and service.get("port") is None:
        service["port"] = _HTTPS_PORT


def storage_versions(spec: JsonObject) -> list[str]:
    """The names of the versions marked for storage: one, in a valid definition."""
    return [version["name"] for version in spec["versions"] or () if version["storage"]]
