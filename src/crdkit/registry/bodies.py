"""Reading a request's body: JSON or YAML into an object, its kind and version, and the words for what cannot be read."""

from __future__ import annotations

import threading
from typing import Final, Protocol

from crdkit.meta import json
from crdkit.meta.godecoding import TYPE_META
from crdkit.meta.json import JsonError, NumberError
from crdkit.meta.offload import SMALL_JSON, SMALL_YAML, offload
from crdkit.meta.records import record
from crdkit.meta.status import Refusal, bad_request
from crdkit.meta.types import Json, JsonObject
from crdkit.registry.options import IGNORE
from crdkit.registry.request import Request

_SUMMARY: Final = 30
_JSON: Final = "application/json"
_YAML: Final = "application/yaml"
_one_by_one: Final = threading.Lock()
"""Nothing else runs while orjson reads: between one long text and the next the event loop gets its turn."""
_APPLY: Final = "apply-patch+yaml"
_PROTOBUF: Final = "application/vnd.kubernetes.protobuf"


@record(frozen=False)
class Body:
    """A body as read. ``duplicates`` are the texts of strict decoding: what was given twice."""

    value: Json
    duplicates: list[str]
    kind: str
    api_version: str


def read(request: Request, kind: str, *, strict: bool) -> Body:
    """Read the body of a request whose resource has this kind. Raises a `Refusal` (400) for what is no JSON or YAML object."""
    try:
        return parse(request, strict=strict)
    except Unfit as error:
        raise unhandled(error.kind or kind, error.api_version or request.version, kind, str(error)) from error
    except Unreadable as error:
        raise unrecognized(kind, str(error), request.body) from error


def read_own(request: Request, kind: str, api_version: str, *, strict: bool) -> Body | None:
    """The body of a request, if it is sent like most: JSON, that tells this kind and version. Else None, and `read` tells what it is."""
    if request.content_type != _JSON or request.ahead is not None:
        return None
    duplicates: list[str] = []
    try:
        if strict:
            value, duplicates = json.decode_strict(request.body)
        else:
            value = json.decode(request.body)
    except JsonError:
        return None
    if value.__class__ is dict and value.get("kind") == kind and value.get("apiVersion") == api_version:
        return Body(value, duplicates, kind, api_version)
    return None


def is_strict(request: Request, validation: str) -> bool:
    """Whether it is of interest what the body of a built-in kind has too much. Of a message, unknown fields are skipped unseen."""
    return validation != IGNORE and request.content_type != _PROTOBUF


class Unreadable(Exception):
    """The text is no object of any kind; ``str()`` tells why."""


class Unfit(Unreadable):
    """The text is an object that tells its kind, and yet cannot be read: a number beyond all types, a broken message.

    What it does not tell is taken to be what the request is about.
    """

    def __init__(self, kind: str, api_version: str, why: str) -> None:
        super().__init__(why)
        self.kind, self.api_version = kind, api_version


def parse(request: Request, *, strict: bool) -> Body:
    """Read the body of a request, whatever kind it is. Raises `Unreadable`."""
    value, duplicates = _handed_out(_decode_now, request, strict=strict)
    kind, api_version = type_meta(value)
    return Body(value, duplicates, kind, api_version)


async def read_ahead(request: Request) -> None:
    """Read a long body in a worker thread, before it is asked for: others are answered meanwhile. What is wrong with it is told later."""
    if len(request.body) > (SMALL_JSON if _is_json(request.content_type) else SMALL_YAML):
        request.ahead = await offload(_try_decode, request)


def _try_decode(request: Request) -> tuple[Json, list[str]] | Exception:
    try:
        with _one_by_one:
            return (_patch_now if request.verb == "patch" else _decode_now)(request, strict=True)
    except (Unreadable, ValueError) as error:
        error.__cause__ = error.__context__ = None  # it is to hold nothing of what was read until it went wrong
        return error.with_traceback(None)


def patch_value(request: Request, *, strict: bool) -> tuple[Json, list[str]]:
    """What a patch holds, and if that is of interest what it gives twice. Raises `JsonError`, or `YamlError` for one that is applied."""
    return _handed_out(_patch_now, request, strict=strict)


def _patch_now(request: Request, *, strict: bool) -> tuple[Json, list[str]]:
    if request.content_type.endswith(_APPLY):
        from crdkit.meta import yaml  # noqa: PLC0415

        value, duplicates = yaml.decode(request.body)
        return value, duplicates if strict else []
    return json.decode_strict(request.body) if strict else (json.decode(request.body), [])


class _Reader(Protocol):
    def __call__(self, request: Request, *, strict: bool) -> tuple[Json, list[str]]: ...


def _handed_out(read: _Reader, request: Request, *, strict: bool) -> tuple[Json, list[str]]:
    """What was read ahead, to the first who asks: the value is the reader's to change, a second one gets another."""
    if request.ahead is None:
        return read(request, strict=strict)
    ahead, request.ahead = request.ahead, None
    if isinstance(ahead, Exception):
        raise ahead
    value, duplicates = ahead
    return value, duplicates if strict else []


def _decode_now(request: Request, *, strict: bool) -> tuple[Json, list[str]]:
    if is_yaml(request.content_type):
        from crdkit.meta import yaml  # noqa: PLC0415 (its library is not needed before somebody sends YAML)

        try:
            value, duplicates = yaml.decode(request.body)
        except yaml.YamlError as error:
            raise Unreadable(str(error)) from error
        if duplicates and strict:
            return value, ["yaml: unmarshal errors:\n" + "\n".join(f"  {text}" for text in duplicates)]
        return value, []
    if request.content_type == _PROTOBUF:
        from crdkit.registry import messages  # noqa: PLC0415 (its tables are not needed before somebody sends protobuf)

        return messages.read(request), []
    try:
        return json.decode_strict(request.body) if strict else (json.decode(request.body), [])
    except NumberError as error:
        raise _beyond_numbers(error) from error
    except JsonError as error:
        msg = f"couldn't get version/kind; json parse error: {error}"
        raise Unreadable(msg) from error


def _beyond_numbers(error: NumberError) -> Unfit:
    """A number is too large for any type; what the object is can be read all the same."""
    kind, api_version = type_meta(error.value)
    return Unfit(kind, api_version, str(error))


def _is_json(content_type: str) -> bool:
    """Whether it is read as fast as JSON is: neither YAML nor protobuf."""
    return not is_yaml(content_type) and not content_type.endswith(_APPLY) and content_type != _PROTOBUF


def is_yaml(content_type: str) -> bool:
    return content_type != _JSON and content_type.partition(";")[0].strip().lower() == _YAML


def type_meta(value: Json) -> tuple[str, str]:
    """The kind and apiVersion of a body; each is empty if it is not there."""
    if value is None:
        return "", ""
    if type(value) is not dict:
        msg = f"couldn't get version/kind; json parse error: json: cannot unmarshal {json_sort(value)} into Go value of type {TYPE_META}"
        raise Unreadable(msg)
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if api_version.__class__ is not str or kind.__class__ is not str:
        _check_type_meta(value)
        api_version, kind = api_version or "", kind or ""
    if api_version.count("/") > 1:
        msg = f"unexpected GroupVersion string: {api_version}"
        raise Unreadable(msg)
    return kind, "" if api_version == "/" else api_version


def _check_type_meta(value: JsonObject) -> None:
    """Raises `Unreadable` where what an object tells of its kind is no text."""
    for field in ("apiVersion", "kind"):
        if value.get(field).__class__ is not str and value.get(field) is not None:
            sort = json_sort(value[field])
            msg = f"couldn't get version/kind; json parse error: json: cannot unmarshal {sort} into Go struct field .{field} of type string"
            raise Unreadable(msg)


def require_kind(obj: JsonObject) -> None:
    """Raises `Unreadable` where an object that was made of another one does not tell what it is."""
    if not type_meta(obj)[0]:
        raise Unreadable(missing_kind(json.encode(obj, sort=True)))


def json_sort(value: Json) -> str:
    """What encoding/json calls a value of this type."""
    if isinstance(value, bool):
        return "bool"
    return {dict: "object", list: "array", str: "string", type(None): "null"}.get(type(value), "number")


def unrecognized(kind: str, why: str, body: bytes) -> Refusal:
    """The body cannot be taken for an object at all."""
    return bad_request(f"the object provided is unrecognized (must be of type {kind}): {why} ({_summary(body)})")


def missing_kind(body: bytes) -> str:
    return f"Object 'Kind' is missing in '{body.decode(errors='replace')}'"


def _summary(body: bytes) -> str:
    """The first bytes of a body: as text if it looks like JSON, else in hexadecimal."""
    if not body:
        return "<empty>"
    cut = body[:_SUMMARY]
    shown = cut.decode(errors="replace") if body.startswith(b"{") else cut.hex()
    return f"{shown} ..." if len(body) > _SUMMARY else shown


def unhandled(sent_kind: str, api_version: str, kind: str, why: str) -> Refusal:
    """The body is an object, but one that cannot be read as one of this kind."""
    version = api_version.rpartition("/")[2]
    return bad_request(f'{sent_kind} in version "{version}" cannot be handled as a {kind}: {why}')


def wrong_version(sent: str, expected: str) -> Refusal:
    return bad_request(f"the API version in the data ({sent}) does not match the expected API version ({expected})")


def as_object(body: Body) -> JsonObject:
    """The body as an object: ``null`` is one without fields."""
    value: JsonObject = body.value if body.value is not None else {}
    return value
