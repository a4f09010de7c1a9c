"""Names for the JSON values that users send."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""What a JSON text decodes to: dict, list, str, int (within int64), float, bool or None."""

JsonObject: TypeAlias = dict[str, Any]
