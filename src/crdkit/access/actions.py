"""What somebody wants to do, as far as rights are concerned."""

from __future__ import annotations

from typing import Protocol

from crdkit.meta.records import record


class Action(Protocol):
    """What somebody wants to do: a verb on a resource, or a method on another path.

    ``name`` is also known for a list by ``fieldSelector=metadata.name=…``.
    """

    @property
    def verb(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def is_resource(self) -> bool: ...
    @property
    def group(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def resource(self) -> str: ...
    @property
    def subresource(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def name(self) -> str: ...


@record
class ResourceAction:
    """A verb on a resource, made up by who asks on behalf of a request."""

    verb: str
    group: str
    resource: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    version: str = "*"
    path: str = ""
    is_resource: bool = True


@record
class PathAction:
    """A method on a path that is no resource."""

    verb: str
    path: str
    group: str = ""
    resource: str = ""
    namespace: str = ""
    name: str = ""
    subresource: str = ""
    version: str = ""
    is_resource: bool = False
