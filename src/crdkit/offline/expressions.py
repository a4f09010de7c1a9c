"""Expressions on their own: what one is worth for a value, with the types of a definition's schema or without any."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crdkit.cel import values
from crdkit.cel.environment import Expression, environment
from crdkit.cel.errors import CelError
from crdkit.cel.openapi.data import reader
from crdkit.cel.standard.durations import print_duration
from crdkit.cel.standard.timestamps import print_timestamp
from crdkit.cel.types import DYN, Type
from crdkit.cel.values import LISTS, MAPS, NONE, Duration, Optional, Timestamp, Uint, Value
from crdkit.meta import golang
from crdkit.meta.records import record
from crdkit.meta.types import Json, JsonObject
from crdkit.meta.version import KubeVersion
from crdkit.schema.rules.compiling import OLD_SELF, SELF, Types
from crdkit.schema.rules.described import as_resource, describe, is_visible
from crdkit.schema.structural import NotStructural, Structural, build

_STEP: Final = re.compile(r"\.?(?P<name>[^.\[\]']+)|\['(?P<quoted>[^']*)'\]|\[(?P<item>\d+|\*?)\]")


class NoSuchPlace(ValueError):
    """A path leads nowhere in a schema, or in a value; ``str()`` tells where it ends."""


@record
class Place:
    """A node of a schema, and the way to it from the root: names, and None for items and the values of maps."""

    node: Structural
    steps: tuple[str | int | None, ...] = ()

    @property
    def is_root(self) -> bool:
        return not self.steps


def place_in(definition: JsonObject, path: str, version: str | None = None) -> Place:
    """The node that a path means in a version of a definition, by default the stored one. Raises `NoSuchPlace`."""
    spec = definition.get("spec") or {}
    for one in spec.get("versions") or ():
        if one.get("name") == version if version else one.get("storage"):
            try:
                return find_place((one.get("schema") or {}).get("openAPIV3Schema") or {}, path.lstrip("."))
            except NotStructural as error:
                raise NoSuchPlace(str(error)) from error
    msg = f"the definition has no version {version or 'that is stored'}"
    raise NoSuchPlace(msg)


def find_place(schema: JsonObject, path: str) -> Place:
    """The node that a path such as ``spec.jobs[*].name`` means in objects. Raises `NoSuchPlace`, and `NotStructural`."""
    node, steps = build(schema), list[str | int | None]()
    for step in _steps(path):
        below = node.properties.get(step) or node.values if isinstance(step, str) else node.items or node.values
        if below is None:
            msg = f"the schema has nothing at {path}"
            raise NoSuchPlace(msg)
        node = below
        steps.append(step)
    return Place(node, tuple(steps))


def _steps(path: str) -> Iterator[str | int | None]:
    position = 0
    while position < len(path):
        found = _STEP.match(path, position)
        if found is None:
            msg = f"{path} is no path: it goes wrong at {path[position:]}"
            raise NoSuchPlace(msg)
        position = found.end()
        item = found["item"]
        yield found["name"] or found["quoted"] if item is None else int(item) if item.isdigit() else None


def part_of(value: Json, place: Place) -> Json:
    """The part of a whole object that stands at a place. Raises `NoSuchPlace`."""
    for step in place.steps:
        if step is None:
            msg = "the path goes through all items or values: a whole object does not tell which is meant"
            raise NoSuchPlace(msg)
        try:
            value = value[step]
        except (LookupError, TypeError) as error:
            msg = f"the object has nothing at the step {step} of the path"
            raise NoSuchPlace(msg) from error
    return value


@record
class Given:
    """What an expression may speak of: self, and oldSelf if there is one. ``place`` gives them their types."""

    new: Json = None
    old: Json = None
    has_new: bool = False
    has_old: bool = False
    place: Place | None = None


class Asked:
    """An expression, compiled. Raises `CompileError`."""

    def __init__(self, text: str, given: Given, kube: KubeVersion) -> None:
        self._given = given
        self._kube = kube
        self._schema: JsonObject | None = None
        types: Types | None = None
        if given.place is not None:
            if not is_visible(given.place.node):
                msg = "rules cannot see values of this type"
                raise NoSuchPlace(msg)
            self._schema = describe(as_resource(given.place.node, is_root=given.place.is_root))
            types = Types(self._schema, SELF)
        variables: dict[str, Type] = types.variables(optional=False) if types else {SELF: DYN, OLD_SELF: DYN}
        self._types = types
        self.expression: Expression = environment(kube).compile(text, variables, types.provider if types else None)

    @property
    def type(self) -> str:
        """The type of its value."""
        return str(self.expression.type)

    @property
    def estimate(self) -> int | None:
        """The most that it may cost, where there is a schema."""
        return self.expression.estimate(self._types.provider).high if self._types else None

    def evaluate(self) -> tuple[Value, int]:
        """Its value, and what that cost. Raises `CelError`."""
        given, bindings = self._given, dict[str, Value]()
        if given.has_new:
            bindings[SELF] = self._read(given.new)
        if given.has_old:
            bindings[OLD_SELF] = self._read(given.old)
        return self.expression.program().evaluate(bindings)

    def _read(self, raw: Json) -> Value:
        if self._schema is None:
            return raw
        try:
            return reader(self._schema, self._kube)(raw)
        except CelError as error:
            return error


def printed(value: Value) -> str:
    """A value as it might be written in an expression."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, str):
        return golang.quote(value)
    if isinstance(value, Uint):
        return f"{int(value)}u"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = golang.format_float(value)
        return f"{text}.0" if text.lstrip("-").isdigit() else text
    if isinstance(value, bytes):
        return "b" + golang.quote(value.decode("latin-1"))
    if isinstance(value, LISTS):
        return "[" + ", ".join(_attempts(value)) + "]"
    if isinstance(value, MAPS):
        return "{" + ", ".join(f"{printed(key)}: {_attempt(value, key)}" for key in value if key is not None) + "}"
    return _printed_other(value)


def _printed_other(value: Value) -> str:
    if isinstance(value, Timestamp):
        return f"timestamp({golang.quote(print_timestamp(value))})"
    if isinstance(value, Duration):
        return f"duration({golang.quote(print_duration(value))})"
    if isinstance(value, Optional):
        return "optional.none()" if value is NONE else f"optional.of({printed(value.value)})"
    return f"error({value})" if isinstance(value, CelError) else str(value)


def _attempts(elements: Value) -> Iterator[str]:
    yield from map(printed, elements if isinstance(elements, list) else elements.each())


def _attempt(container: Value, key: Value) -> str:
    try:
        return printed(values.find(container, key))
    except CelError as error:
        return f"error({error})"
