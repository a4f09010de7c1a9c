"""A change of an object known to be sound comes out as one of an object of which nothing is known: in full, to the owners and their times."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.meta.version import V1_36
from tests.registry.conftest import GROUP, JSON_PATCH, MERGE, Api, kiln, two_running

Json = Any
KEY = f"/registry/{GROUP}/kilns/default/a"
STEPS = 80
APPLY = "application/apply-patch+yaml"
TEXT = {"type": "string", "maxLength": 3}
SHELF = {
    "type": "object",
    "properties": {"name": TEXT, "side": {**TEXT, "default": "L"}, "pots": {"type": "integer", "default": 1, "maximum": 5}},
    "required": ["name"],
}
RULES = "x-kubernetes-validations"
SPEC = {
    "type": "object",
    RULES: [
        {"rule": "!has(self.marks) || !has(self.glaze) || !(self.glaze.b in self.marks)"},
        {"rule": "self.heat != 5 || !has(self.notes)", "reason": "FieldValueForbidden"},
        {"rule": "self.heat != 0 || oldSelf.heat != 1", "messageExpression": "'not ' + (self.heat == 0 ? 'cold' : 'hot')"},
    ],
    "required": ["heat"],
    "properties": {
        "heat": {"type": "integer", "maximum": 9, "default": 1},
        "glaze": {"type": "object", "properties": {"a": TEXT, "b": {**TEXT, "default": "x"}}},
        "shelves": {
            "type": "array",
            "items": SHELF,
            "maxItems": 9,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name", "side"],
            RULES: [{"rule": "self.all(s, s.pots < 5 || s.name != 'a')"}],
        },
        "marks": {"type": "array", "items": TEXT, "maxItems": 9, "x-kubernetes-list-type": "set"},
        "notes": {
            "type": "object",
            "maxProperties": 9,
            "additionalProperties": {**TEXT, RULES: [{"rule": "self != 'c' || self == oldSelf"}]},
        },
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        "pair": {"type": "object", "properties": {"a": TEXT, "b": {**TEXT, "default": "x"}}, "maxProperties": 2},
        "closed": {"type": "object"},
        "any": {"x-kubernetes-preserve-unknown-fields": True},
    },
}
STATUS = {
    "type": "object",
    RULES: [{"rule": "!has(self.phase) || self.phase != 'z' || oldSelf.phase != 'x'"}],
    "properties": {"phase": TEXT, "replicas": {"type": "integer"}, "shelves": SPEC["properties"]["shelves"]},  # type: ignore[index]
}
OF_BOTH = [{"rule": "!has(self.status) || !has(self.status.phase) || self.status.phase != 'y' || self.spec.heat != 9"}]
SUBRESOURCES = {"status": {}, "scale": {"specReplicasPath": ".spec.heat", "statusReplicasPath": ".status.replicas"}}


@pytest.fixture
async def kilns(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Api]]:
    """Two registries that agree about times and UIDs."""
    monkeypatch.setattr("crdkit.meta.uids.new_uid", lambda: "00000000-0000-0000-0000-000000000000")
    monkeypatch.setattr("crdkit.meta.time.now", lambda: "2026-01-01T00:00:00Z")
    monkeypatch.setattr("crdkit.schema.compiled._MANY_CHANGES", 0)
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": SUBRESOURCES,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": SPEC, "status": STATUS}, RULES: OF_BOTH}},
    }
    async with two_running(V1_36, version) as apis:
        yield apis


def any_shelves(dice: random.Random) -> Json:
    names = dice.sample("abcd", dice.randint(0, 3))
    return [{"name": name, **dice.choice(({}, {"pots": dice.randint(0, 6)}, {"side": "R"}))} for name in names]


def any_spec(dice: random.Random) -> Json:
    fields = {
        "heat": dice.choice((0, 1, 1.0, 5, 10, None, "x", True)),
        "glaze": dice.choice((None, {}, {"a": "y"}, {"a": None, "b": "z"}, {"b": "long"}, {"c": 1})),
        "shelves": any_shelves(dice),
        "marks": dice.choice(([], ["a"], ["b", "a"], ["a", "a"], None)),
        "notes": dice.choice(({"a": "b"}, {"a": None}, {"b": "c"}, {}, {"d": 1})),
        "free": dice.choice(({"a": {"b": [1, {"c": None}]}}, {"a": {"d": 1}}, {"a": True}, {"a": 1})),
        "pair": dice.choice(({"a": "y", "b": "z"}, {"b": None}, {"b": "y"})),
        "closed": dice.choice(({}, {"a": 1})),
        "unknown": 1,
    }
    return {name: fields[name] for name in dice.sample(list(fields), dice.choice((1, 1, 1, 2, 3)))}


def any_metadata(dice: random.Random) -> Json:
    return dice.choice(
        (
            {"labels": {"a": dice.choice(("b", "c", None, "bad value"))}},
            {"annotations": {"a": dice.choice(("b", "c", None))}},
            {"finalizers": dice.choice((None, ["x.io/y"]))},
            {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}]},
            {"managedFields": dice.choice(([], [{}], None))},
            {"resourceVersion": "1"},
            {"name": "b"},
            {"creationTimestamp": None, "generation": 7},
        )
    )


def any_change(dice: random.Random, now: Json) -> tuple[str, Json, dict[str, Json]]:
    """The verb, the body, and what else there is to a request."""
    subresource = dice.choice(("", "", "status"))
    part = "status" if subresource else "spec"
    content = {"phase": dice.choice("xyz"), "replicas": 1, "shelves": any_shelves(dice)} if subresource else any_spec(dice)
    body: Json = {part: content}
    if dice.random() < 0.3:
        body["metadata"] = any_metadata(dice)
    kind = dice.choice((MERGE, MERGE, JSON_PATCH, APPLY, APPLY, "PUT"))
    query = f"fieldManager={dice.choice(('ann', 'bob'))}"
    if kind == "PUT":
        fields = {**now, part: {**now.get(part, {}), **content}}
        return (
            "update",
            {**fields, "metadata": {**now["metadata"], **body.get("metadata", {})}},
            {"subresource": subresource, "query": query},
        )
    if kind == JSON_PATCH:
        body = []
        for name, value in content.items():
            held = now.get(part, {}).get(name)
            if isinstance(value, dict) and isinstance(held, dict) and dice.random() < 0.5:
                body += [{"op": "add", "path": f"/{part}/{name}/{key}", "value": item} for key, item in value.items()]
            else:
                body.append({"op": "add", "path": f"/{part}/{name}", "value": value})
        body += [{"op": "remove", "path": f"/{part}/{name}"} for name in dice.sample(sorted(now.get(part, {})), 1)] if now.get(part) else []
    elif kind == APPLY:
        metadata = {name: value for name, value in body.get("metadata", {}).items() if name != "managedFields"}
        body = {**kiln(), part: content, "metadata": {"name": "a", **metadata}}
        query += dice.choice(("", "&force=true", "&force=true"))
    return "patch", body, {"subresource": subresource, "query": query, "type": kind}


@pytest.mark.parametrize("seed", range(3))
async def test_what_is_known_of_an_object_changes_no_answer(kilns: list[Api], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(seed)
    cold, hot = kilns
    resource = cold.registry.definitions.resource(GROUP, "v1", "kilns")
    known_resource = hot.registry.definitions.resource(GROUP, "v1", "kilns")
    assert resource is not None
    assert known_resource is not None
    sound = 0
    for step in range(STEPS):
        monkeypatch.setattr("crdkit.meta.time.now", lambda now=f"2026-01-01T00:{step // 120:02d}:{step // 2 % 60:02d}Z": now)
        read = await cold.ask("get", "a")
        if read.code == 404:
            verb, name, body, more = "create", "", kiln(spec={"heat": 1, "shelves": any_shelves(dice)}), {}
        else:
            name = "a"
            verb, body, more = any_change(dice, read.body)
        resource.renderings.forget(KEY)
        entry = hot.registry.cache.get(KEY)
        sound += entry is not None and known_resource.renderings.is_sound(entry)
        answers = [await api.ask(verb, name, body, **dict(more)) for api in kilns]
        assert answers[0] == answers[1], (step, verb, body, more)
        assert cold.registry.cache.get(KEY) == hot.registry.cache.get(KEY)
    assert sound > STEPS // 2


async def test_nulls_and_defaults_in_maps_are_told_as_what_they_come_to(kilns: list[Api]) -> None:
    spec = {"heat": 1, "notes": {"a": "b", "c": "d"}, "pair": {"a": "y", "b": "z"}}
    null: dict[str, Any] = {"op": "add", "path": "/spec/notes/a", "value": None}
    cold = kilns[0].registry.definitions.resource(GROUP, "v1", "kilns")
    assert cold is not None
    requests: list[tuple[str, Any, dict[str, str]]] = [
        ("create", kiln(spec=spec), {}),
        ("patch", [null], {"type": JSON_PATCH}),
        ("patch", {"spec": {"pair": {"b": None}}}, {"type": MERGE, "query": "fieldManager=bob"}),
        ("patch", {**kiln(), "spec": {"closed": {"a": 1}}, "metadata": {"name": "a"}}, {"type": APPLY, "query": "fieldManager=ann"}),
        ("get", None, {}),
        ("patch", {**kiln(), "spec": {"any": None}, "metadata": {"name": "a"}}, {"type": APPLY, "query": "fieldManager=ann"}),
        ("get", None, {}),
    ]
    for verb, body, more in requests:
        cold.renderings.forget(KEY)
        answers = [await api.ask(verb, "" if verb == "create" else "a", body, **more) for api in kilns]
        assert answers[0].code in (200, 201)
        for answer in answers:
            for entry in answer.body["metadata"]["managedFields"]:
                del entry["time"]
        assert answers[0].body == answers[1].body, verb
    assert answers[1].body["spec"] == {"heat": 1, "notes": {"c": "d"}, "pair": {"a": "y", "b": "x"}}
