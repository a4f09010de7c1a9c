"""What a method and a path ask for (apiserver's endpoints/request): a verb on a resource, or a document."""

from __future__ import annotations

from typing import Final

from crdkit.meta import fieldselectors
from crdkit.meta.golang import quote
from crdkit.meta.labelselectors import SelectorError
from crdkit.meta.records import record
from crdkit.meta.status import PlainRefusal
from crdkit.registry.request import NO_QUERY, Query

VERBS: Final = {"GET": "get", "HEAD": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
PATH_VERBS: Final = frozenset({"watch", "proxy"})
NAMESPACE_SUBRESOURCES: Final = frozenset({"status", "finalize"})
FALSE: Final = frozenset({"false", "0"})


@record(frozen=False)
class RequestInfo:
    """One request, taken apart. ``verb`` is empty for a method that is no verb on resources; of other paths it is the method."""

    verb: str
    path: str
    is_resource: bool = False
    group: str = ""
    version: str = ""
    namespace: str = ""
    resource: str = ""
    name: str = ""
    subresource: str = ""
    named_in_path: bool = False


def parse(method: str, path: str, query: Query = NO_QUERY) -> RequestInfo:
    """Take a decoded path apart. Raises `PlainRefusal` for ``…/watch`` and ``…/proxy`` without a resource."""
    trimmed = path.strip("/")
    parts = trimmed.split("/") if trimmed else []
    root = parts[0] if parts else ""
    if root == "apis" and len(parts) > 3:
        info = RequestInfo("", path, is_resource=True, group=parts[1], version=parts[2])
        _resource(info, method, parts[3:], query)
    elif root == "api" and len(parts) > 2:
        info = RequestInfo("", path, is_resource=True, version=parts[1])
        _resource(info, method, parts[2:], query)
    else:
        info = RequestInfo(method.lower(), path)
    return info


def _resource(info: RequestInfo, method: str, parts: list[str], query: Query) -> None:
    if parts[0] in PATH_VERBS:
        if len(parts) == 1:
            raise _undetermined(info.path)
        info.verb = parts[0]
        parts = parts[1:]
    else:
        info.verb = VERBS.get(method, "")
    if parts[0] == "namespaces" and len(parts) > 1:
        info.namespace = parts[1]
        if len(parts) > 2 and parts[2] not in NAMESPACE_SUBRESOURCES:
            parts = parts[2:]
    info.resource = parts[0]
    if len(parts) > 1:
        info.name = parts[1]
        info.named_in_path = True
        if len(parts) > 2 and info.verb != "proxy":
            info.subresource = parts[2]
    if not info.name:
        _collection(info, query)


def _collection(info: RequestInfo, query: Query) -> None:
    """Without a name, a get is a list or a watch, a delete one of many."""
    if info.verb == "get":
        info.verb = "watch" if wants_watch(query) else "list"
        info.name = _selected_name(query)
    elif info.verb == "delete":
        info.verb = "deletecollection"


def wants_watch(query: Query) -> bool:
    watch = query.first("watch")
    return watch is not None and watch.lower() not in FALSE


def _selected_name(query: Query) -> str:
    """The only name that a field selector leaves possible: who may get that object may list it alone."""
    selector = query.first("fieldSelector")
    if not selector:
        return ""
    try:
        name = fieldselectors.parse(selector).exact("metadata.name")
    except SelectorError:
        return ""
    return name if name and name not in {".", ".."} and "/" not in name and "%" not in name else ""


def _undetermined(path: str) -> PlainRefusal:
    why = f"failed to create RequestInfo: unable to determine kind and namespace from url, {path}"
    return PlainRefusal(500, f"Internal Server Error: {quote(path)}: {why}\n")
