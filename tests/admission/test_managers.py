"""Who owns what a mutating webhook or policy had a hand in: what they set is nobody's, and what they make of the owners is looked at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.admission.conftest import Admitting
from tests.admission.doubles import add, patch
from tests.registry.conftest import MERGE, Answer, kiln

Json = Any
APPLY = "application/apply-patch+yaml"
SETS_GLAZE = patch(add("/spec/glaze", "blue"))


def owned(answer: Answer) -> dict[str, Json]:
    """What each manager owns of the spec."""
    entries = answer.body["metadata"].get("managedFields", [])
    return {one["manager"]: sorted(one["fieldsV1"].get("f:spec", {})) for one in entries}


async def test_what_a_webhook_sets_on_create_is_nobodys(api: Admitting) -> None:
    await api.hook(SETS_GLAZE, kind="Mutating")
    answer = await api.create(spec={"heat": 1}, query="fieldManager=me")
    assert answer.body["spec"] == {"heat": 1, "glaze": "blue", "lid": "on"}
    assert owned(answer) == {"me": [".", "f:heat", "f:lid"]}


@pytest.mark.parametrize("type_", [MERGE, APPLY])
async def test_what_a_webhook_sets_on_a_patch_is_nobodys(api: Admitting, type_: str) -> None:
    await api.create(spec={"heat": 1}, query="fieldManager=first")
    await api.hook(SETS_GLAZE, kind="Mutating")
    body = kiln("a", spec={"heat": 2})
    answer = await api.ask("patch", "a", body, type=type_, query="fieldManager=me&force=true" if type_ == APPLY else "fieldManager=me")
    assert answer.body["spec"] == {"heat": 2, "glaze": "blue", "lid": "on"}
    assert owned(answer)["me"] == ["f:heat"]


async def test_a_field_that_a_webhook_set_may_be_applied_without_a_conflict(api: Admitting) -> None:
    await api.hook(SETS_GLAZE, kind="Mutating")
    await api.create(spec={"heat": 1}, query="fieldManager=first")
    answer = await api.ask("patch", "a", kiln("a", spec={"glaze": "red"}), type=APPLY, query="fieldManager=me")
    assert (answer.code, answer.body["spec"]["glaze"]) == (200, "blue")
    assert owned(answer)["me"] == ["f:glaze"]


async def test_owners_that_a_webhook_takes_away_are_gone(api: Admitting) -> None:
    await api.hook(patch({"op": "remove", "path": "/metadata/managedFields"}), kind="Mutating")
    answer = await api.create(spec={"heat": 1})
    assert (answer.code, answer.warnings, owned(answer)) == (201, [], {})


async def test_owners_that_a_webhook_changes_well_are_taken(api: Admitting) -> None:
    await api.hook(patch({"op": "replace", "path": "/metadata/managedFields/0/manager", "value": "other"}), kind="Mutating")
    answer = await api.create(spec={"heat": 1}, query="fieldManager=me")
    assert answer.warnings == []
    assert owned(answer) == {"other": [".", "f:heat", "f:lid"]}


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("/metadata/managedFields/0/operation", "", "operation must be `Apply` or `Update`"),
        ("/metadata/managedFields/0/fieldsType", "FieldsV2", 'invalid fieldsType "FieldsV2" in managed fields entry 0'),
        ("/metadata/managedFields/0/fieldsV1", {"nonsense": {}}, "nonsense"),
    ],
)
async def test_owners_that_a_webhook_spoils_are_restored(api: Admitting, path: str, value: Json, told: str) -> None:
    await api.hook(patch({"op": "add", "path": path, "value": value}), kind="Mutating")
    answer = await api.create(spec={"heat": 1}, query="fieldManager=me")
    assert answer.code == 201, answer.body
    assert owned(answer) == {"me": [".", "f:heat", "f:lid"]}
    (warning,) = answer.warnings
    assert told in warning


async def test_a_managers_name_that_is_too_long_is_judged(api: Admitting) -> None:
    await api.hook(patch({"op": "add", "path": "/metadata/managedFields/0/manager", "value": "x" * 129}), kind="Mutating")
    answer = await api.create(spec={"heat": 1})
    assert answer.causes == ["metadata.managedFields[0].manager: Too long: may not be more than 128 bytes"]
