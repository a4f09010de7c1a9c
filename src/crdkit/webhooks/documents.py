"""Documents that webhooks answer: JSON, or else YAML, with a kind and a version (apimachinery's runtime/serializer)."""

from __future__ import annotations

from typing import Final, NamedTuple

from crdkit.meta import golang, json, yaml
from crdkit.meta.godecoding import sort_of
from crdkit.meta.json import JsonError
from crdkit.meta.offload import SMALL_JSON, SMALL_YAML
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.yaml import YamlError

_BLANKS: Final = b" \t\r\n"
_TYPE: Final = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
_INTERNAL: Final = "__internal"
UNVERSIONED: Final = frozenset({"Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList"})
"""Kinds that are known whatever group and version they are said to be of."""
_OPTIONS: Final = frozenset(
    {"WatchEvent", "ListOptions", "GetOptions", "DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions"},
)
"""Kinds that every version of every group has."""
SCHEME: Final = "k8s.io/apiserver/pkg/util/webhook/client.go:71"
"""Where the kinds that a real server reads from webhooks are registered, as its errors tell."""


class DocumentError(ValueError):
    """The bytes are no document of the kind wanted; ``str()`` is the real server's text."""


class Document(NamedTuple):
    """A decoded document. ``text`` is its JSON."""

    value: JsonObject
    api_version: str
    kind: str
    text: bytes


def takes_long(data: bytes) -> bool:
    """Whether it takes long to decode a document, so that it is done in a worker thread."""
    return len(data) > (SMALL_JSON if data.startswith(b"{") else SMALL_YAML)


def read_document(data: bytes) -> Document:
    """Decode a document of whatever kind. Raises `DocumentError`."""
    text = data
    try:
        if data.lstrip(_BLANKS).startswith(b"{"):
            value = json.decode(data)
        else:
            value = yaml.decode(data)[0]
            text = json.encode(value, sort=True)
    except JsonError as error:
        raise DocumentError(f"couldn't get version/kind; json parse error: {error}") from error
    except YamlError as error:
        raise DocumentError(str(error)) from error
    if value is None:
        value = {}
    if type(value) is not dict:
        raise DocumentError(_mismatch(value, f"value of type {_TYPE}"))
    return Document(value, _string(value, "apiVersion"), _string(value, "kind"), text)


def _string(value: JsonObject, field: str) -> str:
    found = value.get(field)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise DocumentError(_mismatch(found, f"struct field .{field} of type string"))
    return found


def _mismatch(value: Json, into: str) -> str:
    return f"couldn't get version/kind; json parse error: json: cannot unmarshal {sort_of(value)} into Go {into}"


def check_kind(document: Document, group: str, version: str, kind: str, *, others: frozenset[tuple[str, str]]) -> None:
    """A document must be of the kind wanted, where it tells what it is. Raises `DocumentError`.

    ``others`` are the group's kinds and versions that a real server knows beside it: one of these it can read, but not take for the other.
    """
    wanted = f"{group}/{version}"
    found_version, found_kind = _api_version(document, wanted), document.kind or kind
    if (found_version, found_kind) == (wanted, kind):
        return
    if found_kind in UNVERSIONED or (found_kind in _OPTIONS and found_version in {known for known, _ in others}):
        raise DocumentError(f"converting (v1.{found_kind}) to ({version}.{kind}): unknown conversion")
    if (found_version, found_kind) in others:
        short = found_version.rpartition("/")[2]
        raise DocumentError(f"converting ({short}.{found_kind}) to ({version}.{kind}): unknown conversion")
    raise DocumentError(f'no kind "{found_kind}" is registered for {_words_of(found_version)} in scheme "{SCHEME}"')


def _api_version(document: Document, wanted: str) -> str:
    """The version that a document is of, by what it tells of it."""
    told = document.api_version
    if told.count("/") > 1:
        raise DocumentError(f"unexpected GroupVersion string: {told}")
    group, slash, version = told.rpartition("/")
    if version:
        return told if group else version
    if not slash or group == wanted.partition("/")[0]:
        return wanted
    raise DocumentError(f"Object 'apiVersion' is missing in '{document.text.decode(errors='replace')}'")


def _words_of(api_version: str) -> str:
    group, _, version = api_version.rpartition("/")
    return f"the internal version of group {golang.quote(group)}" if version == _INTERNAL else f'version "{api_version}"'
