"""Reading a definition as the real server's Go structs do: what is kept, what is refused, what is not known."""

from __future__ import annotations

from collections.abc import Iterable

from crdkit.definitions import fields
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import Decoded
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion

__all__ = ["DecodeError", "Decoded", "decode", "written"]

_TYPE = "CustomResourceDefinition"


def decode(data: Json, *, kube: KubeVersion, duplicates: Iterable[str] = ()) -> Decoded:
    """Decode a definition. The result is new, up to free values such as defaults, and of the right types throughout.

    Unknown fields are gone and told among the problems, those below ``items`` and ``additionalProperties`` silently. Lists and maps that
    are empty are kept, since validation sees them; `written` lets them go. ``duplicates`` are the texts of `meta.json.decode_strict`.

    Raises `DecodeError` with the text that follows "cannot be handled as a CustomResourceDefinition: ".
    """
    return fields.table(kube).decode(_TYPE, data, kube=kube, duplicates=duplicates, keep_empty=True)


def written(definition: JsonObject, *, kube: KubeVersion) -> JsonObject:
    """The definition as it is stored and answered: without what is empty and may be left out, fields in Go's order."""
    result: JsonObject = fields.table(kube).decode(_TYPE, definition, kube=kube).value
    _drop_empty_webhook(result["spec"].get("conversion") or {})
    return result


def _drop_empty_webhook(conversion: JsonObject) -> None:
    """The real server's own form of a conversion has no webhook, only its parts: one without any is forgotten."""
    webhook = conversion.get("webhook")
    if webhook is not None and webhook.get("clientConfig") is None and not webhook["conversionReviewVersions"]:
        del conversion["webhook"]
