"""From ``kubectl apply`` to ``kubectl apply --server-side``: what was applied on the client's side may be changed."""

from __future__ import annotations

from typing import Any

from crdkit.ownership.lastapplied import ANNOTATION
from tests.ownership.stories import SIZES, Conflict, Story


def annotated(spec: str) -> Any:
    text = f'{{"apiVersion":"g/v1","kind":"Thing","metadata":{{"name":"a"}},"spec":{spec}}}'
    return {"metadata": {"name": "a", "annotations": {ANNOTATION: text}}}


def test_kubectl_changes_what_it_last_applied() -> None:
    story = Story(SIZES)
    story.update("kubectl-client-side-apply", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("kubectl", {"size": 2})
    assert story.spec == {"size": 2}
    assert story.object["metadata"]["annotations"] == {
        ANNOTATION: '{"apiVersion":"g/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"size":2}}\n'
    }


def test_what_was_changed_since_is_a_conflict() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1, "color": "red"}, more=annotated('{"size":1,"color":"blue"}'))
    story.apply("kubectl", {"size": 2, "color": "green"}, conflicts=[Conflict('"csa" using g/v1', ".color")])


def test_others_are_not_let_off() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("ann", {"size": 2}, conflicts=[Conflict('"csa" using g/v1', ".size")])


def test_an_annotation_that_cannot_be_read_allows_nothing() -> None:
    for text in ("", "{", "[]", '{"apiVersion":"g/v2","kind":"Thing"}', '{"apiVersion":"g/v1","spec":{"size":1}}'):
        story = Story(SIZES)
        story.update("csa", {"size": 1}, more={"metadata": {"name": "a", "annotations": {ANNOTATION: text}}})
        story.apply("kubectl", {"size": 2}, conflicts=[Conflict('"csa" using g/v1', ".size")])


def test_the_annotation_holds_no_copy_of_itself() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("kubectl", {"size": 1}, force=True, more={"metadata": {"name": "a", "annotations": {ANNOTATION: "old", "a": "<b>"}}})
    kept = '{"apiVersion":"g/v1","kind":"Thing","metadata":{"annotations":{"a":"\\u003cb\\u003e"},"name":"a"},"spec":{"size":1}}\n'
    assert story.object["metadata"]["annotations"] == {ANNOTATION: kept, "a": "<b>"}


def test_an_annotation_that_would_be_too_large_is_dropped() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("kubectl", {"size": 1, "color": "x" * (256 << 10)})
    assert story.object["metadata"]["annotations"] == {}


def test_an_applied_null_counts_as_an_empty_annotation() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("kubectl", {"size": 1}, more={"metadata": {"name": "a", "annotations": {"a": None}}})
    kept = '{"apiVersion":"g/v1","kind":"Thing","metadata":{"annotations":{"a":""},"name":"a"},"spec":{"size":1}}\n'
    assert story.object["metadata"]["annotations"] == {ANNOTATION: kept, "a": ""}


def test_applied_annotations_that_are_null_are_left_out() -> None:
    story = Story(SIZES)
    story.update("csa", {"size": 1}, more=annotated('{"size":1}'))
    story.apply("kubectl", {"size": 1}, more={"metadata": {"name": "a", "annotations": None}})
    assert story.object["metadata"]["annotations"][ANNOTATION] == (
        '{"apiVersion":"g/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"size":1}}\n'
    )
