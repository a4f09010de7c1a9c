"""The fields of owners are left out where an answer is read, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crdkit.conversion import review
from crdkit.conversion.texts import Text, marks_of_owners, shorten, take_fields
from crdkit.meta.version import V1_36

Json = Any
FIELDS = {"f:spec": {"f:host": {}, 'k:{"manager":"a"}': {".": {}}}}
OWNER = {"apiVersion": "example.com/v1", "fieldsType": "FieldsV1", "fieldsV1": FIELDS, "manager": "a", "operation": "Apply"}


def compact(value: Json, *, sort: bool = False) -> bytes:
    return json.dumps(value, separators=(",", ":"), sort_keys=sort).encode()


def sent(obj: Json) -> Text:
    return Text(compact(obj, sort=True), take_fields(compact(obj.get("metadata"), sort=True)).fields)


def answer(*objects: Json) -> Json:
    response = {"uid": "u", "convertedObjects": list(objects), "result": {"status": "Success"}}
    return {"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1", "response": response}


def test_fields_are_found_and_left_out():
    obj = {"metadata": {"managedFields": [OWNER, {**OWNER, "manager": "b", "fieldsV1": {"f:metadata": {}}}], "name": "x"}}
    taken, fields = take_fields(compact(obj["metadata"], sort=True))
    assert [text.partition(b":")[2] for text in fields] == [compact(FIELDS), b'{"f:metadata":{}}']
    shortened = shorten(compact(obj, sort=True), fields)
    assert shortened.marks == marks_of_owners(json.loads(shortened.data)) == 2
    assert b"f:" not in shortened.data
    assert json.loads(taken) == json.loads(shortened.data)["metadata"]


@pytest.mark.parametrize(
    "owner", [{**OWNER, "fieldsV1": {"a": {"b": {}, "manager": 1}}}, {"fieldsV1": {}}, {**OWNER, "fieldsV1": {"fieldsV1": {}}}]
)
def test_an_odd_owner_is_read_all_the_same(owner):
    obj = {"metadata": {"managedFields": [owner]}, "spec": owner}
    assert review.read(compact(answer(obj)), "v1", V1_36, [sent(obj)]).objects("u")[0]["spec"] == owner


def test_the_same_text_elsewhere_stays():
    obj = {"metadata": {"managedFields": [OWNER]}}
    other = {"spec": {"template": obj}}
    assert review.read(compact(answer(other)), "v1", V1_36, [sent(obj)]).objects("u") == [other]
    told = '{"fieldsV1":"'
    assert review.read(compact(answer({"spec": {told: told}})), "v1", V1_36, [sent(obj)]).objects("u") == [{"spec": {told: told}}]


def test_what_is_wrong_is_told_of_the_whole_answer():
    obj = {"metadata": {"managedFields": [OWNER]}}
    with pytest.raises(review.BadReview) as short:
        review.read(compact(answer(obj))[:-1] + b",", "v1", V1_36, [sent(obj)])
    with pytest.raises(review.BadReview) as whole:
        review.read(compact(answer(obj))[:-1] + b",", "v1", V1_36)
    assert str(short.value) == str(whole.value)
    assert review.read(compact(answer(obj)), "v1", V1_36, [sent(obj)]).text(0) == compact(obj).decode()


names = st.sampled_from(["fieldsV1", "manager", "managedFields", "metadata", "spec", "f:a", '"', '{"fieldsV1":{'])
values = st.recursive(st.sampled_from([None, 1, "a", '"fieldsV1":{},"manager":']), lambda below: st.dictionaries(names, below, max_size=3))
owners = st.builds(lambda fields, more: {**OWNER, "fieldsV1": fields, **more}, values, st.dictionaries(names, values, max_size=1))
objects = st.builds(lambda found, spec: {"metadata": {"managedFields": found}, "spec": spec}, st.lists(owners, max_size=2), values | owners)


def without_owners(obj: Json) -> Json:
    """What counts: the owners are never taken from an answer."""
    return {**obj, "metadata": {name: value for name, value in obj["metadata"].items() if name != "managedFields"}}


@settings(max_examples=100, deadline=None)
@given(st.lists(objects, min_size=1, max_size=3), st.lists(objects, max_size=2), st.booleans())
def test_short_reading_agrees_with_whole_reading(asked: list[Json], others: list[Json], sort: bool):
    """Whatever comes back: what was sent, in part, in another order, or something else."""
    data = compact(answer(*others, *asked), sort=sort)
    short = review.read(data, "v1", V1_36, [sent(obj) for obj in asked]).objects("u")
    whole = review.read(data, "v1", V1_36).objects("u")
    assert [without_owners(obj) for obj in short] == [without_owners(obj) for obj in whole]
