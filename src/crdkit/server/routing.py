"""Which resource a request reaches, and what is answered when it reaches none.

Built-in groups answer with a Status, the rest of ``/apis`` with plain text: two layers of the real server.
"""

from __future__ import annotations

from typing import Final

from crdkit.builtin.kinds import BuiltinKind
from crdkit.meta.status import GroupResource, PlainRefusal, Refusal, bad_request, failure, not_found
from crdkit.registry.customresource import CustomResource
from crdkit.registry.registry import Registry
from crdkit.registry.resource import Resource
from crdkit.server.requestinfo import PATH_VERBS, RequestInfo

READS_OF_MANY: Final = frozenset({"list", "watch"})
OF_COLLECTIONS: Final = frozenset({"list", "watch", "create", "deletecollection"})
OF_OBJECTS: Final = frozenset({"get", "update", "patch", "delete"})
ON_RESOURCES: Final = OF_COLLECTIONS | OF_OBJECTS
ON_SUBRESOURCES: Final = frozenset({"get", "update", "patch"})
NEED_A_NAME: Final = frozenset({"get", "update", "patch"})


def page_not_found() -> PlainRefusal:
    return PlainRefusal(404, "404 page not found\n")


def nothing_there() -> Refusal:
    """What built-in groups answer for a path that they do not have."""
    return Refusal(failure(404, "NotFound", "the server could not find the requested resource", {}))


def method_not_allowed() -> Refusal:
    """What built-in groups answer for a method that a path of theirs does not take."""
    return Refusal(failure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {}))


def _not_supported(info: RequestInfo) -> Refusal:
    about = GroupResource(info.group, info.resource)
    details = {"group": info.group, "kind": info.resource}
    return Refusal(failure(405, "MethodNotAllowed", f'{info.verb} is not supported on resources of kind "{about}"', details))


def need_name(info: RequestInfo) -> None:
    """Raises `Refusal` (400) where one object is meant and the path does not tell which."""
    if info.verb in NEED_A_NAME and not info.name:
        raise bad_request("name must be provided")


class Router:
    """Finds the resource of a request, and refuses in the words of the layer that owns its path."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._builtin = {(kind.group, kind.version, kind.plural): kind for kind in registry.kinds()}
        self._builtin_groups = frozenset(kind.group for kind in registry.kinds() if kind.group)

    def owns(self, path: str) -> bool:
        """Whether a path belongs to the built-in groups, so that a miss there is a Status."""
        if path.startswith("/apis"):
            group = path[6:].partition("/")[0]
            return path in ("/apis", "/apis/") or (path[5:6] == "/" and group in self._builtin_groups)
        return path in ("/api", "/version") or path.startswith(("/api/", "/version/"))

    def missing(self, path: str) -> Refusal | PlainRefusal:
        """What to answer where nothing is."""
        return nothing_there() if self.owns(path) else page_not_found()

    def builtin(self, info: RequestInfo, method: str) -> BuiltinKind | None:
        """The built-in kind that a request on a built-in group reaches; None if the group is not built in.

        Raises `Refusal`, also where the kind does not take the method.
        """
        if not self.owns(info.path):
            return None
        kind = self._builtin.get((info.group, info.version, info.resource))
        if kind is None:
            raise nothing_there()
        segments = info.path.strip("/").split("/")[3 if info.group else 2 :]
        if segments[0] in PATH_VERBS:
            verbs, readable = _verbs_of_watches(kind, info, segments[1:]), method == "GET"
        else:
            verbs, readable = _verbs_at(kind, info, segments), method != "HEAD"
        if not verbs:
            raise nothing_there()
        if info.verb not in verbs or not readable:
            raise method_not_allowed()
        return kind

    def defined(self, info: RequestInfo, warnings: list[str]) -> Resource:
        """The defined resource that a request reaches. Raises `Refusal` or `PlainRefusal`.

        A deprecated version warns even those who are refused.
        """
        if not info.group or not info.path.startswith("/apis/"):
            raise page_not_found()
        resource = self._registry.find(info.group, info.version, info.resource)
        if resource is None or not _right_scope(resource, info):
            raise page_not_found()
        if isinstance(resource, CustomResource) and (warning := resource.served.deprecation_warning):
            warnings.append(warning)
        _check_verb(resource, info)
        if info.verb != "patch":  # what kind of patch it is comes first
            need_name(info)
        return resource


def _right_scope(resource: Resource, info: RequestInfo) -> bool:
    if resource.namespaced:
        return bool(info.namespace) or info.verb in READS_OF_MANY
    return not info.namespace


def _check_verb(resource: Resource, info: RequestInfo) -> None:
    if resource.endpoint(info.subresource) is None:
        raise not_found(resource.about, info.name)
    if info.verb not in (ON_SUBRESOURCES if info.subresource else ON_RESOURCES):
        raise _not_supported(info)


def _verbs_of_watches(kind: BuiltinKind, info: RequestInfo, segments: list[str]) -> frozenset[str]:
    """The verbs of a path that begins with one, as old watches do: it is theirs alone."""
    there = info.verb == "watch" in kind.verbs and not info.subresource and _verbs_at(kind, info, segments)
    return frozenset({"watch"}) if there else frozenset()


def _verbs_at(kind: BuiltinKind, info: RequestInfo, segments: list[str]) -> frozenset[str]:
    """The verbs that the path takes, of which the segments after the version are given; none means that there is no such path."""
    of_namespaces = kind.plural == "namespaces"
    in_namespace = bool(info.namespace) and not of_namespaces
    if in_namespace and not kind.namespaced:
        return frozenset()
    before = 2 if segments[0] == "namespaces" and not of_namespaces else 0
    if len(segments) != before + 1 + info.named_in_path + bool(info.subresource):
        return frozenset()  # unlike those of definitions, these paths end where their resource does
    if info.subresource:
        found = next((part for part in kind.subresources if part.name == info.subresource), None)
        return frozenset(found.verbs) if found and (in_namespace or not kind.namespaced) else frozenset()
    verbs = frozenset(kind.verbs)
    if info.named_in_path:
        return verbs & OF_OBJECTS if in_namespace or not kind.namespaced else frozenset()
    verbs &= OF_COLLECTIONS
    return verbs if in_namespace or not kind.namespaced else verbs & READS_OF_MANY or verbs
