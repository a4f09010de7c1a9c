"""What a method and a path ask for (apiserver's endpoints/request): a verb on a resource, or a document."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from crdkit.meta import fieldselectors
from crdkit.meta.golang import quote
from crdkit.meta.labelselectors import SelectorError
from crdkit.meta.records import record
from crdkit.meta.status import PlainRefusal
from crdkit.registry.metadata import UNNAMABLE
from crdkit.registry.request import NO_QUERY, Query

VERBS: Final = {"GET": "get", "HEAD": "get", "POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}
OF_MANY: Final = {"get": "list", "delete": "deletecollection"}
"""The verbs without a name; a list may be a watch."""
SORTED: Final = {"GET": "get", "POST": "create", "PUT": "update", "PATCH": "patch"}
PATH_VERBS: Final = frozenset({"watch", "proxy"})
NAMESPACE_SUBRESOURCES: Final = frozenset({"status", "finalize"})
FALSE: Final = frozenset({"false", "0"})
MOST_KNOWN: Final = 2048
"""So many paths are remembered: clients ask for the same again and again."""
LONGEST_KNOWN: Final = 256


@record
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
    sort: str = ""
    """The same for all requests that differ in their names and namespaces alone; empty where little is asked in this way."""


def parse(method: str, path: str, query: Query = NO_QUERY) -> RequestInfo:
    """Take a decoded path apart. Raises `PlainRefusal` for ``…/watch`` and ``…/proxy`` without a resource."""
    info = _known(method, path) if len(path) <= LONGEST_KNOWN else _of_path(method, path)
    if query and info.verb == "list":
        return replace(info, verb="watch" if wants_watch(query) else "list", name=_selected_name(query))
    return info


def _of_path(method: str, path: str) -> RequestInfo:
    """What is asked for by a request without a query."""
    trimmed = path.strip("/")
    parts = trimmed.split("/") if trimmed else []
    root = parts[0] if parts else ""
    if root == "apis" and len(parts) > 3:
        return _resource(method, path, parts[3:], group=parts[1], version=parts[2])
    if root == "api" and len(parts) > 2:
        return _resource(method, path, parts[2:], group="", version=parts[1])
    return RequestInfo(method.lower(), path)


_known: Final = lru_cache(MOST_KNOWN)(_of_path)


def _has_sort(method: str, path: str, verb: str, group: str, name: str) -> bool:
    """Whether one object is read or changed, or one created, in a group that has a name; it has a name that an object can have."""
    if SORTED.get(method) != verb or bool(name) is (verb == "create") or name in UNNAMABLE or "%" in name:
        return False
    return bool(group) and path.startswith("/apis/")


def _resource(method: str, path: str, parts: list[str], *, group: str, version: str) -> RequestInfo:
    if parts[0] in PATH_VERBS:
        if len(parts) == 1:
            raise _undetermined(path)
        verb = parts[0]
        parts = parts[1:]
    else:
        verb = VERBS.get(method, "")
    namespace = name = subresource = ""
    if parts[0] == "namespaces" and len(parts) > 1:
        namespace = parts[1]
        if len(parts) > 2 and parts[2] not in NAMESPACE_SUBRESOURCES:
            parts = parts[2:]
    if len(parts) > 1:
        name = parts[1]
        if len(parts) > 2 and verb != "proxy":
            subresource = parts[2]
    if not name:
        verb = OF_MANY.get(verb, verb)
    sort = ""
    if _has_sort(method, path, verb, group, name):
        sort = f"{verb} {group}/{version}/{parts[0]}/{subresource}{' in a namespace' if namespace else ''}"
    return RequestInfo(
        verb, path, is_resource=True, group=group, version=version, namespace=namespace, resource=parts[0], name=name,
        subresource=subresource, named_in_path=len(parts) > 1, sort=sort,
    )  # fmt: skip


def wants_watch(query: Query) -> bool:
    watch = query.first("watch")
    return watch is not None and watch.lower() not in FALSE


def _selected_name(query: Query) -> str:
    """The only name that a field selector leaves possible: who may get that object may list it alone."""
    selector = query.first("fieldSelector")
    if not selector or "metadata.name" not in selector:
        return ""
    try:
        name = fieldselectors.parse(selector).exact("metadata.name")
    except SelectorError:
        return ""
    return name if name and name not in {".", ".."} and "/" not in name and "%" not in name else ""


def _undetermined(path: str) -> PlainRefusal:
    why = f"failed to create RequestInfo: unable to determine kind and namespace from url, {path}"
    return PlainRefusal(500, f"Internal Server Error: {quote(path)}: {why}\n")
