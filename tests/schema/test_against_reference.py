"""The compiled code does what the obvious walks of `reference` do, for any schema and object."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import assume, given, settings

from crdkit.meta import json
from crdkit.meta.paths import ROOT
from crdkit.meta.version import V1_36
from crdkit.schema.checks import check_schema
from crdkit.schema.compiled import CompiledSchema
from tests.schema import reference
from tests.schema.strategies import cases

Case = tuple[dict[str, Any], dict[str, Any]]
MANY = settings(max_examples=80, deadline=None)


def compiled(schema: dict[str, Any]) -> CompiledSchema:
    return CompiledSchema(schema, kube=V1_36)


def text(value: object) -> bytes:
    """Tells 1 from 1.0 and true, and one order of fields from another not."""
    return repr(_sorted(value)).encode()


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def has_sound_defaults(schema: dict[str, Any]) -> bool:
    """A definition whose defaults would be pruned, or refused, is not taken in the first place."""
    found = check_schema(copy.deepcopy(schema), ROOT, kube=V1_36, status_subresource=False)
    return not any("default" in error.path for error in found)


@MANY
@given(cases())
def test_pruning(case: Case) -> None:
    schema, obj = case
    expected = copy.deepcopy(obj)
    paths = list(reference.prune(schema, expected))
    found = compiled(schema).prune(obj)
    assert sorted(found) == sorted(paths)
    assert text(obj) == text(expected)
    assert compiled(schema).prune(obj) == []


@MANY
@given(cases())
def test_defaulting(case: Case) -> None:
    schema, obj = case
    assume(has_sound_defaults(schema))
    expected = copy.deepcopy(obj)
    reference.drop_nulls(schema, expected)
    reference.fill(schema, expected)
    compiled(schema).default(obj)
    assert text(obj) == text(expected)
    once = copy.deepcopy(obj)
    compiled(schema).default(obj)
    assert text(obj) == text(once)


@MANY
@given(cases())
def test_validation(case: Case) -> None:
    schema, obj = case
    assert (compiled(schema).validate(obj) == []) == reference.is_valid(schema, obj)


@MANY
@given(cases())
def test_the_quick_answer_is_that_of_the_complete_examination(case: Case) -> None:
    schema, obj = case
    rules = compiled(schema)
    errors = rules._value_errors(rules.structural, obj, None, ROOT) + rules._duplicates(obj, None)
    assert rules._is_valid(obj) == (errors == [])


@MANY
@given(cases())
def test_an_admitted_object_is_admitted_again_unchanged(case: Case) -> None:
    schema, obj = case
    assume(has_sound_defaults(schema))
    rules = compiled(schema)
    rules.read(obj)
    rules.default(obj)
    if rules.validate(obj):
        return
    again = json.decode(json.encode(obj))
    assert rules.read(again) == []
    rules.default(again)
    assert text(again) == text(json.decode(json.encode(obj)))
    assert rules.validate(again) == []


@MANY
@given(cases())
def test_what_has_not_changed_is_not_judged(case: Case) -> None:
    schema, obj = case
    rules = compiled(schema)
    rules.prune(obj)
    if "x-kubernetes-preserve-unknown-fields" not in repr(schema) and "additionalProperties': True" not in repr(schema):
        assert rules.validate(obj, copy.deepcopy(obj)) == []
