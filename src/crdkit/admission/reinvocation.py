"""Asking again those whose object others have changed since (apiserver's admission/reinvocation)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

from crdkit.meta.copying import copied
from crdkit.meta.jsonpatch import equal
from crdkit.meta.records import record
from crdkit.meta.types import JsonObject


@record(frozen=False)
class Round:
    """One pass over all that mutate a request's object: the first, or the second and last."""

    repeats: bool = False
    must_repeat: bool = False


@record(frozen=False)
class Reinvocation:
    """Who of one sort (webhooks, policies) was asked and wants to be asked again, and who is to be."""

    _asked: set[Hashable] = field(default_factory=set)
    _again: set[Hashable] = field(default_factory=set)
    _output: JsonObject | None = None

    def begin(self, round_: Round, obj: JsonObject | None) -> None:
        """In the second pass, what others made of the object since the first counts as a change."""
        if round_.repeats and not _same(self._output, obj):
            self.note_change()

    def end(self, obj: JsonObject | None) -> None:
        self._output = copied(obj)

    def note_change(self) -> None:
        """All that were asked before the object changed are to be asked again."""
        self._again |= self._asked
        self._asked = set()

    def note_asked(self, key: Hashable) -> None:
        self._asked.add(key)

    def skips(self, round_: Round, key: Hashable) -> bool:
        """Whether somebody is left out: in the second pass all are who have no reason to be asked again."""
        return round_.repeats and key not in self._again


def _same(one: JsonObject | None, other: JsonObject | None) -> bool:
    return one is other or (one is not None and other is not None and equal(one, other))
