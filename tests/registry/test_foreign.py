"""Objects read by way of a webhook are answered alike whether their texts are taken over or read in full."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crdkit.conversion.strategies import Strategies
from tests.conversion.doubles import Change, Webhook, conversion
from tests.registry.conftest import Api
from tests.registry.test_conversion import VERSIONS, make, serving

Json = Any


def compact(good: Json) -> bytes:
    return json.dumps(good, separators=(",", ":")).encode()


def spaced(good: Json) -> bytes:
    """What is read in full, for it is not written as it was sent."""
    return json.dumps(good, indent=1).encode()


def as_they_are(obj: Json) -> None:
    pass


def noting(obj: Json) -> None:
    obj["metadata"].setdefault("annotations", {})["converted"] = "yes"


def relabelling(obj: Json) -> None:
    obj["metadata"]["labels"] = {}


def forgetting(obj: Json) -> None:
    obj["metadata"].pop("labels", None)
    obj["metadata"].pop("managedFields", None)


def hiding(obj: Json) -> None:
    obj["spec"] = {"host": None, "port": "1", "owners": obj["metadata"]["managedFields"]}


def misplacing(obj: Json) -> None:
    obj["metadata"]["managedFields"], obj["spec"]["owners"] = [], obj["metadata"]["managedFields"]


def every_other(obj: Json) -> None:
    if obj["metadata"]["name"] in ("b", "d"):
        noting(obj)


async def shown(change: Any, write: Change, size: int) -> Json:
    """The objects as they are listed by way of a webhook that changes them so."""

    def changed(good: Json) -> bytes:
        for obj in good["response"]["convertedObjects"]:
            change(obj)
        answer: bytes = write(good)
        return answer

    listed: list[str] = []
    async for api in serving(Strategies(Webhook(changed), batch_size=size)):
        listed += await made_and_listed(api)
    return listed


async def made_and_listed(api: Api) -> Json:
    await api.define(versions=VERSIONS, conversion=conversion())
    await make(api, *"abcde")
    labels = {"metadata": {"labels": {"a": "b"}, "finalizers": ["example.com/f"]}}
    for name in "ab":
        assert (await api.ask("patch", name, labels, version="v1beta1", type="application/merge-patch+json")).code == 200
    items = (await api.ask("list")).body["items"]
    assert [item["apiVersion"] for item in items] == ["example.com/v1"] * 5
    assert all(item["metadata"]["managedFields"][0]["fieldsV1"] for item in items)
    return [comparable(item) for item in items]


def comparable(item: Json) -> str:
    del item["metadata"]["uid"], item["metadata"]["creationTimestamp"]
    for owner in item["metadata"]["managedFields"]:
        del owner["time"]
    return json.dumps(item)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("change", [as_they_are, noting, relabelling, forgetting, hiding, misplacing, every_other])
async def test_texts_that_are_taken_over_say_what_is_read_in_full(change, size):
    assert await shown(change, compact, size) == await shown(change, spaced, size)
