"""Compiling the rules of a large public set of definitions: Gateway API's, where a copy of them is at hand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from benchmarks.rows import Row, Skipped
from crdkit.definitions import preparing, validation
from crdkit.meta.types import JsonObject
from crdkit.meta.version import DEFAULT
from crdkit.registry.definitionresource import read_definition

DEFINITIONS: Final = Path(__file__).resolve().parent.parent.parent / "shared" / "crds" / "gateway-api" / "crds"


def available() -> bool:
    """Whether the definitions are at hand."""
    return DEFINITIONS.is_dir()


def measure(seconds: float) -> Iterator[Row]:
    """Seconds to judge all definitions, most of which is compiling their rules. Raises `Skipped`."""
    if not available():
        raise Skipped("the definitions of Gateway API are not at hand")
    raw = [found for file in sorted(DEFINITIONS.glob("*.yaml")) for found in yaml.load_all(file.read_bytes(), yaml.CSafeLoader) if found]
    rules = sum(_count_rules(definition) for definition in raw)
    took: list[float] = []
    end = time.perf_counter() + seconds
    while not took or time.perf_counter() < end:
        definitions = [_prepared(definition) for definition in raw]
        began = time.perf_counter()
        for definition in definitions:
            if found := validation.validate_create(definition, kube=DEFAULT):
                msg = f"{definition['metadata']['name']}: {found[0].text(DEFAULT)}"
                raise RuntimeError(msg)
        took.append(time.perf_counter() - began)
    yield Row(f"judging Gateway API ({len(raw)} definitions, {rules} rules)", min(took) * 1000, "ms", goal=500)


def _prepared(raw: JsonObject) -> JsonObject:
    definition = read_definition(raw, DEFAULT)
    preparing.prepare_create(definition)
    return definition


def _count_rules(node: Any) -> int:
    below = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    here = node.get("x-kubernetes-validations") if isinstance(node, dict) else None
    return (len(here) if isinstance(here, list) else 0) + sum(_count_rules(item) for item in below)
