"""The bundle of authorities that a conversion's webhook is trusted by: a definition is established only once it is one."""

from __future__ import annotations

from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject


def has_valid_bundle(conversion: JsonObject | None) -> bool:
    """Whether the bundle of authorities of a conversion's webhook is one, or there is none."""
    bundle = (((conversion or {}).get("webhook") or {}).get("clientConfig") or {}).get("caBundle")
    if not bundle:
        return True
    from crdkit.meta.webhookclients import check_ca_bundle  # noqa: PLC0415 (few definitions have a webhook)

    return not list(check_ca_bundle(bundle, FieldPath()))
