"""Built-in kinds as protocol buffers, against JSON and against bytes that a real server sent."""

from __future__ import annotations

import string
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.builtin.kinds import KINDS
from crdkit.builtin.protobuf import envelope
from crdkit.builtin.protobuf.meta import META
from crdkit.meta import json
from crdkit.meta.goprotobuf import DEEPEST, MessageTable
from crdkit.meta.protowire import ProtobufError

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
MOMENTS = st.datetimes().map(lambda moment: f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}")
SCALARS: dict[str, st.SearchStrategy[Any]] = {
    "string": st.text(max_size=8),
    "bool": st.booleans(),
    "int32": st.integers(-(2**31), 2**31 - 1),
    "int64": st.integers(-(2**63), 2**63 - 1),
    "float64": st.floats(allow_nan=False, allow_infinity=False),
    "[]byte": st.sampled_from(["", "AA==", "aGVsbG8="]),
    "json": ANYTHING,
    "Time": MOMENTS.map(lambda text: f"{text}Z"),
    "MicroTime": st.tuples(MOMENTS, st.integers(0, 999_999)).map(lambda parts: f"{parts[0]}.{parts[1]:06d}Z"),
}


def values(table: MessageTable, kind: str, depth: int) -> st.SearchStrategy[Any]:
    kind = kind.removeprefix("*")
    if kind in SCALARS:
        return SCALARS[kind]
    if kind.startswith("map[string]"):
        return st.dictionaries(st.text(string.printable, max_size=3), values(table, kind[11:], depth), min_size=1, max_size=2)
    if kind.startswith("[]"):
        return st.lists(values(table, kind[2:], depth), min_size=1, max_size=2)
    return messages(owner(table, kind), kind, depth)


def owner(table: MessageTable, name: str) -> MessageTable:
    return table if name in table.messages else next(found for found in table.includes if name in found.messages)


def messages(table: MessageTable, name: str, depth: int = 0) -> st.SearchStrategy[Any]:
    """Objects of that type, some levels deep."""
    if name in ("JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray"):
        schema = messages(table, "JSONSchemaProps", depth + 2)
        others = {
            "JSONSchemaPropsOrArray": st.lists(schema, min_size=1, max_size=2),
            "JSONSchemaPropsOrBool": st.booleans(),
            "JSONSchemaPropsOrStringArray": st.lists(st.text(max_size=3), min_size=1, max_size=2),
        }
        return schema | others[name]
    if name in table.special:
        return st.lists(st.text(max_size=3), min_size=1, max_size=2)
    fields, inlined = {}, []
    for field, written in table.messages[name].items():
        kind = written.partition(" ")[2]
        if kind.startswith("inline "):
            inlined.append(messages(table, kind.removeprefix("inline "), depth))
        elif depth < 4 or kind.removeprefix("*") in SCALARS:
            fields[field] = st.deferred(lambda kind=kind: values(table, kind, depth + 1))
    own = st.fixed_dictionaries({}, optional=fields)
    return own if not inlined else st.tuples(own, *inlined).map(lambda parts: {key: value for part in parts for key, value in part.items()})


def told(value: Any) -> Any:
    """What a value says: fields that are not there are as if they were empty."""
    if isinstance(value, dict):
        return {key: shown for key, item in value.items() if (shown := told(item)) not in (None, "", 0, False, {}, [])}
    return [told(item) for item in value] if isinstance(value, list) else value


def round_trips() -> list[Any]:
    found = [(kind.api_version, name) for kind in KINDS for name in (kind.kind, *([kind.list_kind] if kind.prefix else []))]
    found += [("v1", "Status"), ("v1", "DeleteOptions"), ("autoscaling/v1", "Scale"), ("meta.k8s.io/v1", "PartialObjectMetadataList")]
    return [pytest.param(*one, id="-".join(one)) for one in found]


@pytest.mark.parametrize(("api_version", "kind"), round_trips())
@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_what_was_written_is_read_again(api_version: str, kind: str, data: st.DataObject) -> None:
    table = envelope.table_of(api_version, kind)
    assert table is not None
    obj = {"apiVersion": api_version, "kind": kind, **data.draw(messages(table, kind))}
    written = envelope.encode(obj)
    found = envelope.open_envelope(written)
    assert (found.api_version, found.kind) == (api_version, kind)
    again = table.read(kind, found.raw)
    assert told({**again, "apiVersion": api_version, "kind": kind}) == told(obj)
    assert envelope.encode({**again, "apiVersion": api_version, "kind": kind}) == written


def test_a_status_has_the_bytes_of_a_real_server() -> None:
    status = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": "no",
        "reason": "NotAcceptable",
        "code": 406,
    }
    raw = b'\n\x06\n\x00\x12\x00\x1a\x00\x12\x07Failure\x1a\x02no"\rNotAcceptable0\x96\x03'
    assert envelope.encode(status) == b"k8s\x00\n\x0c\n\x02v1\x12\x06Status\x12" + bytes((len(raw),)) + raw + b'\x1a\x00"\x00'


def test_an_event_is_framed() -> None:
    framed = envelope.frame({"type": "ADDED", "object": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}})
    assert int.from_bytes(framed[:4], "big") == len(framed) - 4
    assert framed[4:11] == b"\n\x05ADDED"
    assert b"k8s\x00\n\x0f\n\x02v1\x12\tConfigMap" in framed


@pytest.mark.parametrize(
    ("data", "told_as"),
    [
        (b"", "empty data"),
        (b"k8s\x00", "empty body"),
        (b"nonsense", "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"),
        (b"k8s\x00\x0a\x05ab", "unexpected EOF"),
        (b"k8s\x00\x08\x01", "proto: wrong wireType = 0 for field TypeMeta"),
        (b"k8s\x00\x0c", "proto: Unknown: wiretype end group for non-group"),
        (b"k8s\x00\x02\x00", "proto: Unknown: illegal tag 0 (wire type 2)"),
        (b"k8s\x00\x12" + b"\xff" * 11, "proto: integer overflow"),
        (b"k8s\x00\x12" + b"\xff" * 9 + b"\x01", "proto: negative length found during unmarshaling"),
        (b"k8s\x00\x7e\x00", "proto: illegal wireType 6"),
        (b"k8s\x00\x7b\x7c\x0a\x01", "unexpected EOF"),
    ],
)
def test_a_broken_envelope_is_refused_in_the_words_of_go(data: bytes, told_as: str) -> None:
    with pytest.raises(ProtobufError) as refused:
        envelope.open_envelope(data)
    assert str(refused.value) == told_as


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_a_message_or_refused(data: bytes) -> None:
    table = envelope.table_of("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert table is not None
    with suppress(ProtobufError):
        json.encode(table.read("CustomResourceDefinition", data))


@given(data=st.data())
@settings(max_examples=200, deadline=None)
def test_a_damaged_message_is_read_or_refused(data: st.DataObject) -> None:
    table = envelope.table_of("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert table is not None
    written = bytearray(table.write("CustomResourceDefinition", data.draw(messages(table, "CustomResourceDefinition"))))
    written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ProtobufError):
        json.encode(table.read("CustomResourceDefinition", bytes(written)))


def test_what_nests_too_deep_is_refused() -> None:
    table = envelope.table_of("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert table is not None
    schema: dict[str, Any] = {}
    for _ in range(DEEPEST + 1):
        schema = {"not": schema}
    written = table.write("JSONSchemaProps", schema)
    with pytest.raises(ProtobufError, match=f"more than {DEEPEST} messages within each other"):
        table.read("JSONSchemaProps", written)


def test_a_message_that_comes_in_parts_is_put_together() -> None:
    assert META.read("PartialObjectMetadata", b"\x0a\x03\x0a\x01a\x0a\x03\x1a\x01n") == {"metadata": {"name": "a", "namespace": "n"}}


def test_fields_that_are_not_known_are_passed_over() -> None:
    unknown = b"\x7a\x01x" + b"\x7b\x08\x01\x7c" + b"\x78\x05" + b"\x7d1234" + b"\x7912345678"
    assert META.read("ShardInfo", unknown + b"\x0a\x01a") == {"selector": "a"}
