"""Rewriting one definition from v1beta1 to v1, in place, in a tree that keeps comments and order."""

from __future__ import annotations

import copy
from typing import Any, Final

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from crdkit.offline.upgrade.comments import remove, rename, shift
from crdkit.offline.upgrade.notes import Notes
from crdkit.offline.upgrade.schemas import PRESERVE, make_structural
from crdkit.offline.upgrade.trees import fields, objects

OLD: Final = "apiextensions.k8s.io/v1beta1"
NEW: Final = "apiextensions.k8s.io/v1"
_SHARED: Final = (("validation", "schema"), ("subresources", "subresources"), ("additionalPrinterColumns", "additionalPrinterColumns"))
"""What a v1beta1 spec may say for all versions at once, and what each version calls it."""


def is_old(value: Any) -> bool:
    """Whether an object is a definition to be rewritten."""
    return isinstance(value, dict) and value.get("kind") == "CustomResourceDefinition" and value.get("apiVersion") == OLD


def rewrite(definition: Any, notes: Notes, *, prune: bool, indent: int = 2) -> None:
    """Make a definition one of v1. ``prune`` lets unknown fields be dropped although they were kept.

    ``indent`` is by how much the fields of an object in a list are indented.
    """
    definition["apiVersion"] = NEW
    spec = definition.get("spec")
    if not isinstance(spec, CommentedMap):
        notes.ask("there is no spec")
        return
    keep_unknown = _take_preserve(spec, notes) and not prune
    versions = _versions(spec, notes)
    for name, own in _SHARED:
        _share(spec, name, own, versions, indent)
    for version in versions:
        _rename_column_paths(version)
        _rewrite_schema(version, notes, keep_unknown=keep_unknown)
    if not spec.get("scope"):
        spec["scope"] = "Namespaced"
        notes.tell("scope: Namespaced was the default, and is written out")
    if isinstance(spec.get("conversion"), CommentedMap):
        _rewrite_conversion(spec["conversion"], notes)


def _take_preserve(spec: Any, notes: Notes) -> bool:
    """Whether unknown fields were kept, as they were unless a definition said otherwise; the field goes."""
    kept = spec.get("preserveUnknownFields")
    if "preserveUnknownFields" in spec:
        remove(spec, "preserveUnknownFields")
    if kept is None:
        notes.tell("preserveUnknownFields was not set, which meant true")
    return kept is None or bool(kept)


def _versions(spec: Any, notes: Notes) -> Any:
    """The versions, made of the single one that older definitions have."""
    name, versions = spec.get("version"), objects(spec.get("versions"))
    if versions:
        if name is not None:
            if versions[0].get("name") != name:
                notes.ask(f"spec.version is {name}, but the first of spec.versions is {versions[0].get('name')}: {name} was dropped")
            remove(spec, "version")
        return versions
    made = CommentedSeq([CommentedMap(name=name, served=True, storage=True)] if name else [])
    if "versions" in spec:
        remove(spec, "versions")
    if not name:
        notes.ask("there is no version")
        spec["versions"] = made
        return made
    position = list(spec).index("version")
    remove(spec, "version")
    spec.insert(position, "versions", made)
    return made


def _share(spec: Any, name: str, own: str, versions: Any, indent: int) -> None:
    """Give each version what the spec said for all of them."""
    if name not in spec:
        return
    value = spec[name]
    remove(spec, name)
    shift(value, indent)
    for index, version in enumerate(versions):
        if own not in version and value is not None:
            version[own] = value if index == 0 else copy.deepcopy(value)


def _rename_column_paths(version: Any) -> None:
    for column in objects(version.get("additionalPrinterColumns")):
        if "JSONPath" in column:
            rename(column, "JSONPath", "jsonPath")


def _rewrite_schema(version: Any, notes: Notes, *, keep_unknown: bool) -> None:
    """Every version of v1 has a schema."""
    schema = version.get("schema")
    root = fields(schema).get("openAPIV3Schema")
    if root is None and (schema is None or isinstance(schema, CommentedMap)):
        version["schema"] = CommentedMap(openAPIV3Schema=CommentedMap({"type": "object", PRESERVE: True}))
        notes.tell(f"{version.get('name')} had no schema: the one it has now takes anything")
        return
    make_structural(fields(root), notes, keep_unknown=keep_unknown)


def _rewrite_conversion(conversion: Any, notes: Notes) -> None:
    if conversion.get("strategy") != "Webhook":
        for name in ("webhookClientConfig", "conversionReviewVersions"):
            if name in conversion:
                remove(conversion, name)
        return
    webhook = CommentedMap()
    if "webhookClientConfig" in conversion:
        webhook["clientConfig"] = conversion["webhookClientConfig"]
        rename(conversion, "webhookClientConfig", "webhook")
    if "conversionReviewVersions" in conversion:
        webhook["conversionReviewVersions"] = conversion["conversionReviewVersions"]
        remove(conversion, "conversionReviewVersions")
    else:
        webhook["conversionReviewVersions"] = CommentedSeq(["v1beta1"])
        notes.tell("conversionReviewVersions: [v1beta1] was the default, and is written out: add v1 once the webhook understands it")
    conversion["webhook"] = webhook
