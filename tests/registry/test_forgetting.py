"""What is remembered of objects goes a while after they do."""

from __future__ import annotations

import pytest

from crdkit.registry import forgetting
from tests.registry.conftest import Api, kiln


async def test_how_a_deleted_object_was_answered_is_forgotten_a_while_after(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "KEPT", 3)
    await api.define()
    resource = api.registry.find("example.com", "v1", "kilns")
    assert resource is not None
    for number in range(6):
        await api.ask("create", body=kiln(f"a{number}", metadata={"labels": {"a": "b"}}))
        await api.ask("list", query="labelSelector=a%3Db")
    await api.ask("get", "a5")
    for number in range(5):
        await api.ask("delete", f"a{number}")
    keys = [f"/registry/example.com/kilns/default/a{number}" for number in (2, 3, 4, 5)]
    assert sorted(resource.renderings._known) == keys
    assert sorted(resource.labels._known) == keys


async def test_one_that_was_created_again_is_not(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "KEPT", 0)
    await api.define()
    await api.ask("create", body=kiln())
    await api.ask("delete", "a")
    await api.ask("create", body=kiln())
    await api.ask("create", body=kiln("b"))
    monkeypatch.setattr(forgetting, "KEPT", 1)
    await api.ask("delete", "b")
    resource = api.registry.find("example.com", "v1", "kilns")
    assert resource is not None
    assert list(resource.renderings._known) == ["/registry/example.com/kilns/default/a", "/registry/example.com/kilns/default/b"]
