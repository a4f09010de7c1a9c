"""The objects that a policy takes as parameters: named by its bindings, or chosen by their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from crdkit.builtin.label_selectors import chooses
from crdkit.meta.types import JsonObject

_DENY: Final = "Deny"


class BadConfiguration(Exception):
    """A policy or binding cannot be followed: its failure policy decides what that means. ``str()`` is the real server's text."""


class ParamResource(Protocol):
    """The objects of a kind that is used as parameters."""

    namespaced: bool

    async def get(self, namespace: str, name: str) -> JsonObject | None: ...

    async def list(self, namespace: str) -> Sequence[JsonObject]:
        """All of a namespace, or of the cluster, in the order of their names."""
        ...


class ParamSource(Protocol):
    """Finds kinds, built-in or defined."""

    def find(self, api_version: str, kind: str) -> ParamResource | None: ...


def resource_of(spec: JsonObject, source: ParamSource) -> ParamResource | None:
    """The kind of a policy's parameters, if it takes any. Raises `BadConfiguration` if there is no such kind."""
    param = spec.get("paramKind")
    if param is None:
        return None
    api_version, kind = param["apiVersion"], param["kind"]
    found = source.find(api_version, kind)
    if found is None:
        version = api_version if "/" in api_version else f"/{api_version}"
        msg = f"failed to find resource referenced by paramKind: '{version}, Kind={kind}'"
        raise BadConfiguration(msg)
    return found


async def collect(resource: ParamResource | None, binding: JsonObject, namespace: str) -> Sequence[JsonObject | None]:
    """The parameters that a binding gives to its policy for an object in a namespace; None stands for no parameter.

    Raises `BadConfiguration`.
    """
    ref = binding.get("paramRef")
    if resource is None or ref is None:
        return (None,)
    found = await _named(resource, ref, _namespace(resource, ref, namespace))
    if not found and ref.get("parameterNotFoundAction") == _DENY:
        msg = "no params found for policy binding with `Deny` parameterNotFoundAction"
        raise BadConfiguration(msg)
    return found


def _namespace(resource: ParamResource, ref: JsonObject, namespace: str) -> str:
    own: str = ref.get("namespace") or ""
    if not resource.namespaced:
        if own:
            msg = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`"
            raise BadConfiguration(msg)
        return ""
    if not own and not namespace:
        msg = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
        raise BadConfiguration(msg)
    return own or namespace


async def _named(resource: ParamResource, ref: JsonObject, namespace: str) -> Sequence[JsonObject]:
    if name := ref.get("name"):
        found = await resource.get(namespace, name)
        return () if found is None else (found,)
    selector = ref.get("selector") or {}
    return [obj for obj in await resource.list(namespace) if chooses(selector, obj["metadata"].get("labels") or {})]
