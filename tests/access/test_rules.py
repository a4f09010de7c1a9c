"""Policy rules: what they allow, what they cover, how they are told."""

from __future__ import annotations

import pytest

from crdkit.access.actions import Action, PathAction, ResourceAction
from crdkit.access.rules import EVERYTHING, Rule, allows, compacted, described, missing

GET_KITES = Rule(verbs=("get",), groups=("g",), resources=("kites",))


def on(verb: str, resource: str, *, name: str = "", subresource: str = "", group: str = "g") -> ResourceAction:
    return ResourceAction(verb, group, resource, "default", name, subresource)


@pytest.mark.parametrize(
    ("rule", "action", "allowed"),
    [
        (GET_KITES, on("get", "kites"), True),
        (GET_KITES, on("list", "kites"), False),
        (GET_KITES, on("get", "boats"), False),
        (GET_KITES, on("get", "kites", group="h"), False),
        (GET_KITES, on("get", "kites", subresource="status"), False),
        (GET_KITES._replace(verbs=("*",)), on("juggle", "kites"), True),
        (GET_KITES._replace(groups=("*",)), on("get", "kites", group="h"), True),
        (GET_KITES._replace(resources=("*",)), on("get", "kites", subresource="status"), True),
        (GET_KITES._replace(resources=("kites/status",)), on("get", "kites", subresource="status"), True),
        (GET_KITES._replace(resources=("kites/status",)), on("get", "kites"), False),
        (GET_KITES._replace(resources=("*/scale",)), on("get", "kites", subresource="scale"), True),
        (GET_KITES._replace(resources=("*/scale",)), on("get", "kites"), False),
        (GET_KITES._replace(names=("a",)), on("get", "kites", name="a"), True),
        (GET_KITES._replace(names=("a",)), on("get", "kites", name="b"), False),
        (GET_KITES._replace(names=("a",)), on("get", "kites"), False),
        (GET_KITES, PathAction("get", "/kites"), False),
        (Rule(verbs=("get",), urls=("/a",)), PathAction("get", "/a"), True),
        (Rule(verbs=("get",), urls=("/a",)), PathAction("get", "/a/b"), False),
        (Rule(verbs=("get",), urls=("/a/*",)), PathAction("get", "/a/b/c"), True),
        (Rule(verbs=("get",), urls=("/a/*",)), PathAction("get", "/a"), False),
        (Rule(verbs=("get",), urls=("*",)), PathAction("get", "/x"), True),
        (Rule(verbs=("get",), urls=("*",)), PathAction("post", "/x"), False),
        (Rule(verbs=("get",), urls=("*",)), on("get", "kites"), False),
    ],
)
def test_a_rule_allows_what_it_names(rule: Rule, action: Action, allowed: bool) -> None:
    assert allows(rule, action) is allowed


@pytest.mark.parametrize(
    ("held", "wanted", "lacking"),
    [
        ((GET_KITES,), GET_KITES, []),
        ((), GET_KITES, [GET_KITES]),
        (EVERYTHING, Rule(verbs=("*",), groups=("*",), resources=("*",)), []),
        (EVERYTHING, Rule(verbs=("get",), urls=("/a",)), []),
        ((GET_KITES,), GET_KITES._replace(verbs=("get", "delete")), [GET_KITES._replace(verbs=("delete",))]),
        ((GET_KITES,), GET_KITES._replace(names=("a",)), []),
        ((GET_KITES._replace(names=("a",)),), GET_KITES, [GET_KITES]),
        ((GET_KITES._replace(names=("a",)),), GET_KITES._replace(names=("a", "b")), [GET_KITES._replace(names=("b",))]),
        ((GET_KITES._replace(resources=("*/status",)),), GET_KITES._replace(resources=("kites/status",)), []),
        ((GET_KITES,), GET_KITES._replace(verbs=("*",)), [GET_KITES._replace(verbs=("*",))]),
        ((Rule(verbs=("get",), urls=("/a/*",)),), Rule(verbs=("get",), urls=("/a/b", "/c")), [Rule(verbs=("get",), urls=("/c",))]),
    ],
)
def test_what_is_not_covered_is_missing(held: tuple[Rule, ...], wanted: Rule, lacking: list[Rule]) -> None:
    assert missing(held, [wanted]) == lacking


def test_rules_that_differ_by_verb_are_told_as_one() -> None:
    parts = [GET_KITES, GET_KITES._replace(verbs=("list",)), GET_KITES._replace(names=("a",))]
    assert compacted(parts) == [GET_KITES._replace(names=("a",)), GET_KITES._replace(verbs=("get", "list"))]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (GET_KITES, '{APIGroups:["g"], Resources:["kites"], Verbs:["get"]}'),
        (GET_KITES._replace(names=("a", "b")), '{APIGroups:["g"], Resources:["kites"], ResourceNames:["a" "b"], Verbs:["get"]}'),
        (Rule(verbs=("get",), urls=("/a",)), '{NonResourceURLs:["/a"], Verbs:["get"]}'),
    ],
)
def test_a_rule_is_described(rule: Rule, text: str) -> None:
    assert described(rule) == text
