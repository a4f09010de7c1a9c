"""What a schema asks of a text: lengths, a pattern, a format."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.meta import errors, golang
from crdkit.schema import formats, patterns
from crdkit.schema.structural import Structural
from crdkit.schema.validation.faults import Fault
from crdkit.schema.validation.reading import Reading


def check_text(schema: Structural, value: str, name: str, reading: Reading) -> Iterator[Fault]:
    """At most one fault: the first of the longest length, the shortest and the pattern that fails."""
    if schema.max_length is not None and len(value) > schema.max_length:
        text = f"{name} in body should be at most {schema.max_length} chars long"
        yield Fault(name, text, errors.too_long("", schema.max_length, reading.kube))
    elif schema.min_length is not None and len(value) < schema.min_length:
        yield _invalid(name, value, f"{name} in body should be at least {schema.min_length} chars long")
    elif schema.pattern and not patterns.search(schema.pattern)(value):
        yield _invalid(name, value, f"{name} in body should match '{schema.pattern}'")


def check_format(declared: str, value: str, name: str) -> Iterator[Fault]:
    if not formats.check(declared)(value):
        detail = f"{name} in body must be of type {declared}: {golang.quote(value)}"
        yield Fault(name, detail, errors.type_invalid("", value, detail))


def _invalid(name: str, value: str, detail: str) -> Fault:
    return Fault(name, detail, errors.invalid("", value, detail))
