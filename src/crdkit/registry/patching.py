"""From a patch request to the function that applies it: the kinds of patches, and the words for those that do not apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, Protocol

from crdkit.meta import errors, golang, jsonpatch
from crdkit.meta.changes import WRITTEN, Changed, Changes
from crdkit.meta.copying import copied
from crdkit.meta.json import JsonError
from crdkit.meta.jsonpatch import NoPatch, PatchFailed
from crdkit.meta.status import GroupResource, Refusal, bad_request, failure, invalid, unknown
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.registry import fieldvalidation
from crdkit.registry.bodies import json_sort, patch_value
from crdkit.registry.comparison import changes_between
from crdkit.registry.endpoint import Endpoint, Undecodable
from crdkit.registry.options import IGNORE, STRICT, WriteOptions
from crdkit.registry.patches import mergepatch, patchedtext, repetition, strategicpatch
from crdkit.registry.patches.strategicpatch import BadPatch, MalformedPatch, MergeKeys
from crdkit.registry.patchtypes import JSON_PATCH, STRATEGIC_PATCH
from crdkit.registry.request import Request
from crdkit.registry.resource import Resource

Patch = Callable[[JsonObject], JsonObject]
Follow = Callable[[JsonObject], tuple[JsonObject, Changes]]


class AnyPatch(Protocol):
    """A patch of a view, which is sound or not."""

    def __call__(self, view: JsonObject, *, sound: bool) -> Changed: ...


class _Reading(NamedTuple):
    """A patch as read: the function that applies it once, what strict decoding refuses, and what a refusal shows of it on a view.

    ``repeated`` tells what strict decoding finds given twice in what came of it.
    ``follow`` applies it and tells what differs then, for patches that say so themselves.
    """

    run: Patch
    problems: list[str]
    shown: Callable[[JsonObject], str]
    repeated: Callable[[JsonObject], list[str]] | None = None
    follow: Follow | None = None


_NO_MERGE: Final = "Invalid JSON Patch"
_OPERATIONS_LIMIT: Final = 10_000
_IN_PATCH: Final = "json patch "
"""How the texts begin that tell what strict decoding finds in the patch itself."""
_OPERATION_FIELDS: Final = {"op": "string", "path": "string", "from": "string", "value": ""}


def kind_of(request: Request, resource: Resource) -> str:
    """The kind of patch that a request has. Raises a `Refusal` (415) for one that the resource does not take."""
    kind = request.content_type.partition(";")[0]
    if kind not in resource.patch_types:
        raise unsupported(resource.patch_types)
    return kind


def patch_of(endpoint: Endpoint, request: Request, kind: str, options: WriteOptions) -> AnyPatch:
    """The patch that a request asks for. What is wrong with its text is told only when it is applied, after the look for the object."""
    kube = endpoint.resource.kube
    read, converted = _reader(endpoint, kind), kind == STRATEGIC_PATCH

    def shown_anew(view: JsonObject) -> str:
        return read(request, options).shown(view)

    def apply(view: JsonObject, *, sound: bool) -> Changed:
        reading = read(request, options)
        problems = reading.problems
        patched, changes = _followed(reading, view) if sound else Changed(reading.run(copied(view)))
        if reading.repeated is not None and problems:
            problems += reading.repeated(patched)
        try:
            if changes is None or not endpoint.redecode_beside(patched, changes):
                changes = None
                problems += endpoint.redecode(patched, options, converted=converted)
        except Undecodable as error:
            why = error.in_converter if converted else str(error)
            raise _invalid_patch(shown_anew(view), why, kube) from error
        if problems and options.field_validation == STRICT:
            raise _invalid_patch(shown_anew(view), fieldvalidation.strict_text(problems), kube)
        request.warnings += fieldvalidation.warnings_of(problems)
        return Changed(patched, changes)

    return apply


def _followed(reading: _Reading, view: JsonObject) -> Changed:
    """A patch of a sound view, with which it shares parts. Not followed is one that leaves no metadata, or an object of another type."""
    if reading.follow is not None:
        patched, changes = reading.follow(view)
    else:
        patched = reading.run(view)
        changes = changes_between(patched, view) if isinstance(patched.get("metadata"), dict) else {"metadata": WRITTEN}
        if _gives_owners(patched, view):
            changes["metadata"] = WRITTEN  # what they are given as is yet to be read
    if "apiVersion" in changes or "kind" in changes:
        return Changed(copied(patched))  # it is completed as one of that type, in place
    return Changed(patched, changes)


def _gives_owners(patched: JsonObject, view: JsonObject) -> bool:
    """Whether a patch that copied everything has other owners in it than the view."""
    metadata = patched.get("metadata")
    return isinstance(metadata, dict) and "managedFields" in metadata and metadata["managedFields"] != view["metadata"].get("managedFields")


def unsupported(types: Sequence[str]) -> Refusal:
    message = "the body of the request was in an unknown format - accepted media types include: " + ", ".join(types)
    return Refusal(failure(415, "UnsupportedMediaType", message))


def _read_merge(request: Request, options: WriteOptions, *, typed: bool) -> _Reading:
    try:
        value, problems = _decode(request, options)
    except Refusal as refusal:
        raise (bad_request(_NO_MERGE) if options.field_validation == IGNORE else refusal) from refusal
    if value is None:
        raise bad_request(_NO_MERGE)
    if type(value) is not dict:
        if options.field_validation == IGNORE:
            raise bad_request(_NO_MERGE)
        raise bad_request(
            f"error decoding patch: json: cannot unmarshal {json_sort(value)} into Go value of type map[string]interface {{}}"
        )
    shown = partial(patchedtext.of_merge, request.body, value, typed=typed)
    return _Reading(partial(_merged, value), problems, shown, follow=partial(_merged_into, value))


def _merged(patch: JsonObject, view: JsonObject) -> JsonObject:
    return mergepatch.merged(view, patch)


def _merged_into(patch: JsonObject, view: JsonObject) -> tuple[JsonObject, Changes]:
    return mergepatch.merged_into(view, patch)


def _read_operations(request: Request, options: WriteOptions, *, kube: KubeVersion, typed: bool) -> _Reading:
    operations, problems = _plain_operations(request) if options.field_validation == IGNORE else _strict_operations(request, options)
    if len(operations) > _OPERATIONS_LIMIT:
        told = f"The allowed maximum operations in a JSON patch is {_OPERATIONS_LIMIT}, got {len(operations)}"
        raise Refusal(failure(413, "RequestEntityTooLarge", f"Request entity too large: {told}"))

    def run(view: JsonObject) -> JsonObject:
        given = [operation or {} for operation in operations]
        try:
            patchedtext.check_tests(request.body, given, copied(view))
            return jsonpatch.patched(copied(view), given, kube)
        except PatchFailed as error:
            message = "the server rejected our request due to an error in our request"
            raise Refusal(failure(422, "Invalid", message, {})) from error

    def shown(view: JsonObject) -> str:
        return patchedtext.of_operations(request.body, operations, copied(view), run(view), typed=typed)

    duplicates = [problem.removeprefix(_IN_PATCH) for problem in problems]
    return _Reading(run, problems, shown, lambda patched: repetition.repeated(patched, operations, duplicates))


def _read_strategic(keys: MergeKeys, request: Request, options: WriteOptions) -> _Reading:
    try:
        value, problems = patch_value(request, strict=options.field_validation != IGNORE)
    except JsonError as error:
        raise bad_request(str(error)) from error
    if value is not None and type(value) is not dict:
        raise bad_request(f"json: cannot unmarshal {json_sort(value)} into Go value of type map[string]interface {{}}")
    patch: JsonObject = {}

    def run(view: JsonObject) -> JsonObject:
        patch.clear()
        patch.update(copied(value or {}))
        try:
            merged = strategicpatch.merged(view, patch, keys)
        except MalformedPatch as error:
            raise bad_request(str(error)) from error
        except BadPatch as error:
            raise unknown(str(error)) from error
        for name in ("kind", "apiVersion"):  # what comes of it is of the type that it was, whatever the patch says
            merged.pop(name, None)
            if name in view:
                merged[name] = view[name]
        return merged

    def shown(view: JsonObject) -> str:
        run(view)
        return golang.to_text(patch)

    return _Reading(run, problems, shown)


def _decode(request: Request, options: WriteOptions) -> tuple[Json, list[str]]:
    try:
        return patch_value(request, strict=options.field_validation != IGNORE)
    except JsonError as error:
        raise bad_request(f"error decoding patch: {error}") from error


def _plain_operations(request: Request) -> tuple[list[JsonObject], list[str]]:
    """The operations of a patch that nobody wants to know more of; refused in the words of the library that applies them."""
    try:
        return jsonpatch.operations_of(patch_value(request, strict=False)[0]), []
    except (JsonError, NoPatch) as error:
        raise bad_request(str(error)) from error


def _strict_operations(request: Request, options: WriteOptions) -> tuple[list[JsonObject], list[str]]:
    """The operations of a patch, and what is given twice or not known in it."""
    value, problems = _decode(request, options)
    operations: list[JsonObject] = value if value is not None else []
    _check_operations(operations)
    return operations, [_IN_PATCH + problem for problem in problems] + _unknown_parts(operations)


def _check_operations(operations: Json) -> None:
    """Operations are objects whose parts, but for the value, are strings."""
    if type(operations) is not list:
        raise _no_operations(operations, "value", "[]handlers.jsonPatchOp")
    for operation in operations:
        if operation is not None and type(operation) is not dict:
            raise _no_operations(operation, "value", "handlers.jsonPatchOp")
        for name in ("op", "path", "from"):
            part = (operation or {}).get(name)
            if part is not None and not isinstance(part, str):
                raise _no_operations(part, f"struct field jsonPatchOp.{name}", "string")


def _no_operations(value: Json, into: str, kind: str) -> Refusal:
    return bad_request(f"error decoding patch: json: cannot unmarshal {json_sort(value)} into Go {into} of type {kind}")


def _unknown_parts(operations: list[JsonObject]) -> list[str]:
    return [
        f'{_IN_PATCH}unknown field "[{index}].{name}"'
        for index, operation in enumerate(operations)
        for name in operation or ()
        if name not in _OPERATION_FIELDS
    ]


def _invalid_patch(shown: str, why: str, kube: KubeVersion) -> Refusal:
    return invalid(GroupResource("", ""), "", [errors.invalid("patch", shown, why)], kube)


def _reader(endpoint: Endpoint, kind: str) -> Callable[[Request, WriteOptions], _Reading]:
    """How patches of that kind are read."""
    if kind == STRATEGIC_PATCH:
        return partial(_read_strategic, endpoint.resource.merge_keys)
    typed = endpoint.is_struct or endpoint.resource.typed
    if kind == JSON_PATCH:
        return partial(_read_operations, kube=endpoint.resource.kube, typed=typed)
    return partial(_read_merge, typed=typed)
