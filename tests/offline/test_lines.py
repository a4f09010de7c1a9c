"""Fields found by the paths that errors tell."""

from __future__ import annotations

import pytest

from crdkit.meta import yaml
from crdkit.offline import lines

TEXT = b"""kind: A
metadata:
  annotations:
    a.b/c: x
    a: y
spec:
  properties:
    port:
      type: integer
  list:
  - name: one
  -
    - inner: 1
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", 0),
        ("kind", 0),
        ("metadata.annotations", 2),
        ("metadata.annotations.a.b/c", 3),
        ("metadata.annotations.a", 4),
        ("metadata.annotations[a.b/c]", 3),
        ("spec.properties[port].type", 8),
        (".spec.list[0].name", 10),
        ("spec.list[1][0].inner", 12),
        ("spec.list[5].name", 9),
        ("status.gone", 0),
        ("spec.gone", 5),
    ],
)
def test_the_line_is_that_of_the_field_or_of_what_lacks_it(path: str, line: int) -> None:
    assert lines.find(yaml.read(TEXT).node, path) == line


def test_an_empty_text_has_one_line() -> None:
    assert lines.find(None, "spec") == 0


@pytest.mark.parametrize(
    ("path", "message", "told"),
    [
        ("spec.a", "Required value", "spec.a"),
        (
            "<nil>",
            'Invalid value: "": "spec.addresses[0]" must validate one and only one schema (oneOf). Found none valid',
            "spec.addresses[0]",
        ),
        ("", "json: cannot unmarshal number into Go struct field ObjectMeta.annotations of type string", "metadata.annotations"),
        ("<nil>", "Invalid value: null: some validation rules were not checked", ""),
    ],
)
def test_errors_of_the_whole_may_name_a_place(path: str, message: str, told: str) -> None:
    assert lines.path_told(path, message) == told
