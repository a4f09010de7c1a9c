"""Lists: selectors, pages, versions, and the texts that are kept."""

from __future__ import annotations

import base64
import json
import weakref
from typing import Any

import pytest

from crdkit.registry import listing, listtexts
from crdkit.registry.listtexts import MOST_BYTES
from crdkit.registry.rendering import Items
from tests.threads import threads_of

from .conftest import MERGE, Api, Registry, kiln


def names(body: Any) -> list[str]:
    return [item["metadata"]["name"] for item in body["items"]]


async def fill(api: Api, *kilns: str) -> None:
    await api.define()
    for name in kilns:
        await api.ask("create", body=kiln(name, metadata={"labels": {"tier": name}}))


async def test_pages_show_the_state_of_the_first(api: Api) -> None:
    await fill(api, "a", "b", "c")
    first = await api.ask("list", query="limit=1")
    assert first.body["metadata"]["remainingItemCount"] == 2
    await api.ask("delete", "b")
    await api.ask("create", body=kiln("bb"))
    rest = await api.ask("list", query=f"continue={first.body['metadata']['continue']}")
    assert (names(first.body), names(rest.body)) == (["a"], ["b", "c"])
    assert rest.body["metadata"]["resourceVersion"] == first.body["metadata"]["resourceVersion"]


async def test_a_page_of_selected_objects_is_filled(api: Api) -> None:
    await fill(api, *(f"k{number:02}" for number in range(20)))
    first = await api.ask("list", query="limit=2&labelSelector=tier+in+(k03,k09,k15)")
    assert names(first.body) == ["k03", "k09"]
    assert "remainingItemCount" not in first.body["metadata"]
    rest = await api.ask("list", query=f"limit=2&labelSelector=tier+in+(k03,k09,k15)&continue={first.body['metadata']['continue']}")
    assert (names(rest.body), rest.body["metadata"]["continue"]) == (["k15"], "")


@pytest.mark.parametrize("selector", ["labelSelector=tier+notin+(b{}),tier+in+(b,c)", "fieldSelector=metadata.name=c{}"])
async def test_a_long_selector_is_read_beside_other_requests(api: Api, monkeypatch: pytest.MonkeyPatch, selector: str) -> None:
    await fill(api, "a", "b", "c")
    threads = threads_of(monkeypatch, listing, "list_options")
    more = "".join(f",metadata.name!=x{number}" if selector[0] == "f" else f",x{number}" for number in range(1000))
    for text in ("", more):
        assert names((await api.ask("list", query=selector.format(text))).body) == ["c"]
    assert threads == [True, False]


async def test_numbers_are_read_before_selectors(api: Api) -> None:
    await api.define()
    for verb in ("list", "watch", "deletecollection"):
        answer = await api.ask(verb, query="labelSelector=a+b&fieldSelector=c&limit=few&timeoutSeconds=long")
        assert (answer.code, answer.message) == (400, 'strconv.ParseInt: parsing "long": invalid syntax')


async def test_an_earlier_state_can_be_listed(api: Api) -> None:
    await fill(api, "a")
    version = (await api.ask("list")).body["metadata"]["resourceVersion"]
    await api.ask("create", body=kiln("b"))
    exact = await api.ask("list", query=f"resourceVersion={version}&resourceVersionMatch=Exact")
    assert names(exact.body) == ["a"]


async def test_fields_that_are_not_selectable_are_refused(api: Api) -> None:
    await fill(api, "a", "b")
    assert names((await api.ask("list", query="fieldSelector=metadata.name%3Db")).body) == ["b"]
    assert (await api.ask("list", query="fieldSelector=spec.heat%3D1")).message == "field label not supported: spec.heat"


async def test_a_list_that_is_kept_follows_every_change(api: Api, registry: Registry) -> None:
    await fill(api, "a", "b")
    for _ in range(3):
        assert names((await api.ask("list")).body) == ["a", "b"]
    await api.ask("create", body=kiln("c"))
    for _ in range(3):
        assert names((await api.ask("list")).body) == ["a", "b", "c"]
        assert names((await api.ask("list", namespace="")).body) == ["a", "b", "c"]
    await api.ask("delete", "a")
    assert names((await api.ask("list")).body) == ["b", "c"]
    assert names((await api.ask("list", namespace="")).body) == ["b", "c"]
    assert names((await api.ask("list", namespace="kube-system")).body) == []


async def test_after_a_write_a_list_is_made_anew_where_it_changed(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(api, *(f"k{number:03}" for number in range(300)))
    await api.ask("list")
    made: list[int] = []

    class Noting(listtexts._Piece):
        def __init__(self, items: Items) -> None:
            super().__init__(items)
            made.append(self.size)

    monkeypatch.setattr(listtexts, "_Piece", Noting)
    whole = sum(len(json.dumps(item)) for item in (await api.ask("list", query="resourceVersion=0")).body["items"])
    assert made == []
    for name in ("k000", "k150", "k299"):
        await api.ask("patch", name, {"spec": {"heat": 1}}, type=MERGE)
        await api.ask("list", query="resourceVersion=0&limit=10")
    assert len(made) == 3
    assert max(made) < whole / 4


async def test_the_text_of_what_has_changed_is_not_kept(api: Api, registry: Registry) -> None:
    await fill(api, *(f"k{number:03}" for number in range(300)))
    for _ in range(2):
        await api.ask("list")
    kept, size = [place() for place in registry.store.lists._kept], registry.store.lists.size
    assert size == sum(piece.size for piece in kept if piece is not None)
    places = [weakref.ref(piece) for piece in kept if piece is not None and len(piece.items._entries)]
    del kept
    for number in range(300):
        await api.ask("patch", f"k{number:03}", {"spec": {"heat": number}}, type=MERGE)
    assert [place() for place in places] == [None] * len(places)
    await api.ask("list")
    assert registry.store.lists.size == sum(registry.store.lists._kept.values()) < size * 1.5


async def test_a_long_list_is_the_same_however_it_is_asked_for(api: Api, registry: Registry) -> None:
    """Its pieces are kept, made anew where something has changed, or made as they are sent."""
    await api.define(schema={"type": "object", "x-kubernetes-preserve-unknown-fields": True})
    text = "x" * 40_000
    for number in range(150):
        await api.ask("create", body=kiln(f"k{number:03}", spec={"text": text}))
    expected = [(await api.ask("get", f"k{number:03}")).body for number in range(150)]
    for number in (7, 8, 149):
        assert (await api.ask("list")).body["items"] == expected
        assert (await api.ask("list", query="labelSelector=!none")).body["items"] == expected
        paged: list[Any] = []
        token = ""
        while len(paged) < 150:
            page = (await api.ask("list", query=f"limit=40&continue={token}")).body
            paged += page["items"]
            token = page["metadata"]["continue"]
            assert page["metadata"].get("remainingItemCount", 0) == 150 - len(paged)
        assert paged == expected
        assert token == ""
        expected[number] = (await api.ask("patch", f"k{number:03}", {"spec": {"heat": number}}, type=MERGE)).body
    assert registry.store.lists.size <= MOST_BYTES


async def test_a_table_has_the_columns_of_the_definition(api: Api) -> None:
    column = {"name": "Heat", "type": "integer", "jsonPath": ".spec.heat"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, "additionalPrinterColumns": [column]}
    await api.define(versions=[version])
    await api.ask("create", body=kiln(spec={"heat": 7.9}))
    table = (await api.ask("list", form=("Table", "v1"))).body
    assert [head["name"] for head in table["columnDefinitions"]] == ["Name", "Heat"]
    assert [row["cells"] for row in table["rows"]] == [["a", 7]]
    assert table["rows"][0]["object"]["kind"] == "PartialObjectMetadata"


async def test_no_page_of_a_token_of_ones_own_leads_elsewhere(api: Api) -> None:
    await fill(api, "a")
    answer = await api.ask("list", query="continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MTAsInN0YXJ0IjoiLi4vYSJ9")
    assert (answer.code, answer.message) == (400, "invalid continue token: continue key is not valid: ../a")


@pytest.mark.parametrize(
    ("token", "why"),
    [
        ("[]", "json: cannot unmarshal array into Go value of type storage.continueToken"),
        ("null", "server does not recognize this encoded version "),
        ('{"rv": "1"}', "json: cannot unmarshal string into Go struct field continueToken.rv of type int64"),
        ('{"rv": 1.5}', "json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64"),
        ('{"v": 5}', "json: cannot unmarshal number into Go struct field continueToken.v of type string"),
    ],
)
async def test_a_token_of_ones_own_must_have_its_form(api: Api, token: str, why: str) -> None:
    await api.define()
    answer = await api.ask("list", query="continue=" + base64.urlsafe_b64encode(token.encode()).decode().rstrip("="))
    assert (answer.code, answer.message) == (400, f"invalid continue token: continue key is not valid: {why}")


@pytest.mark.parametrize(("moment", "cell"), [("", "<unknown>"), ("null", "<unknown>"), ("0", "<invalid>"), (5, None)])
async def test_a_column_of_dates_that_are_none(api: Api, moment: Any, cell: Any) -> None:
    column = {"name": "When", "type": "date", "jsonPath": ".spec.when"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}, "additionalPrinterColumns": [column]}
    await api.define(versions=[version])
    await api.ask("create", body=kiln(spec={"when": moment}))
    table = await api.ask("get", "a", form=("Table", "v1"))
    assert table.body["rows"][0]["cells"] == ["a", cell]
