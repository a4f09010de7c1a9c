"""ConfigMaps and Secrets."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from crdkit.builtin.configmaps import CONFIG_MAP, SIZE_LIMIT
from crdkit.builtin.secrets import SECRET
from tests.builtin.judging import change_faults, faults, read

KEY_RULE = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', "
    "regex used for validation is '[-._a-zA-Z0-9]+')"
)
IMMUTABLE = "Forbidden: field is immutable when `immutable` is set"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("obj", "texts"),
    [
        ({"data": {"Ok_1.-": "x", ".hidden": "x"}}, []),
        ({"data": {"a b": "x"}}, [f'data[a b]: Invalid value: "a b": {KEY_RULE}']),
        ({"data": {"": "x"}}, [f'data[]: Invalid value: "": {KEY_RULE}']),
        ({"data": {".": "x"}}, ["data[.]: Invalid value: \".\": must not be '.'"]),
        ({"data": {"..": "x"}}, ["data[..]: Invalid value: \"..\": must not be '..'"]),
        ({"binaryData": {"..x": "eA=="}}, ["binaryData[..x]: Invalid value: \"..x\": must not start with '..'"]),
        ({"data": {"k": "x"}, "binaryData": {"k": "eA=="}}, ['data[k]: Invalid value: "k": duplicate of key present in binaryData']),
        ({"data": {"k": "x" * SIZE_LIMIT}}, []),
        ({"data": {"k": "x" * (SIZE_LIMIT - 2)}, "binaryData": {"l": "AAAA"}}, ["[]: Too long: may not be more than 1048576 bytes"]),
    ],
)
def test_keys_and_size(obj: dict[str, Any], texts: list[str]) -> None:
    assert faults(CONFIG_MAP, "ConfigMap", obj) == texts


def test_null_is_empty() -> None:
    assert read(CONFIG_MAP, "ConfigMap", {"data": {"a": None}, "binaryData": {"b": None}})["binaryData"] == {"b": ""}


@pytest.mark.parametrize(
    ("new", "texts"),
    [
        ({"data": {"k": "v"}, "immutable": True}, []),
        ({"data": {"k": "w"}, "immutable": True}, [f"data: {IMMUTABLE}"]),
        ({"data": {"k": "v"}}, [f"immutable: {IMMUTABLE}"]),
        ({"binaryData": {"b": "eA=="}}, [f"immutable: {IMMUTABLE}", f"data: {IMMUTABLE}", f"binaryData: {IMMUTABLE}"]),
    ],
)
def test_what_is_immutable_stays(new: dict[str, Any], texts: list[str]) -> None:
    assert change_faults(CONFIG_MAP, "ConfigMap", {"data": {"k": "v"}, "immutable": True}, new) == texts


def test_text_in_a_secret_becomes_data() -> None:
    found = read(SECRET, "Secret", {"data": {"a": encoded("old"), "b": encoded("b")}, "stringData": {"a": "new"}})
    assert found == {
        "kind": "Secret",
        "metadata": {"name": "a"},
        "data": {"a": encoded("new"), "b": encoded("b")},
        "type": "Opaque",
    }


@pytest.mark.parametrize(
    ("kind", "data", "texts"),
    [
        ("example.com/mine", {}, []),
        ("kubernetes.io/tls", {"tls.crt": ""}, ["data[tls.key]: Required value"]),
        ("kubernetes.io/basic-auth", {}, ["data[username]: Required value", "data[password]: Required value"]),
        ("kubernetes.io/basic-auth", {"password": encoded("x")}, []),
        ("kubernetes.io/ssh-auth", {"ssh-privatekey": ""}, ["data[ssh-privatekey]: Required value"]),
        ("kubernetes.io/dockercfg", {}, ["data[.dockercfg]: Required value"]),
        (
            "kubernetes.io/dockerconfigjson",
            {".dockerconfigjson": encoded("nope")},
            [
                (
                    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": '
                    "invalid character 'o' in literal null (expecting 'u')"
                )
            ],
        ),
        (
            "kubernetes.io/dockerconfigjson",
            {".dockerconfigjson": encoded("[]")},
            [
                (
                    'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": '
                    "json: cannot unmarshal array into Go value of type map[string]interface {}"
                )
            ],
        ),
        ("kubernetes.io/service-account-token", {}, ["metadata.annotations[kubernetes.io/service-account.name]: Required value"]),
    ],
)
def test_known_types_have_their_keys(kind: str, data: dict[str, str], texts: list[str]) -> None:
    assert faults(SECRET, "Secret", {"type": kind, "data": data}) == texts


def test_the_type_of_a_secret_stays() -> None:
    old = {"type": "example.com/mine"}
    assert change_faults(SECRET, "Secret", old, {}) == ['type: Invalid value: "Opaque": field is immutable']
