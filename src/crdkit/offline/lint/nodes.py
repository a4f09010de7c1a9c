"""Rules on the nodes of schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crdkit.offline.lint.rules import Concern, Node, NodeRule, rule

_BEGINNINGS: Final = ("^", r"\A", "(?i)^", "(?s)^")
_ENDS: Final = ("$", r"\z")


@rule(
    "unbounded-rule",
    why="A rule's cost is judged by how often it may run: without a limit a server assumes as many items as fit into a request, and refuses"
    " the definition once the estimate is too high.",
    fix="Set maxItems on the list, or maxProperties on the map, that holds the rule.",
)
def unbounded_rule(node: Node) -> Iterator[Concern]:
    """Lists and maps without a limit, with rules on them or on what they hold."""
    schema = node.schema
    unbounded_list = schema.get("type") == "array" and "maxItems" not in schema
    unbounded_map = isinstance(schema.get("additionalProperties"), dict) and "maxProperties" not in schema
    if (unbounded_list or unbounded_map) and any(inner.rules for inner in node.all()):
        what, limit = ("list", "maxItems") if unbounded_list else ("map", "maxProperties")
        yield Concern(node.at, f"the {what} {node.field} has rules but no {limit}")


@rule(
    "rule-without-message",
    why="Without a message whoever breaks the rule is shown its source.",
    fix="Add a message, or a messageExpression, that says what is wanted.",
)
def rule_without_message(node: Node) -> Iterator[Concern]:
    """Rules that say nothing."""
    for index, one in enumerate(node.rules):
        if not one.get("message") and not one.get("messageExpression"):
            yield Concern(f"{node.at}.x-kubernetes-validations[{index}]", f"the rule {one.get('rule')!r} has no message")


@rule(
    "preserve-unknown-root",
    why="Misspelt fields are stored without a word anywhere in the object, as nothing at its root is pruned.",
    fix="Name the fields, and set x-kubernetes-preserve-unknown-fields only where anything may stand.",
)
def preserve_unknown_root(node: Node) -> Iterator[Concern]:
    """Nothing is pruned at the root."""
    if node.is_root and node.schema.get("x-kubernetes-preserve-unknown-fields"):
        yield Concern(f"{node.at}.x-kubernetes-preserve-unknown-fields", "unknown fields are kept at the root")


@rule(
    "default-under-nullable",
    why="Where null is allowed it is kept, and defaults for it or for what would be within are not filled in.",
    fix="Drop nullable, so that null counts as missing and gets the default; or drop the default.",
)
def default_under_nullable(node: Node) -> Iterator[Concern]:
    """Defaults that an explicit null keeps out."""
    if not node.schema.get("nullable"):
        return
    if node.schema.get("default") is not None:
        yield Concern(f"{node.at}.default", f"null is allowed at {node.field}, and is not replaced by its default")
    for name, inner in (node.schema.get("properties") or {}).items():
        if (inner or {}).get("default") is not None:
            at = f"{node.at}.properties[{name}].default"
            yield Concern(at, f"{node.field} may be null, and then {node.field}.{name} does not get its default")


@rule(
    "object-without-fields",
    why="An object whose schema names no fields loses all of them: whatever is within is pruned.",
    fix="Name its properties, or the schema of its values in additionalProperties, or set x-kubernetes-preserve-unknown-fields.",
)
def object_without_fields(node: Node) -> Iterator[Concern]:
    """Objects of which nothing is stored."""
    schema = node.schema
    kept = ("properties", "additionalProperties", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")
    if schema.get("type") == "object" and not any(schema.get(key) for key in kept) and node.field not in ("", ".metadata"):
        yield Concern(node.at, f"nothing within {node.field} is stored")


@rule(
    "list-without-type",
    why="Server-side apply takes a list without a type as one value: whoever applies it replaces all items, also those of others.",
    fix="Set x-kubernetes-list-type: map with x-kubernetes-list-map-keys for a list of objects, set for a list of distinct values, or atomic if"
    " it is meant.",
)
def list_without_type(node: Node) -> Iterator[Concern]:
    """Lists that say nothing of how they are merged."""
    if node.schema.get("type") == "array" and "x-kubernetes-list-type" not in node.schema:
        yield Concern(node.at, f"the list {node.field} has no x-kubernetes-list-type")


@rule(
    "int-or-string-without-pattern",
    why="Any text passes, since only the type is checked: 'banana' is as good as '25%'.",
    fix="Add a pattern, which is checked for texts alone.",
)
def int_or_string_without_pattern(node: Node) -> Iterator[Concern]:
    """Numbers or texts without a form."""
    schema = node.schema
    if schema.get("x-kubernetes-int-or-string") and not schema.get("pattern") and not _branch_has(node, "pattern"):
        yield Concern(node.at, f"{node.field} takes any text")


def _branch_has(node: Node, keyword: str) -> bool:
    branches = [branch for junctor in ("allOf", "anyOf", "oneOf") for branch in node.schema.get(junctor) or ()]
    return any(keyword in (branch or {}) for branch in branches)


@rule(
    "enum-with-empty-text",
    why='An empty text among the values lets clients that write zero values, as Go\'s do, send "" for a field that nobody set.',
    fix="Leave the empty text out and make the field optional, unless empty is a choice of its own.",
)
def enum_with_empty_text(node: Node) -> Iterator[Concern]:
    """An empty text as a choice."""
    if "" in (node.schema.get("enum") or ()):
        yield Concern(f"{node.at}.enum", f'{node.field} may be ""')


@rule(
    "required-but-undefined",
    why="The field is pruned before it is looked for, so no object will ever have it: all are refused.",
    fix="Add the field to properties, or drop it from required.",
)
def required_but_undefined(node: Node) -> Iterator[Concern]:
    """Required fields that the schema does not name."""
    schema = node.schema
    if schema.get("additionalProperties") or schema.get("x-kubernetes-preserve-unknown-fields"):
        return
    implied = {"apiVersion", "kind", "metadata"} if node.is_root or schema.get("x-kubernetes-embedded-resource") else set()
    for name in schema.get("required") or ():
        if name not in (schema.get("properties") or {}) and name not in implied:
            yield Concern(f"{node.at}.required", f"{node.field}.{name} is required, but not among the properties")


@rule(
    "pattern-unanchored",
    why="A pattern matches anywhere within a text: [a-z]+ is found in '!!a!!'.",
    fix="Begin the pattern with ^ and end it with $; write .* where the rest may be anything.",
)
def pattern_unanchored(node: Node) -> Iterator[Concern]:
    """Patterns that do not cover the whole text."""
    pattern = node.schema.get("pattern")
    if pattern and not (pattern.startswith(_BEGINNINGS) and pattern.endswith(_ENDS)):
        yield Concern(f"{node.at}.pattern", f"the pattern {pattern!r} of {node.field} need only match a part of the text")


RULES: Final[tuple[NodeRule, ...]] = (
    unbounded_rule,
    rule_without_message,
    preserve_unknown_root,
    default_under_nullable,
    object_without_fields,
    list_without_type,
    int_or_string_without_pattern,
    enum_with_empty_text,
    required_but_undefined,
    pattern_unanchored,
)
