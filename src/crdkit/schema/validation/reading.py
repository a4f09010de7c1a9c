"""How a schema's node is read by a Kubernetes version: the types it allows, and the format that counts."""

from __future__ import annotations

from typing import Final

from crdkit.meta.records import record
from crdkit.meta.version import KubeVersion
from crdkit.schema import formats
from crdkit.schema.differences import Differences, differences
from crdkit.schema.structural import Structural

INT32_MAX: Final = 2**31 - 1
_NUMBER_FORMATS: Final = {"integer": frozenset(("int32", "int64")), "number": frozenset(("float", "double"))}
_TEXT_TYPES: Final = frozenset(("", "string"))


@record
class Reading:
    """The rules of one version. ``declared`` takes formats as they are written, as a real server does where it checks a default."""

    kube: KubeVersion
    declared: bool = False

    @property
    def differences(self) -> Differences:
        return differences(self.kube)

    def types(self, schema: Structural) -> tuple[str, ...]:
        if schema.int_or_string and not self.declared:
            return ("integer", "string")
        return (schema.type,) if schema.type else ()

    def format(self, schema: Structural) -> str:
        """The format that counts, as it is spelled; "" where the declared one is not known."""
        if not schema.format or self.declared:
            return schema.format
        table = self.differences
        declared_type = "" if schema.int_or_string else schema.type
        if not table.typed_formats or declared_type in _TEXT_TYPES:
            known = formats.normalize(schema.format) in table.string_formats
        else:
            known = schema.format in _NUMBER_FORMATS.get(declared_type, ())
        return schema.format if known else ""

    def number_type(self, schema: Structural) -> tuple[str, str]:
        """The type and format that a number's range is judged by; "" where none is."""
        types = self.types(schema)
        if not self.differences.typed_formats or len(types) != 1 or types[0] not in _NUMBER_FORMATS:
            return "", ""
        return types[0], schema.format if schema.format in _NUMBER_FORMATS[types[0]] else ""

    def is_text_format(self, name: str) -> bool:
        return formats.normalize(name) in self.differences.string_formats
