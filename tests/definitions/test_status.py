from __future__ import annotations

from crdkit.definitions import status
from tests.definitions.widgets import NOW, stored, widget

LATER = "2026-01-31T13:00:00Z"


def told(definition):
    """The conditions, as type, status and reason."""
    return [f"{entry['type']}={entry['status']} {entry.get('reason', '')}" for entry in definition["status"]["conditions"]]


def settle(definition, *others):
    """All writes that follow one."""
    writes = []
    while (after := status.next_status(definition, [definition, *others], NOW)) is not None:
        writes.append(after)
        definition = after
    return writes


def established(**names):
    return settle(stored(widget(names=names)))[-1]


def test_a_new_definition_is_written_twice():
    writes = settle(stored(widget(names={"shortNames": ["wg"]})))
    assert [told(definition) for definition in writes] == [
        ["NamesAccepted=True NoConflicts", "Established=False Installing"],
        ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"],
    ]
    assert writes[0]["status"]["acceptedNames"] == {
        "plural": "widgets", "singular": "widget", "shortNames": ["wg"], "kind": "Widget", "listKind": "WidgetList",
    }  # fmt: skip
    assert writes[1]["status"]["conditions"][1] == {
        "type": "Established",
        "status": "True",
        "lastTransitionTime": NOW,
        "reason": "InitialNamesAccepted",
        "message": "the initial names have been accepted",
    }


def test_names_without_conflict_are_accepted_beside_those_with():
    other = established(shortNames=["wg", "wd"])
    writes = settle(
        stored(widget(names={"plural": "gadgets", "kind": "Widget", "singular": "gadget", "shortNames": ["wg", "wd", "x"]})), other
    )
    assert [told(definition) for definition in writes] == [["NamesAccepted=False ListKindConflict", "Established=False NotAccepted"]]
    assert writes[0]["status"]["acceptedNames"] == {"plural": "gadgets", "singular": "gadget", "kind": ""}
    assert writes[0]["status"]["conditions"][0]["message"] == '"WidgetList" is already in use'


def test_what_was_established_by_hand_gets_a_time_when_its_names_are_settled():
    by_hand = stored(widget())
    by_hand["status"]["conditions"] = [
        {"type": "Established", "status": "True", "lastTransitionTime": None, "reason": "Mine", "message": "m"}
    ]
    (write,) = settle(by_hand)
    assert told(write) == ["Established=True Mine", "NamesAccepted=True NoConflicts"]
    assert write["status"]["conditions"][0] == {
        "type": "Established", "status": "True", "lastTransitionTime": NOW, "reason": "Mine", "message": "m",
    }  # fmt: skip


def test_no_schema_is_said_not_to_be_structural():
    by_hand = established()
    by_hand["status"]["conditions"].insert(1, {"type": "NonStructuralSchema", "status": "True", "lastTransitionTime": NOW, "reason": "R"})
    (write,) = settle(by_hand)
    assert told(write) == told(established())


def test_short_names_are_granted_all_or_none():
    wanted = widget(names={"plural": "gadgets", "kind": "Gadget", "shortNames": ["wg", "wd", "x"]})
    (write,) = settle(stored(wanted), established(shortNames=["wg", "wd"]))
    assert write["status"]["conditions"][0]["reason"] == "ShortNamesConflict"
    assert write["status"]["conditions"][0]["message"] == '["wg" is already in use, "wd" is already in use]'
    assert "shortNames" not in write["status"]["acceptedNames"]


def test_names_of_other_groups_do_not_matter():
    other = settle(stored(widget(group="example.org")))[-1]
    assert told(settle(stored(widget()), other)[-1]) == ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]


def test_an_established_definition_stays_so_when_it_asks_for_a_taken_name():
    mine = established()
    mine["spec"]["names"]["shortNames"] = ["gd"]
    (write,) = settle(mine, settle(stored(widget(names={"plural": "gadgets", "kind": "Gadget", "shortNames": ["gd"]})))[-1])
    assert told(write) == ["NamesAccepted=False ShortNamesConflict", "Established=True InitialNamesAccepted"]


def test_a_withdrawn_request_leaves_the_condition_as_it_was():
    mine = established()
    mine["status"]["conditions"][0]["status"] = "False"
    assert settle(mine) == []


def test_conditions_that_are_cleared_do_not_come_back():
    mine = established()
    mine["status"]["conditions"] = None
    assert settle(mine) == []


def test_not_established_while_the_bundle_is_no_bundle():
    client = {"url": "https://a", "caBundle": "bm90IGEgcGVt"}
    conversion = {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]}}
    writes = settle(stored(widget(conversion=conversion)))
    assert told(writes[-1]) == ["NamesAccepted=True NoConflicts", "Established=False InvalidCABundle"]
    mended = writes[-1] | {"spec": stored(widget())["spec"]}
    assert told(settle(mended)[-1]) == ["NamesAccepted=True NoConflicts", "Established=True InitialNamesAccepted"]


def test_protected_groups_tell_their_approval():
    sent = widget(group="a.k8s.io")
    sent["metadata"]["annotations"] = {"api-approved.kubernetes.io": "unapproved, experimental"}
    condition = settle(stored(sent))[-1]["status"]["conditions"][2]
    assert condition == {
        "type": "KubernetesAPIApprovalPolicyConformant",
        "status": "False",
        "lastTransitionTime": NOW,
        "reason": "UnapprovedAnnotation",
        "message": 'not approved: "unapproved, experimental"',
    }


def test_deletion_in_three_writes():
    mine = established()
    mine["metadata"]["finalizers"] = ["example.com/mine"]
    marked = status.mark_for_deletion(mine, LATER)
    assert marked["metadata"]["deletionTimestamp"] == LATER
    assert marked["metadata"]["finalizers"] == ["example.com/mine", "customresourcecleanup.apiextensions.k8s.io"]
    begun = status.begin_cleanup(marked, LATER)
    assert begun is not None
    assert status.begin_cleanup(begun, LATER) is None
    finished = status.finish_cleanup(begun, LATER)
    assert [told(step)[-1] for step in (marked, begun, finished)] == [
        "Terminating=True InstanceDeletionPending",
        "Terminating=True InstanceDeletionInProgress",
        "Terminating=False InstanceDeletionCompleted",
    ]
    assert finished["metadata"]["finalizers"] == ["example.com/mine"]
    assert status.needs_cleanup(begun)
    assert not status.needs_cleanup(finished)
    assert "finalizers" not in status.finish_cleanup(status.mark_for_deletion(established(), LATER), LATER)["metadata"]
    assert mine["metadata"] == established()["metadata"] | {"finalizers": ["example.com/mine"]}


def test_one_never_established_has_nothing_to_delete():
    finished = status.finish_cleanup(status.mark_for_deletion(stored(widget()), NOW), NOW)
    assert told(finished) == ["Terminating=False NeverEstablished"]


def test_the_time_of_a_transition_changes_with_the_status_only():
    marked = status.mark_for_deletion(established(), NOW)
    failed = status.fail_cleanup(marked, LATER, "could not list instances: no such version")
    assert failed is not None
    condition = failed["status"]["conditions"][-1]
    assert (condition["reason"], condition["lastTransitionTime"]) == ("InstanceDeletionFailed", NOW)
    assert status.fail_cleanup(failed, LATER, "could not list instances: no such version") is None
