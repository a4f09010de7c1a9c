"""The paths of a resource and what each method does there: the part of the documents that both OpenAPI versions share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final

from crdkit.builtin.schemas.autoscaling import V1 as AUTOSCALING
from crdkit.builtin.schemas.notation import META
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.server.openapi.parameters import NAMESPACE, PRETTY, Parameter, name_of, of_action

MEDIA_TYPES: Final = ("application/json", "application/yaml")
_APPLY: Final = "application/apply-patch+yaml"
PATCH_TYPES: Final = ("application/json-patch+json", "application/merge-patch+json", _APPLY)
BUILTIN_PATCH_TYPES: Final = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    _APPLY,
)

SCALE: Final = AUTOSCALING + "Scale"
STATUS: Final = META + "Status"
PATCH: Final = META + "Patch"
DELETE_OPTIONS: Final = META + "DeleteOptions"

ANSWERS: Final = {200: "OK", 201: "Created", 202: "Accepted"}
UNAUTHORIZED: Final = 401


@record
class Body:
    """What a request carries: a value of that type, in one of these media types."""

    type_name: str
    media_types: tuple[str, ...] = MEDIA_TYPES
    required: bool = True


@record(kw_only=True)
class Operation:
    """One method of a path."""

    method: str
    action: str
    operation_id: str
    description: str
    parameters: tuple[Parameter, ...]
    answer: str
    codes: tuple[int, ...] = (200,)
    body: Body | None = None


@record
class Route:
    """A path and its operations."""

    path: str
    operations: tuple[Operation, ...]

    def common_parameters(self) -> list[Parameter]:
        """The parameters that all operations share: a path item states them once."""
        first, *others = (set(operation.parameters) for operation in self.operations)
        return sorted(first.intersection(*others), key=lambda each: each.name)


@record(kw_only=True)
class Served:
    """A resource in one version, as far as its paths depend on it. ``parts`` are its subresources and their actions."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool
    type_name: str
    list_type_name: str
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    actions: frozenset[str] = field(default=frozenset({"list", "post", "deletecollection", "get", "put", "delete", "patch"}))
    patch_types: tuple[str, ...] = PATCH_TYPES

    @property
    def root(self) -> str:
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"

    @property
    def tag(self) -> str:
        return f"{camel_case(self._group_word)}_{camel_case(self.version)}"

    @property
    def group_version_kind(self) -> JsonObject:
        return {"group": self.group, "version": self.version, "kind": self.kind}

    @property
    def _group_word(self) -> str:
        return self.group.removesuffix(".k8s.io") or "core"

    def operation_id(self, verb: str, rest: str) -> str:
        return verb + _capitalised(self._group_word) + _capitalised(self.version) + _capitalised(rest)


def camel_case(text: str, *, capitalise: bool = False) -> str:
    """A text as an identifier: other characters than letters, digits and ``_`` go, and the next letter is a capital."""
    found = []
    for index, letter in enumerate(text):
        if letter.isalpha() or letter == "_" or (index and letter.isdecimal()):
            found.append(letter.upper() if capitalise else letter)
            capitalise = False
        else:
            capitalise = True
    return "".join(found)


def _capitalised(text: str) -> str:
    return camel_case(text, capitalise=True)


def _article(noun: str) -> str:
    if noun.endswith("s") and not noun.endswith("ss"):
        return " "
    return " an " if noun[0].lower() in "aeiou" else " a "


def routes(served: Served, kube: KubeVersion) -> Iterator[Route]:
    """All paths of a resource."""
    maker = _Maker(served, kube)
    scope = "/namespaces/{namespace}" if served.namespaced else ""
    if served.namespaced and "list" in served.actions:
        yield Route(f"{served.root}/{served.plural}", (maker.list_everywhere(),))
    collection = f"{served.root}{scope}/{served.plural}"
    yield from maker.route(collection, (maker.delete_collection, maker.list, maker.create))
    one = f"{collection}/{{name}}"
    yield from maker.route(one, (maker.delete, maker.read, maker.patch, maker.replace))
    for part, actions in served.parts:
        operations = (maker.read_part, maker.patch_part, maker.replace_part)
        found = tuple(each for make in operations if (each := make(part)).action in actions)
        yield Route(f"{one}/{part}", found)


class _Maker:
    """Makes the operations of one resource."""

    def __init__(self, served: Served, kube: KubeVersion) -> None:
        self._served = served
        self._kube = kube
        self._place = (PRETTY, NAMESPACE) if served.namespaced else (PRETTY,)
        self._object_place = (*self._place, name_of(served.kind))
        self._noun = ("Namespaced" if served.namespaced else "") + served.kind

    def route(self, path: str, makers: tuple[Callable[[], Operation], ...]) -> Iterator[Route]:
        operations = tuple(each for make in makers if (each := make()).action in self._served.actions)
        if operations:
            yield Route(path, operations)

    def _parameters(self, action: str, place: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
        return tuple(sorted((*of_action(action, self._kube), *place), key=lambda each: each.name))

    def list_everywhere(self) -> Operation:
        return self._list(self._served.kind + "ForAllNamespaces", (PRETTY,))

    def list(self) -> Operation:
        return self._list(self._noun, self._place)

    def _list(self, noun: str, place: tuple[Parameter, ...]) -> Operation:
        return Operation(
            method="get",
            action="list",
            operation_id=self._served.operation_id("list", noun),
            description=f"list objects of kind {self._served.kind}",
            parameters=self._parameters("list", place),
            answer=self._served.list_type_name,
        )

    def create(self) -> Operation:
        kind = self._served.kind
        return Operation(
            method="post",
            action="post",
            operation_id=self._served.operation_id("create", self._noun),
            description=f"create{_article(kind)}{kind}",
            parameters=self._parameters("post", self._place),
            answer=self._served.type_name,
            codes=(200, 201, 202),
            body=Body(self._served.type_name),
        )

    def delete_collection(self) -> Operation:
        return Operation(
            method="delete",
            action="deletecollection",
            operation_id=self._served.operation_id("delete", f"Collection{self._noun}"),
            description=f"delete collection of {self._served.kind}",
            parameters=self._parameters("deletecollection", self._place),
            answer=STATUS,
        )

    def delete(self) -> Operation:
        kind = self._served.kind
        return Operation(
            method="delete",
            action="delete",
            operation_id=self._served.operation_id("delete", self._noun),
            description=f"delete{_article(kind)}{kind}",
            parameters=self._parameters("delete", self._object_place),
            answer=STATUS,
            codes=(200, 202),
            body=Body(DELETE_OPTIONS, required=False),
        )

    def read(self) -> Operation:
        return self.read_part("")

    def replace(self) -> Operation:
        return self.replace_part("")

    def patch(self) -> Operation:
        return self.patch_part("")

    def _type_of(self, part: str) -> str:
        return SCALE if part == "scale" else self._served.type_name

    def _of_object(self, part: str) -> str:
        return f"{f' {part} of' if part else ''} the specified {self._served.kind}"

    def read_part(self, part: str) -> Operation:
        return Operation(
            method="get",
            action="get",
            operation_id=self._served.operation_id("read", self._noun + part.title()),
            description=f"read{self._of_object(part)}",
            parameters=self._parameters("get", self._object_place),
            answer=self._type_of(part),
        )

    def replace_part(self, part: str) -> Operation:
        return Operation(
            method="put",
            action="put",
            operation_id=self._served.operation_id("replace", self._noun + part.title()),
            description=f"replace{self._of_object(part)}",
            parameters=self._parameters("put", self._object_place),
            answer=self._type_of(part),
            codes=(200, 201),
            body=Body(self._type_of(part)),
        )

    def patch_part(self, part: str) -> Operation:
        return Operation(
            method="patch",
            action="patch",
            operation_id=self._served.operation_id("patch", self._noun + part.title()),
            description=f"partially update{self._of_object(part)}",
            parameters=self._parameters("patch", self._object_place),
            answer=self._type_of(part),
            body=Body(PATCH, self._served.patch_types),
        )
