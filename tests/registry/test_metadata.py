"""What becomes of a new object's metadata before it is judged."""

from __future__ import annotations

from typing import Any

from crdkit.registry import metadata


def owner(number: int, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Kite", "name": f"k{number}", "uid": f"u{number}", **more}


def test_owners_that_are_there_twice_are_kept_once_and_however_many_there_are() -> None:
    many = [owner(number) for number in range(20_000)]
    meta = {"ownerReferences": [*many, owner(1, controller=True), owner(7), dict(reversed(owner(8).items())), owner(8)]}
    warnings: list[str] = []
    metadata.drop_repeated_owners(meta, warnings)
    assert meta["ownerReferences"] == [*many, owner(1, controller=True)]
    assert [text.rpartition(": ")[2] for text in warnings] == ["u7, u8, u8"]


def test_an_owner_that_is_the_same_value_is_there_twice() -> None:
    same = owner(1)
    meta = {"ownerReferences": [same, same]}
    warnings: list[str] = []
    metadata.drop_repeated_owners(meta, warnings)
    assert meta["ownerReferences"] == [same]
    assert len(warnings) == 1
