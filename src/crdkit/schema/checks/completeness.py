"""Whether all that the root's junctors validate is specified outside of them. Junctors of other nodes are not looked at."""

from __future__ import annotations

from collections.abc import Iterator

from crdkit.meta.errors import FieldError, required
from crdkit.meta.paths import FieldPath
from crdkit.schema.structural import Structural


def check_completeness(root: Structural, at: FieldPath) -> Iterator[FieldError]:
    """Tell the properties and items that only a junctor names; those below a missing one are not told."""
    yield from _check_junctors(root, root, at, at)


def _check_junctors(validating: Structural, shape: Structural, at: FieldPath, told_at: FieldPath) -> Iterator[FieldError]:
    if validating.not_ is not None:
        yield from _check_branch(validating.not_, shape, at, told_at / "not")
    for name, branches in (("allOf", validating.all_of), ("anyOf", validating.any_of), ("oneOf", validating.one_of)):
        for index, branch in enumerate(branches):
            yield from _check_branch(branch, shape, at, (told_at / name).index(index))


def _check_branch(branch: Structural, shape: Structural | None, at: FieldPath, told_at: FieldPath) -> Iterator[FieldError]:
    """``shape`` is what stands outside for ``branch``, at ``at``."""
    if shape is None:
        yield required(at, f"because it is defined in {told_at}")
        return
    yield from _check_junctors(branch, shape, at, told_at)
    if branch.items is not None:
        yield from _check_branch(branch.items, shape.items, at / "items", told_at / "items")
    for name, child in branch.properties.items():
        yield from _check_branch(child, shape.properties.get(name), (at / "properties").key(name), (told_at / "properties").key(name))
