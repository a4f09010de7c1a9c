"""Rules of subresources: where the scale finds its parts."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.meta import errors, golang
from crdkit.meta.errors import FieldError
from crdkit.meta.paths import FieldPath
from crdkit.meta.types import JsonObject


def check_subresources(subresources: JsonObject | None, at: FieldPath) -> Iterator[FieldError]:
    scale = (subresources or {}).get("scale")
    if scale is None:
        return
    at = at / "scale"
    yield from _check_replicas(scale["specReplicasPath"], ".spec", at / "specReplicasPath")
    yield from _check_replicas(scale["statusReplicasPath"], ".status", at / "statusReplicasPath")
    if selector := scale.get("labelSelectorPath"):
        at = at / "labelSelectorPath"
        if not selector.startswith("."):
            yield _not_simple(selector, at)
        elif not selector.startswith((".spec.", ".status.")):
            told = golang.Typed(selector, golang.quote(selector))
            yield errors.invalid(at, told, "should be a json path under either .spec or .status")


def _check_replicas(path: str, under: str, at: FieldPath) -> Iterator[FieldError]:
    """Only the beginning of a path is looked at."""
    if not path:
        yield errors.required(at)
    elif not path.startswith("."):
        yield _not_simple(path, at)
    elif not path.startswith(f"{under}."):
        yield errors.invalid(at, path, f"should be a json path under {under}")


def _not_simple(path: str, at: FieldPath) -> FieldError:
    return errors.invalid(at, path, "must be a simple json path starting with .")
