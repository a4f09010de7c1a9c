from __future__ import annotations

import pytest

from crdkit.definitions import preparing, versions, warnings
from crdkit.definitions.definition import AGE, Column, Definition, Scale
from crdkit.meta.version import V1_33, V1_36
from tests.definitions.widgets import created, stored, version, widget


def definition(*given, established=True, **spec):
    return Definition(stored(widget(*given, **spec), established=established), 101, V1_36)


def test_versions_are_ranked_by_stability_and_number():
    names = ["foo10", "v1", "v11alpha2", "v2", "v10", "v10beta3", "v12alpha1", "v3beta1", "foo1", "v11beta2", "v99999999999999999999"]
    assert versions.ranked(names) == [
        "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10", "v99999999999999999999",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("deprecated", "others", "text"),
    [
        ("v1beta1", ["v1", "v2"], "example.com/v1beta1 Widget is deprecated; use example.com/v2 Widget"),
        ("v2", ["v3alpha1"], "example.com/v2 Widget is deprecated"),
        ("foo", ["v1alpha1"], "example.com/foo Widget is deprecated; use example.com/v1alpha1 Widget"),
    ],
)
def test_the_warning_names_the_best_version_that_outranks(deprecated, others, text):
    found = definition(version(deprecated, deprecated=True), *(version(name) for name in others)).version(deprecated)
    assert found is not None
    assert found.deprecation_warning == text


def test_a_warning_of_its_own():
    found = definition(version(deprecated=True, deprecationWarning="go away"), version("v2")).versions
    assert [version.deprecation_warning for version in found] == ["go away", None]


def test_parts_of_a_version():
    scale = {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}
    column = {"name": "A", "type": "integer", "jsonPath": ".spec.a", "priority": 1}
    found = definition(
        version(subresources={"status": {}, "scale": scale}, additionalPrinterColumns=[column], selectableFields=[{"jsonPath": ".spec.a"}]),
        version("v2"),
    )
    first, second = found.versions
    assert (first.has_status, first.scale, first.columns, first.selectable_fields) == (
        True, Scale(".spec.n", ".status.n", None), (Column("A", "integer", ".spec.a", priority=1),), (".spec.a",),
    )  # fmt: skip
    assert (second.has_status, second.scale, second.columns, second.selectable_fields) == (False, None, (AGE,), ())
    assert found.storage_version is first
    assert first.api_version == "example.com/v1"


def test_what_is_served_is_told_by_the_accepted_names():
    new, done = definition(established=False), definition()
    assert (new.served, new.established, new.names.plural) == (False, False, "")
    assert (done.served, done.established, done.names.list_kind, done.terminating, done.namespaced) == (
        True,
        True,
        "WidgetList",
        False,
        True,
    )


def test_the_generation_counts_changes_of_the_spec():
    old = stored(widget())
    same = created(widget(conversion={"strategy": "None"}, names={"singular": "widget", "shortNames": []}))
    preparing.prepare_update(same, old, kube=V1_36)
    assert same["metadata"]["generation"] == 1
    changed = created(widget(version(storage=False), version("v2", storage=True)))
    preparing.prepare_update(changed, old, kube=V1_36)
    assert (changed["metadata"]["generation"], changed["status"]["storedVersions"]) == (2, ["v1", "v2"])


def formatted(*names):
    properties = {f"a{index}": {"type": "string", "format": name} for index, name in enumerate(names)}
    return created(widget(version(schema={"openAPIV3Schema": {"type": "object", "properties": properties}})))


def test_unknown_formats_are_warned_of_where_they_are_new():
    assert warnings.create_warnings(formatted("zip-code", "date"), kube=V1_36) == ['unrecognized format "zip-code"']
    assert warnings.update_warnings(formatted("zip-code", "iban"), formatted("zip-code"), kube=V1_36) == ['unrecognized format "iban"']
    assert warnings.create_warnings(formatted("zip-code"), kube=V1_33) == []


def test_what_was_made_of_a_schema_is_used_again_while_that_stays_the_same():
    def schema(default):
        spec = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "default": {"a": default}}
        return {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}

    former = definition(version(schema=schema(1)), version("v2", schema=schema(1)), version("v3"))
    made = [found.compiled for found in former.versions[:2]]
    changed = definition(version(schema=schema(1)), version("v2", schema=schema(True)), version("v3"))
    changed.take_over(former)
    assert [new.compiled is old for new, old in zip(changed.versions, made, strict=False)] == [True, False]
