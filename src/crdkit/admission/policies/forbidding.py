"""The refusal of a request by a policy."""

from __future__ import annotations

from typing import Final

from crdkit.admission.attributes import Attributes
from crdkit.meta.status import Refusal, forbidden

_NAMELESS: Final = "Unknown"


def forbidden_by(attributes: Attributes, why: str) -> Refusal:
    """Names the object as far as it has a name yet."""
    metadata = (attributes.obj or {}).get("metadata")
    name = attributes.name
    if not name and isinstance(metadata, dict):
        name = metadata.get("name") or metadata.get("generateName") or ""
    return forbidden(attributes.about, name or _NAMELESS, why)
