"""A function as a converter, held to the rules of webhooks."""

from __future__ import annotations

import pytest

from crdkit.conversion.converter import ConversionFailed
from crdkit.conversion.function import FunctionConverter
from crdkit.meta.version import V1_36
from tests.conversion.doubles import V1, ferry, hostport


def test_a_function_converts():
    obj = ferry(hostPort="a:1")
    assert FunctionConverter(hostport, kube=V1_36).convert_one(obj, V1) == ferry(version=V1, host="a", port="1")
    assert obj == ferry(hostPort="a:1")


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda obj, wanted: obj["nothing"], "conversion function for example.com/v1beta1, Kind=Ferry failed: KeyError: 'nothing'"),
        (lambda obj, wanted: next(iter(())), "conversion function for example.com/v1beta1, Kind=Ferry failed: StopIteration"),
        (
            lambda obj, wanted: obj,
            (
                "conversion webhook for example.com/v1beta1, Kind=Ferry returned invalid object at index 0:"
                " invalid groupVersion (expected example.com/v1, received example.com/v1beta1)"
            ),
        ),
        (lambda obj, wanted: None, "conversion function for example.com/v1beta1, Kind=Ferry returned None, not an object"),
        (lambda obj, wanted: [obj], "conversion function for example.com/v1beta1, Kind=Ferry returned list, not an object"),
        (lambda obj, wanted: {"b": 1}, """Object 'Kind' is missing in '{"b":1}'"""),
    ],
)
def test_what_a_function_may_not_do(function, told):
    with pytest.raises(ConversionFailed) as failed:
        FunctionConverter(function, kube=V1_36).convert_one(ferry(), V1)
    assert str(failed.value) == told
