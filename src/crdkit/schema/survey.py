"""The survey of a new object: one walk, by Python source made from the schema, in place of one each to prune, complete, judge and outline it.

What is not plain, nulls above all, is left to the functions that do these one after the other: a survey that gives up has done nothing
that they would not do.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
from collections.abc import Callable, Hashable
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from crdkit.meta.types import Json, JsonObject
from crdkit.schema.cleanness import is_scalar, keeps_everything
from crdkit.schema.defaulting import copy_json
from crdkit.schema.pruning import META_FIELDS, compile_node
from crdkit.schema.quickpruning import dropping, is_fixed, pruning
from crdkit.schema.structural import ABSENT, Structural
from crdkit.schema.validation.conditions import Conditions
from crdkit.schema.validation.examination import examine
from crdkit.schema.validation.predicate import compile_validation
from crdkit.schema.validation.reading import Reading

Outline: TypeAlias = tuple[Hashable, ...]
"""The names of an object's fields, at every depth, with the keys of map lists and the items of sets: all that decides who owns what.

Not of what is one value to its owner. What is not there but has a default is not named. Objects of one schema have equal outlines only if
they are alike in all this.
"""
Walk: TypeAlias = Callable[[JsonObject, list[Hashable], list[str], list[Json]], bool]
"""Prunes and completes an object in place; adds to its outline, and to the paths of unknown fields. Tells whether it is valid.

What may be or hold a float is added to the last list. Raises `NotPlain`, when some of this may be done.
"""


_KINDS: Final = {
    "": ["str", "int"],
    "string": ["str"],
    "integer": ["int"],
    "number": ["int", "float"],
    "boolean": ["bool"],
}
"""What the values of a scalar type are; "" is a number or a text."""
_EITHER: Final = tuple(itertools.permutations((Structural(type="integer"), Structural(type="string"))))
"""What is mostly asked of a number or a text, once more."""
_DEEPEST_FREE: Final = 50


class Survey(NamedTuple):
    """What is known of an object that was read: whether it is valid, and its outline, for what that is worth if it is not."""

    is_valid: bool
    outline: Outline
    floats: bool = True
    """Whether there may be a float in it that is written otherwise than it came."""


class NotPlain(Exception):
    """An object has something that a survey does not deal with."""


def compile_survey(schema: Structural, reading: Reading) -> Walk | None:
    """Build the function that surveys a resource; None where its schema asks for what a survey cannot do.

    A resource's apiVersion, kind and metadata are not looked at.
    """
    if not _is_plain_root(schema):
        return None
    return _compile(schema, reading, _Place("", "", owned=True), root=True)


def _is_plain_root(schema: Structural) -> bool:
    """Whether it can be judged at once, though metadata and status may change yet."""
    whole = _bare(dataclasses.replace(schema, properties={}, required=()))
    meta = [(child.has_default, _bare(child)) for name, child in schema.properties.items() if name in META_FIELDS]
    return whole == _OBJECT and "status" not in schema.required and all(child in _PLAIN_META for child in meta)


_OBJECT: Final = Structural(type="object")
_PLAIN_META: Final = ((False, _OBJECT), (False, Structural(type="string")))


def _bare(schema: Structural) -> Structural:
    """The node without what has no bearing on a value that is there and not null."""
    return dataclasses.replace(
        schema, title="", description="", default=ABSENT, nullable=False, example=ABSENT, external_docs=None, validations=()
    )


class _Place(NamedTuple):
    """Where a value stands.

    ``path`` leads to it if no list or map is above it (`fixed`); else ``prune`` is an expression that prunes the outermost of these, and
    empty if that is out of reach. ``owned``: its parts have owners of their own. ``keys`` are those that it is named by in a list.
    """

    path: str
    prune: str
    owned: bool
    fixed: bool = True
    keys: tuple[str, ...] = ()
    seen: str = ""
    """The variable that is to have those keys of all items, if it is at hand."""

    def below(self, name: str) -> _Place:
        return self._replace(path=f"{self.path}.{name}" if self.path else name) if self.fixed else self._replace(keys=(), seen="")

    def in_part(self) -> _Place:
        return self if self.fixed else self._replace(prune="", seen="")


def _compile(schema: Structural, reading: Reading, place: _Place, *, root: bool = False) -> Walk:
    source = _Survey(reading)
    with source.function() as name:
        source.line("ok = True")
        if root:
            source.fields(schema, "v", place, but=META_FIELDS)
        else:
            source.node(schema, "v", place)
        source.line("return ok")
    return source.load(name)


class _Survey(Conditions):
    """Statements that add to the outline ``o``, to the unknown fields ``u`` and to what may hold floats ``n``, and set ``ok`` to False at a fault."""

    parameters = "v, o, u, n"

    def __init__(self, reading: Reading) -> None:
        super().__init__(reading)
        self._give_up = self.bind(_give_up)
        self._wrong = self.bind(_is_wrong)
        self._filled: set[str] = set()
        """The variables that have the keys of all items of a list, in a set."""

    def refuse_if(self, condition: str) -> None:
        self.line(f"{'elif' if self.follows(': ok = ') else 'if'} {condition}: ok = False")

    def branch(self, schema: Structural) -> str:
        return self.part(lambda: compile_validation(schema, self.reading))

    def node(self, schema: Structural, var: str, place: _Place) -> None:
        """Write what is done with a value that is there. What else than its type its format lets pass is called wrong, and left to others."""
        if _is_free(schema):
            self.free(schema, var, place)
        elif not self.takes(schema):
            self.line(f"if not {self.part(lambda: _compile(schema, self.reading, place.in_part()))}({var}, o, u, n): ok = False")
        elif schema.type == "object" and (is_fixed(schema) or _is_map(schema)):
            self.container("dict", schema, var, place)
        elif schema.type == "array" and _is_plain_list(schema):
            self.container("list", schema, var, place)
        elif is_scalar(schema) and (kinds := _KINDS.get("" if schema.int_or_string else schema.type)):
            self.scalar(schema, var, kinds)
        else:
            self.line(f"{self._give_up}()")

    def scalar(self, schema: Structural, var: str, kinds: list[str]) -> None:
        if len(kinds) == 1:
            self.line(f"if {var}.__class__ is not {kinds[0]}: ok = {self._wrong}({var})")
            self.of_kind(kinds[0], schema, var)
        else:
            if kinds == _KINDS[""] and schema.any_of in _EITHER:  # as the kinds say
                schema = dataclasses.replace(schema, any_of=())
            for word, kind in zip(("if", "elif"), kinds, strict=True):
                self.line(f"{word} {var}.__class__ is {kind}:")
                with self.inside():
                    self.of_kind(kind, schema, var)
            self.line(f"else: ok = {self._wrong}({var})")
        self.junctors(schema, var)
        self.enum(schema, var, kinds)

    def of_kind(self, kind: str, schema: Structural, var: str) -> None:
        """Write what is asked of a value that is of a type."""
        if kind == "str":
            self.text(schema, var)
        elif kind == "int":
            self.integer(schema, var)
        elif kind == "float":
            self.line(f"n.append({var})")
            self.number(schema, var)

    def container(self, kind: str, schema: Structural, var: str, place: _Place) -> None:
        self.line(f"if {var}.__class__ is not {kind}: ok = {self._wrong}({var})")
        with self.block("else"):
            if kind == "list":
                self.items(schema, var, place)
            elif schema.values is not None:
                self.map_values(schema, schema.values, var, place)
            else:
                self.fields(schema, var, place._replace(owned=place.owned and schema.map_type != "atomic"))
            self.sizes(schema, var)
            self.junctors(schema, var)
            self.enum(schema, var, [kind])

    def sizes(self, schema: Structural, var: str) -> None:
        is_list = schema.type == "array"
        least, most = (schema.min_items, schema.max_items) if is_list else (schema.min_properties, schema.max_properties)
        if least:
            self.refuse_if(f"len({var}) < {least:d}")
        if most is not None:
            self.refuse_if(f"len({var}) > {most:d}")

    def names(self, var: str) -> None:
        self.line(f"o += {var}")
        self.line("o.append(None)")

    # Objects

    def fields(self, schema: Structural, var: str, place: _Place, *, but: frozenset[str] = frozenset()) -> None:
        known = but | schema.properties.keys()
        self.line(f"if not {self.bind(known.issuperset)}({var}): {self.unknown(known, var, place)}")
        if place.owned:
            self.names(var)
        found: dict[str, str] = {}
        for name, child in schema.properties.items():
            if name not in but:
                required = name in schema.required
                found[name] = self.field(name, child, var, place.below(name), required=required, is_key=name in place.keys)
        for name in schema.required:
            if name not in known:
                self.refuse_if(f"{self.bind(name)} not in {var}")
        keys = [found[name] for name in place.keys]
        for key in keys:
            self.line(f"o.append({key})")
        if keys:
            self.note_keys(keys, place.seen)

    def note_keys(self, keys: list[str], seen: str) -> None:
        if seen:
            self.line(f"{seen}.add({keys[0] if len(keys) == 1 else '(' + ', '.join(keys) + ')'})")
            self._filled.add(seen)

    def unknown(self, known: frozenset[str], var: str, place: _Place) -> str:
        """A statement that drops the unknown fields of an object."""
        if place.fixed:
            return f"u += {self.bind(dropping(known, place.path and place.path + '.'))}({var})"
        return f"u += {place.prune}" if place.prune else f"{self._give_up}()"

    def field(self, name: str, child: Structural, var: str, place: _Place, *, required: bool, is_key: bool) -> str:
        """Gives the variable that has the value, which a key must have or gets: without it, the object is not valid."""
        key, item = self.bind(name), self.variable()
        if child.has_default and isinstance(child.default, dict | list):
            self.default_container(child, f"{var}[{key}]", f"if {key} not in {var}: ")
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item, place)
            return item
        start = self.written
        with self.block(f"if {key} in {var}"):
            self.line(f"{item} = {var}[{key}]")
            self.node(child, item, place)
        otherwise = "else: " if self.written > start else f"if {key} not in {var}: "
        also = f"{item} = " if is_key else ""
        if child.has_default:
            self.default_scalar(child, f"{also}{var}[{key}]", otherwise)
        elif required:
            self.line(f"{otherwise}ok = {also}False")
        return item

    def default_scalar(self, schema: Structural, target: str, otherwise: str) -> None:
        if schema.default is None or examine(schema, schema.default, "", self.reading).faults:
            self.line(f"{otherwise}{self._give_up}()")
        else:
            default = self.bind(schema.default)
            noted = f"; n.append({default})" if schema.default.__class__ is float else ""
            self.line(f"{otherwise}{target} = {default}{noted}")

    def default_container(self, schema: Structural, target: str, otherwise: str) -> None:
        """It is looked at like one that is given, so there must be nothing in it that would not be dropped otherwise."""
        given: Any = copy.deepcopy(schema.default)
        if _has_null(given) or compile_node(schema, is_resource=False)(given):
            self.line(f"{otherwise}{self._give_up}()")
        else:
            self.line(f"{otherwise}{target} = {self.bind(copy_json)}({self.bind(schema.default)})")

    def free(self, schema: Structural, var: str, place: _Place) -> None:
        """What may be anything, or any object, and is kept as it is."""
        wrong, otherwise = (".__class__ is not dict", "else") if schema.type else (" is None", f"elif {var}.__class__ is dict")
        self.line(f"if {var}{wrong}: ok = {self._wrong}({var})")
        holds_floats = f"{self.bind(_may_hold_floats)}({var})"
        if place.owned and schema.map_type != "atomic":
            self.line(f"{otherwise}: {self.bind(_outline_free)}({var}, o, n)")
            if not schema.type:
                with self.block("else"):
                    self.line("o.append(0)")  # no object, and no name that one could have
                    self.line(f"if {holds_floats}: n.append({var})")
        else:
            self.line(f"{'elif' if schema.type else 'if'} {holds_floats}: n.append({var})")

    # Maps and lists

    def part_of(self, schema: Structural, var: str, place: _Place, *, owned: bool) -> _Place:
        """The place of the values of a map or the items of a list."""
        prune = f"{self.bind(pruning(schema, place.path))}({var})" if place.fixed else place.prune
        return _Place("", prune, owned=owned, fixed=False)

    def map_values(self, schema: Structural, values: Structural, var: str, place: _Place) -> None:
        owned = place.owned and schema.map_type != "atomic"
        if owned:
            self.names(var)
        item = self.variable()
        with self.block(f"for {item} in {var}.values()"):
            self.node(values, item, self.part_of(schema, var, place, owned=owned))
        for name in schema.required:
            self.refuse_if(f"{self.bind(name)} not in {var}")

    def items(self, schema: Structural, var: str, place: _Place) -> None:
        assert schema.items is not None
        owned = place.owned and schema.list_type in ("set", "map")
        if owned:
            self.line(f"o.append(len({var}))")
            if schema.list_type == "set":
                self.line(f"o += {var}")
        item, below = self.variable(), self.part_of(schema, var, place, owned=owned)
        if owned and schema.list_type == "map":
            below = below._replace(keys=schema.list_map_keys, seen=self.variable())
            self.line(f"{below.seen} = set()")
        with self.block(f"for {item} in {var}"):
            self.node(schema.items, item, below)
        if below.seen in self._filled:
            self.refuse_if(f"len({below.seen}) != len({var})")
        else:
            self.duplicates(schema, var)


def _is_map(schema: Structural) -> bool:
    whole = schema.preserve_unknown_fields or schema.embedded_resource or schema.items is not None
    return schema.values is not None and not schema.properties and not whole


def _is_plain_list(schema: Structural) -> bool:
    """Whether items are surely told apart by texts and whole numbers, each of a type of its own."""
    items = schema.items
    whole = schema.preserve_unknown_fields or schema.embedded_resource or schema.additional_properties is not None
    if items is None or whole or schema.properties:
        return False
    if schema.list_type == "set":
        return _is_name(items)
    if schema.list_type == "map":
        keys = schema.list_map_keys
        return items.type == "object" and bool(keys) and all(key in items.properties and _is_key(items, key) for key in keys)
    return True


def _is_key(items: Structural, key: str) -> bool:
    child = items.properties[key]
    return _is_name(child) and (key in items.required or child.has_default)


def _is_name(schema: Structural) -> bool:
    return is_scalar(schema) and schema.type in ("string", "integer", "boolean") and not schema.int_or_string


def _is_free(schema: Structural) -> bool:
    plain = Structural(type=schema.type, preserve_unknown_fields=True, map_type=schema.map_type)
    return schema.type in ("", "object") and keeps_everything(schema) and _bare(schema) == plain


def _outline_free(value: JsonObject, outline: list[Hashable], numbers: list[Json], deepest: int = _DEEPEST_FREE) -> None:
    """Add to an outline what an object has, all whose fields have owners; lists in it are one value. What may hold floats is added too."""
    if not deepest:
        raise NotPlain
    outline += value
    outline.append(None)
    for name, child in value.items():
        kind = child.__class__
        if kind is dict:
            outline.append(name)
            _outline_free(child, outline, numbers, deepest - 1)
        elif kind is float or (kind is list and _may_hold_floats(child)):
            numbers.append(child)
    outline.append(None)


def _may_hold_floats(value: Json, deepest: int = _DEEPEST_FREE) -> bool:
    kind = value.__class__
    if kind is not dict and kind is not list:
        return kind is float
    if not deepest:
        return True
    for child in value.values() if kind is dict else value:
        kind = child.__class__
        if kind is float or ((kind is dict or kind is list) and _may_hold_floats(child, deepest - 1)):
            return True
    return False


def _has_null(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_has_null, value.values()))
    return any(map(_has_null, value)) if isinstance(value, list) else value is None


_HARMLESS: Final = (str, int, bool)


def _is_wrong(value: Json) -> bool:
    """Give False for a value of a wrong type, which is a fault of it; unless there may be something to be done with it."""
    if value.__class__ not in _HARMLESS:
        raise NotPlain
    return False


def _give_up() -> NoReturn:
    raise NotPlain
