from __future__ import annotations

from crdkit.meta.version import V1_33, V1_36
from crdkit.schema.formats_known import unrecognized_formats

SCHEMA = {
    "type": "object",
    "properties": {
        "date": {"type": "string", "format": "date-time"},
        "dashes": {"type": "string", "format": "i-p-v-4"},
        "case": {"type": "string", "format": "IPv4"},
        "name": {"type": "string", "format": "k8s-short-name"},
        "number": {"type": "number", "format": "int64"},
        "integer": {"type": "integer", "format": "int64"},
        "flag": {"type": "boolean", "format": "byte"},
        "untyped": {"x-kubernetes-int-or-string": True, "format": "date", "anyOf": [{"format": "odd"}, {"format": "even"}]},
        "list": {"type": "array", "items": {"type": "string", "format": "odd"}},
    },
}


def test_each_unknown_format_is_told_once() -> None:
    assert unrecognized_formats(SCHEMA, kube=V1_36) == ["IPv4", "int64", "byte", "odd", "even"]


def test_old_servers_do_not_warn() -> None:
    assert unrecognized_formats(SCHEMA, kube=V1_33) == []
