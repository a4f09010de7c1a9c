"""JSON patch."""

from __future__ import annotations

from typing import Any

import pytest

from crdkit.meta.jsonpatch import PatchFailed, patched


def run(document: Any, *operations: dict[str, Any]) -> Any:
    return patched(document, list(operations))


@pytest.mark.parametrize(
    ("before", "operation", "after"),
    [
        ({"a": 1}, {"op": "add", "path": "/b", "value": 2}, {"a": 1, "b": 2}),
        ({"a": [1, 3]}, {"op": "add", "path": "/a/1", "value": 2}, {"a": [1, 2, 3]}),
        ({"a": [1]}, {"op": "add", "path": "/a/-", "value": 2}, {"a": [1, 2]}),
        ({"a": {"b~/c": 1}}, {"op": "remove", "path": "/a/b~0~1c"}, {"a": {}}),
        ({"a": [1, 2]}, {"op": "remove", "path": "/a/-1"}, {"a": [1]}),
        ({"a": 1}, {"op": "replace", "path": "/a", "value": None}, {"a": None}),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a/b", "path": "/c"}, {"a": {}, "c": 1}),
        ({"a": [1]}, {"op": "copy", "from": "/a", "path": "/b"}, {"a": [1], "b": [1]}),
        ({"a": 1}, {"op": "replace", "path": "/missing", "value": 2}, {"a": 1, "missing": 2}),
        ({"a": 1}, {"op": "copy", "from": "/missing", "path": "/b"}, {"a": 1, "b": None}),
        ({"a": 1}, {"op": "add", "path": "overlooked/b", "value": 2}, {"a": 1, "b": 2}),
        ({"a": 1}, {"op": "test", "path": "/missing"}, {"a": 1}),
    ],
)
def test_an_operation_changes_the_document(before: Any, operation: dict[str, Any], after: Any) -> None:
    assert run(before, operation) == after


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/missing"},
        {"op": "replace", "path": "/list/0", "value": 1},
        {"op": "add", "path": "/missing/below", "value": 1},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/list/5", "value": 1},
        {"op": "test", "path": "/a", "value": True},
        {"op": "grow", "path": "/a"},
        {"op": "remove", "path": ""},
        {"op": "add", "path": "", "value": {}},
        {"op": "test", "path": "/a", "value": 1.0},
    ],
)
def test_an_operation_that_does_not_fit_fails(operation: dict[str, Any]) -> None:
    with pytest.raises(PatchFailed):
        run({"a": 1, "list": []}, operation)


def test_a_value_is_not_shared_with_the_patch() -> None:
    operation = {"op": "add", "path": "/a", "value": [1]}
    run({}, operation, {"op": "add", "path": "/a/-", "value": 2})
    assert operation["value"] == [1]


def test_copies_do_not_multiply_without_bound() -> None:
    copies = [{"op": "copy", "from": "/list", "path": "/list/-"}] * 100
    with pytest.raises(PatchFailed, match="copied"):
        run({"list": ["x" * 100]}, *copies)
    assert len(run({"list": ["x" * 100]}, *copies[:10])["list"]) == 11


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        ({"op": "add", "path": 5}, "add operation failed to decode path: missing value"),
        ({"op": "replace"}, "replace operation failed to decode path: operation missing path field: missing value"),
        (
            {"op": "test", "path": 5},
            "test operation failed to decode path: json: cannot unmarshal number into Go value of type string",
        ),
        ({"op": "copy", "path": "/a"}, "copy operation failed to decode from: operation, missing from field: missing value"),
        ({"op": "move", "from": "/a"}, "move operation failed to decode path: operation missing path field: missing value"),
    ],
)
def test_what_an_operation_lacks_is_told(operation: dict[str, Any], told: str) -> None:
    with pytest.raises(PatchFailed) as failure:
        run({"a": 1}, operation)
    assert str(failure.value) == told
