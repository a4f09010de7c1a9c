"""Patches that have a quick way come out as by the long one: answers, warnings, owners and what is stored."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.meta import json
from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.registry import patch
from crdkit.registry.customendpoint import CustomEndpoint
from crdkit.registry.rendering import pieces_of
from tests.registry.conftest import GROUP, MERGE, Api, kiln, two_running
from tests.registry.test_sound_changes import SPEC, STATUS, SUBRESOURCES

Json = Any
KEY = f"/registry/{GROUP}/kilns/default/a"
APPLY = "application/apply-patch+yaml"
STEPS = 100
TRICKY = ('}],"name":"', ',"managedFields":[{', ',"time":"2026', '\\","uid":', "\N{SNOWMAN}", "plain")
RULES = [
    {"rule": "self.heat <= 8", "message": "too hot"},
    {"rule": "self.heat >= oldSelf.heat - 3", "message": "cools too fast"},
]


class Counter:
    """Counts the patches that went the quick way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        quickly = patch.patch_quickly

        async def counted(*request: Any) -> Any:
            reply = await quickly(*request)
            self.count += reply is not None
            return reply

        monkeypatch.setattr(patch, "patch_quickly", counted)


@pytest.fixture(params=[V1_36, V1_33], ids=str)
def kube(request: pytest.FixtureRequest) -> KubeVersion:
    version: KubeVersion = request.param
    return version


@pytest.fixture
def rules_of_all() -> list[Json]:
    """Rules of the object as a whole."""
    return []


@pytest.fixture
async def kilns(monkeypatch: pytest.MonkeyPatch, kube: KubeVersion, rules_of_all: list[Json]) -> AsyncIterator[list[Api]]:
    """Two registries that agree about times and UIDs; the first goes the long way."""
    monkeypatch.setattr("crdkit.meta.uids.new_uid", lambda: "00000000-0000-0000-0000-000000000000")
    monkeypatch.setattr("crdkit.schema.compiled._MANY_CHANGES", 0)
    spec = {**SPEC, "x-kubernetes-validations": RULES}
    schema = {"type": "object", "properties": {"spec": spec, "status": STATUS}, "x-kubernetes-validations": rules_of_all}
    version = {"name": "v1", "served": True, "storage": True, "subresources": SUBRESOURCES, "schema": {"openAPIV3Schema": schema}}
    async with two_running(kube, version) as apis:
        resource = apis[0].registry.definitions.resource(GROUP, "v1", "kilns")
        assert resource is not None
        for subresource in ("", "status"):
            endpoint = resource.endpoint(subresource)
            assert isinstance(endpoint, CustomEndpoint)
            endpoint.settles = False
        yield apis


def any_spec(dice: random.Random) -> Json:
    fields = {
        "heat": dice.choice((0, 1, 2, 5, 8, 9)),
        "glaze": dice.choice(({}, {"a": "y"}, {"b": "z"}, {"a": "z", "b": "y"})),
        "shelves": [{"name": name, **dice.choice(({}, {"pots": dice.randint(0, 5)}))} for name in dice.sample("abc", 2)],
        "marks": dice.sample("abc", 2),
        "notes": {dice.choice("ab"): dice.choice("cd")},
        "free": dice.choice(({"a": {"b": 1.5}}, {"a": True}, {"a": 1}, {"a": 1.0})),
        "unknown": 1,
    }
    return {name: fields[name] for name in dice.sample(list(fields), dice.choice((1, 1, 2)))}


def any_patch(dice: random.Random) -> tuple[Json, dict[str, str]]:
    """The body of a patch like most, and what else there is to the request."""
    subresource = dice.choice(("", "", "status"))
    body: Json = {"status": {"phase": dice.choice("xyz"), "replicas": dice.randint(0, 2)}} if subresource else {"spec": any_spec(dice)}
    metadata: Json = {}
    if dice.random() < 0.4 and not subresource:
        metadata = {dice.choice(("annotations", "labels", "annotations")): {"a": dice.choice(("plain", "b"))}}
        if "annotations" in metadata:
            metadata["annotations"] = {"a": dice.choice(TRICKY), **dice.choice(({}, {"b": None}, {"b": "c"}))}
        body = dice.choice(({**body, "metadata": metadata}, {"metadata": metadata}))
    query = f"fieldManager={dice.choice(('ann', 'ann', 'bob', 'a%22b'))}{dice.choice(('', '&fieldValidation=Strict', '&dryRun=All', ''))}"
    kind = dice.choice((MERGE, APPLY))
    if kind == APPLY:
        metadata = {part: {name: text for name, text in texts.items() if text} for part, texts in metadata.items()}
        body, query = {**kiln(), **body, "metadata": {"name": "a", **metadata}}, query + dice.choice(("", "&force=true", "&force=true"))
    return body, {"subresource": subresource, "query": query, "type": kind}


@pytest.mark.parametrize("seed", range(2))
async def test_the_quick_way_comes_to_what_the_long_one_does(kilns: list[Api], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice, quick = random.Random(seed), Counter(monkeypatch)
    spec = {"heat": 1, "shelves": [{"name": "a"}, {"name": "b", "pots": 2}], "marks": ["a"]}
    monkeypatch.setattr("crdkit.meta.time.now", lambda: "2025-12-31T00:00:00Z")
    for api in kilns:
        await api.ask("create", "", kiln(spec=spec, metadata={"labels": {"a": "b"}, "annotations": {"z": TRICKY[0]}}))
    for step in range(STEPS):
        monkeypatch.setattr("crdkit.meta.time.now", lambda now=f"2026-01-01T00:{step // 120:02d}:{step // 2 % 60:02d}Z": now)
        body, more = any_patch(dice)
        answers = [await api.ask("patch", "a", body, **dict(more)) for api in kilns]
        assert answers[0] == answers[1], (step, body, more)
        assert kilns[0].registry.cache.get(KEY) == kilns[1].registry.cache.get(KEY)
    assert quick.count > STEPS // 4


@pytest.mark.parametrize(
    "rules_of_all",
    [
        [{"rule": "self == oldSelf"}],
        [{"rule": "self.metadata == oldSelf.metadata"}],
        [{"rule": "oldSelf.optMap(old, self == old).orValue(true)", "optionalOldSelf": True}],
    ],
)
async def test_rules_of_all_of_an_object_see_its_owners(kilns: list[Api]) -> None:
    patches: list[tuple[Json, dict[str, str]]] = [
        ({"spec": {"heat": 1}}, {"type": MERGE, "query": "fieldManager=ann"}),
        ({**kiln(), "spec": {"heat": 1}}, {"type": APPLY, "query": "fieldManager=ann"}),
        ({"status": {"replicas": 1}}, {"type": MERGE, "subresource": "status"}),
        ({"spec": {"heat": 2}}, {"type": MERGE}),
        ({"metadata": {"labels": {"a": "b"}}}, {"type": MERGE}),
    ]
    for api in kilns:
        await api.ask("create", "", kiln(spec={"heat": 1}))
    for body, more in patches * 2:
        answers = [await api.ask("patch", "a", body, **dict(more)) for api in kilns]
        assert answers[0] == answers[1], (body, more)


@pytest.mark.parametrize("kind", [MERGE, APPLY])
async def test_a_patch_that_changes_nothing_is_answered_with_what_is_stored(
    kilns: list[Api], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    api, quick = kilns[1], Counter(monkeypatch)
    body = {**kiln(), "spec": {"heat": 1}}
    await api.ask("create", "", kiln(spec={"heat": 1}))
    first = await api.ask("patch", "a", body, type=kind, query="fieldManager=ann")
    again = await api.ask("patch", "a", body, type=kind, query="fieldManager=ann")
    assert first.code == 200
    assert again.body == first.body
    assert quick.count > 0


async def test_what_another_writer_changed_meanwhile_is_read_anew(kilns: list[Api], monkeypatch: pytest.MonkeyPatch) -> None:
    api, quick = kilns[1], Counter(monkeypatch)
    await api.ask("create", "", kiln(spec={"heat": 1}))
    put, others = api.registry.cache.put, [{"spec": {"glaze": {"a": "y"}}}]

    async def late(key: str, value: bytes, **how: Any) -> Any:
        if key == KEY and others:
            assert (await api.ask("patch", "a", others.pop(), type=MERGE)).code == 200
        return await put(key, value, **how)

    monkeypatch.setattr(api.registry.cache, "put", late)
    answer = await api.ask("patch", "a", {"spec": {"heat": 2}}, type=MERGE)
    assert answer.body["spec"] == {"heat": 2, "glaze": {"a": "y", "b": "x"}}
    assert quick.count == 1


@pytest.mark.parametrize("text", TRICKY)
def test_no_text_of_an_object_is_taken_for_its_structure(text: str) -> None:
    fields = {f"f:{text}": {f'k:{{"name":{json.encode(text).decode()}}}': {}}}
    metadata = {"annotations": {text: text}, "managedFields": [{"fieldsV1": fields, "manager": text}], "name": "a", "namespace": text}
    before = json.encode({"apiVersion": "g/v1", "kind": "K", "metadata": metadata}, sort=True)[:-2]
    value = b'%b,"uid":"u"},"spec":{"a":%b}}' % (before, json.encode(text))
    pieces = pieces_of(value, len(before))
    assert pieces is not None
    assert json.decode(pieces.owners) == metadata.pop("managedFields")
    obj = {"apiVersion": "g/v1", "kind": "K", "metadata": {**metadata, "uid": "u"}, "spec": {"a": text}}
    assert json.decode(pieces.text_without_owners()) == obj
    assert pieces.content == b',"spec":{"a":%b}}' % json.encode(text)


def test_an_object_without_owners_is_not_taken_apart() -> None:
    before = b'{"metadata":{"annotations":{"managedFields":"[{"},"name":"a"'
    assert pieces_of(before + b',"uid":"u"}}', len(before)) is None
