from __future__ import annotations

import pytest

from crdkit.meta import gobase64, gotime
from crdkit.meta.godecoding import DecodeError
from crdkit.meta.gostruct import StructTable
from crdkit.meta.objectmeta_fields import OBJECT_META

TABLE = StructTable(
    "v1",
    {
        "Secret": {"metadata": "ObjectMeta?", "data": "map[string][]byte?", "type": "SecretType?", "immutable": "*bool?"},
        "Lease": {"renewTime": "*MicroTime?", "holders": "[]string", "since": "Time?", "weight": "float64?"},
    },
    aliases={"SecretType": "string"},
    includes=(OBJECT_META,),
)


def refused(name, value):
    with pytest.raises(DecodeError) as error:
        TABLE.decode(name, value)
    return str(error.value)


def test_metadata_alone_begins_at_its_own_struct():
    with pytest.raises(DecodeError) as error:
        OBJECT_META.decode("ObjectMeta", {"ownerReferences": [{"controller": "yes"}]})
    assert str(error.value) == "json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool"
    with pytest.raises(DecodeError) as error:
        OBJECT_META.decode("ObjectMeta", "x")
    assert str(error.value) == "json: cannot unmarshal string into Go value of type v1.ObjectMeta"


def test_the_first_mismatch_of_the_document_is_told():
    value = {"type": 1, "data": {"a": 2}}
    assert refused("Secret", value) == "json: cannot unmarshal number into Go struct field Secret.type of type v1.SecretType"
    assert refused("Secret", {"data": {"a": 2}}) == "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"


def test_bytes_are_written_as_base64_again():
    assert TABLE.decode("Secret", {"data": {"a": "Zm\nE="}}).value == {"metadata": {}, "data": {"a": "ZmE="}}


def test_times():
    found = TABLE.decode("Lease", {"renewTime": "2020-02-03T04:05:06.123456Z", "since": None})
    assert found.value == {"renewTime": "2020-02-03T04:05:06.123456Z", "holders": None, "since": None}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'),
        ("2020", 'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"'),
        ("2020-01-02 03:04:05Z", 'parsing time "2020-01-02 03:04:05Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 03:04:05Z" as "T"'),
        ("2020-13-02T03:04:05Z", 'parsing time "2020-13-02T03:04:05Z": month out of range'),
        ("2020-02-30T03:04:05Z", 'parsing time "2020-02-30T03:04:05Z": day out of range'),
        ("2020-02-03T03:04:05Zx", 'parsing time "2020-02-03T03:04:05Zx": extra text: "x"'),
    ],
)
def test_what_is_no_time(text, error):
    with pytest.raises(gotime.TimeError) as refused:
        gotime.canonical(text)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("text", "position"),
    [("!", 0), ("ab!c", 2), ("abc", 0), ("abcdabc", 4), ("ab=c", 2), ("=", 0), ("ab==x", 4), ("ab=", 3)],
)
def test_where_base64_goes_wrong(text, position):
    with pytest.raises(gobase64.CorruptInput) as refused:
        gobase64.decode(text)
    assert str(refused.value) == f"illegal base64 data at input byte {position}"


def test_no_more_than_a_hundred_problems_each_once():
    found = OBJECT_META.decode("ObjectMeta", {f"x{index}": 1 for index in range(150)})
    assert len(found.problems) == 100
    assert found.problems[0] == 'unknown field "x0"'
