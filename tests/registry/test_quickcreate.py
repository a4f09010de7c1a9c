"""Creations that have a quick way come out as by the long one: answers, warnings, owners and what is stored."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from crdkit.meta.version import V1_33, V1_36, KubeVersion
from crdkit.registry import create, quickcreate
from crdkit.registry.customresource import CustomResource
from tests.registry.conftest import GROUP, Api, kiln, two_running
from tests.registry.test_sound_changes import OF_BOTH, RULES, SPEC, STATUS, SUBRESOURCES

Json = Any
STEPS = 150
WHOLE = {"scope": "Cluster"}
HEATS = ({"maximum": 1 << 40}, {"minimum": 0, "maximum": 1 << 31}, {"minimum": 0, "maximum": 9}, {"minimum": 0, "format": "int32"})
FREE: Json = ({"a": {"b": 1.5}}, {"a": [True, 1.0]}, {"a": -0.0}, {"a": 1e20, "b": None}, {"a": {"c": [1, {"d": "1.0e3"}]}})


class Counter:
    """Counts the creations that went the quick way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        quickly = quickcreate.make_quickly

        def counted(*request: Any, **more: Any) -> Any:
            made = quickly(*request, **more)
            self.count += made is not None
            return made

        monkeypatch.setattr(create, "make_quickly", counted)


@pytest.fixture(params=[V1_36, V1_33], ids=str)
def kube(request: pytest.FixtureRequest) -> KubeVersion:
    version: KubeVersion = request.param
    return version


@pytest.fixture
def rules_of_all() -> list[Json]:
    return OF_BOTH


@pytest.fixture
def spec() -> Json:
    return SPEC


@pytest.fixture
def scope() -> Json:
    return {}


@pytest.fixture
async def kilns(
    monkeypatch: pytest.MonkeyPatch, kube: KubeVersion, spec: Json, rules_of_all: list[Json], scope: Json
) -> AsyncIterator[list[Api]]:
    """Two registries that agree about times and UIDs; the first goes the long way."""
    monkeypatch.setattr("crdkit.meta.uids.new_uid", lambda: "00000000-0000-0000-0000-000000000000")
    monkeypatch.setattr("crdkit.registry.metadata.generate_name", lambda prefix: f"{prefix}x")
    monkeypatch.setattr("crdkit.meta.time.now", lambda: "2026-01-01T00:00:00Z")
    spec = {**spec, "properties": {**spec["properties"], "share": {"type": "number", "default": 0.5}}}
    schema = {"type": "object", "properties": {"spec": spec, "status": STATUS}, RULES: rules_of_all}
    version = {"name": "v1", "served": True, "storage": True, "subresources": SUBRESOURCES, "schema": {"openAPIV3Schema": schema}}
    async with two_running(kube, version, **scope) as apis:
        resource = apis[0].registry.definitions.resource(GROUP, "v1", "kilns")
        assert isinstance(resource, CustomResource)
        resource.__dict__["_questions"] = None
        yield apis


def any_spec(dice: random.Random) -> Json:
    fields = {
        "glaze": dice.choice(({}, {"a": "y"}, {"b": "z"}, {"a": "z", "b": "y"})),
        "shelves": [{"name": name, **dice.choice(({}, {"pots": dice.randint(0, 6)}))} for name in dice.choice(("ab", "b", "aa", ""))],
        "marks": dice.choice((["a", "y"], ["b"], ["b", "b"])),
        "notes": {dice.choice("ab"): dice.choice(("c", '"\\\u2603'))},
        "free": dice.choice(FREE),
        "share": dice.choice((1, 1.0, 0.25, 1e-9, 3e21)),
        "unknown": 1,
    }
    heat = dice.choice((0, 1, 2, 3, 5, 6, 7, 8, 9, 10, -1, 1 << 31, "x"))
    return {"heat": heat, **{name: fields[name] for name in dice.sample(list(fields), dice.randint(0, 3))}}


def any_metadata(dice: random.Random) -> Json:
    fields = {
        "labels": dice.choice(({"a": "b"}, {"c": "b"}, {"example.com/a": "", "b": "c"}, {"a": "-"}, {"-": "a"}, {}, {"a": 1})),
        "annotations": dice.choice(({"a": "plain"}, {"a": "b"}, {"B/c": '\\","uid":"', "a": "\u2603"}, {"-": ""}, {})),
        "namespace": dice.choice(("default", "other")),
        "generateName": "b",
        "creationTimestamp": None,
        "resourceVersion": dice.choice(("7", "x", "")),
        "uid": "mine",
        "finalizers": ["example.com/a"],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Owner", "name": "a", "uid": "b"}],
        "managedFields": [],
        "unknown": 1,
    }
    often, seldom = ["labels", "annotations"], list(fields)
    return {name: fields[name] for name in (*dice.sample(often, dice.randint(0, 2)), *dice.sample(seldom, dice.choice((0, 0, 0, 0, 1))))}


def any_creation(dice: random.Random) -> tuple[Json, dict[str, Any]]:
    """The body of a request to create an object like most, and what else there is to it."""
    body = kiln(
        dice.choice(("a", "b", "c.d", "-", "", *[f"n-{dice.randint(0, 999)}"] * 5)), spec=any_spec(dice), metadata=any_metadata(dice)
    )
    if dice.random() < 0.1:
        body |= dice.choice(({"status": {"phase": "x"}}, {"kind": "Other"}, {"apiVersion": f"{GROUP}/v2"}, {"odd": {}}, {"spec": None}))
    query = f"fieldManager={dice.choice(('ann', 'a%22b', ''))}"
    query += dice.choice(("", "", "&dryRun=All", "&fieldValidation=Strict", "&fieldValidation=Ignore"))
    return body, {"query": query, "form": dice.choice((*[("", "v1")] * 7, ("Table", "v1")))}


async def compare(kilns: list[Api], dice: random.Random, **more: Any) -> None:
    for step in range(STEPS):
        body, how = any_creation(dice)
        answers = [await api.ask("create", "", body, **how, **more) for api in kilns]
        assert answers[0] == answers[1], (step, body, how)
        assert kilns[0].registry.cache.list("/registry").entries == kilns[1].registry.cache.list("/registry").entries
        lists = [await api.ask("list", "", **more) for api in kilns]
        assert lists[0] == lists[1], (step, body, how)
    resources = [api.registry.definitions.resource(GROUP, "v1", "kilns") for api in kilns]
    known = [resource.renderings._known for resource in resources if resource is not None]
    assert known[0] == known[1]


@pytest.mark.parametrize("seed", range(2))
async def test_the_quick_way_comes_to_what_the_long_one_does(kilns: list[Api], seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Counter(monkeypatch)
    await compare(kilns, random.Random(seed))
    assert quick.count > STEPS // 8


@pytest.mark.parametrize("spec", [{**SPEC, "properties": {**SPEC["properties"], "heat": {"type": "integer", **heat}}} for heat in HEATS])
async def test_counts_are_looked_at_where_the_schema_says_too_little_of_them(kilns: list[Api], monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Counter(monkeypatch)
    await compare(kilns, random.Random(2))
    assert quick.count > STEPS // 8


@pytest.mark.parametrize("scope", [WHOLE])
async def test_objects_of_the_whole_cluster_have_it_too(kilns: list[Api], monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Counter(monkeypatch)
    await compare(kilns, random.Random(3), namespace="")
    assert quick.count > STEPS // 8


@pytest.mark.parametrize("rules_of_all", [[{"rule": "self.metadata.name != 'a'"}], [{"rule": "self.metadata != null"}]])
async def test_what_rules_see_is_the_same(kilns: list[Api]) -> None:
    await compare(kilns, random.Random(4))
