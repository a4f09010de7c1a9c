"""Random schemas, and random values that fit them more or less."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(("a", "b", "c", "k.1", "[0]", '"'))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 9), st.sampled_from((0.5, 2.5)), st.sampled_from(("", "x", "yy", "zzz")))
JSON = st.recursive(SCALARS, lambda below: st.one_of(st.lists(below, max_size=3), st.dictionaries(NAMES, below, max_size=3)), max_leaves=8)

TEXTS = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={"minLength": st.integers(0, 2), "maxLength": st.integers(0, 3), "enum": st.just(["x", "yy"]), "nullable": st.booleans()},
)
NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(("integer", "number"))},
    optional={
        "minimum": st.integers(-2, 3),
        "maximum": st.integers(2, 9),
        "exclusiveMinimum": st.booleans(),
        "enum": st.just([1, 2]),
        "nullable": st.booleans(),
    },
)
LEAVES = st.one_of(TEXTS, NUMBERS, st.fixed_dictionaries({"type": st.just("boolean")}, optional={"nullable": st.booleans()}))
BRANCHES = st.fixed_dictionaries(
    {},
    optional={
        "required": st.lists(NAMES, max_size=2, unique=True),
        "minimum": st.integers(0, 5),
        "maxLength": st.integers(0, 2),
        "enum": st.just(["x", 1]),
        "minItems": st.integers(0, 2),
        "properties": st.dictionaries(NAMES, st.fixed_dictionaries({}, optional={"minimum": st.integers(0, 5)}), max_size=1),
    },
)


@st.composite
def with_junctors(draw: st.DrawFn, schemas: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    schema = dict(draw(schemas))
    if draw(st.integers(0, 3)) == 0:
        keyword = draw(st.sampled_from(("allOf", "anyOf", "oneOf")))
        schema[keyword] = draw(st.lists(BRANCHES, min_size=1, max_size=3))
    if draw(st.integers(0, 5)) == 0:
        schema["not"] = draw(BRANCHES)
    return schema


@st.composite
def with_default(draw: st.DrawFn, schemas: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    schema = dict(draw(schemas))
    if draw(st.integers(0, 2)) == 0:
        schema["default"] = draw(values(schema).filter(lambda value: value is not None))
    return schema


def objects(below: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Schemas of objects, maps and lists with the given schemas below."""
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(NAMES, with_default(below), max_size=4)},
            optional={
                "required": st.lists(NAMES, max_size=2, unique=True),
                "minProperties": st.integers(0, 1),
                "maxProperties": st.integers(1, 3),
                "nullable": st.booleans(),
                "x-kubernetes-preserve-unknown-fields": st.just(True),
            },
        ),
        st.fixed_dictionaries({"type": st.just("object"), "additionalProperties": st.one_of(with_default(below), st.just(True))}),
        st.fixed_dictionaries(
            {"type": st.just("array"), "items": with_default(below)},
            optional={"minItems": st.integers(0, 1), "maxItems": st.integers(1, 3), "nullable": st.booleans()},
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": TEXTS, "x-kubernetes-list-type": st.just("set")}),
        st.just({"x-kubernetes-preserve-unknown-fields": True}),
    )


SCHEMAS = st.recursive(with_junctors(LEAVES), lambda below: with_junctors(objects(below)), max_leaves=8)
ROOTS = st.dictionaries(NAMES, with_default(SCHEMAS), min_size=1, max_size=4).map(
    lambda properties: {"type": "object", "properties": properties}
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that mostly have the schema's shape."""
    kind = schema.get("type")
    if kind == "object":
        named = {name: values(child) for name, child in schema.get("properties", {}).items()}
        others = schema.get("additionalProperties")
        below = values(others) if isinstance(others, dict) else JSON
        shaped = st.builds(lambda fields, extra: {**extra, **fields}, st.fixed_dictionaries({}, optional=named), extras(below))
    elif kind == "array":
        shaped = st.lists(values(schema["items"]), max_size=3)
    else:
        shaped = SCALARS
    return st.one_of(shaped, shaped, shaped, shaped, JSON)


def extras(below: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(st.just({}), st.dictionaries(NAMES, below, max_size=2))


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of an object, and an object."""
    schema = draw(ROOTS)
    value = draw(st.fixed_dictionaries({}, optional={name: values(child) for name, child in schema["properties"].items()}))
    return schema, {**draw(extras(JSON)), **value}
